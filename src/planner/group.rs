//! Brings operations together, cheapest first.

use std::collections::BTreeMap;

use super::cost::{Group, MAX_ARGUMENTS, Pool, Relation, delta, fits, joined};
use super::facts::Facts;
use super::importance::ratio;
use super::verb::Verb;
use crate::plan::Effect;

/// Above this many operations of one noun and effect, sections are grouped by themselves, which keeps
/// the time near linear.
const LARGE_NOUN: usize = 60;

/// The most arguments of a tool that makes, changes and deletes one kind of thing.
const MAX_CORE_ARGUMENTS: usize = 35;

/// Above this many operations not all of a noun's are in its tools, and the plainest must not be
/// crowded out of them by what is cheaper to join.
const CROWDED: usize = 40;

/// What joining the writers of a noun itself may cost: people look for them in one place.
const OWN_WRITERS: f64 = 0.35;

/// Groups `members` within their nouns as long as that pays.
pub(super) fn within_nouns(pool: &Pool<'_>, members: &[usize]) -> Vec<Group> {
    let mut nouns: BTreeMap<(&str, Effect), Vec<usize>> = BTreeMap::new();
    for member in members {
        let one = &pool.facts[*member];
        nouns.entry((&one.root, one.effect)).or_default().push(*member);
    }
    let mut groups = Vec::new();
    for part in nouns.into_values().flat_map(|all| parts(pool, all)) {
        groups.extend(of_noun(pool, &part));
    }
    groups
}

/// Groups operations of one noun and effect. What is done with the noun itself comes together before
/// anything below it joins: to finish a repair goes with updating it rather than with adding a note to it.
fn of_noun(pool: &Pool<'_>, members: &[usize]) -> Vec<Group> {
    let single = |m: &usize| pool.group(vec![*m]);
    let is_core = core(pool, members);
    let own = |m: &&usize| {
        let one = &pool.facts[**m];
        one.sections.is_empty() && (one.effect == Effect::Write || is_core.contains(m))
    };
    let (own, below): (Vec<&usize>, Vec<&usize>) = members.iter().partition(own);
    let rest = own.iter().copied().filter(|m| !is_core.contains(m)).map(single);
    let mut own: Vec<Group> = rest.collect();
    if !is_core.is_empty() {
        own.insert(0, pool.group(is_core));
    }
    let mut groups = merge(pool, own, Relation::SameNoun, OWN_WRITERS, 0);
    groups.extend(below.into_iter().map(single));
    merge(pool, groups, Relation::SameNoun, 0.0, 0)
}

/// Those of `members` that list and look up, or make, change and delete a thing of the noun itself,
/// when they can be one tool: a tool that makes things and cannot change them is half a tool. It may
/// be wide where what they take is much the same.
fn core(pool: &Pool<'_>, members: &[usize]) -> Vec<usize> {
    let own = |m: &usize| {
        let one = &pool.facts[*m];
        one.sections.is_empty() && !one.deprecated
    };
    let own: Vec<usize> = members.iter().copied().filter(own).collect();
    let nearest = own.iter().map(|m| pool.facts[*m].scope.len()).min().unwrap_or(0);
    let mut seen = Vec::new();
    let core: Vec<usize> = own
        .iter()
        .copied()
        .filter(|m| {
            let one = &pool.facts[*m];
            let plain = match &one.verb {
                Verb::Create | Verb::Update | Verb::Replace | Verb::Delete => one.phrase.is_none(),
                Verb::List | Verb::Search | Verb::Get => {
                    reads_itself(one) && !seen.contains(&&one.verb)
                }
                Verb::Other(_) => false,
            };
            let chosen = plain && one.scope.len() == nearest;
            if chosen {
                seen.push(&one.verb);
            }
            chosen
        })
        .collect();
    let limits = pool.limits;
    if core.len() < 2 || core.len() > limits.actions {
        return Vec::new();
    }
    let widest = core.iter().map(|m| pool.facts[*m].arguments.len()).max().unwrap_or(0);
    let union = pool.group(core.clone()).width();
    let much_the_same = union * 10 <= widest * 15;
    // Who sets a limit means it.
    let most =
        if limits.arguments == MAX_ARGUMENTS { MAX_CORE_ARGUMENTS } else { limits.arguments };
    if union <= limits.arguments {
        let crowded = pool.facts.len() > CROWDED;
        return if crowded { core } else { Vec::new() };
    }
    // To look one up takes little beside all that a list can be filtered by.
    let hardly_more = union <= widest + 2;
    if (union > most || !much_the_same) && !hardly_more {
        return Vec::new();
    }
    // What needs hardly more than that joins it.
    let mut core = core;
    for member in &own {
        let with = || pool.group([core.as_slice(), &[*member]].concat()).width();
        let room = core.len() < limits.actions && !core.contains(member);
        if room && with() <= (pool.group(core.clone()).width() + 1).min(MAX_CORE_ARGUMENTS) {
            core.push(*member);
        }
    }
    core
}

