//! The HTTP transport of a generated server: who may speak to it, and that it says the same.

use std::path::PathBuf;
use std::process::Stdio;

use mcp_gen_servers::client::{Client, Era};
use mcp_gen_servers::locate::locate_binary;
use mcp_gen_servers::recorder::Recorder;
use mcp_gen_servers::table::{environment, package, plan};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

const SPEC: &str = "repair-cafe";

struct Http {
    _child: Child,
    port: u16,
    recorder: Recorder,
}

fn program() -> PathBuf {
    locate_binary(&package(SPEC))
}

impl Http {
    async fn start(variables: &[(&str, &str)]) -> Self {
        let recorder = Recorder::start().await;
        let mut child = Command::new(program())
            .args(["--http", "127.0.0.1:0"])
            .env_clear()
            .envs(environment(&plan(SPEC), &recorder, variables))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the server starts");
        let mut lines = BufReader::new(child.stderr.take().expect("stderr is a pipe")).lines();
        let port = loop {
            let line = lines.next_line().await.expect("text").expect("it says where it listens");
            let Some((_, rest)) = line.split_once("http://127.0.0.1:") else { continue };
            break rest.trim_end_matches("/mcp").parse().expect("a port");
        };
        // The pipe stays open, so that later words do not end the server.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Self { _child: child, port, recorder }
    }

    /// Posts a message with these headers besides the usual ones; gives status and body.
    async fn post(&self, host: &str, headers: &[(&str, &str)], message: &Value) -> (u16, String) {
        let body = message.to_string();
        let mut head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n",
            body.len()
        );
        for (name, value) in headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.expect("it listens");
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).await.expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.expect("answered");
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|word| word.parse().ok());
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status.unwrap_or_else(|| panic!("no status in {answer:?}")), body.to_owned())
    }

    async fn list(&self, host: &str, headers: &[(&str, &str)]) -> (u16, String) {
        let mut all = vec![("MCP-Protocol-Version", "2025-11-25")];
        all.extend(headers);
        self.post(host, &all, &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tools_are_those_of_stdio() {
    let http = Http::start(&[]).await;
    let (status, body) = http.list("127.0.0.1", &[]).await;
    assert_eq!(status, 200, "{body}");
    let answer: Value = serde_json::from_str(&body).unwrap_or_else(|e| panic!("{e}: {body}"));
    let client = Client::start(&program(), &[], Era::Legacy).await;
    let tools = serde_json::to_value(client.tools().await).expect("tools are JSON");
    assert_eq!(answer["result"]["tools"], tools);
}

#[tokio::test(flavor = "multi_thread")]
async fn foreign_hosts_and_origins_are_turned_away() {
    let http = Http::start(&[("HTTP_ORIGINS", "https://app.example")]).await;
    for (host, origin, expected) in [
        ("127.0.0.1", None, 200),
        ("localhost:8080", Some("http://localhost:3000"), 200),
        ("127.0.0.1", Some("https://app.example"), 200),
        ("127.0.0.1", Some("https://evil.example"), 403),
        ("127.0.0.1", Some("null"), 403),
        ("evil.example", None, 403),
        ("localhost.", None, 403),
    ] {
        let headers: Vec<_> = origin.iter().map(|o| ("Origin", *o)).collect();
        let (status, body) = http.list(host, &headers).await;
        assert_eq!(status, expected, "{host} {origin:?}: {body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_set_is_asked_for_and_never_passed_on() {
    let http = Http::start(&[("HTTP_TOKEN", "inbound-canary")]).await;
    assert_eq!(http.list("127.0.0.1", &[]).await.0, 401);
    assert_eq!(http.list("127.0.0.1", &[("Authorization", "Bearer other")]).await.0, 401);
    let right = ("Authorization", "Bearer inbound-canary");
    assert_eq!(http.list("127.0.0.1", &[right]).await.0, 200);

    let call = mcp_gen_servers::wire::call(&plan(SPEC), "GET /repairs", &json!({}));
    let message = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": call.tool, "arguments": call.arguments}});
    let version = ("MCP-Protocol-Version", "2025-11-25");
    let (status, body) = http.post("127.0.0.1", &[right, version], &message).await;
    assert_eq!(status, 200, "{body}");
    let sent = http.recorder.one();
    assert_eq!(sent.line(), "GET /base/v0/repairs");
    assert_eq!(sent.header("authorization"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_modern_client_needs_no_session() {
    let http = Http::start(&[]).await;
    let call = mcp_gen_servers::wire::call(&plan(SPEC), "GET /health", &json!({}));
    let about = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": call.tool, "arguments": call.arguments, "_meta": about}});
    let headers = [
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", call.tool.as_str()),
    ];
    let (status, body) = http.post("127.0.0.1", &headers, &message).await;
    assert_eq!(status, 200, "{body}");
    assert!(body.contains("\"resultType\":\"complete\""), "{body}");
    assert_eq!(http.recorder.one().line(), "GET /base/v0/health");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_others_reach_needs_a_token() {
    let output = Command::new(program())
        .args(["--http", "0.0.0.0:0"])
        .env_clear()
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(mcp_gen_servers::client::PATIENCE, output).await;
    let output = output.expect("it ends in time").expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(words.contains("_HTTP_TOKEN"), "{words}");
}
