//! Toolsets: a server with a part of its tools, chosen at the start or during the session.
//!
//! `tools.json` says under `_meta` which sets a tool belongs to, `catalog.json` does so for each
//! operation. A server that has none takes no choice.

use super::arguments::operation;
use super::reply::Outcome;
use super::table::{Action, Call, Catalog, Service, Tool};
use super::text;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Key of `_meta` in `tools.json`.
pub const KEY: &str = "mcp-gen/toolsets";

/// The set of what is in no other.
pub const DEFAULT: &str = "default";

/// The tool that lists the sets, and the one that adds one.
pub const LIST: &str = "list_toolsets";
/// See [`LIST`].
pub const ENABLE: &str = "enable_toolset";

/// What each set holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Set {
    /// Names of direct tools.
    pub tools: Vec<String>,
    /// How many operations the catalog reaches in it.
    pub operations: usize,
}

/// All sets by name; none when the service has none.
///
/// # Errors
/// The tables cannot be read, a fault of the generator.
pub fn all(service: &Service) -> Result<BTreeMap<String, Set>, String> {
    let mut sets: BTreeMap<String, Set> = BTreeMap::new();
    for row in rows("tools.json", service.tools_json)? {
        for name in listed(&row["_meta"][KEY]) {
            let tool = row["name"].as_str().unwrap_or_default().to_owned();
            sets.entry(name.to_owned()).or_default().tools.push(tool);
        }
    }
    // What has no sets at all need not be read.
    let catalog = service.catalog_json.filter(|text| text.contains("\"toolsets\""));
    for row in rows("catalog.json", catalog.unwrap_or("[]"))? {
        for name in listed(&row["toolsets"]) {
            sets.entry(name.to_owned()).or_default().operations += 1;
        }
    }
    Ok(sets)
}

/// Checks names against the sets that there are.
///
/// # Errors
/// A sentence that names the sets.
pub fn known(service: &Service, names: &[String]) -> Result<(), String> {
    let sets = all(service)?;
    let Some(name) = names.iter().find(|name| !sets.contains_key(*name)) else { return Ok(()) };
    let name = text::cut(&text::clean(name), 60);
    if sets.is_empty() {
        return Err(format!("there is no toolset `{name}`: this server has no toolsets"));
    }
    let list = text::names(sets.keys().map(String::as_str));
    Err(format!("there is no toolset `{name}`; there are {list}"))
}

/// The part of `service` that the sets `on` hold, and of that only what reads, where this is wanted.
/// It lives as long as the process.
///
/// # Errors
/// The tables cannot be read, a fault of the generator.
pub fn narrow(
    service: &'static Service,
    on: Option<&BTreeSet<String>>,
    read_only: bool,
) -> Result<Service, String> {
    let is_on = |list: &Value| on.is_none_or(|on| listed(list).any(|name| on.contains(name)));
    let is_read = |actions: &[Action]| !read_only || actions.iter().all(|a| operation(a).reads);
    let reading: BTreeSet<&str> =
        service.tools.iter().filter(|tool| is_read(tool.actions)).map(|tool| tool.name).collect();
    let mut rows_of_tools = rows("tools.json", service.tools_json)?;
    // What the API has not was added by the hooks, and says itself whether it reads.
    let is_added = |name: &str| {
        !service.tools.iter().any(|tool| tool.name == name)
            && !service.catalog.as_ref().is_some_and(|catalog| catalog.has(name))
    };
    let stays = |row: &Value| {
        let name = row["name"].as_str().unwrap_or_default();
        let reads = row["annotations"]["readOnlyHint"] == true;
        reading.contains(name) || is_added(name) && (reads || !read_only)
    };
    let kept: BTreeSet<String> = rows_of_tools
        .iter()
        .filter(|row| is_on(&row["_meta"][KEY]))
        .filter(|row| stays(row))
        .filter_map(|row| row["name"].as_str().map(str::to_owned))
        .collect();
    // An action must not lead to a tool that is off.
    let act = |action: &Action| Action {
        name: action.name,
        call: match action.call {
            Call::Operation(operation) => Call::Operation(operation),
        },
        inputs: action.inputs,
        sibling: action.sibling.filter(|tool| kept.contains(*tool)),
        takes_away: action.takes_away,
    };
    let tools: Vec<Tool> = service
        .tools
        .iter()
        .filter(|tool| kept.contains(tool.name))
        .map(|tool| Tool {
            name: tool.name,
            selector: tool.selector,
            actions: tool.actions.iter().map(act).collect::<Vec<_>>().leak(),
        })
        .collect();
    let mut entries = rows("catalog.json", service.catalog_json.unwrap_or("[]"))?;
    let writing: BTreeSet<&str> = service
        .catalog
        .iter()
        .flat_map(|catalog| catalog.actions)
        .filter(|action| !is_read(std::slice::from_ref(*action)))
        .map(|action| action.name)
        .collect();
    entries.retain(|row| {
        is_on(&row["toolsets"]) && row["name"].as_str().is_some_and(|name| !writing.contains(name))
    });
    for row in &mut entries {
        if row["tool"].as_str().is_some_and(|tool| !kept.contains(tool)) {
            row["tool"] = Value::Null;
        }
    }
    let names: BTreeSet<&str> = entries.iter().filter_map(|row| row["name"].as_str()).collect();
    let catalog = service.catalog.as_ref().filter(|_| !entries.is_empty()).map(|catalog| {
        let actions: Vec<Action> =
            catalog.actions.iter().filter(|action| names.contains(action.name)).map(act).collect();
        let writes = actions.iter().any(|action| !operation(action).reads);
        Catalog {
            find: catalog.find,
            read: catalog.read,
            write: catalog.write.filter(|_| writes),
            actions: actions.leak(),
        }
    });
    rows_of_tools.retain(|row| {
        let name = row["name"].as_str().unwrap_or_default();
        kept.contains(name) || catalog.as_ref().is_some_and(|catalog| catalog.has(name))
    });
    let catalog_json = catalog.is_some().then(|| lines(&entries));
    Ok(Service {
        name: service.name,
        title: service.title,
        version: service.version,
        instructions: service.instructions,
        env_prefix: service.env_prefix,
        tools_json: lines(&rows_of_tools).leak(),
        schemas_json: service.schemas_json,
        catalog_json: catalog_json.map(|text| &*text.leak()),
        base_url: service.base_url,
        arrays: service.arrays,
        schemes: service.schemes,
        tools: tools.leak(),
        catalog,
    })
}

