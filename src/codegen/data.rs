//! The JSON files of a crate: what clients see, what the catalog searches, what values must be.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::{Map, Value as Json, json};

use crate::bind::{Bound, BoundAction, Target};
use crate::ir::json_schema::{Detail, InputSchemas};
use crate::ir::wire_schema::{wire_schema, wire_text};
use crate::ir::{Api, Filled, MediaForm, Operation, prose};
use crate::plan::{Annotations, Catalog, CatalogTool, Effect, Entry, Plan, Tool};

/// Longest description inside a schema, in characters (rule T1).
const NESTED: usize = 1_000;

/// Longest text of an operation that the catalog searches beside its summary, in characters.
const SEARCHED: usize = 400;

/// Key of `_meta` under which a definition says its toolsets.
const TOOLSETS: &str = "mcp-gen/toolsets";

/// Most operations that the catalog's search gives at once.
const MOST_HITS: u32 = 25;

/// `tools.json`: the definitions as they go over the wire, one tool a line.
pub fn tools(plan: &Plan) -> String {
    lines(&definitions(plan))
}

/// The definitions, in the order of `tools/list`.
pub fn definitions(plan: &Plan) -> Vec<Json> {
    let mut tools: Vec<Json> = plan.tools.iter().map(definition).collect();
    if let Some(catalog) = &plan.catalog {
        tools.extend(catalog_definitions(catalog));
    }
    tools
}

/// A list with one element a line.
fn lines(items: &[Json]) -> String {
    let items: Vec<_> = items.iter().map(Json::to_string).collect();
    format!("[\n{}\n]\n", items.join(",\n"))
}

fn definition(tool: &Tool) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    if let Some(selector) = &tool.selector {
        properties.insert(selector.clone(), selector_schema(tool));
        required.push(selector.as_str());
    }
    for argument in &tool.arguments {
        properties.insert(argument.name.clone(), argument.schema.clone());
        if tool.actions.iter().all(|a| a.required.contains(&argument.name)) {
            required.push(&argument.name);
        }
    }
    let mut definition =
        whole(&tool.name, &tool.title, &tool.description, properties, &required, tool.annotations);
    if let Some(output) = &tool.output {
        definition["outputSchema"] = output.clone();
    }
    if !tool.toolsets.is_empty() {
        // For the server, which takes it away before it lists the tool.
        definition["_meta"] = json!({TOOLSETS: tool.toolsets});
    }
    definition
}

/// The toolsets of an entry: its own, and those of the tool that covers it.
fn toolsets_of(plan: &Plan, entry: &Entry) -> Vec<String> {
    let tool = plan.tools.iter().find(|t| entry.tool.as_ref() == Some(&t.name));
    let mut all = tool.map_or_else(Vec::new, |t| t.toolsets.clone());
    all.extend(entry.toolsets.iter().cloned());
    all.sort();
    all.dedup();
    all
}

/// What `tools/list` would hold if each operation that can be reached were a tool of its own, with the
/// same flat arguments: the measure of what consolidating saves.
pub fn single(bound: &Bound<'_>) -> Vec<Json> {
    let mut schemas = InputSchemas::new(bound.api);
    // What tools answer counts on both sides or on none.
    let promised = bound.tools.iter().any(|tool| tool.tool.output.is_some());
    let mut seen = BTreeSet::new();
    let direct = bound.tools.iter().flat_map(|t| &t.actions);
    let mut out = Vec::new();
    for action in direct.chain(&bound.entries) {
        if !seen.insert(action.operation) {
            continue;
        }
        let operation = &bound.api.operations[action.operation];
        let key = operation.key.to_string();
        let name = operation.id.as_deref().unwrap_or(&key);
        let words = [operation.summary.as_deref(), operation.description.as_deref()];
        let words: Vec<String> = words.into_iter().flatten().map(prose::clean).collect();
        let read_only = operation.key.method.as_str() == "GET";
        let hints = Annotations {
            read_only,
            destructive: !read_only,
            idempotent: read_only,
            open_world: true,
        };
        let mut definition = whole(name, name, "", Map::new(), &[], hints);
        definition["description"] = Json::String(prose::cut(&words.join(" "), 1_024));
        definition["inputSchema"] = entry_schema(bound.api, &mut schemas, action);
        if promised && let Some(output) = super::output::of(bound.api, std::slice::from_ref(action))
        {
            definition["outputSchema"] = output;
        }
        out.push(definition);
    }
    out
}

