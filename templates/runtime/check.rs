//! The exact check of a value against its schema. Every fault is found, none is sent.

use super::exact;
use super::schema::{self, DEPTH, Schemas};
use super::text;
use serde_json::{Map, Value};
use std::cmp::Ordering;
use std::fmt::Write as _;

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A member: its key on the wire, and its name on the side of the arguments.
    Key(String, String),
    /// An item.
    Index(usize),
}

/// What is wrong with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub path: Vec<Step>,
    /// What must hold.
    pub message: String,
}

/// Bounds the work on hostile combinations of alternatives.
const WORK: usize = 20_000;

/// All faults of a value.
pub fn check(schemas: &Schemas, value: &Value, schema: &Value) -> Vec<Fault> {
    let mut checker = Checker { schemas, path: Vec::new(), faults: Vec::new(), work: 0 };
    checker.value(value, schema);
    checker.faults
}

/// A keyword, its words, and whether an order of value and limit fits.
type Limit = (&'static str, &'static str, fn(Ordering) -> bool);

struct Checker<'a> {
    schemas: &'a Schemas,
    path: Vec<Step>,
    faults: Vec<Fault>,
    work: usize,
}

impl Checker<'_> {
    fn fault(&mut self, message: impl Into<String>) {
        self.faults.push(Fault { path: self.path.clone(), message: message.into() });
    }

    fn value(&mut self, value: &Value, schema: &Value) {
        self.work += 1;
        if self.path.len() > DEPTH || self.work > WORK {
            self.fault("is nested too deeply");
            return;
        }
        if schema == &Value::Bool(false) {
            self.fault("must not be given");
            return;
        }
        let schema = self.schemas.resolve(schema);
        let before = self.faults.len();
        self.kind(value, schema);
        if self.faults.len() > before {
            return;
        }
        if let Some(values) = schema["enum"].as_array()
            && !values.iter().any(|allowed| same(allowed, value))
        {
            if values.is_empty() {
                self.fault("must not be given");
            } else {
                self.fault(format!("must be one of {}; got {}", shown_list(values), shown(value)));
            }
            return;
        }
        if let Some(constant) = schema.get("const")
            && !same(constant, value)
        {
            self.fault(format!("must be {}; got {}", shown(constant), shown(value)));
        }
        match value {
            Value::Number(_) => self.number(value, schema),
            Value::String(_) if exact::digits(value).is_some() => self.number(value, schema),
            Value::String(string) => self.string(string, schema),
            Value::Array(items) => self.array(items, schema),
            Value::Object(members) => self.object(members, schema),
            Value::Null | Value::Bool(_) => {}
        }
        self.alternatives(value, schema);
    }

    fn kind(&mut self, value: &Value, schema: &Value) {
        let mut types = schema::types(schema).peekable();
        if types.peek().is_none() || types.any(|name| is(value, name)) {
            return;
        }
        let wanted: Vec<&str> = schema::types(schema).collect();
        self.fault(format!("must be {}; got {}", wanted.join(" or "), shown(value)));
    }

    fn number(&mut self, number: &Value, schema: &Value) {
        let limits: [Limit; 4] = [
            ("minimum", "at least", Ordering::is_ge),
            ("maximum", "at most", Ordering::is_le),
            ("exclusiveMinimum", "more than", Ordering::is_gt),
            ("exclusiveMaximum", "less than", Ordering::is_lt),
        ];
        for (word, phrase, holds) in limits {
            let limit = &schema[word];
            if is(limit, "number") && !exact::order(number, limit).is_some_and(holds) {
                let limit = shown(limit);
                self.fault(format!("must be {phrase} {limit}; got {}", shown(number)));
            }
        }
        let step = &schema["multipleOf"];
        if is(step, "number") && !is_multiple(number, step) {
            let step = shown(step);
            self.fault(format!("must be a multiple of {step}; got {}", shown(number)));
        }
    }

    fn string(&mut self, string: &str, schema: &Value) {
        // The length of a file is that of its bytes, which came encoded.
        if schema["format"] == "binary" {
            return;
        }
        let count = string.chars().count();
        self.count(count, schema, "minLength", "maxLength", "character");
    }

    fn count(&mut self, count: usize, schema: &Value, least: &str, most: &str, unit: &str) {
        let count = count as u64;
        if let Some(limit) = schema[least].as_u64().filter(|limit| count < *limit) {
            self.fault(format!("must have at least {limit} {unit}{}; has {count}", plural(limit)));
        }
        if let Some(limit) = schema[most].as_u64().filter(|limit| count > *limit) {
            self.fault(format!("must have at most {limit} {unit}{}; has {count}", plural(limit)));
        }
    }

    fn array(&mut self, items: &[Value], schema: &Value) {
        self.count(items.len(), schema, "minItems", "maxItems", "item");
        if schema["uniqueItems"] == Value::Bool(true) {
            let twice = items.iter().enumerate().find(|(at, item)| {
                self.work += at;
                self.work < WORK && items[..*at].iter().any(|other| same(other, item))
            });
            if let Some((_, item)) = twice {
                self.fault(format!("must not repeat items; {} is there twice", shown(item)));
            }
        }
        let prefix = schema["prefixItems"].as_array().map_or(&[][..], Vec::as_slice);
        for (at, item) in items.iter().enumerate() {
            if let Some(own) = prefix.get(at).or_else(|| schema.get("items")) {
                self.path.push(Step::Index(at));
                self.value(item, own);
                self.path.pop();
            }
        }
    }

    fn object(&mut self, members: &Map<String, Value>, schema: &Value) {
        self.count(members.len(), schema, "minProperties", "maxProperties", "member");
        let none = Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&none);
        for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !members.contains_key(key) {
                self.path.push(step(key, properties));
                self.fault("is missing");
                self.path.pop();
            }
        }
        for (key, value) in members {
            self.path.push(step(key, properties));
            match (properties.get(key), schema.get("additionalProperties")) {
                (Some(own), _) => self.value(value, own),
                (None, Some(Value::Bool(false))) if schema.get("patternProperties").is_none() => {
                    let known =
                        properties.iter().map(|(wire, own)| schema::argument_key(wire, own));
                    let meant = text::nearest(key, known.clone());
                    let guess = meant.map_or_else(
                        || ".".to_owned(),
                        |meant| format!("; did you mean `{meant}`?"),
                    );
                    let message = format!("is not known here{guess} Known: {}", text::names(known));
                    self.fault(message);
                }
                (None, Some(rest)) if rest.is_object() => self.value(value, rest),
                (None, _) => {}
            }
            self.path.pop();
        }
    }

    fn alternatives(&mut self, value: &Value, schema: &Value) {
        for word in ["anyOf", "oneOf"] {
            let Some(variants) = schema[word].as_array().filter(|list| !list.is_empty()) else {
                continue;
            };
            let mut best: Option<(usize, Vec<Fault>)> = None;
            let mut fits = false;
            for (at, variant) in variants.iter().enumerate() {
                let mut inner = Checker {
                    schemas: self.schemas,
                    path: self.path.clone(),
                    faults: Vec::new(),
                    work: self.work,
                };
                inner.value(value, variant);
                self.work = inner.work;
                if inner.faults.is_empty() {
                    fits = true;
                    break;
                }
                let far = (other_kind(self.schemas, value, variant), closeness(&inner.faults));
                let nearer = |(at, faults): &(usize, Vec<Fault>)| {
                    far < (other_kind(self.schemas, value, &variants[*at]), closeness(faults))
                };
                if best.as_ref().is_none_or(nearer) {
                    best = Some((at, inner.faults));
                }
            }
            if !fits && let Some((at, mut faults)) = best {
                // Which one is meant must be said once; the other faults are its own.
                if variants.len() > 1
                    && let Some(first) = faults.first_mut()
                {
                    let label = label(self.schemas, &variants[at], at);
                    let _ = write!(
                        first.message,
                        " (nearest of {} alternatives: {label})",
                        variants.len()
                    );
                }
                self.faults.extend(faults);
            }
        }
    }
}

