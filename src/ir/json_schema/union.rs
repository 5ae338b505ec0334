//! What a value may be when it fits one of several schemas.

use indexmap::IndexSet;
use serde_json::{Map, Value as Json};

use super::super::prose::{clean, first_sentence};
use super::words;
use super::{Fields, scalar};
use crate::ir::{Additional, Api, Schema, SchemaId, Types};
use crate::source::Value;

/// How deep unions may lead into unions, and how many parts are looked at.
const DEPTH: usize = 6;
const PARTS: usize = 64;

/// How an argument writes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An object.
    Object,
    /// A list.
    Array,
    /// `string`, `integer`, `number` or `boolean`.
    Scalar(&'static str),
    /// JSON text, for what no single type can hold.
    Json,
}

/// The alternatives of a value.
pub struct Union<'a> {
    api: &'a Api,
    /// The schema that was asked for.
    head: Option<&'a Schema>,
    /// Unions above the parts: what they say holds for each of their parts.
    bases: Vec<&'a Schema>,
    /// The alternatives, with the types that hold for them.
    pub parts: Vec<(&'a Schema, Types)>,
    /// Whether the empty string is an alternative of its own.
    clearing: bool,
    /// Whether a part without any rule stands for `null`.
    null: bool,
}

impl<'a> Union<'a> {
    /// Collects the alternatives of `ids`.
    pub fn of(api: &'a Api, ids: &[SchemaId]) -> Self {
        let head = ids.first().map(|id| api.schema(*id));
        let mut union =
            Self { api, head, bases: Vec::new(), parts: Vec::new(), clearing: false, null: false };
        for id in ids {
            union.collect(*id, Types::default(), 0);
        }
        // `anyOf: [X, {nullable: true}]` is how some tools write "X or null".
        let says: Vec<_> = union.parts.iter().copied().filter(|(s, _)| !says_nothing(s)).collect();
        if !says.is_empty() && says.len() < union.parts.len() {
            union.null = true;
            union.parts = says;
        }
        let rest: Vec<_> = union.parts.iter().copied().filter(|(s, _)| !only_empty(s)).collect();
        if !rest.is_empty() && rest.len() < union.parts.len() {
            union.clearing = true;
            union.parts = rest;
        }
        union
    }

    fn collect(&mut self, id: SchemaId, inherited: Types, depth: usize) {
        if self.parts.len() >= PARTS {
            return;
        }
        let schema = self.api.schema(id);
        let types = if schema.types == Types::default() { inherited } else { schema.types };
        if schema.variants.is_empty() || depth >= DEPTH {
            if !schema.never {
                self.parts.push((schema, types));
            }
            return;
        }
        self.bases.push(schema);
        for variant in &schema.variants {
            self.collect(*variant, types, depth + 1);
        }
    }

    /// How an argument writes the value.
    pub fn kind(&self) -> Kind {
        let mut all = Types::default();
        for (_, types) in &self.parts {
            if *types == Types::default() {
                return self.kind_of_anything();
            }
            all.boolean |= types.boolean;
            all.integer |= types.integer;
            all.number |= types.number;
            all.string |= types.string;
            all.array |= types.array;
            all.object |= types.object;
        }
        let scalar = match (all.string, all.number || all.integer, all.boolean) {
            (false, false, false) => None,
            (false, true, false) if all.number => Some("number"),
            (false, true, false) => Some("integer"),
            (false, false, true) => Some("boolean"),
            _ => Some("string"),
        };
        match (all.object, all.array, scalar) {
            (true, false, None) => Kind::Object,
            (false, true, None) => Kind::Array,
            (false, false, Some("integer")) if self.exceeds_doubles() => Kind::Scalar("string"),
            (false, false, Some(kind)) => Kind::Scalar(kind),
            (false, false, None) => Kind::Scalar("string"),
            // Free text can be put into an object or a list where these are allowed; JSON text
            // could not be told from free text.
            (true, _, Some(_)) if self.has_free_text() && self.has_fields() => Kind::Object,
            (false, true, Some(_)) if self.has_free_text() || self.lists_hold_scalars() => {
                Kind::Array
            }
            _ => Kind::Json,
        }
    }

    /// A value without any type: what the document shows of it, else an object.
    fn kind_of_anything(&self) -> Kind {
        let shown = self.head.and_then(|h| h.examples.first().or(h.default.as_ref()));
        match shown.map(|n| &n.value) {
            Some(Value::String(_)) => Kind::Scalar("string"),
            Some(Value::Number(_)) => Kind::Scalar("number"),
            Some(Value::Bool(_)) => Kind::Scalar("boolean"),
            Some(Value::Array(_)) => Kind::Array,
            Some(Value::Object(_) | Value::Null) | None => Kind::Object,
        }
    }

