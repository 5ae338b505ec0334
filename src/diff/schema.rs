//! Schemas of arguments: which values are taken before and after.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json};

use super::{At, Kind, Message, Out, kinds};

/// Deepest schema that is looked into; what lies below is compared as a whole.
const DEEPEST: usize = 16;
/// Most values in a message.
const MOST: usize = 8;

/// Keywords that are words about a value.
const WORDS: &[&str] = &["description", "title", "examples", "example", "deprecated"];
/// Keywords whose value is a least number.
const LEAST: &[&str] = &["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
/// Keywords whose value is a greatest number.
const GREATEST: &[&str] =
    &["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
/// Keywords that are compared one by one.
const OTHERS: &[&str] = &["type", "enum", "default", "properties", "required", "items"];

/// The type in words, for messages: `integer`, `array of string`.
pub(super) fn kind_of(schema: &Json) -> Option<String> {
    let kind = known_type(schema.get("type")?.as_str()?)?;
    let items = schema.get("items").and_then(|i| known_type(i.get("type")?.as_str()?));
    Some(match items {
        Some(item) if kind == "array" => format!("array of {item}"),
        _ => kind.to_owned(),
    })
}

const TYPES: &[&str] = &["null", "boolean", "integer", "number", "string", "array", "object"];

fn known_type(name: &str) -> Option<&'static str> {
    TYPES.iter().copied().find(|t| *t == name)
}

/// Compares the schemas of the argument or member `name`.
pub(super) fn compare(out: &mut Out, at: &At, name: &str, old: &Json, new: &Json, depth: usize) {
    if old == new {
        // Equal maps may differ in order, which says nothing.
        return;
    }
    let (Some(a), Some(b)) = (old.as_object(), new.as_object()) else {
        return whole(out, at, name, old, new);
    };
    if depth >= DEEPEST {
        return whole(out, at, name, old, new);
    }
    let said = out.0.len();
    let mut pen = Pen { out, at, name };
    if pen.types(a, b) {
        pen.values(a, b);
        pen.bounds(a, b);
        pen.rest(a, b);
        pen.members(a, b, depth);
        if let (Some(x), Some(y)) = (a.get("items"), b.get("items")) {
            compare(pen.out, at, &format!("{name}[]"), x, y, depth + 1);
        }
    }
    let (x, y) = (a.get("default"), b.get("default"));
    if x != y {
        let show = |value: Option<&Json>| value.map_or("none".to_owned(), Json::to_string);
        let message =
            Message::of("the default of {} is {} now, {} before", &[name, &show(y), &show(x)]);
        pen.say(&kinds::DEFAULT_CHANGED, message).values(&show(x), &show(y));
    }
    let words = |map: &Map<String, Json>| -> BTreeMap<String, Json> {
        let all = WORDS.iter().filter_map(|k| Some(((*k).to_owned(), map.get(*k)?.clone())));
        all.collect()
    };
    let (x, y) = (words(a), words(b));
    if x != y {
        let text = |words: &BTreeMap<String, Json>| match (words.len(), words.get("description")) {
            (1, Some(Json::String(text))) => text.clone(),
            _ => serde_json::to_string(words).unwrap_or_default(),
        };
        let message = Message::of("the words about {} are others", &[name]);
        pen.say(&kinds::ARGUMENT_DESCRIPTION_CHANGED, message).values(&text(&x), &text(&y));
    }
    // Whatever no rule knows is a difference still.
    if out.0.len() == said && bare(a) != bare(b) {
        whole(out, at, name, old, new);
    }
}

/// A schema without members that say nothing.
fn bare(map: &Map<String, Json>) -> Vec<(&String, &Json)> {
    let empty = |value: &Json| match value {
        Json::Object(map) => map.is_empty(),
        Json::Array(list) => list.is_empty(),
        _ => false,
    };
    let says = |key: &str, value: &Json| !matches!(key, "properties" | "required") || !empty(value);
    let mut all: Vec<_> = map.iter().filter(|(k, v)| says(k, v)).collect();
    all.sort_by_key(|(key, _)| *key);
    all
}

/// Schemas that cannot be compared part by part.
fn whole(out: &mut Out, at: &At, name: &str, old: &Json, new: &Json) {
    out.add(at, &kinds::SCHEMA_CHANGED, Message::of("the schema of {} is another one", &[name]))
        .argument(name)
        .values(&old.to_string(), &new.to_string());
}

/// What writes about one argument.
struct Pen<'a> {
    out: &'a mut Out,
    at: &'a At,
    name: &'a str,
}