/// Whether a member that tells variants apart, having one value only, says that another is meant.
fn other_kind(schemas: &Schemas, value: &Value, variant: &Value) -> bool {
    let tells = |(key, only): (String, Value)| value.get(&key).is_some_and(|own| !same(own, &only));
    constants(schemas, variant).into_iter().any(tells)
}

/// The members of a variant that can have one value only.
fn constants(schemas: &Schemas, variant: &Value) -> Vec<(String, Value)> {
    let properties = schemas.resolve(variant)["properties"].as_object();
    let only = |(key, own): (&String, &Value)| {
        let own = schemas.resolve(own);
        let value = match own["enum"].as_array().map(Vec::as_slice) {
            Some([only]) => Some(only),
            _ => own.get("const"),
        };
        Some((key.clone(), value?.clone()))
    };
    properties.into_iter().flatten().filter_map(only).collect()
}

/// What a variant is called: by the value that tells it apart, its title, its name, its members.
fn label(schemas: &Schemas, variant: &Value, at: usize) -> String {
    if let Some((key, value)) = constants(schemas, variant).first() {
        return format!("`{key}` {}", shown(value));
    }
    let own = schemas.resolve(variant);
    let title = own["title"].as_str().or_else(|| variant["$ref"].as_str()?.rsplit('/').next());
    if let Some(title) = title {
        return format!("`{}`", text::cut(&text::clean(title), 60));
    }
    let required: Vec<&str> =
        own["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    match (required.as_slice(), schema::types(own).next()) {
        ([], Some(kind)) => kind.to_owned(),
        ([], None) => format!("number {}", at + 1),
        (names, _) => format!("the one with {}", text::names(names.iter().take(4).copied())),
    }
}

