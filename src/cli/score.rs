//! `mcp-gen plan --format score-json`: the plan in the form that scoring programs read.

use indexmap::IndexMap;
use serde_json::{Value as Json, json};

use crate::plan::{Place, Plan, Posture};

/// One object: the tools as a client sees them, each with its tier and its operations, then the
/// operations that only the catalog reaches.
///
/// `tools_json` is the text of `tools.json`.
pub fn render(plan: &Plan, tools_json: &str) -> String {
    let mut listed: Vec<Json> = serde_json::from_str(tools_json).unwrap_or_default();
    let mut direct = std::collections::BTreeSet::new();
    let mut reading_posts = Vec::new();
    for definition in &mut listed {
        let tool = plan.tools.iter().find(|t| definition["name"] == t.name.as_str());
        let (tier, operations) = match tool {
            None => ("catalog", Vec::new()),
            Some(tool) => {
                let tier = match tool.posture {
                    Posture::Primary => "primary",
                    Posture::Secondary => "secondary",
                };
                let rows = tool.actions.iter().map(|action| {
                    direct.insert(action.operation.as_str());
                    if tool.annotations.read_only && !action.operation.starts_with("GET ") {
                        reading_posts.push(action.operation.as_str());
                    }
                    let params: IndexMap<&str, &str> = tool
                        .arguments
                        .iter()
                        .filter_map(|a| {
                            Some((a.name.as_str(), spec_name(a.to.get(&action.name)?)?))
                        })
                        .collect();
                    json!({
                        "op": action.operation,
                        "action": action.name,
                        "summary": action.summary,
                        "params": params,
                    })
                });
                (tier, rows.collect())
            }
        };
        definition["tier"] = json!(tier);
        definition["operations"] = json!(operations);
    }
    let catalog: Vec<_> = plan
        .catalog
        .iter()
        .flat_map(|c| &c.entries)
        .map(|e| e.operation.as_str())
        .filter(|o| !direct.contains(o))
        .collect();
    let all = json!({"tools": listed, "catalog": catalog, "safe_override": reading_posts});
    serde_json::to_string_pretty(&all).expect("a JSON value has a text") + "\n"
}

/// The parameter of the document, or the member at the top of its body.
fn spec_name(place: &Place) -> Option<&str> {
    match place {
        Place::Path(name)
        | Place::Query(name)
        | Place::Header(name)
        | Place::Cookie(name)
        | Place::QueryString(name) => Some(name),
        Place::Body(steps) => steps.first().map(String::as_str),
    }
}
