//! Two schemas that hold at once, as one.

use std::cmp::Ordering;

use indexmap::IndexMap;

use super::arena::Lowered;
use super::bounds;
use super::lower::{Lowerer, Spot};
use crate::diagnostic::reading;
use crate::ir::{Additional, Bound, Schema, SchemaId, Types};
use crate::source::{Node, Number, Value};

impl<'a> Lowerer<'a, '_> {
    /// What fits both. Where words only describe, those of `next` win. Contradictions are reported
    /// at `spot`.
    pub(super) fn combine(
        &mut self,
        spot: &Spot<'a>,
        before: Lowered<'a>,
        next: Lowered<'a>,
    ) -> Lowered<'a> {
        let (types, declared) = self.combine_types(spot, &before, &next);
        let values = self.combine_values(spot, &before.schema, &next.schema);
        let sides = [bounds::Bounds::of(&before.schema), bounds::Bounds::of(&next.schema)];
        let mut out = Lowered {
            declared,
            null_folded: before.null_folded || next.null_folded,
            union: before.union,
            maybe: before.maybe,
            schema: before.schema,
        };
        out.maybe.extend(next.maybe);
        let a = &mut out.schema;
        let b = next.schema;
        a.types = types;
        a.values = values;
        for (old, new) in [
            (&mut a.title, b.title),
            (&mut a.description, b.description),
            (&mut a.format, b.format),
            (&mut a.content_media_type, b.content_media_type),
            (&mut a.content_encoding, b.content_encoding),
        ] {
            if new.is_some() {
                *old = new;
            }
        }
        if b.default.is_some() {
            a.default = b.default;
        }
        if !b.examples.is_empty() {
            a.examples = b.examples;
        }
        a.minimum = tighter(a.minimum.take(), b.minimum, true);
        a.maximum = tighter(a.maximum.take(), b.maximum, false);
        a.min_length = a.min_length.max(b.min_length);
        a.min_items = a.min_items.max(b.min_items);
        a.min_properties = a.min_properties.max(b.min_properties);
        a.max_length = least(a.max_length, b.max_length);
        a.max_items = least(a.max_items, b.max_items);
        a.max_properties = least(a.max_properties, b.max_properties);
        a.unique_items |= b.unique_items;
        a.read_only |= b.read_only;
        a.write_only |= b.write_only;
        a.deprecated |= b.deprecated;
        a.never |= b.never;
        a.required.extend(b.required);
        let mut kept: Vec<(&str, Node)> = Vec::new();
        match (&a.pattern, b.pattern) {
            (Some(old), Some(new)) if *old != new => {
                kept.push(("pattern", Node::made(Value::String(new))));
            }
            (None, new) => a.pattern = new,
            (Some(_), _) => {}
        }
        match (&a.multiple_of, b.multiple_of) {
            (Some(old), Some(new)) if *old != new => {
                kept.push(("multipleOf", Node::made(Value::Number(new))));
            }
            (None, new) => a.multiple_of = new,
            (Some(_), _) => {}
        }
        if a.variants.is_empty() {
            a.variants = b.variants;
            a.variant_kind = b.variant_kind;
            out.union = next.union;
            if b.discriminator.is_some() || !a.variants.is_empty() {
                a.discriminator = b.discriminator;
            }
        } else if !b.variants.is_empty() && a.variants != b.variants {
            out.maybe.extend(b.variants);
            if let Some((keyword, node)) = next.union {
                kept.push((keyword, node.clone()));
            }
        } else if b.discriminator.is_some() {
            a.discriminator = b.discriminator;
        }
        let held: Vec<&str> = kept.iter().map(|(key, _)| *key).collect();
        let mut lost = Vec::new();
        let others = b.other.into_iter().chain(kept.into_iter().map(|(k, n)| (k.to_owned(), n)));
        for (key, node) in others {
            match a.other.get(&key) {
                Some(old) if *old != node => lost.push(key),
                Some(_) => {}
                None => {
                    a.other.insert(key, node);
                }
            }
        }
        let additional = (a.additional, b.additional);
        let mut properties = std::mem::take(&mut a.properties);
        let mut patterns = std::mem::take(&mut a.pattern_properties);
        let mut prefix = std::mem::take(&mut a.prefix_items);
        let items = (a.items, b.items);

        self.combine_members(&mut properties, b.properties);
        self.combine_members(&mut patterns, b.pattern_properties);
        for (i, id) in b.prefix_items.into_iter().enumerate() {
            match prefix.get(i) {
                Some(old) => prefix[i] = self.merged_id(&[*old, id]),
                None => prefix.push(id),
            }
        }
        out.schema.properties = properties;
        out.schema.pattern_properties = patterns;
        out.schema.prefix_items = prefix;
        out.schema.items = match items {
            (Some(old), Some(new)) => Some(self.merged_id(&[old, new])),
            (old, new) => old.or(new),
        };
        out.schema.additional = match additional {
            (Additional::Forbidden, _) | (_, Additional::Forbidden) => Additional::Forbidden,
            (Additional::Schema(old), Additional::Schema(new)) => {
                Additional::Schema(self.merged_id(&[old, new]))
            }
            (Additional::Schema(id), _) | (_, Additional::Schema(id)) => Additional::Schema(id),
            (Additional::Any, _) | (_, Additional::Any) => Additional::Any,
            (Additional::Unsaid, Additional::Unsaid) => Additional::Unsaid,
        };
        for key in held {
            self.unchecked(key, spot);
        }
        // These do not contradict: each holds, and one of them is kept to look at.
        for key in lost {
            self.unchecked(&key, spot);
        }
        for (low, high) in bounds::settle(&mut out.schema, &sides) {
            let message = format!("{low} and {high} exclude each other; the last one counts");
            self.report(&reading::ALL_OF_CONFLICT, spot, message);
        }
        out
    }

    fn combine_members(
        &mut self,
        into: &mut IndexMap<String, SchemaId>,
        from: IndexMap<String, SchemaId>,
    ) {
        for (name, id) in from {
            match into.get(&name) {
                Some(old) if *old != id => {
                    let both = self.merged_id(&[*old, id]);
                    into.insert(name, both);
                }
                Some(_) => {}
                None => {
                    into.insert(name, id);
                }
            }
        }
    }

    fn combine_types(
        &mut self,
        spot: &Spot<'a>,
        before: &Lowered<'a>,
        next: &Lowered<'a>,
    ) -> (Types, bool) {
        let (a, b) = (before.schema.types, next.schema.types);
        let any = Types::default();
        match (before.declared && a != any, next.declared && b != any) {
            (true, false) => (a, true),
            (false, true) => (b, true),
            (false, false) => (if a == any { b } else { a }, false),
            (true, true) => {
                let both = intersect(a, b);
                if both == any {
                    self.report(
                        &reading::ALL_OF_CONFLICT,
                        spot,
                        "schemas that hold together have types that exclude each other; the last one counts",
                    );
                    (b, true)
                } else {
                    (both, true)
                }
            }
        }
    }

    fn combine_values(
        &mut self,
        spot: &Spot<'a>,
        before: &Schema,
        next: &Schema,
    ) -> Option<Vec<Node>> {
        match (&before.values, &next.values) {
            (Some(a), Some(b)) => {
                let both = common(a, b);
                if both.is_empty() {
                    self.report(
                        &reading::ALL_OF_CONFLICT,
                        spot,
                        "schemas that hold together have values that exclude each other; the last one counts",
                    );
                    return Some(b.clone());
                }
                Some(both)
            }
            (a, b) => a.clone().or_else(|| b.clone()),
        }
    }
}

