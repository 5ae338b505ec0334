//! From operations to facts.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{Facts, arguments, id_words, summary_words};
use super::{effect, importance, resource, select, verb::Verb};
use crate::diagnostic::Diagnostics;
use crate::ir::{Api, Method};
use crate::plan::Effect;

/// The facts of the operations in `kept`, sorted by key so that the order of the document decides
/// nothing.
pub(super) fn analyse(diagnostics: &mut Diagnostics, api: &Api, kept: &[usize]) -> Vec<Facts> {
    let mut kept: Vec<(String, usize)> =
        kept.iter().map(|i| (api.operations[*i].key.to_string(), *i)).collect();
    kept.sort();
    let indices: Vec<usize> = kept.iter().map(|(_, i)| *i).collect();
    let shapes = resource::shapes(api, &indices);
    let families = resource::families(&shapes);
    let patched: BTreeSet<&str> = indices
        .iter()
        .map(|i| &api.operations[*i].key)
        .filter(|key| key.method == Method::Patch)
        .map(|key| key.path.as_str())
        .collect();
    let generic = generic_tags(api, &indices);
    let mut list = Vec::with_capacity(kept.len());
    for (((key, index), shape), family) in kept.into_iter().zip(&shapes).zip(families) {
        let operation = &api.operations[index];
        let mut facts = Facts {
            index,
            key,
            root: family.root,
            label: family.label,
            scope: family.scope,
            sections: family.sections,
            item: family.item,
            below_item: family.below_item,
            phrase: shape.phrase.clone(),
            phrase_in_path: shape.phrase.is_some(),
            verb: Verb::Get,
            effect: Effect::Read,
            destructive: false,
            id_words: id_words(operation),
            summary_words: summary_words(operation),
            arguments: arguments(api, operation, &shape.segments),
            tags: operation
                .tags
                .iter()
                .filter(|t| !generic.contains(t.as_str()))
                .cloned()
                .collect(),
            importance: 0.0,
            plumbing: None,
            deprecated: operation.deprecated,
            hints: select::hints(api, operation),
            notes: Vec::new(),
        };
        let has_patch = patched.contains(operation.key.path.as_str());
        effect::classify(diagnostics, api, &mut facts, &shape.all, has_patch);
        list.push(facts);
    }
    importance::mark_plumbing(&mut list);
    importance::weigh(&mut list);
    list
}

/// Tags that more than half of a document carries tell nothing apart.
fn generic_tags<'a>(api: &'a Api, indices: &[usize]) -> BTreeSet<&'a str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for tag in indices.iter().flat_map(|i| &api.operations[*i].tags) {
        *counts.entry(tag).or_default() += 1;
    }
    counts.into_iter().filter(|(_, n)| *n * 2 > indices.len() && *n > 4).map(|(t, _)| t).collect()
}
