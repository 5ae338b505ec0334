//! Tools and their actions.

use std::collections::{BTreeMap, BTreeSet};

use super::argument::{self, Taker};
use super::pair::{erased, pairs, reordered, rest};
use super::{At, Kind, Message, Out, Sign, Subject, kinds};
use crate::plan::{Action, Annotations, Plan, Posture, Tool};
use crate::source::Pointer;

/// Most names in a message.
const MOST: usize = 8;

/// Where the operations of a plan are, by their erased keys.
pub(super) struct Places {
    direct: BTreeSet<String>,
    catalog: BTreeSet<String>,
    excluded: BTreeMap<String, String>,
}

/// Where an operation is; the first that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place<'a> {
    Direct,
    Catalog,
    /// With the reason.
    Excluded(&'a str),
    Nowhere,
}

impl Places {
    pub(super) fn of(plan: &Plan) -> Self {
        let actions = plan.tools.iter().flat_map(|t| &t.actions);
        let entries = plan.catalog.iter().flat_map(|c| &c.entries);
        Self {
            direct: actions.map(|a| erased(&a.operation)).collect(),
            catalog: entries.map(|e| erased(&e.operation)).collect(),
            excluded: plan
                .excluded
                .iter()
                .map(|e| (erased(&e.operation), e.reason.clone()))
                .collect(),
        }
    }

    pub(super) fn find(&self, operation: &str) -> Place<'_> {
        let key = erased(operation);
        if self.direct.contains(&key) {
            Place::Direct
        } else if self.catalog.contains(&key) {
            Place::Catalog
        } else if let Some(reason) = self.excluded.get(&key) {
            Place::Excluded(reason)
        } else {
            Place::Nowhere
        }
    }
}

/// An action with the tool it is in.
struct Owned<'a> {
    tool: usize,
    /// Its position among the actions of its tool.
    index: usize,
    action: &'a Action,
    key: String,
    /// The arguments it takes.
    takes: Vec<&'a str>,
}

fn flat(plan: &Plan) -> Vec<Owned<'_>> {
    let actions = |(tool, t): (usize, &'_ Tool)| -> Vec<(usize, usize)> {
        (0..t.actions.len()).map(|index| (tool, index)).collect()
    };
    plan.tools
        .iter()
        .enumerate()
        .flat_map(actions)
        .map(|(tool, index)| {
            let Tool { actions, arguments, .. } = &plan.tools[tool];
            let action = &actions[index];
            let takes = arguments.iter().filter(|a| a.to.contains_key(&action.name));
            Owned {
                tool,
                index,
                action,
                key: erased(&action.operation),
                takes: takes.map(|a| a.name.as_str()).collect(),
            }
        })
        .collect()
}

