//! What a schema says, in words.

use crate::ir::prose::clean;
use crate::ir::{Api, Schema, Types};
use crate::source::Node;

/// `a, b, c` of at most `cap` items, with how many more there are.
pub fn list(items: &[&str], cap: usize) -> String {
    let shown: Vec<String> =
        items.iter().take(cap).map(|i| clean(i).chars().take(64).collect()).collect();
    let mut text = shown.join(", ");
    if items.len() > cap {
        text = format!("{text} and {} more", items.len() - cap);
    }
    text
}

/// The listed values, as they are written.
pub fn values(values: &[Node], cap: usize) -> String {
    let texts: Vec<String> = values.iter().map(value_text).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    list(&texts, cap)
}

/// A value as a person writes it in running text.
pub fn value_text(node: &Node) -> String {
    match node.as_str() {
        Some("") => "\"\"".to_owned(),
        Some(text) => clean(text),
        None => clean(&node.to_json_text()),
    }
}

/// A value in a few words.
pub fn noun(api: &Api, schema: &Schema, types: Types) -> String {
    if let Some(values) = &schema.values
        && values.len() == 1
    {
        return format!("`{}`", value_text(&values[0]).chars().take(40).collect::<String>());
    }
    let types = if types == Types::default() { schema.types } else { types };
    let mut nouns: Vec<String> = Vec::new();
    if types.string {
        nouns.push(match schema.format.as_deref() {
            Some("date-time") => "a date-time".to_owned(),
            Some("date") => "a date".to_owned(),
            Some("uri" | "url") => "a URL".to_owned(),
            _ => "a string".to_owned(),
        });
    }
    if types.number {
        nouns.push("a number".to_owned());
    } else if types.integer {
        nouns.push("an integer".to_owned());
    }
    if types.boolean {
        nouns.push("true or false".to_owned());
    }
    if types.array {
        let of = schema.items.map(|id| api.schema(id).types);
        nouns.push(match of {
            Some(t) if t.string => "a list of strings".to_owned(),
            Some(t) if t.object => "a list of objects".to_owned(),
            Some(t) if t.number || t.integer => "a list of numbers".to_owned(),
            _ => "a list".to_owned(),
        });
    }
    if types.object {
        let keys: Vec<&str> = schema
            .properties
            .iter()
            .filter(|(_, id)| !api.schema(**id).read_only)
            .map(|(k, _)| k.as_str())
            .collect();
        nouns.push(if keys.is_empty() {
            "an object".to_owned()
        } else {
            format!("an object with {}", list(&keys, 5))
        });
    }
    if nouns.is_empty() { "any value".to_owned() } else { nouns.join(" or ") }
}

/// The plural of a noun made by [`noun`].
pub fn plural(noun: &str) -> String {
    let Some(rest) = noun.strip_prefix("a ").or_else(|| noun.strip_prefix("an ")) else {
        return noun.to_owned();
    };
    let (word, tail) = rest.split_once(' ').unwrap_or((rest, ""));
    format!("{word}s {tail}").trim_end().to_owned()
}

/// Whether content of this media type is bytes, not text that can stand in a string.
pub fn is_bytes(media_type: &str) -> bool {
    let kind = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    !(kind.starts_with("text/") || kind.ends_with("/json") || kind.ends_with("+json"))
}

/// What a format asks for, where that needs saying.
pub fn format(name: &str) -> Option<String> {
    let text = match name {
        "date-time" => "ISO 8601 date-time, such as 2026-01-31T12:00:00Z.",
        "date" | "full-date" => "ISO 8601 date, such as 2026-01-31.",
        "time" => "Time of day, such as 12:00:00Z.",
        "duration" => "ISO 8601 duration, such as P1D or PT30M.",
        "uuid" | "guid" => "UUID.",
        "uri" | "url" | "iri" => "URL.",
        "uri-reference" | "iri-reference" => "URL, may be relative.",
        "email" | "idn-email" => "Email address.",
        "hostname" | "idn-hostname" => "Host name.",
        "ipv4" => "IPv4 address.",
        "ipv6" => "IPv6 address.",
        "byte" | "base64" => "Base64.",
        "binary" => "File: base64, or data:TYPE;name=NAME;base64,DATA.",
        "regex" => "Regular expression.",
        "unix-time" | "unixtime" | "timestamp" => "Unix time.",
        "int64" | "uint64" | "long" => "64-bit integer.",
        "int32" | "uint32" | "int16" | "uint16" | "int8" | "uint8" | "uint" | "int" | "integer"
        | "float" | "double" | "decimal" | "number" | "string" | "password" | "boolean" | "" => {
            return None;
        }
        other => {
            let other: String = clean(other).chars().take(40).collect();
            return Some(format!("Format: {other}."));
        }
    };
    Some(text.to_owned())
}
