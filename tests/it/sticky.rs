//! What agents know stays: a plan that follows another moves nothing that it need not.

#![expect(clippy::print_stderr, reason = "what is left out is said")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use mcp_gen::config::Config;
use mcp_gen::diagnostic::Diagnostics;
use mcp_gen::ir::Api;
use mcp_gen::pipeline;
use mcp_gen::plan::Plan;
use mcp_gen::source::Sources;

use super::support::root;

/// Largest real document that an ordinary run takes, in bytes.
const LARGEST: u64 = 400_000;

pub fn api(path: &Path) -> Option<Api> {
    let source = pipeline::source_file(path).ok()?;
    let mut diagnostics = Diagnostics::default();
    let api = pipeline::read(&mut diagnostics, &mut Sources::default(), source).ok()?;
    (api.operations.len() > 1).then_some(api)
}

pub fn plan(api: &Api, previous: Option<&Plan>) -> Plan {
    let mut diagnostics = Diagnostics::default();
    pipeline::plan(&mut diagnostics, api, &Config::default(), previous).expect("a plan")
}

/// How each operation is reached: tool, action and the names of the arguments.
fn ways(plan: &Plan) -> BTreeMap<&str, (String, BTreeSet<&str>)> {
    let mut ways = BTreeMap::new();
    for entry in plan.catalog.iter().flat_map(|c| &c.entries) {
        let arguments = entry.arguments.iter().map(|a| a.name.as_str()).collect();
        ways.insert(entry.operation.as_str(), (format!("catalog {}", entry.name), arguments));
    }
    for tool in &plan.tools {
        for action in &tool.actions {
            let takes = |a: &&mcp_gen::plan::Argument| a.to.contains_key(&action.name);
            let arguments = tool.arguments.iter().filter(takes).map(|a| a.name.as_str()).collect();
            let way = format!("{} {}", tool.name, action.name);
            ways.insert(action.operation.as_str(), (way, arguments));
        }
    }
    ways
}

/// The operations of both plans that are not reached in the same way.
fn moved<'a>(old: &'a Plan, new: &'a Plan) -> Vec<String> {
    let (old, new) = (ways(old), ways(new));
    old.iter()
        .filter_map(|(operation, way)| {
            let now = new.get(operation).filter(|now| *now != way)?;
            Some(format!("{operation}: {way:?} → {now:?}"))
        })
        .collect()
}

pub fn documents() -> Vec<PathBuf> {
    let specs = ["repair-cafe", "warehouse", "thorns"];
    let mut all: Vec<_> =
        specs.iter().map(|s| root().join(format!("specs/{s}/openapi.yaml"))).collect();
    let folder = std::env::var_os("MCP_GEN_CORPUS")
        .map_or_else(|| root().join("../shared/corpus"), PathBuf::from);
    let Ok(index) = std::fs::read_to_string(folder.join("INDEX.tsv")) else {
        eprintln!("skipped: no folder of real documents beside the repository");
        return all;
    };
    let whole = std::env::var_os("MCP_GEN_CORPUS_ALL").is_some();
    let files = index.lines().skip(1).filter_map(|l| l.split('\t').nth(1)).map(|f| folder.join(f));
    all.extend(
        files.filter(|f| std::fs::metadata(f).is_ok_and(|about| whole || about.len() <= LARGEST)),
    );
    all
}

/// `api` without the operations whose number leaves 3 when it is divided by 10.
fn smaller(api: &Api) -> Api {
    let mut api = api.clone();
    let mut number = 0;
    api.operations.retain(|_| {
        number += 1;
        number % 10 != 3
    });
    api
}

#[test]
fn order_moves_nothing_and_growth_moves_little() {
    let mut wrong = String::new();
    let (mut taken, mut all, mut changed) = (0, 0, 0);
    for path in documents() {
        let Some(api) = api(&path) else { continue };
        taken += 1;
        let name = path.display();
        let first = plan(&api, None);
        let again = moved(&first, &plan(&api, Some(&first)));
        if !again.is_empty() {
            wrong.push_str(&format!("{name}, the same again: {again:#?}\n"));
        }
        let mut reversed = api.clone();
        reversed.operations.reverse();
        let other = moved(&first, &plan(&reversed, Some(&first)));
        if !other.is_empty() {
            wrong.push_str(&format!("{name}, reversed: {other:#?}\n"));
        }
        let before = plan(&smaller(&api), None);
        let after = plan(&api, Some(&before));
        let grown = moved(&before, &after);
        (all, changed) = (all + before.covered(), changed + grown.len());
        // One operation in a small document is more than a hundredth of it.
        if grown.len() > (before.covered() / 100).max(1) {
            wrong.push_str(&format!("{name}, a tenth more: {} moved: {grown:#?}\n", grown.len()));
        }
        let lost: Vec<&str> = before
            .tools
            .iter()
            .map(|t| t.name.as_str())
            .filter(|name| after.tools.iter().all(|t| t.name != *name))
            .collect();
        if !lost.is_empty() {
            wrong.push_str(&format!("{name}, a tenth more: lost {lost:?}\n"));
        }
    }
    eprintln!("{taken} documents; {changed} of {all} operations moved when a tenth was added");
    assert!(wrong.is_empty(), "{wrong}");
}

