//! The tools call the API that stands beside them.

use std::net::Ipv4Addr;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// Asks `/mcp` and gives the result.
async fn ask(port: u16, method: &str, params: Value) -> Value {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let body = message.to_string();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         MCP-Protocol-Version: 2025-11-25\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.expect("it listens");
    stream.write_all(format!("{head}{body}").as_bytes()).await.expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("answered");
    let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
    let answer: Value = serde_json::from_str(body).unwrap_or_else(|e| panic!("{e}: {answer}"));
    answer["result"].clone()
}

async fn call(port: u16, tool: &str, arguments: Value) -> (Value, bool) {
    let result = ask(port, "tools/call", json!({"name": tool, "arguments": arguments})).await;
    let text = result["content"][0]["text"].as_str().unwrap_or_default();
    let value = serde_json::from_str(text).unwrap_or_else(|_| json!(text));
    (value, result["isError"] == true)
}

#[tokio::test]
async fn an_agent_writes_and_reads_notes_of_the_api_beside() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let port = listener.local_addr().expect("it is bound").port();
    tokio::spawn(async move { super::serve(listener).await.expect("it serves") });

    let tools = ask(port, "tools/list", json!({})).await;
    let names: Vec<&str> = tools["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .filter_map(|t| t["name"].as_str())
        .collect();
    assert_eq!(names, ["read_notes", "manage_notes"], "{tools}");

    let (note, failed) =
        call(port, "manage_notes", json!({"action": "create", "text": "Buy solder"})).await;
    assert!(!failed, "{note}");
    assert_eq!(note, json!({"id": 1, "text": "Buy solder", "author": "an agent"}));
    let (found, failed) =
        call(port, "read_notes", json!({"action": "list", "word": "solder"})).await;
    assert!(!failed, "{found}");
    assert!(found.to_string().contains("Buy solder"), "{found}");
    let (gone, failed) = call(port, "read_notes", json!({"action": "get", "note_id": 7})).await;
    assert!(failed && gone.to_string().contains("404"), "{gone}");
}

/// Hooks that are made at run time: they know what the program has learnt.
struct Named(String);

impl super::server::Hooks for Named {
    async fn request(&self, request: &mut super::server::Request) -> Result<(), String> {
        request.set_header("x-author", &self.0);
        Ok(())
    }

    fn tools(&self, tools: &mut super::server::Tools) {
        let name = self.0.clone();
        let tool = super::server::CustomTool::new("who_am_i", "Say who writes.").reads();
        tools.add(tool, move |_| std::future::ready(Ok(name.clone())));
    }
}

#[tokio::test]
async fn hooks_may_be_made_at_run_time() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let address = listener.local_addr().expect("it is bound");
    let here = move |name: &str| (name == "NOTES_BASE_URL").then(|| format!("http://{address}"));
    let hooks = Named("the night shift".to_owned());
    let server = super::server::server_with_hooks(&here, hooks).expect("a server");
    let app = super::api::router(super::api::Notes::default());
    let app = app.merge(super::server::router(server));
    tokio::spawn(async move { axum::serve(listener, app).await });

    let (who, failed) = call(address.port(), "who_am_i", json!({})).await;
    assert!(!failed && who == "the night shift", "{who}");
    let new = json!({"action": "create", "text": "Lock up"});
    let (note, failed) = call(address.port(), "manage_notes", new).await;
    assert!(!failed && note["author"] == "the night shift", "{note}");

    let taken = super::server::server_with_hooks(&here, Taken).err().unwrap_or_default();
    assert!(taken.contains("`read_notes`"), "a name that is there is refused: {taken}");
}

/// Hooks that add a tool under the name of a generated one.
struct Taken;

impl super::server::Hooks for Taken {
    fn tools(&self, tools: &mut super::server::Tools) {
        let tool = super::server::CustomTool::new("read_notes", "Another reader.");
        tools.add(tool, |_| std::future::ready(Ok("nothing")));
    }
}
