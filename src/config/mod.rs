//! `mcp-gen.yaml`: what the person asked for.

mod file;
mod filter;

pub use filter::Pattern;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The configuration of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Config {
    /// Name of the server; made from the title of the document when absent.
    pub name: Option<String>,
    /// How many primary tools there may be.
    pub max_primary: usize,
    /// Operations to take: patterns of `METHOD /path`, `tag:NAME` or `id:OPERATION_ID` with `*`; empty means all.
    pub include: Vec<String>,
    /// Operations to leave out, in the same form.
    pub exclude: Vec<String>,
    /// Overlays to apply to the document, as paths from the folder of this file.
    pub overlays: Vec<PathBuf>,
    /// Folders that references may lead into, besides the one of the document, as paths from the
    /// folder of this file.
    pub allow_refs: Vec<PathBuf>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            name: None,
            max_primary: 10,
            include: Vec::new(),
            exclude: Vec::new(),
            overlays: Vec::new(),
            allow_refs: Vec::new(),
        }
    }
}
