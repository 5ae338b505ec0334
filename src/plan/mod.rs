//! The plan: the reviewed contract between an API and the agents that use it.
//!
//! Two words are ours. An **action** is one operation as reached through a consolidated tool. The
//! **plan** is the full list of tools, with the account of every operation. This module imports
//! nothing of the rest of the crate: it is a file format.

mod file;
mod form;
mod place;
mod read;
mod write;

pub use file::FORMAT;
pub use form::json_schema;
pub use place::Place;
pub use read::PlanError;

use std::collections::BTreeMap;

use indexmap::IndexMap;

use serde_json::Value as Json;

/// Name of the plan file.
pub const FILE_NAME: &str = "mcp-plan.yaml";

/// Name of its JSON Schema, which stands beside it in a crate.
pub const SCHEMA_NAME: &str = "mcp-plan.schema.json";

/// A whole plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// `info.title` of the document.
    pub api_title: String,
    /// `info.version` of the document.
    pub api_version: String,
    /// Name of the server, `[a-z][a-z0-9-]*`, at most 18 characters; the crate's and the client's name for it.
    pub server: String,
    /// Title of the server.
    pub title: String,
    /// Where requests go and with which credentials; empty in plans that do not say it.
    pub connection: Connection,
    /// What the definitions cost; empty in plans that do not say it.
    pub sizes: Sizes,
    /// What the server tells a client at start: what it is for, how find → call works. At most 2,048 characters.
    pub instructions: String,
    /// The tools, in the order of `tools/list`: primary by value, then secondary. Catalog tools are in [`Plan::catalog`].
    pub tools: Vec<Tool>,
    /// The catalog, where there is one.
    pub catalog: Option<Catalog>,
    /// Operations that cannot be reached, each with the reason.
    pub excluded: Vec<Excluded>,
}

/// Where requests go and with which credentials, as the document says. A person who runs the server
/// may set another base URL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Connection {
    /// The base URLs, sorted; none when the document names none.
    pub servers: Vec<String>,
    /// The credentials that some operation takes, by their names in the document: what each is.
    pub credentials: BTreeMap<String, String>,
    /// How lists inside `deepObject` are written, `brackets`, `indices`, `repeat` or `comma`; as usual when absent.
    pub arrays: Option<String>,
}

/// About how many tokens definitions take, as clients get them in `tools/list`: what a reviewer weighs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Each tool, those of the catalog too, by its name.
    pub tools: BTreeMap<String, usize>,
    /// What one tool for each operation would take instead of the whole list.
    pub single: usize,
}

/// About how many tokens a definition takes. Models split texts differently; four characters for each
/// token is near enough to see what a tool costs.
pub fn tokens(definition: &Json) -> usize {
    definition.to_string().chars().count().div_ceil(4)
}

impl Sizes {
    /// The whole list.
    pub fn listed(&self) -> usize {
        self.tools.values().sum()
    }
}

/// What a person would name as a task, or plumbing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Posture {
    /// A person would name the task.
    Primary,
    /// Plumbing: health, version, polling.
    Secondary,
}

/// What calling may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Changes nothing.
    Read,
    /// Changes something.
    Write,
}

/// MCP tool annotations, all explicit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the four hints of MCP")]
pub struct Annotations {
    /// `readOnlyHint`
    pub read_only: bool,
    /// `destructiveHint`
    pub destructive: bool,
    /// `idempotentHint`
    pub idempotent: bool,
    /// `openWorldHint`
    pub open_world: bool,
}

/// One tool: an intent on a resource family.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// `^[a-z][a-z0-9]*(_[a-z0-9]+)*$`, at most 46 characters.
    pub name: String,
    /// One to a few words, sentence case, unique.
    pub title: String,
    /// Primary or secondary.
    pub posture: Posture,
    /// For the model, at most 1,024 characters.
    pub description: String,
    /// The hints; the worst of its actions.
    pub annotations: Annotations,
    /// Its actions, at least one. With more than one, the tool has a required argument
    /// [`Tool::selector`] that is an enum of their names.
    pub actions: Vec<Action>,
    /// Name of the argument that chooses the action; `None` when there is one action only.
    pub selector: Option<String>,
    /// The other arguments, in order.
    pub arguments: Vec<Argument>,
    /// The toolsets that it belongs to; none in a plan without toolsets.
    pub toolsets: Vec<String>,
    /// `outputSchema`, where the tool says what it answers.
    pub output: Option<Json>,
    /// Why the tool is as it is, in sentences.
    pub why: Vec<String>,
}

