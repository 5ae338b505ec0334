//! `mcp-gen explain`

use super::ExitStatus;
use super::args::ExplainArgs;
use super::console::Console;
use crate::diagnostic::{CODES, Code};
use crate::error::Error;

/// Explains one kind of finding, or lists all.
pub fn run(console: &mut Console, args: &ExplainArgs) -> Result<ExitStatus, Error> {
    let mut codes: Vec<&Code> = CODES.iter().flat_map(|list| list.iter().copied()).collect();
    codes.sort_by_key(|c| c.id);
    let Some(id) = &args.code else {
        let width = codes.iter().map(|c| c.id.len()).max().unwrap_or(0);
        let list: String = codes
            .iter()
            .map(|c| {
                let first = c.explanation.split_inclusive(". ").next().unwrap_or_default();
                format!("{:width$}  {:7}  {}\n", c.id, c.severity.word(), first.trim_end())
            })
            .collect();
        console.data(&list)?;
        return Ok(ExitStatus::Done);
    };
    let Some(code) = codes.iter().find(|c| c.id == id) else {
        return Err(Error::Usage {
            message: format!(
                "no kind of finding has the id `{id}`; `mcp-gen explain --list` shows all"
            ),
        });
    };
    let mut text = format!("{} ({})\n\n{}\n", code.id, code.severity.word(), code.explanation);
    if !code.example.is_empty() {
        text.push_str("\nExample:\n\n");
        for line in code.example.lines() {
            text.push_str(&format!("    {line}\n"));
        }
    }
    console.data(&text)?;
    Ok(ExitStatus::Done)
}
