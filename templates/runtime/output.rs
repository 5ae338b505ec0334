//! Keeps the promise of an `outputSchema`, whatever the API answers: what does not fit is put aside
//! under a name of its own, and nothing is lost.

use super::reply::Outcome;
use serde_json::{Map, Value, json};

/// The member that holds what does not fit.
const ASIDE: &str = "_unexpected";
/// The member that holds an answer without members.
const TEXT: &str = "_text";

/// The outcome as the schema promises it. Failures promise nothing.
#[must_use]
pub fn kept(schema: &Map<String, Value>, mut outcome: Outcome) -> Outcome {
    if outcome.is_error {
        return outcome;
    }
    let none = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let object = match outcome.structured.take() {
        Some(Value::Object(members)) => members,
        Some(other) => Map::from_iter([("result".to_owned(), other)]),
        None => {
            // The text stays as it is, for whoever reads no structure.
            outcome.structured = Some(json!({ TEXT: outcome.text }));
            return outcome;
        }
    };
    let (mut fine, mut aside) = (Map::new(), Map::new());
    for (name, value) in object {
        let fits = properties.get(&name).is_none_or(|schema| fits(schema, &value, 0));
        if fits {
            fine.insert(name, value)
        } else {
            aside.insert(name, value)
        };
    }
    if !aside.is_empty() {
        let mut name = ASIDE.to_owned();
        while fine.contains_key(&name) || properties.contains_key(&name) {
            name.insert(0, '_');
        }
        fine.insert(name, Value::Object(aside));
        outcome.text = Value::Object(fine.clone()).to_string();
    }
    outcome.structured = Some(Value::Object(fine));
    outcome
}

/// Whether a value fits, by the keywords that the generator writes.
fn fits(schema: &Value, value: &Value, depth: usize) -> bool {
    let named = |name: &str| match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        // JSON Schema takes 1.0 for an integer, and so would a client.
        "integer" => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|n| n.fract() == 0.0)
        }
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    };
    let fits_type = match schema.get("type") {
        None => true,
        Some(Value::String(name)) => named(name),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).any(named),
        Some(_) => false,
    };
    if !fits_type || depth > 8 {
        return fits_type && depth <= 8;
    }
    let members = match (schema.get("properties").and_then(Value::as_object), value) {
        (Some(properties), Value::Object(members)) => members.iter().all(|(name, value)| {
            properties.get(name).is_none_or(|schema| fits(schema, value, depth + 1))
        }),
        _ => true,
    };
    let items = match (schema.get("items"), value) {
        (Some(schema), Value::Array(items)) => items.iter().all(|v| fits(schema, v, depth + 1)),
        _ => true,
    };
    members && items
}
