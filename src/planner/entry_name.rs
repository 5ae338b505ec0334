//! Names of operations in the catalog.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::Facts;
use super::naming::said;
use super::verb::Verb;
use super::words::{self, plural_name, short_hash};

/// Names of operations in the catalog, in the order of `facts`; `kept` are those that are known already.
pub(super) fn entry_names(
    facts: &[Facts],
    ids: &[Option<String>],
    kept: &BTreeMap<usize, String>,
) -> Vec<String> {
    let mut names: Vec<Option<String>> = (0..facts.len()).map(|i| kept.get(&i).cloned()).collect();
    let mut taken: BTreeSet<String> = kept.values().cloned().collect();
    let candidates: Vec<Vec<String>> =
        facts.iter().zip(ids).map(|(one, id)| entry_candidates(one, id.as_deref())).collect();
    let rounds = candidates.iter().map(Vec::len).max().unwrap_or(0);
    for round in 0..rounds {
        // Whoever shares a name with another leaves it, so that order decides nothing (N5).
        let mut wanted: BTreeMap<&String, Vec<usize>> = BTreeMap::new();
        for (i, list) in candidates.iter().enumerate().filter(|(i, _)| names[*i].is_none()) {
            if let Some(name) = list.get(round.min(list.len().saturating_sub(1))) {
                wanted.entry(name).or_default().push(i);
            }
        }
        for (name, who) in wanted {
            if let [only] = who.as_slice()
                && !taken.contains(name)
            {
                taken.insert(name.clone());
                names[*only] = Some(name.clone());
            }
        }
    }
    names
        .into_iter()
        .zip(facts)
        .map(|(name, one)| name.unwrap_or_else(|| format!("operation_{}", short_hash(&one.key, 8))))
        .collect()
}

fn entry_candidates(one: &Facts, id: Option<&str>) -> Vec<String> {
    let mut names = Vec::new();
    names.extend(one.hints.name.as_deref().map(words::snake));
    let made = one.id_words.is_empty();
    if let Some(id) = id.filter(|_| !made) {
        names.push(words::snake(id));
    }
    let above: Vec<&str> = one.scope.iter().map(String::as_str).collect();
    let noun = [
        &[one.root.as_str()],
        one.sections.iter().map(String::as_str).collect::<Vec<_>>().as_slice(),
    ]
    .concat()
    .join("_");
    let said = said(one);
    let noun =
        if matches!(one.verb, Verb::List | Verb::Search) { plural_name(&noun) } else { noun };
    names.push(format!("{said}_{noun}"));
    if let Some(last) = above.last() {
        names.push(format!("{said}_{last}_{noun}"));
        names.push(format!("{said}_{}_{noun}", above.join("_")));
    }
    // The path itself, its parameters too.
    names.push(words::snake(&one.key));
    names.push(format!("{said}_{noun}_{}", short_hash(&one.key, 5)));
    names.push(format!("{said}_{}", short_hash(&one.key, 8)));
    names.into_iter().filter(|n| !n.is_empty() && n.len() <= 64).collect()
}
