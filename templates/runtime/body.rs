//! Writes request bodies.

use super::encode;
use super::request::is_json;
use super::schema::{self, Schemas};
use super::style::{self, Rule};
use super::table::{Body, BodyKind, Encoding, Style};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// The `Content-Type` and the bytes of a body.
///
/// # Errors
/// A sentence that says which value cannot be sent.
pub fn write(
    schemas: &Schemas,
    operation: &str,
    body: &Body,
    value: &Value,
) -> Result<(String, Vec<u8>), String> {
    let media_type = body.media_type.to_owned();
    Ok(match body.kind {
        BodyKind::Json => (media_type, value.to_string().into_bytes()),
        BodyKind::Lines => {
            let bytes = lines(&media_type, value).into_bytes();
            (media_type, bytes)
        }
        BodyKind::Form => (media_type, form(body, value).into_bytes()),
        BodyKind::Text => (media_type, style::scalar(value).unwrap_or_default().into_bytes()),
        BodyKind::Binary => {
            let text = value.as_str().ok_or("the body: must be a string in base64")?;
            let bytes =
                bytes(text).ok_or("the body: must be base64 (standard alphabet, padded)")?;
            (media_type, bytes)
        }
        BodyKind::Multipart => multipart(schemas, operation, body, value),
    })
}

/// Each item of a list on a line; anything else is one line. Text is taken as lines that are ready.
/// Items of `json-seq` begin with a record separator (RFC 7464 section 2.2).
fn lines(media_type: &str, value: &Value) -> String {
    let begin = if media_type.to_ascii_lowercase().contains("json-seq") { "\u{1e}" } else { "" };
    let mut out = String::new();
    match value {
        Value::String(text) => {
            out.push_str(text);
            if !text.is_empty() && !text.ends_with('\n') {
                out.push('\n');
            }
        }
        Value::Array(items) => {
            for item in items {
                out.push_str(&format!("{begin}{item}\n"));
            }
        }
        other => out.push_str(&format!("{begin}{other}\n")),
    }
    out
}

fn encoding<'a>(body: &'a Body, property: &str) -> Option<&'a Encoding> {
    body.encodings.iter().find(|encoding| encoding.property == property)
}

fn form(body: &Body, value: &Value) -> String {
    let mut out = Vec::new();
    for (key, value) in value.as_object().into_iter().flatten() {
        let encoding = encoding(body, key);
        let spread =
            encoding.filter(|e| e.style.is_some() || e.explode.is_some() || e.allow_reserved);
        if let Some(encoding) = spread {
            let style = encoding.style.unwrap_or(Style::Form);
            out.extend(style::pairs(
                Rule {
                    name: key,
                    style,
                    explode: encoding.explode.unwrap_or(style == Style::Form),
                    encode: if encoding.allow_reserved { encode::reserved } else { encode::strict },
                },
                value,
            ));
            continue;
        }
        // Without a style, nested objects are sent as JSON text and lists are spread.
        let values = match value {
            Value::Array(items) => items.as_slice(),
            single => std::slice::from_ref(single),
        };
        for text in values.iter().filter_map(style::scalar) {
            out.push(format!("{}={}", encode::strict(key), encode::strict(&text)));
        }
    }
    out.join("&")
}

/// Base64, also as a `data:` URI.
pub fn bytes(text: &str) -> Option<Vec<u8>> {
    let text = match text.strip_prefix("data:") {
        Some(rest) => rest.split_once(";base64,")?.1,
        None => text,
    };
    let text: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    STANDARD.decode(text).ok()
}

/// One part of a multipart body.
struct Part {
    name: String,
    file_name: Option<String>,
    media_type: Option<String>,
    bytes: Vec<u8>,
}

