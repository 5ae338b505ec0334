//! Media types by what their bodies are made of: one reading for the planner, which decides what an
//! agent gives, and for the generator, which decides what is sent.

/// What a body of a media type is made of. The order is that of choice where an operation takes
/// several: what agents write best comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MediaForm {
    /// `application/json`, `text/json`.
    Json,
    /// Anything else that is one JSON value: `application/merge-patch+json`.
    JsonLike,
    /// A range that takes everything: JSON is sent.
    Anything,
    /// JSON values one after the other: `application/x-ndjson`, `application/json-seq` (RFC 7464).
    JsonLines,
    /// `application/x-www-form-urlencoded`.
    UrlEncoded,
    /// `multipart/*`.
    Multipart,
    /// Text as it stands: `text/*`, YAML, CSV, GraphQL.
    Text,
    /// `application/xml`, `image/svg+xml`.
    Xml,
    /// Everything else.
    Bytes,
}

impl MediaForm {
    /// Whether a body is written from a value with a schema; if not, it is given as text or base64.
    #[must_use]
    pub fn is_structured(self) -> bool {
        match self {
            Self::Json
            | Self::JsonLike
            | Self::Anything
            | Self::JsonLines
            | Self::UrlEncoded
            | Self::Multipart => true,
            Self::Text | Self::Xml | Self::Bytes => false,
        }
    }

    /// The form of a key of `content`: a media type or a range, with or without parameters.
    #[must_use]
    pub fn of(media_type: &str) -> Self {
        let name = media_type.trim().split([';', ' ', '\t', '\r', '\n']).next().unwrap_or_default();
        let name = name.to_ascii_lowercase();
        let (kind, subtype) = name.split_once('/').unwrap_or(("", &name));
        let plain = subtype.strip_prefix("x-").unwrap_or(subtype);
        match (kind, plain) {
            ("application" | "text", "json") => Self::Json,
            (_, "ndjson" | "jsonl" | "jsonlines" | "json-lines" | "json-seq" | "json-stream") => {
                Self::JsonLines
            }
            ("application", "www-form-urlencoded") => Self::UrlEncoded,
            ("*" | "application", "*") => Self::Anything,
            ("multipart", _) => Self::Multipart,
            _ if subtype.ends_with("+json") || subtype.contains("json") => Self::JsonLike,
            (_, "xml") => Self::Xml,
            _ if subtype.ends_with("+xml") => Self::Xml,
            ("text", _) | (_, "yaml" | "graphql" | "csv") => Self::Text,
            _ if matches!(subtype.rsplit(['+', '.']).next(), Some("yaml" | "csv")) => Self::Text,
            _ => Self::Bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_have_a_form() {
        for (media_type, form) in [
            ("application/json", MediaForm::Json),
            ("Application/JSON; charset=utf-8", MediaForm::Json),
            ("text/json", MediaForm::Json),
            ("application/merge-patch+json", MediaForm::JsonLike),
            ("application/vnd.api+json ; version=1", MediaForm::JsonLike),
            ("application/x-ndjson", MediaForm::JsonLines),
            ("application/ndjson", MediaForm::JsonLines),
            ("application/jsonl", MediaForm::JsonLines),
            ("application/json-seq", MediaForm::JsonLines),
            ("application/x-json-stream", MediaForm::JsonLines),
            ("*/*", MediaForm::Anything),
            ("application/x-www-form-urlencoded", MediaForm::UrlEncoded),
            ("multipart/mixed", MediaForm::Multipart),
            ("text/plain", MediaForm::Text),
            ("application/yaml", MediaForm::Text),
            ("application/x-yaml", MediaForm::Text),
            ("application/vnd.oai.openapi+yaml", MediaForm::Text),
            ("application/csv", MediaForm::Text),
            ("application/graphql", MediaForm::Text),
            ("text/xml", MediaForm::Xml),
            ("application/soap+xml", MediaForm::Xml),
            ("application/octet-stream", MediaForm::Bytes),
            ("image/*", MediaForm::Bytes),
            ("", MediaForm::Bytes),
            ("nonsense", MediaForm::Bytes),
        ] {
            assert_eq!(MediaForm::of(media_type), form, "{media_type}");
        }
    }
}
