//! One schema, normalised up to JSON Schema 2020-12.

use std::collections::HashSet;

use super::arena::Lowered;
use super::detect::Version;
use super::follow::Written;
use super::keyword::infer;
use super::lower::{Lowerer, Spot};
use crate::diagnostic::reading;
use crate::ir::{Additional, Schema, SchemaId, Types};
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

/// What stands beside `$ref`.
#[derive(Default)]
pub(super) struct Siblings<'a> {
    /// Whether something counts.
    pub counts: bool,
    /// What does not.
    pub ignored: Vec<Spot<'a>>,
    /// What counts against the letter of the version.
    pub taken: Vec<Spot<'a>>,
}

impl<'a> Lowerer<'a, '_> {
    /// Whether something beside `$ref` counts. What does not is reported, and what counts although
    /// the version says otherwise.
    pub(super) fn has_siblings(&mut self, spot: &Spot<'a>) -> bool {
        let Siblings { counts, ignored, taken } = self.siblings(spot);
        let name = |place: &Spot<'a>| place.pointer.steps().last().unwrap_or_default();
        if let Some(place) = ignored.first() {
            let keys: Vec<_> = ignored.iter().map(|place| format!("`{}`", name(place))).collect();
            let (have, are) = if keys.len() > 1 { ("have", "are") } else { ("has", "is") };
            let keys = keys.join(", ");
            self.report(
                &reading::IGNORED_REF_SIBLING,
                place,
                format!(
                    "{keys} beside `$ref` {have} no meaning before OpenAPI 3.1 and {are} ignored"
                ),
            )
            .help("put both into `allOf`");
        }
        for place in taken {
            let key = name(&place);
            if self.said.insert(format!("sibling {key}")) {
                self.report(
                    &reading::TAKEN_REF_SIBLING,
                    &place,
                    format!("`{key}` beside `$ref` has no meaning before OpenAPI 3.1; it is taken all the same"),
                )
                .help("put both into `allOf`");
            }
        }
        counts
    }

    /// What stands beside `$ref`.
    pub(super) fn siblings(&self, spot: &Spot<'a>) -> Siblings<'a> {
        let mut all = Siblings::default();
        let Some(map) = spot.node.as_object() else { return all };
        let followed = self.schema_reference(spot).map_or("$ref", |written| written.key);
        for (key, node) in map {
            let means_null =
                key == "nullable" || (self.version == Version::V2 && key == "x-nullable");
            let silent =
                key == followed || WITHOUT_EFFECT.contains(&key.as_str()) || key.starts_with("x-");
            if silent && !means_null {
                continue;
            }
            if self.version == Version::V31 {
                all.counts = true;
            } else if DESCRIBING.contains(&key.as_str()) || means_null {
                all.counts = true;
                // Words are written beside `$ref` everywhere, and harm nobody.
                if !matches!(key.as_str(), "title" | "description") {
                    all.taken.push(spot.child(key, node));
                }
            } else {
                all.ignored.push(spot.child(key, node));
            }
        }
        all
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
        self.impossible_bounds(&mut own.schema, spot);
        self.one_way(&mut own.schema, spot);
        if !describing_only {
            self.empty_lists(spot);
        }

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
                let is_heir = |own| {
                    let known = part.schema.discriminator.as_ref();
                    known.is_some_and(|d| d.mapping.values().any(|heir| *heir == own))
                };
                if own_id.is_some_and(is_heir) {
                    part.schema.discriminator = None;
                }
                parts.push((part, place));
            }
        }
        // A lone member with nothing but words around it is that member still.
        let wrapper = parts.len() == 1 && before == 1 && plain;
        let same_members = parts.len() == 1 && before == 1 && adds_no_member(&own.schema);
        let lone_name = if wrapper { parts[0].0.schema.name.clone() } else { None };
        let (at, pointer) = (own.schema.at, own.schema.pointer.clone());
        let shut = spot.get("additionalProperties").and_then(|p| p.node.as_bool()) == Some(false);
        let alone = if shut && !parts.is_empty() { Some(&own) } else { None };
        let closed: Vec<Vec<String>> = parts
            .iter()
            .map(|(part, _)| part)
            .chain(alone)
            .filter(|l| l.schema.additional == Additional::Forbidden)
            .filter(|l| l.schema.pattern_properties.is_empty() && l.schema.variants.is_empty())
            .map(|l| l.schema.properties.keys().cloned().collect())
            .collect();
        let mut merged: Option<Lowered<'a>> = None;
        for (part, place) in parts {
            merged = Some(match merged {
                None => part,
                Some(before) => {
                    self.differing_words(&place, &before.schema, &part.schema);
                    self.combine(&place, before, part)
                }
            });
        }
        let mut whole = match merged {
            None => own,
            Some(mut before) => {
                if before.schema.variants.is_empty() && !same_members {
                    // What tells the heirs of a base apart says nothing about one heir.
                    before.schema.discriminator = None;
                }
                self.combine(spot, before, own)
            }
        };
        self.closed_members(spot, &closed, &whole);
        if whole.schema.never {
            let message =
                "one of the schemas that hold together is `false`, so no value is allowed";
            self.report(&reading::ALL_OF_CONFLICT, spot, message);
        }
        if nullable {
            allow_null(&mut whole.schema);
            whole.null_folded = true;
        }
        self.move_values(spot, &mut whole);
        self.convert_values(spot, &mut whole);
        whole.schema.at = at;
        whole.schema.pointer = pointer;
        whole.schema.name = self.arena.names.get(&spot.address()).cloned().or(lone_name);
        whole
    }

    fn nullable(&mut self, spot: &Spot<'a>) -> bool {
        let extension = if self.version == Version::V2 { "x-nullable" } else { "nullable" };
        ["nullable", extension]
            .into_iter()
            .any(|key| spot.get(key).is_some_and(|place| self.truth(key, &place)))
    }

    /// Reports a property that is in neither requests nor responses; it is read as one of both.
    fn one_way(&mut self, schema: &mut Schema, spot: &Spot<'a>) {
        if schema.read_only && schema.write_only {
            let place = spot.get("writeOnly").unwrap_or_else(|| spot.clone());
            let message = "`readOnly` and `writeOnly` exclude each other; neither counts";
            self.report(&reading::UNEXPECTED_VALUE, &place, message);
            schema.read_only = false;
            schema.write_only = false;
        }
    }

    /// Reports a list of schemas that has none.
    fn empty_lists(&mut self, spot: &Spot<'a>) {
        for key in ["allOf", "oneOf", "anyOf"] {
            let list =
                spot.get(key).filter(|list| list.node.as_array().is_some_and(<[_]>::is_empty));
            if let Some(list) = list {
                let message = format!("`{key}` lists no schema and is left out");
                self.report(&reading::UNEXPECTED_VALUE, &list, message);
            }
        }
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

/// Whether a schema says nothing about the members of an object.
fn adds_no_member(schema: &Schema) -> bool {
    schema.properties.is_empty()
        && schema.required.is_empty()
        && schema.pattern_properties.is_empty()
        && schema.additional == Additional::Unsaid
        && schema.variants.is_empty()
        && schema.values.is_none()
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
