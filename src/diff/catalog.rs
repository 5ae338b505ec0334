//! The catalog, its entries, and what is left out.

use super::argument::{self, Side, Taker};
use super::pair::{erased, pairs, reordered, rest};
use super::tool::{self, Place, Places};
use super::{At, Kind, Message, Out, Subject, kinds};
use crate::plan::{Argument, Catalog, CatalogTool, Effect, Entry, Excluded, Plan};
use crate::source::Pointer;

/// Compares the catalogs of two plans and what the plans leave out.
pub(super) fn compare(out: &mut Out, old: &Plan, new: &Plan, places: (&Places, &Places)) {
    let at = At { subject: Subject::Catalog, pointer: Pointer::default().child("catalog") };
    let above = At { pointer: Pointer::default(), ..at.clone() };
    match (&old.catalog, &new.catalog) {
        (None, None) => {}
        (Some(old), None) => {
            out.add(&above, &kinds::CATALOG_REMOVED, about(old, "no longer in the plan; it had "));
            let all: Vec<usize> = (0..old.entries.len()).collect();
            gone(out, &above, &old.entries, &all, places, true);
        }
        (None, Some(new)) => {
            out.add(&at, &kinds::CATALOG_ADDED, about(new, "new; it has "));
            let all: Vec<usize> = (0..new.entries.len()).collect();
            come(out, &at, &new.entries, &all, places, true);
        }
        (Some(old), Some(new)) => both(out, &at, old, new, places),
    }
    excluded(out, old, new, places);
}

fn about(catalog: &Catalog, words: &'static str) -> Message {
    let mut message = Message::of(words, &[]);
    let tools = [Some(&catalog.find), Some(&catalog.read), catalog.write.as_ref()];
    message.list(tools.into_iter().flatten().map(|t| t.name.as_str()), 3);
    let n = catalog.entries.len();
    message.words(&format!(" for {n} operation{}", if n == 1 { "" } else { "s" }));
    message
}

fn both(out: &mut Out, at: &At, old: &Catalog, new: &Catalog, places: (&Places, &Places)) {
    catalog_tool(out, at, "find", Some(&old.find), Some(&new.find));
    catalog_tool(out, at, "read", Some(&old.read), Some(&new.read));
    catalog_tool(out, at, "write", old.write.as_ref(), new.write.as_ref());
    let (a, b) = (&old.entries, &new.entries);
    let key =
        |list: &[Entry]| -> Vec<String> { list.iter().map(|e| erased(&e.operation)).collect() };
    let (x, y) = (key(a), key(b));
    let same_name = |i: usize, j: usize| a[i].name == b[j].name;
    let same_operation = |i: usize, j: usize| a[i].operation == b[j].operation;
    let found = pairs(
        a.len(),
        b.len(),
        &[
            &|i, j| same_operation(i, j) && same_name(i, j),
            &|i, j| same_operation(i, j),
            &|i, j| x[i] == y[j],
            &|i, j| same_name(i, j),
        ],
    );
    if reordered(&found) {
        out.add(at, &kinds::ORDER_CHANGED, Message::of("the entries stand in another order", &[]));
    }
    for (i, j) in &found {
        entry(out, &at.of("entries", *j), &a[*i], &b[*j]);
    }
    gone(out, at, a, &rest(a.len(), found.iter().map(|(i, _)| *i)), places, false);
    come(out, at, b, &rest(b.len(), found.iter().map(|(_, j)| *j)), places, false);
}

fn catalog_tool(
    out: &mut Out,
    at: &At,
    key: &str,
    old: Option<&CatalogTool>,
    new: Option<&CatalogTool>,
) {
    let (old, new) = match (old, new) {
        (None, None) => return,
        (Some(gone), None) => {
            let at = At { subject: Subject::Tool(gone.name.clone()), pointer: at.pointer.clone() };
            let message =
                Message::of("no longer in the plan; it called operations of the catalog", &[]);
            out.add(&at, &kinds::TOOL_REMOVED, message);
            return;
        }
        (None, Some(new)) => {
            let at =
                At { subject: Subject::Tool(new.name.clone()), pointer: at.pointer.child(key) };
            out.add(
                &at,
                &kinds::TOOL_ADDED,
                Message::of("new; it calls operations of the catalog", &[]),
            );
            return;
        }
        (Some(old), Some(new)) => (old, new),
    };
    let at = At { subject: Subject::Tool(new.name.clone()), pointer: at.pointer.child(key) };
    if old.name != new.name {
        out.add(&at, &kinds::TOOL_RENAMED, Message::of("was called {} before", &[&old.name]))
            .values(&old.name, &new.name);
    }
    let titles = (old.title.as_str(), new.title.as_str());
    out.text(&at, &kinds::TOOL_TITLE_CHANGED, "the title is another one", titles);
    let texts = (old.description.as_str(), new.description.as_str());
    out.text(&at, &kinds::TOOL_DESCRIPTION_CHANGED, "the description is another one", texts);
}