fn multipart(schemas: &Schemas, operation: &str, body: &Body, value: &Value) -> (String, Vec<u8>) {
    let root = schemas.body(operation);
    let mut parts = Vec::new();
    for (key, value) in value.as_object().into_iter().flatten() {
        let schema = schemas.resolve(schemas.property(root, key, 0).unwrap_or(&schema::ANY));
        let media_type = encoding(body, key).and_then(|encoding| encoding.content_type);
        let (values, schema) = match value {
            Value::Array(items) => {
                (items.as_slice(), schemas.resolve(schema.get("items").unwrap_or(&schema::ANY)))
            }
            single => (std::slice::from_ref(single), schema),
        };
        parts.extend(
            values
                .iter()
                .filter(|value| !value.is_null())
                .map(|value| part(key, value, schema, media_type)),
        );
    }
    let boundary = boundary(&parts);
    let mut out = Vec::new();
    for part in &parts {
        out.extend_from_slice(
            format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{}\"", part.name)
                .as_bytes(),
        );
        if let Some(name) = &part.file_name {
            out.extend_from_slice(format!("; filename=\"{name}\"").as_bytes());
        }
        out.extend_from_slice(b"\r\n");
        if let Some(media_type) = &part.media_type {
            out.extend_from_slice(format!("Content-Type: {media_type}\r\n").as_bytes());
        }
        out.extend_from_slice(b"\r\n");
        out.extend_from_slice(&part.bytes);
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    (format!("multipart/form-data; boundary={boundary}"), out)
}

fn part(key: &str, value: &Value, schema: &Value, media_type: Option<&str>) -> Part {
    let format = schema["format"].as_str();
    let is_file = matches!(format, Some("binary" | "byte"))
        || schema.get("contentEncoding").is_some()
        || schema.get("contentMediaType").is_some();
    // A list of media types, or a range, is no media type to send.
    let media_type =
        media_type.filter(|text| !text.contains([',', '*', '\r', '\n'])).map(str::to_owned);
    let name = safe(key);
    match value {
        Value::String(text) if is_file => {
            let declared = text
                .strip_prefix("data:")
                .and_then(|rest| rest.split_once(";base64,"))
                .map(|(kind, _)| kind);
            let kind =
                declared.filter(|kind| is_media_type(kind)).map(str::to_owned).or(media_type);
            let kind = kind.or_else(|| {
                schema["contentMediaType"]
                    .as_str()
                    .filter(|kind| is_media_type(kind))
                    .map(str::to_owned)
            });
            Part {
                file_name: Some(name.clone()),
                name,
                media_type: Some(kind.unwrap_or_else(|| "application/octet-stream".to_owned())),
                bytes: bytes(text).unwrap_or_else(|| text.clone().into_bytes()),
            }
        }
        Value::Object(_) | Value::Array(_) => Part {
            name,
            file_name: None,
            media_type: Some(media_type.unwrap_or_else(|| "application/json".to_owned())),
            bytes: value.to_string().into_bytes(),
        },
        Value::String(text) if media_type.as_deref().is_some_and(is_json) => Part {
            name,
            file_name: None,
            media_type,
            bytes: Value::from(text.as_str()).to_string().into_bytes(),
        },
        other => Part {
            name,
            file_name: None,
            media_type: Some(media_type.unwrap_or_else(|| "text/plain; charset=utf-8".to_owned())),
            bytes: style::scalar(other).unwrap_or_default().into_bytes(),
        },
    }
}

fn is_media_type(text: &str) -> bool {
    let token = |part: &str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "!#$&-^_.+".contains(c))
    };
    text.split_once('/').is_some_and(|(kind, rest)| token(kind) && token(rest))
}

/// A name as it may stand between quotes in a header of a part.
fn safe(name: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| if c.is_control() || matches!(c, '"' | '\\' | '/') { '_' } else { c })
        .collect();
    if name.is_empty() { "file".to_owned() } else { name }
}

/// A boundary that is in no part; the same parts give the same one.
fn boundary(parts: &[Part]) -> String {
    let mut hasher = DefaultHasher::new();
    for part in parts {
        part.bytes.hash(&mut hasher);
    }
    loop {
        let boundary = format!("part-{:016x}", hasher.finish());
        let needle = boundary.as_bytes();
        if !parts.iter().any(|part| part.bytes.windows(needle.len()).any(|window| window == needle))
        {
            return boundary;
        }
        1_u8.hash(&mut hasher);
    }
}
