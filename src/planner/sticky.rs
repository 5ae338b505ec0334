//! Follows the plan that people and agents know already.

use std::collections::{BTreeMap, BTreeSet};

use super::assemble;
use super::cost::{Group, MAX_ACTIONS, Pool, Relation, delta, fits};
use super::draft::{Draft, DraftTool};
use super::naming::{self, Taken, legal};
use super::orders::Orders;
use super::resource::is_version;
use crate::config::{Config, ToolPosture};
use crate::diagnostic::{Diagnostics, planning};
use crate::ir::Api;
use crate::plan::{Effect, Excluded, Plan, Posture};
use crate::source::Pointer;

/// More actions than a fresh plan would give a tool, because joining disturbs nobody.
const KEPT_ACTIONS: usize = MAX_ACTIONS + 2;

/// What the configuration says, which counts before the plan that is followed.
#[derive(Clone, Copy)]
struct Asked<'a> {
    config: &'a Config,
    orders: &'a Orders,
}

/// A tool of the plan before, with what is left of it.
struct Kept {
    name: String,
    title: String,
    posture: Posture,
    effect: Effect,
    /// Position and action name, in order.
    members: Vec<(usize, String)>,
    why: Vec<String>,
    grown: bool,
}

impl Kept {
    fn group(&self, pool: &Pool<'_>) -> Group {
        pool.group(self.members.iter().map(|(m, _)| *m).collect())
    }
}

/// The draft that keeps what `previous` says as far as it still makes sense; `None` when it does not.
pub(super) fn follow(
    diagnostics: &mut Diagnostics,
    api: &Api,
    pool: &Pool<'_>,
    config: &Config,
    orders: &Orders,
    previous: &Plan,
    excluded: &[Excluded],
) -> Option<Draft> {
    let max_primary = config.max_primary;
    let asked = Asked { config, orders };
    let known = Known::of(pool, previous);
    let mut tools = known.tools(pool, asked, previous);
    let mut placed: BTreeSet<usize> =
        tools.iter().flat_map(|t| &t.members).map(|(m, _)| *m).collect();
    let mut entry_names = BTreeMap::new();
    for entry in previous.catalog.iter().flat_map(|c| &c.entries) {
        if let Some(member) = known.find(&entry.operation) {
            let name = named_by_config(&pool.facts[member]).unwrap_or_else(|| entry.name.clone());
            entry_names.insert(member, name);
        }
    }
    let survivors = placed.union(&entry_names.keys().copied().collect()).count();
    let demands_catalog = pool.facts.iter().any(|f| f.hints.posture.as_deref() == Some("catalog"));
    let catalog = previous.catalog.is_some() || demands_catalog;
    let primary = tools.iter().filter(|t| t.posture == Posture::Primary).count();
    let reason = if survivors * 2 < previous.covered() {
        Some(format!("{survivors} of {} operations are left of it", previous.covered()))
    } else if primary > max_primary {
        Some(format!("it has {primary} primary tools, {max_primary} are allowed now"))
    } else {
        None
    };
    if let Some(reason) = reason {
        diagnostics.report(
            &planning::PLAN_NOT_KEPT,
            None,
            Pointer::default(),
            format!("the plan before is not followed: {reason}"),
        );
        return None;
    }
    let mut new: Vec<usize> = (0..pool.facts.len()).filter(|m| !placed.contains(m)).collect();
    new.retain(|m| {
        let demanded = pool.facts[*m].hints.group.is_some()
            || matches!(pool.facts[*m].hints.posture.as_deref(), Some("primary" | "secondary"));
        demanded || !entry_names.contains_key(m)
    });
    let mut fresh: Vec<(Group, Posture)> = Vec::new();
    for member in new {
        place(pool, asked, &mut tools, &mut fresh, member, catalog);
        placed.insert(member);
    }
    let mut taken = Taken::default();
    for tool in &tools {
        taken.take(&tool.name);
    }
    let mut drafts: Vec<DraftTool> = Vec::new();
    for tool in &tools {
        let group = tool.group(pool);
        drafts.push(kept_tool(pool, tool, &group));
    }
    for (group, posture) in fresh {
        let (name, _) = assemble::tool_name(&group, pool, &mut taken);
        let actions = naming::action_names(&group, pool.facts);
        let mut tool = assemble::tool(pool, &group, posture, name, actions);
        tool.why.push("New: no tool of the plan before suits it.".to_owned());
        drafts.push(tool);
    }
    // Stable: kept tools stay in their order, new ones follow those of their posture.
    drafts.sort_by_key(|t| t.posture);
    let entries =
        if catalog { assemble::entries(api, pool, &drafts, &entry_names) } else { Vec::new() };
    Some(Draft { tools: drafts, entries, excluded: excluded.to_vec(), ..Draft::default() })
}

