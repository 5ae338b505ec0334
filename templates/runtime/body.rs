//! Writes request bodies.

use super::encode;
use super::exact;
use super::file;
use super::request::{Manner, is_json};
use super::schema::{self, Schemas};
use super::style::{self, Rule};
use super::table::{Body, BodyKind, Encoding, Style};
use serde_json::{Map, Value};
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// What a body is written with.
pub struct Writer<'a> {
    /// The schemas of the server.
    pub schemas: &'a Schemas,
    /// What the operator decides.
    pub manner: Manner<'a>,
    /// The name that the caller knows a member by.
    pub argument: &'a dyn Fn(&str) -> String,
}

/// The `Content-Type` and the bytes of a body.
///
/// # Errors
/// A sentence that says which value cannot be sent.
pub fn write(
    writer: &Writer,
    operation: &str,
    body: &Body,
    value: &Value,
) -> Result<(String, Vec<u8>), String> {
    let media_type = body.media_type.to_owned();
    Ok(match body.kind {
        BodyKind::Json => {
            let value = writer.encoded(value, writer.schemas.body(operation), 0)?;
            (media_type, exact::json(&value).into_bytes())
        }
        BodyKind::Form => {
            let value = writer.encoded(value, writer.schemas.body(operation), 0)?;
            (media_type, form(writer, body, &value).into_bytes())
        }
        BodyKind::Lines => {
            let value = writer.encoded(value, writer.schemas.body(operation), 0)?;
            let bytes = lines(&media_type, &value).into_bytes();
            (media_type, bytes)
        }
        BodyKind::Text => (media_type, style::scalar(value).unwrap_or_default().into_bytes()),
        BodyKind::Binary => {
            let text = value.as_str().ok_or("the body: must be a string in base64")?;
            let sent = file::read(text, writer.manner.folder)
                .map_err(|why| format!("`{}`: {why}", (writer.argument)("")))?;
            (media_type, sent.bytes)
        }
        BodyKind::Multipart => multipart(writer, operation, body, value)?,
    })
}

impl Writer<'_> {
    /// Files inside a document are base64 there, in whatever form they were given.
    fn encoded(&self, value: &Value, schema: &Value, depth: usize) -> Result<Value, String> {
        if depth > schema::DEPTH {
            return Ok(value.clone());
        }
        let schema = self.schemas.resolve(schema);
        match value {
            Value::String(text) if schema["format"] == "binary" && file::is_named(text) => {
                let sent =
                    file::read(text, self.manner.folder).map_err(|why| format!("a file {why}"))?;
                Ok(Value::String(file::as_base64(&sent)))
            }
            Value::Array(items) => {
                let own = schema.get("items").unwrap_or(&schema::ANY);
                items.iter().map(|item| self.encoded(item, own, depth + 1)).collect()
            }
            Value::Object(members) => {
                let mut out = Map::new();
                for (key, inner) in members {
                    let own = self.schemas.property(schema, key, 0).unwrap_or(&schema::ANY);
                    out.insert(key.clone(), self.encoded(inner, own, depth + 1)?);
                }
                Ok(Value::Object(out))
            }
            other => Ok(other.clone()),
        }
    }
}

/// Each item of a list on a line; anything else is one line. Text is taken as lines that are ready.
/// Items of `json-seq` begin with a record separator (RFC 7464 section 2.2).
fn lines(media_type: &str, value: &Value) -> String {
    let begin = if media_type.to_ascii_lowercase().contains("json-seq") { "\u{1e}" } else { "" };
    let mut out = String::new();
    match value {
        // Writing to a string cannot fail.
        Value::String(text) if exact::digits(value).is_none() => {
            out.push_str(text);
            if !text.is_empty() && !text.ends_with('\n') {
                out.push('\n');
            }
        }
        Value::Array(items) => {
            for item in items {
                let _ = writeln!(out, "{begin}{}", exact::json(item));
            }
        }
        other => {
            let _ = writeln!(out, "{begin}{}", exact::json(other));
        }
    }
    out
}

fn encoding<'a>(body: &'a Body, property: &str) -> Option<&'a Encoding> {
    body.encodings.iter().find(|encoding| encoding.property == property)
}

fn form(writer: &Writer, body: &Body, value: &Value) -> String {
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
                    arrays: writer.manner.arrays,
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

/// One part of a multipart body.
struct Part {
    name: String,
    file_name: Option<String>,
    media_type: Option<String>,
    bytes: Vec<u8>,
}

fn multipart(
    writer: &Writer,
    operation: &str,
    body: &Body,
    value: &Value,
) -> Result<(String, Vec<u8>), String> {
    let schemas = writer.schemas;
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
        let required = schemas.requires(root, key);
        // Models fill what they do not mean with nothing; an empty file is `data:,`.
        let meant =
            |value: &Value| !value.is_null() && (required || value != "" || !is_file(schema));
        for (at, value) in values.iter().enumerate().filter(|(_, value)| meant(value)) {
            let place = if values.len() > 1 { format!("[{at}]") } else { String::new() };
            let part = part(writer, key, value, schema, media_type)
                .map_err(|why| format!("`{}{place}`: {why}", (writer.argument)(key)))?;
            parts.push(part);
        }
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
    Ok((format!("multipart/form-data; boundary={boundary}"), out))
}

/// Whether a part is a file: bytes, not text that stands as it is.
fn is_file(schema: &Value) -> bool {
    let text = |kind: &str| kind.starts_with("text/") || is_json(kind);
    matches!(schema["format"].as_str(), Some("binary" | "byte"))
        || schema.get("contentEncoding").is_some()
        || schema["contentMediaType"].as_str().is_some_and(|kind| !text(kind))
}

fn part(
    writer: &Writer,
    key: &str,
    value: &Value,
    schema: &Value,
    media_type: Option<&str>,
) -> Result<Part, String> {
    let content_type = schema["contentMediaType"].as_str().filter(|kind| file::is_media_type(kind));
    // A list of media types, or a range, is no media type to send.
    let media_type = media_type
        .filter(|text| !text.contains([',', '*', '\r', '\n']))
        .or(content_type)
        .map(str::to_owned);
    let name = safe(key);
    Ok(match value {
        Value::String(text) if is_file(schema) && text.is_empty() => {
            return Err("must not be empty; `data:,` is a file without content".to_owned());
        }
        Value::String(text) if is_file(schema) => {
            let sent = file::read(text, writer.manner.folder)?;
            let kind = sent.media_type.or(media_type);
            let file_name = sent.name.unwrap_or_else(|| file::named(key, kind.as_deref()));
            Part {
                file_name: Some(safe(&file_name)),
                name,
                media_type: Some(kind.unwrap_or_else(|| "application/octet-stream".to_owned())),
                bytes: sent.bytes,
            }
        }
        Value::Object(_) | Value::Array(_) => Part {
            name,
            file_name: None,
            media_type: Some(media_type.unwrap_or_else(|| "application/json".to_owned())),
            bytes: exact::json(value).into_bytes(),
        },
        Value::String(_) if media_type.as_deref().is_some_and(is_json) => {
            Part { name, file_name: None, media_type, bytes: exact::json(value).into_bytes() }
        }
        other => Part {
            name,
            file_name: None,
            media_type: Some(media_type.unwrap_or_else(|| "text/plain; charset=utf-8".to_owned())),
            bytes: style::scalar(other).unwrap_or_default().into_bytes(),
        },
    })
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
