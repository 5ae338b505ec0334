//! The catalog: three tools that reach every operation.

use std::collections::{BTreeMap, BTreeSet};

use super::arguments::{Known, Member, Schemas, free};
use super::describe::summary;
use super::draft::Draft;
use super::finish::Asked;
use super::flatten::Flat;
use super::returned::returns;
use super::telling::repeated;
use super::text::{some, upper_first, words};
use super::verb::Verb;
use crate::diagnostic::Diagnostics;
use crate::ir::prose::{clean, cut};
use crate::ir::{Api, Operation};
use crate::plan::{Catalog, CatalogTool, Effect, Entry, Tool};

/// The key of [`crate::plan::Argument::to`] in the catalog.
const CALL: &str = "call";

/// Makes the catalog; `None` when the draft has none.
#[expect(clippy::too_many_arguments, reason = "what all tools share is told apart")]
pub fn catalog(
    diagnostics: &mut Diagnostics,
    api: &Api,
    draft: &Draft,
    (title, server): (&str, &str),
    tools: &[Tool],
    flats: &mut Flats<'_>,
    previous: Option<&Catalog>,
    asked: &mut Asked<'_>,
) -> Option<Catalog> {
    if draft.entries.is_empty() {
        return None;
    }
    let mut known = Known::new();
    for entry in previous.iter().flat_map(|c| &c.entries) {
        for argument in &entry.arguments {
            for place in argument.to.values() {
                known.insert((entry.operation.clone(), place.to_string()), argument.name.clone());
            }
        }
    }
    let direct: BTreeMap<&str, &str> = tools
        .iter()
        .flat_map(|t| t.actions.iter().map(move |a| (a.operation.as_str(), t.name.as_str())))
        .collect();
    let mut entries = Vec::with_capacity(draft.entries.len());
    for entry in &draft.entries {
        let operation = &api.operations[entry.operation];
        let flat = flats.of(diagnostics, entry.operation);
        let members = [Member { action: CALL, operation, flat: &flat }];
        let merged = asked.renames.merge(
            diagnostics,
            asked.config,
            &draft.orders,
            None,
            &[entry.operation],
            &members,
            &mut flats.schemas,
            &known,
        );
        let key = operation.key.to_string();
        let words = draft.orders.description(api, entry.operation);
        let mut line = summary(diagnostics, operation, words, &entry.verb, &flats.repeated);
        if entry.effect == Effect::Read
            && let Some(fields) = returns(api, operation)
        {
            line = format!("{line} ({fields})");
        }
        entries.push(Entry {
            name: entry.name.clone(),
            summary: line,
            effect: entry.effect,
            tool: direct.get(key.as_str()).map(|t| (*t).to_owned()),
            media_type: flat.media_type.clone(),
            arguments: merged.arguments,
            required: merged.required.into_iter().next().unwrap_or_default(),
            keywords: keywords(api, operation, &entry.noun, &entry.verb),
            toolsets: Vec::new(),
            why: entry.why.clone(),
            operation: key,
        });
    }
    let mut taken: BTreeSet<String> = tools.iter().map(|t| t.name.clone()).collect();
    let stem = server.replace('-', "_");
    let mut named = |before: Option<&CatalogTool>, name: String| match before {
        Some(tool) if taken.insert(tool.name.clone()) => tool.name.clone(),
        _ => free(&name, &mut taken),
    };
    let find = named(previous.map(|c| &c.find), format!("find_{stem}_operations"));
    let read = named(previous.map(|c| &c.read), format!("call_{stem}_read"));
    let writes = entries.iter().any(|e| e.effect == Effect::Write);
    let write = writes
        .then(|| named(previous.and_then(|c| c.write.as_ref()), format!("call_{stem}_write")));
    Some(tools_of(api, title, (find, read, write), entries))
}

