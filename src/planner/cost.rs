//! What a group of operations costs, and what joining two groups does to that.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::Facts;
use super::importance::ratio;
use crate::config::Config;
use crate::plan::Effect;

/// The most actions of a tool, unless the configuration says otherwise.
pub(super) const MAX_ACTIONS: usize = 12;
/// The most arguments that joining may lead to, unless the configuration says otherwise.
pub(super) const MAX_ARGUMENTS: usize = 24;

/// How large tools may become by joining.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub actions: usize,
    pub arguments: usize,
}

impl Limits {
    /// Those of the configuration.
    pub(super) fn of(config: &Config) -> Self {
        Self {
            actions: config.max_actions.unwrap_or(MAX_ACTIONS),
            arguments: config.max_arguments.unwrap_or(MAX_ARGUMENTS),
        }
    }
}

/// Operations that may become one tool.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Positions in the list of facts, the most important first.
    pub members: Vec<usize>,
    pub effect: Effect,
    /// Its nouns, that of the most important member first.
    pub roots: Vec<String>,
    /// Tags of any member.
    pub tags: BTreeSet<String>,
    /// Scope of its most important member.
    pub scope: Vec<String>,
    /// Sum of importance.
    pub weight: f64,
    /// Name that `x-mcp: {group: …}` demands.
    pub demanded: Option<String>,
    /// Whether it was set apart from others that it goes with.
    pub apart: bool,
    /// Why it came to be, in sentences.
    pub why: Vec<String>,
    limits: Limits,
    arguments: Bits,
    /// Sum of importance × number of arguments.
    taken: f64,
    destructive: usize,
}

/// How near two groups are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Relation {
    SameNoun,
    SharedTagOrScope,
    Unrelated,
}

/// Facts and what is computed from them once.
pub(super) struct Pool<'a> {
    pub facts: &'a [Facts],
    pub limits: Limits,
    bits: Vec<Bits>,
    /// Place of each operation in the order of importance.
    rank: Vec<usize>,
}

/// A set of arguments.
#[derive(Clone, Debug, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn count(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    fn union(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a | b).collect())
    }

    fn union_count(&self, other: &Self) -> usize {
        self.0.iter().zip(&other.0).map(|(a, b)| (a | b).count_ones() as usize).sum()
    }
}

impl<'a> Pool<'a> {
    pub(super) fn new(facts: &'a [Facts], limits: Limits) -> Self {
        let mut order: Vec<usize> = (0..facts.len()).collect();
        order.sort_by(|a, b| {
            let (a, b) = (&facts[*a], &facts[*b]);
            b.importance.total_cmp(&a.importance).then_with(|| a.key.cmp(&b.key))
        });
        let mut rank = vec![0; facts.len()];
        for (place, position) in order.iter().enumerate() {
            rank[*position] = place;
        }
        Self { facts, limits, bits: bits(facts), rank }
    }

    /// A group of these operations, which have one effect.
    pub(super) fn group(&self, mut members: Vec<usize>) -> Group {
        members.sort_by_key(|m| self.rank[*m]);
        let facts = || members.iter().map(|m| &self.facts[*m]);
        let mut roots: Vec<String> = Vec::new();
        for one in facts() {
            if !roots.contains(&one.root) {
                roots.push(one.root.clone());
            }
        }
        let mut arguments = self.bits[members[0]].clone();
        for member in &members {
            arguments = arguments.union(&self.bits[*member]);
        }
        Group {
            effect: self.facts[members[0]].effect,
            roots,
            tags: facts().flat_map(|f| f.tags.iter().cloned()).collect(),
            scope: self.facts[members[0]].scope.clone(),
            weight: facts().map(|f| f.importance).sum(),
            demanded: None,
            apart: false,
            why: Vec::new(),
            taken: facts().map(|f| f.importance * ratio(f.arguments.len(), 1)).sum(),
            destructive: facts().filter(|f| f.destructive).count(),
            limits: self.limits,
            arguments,
            members,
        }
    }

    /// The arguments that at least two members take, or all that a single one takes.
    pub(super) fn shared_arguments(&self, group: &Group) -> Vec<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for one in group.members.iter().map(|m| &self.facts[*m]) {
            one.arguments.iter().for_each(|a| *counts.entry(a).or_default() += 1);
        }
        let mut shared: Vec<(&str, usize)> = counts.into_iter().filter(|(_, n)| *n > 1).collect();
        shared.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        shared.into_iter().map(|(name, _)| name.to_owned()).collect()
    }

    /// Two groups as one.
    pub(super) fn join(&self, a: &Group, b: &Group) -> Group {
        let mut joined = self.group([a.members.as_slice(), &b.members].concat());
        joined.demanded = a.demanded.clone().or_else(|| b.demanded.clone());
        joined.why = [a.why.as_slice(), &b.why].concat();
        joined
    }

    /// What a tool is worth: its first operations count most, and it is worth less when its
    /// operations take little of what it shows.
    pub(super) fn value(&self, group: &Group) -> f64 {
        let mut share = 1.0;
        let mut sum = 0.0;
        for member in &group.members {
            sum += self.facts[*member].importance * share;
            share *= 0.85;
        }
        sum * (0.6 + 0.4 * group.focus())
    }

    /// The key of the first member, for ties.
    pub(super) fn key(&self, group: &Group) -> &str {
        group.members.iter().map(|m| self.facts[*m].key.as_str()).min().unwrap_or_default()
    }
}

