//! `mcp-gen.yaml`: what the person asked for.

mod file;
mod filter;
mod setting;
mod shape;
mod wish;

pub use file::{FILE_NAME, Places};
pub use filter::Pattern;
pub use setting::{Kind, Setting, settings};
pub use wish::{
    AnnotationsWish, ArrayFormat, Effect, OperationWish, Posture, ToolPosture, ToolWish,
};

use std::path::PathBuf;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The configuration of a run. What it says counts before `x-mcp` in the document, and that before
/// what the planner finds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Config {
    /// Name of the server; made from the title of the document when absent.
    pub name: Option<String>,
    /// How many primary tools there may be.
    pub max_primary: usize,
    /// How many actions a tool may have. When absent, the planner prefers at most 12.
    #[schemars(range(min = 1))]
    pub max_actions: Option<usize>,
    /// How many arguments a tool may have. When absent, the planner prefers at most 24.
    #[schemars(range(min = 1))]
    pub max_arguments: Option<usize>,
    /// How many tokens the reply to `tools/list` may take; above it, more goes behind the catalog.
    #[schemars(range(min = 1))]
    pub max_tokens: Option<usize>,
    /// Operations to take: patterns of `METHOD /path`, `tag:NAME` or `id:OPERATION_ID` with `*`; empty means all.
    pub include: Vec<String>,
    /// Operations to leave out, in the same form.
    pub exclude: Vec<String>,
    /// Overlays to apply to the document, as paths from the folder of this file.
    pub overlays: Vec<PathBuf>,
    /// Folders that references may lead into, besides the one of the document, as paths from the
    /// folder of this file.
    pub allow_refs: Vec<PathBuf>,
    /// Whether documents that references name by URL are fetched.
    pub remote_refs: bool,
    /// Folder of the crate, as a path from the folder of this file; with `split`, the folder that the
    /// folders of all servers stand in.
    pub output: Option<PathBuf>,
    /// Whether the crate is a member of the workspace around it, instead of one that stands alone.
    pub workspace_member: bool,
    /// Wishes for tools, by name: one that is to be made of `operations`, or one that the planner makes.
    pub tools: IndexMap<String, ToolWish>,
    /// Wishes for the operations that a pattern names. A later line counts before an earlier one.
    pub operations: IndexMap<String, OperationWish>,
    /// Sets of tools that a server can be started with, by name: patterns of operations, or `tool:NAME`.
    /// A tool that is in none is in `default`.
    pub toolsets: IndexMap<String, Vec<String>>,
    /// How lists inside `deepObject` parameters and nested forms are written, which OpenAPI leaves open:
    /// `a[]=v` (brackets), `a[0]=v` (indices), `a=v&a=w` (repeat) or `a=v,w` (comma). Whoever runs the
    /// server may set another.
    pub array_format: Option<ArrayFormat>,
    /// Whether tools say in an `outputSchema` what they answer, where the document tells. Answers that
    /// differ from the document are then put in order, so that they always fit. Where the list would
    /// take more than `max-tokens`, or 9,000, the longest are left out.
    pub output_schemas: bool,
    /// Servers to make of the document instead of one, by name: patterns of the operations of each.
    pub split: IndexMap<String, Vec<String>>,
    /// Where each line stands, when it was read from a file.
    #[serde(skip)]
    #[schemars(skip)]
    pub places: Places,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            name: None,
            max_primary: 10,
            max_actions: None,
            max_arguments: None,
            max_tokens: None,
            include: Vec::new(),
            exclude: Vec::new(),
            overlays: Vec::new(),
            allow_refs: Vec::new(),
            remote_refs: false,
            output: None,
            workspace_member: false,
            tools: IndexMap::new(),
            operations: IndexMap::new(),
            toolsets: IndexMap::new(),
            array_format: None,
            output_schemas: true,
            split: IndexMap::new(),
            places: Places::default(),
        }
    }
}

impl Config {
    /// Whether the tool of this name is to say what it answers.
    pub fn wants_output(&self, tool: &str) -> bool {
        self.own_wish_for_output(tool).unwrap_or(self.output_schemas)
    }

    /// What `output-schema` says for the tool of this name alone.
    pub fn own_wish_for_output(&self, tool: &str) -> Option<bool> {
        let is = |(name, wish): &(&String, &ToolWish)| {
            wish.name.as_ref().unwrap_or(name).as_str() == tool
        };
        self.tools.iter().find(is).and_then(|(_, wish)| wish.output_schema)
    }
}

/// JSON Schema of `mcp-gen.yaml`.
pub fn json_schema() -> serde_json::Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12();
    settings.into_generator().into_root_schema_for::<Config>().to_value()
}