/// The values that both lists have.
pub(super) fn common(a: &[Node], b: &[Node]) -> Vec<Node> {
    let texts: std::collections::HashSet<_> = b.iter().map(Node::canonical_text).collect();
    a.iter().filter(|v| texts.contains(&v.canonical_text())).cloned().collect()
}

fn intersect(a: Types, b: Types) -> Types {
    Types {
        null: a.null && b.null,
        boolean: a.boolean && b.boolean,
        integer: (a.integer && (b.integer || b.number)) || (b.integer && a.number),
        number: a.number && b.number,
        string: a.string && b.string,
        array: a.array && b.array,
        object: a.object && b.object,
    }
}

fn least(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// The bound that allows less; `lower` says which side it is.
pub(super) fn tighter(a: Option<Bound>, b: Option<Bound>, lower: bool) -> Option<Bound> {
    let (Some(a), Some(b)) = (a.clone(), b.clone()) else { return a.or(b) };
    let order = compare(&a.value, &b.value);
    let order = if lower { order } else { order.reverse() };
    Some(match order {
        Ordering::Less => b,
        Ordering::Greater => a,
        Ordering::Equal => Bound { exclusive: a.exclusive || b.exclusive, value: a.value },
    })
}

pub(super) fn compare(a: &Number, b: &Number) -> Ordering {
    match (a.0.parse::<i128>(), b.0.parse::<i128>()) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        _ => a.as_f64().total_cmp(&b.as_f64()),
    }
}
