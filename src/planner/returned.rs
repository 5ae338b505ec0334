//! What an answer holds, in the names of its fields.

use super::text::words;
use crate::ir::prose::clean;
use crate::ir::{Api, Operation, Schema, SchemaId};

/// The fields of a response that tell most: `returns a, b, c`.
pub fn returns(api: &Api, operation: &Operation) -> Option<String> {
    let good = operation.responses.iter().find(|r| r.status.starts_with('2'))?;
    let content =
        good.contents.iter().find(|c| c.media_type.contains("json")).or(good.contents.first())?;
    let mut schema = first_variant(api, content.schema?);
    for _ in 0..3 {
        let inner = if schema.types.array || schema.items.is_some() {
            schema.items
        } else {
            envelope(api, schema)
        };
        match inner {
            Some(id) => schema = first_variant(api, id),
            None => break,
        }
    }
    let mut fields: Vec<String> = Vec::new();
    for (key, id) in &schema.properties {
        let field = words(key).join("_");
        let said = !GENERIC.contains(&field.as_str())
            && !api.schema(*id).write_only
            && !api.schema(*id).deprecated;
        let linking = field.ends_with("_url")
            || field.ends_with("_id")
            || field.ends_with("_at")
            || field.ends_with("_href");
        if said && !linking && field.len() <= 32 && !field.is_empty() {
            fields.push(clean(key));
        }
        if fields.len() == 6 {
            break;
        }
    }
    (!fields.is_empty()).then(|| format!("returns {}", fields.join(", ")))
}

/// Fields that tell nothing about a resource.
const GENERIC: &[&str] = &[
    "id",
    "ids",
    "uuid",
    "object",
    "type",
    "kind",
    "url",
    "uri",
    "href",
    "link",
    "links",
    "self",
    "meta",
    "metadata",
    "created",
    "updated",
    "modified",
    "success",
    "ok",
    "status",
    "message",
    "error",
    "errors",
    "code",
    "page",
    "pages",
    "total",
    "count",
    "size",
    "next",
    "previous",
    "prev",
    "cursor",
    "limit",
    "offset",
    "first",
    "last",
    "has_more",
    "etag",
    "version",
    "data",
    "result",
    "results",
    "items",
    "response",
    "value",
    "pagination",
    "per_page",
    "total_count",
    "warnings",
];

fn first_variant(api: &Api, id: SchemaId) -> &Schema {
    let mut schema = api.schema(id);
    for _ in 0..4 {
        match schema.variants.first() {
            Some(first) if schema.properties.is_empty() => schema = api.schema(*first),
            _ => break,
        }
    }
    schema
}

/// The schema of what an envelope holds: `{data: […]}`, `{result: {…}}`.
fn envelope(api: &Api, schema: &Schema) -> Option<SchemaId> {
    let mut lists = schema.properties.iter().filter(|(key, id)| {
        let inner = api.schema(**id);
        inner.types.array && !matches!(key.as_str(), "errors" | "links" | "warnings")
    });
    let wrapped = ["data", "result", "results", "items", "response", "value"]
        .iter()
        .find_map(|k| schema.properties.get(*k));
    if let Some(id) = wrapped {
        let inner = first_variant(api, *id);
        if inner.types.array || !inner.properties.is_empty() {
            return Some(*id);
        }
    }
    let first = lists.next()?;
    let few = schema
        .properties
        .keys()
        .filter(|k| !GENERIC.contains(&words(k).join("_").as_str()))
        .count()
        <= 2;
    (lists.next().is_none() && few).then_some(*first.1)
}