fn selector_schema(tool: &Tool) -> Json {
    let names: Vec<_> = tool.actions.iter().map(|a| a.name.as_str()).collect();
    let each = (NESTED / names.len().max(1)).saturating_sub(4);
    let lines: Vec<_> = tool
        .actions
        .iter()
        .map(|a| {
            let room = each.saturating_sub(a.name.chars().count() + 2);
            format!("{}: {}", a.name, prose::cut(&a.summary, room.max(20)))
        })
        .collect();
    let mut text = format!("What to do.\n{}", lines.join("\n"));
    if text.chars().count() > NESTED {
        text = prose::cut(&text, NESTED);
    }
    json!({"type": "string", "enum": names, "description": text})
}

fn whole(
    name: &str,
    title: &str,
    description: &str,
    properties: Map<String, Json>,
    required: &[&str],
    annotations: Annotations,
) -> Json {
    let Annotations { read_only, destructive, idempotent, open_world } = annotations;
    let schema = flat_object(properties, required);
    json!({
        "name": name,
        "title": title,
        "description": description,
        "inputSchema": schema,
        "annotations": {
            "title": title,
            "readOnlyHint": read_only,
            "destructiveHint": destructive,
            "idempotentHint": idempotent,
            "openWorldHint": open_world,
        },
    })
}

/// The schema of all arguments: one object that takes no others.
fn flat_object(properties: Map<String, Json>, required: &[&str]) -> Json {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Json::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema.insert("additionalProperties".to_owned(), json!(false));
    Json::Object(schema)
}

fn catalog_definitions(catalog: &Catalog) -> Vec<Json> {
    let members = |value: Json| match value {
        Json::Object(map) => map,
        _ => Map::new(),
    };
    let find = members(json!({
        "query": {
            "type": "string",
            "minLength": 1,
            "description": "What you want to do, in a few words: `refund a payment`.",
        },
        "effect": {
            "type": "string",
            "enum": ["read", "write"],
            "description": "Only operations that read, or only those that write. Omit for both.",
        },
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": MOST_HITS,
            "default": 8,
            "description": "How many operations to give at most.",
        },
    }));
    let call = || {
        members(json!({
            "operation": {
                "type": "string",
                "description": format!("Name of the operation, as `{}` gives it.", catalog.find.name),
            },
            "arguments": {
                "type": "object",
                "properties": {},
                "additionalProperties": true,
                "description": "Arguments of the operation, by name. Omit when it takes none.",
            },
        }))
    };
    let hints = |read_only, open_world| Annotations {
        read_only,
        destructive: !read_only,
        idempotent: read_only,
        open_world,
    };
    let one = |tool: &CatalogTool, properties, required: &[&str], annotations| {
        whole(&tool.name, &tool.title, &tool.description, properties, required, annotations)
    };
    let mut tools = vec![
        one(&catalog.find, find, &["query"], hints(true, false)),
        one(&catalog.read, call(), &["operation"], hints(true, true)),
    ];
    if let Some(write) = &catalog.write {
        tools.push(one(write, call(), &["operation"], hints(false, true)));
    }
    tools
}

/// `catalog.json`: one operation a line, in the order of the plan.
pub fn catalog(bound: &Bound<'_>, catalog: &Catalog) -> String {
    let mut schemas = InputSchemas::new(bound.api);
    let rows: Vec<_> = catalog
        .entries
        .iter()
        .zip(&bound.entries)
        .map(|(entry, action)| {
            let operation = &bound.api.operations[action.operation];
            let mut row = json!({
                "name": entry.name,
                "operation": entry.operation,
                "summary": entry.summary,
                "effect": match entry.effect { Effect::Read => "read", Effect::Write => "write" },
                "tool": entry.tool,
                "keywords": entry.keywords,
            });
            // What only the search reads.
            let text = prose::cut(
                &prose::clean(operation.description.as_deref().unwrap_or_default()),
                SEARCHED,
            );
            if !text.is_empty() && text != entry.summary {
                row["text"] = json!(text);
            }
            let toolsets = toolsets_of(bound.plan, entry);
            if !toolsets.is_empty() {
                row["toolsets"] = json!(toolsets);
            }
            if operation.deprecated {
                row["deprecated"] = json!(true);
            }
            row["inputSchema"] = entry_schema(bound.api, &mut schemas, action);
            row
        })
        .collect();
    lines(&rows)
}

fn entry_schema(api: &Api, schemas: &mut InputSchemas<'_>, action: &BoundAction<'_>) -> Json {
    let operation = &api.operations[action.operation];
    let mut properties = Map::new();
    let mut required = Vec::new();
    for input in &action.inputs {
        let schema = argument_schema(api, schemas, operation, (action, &input.target));
        properties.insert(input.argument.name.clone(), schema);
        if input.required {
            required.push(input.argument.name.as_str());
        }
    }
    flat_object(properties, &required)
}

