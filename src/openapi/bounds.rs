//! Bounds that exclude each other: no value could be right.

use std::cmp::Ordering;

use super::all_of::compare;
use super::arena::Lowered;
use super::lower::{Lowerer, Spot};
use crate::diagnostic::reading;
use crate::ir::{Bound, Schema};
use crate::source::Node;

/// The bounds of a schema.
#[derive(Clone, Default)]
pub(super) struct Bounds {
    number: (Option<Bound>, Option<Bound>),
    counts: [(Option<u64>, Option<u64>); 3],
}

/// The names of the counts, in the order of [`Bounds`].
const COUNTS: [(&str, &str); 3] =
    [("minLength", "maxLength"), ("minItems", "maxItems"), ("minProperties", "maxProperties")];

impl Bounds {
    /// Those of `schema`.
    pub(super) fn of(schema: &Schema) -> Self {
        Self {
            number: (schema.minimum.clone(), schema.maximum.clone()),
            counts: [
                (schema.min_length, schema.max_length),
                (schema.min_items, schema.max_items),
                (schema.min_properties, schema.max_properties),
            ],
        }
    }

    fn put(self, schema: &mut Schema) {
        let [length, items, properties] = self.counts;
        (schema.minimum, schema.maximum) = self.number;
        (schema.min_length, schema.max_length) = length;
        (schema.min_items, schema.max_items) = items;
        (schema.min_properties, schema.max_properties) = properties;
    }

    /// The pair of numbers, when they exclude each other.
    fn number_clash(&self) -> Option<(String, String)> {
        let (Some(low), Some(high)) = &self.number else { return None };
        let clash = match compare(&low.value, &high.value) {
            Ordering::Less => false,
            Ordering::Equal => low.exclusive || high.exclusive,
            Ordering::Greater => true,
        };
        let word = |name: &str, bound: &Bound| {
            let (first, rest) = name.split_at(1);
            let name = if bound.exclusive {
                format!("exclusive{}{rest}", first.to_ascii_uppercase())
            } else {
                name.to_owned()
            };
            format!("`{name}` {}", bound.value)
        };
        clash.then(|| (word("minimum", low), word("maximum", high)))
    }

    fn count_clash(&self, index: usize) -> Option<(String, String)> {
        let (low, high) = COUNTS[index];
        match self.counts[index] {
            (Some(a), Some(b)) if a > b => Some((format!("`{low}` {a}"), format!("`{high}` {b}"))),
            _ => None,
        }
    }
}

/// Where the bounds of two schemas exclude each other, those of the second count. Which they were.
pub(super) fn settle(schema: &mut Schema, sides: &[Bounds; 2]) -> Vec<(String, String)> {
    let mut both = Bounds::of(schema);
    let mut found = Vec::new();
    let next = &sides[1];
    if let Some(clash) = both.number_clash() {
        found.push(clash);
        both.number = next.number.clone();
    }
    for index in 0..COUNTS.len() {
        if let Some(clash) = both.count_clash(index) {
            found.push(clash);
            both.counts[index] = next.counts[index];
        }
    }
    if !found.is_empty() {
        both.put(schema);
    }
    found
}

impl<'a> Lowerer<'a, '_> {
    /// Reports bounds at `spot` itself that exclude each other. Neither counts then.
    pub(super) fn impossible_bounds(&mut self, schema: &mut Schema, spot: &Spot<'a>) {
        for (low, high) in settle(schema, &Default::default()) {
            let message = format!("{low} and {high} exclude each other; neither counts");
            self.report(&reading::IMPOSSIBLE_BOUNDS, spot, message);
        }
    }

    /// Reports what members of `allOf` say differently of one thing, though each counts alone.
    pub(super) fn differing_words(&mut self, spot: &Spot<'a>, before: &Schema, next: &Schema) {
        let text = |node: &Option<Node>| node.as_ref().map(Node::canonical_text);
        for (key, old, new) in [
            ("format", before.format.clone(), next.format.clone()),
            ("default", text(&before.default), text(&next.default)),
        ] {
            if let (Some(old), Some(new)) = (old, new)
                && old != new
            {
                let message =
                    format!("members of `allOf` say another `{key}`; the last one counts");
                self.report(&reading::ALL_OF_CONFLICT, spot, message);
            }
        }
    }

    /// Reports required members that a closed schema beside them forbids. They are taken.
    pub(super) fn closed_members(
        &mut self,
        spot: &Spot<'a>,
        closed: &[Vec<String>],
        whole: &Lowered<'a>,
    ) {
        for own in closed {
            let other = whole.schema.required.iter().find(|name| !own.contains(name));
            if let Some(name) = other {
                let message = format!(
                    "a schema that is closed to further properties forbids `{name}`, which is required beside it; it is taken all the same"
                );
                self.report(&reading::CLOSED_ALL_OF, spot, message)
                    .help("since OpenAPI 3.1 `unevaluatedProperties: false` beside `allOf` closes the whole");
                return;
            }
        }
    }
}
