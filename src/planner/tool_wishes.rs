//! Names, titles and places that the configuration gives tools, and whether each wish came true.

use std::collections::{BTreeMap, BTreeSet};

use super::draft::{Draft, DraftTool};
use super::naming::{Taken, legal};
use super::orders::{Order, say};
use super::words::snake;
use crate::config::{Config, ToolPosture, ToolWish};
use crate::diagnostic::{Code, Diagnostics, nearest, planning, planning_config as codes};
use crate::ir::Api;
use crate::plan::{Effect, Posture};
use crate::source::Pointer;

/// How long a title may be.
const TITLE: usize = 80;

/// Begins the sentence that says what the configuration sets.
const SETS: &str = "`mcp-gen.yaml` sets ";

/// Reports wishes for operations that did not come true.
pub(super) fn check_operations(
    diagnostics: &mut Diagnostics,
    api: &Api,
    config: &Config,
    draft: &Draft,
) {
    let mut home: BTreeMap<usize, (&DraftTool, &str)> = BTreeMap::new();
    for tool in &draft.tools {
        home.extend(tool.actions.iter().map(|a| (a.operation, (tool, a.name.as_str()))));
    }
    let out: BTreeSet<&str> = draft.excluded.iter().map(|e| e.operation.as_str()).collect();
    let mut said: BTreeSet<&Pointer> = BTreeSet::new();
    for (index, order) in draft.orders.each.iter().enumerate() {
        let key = api.operations[index].key.to_string();
        if order.lines.is_empty() || out.contains(key.as_str()) {
            continue;
        }
        let entry = draft.entries.iter().find(|e| e.operation == index).map(|e| e.name.as_str());
        let found = home.get(&index).copied();
        for (line, (code, message, help)) in misses(&key, order, found, entry, config) {
            if said.insert(line) {
                say(diagnostics, config, code, line, message).help(help);
            }
        }
    }
}

type Miss = (&'static Code, String, String);

/// The lines that ask in vain for something of one operation.
fn misses<'o>(
    key: &str,
    order: &'o Order,
    home: Option<(&DraftTool, &str)>,
    entry: Option<&str>,
    config: &Config,
) -> Vec<(&'o Pointer, Miss)> {
    let mut misses = Vec::new();
    let line = |key: &str| order.lines.get(key);
    if let (Some(line), Some(asked)) = (line("name"), &order.hints.name) {
        let called = match home {
            Some((tool, _)) if tool.actions.len() == 1 => (legal(asked), tool.name.as_str()),
            Some((_, action)) => (snake(asked), action),
            None => (snake(asked), entry.unwrap_or_default()),
        };
        if called.0 != called.1 {
            let message = format!("`{key}` is called `{}`, not `{asked}`", called.1);
            let help = "the name is taken, or its tool has one from elsewhere; choose another";
            misses.push((line, (&codes::WISH_REFUSED, message, help.to_owned())));
        }
    }
    let Some((tool, _)) = home else { return misses };
    if let (Some(line), Some(_)) = (line("title"), &order.hints.title)
        && tool.actions.len() > 1
    {
        let message = format!("`{key}` is not alone in `{}`, so its title is not shown", tool.name);
        let help = format!("set `title` under `tools: {}`", tool.name);
        misses.push((line, (&codes::WISH_WITHOUT_EFFECT, message, help)));
    }
    if let (Some(line), Some(asked)) = (line("posture"), &order.hints.posture) {
        let is = match tool.posture {
            Posture::Primary => "primary",
            Posture::Secondary => "secondary",
        };
        if asked != is {
            let message = format!("`{key}` goes into `{}`, which is {is}", tool.name);
            let help = format!("set `posture` under `tools: {}`, or take it out of it", tool.name);
            misses.push((line, (&codes::WISH_WITHOUT_EFFECT, message, help)));
        }
    }
    if let (Some(line), Some(asked)) = (line("group"), &order.hints.group) {
        let wanted = legal(&snake(asked));
        let renamed = config.tools.get(asked).and_then(|wish| wish.name.as_deref()).map(legal);
        if tool.name != wanted && renamed.as_ref() != Some(&tool.name) {
            let mixes = ["read_", "manage_"].map(|v| legal(&format!("{v}{wanted}")));
            let (code, message): (&'static Code, _) = if mixes.contains(&tool.name) {
                let does = match tool.effect {
                    Effect::Read => "reads",
                    Effect::Write => "writes",
                };
                let message = format!(
                    "`{wanted}` would both read and write, so it becomes two tools; `{key}` {does} \
                     and goes into `{}`",
                    tool.name
                );
                (&planning::GROUP_MIXES_EFFECTS, message)
            } else {
                let message =
                    format!("`{key}` goes into `{}`, since `{wanted}` is taken", tool.name);
                (&codes::WISH_REFUSED, message)
            };
            let help = "name one tool for reads and one for writes; where an operation is judged \
                        wrongly, set its `effect`";
            misses.push((line, (code, message, help.to_owned())));
        }
    }
    misses
}

