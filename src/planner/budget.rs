//! How many tools there are, which operations they hold, and what goes behind the catalog.

use std::collections::{BTreeMap, BTreeSet};

use super::cost::{Group, Pool, Relation};
use super::facts::{Facts, shared_tags};
use super::group::{AT_ANY_PRICE, across_nouns, is_muddled, merge, reads_itself, within_nouns};
use super::naming::{legal, tool_names};
use super::verb::Verb;
use crate::config::Config;
use crate::diagnostic::{Diagnostics, planning};
use crate::plan::{Effect, Posture};
use crate::source::Pointer;

/// Up to this many operations, tools may be joined across nouns; above, the catalog is better.
const JOIN_LIMIT: usize = 90;
/// Up to this many operations, several tools may hold nouns that have nothing in common but the lack
/// of places.
const STRANGERS_LIMIT: usize = 40;
/// Up to this many operations, free places are used to set destroying operations apart.
const SPLIT_LIMIT: usize = 40;
/// The most direct tools beside a catalog.
pub(super) const DIRECT_LIMIT: usize = 7;
/// The most secondary tools.
const SECONDARY_LIMIT: usize = 3;

/// Groups and their postures, and whether there is a catalog.
#[derive(Debug, Default)]
pub(super) struct Cut {
    pub tools: Vec<(Group, Posture)>,
    pub catalog: bool,
}

/// The best reader and the best writer of a noun.
type Pair = (Option<Group>, Option<Group>);

/// What `x-mcp` demands of operations.
#[derive(Default)]
struct Demands {
    groups: Vec<(Group, Posture)>,
    catalog: BTreeSet<usize>,
    taken: BTreeSet<usize>,
}

/// Cuts the operations of `pool` into tools; with a catalog and at most `direct` others where that is
/// given.
pub(super) fn cut(
    diagnostics: &mut Diagnostics,
    pool: &Pool<'_>,
    config: &Config,
    direct: Option<usize>,
) -> Cut {
    let max_primary = config.max_primary;
    let demands = demands(diagnostics, pool);
    let free = |plumbing: bool| -> Vec<usize> {
        let all = 0..pool.facts.len();
        all.filter(|m| pool.facts[*m].plumbing.is_some() == plumbing)
            .filter(|m| !demands.taken.contains(m) && !demands.catalog.contains(m))
            .collect()
    };
    let (mut work, mut plumbing) = (free(false), free(true));
    if work.is_empty() && demands.groups.is_empty() {
        // A document of nothing but plumbing is about that.
        work = std::mem::take(&mut plumbing);
    }
    let demanded = |posture| demands.groups.iter().filter(|(_, p)| *p == posture).count();
    let budget = max_primary.saturating_sub(demanded(Posture::Primary));
    let spare = SECONDARY_LIMIT.saturating_sub(demanded(Posture::Secondary));
    let narrow = within_nouns(pool, &work);
    let secondary = secondary(pool, &plumbing, spare);
    let whole = demands.catalog.is_empty() && direct.is_none();
    if whole
        && let Some(secondary) = secondary
        && let Some(primary) = all_direct(pool, narrow.clone(), budget)
    {
        let places = budget.saturating_sub(secondary.len());
        let primary = set_destruction_apart(pool, primary, places);
        let mut tools = demands.groups;
        tools.extend(primary.into_iter().map(|g| (g, Posture::Primary)));
        tools.extend(secondary.into_iter().map(|g| (g, Posture::Secondary)));
        return Cut { tools: moved(pool, config, tools), catalog: false };
    }
    let writes = pool.facts.iter().any(|f| f.effect == Effect::Write);
    let places =
        budget.saturating_sub(if writes { 3 } else { 2 }).min(direct.unwrap_or(DIRECT_LIMIT));
    let current: Vec<usize> = work.iter().copied().filter(|m| !pool.facts[*m].deprecated).collect();
    // The catalog has room for what is no longer to be used.
    let narrow = if current.is_empty() || current.len() == work.len() {
        narrow
    } else {
        within_nouns(pool, &current)
    };
    let mut tools = demands.groups;
    tools.extend(central(pool, narrow, places).into_iter().map(|g| (g, Posture::Primary)));
    Cut { tools: moved(pool, config, tools), catalog: true }
}

