//! Arguments of a tool or of an entry of the catalog.

use super::pair::{pairs, reordered, rest};
use super::{At, Kind, Message, Out, kinds, schema};
use crate::plan::Argument;

/// Most names in a message.
const MOST: usize = 8;

/// An action, as far as its arguments go.
pub(super) struct Taker {
    pub name: String,
    pub required: Vec<String>,
}

/// The arguments of one side.
pub(super) struct Side<'a> {
    pub arguments: &'a [Argument],
    pub takers: &'a [Taker],
}

/// How an action stands to an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    NotTaken,
    Optional,
    Required,
}

impl Side<'_> {
    fn need(&self, argument: &Argument, taker: usize) -> Need {
        let taker = &self.takers[taker];
        if !argument.to.contains_key(&taker.name) {
            Need::NotTaken
        } else if taker.required.contains(&argument.name) {
            Need::Required
        } else {
            Need::Optional
        }
    }

    /// ` for a, b`; nothing when there is no choice.
    fn append(&self, message: &mut Message, takers: &[usize]) {
        if self.takers.len() > 1 {
            message.words(" for ");
            message.list(takers.iter().map(|t| self.takers[*t].name.as_str()), MOST);
        }
    }
}

/// Compares arguments; `shared` are the actions of both sides. What only new actions take, or only
/// those that are gone took, is said by the change of the action.
pub(super) fn compare(
    out: &mut Out,
    at: &At,
    old: &Side<'_>,
    new: &Side<'_>,
    shared: &[(usize, usize)],
) {
    let (a, b) = (old.arguments, new.arguments);
    let same_place = |i: usize, j: usize| {
        shared.iter().any(|(x, y)| {
            let place = a[i].to.get(&old.takers[*x].name);
            place.is_some() && place == b[j].to.get(&new.takers[*y].name)
        })
    };
    let same_name = |i: usize, j: usize| a[i].name == b[j].name;
    let found = pairs(
        a.len(),
        b.len(),
        &[&|i, j| same_name(i, j) && same_place(i, j), &|i, j| same_place(i, j), &|i, j| {
            same_name(i, j)
        }],
    );
    if reordered(&found) {
        let message = Message::of("the arguments stand in another order", &[]);
        out.add(at, &kinds::ORDER_CHANGED, message).pointer = at.pointer.child("arguments");
    }
    for (i, j) in &found {
        one(out, &at.of("arguments", *j), (old, &a[*i]), (new, &b[*j]), shared);
    }
    let ours: Vec<usize> = shared.iter().map(|(x, _)| *x).collect();
    for i in rest(a.len(), found.iter().map(|(i, _)| *i)) {
        let kinds = (&kinds::ARGUMENT_REMOVED, &kinds::REQUIRED_ARGUMENT_REMOVED);
        alone(out, at, old, &a[i], &ours, kinds);
    }
    let ours: Vec<usize> = shared.iter().map(|(_, y)| *y).collect();
    for j in rest(b.len(), found.iter().map(|(_, j)| *j)) {
        let kinds = (&kinds::ARGUMENT_ADDED, &kinds::REQUIRED_ARGUMENT_ADDED);
        alone(out, &at.of("arguments", j), new, &b[j], &ours, kinds);
    }
}

/// An argument of one side only.
fn alone(
    out: &mut Out,
    at: &At,
    side: &Side<'_>,
    argument: &Argument,
    shared: &[usize],
    kinds: (&'static Kind, &'static Kind),
) {
    let with = |need: Need| -> Vec<usize> {
        shared.iter().copied().filter(|t| side.need(argument, *t) == need).collect()
    };
    let (required, optional) = (with(Need::Required), with(Need::Optional));
    let (kind, takers) = match (required.is_empty(), optional.is_empty()) {
        (true, true) => return,
        (false, _) => (kinds.1, required),
        (true, false) => (kinds.0, optional),
    };
    let mut message = Message::of("{}", &[&argument.name]);
    if let Some(kind) = schema::kind_of(&argument.schema) {
        message.words(&format!(" ({kind})"));
    }
    side.append(&mut message, &takers);
    let change = out.add(at, kind, message);
    change.argument(&argument.name);
    concern(change, side, &takers);
}

