//! The names in a plan, which a person may have edited.

use std::collections::BTreeSet;

use crate::diagnostic::Diagnostics;
use crate::diagnostic::generating::PLAN_NAME;
use crate::plan::{Argument, Plan};
use crate::source::Pointer;

/// Longest name of a tool, in characters (rule N1).
const LONGEST_TOOL: usize = 46;

/// Longest name of an argument, in characters.
const LONGEST_ARGUMENT: usize = 64;

/// Reports names that no client takes, and those that stand twice where they must not.
pub fn check(diagnostics: &mut Diagnostics, plan: &Plan) {
    let mut wrong = |message: String| {
        diagnostics
            .report(&PLAN_NAME, None, Pointer::default(), message)
            .help("mend the plan, or let `mcp-gen plan` renew it");
    };
    if !is_words(&plan.server.replace('-', "_")) {
        wrong(format!("the server has the name {:?}, which is none", plan.server));
    }
    let catalog = plan.catalog.iter().flat_map(|c| {
        [Some(&c.find), Some(&c.read), c.write.as_ref()].into_iter().flatten().map(|t| &t.name)
    });
    let mut tools = BTreeSet::new();
    for name in plan.tools.iter().map(|t| &t.name).chain(catalog) {
        if !is_words(name) || name.len() > LONGEST_TOOL {
            wrong(format!("a tool has the name {name:?}, which clients refuse"));
        }
        if !tools.insert(name) {
            wrong(format!("two tools have the name {name:?}"));
        }
    }
    for tool in &plan.tools {
        let owner = format!("tool {:?}", tool.name);
        if tool.actions.is_empty() {
            wrong(format!("{owner} has no action"));
        }
        if tool.actions.len() > 1 && tool.selector.is_none() {
            wrong(format!("{owner} has several actions and no `selector` to choose by"));
        }
        toolsets(&mut wrong, &owner, &tool.toolsets);
        let mut actions = BTreeSet::new();
        for action in &tool.actions {
            if !is_token(&action.name) {
                wrong(format!("{owner} has an action with the name {:?}", action.name));
            }
            if !actions.insert(&action.name) {
                wrong(format!("{owner} has two actions with the name {:?}", action.name));
            }
        }
        arguments(&mut wrong, &owner, tool.selector.as_deref(), &tool.arguments);
        for argument in &tool.arguments {
            for action in argument.to.keys().filter(|a| !actions.contains(a)) {
                wrong(format!(
                    "argument {:?} of {owner} is for the action {action:?}, which there is none of",
                    argument.name
                ));
            }
        }
    }
    let mut entries = BTreeSet::new();
    for entry in plan.catalog.iter().flat_map(|c| &c.entries) {
        let owner = format!("catalog entry {:?}", entry.name);
        if !is_token(&entry.name) {
            wrong(format!("{owner} has a name that is none"));
        }
        if !entries.insert(&entry.name) {
            wrong(format!("{owner} stands twice"));
        }
        arguments(&mut wrong, &owner, None, &entry.arguments);
        toolsets(&mut wrong, &owner, &entry.toolsets);
    }
}

fn arguments(
    wrong: &mut impl FnMut(String),
    owner: &str,
    selector: Option<&str>,
    arguments: &[Argument],
) {
    let mut seen = BTreeSet::new();
    for name in selector.into_iter().chain(arguments.iter().map(|a| a.name.as_str())) {
        if !is_argument(name) {
            wrong(format!("{owner} has an argument with the name {name:?}"));
        }
        if !seen.insert(name) {
            wrong(format!("{owner} has two arguments with the name {name:?}"));
        }
    }
    for argument in arguments.iter().filter(|a| a.to.is_empty()) {
        wrong(format!("{owner} has the argument `{}`, which goes nowhere", argument.name));
    }
}

/// Names that can stand in a list with commas.
fn toolsets(wrong: &mut impl FnMut(String), owner: &str, names: &[String]) {
    for name in names.iter().filter(|name| !is_token(&name.replace('-', "_"))) {
        wrong(format!("{owner} is in a toolset with the name {name:?}"));
    }
}

/// `^[a-z][a-z0-9]*(_[a-z0-9]+)*$`
fn is_words(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && is_token(name)
        && name.split('_').all(|word| !word.is_empty())
}

/// `^[a-z0-9_]+$`
fn is_token(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

/// `^[A-Za-z_][A-Za-z0-9_]{0,63}$`
fn is_argument(name: &str) -> bool {
    name.len() <= LONGEST_ARGUMENT
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
