//! A server written by hand, on which the support code itself is tried.
//!
//! It knows both eras and one tool, `echo`, which gives its arguments back. Asked to `chatter`, it
//! writes to stdout what is no JSON-RPC.

use std::io::{BufRead as _, Write as _};

use serde_json::{Value, json};

fn main() {
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let Ok(request) = serde_json::from_str::<Value>(&line) else { continue };
        if request.get("id").is_none() {
            continue;
        }
        let answer = match answer(&request) {
            Ok(result) => json!({"jsonrpc": "2.0", "id": request["id"], "result": result}),
            Err((code, message)) => json!({"jsonrpc": "2.0", "id": request["id"],
                "error": {"code": code, "message": message}}),
        };
        if request["params"]["arguments"]["chatter"] == true {
            let _ = writeln!(out, "listening");
        }
        let _ = writeln!(out, "{answer}");
        let _ = out.flush();
    }
    let _ = writeln!(std::io::stderr(), "over");
}

fn answer(request: &Value) -> Result<Value, (i64, &'static str)> {
    let about = json!({"name": "tiny", "version": "0"});
    let params = &request["params"];
    match request["method"].as_str().unwrap_or_default() {
        "initialize" => Ok(json!({"protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}}, "serverInfo": about, "instructions": "legacy"})),
        "server/discover" => {
            Ok(json!({"supportedVersions": ["2026-07-28"], "resultType": "complete",
            "capabilities": {"tools": {}}, "instructions": "modern", "ttlMs": 0,
            "cacheScope": "public", "_meta": {"io.modelcontextprotocol/serverInfo": about}}))
        }
        "tools/list" => Ok(json!({"resultType": "complete", "ttlMs": 0, "cacheScope": "public",
            "tools": [{"name": "echo", "inputSchema": {"type": "object", "properties": {}}}]})),
        "tools/call" if params["name"] == "echo" => Ok(json!({"resultType": "complete",
            "content": [{"type": "text", "text": params["arguments"].to_string()}],
            "isError": params["arguments"]["fail"] == true})),
        "tools/call" => Err((-32602, "unknown tool")),
        _ => Err((-32601, "unknown method")),
    }
}
