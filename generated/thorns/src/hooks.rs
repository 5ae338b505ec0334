//! Yours: mcp-gen writes this file once and never touches it again. Modules of your own go into
//! `src/hooks/`, and what they need into `Cargo.toml`, where it stays when the crate is made again.
//!
//! `src/runtime/hooks.rs` shows all that hooks can do, and `src/runtime/custom.rs` what a tool of
//! your own can say of itself.

use crate::runtime;

/// The hooks of this server; give it fields for what they need.
pub struct Hooks {}

impl Hooks {
    /// Called once, at the start; an error stops the server.
    pub fn new() -> Result<Self, String> {
        Ok(Self {})
    }
}

impl runtime::Hooks for Hooks {
    // async fn request(&self, request: &mut runtime::Request) -> Result<(), String> {
    //     request.set_header("x-tenant", "7");
    //     Ok(())
    // }
    //
    // async fn reply(&self, operation: &str, reply: &mut runtime::Reply) {
    //     if operation == "GET /health" { reply.body = b"{}".to_vec(); }
    // }
    //
    // async fn credential(
    //     &self,
    //     wanted: &runtime::Wanted,
    // ) -> Result<Option<runtime::Credential>, String> {
    //     let key = (wanted.scheme == "api_key").then(|| std::fs::read_to_string("/run/key"));
    //     Ok(key.transpose().map_err(|e| e.to_string())?.map(runtime::Credential::value))
    // }
    //
    // fn tools(&self, tools: &mut runtime::Tools) {
    //     let hello = runtime::CustomTool::new("say_hello", "Greet somebody by name.")
    //         .input(serde_json::json!({"type": "object", "properties": {
    //             "name": {"type": "string", "description": "Who."}}, "required": ["name"]}))
    //         .reads();
    //     tools.add(hello, |call| async move {
    //         Ok(format!("Hello, {}!", call.get("name").as_str().unwrap_or_default()))
    //     });
    //     tools.replace("read_pets", |call| async move { call.proceed().await });
    // }
}