    fn has_free_text(&self) -> bool {
        self.parts.iter().any(|(s, t)| t.string && s.values.is_none())
    }

    fn has_fields(&self) -> bool {
        self.parts.iter().chain(&self.base_parts()).any(|(s, _)| !s.properties.is_empty())
    }

    fn base_parts(&self) -> Vec<(&'a Schema, Types)> {
        self.bases.iter().map(|s| (*s, s.types)).collect()
    }

    fn lists_hold_scalars(&self) -> bool {
        let (items, _) = self.items();
        !items.is_empty()
            && items.iter().all(|id| {
                let t = self.api.schema(*id).types;
                !t.object && !t.array && t != Types::default()
            })
    }

    fn exceeds_doubles(&self) -> bool {
        self.parts.iter().any(|(s, _)| {
            let far = |n: &crate::source::Number| n.as_f64().abs() >= 9_007_199_254_740_992.0;
            // Bounds that only restate the width of the type say nothing about values.
            let shown = s.examples.iter().chain(&s.default).filter_map(|n| n.as_number()).any(far);
            let listed = s.values.iter().flatten().filter_map(|n| n.as_number()).any(far);
            let least =
                s.minimum.as_ref().is_some_and(|b| b.value.as_f64() > 9_007_199_254_740_992.0);
            shown || listed || least
        })
    }

    /// Whether every alternative is an object and nothing else.
    pub fn only_objects(&self) -> bool {
        self.parts.iter().all(|(_, t)| {
            t.object && !t.string && !t.number && !t.integer && !t.boolean && !t.array
        })
    }

    fn objects(&self) -> impl Iterator<Item = &'a Schema> + '_ {
        self.parts.iter().filter(|(s, t)| t.object || !s.properties.is_empty()).map(|(s, _)| *s)
    }

