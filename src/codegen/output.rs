//! `outputSchema`: what a tool answers, in two levels and about a kilobyte, or nothing.
//!
//! It is a promise that the runtime keeps whatever the API does (`runtime/output.rs`), so it only says
//! what helps: names, and types that allow `null`. Nothing is required and nothing excluded.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::{Map, Value as Json, json};

use crate::bind::BoundAction;
use crate::ir::{Api, Schema, SchemaId};

/// The longest schema, in bytes.
const LONGEST: usize = 1024;

/// The key that a value which is no object stands under.
const RESULT: &str = "result";

/// The schema of what these actions answer; `None` when the document tells too little of one of them.
pub fn of(api: &Api, actions: &[BoundAction<'_>]) -> Option<Json> {
    let mut members: IndexMap<String, Option<SchemaId>> = IndexMap::new();
    let mut mixed = BTreeSet::new();
    let mut bodies = 0;
    for action in actions {
        let operation = &api.operations[action.operation];
        let success = operation.responses.iter().filter(|r| r.status.starts_with('2'));
        for content in success.flat_map(|response| &response.contents) {
            let id = content.schema.filter(|_| is_json(&content.media_type))?;
            bodies += 1;
            let schema = api.schema(id);
            let own: Vec<(String, SchemaId)> = if is_plain_object(schema) {
                let shown = schema.properties.iter().filter(|(_, p)| !api.schema(**p).write_only);
                shown.map(|(name, id)| (name.clone(), *id)).collect()
            } else if schema.types.object || !schema.variants.is_empty() {
                // Objects of any shape, or one of several: nothing that could be said of all.
                return None;
            } else {
                vec![(RESULT.to_owned(), id)]
            };
            for (name, id) in own {
                let known = members.get(&name).copied().flatten();
                if known.is_some_and(|known| leaf(api, known, 1) != leaf(api, id, 1)) {
                    mixed.insert(name);
                } else {
                    members.insert(name, Some(id));
                }
            }
        }
    }
    // Names with an underscore in front are those of the server.
    members.retain(|name, _| !mixed.contains(name) && !name.starts_with('_'));
    if bodies == 0 || members.is_empty() {
        return None;
    }
    for depth in [1, 0] {
        let mut properties = Map::new();
        for (name, id) in members.iter().filter_map(|(name, id)| Some((name, (*id)?))) {
            properties.insert(name.clone(), leaf(api, id, depth));
        }
        let schema = json!({"type": "object", "properties": properties});
        if schema.to_string().len() <= LONGEST {
            return Some(schema);
        }
    }
    None
}

fn is_json(media_type: &str) -> bool {
    let plain = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    plain.ends_with("/json") || plain.ends_with("+json")
}

fn is_plain_object(schema: &Schema) -> bool {
    let types = schema.types;
    let other = types.boolean || types.integer || types.number || types.string || types.array;
    types.object && !other && schema.variants.is_empty() && !schema.properties.is_empty()
}

/// A value, with what is in it to `depth` more levels.
fn leaf(api: &Api, id: SchemaId, depth: usize) -> Json {
    let schema = api.schema(id);
    let types = schema.types;
    let mut names = Vec::new();
    for (is, name) in [
        (types.string || types.integer || types.number, "string"),
        (types.integer && !types.number, "integer"),
        (types.number, "number"),
        (types.boolean, "boolean"),
        (types.array, "array"),
        (types.object, "object"),
    ] {
        if is {
            names.push(name);
        }
    }
    // What may be anything is said by no type: an empty schema is one that some clients refuse.
    if names.is_empty() || !schema.variants.is_empty() {
        names = vec!["string", "number", "boolean", "array", "object"];
    }
    names.push("null");
    let mut out = Map::new();
    out.insert("type".to_owned(), json!(names));
    if depth > 0 && schema.variants.is_empty() {
        let members = |schema: &Schema| {
            let shown = schema.properties.iter().filter(|(_, p)| !api.schema(**p).write_only);
            shown.map(|(name, id)| (name.clone(), leaf(api, *id, depth - 1))).collect::<Map<_, _>>()
        };
        if types.object && !schema.properties.is_empty() {
            out.insert("properties".to_owned(), members(schema).into());
        }
        if let Some(items) = schema.items.filter(|_| types.array) {
            let inner = api.schema(items);
            let mut item = leaf(api, items, 0);
            if inner.types.object && inner.variants.is_empty() && !inner.properties.is_empty() {
                item["properties"] = members(inner).into();
            }
            out.insert("items".to_owned(), item);
        }
    }
    out.into()
}