/// Demanded operations join the tool that has the demanded name anyway: to put an operation into a
/// tool is not to make another one of that name.
fn moved(pool: &Pool<'_>, config: &Config, tools: Vec<(Group, Posture)>) -> Vec<(Group, Posture)> {
    let listed: BTreeSet<String> = config
        .tools
        .iter()
        .filter(|(_, wish)| !wish.operations.is_empty())
        .map(|(key, wish)| legal(wish.name.as_deref().unwrap_or(key)))
        .collect();
    let (demanded, mut tools): (Vec<_>, Vec<_>) =
        tools.into_iter().partition(|(g, _)| g.demanded.is_some());
    let mut apart = Vec::new();
    for (group, posture) in demanded {
        let name = legal(group.demanded.as_deref().unwrap_or_default());
        let mut same = tools.iter_mut().filter(|(g, _)| g.effect == group.effect);
        let home = same.find(|(g, _)| {
            let first = tool_names(g, pool.facts).into_iter().next().unwrap_or_default();
            let renamed = config.tools.get(&first).and_then(|wish| wish.name.as_deref());
            g.demanded.is_none() && (first == name || renamed.is_some_and(|n| legal(n) == name))
        });
        match home.filter(|_| !listed.contains(&name)) {
            Some((home, _)) => *home = pool.join(home, &group),
            None => apart.push((group, posture)),
        }
    }
    apart.extend(tools);
    apart
}

/// Groups that all fit in `budget` and can be told apart, if there are such.
fn all_direct(pool: &Pool<'_>, narrow: Vec<Group>, budget: usize) -> Option<Vec<Group>> {
    if narrow.len() <= budget {
        return Some(narrow);
    }
    if pool.facts.len() > JOIN_LIMIT {
        return None;
    }
    let before = narrow.len();
    let mut groups = across_nouns(pool, narrow, budget);
    if groups.len() > budget || groups.iter().any(is_muddled) {
        return None;
    }
    let strangers = |g: &Group| {
        let members: Vec<&Facts> = g.members.iter().map(|m| &pool.facts[*m]).collect();
        let alike = !pool.shared_arguments(g).is_empty() || shared_tags(&members).next().is_some();
        g.roots.len() > 1 && !alike
    };
    // Where there is enough for a catalog, no nouns are thrown together for want of places.
    if pool.facts.len() > STRANGERS_LIMIT && groups.iter().filter(|g| strangers(g)).count() > 1 {
        return None;
    }
    for group in groups.iter_mut().filter(|g| g.roots.len() > 1) {
        let shared = pool.shared_arguments(group);
        let nouns: Vec<String> = group.roots.iter().map(|r| format!("`{r}`")).collect();
        let because = match shared.first() {
            Some(first) => format!("they share `{first}`"),
            None => "they were the nearest to each other".to_owned(),
        };
        group.why.push(format!(
            "{} are one tool to get from {before} groups to at most {budget}: {because}.",
            nouns.join(", ")
        ));
    }
    Some(groups)
}

/// Uses free places to set what destroys apart from what adds, the most valuable tools first.
fn set_destruction_apart(pool: &Pool<'_>, groups: Vec<Group>, budget: usize) -> Vec<Group> {
    if pool.facts.len() > SPLIT_LIMIT {
        return groups;
    }
    let mut groups = groups;
    by_value(pool, &mut groups);
    let mut free = budget.saturating_sub(groups.len());
    let mut out = Vec::new();
    for group in groups {
        // A pair is small enough to be seen at a glance.
        let keep = group.members.len() < 3 || group.demanded.is_some();
        if free == 0 || keep || !group.mixes_destruction() {
            out.push(group);
            continue;
        }
        free -= 1;
        let (gone, kept): (Vec<usize>, Vec<usize>) =
            group.members.iter().partition(|m| pool.facts[**m].destructive);
        for members in [kept, gone] {
            let mut part = pool.group(members);
            part.apart = true;
            part.why.clone_from(&group.why);
            part.why.push(
                "What destroys is apart from what adds or changes, because clients ask \
                 about the two differently and there was room."
                    .to_owned(),
            );
            out.push(part);
        }
    }
    out
}

