//! The catalog tools: find an operation, then call it with the same checks as any tool.

use super::arguments::operation;
use super::exact;
use super::reply::Outcome;
use super::search::Entry;
use super::server::Server;
use super::table::{Action, Catalog};
use super::text;
use serde_json::{Map, Value, json};

/// How many schemas a search shows, and how long each may be.
const SCHEMAS: usize = 3;
const SCHEMA_LENGTH: usize = 6_000;

/// How many subjects a search without hits names, so that the next one has words to use.
const SUBJECTS: usize = 24;

/// Searches.
pub fn find(server: &Server, catalog: &Catalog, given: &Map<String, Value>) -> Outcome {
    match found(server, catalog, given) {
        Ok(value) => Outcome::value(value, server.settings().longest_text),
        Err(words) => Outcome::error(words),
    }
}

fn found(server: &Server, catalog: &Catalog, given: &Map<String, Value>) -> Result<Value, String> {
    let tool = catalog.find;
    known(tool, given, &["query", "effect", "limit"])?;
    let query = match given.get("query") {
        Some(Value::String(query)) => query.as_str(),
        None | Some(Value::Null) => "",
        Some(_) => return Err(refused(tool, "`query`: must be a string")),
    };
    let effect = match given.get("effect") {
        None | Some(Value::Null) => None,
        Some(Value::String(effect)) if effect.is_empty() => None,
        Some(Value::String(effect)) if effect == "read" || effect == "write" => {
            Some(effect.as_str())
        }
        Some(_) => return Err(refused(tool, "`effect`: must be \"read\" or \"write\"")),
    };
    let limit = match given.get("limit") {
        None | Some(Value::Null) => Some(8),
        Some(Value::String(text)) if text.is_empty() => Some(8),
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(value) => value.as_u64(),
    };
    let limit = limit
        .and_then(|limit| usize::try_from(limit).ok())
        .filter(|limit| (1..=25).contains(limit));
    let limit = limit.ok_or_else(|| refused(tool, "`limit`: must be an integer from 1 to 25"))?;

    let view = server.view();
    let index = view.index()?;
    let hits = index.find(query, effect);
    let total = hits.len();
    let operations: Vec<Value> = hits
        .iter()
        .take(limit)
        .enumerate()
        .map(|(rank, at)| row(catalog, &index.entries()[*at], rank))
        .collect();
    let next = if operations.is_empty() {
        format!(
            "Nothing fits. Try other words, or no `effect`. There are {} operations, among others about: {}.",
            index.entries().len(),
            index.subjects(SUBJECTS).join(", ")
        )
    } else {
        let schema = "Rows without inputSchema: search for their name to see it.";
        format!(
            "Call the tool under `call_with` with `operation` set to the name and `arguments` as inputSchema says. {schema}"
        )
    };
    Ok(
        json!({ "operations": operations, "shown": operations.len(), "matching": total, "next": next }),
    )
}

fn row(catalog: &Catalog, entry: &Entry, rank: usize) -> Value {
    let mut row = Map::new();
    row.insert("operation".to_owned(), json!(entry.name));
    row.insert("does".to_owned(), json!(entry.summary));
    row.insert("request".to_owned(), json!(entry.operation));
    row.insert("effect".to_owned(), json!(entry.effect));
    let with = if entry.effect == "read" { Some(catalog.read) } else { catalog.write };
    row.insert("call_with".to_owned(), json!(with));
    if let Some(tool) = &entry.tool {
        row.insert("also_in_tool".to_owned(), json!(tool));
    }
    if rank < SCHEMAS {
        let schema = &entry.input_schema;
        if schema.to_string().len() <= SCHEMA_LENGTH {
            row.insert("inputSchema".to_owned(), schema.clone());
        } else {
            row.insert("inputSchema".to_owned(), brief(schema));
        }
    }
    Value::Object(row)
}

/// A schema without descriptions, or only its names where even that is long.
fn brief(schema: &Value) -> Value {
    let bare = without_descriptions(schema, 0);
    if bare.to_string().len() <= SCHEMA_LENGTH {
        return bare;
    }
    let names: Vec<&String> =
        schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name).collect();
    json!({ "type": "object", "required": schema["required"], "arguments": names })
}

