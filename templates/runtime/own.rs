//! Tools of the server itself, which the operator turns on: how it is, and a box for remarks.

use super::feedback;
use super::reply::Outcome;
use super::server::Server;
use super::settings::{Credential, Settings};
use super::table::Service;
use super::text;
use serde_json::{Map, Value, json};

/// The tool that says how the server is.
pub const HEALTH: &str = "server_health";
/// The tool that takes a remark.
pub const FEEDBACK: &str = "send_feedback";

/// Which of them are on.
pub fn names(settings: &Settings) -> Vec<&'static str> {
    let mut out = Vec::new();
    if settings.health_tool {
        out.push(HEALTH);
    }
    if settings.feedback.is_some() {
        out.push(FEEDBACK);
    }
    out
}

/// Checks that no tool of the API has such a name.
///
/// # Errors
/// A sentence that names the variable.
pub fn free(service: &Service, settings: &Settings) -> Result<(), String> {
    let taken = |own: &&str| service.tools.iter().any(|tool| tool.name == *own);
    let Some(own) = names(settings).into_iter().find(taken) else { return Ok(()) };
    let end = if own == HEALTH { "HEALTH_TOOL" } else { "FEEDBACK_FILE" };
    Err(format!("{}_{end} cannot be set: the API has a tool `{own}`", service.env_prefix))
}

/// Their definitions.
pub fn definitions(settings: &Settings) -> Value {
    let hints = |title: &str, reads: bool| {
        json!({"title": title, "readOnlyHint": reads, "destructiveHint": false,
            "idempotentHint": reads, "openWorldHint": false})
    };
    let one = |name: &str| {
        if name == HEALTH {
            json!({
                "name": HEALTH,
                "title": "Server health",
                "description": "Say how this server is: version, time since its start, calls and failures, which credentials are set. Sends nothing to the API. Use this only when calls fail and the user asks why.",
                "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
                "annotations": hints("Server health", true),
            })
        } else {
            json!({
                "name": FEEDBACK,
                "title": "Send feedback",
                "description": "Leave a remark for whoever operates this server: a tool that misleads, an answer that lacks something. It is kept in a file and answers nothing. Not for requests of the user, and never for secrets or personal data.",
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "message": {"type": "string", "minLength": 1, "maxLength": feedback::LONGEST,
                            "description": "What should be better."},
                        "tool": {"type": "string", "description": "Name of the tool it is about."},
                    },
                    "required": ["message"],
                    "additionalProperties": false,
                },
                "annotations": hints("Send feedback", false),
            })
        }
    };
    names(settings).into_iter().map(one).collect()
}

impl Server {
    pub(super) async fn call_own(&self, name: &str, given: &Map<String, Value>) -> Outcome {
        let known: &[&str] = if name == HEALTH { &[] } else { &["message", "tool"] };
        let text = |key: &str| given.get(key).and_then(Value::as_str).unwrap_or_default().trim();
        if let Some((key, _)) =
            given.iter().find(|(key, value)| !known.contains(&key.as_str()) && !value.is_null())
        {
            let key = text::cut(&text::clean(key), 60);
            return Outcome::error(format!(
                "`{key}`: unknown argument.\nAction: call `{name}` without it."
            ));
        }
        if name == HEALTH {
            return self.health().await;
        }
        if text("message").is_empty() {
            return Outcome::error(format!(
                "`message`: must be text that is not empty.\nAction: call `{name}` with it."
            ));
        }
        let Some(file) = &self.settings().feedback else {
            return Outcome::error("There is no box for feedback.\nAction: tell the user.");
        };
        match feedback::add(file, &self.redacted(text("message")), &self.redacted(text("tool"))) {
            Ok(id) => Outcome::text(format!("Kept as {id}.")),
            Err(why) => Outcome::error(format!(
                "The remark was not kept: {why}.\nAction: go on without it."
            )),
        }
    }

    async fn health(&self) -> Outcome {
        let (service, settings) = (self.service(), self.settings());
        let counts = self.counts();
        let mut credentials = Map::new();
        let at_hand = self.at_hand().await;
        for (index, scheme) in service.schemes.iter().enumerate() {
            let state = match at_hand.get(index) {
                Credential::Missing => "missing",
                Credential::Unusable(_) => "unusable",
                Credential::Value(_) | Credential::Pair(..) | Credential::Client { .. } => "set",
            };
            credentials.insert(text::clean(scheme.name), json!(state));
        }
        let base = match &settings.base {
            Ok(Some(base)) => json!(base.shown()),
            Ok(None) | Err(_) => Value::Null,
        };
        let value = json!({
            "server": service.name,
            "version": service.version,
            "uptime_seconds": counts.uptime.as_secs(),
            "calls": counts.calls,
            "failed_calls": counts.failed,
            "api": base,
            "credentials": credentials,
            "read_only": settings.read_only,
            "dry_run": settings.dry_run,
        });
        Outcome::value(value, settings.longest_text)
    }
}
