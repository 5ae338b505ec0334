//! Tags, and what `x-mcp` says.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::detect::Version;
use super::fields::Known;
use super::lower::{Lowerer, Spot};
use crate::diagnostic::{nearest, reading};
use crate::ir::{Hints, Operation, Tag};
use crate::source::{Node, Pointer, Value};

/// What `x-mcp` stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    Operation,
    Path,
    Tag,
    Parameter,
}

impl Holder {
    fn name(self) -> &'static str {
        match self {
            Self::Operation => "an operation",
            Self::Path => "a path",
            Self::Tag => "a tag",
            Self::Parameter => "a parameter",
        }
    }

    fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Operation | Self::Path => KEYS,
            Self::Tag => &["skip", "group", "posture"],
            Self::Parameter => &["name", "argument"],
        }
    }
}

const KEYS: &[&str] = &["name", "title", "description", "skip", "group", "posture"];
const POSTURES: &[&str] = &["primary", "secondary", "catalog"];
/// Values of documents, in which anything may stand.
const DATA: &[&str] = &["example", "examples", "default", "enum", "const", "x-example"];

impl<'a> Lowerer<'a, '_> {
    /// What `x-mcp` of `spot` says. `false` in its place means `skip`.
    pub(super) fn hints(&mut self, spot: &Spot<'a>, holder: Holder) -> Hints {
        let Some(place) = spot.get("x-mcp") else { return Hints::default() };
        let place = match self.resolve(&place) {
            Some(found) if place.reference().is_some() => found,
            Some(_) => place,
            None => return Hints::default(),
        };
        if let (Some(wanted), true) = (place.node.as_bool(), holder.keys().contains(&"skip")) {
            return Hints { skip: !wanted, ..Hints::default() };
        }
        if place.node.as_object().is_none() {
            self.unexpected(&place, "x-mcp", "an object");
            return Hints::default();
        }
        let keys = holder.keys();
        for (key, child) in place.members() {
            if keys.contains(&key) {
                continue;
            }
            let message = if KEYS.contains(&key) || key == "argument" {
                format!("`{key}` has no effect in `x-mcp` of {}", holder.name())
            } else {
                format!("`x-mcp` knows no `{key}`")
            };
            let help = match nearest(key, keys) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("on {} it knows {}", holder.name(), quoted(keys)),
            };
            self.report(&reading::UNKNOWN_HINT, &child, message).help(help);
        }
        let posture = self.hint_text(&place, "posture", keys).filter(|word| {
            let known = POSTURES.contains(&word.as_str());
            if !known {
                let at = place.get("posture").unwrap_or_else(|| place.clone());
                let help = match nearest(word, POSTURES) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "a posture is `primary`, `secondary` or `catalog`".to_owned(),
                };
                self.report(&reading::UNKNOWN_HINT, &at, format!("`{word}` is no posture"))
                    .help(help);
            }
            known
        });
        Hints {
            name: self.hint_text(&place, "name", keys),
            title: self.hint_text(&place, "title", keys),
            description: self.hint_text(&place, "description", keys),
            skip: keys.contains(&"skip") && self.flag(&place, "skip").unwrap_or(false),
            group: self.hint_text(&place, "group", keys),
            posture,
            argument: keys.contains(&"argument") && self.flag(&place, "argument").unwrap_or(false),
        }
    }

    /// A hint that is text. Unlike elsewhere a number is none: a person wrote this for us.
    fn hint_text(&mut self, place: &Spot<'a>, key: &str, keys: &[&str]) -> Option<String> {
        let child = place.get(key).filter(|_| keys.contains(&key))?;
        match child.node.as_str() {
            Some(text) if !text.trim().is_empty() => Some(text.to_owned()),
            Some(_) => {
                let message = format!("`{key}` in `x-mcp` is empty and has no effect");
                self.report(&reading::UNKNOWN_HINT, &child, message);
                None
            }
            None => {
                self.unexpected(&child, key, "text");
                None
            }
        }
    }

    /// Reports `x-mcp` where nobody looks at it.
    pub(super) fn misplaced_hints(&mut self) {
        for document in 0..self.documents.list.len() {
            let root = Spot {
                node: &self.documents.list[document].root,
                document,
                pointer: Pointer::default(),
            };
            self.misplaced_below(&root);
        }
    }

    /// The depth limit of parsing bounds it.
    fn misplaced_below(&mut self, spot: &Spot<'a>) {
        for item in spot.items() {
            self.misplaced_below(&item);
        }
        // In a map of names an `x-mcp` is somebody's property or schema.
        let names = ["properties", "patternProperties", "$defs", "definitions", "schemas"];
        let of_names =
            spot.pointer.steps().last().is_some_and(|step| names.contains(&step.as_str()));
        for (key, child) in spot.members() {
            if key == "x-mcp" && !of_names {
                if !meaningful(self.version, &child.pointer, child.document) {
                    self.report(
                        &reading::UNKNOWN_HINT,
                        &child,
                        "`x-mcp` has no effect at this place",
                    )
                    .help("it is read on operations, paths, tags and parameters");
                }
            } else if !DATA.contains(&key)
                && matches!(child.node.value, Value::Object(_) | Value::Array(_))
            {
                self.misplaced_below(&child);
            }
        }
    }

    /// Names of tags that are declared to be no headings (3.2 `kind`): badges, audiences.
    pub(super) fn marks(&self) -> HashSet<String> {
        let Some(list) = self.root().get("tags") else { return HashSet::new() };
        let mark = |tag: &Spot<'a>| {
            let kind = tag.node.get("kind").and_then(Node::as_str);
            let name = tag.node.get("name").and_then(Node::as_str);
            name.filter(|_| kind.is_some_and(|k| k != "nav")).map(str::to_owned)
        };
        list.items().iter().filter_map(mark).collect()
    }

    /// Declared tags, then those that only operations name.
    pub(super) fn tags(&mut self, operations: &[Operation]) -> Vec<Tag> {
        let mut tags: IndexMap<String, Tag> = IndexMap::new();
        let root = self.root();
        if let Some(list) = self.list(&root, "tags") {
            for spot in list.items() {
                let Some(tag) = self.tag(&spot) else { continue };
                if tags.contains_key(&tag.name) {
                    let message = format!("tag `{}` is declared twice; the first counts", tag.name);
                    self.report(&reading::DUPLICATE_TAG, &spot, message);
                    continue;
                }
                tags.insert(tag.name.clone(), tag);
            }
        }
        self.check_parents(&tags);
        for name in operations.iter().flat_map(|o| &o.tags) {
            if !tags.contains_key(name) {
                tags.insert(name.clone(), Tag { name: name.clone(), ..Tag::default() });
            }
        }
        tags.into_values().collect()
    }

    /// A parent of a tag is declared, and no tag is above itself (3.2 "Tag Object").
    fn check_parents(&mut self, tags: &IndexMap<String, Tag>) {
        let Some(list) = self.root().get("tags") else { return };
        for spot in list.items() {
            let Some(name) = spot.node.get("name").and_then(Node::as_str) else { continue };
            let parent = |name: &str| tags.get(name).and_then(|tag| tag.parent.clone());
            let Some(first) = parent(name) else { continue };
            let place = spot.get("parent").unwrap_or_else(|| spot.clone());
            if !tags.contains_key(&first) {
                let message = format!("tag `{first}`, the parent of `{name}`, is not declared");
                self.report(&reading::ODD_DECLARATION, &place, message);
                continue;
            }
            let mut above = Some(first);
            for _ in 0..tags.len() {
                above = above.and_then(|tag| parent(&tag));
                if above.as_deref() == Some(name) {
                    let message = format!("tag `{name}` is above itself");
                    self.report(&reading::ODD_DECLARATION, &place, message);
                    break;
                }
            }
        }
    }

    fn tag(&mut self, spot: &Spot<'a>) -> Option<Tag> {
        self.known_fields(spot, Known::Tag);
        // A description kept in another file is no text yet, which the typed reading cannot know.
        let elsewhere = spot.get("description").is_some_and(|d| d.reference().is_some());
        let typed = if elsewhere { None } else { self.typed::<openapiv3::Tag>(spot, "this tag") };
        let (name, description) = match typed {
            Some(tag) => (tag.name, tag.description),
            None => match spot.node.as_str() {
                Some(name) => (name.to_owned(), None),
                None => (self.text(spot, "name")?, self.text(spot, "description")),
            },
        };
        let summary = self.text(spot, "summary");
        Some(Tag {
            name,
            description: description.or(summary),
            parent: self.text(spot, "parent"),
            hints: self.hints(spot, Holder::Tag),
        })
    }
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")
}

/// Whether `x-mcp` at `pointer` is on an operation, a path, a tag or a parameter. Parts in files of
/// their own may be any of these.
fn meaningful(version: Version, pointer: &Pointer, document: usize) -> bool {
    if document != 0 {
        return true;
    }
    let steps: Vec<String> = pointer.steps().collect();
    let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
    let holder = &steps[..steps.len().saturating_sub(1)];
    // A path item and what is below it, wherever it stands.
    let item = match holder {
        ["paths", _, rest @ ..] | ["components", "pathItems", _, rest @ ..] => rest,
        ["tags", _] | ["components", "parameters", _] => return true,
        ["parameters", _] => return version == Version::V2,
        // A piece that only a reference or an alias leads to may be anything.
        [first, _, ..] => return first.starts_with("x-"),
        _ => return false,
    };
    let operation = match item {
        [] | ["parameters", _] => return true,
        ["additionalOperations", _, rest @ ..] | [_, rest @ ..] => rest,
    };
    matches!(operation, [] | ["parameters", _])
}
