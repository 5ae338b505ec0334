//! From operations to facts.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{Facts, arguments, id_words, summary_words};
use super::orders::Orders;
use super::verb::{Verb, ends_a_phrase, is_function, is_plain_verb, is_verb};
use super::{effect, family, importance, resource, words};
use crate::diagnostic::Diagnostics;
use crate::ir::{Api, Method, Operation};
use crate::plan::Effect;

/// The facts of the operations in `kept`, sorted by key so that the order of the document decides
/// nothing.
pub(super) fn analyse(
    diagnostics: &mut Diagnostics,
    api: &Api,
    kept: &[usize],
    orders: &Orders,
) -> Vec<Facts> {
    let mut kept: Vec<(String, usize)> =
        kept.iter().map(|i| (api.operations[*i].key.to_string(), *i)).collect();
    kept.sort();
    let indices: Vec<usize> = kept.iter().map(|(_, i)| *i).collect();
    let shapes = resource::shapes(api, &indices);
    let families = family::families(&shapes);
    let patched: BTreeSet<&str> = indices
        .iter()
        .map(|i| &api.operations[*i].key)
        .filter(|key| key.method == Method::Patch)
        .map(|key| key.path.as_str())
        .collect();
    let paths: BTreeSet<&str> =
        indices.iter().map(|i| api.operations[*i].key.path.trim_end_matches('/')).collect();
    let read: BTreeMap<&str, &Operation> = indices
        .iter()
        .map(|i| &api.operations[*i])
        .filter(|operation| operation.key.method == Method::Get)
        .map(|operation| (operation.key.path.as_str(), operation))
        .collect();
    let generic = generic_tags(api, &indices);
    let initials = initials(api, &indices, &families);
    let mut list = Vec::with_capacity(kept.len());
    let mut besides = Vec::with_capacity(kept.len());
    for (((key, index), shape), family) in kept.into_iter().zip(&shapes).zip(families) {
        let operation = &api.operations[index];
        let order = orders.of(index).cloned().unwrap_or_default();
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
            factors: Vec::new(),
            plumbing: None,
            deprecated: operation.deprecated,
            hints: order.hints,
            lines: order.lines,
            asked: order.effect,
            notes: Vec::new(),
        };
        match initials.get(&facts.root) {
            Some(long) => {
                facts.notes.push(format!("`{}` is short for `{long}`.", facts.root));
                facts.root.clone_from(long);
                facts.label = words::plural_name(long);
            }
            None => name_short_noun(&mut facts, operation),
        }
        name_lone_verb(&mut facts);
        let path = operation.key.path.trim_end_matches('/');
        let beside = effect::Beside {
            patch: patched.contains(operation.key.path.as_str()),
            collection: path.rsplit_once('/').is_some_and(|(above, _)| paths.contains(above)),
            twin: read
                .get(operation.key.path.as_str())
                .filter(|_| operation.key.method == Method::Post && facts.summary_words.len() > 1)
                .filter(|twin| summary_words(twin) == facts.summary_words)
                .map(|twin| twin.body.is_some()),
            procedure: shape.procedure,
        };
        besides.push(beside);
        list.push(facts);
    }
    name_by_summary(&mut list);
    for ((facts, beside), shape) in list.iter_mut().zip(besides).zip(&shapes) {
        effect::classify(diagnostics, api, facts, &shape.all, beside);
    }
    importance::mark_plumbing(&mut list);
    importance::weigh(api, &mut list);
    spell_out(&mut list);
    list
}

