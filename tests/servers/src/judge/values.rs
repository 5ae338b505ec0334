//! Values that schemas allow: the wire form of an argument, made from what the document says.

use mcp_gen::ir::{Additional, Api, Schema, SchemaId};
use serde_json::{Map, Number, Value, json};

use super::pattern;

/// How deep optional members are given.
const DEPTH: usize = 3;

/// How deep anything is given: what must be deeper cannot be had.
const BOTTOM: usize = 16;

/// What is given where anything may be: text, and base64 as well.
pub const ANY: &str = "aGVsbG8=";

/// How much is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// What is required.
    Required,
    /// All there is.
    All,
}

/// A value that schema `id` allows; `None` when there is none that could be sent.
pub fn value(api: &Api, id: SchemaId, extent: Extent) -> Option<Value> {
    Maker { api, extent, plain: false }.value(id, 0, 0)
}

/// The same in the letters that headers may carry.
pub fn plain_value(api: &Api, id: SchemaId, extent: Extent) -> Option<Value> {
    Maker { api, extent, plain: true }.value(id, 0, 0)
}

struct Maker<'a> {
    api: &'a Api,
    extent: Extent,
    plain: bool,
}

impl Maker<'_> {
    /// The `turn`-th value, for lists whose entries must differ.
    fn value(&self, id: SchemaId, depth: usize, turn: usize) -> Option<Value> {
        let schema = self.api.schema(id);
        if schema.never || depth > BOTTOM {
            return None;
        }
        if let Some(values) = &schema.values {
            let mut values: Vec<Value> =
                values.iter().map(mcp_gen::source::Node::to_json).collect();
            values.sort_by_key(Value::is_null);
            return (turn < values.len()).then(|| values.swap_remove(turn));
        }
        if !schema.variants.is_empty() {
            return self.variant(schema, depth, turn);
        }
        self.single(schema, depth, turn)
    }

    fn variant(&self, schema: &Schema, depth: usize, turn: usize) -> Option<Value> {
        schema.variants.iter().find_map(|id| {
            let mut value = self.value(*id, depth + 1, turn)?;
            let Value::Object(members) = &mut value else { return Some(value) };
            if schema.types.object && !schema.properties.is_empty() {
                let Value::Object(outer) = self.object(schema, depth)? else { return None };
                for (key, member) in outer {
                    members.entry(key).or_insert(member);
                }
            }
            if let Some(discriminator) = &schema.discriminator
                && let Some((name, _)) = discriminator.mapping.iter().find(|(_, to)| *to == id)
            {
                members.insert(discriminator.property.clone(), name.clone().into());
            }
            Some(value)
        })
    }

    fn single(&self, schema: &Schema, depth: usize, turn: usize) -> Option<Value> {
        let types = schema.types;
        if types.object || !schema.properties.is_empty() {
            return self.object(schema, depth);
        }
        if types.array {
            return self.array(schema, depth);
        }
        if types.string {
            let text = text(schema, turn);
            return Some(if self.plain { text.replace('ü', "u") } else { text }.into());
        }
        if types.integer || types.number {
            return Some(number(schema, turn));
        }
        if types.boolean {
            return Some(json!(turn == 0));
        }
        Some(if types.null { Value::Null } else { json!(ANY) })
    }

    fn object(&self, schema: &Schema, depth: usize) -> Option<Value> {
        let mut out = Map::new();
        let all = self.extent == Extent::All && depth < DEPTH;
        let least = usize::try_from(schema.min_properties.unwrap_or(0)).ok()?;
        let sent = |id: &SchemaId| !self.api.schema(*id).read_only;
        let most = schema.max_properties.map_or(usize::MAX, |n| n.try_into().unwrap_or(usize::MAX));
        for (key, id) in schema.properties.iter().filter(|(_, id)| sent(id)) {
            let required = schema.required.contains(key);
            let all = all && out.len() < most;
            if required {
                out.insert(key.clone(), self.value(*id, depth + 1, 0)?);
            } else if all && let Some(value) = self.value(*id, depth + 1, 0) {
                out.insert(key.clone(), value);
            }
        }
        for (key, id) in schema.properties.iter().filter(|(_, id)| sent(id)) {
            if out.len() < least
                && !out.contains_key(key)
                && let Some(value) = self.value(*id, depth + 1, 0)
            {
                out.insert(key.clone(), value);
            }
        }
        for key in &schema.required {
            let other = match schema.additional {
                Additional::Schema(id) => self.value(id, depth + 1, 0)?,
                Additional::Unsaid | Additional::Any | Additional::Forbidden => json!(ANY),
            };
            if !schema.properties.contains_key(key) {
                out.insert(key.clone(), other);
            }
        }
        if let Additional::Schema(id) = schema.additional
            && (all || out.len() < least)
            && schema.properties.is_empty()
            && let Some(value) = self.value(id, depth + 1, 0)
        {
            out.entry("key").or_insert(value);
        }
        Some(out.into())
    }

    fn array(&self, schema: &Schema, depth: usize) -> Option<Value> {
        let least = usize::try_from(schema.min_items.unwrap_or(0)).ok()?;
        let most =
            schema.max_items.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
        let parts = schema.prefix_items.iter().map(|id| self.value(*id, depth + 1, 0));
        let mut out: Vec<Value> = parts.collect::<Option<_>>()?;
        // Two entries where there may be: that is where lists of the wire differ from one value.
        let wanted = if depth < DEPTH { 2 } else { 0 };
        let wanted = wanted.max(least).min(most);
        while out.len() < wanted {
            let turn = out.len();
            let next = match schema.items {
                Some(id) => self.value(id, depth + 1, turn).or_else(|| {
                    (!schema.unique_items).then(|| self.value(id, depth + 1, 0)).flatten()
                }),
                None => Some(json!(format!("entry {turn}"))),
            };
            let Some(next) = next else { break };
            if schema.unique_items && out.contains(&next) {
                break;
            }
            out.push(next);
        }
        (out.len() >= least).then_some(out.into())
    }
}