/// Gives tools what is asked under `tools`, as far as grouping and naming go.
pub(super) fn apply(diagnostics: &mut Diagnostics, config: &Config, draft: &mut Draft) {
    for (key, wish) in &config.tools {
        let pointer = Pointer::default().child("tools").child(key);
        if *wish == ToolWish::default() {
            let message = format!("`{key}` asks for nothing");
            say(diagnostics, config, &codes::WISH_WITHOUT_EFFECT, &pointer, message)
                .help("say what is asked below it: `title`, `operations`, `posture` …");
        }
        let Some(place) = find(draft, key, wish) else {
            report_unknown(diagnostics, config, draft, key, wish, &pointer);
            continue;
        };
        rename(diagnostics, config, draft, place, (key, wish), &pointer);
        retitle(diagnostics, config, draft, place, wish, &pointer);
        let tool = &mut draft.tools[place];
        tool.wish = Some(key.clone());
        match wish.posture {
            Some(ToolPosture::Primary) => tool.posture = Posture::Primary,
            Some(ToolPosture::Secondary) => tool.posture = Posture::Secondary,
            None => {}
        }
        for (old, new) in &wish.actions {
            rename_action(diagnostics, config, tool, (old, new), &pointer);
        }
    }
    // Stable: tools stay in their order within their posture.
    draft.tools.sort_by_key(|t| t.posture);
    let sentences: Vec<Option<String>> =
        draft.tools.iter().map(|t| sentence(config, draft, t)).collect();
    for (tool, sentence) in draft.tools.iter_mut().zip(sentences) {
        tool.why.retain(|line| !line.starts_with(SETS));
        tool.why.extend(sentence);
    }
}

/// The tool that a wish is for: of this name, or of the name that it gives.
fn find(draft: &Draft, key: &str, wish: &ToolWish) -> Option<usize> {
    let named = |name: &str| {
        let name = legal(name);
        draft.tools.iter().position(|t| t.wish.is_none() && t.name == name)
    };
    let given = wish.name.as_deref();
    if wish.operations.is_empty() {
        named(key).or_else(|| named(given?))
    } else {
        named(given.unwrap_or(key))
    }
}

fn report_unknown(
    diagnostics: &mut Diagnostics,
    config: &Config,
    draft: &Draft,
    key: &str,
    wish: &ToolWish,
    pointer: &Pointer,
) {
    let name = legal(wish.name.as_deref().unwrap_or(key));
    let both = ["read_", "manage_"].map(|verb| legal(&format!("{verb}{name}")));
    let names: Vec<&str> = draft.tools.iter().map(|t| t.name.as_str()).collect();
    if !wish.operations.is_empty() && both.iter().all(|b| names.contains(&b.as_str())) {
        // Said already: it would both read and write. What else it asks is for neither of the two.
        let only = ToolWish { operations: wish.operations.clone(), ..ToolWish::default() };
        if *wish == only {
            return;
        }
    }
    let help = match nearest(key, &names) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.len() <= 20 => {
            let all: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
            format!("the tools are {}; or list its `operations`", all.join(", "))
        }
        None => {
            "`mcp-gen plan --format table` lists the tools; or list its `operations`".to_owned()
        }
    };
    let message = if wish.operations.is_empty() {
        format!("no tool is called `{key}`")
    } else {
        format!("there is no tool `{name}`, since nothing is left in it")
    };
    say(diagnostics, config, &codes::UNKNOWN_TOOL, pointer, message).help(help);
}

fn rename(
    diagnostics: &mut Diagnostics,
    config: &Config,
    draft: &mut Draft,
    place: usize,
    (key, wish): (&str, &ToolWish),
    pointer: &Pointer,
) {
    let asked = wish.name.as_deref().unwrap_or(key);
    let name = legal(asked);
    let line = if wish.name.is_some() { pointer.child("name") } else { pointer.clone() };
    if name != asked {
        let message = format!("`{asked}` cannot be the name of a tool; it is called `{name}`");
        say(diagnostics, config, &codes::WISH_REFUSED, &line, message).help(
            "a name has lower-case letters, digits and `_`, begins with a letter, and has at most \
             46 characters",
        );
    }
    if wish.name.is_none() || draft.tools[place].name == name {
        return;
    }
    let mut taken = Taken::default();
    for (i, tool) in draft.tools.iter().enumerate() {
        if i != place {
            taken.take(&tool.name);
        }
    }
    if taken.take(&name) {
        draft.tools[place].name = name;
    } else {
        let message = format!("`{key}` cannot be called `{name}`: another tool has this name");
        say(diagnostics, config, &codes::WISH_REFUSED, &line, message)
            .help("choose another name, or rename the other tool too");
    }
}

