//! One schema, normalised up to JSON Schema 2020-12.

use std::collections::HashSet;

use super::arena::Lowered;
use super::detect::Version;
use super::follow::Written;
use super::keyword::infer;
use super::lower::{Lowerer, Spot};
use crate::diagnostic::reading;
use crate::ir::{Schema, SchemaId, Types};
use crate::source::{Node, Value};

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

/// Keywords beside `$ref` that say nothing of a value.
const WITHOUT_EFFECT: &[&str] = &[
    "summary",
    "xml",
    "externalDocs",
    "$comment",
    "$schema",
    "$id",
    "$anchor",
    "$dynamicAnchor",
    "$defs",
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
        let followed = self.schema_reference(spot).map_or("$ref", |written| written.key);
        for (key, node) in map {
            let silent =
                key == followed || WITHOUT_EFFECT.contains(&key.as_str()) || key.starts_with("x-");
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
        self.has_text_reference(spot);
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
        let fixed = spot.reference().map(|text| Written { key: "$ref", text });
        for written in fixed.into_iter().chain(self.dynamic_reference(spot)) {
            match self.follow(spot, written.text, 0) {
                Ok(target) => {
                    self.note_dynamic(spot, written);
                    members.push((self.schema_id(&target), spot.clone()));
                }
                Err(missing) => self.dangling(spot, written, &missing),
            }
        }
        if !describing_only && let Some(all) = self.list(spot, "allOf") {
            for member in all.items() {
                members.push((self.schema_id(&member), member));
            }
        }
        let mut nullable = self.nullable(spot);
        if !describing_only {
            members.extend(self.unions(&mut own, spot, &mut nullable));
        }

        let mut seen = HashSet::new();
        members.retain(|(id, _)| seen.insert(*id));
        let plain = members.len() == 1 && says_nothing(&own.schema);
        let before = members.len();
        infer(&mut own);
        let mut parts: Vec<(Lowered<'a>, Spot<'a>)> = Vec::new();
        let own_id = self.id_at(spot);
        for (id, place) in members {
            if let Some(mut part) = self.part(id, &place) {
                if own_id.is_some_and(|own| part.schema.variants.contains(&own)) {
                    // A base that lists its heirs: an heir is one of them already.
                    part.schema.variants.clear();
                    part.schema.discriminator = None;
                    part.union = None;
                }
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
        self.convert_values(spot, &mut whole);
        whole.schema.at = at;
        whole.schema.pointer = pointer;
        whole.schema.name = self.arena.names.get(&spot.address()).cloned().or(lone_name);
        whole
    }

    fn nullable(&mut self, spot: &Spot<'a>) -> bool {
        let said = |key| spot.node.get(key).and_then(Node::as_bool) == Some(true);
        said("nullable") || (self.version == Version::V2 && said("x-nullable"))
    }
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
