//! Tools of the server itself, pages of the list, and replies that become resources.

use crate::protocol::Wire;
use crate::recorder::{Recorder, answer, ok, with_headers};
use crate::tables::{NoHooks, leak, operation, plain, server, settings, single};
use mcp_gen_runtime::runtime::report::reach;
use mcp_gen_runtime::runtime::start::{Command, command};
use mcp_gen_runtime::runtime::{Server, feedback};
use serde_json::{Value, json};
use std::path::PathBuf;

fn reading(url: &str, variables: &[(&str, &str)]) -> Server {
    server(single(plain("do", operation("GET /a", vec![], None), &[]), &json!({})), url, variables)
}

fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("mcp-gen-runtime-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

async fn names(wire: &mut Wire) -> Vec<String> {
    let listed = wire.ask(7, "tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_tools_of_the_server_are_there_only_when_they_are_turned_on() {
    let mut wire = Wire::legacy(reading("http://127.0.0.1:1", &[])).await;
    assert_eq!(names(&mut wire).await, ["work"]);
    for own in ["server_health", "send_feedback"] {
        let error = wire.ask(2, "tools/call", json!({"name": own})).await;
        assert_eq!(error["error"]["code"], -32602, "{error}");
    }
    let taken = single(plain("do", operation("GET /a", vec![], None), &[]), &json!({}));
    let mut made = taken;
    made.tools = crate::tables::leak_all(vec![mcp_gen_runtime::runtime::table::Tool {
        name: "server_health",
        selector: None,
        actions: made.tools[0].actions,
    }]);
    let made = leak(made);
    let set = settings(made, "", &[("TEST_HEALTH_TOOL", "1")]);
    let error = Server::new(made, set, NoHooks).unwrap_err();
    assert!(error.contains("TEST_HEALTH_TOOL"), "{error}");
}

#[tokio::test]
async fn the_health_tool_says_how_the_server_is_and_sends_nothing() {
    let api = Recorder::start(vec![ok()]).await;
    let mut wire = Wire::legacy(reading(&api.url, &[("TEST_HEALTH_TOOL", "1")])).await;
    assert_eq!(names(&mut wire).await, ["work", "server_health"]);
    wire.ask(2, "tools/call", json!({"name": "work"})).await;
    wire.ask(3, "tools/call", json!({"name": "work", "arguments": {"no": 1}})).await;
    let told = wire.ask(4, "tools/call", json!({"name": "server_health"})).await;
    let told = &told["result"]["structuredContent"];
    assert_eq!((&told["calls"], &told["failed_calls"]), (&json!(2), &json!(1)), "{told}");
    assert_eq!((&told["version"], &told["api"]), (&json!("1.2.3"), &json!(api.url)), "{told}");
    assert_eq!(api.seen().len(), 1);
}

#[tokio::test]
async fn a_remark_is_kept_without_secrets_and_only_the_operator_reads_it() {
    let folder = scratch("feedback");
    let file = folder.join("box.jsonl");
    let api = Recorder::start(vec![ok()]).await;
    let set = [("TEST_FEEDBACK_FILE", file.to_str().unwrap()), ("TEST_HTTP_TOKEN", "c4nary-token")];
    let mut wire = Wire::legacy(reading(&api.url, &set)).await;
    assert_eq!(names(&mut wire).await, ["work", "send_feedback"]);
    let call = |arguments: Value| json!({"name": "send_feedback", "arguments": arguments});
    let message = "`limit` is not explained\u{202e}\nsecond line";
    let kept = wire.ask(2, "tools/call", call(json!({"message": message, "tool": "work"}))).await;
    assert_eq!(kept["result"]["isError"], false, "{kept}");
    for bad in [json!({}), json!({"message": " "}), json!({"message": "x", "to": "/etc"})] {
        let refused = wire.ask(3, "tools/call", call(bad)).await;
        assert_eq!(refused["result"]["isError"], true, "{refused}");
    }
    wire.ask(4, "tools/call", call(json!({"message": "another"}))).await;
    assert!(api.seen().is_empty());

    let run = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(
            command(std::iter::once("feedback".to_owned()).chain(words.clone())),
            Ok(Command::Feedback(words.clone()))
        );
        feedback::run(&file, &words)
    };
    let list = run(&["list"]).unwrap();
    assert_eq!(list.lines().count(), 2, "{list}");
    assert!(
        list.contains("work: `limit` is not explained") && !list.contains('\u{202e}'),
        "{list}"
    );
    let id = list.split(' ').next().unwrap();
    assert_eq!(run(&["status", id, "done"]).unwrap(), format!("{id} is done\n"));
    let counts = run(&["status"]).unwrap();
    assert!(counts.contains("done: 1") && counts.contains("new: 1"), "{counts}");
    run(&["delete", id]).unwrap();
    assert_eq!(run(&["list"]).unwrap().lines().count(), 1);
    for wrong in [&["delete", id][..], &["status", id, "odd"], &["frob"], &[]] {
        assert!(run(wrong).is_err(), "{wrong:?}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn pages_of_the_list_have_cursors_and_a_bad_one_is_invalid() {
    let folder = scratch("pages");
    let file = folder.join("box.jsonl");
    let set = [
        ("TEST_TOOLS_PAGE", "1"),
        ("TEST_HEALTH_TOOL", "1"),
        ("TEST_FEEDBACK_FILE", file.to_str().unwrap()),
    ];
    let mut wire = Wire::legacy(reading("http://127.0.0.1:1", &set)).await;
    let (mut found, mut params) = (Vec::new(), json!({}));
    loop {
        let page = wire.ask(2, "tools/list", params).await["result"].clone();
        assert_eq!(page["tools"].as_array().unwrap().len(), 1, "{page}");
        found.push(page["tools"][0]["name"].as_str().unwrap().to_owned());
        let Some(next) = page["nextCursor"].as_str() else { break };
        params = json!({ "cursor": next });
    }
    assert_eq!(found, ["work", "server_health", "send_feedback"]);
    for bad in ["", "1", "dG9vbHM6OTk=", "dG9vbHM6MA==", "\u{202e}"] {
        let error = wire.ask(3, "tools/list", json!({ "cursor": bad })).await;
        assert_eq!(error["error"]["code"], -32602, "{bad:?}: {error}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn r1_bytes_are_saved_and_read_as_a_resource_where_the_operator_names_a_folder() {
    let folder = scratch("downloads");
    let bytes = [0, 159, 146, 150];
    let headers = [
        ("Content-Type", "application/zip"),
        ("Content-Disposition", "attachment; filename=\"../../.evil%20&.zip\""),
    ];
    let api = Recorder::start(vec![with_headers(200, &headers, bytes)]).await;
    let set = [("TEST_DOWNLOADS_DIR", folder.to_str().unwrap())];
    let mut wire = Wire::new(reading(&api.url, &set));
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let hello = wire.ask(1, "initialize", hello).await;
    assert!(hello["result"]["capabilities"]["resources"].is_object(), "{hello}");
    wire.tell(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    let result = wire.ask(2, "tools/call", json!({"name": "work"})).await;
    let link = &result["result"]["content"][1];
    assert_eq!((&link["type"], &link["size"]), (&json!("resource_link"), &json!(4)), "{result}");
    assert_eq!(link["mimeType"], "application/zip");
    let read = wire.ask(3, "resources/read", json!({"uri": link["uri"]})).await;
    assert_eq!(read["result"]["contents"][0]["blob"], "AJ+Slg==", "{read}");
    let saved: Vec<_> = std::fs::read_dir(&folder).unwrap().flatten().collect();
    assert_eq!(saved.len(), 1, "and nothing outside the folder");
    assert_eq!(std::fs::read(saved[0].path()).unwrap(), bytes);
    let name = saved[0].file_name().into_string().unwrap();
    assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b)), "{name}");
    for bad in ["file:///etc/passwd", "test://downloads/x/../../etc/passwd", ""] {
        let error = wire.ask(4, "resources/read", json!({ "uri": bad })).await;
        assert_eq!(error["error"]["code"], -32602, "{bad}: {error}");
    }
    std::fs::remove_dir_all(folder).unwrap();

    // Without a folder there is no such capability, and the bytes are summed up.
    let mut wire = Wire::legacy(reading(&api.url, &[])).await;
    let result = wire.ask(2, "tools/call", json!({"name": "work"})).await;
    assert_eq!(result["result"]["content"].as_array().unwrap().len(), 1, "{result}");
    let error = wire.ask(4, "resources/read", json!({"uri": "test://x"})).await;
    assert_eq!(error["error"]["code"], -32601, "{error}");
}

#[tokio::test]
async fn r1_small_bytes_are_given_along_where_the_operator_wants_it() {
    let api = Recorder::start(vec![answer(200, "application/pdf", [0, 159])]).await;
    let mut wire = Wire::legacy(reading(&api.url, &[("TEST_EMBED_MAX_KIB", "1")])).await;
    let result = wire.ask(2, "tools/call", json!({"name": "work"})).await;
    let block = &result["result"]["content"][1];
    assert_eq!(block["type"], "resource", "{result}");
    assert_eq!(
        (&block["resource"]["blob"], &block["resource"]["mimeType"]),
        (&json!("AJ8="), &json!("application/pdf"))
    );
}

#[tokio::test]
async fn a_check_opens_a_connection_and_sends_no_request() {
    let api = Recorder::start(vec![ok()]).await;
    let (line, bad) = reach(&reading(&api.url, &[])).await.unwrap();
    assert!(!bad && line.starts_with("ok") && api.seen().is_empty(), "{line}");
    let (line, bad) = reach(&reading("http://127.0.0.1:1", &[])).await.unwrap();
    assert!(bad && line.starts_with("ERROR reachability"), "{line}");
    assert_eq!(reach(&reading("", &[])).await, None);
    let (line, bad) =
        reach(&reading(&api.url, &[("TEST_PROXY", "http://p.test:1")])).await.unwrap();
    assert!(!bad && line.contains("a proxy stands between"), "{line}");
}
