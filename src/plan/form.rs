//! The form of `mcp-plan.yaml`: the types that its text becomes first, and their JSON Schema.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

#[derive(Deserialize)]
pub(super) struct OnlyFormat {
    pub(super) format: u32,
}

/// The tools that mcp-gen plans for an API.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "Plan")]
pub(super) struct PlanFile {
    /// Number of this format.
    #[expect(dead_code, reason = "read by `OnlyFormat`")]
    pub(super) format: u32,
    /// The document.
    pub(super) api: ApiFile,
    /// The server.
    pub(super) server: ServerFile,
    /// Where requests go and with which credentials, as the document says.
    #[serde(default)]
    pub(super) connection: ConnectionFile,
    /// The account of all operations, derived from the rest: `tokens` is about what the definitions of
    /// all tools take, `single-tokens` what one tool for each operation would take.
    #[serde(default)]
    pub(super) account: Option<IndexMap<String, u64>>,
    /// The tools, in the order of `tools/list`: primary by value, then secondary.
    #[serde(default)]
    pub(super) tools: Vec<ToolFile>,
    /// The tools that reach what has no tool of its own.
    #[serde(default)]
    pub(super) catalog: Option<CatalogFile>,
    /// Operations that cannot be reached.
    #[serde(default)]
    pub(super) excluded: Vec<ExcludedFile>,
}

/// The document.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Api")]
pub(super) struct ApiFile {
    /// Its title.
    pub(super) title: String,
    /// Its version.
    pub(super) version: String,
}

/// The server.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Server")]
pub(super) struct ServerFile {
    /// Its name, which is also that of the crate.
    pub(super) name: String,
    /// Its title.
    pub(super) title: String,
    /// What it tells a client at start.
    pub(super) instructions: String,
}

/// Where requests go and with which credentials.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Connection")]
pub(super) struct ConnectionFile {
    /// The base URLs.
    pub(super) servers: Vec<String>,
    /// The credentials that some operation takes, by their names in the document: what each is.
    pub(super) credentials: BTreeMap<String, String>,
    /// How lists inside `deepObject` are written.
    #[serde(default)]
    pub(super) arrays: Option<ArraysFile>,
}

/// How lists are written.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Arrays")]
pub(super) enum ArraysFile {
    /// `a[]=v`
    Brackets,
    /// `a[0]=v`
    Indices,
    /// `a=v&a=w`
    Repeat,
    /// `a=v,w`
    Comma,
}

impl ArraysFile {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Brackets => "brackets",
            Self::Indices => "indices",
            Self::Repeat => "repeat",
            Self::Comma => "comma",
        }
    }
}

/// One tool: an intent on a resource family.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "Tool")]
pub(super) struct ToolFile {
    /// Its name.
    pub(super) name: String,
    /// Its title.
    pub(super) title: String,
    /// Whether a person would name the task.
    pub(super) posture: PostureFile,
    /// About how many tokens its definition takes: four characters each. Derived from the rest.
    pub(super) tokens: Option<usize>,
    /// What it is for, for the model.
    pub(super) description: String,
    /// Hints to clients: the worst of its actions.
    pub(super) annotations: AnnotationsFile,
    /// Name of the argument that chooses the action; absent when there is one action.
    pub(super) selector: Option<String>,
    /// Its actions, at least one.
    pub(super) actions: Vec<ActionFile>,
    /// The other arguments, in order.
    #[serde(default)]
    pub(super) arguments: Vec<ArgumentFile>,
    /// The toolsets that it belongs to.
    #[serde(default)]
    pub(super) toolsets: Vec<String>,
    /// What it answers, as the `outputSchema` that clients get.
    #[serde(default)]
    pub(super) output: Option<serde_json::Map<String, serde_json::Value>>,
    /// Why the tool is as it is, in sentences.
    #[serde(default)]
    pub(super) why: Vec<String>,
}

/// What a person would name as a task, or plumbing.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Posture")]
pub(super) enum PostureFile {
    /// A person would name the task.
    Primary,
    /// Plumbing: health, version, polling.
    Secondary,
}

