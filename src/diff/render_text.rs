//! A diff for a person at a terminal.

use super::{Change, Diff, Group, Impact, Sign, Size, Subject};

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
        for (change, more) in shown(group, whole) {
            let kind = change.kind;
            let colour = colour(kind.impact);
            let mark = match kind.sign {
                Sign::Added => "\u{1b}[32m+",
                Sign::Removed => "\u{1b}[31m-",
                Sign::Changed => "\u{1b}[33m~",
            };
            let word = kind.impact.word();
            let more = match more {
                0 => String::new(),
                n => format!(" {DIM}(and {n} more like it; `-v` shows all){RESET}"),
            };
            out.push_str(&format!(
                "  {mark}{RESET} {colour}{word}[{}]{RESET}: {}{more}\n",
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

/// The changes that have a line, each with how many more it stands for: of texts, one of a kind.
fn shown(group: &Group, whole: bool) -> Vec<(&Change, usize)> {
    let mut shown: Vec<(&Change, usize)> = Vec::new();
    for change in &group.changes {
        match shown.last_mut() {
            // Changes of a kind stand together.
            Some((last, more))
                if !whole && change.kind.impact == Impact::Docs && last.kind == change.kind =>
            {
                *more += 1;
            }
            _ => shown.push((change, 0)),
        }
    }
    shown
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

/// One line: what comes, goes and changes, and how many of the changes are bad.
///
/// `1 tool added, 2 arguments changed (1 breaking)`; nothing when nothing changed.
pub fn summary(diff: &Diff) -> Option<String> {
    const VERBS: [&str; 3] = ["removed", "added", "changed"];
    let mut rows = std::collections::BTreeMap::<(usize, usize), usize>::new();
    for change in diff.changes().filter(|c| c.kind.impact != Impact::Docs) {
        let verb = match change.kind.sign {
            Sign::Removed => 0,
            Sign::Added => 1,
            Sign::Changed => 2,
        };
        *rows.entry((thing(change.kind.id), verb)).or_default() += 1;
    }
    let mut parts: Vec<String> = rows
        .into_iter()
        .map(|((thing, verb), n)| format!("{} {}", count(n, THINGS[thing].1), VERBS[verb]))
        .collect();
    match diff.count(Impact::Docs) {
        0 => {}
        n => parts.push(format!("{} of texts or order", count(n, "change"))),
    }
    if parts.is_empty() {
        return None;
    }
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
    ("server-", "server name"),
    ("servers-", "base URL"),
    ("credential-", "credential"),
    ("tool-", "tool"),
    ("annotations-", "hint"),
    ("selector-", "selector"),
    ("action-", "action"),
    ("operation-", "operation"),
    ("media-type-", "media type"),
    ("catalog-", "catalog"),
    ("entry-", "catalog entry"),
    // Whatever else is about arguments.
    ("", "argument"),
];

fn thing(id: &str) -> usize {
    THINGS.iter().position(|(start, _)| id.starts_with(start)).unwrap_or(THINGS.len() - 1)
}

fn count(n: usize, thing: &str) -> String {
    match (n, thing.strip_suffix('y')) {
        (1, _) => format!("1 {thing}"),
        (_, Some(stem)) => format!("{n} {stem}ies"),
        (_, None) => format!("{n} {thing}s"),
    }
}
