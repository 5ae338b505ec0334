//! A diff for programs.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Diff, Impact, Subject};

/// The format number of the JSON form.
const FORMAT: u32 = 1;

/// All changes from one plan to another.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Diff")]
struct DiffJson<'a> {
    /// Number of this format.
    format: u32,
    /// How many changes there are of each impact.
    counts: Counts,
    /// About how many tokens the reply to `tools/list` takes.
    tokens: Tokens,
    /// The changes; those about one thing stand together, the worst first.
    changes: Vec<ChangeJson<'a>>,
}

/// Numbers of changes.
#[derive(Serialize, JsonSchema)]
struct Counts {
    /// A call that worked can fail, or a name that agents know is gone.
    breaking: usize,
    /// The same call may do something else, or is trusted otherwise than before.
    sensitive: usize,
    /// Something more can be done.
    additive: usize,
    /// Only texts and order changed.
    docs: usize,
}

/// Sizes before and after.
#[derive(Serialize, JsonSchema)]
struct Tokens {
    /// Of the old plan.
    before: usize,
    /// Of the new plan.
    after: usize,
}

/// One change.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Change")]
struct ChangeJson<'a> {
    /// Kind of the change; `mcp-gen explain` says what it means.
    kind: &'a str,
    /// Whom it concerns.
    impact: Impact,
    /// What it is about.
    subject: SubjectJson,
    /// The tool, where it is about one; of a renamed tool, the new name.
    tool: Option<&'a str>,
    /// Actions of the tool or entries of the catalog, or left-out operations, by their new names.
    actions: &'a [String],
    /// The argument; `address.street` is a member of one, `tags[]` an item.
    argument: Option<&'a str>,
    /// What changed, in words.
    message: String,
    /// What stood in the old plan.
    before: Option<&'a str>,
    /// What stands in the new plan.
    after: Option<&'a str>,
    /// JSON Pointer into the new plan.
    pointer: &'a str,
}

/// What a change is about.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Subject")]
enum SubjectJson {
    /// The server as a whole.
    Server,
    /// One tool.
    Tool,
    /// The catalog.
    Catalog,
    /// What is left out.
    Excluded,
}

/// The diff as JSON; [`json_schema`] describes it.
pub fn json(diff: &Diff) -> String {
    let changes = diff.groups.iter().flat_map(|group| {
        let (subject, tool) = match &group.subject {
            Subject::Server => (SubjectJson::Server, None),
            Subject::Tool(name) => (SubjectJson::Tool, Some(name)),
            Subject::Catalog => (SubjectJson::Catalog, None),
            Subject::Excluded => (SubjectJson::Excluded, None),
        };
        group.changes.iter().map(move |c| ChangeJson {
            kind: c.kind.id,
            impact: c.kind.impact,
            subject,
            tool: tool.map(String::as_str),
            actions: &c.actions,
            argument: c.argument.as_deref(),
            message: c.message.to_string(),
            before: c.before.as_deref(),
            after: c.after.as_deref(),
            pointer: c.pointer.as_str(),
        })
    });
    let all = DiffJson {
        format: FORMAT,
        counts: Counts {
            breaking: diff.count(Impact::Breaking),
            sensitive: diff.count(Impact::Sensitive),
            additive: diff.count(Impact::Additive),
            docs: diff.count(Impact::Docs),
        },
        tokens: Tokens { before: diff.size.before, after: diff.size.after },
        changes: changes.collect(),
    };
    serde_json::to_string_pretty(&all).expect("a diff has a text") + "\n"
}

/// JSON Schema of what [`json`] gives.
pub fn json_schema() -> serde_json::Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<DiffJson<'static>>().to_value()
}
