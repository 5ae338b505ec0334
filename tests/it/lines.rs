//! `mcp-plan.yaml` reads like a review: a change of one endpoint changes the lines about it, and the
//! totals. Real documents are taken where a folder of them lies beside the repository.

#![expect(clippy::print_stderr, reason = "what was taken is said")]

use std::collections::BTreeMap;

use mcp_gen::ir::{Api, Location, Operation};
use mcp_gen::plan::Plan;

use super::sticky::{api, documents, plan};

/// A change of one endpoint; false when it has nothing to change.
type Edit = (&'static str, fn(&mut Operation) -> bool);

const EDITS: &[Edit] = &[
    ("a summary", |o| {
        o.summary = Some(format!("{}, as of now", o.summary.clone().unwrap_or_default()));
        true
    }),
    ("a text of a parameter", |o| {
        let parameter = o.parameters.iter_mut().find(|p| p.location == Location::Query);
        parameter.map(|p| p.description = Some("What was never said before.".into())).is_some()
    }),
    ("one more parameter", |o| {
        let Some(parameter) = o.parameters.iter().find(|p| p.location == Location::Query) else {
            return false;
        };
        let name = "seen_by_moon".to_owned();
        let more = mcp_gen::ir::Parameter { name, required: false, ..parameter.clone() };
        o.parameters.push(more);
        true
    }),
    ("one parameter less", |o| {
        let query = |p: &mcp_gen::ir::Parameter| p.location == Location::Query && !p.required;
        let last = o.parameters.iter().rposition(query);
        last.map(|last| o.parameters.remove(last)).is_some()
    }),
];

/// The parts of a plan file by where they stand: a tool, its actions and arguments, an entry of the
/// catalog, a line of the rest.
fn parts(text: &str) -> BTreeMap<String, String> {
    let mut parts: BTreeMap<String, String> = BTreeMap::new();
    let (mut section, mut tool, mut list, mut item) =
        (String::new(), String::new(), String::new(), String::new());
    for line in text.lines() {
        let words = line.trim_start();
        let indent = line.len() - words.len();
        let name = words.strip_prefix("- name: ").or_else(|| words.strip_prefix("- {name: "));
        match (indent, name) {
            (0, _) if !words.is_empty() => {
                words.split(':').next().unwrap_or_default().clone_into(&mut section);
                (tool, list, item) = (String::new(), String::new(), String::new());
            }
            (2, Some(name)) if section == "tools" => {
                (tool, list, item) = (name.to_owned(), String::new(), String::new());
            }
            // Below `server` stand the lines of a text.
            (4, None) if section == "server" => {}
            (2 | 4, None) if words.contains(':') && !words.starts_with('-') => {
                words.split(':').next().unwrap_or_default().clone_into(&mut list);
                item = String::new();
            }
            (4.., Some(name)) if indent <= 6 => name.clone_into(&mut item),
            _ => {}
        }
        let place = format!("{section}/{tool}/{list}/{item}");
        parts.entry(place).or_default().push_str(&format!("{line}\n"));
    }
    parts
}

/// Places of the plan that are about an operation: its action and the arguments that it takes, what is
/// said of its tool as a whole, its entry, and the totals.
fn own(plan: &Plan, operation: &str) -> Vec<String> {
    let mut own = vec!["account///".to_owned()];
    for tool in &plan.tools {
        let Some(action) = tool.actions.iter().find(|a| a.operation == operation) else { continue };
        own.extend(
            ["tokens", "description", "why", "selector", "arguments"]
                .map(|key| format!("tools/{}/{key}/", tool.name)),
        );
        own.push(format!("tools/{}/actions/{}", tool.name, action.name));
        let takes = tool.arguments.iter().filter(|a| a.to.contains_key(&action.name));
        own.extend(takes.map(|a| format!("tools/{}/arguments/{}", tool.name, a.name)));
    }
    for entry in plan.catalog.iter().flat_map(|c| &c.entries) {
        if entry.operation == operation {
            own.push(format!("catalog//entries/{}", entry.name));
        }
    }
    own
}

const PAGING: &str = "Lists come in parts";

/// Lines outside of what the operation is about that differ.
fn strays(before: &Plan, after: &Plan, operation: &str) -> Vec<String> {
    let mut allowed = own(before, operation);
    allowed.extend(own(after, operation));
    let (old, new) = (parts(&before.to_yaml()), parts(&after.to_yaml()));
    let places: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let mut strays = Vec::new();
    for place in places.into_iter().filter(|place| !allowed.contains(place)) {
        // One line of the instructions is about how lists are read on: it names their parameters.
        let about = |text: &String| -> String {
            let paging = |l: &&str| place == "server//instructions/" && l.contains(PAGING);
            text.lines().filter(|l| !paging(l)).collect()
        };
        let (old, new) = (old.get(place), new.get(place));
        if old.map(about) != new.map(about) {
            let line = |text: Option<&String>, other: Option<&String>| {
                let other: Vec<&str> = other.map(|o| o.lines().collect()).unwrap_or_default();
                let own = text.into_iter().flat_map(|t| t.lines());
                own.filter(|l| !other.contains(l)).collect::<Vec<_>>().join("\n    ")
            };
            strays.push(format!("{place}:\n  - {}\n  + {}", line(old, new), line(new, old)));
        }
    }
    strays
}

/// A few operations of a document, from all over it; fewer of a large one.
fn some(api: &Api) -> Vec<usize> {
    let count = api.operations.len();
    let all = std::env::var_os("MCP_GEN_CORPUS_ALL").is_some();
    let few = match count {
        ..50 => 8,
        50..100 => 4,
        _ if all => 8,
        _ => 1,
    };
    let mut all: Vec<usize> = (1..=few).map(|i| count * i / (few + 1)).collect();
    all.dedup();
    all
}

#[test]
fn a_change_of_one_endpoint_changes_only_the_lines_about_it_and_the_totals() {
    let mut wrong = Vec::new();
    let mut taken = BTreeMap::<&str, usize>::new();
    for path in documents() {
        let Some(api) = api(&path) else { continue };
        let before = plan(&api, None);
        for number in some(&api) {
            for (what, edit) in EDITS {
                let mut edited = api.clone();
                let Some(operation) = edited.operations.get_mut(number) else { continue };
                if !edit(operation) {
                    continue;
                }
                let operation = operation.key.to_string();
                let after = plan(&edited, Some(&before));
                *taken.entry(what).or_default() += 1;
                let found = strays(&before, &after, &operation);
                if !found.is_empty() {
                    let found = found.join("\n");
                    wrong.push(format!("{}, {what} of {operation}\n{found}", path.display()));
                }
            }
        }
    }
    eprintln!("{taken:?}");
    assert!(wrong.is_empty(), "{} edits:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn the_parts_of_a_plan_are_seen_apart() {
    let text =
        std::fs::read_to_string(super::support::root().join("generated/thorns/mcp-plan.yaml"))
            .expect("the plan is there");
    let parts = parts(&text);
    let whole: usize = parts.values().map(String::len).sum();
    assert_eq!(whole, text.len());
    let plan = Plan::from_yaml(&text).expect("a plan");
    for tool in &plan.tools {
        for action in &tool.actions {
            let place = format!("tools/{}/actions/{}", tool.name, action.name);
            assert!(parts[&place].contains(&action.operation), "{place}");
        }
    }
    for entry in plan.catalog.iter().flat_map(|c| &c.entries) {
        let place = format!("catalog//entries/{}", entry.name);
        assert!(parts[&place].contains(&entry.operation), "{place}");
    }
}
