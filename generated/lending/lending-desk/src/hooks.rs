//! The hooks of the desk, by hand: each of the five things that hooks can do.

use crate::runtime::{self, Call, Credential, CustomTool, Reply, Request, Tools, Wanted};
use std::sync::atomic::{AtomicU32, Ordering};

/// What the desk keeps.
pub struct Hooks {
    /// How many tokens were made.
    tokens: AtomicU32,
}

impl Hooks {
    /// Called once, at the start; an error stops the server.
    pub fn new() -> Result<Self, String> {
        Ok(Self { tokens: AtomicU32::new(0) })
    }
}

impl runtime::Hooks for Hooks {
    /// A request says which desk it comes from.
    async fn request(&self, request: &mut Request) -> Result<(), String> {
        request.set_header("x-desk", "window 2");
        Ok(())
    }

    /// The notes of the staff are not for the model.
    async fn reply(&self, operation: &str, reply: &mut Reply) {
        let Ok(mut loans) = serde_json::from_slice::<serde_json::Value>(&reply.body) else { return };
        if operation == "GET /loans" {
            for loan in loans.as_array_mut().into_iter().flatten() {
                loan.as_object_mut().map(|loan| loan.remove("staff_note"));
            }
            reply.body = loans.to_string().into_bytes();
        }
    }

    /// A store that makes a token for each refusal.
    async fn credential(&self, wanted: &Wanted) -> Result<Option<Credential>, String> {
        if wanted.scheme != "desk" {
            return Ok(None);
        }
        let refused = u32::from(wanted.refused);
        let made = self.tokens.fetch_add(refused, Ordering::Relaxed) + refused;
        Ok(Some(Credential::value(format!("of-the-store-{made}"))))
    }

    fn tools(&self, tools: &mut Tools) {
        let hours = CustomTool::new("opening_hours", "Say when the desk is open.")
            .title("Opening hours")
            .input(serde_json::json!({
                "type": "object",
                "properties": {"day": {"type": "string", "enum": ["friday", "saturday"]}},
                "required": ["day"],
            }))
            .reads()
            .closed_world();
        tools.add(hours, |call| async move {
            Ok(match call.get("day").as_str() {
                Some("friday") => "From 16 to 19.",
                _ => "From 10 to 13.",
            })
        });
        tools.replace("manage_loans", lend);
    }
}

/// Nothing is lent for longer than a week; all else is as it was.
async fn lend(mut call: Call) -> Result<runtime::Outcome, String> {
    if call.action == Some("create") {
        match call.get("days").as_i64() {
            Some(days) if days > 7 => {
                return Err("Nothing is lent for more than 7 days. Action: ask for fewer.".to_owned());
            }
            Some(_) => {}
            None => {
                call.arguments.insert("days".to_owned(), 7.into());
            }
        }
    }
    call.proceed().await
}
