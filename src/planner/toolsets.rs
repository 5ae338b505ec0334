//! Which tools, and which operations of the catalog, belong to the toolsets of the configuration.

use super::orders::{idle_pattern, say};
use crate::config::{Config, Pattern};
use crate::diagnostic::{Diagnostics, nearest, planning_config as codes};
use crate::ir::{Api, Operation};
use crate::plan::Plan;
use crate::source::Pointer;

/// The toolset of what is in no other.
const DEFAULT: &str = "default";

/// The most characters of a name.
const LONGEST: usize = 40;

/// Whether `name` can stand in a list with commas.
fn is_name(name: &str) -> bool {
    let known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    name.len() <= LONGEST
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(known)
}

/// Says of each tool and each entry of the catalog which toolsets it belongs to.
pub(super) fn assign(diagnostics: &mut Diagnostics, api: &Api, config: &Config, plan: &mut Plan) {
    let mut any = false;
    for (name, patterns) in &config.toolsets {
        let line = Pointer::default().child("toolsets").child(name);
        if !is_name(name) {
            let message = format!("`{name}` cannot be the name of a toolset");
            say(diagnostics, config, &codes::WISH_REFUSED, &line, message)
                .help("use lower-case letters, digits, `_` and `-`, with a letter first");
            continue;
        }
        any = true;
        if patterns.is_empty() {
            let message = format!("the toolset `{name}` has no patterns");
            say(diagnostics, config, &codes::WISH_WITHOUT_EFFECT, &line, message)
                .help("list what belongs to it, or remove the line");
        }
        for (i, text) in patterns.iter().enumerate() {
            let line = line.index(i);
            if join(api, plan, name, &Pattern::new(text)) {
                continue;
            }
            let pattern = Pattern::new(text);
            if let Pattern::Tool(tool) = &pattern {
                let message = format!("`{text}` under `toolsets.{name}` names no tool");
                let known: Vec<&str> = plan.tools.iter().map(|t| t.name.as_str()).collect();
                let nearest = nearest(tool, &known);
                let help = nearest.map_or_else(
                    || "use a name that the plan gives".to_owned(),
                    |near| format!("did you mean `tool:{near}`?"),
                );
                say(diagnostics, config, &codes::UNKNOWN_TOOL, &line, message).help(help);
            } else if api.operations.iter().any(|o| names(&pattern, o)) {
                let message = format!("all that `{text}` names is left out");
                say(diagnostics, config, &codes::WISH_WITHOUT_EFFECT, &line, message)
                    .help("see `excluded` in the plan for the reason, or remove the line");
            } else {
                idle_pattern(diagnostics, config, text, &line, &format!("toolsets.{name}"));
            }
        }
    }
    if any {
        fill(plan);
    }
}

fn names(pattern: &Pattern, operation: &Operation) -> bool {
    pattern.matches(&operation.key.to_string(), operation.id.as_deref(), &operation.tags)
}

/// Puts what `pattern` names into the toolset `name`; whether it named anything.
fn join(api: &Api, plan: &mut Plan, name: &str, pattern: &Pattern) -> bool {
    let keys: std::collections::BTreeSet<String> =
        api.operations.iter().filter(|o| names(pattern, o)).map(|o| o.key.to_string()).collect();
    let mut found = false;
    let mut put = |sets: &mut Vec<String>| {
        found = true;
        if !sets.iter().any(|s| s == name) {
            sets.push(name.to_owned());
        }
    };
    for tool in &mut plan.tools {
        if pattern.matches_tool(&tool.name)
            || tool.actions.iter().any(|a| keys.contains(&a.operation))
        {
            put(&mut tool.toolsets);
        }
    }
    // What a tool covers goes with the tool.
    for entry in plan.catalog.iter_mut().flat_map(|c| &mut c.entries) {
        if entry.tool.is_none() && keys.contains(&entry.operation) {
            put(&mut entry.toolsets);
        }
    }
    found
}

/// Puts what is in no toolset into the one that is always there.
fn fill(plan: &mut Plan) {
    let entries = plan.catalog.iter_mut().flat_map(|c| &mut c.entries);
    let entries = entries.filter(|e| e.tool.is_none()).map(|e| &mut e.toolsets);
    for sets in plan.tools.iter_mut().map(|t| &mut t.toolsets).chain(entries) {
        if sets.is_empty() {
            sets.push(DEFAULT.to_owned());
        }
    }
}

#[cfg(test)]
mod tests;
