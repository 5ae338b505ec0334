//! Writes a grouping down as a draft.

use std::collections::BTreeMap;

use super::cost::{Group, Pool};
use super::draft::{Draft, DraftAction, DraftEntry, DraftTool};
use super::naming::{self, Taken};
use super::words::sentence_case;
use super::{entry_name, facts};
use crate::ir::Api;
use crate::plan::{Excluded, Posture};

/// The draft of these tools, in their order.
pub(super) fn assemble(
    api: &Api,
    pool: &Pool<'_>,
    tools: &[(Group, Posture)],
    catalog: bool,
    excluded: Vec<Excluded>,
) -> Draft {
    let mut taken = Taken::default();
    let mut drafts = Vec::new();
    // Demanded names are given first.
    let mut names: BTreeMap<usize, (String, Option<String>)> = BTreeMap::new();
    let demands = |g: &Group| {
        let named = g.members.len() == 1 && pool.facts[g.members[0]].hints.name.is_some();
        g.demanded.is_some() || named
    };
    for first in [true, false] {
        for (i, (group, _)) in tools.iter().enumerate().filter(|(_, (g, _))| demands(g) == first) {
            names.insert(i, tool_name(group, pool, &mut taken));
        }
    }
    for (i, (group, posture)) in tools.iter().enumerate() {
        let (name, instead) = names.remove(&i).unwrap_or_default();
        let actions = naming::action_names(group, pool.facts);
        let mut tool = tool(pool, group, *posture, name, actions);
        tool.why.extend(instead);
        drafts.push(tool);
    }
    let entries = if catalog { entries(api, pool, &drafts, &BTreeMap::new()) } else { Vec::new() };
    Draft { tools: drafts, entries, excluded, ..Draft::default() }
}

/// The first name of a group that is free, and a sentence when it was not the best one.
pub(super) fn tool_name(
    group: &Group,
    pool: &Pool<'_>,
    taken: &mut Taken,
) -> (String, Option<String>) {
    let names = naming::tool_names(group, pool.facts);
    let free = names.iter().find(|n| taken.take(n)).or(names.last()).cloned().unwrap_or_default();
    let best = names.first().filter(|n| **n != free);
    let why = best.map(|n| format!("Its name says more than `{n}`, which another tool has."));
    (free, why)
}

/// One tool with its name and the names of its actions given.
pub(super) fn tool(
    pool: &Pool<'_>,
    group: &Group,
    posture: Posture,
    name: String,
    actions: Vec<String>,
) -> DraftTool {
    let hinted = match group.members.as_slice() {
        [only] => pool.facts[*only].hints.title.as_deref(),
        _ => None,
    };
    let title =
        hinted.map_or_else(|| sentence_case(&name), |t| t.trim().chars().take(80).collect());
    let own = usize::from(naming::shared_section(group, pool.facts).is_some());
    let actions = group.members.iter().zip(actions).map(|(member, name)| {
        let facts = &pool.facts[*member];
        DraftAction {
            name,
            operation: facts.index,
            verb: facts.verb.clone(),
            part: facts.sections.len() > own,
        }
    });
    DraftTool {
        name,
        title,
        posture,
        effect: group.effect,
        nouns: naming::about(group, pool.facts),
        actions: actions.collect(),
        wish: None,
        why: why(pool, group),
    }
}

/// Why a group is one tool, in sentences.
fn why(pool: &Pool<'_>, group: &Group) -> Vec<String> {
    let nouns = naming::nouns(group, pool.facts).join(" and ").replace('_', " ");
    let does = super::describe::deed(group.effect);
    let count = group.members.len();
    let mut why = Vec::new();
    if count == 1 {
        let one = &pool.facts[group.members[0]];
        let kin =
            pool.facts.iter().filter(|f| f.root == one.root && f.effect == one.effect).count();
        if kin == 1 {
            why.push(format!("The only operation that is there to {does} {nouns}."));
        } else if group.apart {
            why.push(format!("One of {kin} operations that {does} {nouns}."));
        } else {
            why.push(format!(
                "Stands alone: it shares too little with what else is there to {does} {nouns}."
            ));
        }
    } else {
        let shared = pool.shared_arguments(group);
        let names: Vec<String> = shared.iter().take(3).map(|n| format!("`{n}`")).collect();
        #[expect(clippy::cast_possible_truncation, reason = "a share of one")]
        let focus = (group.focus() * 100.0).round() as i64;
        why.push(if names.is_empty() {
            format!("{count} operations that {does} {nouns}.")
        } else {
            format!(
                "{count} operations that {does} {nouns} and share {}; on average they use {focus} % of its {} arguments.",
                names.join(", "),
                group.width()
            )
        });
    }
    for sentence in &group.why {
        if !why.contains(sentence) {
            why.push(sentence.clone());
        }
    }
    why.extend(group.members.iter().flat_map(|m| pool.facts[*m].notes.clone()));
    why
}

/// The entries of the catalog, in the order of the document. `kept` are names that are known already,
/// by position.
pub(super) fn entries(
    api: &Api,
    pool: &Pool<'_>,
    tools: &[DraftTool],
    kept: &BTreeMap<usize, String>,
) -> Vec<DraftEntry> {
    let direct: std::collections::BTreeSet<usize> =
        tools.iter().flat_map(|t| &t.actions).map(|a| a.operation).collect();
    let ids: Vec<Option<String>> =
        pool.facts.iter().map(|f| facts::own_id(&api.operations[f.index])).collect();
    let names = entry_name::entry_names(pool.facts, &ids, kept);
    let mut entries: Vec<DraftEntry> = pool
        .facts
        .iter()
        .zip(names)
        .map(|(one, name)| {
            let mut why = Vec::new();
            if !direct.contains(&one.index) {
                if one.hints.posture.as_deref() == Some("catalog") {
                    why.push(format!("{} puts it into the catalog.", one.asker("posture")));
                } else if let Some(word) = &one.plumbing {
                    why.push(format!("Plumbing, because of `{word}`."));
                } else if one.deprecated {
                    why.push("It is deprecated.".to_owned());
                }
                why.extend(one.notes.iter().cloned());
            }
            DraftEntry {
                name,
                operation: one.index,
                verb: one.verb.clone(),
                effect: one.effect,
                noun: one.root.replace('_', " "),
                why: (!why.is_empty()).then(|| why.join(" ")),
            }
        })
        .collect();
    entries.sort_by_key(|e| e.operation);
    entries
}
