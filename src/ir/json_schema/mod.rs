//! Schemas of arguments in the subset of JSON Schema that every client and model API takes: one
//! `type`, no references, no unions, string enums only. What the subset cannot say is said in words;
//! the exact rules are checked by [`wire_schema`] when a call is made.
//!
//! 64-bit integers stay `integer`: most of them are counts and small ids, and models write numbers
//! naturally. Only when the document itself shows values beyond 2^53, which clients would round,
//! does the argument become a decimal string.

mod scalar;
pub use scalar::is_valid_default;
mod union;
mod words;

use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

pub use super::argument_names::argument_names;
use super::prose::{clean, cut, start};
pub use super::wire_schema::wire_schema;
use super::{Additional, Api, SchemaId};
pub use union::{Kind, Union};

/// How long the description of an argument may be before anything is added to it.
pub const DESCRIPTION: usize = 360;
/// How long descriptions below an argument are.
const NESTED: usize = 160;
/// How many properties an object shows.
const PROPERTIES: usize = 80;
/// Above this many bytes an argument loses its inner levels.
const LARGE: usize = 3_000;

/// How much of a schema is written out. What is not is said in words, and checked all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Detail {
    /// As much as one argument may take.
    Full,
    /// One level of objects.
    Flat,
    /// One level of objects, short texts below it.
    Brief,
    /// Objects by their keys only.
    Keys,
    /// The same, and short texts.
    Terse,
}

/// The argument schemas of an API, each made once.
pub struct InputSchemas<'a> {
    api: &'a Api,
    whole: HashMap<(Vec<SchemaId>, Detail), Value>,
    ends: HashMap<End, Map<String, Value>>,
}

/// A place below which nothing is written out: the schemas of its value, whether there was room for
/// levels, whether it is the argument itself, and how long its description may be. Whatever stands
/// around it, its schema is the same.
type End = (Vec<SchemaId>, bool, bool, usize);

impl<'a> InputSchemas<'a> {
    /// None yet.
    pub fn new(api: &'a Api) -> Self {
        Self { api, whole: HashMap::new(), ends: HashMap::new() }
    }

    /// The argument schema, with a `description`, of a value that fits one of `ids`.
    pub fn of(&mut self, ids: &[SchemaId], detail: Detail) -> &Value {
        // The entry would borrow all of `self` while the schema is made.
        let key = (ids.to_vec(), detail);
        if !self.whole.contains_key(&key) {
            let schema = self.make(ids, detail);
            self.whole.insert(key.clone(), schema);
        }
        &self.whole[&key]
    }

    fn make(&mut self, ids: &[SchemaId], detail: Detail) -> Value {
        let mut write = |levels, nested, own| {
            // What has more schemas than this is too large whatever they say.
            let most = if levels > 1 { LARGE / 24 } else { usize::MAX };
            let (api, ends) = (self.api, &mut self.ends);
            let mut writer = Writer { api, ends, nested, own, most, ancestors: Vec::new() };
            let schema = writer.schema(ids, Room { levels, depth: 1 });
            (writer.most > 0).then_some(Value::Object(schema))
        };
        match detail {
            Detail::Full => {
                if let Some(whole) = write(2, NESTED, DESCRIPTION).filter(|w| size(w) <= LARGE) {
                    return whole;
                }
                return self.make(ids, Detail::Flat);
            }
            Detail::Flat => {
                let shallow = write(1, NESTED, DESCRIPTION).unwrap_or_default();
                if size(&shallow) <= 2 * LARGE {
                    return shallow;
                }
                write(1, 60, DESCRIPTION)
            }
            Detail::Brief => write(1, 60, DESCRIPTION),
            Detail::Keys => write(0, 60, DESCRIPTION),
            Detail::Terse => write(0, 60, 140),
        }
        .unwrap_or_default()
    }
}

/// About how many bytes a value is in JSON.
pub fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Array(items) => items.iter().map(|v| size(v) + 1).sum::<usize>() + 1,
        Value::Object(map) => map.iter().map(|(k, v)| k.len() + size(v) + 4).sum::<usize>() + 1,
        _ => 6,
    }
}

/// How much may be written below a place.
#[derive(Clone, Copy)]
struct Room {
    /// Levels of objects with properties.
    levels: usize,
    /// How deep the place is; the argument itself is 1.
    depth: usize,
}

