//! `oneOf`, `anyOf` and `discriminator`.

use std::collections::{HashMap, HashSet};

use super::arena::Lowered;
use super::documents::Missing;
use super::fields::Known;
use super::heirs::HEIRS;
use super::lower::{Lowerer, Spot};
use crate::diagnostic::reading;
use crate::ir::{Discriminator, SchemaId, Types, VariantKind};
use crate::source::{Node, Value};

impl<'a> Lowerer<'a, '_> {
    /// Reads the variants at `spot` into `own`. A single one is returned instead, to be merged in;
    /// a `null` variant sets `nullable`.
    pub(super) fn unions(
        &mut self,
        own: &mut Lowered<'a>,
        spot: &Spot<'a>,
        nullable: &mut bool,
    ) -> Vec<(SchemaId, Spot<'a>)> {
        let mut singles = Vec::new();
        let mut found = false;
        let mut named: Vec<(String, SchemaId)> = Vec::new();
        for (key, kind) in [("oneOf", VariantKind::OneOf), ("anyOf", VariantKind::AnyOf)] {
            let Some(list) = self.list(spot, key) else { continue };
            let written = list.items();
            if written.is_empty() {
                continue;
            }
            if found {
                // One list of variants is all that a schema can hold.
                own.schema.other.insert(key.to_owned(), list.node.clone());
                for item in &written {
                    let id = self.schema_id(item);
                    own.maybe.push(id);
                }
                self.unchecked(key, &list);
                continue;
            }
            let mut variants: Vec<(SchemaId, Spot<'a>)> = Vec::new();
            let mut seen = HashSet::new();
            let mut null = false;
            for item in written {
                if self.is_null(&item) {
                    null = true;
                    continue;
                }
                let id = self.schema_id(&item);
                if let Some(name) = item.reference().and_then(last_step) {
                    named.push((name, id));
                }
                if seen.insert(id) {
                    variants.push((id, item));
                }
            }
            let types = own.schema.types;
            *nullable |= null && (types == Types::default() || types.null);
            match variants.len() {
                0 => {
                    if null && types == Types::default() {
                        own.schema.types.null = true;
                        own.declared = true;
                    }
                }
                1 => singles.append(&mut variants),
                _ => {
                    found = true;
                    own.schema.variants = variants.into_iter().map(|(id, _)| id).collect();
                    own.schema.variant_kind = kind;
                    own.union = Some((key, list.node));
                }
            }
        }
        self.discriminator(own, spot, &named);
        singles
    }

    /// Whether a variant is the null type and nothing else.
    fn is_null(&self, spot: &Spot<'a>) -> bool {
        let Ok(place) = self.try_resolve(spot) else { return false };
        let null_value = |n: &Node| n.value == Value::Null;
        let null_type = |n: &Node| n.as_str() == Some("null") || null_value(n);
        let lone = |n: &Node, test: &dyn Fn(&Node) -> bool| {
            n.as_array().is_some_and(|list| list.len() == 1 && test(&list[0]))
        };
        let node = place.node;
        // Some generators for version 3.0 write `{nullable: true}` beside the real variant.
        let only_nullable = node.as_object().is_some_and(|map| {
            let words = |key: &String| matches!(key.as_str(), "nullable" | "title" | "description");
            map.get("nullable").and_then(Node::as_bool) == Some(true) && map.keys().all(words)
        });
        if only_nullable {
            return true;
        }
        node.get("type").is_some_and(|n| null_type(n) || lone(n, &null_type))
            || node.get("const").is_some_and(null_value)
            || node.get("enum").is_some_and(|n| lone(n, &null_value))
    }

    fn discriminator(
        &mut self,
        own: &mut Lowered<'a>,
        spot: &Spot<'a>,
        named: &[(String, SchemaId)],
    ) {
        let Some(place) = spot.get("discriminator") else { return };
        // Swagger 2.0 says only the name of the property.
        if let Some(property) = place.node.as_str() {
            let mut discriminator =
                Discriminator { property: property.to_owned(), ..Discriminator::default() };
            if own.schema.variants.is_empty() {
                self.map_heirs(&mut discriminator, spot, &[]);
            }
            self.note_many(&discriminator, &place);
            own.schema.discriminator = Some(discriminator);
            self.arena.discriminators.push((place, spot.address()));
            return;
        }
        if place.node.as_object().is_none() {
            self.unexpected(&place, "discriminator", "an object");
            return;
        }
        self.known_fields(&place, Known::Discriminator);
        let Some(property) = self.text(&place, "propertyName") else {
            self.report(
                &reading::UNEXPECTED_VALUE,
                &place,
                "a `discriminator` needs a `propertyName`; it is ignored",
            );
            return;
        };
        let mut mapped: Vec<(String, SchemaId)> = Vec::new();
        let mut mapped_at: Vec<(String, SchemaId, usize)> = Vec::new();
        if let Some(mapping) = self.object(&place, "mapping") {
            for (value, target) in mapping.members() {
                let Some(reference) = target.node.as_str() else {
                    self.unexpected(&target, "mapping", "a reference");
                    continue;
                };
                let found = self
                    .component(&place, reference)
                    .map_or_else(|| self.follow(&place, reference, 0), Ok);
                match found {
                    Ok(schema) => {
                        let id = self.schema_id(&schema);
                        mapped.push((value.to_owned(), id));
                        let end = self.try_resolve(&schema).map_or(0, |end| end.address());
                        mapped_at.push((value.to_owned(), id, end));
                    }
                    Err(missing) => {
                        let Missing { code, reason, help } = missing;
                        let message = format!("`{reference}` in `mapping` leads nowhere: {reason}");
                        let finding = self.report(code, &target, message);
                        if let Some(help) = help {
                            finding.help(help);
                        }
                    }
                }
            }
        }
        let mut values: HashMap<SchemaId, Vec<&String>> = HashMap::new();
        for (value, id) in &mapped {
            values.entry(*id).or_default().push(value);
        }
        let explicit: HashSet<SchemaId> = values.keys().copied().collect();
        for (name, id) in named.iter().filter(|(_, id)| !explicit.contains(id)) {
            values.entry(*id).or_default().push(name);
        }
        let mut discriminator = Discriminator { property, ..Discriminator::default() };
        for id in &own.schema.variants {
            for value in values.remove(id).unwrap_or_default() {
                discriminator.mapping.entry(value.clone()).or_insert(*id);
            }
        }
        drop(values);
        if own.schema.variants.is_empty() {
            self.map_heirs(&mut discriminator, spot, &mapped);
        }
        let listed = !named.is_empty() || !own.schema.variants.is_empty();
        let written: Vec<usize> = self.written_variants(spot);
        for (value, target, address) in mapped_at {
            if listed && !written.contains(&address) {
                let message = format!(
                    "`{value}` in `mapping` leads to a schema that is not among the variants; it is left out"
                );
                let target = place.get("mapping").and_then(|m| m.get(&value));
                let target = target.unwrap_or_else(|| place.clone());
                self.report(&reading::DISCRIMINATOR_WITHOUT_EFFECT, &target, message);
                continue;
            }
            discriminator.mapping.entry(value).or_insert(target);
        }
        self.arena.discriminators.push((place.clone(), spot.address()));
        if own.schema.variants.is_empty() {
            self.note_many(&discriminator, &place);
        }
        own.schema.discriminator = Some(discriminator);
    }

    /// Where the variants at `spot` end, behind their references.
    fn written_variants(&self, spot: &Spot<'a>) -> Vec<usize> {
        let lists = ["oneOf", "anyOf"].iter().filter_map(|key| spot.get(key));
        let items: Vec<Spot<'a>> = lists.flat_map(|list| list.items()).collect();
        items.iter().filter_map(|item| self.try_resolve(item).ok()).map(|s| s.address()).collect()
    }

    /// A base that names no variants has those that are made of it.
    fn map_heirs(
        &mut self,
        discriminator: &mut Discriminator,
        spot: &Spot<'a>,
        mapped: &[(String, SchemaId)],
    ) {
        let known: HashSet<SchemaId> = mapped.iter().map(|(_, id)| *id).collect();
        for (name, heir) in self.heirs_of(spot) {
            let id = self.schema_id(&heir);
            if !known.contains(&id) {
                discriminator.mapping.entry(name).or_insert(id);
            }
        }
    }

    /// Says so when a base has more heirs than are offered.
    fn note_many(&mut self, discriminator: &Discriminator, place: &Spot<'a>) {
        let (count, property) = (discriminator.mapping.len(), &discriminator.property);
        if count > HEIRS {
            let message = format!(
                "`{property}` tells {count} schemas apart; only what they have in common is offered"
            );
            self.report(&reading::TOO_MANY_SUBTYPES, place, message)
                .help("list those that a request may hold under `oneOf`");
        }
    }

    /// The schema that `mapping` names without a path.
    fn component(&self, from: &Spot<'a>, name: &str) -> Option<Spot<'a>> {
        if name.contains(['/', '#']) {
            return None;
        }
        let escaped = name.replace('~', "~0");
        ["components/schemas", "definitions"]
            .iter()
            .find_map(|place| self.follow(from, &format!("#/{place}/{escaped}"), 0).ok())
    }
}

/// The name at the end of a reference into the components.
fn last_step(reference: &str) -> Option<String> {
    let (_, name) = reference.rsplit_once('/')?;
    let name = name.replace("~1", "/").replace("~0", "~");
    let name = super::documents::percent_decoded(&name);
    let stem = name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml"));
    let stem = stem.or_else(|| name.strip_suffix(".json"));
    Some(stem.map_or_else(|| name.clone(), str::to_owned))
}

/// Gives schemas whose types are those of their variants the union of these.
pub(super) fn settle_types(all: &mut [Lowered<'_>]) {
    let any = Types::default();
    let open = |l: &Lowered<'_>| l.schema.types == any && !l.schema.variants.is_empty();
    // Variants may be unions themselves. Types are set once all variants have theirs; a circle of
    // unions never gets any, and then allows any.
    let mut waiting: Vec<usize> =
        all.iter().enumerate().filter(|(_, l)| open(l)).map(|(i, _)| i).collect();
    for _ in 0..16 {
        let mut rest = Vec::new();
        for &index in &waiting {
            let mut union = any;
            let mut known = true;
            for id in &all[index].schema.variants {
                let variant = &all[id.0 as usize].schema;
                if variant.types == any && !variant.never {
                    known = false;
                    break;
                }
                union = join(union, variant.types);
            }
            if known {
                union.null |= all[index].null_folded && union != any;
                all[index].schema.types = union;
            } else {
                rest.push(index);
            }
        }
        if rest.len() == waiting.len() {
            break;
        }
        waiting = rest;
    }
    // A variant without types allows anything, `null` among it: no word of types is needed then.
}

fn join(a: Types, b: Types) -> Types {
    Types {
        null: a.null || b.null,
        boolean: a.boolean || b.boolean,
        integer: a.integer || b.integer,
        number: a.number || b.number,
        string: a.string || b.string,
        array: a.array || b.array,
        object: a.object || b.object,
    }
}
