//! Writes a request from checked values.

use super::arguments::Values;
use super::body;
use super::encode;
use super::exact;
use super::hooks::Request;
use super::schema::Schemas;
use super::style::{self, Arrays, Rule};
use super::table::{Action, Location, Operation, Parameter, Style, Target};
use super::url::{self, Base};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;

/// Headers that come from elsewhere, or that would break the framing of a request.
pub const RESERVED: [&str; 20] = [
    "accept",
    "accept-encoding",
    "authorization",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
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

/// What the operator decides about how requests are written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner<'a> {
    /// The folder whose files may be sent.
    pub folder: Option<&'a Path>,
    /// How lists inside `deepObject` are written.
    pub arrays: Arrays,
}

/// Writes the request of an action.
///
/// # Errors
/// A sentence that names the argument which cannot be sent.
pub fn build(
    schemas: &Schemas,
    action: &'static Action,
    operation: &'static Operation,
    base: &Base,
    values: &Values,
    manner: Manner,
) -> Result<Request, String> {
    let argument = |index: usize| argument_of(action, operation, index);
    let mut url = url::build(base, operation, &values.parameters, argument)?;
    let mut query = Vec::new();
    let mut headers =
        vec![("accept".to_owned(), "application/json, text/*;q=0.8, */*;q=0.5".to_owned())];
    let mut cookies = Vec::new();
    for (index, parameter) in operation.parameters.iter().enumerate() {
        let Some(value) = values.parameters.get(index).and_then(Option::as_ref) else { continue };
        match parameter.location {
            Location::Path => {}
            Location::Query => query.extend(in_query(manner, parameter, value)),
            Location::QueryString => query.push(whole_query(parameter, value)),
            Location::Header => {
                let name = parameter.name.to_ascii_lowercase();
                if RESERVED.contains(&name.as_str()) {
                    continue;
                }
                if let Some(text) = in_header(parameter, value) {
                    headers.push((
                        name,
                        header_text(&text).map_err(|e| format!("`{}`: {e}", argument(index)))?,
                    ));
                }
            }
            Location::Cookie => {
                cookies.extend(
                    in_cookie(parameter, value)
                        .map_err(|e| format!("`{}`: {e}", argument(index)))?,
                );
            }
        }
    }
    query.retain(|part| !part.is_empty());
    if !query.is_empty() {
        url.set_query(Some(&query.join("&")));
    }
    let member = |key: &str| member_of(action, key);
    let writer = body::Writer { schemas, manner, argument: &member };
    let written = match (&operation.body, &values.body) {
        (Some(body), Some(value)) => Some(body::write(&writer, operation.key, body, value)?),
        _ => None,
    };
    let body = written.map(|(media_type, bytes)| {
        headers.push(("content-type".to_owned(), media_type));
        bytes
    });
    Ok(Request { operation: operation.key, method: operation.method, url, headers, cookies, body })
}

/// Whether a header holds a key by which the API knows a repetition.
pub fn is_idempotency_key(name: &str) -> bool {
    matches!(
        name.to_ascii_lowercase().as_str(),
        "idempotency-key" | "x-idempotency-key" | "idempotent-key"
    )
}

/// Adds a key of this call's own where the operation takes one or the operator wants one; the
/// retries of a call carry the same.
pub fn with_idempotency_key(operation: &Operation, wanted: Option<&str>, request: &mut Request) {
    let declared = operation
        .parameters
        .iter()
        .filter(|parameter| parameter.location == Location::Header)
        .find(|parameter| is_idempotency_key(parameter.name))
        .map(|parameter| parameter.name.to_ascii_lowercase());
    let wanted = wanted
        .filter(|_| matches!(operation.method, "POST" | "PATCH"))
        .map(str::to_ascii_lowercase);
    let Some(name) = declared.or(wanted) else { return };
    if !request.headers.iter().any(|(known, _)| *known == name)
        && let Some(key) = uuid()
    {
        request.headers.push((name, key));
    }
}

/// A random UUID (version 4).
pub fn uuid() -> Option<String> {
    let mut bytes = [0_u8; 16];
    rustls::crypto::ring::default_provider().secure_random.fill(&mut bytes).ok()?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let mut out = String::new();
    for (at, byte) in bytes.iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            out.push('-');
        }
        // Writing to a string cannot fail.
        let _ = write!(out, "{byte:02x}");
    }
    Some(out)
}

