//! After many edits a plan that follows the last one is another than one made afresh: `--replan` takes
//! that, and the diff shows all that moves. Real documents are taken where there are some.

#![expect(clippy::print_stderr, reason = "what was measured is said")]

use std::collections::BTreeSet;

use mcp_gen::config::Config;
use mcp_gen::diff::{Diff, Subject, kind};
use mcp_gen::ir::Api;
use mcp_gen::pipeline;
use mcp_gen::plan::Plan;

use super::sticky::{api, documents, grouping, plan};
use super::support::{root, run_in};

/// The document as it grows: each step has more of its operations, some under another id, and once
/// some are gone for a while.
fn steps(api: &Api) -> Vec<Api> {
    let of = |keep: fn(usize) -> bool| {
        let mut part = api.clone();
        let mut number = 0;
        part.operations.retain(|_| {
            number += 1;
            keep(number - 1)
        });
        part
    };
    let mut renamed = of(|i| i % 5 < 3);
    for operation in renamed.operations.iter_mut().step_by(7) {
        operation.id = operation.id.as_ref().map(|id| format!("{id}Later"));
    }
    vec![
        of(|i| i % 5 == 0),
        of(|i| i % 5 < 2),
        renamed,
        of(|i| i % 5 < 4 && i % 11 != 0),
        of(|i| i % 5 < 4),
        api.clone(),
    ]
}

/// Operations that one plan reaches by another tool or action than the other, and of which no change
/// tells.
fn untold(old: &Plan, new: &Plan, diff: &Diff) -> Vec<String> {
    let (before, now) = (grouping(old), grouping(new));
    let renamed: BTreeSet<&str> = diff
        .groups
        .iter()
        .filter(|g| g.changes.iter().any(|c| c.kind.id == "tool-renamed"))
        .filter_map(|g| match &g.subject {
            Subject::Tool(name) => Some(name.as_str()),
            Subject::Server | Subject::Catalog | Subject::Excluded => None,
        })
        .collect();
    let messages: Vec<String> = diff.changes().map(|c| c.message.to_string()).collect();
    let is_told = |operation: &str, way: &str| {
        let tool = way.split(' ').next().unwrap_or_default();
        renamed.contains(tool) || messages.iter().any(|m| m.contains(&format!("`{operation}`")))
    };
    before
        .iter()
        .filter_map(|(operation, way)| Some((operation, way, now.get(operation)?)))
        .filter(|(operation, way, now)| way != now && !is_told(operation, now))
        .map(|(operation, way, now)| format!("{operation}: {way} → {now}"))
        .collect()
}

#[test]
fn after_many_edits_replan_takes_the_better_plan_and_the_diff_tells_each_move() {
    let (mut taken, mut other, mut better, mut wrong) = (0, 0, 0, Vec::new());
    let whole = std::env::var_os("MCP_GEN_CORPUS_ALL").is_some();
    for path in documents() {
        let Some(api) = api(&path).filter(|api| whole || api.operations.len() <= 100) else {
            continue;
        };
        let mut steps = steps(&api).into_iter();
        let mut known = plan(&steps.next().expect("there are six"), None);
        for step in steps {
            known = plan(&step, Some(&known));
        }
        let fresh = plan(&api, None);
        taken += 1;
        let diff = pipeline::diff(Some(&known), &fresh);
        if grouping(&known) != grouping(&fresh) {
            other += 1;
            if diff.is_empty() {
                wrong.push(format!("{}: the diff says nothing", path.display()));
            }
        }
        for change in diff.changes() {
            assert!(kind(change.kind.id).is_some_and(|k| !k.explanation.is_empty()));
        }
        for line in untold(&known, &fresh, &diff) {
            wrong.push(format!("{}: not told: {line}", path.display()));
        }
        if let Some(sentence) = pipeline::better_afresh(&api, &Config::default(), &known) {
            better += 1;
            assert!(sentence.contains("`--replan`"), "{sentence}");
        }
        // Afresh again, nothing is better than it, and what it says is what was said.
        assert_eq!(pipeline::better_afresh(&api, &Config::default(), &fresh), None);
        assert_eq!(fresh.to_yaml(), plan(&api, Some(&fresh)).to_yaml(), "{}", path.display());
    }
    eprintln!("{taken} documents: {other} plans made afresh are others, {better} clearly better");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Ordinary documents grow well; some do not, or this test would show nothing.
    assert!(better > 0 || taken < 20);
}

#[test]
fn the_command_says_that_a_plan_afresh_is_better_and_replan_takes_it() {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let document = root().join("specs/warehouse/openapi.yaml");
    let document = document.to_str().expect("UTF-8");
    let run = |args: &[&str]| {
        let said = run_in(dir.path(), args, "");
        assert_eq!(said.status, 0, "{args:?}: {said:?}");
        said
    };
    // It begins with a tool for each of some operations, and grows to the whole.
    let wide = ["plan", document, "-o", "mcp-plan.yaml", "--max-primary", "60"];
    let some = ["--include", "*/locations*", "--include", "*/items*", "--max-actions", "1"];
    run(&[&wide[..], &some].concat());
    run(&[&wide[..], &some, &["--include", "*/orders*"]].concat());
    let said = run(&wide);
    std::fs::copy(dir.path().join("mcp-plan.yaml"), dir.path().join("old.yaml")).expect("a copy");
    let line = said.err.lines().find(|l| l.contains("a plan made afresh would")).expect(&said.err);
    assert!(line.contains("`--replan`"), "{line}");
    assert!(run(&wide).err.contains("is unchanged"), "it is only said");
    let said = run(&[&wide[..], &["--replan"]].concat());
    assert!(said.err.contains("Plan: "), "{said:?}");
    let said = run(&["diff", "old.yaml", "mcp-plan.yaml"]);
    assert!(said.out.contains("action-moved") && said.out.contains("tool-removed"), "{said:?}");
    assert!(!run(&wide).err.contains("afresh"), "then there is none better");
}
