//! A server as a child process and a real MCP client that speaks to it over stdio.

use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, ErrorData, ProtocolVersion, Tool};
use rmcp::service::{ClientLifecycleMode, RunningService, ServiceError};
use rmcp::transport::TokioChildProcess;
use rmcp::{RoleClient, serve_client_with_lifecycle};
use serde_json::Value;
use tokio::io::AsyncReadExt as _;
use tokio::process::Command;

/// The longest that a test waits for anything.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The two ways in which a client and a server find together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// `initialize`, up to revision 2025-11-25.
    Legacy,
    /// `server/discover`, revision 2026-07-28.
    Modern,
}

/// What a call gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// All text blocks, joined by newlines.
    pub text: String,
    /// `structuredContent`, where there is one.
    pub structured: Option<Value>,
    /// Whether the result is an error that the model can act on.
    pub is_error: bool,
    /// The blocks as they came.
    pub content: Value,
}

/// A running server with its client.
pub struct Client {
    service: RunningService<RoleClient, ()>,
    stderr: Arc<Mutex<Vec<u8>>>,
}

impl Client {
    /// Starts a program with these variables as its only environment, `PATH` apart.
    pub async fn start(program: &Path, environment: &[(&str, &str)], era: Era) -> Self {
        let mut command = Command::new(program);
        command.env_clear().envs(environment.iter().copied());
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        let builder = TokioChildProcess::builder(command).stderr(Stdio::piped());
        let (transport, pipe) = builder
            .spawn()
            .unwrap_or_else(|error| panic!("{} does not start: {error}", program.display()));
        let stderr = Arc::new(Mutex::new(Vec::new()));
        if let Some(mut pipe) = pipe {
            let kept = Arc::clone(&stderr);
            tokio::spawn(async move {
                let mut bytes = vec![0; 8192];
                while let Ok(count @ 1..) = pipe.read(&mut bytes).await {
                    kept.lock().unwrap_or_else(PoisonError::into_inner).extend(&bytes[..count]);
                }
            });
        }
        let lifecycle = match era {
            Era::Legacy => ClientLifecycleMode::Initialize,
            Era::Modern => ClientLifecycleMode::Discover {
                preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            },
        };
        let service = serve_client_with_lifecycle((), transport, lifecycle);
        let service = tokio::time::timeout(PATIENCE, service).await;
        let service = match service.expect("a session begins in time") {
            Ok(service) => service,
            Err(error) => panic!("no session: {error}\nstderr: {}", text(&stderr)),
        };
        Self { service, stderr }
    }

    /// All tools.
    pub async fn tools(&self) -> Vec<Tool> {
        let tools = tokio::time::timeout(PATIENCE, self.service.list_all_tools()).await;
        tools.expect("tools/list is answered in time").expect("tools/list is answered")
    }

    /// Calls a tool; an error is one of JSON-RPC.
    pub async fn try_call(&self, tool: &str, arguments: &Value) -> Result<Outcome, ErrorData> {
        let mut request = CallToolRequestParams::new(tool.to_owned());
        match arguments {
            Value::Null => {}
            Value::Object(members) => request = request.with_arguments(members.clone()),
            other => panic!("arguments are an object: {other}"),
        }
        let result = tokio::time::timeout(PATIENCE, self.service.call_tool(request)).await;
        let result = match result.expect("the call is answered in time") {
            Ok(result) => result,
            Err(ServiceError::McpError(error)) => return Err(error),
            Err(error) => panic!("`{tool}` was not answered: {error}\nstderr: {}", self.stderr()),
        };
        let content = serde_json::to_value(&result.content).expect("content is JSON");
        let blocks = content.as_array().expect("content is a list");
        let texts: Vec<&str> = blocks.iter().filter_map(|b| b["text"].as_str()).collect();
        Ok(Outcome {
            text: texts.join("\n"),
            structured: result.structured_content,
            is_error: result.is_error.unwrap_or(false),
            content,
        })
    }

    /// Calls a tool and expects a result, be it an error or not.
    pub async fn call(&self, tool: &str, arguments: &Value) -> Outcome {
        match self.try_call(tool, arguments).await {
            Ok(outcome) => outcome,
            Err(error) => panic!("`{tool}` gave a JSON-RPC error: {error:?}"),
        }
    }

    /// What the server says about itself.
    pub fn instructions(&self) -> Option<String> {
        self.service.peer_info().and_then(|info| info.instructions.clone())
    }

    /// What the server has written to stderr until now.
    pub fn stderr(&self) -> String {
        text(&self.stderr)
    }

    /// Ends the session and the process.
    pub async fn stop(self) {
        // A server that is gone already is as good as one that ends now.
        let _ = self.service.cancel().await;
    }
}

fn text(bytes: &Mutex<Vec<u8>>) -> String {
    let bytes = bytes.lock().unwrap_or_else(PoisonError::into_inner);
    String::from_utf8_lossy(&bytes).into_owned()
}
