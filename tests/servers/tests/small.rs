//! The server for the repair café: each call on the wire, and a walk against the example API.

use std::process::Stdio;

use mcp_gen_servers::client::{Client, Era};
use mcp_gen_servers::locate::locate_binary;
use mcp_gen_servers::raw::Raw;
use mcp_gen_servers::recorder::Answer;
use mcp_gen_servers::table::{Bench, Case, Refusal, environment, package, plan};
use mcp_gen_servers::wire;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};

const SPEC: &str = "repair-cafe";

fn cases() -> Vec<Case> {
    let new = json!({"object": "Lamp", "category": "electrical", "fault": "Flickers – \"often\".",
        "owner": {"name": "Ida", "phone": "+49 30 1"}, "weightKg": 0.5});
    vec![
        Case::new("a list without filters", "GET /repairs", json!({}), "GET /repairs").headers(&[
            ("X-Cafe-Key", None),
            ("Authorization", None),
            ("Referer", None),
        ]),
        Case::new(
            "a list with each filter",
            "GET /repairs",
            json!({"query": {"q": "rain & zip", "status": ["waiting", "finished"],
                "category": "textile", "broughtSince": "2026-03-01", "limit": 5, "offset": 10}}),
            "GET /repairs?q=rain%20%26%20zip&status=waiting&status=finished&category=textile\
             &broughtSince=2026-03-01&limit=5&offset=10",
        ),
        Case::new(
            "one repair",
            "GET /repairs/{repairId}",
            json!({"path": {"repairId": "r3"}}),
            "GET /repairs/r3",
        ),
        Case::new("a new repair", "POST /repairs", json!({"body": new}), "POST /repairs")
            .headers(&[("Content-Type", Some("application/json"))])
            .same_body(),
        Case::new(
            "a change",
            "PATCH /repairs/{repairId}",
            json!({"path": {"repairId": "r3"}, "body": {"status": "waiting", "weightKg": 2}}),
            "PATCH /repairs/r3",
        )
        .same_body(),
        Case::new(
            "a deletion",
            "DELETE /repairs/{repairId}",
            json!({"path": {"repairId": "r4"}}),
            "DELETE /repairs/r4",
        ),
        Case::new(
            "an end",
            "POST /repairs/{repairId}/finish",
            json!({"path": {"repairId": "r3"},
                "body": {"outcome": "partly_fixed", "minutes": 0, "remark": "a\nb"}}),
            "POST /repairs/r3/finish",
        )
        .same_body(),
        Case::new(
            "the notes",
            "GET /repairs/{repairId}/notes",
            json!({"path": {"repairId": "r1"}}),
            "GET /repairs/r1/notes",
        ),
        Case::new(
            "a new note",
            "POST /repairs/{repairId}/notes",
            json!({"path": {"repairId": "r1"}, "body": {"text": "ünï 🔧", "author": "Selin"}}),
            "POST /repairs/r1/notes",
        )
        .same_body(),
        Case::new("the health", "GET /health", json!({}), "GET /health"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn each_operation_goes_out_as_the_document_says_in_both_eras() {
    for era in [Era::Legacy, Era::Modern] {
        let bench = Bench::start(SPEC, &[], era).await;
        bench.check(&cases()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_set_is_sent_except_where_nothing_is_asked() {
    let bench = Bench::start(SPEC, &[("CAFE_KEY", "k-1")], Era::Legacy).await;
    let (_, requests) = bench.call("GET /repairs", &json!({})).await;
    assert_eq!(requests[0].header("x-cafe-key").as_deref(), Some("k-1"));
    let (_, requests) = bench.call("GET /health", &json!({})).await;
    assert_eq!(requests[0].header("x-cafe-key"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_arguments_are_refused_before_anything_is_sent() {
    let bench = Bench::start(SPEC, &[], Era::Legacy).await;
    let refusals = [
        Refusal {
            name: "no identifier",
            operation: "GET /repairs/{repairId}",
            values: json!({}),
            says: &["@path:repairId"],
        },
        Refusal {
            name: "a climbing identifier",
            operation: "DELETE /repairs/{repairId}",
            values: json!({"path": {"repairId": ".."}}),
            says: &["@path:repairId"],
        },
        Refusal {
            name: "no outcome",
            operation: "POST /repairs/{repairId}/finish",
            values: json!({"path": {"repairId": "r3"}, "body": {"minutes": 3}}),
            says: &["@body:/outcome"],
        },
        Refusal {
            name: "an unknown choice",
            operation: "GET /repairs",
            values: json!({"query": {"category": "boat"}}),
            says: &["@query:category", "bicycle"],
        },
        Refusal {
            name: "a limit out of bounds",
            operation: "GET /repairs",
            values: json!({"query": {"limit": 101}}),
            says: &["@query:limit", "100"],
        },
    ];
    bench.check_refused(&refusals).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_tools_are_protocol_errors_and_unknown_arguments_are_not() {
    let bench = Bench::start(SPEC, &[], Era::Legacy).await;
    let error = bench.client.try_call("no_such_tool", &json!({})).await.expect_err("unknown");
    assert_eq!(error.code.0, -32602);
    let mut call = bench.spell("GET /repairs", &json!({}));
    call.arguments["colour"] = json!("red");
    let outcome = bench.client.call(&call.tool, &call.arguments).await;
    assert!(outcome.is_error && outcome.text.contains("colour"), "{}", outcome.text);
    assert!(outcome.text.contains("Action:"), "{}", outcome.text);
    assert!(bench.recorder.take().is_empty());
}

/// T5.
#[tokio::test(flavor = "multi_thread")]
async fn stdout_carries_nothing_but_json_rpc() {
    let bench = Bench::start(SPEC, &[], Era::Legacy).await;
    bench.recorder.answer(Answer::json(404, "no"));
    let environment = environment(&bench.plan, &bench.recorder, &[]);
    let pairs: Vec<_> = environment.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let mut raw = Raw::start(&bench.program, &pairs);
    assert_eq!(raw.initialize().await["result"]["protocolVersion"], "2025-11-25");
    raw.send("no JSON at all").await;
    let first = raw.ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).await;
    let second = raw.ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).await;
    assert_eq!(first.to_string(), second.to_string());
    let malformed =
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": 3}});
    assert_eq!(raw.ask(&malformed).await["error"]["code"], -32602);
    let call = bench.spell("GET /repairs", &json!({}));
    let request = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call",
        "params": {"name": call.tool, "arguments": call.arguments}});
    assert_eq!(raw.ask(&request).await["result"]["isError"], true);
    assert_eq!(raw.finish().await, (Some(0), Vec::new()));
}

/// The example API, started for one test.
async fn example() -> (tokio::process::Child, String) {
    let mut child = tokio::process::Command::new(locate_binary("repair-cafe-api"))
        .args(["--port", "0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("the example starts");
    let stdout = child.stdout.take().expect("stdout is a pipe");
    let port = BufReader::new(stdout).lines().next_line().await.expect("text").expect("a port");
    (child, format!("http://127.0.0.1:{port}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_walk_through_the_example_leaves_it_changed() {
    let (_api, origin) = example().await;
    let plan = plan(SPEC);
    let prefix = plan.server.to_uppercase().replace('-', "_");
    let variable = format!("{prefix}_BASE_URL");
    let program = locate_binary(&package(SPEC));
    let client = Client::start(&program, &[(&variable, &origin)], Era::Modern).await;
    let call = async |operation: &str, values: serde_json::Value| {
        let call = wire::call(&plan, operation, &values);
        client.call(&call.tool, &call.arguments).await
    };

    let found = call("GET /repairs", json!({"query": {"status": ["in_progress"]}})).await;
    assert!(!found.is_error && found.text.contains("Kitchen radio"), "{}", found.text);

    let finish = json!({"path": {"repairId": "r3"},
        "body": {"outcome": "fixed", "minutes": 50, "remark": "New capacitors."}});
    let finished = call("POST /repairs/{repairId}/finish", finish.clone()).await;
    assert!(!finished.is_error && finished.text.contains("fixed"), "{}", finished.text);

    let notes = call("GET /repairs/{repairId}/notes", json!({"path": {"repairId": "r3"}})).await;
    assert!(notes.text.contains("New capacitors."), "{}", notes.text);

    let twice = call("POST /repairs/{repairId}/finish", finish).await;
    assert!(twice.is_error, "{}", twice.text);
    for word in ["409", "Repair r3 is finished", "Action:"] {
        assert!(twice.text.contains(word), "{word}: {}", twice.text);
    }

    let gone = call("DELETE /repairs/{repairId}", json!({"path": {"repairId": "r4"}})).await;
    assert!(!gone.is_error && gone.text.contains("204"), "{}", gone.text);
    let missing = call("GET /repairs/{repairId}", json!({"path": {"repairId": "r4"}})).await;
    assert!(missing.is_error && missing.text.contains("There is no repair r4"), "{}", missing.text);
}

/// The program with these arguments and variables: status, standard output, standard error.
fn run(arguments: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, String, String) {
    let output = std::process::Command::new(locate_binary(&package(SPEC)))
        .args(arguments)
        .env_clear()
        .envs(variables.iter().copied())
        .output()
        .expect("it starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_command_line_tells_what_the_server_is_and_whether_it_can_work() {
    let (status, out, _) = run(&["--version"], &[]);
    assert!(status == Some(0) && out.contains("MCP 2024-11-05 to 2026-07-28"), "{out}");
    let (status, out, _) = run(&["--print-tools"], &[]);
    let tools: Value = serde_json::from_str(&out).expect("the tools are JSON");
    assert!(status == Some(0) && tools.as_array().is_some_and(|tools| !tools.is_empty()));
    let prefix = plan(SPEC).server.to_uppercase().replace('-', "_");
    let base = format!("{prefix}_BASE_URL");
    let api = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}/v1", api.local_addr().expect("an address"));
    let (status, out, _) = run(&["--check"], &[(&base, &url)]);
    assert!(status == Some(0) && out.contains(&format!("base URL: {url}")), "{out}");
    drop(api);
    let (status, out, _) = run(&["--check"], &[(&base, &url)]);
    assert!(status == Some(2) && out.contains("ERROR reachability"), "{out}");
    let file = std::env::temp_dir().join(format!("mcp-gen-feedback-{}", std::process::id()));
    let name = format!("{prefix}_FEEDBACK_FILE");
    let (status, _, error) = run(&["feedback", "list"], &[]);
    assert!(status == Some(2) && error.contains(&name), "{error}");
    let line = r#"{"id":"a1","ts":"t","status":"new","tool":"","message":"more words"}"#;
    std::fs::write(&file, line).expect("it can be written");
    let set = [(name.as_str(), file.to_str().expect("UTF-8"))];
    for (words, expected) in [
        (&["list"][..], "a1 t new more words\n"),
        (&["status", "a1", "seen"], "a1 is seen\n"),
        (&["delete", "a1"], "a1 is deleted\n"),
        (&["list"], ""),
    ] {
        let (status, out, error) = run(&[&["feedback"], words].concat(), &set);
        assert_eq!((status, out.as_str()), (Some(0), expected), "{error}");
    }
    std::fs::remove_file(file).expect("it is there");
    let (status, out, _) = run(&["--read-only", "--print-tools"], &[]);
    let reading: Vec<Value> = serde_json::from_str(&out).expect("the tools are JSON");
    assert!(status == Some(0) && reading.len() < tools.as_array().map_or(0, Vec::len), "{out}");
    assert!(reading.iter().all(|tool| tool["annotations"]["readOnlyHint"] == true), "{out}");
    let (status, out, error) = run(&["--check"], &[(&base, "ftp://api.example")]);
    assert!(status == Some(2) && out.contains("ERROR base URL"), "{out}{error}");
    let (status, _, error) = run(&["--check"], &[(&format!("{prefix}_LOG"), "loud")]);
    assert!(status == Some(2) && error.contains("_LOG must be"), "{error}");
    let (status, _, error) = run(&["--chek"], &[]);
    assert!(status == Some(2) && error.contains("unknown argument `--chek`"), "{error}");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_told_to_stop_answers_what_it_was_asked_and_ends_well() {
    let bench = Bench::start(SPEC, &[], Era::Legacy).await;
    bench.recorder.script(|_| {
        std::thread::sleep(std::time::Duration::from_millis(500));
        Answer::json(200, "{}")
    });
    let environment = environment(&bench.plan, &bench.recorder, &[]);
    let pairs: Vec<_> = environment.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let mut raw = Raw::start(&bench.program, &pairs);
    raw.initialize().await;
    let call = bench.spell("GET /repairs", &json!({}));
    let request = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call",
        "params": {"name": call.tool, "arguments": call.arguments}});
    raw.send(&request.to_string()).await;
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    let id = raw.id().to_string();
    std::process::Command::new("kill").args(["-TERM", &id]).status().expect("kill is there");
    let answer = raw.next().await.expect("the call is answered");
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(3), &json!(false)));
    assert_eq!(raw.finish().await, (Some(0), Vec::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_proxy_of_the_system_is_used() {
    let bench = Bench::start(SPEC, &[], Era::Legacy).await;
    bench.recorder.answer(Answer::json(200, "{}"));
    let prefix = plan(SPEC).server.to_uppercase().replace('-', "_");
    let (base, proxy) = (format!("{prefix}_BASE_URL"), bench.recorder.origin());
    let pairs = [(base.as_str(), "http://api.example/v1"), ("HTTP_PROXY", proxy.as_str())];
    let mut raw = Raw::start(&bench.program, &pairs);
    raw.initialize().await;
    let call = bench.spell("GET /repairs", &json!({}));
    let request = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call",
        "params": {"name": call.tool, "arguments": call.arguments}});
    let answer = raw.ask(&request).await;
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    let requests = bench.recorder.take();
    assert_eq!(requests[0].line(), "GET http://api.example/v1/repairs");
    assert_eq!(raw.finish().await, (Some(0), Vec::new()));
}
