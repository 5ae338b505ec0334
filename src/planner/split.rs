//! One document, several servers: which operation belongs to which.

use std::collections::BTreeSet;

use super::orders::{self, idle_pattern, say};
use super::select;
use super::text::some;
use crate::config::{Config, Pattern};
use crate::diagnostic::{Diagnostic, Diagnostics, planning, planning_config as codes};
use crate::ir::Api;
use crate::source::Pointer;

/// A server of several: the part of the API that it has, and what is asked of it.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// The API with its operations alone.
    pub api: Api,
    /// The configuration for it.
    pub config: Config,
    /// Places of patterns for all servers that name something in the whole document.
    live: BTreeSet<Pointer>,
}

/// The servers that the configuration asks for; none when it asks for one. A server that would have
/// no operation is left out.
pub fn parts(diagnostics: &mut Diagnostics, api: &Api, config: &Config) -> Vec<Part> {
    let mut owner: Vec<Option<usize>> = vec![None; api.operations.len()];
    for (server, (name, patterns)) in config.split.iter().enumerate() {
        let line = Pointer::default().child("split").child(name);
        if patterns.is_empty() {
            let message = format!("the server `{name}` has no patterns");
            say(diagnostics, config, &codes::WISH_WITHOUT_EFFECT, &line, message)
                .help("list its operations, or remove the line");
        }
        for (i, text) in patterns.iter().enumerate() {
            let pattern = Pattern::new(text);
            let (mut any, mut taken) = (false, Vec::new());
            for (operation, owner) in api.operations.iter().zip(&mut owner) {
                let key = operation.key.to_string();
                if !pattern.matches(&key, operation.id.as_deref(), &operation.tags) {
                    continue;
                }
                any = true;
                match owner {
                    Some(other) if *other != server => taken.push((*other, key)),
                    Some(_) | None => *owner = Some(server),
                }
            }
            let line = line.index(i);
            if !any {
                idle_pattern(diagnostics, config, text, &line, &format!("split.{name}"));
            }
            report_taken(diagnostics, config, &line, text, &taken);
        }
    }
    report_rest(diagnostics, api, config, &owner);
    let live = live(api, config);
    let part = |(server, name): (usize, &String)| {
        let own = api.operations.iter().zip(&owner).filter(|(_, o)| **o == Some(server));
        let operations: Vec<_> = own.map(|(operation, _)| operation.clone()).collect();
        let config =
            Config { name: Some(name.clone()), split: indexmap::IndexMap::new(), ..config.clone() };
        (!operations.is_empty()).then(|| Part {
            name: name.clone(),
            api: Api { operations, ..api.clone() },
            config,
            live: live.clone(),
        })
    };
    config.split.keys().enumerate().filter_map(part).collect()
}

fn report_taken(
    diagnostics: &mut Diagnostics,
    config: &Config,
    line: &Pointer,
    text: &str,
    taken: &[(usize, String)],
) {
    let Some((first, _)) = taken.first() else { return };
    let other = config.split.get_index(*first).map_or("", |(name, _)| name);
    let keys: Vec<&str> = taken.iter().map(|(_, key)| key.as_str()).collect();
    let message = format!("`{text}` also names {}, which stays in `{other}`", some(&keys, 3));
    let message = if keys.len() > 1 {
        format!(
            "`{text}` also names {} operations of servers above it: {}",
            keys.len(),
            some(&keys, 3)
        )
    } else {
        message
    };
    say(diagnostics, config, &codes::OPERATION_IN_TWO_SERVERS, line, message)
        .help("they stay where they are; name them more narrowly");
}

/// Reports what would be served and is in no server.
fn report_rest(diagnostics: &mut Diagnostics, api: &Api, config: &Config, owner: &[Option<usize>]) {
    let mut quiet = Diagnostics::default();
    let asked = orders::read(&mut quiet, api, config);
    let (kept, _) = select::select(&mut quiet, api, config, &asked);
    let rest: Vec<String> = kept
        .into_iter()
        .filter(|i| owner.get(*i).is_some_and(Option::is_none))
        .map(|i| api.operations[i].key.to_string())
        .collect();
    if rest.is_empty() || config.split.is_empty() {
        return;
    }
    let keys: Vec<&str> = rest.iter().map(String::as_str).collect();
    let verb = if keys.len() == 1 { "operation is" } else { "operations are" };
    let message = format!("{} {verb} in no server: {}", keys.len(), some(&keys, 5));
    let line = Pointer::default().child("split");
    say(diagnostics, config, &codes::OPERATION_IN_NO_SERVER, &line, message)
        .help("add a pattern for them under `split`, or leave them out by `exclude`");
}

/// The places of all patterns, but for those of `split`, that name an operation.
fn live(api: &Api, config: &Config) -> BTreeSet<Pointer> {
    let root = Pointer::default();
    let mut lists: Vec<(Pointer, &Vec<String>)> =
        vec![(root.child("include"), &config.include), (root.child("exclude"), &config.exclude)];
    lists.extend(config.toolsets.iter().map(|(name, l)| (root.child("toolsets").child(name), l)));
    lists.extend(config.tools.iter().map(|(name, wish)| {
        (root.child("tools").child(name).child("operations"), &wish.operations)
    }));
    let mut all: Vec<(Pointer, &String)> = Vec::new();
    for (at, list) in lists {
        all.extend(list.iter().enumerate().map(|(i, text)| (at.index(i), text)));
    }
    all.extend(config.operations.keys().map(|text| (root.child("operations").child(text), text)));
    let names_any = |text: &String| {
        let pattern = Pattern::new(text);
        let operations = &api.operations;
        operations.iter().any(|o| pattern.matches(&o.key.to_string(), o.id.as_deref(), &o.tags))
    };
    all.into_iter().filter(|(_, text)| names_any(text)).map(|(at, _)| at).collect()
}

impl Part {
    /// Whether a finding says that a pattern names nothing, and it does in the whole document.
    pub fn is_answered(&self, finding: &Diagnostic) -> bool {
        finding.code.id == planning::PATTERN_MATCHES_NOTHING.id
            && self.live.contains(&finding.pointer)
    }
}

/// Whether a finding is about a line that is asked of all servers together: a line that does nothing
/// in one of them may do something in another.
pub fn is_shared(finding: &Diagnostic) -> bool {
    let shared = [
        planning::PATTERN_MATCHES_NOTHING.id,
        codes::WISH_WITHOUT_EFFECT.id,
        codes::UNKNOWN_TOOL.id,
        codes::NOTHING_TO_RENAME.id,
    ];
    let lists = ["include", "exclude", "tools", "operations", "toolsets"];
    shared.contains(&finding.code.id)
        && finding.pointer.steps().next().is_some_and(|first| lists.contains(&first.as_str()))
}
