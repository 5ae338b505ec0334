//! A diff as annotations of a workflow run on GitHub.

use super::message::one_line;
use super::render_text::{counts, size};
use super::{Change, Diff, Impact, Subject};

/// Longest name, in characters.
const LONGEST: usize = 120;

/// Workflow commands, one a line: errors for what breaks, warnings for what is sensitive, notices
/// for the rest. `file` is the new plan as the workflow knows it; `line` gives the line of a change.
///
/// Changes of texts are counted in one notice, since GitHub shows only the first few of a kind.
pub fn github(diff: &Diff, file: &str, line: &dyn Fn(&Change) -> Option<usize>) -> String {
    let mut out = String::new();
    for impact in Impact::ALL {
        let command = match impact {
            Impact::Breaking => "error",
            Impact::Sensitive => "warning",
            Impact::Additive => "notice",
            Impact::Docs => continue,
        };
        for group in &diff.groups {
            for change in group.changes.iter().filter(|c| c.kind.impact == impact) {
                let about = match &group.subject {
                    Subject::Server => "server".to_owned(),
                    Subject::Tool(name) => format!("tool `{}`", one_line(name, LONGEST)),
                    Subject::Catalog => "catalog".to_owned(),
                    Subject::Excluded => "left out".to_owned(),
                };
                let title = format!("{}[{}]", impact.word(), change.kind.id);
                let text = format!("{about}: {}", change.message);
                out.push_str(&annotation(command, file, line(change), &title, &text));
            }
        }
    }
    let docs = diff.count(Impact::Docs);
    let mut text = if diff.is_empty() {
        counts(diff)
    } else if docs > 0 {
        format!("{} ({docs} of texts and order, not shown one by one)", counts(diff))
    } else {
        counts(diff)
    };
    text.push_str(&format!(". {}", size(diff.size)));
    out.push_str(&annotation("notice", file, None, "mcp-gen diff", &text));
    out
}

fn annotation(command: &str, file: &str, line: Option<usize>, title: &str, text: &str) -> String {
    let (file, title) = (property(file), property(title));
    let line = line.map_or(String::new(), |l| format!(",line={l}"));
    format!("::{command} file={file}{line},title={title}::{}\n", data(text))
}

/// Text of a workflow command; whatever could end the line is escaped. `##[` begins a command of an
/// older form, wherever it stands in a line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A").replace("##[", "# #[")
}

/// A property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
