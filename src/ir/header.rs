//! Headers that are no arguments, because what writes a request to the wire sets them.

/// In lower case.
const OWNED: &[&str] = &[
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "cookie",
    "cookie2",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "via",
];

/// Whether the HTTP client sets this header itself, or would break a request with another value: the
/// connection, the framing and coding of what is sent, the codings that it can read.
#[must_use]
pub fn is_owned_header(name: &str) -> bool {
    OWNED.iter().any(|owned| owned.eq_ignore_ascii_case(name))
}
