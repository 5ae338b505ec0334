//! The shipped servers' requests before Prism. Skipped where Prism is not installed, which
//! `tests/clients/run` does.

use std::collections::BTreeSet;

use mcp_gen::diagnostic::Diagnostics;
use mcp_gen::pipeline;
use mcp_gen::source::Sources;
use mcp_gen_servers::judge::{Accused, Judged, Prism, Ruling, judge};
use mcp_gen_servers::locate::{locate_binary, workspace};
use mcp_gen_servers::table::{package, plan};

/// Lines of `judged.expected`: spec, call and why, between bars.
const EXPECTED: &str = include_str!("judged.expected");

async fn check(spec: &str) {
    let Some(prism) = Prism::locate() else {
        return eprintln!("SKIPPED: Prism is not installed; `tests/clients/run` does that");
    };
    let document = workspace().join("specs").join(spec).join("openapi.yaml");
    let source = pipeline::source_file(&document).expect("the document can be read");
    let mut sources = Sources::default();
    let api = pipeline::read(&mut Diagnostics::default(), &mut sources, source);
    let accused = Accused {
        api: &api.expect("the document can be read"),
        plan: &plan(spec),
        folder: &workspace().join("generated").join(spec),
        program: &locate_binary(&package(spec)),
        document: &document,
    };
    let judged = judge(&prism, &accused).await.unwrap_or_else(|why| panic!("{spec}: {why}"));
    let expected: BTreeSet<&str> = EXPECTED
        .lines()
        .filter_map(|line| line.strip_prefix(spec)?.strip_prefix(" | ")?.split(" | ").next())
        .collect();
    let found: Vec<&Judged> = judged.iter().filter(|j| j.ruling != Ruling::Valid).collect();
    let names: BTreeSet<&str> = found.iter().map(|j| j.name.as_str()).collect();
    let new: Vec<String> = found
        .iter()
        .filter(|j| !expected.contains(j.name.as_str()))
        .map(|j| format!("{}: {:?}", j.name, j.ruling))
        .collect();
    let gone: Vec<_> = expected.difference(&names).collect();
    println!("{spec}: {} calls, {} judged valid", judged.len(), judged.len() - found.len());
    assert!(new.is_empty(), "{spec}, {} of {}:\n{}", new.len(), judged.len(), new.join("\n"));
    assert!(gone.is_empty(), "{spec}: expected in vain, strike them off: {gone:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn prism_has_nothing_against_the_requests_of_the_repair_cafe() {
    check("repair-cafe").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn prism_has_nothing_against_the_requests_of_the_warehouse() {
    check("warehouse").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn prism_has_nothing_against_the_requests_of_the_thorns() {
    check("thorns").await;
}