fn tools_of(
    api: &Api,
    title: &str,
    (find, read, write): (String, String, Option<String>),
    entries: Vec<Entry>,
) -> Catalog {
    let title = cut(title, 60);
    let tags: Vec<String> = api
        .tags
        .iter()
        .map(|t| clean(&t.name))
        .filter(|t| !t.is_empty() && t.chars().count() <= 40)
        .collect();
    let about = if tags.is_empty() { String::new() } else { format!(" about {}", some(&tags, 12)) };
    let call = match &write {
        Some(write) => format!("`{read}` or `{write}`"),
        None => format!("`{read}`"),
    };
    let count = entries.len();
    let find_text = format!(
        "Find operations of {title} by words: searches {count} operations{about}. Use this when no other tool fits the task. Answers with names, arguments and whether an operation reads or writes; call one with {call}."
    );
    let other = write.as_ref().map_or_else(String::new, |w| {
        format!(" Not for operations that change something: use `{w}`.")
    });
    let read_text = format!(
        "Call a reading operation of {title} that `{find}` found, by its name and with its arguments. Changes nothing.{other}"
    );
    let write_text = format!(
        "Call a changing operation of {title} that `{find}` found, by its name and with its arguments. May create, update or delete. Not for operations that only read: use `{read}`."
    );
    let made = |name: String, title: &str, description: String| CatalogTool {
        name,
        title: title.to_owned(),
        description: cut(&description, super::describe::DESCRIPTION),
    };
    Catalog {
        find: made(find, "Find operations", find_text),
        read: made(read, "Call for reading", read_text),
        write: write.map(|w| made(w, "Call for writing", write_text)),
        entries,
    }
}

/// Other words to find an operation by.
fn keywords(api: &Api, operation: &Operation, noun: &str, verb: &Verb) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut add = |text: &str| {
        let text = words(text).join(" ");
        if !text.is_empty() && text.len() <= 48 && !all.contains(&text) {
            all.push(text);
        }
    };
    operation.tags.iter().for_each(|t| add(t));
    add(noun);
    add(&super::describe::verb_words(verb));
    let bodies = operation.body.iter().flat_map(|b| &b.contents);
    let replies =
        operation.responses.iter().filter(|r| r.status.starts_with('2')).flat_map(|r| &r.contents);
    for content in bodies.chain(replies) {
        let Some(schema) = content.schema.map(|id| api.schema(id)) else { continue };
        let items = schema.items.map(|id| api.schema(id));
        for name in [Some(schema), items].into_iter().flatten().filter_map(|s| s.name.as_deref()) {
            add(name);
        }
    }
    if let Some(id) = &operation.id {
        add(id);
    }
    all.truncate(12);
    all
}

/// Flattened operations, each flattened once.
pub struct Flats<'a> {
    api: &'a Api,
    made: BTreeMap<usize, Flat>,
    /// The argument schemas.
    pub schemas: Schemas<'a>,
    /// Texts that several operations of one path share.
    pub repeated: BTreeSet<String>,
}

impl<'a> Flats<'a> {
    /// None yet.
    pub fn new(api: &'a Api) -> Self {
        Self { api, made: BTreeMap::new(), schemas: Schemas::new(api), repeated: repeated(api) }
    }

    /// Operation `index`, flattened.
    pub fn of(&mut self, diagnostics: &mut Diagnostics, index: usize) -> Flat {
        let api = self.api;
        self.made
            .entry(index)
            .or_insert_with(|| super::flatten::flatten(diagnostics, api, &api.operations[index]))
            .clone()
    }
}

/// The title of a server: that of the document without what says that it is one, `Acme API Documentation`.
pub fn title(api: &Api, server: &str) -> String {
    const PAPER: &[&str] =
        &["docs", "documentation", "openapi", "reference", "spec", "specification", "swagger"];
    let title = cut(&clean(&api.title), 80);
    let mut parts: Vec<&str> = title.split(' ').collect();
    while parts.len() > 1
        && parts.last().is_some_and(|w| PAPER.contains(&w.to_ascii_lowercase().as_str()))
    {
        parts.pop();
    }
    let title = parts.join(" ");
    if title.is_empty() { upper_first(&server.replace('-', " ")) } else { title }
}
