//! Toolsets of a generated server, chosen at the start and enabled by a client.

use std::process::Command;

use mcp_gen_servers::client::{Client, Era};
use mcp_gen_servers::locate::locate_binary;
use mcp_gen_servers::raw::Raw;
use mcp_gen_servers::table::{Bench, package, plan};
use serde_json::json;

const SPEC: &str = "thorns";

/// The names of the tools of a set, those of the catalog with them.
fn expected(set: &str) -> Vec<String> {
    let plan = plan(SPEC);
    let tools = plan.tools.iter().filter(|t| t.toolsets.iter().any(|s| s == set));
    let catalog = plan.catalog.as_ref().expect("it has one");
    let in_set = |e: &&mcp_gen::plan::Entry| match &e.tool {
        Some(tool) => {
            plan.tools.iter().any(|t| t.name == *tool && t.toolsets.contains(&set.into()))
        }
        None => e.toolsets.iter().any(|s| s == set),
    };
    let writes =
        catalog.entries.iter().filter(in_set).any(|e| e.effect == mcp_gen::plan::Effect::Write);
    let more =
        [Some(&catalog.find), Some(&catalog.read), catalog.write.as_ref().filter(|_| writes)];
    let more = more.into_iter().flatten().map(|t| t.name.clone());
    tools.map(|t| t.name.clone()).chain(more).collect()
}

async fn names(client: &Client) -> Vec<String> {
    client.tools().await.iter().map(|t| t.name.to_string()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_chosen_toolsets_has_their_tools_and_no_others_in_both_eras() {
    for era in [Era::Legacy, Era::Modern] {
        let all = names(&Bench::start(SPEC, &[], era).await.client).await;
        for set in plan(SPEC).toolsets() {
            let bench = Bench::start(SPEC, &[("TOOLSETS", set)], era).await;
            let there = names(&bench.client).await;
            assert_eq!(there, expected(set), "{set}");
            for off in all.iter().filter(|name| !there.contains(name)) {
                let error = bench.client.try_call(off, &json!({})).await.expect_err(off);
                assert_eq!(error.code.0, -32602, "{off}: {error:?}");
            }
            let catalog = bench.plan.catalog.as_ref().expect("it has one");
            for entry in &catalog.entries {
                let covered = entry.tool.as_ref().map_or_else(
                    || entry.toolsets.iter().any(|s| s == set),
                    |tool| there.contains(tool),
                );
                let query = json!({"query": entry.operation, "limit": 1});
                let found = bench.client.call(&catalog.find.name, &query).await.text;
                let first = format!("\"request\":{}", json!(entry.operation));
                assert_eq!(found.contains(&first), covered, "{set}: {}: {found}", entry.operation);
            }
            assert!(bench.recorder.take().is_empty());
        }
    }
}

#[test]
fn the_option_is_read_and_an_unknown_name_ends_the_start() {
    let run = |arguments: &[&str]| {
        let program = locate_binary(&package(SPEC));
        let output = Command::new(program).args(arguments).output().expect("it starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (status, _, said) = run(&["--toolsets", "things,nothing"]);
    assert_eq!(status, Some(2));
    assert!(said.contains("`nothing`; there are `default`, `functions`, `things`"), "{said}");
    let (status, tools, _) = run(&["--print-tools", "--toolsets=things"]);
    assert_eq!(status, Some(0));
    assert!(tools.contains("manage_things") && !tools.contains("get_fn_x"), "{tools}");
    let (_, help, _) = run(&["--help"]);
    assert!(
        help.contains("--toolsets NAMES") && help.contains("default, functions, things"),
        "{help}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_enables_a_toolset_and_is_told_of_its_tools() {
    let mut raw =
        Raw::start(&locate_binary(&package(SPEC)), &[("THORNS_STD_DYNAMIC_TOOLSETS", "1")]);
    let hello = raw.initialize().await;
    assert_eq!(hello["result"]["capabilities"]["tools"]["listChanged"], true, "{hello}");
    let ask = |id: u32, method: &str, params: serde_json::Value| json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    let before = raw.ask(&ask(1, "tools/list", json!({}))).await.to_string();
    assert!(before.contains("enable_toolset") && !before.contains("manage_things"), "{before}");
    let call = json!({"name": "enable_toolset", "arguments": {"toolset": "things"}});
    raw.send(&ask(2, "tools/call", call).to_string()).await;
    let both = [raw.next().await.expect("a line"), raw.next().await.expect("a line")];
    assert!(both.iter().any(|m| m["method"] == "notifications/tools/list_changed"), "{both:?}");
    assert!(both.iter().any(|m| m["id"] == 2 && m["result"]["isError"] != true), "{both:?}");
    let after = raw.ask(&ask(3, "tools/list", json!({}))).await.to_string();
    assert!(after.contains("manage_things"), "{after}");
    let (status, rest) = raw.finish().await;
    assert_eq!((status, rest.len()), (Some(0), 0));
}
