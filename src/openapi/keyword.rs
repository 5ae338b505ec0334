//! The keywords of schemas, one by one.

use super::arena::Lowered;
use super::detect::Version;
use super::lower::{Lowerer, Spot};
use crate::diagnostic::reading;
use crate::ir::{Additional, Bound, Schema, Types};
use crate::source::{Node, Value};

/// Keywords that only describe, or that say nothing to a caller.
const SILENT: &[&str] = &[
    "$ref",
    "$id",
    "$anchor",
    "$dynamicAnchor",
    "$comment",
    "$defs",
    "$vocabulary",
    "$recursiveAnchor",
    "definitions",
    "id",
    "xml",
    "externalDocs",
    "nullable",
    "allOf",
    "oneOf",
    "anyOf",
    "discriminator",
    "required",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "additionalProperties",
    "unevaluatedProperties",
    "collectionFormat",
    "summary",
];

/// Keywords that say more than [`Schema`] can.
const KEPT: &[&str] = &[
    "not",
    "if",
    "then",
    "else",
    "contains",
    "minContains",
    "maxContains",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
    "propertyNames",
    "unevaluatedItems",
    "additionalItems",
    "contentSchema",
    "$dynamicRef",
    "$recursiveRef",
];

impl<'a> Lowerer<'a, '_> {
    /// Reads one keyword into `own`.
    pub(super) fn keyword(&mut self, own: &mut Lowered<'a>, key: &str, child: &Spot<'a>) {
        let schema = &mut own.schema;
        if key == "type" && child.node.value == Value::Null {
            let message = "`type` is null, which names no type; any value is allowed";
            self.report(&reading::UNEXPECTED_VALUE, child, message)
                .help("the type of null is written in quotes, `'null'`");
            return;
        }
        if child.node.value == Value::Null && !matches!(key, "default" | "const" | "example") {
            return;
        }
        match key {
            "type" => own.declared = self.types(&mut own.schema, child),
            "title" => schema.title = self.words(key, child),
            "description" => schema.description = self.words(key, child),
            "format" => schema.format = self.words(key, child),
            "pattern" => schema.pattern = self.words(key, child),
            "contentMediaType" => schema.content_media_type = self.words(key, child),
            "contentEncoding" => schema.content_encoding = self.words(key, child),
            "enum" => match child.node.as_array() {
                Some([]) => {
                    let message = "`enum` lists no value; any value is allowed";
                    self.report(&reading::UNEXPECTED_VALUE, child, message);
                }
                Some(values) => self.values(schema, child, distinct(values)),
                None => self.unexpected(child, key, "a list"),
            },
            "const" => self.values(schema, child, vec![child.node.clone()]),
            "default" => schema.default = Some(child.node.clone()),
            "example" => schema.examples.push(child.node.clone()),
            "examples" => match &child.node.value {
                Value::Array(values) => schema.examples.extend(values.iter().cloned()),
                Value::Object(named) => {
                    let value = |n: &Node| n.get("value").unwrap_or(n).clone();
                    schema.examples.extend(named.values().map(value));
                }
                _ => self.unexpected(child, key, "a list"),
            },
            "minimum" => schema.minimum = self.bound(key, child),
            "maximum" => schema.maximum = self.bound(key, child),
            "multipleOf" => match self.bound(key, child) {
                Some(step) if step.value.as_f64() <= 0.0 => {
                    let message = "`multipleOf` must be more than 0; it is left out";
                    self.report(&reading::UNEXPECTED_VALUE, child, message);
                }
                step => schema.multiple_of = step.map(|b| b.value),
            },
            "minLength" => schema.min_length = self.count(key, child),
            "maxLength" => schema.max_length = self.count(key, child),
            "minItems" => schema.min_items = self.count(key, child),
            "maxItems" => schema.max_items = self.count(key, child),
            "minProperties" => schema.min_properties = self.count(key, child),
            "maxProperties" => schema.max_properties = self.count(key, child),
            "uniqueItems" => schema.unique_items = self.truth(key, child),
            "readOnly" => schema.read_only = self.truth(key, child),
            "writeOnly" => schema.write_only = self.truth(key, child),
            "deprecated" => schema.deprecated = self.truth(key, child),
            "properties" => {
                for (name, property) in self.schema_map(key, child) {
                    let id = self.schema_id(&property);
                    own.schema.properties.insert(name.to_owned(), id);
                }
            }
            "patternProperties" => {
                for (name, property) in self.schema_map(key, child) {
                    let id = self.schema_id(&property);
                    own.schema.pattern_properties.insert(name.to_owned(), id);
                }
            }
            // A list under `items` is the older spelling of `prefixItems`.
            "items" | "prefixItems" => match &child.node.value {
                Value::Array(_) => {
                    own.schema.prefix_items =
                        child.items().iter().map(|item| self.schema_id(item)).collect();
                }
                _ if key == "items" => own.schema.items = Some(self.schema_id(child)),
                _ => self.unexpected(child, key, "a list"),
            },
            // The schema that it leads to is a part of this one.
            "$dynamicRef" if self.version == Version::V31 => {}
            key if KEPT.contains(&key) => {
                schema.other.insert(key.to_owned(), child.node.clone());
                self.conditional(own, key, child);
                // These two belong to an `if`.
                if !matches!(key, "then" | "else") {
                    self.unchecked(key, child);
                }
            }
            "$schema" => self.own_dialect(child),
            key if SILENT.contains(&key) || key.starts_with("x-") => {}
            key => {
                if self.said.insert(format!("keyword {key}")) {
                    self.report(
                        &reading::UNKNOWN_KEYWORD,
                        child,
                        format!("`{key}` is no keyword of schemas and is ignored"),
                    );
                }
            }
        }
    }

    /// Listed values; where `const` and `enum` stand together, those that both allow.
    fn values(&mut self, schema: &mut Schema, child: &Spot<'a>, new: Vec<Node>) {
        let Some(old) = schema.values.take() else {
            schema.values = Some(new);
            return;
        };
        let both = super::all_of::common(&old, &new);
        if both.is_empty() {
            let message = "`const` and `enum` exclude each other; `const` counts";
            self.report(&reading::ALL_OF_CONFLICT, child, message);
            let is_const = child.pointer.steps().last().is_some_and(|key| key == "const");
            schema.values = Some(if is_const { new } else { old });
        } else {
            schema.values = Some(both);
        }
    }

    /// The members of a map of schemas. A reference may stand for the whole map, which no version
    /// allows but some documents do; a property may also be called `$ref`.
    fn schema_map(&mut self, key: &str, child: &Spot<'a>) -> Vec<(&'a str, Spot<'a>)> {
        let place = if child.reference().is_some() {
            match self.resolve(child) {
                Some(place) => place,
                None => return Vec::new(),
            }
        } else {
            child.clone()
        };
        if place.node.as_object().is_none() {
            self.unexpected(child, key, "an object");
        }
        place.members()
    }

    fn words(&mut self, key: &str, child: &Spot<'a>) -> Option<String> {
        match &child.node.value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.0.clone()),
            Value::Bool(b) => Some(b.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => {
                self.unexpected(child, key, "text");
                None
            }
        }
    }

    pub(super) fn truth(&mut self, key: &str, child: &Spot<'a>) -> bool {
        child.node.as_bool().unwrap_or_else(|| {
            self.unexpected(child, key, "a boolean");
            child.node.as_str() == Some("true")
        })
    }

    fn bound(&mut self, key: &str, child: &Spot<'a>) -> Option<Bound> {
        match &child.node.value {
            Value::Number(value) => Some(Bound { value: value.clone(), exclusive: false }),
            Value::String(text) => {
                self.unexpected(child, key, "a number");
                match crate::source::scalar::plain(text.as_str().into()) {
                    Value::Number(value) => Some(Bound { value, exclusive: false }),
                    _ => None,
                }
            }
            _ => {
                self.unexpected(child, key, "a number");
                None
            }
        }
    }

    fn count(&mut self, key: &str, child: &Spot<'a>) -> Option<u64> {
        let number = self.bound(key, child)?.value;
        if let Some(count) = number.as_i64().and_then(|n| u64::try_from(n).ok()) {
            return Some(count);
        }
        if let Ok(count) = number.0.parse() {
            return Some(count);
        }
        // No list and no text is as long as this.
        if number.is_whole() && number.as_f64() > 0.0 {
            return Some(u64::MAX);
        }
        self.unexpected(child, key, "a count");
        None
    }

    /// Reads `type`; whether it names any.
    fn types(&mut self, schema: &mut Schema, child: &Spot<'a>) -> bool {
        let names = match &child.node.value {
            Value::Array(items) if items.is_empty() => {
                let message = "`type` lists no type; any value is allowed";
                self.report(&reading::UNEXPECTED_VALUE, child, message);
                return false;
            }
            Value::Array(_) => child.items(),
            _ => vec![child.clone()],
        };
        for name in names {
            match (&name.node.value, name.node.as_str()) {
                (Value::Null, _) => schema.types.null = true,
                (_, Some(word)) => {
                    if !set_type(&mut schema.types, word) {
                        if word == "file" {
                            // Swagger 2.0's word for bytes in a form.
                            schema.types.string = true;
                            schema.format.get_or_insert_with(|| "binary".to_owned());
                        } else if set_type(&mut schema.types, &word.to_ascii_lowercase()) {
                            self.report(
                                &reading::UNKNOWN_TYPE,
                                &name,
                                format!("type `{word}` must be written in lower case"),
                            );
                        } else {
                            self.report(
                                &reading::UNKNOWN_TYPE,
                                &name,
                                format!("`{word}` is no type of JSON Schema; any value is allowed"),
                            );
                            schema.types = Types::default();
                            return false;
                        }
                    }
                }
                _ => self.unexpected(&name, "type", "the name of a type"),
            }
        }
        schema.types != Types::default()
    }

    /// Reads `required`.
    pub(super) fn required(&mut self, schema: &mut Schema, spot: &Spot<'a>) {
        let Some(child) = spot.get("required") else { return };
        if let Value::Bool(_) = child.node.value {
            // JSON Schema 3 and the OpenAPI parameter object say it so; here it has no meaning.
            self.unexpected(&child, "required", "a list of property names");
            return;
        }
        let twice = |items: &[Node]| {
            let mut seen = std::collections::HashSet::new();
            items
                .iter()
                .filter_map(Node::as_str)
                .find(|name| !seen.insert(*name))
                .map(str::to_owned)
        };
        if let Some(name) = child.node.as_array().and_then(twice) {
            let message = format!("`required` names `{name}` twice");
            self.report(&reading::UNEXPECTED_VALUE, &child, message);
        }
        for item in child.items() {
            if matches!(item.node.value, Value::Number(_) | Value::Bool(_)) {
                self.unexpected(&item, "required", "the name of a property");
            }
        }
        schema.required.extend(self.texts(spot, "required"));
    }

    /// Reads `additionalProperties` or `unevaluatedProperties`.
    pub(super) fn additional(&mut self, schema: &mut Schema, spot: &Spot<'a>) {
        for key in ["additionalProperties", "unevaluatedProperties"] {
            let Some(child) = spot.get(key) else { continue };
            schema.additional = match &child.node.value {
                Value::Bool(true) => Additional::Any,
                Value::Bool(false) => Additional::Forbidden,
                Value::Object(map) if map.is_empty() => Additional::Any,
                Value::Object(_) => Additional::Schema(self.schema_id(&child)),
                _ => {
                    self.unexpected(&child, key, "a schema or a boolean");
                    continue;
                }
            };
            return;
        }
    }

    /// Reads exclusive bounds, which are flags before version 3.1 and numbers since.
    pub(super) fn exclusive(&mut self, schema: &mut Schema, spot: &Spot<'a>) {
        for (key, lower) in [("exclusiveMinimum", true), ("exclusiveMaximum", false)] {
            let Some(child) = spot.get(key) else { continue };
            let bound = if lower { &mut schema.minimum } else { &mut schema.maximum };
            match &child.node.value {
                Value::Bool(exclusive) => {
                    if let Some(bound) = bound {
                        bound.exclusive = *exclusive;
                    }
                }
                Value::Number(value) => {
                    let new = Bound { value: value.clone(), exclusive: true };
                    *bound = super::all_of::tighter(bound.take(), Some(new), lower);
                }
                _ => self.unexpected(&child, key, "a number"),
            }
        }
    }
}