fn text(schema: &Schema, turn: usize) -> String {
    let least = usize::try_from(schema.min_length.unwrap_or(0)).unwrap_or(0);
    let most = schema.max_length.and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX);
    if let Some(wanted) = &schema.pattern {
        let given = schema.examples.iter().chain(&schema.default);
        let given = given.map(mcp_gen::source::Node::to_json);
        let given: Vec<String> = given.filter_map(|v| v.as_str().map(str::to_owned)).collect();
        return pattern::sample(wanted, least)
            .or_else(|| given.first().cloned())
            .unwrap_or_else(|| "a".to_owned());
    }
    let digit = turn % 10;
    let format = schema.format.as_deref().unwrap_or_default();
    let known = match format {
        "date" => format!("2026-03-0{}", digit % 9 + 1),
        "date-time" => format!("2026-03-0{}T10:00:00Z", digit % 9 + 1),
        "time" => format!("10:00:0{digit}Z"),
        "duration" => format!("P{}D", digit + 1),
        "uuid" => format!("123e4567-e89b-42d3-a456-42661417400{digit}"),
        "email" | "idn-email" => format!("ida{digit}@example.org"),
        "uri" | "url" | "iri" | "uri-reference" => format!("https://example.org/{digit}"),
        "hostname" | "idn-hostname" => format!("h{digit}.example.org"),
        "ipv4" => format!("192.0.2.{digit}"),
        "ipv6" => format!("2001:db8::{digit}"),
        "json-pointer" => format!("/{digit}"),
        "regex" => "a+".to_owned(),
        "byte" | "binary" | "base64" => "aGVsbG8=".to_owned(),
        "int32" | "int64" | "uint64" | "decimal" | "double" | "float" => format!("{}", digit + 1),
        _ if schema.content_encoding.is_some() || schema.content_media_type.is_some() => {
            "aGVsbG8=".to_owned()
        }
        // What the wire has to encode, where there is room.
        _ if most >= 12 => format!("a/b &ü {digit}"),
        _ => format!("{digit}"),
    };
    let mut out: String = known.chars().take(most).collect();
    out.extend(std::iter::repeat_n('x', least.saturating_sub(out.chars().count())));
    out
}

fn number(schema: &Schema, turn: usize) -> Value {
    #[expect(clippy::cast_precision_loss, reason = "there are few turns")]
    let turn = turn as f64;
    let whole = !schema.types.number;
    let step = schema
        .multiple_of
        .as_ref()
        .map_or(f64::from(u8::from(whole)), mcp_gen::source::Number::as_f64);
    let low = schema.minimum.as_ref().map(|b| (b.value.as_f64(), b.exclusive));
    let high = schema.maximum.as_ref().map(|b| (b.value.as_f64(), b.exclusive));
    let fits = |n: f64| {
        low.is_none_or(|(bound, open)| n > bound || (!open && n >= bound))
            && high.is_none_or(|(bound, open)| n < bound || (!open && n <= bound))
    };
    let low_end = low.map(|(bound, _)| bound);
    let high_end = high.map(|(bound, _)| bound);
    let middle = match (low_end, high_end) {
        (Some(low), Some(high)) => f64::midpoint(low, high),
        (Some(low), None) => low + 1.0,
        (None, Some(high)) => high - 1.0,
        (None, None) => 1.0,
    };
    let on_step = |n: f64| if step > 0.0 { (n / step).ceil() * step } else { n };
    let starts = [1.0, middle, low_end.unwrap_or(1.0), high_end.unwrap_or(1.0), 0.0];
    let start = starts.into_iter().map(on_step).find(|n| fits(*n)).unwrap_or(1.0);
    let moved = start + turn * if step > 0.0 { step } else { 1.0 };
    let chosen = if fits(moved) { moved } else { start };
    if chosen.fract() == 0.0 && chosen.abs() < 9e15 {
        #[expect(clippy::cast_possible_truncation, reason = "it is whole and not large")]
        return Value::from(chosen as i64);
    }
    Number::from_f64(chosen).map_or(json!(1), Value::Number)
}
