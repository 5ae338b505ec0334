//! `schemas.json`: what values must look like on the wire.

use super::table::Target;
use serde_json::Value;

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
        serde_json::from_str(text)
            .map(|root| Self { root })
            .map_err(|e| format!("schemas.json: {e}"))
    }

    /// The schema of a parameter.
    pub fn parameter(&self, operation: &str, index: usize) -> &Value {
        self.root["operations"][operation]["parameters"].get(index).unwrap_or(&ANY)
    }

    /// The schema of a body.
    pub fn body(&self, operation: &str) -> &Value {
        self.root["operations"][operation].get("body").unwrap_or(&ANY)
    }

    /// The schema of the place that an argument goes to.
    pub fn target(&self, operation: &str, target: Target) -> &Value {
        match target {
            Target::Parameter(index) => self.parameter(operation, index),
            Target::Body(steps) => {
                let mut schema = self.body(operation);
                for step in steps {
                    schema = self.property(schema, step, 0).unwrap_or(&ANY);
                }
                schema
            }
        }
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

    /// Whether `null` is spelled out as a legal value.
    pub fn allows_null(&self, schema: &Value, depth: usize) -> bool {
        let schema = self.resolve(schema);
        types(schema).any(|name| name == "null")
            || schema["enum"].as_array().is_some_and(|values| values.contains(&Value::Null))
            || depth < 8 && variants(schema).any(|variant| self.allows_null(variant, depth + 1))
    }

    /// Whether a string is a legal value as far as types go.
    pub fn allows_string(&self, schema: &Value, depth: usize) -> bool {
        let schema = self.resolve(schema);
        let mut own = types(schema).peekable();
        if own.peek().is_some() {
            return own.any(|name| name == "string");
        }
        if let Some(values) = schema["enum"].as_array() {
            return values.iter().any(Value::is_string);
        }
        let mut rest = variants(schema).peekable();
        rest.peek().is_none() && schema.get("properties").is_none() && schema.get("items").is_none()
            || depth < 8 && rest.any(|variant| self.allows_string(variant, depth + 1))
    }
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