/// What calling may do.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Effect")]
pub(super) enum EffectFile {
    /// It changes nothing.
    Read,
    /// It changes something.
    Write,
}

/// Hints to clients.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[expect(clippy::struct_excessive_bools, reason = "the four hints of MCP")]
#[schemars(rename = "Annotations")]
pub(super) struct AnnotationsFile {
    /// Whether calling it changes nothing.
    pub(super) read_only: bool,
    /// Whether something may be gone after calling it.
    pub(super) destructive: bool,
    /// Whether calling it twice does the same as calling it once.
    pub(super) idempotent: bool,
    /// Whether it reaches what is beyond the server.
    pub(super) open_world: bool,
}

/// One operation as reached through a tool.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "Action")]
pub(super) struct ActionFile {
    /// Name within the tool.
    pub(super) name: String,
    /// `METHOD /path`, as written in the document.
    pub(super) operation: String,
    /// One line for the model.
    pub(super) summary: String,
    /// The media type of the body that is sent.
    pub(super) media_type: Option<String>,
    /// Names of the arguments that must be given for this action.
    #[serde(default)]
    pub(super) required: Vec<String>,
}

/// One argument of a tool.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Argument")]
pub(super) struct ArgumentFile {
    /// Its name.
    pub(super) name: String,
    /// Its schema, as clients see it.
    pub(super) schema: Json,
    /// By action, where the value goes: `path:id`, `query:limit`, `header:X-Trace`, `cookie:sid`, `querystring:q`, `body` or `body:/address/street`. An action that is absent does not take it.
    pub(super) to: IndexMap<String, String>,
    /// What was renamed, flattened or merged.
    pub(super) why: Option<String>,
}

/// Everything that stays reachable through three tools.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Catalog")]
pub(super) struct CatalogFile {
    /// The tool that searches.
    pub(super) find: CatalogToolFile,
    /// The tool that calls reading operations.
    pub(super) read: CatalogToolFile,
    /// The tool that calls writing operations.
    pub(super) write: Option<CatalogToolFile>,
    /// All operations, in the order of the document.
    pub(super) entries: Vec<EntryFile>,
}

/// One of the tools of the catalog.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CatalogTool")]
pub(super) struct CatalogToolFile {
    /// Its name.
    pub(super) name: String,
    /// Its title.
    pub(super) title: String,
    /// What it is for.
    pub(super) description: String,
    /// About how many tokens its definition takes: four characters each. Derived from the rest.
    pub(super) tokens: Option<usize>,
}

/// One operation in the catalog.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "Entry")]
pub(super) struct EntryFile {
    /// Name to call it by.
    pub(super) name: String,
    /// `METHOD /path`, as written in the document.
    pub(super) operation: String,
    /// One line for the model.
    pub(super) summary: String,
    /// Whether it reads or writes.
    pub(super) effect: EffectFile,
    /// The tool that covers it directly, if any.
    pub(super) tool: Option<String>,
    /// The media type of the body that is sent.
    pub(super) media_type: Option<String>,
    /// Where the value of each argument goes.
    #[serde(default)]
    pub(super) arguments: IndexMap<String, String>,
    /// Names of the arguments that must be given.
    #[serde(default)]
    pub(super) required: Vec<String>,
    /// Other words to find it by.
    #[serde(default)]
    pub(super) keywords: Vec<String>,
    /// The toolsets that it belongs to besides those of its tool.
    #[serde(default)]
    pub(super) toolsets: Vec<String>,
    /// Why it is not a tool of its own.
    pub(super) why: Option<String>,
}

/// An operation that was left out.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Excluded")]
pub(super) struct ExcludedFile {
    /// `METHOD /path`, as written in the document.
    pub(super) operation: String,
    /// Why.
    pub(super) reason: String,
}

/// JSON Schema of `mcp-plan.yaml`.
pub fn json_schema() -> Json {
    let settings = schemars::generate::SchemaSettings::draft2020_12();
    settings.into_generator().into_root_schema_for::<PlanFile>().to_value()
}