/// One edit of a document that leaves the other operations as they are.
type Edit = (&'static str, fn(&mut Api));

/// Each edits one operation in ten, or all tags; what it does to the operations themselves is no churn.
const EDITS: &[Edit] = &[
    ("operations removed", |api| *api = smaller(api)),
    ("operations renamed", |api| {
        every_tenth(api, |o| o.id = o.id.as_ref().map(|id| format!("{id}Anew")));
    }),
    ("parameters removed", |api| {
        every_tenth(api, |o| {
            o.parameters.retain(|p| p.required);
        });
    }),
    ("parameters renamed", |api| {
        every_tenth(api, |o| {
            for parameter in &mut o.parameters {
                if parameter.location == mcp_gen::ir::Location::Query {
                    parameter.name.push_str("_anew");
                }
            }
        });
    }),
    ("tags renamed", |api| {
        for operation in &mut api.operations {
            operation.tags.iter_mut().for_each(|tag| tag.push_str(" anew"));
        }
        api.tags.iter_mut().for_each(|tag| tag.name.push_str(" anew"));
    }),
    ("tags removed", |api| every_tenth(api, |o| o.tags.clear())),
];

fn every_tenth(api: &mut Api, edit: impl Fn(&mut mcp_gen::ir::Operation)) {
    api.operations.iter_mut().skip(3).step_by(10).for_each(edit);
}

/// How each operation is reached, without its arguments: for those that an edit changed itself.
pub fn grouping(plan: &Plan) -> BTreeMap<&str, String> {
    ways(plan).into_iter().map(|(operation, (way, _))| (operation, way)).collect()
}

#[test]
fn edits_of_a_document_move_nothing_that_they_do_not_touch() {
    let mut wrong = String::new();
    let mut measured = vec![(0, 0); EDITS.len()];
    for path in documents() {
        let Some(api) = api(&path) else { continue };
        let first = plan(&api, None);
        for ((what, edit), measured) in EDITS.iter().zip(&mut measured) {
            let mut edited = api.clone();
            edit(&mut edited);
            let second = plan(&edited, Some(&first));
            let same: BTreeSet<String> = api
                .operations
                .iter()
                .filter(|o| {
                    edited.operations.iter().any(|e| e.key == o.key && e.parameters == o.parameters)
                })
                .map(|o| o.key.to_string())
                .collect();
            let (old, new) = (grouping(&first), grouping(&second));
            let mut churn: BTreeMap<&str, String> = old
                .iter()
                .filter(|(operation, way)| new.get(*operation).is_some_and(|now| now != *way))
                .map(|(operation, way)| (*operation, format!("{way} → {}", new[operation])))
                .collect();
            let (old, new) = (ways(&first), ways(&second));
            churn.extend(old.iter().filter(|(o, _)| same.contains(**o)).filter_map(|(o, way)| {
                let now = new.get(o).filter(|now| *now != way)?;
                Some((*o, format!("{way:?} → {now:?}")))
            }));
            *measured = (measured.0 + old.len(), measured.1 + churn.len());
            // One operation in a small document is more than a hundredth of it.
            if churn.len() > (old.len() / 100).max(1) {
                wrong.push_str(&format!("{}, {what}: {churn:#?}\n", path.display()));
            }
        }
    }
    for ((what, _), (all, moved)) in EDITS.iter().zip(&measured) {
        eprintln!("{what}: {moved} of {all} operations moved");
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn one_more_operation_and_another_order_move_nothing_at_all() {
    let mut wrong = String::new();
    for path in documents() {
        let Some(api) = api(&path) else { continue };
        let mut one = api.clone();
        one.operations.remove(api.operations.len() / 2);
        let before = plan(&one, None);
        let moves = moved(&before, &plan(&api, Some(&before))).into_iter();
        let moves: Vec<String> = moves.collect();
        if !moves.is_empty() {
            wrong.push_str(&format!("{}, one more: {moves:#?}\n", path.display()));
        }
        let mut turned = api.clone();
        turned.operations.rotate_left(api.operations.len() / 3);
        let first = plan(&api, None);
        let text = plan(&turned, Some(&first)).to_yaml();
        let straight = plan(&api, Some(&first)).to_yaml();
        if let Some((a, b)) = straight.lines().zip(text.lines()).find(|(a, b)| a != b) {
            wrong.push_str(&format!("{}, another order: {a} → {b}\n", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
