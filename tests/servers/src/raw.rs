//! A server that is spoken to line by line.

use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::client::PATIENCE;

/// A running server, without a client.
pub struct Raw {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Lines<BufReader<ChildStdout>>,
}

impl Raw {
    /// Starts a program with these variables as its only environment, `PATH` apart.
    pub fn start(program: &Path, environment: &[(&str, &str)]) -> Self {
        let mut command = Command::new(program);
        command.env_clear().envs(environment.iter().copied());
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("{} does not start: {error}", program.display()));
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("stdout is a pipe");
        Self { child, stdin, stdout: BufReader::new(stdout).lines() }
    }

    /// The id of its process.
    pub fn id(&self) -> u32 {
        self.child.id().expect("it has not been waited for")
    }

    /// Writes a line as it stands.
    pub async fn send(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("stdin is open until the end");
        stdin.write_all(format!("{line}\n").as_bytes()).await.expect("the server reads");
        stdin.flush().await.expect("the server reads");
    }

    /// Reads the next line, which has to be JSON-RPC; `None` at the end.
    pub async fn next(&mut self) -> Option<Value> {
        let line = tokio::time::timeout(PATIENCE, self.stdout.next_line()).await;
        let line = line.expect("a line comes in time").expect("stdout is UTF-8")?;
        let message: Value = serde_json::from_str(&line)
            .unwrap_or_else(|error| panic!("stdout is not only JSON ({error}): {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "stdout is not only JSON-RPC: {line}");
        Some(message)
    }

    /// Sends a request and reads until its answer.
    pub async fn ask(&mut self, request: &Value) -> Value {
        self.send(&request.to_string()).await;
        loop {
            let message = self.next().await.expect("the server answers before it ends");
            if message["id"] == request["id"] {
                return message;
            }
        }
    }

    /// The handshake of the legacy era; gives the answer to `initialize`.
    pub async fn initialize(&mut self) -> Value {
        let request = serde_json::json!({"jsonrpc": "2.0", "id": "init", "method": "initialize",
            "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                "clientInfo": {"name": "raw", "version": "0"}}});
        let answer = self.ask(&request).await;
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        answer
    }

    /// Closes stdin, reads the rest, and gives the exit code with it.
    pub async fn finish(mut self) -> (Option<i32>, Vec<Value>) {
        drop(self.stdin.take());
        let mut rest = Vec::new();
        while let Some(message) = self.next().await {
            rest.push(message);
        }
        let status = tokio::time::timeout(PATIENCE, self.child.wait()).await;
        (status.expect("the server ends in time").expect("it has a status").code(), rest)
    }
}