/// `/app/{id}/msg` writes short what its tags and identifiers write out: applications and messages.
fn spell_out(list: &mut [Facts]) {
    let mut families: BTreeMap<String, Vec<&Facts>> = BTreeMap::new();
    for one in list.iter() {
        families.entry(one.root.clone()).or_default().push(one);
    }
    let mut long: BTreeMap<String, String> = BTreeMap::new();
    for (root, members) in families.iter().filter(|(root, _)| (2..=4).contains(&root.len())) {
        // What summaries call by that word needs no other.
        let spoken = |f: &&&Facts| f.summary_words.iter().any(|w| words::singular(w) == *root);
        if members.iter().filter(spoken).count() * 2 >= members.len() {
            continue;
        }
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for one in members {
            let tags = one.tags.iter().flat_map(|t| words::split(t));
            let said: BTreeSet<String> = tags
                .chain(one.id_words.iter().cloned())
                .chain(one.summary_words.iter().cloned())
                .map(|w| words::singular(&w))
                .filter(|w| is_short_for(root, w) && !families.contains_key(w))
                .collect();
            for word in said {
                *counts.entry(word).or_default() += 1;
            }
        }
        let most = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
        if let Some((word, _)) = most.filter(|(_, n)| *n * 4 >= members.len() * 3) {
            long.insert(root.clone(), word);
        }
    }
    for one in list {
        if let Some(word) = long.get(&one.root) {
            one.notes.push(format!("`{}` is short for `{word}`.", one.label));
            one.root.clone_from(word);
            one.label = words::plural(word);
        }
    }
}

/// Whether `short` has the first letter of `word` and then, in order, letters of it, and is much shorter.
fn is_short_for(short: &str, word: &str) -> bool {
    if KNOWN.contains(&short) || word.len() < short.len() + 3 || is_plain_verb(word) {
        return false;
    }
    let begins = word.starts_with(short);
    let mut letters = word.chars();
    let inside = short.chars().all(|c| letters.any(|l| l == c));
    let vowels = short.chars().skip(1).any(|c| "aeiou".contains(c));
    begins || (inside && word.starts_with(&short[..1]) && !vowels)
}

/// What nouns of two or three letters are the initials of, by the names of the schemas that their
/// operations take and answer: `/order/po` is about `PurchaseOrder`.
fn initials(api: &Api, indices: &[usize], families: &[family::Family]) -> BTreeMap<String, String> {
    let mut members: BTreeMap<&str, Vec<&Operation>> = BTreeMap::new();
    for (index, family) in indices.iter().zip(families) {
        if (2..=3).contains(&family.root.len()) && !KNOWN.contains(&family.root.as_str()) {
            members.entry(&family.root).or_default().push(&api.operations[*index]);
        }
    }
    let mut long = BTreeMap::new();
    for (root, operations) in members {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for operation in &operations {
            let answers = operation.responses.iter().flat_map(|r| &r.contents);
            let contents = answers.chain(operation.body.iter().flat_map(|b| &b.contents));
            let names: BTreeSet<String> = contents
                .filter_map(|c| api.schema(c.schema?).name.as_deref())
                .filter_map(|name| spelled(root, &words::split(name)))
                .collect();
            for name in names {
                *counts.entry(name).or_default() += 1;
            }
        }
        let most = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
        if let Some((name, _)) = most.filter(|(_, n)| *n * 2 >= operations.len()) {
            long.insert(root.to_owned(), name);
        }
    }
    long
}

/// The words in `name` whose first letters are `short`.
fn spelled(short: &str, name: &[String]) -> Option<String> {
    let begins = |(word, letter): (&String, char)| word.len() > 2 && word.starts_with(letter);
    let found = name.windows(short.len()).find(|w| w.iter().zip(short.chars()).all(begins))?;
    Some(words::singular_name(&found.join("_")))
}

/// Short words that say what they mean.
const KNOWN: &[&str] =
    &["ai", "api", "db", "dns", "id", "ip", "me", "os", "pr", "qr", "ssl", "tv", "ui", "vm", "vpc"];

/// `/t/{id}` says little; the tag `Topics` says what it is about.
fn name_short_noun(facts: &mut Facts, operation: &Operation) {
    // `/orders/id` is about identifiers of orders.
    if matches!(facts.root.as_str(), "id" | "ids" | "uuid") && !facts.item {
        if let Some(above) = facts.scope.pop() {
            facts.label = format!("{above}_{}", facts.label);
            facts.root = words::singular_name(&facts.label);
        }
        return;
    }
    let short = facts.root.len() <= 2 && !KNOWN.contains(&facts.root.as_str());
    if let Some(tag) = operation.tags.first().filter(|_| short) {
        let name = words::snake(tag);
        if !name.is_empty() && name.split('_').count() <= 2 {
            facts.notes.push(format!("`{}` is called `{name}` after its tag.", facts.root));
            facts.root = words::singular_name(&name);
            facts.label = name;
        }
    }
}

