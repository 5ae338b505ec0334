//! How much of a document is built around a noun.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::Facts;
use super::importance::{GENERIC, bare, ratio};
use super::verb::Verb;
use super::words;
use crate::ir::Api;
use crate::plan::Effect;

/// What schemas and arguments say of each noun.
pub(super) struct Shape {
    /// Share of the named schemas that have a field that refers to the noun.
    referring: BTreeMap<String, f64>,
    /// How many arguments making one of it takes.
    rich: BTreeMap<String, usize>,
    /// How many things can be done with it beyond making, changing and deleting.
    deeds: BTreeMap<String, usize>,
}

impl Shape {
    pub(super) fn of(api: &Api, facts: &[Facts]) -> Self {
        let roots: BTreeSet<&str> = facts.iter().map(|f| f.root.as_str()).collect();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut named = 0;
        let mut heads: BTreeSet<&str> = BTreeSet::new();
        for schema in api.schemas.iter().filter(|s| !s.properties.is_empty()) {
            // A schema that stands in several places is one.
            let Some(name) = schema.name.as_deref().filter(|name| heads.insert(name)) else {
                continue;
            };
            named += 1;
            let own = words::singular_name(&words::snake(name));
            let nouns: BTreeSet<String> =
                schema.properties.keys().map(|key| bare(&words::snake(key))).collect();
            for noun in nouns {
                // What is about the noun itself says nothing of others.
                let about = own.split('_').any(|w| w == noun) || own == noun;
                if roots.contains(noun.as_str()) && !about && !GENERIC.contains(&noun.as_str()) {
                    *counts.entry(noun).or_default() += 1;
                }
            }
        }
        let referring = counts.into_iter().map(|(noun, n)| (noun, ratio(n, named))).collect();
        let mut rich: BTreeMap<String, usize> = BTreeMap::new();
        for one in facts.iter().filter(|f| f.verb == Verb::Create && f.sections.is_empty()) {
            let most = rich.entry(one.root.clone()).or_default();
            *most = (*most).max(one.arguments.len());
        }
        let mut deeds: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for one in facts.iter().filter(|f| f.effect == Effect::Write && f.sections.is_empty()) {
            if let (Verb::Other(verb), true) = (&one.verb, one.below_item) {
                deeds.entry(one.root.clone()).or_default().insert(verb);
            }
        }
        let deeds = deeds.into_iter().map(|(noun, verbs)| (noun, verbs.len())).collect();
        Self { referring, rich, deeds }
    }

    /// Factors, all 1 for a noun that nothing refers to and that is made of little.
    pub(super) fn of_noun(&self, noun: &str) -> [(&'static str, f64); 3] {
        let referring = self.referring.get(noun).copied().unwrap_or(0.0);
        let rich = self.rich.get(noun).copied().unwrap_or(0);
        let deeds = self.deeds.get(noun).copied().unwrap_or(0);
        [
            ("schemas refer to the noun", 1.0 + 2.0 * referring.min(0.1).sqrt()),
            ("what making one takes", 1.0 + 0.6 * ratio(rich.min(24), 24)),
            ("what else can be done with one", 1.0 + 0.1 * ratio(deeds.min(4), 1)),
        ]
    }
}

/// Whether an operation is called a trial by its path or its identifier.
pub(super) fn is_trial(key: &str, id_words: &[String]) -> bool {
    let trial = |w: &str| matches!(w, "beta" | "alpha" | "experimental" | "preview" | "unstable");
    let path = words::split(key);
    path.iter().skip(1).any(|w| trial(w)) || id_words.iter().skip(1).any(|w| trial(w))
}
