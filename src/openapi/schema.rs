//! One schema, normalised up to JSON Schema 2020-12.

use std::collections::HashSet;

use super::arena::Lowered;
use super::detect::Version;
use super::lower::{Lowerer, Spot};
use crate::diagnostic::reading;
use crate::ir::{Additional, Bound, Schema, SchemaId, Types};
use crate::source::{Node, Value};

/// Keywords that only describe, or that say nothing to a caller.
const SILENT: &[&str] = &[
    "$ref",
    "$id",
    "$anchor",
    "$dynamicAnchor",
    "$comment",
    "$schema",
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

/// Keywords beside `$ref` that apply in OpenAPI 3.0 too, against its letter: they only describe.
const DESCRIBING: &[&str] = &[
    "title",
    "description",
    "deprecated",
    "readOnly",
    "writeOnly",
    "example",
    "examples",
    "default",
];

impl<'a> Lowerer<'a, '_> {
    /// Whether something beside `$ref` counts. What does not is reported.
    pub(super) fn has_siblings(&mut self, spot: &Spot<'a>) -> bool {
        let (counts, ignored) = self.siblings(spot);
        if let Some(place) = ignored {
            let key = place.pointer.steps().last().unwrap_or_default();
            self.report(
                &reading::IGNORED_REF_SIBLING,
                &place,
                format!("`{key}` beside `$ref` has no meaning before OpenAPI 3.1 and is ignored"),
            )
            .help("put both into `allOf`");
        }
        counts
    }

    /// Whether something beside `$ref` counts, and something that does not.
    pub(super) fn siblings(&self, spot: &Spot<'a>) -> (bool, Option<Spot<'a>>) {
        let Some(map) = spot.node.as_object() else { return (false, None) };
        let mut counts = false;
        let mut ignored = None;
        for (key, node) in map {
            let silent = matches!(key.as_str(), "$ref" | "summary" | "xml" | "externalDocs")
                || key == "$comment"
                || key.starts_with("x-");
            if silent {
                continue;
            }
            let describes = DESCRIBING.contains(&key.as_str()) || key == "nullable";
            if self.version == Version::V31 || describes {
                counts = true;
            } else {
                ignored = Some(spot.child(key, node));
            }
        }
        (counts, ignored)
    }

    /// Reads the schema at `spot`. With `parameter` it is a Swagger 2.0 parameter, whose own words
    /// are not those of a schema.
    pub(super) fn lower_schema(&mut self, spot: &Spot<'a>, parameter: bool) -> Lowered<'a> {
        let mut own = Lowered::default();
        own.schema.at = spot.node.at;
        own.schema.pointer = spot.pointer.clone();
        match &spot.node.value {
            Value::Bool(allows) => own.schema.never = !allows,
            Value::Object(_) => return self.lower_object(spot, parameter, own),
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                self.unexpected(spot, "schema", "an object");
            }
        }
        own.schema.name = self.arena.names.get(&spot.address()).cloned();
        own
    }

    fn lower_object(
        &mut self,
        spot: &Spot<'a>,
        parameter: bool,
        mut own: Lowered<'a>,
    ) -> Lowered<'a> {
        let is_ref = spot.reference().is_some();
        let describing_only = is_ref && self.version != Version::V31;
        for (key, child) in spot.members() {
            if describing_only && !DESCRIBING.contains(&key) {
                continue;
            }
            if parameter && matches!(key, "name" | "in" | "description" | "allowEmptyValue") {
                continue;
            }
            self.keyword(&mut own, key, &child);
        }
        if !parameter {
            self.required(&mut own.schema, spot);
        }
        self.additional(&mut own.schema, spot);
        self.exclusive(&mut own.schema, spot);

        let mut members: Vec<(SchemaId, Spot<'a>)> = Vec::new();
        if let Some(reference) = spot.reference() {
            match self.follow(spot.document, reference, 0) {
                Ok(target) => members.push((self.schema_id(&target), spot.clone())),
                Err(reason) => self.dangling(spot, reference, &reason),
            }
        }
        if !describing_only && let Some(all) = self.list(spot, "allOf") {
            for member in all.items() {
                members.push((self.schema_id(&member), member));
            }
        }
        let mut nullable = self.nullable(spot);
        if !describing_only && let Some(single) = self.unions(&mut own, spot, &mut nullable) {
            members.push(single);
        }

        let mut seen = HashSet::new();
        members.retain(|(id, _)| seen.insert(*id));
        let plain = members.len() == 1 && says_nothing(&own.schema);
        let before = members.len();
        infer(&mut own);
        let mut parts: Vec<(Lowered<'a>, Spot<'a>)> = Vec::new();
        for (id, place) in members {
            if let Some(part) = self.part(id, &place) {
                parts.push((part, place));
            }
        }
        // A lone member with nothing but words around it is that member still.
        let wrapper = parts.len() == 1 && before == 1 && plain;
        let lone_name = if wrapper { parts[0].0.schema.name.clone() } else { None };
        let (at, pointer) = (own.schema.at, own.schema.pointer.clone());
        let mut merged: Option<Lowered<'a>> = None;
        for (part, place) in parts {
            merged = Some(match merged {
                None => part,
                Some(before) => self.combine(&place, before, part),
            });
        }
        let mut whole = match merged {
            None => own,
            Some(mut before) => {
                if before.schema.variants.is_empty() && !wrapper {
                    // What tells the heirs of a base apart says nothing about one heir.
                    before.schema.discriminator = None;
                }
                self.combine(spot, before, own)
            }
        };
        if nullable {
            allow_null(&mut whole.schema);
            whole.null_folded = true;
        }
        whole.schema.at = at;
        whole.schema.pointer = pointer;
        whole.schema.name = self.arena.names.get(&spot.address()).cloned().or(lone_name);
        whole
    }

    fn keyword(&mut self, own: &mut Lowered<'a>, key: &str, child: &Spot<'a>) {
        let schema = &mut own.schema;
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
                Some(values) => schema.values = Some(distinct(values)),
                None => self.unexpected(child, key, "a list"),
            },
            "const" => schema.values = Some(vec![child.node.clone()]),
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
            "multipleOf" => schema.multiple_of = self.bound(key, child).map(|b| b.value),
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
            key if KEPT.contains(&key) => {
                schema.other.insert(key.to_owned(), child.node.clone());
            }
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

    fn truth(&mut self, key: &str, child: &Spot<'a>) -> bool {
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
                match super::scalar::plain(text) {
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
        self.unexpected(child, key, "a count");
        None
    }

    /// Reads `type`; whether it names any.
    fn types(&mut self, schema: &mut Schema, child: &Spot<'a>) -> bool {
        let names = match &child.node.value {
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

    fn required(&mut self, schema: &mut Schema, spot: &Spot<'a>) {
        let Some(child) = spot.get("required") else { return };
        if let Value::Bool(_) = child.node.value {
            // JSON Schema 3 and the OpenAPI parameter object say it so; here it has no meaning.
            self.unexpected(&child, "required", "a list of property names");
            return;
        }
        schema.required.extend(self.texts(spot, "required"));
    }

    fn additional(&mut self, schema: &mut Schema, spot: &Spot<'a>) {
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

    fn exclusive(&mut self, schema: &mut Schema, spot: &Spot<'a>) {
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

    fn nullable(&mut self, spot: &Spot<'a>) -> bool {
        let said = |key| spot.node.get(key).and_then(Node::as_bool) == Some(true);
        said("nullable") || (self.version == Version::V2 && said("x-nullable"))
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
    values.iter().filter(|v| seen.insert(v.to_json_text())).cloned().collect()
}

/// Lets `null` in, where not everything is allowed anyway.
pub(super) fn allow_null(schema: &mut Schema) {
    if schema.types != Types::default() {
        schema.types.null = true;
    }
    if let Some(values) = &mut schema.values
        && !values.iter().any(|v| v.value == Value::Null)
    {
        values.push(Node::made(Value::Null));
    }
}

/// Whether a schema only describes.
fn says_nothing(schema: &Schema) -> bool {
    let bare = Schema {
        title: schema.title.clone(),
        description: schema.description.clone(),
        default: schema.default.clone(),
        examples: schema.examples.clone(),
        read_only: schema.read_only,
        write_only: schema.write_only,
        deprecated: schema.deprecated,
        at: schema.at,
        pointer: schema.pointer.clone(),
        ..Schema::default()
    };
    bare == *schema
}

/// Finds the types that other keywords speak of, where none are written.
fn infer(lowered: &mut Lowered<'_>) {
    let schema = &mut lowered.schema;
    if schema.types != Types::default() {
        return;
    }
    if let Some(values) = &schema.values {
        for value in values {
            match &value.value {
                Value::Null => schema.types.null = true,
                Value::Bool(_) => schema.types.boolean = true,
                Value::Number(n) if n.as_i64().is_some() => schema.types.integer = true,
                Value::Number(_) => schema.types.number = true,
                Value::String(_) => schema.types.string = true,
                Value::Array(_) => schema.types.array = true,
                Value::Object(_) => schema.types.object = true,
            }
        }
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
