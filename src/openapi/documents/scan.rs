//! Looks through one document for references to others, and for what can be referred to by name.

use std::collections::{BTreeMap, BTreeSet};

use super::split;
use super::uri::Uri;
use crate::source::{Map, Node, Pointer, Value};

/// Keys under which members have names of the author's choosing.
const NAMES: &[&str] = &[
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
    "dependencies",
    "paths",
    "webhooks",
    "schemas",
    "responses",
    "parameters",
    "requestBodies",
    "headers",
    "securitySchemes",
    "securityDefinitions",
    "links",
    "callbacks",
    "pathItems",
    "mediaTypes",
    "content",
    "encoding",
    "additionalOperations",
];

/// Keys of values in which nothing has a meaning.
const DATA: &[&str] = &["example", "examples", "x-example", "enum", "const"];

/// Keys of values that may be named parts in a file of its own, or data: what looks like an id is
/// none, but a file that is referred to is read.
const PERHAPS: &[&str] = &["default", "value", "dataValue"];

/// What a name stands for.
#[derive(Debug)]
pub(super) struct Named {
    /// The place.
    pub pointer: Pointer,
    /// Whether `$dynamicAnchor` gives the name.
    pub dynamic: bool,
}

/// What was found in one document.
#[derive(Default)]
pub(super) struct Found<'a> {
    /// Names under which references stand, and the parts of these before `#`.
    pub places: BTreeSet<(Uri, &'a str)>,
    /// Each `$id` and `$self`.
    pub ids: Vec<(Uri, Pointer)>,
    /// Parts of the document in which references start from another name than that of the document.
    pub resources: BTreeMap<String, Uri>,
    /// Resource and name → place; the first of a name counts.
    pub anchors: BTreeMap<(String, String), Named>,
    /// Each `$dynamicAnchor`.
    pub dynamic: Vec<String>,
}

/// Looks through `root`, which is at `location`. Before OpenAPI 3.1 (`modern`) an `$id` is a name,
/// but references below it do not start from there.
pub(super) fn scan<'a>(root: &'a Node, location: &Uri, first: bool, modern: bool) -> Found<'a> {
    let mut scan = Scan { found: Found::default(), trail: Vec::new(), modern, part: !first };
    let mut base = location.clone();
    if let (true, Some(own)) = (modern, root.get("$self").and_then(Node::as_str)) {
        base = location.join(split(own).0);
        scan.found.ids.push((base.clone(), Pointer::default()));
    }
    scan.found.resources.insert(String::new(), base.clone());
    scan.keywords(root, Here { base: &base, resource: "", ids: true });
    scan.found
}

struct Scan<'a> {
    found: Found<'a>,
    /// The way to the place that is looked at.
    trail: Vec<Step<'a>>,
    modern: bool,
    /// Whether the document is a part, whose top may be a map of named things.
    part: bool,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// What counts at a place.
#[derive(Clone, Copy)]
struct Here<'h> {
    base: &'h Uri,
    resource: &'h str,
    /// Whether names are given here.
    ids: bool,
}

impl<'a> Scan<'a> {
    fn pointer(&self) -> Pointer {
        self.trail.iter().fold(Pointer::default(), |pointer, step| match step {
            Step::Key(key) => pointer.child(key),
            Step::Index(index) => pointer.index(*index),
        })
    }

    /// An object whose keys have a meaning, or a list of such. The depth limit of parsing bounds it.
    fn keywords(&mut self, node: &'a Node, here: Here<'_>) {
        let map = match &node.value {
            Value::Object(map) => map,
            Value::Array(items) => {
                for (i, item) in items.iter().enumerate() {
                    if matches!(item.value, Value::Object(_) | Value::Array(_)) {
                        self.trail.push(Step::Index(i));
                        self.keywords(item, here);
                        self.trail.pop();
                    }
                }
                return;
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return,
        };
        let id = map.get("$id").and_then(Node::as_str).filter(|_| here.ids);
        let own = id.and_then(|id| self.id(id, here));
        let here = match &own {
            Some((base, resource)) => Here { base, resource: resource.as_str(), ..here },
            None => here,
        };
        let top = self.part && self.trail.is_empty();
        for (key, child) in map {
            match (key.as_str(), &child.value) {
                ("$ref" | "$dynamicRef", Value::String(reference)) => self.place(reference, here),
                ("$anchor", Value::String(name)) => self.anchor(name, false, here),
                ("$dynamicAnchor", Value::String(name)) => self.anchor(name, true, here),
                ("mapping", Value::Object(mapping)) => {
                    let targets = mapping.values().filter_map(Node::as_str);
                    for target in targets.filter(|target| names_a_file(target)) {
                        self.place(target, here);
                    }
                }
                ("examples", Value::Object(examples)) => {
                    let places = examples.values().filter_map(|e| e.get("$ref")?.as_str());
                    places.for_each(|reference| self.place(reference, here));
                }
                (key, Value::Object(_) | Value::Array(_)) => {
                    let data = DATA.contains(&key);
                    if data && !top {
                        continue;
                    }
                    let ids = here.ids && !data && !PERHAPS.contains(&key);
                    self.trail.push(Step::Key(key));
                    match child.as_object() {
                        Some(map) if NAMES.contains(&key) => self.names(map, Here { ids, ..here }),
                        _ => self.keywords(child, Here { ids, ..here }),
                    }
                    self.trail.pop();
                }
                (_, Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => {}
            }
        }
    }

    /// An object whose keys are names.
    fn names(&mut self, map: &'a Map, here: Here<'_>) {
        for (key, child) in map {
            match &child.value {
                // A reference stands for the whole map; a thing called `$ref` is no text.
                Value::String(reference) if key == "$ref" => self.place(reference, here),
                Value::Object(_) | Value::Array(_) => {
                    self.trail.push(Step::Key(key));
                    self.keywords(child, here);
                    self.trail.pop();
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
    }

    /// Notes an `$id`; the name and the place that references below start from, where they do.
    fn id(&mut self, id: &str, here: Here<'_>) -> Option<(Uri, String)> {
        let (place, fragment) = split(id);
        if place.is_empty() {
            // What is `$anchor` now was written so once.
            self.anchor(fragment.unwrap_or_default(), false, here);
            return None;
        }
        let (whole, pointer) = (here.base.join(place), self.pointer());
        self.found.ids.push((whole.clone(), pointer.clone()));
        // An OpenAPI document itself is named by `$self` only.
        if !self.modern || (self.trail.is_empty() && !self.part) {
            return None;
        }
        let resource = pointer.as_str().to_owned();
        self.found.resources.insert(resource.clone(), whole.clone());
        Some((whole, resource))
    }

    fn anchor(&mut self, name: &str, dynamic: bool, here: Here<'_>) {
        if name.is_empty() || !here.ids {
            return;
        }
        if dynamic {
            self.found.dynamic.push(name.to_owned());
        }
        let named = Named { pointer: self.pointer(), dynamic };
        self.found.anchors.entry((here.resource.to_owned(), name.to_owned())).or_insert(named);
    }

    fn place(&mut self, reference: &'a str, here: Here<'_>) {
        let (place, _) = split(reference);
        if !place.is_empty() {
            self.found.places.insert((here.base.clone(), place));
        }
    }
}

/// Whether a target of `mapping` is a reference to a file, not the name of a schema.
fn names_a_file(target: &str) -> bool {
    let (place, fragment) = split(target);
    let kinds = [".yaml", ".yml", ".json"];
    let file =
        place.contains('/') || fragment.is_some() || kinds.iter().any(|k| place.ends_with(k));
    !place.is_empty() && file
}
