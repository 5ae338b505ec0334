//! Checks tool definitions, as they go over the wire, against what every client and model API takes.
//! The rule numbers name the rows of the safe subset: names (N), texts (T), input schemas (I),
//! outputs (O), annotations (A).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::safe_output::output;
use crate::ir::argument_names::is_argument_name;
use crate::ir::json_schema::is_valid_default;
use crate::ir::prose::is_invisible;

/// Everything that is wrong with `tools`, the array of a `tools/list` reply; each line begins with the
/// rule's number. Empty means: every client takes them.
pub fn safe_subset_errors(tools: &Value) -> Vec<String> {
    let mut errors = Vec::new();
    let Some(list) = tools.as_array() else {
        return vec!["L1: tools are no array".to_owned()];
    };
    if list.len() > 100 {
        errors.push(format!("N6: {} tools", list.len()));
    }
    if tools.to_string().len() > 1 << 20 {
        errors.push("I15: more than 1 MiB".to_owned());
    }
    let mut folded: BTreeMap<String, String> = BTreeMap::new();
    let mut ends: BTreeMap<String, String> = BTreeMap::new();
    let mut titles: BTreeSet<&str> = BTreeSet::new();
    let mut texts: BTreeSet<&str> = BTreeSet::new();
    for tool in list {
        let name = tool["name"].as_str().unwrap_or_default();
        let mut say = |text: String| errors.push(format!("{text} (tool `{name}`)"));
        if !is_tool_name(name) {
            say("N1: no tool name".to_owned());
        }
        if name.len() > 46 {
            say(format!("N2: {} characters", name.len()));
        }
        let fold: String = name
            .to_lowercase()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        let chars: Vec<char> = name.chars().collect();
        let tail = chars.len().saturating_sub(30);
        let cut: String = if chars.len() > 60 {
            chars[..30].iter().chain(&chars[tail..]).collect()
        } else {
            name.to_owned()
        };
        for (map, key) in [(&mut folded, fold), (&mut ends, cut)] {
            if let Some(other) = map.insert(key, name.to_owned()) {
                say(format!("N3: clashes with `{other}`"));
            }
        }
        text("T1", tool.get("description"), 1_024, true, &mut say);
        text("T4", tool.get("title"), 80, true, &mut say);
        if tool["title"] != tool["annotations"]["title"] {
            say("T4: `annotations.title` is another one".to_owned());
        }
        if !titles.insert(tool["title"].as_str().unwrap_or_default()) {
            say("T4: the title is not unique".to_owned());
        }
        if !texts.insert(tool["description"].as_str().unwrap_or_default()) {
            say("T3: the description is not unique".to_owned());
        }
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            if !tool["annotations"][hint].is_boolean() {
                say(format!("A1: `{hint}` is not said"));
            }
        }
        if tool["annotations"]["readOnlyHint"] == true
            && tool["annotations"]["destructiveHint"] == true
        {
            say("A1: read-only and destructive".to_owned());
        }
        if let Some(meta) = tool.get("_meta").and_then(Value::as_object) {
            let known =
                ["anthropic/maxResultSizeChars", "anthropic/alwaysLoad", "mcp-gen/toolsets"];
            for key in meta.keys().filter(|k| !known.contains(&k.as_str())) {
                say(format!("A2: `_meta` has `{key}`"));
            }
        }
        if let Some(schema) = tool.get("outputSchema") {
            output(schema, &mut say);
        }
        for (key, value) in tool.as_object().into_iter().flatten() {
            if value.is_null() {
                say(format!("I13: `{key}` is null"));
            }
        }
        root(&tool["inputSchema"], &mut say);
    }
    errors
}