struct Writer<'a, 'w> {
    api: &'a Api,
    /// What was written before.
    ends: &'w mut HashMap<End, Map<String, Value>>,
    /// Length of descriptions below the argument.
    nested: usize,
    /// Length of the argument's own description.
    own: usize,
    /// How many more schemas may be written; at none, all is given up.
    most: usize,
    /// The schemas being written.
    ancestors: Vec<SchemaId>,
}

impl Writer<'_, '_> {
    /// The schema of a value that fits one of `ids`.
    fn schema(&mut self, ids: &[SchemaId], room: Room) -> Map<String, Value> {
        self.most = self.most.saturating_sub(1);
        if self.most == 0 {
            return typed("string");
        }
        let cap = if room.depth == 1 { self.own } else { self.nested };
        let end = (ids.to_vec(), room.levels > 0, room.depth == 1, cap);
        if let Some(schema) = self.ends.get(&end) {
            return schema.clone();
        }
        let union = Union::of(self.api, ids);
        let kind = union.kind();
        let recursive = ids.iter().any(|id| self.ancestors.contains(id));
        self.ancestors.extend(ids);
        let mut words = Vec::new();
        let mut schema = match kind {
            Kind::Object => {
                let room = if recursive { Room { levels: 0, ..room } } else { room };
                self.object(&union, room, &mut words)
            }
            Kind::Array => self.array(&union, room, recursive, &mut words),
            Kind::Scalar(kind) => scalar::scalar(&union, kind, &mut words),
            Kind::Json => {
                words.push(union.json_words());
                typed("string")
            }
        };
        self.ancestors.truncate(self.ancestors.len() - ids.len());
        union.common_words(&mut words);
        // Of an object that is not written out, words are all that there is.
        let bare = room.depth > 1 && room.levels == 0 && schema["type"] == "object";
        let length = if bare { cap.max(200) } else { cap };
        describe(&mut schema, union.description(), &words, length);
        if matches!(kind, Kind::Scalar(_) | Kind::Json) || (kind, room.levels) == (Kind::Object, 0)
        {
            self.ends.insert(end, schema.clone());
        }
        schema
    }

    fn object(
        &mut self,
        union: &Union<'_>,
        room: Room,
        words: &mut Vec<String>,
    ) -> Map<String, Value> {
        let fields = union.fields();
        let required = union.required();
        let mut schema = typed("object");
        union.object_words(words);
        let keys: Vec<&str> = fields.keys().copied().collect();
        let names = argument_names(&keys);
        let open = match union.additional() {
            Additional::Forbidden => Some(false),
            Additional::Any | Additional::Schema(_) => Some(true),
            Additional::Unsaid => keys.is_empty().then_some(true),
        };
        if room.levels == 0 || room.depth > 3 {
            schema.insert("properties".to_owned(), json!({}));
            if open == Some(true) {
                schema.insert("additionalProperties".to_owned(), Value::Bool(true));
            }
            words.extend(key_words(&keys, &names, &required));
            self.map_words(union, words);
            return schema;
        }
        let mut properties = Map::new();
        let mut left_out = Vec::new();
        let inner = Room { levels: room.levels - 1, depth: room.depth + 1 };
        for (index, (name, (key, ids))) in names.iter().zip(&fields).enumerate() {
            if index >= PROPERTIES && !required.contains(key) {
                left_out.push(name.as_str());
                continue;
            }
            let mut property = self.schema(ids, inner);
            without_echo(&mut property, name);
            properties.insert(name.clone(), Value::Object(property));
        }
        let needed: Vec<&String> = keys
            .iter()
            .zip(&names)
            .filter(|(k, _)| required.contains(*k))
            .map(|(_, n)| n)
            .collect();
        if !needed.is_empty() {
            schema.insert("required".to_owned(), json!(needed));
        }
        schema.insert("properties".to_owned(), Value::Object(properties));
        let undeclared: Vec<&str> = required
            .iter()
            .copied()
            .filter(|k| !keys.contains(k) && !union.is_read_only(k))
            .collect();
        if !undeclared.is_empty() {
            words.push(format!("Also required: {}.", words::list(&undeclared, 6)));
        }
        let open = if left_out.is_empty() && undeclared.is_empty() { open } else { Some(true) };
        if !left_out.is_empty() {
            words.push(format!("Further keys: {}.", words::list(&left_out, 12)));
        }
        if let Some(open) = open {
            schema.insert("additionalProperties".to_owned(), Value::Bool(open));
        }
        self.map_words(union, words);
        schema
    }

