//! The catalog of a generated server: what is found can be called as it was found.

use mcp_gen::plan::Effect;
use mcp_gen_servers::client::Era;
use mcp_gen_servers::table::{Bench, plan};
use serde_json::{Value, json};

const VARIABLES: &[(&str, &str)] = &[("API_KEY", "k"), ("BEARER", "t"), ("LEGACY_KEY", "l")];

/// A server with a catalog; at least one of the three has to have one.
async fn bench() -> Bench {
    let spec =
        ["warehouse", "thorns", "repair-cafe"].into_iter().find(|s| plan(s).catalog.is_some());
    Bench::start(spec.expect("one of the servers has a catalog"), VARIABLES, Era::Modern).await
}

#[tokio::test(flavor = "multi_thread")]
async fn each_operation_is_found_by_its_own_words() {
    let bench = bench().await;
    let catalog = bench.plan.catalog.as_ref().expect("it has one");
    for entry in &catalog.entries {
        let query = format!("{} {}", entry.name.replace('_', " "), entry.summary);
        let arguments = json!({"query": query, "limit": 20});
        let outcome = bench.client.call(&catalog.find.name, &arguments).await;
        assert!(!outcome.is_error, "{query}: {}", outcome.text);
        assert!(
            outcome.text.contains(&entry.name),
            "{query}: no {} in {}",
            entry.name,
            outcome.text
        );
    }
    assert!(bench.recorder.take().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reading_tool_does_not_write_and_names_the_one_that_does() {
    let bench = bench().await;
    let catalog = bench.plan.catalog.as_ref().expect("it has one");
    let write = catalog.write.as_ref().expect("it writes");
    let entries = catalog.entries.iter().filter(|e| e.effect == Effect::Write);
    for entry in entries {
        let arguments = json!({"operation": entry.name, "arguments": {}});
        let outcome = bench.client.call(&catalog.read.name, &arguments).await;
        assert!(outcome.is_error && outcome.text.contains(&write.name), "{}", outcome.text);
    }
    assert!(bench.recorder.take().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_catalog_does_not_hold_is_refused_with_a_way_out() {
    let bench = bench().await;
    let catalog = bench.plan.catalog.as_ref().expect("it has one");
    let calls: [Value; 4] = [
        json!({"operation": "no_such_operation", "arguments": {}}),
        json!({"arguments": {}}),
        json!({"operation": catalog.entries[0].name, "arguments": {"no_such_argument": 1}}),
        json!({"operation": 3, "arguments": []}),
    ];
    for arguments in calls {
        let outcome = bench.client.call(&catalog.read.name, &arguments).await;
        assert!(
            outcome.is_error && outcome.text.contains("Action:"),
            "{arguments}: {}",
            outcome.text
        );
    }
    assert!(bench.recorder.take().is_empty());
}