fn retitle(
    diagnostics: &mut Diagnostics,
    config: &Config,
    draft: &mut Draft,
    place: usize,
    wish: &ToolWish,
    pointer: &Pointer,
) {
    let name = &draft.tools[place].name;
    // The title that was made of the old name says the old thing.
    let own = super::words::sentence_case(name);
    let Some(asked) = wish.title.as_deref() else {
        if wish.name.is_some() {
            draft.tools[place].title = own;
        }
        return;
    };
    let title: String = asked.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = pointer.child("title");
    let taken = draft.tools.iter().enumerate().any(|(i, t)| i != place && t.title == title);
    let fault = if title.is_empty() {
        Some("a title cannot be empty".to_owned())
    } else if title.chars().count() > TITLE {
        Some(format!("a title has at most {TITLE} characters, this one has more"))
    } else if taken {
        Some(format!("another tool has the title `{title}` already"))
    } else {
        None
    };
    match fault {
        Some(message) => {
            say(diagnostics, config, &codes::WISH_REFUSED, &line, message)
                .help("choose a title that tells this tool from the others");
        }
        None => draft.tools[place].title = title,
    }
}

fn rename_action(
    diagnostics: &mut Diagnostics,
    config: &Config,
    tool: &mut DraftTool,
    (old, new): (&str, &str),
    pointer: &Pointer,
) {
    let line = pointer.child("actions").child(old);
    let name = snake(new);
    let place = |wanted: &str| tool.actions.iter().position(|a| a.name == wanted);
    let (from, to) = (place(old), place(&name));
    match (from, to) {
        // Renamed in the plan before.
        (None, Some(_)) => {}
        (None, None) => {
            let names: Vec<String> = tool.actions.iter().map(|a| format!("`{}`", a.name)).collect();
            let message = format!("`{}` has no action `{old}`", tool.name);
            say(diagnostics, config, &codes::NOTHING_TO_RENAME, &line, message)
                .help(format!("its actions are {}", names.join(", ")));
        }
        (Some(from), None) if !name.is_empty() && name.len() <= 48 => {
            tool.actions[from].name.clone_from(&name);
            if name != new {
                let message =
                    format!("`{new}` cannot be the name of an action; it is called `{name}`");
                say(diagnostics, config, &codes::WISH_REFUSED, &line, message)
                    .help("a name has lower-case letters, digits and `_`");
            }
        }
        (Some(_), _) => {
            let message = format!("`{old}` cannot be called `{new}`");
            say(diagnostics, config, &codes::WISH_REFUSED, &line, message)
                .help("choose a name of letters, digits and `_` that no other action has");
        }
    }
}

/// What the configuration sets of a tool.
fn sentence(config: &Config, draft: &Draft, tool: &DraftTool) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    if let Some(wish) = tool.wish.as_ref().and_then(|key| config.tools.get(key)) {
        let set = [
            ("operations", !wish.operations.is_empty()),
            ("name", wish.name.is_some()),
            ("title", wish.title.is_some()),
            ("description", wish.description.is_some()),
            ("when-not", wish.when_not.is_some()),
            ("posture", wish.posture.is_some()),
            ("output-schema", wish.output_schema.is_some()),
            ("annotations", wish.annotations != crate::config::AnnotationsWish::default()),
            ("actions", !wish.actions.is_empty()),
            ("arguments", !wish.arguments.is_empty()),
        ];
        parts.extend(set.iter().filter(|(_, on)| *on).map(|(key, _)| format!("its `{key}`")));
    }
    let mut keys: BTreeMap<&str, usize> = BTreeMap::new();
    for order in tool.actions.iter().filter_map(|a| draft.orders.of(a.operation)) {
        let own = |p: &Pointer| p.as_str().starts_with("/operations/");
        for (key, _) in order.lines.iter().filter(|(key, p)| **key != "skip" && own(p)) {
            *keys.entry(key).or_default() += 1;
        }
        if !order.arguments.is_empty() {
            *keys.entry("arguments").or_default() += 1;
        }
    }
    for (key, count) in keys {
        let s = if count == 1 { "" } else { "s" };
        parts.push(format!("the `{key}` of {count} operation{s}"));
    }
    (!parts.is_empty()).then(|| format!("{SETS}{}.", super::text::and(&parts)))
}