/// One operation as reached through a tool or the catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// Name within the tool, `[a-z0-9_]+`.
    pub name: String,
    /// `METHOD /path`, the path template as written in the document.
    pub operation: String,
    /// One line for the model.
    pub summary: String,
    /// The media type of the body that is sent, where the operation has a body; a key of its `content`.
    pub media_type: Option<String>,
    /// Names of the arguments that must be given for this action.
    pub required: Vec<String>,
}

/// One argument of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// `^[A-Za-z_][A-Za-z0-9_]{0,63}$`, unique in its tool.
    pub name: String,
    /// Its schema in the safe subset, with `description`.
    pub schema: Json,
    /// Action name → where the value goes for that action. An action that is absent does not take it.
    pub to: IndexMap<String, Place>,
    /// What was renamed, flattened or merged, where anything was.
    pub why: Option<String>,
}

/// Everything that stays reachable through find, call-read and call-write.
#[derive(Clone, Debug, PartialEq)]
pub struct Catalog {
    /// The tool that searches.
    pub find: CatalogTool,
    /// The tool that calls reading operations.
    pub read: CatalogTool,
    /// The tool that calls writing operations; `None` when there are none.
    pub write: Option<CatalogTool>,
    /// All operations, the direct ones too, in the order of the document.
    pub entries: Vec<Entry>,
}

/// One of the catalog tools. Its arguments are fixed: see the runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogTool {
    /// Name, unique among all tools.
    pub name: String,
    /// Title.
    pub title: String,
    /// Description.
    pub description: String,
}

/// One operation in the catalog.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Name to call it by, unique in the catalog, words kept: `issues_create`.
    pub name: String,
    /// `METHOD /path`.
    pub operation: String,
    /// One line.
    pub summary: String,
    /// Read or write.
    pub effect: Effect,
    /// The tool that covers it directly, if any.
    pub tool: Option<String>,
    /// The media type of the body that is sent.
    pub media_type: Option<String>,
    /// Flat arguments. `to` has one entry, with the key `call`. In a plan read from a file, schemas
    /// hold only what the file says; binding makes them whole.
    pub arguments: Vec<Argument>,
    /// Names of the arguments that must be given.
    pub required: Vec<String>,
    /// Other words to find it by (tags, schema names), lower case.
    pub keywords: Vec<String>,
    /// The toolsets that it belongs to besides those of [`Entry::tool`].
    pub toolsets: Vec<String>,
    /// Why it is not a tool of its own, where that needs saying.
    pub why: Option<String>,
}

/// An operation that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excluded {
    /// `METHOD /path`.
    pub operation: String,
    /// Why.
    pub reason: String,
}

impl Plan {
    /// How many operations the document had: reachable and excluded.
    pub fn operations(&self) -> usize {
        self.covered() + self.excluded.len()
    }

    /// How many distinct operations can be reached.
    pub fn covered(&self) -> usize {
        let direct = self.tools.iter().flat_map(|t| &t.actions).map(|a| a.operation.as_str());
        let catalog = self.catalog.iter().flat_map(|c| &c.entries).map(|e| e.operation.as_str());
        direct.chain(catalog).collect::<std::collections::BTreeSet<_>>().len()
    }

    /// The names of all toolsets, sorted; none in a plan without toolsets.
    pub fn toolsets(&self) -> Vec<&str> {
        let tools = self.tools.iter().flat_map(|t| &t.toolsets);
        let entries = self.catalog.iter().flat_map(|c| &c.entries).flat_map(|e| &e.toolsets);
        let all: std::collections::BTreeSet<&str> =
            tools.chain(entries).map(String::as_str).collect();
        all.into_iter().collect()
    }

    /// The number of primary tools.
    pub fn primary(&self) -> usize {
        self.tools.iter().filter(|t| t.posture == Posture::Primary).count()
    }
}