fn kept_tool(pool: &Pool<'_>, kept: &Kept, group: &Group) -> DraftTool {
    // The order of actions is that of the plan before, not that of importance.
    let names: BTreeMap<usize, &String> = kept.members.iter().map(|(m, n)| (*m, n)).collect();
    let actions = group.members.iter().map(|m| names[m].clone()).collect();
    let mut tool = assemble::tool(pool, group, kept.posture, kept.name.clone(), actions);
    let place = |index: usize| kept.members.iter().position(|(m, _)| pool.facts[*m].index == index);
    tool.actions.sort_by_key(|a| place(a.operation));
    tool.title.clone_from(&kept.title);
    if !kept.grown && !kept.why.is_empty() {
        tool.why.clone_from(&kept.why);
    }
    tool
}

/// Finds a place for an operation that the plan before does not know.
fn place(
    pool: &Pool<'_>,
    asked: Asked<'_>,
    tools: &mut [Kept],
    fresh: &mut Vec<(Group, Posture)>,
    member: usize,
    catalog: bool,
) {
    let max_primary = asked.config.max_primary;
    let one = &pool.facts[member];
    let single = pool.group(vec![member]);
    if let Some(demanded) = &one.hints.group {
        let names = demanded_names(asked.config, demanded);
        if let Some(tool) =
            tools.iter_mut().find(|t| names.contains(&t.name) && t.effect == one.effect)
        {
            join(pool, tool, member);
            return;
        }
        let found = fresh.iter_mut().find(|(g, _)| {
            g.effect == one.effect && g.demanded.as_ref().is_some_and(|d| names.contains(&legal(d)))
        });
        if let Some((group, _)) = found {
            *group = pool.join(group, &single);
            return;
        }
        let other = tools.iter().any(|t| names.contains(&t.name));
        let mut group = single;
        group.demanded = Some(match (other, one.effect) {
            (false, _) => names[0].clone(),
            (true, Effect::Read) => names[1].clone(),
            (true, Effect::Write) => names[2].clone(),
        });
        fresh.push((group, posture(one)));
        return;
    }
    match one.hints.posture.as_deref() {
        Some("catalog") => return,
        Some("primary" | "secondary") => {
            fresh.push((single, posture(one)));
            return;
        }
        _ => {}
    }
    let threshold = if catalog { 0.35 } else { 1.0 };
    if let Some(tool) = nearest(pool, asked, tools, &single, Relation::SameNoun, threshold) {
        join(pool, &mut tools[tool], member);
        return;
    }
    if catalog {
        return;
    }
    let similar = fresh.iter_mut().find(|(g, _)| {
        g.demanded.is_none()
            && g.relation(&single) == Some(Relation::SameNoun)
            && g.members.len() < MAX_ACTIONS
    });
    if let Some((group, _)) = similar {
        *group = pool.join(group, &single);
        return;
    }
    let count = |posture: Posture| {
        tools.iter().filter(|t| t.posture == posture).count()
            + fresh.iter().filter(|(_, p)| *p == posture).count()
    };
    if one.plumbing.is_some() && count(Posture::Secondary) < 3 {
        fresh.push((single, Posture::Secondary));
    } else if count(Posture::Primary) < max_primary {
        fresh.push((single, Posture::Primary));
    } else if let Some(tool) =
        nearest(pool, asked, tools, &single, Relation::Unrelated, f64::INFINITY)
    {
        join(pool, &mut tools[tool], member);
    } else {
        fresh.push((single, Posture::Primary));
    }
}

