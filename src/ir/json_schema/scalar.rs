//! Strings, numbers and truth values.

use serde_json::{Map, Value as Json, json};

use super::super::prose::{clean, is_invisible};
use super::typed;
use super::union::Union;
use super::words;
use crate::ir::Schema;
use crate::source::{Node, Number, Value};

/// How many values, and characters of them, an `enum` may have.
const VALUES: usize = 250;
const CHARACTERS: usize = 15_000;
/// How many values are named where `enum` cannot be used.
const NAMED: usize = 12;
/// The largest integer that every client keeps exact.
const EXACT: f64 = 9_007_199_254_740_991.0;

/// The schema of a scalar of JSON type `kind`.
pub fn scalar(union: &Union<'_>, kind: &'static str, say: &mut Vec<String>) -> Map<String, Json> {
    let parts: Vec<&Schema> = union.parts.iter().map(|(s, _)| *s).collect();
    if parts.is_empty() {
        say.push("No value is allowed.".to_owned());
        return typed(kind);
    }
    let listed: Vec<&Node> = parts.iter().flat_map(|s| s.values.iter().flatten()).collect();
    let closed = parts.iter().all(|s| s.values.is_some());
    let mut schema = if closed && !listed.is_empty() {
        enumeration(&listed, kind, say)
    } else {
        if !listed.is_empty() {
            let texts = distinct(&listed);
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            say.push(format!("Known values: {}.", words::list(&texts, NAMED)));
        }
        typed(kind)
    };
    if !schema.contains_key("enum") {
        if let [only] = parts.as_slice() {
            bounds(&mut schema, only, say);
            text_rules(&mut schema, only, say);
        } else if parts.len() > 1 && listed.is_empty() {
            let nouns = union.nouns();
            if nouns.len() > 1 {
                say.push(format!("Takes {}.", nouns.join(" or ")));
            }
        }
        if kind == "string"
            && parts.iter().all(|s| s.types.integer && !s.types.string)
            && listed.is_empty()
        {
            let long = |s: &&Schema| s.minimum.iter().chain(&s.maximum).any(|b| is_long(&b.value));
            let width = if parts.iter().any(long) { "Integer" } else { "64-bit integer" };
            say.push(format!("{width} as decimal string."));
        } else if kind == "string" && parts.iter().all(|s| !s.types.string && s.types.boolean) {
            say.push("A number, true or false.".to_owned());
        }
    }
    shown(&mut schema, &parts, say);
    schema
}

/// The texts of values, each once.
fn distinct(values: &[&Node]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for value in values {
        let text = words::value_text(value);
        if value.value != Value::Null && seen.insert(text.clone()) {
            texts.push(text);
        }
    }
    texts
}

/// Listed values: a string `enum` where that can be, words where not.
fn enumeration(values: &[&Node], kind: &'static str, say: &mut Vec<String>) -> Map<String, Json> {
    if values.iter().all(|v| v.value == Value::Null) {
        say.push("Always null.".to_owned());
        return typed(kind);
    }
    let boolean = values.iter().all(|v| matches!(v.value, Value::Bool(_) | Value::Null));
    if boolean {
        let texts = distinct(values);
        if let [only] = texts.as_slice() {
            say.push(format!("Always {only}."));
        }
        return typed("boolean");
    }
    let mut members: Vec<String> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    let mut empty = false;
    let mut odd = false;
    for value in values {
        let text = match &value.value {
            Value::Null => continue,
            Value::String(text) => text.clone(),
            _ => value.to_json_text(),
        };
        if text.is_empty() {
            empty = true;
        } else if text.chars().any(|c| c.is_control() || is_invisible(c)) {
            odd = true;
        } else if seen.insert(text.clone()) {
            members.push(text);
        }
    }
    if empty && !members.is_empty() {
        say.push("May also be an empty string.".to_owned());
    }
    let length: usize = members.iter().map(|m| m.chars().count()).sum();
    if odd || members.is_empty() || members.len() > VALUES || length > CHARACTERS {
        let texts = distinct(values);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        say.push(format!("One of: {}.", words::list(&texts, NAMED)));
        return typed(kind);
    }
    let mut schema = typed("string");
    schema.insert("enum".to_owned(), json!(members));
    schema
}

/// Bounds of numbers.
fn bounds(schema: &mut Map<String, Json>, from: &Schema, say: &mut Vec<String>) {
    let numeric = schema["type"] == "integer" || schema["type"] == "number";
    let exact = |n: &Number| n.as_f64().is_finite() && n.as_f64().abs() <= EXACT;
    let least = from.minimum.as_ref();
    let most = from.maximum.as_ref();
    let ordered = match (least, most) {
        (Some(a), Some(b)) => a.value.as_f64() <= b.value.as_f64(),
        _ => true,
    };
    for (bound, keyword, over, of) in
        [(least, "minimum", "Greater than", "At least"), (most, "maximum", "Less than", "At most")]
    {
        let Some(bound) = bound else { continue };
        // The width of the type is no bound that a person would name.
        if !(exact(&bound.value) || from.types.integer && is_long(&bound.value)) {
            continue;
        }
        let number = number(&bound.value);
        match number {
            Some(number) if numeric && ordered && !bound.exclusive && exact(&bound.value) => {
                schema.insert(keyword.to_owned(), number);
            }
            _ => {
                let word = if bound.exclusive { over } else { of };
                say.push(format!("{word} {}.", bound.value));
            }
        }
    }
    if let Some(step) = &from.multiple_of
        && step.as_f64().is_finite()
        && step.canonical() != "1e0"
    {
        say.push(format!("A multiple of {step}."));
    }
}