/// The name that the caller knows a parameter by.
pub fn argument_of(action: &Action, operation: &Operation, index: usize) -> String {
    let input = action.inputs.iter().find(|input| input.target == Target::Parameter(index));
    let wire = || operation.parameters.get(index).map_or("parameter", |parameter| parameter.name);
    input.map_or_else(wire, |input| input.argument).to_owned()
}

/// The name that the caller knows a member of the body by; no key is the whole body.
fn member_of(action: &Action, key: &str) -> String {
    let fits = |steps: &[&str]| steps.first().map_or(key.is_empty(), |first| *first == key);
    let input = action
        .inputs
        .iter()
        .find(|input| matches!(input.target, Target::Body(steps) if fits(steps)));
    let known = if key.is_empty() { "body" } else { key };
    input.map_or(known, |input| input.argument).to_owned()
}

fn rule(parameter: &Parameter) -> Rule<'_> {
    let encode = if parameter.allow_reserved { encode::reserved } else { encode::strict };
    Rule {
        name: parameter.name,
        style: parameter.style,
        explode: parameter.explode,
        encode,
        arrays: Arrays::default(),
    }
}

/// A value that is sent as a document (`content`): JSON, or text as it stands.
fn document(media_type: &str, value: &Value) -> String {
    match value {
        Value::String(_) if !is_json(media_type) => style::scalar(value).unwrap_or_default(),
        other => exact::json(other),
    }
}

/// Whether a media type is JSON.
pub fn is_json(media_type: &str) -> bool {
    let plain = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    plain == "text/json" || plain.ends_with("/json") || plain.ends_with("+json")
}

fn in_query(manner: Manner, parameter: &Parameter, value: &Value) -> Vec<String> {
    match parameter.media_type {
        Some(media_type) => {
            vec![format!(
                "{}={}",
                encode::strict(parameter.name),
                encode::strict(&document(media_type, value))
            )]
        }
        None => style::pairs(Rule { arrays: manner.arrays, ..rule(parameter) }, value),
    }
}

fn whole_query(parameter: &Parameter, value: &Value) -> String {
    match (parameter.media_type, value) {
        (Some("application/x-www-form-urlencoded") | None, Value::Object(_)) => {
            let spread = Rule { style: Style::Form, explode: true, ..rule(parameter) };
            style::pairs(spread, value).join("&")
        }
        (media_type, _) => encode::strict(&document(media_type.unwrap_or("text/plain"), value)),
    }
}

fn in_header(parameter: &Parameter, value: &Value) -> Option<String> {
    match parameter.media_type {
        Some(media_type) => Some(ascii(&document(media_type, value))),
        None => style::header(parameter.explode, value),
    }
}

/// JSON keeps its meaning when characters outside ASCII are written as `\\uXXXX`.
fn ascii(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_ascii() {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    out
}

/// Text as it may stand in a header: visible ASCII, nothing encoded.
fn header_text(text: &str) -> Result<String, String> {
    let text = text.trim_matches([' ', '\t']);
    if text.chars().all(|c| c == ' ' || c.is_ascii_graphic()) {
        return Ok(text.to_owned());
    }
    Err("must be plain ASCII on one line; it is sent as a header".to_owned())
}

fn in_cookie(parameter: &Parameter, value: &Value) -> Result<Vec<String>, String> {
    if let Some(media_type) = parameter.media_type {
        return Ok(vec![format!(
            "{}={}",
            encode::strict(parameter.name),
            encode::strict(&document(media_type, value))
        )]);
    }
    if parameter.style != Style::Cookie {
        return Ok(style::pairs(Rule { encode: encode::strict, ..rule(parameter) }, value));
    }
    let plain = Rule { style: Style::Form, encode: str::to_owned, ..rule(parameter) };
    let pairs = style::pairs(plain, value);
    let legal = |c: char| c.is_ascii_graphic() && !matches!(c, ';' | '"' | '\\');
    if pairs.iter().all(|pair| pair.chars().all(legal)) {
        Ok(pairs)
    } else {
        Err("must not hold spaces, quotes, `;`, `\\` or characters outside ASCII; it is sent as a cookie".to_owned())
    }
}
