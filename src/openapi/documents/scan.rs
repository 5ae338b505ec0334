//! Looks through one document for references to others, and for what can be referred to by name.

use std::collections::{BTreeMap, BTreeSet};

use super::split;
use super::uri::Uri;
use crate::source::{Node, Pointer, Value};

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
    let mut scan = Scan { found: Found::default(), modern, part: !first };
    let mut base = location.clone();
    if let (true, Some(own)) = (modern, root.get("$self").and_then(Node::as_str)) {
        base = location.join(split(own).0);
        scan.found.ids.push((base.clone(), Pointer::default()));
    }
    scan.found.resources.insert(String::new(), base.clone());
    let here = Here { base: &base, resource: "", pointer: &Pointer::default(), ids: true };
    scan.keywords(root, here);
    scan.found
}

struct Scan<'a> {
    found: Found<'a>,
    modern: bool,
    /// Whether the document is a part, whose top may be a map of named things.
    part: bool,
}

/// A place, and what counts there.
#[derive(Clone, Copy)]
struct Here<'h> {
    base: &'h Uri,
    resource: &'h str,
    pointer: &'h Pointer,
    /// Whether names are given here.
    ids: bool,
}

impl<'a> Scan<'a> {
    /// An object whose keys have a meaning, or a list of such. The depth limit of parsing bounds it.
    fn keywords(&mut self, node: &'a Node, here: Here<'_>) {
        let map = match &node.value {
            Value::Object(map) => map,
            Value::Array(items) => {
                for (i, item) in items.iter().enumerate().filter(|(_, n)| holds_more(n)) {
                    self.keywords(item, Here { pointer: &here.pointer.index(i), ..here });
                }
                return;
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return,
        };
        let (mut base, mut resource) = (here.base.clone(), here.resource.to_owned());
        if here.ids
            && let Some(id) = node.get("$id").and_then(Node::as_str)
        {
            self.id(id, here, &mut base, &mut resource);
        }
        let inner = Here { base: &base, resource: &resource, ..here };
        for (key, child) in map {
            match (key.as_str(), &child.value) {
                ("$ref" | "$dynamicRef", Value::String(reference)) => self.place(reference, inner),
                ("$anchor", Value::String(name)) => self.anchor(name, false, inner),
                ("$dynamicAnchor", Value::String(name)) => self.anchor(name, true, inner),
                ("mapping", Value::Object(mapping)) => {
                    for target in mapping.values().filter_map(Node::as_str) {
                        if names_a_file(target) {
                            self.place(target, inner);
                        }
                    }
                }
                ("examples", Value::Object(examples)) => {
                    let places = examples.values().filter_map(|e| e.get("$ref")?.as_str());
                    places.for_each(|reference| self.place(reference, inner));
                }
                (key, Value::Object(_) | Value::Array(_)) => {
                    let top = self.part && here.pointer.as_str().is_empty();
                    let data = DATA.contains(&key);
                    if data && !top {
                        continue;
                    }
                    let pointer = here.pointer.child(key);
                    let ids = here.ids && !data && !PERHAPS.contains(&key);
                    let below = Here { pointer: &pointer, ids, ..inner };
                    if NAMES.contains(&key) && child.as_object().is_some() {
                        self.names(child, below);
                    } else {
                        self.keywords(child, below);
                    }
                }
                (_, Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => {}
            }
        }
    }

    /// An object whose keys are names.
    fn names(&mut self, node: &'a Node, here: Here<'_>) {
        for (key, child) in node.as_object().into_iter().flatten() {
            match &child.value {
                // A reference stands for the whole map; a thing called `$ref` is no text.
                Value::String(reference) if key == "$ref" => self.place(reference, here),
                Value::Object(_) | Value::Array(_) => {
                    self.keywords(child, Here { pointer: &here.pointer.child(key), ..here });
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
    }

    fn id(&mut self, id: &str, here: Here<'_>, base: &mut Uri, resource: &mut String) {
        let (place, fragment) = split(id);
        if place.is_empty() {
            // What is `$anchor` now was written so once.
            self.anchor(fragment.unwrap_or_default(), false, here);
            return;
        }
        let whole = here.base.join(place);
        self.found.ids.push((whole.clone(), here.pointer.clone()));
        // An OpenAPI document itself is named by `$self` only.
        let document = here.pointer.as_str().is_empty() && !self.part;
        if self.modern && !document {
            here.pointer.as_str().clone_into(resource);
            self.found.resources.insert(resource.clone(), whole.clone());
            *base = whole;
        }
    }

    fn anchor(&mut self, name: &str, dynamic: bool, here: Here<'_>) {
        if name.is_empty() || !here.ids {
            return;
        }
        if dynamic {
            self.found.dynamic.push(name.to_owned());
        }
        let named = Named { pointer: here.pointer.clone(), dynamic };
        self.found.anchors.entry((here.resource.to_owned(), name.to_owned())).or_insert(named);
    }

    fn place(&mut self, reference: &'a str, here: Here<'_>) {
        let (place, _) = split(reference);
        if !place.is_empty() {
            self.found.places.insert((here.base.clone(), place));
        }
    }
}

fn holds_more(node: &Node) -> bool {
    matches!(node.value, Value::Object(_) | Value::Array(_))
}

/// Whether a target of `mapping` is a reference to a file, not the name of a schema.
fn names_a_file(target: &str) -> bool {
    let (place, fragment) = split(target);
    let kinds = [".yaml", ".yml", ".json"];
    let file =
        place.contains('/') || fragment.is_some() || kinds.iter().any(|k| place.ends_with(k));
    !place.is_empty() && file
}