/// The kept tool that the operation would burden least.
fn nearest(
    pool: &Pool<'_>,
    asked: Asked<'_>,
    tools: &[Kept],
    single: &Group,
    relation: Relation,
    threshold: f64,
) -> Option<usize> {
    let groups: Vec<Group> = tools.iter().map(|t| t.group(pool)).collect();
    let mean = groups.iter().map(|g| g.weight).sum::<f64>()
        / super::importance::ratio(groups.len().max(1), 1);
    let plumbing = pool.facts[single.members[0]].plumbing.is_some();
    groups
        .iter()
        .enumerate()
        .filter(|(i, g)| {
            // Plumbing does not go among tasks of its noun, nor tasks among plumbing.
            let secondary = tools[*i].posture == Posture::Secondary;
            let room = asked.config.max_actions.unwrap_or(KEPT_ACTIONS);
            g.members.len() < room
                && (asked.config.max_arguments.is_none() || fits(g, single))
                && !asked.orders.listed.contains(&tools[*i].name)
                && (secondary == plumbing || relation != Relation::SameNoun)
        })
        .filter_map(|(i, g)| {
            let near = g.relation(single).filter(|r| *r <= relation)?;
            let delta = delta(g, single, near, mean);
            (delta < threshold).then_some((delta, i))
        })
        // A tool with one action would need a selector from now on, which breaks every call that is
        // known: it is taken only where nothing else fits.
        .map(|(delta, i)| (tools[i].members.len() == 1, delta, i))
        .min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)))
        .map(|(_, _, i)| i)
}

fn join(pool: &Pool<'_>, tool: &mut Kept, member: usize) {
    let mut taken: BTreeSet<String> = tool.members.iter().map(|(_, n)| n.clone()).collect();
    let roots = tool.group(pool).roots;
    let name = naming::new_action(&pool.facts[member], &roots, &mut taken);
    tool.members.push((member, name));
    tool.grown = true;
}

fn posture(one: &super::facts::Facts) -> Posture {
    if one.hints.posture.as_deref() == Some("secondary") {
        Posture::Secondary
    } else {
        Posture::Primary
    }
}

/// The names of tools that a demanded group may be: its own, one for each effect, and what the
/// configuration calls it instead.
fn demanded_names(config: &Config, group: &str) -> Vec<String> {
    let words = super::words::snake(group);
    let mut names = ["", "read_", "manage_"].map(|verb| legal(&format!("{verb}{words}"))).to_vec();
    names.extend(config.tools.get(group).and_then(|wish| wish.name.as_deref()).map(legal));
    names
}

/// The name that the configuration gives an operation.
fn named_by_config(one: &super::facts::Facts) -> Option<String> {
    let name = one.hints.name.as_ref().filter(|_| one.lines.contains_key("name"));
    name.map(|n| super::words::snake(n)).filter(|n| !n.is_empty() && n.len() <= 48)
}

/// Operations by the keys that a plan may know them by.
struct Known {
    exact: BTreeMap<String, usize>,
    /// Without names of parameters.
    erased: BTreeMap<String, Option<usize>>,
    /// Without versions either.
    timeless: BTreeMap<String, Option<usize>>,
    /// Erased keys of the operations that are still there as written.
    claimed: BTreeSet<usize>,
}

impl Known {
    fn of(pool: &Pool<'_>, previous: &Plan) -> Self {
        let mut known = Self {
            exact: BTreeMap::new(),
            erased: BTreeMap::new(),
            timeless: BTreeMap::new(),
            claimed: BTreeSet::new(),
        };
        for (member, one) in pool.facts.iter().enumerate() {
            known.exact.insert(one.key.clone(), member);
            let unique = |map: &mut BTreeMap<String, Option<usize>>, key: String| {
                map.entry(key).and_modify(|e| *e = None).or_insert(Some(member));
            };
            unique(&mut known.erased, erase(&one.key, false));
            unique(&mut known.timeless, erase(&one.key, true));
        }
        let direct = previous.tools.iter().flat_map(|t| &t.actions).map(|a| &a.operation);
        let entries = previous.catalog.iter().flat_map(|c| &c.entries).map(|e| &e.operation);
        known.claimed = direct.chain(entries).filter_map(|k| known.exact.get(k).copied()).collect();
        known
    }

    /// The operation that a plan calls `key`: as written, or else with parameters or versions renamed.
    fn find(&self, key: &str) -> Option<usize> {
        let renamed = || {
            let near = self
                .erased
                .get(&erase(key, false))
                .or_else(|| self.timeless.get(&erase(key, true)));
            near.copied().flatten().filter(|m| !self.claimed.contains(m))
        };
        self.exact.get(key).copied().or_else(renamed)
    }