fn bits(facts: &[Facts]) -> Vec<Bits> {
    let names: BTreeSet<&str> =
        facts.iter().flat_map(|f| f.arguments.iter().map(String::as_str)).collect();
    let place: BTreeMap<&str, usize> = names.into_iter().enumerate().map(|(i, n)| (n, i)).collect();
    let length = place.len().div_ceil(64).max(1);
    let set = |one: &Facts| {
        let mut words = vec![0_u64; length];
        for name in &one.arguments {
            let i = place[name.as_str()];
            words[i / 64] |= 1 << (i % 64);
        }
        Bits(words)
    };
    facts.iter().map(set).collect()
}

impl Group {
    /// The share of its arguments that its operations take on average, by importance.
    pub(super) fn focus(&self) -> f64 {
        focus(self.taken, self.weight, self.arguments.count())
    }

    /// How many arguments it has.
    pub(super) fn width(&self) -> usize {
        self.arguments.count()
    }

    /// Whether some but not all of its operations destroy.
    pub(super) fn mixes_destruction(&self) -> bool {
        self.destructive > 0 && self.destructive < self.members.len()
    }

    fn sums(&self) -> Sums {
        Sums {
            members: self.members.len(),
            width: self.width(),
            taken: self.taken,
            weight: self.weight,
            nouns: self.roots.len(),
            mixed: self.mixes_destruction(),
            limits: self.limits,
        }
    }

    /// What it costs to have it as a tool.
    pub(super) fn cost(&self) -> f64 {
        cost(&self.sums())
    }

    /// The same, term by term.
    pub(super) fn terms(&self) -> [(&'static str, f64); 8] {
        terms(&self.sums())
    }

    /// How near another group is; `None` when the two must never meet.
    pub(super) fn relation(&self, other: &Self) -> Option<Relation> {
        let demanded = self.demanded.is_some() || other.demanded.is_some();
        if self.effect != other.effect || demanded {
            return None;
        }
        Some(if self.roots.iter().any(|r| other.roots.contains(r)) {
            Relation::SameNoun
        } else if !self.tags.is_disjoint(&other.tags)
            || (!self.scope.is_empty() && self.scope == other.scope)
        {
            Relation::SharedTagOrScope
        } else {
            Relation::Unrelated
        })
    }
}

fn focus(taken: f64, weight: f64, width: usize) -> f64 {
    if width == 0 || weight <= 0.0 { 1.0 } else { taken / weight / ratio(width, 1) }
}

struct Sums {
    members: usize,
    width: usize,
    taken: f64,
    weight: f64,
    nouns: usize,
    mixed: bool,
    limits: Limits,
}

fn cost(sums: &Sums) -> f64 {
    terms(sums).iter().map(|(_, term)| term).sum()
}

fn terms(sums: &Sums) -> [(&'static str, f64); 8] {
    let over = |n: usize, limit: usize| ratio(n.saturating_sub(limit), 1);
    let irrelevant = 1.0 - focus(sums.taken, sums.weight, sums.width);
    let many = (over(sums.members, 1) / 3.0).min(1.0);
    let wide = (ratio(sums.width, 1) / 8.0).min(1.6);
    [
        ("one tool in the list", 1.0),
        ("its actions ignore much of what it shows", 1.6 * irrelevant * many * wide),
        ("more than 6 actions", 0.06 * over(sums.members, 6)),
        ("more actions than a tool may have", 0.6 * over(sums.members, sums.limits.actions)),
        ("more than 14 arguments", 0.03 * over(sums.width, 14)),
        ("more arguments than joining may lead to", 0.5 * over(sums.width, sums.limits.arguments)),
        ("about several things", 0.55 * over(sums.nouns, 1)),
        ("as dangerous as its worst action", if sums.mixed { 0.05 } else { 0.0 }),
    ]
}

/// What joining two groups adds to the cost of the plan; less than nothing pays. `mean` is the mean
/// importance of a group: mixing two important nouns is worst.
pub(super) fn delta(a: &Group, b: &Group, relation: Relation, mean: f64) -> f64 {
    let shared = a.roots.iter().filter(|r| b.roots.contains(r)).count();
    let destructive = a.destructive + b.destructive;
    let members = a.members.len() + b.members.len();
    let joined = cost(&Sums {
        members,
        width: a.arguments.union_count(&b.arguments),
        taken: a.taken + b.taken,
        weight: a.weight + b.weight,
        nouns: a.roots.len() + b.roots.len() - shared,
        mixed: destructive > 0 && destructive < members,
        limits: a.limits,
    });
    let distance = match relation {
        Relation::SameNoun => 0.0,
        Relation::SharedTagOrScope | Relation::Unrelated => {
            let scale = (a.weight.min(b.weight) / mean.max(1e-9)).clamp(0.3, 2.5);
            let base = if relation == Relation::Unrelated { 0.9 } else { 0.35 };
            base * scale + 0.45 * (scale - 1.0)
        }
    };
    joined - a.cost() - b.cost() + distance
}

/// How many nouns the two together would have, and their focus.
pub(super) fn joined(a: &Group, b: &Group) -> (usize, f64) {
    let shared = a.roots.iter().filter(|r| b.roots.contains(r)).count();
    let width = a.arguments.union_count(&b.arguments);
    (a.roots.len() + b.roots.len() - shared, focus(a.taken + b.taken, a.weight + b.weight, width))
}

/// Whether the two together stay within the bounds of a tool.
pub(super) fn fits(a: &Group, b: &Group) -> bool {
    let width = a.arguments.union_count(&b.arguments);
    a.members.len() + b.members.len() <= a.limits.actions
        && (width <= a.limits.arguments || width <= a.width().max(b.width()))
}
