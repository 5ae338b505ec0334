//! `mcp-gen explain`

use super::ExitStatus;
use super::args::ExplainArgs;
use super::console::Console;
use crate::diagnostic::{CODES, Code};
use crate::diff::{KINDS, Kind};
use crate::error::Error;

/// A row of any table, in the words of this command.
struct Row {
    id: &'static str,
    word: &'static str,
    explanation: &'static str,
    /// A few lines below a title.
    more: Option<(&'static str, &'static str)>,
}

/// Findings and changes, by id.
fn rows() -> Vec<Row> {
    let code = |c: &'static Code| Row {
        id: c.id,
        word: c.severity.word(),
        explanation: c.explanation,
        more: (!c.example.is_empty()).then_some(("Example", c.example)),
    };
    let kind = |k: &'static Kind| Row {
        id: k.id,
        word: k.impact.word(),
        explanation: k.explanation,
        more: (k.id != k.mirror).then_some(("The other way round", k.mirror)),
    };
    let codes = CODES.iter().flat_map(|list| list.iter().copied()).map(code);
    let mut rows: Vec<_> = codes.chain(KINDS.iter().copied().map(kind)).collect();
    rows.sort_by_key(|r| r.id);
    rows
}

/// Explains one kind of finding or of change, or lists all.
pub fn run(console: &mut Console, args: &ExplainArgs) -> Result<ExitStatus, Error> {
    let rows = rows();
    let Some(id) = &args.code else {
        let width = rows.iter().map(|r| r.id.len()).max().unwrap_or(0);
        let list: String = rows
            .iter()
            .map(|r| {
                let first = r.explanation.split_inclusive(". ").next().unwrap_or_default();
                format!("{:width$}  {:9}  {}\n", r.id, r.word, first.trim_end())
            })
            .collect();
        console.data(&list)?;
        return Ok(ExitStatus::Done);
    };
    let Some(row) = rows.iter().find(|r| r.id == id) else {
        return Err(Error::Usage {
            message: format!(
                "no kind of finding or change has the id `{id}`; `mcp-gen explain --list` shows all"
            ),
        });
    };
    let mut text = format!("{} ({})\n\n{}\n", row.id, row.word, row.explanation);
    if let Some((title, lines)) = row.more {
        text.push_str(&format!("\n{title}:\n\n"));
        for line in lines.lines() {
            text.push_str(&format!("    {line}\n"));
        }
    }
    console.data(&text)?;
    Ok(ExitStatus::Done)
}