/// A wrong type says that the variant was not meant; fewer faults further in are closer.
fn closeness(faults: &[Fault]) -> (bool, usize) {
    let depth = faults.iter().map(|fault| fault.path.len()).max().unwrap_or(0);
    let wrong_kind =
        faults.iter().any(|f| f.path.len() < depth.max(1) && f.message.starts_with("must be"));
    (wrong_kind, faults.len())
}

fn step(key: &str, properties: &Map<String, Value>) -> Step {
    let shown = properties.get(key).map_or(key, |own| schema::argument_key(key, own));
    Step::Key(key.to_owned(), shown.to_owned())
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Whether a value is of a JSON Schema type.
pub fn is(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string() && exact::digits(value).is_none(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number() || exact::digits(value).is_some(),
        "integer" => match value {
            Value::Number(number) => {
                number.is_i64()
                    || number.is_u64()
                    // A double this large has lost digits: another number would be sent.
                    || number
                        .as_f64()
                        .is_some_and(|float| float.fract() == 0.0 && float.abs() < EXACT)
            }
            _ => exact::digits(value)
                .is_some_and(|text| text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit())),
        },
        _ => true,
    }
}

/// Doubles below this are exact integers: 2^53.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Equality as JSON Schema sees it: `1` and `1.0` are the same.
pub fn same(left: &Value, right: &Value) -> bool {
    match exact::order(left, right) {
        Some(order) => order == Ordering::Equal,
        None => left == right,
    }
}

fn is_multiple(number: &Value, step: &Value) -> bool {
    if let (Some(a), Some(b)) = (exact::whole(number), exact::whole(step)) {
        return b == 0 || a % b == 0;
    }
    let (Some(a), Some(b)) = (exact::float(number), exact::float(step)) else { return true };
    // 19.99 is a multiple of 0.01 for people, though not for binary fractions.
    let times = a / b;
    b == 0.0 || (times - times.round()).abs() < 1e-6
}

/// A value as it is shown in a message.
pub fn shown(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("an array of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
        other => text::cut(&text::clean(&exact::json(other)), 60),
    }
}

fn shown_list(values: &[Value]) -> String {
    let mut out: Vec<String> = values.iter().take(40).map(shown).collect();
    if values.len() > 40 {
        out.push(format!("… ({} in all)", values.len()));
    }
    out.join(", ")
}

/// A path as the caller knows it.
pub fn shown_path(path: &[Step]) -> String {
    let mut out = String::new();
    for step in path {
        match step {
            Step::Key(_, name) if out.is_empty() => out.push_str(name),
            Step::Key(_, name) => {
                let _ = write!(out, ".{name}");
            }
            Step::Index(at) => {
                let _ = write!(out, "[{at}]");
            }
        }
    }
    text::cut(&text::clean(&out), 120)
}