/// The schema of what goes to `target`, made anew: plans do not repeat the schemas of the catalog.
fn argument_schema(
    api: &Api,
    schemas: &mut InputSchemas<'_>,
    operation: &Operation,
    (action, target): (&BoundAction<'_>, &Target),
) -> Json {
    match target {
        Target::Parameter(index) => {
            let parameter = &operation.parameters[*index];
            let mut schema = schemas.of(&[parameter.schema], Detail::Full).clone();
            if let Some(text) = &parameter.description {
                describe(&mut schema, text);
            }
            schema
        }
        Target::Body(steps) => {
            let content =
                operation.body.as_ref().and_then(|body| body.contents.get(action.content?));
            let mut at = content.and_then(|c| c.schema).into_iter().collect::<Vec<_>>();
            for step in steps {
                at = crate::bind::members(api, &at, step);
            }
            let form = content.map_or(MediaForm::Json, |c| MediaForm::of(&c.media_type));
            let string = at.iter().all(|id| api.schema(*id).types.is_only_string());
            match form {
                MediaForm::Bytes => {
                    json!({"type": "string", "description": "File: base64, or data:TYPE;base64,DATA."})
                }
                MediaForm::Xml if !string => json!({"type": "string", "description": "XML text."}),
                MediaForm::Text if !string => json!({"type": "string"}),
                _ if !at.is_empty() => schemas.of(&at, Detail::Full).clone(),
                MediaForm::Json | MediaForm::JsonLike | MediaForm::Anything if steps.is_empty() => {
                    json!({"type": "object", "properties": {}, "additionalProperties": true})
                }
                _ => json!({"type": "string"}),
            }
        }
    }
}

/// Puts `text` before the description that is there.
fn describe(schema: &mut Json, text: &str) {
    let text = prose::clean(text);
    if text.is_empty() {
        return;
    }
    let old = schema["description"].as_str().unwrap_or_default();
    let all = if old.is_empty() || text.contains(old) {
        text
    } else {
        let end = if text.ends_with(['.', '!', '?', '…']) { "" } else { "." };
        format!("{text}{end} {old}")
    };
    schema["description"] = Json::String(prose::cut(&all, 512));
}

/// `schemas.json`: what parameters and bodies must be on the wire, one operation a line.
pub fn schemas(bound: &Bound<'_>) -> String {
    let mut shared = IndexMap::new();
    let mut rows = Vec::new();
    let mut seen = BTreeSet::new();
    let direct = bound.tools.iter().flat_map(|t| &t.actions);
    for action in direct.chain(&bound.entries) {
        let operation = &bound.api.operations[action.operation];
        if !seen.insert(action.operation) {
            continue;
        }
        let parameters: Vec<_> = operation
            .parameters
            .iter()
            .map(|p| {
                let mut schema = wire_schema(bound.api, p.schema, &mut shared);
                let Some(map) = schema.as_object_mut() else { return schema };
                if p.only_value(bound.api).is_some() {
                    map.insert("x-required".to_owned(), json!(true));
                }
                match p.filled(bound.api) {
                    Some((_, Filled::Sent(value))) => {
                        map.insert("x-sent".to_owned(), value.to_json());
                    }
                    Some((_, Filled::Made)) => {
                        map.insert("x-made".to_owned(), json!(true));
                    }
                    Some((_, Filled::LeftOut)) | None => {}
                }
                schema
            })
            .collect();
        let mut row = json!({"parameters": parameters});
        let content = operation.body.as_ref().and_then(|b| b.contents.get(action.content?));
        if let Some(content) = content
            && let Some(schema) = content.schema
        {
            let shown = MediaForm::of(&content.media_type).is_structured()
                || bound.api.schema(schema).types.is_only_string();
            // What a document says about XML or bytes is not about the text that is given for it.
            row["body"] = if shown {
                wire_schema(bound.api, schema, &mut shared)
            } else {
                json!({"type": "string"})
            };
        }
        rows.push((operation.key.to_string(), row));
    }
    rows.sort_by(|a, b| a.0.cmp(&b.0));
    shared.sort_keys();
    let block = |rows: Vec<(String, Json)>| {
        let rows: Vec<_> = rows
            .into_iter()
            .map(|(k, v)| format!("{}:{}", Json::String(k), wire_text(&v)))
            .collect();
        rows.join(",\n")
    };
    format!(
        "{{\"operations\":{{\n{}\n}},\n\"shared\":{{\n{}\n}}}}\n",
        block(rows),
        block(shared.into_iter().collect())
    )
}
