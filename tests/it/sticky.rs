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

fn api(path: &Path) -> Option<Api> {
    let source = pipeline::source_file(path).ok()?;
    let mut diagnostics = Diagnostics::default();
    let api = pipeline::read(&mut diagnostics, &mut Sources::default(), source).ok()?;
    (api.operations.len() > 1).then_some(api)
}

fn plan(api: &Api, previous: Option<&Plan>) -> Plan {
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

fn documents() -> Vec<PathBuf> {
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
