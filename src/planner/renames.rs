//! New names for arguments.

use std::collections::{BTreeMap, BTreeSet};

use super::arguments::{Known, Member, Merged, Schemas, merge};
use super::orders::{Orders, say};
use crate::config::Config;
use crate::diagnostic::{Diagnostics, planning_config as codes};
use crate::ir::argument_names::is_argument_name;
use crate::plan::{Argument, Place};
use crate::source::Pointer;

/// One line that renames an argument of one action.
struct Rename<'a> {
    member: usize,
    old: &'a str,
    new: &'a str,
    line: Pointer,
}

/// What became of the lines that rename arguments.
#[derive(Debug, Default)]
pub(super) struct Renames {
    /// Lines that renamed something.
    done: BTreeSet<Pointer>,
    /// Lines that could not, and why.
    refused: BTreeSet<Pointer>,
    /// What the arguments are called that a line could have meant.
    seen: BTreeMap<Pointer, BTreeSet<String>>,
}

impl Renames {
    /// Merges the arguments of `members`, which are the operations at `operations`, under the names
    /// that are asked for: by the wish for the tool `key`, or for each operation.
    #[expect(clippy::too_many_arguments, reason = "it stands for `merge`")]
    pub(super) fn merge(
        &mut self,
        diagnostics: &mut Diagnostics,
        config: &Config,
        orders: &Orders,
        key: Option<&str>,
        operations: &[usize],
        members: &[Member<'_>],
        schemas: &mut Schemas<'_>,
        known: &Known,
    ) -> Merged {
        let renames = lines(config, orders, key, operations);
        if renames.is_empty() {
            return merge(diagnostics, members, schemas, known);
        }
        // As the document names them, and as the plan before does.
        let mut quiet = Diagnostics::default();
        let natural = merge(&mut quiet, members, schemas, &Known::new());
        let before = merge(&mut quiet, members, schemas, known);
        let mut asked = known.clone();
        let mut expected: Vec<(&Rename<'_>, Place)> = Vec::new();
        for rename in &renames {
            let Rename { member, old, new, line } = rename;
            let action = members[*member].action;
            let found = place(&natural.arguments, action, old)
                .or_else(|| place(&before.arguments, action, old))
                // Renamed in the plan before, by a name that a person gave there.
                .or_else(|| place(&before.arguments, action, new));
            let Some(found) = found else {
                let names = natural.arguments.iter().filter(|a| a.to.contains_key(action));
                let names = names.map(|a| format!("`{}`", a.name));
                self.seen.entry(line.clone()).or_default().extend(names);
                continue;
            };
            if !is_argument_name(new) {
                self.refuse(
                    diagnostics,
                    config,
                    line,
                    format!("`{new}` is no name of an argument"),
                );
                continue;
            }
            // The other argument would get another name that nobody asked for.
            let other = named(&natural.arguments, action, new).filter(|place| *place != found);
            let moves =
                |r: &Rename<'_>| r.member == *member && r.old == *new && is_argument_name(r.new);
            if other.is_some() && !renames.iter().any(moves) {
                let message = format!("`{new}` is another argument");
                self.refuse(diagnostics, config, line, message);
                continue;
            }
            let operation = members[*member].operation.key.to_string();
            asked.insert((operation, found.to_string()), (*new).to_owned());
            // The line of an operation counts before that of its tool.
            for (other, _) in
                expected.extract_if(.., |(r, place)| r.member == *member && *place == found)
            {
                self.seen.entry(other.line.clone()).or_default().insert(format!("`{new}`"));
            }
            expected.push((rename, found));
        }
        let mut merged = merge(diagnostics, members, schemas, &asked);
        for (rename, found) in expected {
            let action = members[rename.member].action;
            let to = |a: &&mut Argument| a.to.get(action) == Some(&found);
            let Some(argument) = merged.arguments.iter_mut().find(to) else { continue };
            if argument.name == rename.new {
                self.done.insert(rename.line.clone());
                let why = argument.why.take().unwrap_or_default();
                let plain =
                    why.replace("named so in the previous plan", "named so by mcp-gen.yaml");
                argument.why = (!plain.is_empty()).then_some(plain);
            } else {
                let message = format!("`{}` is taken by another argument", rename.new);
                self.refuse(diagnostics, config, &rename.line, message);
            }
        }
        merged
    }

    fn refuse(
        &mut self,
        diagnostics: &mut Diagnostics,
        config: &Config,
        line: &Pointer,
        message: String,
    ) {
        if self.refused.insert(line.clone()) {
            say(diagnostics, config, &codes::WISH_REFUSED, line, message).help(
                "a name has letters, digits and `_`, does not begin with a digit, has at most 64 \
                 characters, and is the only one of its tool",
            );
        }
    }

    /// Reports the lines that renamed nothing.
    pub(super) fn report_idle(self, diagnostics: &mut Diagnostics, config: &Config) {
        for (line, names) in &self.seen {
            if self.done.contains(line) || self.refused.contains(line) {
                continue;
            }
            let old = line.steps().last().unwrap_or_default();
            let message = format!("`{old}` renames no argument");
            let names: Vec<&String> = names.iter().collect();
            say(diagnostics, config, &codes::NOTHING_TO_RENAME, line, message).help(
                match names.as_slice() {
                    [] => "there are no arguments here; remove the line".to_owned(),
                    names => format!("the arguments are {}", super::text::some(names, 12)),
                },
            );
        }
    }
}

/// The lines for these operations; that of an operation counts before that of its tool.
fn lines<'a>(
    config: &'a Config,
    orders: &'a Orders,
    key: Option<&'a str>,
    operations: &[usize],
) -> Vec<Rename<'a>> {
    let wish = key.and_then(|key| Some((key, config.tools.get(key)?)));
    let mut all = Vec::new();
    for (member, operation) in operations.iter().enumerate() {
        if let Some((key, wish)) = wish {
            let pointer = Pointer::default().child("tools").child(key).child("arguments");
            all.extend(wish.arguments.iter().map(|(old, new)| Rename {
                member,
                old,
                new,
                line: pointer.child(old),
            }));
        }
        let own = orders.of(*operation).into_iter().flat_map(|order| &order.arguments);
        all.extend(own.map(|(old, (new, line))| Rename { member, old, new, line: line.clone() }));
    }
    all
}

/// Where the argument goes for `action` that is called `name`.
fn named(arguments: &[Argument], action: &str, name: &str) -> Option<Place> {
    arguments.iter().filter(|a| a.name == name).find_map(|a| a.to.get(action)).cloned()
}

/// Where the argument goes for `action` that is called `name`, here or by the API.
fn place(arguments: &[Argument], action: &str, name: &str) -> Option<Place> {
    let theirs = || {
        let mut places = arguments.iter().filter_map(|a| a.to.get(action));
        places.find(|place| match place {
            Place::Body(steps) => steps.last().is_some_and(|s| s == name),
            other => other.to_string().split_once(':').is_some_and(|(_, own)| own == name),
        })
    };
    named(arguments, action, name).or_else(|| theirs().cloned())
}