    /// What the values of a map are.
    fn map_words(&self, union: &Union<'_>, words: &mut Vec<String>) {
        if let Additional::Schema(id) = union.additional() {
            let values = Union::of(self.api, &[id]);
            words.push(format!("Any keys; each value is {}.", values.noun()));
        } else if !union.pattern_fields().is_empty() {
            words.push(format!("Keys match {}.", words::list(&union.pattern_fields(), 3)));
        }
    }

    fn array(
        &mut self,
        union: &Union<'_>,
        room: Room,
        recursive: bool,
        words: &mut Vec<String>,
    ) -> Map<String, Value> {
        let mut schema = typed("array");
        let below = Room { levels: room.levels, depth: room.depth + 1 };
        let (items, fixed) = union.items();
        let inner = Union::of(self.api, &items);
        let items = if items.is_empty() {
            open_object()
        } else if recursive || (room.depth > 3 && inner.kind() == Kind::Array) {
            words.push(format!("Items are {}.", words::plural(&inner.noun())));
            if inner.kind() == Kind::Object { open_object() } else { typed("string") }
        } else {
            self.schema(&items, below)
        };
        if fixed {
            let parts: Vec<String> =
                union.prefix().iter().map(|id| Union::of(self.api, &[*id]).noun()).collect();
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            words.push(format!("In this order: {}.", words::list(&parts, 8)));
        }
        schema.insert("items".to_owned(), Value::Object(items));
        union.array_bounds(&mut schema, words);
        schema
    }
}

fn typed(kind: &str) -> Map<String, Value> {
    Map::from_iter([("type".to_owned(), Value::from(kind))])
}

/// An object that may hold anything.
fn open_object() -> Map<String, Value> {
    let mut schema = typed("object");
    schema.insert("properties".to_owned(), json!({}));
    schema.insert("additionalProperties".to_owned(), Value::Bool(true));
    schema
}

/// Says which keys an object has that is not written out.
fn key_words(
    keys: &[&str],
    names: &[String],
    required: &indexmap::IndexSet<&str>,
) -> Option<String> {
    let say = |needed: bool| -> Vec<&str> {
        let pairs = keys.iter().zip(names).filter(|(k, _)| required.contains(*k) == needed);
        pairs.map(|(_, n)| n.as_str()).collect()
    };
    match (say(true), say(false)) {
        (needed, other) if needed.is_empty() && other.is_empty() => None,
        (needed, other) if needed.is_empty() => Some(format!("Keys: {}.", words::list(&other, 12))),
        (needed, other) if other.is_empty() => {
            Some(format!("Keys, all required: {}.", words::list(&needed, 12)))
        }
        (needed, other) => Some(format!(
            "Keys: {} (required); {}.",
            words::list(&needed, 12),
            words::list(&other, 10)
        )),
    }
}

/// Removes a first sentence that only repeats the name.
pub fn without_echo(schema: &mut Map<String, Value>, name: &str) {
    let letters = |t: &str| -> String {
        t.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let Some(text) = schema.get("description").and_then(Value::as_str) else { return };
    let first = super::prose::first_sentence(text);
    if letters(first) != letters(name) {
        return;
    }
    let rest = text[first.len()..].trim_start_matches(['.', ':', ' ']).to_owned();
    if rest.is_empty() {
        schema.shift_remove("description");
    } else {
        schema.insert("description".to_owned(), Value::from(rest));
    }
}

/// Writes the description: what the document says, then `words`, in at most `cap` characters. Words
/// hold rules, so the document's text gives way.
fn describe(schema: &mut Map<String, Value>, text: Option<&str>, words: &[String], cap: usize) {
    let text = clean(start(text.unwrap_or_default()));
    let lower = text.to_lowercase();
    // "Email address of the buyer" needs no "Email address." after it.
    let fresh =
        words.iter().filter(|w| !lower.contains(w.trim_end_matches('.').to_lowercase().as_str()));
    let words = cut(&fresh.map(String::as_str).collect::<Vec<_>>().join(" "), cap * 2 / 3);
    let used = words.chars().count();
    let text = cut(&text, cap.saturating_sub(used + 2));
    let mut description = text;
    if !words.is_empty() {
        if !description.is_empty() {
            let closed = description.ends_with(['.', '!', '?', '…', ':', '。']);
            description.push_str(if closed { " " } else { ". " });
        }
        description.push_str(&words);
    }
    if !description.is_empty() {
        schema.insert("description".to_owned(), Value::from(description));
    }
}

/// Fields of objects by name, each with the schemas that it may fit.
pub type Fields<'a> = IndexMap<&'a str, Vec<SchemaId>>;

#[cfg(test)]
mod tests;
