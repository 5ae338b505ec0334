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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::OWNED;

    /// The runtime is a file of its own in each server, so it has a list of its own.
    #[test]
    fn generated_servers_send_none_of_them_either() {
        let runtime = include_str!("../../templates/runtime/request.rs");
        let list = runtime.split_once("const RESERVED: [&str; ").expect("the list is there").1;
        let list = list.split_once("];").expect("it ends").0;
        let theirs: BTreeSet<&str> = list.split('"').skip(1).step_by(2).collect();
        let decided = ["accept", "authorization", "content-type"];
        let ours: BTreeSet<&str> = OWNED.iter().copied().chain(decided).collect();
        assert_eq!(theirs, ours);
    }
}
