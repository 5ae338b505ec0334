//! The surface that agents see, looked at as a reviewer would: the definitions that a plan gives, and
//! what each client makes of them.

mod clients;
mod names;
mod profile;
mod schemas;
mod shown;
mod size;
mod taste;
mod texts;

pub use clients::{Seen, SeenTool, see};
pub use profile::{PROFILES, Profile};

use serde_json::Value as Json;

use crate::diagnostic::generating::UNSAFE_DEFINITION;
use crate::diagnostic::{Code, Diagnostics, surface as rows};
use crate::plan::Plan;
use crate::source::Pointer;

/// A plan and the definitions that it gives.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The definitions, in the order of `tools/list`: those of the plan, then those of the catalog.
    pub definitions: &'a [Json],
}

impl Surface<'_> {
    /// Names of the tools as listed, each with its place in the plan.
    fn tools(&self) -> impl Iterator<Item = (&str, Pointer, &Json)> {
        self.definitions.iter().enumerate().map(|(i, definition)| {
            (definition["name"].as_str().unwrap_or_default(), self.place(i), definition)
        })
    }

    fn place(&self, index: usize) -> Pointer {
        let tools = self.plan.tools.len();
        if index < tools {
            return Pointer::default().child("tools").index(index);
        }
        let key = ["find", "read", "write"].get(index - tools).copied().unwrap_or_default();
        Pointer::default().child("catalog").child(key)
    }
}

/// Reports what makes the surface worse than it could be. What some client refuses outright is for
/// [`refused`].
pub fn audit(diagnostics: &mut Diagnostics, surface: Surface<'_>) {
    names::audit(diagnostics, surface);
    texts::audit(diagnostics, surface);
    schemas::audit(diagnostics, surface);
    size::audit(diagnostics, surface);
}

/// Reports `faults`, each of which begins with the number of the rule that it breaks.
pub fn refused(diagnostics: &mut Diagnostics, faults: impl IntoIterator<Item = String>) {
    for fault in faults {
        let rule = fault.split(':').next().unwrap_or_default();
        diagnostics
            .report(row(rule), None, Pointer::default(), fault)
            .help("mend the plan by hand, or let `mcp-gen plan` renew it");
    }
}

/// The kind of finding for a broken rule of the safe subset.
fn row(rule: &str) -> &'static Code {
    match rule {
        "N1" => &rows::TOOL_NAME_REFUSED,
        "N2" => &rows::TOOL_NAME_TOO_LONG,
        "N3" => &rows::TOOL_NAMES_CLASH,
        "N6" | "I15" => &rows::TOO_MANY_TO_LIST,
        "T1" => &rows::TEXT_OUT_OF_BOUNDS,
        "T2" => &rows::HIDDEN_CHARACTERS,
        "T3" => &rows::DESCRIPTION_REPEATED,
        "T4" => &rows::TITLE_UNFIT,
        "A1" => &rows::HINTS_CONTRADICT,
        "I4" => &rows::ARGUMENT_NAME_REFUSED,
        "I7" => &rows::ENUM_REFUSED,
        "I11" => &rows::SCHEMA_BEYOND_LIMIT,
        "O1" | "O2" | "O3" | "O4" | "O5" | "O6" => &rows::OUTPUT_REFUSED,
        _ => &UNSAFE_DEFINITION,
    }
}
