//! The support code, tried on a server and a service that are known to be right.

use std::path::Path;

use mcp_gen_servers::client::{Client, Era};
use mcp_gen_servers::locate::locate_binary;
use mcp_gen_servers::raw::Raw;
use serde_json::json;

const TINY: &str = env!("CARGO_BIN_EXE_tiny");

#[tokio::test]
async fn a_client_speaks_to_a_server_in_both_eras() {
    for (era, instructions) in [(Era::Legacy, "legacy"), (Era::Modern, "modern")] {
        let client = Client::start(Path::new(TINY), &[], era).await;
        assert_eq!(client.instructions().as_deref(), Some(instructions));
        let tools = client.tools().await;
        assert_eq!(tools.iter().map(|t| t.name.as_ref()).collect::<Vec<_>>(), ["echo"]);
        let outcome = client.call("echo", &json!({"big": i64::MAX})).await;
        assert_eq!(
            (outcome.text.as_str(), outcome.is_error),
            (r#"{"big":9223372036854775807}"#, false)
        );
        assert!(client.call("echo", &json!({"fail": true})).await.is_error);
        let error = client.try_call("nothing", &json!({})).await.expect_err("no such tool");
        assert_eq!(error.code.0, -32602);
        client.stop().await;
    }
}

#[tokio::test]
async fn raw_lines_are_answered_and_the_end_is_clean() {
    let mut raw = Raw::start(Path::new(TINY), &[]);
    assert_eq!(raw.initialize().await["result"]["serverInfo"]["name"], "tiny");
    raw.send("this is no JSON").await;
    let answer = raw.ask(&json!({"jsonrpc": "2.0", "id": 7, "method": "nothing"})).await;
    assert_eq!(answer["error"]["code"], -32601);
    assert_eq!(raw.finish().await, (Some(0), Vec::new()));
}

#[tokio::test]
#[should_panic(expected = "stdout is not only JSON")]
async fn a_server_that_chatters_on_stdout_fails_the_test() {
    let mut raw = Raw::start(Path::new(TINY), &[]);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "echo", "arguments": {"chatter": true}}});
    raw.ask(&call).await;
}

#[test]
fn a_package_is_built_and_its_program_found() {
    let program = locate_binary("repair-cafe-api");
    assert_eq!(program, locate_binary("repair-cafe-api"));
    let output = std::process::Command::new(program).arg("--help").output().expect("it starts");
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("The repair café's API"));
}
