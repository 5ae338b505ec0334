//! What an API is made of, in large: for a person who decides what a server is for.

use std::collections::BTreeMap;

use super::resource::is_version;
use crate::diagnostic::Diagnostics;
use crate::ir::Api;
use crate::plan::Effect;

/// A part of an API, by its tags or else by the first words of its paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The pattern that names it.
    pub pattern: String,
    /// How many operations it has.
    pub operations: usize,
}

/// A family of operations about one noun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// Its noun.
    pub noun: String,
    /// How many operations read.
    pub reads: usize,
    /// How many operations write.
    pub writes: usize,
}

/// The parts of `api`, the largest first.
pub fn parts(api: &Api) -> Vec<Part> {
    let tagged = api.operations.iter().filter(|o| !o.tags.is_empty()).count();
    let by_tags = tagged * 5 >= api.operations.len() * 4;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for operation in &api.operations {
        let pattern = if by_tags {
            operation.tags.first().map(|tag| format!("tag:{tag}"))
        } else {
            beginning(&operation.key.path).map(|path| format!("* {path}*"))
        };
        if let Some(pattern) = pattern {
            *counts.entry(pattern).or_default() += 1;
        }
    }
    let mut parts: Vec<Part> =
        counts.into_iter().map(|(pattern, operations)| Part { pattern, operations }).collect();
    parts.sort_by(|a, b| b.operations.cmp(&a.operations).then_with(|| a.pattern.cmp(&b.pattern)));
    parts
}

/// A path up to its first word that is no version.
fn beginning(path: &str) -> Option<String> {
    let mut text = String::new();
    for step in path.split('/').filter(|s| !s.is_empty()) {
        if step.starts_with('{') {
            break;
        }
        text = format!("{text}/{step}");
        if !is_version(step) && step != "api" {
            return Some(text);
        }
    }
    (!text.is_empty()).then_some(text)
}

/// The families of `api`, the largest first.
pub fn families(api: &Api) -> Vec<Family> {
    let all: Vec<usize> = (0..api.operations.len()).collect();
    let orders = super::orders::Orders::default();
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    for one in super::analyse::analyse(&mut Diagnostics::default(), api, &all, &orders) {
        let noun = one.label.replace('_', " ");
        let family = families.entry(one.root).or_insert(Family { noun, reads: 0, writes: 0 });
        match one.effect {
            Effect::Read => family.reads += 1,
            Effect::Write => family.writes += 1,
        }
    }
    let mut families: Vec<Family> = families.into_values().collect();
    families.sort_by(|a, b| {
        (b.reads + b.writes).cmp(&(a.reads + a.writes)).then_with(|| a.noun.cmp(&b.noun))
    });
    families
}
