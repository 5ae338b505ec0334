//! The shipped servers' requests before Prism. Skipped where Prism is not installed, which
//! `tests/clients/run` does.

#![expect(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "what is skipped and judged is said"
)]

use std::collections::BTreeSet;

use mcp_gen::diagnostic::Diagnostics;
use mcp_gen::pipeline;
use mcp_gen::source::Sources;
use mcp_gen_servers::judge::{Accused, Judged, Prism, Ruling, judge};
use mcp_gen_servers::locate::{locate_binary, workspace};
use mcp_gen_servers::table::{package, plan};

/// Spec, call, what is said and why, between bars.
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
    let expected: BTreeSet<(&str, &str)> = EXPECTED
        .lines()
        .filter_map(|line| {
            let mut parts = line.strip_prefix(spec)?.strip_prefix(" | ")?.split(" | ");
            Some((parts.next()?, parts.next()?))
        })
        .collect();
    let found: Vec<&Judged> = judged.iter().filter(|j| j.ruling != Ruling::Valid).collect();
    let is = |judged: &Judged, (name, says): (&str, &str)| {
        judged.name == name && format!("{:?}", judged.ruling).contains(says)
    };
    let new: Vec<String> = found
        .iter()
        .filter(|judged| !expected.iter().any(|one| is(judged, *one)))
        .map(|judged| format!("{}: {:?}", judged.name, judged.ruling))
        .collect();
    let gone: Vec<_> =
        expected.iter().filter(|one| !found.iter().any(|judged| is(judged, **one))).collect();
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

#[tokio::test(flavor = "multi_thread")]
async fn prism_has_nothing_against_the_requests_of_the_pitfalls() {
    check("pitfalls").await;
}