/// An entry on both sides.
fn entry(out: &mut Out, at: &At, old: &Entry, new: &Entry) {
    let name = new.name.as_str();
    if old.name != new.name {
        let names = [name, &new.operation, &old.name];
        out.add(at, &kinds::ENTRY_RENAMED, Message::of("{} ({}) was called {} before", &names))
            .values(&old.name, name)
            .action(name);
    }
    tool::operation(out, at, name, (&old.operation, &new.operation));
    tool::media_type(out, at, name, (old.media_type.as_deref(), new.media_type.as_deref()));
    tool::summary(out, at, name, (&old.summary, &new.summary));
    if old.effect != new.effect {
        let words = match new.effect {
            Effect::Read => "{} counts as reading now, as writing before",
            Effect::Write => "{} counts as writing now, as reading before",
        };
        out.add(at, &kinds::ENTRY_EFFECT_CHANGED, Message::of(words, &[name])).action(name);
    }
    if old.keywords != new.keywords {
        let message = Message::of("{} is found by other words", &[name]);
        out.add(at, &kinds::ENTRY_KEYWORDS_CHANGED, message)
            .values(&old.keywords.join(", "), &new.keywords.join(", "))
            .action(name);
    }
    tool::toolsets(out, at, name, (&old.toolsets, &new.toolsets));
    let side = |entry: &Entry| -> (Vec<Argument>, Vec<Taker>) {
        // The file holds no schemas of entries, so those that are known are not compared either.
        let bare = |a: &Argument| Argument { schema: serde_json::Value::Null, ..a.clone() };
        let key = entry.arguments.iter().find_map(|a| a.to.keys().next().cloned());
        let taker = Taker { name: key.unwrap_or_default(), required: entry.required.clone() };
        (entry.arguments.iter().map(bare).collect(), vec![taker])
    };
    let (a, b) = (side(old), side(new));
    let mut inner = Out::default();
    argument::compare(
        &mut inner,
        at,
        &Side { arguments: &a.0, takers: &a.1 },
        &Side { arguments: &b.0, takers: &b.1 },
        &[(0, 0)],
    );
    for (subject, mut change) in inner.0 {
        change.message.words(" for ");
        change.message.code(name);
        change.actions.push(name.to_owned());
        out.0.push((subject, change));
    }
}

/// Entries that have no partner any more; `whole` when the catalog is gone, which says it already.
fn gone(
    out: &mut Out,
    at: &At,
    entries: &[Entry],
    which: &[usize],
    places: (&Places, &Places),
    whole: bool,
) {
    for i in which {
        let kinds = (&kinds::ENTRY_REMOVED, &kinds::OPERATION_EXCLUDED);
        let words = ("{} ({})", "{} ({}) is left out now: {}");
        one_sided(out, at, &entries[*i], (places.0, places.1), whole, kinds, words);
    }
}

/// Entries that had no partner before.
fn come(
    out: &mut Out,
    at: &At,
    entries: &[Entry],
    which: &[usize],
    places: (&Places, &Places),
    whole: bool,
) {
    for j in which {
        let kinds = (&kinds::ENTRY_ADDED, &kinds::OPERATION_INCLUDED);
        let words = ("{} ({})", "{} ({}) was left out before: {}");
        let at = at.of("entries", *j);
        one_sided(out, &at, &entries[*j], (places.1, places.0), whole, kinds, words);
    }
}

/// An entry of one side only; `places` are those of its side, then those of the other.
fn one_sided(
    out: &mut Out,
    at: &At,
    entry: &Entry,
    places: (&Places, &Places),
    whole: bool,
    kinds: (&'static Kind, &'static Kind),
    words: (&'static str, &'static str),
) {
    let Entry { name, operation, .. } = entry;
    let direct = places.0.find(operation) == Place::Direct;
    let (kind, message) = match places.1.find(operation) {
        // The tool that has it on this side says it.
        Place::Excluded(_) | Place::Nowhere if direct => return,
        Place::Excluded(reason) => (kinds.1, Message::of(words.1, &[name, operation, reason])),
        Place::Direct | Place::Catalog | Place::Nowhere if whole => return,
        Place::Direct | Place::Catalog | Place::Nowhere => {
            (kinds.0, Message::of(words.0, &[name, operation]))
        }
    };
    out.add(at, kind, message).action(name);
}

/// What is left out on either side.
fn excluded(out: &mut Out, old: &Plan, new: &Plan, places: (&Places, &Places)) {
    let at = At { subject: Subject::Excluded, pointer: Pointer::default().child("excluded") };
    let (a, b) = (&old.excluded, &new.excluded);
    let found = pairs(
        a.len(),
        b.len(),
        &[&|i, j| a[i].operation == b[j].operation, &|i, j| {
            erased(&a[i].operation) == erased(&b[j].operation)
        }],
    );
    for (i, j) in &found {
        let at = At { pointer: at.pointer.index(*j), ..at.clone() };
        let Excluded { operation, reason } = &b[*j];
        let was = &a[*i];
        tool::operation(out, &at, operation, (&was.operation, operation));
        if was.reason != *reason {
            let names = [operation, reason, &was.reason];
            out.add(
                &at,
                &kinds::EXCLUSION_REASON_CHANGED,
                Message::of(
                    "{} is left out because {} now, because {} before",
                    &names.map(String::as_str),
                ),
            )
            .action(operation)
            .values(&was.reason, reason);
        }
    }
    for i in rest(a.len(), found.iter().map(|(i, _)| *i)) {
        // What can be called now is said where it is called.
        if places.1.find(&a[i].operation) == Place::Nowhere {
            let message = Message::of("{} is gone from the document", &[&a[i].operation]);
            out.add(&at, &kinds::EXCLUSION_REMOVED, message).action(&a[i].operation);
        }
    }
    for j in rest(b.len(), found.iter().map(|(_, j)| *j)) {
        if places.0.find(&b[j].operation) == Place::Nowhere {
            let at = At { pointer: at.pointer.index(j), ..at.clone() };
            let message = Message::of("{}: {}", &[&b[j].operation, &b[j].reason]);
            out.add(&at, &kinds::EXCLUSION_ADDED, message).action(&b[j].operation);
        }
    }
}