/// `/copy` says what is done but not with what; the words after the verb may: `Copy a model`.
fn name_lone_verb(facts: &mut Facts) {
    let lone = facts.sections.is_empty() && !facts.below_item && facts.scope.is_empty();
    if !lone || !is_plain_verb(&facts.root) || is_function(&facts.root) {
        return;
    }
    let after = |words: &[String]| {
        let verb = words.first().filter(|w| is_verb(w))?;
        let mut rest = words[1..].iter().filter(|w| !matches!(w.as_str(), "a" | "an" | "the"));
        let noun = rest
            .next()
            .filter(|w| w.len() > 2 && !w.starts_with("token") && !is_verb(w) && *w != verb)?;
        Some((verb.clone(), words::singular(noun)))
    };
    if let Some((verb, noun)) = after(&facts.id_words).or_else(|| after(&facts.summary_words)) {
        // `/embed`: `Generate embeddings` says of its own verb what is done.
        let own = is_plain_verb(&verb) && noun.starts_with(facts.root.as_str());
        if own {
            facts.phrase = Some(verb);
            facts.id_words.clear();
        } else {
            facts.phrase = facts.phrase.take().or_else(|| Some(facts.root.clone()));
        }
        facts.label = words::plural(&noun);
        facts.root = noun;
    }
}

/// `GET /tags`: `List models`. What stands alone and is about the noun of others in words that do not
/// have its own is a part of theirs.
fn name_by_summary(list: &mut [Facts]) {
    let mut families: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for one in list.iter() {
        let known = families.entry(one.root.clone()).or_insert((0, one.label.clone()));
        known.0 += 1;
    }
    for one in list {
        let lone = families.get(&one.root).is_some_and(|known| known.0 == 1)
            && one.scope.is_empty()
            && one.sections.is_empty()
            && !one.below_item
            && one.phrase.is_none();
        // `/chat_tokenize`
        if let Some((noun, verb)) = one.root.clone().rsplit_once('_').filter(|_| lone)
            && is_plain_verb(verb)
            && one.label == one.root
            && !noun.split('_').any(is_verb)
        {
            one.phrase = Some(verb.to_owned());
            one.root = words::singular_name(noun);
            noun.clone_into(&mut one.label);
            continue;
        }
        let Some(noun) = told_noun(&one.summary_words).filter(|_| lone) else { continue };
        let own = one
            .root
            .split('_')
            .any(|part| one.summary_words.iter().any(|w| w == part || words::singular(w) == part));
        if let Some((_, label)) = families.get(&noun).filter(|known| known.0 > 1 && !own) {
            one.notes.push(format!("`{}` is about `{label}`: its summary says so.", one.key));
            one.label.clone_from(label);
            one.sections = vec![std::mem::replace(&mut one.root, noun)];
        }
    }
}

/// The noun that a summary lists or gets: `model` of `List running models of this machine`.
fn told_noun(summary: &[String]) -> Option<String> {
    let (first, rest) = summary.split_first()?;
    if !matches!(first.as_str(), "list" | "get" | "retrieve" | "fetch" | "show") {
        return None;
    }
    let phrase: Vec<&String> = rest.iter().take_while(|w| !ends_a_phrase(w)).collect();
    phrase.last().filter(|_| phrase.len() <= 4).map(|w| words::singular(w))
}

/// Tags that more than half of a document carries tell nothing apart.
fn generic_tags<'a>(api: &'a Api, indices: &[usize]) -> BTreeSet<&'a str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for tag in indices.iter().flat_map(|i| &api.operations[*i].tags) {
        *counts.entry(tag).or_default() += 1;
    }
    counts.into_iter().filter(|(_, n)| *n * 2 > indices.len() && *n > 4).map(|(t, _)| t).collect()
}
