//! Which noun an operation belongs to: scopes, tenants, sections.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::Segment;
use super::resource::Shape;
use super::words;

/// Which family an operation belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Family {
    pub root: String,
    pub label: String,
    pub scope: Vec<String>,
    pub sections: Vec<String>,
    pub item: bool,
    pub below_item: bool,
}

/// Nouns under which others live: `/orgs/{org}/repos`.
const TENANTS: &[&str] = &[
    "account",
    "company",
    "customer",
    "enterprise",
    "group",
    "member",
    "namespace",
    "org",
    "organization",
    "owner",
    "project",
    "site",
    "space",
    "team",
    "tenant",
    "user",
    "workspace",
];

/// Whether a noun is one that others live under.
pub(super) fn is_tenant(noun: &str) -> bool {
    TENANTS.contains(&noun)
}

/// Whether a word means the caller.
pub(super) fn is_self(noun: &str) -> bool {
    matches!(noun, "me" | "self")
}

/// The most operations that one noun may have below it before its children stand on their own.
const SCOPE_SIZE: usize = 26;

/// The family of each shape.
pub(super) fn families(shapes: &[Shape]) -> Vec<Family> {
    let chains: Vec<Vec<(String, usize)>> = shapes.iter().map(chain).collect();
    let nouns: Vec<Vec<String>> =
        chains.iter().map(|c| c.iter().map(|(n, _)| n.clone()).collect()).collect();
    let tree = Tree::of(shapes, &chains, &nouns);
    let scopes = tree.scopes();
    let mut families: Vec<Family> = (0..shapes.len())
        .map(|i| family(&shapes[i], &chains[i], &nouns[i], &tree, &scopes))
        .collect();
    qualify(&mut families, &tree);
    families
}

/// Nouns that say little by themselves: a job of what?
const VAGUE: &[&str] = &[
    "action",
    "batch",
    "cluster",
    "completion",
    "config",
    "entry",
    "event",
    "instance",
    "job",
    "list",
    "log",
    "node",
    "object",
    "query",
    "record",
    "report",
    "request",
    "resource",
    "result",
    "rule",
    "run",
    "session",
    "task",
    "template",
];

/// Places that hold a view of each thing rather than things: `/metrics/droplets`.
const VIEWS: &[&str] = &["analytic", "history", "log", "metric", "stat", "statistic"];

/// Gives a noun the name of the place it is in where it would be mistaken otherwise: the jobs of
/// `/fine_tuning/jobs`, and `/chat/completions` beside `/completions`. A place is a word of the path
/// that is nothing itself.
fn qualify(families: &mut [Family], tree: &Tree) {
    let mut places: BTreeMap<String, BTreeSet<Vec<String>>> = BTreeMap::new();
    for family in families.iter() {
        let scope: Vec<String> =
            family.scope.iter().filter(|s| !is_tenant(s) && !is_self(s)).cloned().collect();
        places.entry(family.root.clone()).or_default().insert(scope);
    }
    for family in families {
        let Some(place) = family.scope.last().cloned() else { continue };
        let plain = tree.opens(&family.scope) && !is_self(&place) && !is_tenant(&place);
        let several = places.get(&family.root).is_some_and(|p| p.len() > 1);
        let vague = VAGUE.contains(&family.root.as_str());
        let said = family.root.split('_').any(|w| w == place);
        if !plain || said || !(several || vague) {
            continue;
        }
        if VIEWS.contains(&place.as_str()) {
            family.root = format!("{}_{place}", family.root);
            family.label = words::plural_name(&family.root);
        } else {
            family.root = format!("{place}_{}", family.root);
            family.label = format!("{place}_{}", family.label);
        }
    }
}

/// Singular nouns of a path and where they stand.
fn chain(shape: &Shape) -> Vec<(String, usize)> {
    let word = |(i, s): (usize, &Segment)| s.word().map(|w| (words::singular_name(w), i));
    shape.segments.iter().enumerate().filter_map(word).collect()
}

/// The nouns of all paths as a tree; nodes are known by the nouns from the top.
#[derive(Default)]
struct Tree {
    /// Nodes with a parameter right below.
    with_items: BTreeSet<Vec<String>>,
    /// Last nouns of those.
    item_nouns: BTreeSet<String>,
    /// Last nouns of those, and how many nodes.
    item_places: BTreeMap<String, usize>,
    /// Operations at and below a node.
    size: BTreeMap<Vec<String>, usize>,
    /// Operations at a node.
    own: BTreeMap<Vec<String>, usize>,
    /// Children of a node.
    children: BTreeMap<Vec<String>, BTreeSet<String>>,
}

