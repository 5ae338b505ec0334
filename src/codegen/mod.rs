//! Writes the Rust crate of a server, as a value.

use std::collections::BTreeMap;

use crate::bind::Bound;

/// A generated crate: path below its folder, with `/`, → text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CrateFiles {
    /// Files that belong to the tool: they are replaced when they change.
    pub generated: BTreeMap<String, String>,
    /// Files that belong to the person: written only when absent.
    pub kept: BTreeMap<String, String>,
}

/// What is asked of a crate besides its tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether it is built on its own; else it is a member of the workspace around it.
    pub standalone: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { standalone: true }
    }
}

/// Generates the crate for `bound`.
pub fn generate(_bound: &Bound<'_>, _options: &Options) -> CrateFiles {
    CrateFiles::default()
}
