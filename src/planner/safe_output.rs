//! Checks an `outputSchema`, which only a person's hand makes other than `codegen/output.rs` does. It
//! may use what the server looks at when it keeps the promise, and what promises nothing; the numbers
//! name rows of the safe subset (O).

use std::collections::BTreeSet;

use serde_json::Value;

use super::safe_subset::text;

/// How many levels the server looks at.
const DEEPEST: usize = 8;

/// The names of types, without that of nothing.
const TYPES: &[&str] = &["string", "number", "integer", "boolean", "array", "object"];

/// Says what is wrong with the schema of a tool's answers.
pub(super) fn output(schema: &Value, say: &mut impl FnMut(String)) {
    if schema["type"] != "object" {
        say("O1: the output is no object".to_owned());
    }
    level(schema, "", 0, say);
}

fn level(schema: &Value, path: &str, depth: usize, say: &mut impl FnMut(String)) {
    let Some(map) = schema.as_object() else {
        say(format!("O5: {schema} is no schema at `{path}` of the output"));
        return;
    };
    if depth > DEEPEST {
        say(format!("O6: deeper than {DEEPEST} at `{path}` of the output"));
        return;
    }
    for (key, value) in map {
        match key.as_str() {
            "type" if depth == 0 => {}
            "type" => types(value, path, say),
            "properties" => {
                let Some(properties) = value.as_object() else {
                    say(format!("O5: `properties` is no object at `{path}` of the output"));
                    continue;
                };
                for (name, value) in properties {
                    level(value, &format!("{path}.{name}"), depth + 1, say);
                }
            }
            "items" => level(value, &format!("{path}[]"), depth + 1, say),
            "title" | "description" => text("T1", Some(value), 1_024, true, say),
            "additionalProperties" if value == &Value::Bool(true) => {}
            "$ref" | "$defs" | "definitions" | "$id" | "$schema" | "$anchor" => say(format!(
                "O4: `{key}` at `{path}` of the output; write the schema where it is used"
            )),
            _ => {
                say(format!("O2: `{key}` at `{path}` of the output, which an answer may not keep"));
            }
        }
    }
}

fn types(value: &Value, path: &str, say: &mut impl FnMut(String)) {
    let names: Vec<&str> = match value {
        Value::Array(names) => names.iter().map(|n| n.as_str().unwrap_or_default()).collect(),
        other => vec![other.as_str().unwrap_or_default()],
    };
    let distinct: BTreeSet<&str> = names.iter().copied().collect();
    let known = |name: &str| name == "null" || TYPES.contains(&name);
    if names.is_empty() || distinct.len() < names.len() || !names.iter().all(|n| known(n)) {
        say(format!("O5: `type` is {value} at `{path}` of the output"));
    } else if !distinct.contains("null") {
        say(format!("O3: `type` is {value} at `{path}` of the output, which does not allow null"));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn o1_to_o6_each_rule_is_held_on_a_schema_that_was_edited() {
        let leaf = json!({"type": ["string", "null"]});
        let mut deep = leaf.clone();
        for _ in 0..9 {
            deep = json!({"type": ["array", "null"], "items": deep});
        }
        for (property, rule) in [
            (leaf.clone(), None),
            (json!({}), None),
            (json!({"description": "Anything.", "additionalProperties": true}), None),
            (json!({"type": ["object", "null"], "properties": {"b": leaf}}), None),
            (json!({"type": ["array", "null"], "items": leaf}), None),
            (json!({"type": ["string", "null"], "enum": ["a"]}), Some("O2")),
            (json!({"type": ["object", "null"], "required": ["b"]}), Some("O2")),
            (json!({"type": ["object", "null"], "additionalProperties": false}), Some("O2")),
            (json!({"oneOf": [leaf]}), Some("O2")),
            (json!({"type": ["string", "null"], "format": "date"}), Some("O2")),
            (json!({"type": "string"}), Some("O3")),
            (json!({"type": ["array", "null"], "items": {"type": "object"}}), Some("O3")),
            (json!({"$ref": "#/$defs/Order"}), Some("O4")),
            (json!(true), Some("O5")),
            (json!({"type": ["banana", "null"]}), Some("O5")),
            (json!({"type": []}), Some("O5")),
            (json!({"properties": []}), Some("O5")),
            (json!({"items": [leaf]}), Some("O5")),
            (deep, Some("O6")),
            (json!({"description": ""}), Some("T1")),
        ] {
            let mut errors = Vec::new();
            let schema = json!({"type": "object", "properties": {"a": property}});
            output(&schema, &mut |error| errors.push(error));
            let rules: Vec<&str> = errors.iter().filter_map(|e| e.split(':').next()).collect();
            assert_eq!(rules, rule.into_iter().collect::<Vec<_>>(), "{property}: {errors:?}");
        }
        for (schema, rule) in [
            (json!({"type": "array", "items": {}}), "O1"),
            (json!({"type": "object", "$defs": {}}), "O4"),
            (json!({"type": "object", "required": ["a"]}), "O2"),
        ] {
            let mut errors = Vec::new();
            output(&schema, &mut |error| errors.push(error));
            assert!(errors.len() == 1 && errors[0].starts_with(rule), "{rule}: {errors:?}");
        }
    }
}