fn concern(change: &mut super::Change, side: &Side<'_>, takers: &[usize]) {
    if side.takers.len() > 1 {
        change.actions.extend(takers.iter().map(|t| side.takers[*t].name.clone()));
    }
}

/// An argument of both sides.
fn one(
    out: &mut Out,
    at: &At,
    (before, old): (&Side<'_>, &Argument),
    (after, new): (&Side<'_>, &Argument),
    shared: &[(usize, usize)],
) {
    if old.name != new.name {
        let message = Message::of("{} was called {} before", &[&new.name, &old.name]);
        out.add(at, &kinds::ARGUMENT_RENAMED, message)
            .argument(&new.name)
            .values(&old.name, &new.name);
    }
    let mut rows: [(&'static Kind, &'static str, Vec<usize>); 6] = [
        (&kinds::ARGUMENT_TAKEN, "{} may now be given", vec![]),
        (&kinds::REQUIRED_ARGUMENT_TAKEN, "{} must now be given, and was not taken before", vec![]),
        (&kinds::ARGUMENT_NOT_TAKEN, "{} is no longer taken", vec![]),
        (
            &kinds::REQUIRED_ARGUMENT_NOT_TAKEN,
            "{} is no longer taken, and had to be given before",
            vec![],
        ),
        (&kinds::ARGUMENT_REQUIRED, "{} must now be given", vec![]),
        (&kinds::ARGUMENT_OPTIONAL, "{} need no longer be given", vec![]),
    ];
    let mut both = false;
    let mut targets: Vec<(usize, String, String)> = Vec::new();
    for (x, y) in shared {
        let row = match (before.need(old, *x), after.need(new, *y)) {
            (Need::NotTaken, Need::NotTaken) => continue,
            (Need::NotTaken, Need::Optional) => Some(0),
            (Need::NotTaken, Need::Required) => Some(1),
            (Need::Optional, Need::NotTaken) => Some(2),
            (Need::Required, Need::NotTaken) => Some(3),
            (Need::Optional, Need::Required) => Some(4),
            (Need::Required, Need::Optional) => Some(5),
            (Need::Optional, Need::Optional) | (Need::Required, Need::Required) => None,
        };
        if let Some(row) = row {
            rows[row].2.push(*y);
        }
        let was = old.to.get(&before.takers[*x].name);
        let is = new.to.get(&after.takers[*y].name);
        if let (Some(was), Some(is)) = (was, is) {
            both = true;
            if was != is {
                targets.push((*y, was.to_string(), is.to_string()));
            }
        }
    }
    for (kind, words, takers) in rows {
        if !takers.is_empty() {
            let mut message = Message::of(words, &[&new.name]);
            after.append(&mut message, &takers);
            let change = out.add(at, kind, message);
            change.argument(&new.name);
            concern(change, after, &takers);
        }
    }
    // Actions whose value moved in the same way are one change.
    targets.sort_by(|a, b| (&a.1, &a.2, a.0).cmp(&(&b.1, &b.2, b.0)));
    for same in targets.chunk_by(|a, b| (&a.1, &a.2) == (&b.1, &b.2)) {
        let (_, was, is) = &same[0];
        let takers: Vec<usize> = same.iter().map(|t| t.0).collect();
        let mut message = Message::of("{} goes to {} now, to {} before", &[&new.name, is, was]);
        after.append(&mut message, &takers);
        let change = out.add(at, &kinds::TARGET_CHANGED, message);
        change.argument(&new.name).values(was, is);
        concern(change, after, &takers);
    }
    // A schema that no known call was checked by cannot break one.
    if both {
        schema::compare(out, at, &new.name, &old.schema, &new.schema, 0);
    }
}
