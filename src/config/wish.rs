//! What may be asked of tools and operations.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What one tool should be like.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ToolWish {
    /// Patterns of the operations that it is made of, and of no others. Without them, the wish is
    /// for the tool that the planner gives this name.
    pub operations: Vec<String>,
    /// Another name for it.
    pub name: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its whole description, instead of the one that is made.
    pub description: Option<String>,
    /// When to take another tool, after the words `Do not use this when`; instead of what is made.
    pub when_not: Option<String>,
    /// Primary or secondary.
    pub posture: Option<ToolPosture>,
    /// Whether it says in an `outputSchema` what it answers; as `output-schemas` says when absent.
    pub output_schema: Option<bool>,
    /// Hints to clients, instead of those that its operations give.
    pub annotations: AnnotationsWish,
    /// New names for its actions: `old: new`.
    pub actions: IndexMap<String, String>,
    /// New names for its arguments: `old: new`, the old one as the plan or the document has it.
    pub arguments: IndexMap<String, String>,
}

/// Hints to clients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct AnnotationsWish {
    /// Whether calling it changes nothing. For an operation that is judged wrongly, set its `effect`.
    pub read_only: Option<bool>,
    /// Whether something may be gone after calling it.
    pub destructive: Option<bool>,
    /// Whether calling it twice does the same as calling it once.
    pub idempotent: Option<bool>,
    /// Whether it reaches what is beyond the service's own data.
    pub open_world: Option<bool>,
}

/// What the operations that a pattern names should be like.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct OperationWish {
    /// `true` leaves it out; `false` takes it although `x-mcp` says to skip it.
    pub skip: Option<bool>,
    /// Name of its tool when it is alone in it, else of its action. For one operation.
    pub name: Option<String>,
    /// Title of its tool when it is alone in it. For one operation.
    pub title: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// Name of the tool that it goes into.
    pub group: Option<String>,
    /// Where it stands.
    pub posture: Option<Posture>,
    /// Whether it reads or writes, where the planner judges wrongly.
    pub effect: Option<Effect>,
    /// New names for its arguments: `old: new`, the old one as the plan or the document has it.
    pub arguments: IndexMap<String, String>,
}

/// Where a tool stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ToolPosture {
    /// A person would name the task.
    Primary,
    /// Plumbing: health, version, polling.
    Secondary,
}

/// Where an operation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Posture {
    /// In a tool that a person would name the task of.
    Primary,
    /// In a tool of plumbing.
    Secondary,
    /// Behind the catalog.
    Catalog,
}

impl Posture {
    /// As `x-mcp` and the file spell it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Secondary => "secondary",
            Self::Catalog => "catalog",
        }
    }
}

impl ToolPosture {
    /// As the file spells it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Secondary => "secondary",
        }
    }
}

/// What calling an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// It changes nothing.
    Read,
    /// It changes something.
    Write,
}

/// How lists inside `deepObject` are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ArrayFormat {
    /// `a[]=v`, and `a[0][k]=v` for lists of objects.
    Brackets,
    /// `a[0]=v`
    Indices,
    /// `a=v&a=w`
    Repeat,
    /// `a=v,w`
    Comma,
}

impl ArrayFormat {
    /// The word for it, the same in the plan and the environment.
    pub fn word(self) -> &'static str {
        match self {
            Self::Brackets => "brackets",
            Self::Indices => "indices",
            Self::Repeat => "repeat",
            Self::Comma => "comma",
        }
    }
}