    /// The fields of all object alternatives, without those that only responses have.
    pub fn fields(&self) -> Fields<'a> {
        let mut fields = Fields::new();
        for schema in self.bases.iter().copied().chain(self.objects()) {
            for (key, id) in &schema.properties {
                let known = fields.entry(key.as_str()).or_default();
                // A property of the schema `false` must not be there.
                let sent = !self.api.schema(*id).read_only && !self.api.schema(*id).never;
                if sent && !known.contains(id) && known.len() < 16 {
                    known.push(*id);
                }
            }
        }
        fields.retain(|_, ids| !ids.is_empty());
        fields
    }

    /// Whether only responses have the field.
    pub fn is_read_only(&self, key: &str) -> bool {
        self.bases
            .iter()
            .copied()
            .chain(self.objects())
            .any(|s| s.properties.get(key).is_some_and(|id| self.api.schema(*id).read_only))
    }

    /// The fields that every object alternative needs, without those that only responses have.
    pub fn required(&self) -> IndexSet<&'a str> {
        let mut needed: IndexSet<&str> = IndexSet::new();
        // A base of only some of the parts needs nothing of the others.
        if let Some(base) =
            self.bases.first().filter(|b| self.head.is_some_and(|h| std::ptr::eq(h, **b)))
        {
            needed.extend(base.required.iter().map(String::as_str));
        }
        let mut shared: Option<IndexSet<&str>> = None;
        for schema in self.objects() {
            let own: IndexSet<&str> = schema.required.iter().map(String::as_str).collect();
            shared = Some(match shared {
                None => own,
                Some(before) => before.into_iter().filter(|k| own.contains(k)).collect(),
            });
        }
        needed.extend(shared.unwrap_or_default());
        needed.retain(|k| !self.is_read_only(k));
        needed
    }

    /// What other members objects may have: the loosest of the alternatives.
    pub fn additional(&self) -> Additional {
        let all: Vec<Additional> =
            self.objects().chain(self.bases.iter().copied()).map(|s| s.additional).collect();
        let map = all.iter().find(|a| matches!(a, Additional::Schema(_)));
        if let Some(map) = map {
            return *map;
        }
        if all.contains(&Additional::Any) || !self.pattern_fields().is_empty() {
            return Additional::Any;
        }
        let closed =
            !all.is_empty() && self.objects().all(|s| s.additional == Additional::Forbidden);
        if closed { Additional::Forbidden } else { Additional::Unsaid }
    }

    /// Patterns of keys.
    pub fn pattern_fields(&self) -> Vec<&'a str> {
        self.objects().flat_map(|s| s.pattern_properties.keys().map(String::as_str)).collect()
    }

    /// What items of lists may be; and whether lists have a fixed form.
    pub fn items(&self) -> (Vec<SchemaId>, bool) {
        let mut ids: Vec<SchemaId> = Vec::new();
        for (schema, types) in &self.parts {
            if types.array || schema.items.is_some() {
                for id in schema.prefix_items.iter().chain(&schema.items) {
                    if !ids.contains(id) {
                        ids.push(*id);
                    }
                }
            }
        }
        (ids, !self.prefix().is_empty())
    }

    /// The parts of a list with a fixed form.
    pub fn prefix(&self) -> &'a [SchemaId] {
        self.parts
            .iter()
            .map(|(s, _)| s.prefix_items.as_slice())
            .find(|p| !p.is_empty())
            .unwrap_or(&[])
    }

    /// What the document says of the value.
    pub fn description(&self) -> Option<&'a str> {
        let said = |s: &'a Schema| s.description.as_deref().filter(|d| !d.trim().is_empty());
        let head = self.head?;
        said(head)
            .or_else(|| {
                self.parts.first().filter(|_| self.parts.len() == 1).and_then(|(s, _)| said(s))
            })
            .or(head.title.as_deref())
    }

    /// Bounds of lists.
    pub fn array_bounds(&self, schema: &mut Map<String, Json>, say: &mut Vec<String>) {
        let lists: Vec<&Schema> =
            self.parts.iter().filter(|(_, t)| t.array).map(|(s, _)| *s).collect();
        if lists.iter().any(|s| s.unique_items) {
            say.push("No duplicates.".to_owned());
        }
        if self.parts.len() > lists.len() {
            say.push("A single value goes as a list of one.".to_owned());
            return;
        }
        let least = lists.iter().map(|s| s.min_items.unwrap_or(0)).min().unwrap_or(0);
        let most = lists.iter().map(|s| s.max_items.unwrap_or(u64::MAX)).max().unwrap_or(u64::MAX);
        scalar::counts(schema, ("minItems", least), ("maxItems", most), say);
    }

    /// What object alternatives are told apart by.
    pub fn object_words(&self, say: &mut Vec<String>) {
        let objects: Vec<&Schema> = self.objects().collect();
        let most = objects.iter().filter_map(|s| s.max_properties).max();
        let least = objects.iter().filter_map(|s| s.min_properties).min().filter(|n| *n > 0);
        if let (Some(least), 1) = (least, objects.len()) {
            say.push(format!("At least {least} key{}.", if least == 1 { "" } else { "s" }));
        }
        if let (Some(most), 1) = (most, objects.len()) {
            say.push(format!("At most {most} keys."));
        }
        if self.parts.len() > objects.len() {
            let mut others: Vec<String> = Vec::new();
            for (schema, types) in &self.parts {
                let noun = words::noun(self.api, schema, *types);
                let any = *types == Types::default();
                if !any && !types.object && schema.properties.is_empty() && !others.contains(&noun)
                {
                    others.push(noun);
                }
            }
            let others: Vec<&str> = others.iter().map(String::as_str).collect();
            if !others.is_empty() {
                say.push(format!("May also be {}.", words::list(&others, 4)));
            }
        }
        if objects.len() < 2 {
            return;
        }
        let common = self.required();
        let mut variants: Vec<String> = Vec::new();
        let tag = self.tag();
        for schema in &objects {
            let own: Vec<&str> = schema
                .required
                .iter()
                .map(String::as_str)
                .filter(|k| !common.contains(k) && !self.is_read_only(k))
                .collect();
            let label = self.label(schema, tag).unwrap_or_else(|| {
                let keys: Vec<&str> = schema.properties.keys().map(String::as_str).collect();
                words::list(if own.is_empty() { &keys } else { &own }, 3)
            });
            let needs =
                if own.is_empty() { String::new() } else { format!(" ({})", words::list(&own, 5)) };
            let variant =
                if label == words::list(&own, 3) { label } else { format!("{label}{needs}") };
            if !variant.is_empty() && !variants.contains(&variant) {
                variants.push(variant);
            }
        }
        if variants.len() > 1 {
            let count = variants.len();
            let shown: Vec<String> = variants.into_iter().take(8).collect();
            let more = if count > 8 { format!("; {} more", count - 8) } else { String::new() };
            say.push(format!("One of: {}{more}.", shown.join("; ")));
        }
    }

    /// How an object alternative is called: its discriminator, else its title or name.
    fn label(&self, schema: &Schema, tag: Option<&str>) -> Option<String> {
        if let Some(tag) = tag
            && let Some(value) = self.only_value(schema, tag)
        {
            return Some(format!("{tag} `{value}`"));
        }
        for base in &self.bases {
            let Some(discriminator) = &base.discriminator else { continue };
            let target = discriminator
                .mapping
                .iter()
                .find(|(_, id)| std::ptr::eq(self.api.schema(**id), schema));
            if let Some((value, _)) = target {
                return Some(format!("{} `{}`", discriminator.property, clean(value)));
            }
        }
        let title = schema.title.as_deref().or(schema.name.as_deref())?;
        Some(first_sentence(&clean(title)).chars().take(40).collect())
    }

    /// The property that has one fixed value, another one, in each object alternative.
    fn tag(&self) -> Option<&'a str> {
        let objects: Vec<&Schema> = self.objects().collect();
        let first = self.objects().next()?;
        first.properties.keys().map(String::as_str).find(|key| {
            let values: Vec<String> =
                objects.iter().filter_map(|o| self.only_value(o, key)).collect();
            let distinct: IndexSet<&String> = values.iter().collect();
            values.len() == objects.len() && distinct.len() == values.len()
        })
    }

    fn only_value(&self, schema: &Schema, key: &str) -> Option<String> {
        let values = self.api.schema(*schema.properties.get(key)?).values.as_ref()?;
        match values.as_slice() {
            [only] => only.as_str().map(|t| clean(t).chars().take(40).collect()),
            _ => None,
        }
    }

    /// Values of a discriminator that the fields do not list, as the property and its values.
    pub fn discriminator(&self) -> Option<(&'a str, Vec<&'a str>)> {
        let found = self.bases.iter().find_map(|b| b.discriminator.as_ref())?;
        Some((&found.property, found.mapping.keys().map(String::as_str).collect()))
    }

    /// What holds for the value whatever its kind.
    pub fn common_words(&self, say: &mut Vec<String>) {
        let Some(head) = self.head else { return };
        if self.clearing {
            say.push("An empty string clears it.".to_owned());
        }
        if say.iter().any(|w| w == "Always null.") {
            return;
        }
        let null = self.null || self.parts.iter().any(|(_, t)| t.null) || head.types.null;
        if null {
            say.push("May be null.".to_owned());
        }
        if head.deprecated {
            say.push("Deprecated.".to_owned());
        }
        if self.kind() == Kind::Object
            && let Some((property, values)) = self.discriminator()
            && !values.is_empty()
            && !say.iter().any(|w| w.contains(property))
        {
            say.push(format!("`{property}` is one of {}.", words::list(&values, 8)));
        }
    }

    /// The value in a few words, for each of its forms: `a string`.
    pub fn nouns(&self) -> Vec<String> {
        let mut nouns: Vec<String> = Vec::new();
        for (schema, types) in &self.parts {
            let noun = words::noun(self.api, schema, *types);
            if !nouns.contains(&noun) {
                nouns.push(noun);
            }
        }
        nouns
    }

    /// The value in a few words.
    pub fn noun(&self) -> String {
        let mut nouns = self.nouns();
        nouns.truncate(3);
        if nouns.is_empty() { "any value".to_owned() } else { nouns.join(" or ") }
    }

    /// What the JSON text of a value without a single type holds.
    pub fn json_words(&self) -> String {
        let mut nouns: Vec<String> = Vec::new();
        for (schema, types) in &self.parts {
            let noun = match &schema.values {
                Some(values) if types.string => words::values(values, 8),
                _ => words::noun(self.api, schema, *types),
            };
            if !nouns.contains(&noun) {
                nouns.push(noun);
            }
        }
        nouns.truncate(5);
        format!("Takes {}; objects and lists as JSON text.", nouns.join(" or "))
    }
}

/// Whether a schema holds for anything.
fn says_nothing(schema: &Schema) -> bool {
    schema.types == Types::default()
        && schema.values.is_none()
        && schema.properties.is_empty()
        && schema.required.is_empty()
        && schema.items.is_none()
        && schema.pattern.is_none()
        && schema.format.is_none()
        && !matches!(schema.additional, Additional::Schema(_))
}

/// Whether the empty string is all that a schema allows.
fn only_empty(schema: &Schema) -> bool {
    schema.values.as_ref().is_some_and(|values| {
        !values.is_empty()
            && values.iter().all(|v| v.as_str() == Some("") || v.value == Value::Null)
            && values.iter().any(|v| v.as_str() == Some(""))
    })
}
