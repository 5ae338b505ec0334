//! Leniency: what models send is brought to what the wire wants, where there is no doubt.

use super::check;
use super::exact;
use super::schema::{self, DEPTH, Schemas};
use super::style;
use serde_json::{Map, Number, Value};

/// Brings values to their schema.
#[derive(Debug)]
pub struct Coercer<'a> {
    schemas: &'a Schemas,
    /// Whether an explicit `null` is a value where the schema allows it (bodies), not an absence.
    keeps_null: bool,
    /// Whether it is one whatever the schema says.
    removes: bool,
    work: usize,
}

impl<'a> Coercer<'a> {
    /// For one call.
    pub fn new(schemas: &'a Schemas, keeps_null: bool) -> Self {
        Self { schemas, keeps_null, removes: false, work: 0 }
    }

    /// The same for a JSON Merge Patch, where `null` removes a member (RFC 7396 section 2).
    #[must_use]
    pub fn removing(self, removes: bool) -> Self {
        Self { removes, ..self }
    }

    /// The value for the wire; `None` when it stands for "not given".
    pub fn value(&mut self, value: &Value, schema: &Value, required: bool) -> Option<Value> {
        self.at(value, schema, required, 0)
    }

    fn at(&mut self, value: &Value, schema: &Value, required: bool, depth: usize) -> Option<Value> {
        self.work += 1;
        if depth > DEPTH || self.work > 20_000 {
            return Some(value.clone());
        }
        let schema = self.schemas.resolve(schema);
        if value.is_null() && self.removes {
            return Some(Value::Null);
        }
        if value.is_null() {
            // Inside a body what has no type may be anything: `value` of a JSON Patch.
            let open = depth > 0 && schema::is_open(schema);
            let allowed = open || self.schemas.allows_null(schema, 0);
            return (self.keeps_null && allowed).then_some(Value::Null);
        }
        if let Value::String(string) = value {
            let blank = matches!(string.trim(), "" | "null");
            if blank && !required && !check::check(self.schemas, value, schema).is_empty() {
                return None;
            }
            if let Some(structure) = self.structure(string, schema, depth) {
                return Some(structure);
            }
        }
        let value = scalar(value, schema)
            .or_else(|| self.only_item(value, schema))
            .unwrap_or_else(|| value.clone());
        let value = match value {
            Value::Array(items) => self.array(items, schema, depth),
            Value::Object(members) => Value::Object(self.object(&members, schema, depth)),
            other => other,
        };
        Some(self.alternatives(value, schema, required, depth))
    }

    /// An object or a list that came as JSON text, where the schema takes these as well as text.
    fn structure(&mut self, string: &str, schema: &Value, depth: usize) -> Option<Value> {
        let only_text = schema::types(schema).all(|name| name == "string" || name == "null")
            && schema.get("type").is_some()
            && schema::variants(schema).next().is_none();
        if only_text || !string.trim_start().starts_with(['{', '[']) {
            return None;
        }
        let parsed: Value = exact::parse(string).ok()?;
        let mended = self.at(&parsed, schema, true, depth + 1)?;
        check::check(self.schemas, &mended, schema).is_empty().then_some(mended)
    }

    /// One scalar where a list is wanted is a list of one, when that fits.
    fn only_item(&self, value: &Value, schema: &Value) -> Option<Value> {
        let wants_list = schema["type"] == "array" || schema["type"][0] == "array";
        let given = value.is_string() || value.is_number() || value.is_boolean();
        let list = Value::Array(vec![value.clone()]);
        let fits = wants_list && given && check::check(self.schemas, &list, schema).is_empty();
        fits.then_some(list)
    }

    fn array(&mut self, items: Vec<Value>, schema: &Value, depth: usize) -> Value {
        if let Some(members) = entries(&items, schema) {
            return Value::Object(self.object(&members, schema, depth));
        }
        let prefix = schema["prefixItems"].as_array().map_or(&[][..], Vec::as_slice);
        let out = items.into_iter().enumerate().map(|(at, item)| {
            match prefix.get(at).or_else(|| schema.get("items")) {
                // An item cannot be absent: its place counts.
                Some(own) => self.at(&item, own, true, depth + 1).unwrap_or(item),
                None => item,
            }
        });
        Value::Array(out.collect())
    }