/// Compares the tools of two plans.
pub(super) fn compare(out: &mut Out, old: &Plan, new: &Plan, places: (&Places, &Places)) {
    let (before, after) = (flat(old), flat(new));
    let tools = tool_pairs(old, new, &before, &after);
    let partner: BTreeMap<usize, usize> = tools.iter().copied().collect();
    let same_tool = |i: usize, j: usize| partner.get(&before[i].tool) == Some(&after[j].tool);
    let same_name = |i: usize, j: usize| before[i].action.name == after[j].action.name;
    let same_operation =
        |i: usize, j: usize| before[i].action.operation == after[j].action.operation;
    let actions = pairs(
        before.len(),
        after.len(),
        &[
            &|i, j| same_tool(i, j) && same_operation(i, j) && same_name(i, j),
            &|i, j| same_tool(i, j) && same_operation(i, j),
            &|i, j| same_tool(i, j) && before[i].key == after[j].key,
            &|i, j| same_operation(i, j),
            &|i, j| same_tool(i, j) && same_name(i, j),
        ],
    );
    if reordered(&tools) {
        let at = At { subject: Subject::Server, pointer: Pointer::default().child("tools") };
        out.add(&at, &kinds::ORDER_CHANGED, Message::of("the tools stand in another order", &[]));
    }
    for (i, j) in &tools {
        let at = at_tool(new, *j);
        let shared: Vec<(usize, usize)> = actions
            .iter()
            .map(|(a, b)| (&before[*a], &after[*b]))
            .filter(|(a, b)| a.tool == *i && b.tool == *j)
            .map(|(a, b)| (a.index, b.index))
            .collect();
        one(out, &at, &old.tools[*i], &new.tools[*j], &shared);
    }
    for (a, b) in &actions {
        let (a, b) = (&before[*a], &after[*b]);
        if partner.get(&a.tool) != Some(&b.tool) {
            moved(out, new, &old.tools[a.tool].name, a, b);
        }
    }
    for i in rest(old.tools.len(), tools.iter().map(|(i, _)| *i)) {
        let tool = &old.tools[i];
        let at = At {
            subject: Subject::Tool(tool.name.clone()),
            pointer: Pointer::default().child("tools"),
        };
        out.add(&at, &kinds::TOOL_REMOVED, describe(tool, "no longer in the plan; it did "));
    }
    for j in rest(new.tools.len(), tools.iter().map(|(_, j)| *j)) {
        out.add(&at_tool(new, j), &kinds::TOOL_ADDED, describe(&new.tools[j], "new; it does "));
    }
    for i in rest(before.len(), actions.iter().map(|(a, _)| *a)) {
        let gone = &before[i];
        let (at, whole) = match partner.get(&gone.tool) {
            Some(j) => (at_tool(new, *j), false),
            None => (
                At {
                    subject: Subject::Tool(old.tools[gone.tool].name.clone()),
                    pointer: Pointer::default().child("tools"),
                },
                true,
            ),
        };
        let kinds = Kinds {
            alone: &kinds::ACTION_REMOVED,
            catalog: (&kinds::ACTION_TO_CATALOG, "{} ({}) is only in the catalog now"),
            excluded: (&kinds::OPERATION_EXCLUDED, "{} ({}) is left out now: {}"),
        };
        one_sided(out, &at, gone, places.1.find(&gone.action.operation), whole, &kinds);
    }
    let known: BTreeSet<usize> = partner.values().copied().collect();
    for j in rest(after.len(), actions.iter().map(|(_, b)| *b)) {
        let come = &after[j];
        let at = at_tool(new, come.tool).of("actions", come.index);
        let kinds = Kinds {
            alone: &kinds::ACTION_ADDED,
            catalog: (&kinds::ACTION_FROM_CATALOG, "{} ({}) was only in the catalog before"),
            excluded: (&kinds::OPERATION_INCLUDED, "{} ({}) was left out before: {}"),
        };
        let whole = !known.contains(&come.tool);
        one_sided(out, &at, come, places.0.find(&come.action.operation), whole, &kinds);
    }
}

fn at_tool(plan: &Plan, index: usize) -> At {
    At {
        subject: Subject::Tool(plan.tools[index].name.clone()),
        pointer: Pointer::default().child("tools").index(index),
    }
}

