//! Headers that are no arguments: what writes a request to the wire sets them, or they keep the
//! books of a request and are about nothing that a caller asks for.

use super::{Api, Location, Parameter};
use crate::source::{Node, Value};

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

/// What a header is about that no caller decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upkeep {
    /// Where a request stands in a trace.
    Trace,
    /// Which request it is.
    Request,
    /// Which try it is.
    Retry,
    /// Which program sends it.
    Client,
    /// What the bytes of its body add up to.
    Checksum,
    /// Which version or stage of the whole API is meant.
    Version,
}

/// How the server deals with such a header.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Filled<'a> {
    /// It is not sent, unless the operator sets it.
    LeftOut,
    /// This is sent.
    Sent(&'a Node),
    /// A new identifier is made for each call.
    Made,
}

const TRACES: &[&str] = &[
    "b3",
    "baggage",
    "elastic-apm-traceparent",
    "newrelic",
    "sentry-trace",
    "traceparent",
    "tracestate",
    "x-cloud-trace-context",
];
const TRACE_ENDS: &[&str] = &["-parent-id", "-span-id", "-trace-id", "-trace-span"];
const TRACE_STARTS: &[&str] = &["x-b3-", "x-datadog-", "x-ot-span-"];
const REQUESTS: &[&str] = &["correlation-id", "request-id", "x-correlationid", "x-requestid"];
const REQUEST_ENDS: &[&str] = &["-correlation-id", "-request-id"];
const RETRIES: &[&str] = &["-retry-attempt", "-retry-count", "-retry-number"];
const CLIENTS: &[&str] = &["origin", "referer", "referrer", "user-agent", "x-requested-with"];
const CLIENT_ENDS: &[&str] = &[
    "-client-info",
    "-client-name",
    "-client-version",
    "-sdk-name",
    "-sdk-version",
    "-ui",
    "-user-agent",
];
const CLIENT_STARTS: &[&str] = &["x-forwarded-", "x-stainless-"];
const CHECKSUMS: &[&str] = &[
    "content-digest",
    "content-md5",
    "digest",
    "repr-digest",
    "x-amz-content-sha256",
    "x-goog-hash",
];
const CHECKSUM_STARTS: &[&str] = &["x-amz-checksum-"];
const VERSIONS: &[&str] = &["accept-version", "api-version", "apiversion", "x-apiversion"];
const VERSION_ENDS: &[&str] = &["-api-version", "-beta", "-betas"];
/// Words before `-version` that say it is that of one thing.
const THINGS: &[&str] =
    &["base", "content", "document", "entity", "expected", "if", "object", "resource", "schema"];

/// What a header of this name is about, as far as the name tells.
#[must_use]
pub fn upkeep(name: &str) -> Option<Upkeep> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    let name = name.as_str();
    let starts = |list: &[&str]| list.iter().any(|start| name.starts_with(start));
    let ends = |list: &[&str]| list.iter().any(|end| name.ends_with(end));
    if TRACES.contains(&name) || starts(TRACE_STARTS) || ends(TRACE_ENDS) {
        Some(Upkeep::Trace)
    } else if REQUESTS.contains(&name) || ends(REQUEST_ENDS) {
        Some(Upkeep::Request)
    } else if ends(RETRIES) {
        Some(Upkeep::Retry)
    } else if CLIENTS.contains(&name) || starts(CLIENT_STARTS) || ends(CLIENT_ENDS) {
        Some(Upkeep::Client)
    } else if CHECKSUMS.contains(&name) || starts(CHECKSUM_STARTS) {
        Some(Upkeep::Checksum)
    } else if VERSIONS.contains(&name) || ends(VERSION_ENDS) {
        Some(Upkeep::Version)
    } else {
        None
    }
}

impl Parameter {
    /// What the parameter is about that no caller decides, and how it is filled in instead; `None`
    /// where it is an argument. One that must be sent and cannot be filled in stays an argument, and
    /// so does one of which the document says so.
    #[must_use]
    pub fn filled<'a>(&'a self, api: &'a Api) -> Option<(Upkeep, Filled<'a>)> {
        if self.location != Location::Header || self.argument {
            return None;
        }
        let upkeep = upkeep(&self.name)
            .or_else(|| self.is_version_of_all(api).then_some(Upkeep::Version))?;
        if !self.required {
            return Some((upkeep, Filled::LeftOut));
        }
        let schema = api.schema(self.schema);
        let takes_text = self.media_type.is_none()
            && (schema.types.is_only_string() || schema.types == super::Types::default())
            && schema.values.is_none()
            && schema.variants.is_empty()
            && schema.pattern.is_none();
        match upkeep {
            Upkeep::Request if takes_text => Some((upkeep, Filled::Made)),
            // The HTTP client names itself.
            Upkeep::Client if self.name.eq_ignore_ascii_case("user-agent") => {
                Some((upkeep, Filled::LeftOut))
            }
            Upkeep::Version => {
                let scalar =
                    |node: &&Node| matches!(node.value, Value::String(_) | Value::Number(_));
                let allowed = |node: &&Node| {
                    schema
                        .values
                        .as_ref()
                        .is_none_or(|values| values.iter().any(|v| v.value == node.value))
                };
                let said = schema.default.iter().chain(&self.example).chain(&schema.examples);
                let value = said.filter(scalar).find(allowed)?;
                Some((upkeep, Filled::Sent(value)))
            }
            Upkeep::Request | Upkeep::Trace | Upkeep::Retry | Upkeep::Client | Upkeep::Checksum => {
                None
            }
        }
    }

    /// Whether it is `Vendor-Version`, and half of the operations have it.
    fn is_version_of_all(&self, api: &Api) -> bool {
        let name = self.name.to_ascii_lowercase().replace('_', "-");
        let Some(start) = name.strip_suffix("-version") else { return false };
        if THINGS.iter().any(|thing| start.split('-').any(|word| word == *thing)) {
            return false;
        }
        let has = |p: &Parameter| {
            p.location == Location::Header && p.name.eq_ignore_ascii_case(&self.name)
        };
        let carriers = api.operations.iter().filter(|o| o.parameters.iter().any(has)).count();
        carriers >= MANY && carriers * 2 >= api.operations.len()
    }
}

/// How many operations have a header at least that is about all of an API.
const MANY: usize = 3;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{OWNED, Upkeep, upkeep};

    #[test]
    fn headers_that_keep_the_books_are_known_by_their_names() {
        for (names, expected) in [
            ("traceparent Zap-Trace-Span X-Amzn-Trace-Id x-b3-sampled", Some(Upkeep::Trace)),
            ("X-Request-Id x-ms-client-request-id X_Correlation_ID", Some(Upkeep::Request)),
            ("X-Nf-Retry-Count", Some(Upkeep::Retry)),
            ("User-Agent x-prefect-ui X-Stainless-OS Acme-SDK-Version", Some(Upkeep::Client)),
            ("content-md5 Digest x-amz-checksum-crc32", Some(Upkeep::Checksum)),
            ("x-prefect-api-version openai-beta api-version", Some(Upkeep::Version)),
            (
                "If-Match If-None-Match Prefer Range xero-tenant-id X-Profile-Id boxapi Accept-Language contentType X-Resource-Version Idempotency-Key X-Trace-Level Last-Event-ID",
                None,
            ),
        ] {
            for name in names.split(' ') {
                assert_eq!(upkeep(name), expected, "{name}");
            }
        }
    }

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