impl Tree {
    fn of(shapes: &[Shape], chains: &[Vec<(String, usize)>], nouns: &[Vec<String>]) -> Self {
        let mut tree = Self::default();
        for ((shape, chain), nouns) in shapes.iter().zip(chains).zip(nouns) {
            for (depth, (noun, place)) in chain.iter().enumerate() {
                let node = nouns[..=depth].to_vec();
                tree.children.entry(nouns[..depth].to_vec()).or_default().insert(noun.clone());
                *tree.size.entry(node.clone()).or_default() += 1;
                if matches!(shape.segments.get(place + 1), Some(Segment::Parameter(_))) {
                    tree.item_nouns.insert(noun.clone());
                    if tree.with_items.insert(node) {
                        *tree.item_places.entry(noun.clone()).or_default() += 1;
                    }
                }
            }
            if shape.phrase.is_none() {
                *tree.own.entry(nouns.clone()).or_default() += 1;
            }
        }
        tree
    }

    /// Whether a child is a thing of its own rather than a section of its parent.
    fn is_entity(&self, node: &[String]) -> bool {
        self.with_items.contains(node) || self.size.get(node).is_some_and(|n| *n >= 4)
    }

    fn is_scope(&self, node: &[String]) -> bool {
        let Some(children) = self.children.get(node) else { return false };
        let Some(last) = node.last() else { return false };
        let child = |c: &String| [node, std::slice::from_ref(c)].concat();
        let entities = children.iter().filter(|c| self.is_entity(&child(c))).count();
        let size = self.size.get(node).copied().unwrap_or(0);
        // `/store/order/…`: a word that is nothing itself, only a place for others.
        let empty = !self.own.contains_key(node) && !self.with_items.contains(node);
        let holds = children.iter().any(|c| self.size.get(&child(c)).is_some_and(|n| *n >= 2));
        let large = |c: &&String| {
            let child = child(c);
            self.with_items.contains(&child) && self.size.get(&child).is_some_and(|n| *n >= 6)
        };
        (size > SCOPE_SIZE
            && (entities >= 3 || (entities == 2 && children.iter().any(|c| large(&c)))))
            || is_self(last)
            || (last == "user" && entities >= 3)
            || (empty && holds)
    }

    fn scopes(&self) -> BTreeSet<Vec<String>> {
        let mut nodes: Vec<&Vec<String>> = self.children.keys().filter(|n| !n.is_empty()).collect();
        nodes.sort_by_key(|n| n.len());
        let mut scopes = BTreeSet::new();
        for node in nodes {
            let reached = node.len() == 1 || scopes.contains(&node[..node.len() - 1]);
            if reached && self.is_scope(node) {
                scopes.insert(node.clone());
            }
        }
        scopes
    }

    /// Whether children of this scope leave it even when they are only sections.
    fn opens(&self, node: &[String]) -> bool {
        node.last().is_some_and(|n| is_self(n))
            || (!self.own.contains_key(node) && !self.with_items.contains(node))
    }
}

fn family(
    shape: &Shape,
    chain: &[(String, usize)],
    nouns: &[String],
    tree: &Tree,
    scopes: &BTreeSet<Vec<String>>,
) -> Family {
    let item = shape.segments.last().is_some_and(|s| s.word().is_none());
    if nouns.is_empty() {
        let root = "api".to_owned();
        return Family { label: root.clone(), root, item, below_item: item, ..Family::default() };
    }
    let mut i = 0;
    while i + 1 < nouns.len() && scopes.contains(&nouns[..=i]) {
        let (scope, child) = (&nouns[..=i], &nouns[..=i + 1]);
        let elsewhere = tree.item_nouns.contains(&nouns[i + 1])
            && tree.size.contains_key(std::slice::from_ref(&nouns[i + 1]));
        if !(tree.opens(scope) || tree.is_entity(child) || elsewhere) {
            break;
        }
        i += 1;
    }
    // `/users/{}/playlists`: belongs to the playlists that have items elsewhere.
    while i + 1 < nouns.len()
        && is_tenant(&nouns[i])
        && tree.item_nouns.contains(&nouns[i + 1])
        && !tree.with_items.contains(&nouns[..=i + 1])
        && tree.item_places.get(&nouns[i + 1]).is_some_and(|n| *n > 0)
    {
        i += 1;
    }
    let place = chain[i].1;
    Family {
        root: nouns[i].clone(),
        label: shape.segments[place].word().unwrap_or_default().to_owned(),
        scope: nouns[..i].to_vec(),
        sections: nouns[i + 1..].to_vec(),
        item,
        below_item: shape.segments[place + 1..].iter().any(|s| s.word().is_none()),
    }
}