/// Whether a number is beyond every width that integers have, and short enough to be read.
fn is_long(number: &Number) -> bool {
    number.as_f64().abs() > 18_446_744_073_709_551_616.0 && number.0.len() <= 60
}

/// A number as JSON holds it, where it can.
fn number(number: &Number) -> Option<Json> {
    if let Some(whole) = number.as_i64() {
        return Some(Json::from(whole));
    }
    serde_json::Number::from_f64(number.as_f64()).map(Json::Number)
}

/// Two bounds that count something; those that contradict each other are said in words.
pub fn counts(
    schema: &mut Map<String, Json>,
    (low, least): (&str, u64),
    (high, most): (&str, u64),
    say: &mut Vec<String>,
) {
    let limit = u64::from(u32::MAX >> 1);
    if least > most {
        say.push(format!("At least {least}, at most {most} long."));
        return;
    }
    if least > 0 && least <= limit {
        schema.insert(low.to_owned(), Json::from(least));
    }
    if most <= limit {
        schema.insert(high.to_owned(), Json::from(most));
    }
}

fn text_rules(schema: &mut Map<String, Json>, from: &Schema, say: &mut Vec<String>) {
    if schema["type"] == "string" && from.types.string {
        let most = from.max_length.unwrap_or(u64::MAX);
        counts(schema, ("minLength", from.min_length.unwrap_or(0)), ("maxLength", most), say);
    }
    let encoded =
        from.content_encoding.as_deref().is_some_and(|e| e.eq_ignore_ascii_case("base64"));
    let wide = schema["type"] == "string" && from.types.integer && !from.types.string;
    if let Some(words) = from.format.as_deref().filter(|_| !wide).and_then(words::format) {
        say.push(words);
    } else if encoded {
        say.push("Base64.".to_owned());
    } else if from.content_media_type.as_deref().is_some_and(words::is_bytes) {
        say.extend(words::format("binary"));
    }
    if let Some(pattern) = &from.pattern {
        let shown = clean(pattern);
        if shown.chars().count() <= 100 && shown == *pattern {
            say.push(format!("Pattern: {shown}"));
        } else {
            say.push("Must have a certain form, which the server checks.".to_owned());
        }
    }
}

/// Default and example.
fn shown(schema: &mut Map<String, Json>, parts: &[&Schema], say: &mut Vec<String>) {
    let mut defaults: Vec<&Node> = parts.iter().filter_map(|s| s.default.as_ref()).collect();
    defaults.dedup();
    if let [default] = defaults.as_slice()
        && default.value != Value::Null
    {
        match valid(schema, default) {
            Some(value) => {
                schema.insert("default".to_owned(), value);
            }
            None if default.as_str() != Some("") => {
                let text: String = words::value_text(default).chars().take(60).collect();
                say.push(format!("Default: {text}."));
            }
            None => {}
        }
    }
    let example = parts.iter().find_map(|s| s.examples.first());
    if let Some(example) = example
        && !schema.contains_key("enum")
        && schema["type"] != "boolean"
        && !defaults.contains(&example)
    {
        let text = words::value_text(example);
        let scalar = example.as_array().is_none() && example.as_object().is_none();
        if scalar && !text.is_empty() && example.value != Value::Null && text.chars().count() <= 60
        {
            say.push(format!("Example: {text}"));
        }
    }
}

/// The default as a value of `schema`, when it is one.
fn valid(schema: &Map<String, Json>, default: &Node) -> Option<Json> {
    let text = |t: &str| !t.chars().any(|c| is_invisible(c) || c.is_control());
    let value = match (schema["type"].as_str()?, &default.value) {
        ("string", Value::String(t)) if text(t) => Json::from(t.as_str()),
        ("string", Value::Number(_) | Value::Bool(_)) if schema.contains_key("enum") => {
            Json::from(default.to_json_text())
        }
        ("boolean", Value::Bool(b)) => Json::from(*b),
        ("integer", Value::Number(n)) => {
            let whole = n.as_i64()?;
            (whole.unsigned_abs() <= 9_007_199_254_740_991).then_some(Json::from(whole))?
        }
        ("number", Value::Number(n)) => number(n)?,
        _ => return None,
    };
    is_valid_default(schema, &value).then_some(value)
}

/// Whether `value` is what `schema`, which is one of ours, allows.
pub fn is_valid_default(schema: &Map<String, Json>, value: &Json) -> bool {
    if let Some(values) = schema.get("enum").and_then(Json::as_array) {
        return values.contains(value);
    }
    let limit = |key: &str| schema.get(key).and_then(Json::as_f64);
    let kind = schema.get("type").and_then(Json::as_str).unwrap_or_default();
    match value {
        Json::String(text) => {
            #[expect(clippy::cast_precision_loss, reason = "lengths are small")]
            let length = text.chars().count() as f64;
            kind == "string"
                && limit("minLength").is_none_or(|l| length >= l)
                && limit("maxLength").is_none_or(|l| length <= l)
        }
        Json::Number(n) => {
            let number = n.as_f64().unwrap_or(f64::NAN);
            (kind == "number" || (kind == "integer" && !n.is_f64()))
                && limit("minimum").is_none_or(|l| number >= l)
                && limit("maximum").is_none_or(|l| number <= l)
        }
        Json::Bool(_) => kind == "boolean",
        Json::Array(items) => {
            kind == "array" && items.is_empty() && !schema.contains_key("minItems")
        }
        Json::Object(map) => kind == "object" && map.is_empty() && !schema.contains_key("required"),
        Json::Null => false,
    }
}