/// The same tool on both sides: by name where they share an operation, else by what they stand for,
/// else by name alone.
fn tool_pairs(
    old: &Plan,
    new: &Plan,
    before: &[Owned<'_>],
    after: &[Owned<'_>],
) -> Vec<(usize, usize)> {
    let sets = |count: usize, list: &[Owned<'_>]| {
        let mut sets = vec![BTreeSet::new(); count];
        for owned in list {
            sets[owned.tool].insert(owned.key.clone());
        }
        sets
    };
    let (a, b) = (sets(old.tools.len(), before), sets(new.tools.len(), after));
    let shared = |i: usize, j: usize| a[i].intersection(&b[j]).count();
    let whole = |i: usize, j: usize| a[i].union(&b[j]).count();
    let same_name = |i: usize, j: usize| old.tools[i].name == new.tools[j].name;
    pairs(
        a.len(),
        b.len(),
        &[
            &|i, j| same_name(i, j) && shared(i, j) > 0,
            &|i, j| shared(i, j) > 0 && shared(i, j) == whole(i, j),
            &|i, j| shared(i, j) > 0 && shared(i, j) * 2 > whole(i, j),
            &|i, j| shared(i, j) > 0 && shared(i, j) * 2 == whole(i, j),
            &|i, j| same_name(i, j),
        ],
    )
}

/// What a tool that comes or goes is about.
fn describe(tool: &Tool, words: &'static str) -> Message {
    let mut message = Message::of(words, &[]);
    message.list(tool.actions.iter().map(|a| a.operation.as_str()), MOST);
    message
}

fn moved(out: &mut Out, new: &Plan, from: &str, a: &Owned<'_>, b: &Owned<'_>) {
    let at = at_tool(new, b.tool).of("actions", b.index);
    let names = [b.action.name.as_str(), &b.action.operation, &a.action.name, from];
    out.add(&at, &kinds::ACTION_MOVED, Message::of("{} ({}) was {} of {} before", &names))
        .action(&b.action.name);
}

/// What an action without a partner is called, by where its operation is on the other side.
struct Kinds {
    alone: &'static Kind,
    catalog: (&'static Kind, &'static str),
    excluded: (&'static Kind, &'static str),
}

/// An action that has no partner; `whole` when the tool has none either, which says it already.
fn one_sided(
    out: &mut Out,
    at: &At,
    owned: &Owned<'_>,
    place: Place<'_>,
    whole: bool,
    kinds: &Kinds,
) {
    let Action { name, operation, .. } = owned.action;
    let (kind, mut message) = match place {
        Place::Direct | Place::Nowhere if whole => return,
        Place::Direct | Place::Nowhere => (kinds.alone, Message::of("{} ({})", &[name, operation])),
        Place::Catalog => (kinds.catalog.0, Message::of(kinds.catalog.1, &[name, operation])),
        Place::Excluded(reason) => {
            (kinds.excluded.0, Message::of(kinds.excluded.1, &[name, operation, reason]))
        }
    };
    if kind.sign == Sign::Added && !owned.takes.is_empty() {
        message.words(", takes ");
        message.list(owned.takes.iter().copied(), MOST);
    }
    out.add(at, kind, message).action(name);
}

/// One tool on both sides.
fn one(out: &mut Out, at: &At, old: &Tool, new: &Tool, shared: &[(usize, usize)]) {
    if old.name != new.name {
        out.add(at, &kinds::TOOL_RENAMED, Message::of("was called {} before", &[&old.name]))
            .values(&old.name, &new.name);
    }
    let titles = (old.title.as_str(), new.title.as_str());
    out.text(at, &kinds::TOOL_TITLE_CHANGED, "the title is another one", titles);
    let texts = (old.description.as_str(), new.description.as_str());
    out.text(at, &kinds::TOOL_DESCRIPTION_CHANGED, "the description is another one", texts);
    match (old.posture, new.posture) {
        (Posture::Primary, Posture::Primary) | (Posture::Secondary, Posture::Secondary) => {}
        (Posture::Secondary, Posture::Primary) => {
            out.add(
                at,
                &kinds::TOOL_PROMOTED,
                Message::of("is primary now, secondary before", &[]),
            );
        }
        (Posture::Primary, Posture::Secondary) => {
            out.add(at, &kinds::TOOL_DEMOTED, Message::of("is secondary now, primary before", &[]));
        }
    }
    annotations(out, at, old.annotations, new.annotations);
    toolsets(out, at, "", (&old.toolsets, &new.toolsets));
    if old.output != new.output {
        let words = |output: &Option<serde_json::Value>| {
            output.as_ref().map_or("none".to_owned(), serde_json::Value::to_string)
        };
        let message = Message::of("says another `outputSchema`", &[]);
        out.add(at, &kinds::OUTPUT_CHANGED, message)
            .values(&words(&old.output), &words(&new.output));
    }
    match (&old.selector, &new.selector) {
        (None, Some(name)) => {
            out.add(at, &kinds::SELECTOR_ADDED, Message::of("{} must now be given", &[name]))
                .argument(name);
        }
        (Some(name), None) => {
            out.add(at, &kinds::SELECTOR_REMOVED, Message::of("{} is no longer taken", &[name]))
                .argument(name);
        }
        (Some(a), Some(b)) if a != b => {
            let message = Message::of("the action is chosen by {} now, by {} before", &[b, a]);
            out.add(at, &kinds::SELECTOR_RENAMED, message).argument(b).values(a, b);
        }
        (None, None) | (Some(_), Some(_)) => {}
    }
    if reordered(shared) {
        out.add(at, &kinds::ORDER_CHANGED, Message::of("the actions stand in another order", &[]));
    }
    let seen = old.selector.is_some() && new.selector.is_some();
    for (i, j) in shared {
        action(out, &at.of("actions", *j), &old.actions[*i], &new.actions[*j], seen);
    }
    let side = |tool: &'_ Tool| -> Vec<Taker> {
        let taker = |a: &Action| Taker { name: a.name.clone(), required: a.required.clone() };
        tool.actions.iter().map(taker).collect()
    };
    argument::compare(
        out,
        at,
        &argument::Side { arguments: &old.arguments, takers: &side(old) },
        &argument::Side { arguments: &new.arguments, takers: &side(new) },
        shared,
    );
}

fn annotations(out: &mut Out, at: &At, old: Annotations, new: Annotations) {
    // Each is true when the tool may do more.
    let rows = [
        (!old.read_only, !new.read_only, "read-only", "may change things"),
        (old.destructive, new.destructive, "destroys nothing", "may destroy"),
        (!old.idempotent, !new.idempotent, "idempotent", "not idempotent"),
        (old.open_world, new.open_world, "closed world", "open world"),
    ];
    let wider = rows.iter().filter(|r| !r.0 && r.1).map(|r| (r.2, r.3));
    let tighter = rows.iter().filter(|r| r.0 && !r.1).map(|r| (r.3, r.2));
    let say = |list: Vec<(&str, &str)>| {
        let all: Vec<_> = list.iter().map(|(was, is)| format!("{is} now, {was} before")).collect();
        let mut message = Message::default();
        message.words(&all.join("; "));
        (!list.is_empty()).then_some(message)
    };
    if let Some(message) = say(wider.collect()) {
        out.add(at, &kinds::ANNOTATIONS_WIDENED, message);
    }
    if let Some(message) = say(tighter.collect()) {
        out.add(at, &kinds::ANNOTATIONS_NARROWED, message);
    }
}

/// One action on both sides; `seen` when callers give its name.
fn action(out: &mut Out, at: &At, old: &Action, new: &Action, seen: bool) {
    if old.name != new.name {
        let kind = if seen { &kinds::ACTION_RENAMED } else { &kinds::ACTION_KEY_CHANGED };
        let names = [new.name.as_str(), &new.operation, &old.name];
        out.add(at, kind, Message::of("{} ({}) was called {} before", &names))
            .values(&old.name, &new.name)
            .action(&new.name);
    }
    operation(out, at, &new.name, (&old.operation, &new.operation));
    media_type(out, at, &new.name, (old.media_type.as_deref(), new.media_type.as_deref()));
    summary(out, at, &new.name, (&old.summary, &new.summary));
}

/// Another operation under the same name.
pub(super) fn operation(out: &mut Out, at: &At, name: &str, operations: (&str, &str)) {
    let (old, new) = operations;
    if old == new {
        return;
    }
    let (kind, words) = if erased(old) == erased(new) {
        (&kinds::OPERATION_RESPELLED, "{} is written {} now, {} before")
    } else {
        (&kinds::OPERATION_CHANGED, "{} calls {} now, {} before")
    };
    out.add(at, kind, Message::of(words, &[name, new, old])).values(old, new).action(name);
}

/// Other toolsets, of a tool or of the entry `name`.
pub(super) fn toolsets(out: &mut Out, at: &At, name: &str, sets: (&[String], &[String])) {
    if sets.0 == sets.1 {
        return;
    }
    let mut message = Message::default();
    if !name.is_empty() {
        message.code(name);
        message.words(" ");
    }
    message.words("is in ");
    for (i, (when, list)) in [("now", sets.1), ("before", sets.0)].into_iter().enumerate() {
        message.words(if i == 0 { "" } else { ", in " });
        if list.is_empty() {
            message.words("no toolset");
        }
        message.list(list.iter().map(String::as_str), MOST);
        message.words(&format!(" {when}"));
    }
    let change = out.add(at, &kinds::TOOLSET_CHANGED, message);
    change.values(&sets.0.join(", "), &sets.1.join(", "));
    if !name.is_empty() {
        change.action(name);
    }
}

/// Another media type of the body.
pub(super) fn media_type(out: &mut Out, at: &At, name: &str, types: (Option<&str>, Option<&str>)) {
    if types.0 == types.1 {
        return;
    }
    let message = match types {
        (Some(old), Some(new)) => {
            Message::of("the body of {} is sent as {} now, as {} before", &[name, new, old])
        }
        (None, Some(new)) => Message::of("{} sends a body as {} now, none before", &[name, new]),
        (Some(old), None) => Message::of("{} sends no body now, one as {} before", &[name, old]),
        (None, None) => return,
    };
    out.add(at, &kinds::MEDIA_TYPE_CHANGED, message)
        .values(types.0.unwrap_or_default(), types.1.unwrap_or_default())
        .action(name);
}

/// Another line about it.
pub(super) fn summary(out: &mut Out, at: &At, name: &str, texts: (&str, &str)) {
    if texts.0 != texts.1 {
        out.add(
            at,
            &kinds::SUMMARY_CHANGED,
            Message::of("the summary of {} is another one", &[name]),
        )
        .values(texts.0, texts.1)
        .action(name);
    }
}