fn without_descriptions(value: &Value, depth: usize) -> Value {
    match value {
        Value::Object(members) if depth < 32 => members
            .iter()
            .filter(|(key, value)| !(key.as_str() == "description" && value.is_string()))
            .map(|(key, value)| (key.clone(), without_descriptions(value, depth + 1)))
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(items) if depth < 32 => {
            items.iter().map(|item| without_descriptions(item, depth + 1)).collect()
        }
        other => other.clone(),
    }
}

/// The operation that is to be called, and its arguments.
///
/// # Errors
/// What to tell the model.
pub fn choose(
    server: &Server,
    catalog: &'static Catalog,
    tool: &str,
    given: &Map<String, Value>,
) -> Result<(&'static Action, Map<String, Value>), String> {
    known(tool, given, &["operation", "arguments"])?;
    let name = match given.get("operation") {
        Some(Value::String(name)) if !name.trim().is_empty() => name.trim(),
        None | Some(Value::Null | Value::String(_)) => {
            return Err(refused(
                tool,
                &format!("`operation`: is missing; `{}` finds its name", catalog.find),
            ));
        }
        Some(_) => return Err(refused(tool, "`operation`: must be a string")),
    };
    let action =
        catalog.actions.iter().find(|action| action.name == name || operation(action).key == name);
    let Some(action) = action else { return Err(unknown(server, catalog, tool, name)) };
    let right = if operation(action).reads { Some(catalog.read) } else { catalog.write };
    match right {
        Some(right) if right == tool => {}
        Some(right) => {
            let effect = if operation(action).reads { "reads" } else { "writes" };
            return Err(format!(
                "`{}` {effect}; `{tool}` is not for that. Nothing was sent.\nAction: call `{right}` with the same `operation` and `arguments`.",
                action.name
            ));
        }
        None => {
            return Err(format!(
                "`{}` writes, and this server only reads. Nothing was sent.\nAction: tell the user. Do not retry.",
                action.name
            ));
        }
    }
    let inner = match given.get("arguments") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(inner)) => inner.clone(),
        Some(Value::String(text)) if text.trim().is_empty() => Map::new(),
        Some(Value::String(text)) => match exact::parse(text) {
            Ok(Value::Object(inner)) => inner,
            _ => return Err(refused(tool, "`arguments`: must be an object")),
        },
        Some(_) => return Err(refused(tool, "`arguments`: must be an object")),
    };
    Ok((action, inner))
}

fn unknown(server: &Server, catalog: &Catalog, tool: &str, name: &str) -> String {
    let names = || catalog.actions.iter().map(|action| action.name);
    let mut close: Vec<&str> = text::nearest(name, names()).into_iter().collect();
    let view = server.view();
    if let Ok(index) = view.index() {
        let hits = index.find(&name.replace('_', " "), None);
        for entry in hits.iter().filter_map(|at| index.entries().get(*at)).take(5) {
            if !close.contains(&entry.name.as_str()) {
                close.push(&entry.name);
            }
        }
    }
    close.truncate(5);
    let close =
        if close.is_empty() { String::new() } else { format!(" Close: {}.", text::names(close)) };
    format!(
        "There is no operation `{}`.{close} Nothing was sent.\nAction: call `{tool}` with one of these, or look for it with `{}`.",
        text::cut(&text::clean(name), 80),
        catalog.find
    )
}

fn known(tool: &str, given: &Map<String, Value>, names: &[&str]) -> Result<(), String> {
    match given.iter().find(|(name, value)| !names.contains(&name.as_str()) && !value.is_null()) {
        None => Ok(()),
        Some((name, _)) => {
            let name = text::cut(&text::clean(name), 60);
            let inside = if names.contains(&"arguments") {
                "; arguments of the operation go into `arguments`"
            } else {
                ""
            };
            let list = text::names(names.iter().copied());
            Err(refused(tool, &format!("`{name}`: unknown argument{inside}. Known: {list}")))
        }
    }
}

fn refused(tool: &str, fault: &str) -> String {
    format!(
        "Nothing was sent: 1 problem with the arguments of `{tool}`.\n- {fault}\nAction: correct the listed arguments and call `{tool}` again."
    )
}