impl Pen<'_> {
    fn say(&mut self, kind: &'static Kind, message: Message) -> &mut super::Change {
        let change = self.out.add(self.at, kind, message);
        change.argument(self.name);
        change
    }

    /// Whether the types have anything in common, so that the rest can be compared.
    fn types(&mut self, old: &Map<String, Json>, new: &Map<String, Json>) -> bool {
        let (a, b) = (types(old), types(new));
        if a == b {
            return true;
        }
        let show = |map: &Map<String, Json>| match map.get("type") {
            None => "any".to_owned(),
            Some(Json::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        let (was, is) = (show(old), show(new));
        let kind = if a.is_subset(&b) {
            &kinds::TYPE_WIDENED
        } else if b.is_subset(&a) {
            &kinds::TYPE_NARROWED
        } else {
            &kinds::TYPE_CHANGED
        };
        let message = Message::of("{} is of type {} now, {} before", &[self.name, &is, &was]);
        self.say(kind, message).values(&was, &is);
        *kind != kinds::TYPE_CHANGED
    }

    /// Lists of allowed values.
    fn values(&mut self, old: &Map<String, Json>, new: &Map<String, Json>) {
        let list = |map: &Map<String, Json>| -> Option<Vec<String>> {
            Some(map.get("enum")?.as_array()?.iter().map(show).collect())
        };
        let (a, b) = match (list(old), list(new)) {
            (None, None) => return,
            (None, Some(b)) => {
                let mut message = Message::of("{} takes only ", &[self.name]);
                message.list(b.iter().map(String::as_str), MOST);
                self.say(&kinds::ENUM_CLOSED, message);
                return;
            }
            (Some(a), None) => {
                let mut message = Message::of("{} takes any value, before only ", &[self.name]);
                message.list(a.iter().map(String::as_str), MOST);
                self.say(&kinds::ENUM_OPENED, message);
                return;
            }
            (Some(a), Some(b)) => (a, b),
        };
        let without = |list: &[String], other: &[String]| -> Vec<String> {
            list.iter().filter(|v| !other.contains(v)).cloned().collect()
        };
        let (gone, come) = (without(&a, &b), without(&b, &a));
        for (list, kind, words) in [
            (&gone, &kinds::ENUM_VALUES_REMOVED, "{} no longer takes "),
            (&come, &kinds::ENUM_VALUES_ADDED, "{} also takes "),
        ] {
            if !list.is_empty() {
                let mut message = Message::of(words, &[self.name]);
                message.list(list.iter().map(String::as_str), MOST);
                self.say(kind, message).values(&a.join(", "), &b.join(", "));
            }
        }
        if gone.is_empty() && come.is_empty() && a != b {
            let message = Message::of("the values of {} stand in another order", &[self.name]);
            self.say(&kinds::ORDER_CHANGED, message).values(&a.join(", "), &b.join(", "));
        }
    }

    fn bounds(&mut self, old: &Map<String, Json>, new: &Map<String, Json>) {
        let mut tighter = Vec::new();
        let mut wider = Vec::new();
        for (list, least) in [(LEAST, true), (GREATEST, false)] {
            for key in list {
                let (a, b) = (old.get(*key), new.get(*key));
                if a == b {
                    continue;
                }
                let tight = match (number(a), number(b)) {
                    // Too near each other, or no numbers: that the schemas differ is said below.
                    (Some(a), Some(b)) if a.total_cmp(&b).is_eq() => continue,
                    (Some(a), Some(b)) => (b > a) == least,
                    (None, Some(_)) if a.is_none() => true,
                    (Some(_), None) if b.is_none() => false,
                    (None, _) | (_, None) => continue,
                };
                (if tight { &mut tighter } else { &mut wider }).push(*key);
            }
        }
        for (keys, kind) in [(tighter, &kinds::BOUNDS_NARROWED), (wider, &kinds::BOUNDS_WIDENED)] {
            if keys.is_empty() {
                continue;
            }
            let part = |map: &Map<String, Json>| {
                let all = keys.iter().filter_map(|k| Some(format!("{k} {}", map.get(*k)?)));
                let text = all.collect::<Vec<_>>().join(", ");
                if text.is_empty() { "unbounded".to_owned() } else { text }
            };
            let (was, is) = (part(old), part(new));
            let message = Message::of("{}: {} now, {} before", &[self.name, &is, &was]);
            self.say(kind, message).values(&was, &is);
        }
    }

    /// Keywords of which only equality can be said.
    fn rest(&mut self, old: &Map<String, Json>, new: &Map<String, Json>) {
        let compared = |key: &str| {
            WORDS.contains(&key)
                || OTHERS.contains(&key)
                || LEAST.contains(&key)
                || GREATEST.contains(&key)
        };
        let mut keys: BTreeSet<&str> = old
            .keys()
            .chain(new.keys())
            .map(String::as_str)
            .filter(|k| !compared(k) && old.get(*k) != new.get(*k))
            .collect();
        // Items of one side only: any item was or is taken.
        if old.contains_key("items") != new.contains_key("items") {
            keys.insert("items");
        }
        if keys.is_empty() {
            return;
        }
        let part = |map: &Map<String, Json>| {
            let all = keys.iter().filter_map(|k| Some(format!("{k} {}", map.get(*k)?)));
            all.collect::<Vec<_>>().join(", ")
        };
        let mut message = Message::of("{} differs in ", &[self.name]);
        message.list(keys.iter().copied(), MOST);
        self.say(&kinds::SCHEMA_CHANGED, message).values(&part(old), &part(new));
    }

    /// Members of an object, which are like arguments.
    fn members(&mut self, old: &Map<String, Json>, new: &Map<String, Json>, depth: usize) {
        let (a, b) = (members(old), members(new));
        let names: BTreeSet<&str> = a.keys().chain(b.keys()).copied().collect();
        for key in names {
            let name = format!("{}.{key}", self.name);
            let (kind, message) = match (a.get(key), b.get(key)) {
                (Some((x, was)), Some((y, is))) => {
                    if let (Some(x), Some(y)) = (x, y) {
                        compare(self.out, self.at, &name, x, y, depth + 1);
                    } else if x.is_some() != y.is_some() {
                        let null = Json::Null;
                        whole(self.out, self.at, &name, x.unwrap_or(&null), y.unwrap_or(&null));
                    }
                    match (was, is) {
                        (true, true) | (false, false) => continue,
                        (false, true) => (
                            &kinds::ARGUMENT_REQUIRED,
                            Message::of("{} must now be given", &[&name]),
                        ),
                        (true, false) => (
                            &kinds::ARGUMENT_OPTIONAL,
                            Message::of("{} need no longer be given", &[&name]),
                        ),
                    }
                }
                (Some((_, true)), None) => {
                    (&kinds::REQUIRED_ARGUMENT_REMOVED, Message::of("{}", &[&name]))
                }
                (Some((_, false)), None) => (&kinds::ARGUMENT_REMOVED, Message::of("{}", &[&name])),
                (None, Some((_, true))) => {
                    (&kinds::REQUIRED_ARGUMENT_ADDED, Message::of("{}", &[&name]))
                }
                (None, Some((_, false))) => (&kinds::ARGUMENT_ADDED, Message::of("{}", &[&name])),
                (None, None) => continue,
            };
            self.out.add(self.at, kind, message).argument(&name);
        }
    }
}

/// Members by name: schema, and whether it must be there. One may be required without a schema.
fn members(map: &Map<String, Json>) -> BTreeMap<&str, (Option<&Json>, bool)> {
    let mut all = BTreeMap::new();
    for (key, schema) in map.get("properties").and_then(Json::as_object).into_iter().flatten() {
        all.insert(key.as_str(), (Some(schema), false));
    }
    for key in map.get("required").and_then(Json::as_array).into_iter().flatten() {
        if let Some(key) = key.as_str() {
            all.entry(key).or_insert((None, false)).1 = true;
        }
    }
    all
}

/// The types of values that are taken; a number may be an integer.
fn types(map: &Map<String, Json>) -> BTreeSet<String> {
    let mut types: BTreeSet<String> = match map.get("type") {
        Some(Json::String(one)) => BTreeSet::from([one.clone()]),
        Some(Json::Array(many)) => {
            many.iter().filter_map(Json::as_str).map(str::to_owned).collect()
        }
        _ => TYPES.iter().map(|t| (*t).to_owned()).collect(),
    };
    if types.contains("number") {
        types.insert("integer".to_owned());
    }
    types
}

fn show(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn number(value: Option<&Json>) -> Option<f64> {
    value.and_then(Json::as_f64)
}