/// The sets that a tool which is off belongs to.
pub fn of_tool(service: &Service, name: &str) -> Vec<String> {
    let sets = all(service).unwrap_or_default();
    sets.into_iter()
        .filter(|(_, set)| set.tools.iter().any(|tool| tool == name))
        .map(|s| s.0)
        .collect()
}

/// All sets, for a client that may enable them.
///
/// # Errors
/// There are none, or a tool has the name of one that enables them.
pub fn switchable(service: &Service) -> Result<BTreeMap<String, Set>, String> {
    let sets = all(service)?;
    let name = format!("{}_DYNAMIC_TOOLSETS", service.env_prefix);
    if sets.is_empty() {
        return Err(format!("{name} is set, but this server has no toolsets"));
    }
    match service.tools.iter().find(|tool| [LIST, ENABLE].contains(&tool.name)) {
        Some(tool) => Err(format!("{name} cannot be set: the API has a tool `{}`", tool.name)),
        None => Ok(sets),
    }
}

/// What to tell a client at the start.
pub fn words(on: &BTreeSet<String>, switches: bool) -> String {
    let list = text::names(on.iter().map(String::as_str));
    if switches {
        format!(
            "At the start only the toolset {list} is on. When no tool fits, call `{LIST}`, then `{ENABLE}`."
        )
    } else {
        format!("Only the toolset {list} is on; tools of others that this text may name are off.")
    }
}

/// The definitions of the tools that list and add sets.
pub fn switches(sets: &BTreeMap<String, Set>) -> Value {
    let names: Vec<&String> = sets.keys().collect();
    let hints = |title: &str, idempotent| {
        json!({"title": title, "readOnlyHint": idempotent, "destructiveHint": false,
            "idempotentHint": true, "openWorldHint": false})
    };
    json!([
        {
            "name": LIST,
            "title": "List toolsets",
            "description": "List the toolsets of this server, which tools each holds, and whether it is on. Use this when no tool fits the task.",
            "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
            "annotations": hints("List toolsets", true),
        },
        {
            "name": ENABLE,
            "title": "Enable a toolset",
            "description": format!("Make the tools of a toolset available for the rest of this session. `{LIST}` says what each holds."),
            "inputSchema": {
                "type": "object",
                "properties": {"toolset": {"type": "string", "enum": names,
                    "description": "Name of the toolset."}},
                "required": ["toolset"],
                "additionalProperties": false,
            },
            "annotations": hints("Enable a toolset", false),
        },
    ])
}

/// What [`LIST`] answers.
pub fn list(sets: &BTreeMap<String, Set>, on: &BTreeSet<String>, longest: usize) -> Outcome {
    let sets: Vec<Value> = sets
        .iter()
        .map(|(name, set)| {
            let mut row = Map::new();
            row.insert("toolset".to_owned(), json!(name));
            row.insert("enabled".to_owned(), json!(on.contains(name)));
            row.insert("tools".to_owned(), json!(set.tools));
            if set.operations > 0 {
                row.insert("operations_of_catalog".to_owned(), json!(set.operations));
            }
            Value::Object(row)
        })
        .collect();
    Outcome::value(json!({ "toolsets": sets }), longest)
}

/// The set that [`ENABLE`] is asked for.
///
/// # Errors
/// What to tell the model.
pub fn asked(sets: &BTreeMap<String, Set>, given: &Map<String, Value>) -> Result<String, String> {
    let list = text::names(sets.keys().map(String::as_str));
    let refused = |fault: &str| {
        Err(format!("{fault}\nAction: call `{ENABLE}` with `toolset` set to one of {list}."))
    };
    if let Some((name, _)) = given.iter().find(|(name, _)| *name != "toolset") {
        let name = text::cut(&text::clean(name), 60);
        return refused(&format!("`{name}`: unknown argument."));
    }
    match given.get("toolset") {
        Some(Value::String(name)) if sets.contains_key(name.trim()) => Ok(name.trim().to_owned()),
        Some(Value::String(name)) => {
            refused(&format!("There is no toolset `{}`.", text::cut(&text::clean(name), 60)))
        }
        Some(_) => refused("`toolset`: must be a string."),
        None => refused("`toolset`: is missing."),
    }
}

/// The rows of a file.
///
/// # Errors
/// It cannot be read, a fault of the generator.
pub fn rows(file: &str, text: &str) -> Result<Vec<Value>, String> {
    serde_json::from_str(text).map_err(|error| format!("{file}: {error}"))
}

fn listed(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// A list with one element a line, as the files have it.
pub fn lines(rows: &[Value]) -> String {
    let rows: Vec<String> = rows.iter().map(Value::to_string).collect();
    format!("[\n{}\n]\n", rows.join(",\n"))
}