/// Plumbing as at most `limit` tools; `None` when it takes more.
fn secondary(pool: &Pool<'_>, plumbing: &[usize], limit: usize) -> Option<Vec<Group>> {
    let mut groups = within_nouns(pool, plumbing);
    if groups.len() > limit {
        groups = merge(pool, groups, Relation::Unrelated, AT_ANY_PRICE, limit);
    }
    for group in &mut groups {
        let words: BTreeSet<&str> =
            group.members.iter().filter_map(|m| pool.facts[*m].plumbing.as_deref()).collect();
        let words: Vec<String> = words.into_iter().map(|w| format!("`{w}`")).collect();
        group.why.push(format!("Secondary, because it is plumbing: {}.", words.join(", ")));
    }
    (groups.len() <= limit).then_some(groups)
}

/// The tools of the most central nouns: a reader and a writer of one before the next.
fn central(pool: &Pool<'_>, groups: Vec<Group>, places: usize) -> Vec<Group> {
    let groups = merge(pool, groups, Relation::SameNoun, 0.3, 0);
    let count = groups.iter().map(|g| &g.roots[0]).collect::<BTreeSet<_>>().len();
    let worth = worth_of_nouns(pool, &groups);
    let mut nouns: BTreeMap<String, Pair> = BTreeMap::new();
    for group in groups {
        let pair = nouns.entry(group.roots[0].clone()).or_default();
        let side = match group.effect {
            Effect::Read => &mut pair.0,
            Effect::Write => &mut pair.1,
        };
        let better = side.as_ref().is_none_or(|best| {
            // What makes things comes before what is done with them.
            let (new, old) =
                ((makes(pool, &group), pool.value(&group)), (makes(pool, best), pool.value(best)));
            let order = new.0.cmp(&old.0).then(new.1.total_cmp(&old.1));
            order.is_gt() || (order.is_eq() && pool.key(&group) < pool.key(best))
        });
        if better {
            *side = Some(group);
        }
    }
    let mut nouns: Vec<(String, Pair)> = nouns.into_iter().collect();
    let of = |noun: &String| worth.get(noun).copied().unwrap_or(0.0);
    nouns.sort_by(|a, b| of(&b.0).total_cmp(&of(&a.0)).then_with(|| a.0.cmp(&b.0)));
    let mut chosen = Vec::new();
    for (place, (noun, (reader, writer))) in nouns.into_iter().enumerate() {
        for mut group in reader.into_iter().chain(writer) {
            if chosen.len() == places {
                return chosen;
            }
            group.why.push(format!(
                "`{noun}` is the {} most central of {count} families, so it has tools of its own; \
                 what has none is behind the catalog.",
                ordinal(place + 1)
            ));
            chosen.push(group);
        }
    }
    chosen
}

/// Whether a group makes things of its noun and, where that can be done at all, changes them; or
/// whether it reads the things themselves and not only what is below them.
fn makes(pool: &Pool<'_>, group: &Group) -> bool {
    let own = |m: &&usize| pool.facts[**m].sections.is_empty() && !pool.facts[**m].deprecated;
    let verb = |wanted: fn(&Verb) -> bool| {
        group.members.iter().filter(own).any(|m| wanted(&pool.facts[*m].verb))
    };
    if group.effect == Effect::Read {
        return group.members.iter().filter(own).any(|m| reads_itself(&pool.facts[*m]));
    }
    verb(|v| *v == Verb::Create)
        && (verb(|v| matches!(v, Verb::Update | Verb::Replace | Verb::Delete))
            || group.members.len() > 2)
}

/// What is done, whatever nouns it is below.
fn deed(one: &Facts) -> (&Verb, Option<&str>, &[String]) {
    (&one.verb, one.phrase.as_deref(), &one.sections)
}

/// The worth of each noun: its best operations, whatever groups they are in; many middling ones do
/// not make up for them.
fn worth_of_nouns(pool: &Pool<'_>, groups: &[Group]) -> BTreeMap<String, f64> {
    let mut values: BTreeMap<(String, Effect), Vec<f64>> = BTreeMap::new();
    for group in groups {
        // What can be reached below another noun too is one thing and not two.
        let members = || group.members.iter().map(|m| &pool.facts[*m]);
        let mut nearest: BTreeMap<_, usize> = BTreeMap::new();
        for one in members() {
            let scope = nearest.entry(deed(one)).or_insert(one.scope.len());
            *scope = one.scope.len().min(*scope);
        }
        let own = members().filter(|one| nearest.get(&deed(one)) == Some(&one.scope.len()));
        let all = own.map(|one| one.importance);
        values.entry((group.roots[0].clone(), group.effect)).or_default().extend(all);
    }
    let mut worth: BTreeMap<String, f64> = BTreeMap::new();
    for ((noun, _), mut values) in values {
        values.sort_by(|a, b| b.total_cmp(a));
        let mut share = 1.0;
        for value in values {
            *worth.entry(noun.clone()).or_default() += value * share;
            share *= 0.6;
        }
    }
    worth
}