/// Whether the things of a noun are what is read, and not something about them.
pub(super) fn reads_itself(one: &Facts) -> bool {
    let said = one.phrase.as_deref();
    // `POST /series/list` lists.
    matches!(one.verb, Verb::List | Verb::Search | Verb::Get)
        && one.sections.is_empty()
        && said.is_none_or(|p| matches!(p, "all" | "get" | "list" | "query" | "search" | "show"))
}

/// A noun's operations in parts of bounded size: whole sections where possible.
fn parts(pool: &Pool<'_>, all: Vec<usize>) -> Vec<Vec<usize>> {
    if all.len() <= LARGE_NOUN {
        return vec![all];
    }
    let mut sections: BTreeMap<Option<&String>, Vec<usize>> = BTreeMap::new();
    for member in all {
        sections.entry(pool.facts[member].sections.first()).or_default().push(member);
    }
    sections
        .into_values()
        .flat_map(|part| part.chunks(LARGE_NOUN).map(<[usize]>::to_vec).collect::<Vec<_>>())
        .collect()
}

/// Loosens step by step until there are at most `budget` groups, or nothing sensible is left to join.
pub(super) fn across_nouns(pool: &Pool<'_>, groups: Vec<Group>, budget: usize) -> Vec<Group> {
    const STEPS: &[(Relation, f64)] = &[
        (Relation::SharedTagOrScope, 0.1),
        (Relation::SameNoun, 0.6),
        (Relation::SharedTagOrScope, 0.7),
        (Relation::Unrelated, 0.5),
        (Relation::SameNoun, 1.5),
        (Relation::SharedTagOrScope, 1.6),
    ];
    let mut groups = groups;
    for (relation, threshold) in STEPS {
        if groups.len() <= budget {
            break;
        }
        groups = merge(pool, groups, *relation, *threshold, budget);
    }
    groups
}

/// Whether a group is about so many things that its name could not say what.
pub(super) fn is_muddled(group: &Group) -> bool {
    group.demanded.is_none() && muddles(group.roots.len(), group.focus())
}

/// Two nouns may share less than three, since a name can hold both.
fn muddles(nouns: usize, focus: f64) -> bool {
    let least = match nouns {
        0 | 1 => 0.0,
        2 => 0.2,
        3 => 0.25,
        _ => f64::INFINITY,
    };
    focus < least
}

/// The threshold of [`merge`] for joining at any price, muddled or not.
pub(super) const AT_ANY_PRICE: f64 = 1e6;

/// Joins the pair with the least delta below `threshold` until there is none or `stop` groups are left.
pub(super) fn merge(
    pool: &Pool<'_>,
    groups: Vec<Group>,
    relation: Relation,
    threshold: f64,
    stop: usize,
) -> Vec<Group> {
    let mean = groups.iter().map(|g| g.weight).sum::<f64>() / ratio(groups.len().max(1), 1);
    let mut groups: Vec<Option<Group>> = groups.into_iter().map(Some).collect();
    let mut left = groups.len();
    let price = |a: &Group, b: &Group| -> Option<i64> {
        let near = a.relation(b).filter(|r| *r <= relation)?;
        let muddled = || {
            let (nouns, focus) = joined(a, b);
            muddles(nouns, focus)
        };
        if !fits(a, b) || (threshold < AT_ANY_PRICE && muddled()) {
            return None;
        }
        let delta = delta(a, b, near, mean);
        // Whole millionths, so that ties are ties whatever the last bits say.
        #[expect(clippy::cast_possible_truncation, reason = "a delta is a small number")]
        (delta < threshold).then_some((delta * 1e6).round() as i64)
    };
    // The best partner behind each group.
    let best_of = |groups: &[Option<Group>], i: usize| -> Option<(i64, usize)> {
        let a = groups[i].as_ref()?;
        let behind = groups.iter().enumerate().skip(i + 1);
        behind.filter_map(|(j, b)| Some((price(a, b.as_ref()?)?, j))).min()
    };
    let mut best: Vec<Option<(i64, usize)>> =
        (0..groups.len()).map(|i| best_of(&groups, i)).collect();
    while left > stop.max(1) {
        let found = best.iter().enumerate().filter_map(|(i, b)| b.map(|(d, j)| (d, i, j))).min();
        let Some((_, i, j)) = found else { break };
        let (Some(a), Some(b)) = (groups[i].take(), groups[j].take()) else { break };
        groups[i] = Some(pool.join(&a, &b));
        left -= 1;
        best[j] = None;
        best[i] = best_of(&groups, i);
        for k in 0..i {
            let stale = best[k].is_some_and(|(_, partner)| partner == i || partner == j);
            let better = match (&groups[k], &groups[i]) {
                (Some(a), Some(b)) => price(a, b).map(|d| (d, i)),
                _ => None,
            };
            if stale {
                best[k] = best_of(&groups, k);
            } else if let Some(better) = better
                && best[k].is_none_or(|b| better < b)
            {
                best[k] = Some(better);
            }
        }
        for (k, best) in best.iter_mut().enumerate().take(j).skip(i + 1) {
            if best.is_some_and(|(_, partner)| partner == j) {
                *best = best_of(&groups, k);
            }
        }
    }
    groups.into_iter().flatten().collect()
}