fn is_tool_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.split('_').all(|part| {
            !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
}

/// Rule T2, and T1 or T4.
pub(super) fn text(
    rule: &str,
    value: Option<&Value>,
    cap: usize,
    needed: bool,
    say: &mut impl FnMut(String),
) {
    let Some(value) = value else {
        if needed {
            say(format!("{rule}: a text is missing"));
        }
        return;
    };
    let Some(text) = value.as_str() else {
        say(format!("{rule}: {value} is no text"));
        return;
    };
    if text.trim().is_empty() {
        say(format!("{rule}: a text is empty"));
    }
    if text.chars().count() > cap || text.encode_utf16().count() > 2 * cap {
        say(format!(
            "{rule}: more than {cap} characters: {}",
            &text.chars().take(40).collect::<String>()
        ));
    }
    if text.chars().any(|c| (c.is_control() && c != '\n') || is_invisible(c)) {
        say(format!("T2: control or invisible characters in {text:?}"));
    }
}

fn root(schema: &Value, say: &mut impl FnMut(String)) {
    let Some(map) = schema.as_object() else {
        say("I1: no input schema".to_owned());
        return;
    };
    if map.get("type") != Some(&Value::from("object")) || !schema["properties"].is_object() {
        say("I1: the root is no object with properties".to_owned());
    }
    for key in [
        "anyOf", "oneOf", "allOf", "not", "if", "then", "else", "enum", "const", "$ref", "$defs",
        "$id", "$anchor", "$schema",
    ] {
        if map.contains_key(key) {
            say(format!("I2: `{key}` at the root"));
        }
    }
    let mut count = Count::default();
    subschema(schema, "", 0, &mut count, say);
    if count.properties > 5_000 || count.characters > 120_000 {
        say(format!("I11: {} properties, {} characters", count.properties, count.characters));
    }
}

#[derive(Default)]
struct Count {
    properties: usize,
    characters: usize,
}

const KEYWORDS: &[&str] = &[
    "type",
    "title",
    "description",
    "properties",
    "required",
    "items",
    "enum",
    "default",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "additionalProperties",
];

fn subschema(
    schema: &Value,
    path: &str,
    depth: usize,
    count: &mut Count,
    say: &mut impl FnMut(String),
) {
    let Some(map) = schema.as_object() else {
        say(format!("I5: {schema} is no schema at `{path}`"));
        return;
    };
    if depth > 10 {
        say(format!("I11: deeper than 10 at `{path}`"));
        return;
    }
    let kind = map.get("type").and_then(Value::as_str).unwrap_or_default();
    if !["string", "number", "integer", "boolean", "array", "object"].contains(&kind) {
        say(format!("I5: `type` is {} at `{path}`", schema["type"]));
    }
    for (key, value) in map {
        if !KEYWORDS.contains(&key.as_str()) {
            say(format!("I8: `{key}` at `{path}`"));
        }
        if value.is_null() {
            say(format!("I13: `{key}` is null at `{path}`"));
        }
    }
    if depth > 0 || map.contains_key("description") {
        text("T1", map.get("description"), 1_024, false, say);
    }
    structure(map, kind, path, say);
    bounds(map, path, say);
    if let Some(values) = map.get("enum") {
        enumeration(values, kind, path, count, say);
    }
    if let Some(default) = map.get("default")
        && !is_valid_default(map, default)
    {
        say(format!("I12: the default {default} is not valid at `{path}`"));
    }
    if let Some(items) = map.get("items") {
        subschema(items, &format!("{path}[]"), depth + 1, count, say);
    }
    for (key, value) in map.get("properties").and_then(Value::as_object).into_iter().flatten() {
        count.properties += 1;
        count.characters += key.len();
        if !is_argument_name(key) {
            say(format!("I4: `{key}` at `{path}`"));
        }
        subschema(value, &format!("{path}.{key}"), depth + 1, count, say);
    }
}

fn structure(map: &Map<String, Value>, kind: &str, path: &str, say: &mut impl FnMut(String)) {
    if kind == "array" && !map.get("items").is_some_and(Value::is_object) {
        say(format!("I6: an array without items at `{path}`"));
    }
    if kind == "object" && !map.get("properties").is_some_and(Value::is_object) {
        say(format!("I6: an object without properties at `{path}`"));
    }
    if kind != "array" && map.contains_key("items")
        || kind != "object" && map.contains_key("properties")
    {
        say(format!("I12: keywords of another type at `{path}`"));
    }
    if map.get("additionalProperties").is_some_and(|v| !v.is_boolean()) {
        say(format!("I8: `additionalProperties` is no boolean at `{path}`"));
    }
    let Some(required) = map.get("required") else { return };
    let Some(names) = required.as_array() else {
        say(format!("I1: `required` is no array at `{path}`"));
        return;
    };
    let mut seen = BTreeSet::new();
    for name in names {
        let name = name.as_str().unwrap_or_default();
        let known = map.get("properties").is_some_and(|p| p.get(name).is_some());
        if !known || !seen.insert(name) {
            say(format!("I1: `required` names `{name}` at `{path}`"));
        }
    }
}

fn bounds(map: &Map<String, Value>, path: &str, say: &mut impl FnMut(String)) {
    for (low, high, numeric) in [
        ("minimum", "maximum", true),
        ("minLength", "maxLength", false),
        ("minItems", "maxItems", false),
    ] {
        let (least, most) = (map.get(low), map.get(high));
        for bound in [least, most].into_iter().flatten() {
            let good = if numeric {
                bound.as_f64().is_some_and(f64::is_finite)
            } else {
                bound.as_u64().is_some()
            };
            if !good {
                say(format!("I12: a bound is {bound} at `{path}`"));
            }
        }
        if let (Some(least), Some(most)) =
            (least.and_then(Value::as_f64), most.and_then(Value::as_f64))
            && least > most
        {
            say(format!("I12: `{low}` is above `{high}` at `{path}`"));
        }
    }
}

fn enumeration(
    values: &Value,
    kind: &str,
    path: &str,
    count: &mut Count,
    say: &mut impl FnMut(String),
) {
    let texts: Option<Vec<&str>> =
        values.as_array().and_then(|v| v.iter().map(Value::as_str).collect());
    let Some(texts) = texts.filter(|_| kind == "string") else {
        say(format!("I7: `enum` of other than strings at `{path}`"));
        return;
    };
    let length: usize = texts.iter().map(|t| t.chars().count()).sum();
    count.characters += length;
    let distinct: BTreeSet<&&str> = texts.iter().collect();
    if texts.is_empty() || texts.contains(&"") || distinct.len() < texts.len() {
        say(format!("I7: `enum` is empty or has empty or equal values at `{path}`"));
    }
    if texts.len() > 250 || length > 15_000 {
        say(format!("I7: `enum` has {} values at `{path}`", texts.len()));
    }
    if texts.iter().any(|t| t.chars().any(|c| c.is_control() || is_invisible(c))) {
        say(format!("T2: `enum` has invisible characters at `{path}`"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tool(schema: &Value) -> Value {
        let title = "List pets";
        json!([{
            "name": "list_pets", "title": title, "description": "List pets.", "inputSchema": schema,
            "annotations": {"title": title, "readOnlyHint": true, "destructiveHint": false,
                "idempotentHint": true, "openWorldHint": true},
        }])
    }

    fn check(property: &Value, rule: Option<&str>) {
        let tools = tool(&json!({"type": "object", "properties": {"a": property}}));
        let errors = safe_subset_errors(&tools);
        match rule {
            None => assert!(errors.is_empty(), "{errors:?}"),
            Some(rule) => assert!(errors.iter().any(|e| e.starts_with(rule)), "{rule}: {errors:?}"),
        }
    }

    #[test]
    fn each_rule_of_schemas_is_held() {
        check(&json!({"type": "string", "enum": ["a"], "default": "a"}), None);
        check(&json!({"type": ["string", "null"]}), Some("I5"));
        check(&json!(true), Some("I5"));
        check(&json!({"type": "array"}), Some("I6"));
        check(&json!({"type": "object"}), Some("I6"));
        check(&json!({"type": "integer", "enum": [1]}), Some("I7"));
        check(&json!({"type": "string", "enum": [""]}), Some("I7"));
        check(&json!({"type": "string", "enum": []}), Some("I7"));
        check(&json!({"type": "string", "pattern": "a"}), Some("I8"));
        check(&json!({"type": "object", "properties": {"$a": {"type": "string"}}}), Some("I4"));
        check(&json!({"type": "integer", "minimum": 3, "maximum": 2}), Some("I12"));
        check(&json!({"type": "integer", "default": "x"}), Some("I12"));
        check(&json!({"type": "string", "description": ""}), Some("T1"));
        check(&json!({"type": "string", "description": "a\u{202e}"}), Some("T2"));
        check(&json!({"type": "string", "title": null}), Some("I13"));
        check(&json!({"type": "object", "properties": {}, "required": ["b"]}), Some("I1"));
    }

    #[test]
    fn each_rule_of_tools_is_held() {
        let good = tool(&json!({"type": "object", "properties": {}}));
        assert_eq!(safe_subset_errors(&good), Vec::<String>::new());
        for (pointer, value, rule) in [
            ("/0/name", json!("List__pets"), "N1"),
            ("/0/name", json!("a".repeat(47)), "N2"),
            ("/0/title", json!("Other"), "T4"),
            ("/0/description", json!("x".repeat(1_025)), "T1"),
            ("/0/annotations/readOnlyHint", json!(null), "A1"),
            ("/0/inputSchema", json!({"type": "object", "properties": {}, "oneOf": []}), "I2"),
        ] {
            let mut bad = good.clone();
            *bad.pointer_mut(pointer).unwrap() = value;
            let errors = safe_subset_errors(&bad);
            assert!(errors.iter().any(|e| e.starts_with(rule)), "{rule}: {errors:?}");
        }
        let mut twice = good.as_array().unwrap().clone();
        twice.push(twice[0].clone());
        assert!(safe_subset_errors(&json!(twice)).iter().any(|e| e.starts_with("N3")));
    }
}
