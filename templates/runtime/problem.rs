//! What an API says about its own errors, and what to do about them.

use super::hooks::Reply;
use super::secret::Redactor;
use super::text;
use serde_json::Value;
use std::fmt::Write as _;

/// The longest text of an error.
pub const LONGEST: usize = 2_000;

/// The API's own words, one fact a line.
pub fn words(reply: &Reply, redactor: &Redactor) -> String {
    let body = String::from_utf8_lossy(&reply.body);
    if let Ok(value) = serde_json::from_str::<Value>(&body) {
        let value = redactor.value(value);
        let mut lines = Vec::new();
        known(&mut lines, &value, 0);
        if lines.is_empty() { text::clean(&value.to_string()) } else { lines.join("\n") }
    } else {
        let kind = reply.header("content-type").unwrap_or_default();
        let plain = if kind.contains("html") || body.trim_start().starts_with('<') {
            without_tags(&body)
        } else {
            body.into_owned()
        };
        one_line(&plain)
    }
}

/// Members that hold words: RFC 9457 and what is common besides.
const WORDS: [&str; 14] = [
    "title",
    "detail",
    "message",
    "msg",
    "error_description",
    "description",
    "reason",
    "code",
    "type",
    "instance",
    "param",
    "field",
    "hint",
    "error_code",
];

fn one_line(text: &str) -> String {
    text::clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn known(lines: &mut Vec<String>, value: &Value, depth: usize) {
    if depth > 4 || lines.len() > 30 {
        return;
    }
    let mut add = |line: String| {
        // What an API says must not look like a line of the server's own.
        let line = text::cut(&one_line(&line), 500);
        if !line.trim().is_empty() && !lines.contains(&line) {
            lines.push(line);
        }
    };
    match value {
        Value::String(words) => add(words.clone()),
        Value::Object(members) => {
            for name in WORDS {
                match members.get(name) {
                    Some(Value::String(words)) if name == "type" && words == "about:blank" => {}
                    Some(Value::String(words)) => add(format!("{name}: {words}")),
                    Some(value @ (Value::Number(_) | Value::Bool(_))) => {
                        add(format!("{name}: {value}"));
                    }
                    _ => {}
                }
            }
            for name in [
                "error",
                "errors",
                "fault",
                "detail",
                "details",
                "violations",
                "issues",
                "invalid-params",
                "messages",
            ] {
                match members.get(name) {
                    Some(Value::String(words)) if name != "detail" => {
                        lines.push(text::cut(&text::clean(&format!("{name}: {words}")), 500));
                    }
                    Some(Value::Array(items)) => {
                        items.iter().take(20).for_each(|item| entry(lines, item, depth + 1));
                    }
                    Some(inner @ Value::Object(fields)) => {
                        let before = lines.len();
                        known(lines, inner, depth + 1);
                        // {"errors": {"name": ["is too short"]}}
                        if lines.len() == before {
                            for (field, inner) in fields.iter().take(20) {
                                lines.push(text::cut(
                                    &text::clean(&format!("- {field}: {}", short(inner))),
                                    300,
                                ));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        Value::Array(items) => items.iter().take(20).for_each(|item| entry(lines, item, depth + 1)),
        _ => {}
    }
}

fn entry(lines: &mut Vec<String>, item: &Value, depth: usize) {
    if depth > 4 {
        return;
    }
    let line = match item {
        Value::Object(members) => {
            let parts: Vec<String> = members
                .iter()
                .filter(|(_, value)| !value.is_null())
                .take(6)
                .map(|(name, value)| format!("{name}: {}", short(value)))
                .collect();
            parts.join(", ")
        }
        other => short(other),
    };
    lines.push(text::cut(&text::clean(&format!("- {line}")), 300));
}

fn short(value: &Value) -> String {
    match value {
        Value::String(words) => words.clone(),
        Value::Array(items) if items.iter().all(|item| !item.is_object() && !item.is_array()) => {
            items.iter().map(short).collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    }
}

fn without_tags(html: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => inside = true,
            '>' if inside => {
                inside = false;
                out.push(' ');
            }
            c if !inside => out.push(c),
            _ => {}
        }
    }
    out
}

/// What the model can do about a status.
#[derive(Clone, Copy, Debug)]
pub struct Hint<'a> {
    /// Whether the request only read.
    pub reads: bool,
    /// The tool that reads or lists the same resource.
    pub sibling: Option<&'a str>,
    /// The variables of the credentials in use.
    pub variables: &'a str,
    /// Seconds of `Retry-After`.
    pub wait: Option<u64>,
}

/// The `Action:` line of a status.
pub fn action(status: u16, hint: Hint) -> String {
    let look = hint
        .sibling
        .map_or_else(|| "the tool that reads it".to_owned(), |name| format!("`{name}`"));
    let unknown =
        format!("the outcome is unknown; check the state with {look} before trying again");
    let after = hint
        .wait
        .map_or_else(|| "in a moment".to_owned(), |seconds| format!("after {seconds} seconds"));
    let text = match status {
        400 | 422 => "correct the arguments that the message names and call again.".to_owned(),
        401 if hint.variables.is_empty() => {
            "the API wants a credential that this server does not send; ask the user. Do not retry.".to_owned()
        }
        401 => format!("the server's credential ({}) is wrong or expired; ask the user. Do not retry.", hint.variables),
        402 => "the account has no credit for this; ask the user. Do not retry.".to_owned(),
        403 => "the server's credential lacks the permission for this; ask the user. Do not retry.".to_owned(),
        404 => format!("check the id; {}.", hint.sibling.map_or_else(|| "nothing is at this address".to_owned(), |name| format!("find valid ones with `{name}`"))),
        405 | 501 => "the API does not support this; choose another tool.".to_owned(),
        406 | 415 => "the API does not take this content type; tell the user that the server does not fit the API.".to_owned(),
        408 | 504 if hint.reads => "try once more, or narrow the call.".to_owned(),
        408 | 504 => format!("{unknown}."),
        409 | 412 | 428 => format!("the resource changed or exists already; read it again with {look} and retry with what you find."),
        410 => "it is gone; do not retry.".to_owned(),
        413 | 414 | 431 => "send less.".to_owned(),
        429 => format!("wait and call again {after}."),
        502 | 503 => format!("the API is not available; call again {after}."),
        500..=599 if hint.reads => "the API failed; try once more.".to_owned(),
        500..=599 => format!("the API failed; {unknown}."),
        300..=399 => "the API points elsewhere, which this server does not follow; tell the user.".to_owned(),
        _ => "read the message and change the call, or ask the user.".to_owned(),
    };
    format!("Action: {text}")
}

/// Puts an error text together; the `Action:` line survives every cut.
pub fn compose(first: &str, words: &str, action: &str) -> String {
    let mut out = text::cut(first, 300);
    let room = LONGEST.saturating_sub(out.chars().count() + action.chars().count() + 30);
    let words = words.trim();
    if !words.is_empty() {
        let _ = write!(out, "\nAPI response: {}", text::cut(words, room));
    }
    let _ = write!(out, "\n{action}");
    out
}
