//! `schemas.json`: what values must look like on the wire.

use super::exact;
use super::table::Target;
use serde_json::Value;
use std::borrow::Cow;

/// How deep schemas and values are followed.
pub const DEPTH: usize = 48;

/// All schemas of a server.
#[derive(Debug, Default)]
pub struct Schemas {
    root: Value,
}

/// A schema that allows everything.
pub static ANY: Value = Value::Bool(true);

impl Schemas {
    /// Reads `schemas.json`.
    ///
    /// # Errors
    /// The text is no JSON, a fault of the generator.
    pub fn parse(text: &str) -> Result<Self, String> {
        // A bound or value may be longer than any machine number.
        exact::parse(text).map(|root| Self { root }).map_err(|e| format!("schemas.json: {e}"))
    }

    /// The schema of a parameter.
    pub fn parameter(&self, operation: &str, index: usize) -> &Value {
        self.root["operations"][operation]["parameters"].get(index).unwrap_or(&ANY)
    }

    /// The schema of a body.
    pub fn body(&self, operation: &str) -> &Value {
        self.root["operations"][operation].get("body").unwrap_or(&ANY)
    }

    /// The schema of the place that an argument goes to. Where several variants have a member of
    /// this name, any of theirs will do here; the whole body is checked later.
    pub fn target(&self, operation: &str, target: Target) -> Cow<'_, Value> {
        let steps = match target {
            Target::Parameter(index) => return Cow::Borrowed(self.parameter(operation, index)),
            Target::Body(steps) => steps,
        };
        let mut level = vec![self.body(operation)];
        for step in steps {
            let mut next = Vec::new();
            for schema in level {
                self.members(&mut next, schema, step, 0);
            }
            level = next;
        }
        match level.as_slice() {
            [] => Cow::Borrowed(&ANY),
            [only] => Cow::Borrowed(only),
            many => Cow::Owned(serde_json::json!({ "anyOf": many })),
        }
    }

    /// The schemas of a member, its own first, else those of the variants.
    fn members<'a>(
        &'a self,
        found: &mut Vec<&'a Value>,
        schema: &'a Value,
        key: &str,
        depth: usize,
    ) {
        if depth > 8 || found.len() > 64 {
            return;
        }
        let schema = self.resolve(schema);
        let before = found.len();
        if let Some(own) = schema["properties"].get(key) {
            found.push(own);
            return;
        }
        for variant in variants(schema) {
            self.members(found, variant, key, depth + 1);
        }
        if found.len() == before
            && let Some(rest) = schema.get("additionalProperties").filter(|rest| rest.is_object())
        {
            found.push(rest);
        }
        let mut seen: Vec<&Value> = Vec::new();
        found.retain(|one| {
            let fresh = !seen.contains(one);
            seen.push(one);
            fresh
        });
    }

    /// Follows `$ref` to the schema that it stands for.
    pub fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let mut at = schema;
        for _ in 0..DEPTH {
            match at.get("$ref").and_then(Value::as_str) {
                None => return at,
                Some(reference) => {
                    let name = reference.strip_prefix("#/shared/").unwrap_or(reference);
                    at = self.root["shared"].get(name).unwrap_or(&ANY);
                }
            }
        }
        &ANY
    }

    /// The schema of a property, looked for in variants as well.
    pub fn property<'a>(&'a self, schema: &'a Value, key: &str, depth: usize) -> Option<&'a Value> {
        if depth > 8 {
            return None;
        }
        let schema = self.resolve(schema);
        if let Some(found) = schema["properties"].get(key) {
            return Some(found);
        }
        let variants =
            ["anyOf", "oneOf"].into_iter().filter_map(|word| schema[word].as_array()).flatten();
        for variant in variants {
            if let Some(found) = self.property(variant, key, depth + 1) {
                return Some(found);
            }
        }
        schema.get("additionalProperties").filter(|rest| rest.is_object())
    }

    /// Whether a member must be there, whatever variant is meant.
    pub fn requires(&self, schema: &Value, key: &str) -> bool {
        let schema = self.resolve(schema);
        schema["required"].as_array().is_some_and(|keys| keys.iter().any(|own| own == key))
    }

    /// Whether `null` is spelled out as a legal value.
    pub fn allows_null(&self, schema: &Value, depth: usize) -> bool {
        let schema = self.resolve(schema);
        types(schema).any(|name| name == "null")
            || schema["enum"].as_array().is_some_and(|values| values.contains(&Value::Null))
            || depth < 8 && variants(schema).any(|variant| self.allows_null(variant, depth + 1))
    }
}

/// Whether a schema says nothing of what a value is.
pub fn is_open(schema: &Value) -> bool {
    let silent = ["type", "enum", "const", "$ref", "properties", "items"]
        .iter()
        .all(|word| schema.get(word).is_none());
    silent && variants(schema).next().is_none()
}

/// The types that a schema names.
pub fn types(schema: &Value) -> impl Iterator<Item = &str> {
    let (one, many) = match &schema["type"] {
        Value::String(name) => (Some(name.as_str()), &[][..]),
        Value::Array(names) => (None, names.as_slice()),
        _ => (None, &[][..]),
    };
    one.into_iter().chain(many.iter().filter_map(Value::as_str))
}

/// Whether a schema names this type.
pub fn names_type(schema: &Value, name: &str) -> bool {
    types(schema).any(|own| own == name)
}

/// The alternatives of a schema.
pub fn variants(schema: &Value) -> impl Iterator<Item = &Value> {
    ["anyOf", "oneOf"].into_iter().filter_map(|word| schema[word].as_array()).flatten()
}

/// The argument-side key of a property.
pub fn argument_key<'a>(wire: &'a str, schema: &'a Value) -> &'a str {
    schema["x-argument"].as_str().unwrap_or(wire)
}