    fn tools(&self, pool: &Pool<'_>, asked: Asked<'_>, previous: &Plan) -> Vec<Kept> {
        let mut seen = BTreeSet::new();
        let mut tools: Vec<Kept> = Vec::new();
        let mut taken = Taken::default();
        for tool in &previous.tools {
            taken.take(&tool.name);
        }
        for tool in &previous.tools {
            let wish = asked.config.tools.get(&tool.name).or_else(|| {
                let mut all = asked.config.tools.values();
                all.find(|w| w.name.as_deref().is_some_and(|n| legal(n) == tool.name))
            });
            let says_less = wish.and_then(|w| w.annotations.read_only) == Some(false);
            let found: Vec<(usize, String)> = tool
                .actions
                .iter()
                .filter_map(|a| Some((self.find(&a.operation)?, a.name.clone())))
                .collect();
            let first = found.first().map(|(m, _)| pool.facts[*m].effect);
            // A hint that was asked for says nothing of what the operations do.
            let effect = match (tool.annotations.read_only, first) {
                (false, Some(effect)) if says_less => effect,
                (true, _) => Effect::Read,
                (false, _) => Effect::Write,
            };
            let mut members: Vec<(usize, String)> = found
                .into_iter()
                .filter(|(m, _)| pool.facts[*m].effect == effect)
                .filter(|(m, _)| stays(asked, &pool.facts[*m], tool))
                .filter(|(m, _)| seen.insert(*m))
                .collect();
            for (m, _) in within(pool, asked, tool, &mut members) {
                seen.remove(&m);
            }
            if members.is_empty() {
                continue;
            }
            let alone = tool.actions.len() == 1;
            let mut names: BTreeSet<String> = members.iter().map(|(_, n)| n.clone()).collect();
            for (member, name) in &mut members {
                if let Some(asked) = named_by_config(&pool.facts[*member])
                    && names.insert(asked.clone())
                {
                    *name = asked;
                }
            }
            let only = &pool.facts[members[0].0];
            let asked_name = if let Some(name) = wish.and_then(|w| w.name.as_deref()) {
                Some(legal(name))
            } else if alone && only.hints.group.is_none() {
                named_by_config(only).map(|n| legal(&n))
            } else {
                None
            };
            let asked_name = asked_name.filter(|n| *n != tool.name && taken.take(n));
            let title = only.hints.title.as_ref();
            let title = title.filter(|_| alone && only.lines.contains_key("title"));
            tools.push(Kept {
                name: asked_name.unwrap_or_else(|| tool.name.clone()),
                title: title.unwrap_or(&tool.title).clone(),
                posture: match wish.and_then(|w| w.posture) {
                    Some(ToolPosture::Primary) => Posture::Primary,
                    Some(ToolPosture::Secondary) => Posture::Secondary,
                    None => tool.posture,
                },
                effect,
                grown: members.len() != tool.actions.len(),
                members,
                why: tool.why.clone(),
            });
        }
        tools
    }
}

/// Takes away what goes beyond the limits of the configuration.
fn within(
    pool: &Pool<'_>,
    asked: Asked<'_>,
    tool: &crate::plan::Tool,
    members: &mut Vec<(usize, String)>,
) -> Vec<(usize, String)> {
    if asked.orders.listed.contains(&tool.name) {
        return Vec::new();
    }
    let most = asked.config.max_actions.unwrap_or(usize::MAX);
    let mut gone = members.split_off(most.min(members.len()));
    let widest = asked.config.max_arguments.unwrap_or(usize::MAX);
    while members.len() > 1
        && pool.group(members.iter().map(|(m, _)| *m).collect()).width() > widest
    {
        gone.extend(members.pop());
    }
    gone
}

/// Whether what is asked lets an operation stay in its tool.
fn stays(asked: Asked<'_>, one: &super::facts::Facts, tool: &crate::plan::Tool) -> bool {
    let group = match &one.hints.group {
        Some(group) => demanded_names(asked.config, group).contains(&tool.name),
        None => !asked.orders.listed.contains(&tool.name),
    };
    let posture = match one.hints.posture.as_deref() {
        Some("catalog") => false,
        Some("primary") => tool.posture == Posture::Primary,
        Some("secondary") => tool.posture == Posture::Secondary,
        _ => true,
    };
    // The posture of a tool goes with it.
    let of_tool = one.lines.get("posture").is_some_and(|p| p.as_str().starts_with("/tools/"));
    group && (posture || of_tool)
}

/// A key without the names of its parameters, and without versions when `timeless`.
fn erase(key: &str, timeless: bool) -> String {
    let mut out = String::new();
    for (i, part) in key.split('/').enumerate() {
        if timeless && i > 0 && is_version(part) {
            continue;
        }
        if i > 0 {
            out.push('/');
        }
        let mut inside = false;
        for c in part.chars() {
            match c {
                '{' => {
                    inside = true;
                    out.push_str("{}");
                }
                '}' => inside = false,
                c if !inside => out.push(c),
                _ => {}
            }
        }
    }
    out
}