fn ordinal(n: usize) -> String {
    let end = match (n % 10, n % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    };
    format!("{n}{end}")
}

/// Orders groups: the most valuable noun first, its reader before its writers.
pub(super) fn by_value(pool: &Pool<'_>, groups: &mut [Group]) {
    // Two tools that one demand makes are about the same.
    fn noun(group: &Group) -> &str {
        let demanded = group.demanded.as_deref();
        let bare = |d| str::strip_prefix(d, "read_").or_else(|| str::strip_prefix(d, "manage_"));
        demanded.map_or(group.roots[0].as_str(), |d| bare(d).unwrap_or(d))
    }
    let mut nouns: BTreeMap<String, f64> = BTreeMap::new();
    for group in groups.iter() {
        *nouns.entry(noun(group).to_owned()).or_default() += pool.value(group);
    }
    groups.sort_by(|a, b| {
        let worth = |g: &Group| nouns.get(noun(g)).copied().unwrap_or(0.0);
        worth(b)
            .total_cmp(&worth(a))
            .then_with(|| noun(a).cmp(noun(b)))
            .then_with(|| a.effect.cmp(&b.effect))
            .then_with(|| pool.value(b).total_cmp(&pool.value(a)))
            .then_with(|| pool.key(a).cmp(pool.key(b)))
    });
}

fn demands(diagnostics: &mut Diagnostics, pool: &Pool<'_>) -> Demands {
    let mut demands = Demands::default();
    let mut named: BTreeMap<(String, Effect), Vec<usize>> = BTreeMap::new();
    for (member, one) in pool.facts.iter().enumerate() {
        let posture = one.hints.posture.as_deref();
        if !matches!(posture, None | Some("primary" | "secondary" | "catalog")) {
            diagnostics.report(
                &planning::UNKNOWN_POSTURE,
                None,
                Pointer::default(),
                format!("`{}` asks for posture `{}`", one.key, posture.unwrap_or_default()),
            );
        }
        if posture == Some("catalog") {
            demands.catalog.insert(member);
        } else if let Some(group) = &one.hints.group {
            named.entry((group.clone(), one.effect)).or_default().push(member);
        } else if matches!(posture, Some("primary" | "secondary")) {
            let family = format!("\u{0}{}\u{0}{}", posture.unwrap_or_default(), one.root);
            named.entry((family, one.effect)).or_default().push(member);
        }
    }
    let mixed: BTreeSet<String> = named
        .keys()
        .filter(|(name, effect)| {
            *effect == Effect::Write && named.contains_key(&(name.clone(), Effect::Read))
        })
        .map(|(name, _)| name.clone())
        .collect();
    for ((name, effect), members) in named {
        let posture = members.iter().find_map(|m| pool.facts[*m].hints.posture.as_deref());
        let posture = match posture {
            Some("secondary") => Posture::Secondary,
            _ => Posture::Primary,
        };
        demands.taken.extend(members.iter().copied());
        let first = members[0];
        let ours = |what: &str| {
            let line = members.iter().find(|m| pool.facts[**m].lines.contains_key(what));
            pool.facts[*line.unwrap_or(&first)].asker(what)
        };
        let (placer, grouper) = (ours("posture"), ours("group"));
        let mut group = pool.group(members);
        if name.starts_with('\u{0}') {
            group.why.push(format!("{placer} demands its posture."));
        } else {
            let words = super::words::snake(&name);
            let mixes = mixed.contains(&name);
            // Lines of the configuration are reported where they stand.
            if mixes && effect == Effect::Read && grouper == "`x-mcp`" {
                diagnostics.report(
                    &planning::GROUP_MIXES_EFFECTS,
                    None,
                    Pointer::default(),
                    format!("group `{name}` both reads and writes, so it becomes two tools"),
                );
            }
            group.demanded = Some(match (mixes, effect) {
                (false, _) => words,
                (true, Effect::Read) => format!("read_{words}"),
                (true, Effect::Write) => format!("manage_{words}"),
            });
            group.why.push(format!("{grouper} puts its operations together as `{name}`."));
        }
        demands.groups.push((group, posture));
    }
    demands
}
