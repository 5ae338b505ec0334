//! Tags, and what `x-mcp` says.

use indexmap::IndexMap;

use super::lower::{Lowerer, Spot};
use crate::diagnostic::reading;
use crate::ir::{Hints, Operation, Tag};

impl<'a> Lowerer<'a, '_> {
    /// What `x-mcp` of `spot` says.
    pub(super) fn hints(&mut self, spot: &Spot<'a>) -> Hints {
        let Some(hints) = self.object(spot, "x-mcp") else { return Hints::default() };
        for (key, child) in hints.members() {
            let known = ["name", "title", "description", "skip", "group", "posture"];
            if !known.contains(&key) {
                self.report(&reading::UNKNOWN_HINT, &child, format!("`x-mcp` knows no `{key}`"))
                    .help("it knows `name`, `title`, `description`, `skip`, `group`, `posture`");
            }
        }
        let mut posture = self.text(&hints, "posture");
        if let Some(word) = &posture
            && !matches!(word.as_str(), "primary" | "secondary" | "catalog")
        {
            let place = hints.get("posture").unwrap_or_else(|| hints.clone());
            self.report(&reading::UNKNOWN_HINT, &place, format!("`{word}` is no posture"))
                .help("a posture is `primary`, `secondary` or `catalog`");
            posture = None;
        }
        Hints {
            name: self.text(&hints, "name"),
            title: self.text(&hints, "title"),
            description: self.text(&hints, "description"),
            skip: self.flag(&hints, "skip").unwrap_or(false),
            group: self.text(&hints, "group"),
            posture,
        }
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
        for name in operations.iter().flat_map(|o| &o.tags) {
            if !tags.contains_key(name) {
                tags.insert(name.clone(), Tag { name: name.clone(), ..Tag::default() });
            }
        }
        tags.into_values().collect()
    }

    fn tag(&mut self, spot: &Spot<'a>) -> Option<Tag> {
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
            hints: self.hints(spot),
        })
    }
}
