//! What the page shows, as JSON.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::bind::Bound;
use crate::codegen;
use crate::diagnostic::Diagnostics;
use crate::diff::{self, Diff};
use crate::plan::{self, Argument, Effect, Posture, Tool};
use crate::source::Sources;

/// All of it.
pub fn data(
    bound: &Bound<'_>,
    diagnostics: &Diagnostics,
    sources: &Sources,
    diff: Option<&Diff>,
) -> Json {
    let plan = bound.plan;
    let tools: Vec<Json> = codegen::definitions(plan)
        .into_iter()
        .map(|definition| {
            let planned = plan.tools.iter().find(|t| definition["name"] == t.name.as_str());
            tool(planned, &definition)
        })
        .collect();
    let listed: u64 = tools.iter().filter_map(|t| t["tokens"].as_u64()).sum();
    let single: usize = codegen::single_definitions(bound).iter().map(plan::tokens).sum();
    json!({
        "title": plan.title,
        "version": plan.api_version,
        "server": plan.server,
        "servers": plan.connection.servers,
        "tokens": {"listed": listed, "single": single},
        "operations": operations(bound),
        "tools": tools,
        "findings": findings(diagnostics, sources),
        "changes": diff.map(|diff| {
            serde_json::from_str::<Json>(&diff::json(diff)).expect("we wrote it")
        }),
    })
}

fn tool(planned: Option<&Tool>, definition: &Json) -> Json {
    let posture = match planned.map(|t| t.posture) {
        Some(Posture::Primary) => "primary",
        Some(Posture::Secondary) => "secondary",
        None => "catalog",
    };
    let actions: Vec<Json> = planned
        .iter()
        .flat_map(|t| &t.actions)
        .map(|a| {
            json!({"name": a.name, "operation": a.operation, "summary": a.summary,
                "required": a.required})
        })
        .collect();
    let arguments: Vec<Json> =
        planned.iter().flat_map(|t| t.arguments.iter().map(|a| argument(t, a))).collect();
    json!({
        "name": definition["name"],
        "title": definition["title"],
        "posture": posture,
        "description": definition["description"],
        "annotations": definition["annotations"],
        "tokens": plan::tokens(definition),
        "actions": actions,
        "arguments": arguments,
        "why": planned.map(|t| t.why.as_slice()).unwrap_or_default(),
        "definition": definition,
    })
}

fn argument(tool: &Tool, argument: &Argument) -> Json {
    let needing: Vec<&str> = tool
        .actions
        .iter()
        .filter(|a| a.required.contains(&argument.name))
        .map(|a| a.name.as_str())
        .collect();
    let required = if needing.is_empty() {
        String::new()
    } else if needing.len() == tool.actions.len() {
        "always".to_owned()
    } else {
        format!("for {}", needing.join(", "))
    };
    let to: BTreeMap<&str, String> =
        argument.to.iter().map(|(action, place)| (action.as_str(), place.to_string())).collect();
    json!({
        "name": argument.name,
        "type": kind(&argument.schema),
        "required": required,
        "to": to,
        "description": argument.schema["description"].as_str().unwrap_or_default(),
        "why": argument.why,
    })
}

/// The type of a schema of the safe subset in a few words.
fn kind(schema: &Json) -> String {
    let word = schema["type"].as_str().unwrap_or("any");
    if word == "array" {
        return format!("list of {}", kind(&schema["items"]));
    }
    match schema["enum"].as_array() {
        Some(values) => {
            let shown: Vec<String> = values
                .iter()
                .take(8)
                .map(|v| v.as_str().map_or_else(|| v.to_string(), str::to_owned))
                .collect();
            let more = if values.len() > shown.len() { ", …" } else { "" };
            format!("{word}: {}{more}", shown.join(", "))
        }
        None => word.to_owned(),
    }
}

/// Every operation of the document, where it went, and why when it went nowhere.
fn operations(bound: &Bound<'_>) -> Vec<Json> {
    let plan = bound.plan;
    let mut homes: BTreeMap<&str, (&'static str, &str, &str, &'static str)> = BTreeMap::new();
    for entry in plan.catalog.iter().flat_map(|c| &c.entries) {
        let effect = effect(entry.effect == Effect::Read);
        homes.insert(&entry.operation, ("catalog", "", &entry.name, effect));
    }
    for tool in &plan.tools {
        for action in &tool.actions {
            let effect = effect(tool.annotations.read_only);
            homes.insert(&action.operation, ("tool", &tool.name, &action.name, effect));
        }
    }
    let reasons: BTreeMap<&str, &str> =
        plan.excluded.iter().map(|e| (e.operation.as_str(), e.reason.as_str())).collect();
    bound
        .api
        .operations
        .iter()
        .map(|operation| {
            let key = operation.key.to_string();
            let method = operation.key.method.as_str();
            let (place, tool, action, effect) = homes.get(key.as_str()).copied().unwrap_or((
                "excluded",
                "",
                "",
                effect(matches!(method, "GET" | "HEAD" | "OPTIONS")),
            ));
            let summary = operation.summary.as_deref().or(operation.id.as_deref());
            json!({
                "method": method,
                "path": operation.key.path,
                "summary": summary.unwrap_or_default(),
                "tags": operation.tags,
                "deprecated": operation.deprecated,
                "effect": effect,
                "where": place,
                "tool": tool,
                "action": action,
                "reason": reasons.get(key.as_str()),
            })
        })
        .collect()
}

fn effect(reads: bool) -> &'static str {
    if reads { "read" } else { "write" }
}

fn findings(diagnostics: &Diagnostics, sources: &Sources) -> Vec<Json> {
    let sorted = diagnostics.sorted();
    sorted
        .into_iter()
        .map(|d| {
            let place = d.at.and_then(|at| sources.locate(at));
            let place = match place {
                Some((name, at)) => format!("{name}:{}:{}", at.line, at.column),
                None => d.pointer.as_str().to_owned(),
            };
            json!({"code": d.code.id, "severity": d.code.severity.word(), "message": d.message,
                "help": d.help, "place": place})
        })
        .collect()
}
