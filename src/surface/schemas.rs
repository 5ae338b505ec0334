//! Arguments and hints.

use serde_json::Value as Json;

use super::Surface;
use crate::diagnostic::Diagnostics;
use crate::diagnostic::surface::{
    ARGUMENT_TEXT_LONG, ARGUMENT_UNDESCRIBED, ARGUMENTS_MANY, DELETE_NOT_DESTRUCTIVE, ENUM_LONG,
    PROPERTIES_MANY, READ_HINT_DOUBTFUL, SCHEMA_DEEP,
};
use crate::plan::{Action, Tool};

/// Most characters of a description inside a schema (rule T1).
const NESTED: usize = 512;
/// Most values of an `enum` that a model is to read.
const VALUES: usize = 80;
/// Most levels and properties (rule I11).
const LEVELS: usize = 5;
const PROPERTIES: usize = 100;
/// Most arguments before a tool ought to be two.
const ARGUMENTS: usize = 30;

/// Words of what changes something (rule A1).
const CHANGES: &[&str] = &[
    "delete",
    "remove",
    "destroy",
    "cancel",
    "send",
    "trigger",
    "revoke",
    "reset",
    "purge",
    "disable",
    "terminate",
    "restart",
    "logout",
];

/// What one schema holds.
#[derive(Default)]
struct Counts {
    properties: usize,
    levels: usize,
    long_texts: Vec<String>,
    long_enums: Vec<(String, usize)>,
}

pub fn audit(diagnostics: &mut Diagnostics, surface: Surface<'_>) {
    for (name, place, definition) in surface.tools() {
        let schema = &definition["inputSchema"];
        let mut say = |code, message: String, help: &str| {
            diagnostics.report(code, None, place.clone(), message).help(help);
        };
        let mut counts = Counts::default();
        count(schema, "", 0, &mut counts);
        let arguments = schema["properties"].as_object();
        let undescribed: Vec<&str> = arguments
            .into_iter()
            .flatten()
            .filter(|(_, s)| s["description"].as_str().is_none_or(|d| d.trim().is_empty()))
            .map(|(name, _)| name.as_str())
            .collect();
        if !undescribed.is_empty() {
            say(
                &ARGUMENT_UNDESCRIBED,
                format!("`{name}` does not describe {}", listed(&undescribed)),
                "describe them in the document or in the plan",
            );
        }
        let many = arguments.map_or(0, serde_json::Map::len);
        if many > ARGUMENTS {
            say(
                &ARGUMENTS_MANY,
                format!("`{name}` has {many} arguments, more than {ARGUMENTS}"),
                "put operations that share few arguments apart with `group`",
            );
        }
        if counts.properties > PROPERTIES {
            say(
                &PROPERTIES_MANY,
                format!(
                    "the arguments of `{name}` have {} properties, more than {PROPERTIES}",
                    counts.properties
                ),
                "make large objects one argument and say their keys in the description",
            );
        }
        if counts.levels > LEVELS {
            say(
                &SCHEMA_DEEP,
                format!(
                    "the arguments of `{name}` nest {} levels, more than {LEVELS}",
                    counts.levels
                ),
                "raise the members that matter to arguments of their own",
            );
        }
        for path in &counts.long_texts {
            say(
                &ARGUMENT_TEXT_LONG,
                format!(
                    "the description of `{path}` of `{name}` has more than {NESTED} characters"
                ),
                "shorten it",
            );
        }
        for (path, values) in &counts.long_enums {
            say(
                &ENUM_LONG,
                format!("`{path}` of `{name}` has {values} values, more than {VALUES}"),
                "offer a text and say where the values come from",
            );
        }
    }
    for (tool, (_, place, _)) in surface.plan.tools.iter().zip(surface.tools()) {
        for (code, message, help) in hints(tool) {
            diagnostics.report(code, None, place.child("annotations"), message).help(help);
        }
    }
}

/// Names as a person lists them: the first few, then how many more.
pub fn listed(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(4).map(|n| format!("`{n}`")).collect();
    let more = names.len() - shown.len();
    match (shown.as_slice(), more) {
        ([], _) => "none".to_owned(),
        ([only], 0) => only.clone(),
        ([head @ .., last], 0) => format!("{} and {last}", head.join(", ")),
        (all, more) => format!("{} and {more} more", all.join(", ")),
    }
}

fn count(schema: &Json, path: &str, level: usize, counts: &mut Counts) {
    // A level more than any rule asks about; what is deeper is said by the error about depth.
    if level > 64 {
        return;
    }
    counts.levels = counts.levels.max(level);
    let long = schema["description"].as_str().is_some_and(|d| d.chars().count() > NESTED);
    if long {
        counts.long_texts.push(path.to_owned());
    }
    // More than 250 are refused altogether.
    let values = schema["enum"].as_array().map_or(0, Vec::len);
    if values > VALUES && values <= 250 {
        counts.long_enums.push((path.to_owned(), values));
    }
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        counts.properties += 1;
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        count(member, &path, level + 1, counts);
    }
    if let Some(items) = schema.get("items") {
        count(items, &format!("{path}[]"), level + 1, counts);
    }
}

type Hint = (&'static crate::diagnostic::Code, String, &'static str);

fn hints(tool: &Tool) -> Vec<Hint> {
    let hints = tool.annotations;
    let mut out: Vec<Hint> = Vec::new();
    for Action { name, operation, .. } in &tool.actions {
        if hints.read_only
            && let Some(word) = change(name, operation)
        {
            out.push((
                &READ_HINT_DOUBTFUL,
                format!("`{}` says that it only reads, but `{operation}` has the word `{word}`", tool.name),
                "correct `annotations`, or say what the operation does with `effect` in mcp-gen.yaml",
            ));
        }
        if !hints.destructive && !hints.read_only && operation.starts_with("DELETE ") {
            out.push((
                &DELETE_NOT_DESTRUCTIVE,
                format!("`{}` says that it destroys nothing, but calls `{operation}`", tool.name),
                "set `destructive: true`",
            ));
        }
    }
    out
}

/// The word for a change in the name of an action or the last word of its path: earlier words name
/// what is asked about, as in `/cancellations/{id}`.
fn change(name: &str, operation: &str) -> Option<&'static str> {
    let last = operation.rsplit('/').find(|s| !s.starts_with('{')).unwrap_or_default();
    let first = |text: &str| {
        let text = text.to_lowercase();
        text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default().to_owned()
    };
    let (name, last) = (first(name), first(last));
    CHANGES.iter().copied().find(|w| *w == name || *w == last)
}
