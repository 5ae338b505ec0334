//! What the reader says about documents: one row for each, with the findings counted by kind.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use mcp_gen::diagnostic::Diagnostics;
use mcp_gen::pipeline;
use mcp_gen::source::{Source, Sources};

/// One document.
pub struct Read {
    name: String,
    said: Result<(usize, BTreeMap<&'static str, usize>), String>,
}

impl Read {
    /// The head of the table.
    pub const HEADER: &'static str = "| document | operations | findings |\n|---|--:|---|";

    /// Reads `document`.
    pub fn of(document: &Path) -> Self {
        let name = document.display().to_string();
        // What is not UTF-8 is refused by the command before reading.
        let said = std::fs::read_to_string(document).map_err(|e| e.to_string()).and_then(|text| {
            let mut diagnostics = Diagnostics::default();
            let source = Source { name: name.clone(), text };
            let api = pipeline::read(&mut diagnostics, &mut Sources::default(), source)
                .map_err(|e| e.to_string().replace(&format!("{name}:"), ""))?;
            let mut kinds = BTreeMap::new();
            for finding in diagnostics.sorted() {
                *kinds.entry(finding.code.id).or_default() += 1;
            }
            Ok((api.operations.len(), kinds))
        });
        Self { name: super::steps::name_of(document), said }
    }

    /// Whether the document was refused.
    pub fn refused(&self) -> bool {
        self.said.is_err()
    }
}

impl fmt::Display for Read {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.said {
            Ok((operations, kinds)) => {
                let list: Vec<_> = kinds.iter().map(|(id, n)| format!("{id} {n}")).collect();
                write!(f, "| {} | {operations} | {} |", self.name, list.join(", "))
            }
            Err(message) => write!(f, "| {} | refused | {message} |", self.name),
        }
    }
}