fn set_type(types: &mut Types, word: &str) -> bool {
    match word {
        "null" => types.null = true,
        "boolean" => types.boolean = true,
        "integer" => types.integer = true,
        "number" => types.number = true,
        "string" => types.string = true,
        "array" => types.array = true,
        "object" => types.object = true,
        _ => return false,
    }
    true
}

/// The values without repetitions.
fn distinct(values: &[Node]) -> Vec<Node> {
    let mut seen = std::collections::HashSet::new();
    values.iter().filter(|v| seen.insert(v.canonical_text())).cloned().collect()
}

/// Adds the types of values.
pub(super) fn value_types(types: &mut Types, values: &[Node]) {
    for value in values {
        match &value.value {
            Value::Null => types.null = true,
            Value::Bool(_) => types.boolean = true,
            Value::Number(n) if n.is_whole() => types.integer = true,
            Value::Number(_) => types.number = true,
            Value::String(_) => types.string = true,
            Value::Array(_) => types.array = true,
            Value::Object(_) => types.object = true,
        }
    }
}

/// Finds the types that other keywords speak of, where none are written.
pub(super) fn infer(lowered: &mut Lowered<'_>) {
    let schema = &mut lowered.schema;
    if schema.types != Types::default() {
        return;
    }
    if let Some(values) = &schema.values {
        value_types(&mut schema.types, values);
        return;
    }
    let object = !schema.properties.is_empty()
        || !schema.required.is_empty()
        || schema.additional != Additional::Unsaid
        || !schema.pattern_properties.is_empty()
        || schema.min_properties.is_some()
        || schema.max_properties.is_some();
    let array = schema.items.is_some()
        || !schema.prefix_items.is_empty()
        || schema.min_items.is_some()
        || schema.max_items.is_some();
    let number =
        schema.minimum.is_some() || schema.maximum.is_some() || schema.multiple_of.is_some();
    let text_format = matches!(
        schema.format.as_deref(),
        Some(
            "date"
                | "date-time"
                | "time"
                | "uuid"
                | "uri"
                | "url"
                | "email"
                | "byte"
                | "binary"
                | "password"
                | "hostname"
                | "ipv4"
                | "ipv6"
        )
    );
    let string = schema.pattern.is_some()
        || schema.min_length.is_some()
        || schema.max_length.is_some()
        || text_format;
    if [object, array, number, string].iter().filter(|b| **b).count() == 1 {
        schema.types.object = object;
        schema.types.array = array;
        schema.types.number = number;
        schema.types.string = string;
    }
}