    fn object(
        &mut self,
        members: &Map<String, Value>,
        schema: &Value,
        depth: usize,
    ) -> Map<String, Value> {
        let none = Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&none);
        let mut out = Map::new();
        for (key, value) in members {
            let named = properties
                .iter()
                .find(|(wire, own)| schema::argument_key(wire, own) == key)
                .or_else(|| {
                    properties.get_key_value(key).filter(|(wire, own)| {
                        let renamed = schema::argument_key(wire, own);
                        !members.contains_key(renamed)
                    })
                });
            let (wire, own) = match (named, &schema["additionalProperties"]) {
                (Some((wire, own)), _) => (wire, Some(own)),
                (None, rest @ Value::Object(_)) => (key, Some(rest)),
                (None, _) => (key, None),
            };
            let required = schema["required"]
                .as_array()
                .is_some_and(|list| list.iter().any(|one| one == wire));
            let mended = match own {
                Some(own) => self.at(value, own, required, depth + 1),
                None => Some(value.clone()),
            };
            if let Some(mended) = mended {
                out.insert(wire.clone(), mended);
            }
        }
        out
    }

    fn alternatives(
        &mut self,
        value: Value,
        schema: &Value,
        required: bool,
        depth: usize,
    ) -> Value {
        // What fits one of them as it is needs no mending for another.
        let is_scalar = !(value.is_array() || value.is_object());
        let fits = |variant: &Value| check::check(self.schemas, &value, variant).is_empty();
        if is_scalar && schema::variants(schema).any(fits) {
            return value;
        }
        let mut best: Option<(usize, Value)> = None;
        for variant in schema::variants(schema) {
            let Some(mended) = self.at(&value, variant, required, depth + 1) else { continue };
            let faults = check::check(self.schemas, &mended, variant).len();
            if faults == 0 {
                return mended;
            }
            if best.as_ref().is_none_or(|(fewest, _)| faults < *fewest) {
                best = Some((faults, mended));
            }
        }
        best.map_or(value, |(_, mended)| mended)
    }
}

/// Pairs of `key` and `value` where a map is wanted.
fn entries(items: &[Value], schema: &Value) -> Option<Map<String, Value>> {
    let wants_map = schema::names_type(schema, "object") && !schema::names_type(schema, "array");
    if !wants_map {
        return None;
    }
    let mut out = Map::new();
    for item in items {
        let item = item.as_object()?;
        let key = item.get("key").or_else(|| item.get("name"))?.as_str()?;
        out.insert(key.to_owned(), item.get("value")?.clone());
    }
    Some(out)
}

/// A scalar of the wrong type that has exactly one reading.
fn scalar(value: &Value, schema: &Value) -> Option<Value> {
    if schema::types(schema).any(|name| check::is(value, name)) {
        return match value {
            // 5.0 is an integer; it is sent as one.
            Value::Number(number) if number.is_f64() && schema::names_type(schema, "integer") => {
                integral(number)
            }
            _ => None,
        };
    }
    if let (Value::String(string), Some(values)) = (value, schema["enum"].as_array()) {
        let same =
            |one: &&Value| !one.is_string() && style::scalar(one).as_deref() == Some(string.trim());
        if let Some(found) = values.iter().find(same) {
            return Some(found.clone());
        }
    }
    match value {
        Value::String(_) if exact::digits(value).is_some() => {
            let digits = exact::digits(value)?;
            schema::names_type(schema, "string").then(|| Value::from(digits))
        }
        Value::String(string) => schema::types(schema).find_map(|name| read(string.trim(), name)),
        Value::Number(_) | Value::Bool(_) if schema::names_type(schema, "string") => {
            Some(Value::String(value.to_string()))
        }
        Value::Number(number) if schema::names_type(schema, "boolean") => match number.as_i64() {
            Some(0) => Some(Value::Bool(false)),
            Some(1) => Some(Value::Bool(true)),
            _ => None,
        },
        _ => None,
    }
}

fn read(string: &str, name: &str) -> Option<Value> {
    match name {
        "integer" => exact::integer(string).or_else(|| {
            let number = Number::from_f64(string.parse().ok()?)?;
            integral(&number)
        }),
        "number" => exact::number(string)
            .or_else(|| Number::from_f64(string.parse().ok()?).map(Value::Number)),
        "boolean" => match string.to_ascii_lowercase().as_str() {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        "array" => exact::parse(string).ok().filter(Value::is_array),
        "object" => {
            exact::parse(string).ok().filter(|read: &Value| read.is_object() || read.is_array())
        }
        _ => None,
    }
}

/// A float without a fraction, where every such float is exact.
#[allow(clippy::cast_possible_truncation)] // The bound is checked first.
fn integral(number: &Number) -> Option<Value> {
    let float = number.as_f64()?;
    (float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0)
        .then(|| Value::from(float as i64))
}
