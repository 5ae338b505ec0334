//! A diff as a comment on a pull request.

use super::message::one_line;
use super::render_text::{counts, size};
use super::{Change, Diff, Group, Impact, Message, Part, Subject};

/// Longest text before or after, in characters.
const LONGEST: usize = 300;
/// Most bytes of lines; a comment on GitHub holds 65,536 characters.
const MOST: usize = 60_000;

/// Markdown that begins with a verdict and what needs a look; the rest is folded. All text of plans
/// stands in code spans, so none of it is markup, HTML or a mention.
pub fn markdown(diff: &Diff) -> String {
    let mut out = format!("### MCP tools: {}\n\n", verdict(diff));
    let mut room = MOST;
    for impact in [Impact::Breaking, Impact::Sensitive] {
        let lines = lines(diff, impact);
        if lines.is_empty() {
            continue;
        }
        let title = match impact {
            Impact::Breaking => "Breaking: a call that worked can fail",
            _ => "Sensitive: the same call may do something else, or is trusted otherwise",
        };
        out.push_str(&format!("**{title}**\n\n"));
        cut(&mut out, &lines, &mut room);
        out.push('\n');
    }
    for (impact, title) in [(Impact::Additive, "additive"), (Impact::Docs, "of texts and order")] {
        let lines = lines(diff, impact);
        if lines.is_empty() {
            continue;
        }
        out.push_str(&format!("<details><summary>{} {title}</summary>\n\n", lines.len()));
        cut(&mut out, &lines, &mut room);
        out.push_str("\n</details>\n\n");
    }
    if !diff.is_empty() {
        out.push_str(&format!("{}. ", counts(diff)));
    }
    out.push_str(&size(diff.size));
    out.push('\n');
    out
}

/// One line that says whether anything needs a look.
fn verdict(diff: &Diff) -> String {
    let n = |impact| diff.count(impact);
    let changes = |n: usize| if n == 1 { "1 change".to_owned() } else { format!("{n} changes") };
    match diff.worst() {
        None => "no changes".to_owned(),
        Some(Impact::Breaking) => {
            let more = match n(Impact::Sensitive) {
                0 => String::new(),
                n => format!(", {n} sensitive"),
            };
            format!("{} that break callers{more}", changes(n(Impact::Breaking)))
                .replace("1 change that break ", "1 change that breaks ")
        }
        Some(Impact::Sensitive) => {
            format!("nothing breaks, {} to look at", changes(n(Impact::Sensitive)))
        }
        Some(Impact::Additive) => format!(
            "nothing breaks, {} added",
            changes(n(Impact::Additive)).replace("change", "thing")
        ),
        Some(Impact::Docs) => "nothing breaks, only texts and order changed".to_owned(),
    }
}

/// The changes of an impact, each with the thing it is about.
fn lines(diff: &Diff, impact: Impact) -> Vec<String> {
    let of_group = |group: &'_ Group| -> Vec<String> {
        let changes = group.changes.iter().filter(|c| c.kind.impact == impact);
        changes.map(|c| line(&group.subject, c)).collect()
    };
    diff.groups.iter().flat_map(of_group).collect()
}

fn line(subject: &Subject, change: &Change) -> String {
    let about = match subject {
        Subject::Server => "server".to_owned(),
        Subject::Tool(name) => code(name),
        Subject::Catalog => "catalog".to_owned(),
        Subject::Excluded => "left out".to_owned(),
    };
    let mut out = format!("- {about}: {} (`{}`)\n", words(&change.message), change.kind.id);
    if change.kind.impact == Impact::Docs {
        for (what, value) in [("before", &change.before), ("now", &change.after)] {
            if let Some(value) = value {
                out.push_str(&format!("  - {what}: {}\n", code(value)));
            }
        }
    }
    out
}

/// As many of the lines as there is room for, and how many there are beyond.
fn cut(out: &mut String, lines: &[String], room: &mut usize) {
    let mut shown = 0;
    for line in lines {
        if line.len() > *room {
            break;
        }
        out.push_str(line);
        *room -= line.len();
        shown += 1;
    }
    if shown < lines.len() {
        *room = 0;
        out.push_str(&match shown {
            0 => "- left out here; `mcp-gen diff` shows them\n".to_owned(),
            _ => format!("- … and {} more, which `mcp-gen diff` shows\n", lines.len() - shown),
        });
    }
}

fn words(message: &Message) -> String {
    let part = |part: &Part| match part {
        Part::Words(words) => words.clone(),
        Part::Code(text) => code(text),
    };
    message.0.iter().map(part).collect()
}

/// A code span: its fence is longer than any run of backticks within.
fn code(text: &str) -> String {
    let text = one_line(text, LONGEST);
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    if text.is_empty() {
        return "(nothing)".to_owned();
    }
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}
