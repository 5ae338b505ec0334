//! A diff for a person at a terminal.

use super::{Diff, Impact, Sign, Size, Subject};

/// Longest value shown under a change, in characters.
const LONGEST: usize = 300;

const BOLD: &str = "\u{1b}[1m";
const DIM: &str = "\u{1b}[2m";
const RESET: &str = "\u{1b}[0m";

/// The diff with colours, which the terminal's side removes where they are not wanted; texts before
/// and after stand under each change when `whole`.
pub fn text(diff: &Diff, whole: bool) -> String {
    let mut out = String::new();
    for group in &diff.groups {
        out.push_str(&format!("{BOLD}{}{RESET}\n", heading(&group.subject)));
        for change in &group.changes {
            let kind = change.kind;
            let colour = colour(kind.impact);
            let mark = match kind.sign {
                Sign::Added => "\u{1b}[32m+",
                Sign::Removed => "\u{1b}[31m-",
                Sign::Changed => "\u{1b}[33m~",
            };
            let word = kind.impact.word();
            out.push_str(&format!(
                "  {mark}{RESET} {colour}{word}[{}]{RESET}: {}\n",
                kind.id, change.message
            ));
            if whole {
                for (mark, value) in [('-', &change.before), ('+', &change.after)] {
                    if let Some(value) = value {
                        let value = super::message::one_line(value, LONGEST);
                        out.push_str(&format!("      {DIM}{mark} {value}{RESET}\n"));
                    }
                }
            }
        }
        out.push('\n');
    }
    let counts = counts(diff);
    if let Some(worst) = diff.changes().find(|c| Some(c.kind.impact) == diff.worst()) {
        let id = worst.kind.id;
        out.push_str(&format!("{counts}. `mcp-gen explain {id}` says what a kind means\n"));
    } else {
        out.push_str(&format!("{counts}\n"));
    }
    out.push_str(&size(diff.size));
    out.push('\n');
    out
}

fn colour(impact: Impact) -> &'static str {
    match impact {
        Impact::Breaking => "\u{1b}[1m\u{1b}[31m",
        Impact::Sensitive => "\u{1b}[1m\u{1b}[33m",
        Impact::Additive => "\u{1b}[1m\u{1b}[32m",
        Impact::Docs => "\u{1b}[1m\u{1b}[36m",
    }
}

/// `tool find_pets`
fn heading(subject: &Subject) -> String {
    match subject {
        Subject::Server => "server".to_owned(),
        Subject::Tool(name) => format!("tool {}", super::message::one_line(name, LONGEST)),
        Subject::Catalog => "catalog".to_owned(),
        Subject::Excluded => "left out".to_owned(),
    }
}

/// `1 breaking, 2 additive`, or that nothing changed.
pub(super) fn counts(diff: &Diff) -> String {
    let parts: Vec<_> = Impact::ALL
        .into_iter()
        .map(|impact| (diff.count(impact), impact.word()))
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| format!("{n} {word}"))
        .collect();
    if parts.is_empty() { "No changes to the tools".to_owned() } else { parts.join(", ") }
}

/// `tools/list: about 1,900 tokens before, 2,100 now (+200)`
pub(super) fn size(size: Size) -> String {
    let Size { before, after } = size;
    if before == after {
        return format!("tools/list: about {} tokens, as before", grouped(after));
    }
    let (sign, by) = if after > before { ('+', after - before) } else { ('-', before - after) };
    format!(
        "tools/list: about {} tokens before, {} now ({sign}{})",
        grouped(before),
        grouped(after),
        grouped(by)
    )
}

/// `12,345`
fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// One line: what comes and goes by kind of thing, and how many of the changes are bad.
///
/// `1 tool added, 2 arguments changed (1 breaking)`; nothing when nothing changed.
pub fn summary(diff: &Diff) -> Option<String> {
    let mut rows: Vec<(&str, &str, usize)> = Vec::new();
    for change in diff.changes() {
        let thing = thing(change.kind.id);
        let verb = match change.kind.sign {
            Sign::Added => "added",
            Sign::Removed => "removed",
            Sign::Changed => "changed",
        };
        match rows.iter_mut().find(|r| (r.0, r.1) == (thing, verb)) {
            Some(row) => row.2 += 1,
            None => rows.push((thing, verb, 1)),
        }
    }
    // By thing, in the order in which plans hold them; then what goes, comes and changes.
    let place = |row: &(&str, &str, usize)| {
        (
            THINGS.iter().position(|t| t.1 == row.0),
            ["removed", "added", "changed"].iter().position(|v| *v == row.1),
        )
    };
    rows.sort_by_key(place);
    if rows.is_empty() {
        return None;
    }
    let parts: Vec<_> = rows
        .iter()
        .map(|(thing, verb, n)| match *n {
            1 => format!("1 {thing} {verb}"),
            n => format!("{n} {} {verb}", plural(thing)),
        })
        .collect();
    let bad: Vec<_> = [Impact::Breaking, Impact::Sensitive]
        .into_iter()
        .map(|impact| (diff.count(impact), impact.word()))
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| format!("{n} {word}"))
        .collect();
    let bad = if bad.is_empty() { String::new() } else { format!(" ({})", bad.join(", ")) };
    Some(format!("{}{bad}", parts.join(", ")))
}

/// How ids of kinds begin, and what the thing is called.
const THINGS: &[(&str, &str)] = &[
    ("server-", "server setting"),
    ("instructions-", "server setting"),
    ("api-", "server setting"),
    ("tool-description-", "text"),
    ("tool-title-", "text"),
    ("summary-", "text"),
    ("argument-description-", "text"),
    ("tool-", "tool"),
    ("annotations-", "hint"),
    ("selector-", "selector"),
    ("action-", "action"),
    ("operation-", "operation"),
    ("media-type-", "media type"),
    ("catalog-", "catalog"),
    ("entry-", "catalog entry"),
    ("exclusion-", "exclusion"),
    ("order-", "order"),
    // Whatever else is about arguments.
    ("", "argument"),
];

fn thing(id: &str) -> &'static str {
    THINGS.iter().find(|(start, _)| id.starts_with(start)).map_or("argument", |(_, thing)| *thing)
}

fn plural(thing: &str) -> String {
    match thing.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{thing}s"),
    }
}
