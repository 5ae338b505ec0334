//! Whether a value has the shape that a JSON Schema of ours describes, and where it has not.
//!
//! The schema is the one made of the types that the value becomes, so each key is declared once.

use serde_json::Value as Json;

use crate::diagnostic::nearest;
use crate::source::{At, Node, Number, Value};

/// What does not fit, and where.
pub(super) struct Misfit {
    pub at: At,
    pub message: String,
}

/// Checks `root` against `schema`; the first misfit in the order of the text.
pub(super) fn check(schema: &Json, root: &Node) -> Result<(), Misfit> {
    let mut misfits = Vec::new();
    Checker { whole: schema, misfits: &mut misfits }.value(schema, root, &[]);
    misfits.sort_by_key(|m| m.at);
    misfits.into_iter().next().map_or(Ok(()), Err)
}

/// As JSON without the members that are left empty.
pub(super) fn without_nulls(node: &Node) -> Json {
    match &node.value {
        Value::Object(map) => Json::Object(
            map.iter()
                .filter(|(_, child)| child.value != Value::Null)
                .map(|(key, child)| (key.clone(), without_nulls(child)))
                .collect(),
        ),
        Value::Array(items) => Json::Array(items.iter().map(without_nulls).collect()),
        // An empty file is an empty mapping.
        Value::Null => Json::Object(serde_json::Map::new()),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => node.to_json(),
    }
}

struct Checker<'s, 'm> {
    whole: &'s Json,
    misfits: &'m mut Vec<Misfit>,
}

impl<'s> Checker<'s, '_> {
    fn value(&mut self, schema: &'s Json, node: &Node, path: &[&str]) {
        let in_list = path.last() == Some(&"");
        if node.value == Value::Null && !in_list {
            return;
        }
        let schema = self.settled(schema);
        let allowed = constants(schema);
        if !allowed.is_empty() {
            self.one_of(&allowed, node, path);
            return;
        }
        let (word, fits) = match kind(schema) {
            "string" => ("text", node.as_str().is_some()),
            "integer" => ("a whole number", node.as_number().is_some_and(|n| n.as_i64().is_some())),
            "boolean" => ("`true` or `false`", node.as_bool().is_some()),
            "array" => ("a list", node.as_array().is_some()),
            "object" => ("a mapping", node.as_object().is_some()),
            _ => return,
        };
        if !fits {
            let quotes = word == "text" && matches!(node.value, Value::Number(_) | Value::Bool(_));
            let found = node.as_str().filter(|t| t.len() <= 40 && !t.contains('\n'));
            let found = found.map_or_else(|| node.kind().to_owned(), |t| format!("`{t}`"));
            let help = if quotes { "; put it in quotes" } else { "" };
            self.report(node.at, format!("{} must be {word}, not {found}{help}", named(path)));
            return;
        }
        let least = schema.get("minimum").and_then(Json::as_i64);
        let number = node.as_number().and_then(Number::as_i64);
        if let (Some(least), Some(number)) = (least, number)
            && number < least
        {
            self.report(node.at, format!("{} must be at least {least}", named(path)));
        }
        if let (Some(items), Some(item)) = (node.as_array(), schema.get("items")) {
            for child in items {
                self.value(item, child, &[path, &[""]].concat());
            }
        }
        self.members(schema, node, path);
    }

    fn members(&mut self, schema: &'s Json, node: &Node, path: &[&str]) {
        let Some(map) = node.as_object() else { return };
        let properties = schema.get("properties").and_then(Json::as_object);
        for (key, child) in map {
            let own = properties.and_then(|p| p.get(key));
            let any = || schema.get("additionalProperties").filter(|s| s.is_object());
            if let Some(schema) = own.or_else(any) {
                self.value(schema, child, &[path, &[key.as_str()]].concat());
                continue;
            }
            let known: Vec<&str> =
                properties.iter().flat_map(|p| p.keys()).map(String::as_str).collect();
            let help = match nearest(key, &known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it knows {}", quoted(&known).join(", ")),
            };
            let message = format!("`{key}` is no key of {}; {help}", named(path));
            self.report(child.key, message);
        }
    }

    fn one_of(&mut self, allowed: &[&str], node: &Node, path: &[&str]) {
        let found = node.as_str();
        if found.is_some_and(|f| allowed.contains(&f)) {
            return;
        }
        let help = match found.and_then(|f| nearest(f, allowed)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it is {}", quoted(allowed).join(" or ")),
        };
        let found = found.map_or_else(|| node.to_json_text(), str::to_owned);
        self.report(node.at, format!("{} has no value `{found}`; {help}", last(path)));
    }

    /// What a reference or an optional value stands for.
    fn settled(&self, mut schema: &'s Json) -> &'s Json {
        for _ in 0..8 {
            if let Some(name) = schema.get("$ref").and_then(Json::as_str) {
                let name = name.trim_start_matches("#/$defs/");
                match self.whole.get("$defs").and_then(|d| d.get(name)) {
                    Some(found) => schema = found,
                    None => return schema,
                }
            } else if let Some(any) = schema.get("anyOf").and_then(Json::as_array) {
                let real = any.iter().find(|s| kind(s) != "null");
                match real {
                    Some(found) => schema = found,
                    None => return schema,
                }
            } else {
                return schema;
            }
        }
        schema
    }

    fn report(&mut self, at: At, message: String) {
        self.misfits.push(Misfit { at, message });
    }
}

/// The type, `null` aside.
fn kind(schema: &Json) -> &str {
    match schema.get("type") {
        Some(Json::String(one)) => one,
        Some(Json::Array(list)) => {
            list.iter().filter_map(Json::as_str).find(|k| *k != "null").unwrap_or_default()
        }
        _ => "",
    }
}

/// The values of an enumeration, whichever way it is written.
fn constants(schema: &Json) -> Vec<&str> {
    let list = |key| schema.get(key).and_then(Json::as_array).into_iter().flatten();
    let plain = list("enum").filter_map(Json::as_str);
    let described = list("oneOf").filter_map(|s| s.get("const").and_then(Json::as_str));
    plain.chain(described).collect()
}

fn quoted(words: &[&str]) -> Vec<String> {
    words.iter().map(|w| format!("`{w}`")).collect()
}

/// The whole path: `tools.read_pets`.
fn named(path: &[&str]) -> String {
    if path.is_empty() {
        return "the configuration".to_owned();
    }
    let words: Vec<&str> = path.iter().copied().filter(|w| !w.is_empty()).collect();
    let inside = if path.last() == Some(&"") { "an item of " } else { "" };
    format!("{inside}`{}`", words.join("."))
}

fn last(path: &[&str]) -> String {
    format!("`{}`", path.iter().rev().find(|w| !w.is_empty()).unwrap_or(&"it"))
}
