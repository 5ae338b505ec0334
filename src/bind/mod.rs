//! Joins a plan with the API that it was made from: each action gets its operation, each argument
//! the place where its value goes. Whatever the plan names and the API lacks is reported.

mod argument;
mod names;

pub use argument::members;

use std::collections::BTreeMap;

use crate::diagnostic::Diagnostics;
use crate::diagnostic::generating::{OPERATION_MISSING, PLAN_INCOMPLETE};
use crate::ir;
use crate::plan::{self, Plan};
use crate::source::Pointer;

/// A plan joined to its API.
#[derive(Clone, Debug)]
pub struct Bound<'a> {
    /// The API.
    pub api: &'a ir::Api,
    /// The plan.
    pub plan: &'a Plan,
    /// The tools, in the order of the plan.
    pub tools: Vec<BoundTool<'a>>,
    /// The catalog's operations, in the order of the plan.
    pub entries: Vec<BoundAction<'a>>,
}

/// A tool and its actions.
#[derive(Clone, Debug)]
pub struct BoundTool<'a> {
    /// The tool as planned.
    pub tool: &'a plan::Tool,
    /// Its actions.
    pub actions: Vec<BoundAction<'a>>,
}

/// An action, of a tool or of the catalog.
#[derive(Clone, Debug)]
pub struct BoundAction<'a> {
    /// Its name.
    pub name: &'a str,
    /// Index of its operation in [`ir::Api::operations`].
    pub operation: usize,
    /// Index of the media type that is sent, in the contents of the body.
    pub content: Option<usize>,
    /// Its arguments.
    pub inputs: Vec<BoundInput<'a>>,
}

/// One argument of an action.
#[derive(Clone, Debug)]
pub struct BoundInput<'a> {
    /// Name of the argument.
    pub argument: &'a plan::Argument,
    /// Whether the action needs it.
    pub required: bool,
    /// Where its value goes.
    pub target: Target,
}

/// A place in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The parameter with this index in [`ir::Operation::parameters`].
    Parameter(usize),
    /// The member of the body at these steps; no step means all of it.
    Body(Vec<String>),
}

/// Finds every name of `plan` in `api`; what is missing is reported as an error.
pub fn bind<'a>(diagnostics: &mut Diagnostics, plan: &'a Plan, api: &'a ir::Api) -> Bound<'a> {
    let index: BTreeMap<String, usize> =
        api.operations.iter().enumerate().map(|(i, o)| (o.key.to_string(), i)).collect();
    names::check(diagnostics, plan);
    let mut binder = Binder { diagnostics, api, index: &index };
    let tools = plan
        .tools
        .iter()
        .map(|tool| BoundTool {
            tool,
            actions: tool.actions.iter().filter_map(|a| binder.action(tool, a)).collect(),
        })
        .collect();
    let entries = plan
        .catalog
        .iter()
        .flat_map(|c| &c.entries)
        .filter_map(|entry| binder.entry(entry))
        .collect();
    account(diagnostics, plan, &index);
    Bound { api, plan, tools, entries }
}

/// Reports the operations of the document of which the plan says nothing.
fn account(diagnostics: &mut Diagnostics, plan: &Plan, index: &BTreeMap<String, usize>) {
    let direct = plan.tools.iter().flat_map(|t| &t.actions).map(|a| &a.operation);
    let catalog = plan.catalog.iter().flat_map(|c| &c.entries).map(|e| &e.operation);
    let excluded = plan.excluded.iter().map(|e| &e.operation);
    let known: std::collections::BTreeSet<_> = direct.chain(catalog).chain(excluded).collect();
    for operation in index.keys().filter(|o| !known.contains(o)) {
        diagnostics
            .report(
                &PLAN_INCOMPLETE,
                None,
                Pointer::default(),
                format!("the plan says nothing of `{operation}`"),
            )
            .help("`mcp-gen plan` renews the plan");
    }
}

/// Whether two values cannot both be sent: the same place, or one inside the other.
fn overlaps(one: &Target, other: &Target) -> bool {
    match (one, other) {
        (Target::Parameter(a), Target::Parameter(b)) => a == b,
        (Target::Body(a), Target::Body(b)) => a.starts_with(b) || b.starts_with(a),
        (Target::Parameter(_), Target::Body(_)) | (Target::Body(_), Target::Parameter(_)) => false,
    }
}

struct Binder<'a, 'd> {
    diagnostics: &'d mut Diagnostics,
    api: &'a ir::Api,
    index: &'d BTreeMap<String, usize>,
}

impl<'a> Binder<'a, '_> {
    fn action(
        &mut self,
        tool: &'a plan::Tool,
        action: &'a plan::Action,
    ) -> Option<BoundAction<'a>> {
        let owner = format!("action `{}` of tool `{}`", action.name, tool.name);
        let changes = ["PUT ", "PATCH ", "DELETE "].iter().any(|m| action.operation.starts_with(m));
        if tool.annotations.read_only && changes {
            self.missing(format!(
                "{owner} calls `{}`, but the tool says that it only reads",
                action.operation
            ));
        }
        let arguments = tool
            .arguments
            .iter()
            .filter_map(|argument| Some((argument, argument.to.get(&action.name)?)));
        self.join(
            &owner,
            &action.name,
            &action.operation,
            action.media_type.as_deref(),
            arguments.collect(),
            &action.required,
        )
    }

    fn entry(&mut self, entry: &'a plan::Entry) -> Option<BoundAction<'a>> {
        let owner = format!("`{}` of the catalog", entry.name);
        let arguments =
            entry.arguments.iter().filter_map(|a| Some((a, a.to.values().next()?))).collect();
        self.join(
            &owner,
            &entry.name,
            &entry.operation,
            entry.media_type.as_deref(),
            arguments,
            &entry.required,
        )
    }

    fn join(
        &mut self,
        owner: &str,
        name: &'a str,
        key: &str,
        media_type: Option<&str>,
        arguments: Vec<(&'a plan::Argument, &'a plan::Place)>,
        required: &[String],
    ) -> Option<BoundAction<'a>> {
        let Some(&index) = self.index.get(key) else {
            self.missing(format!("{owner} calls `{key}`, which the document does not have"));
            return None;
        };
        let operation = &self.api.operations[index];
        let content = match (media_type, &operation.body) {
            (None, _) => None,
            (Some(wanted), Some(body)) => {
                let found = body.contents.iter().position(|c| c.media_type == wanted);
                if found.is_none() {
                    self.missing(format!("{owner} sends `{wanted}`, which `{key}` does not take"));
                }
                found
            }
            (Some(wanted), None) => {
                self.missing(format!("{owner} sends `{wanted}`, but `{key}` takes no body"));
                None
            }
        };
        let mut inputs: Vec<BoundInput<'a>> = Vec::new();
        for (argument, place) in arguments {
            match argument::target(self.api, operation, content, place) {
                Ok(target) if inputs.iter().any(|i| overlaps(&i.target, &target)) => {
                    self.missing(format!(
                        "{owner} puts argument `{}` to `{place}`, where another one goes already",
                        argument.name
                    ));
                }
                Ok(target) => inputs.push(BoundInput {
                    argument,
                    required: required.contains(&argument.name),
                    target,
                }),
                Err(why) => self.missing(format!(
                    "{owner} puts argument `{}` to `{place}`, but {why}",
                    argument.name
                )),
            }
        }
        for (index, parameter) in operation.parameters.iter().enumerate() {
            let given = inputs.iter().any(|i| i.required && i.target == Target::Parameter(index));
            if parameter.location == ir::Location::Path && !given {
                self.missing(format!(
                    "{owner} does not require `{}`, without which `{key}` has no path",
                    parameter.name
                ));
            }
        }
        for wanted in required {
            if !inputs.iter().any(|i| i.argument.name == *wanted) {
                self.missing(format!("{owner} requires `{wanted}`, which it does not take"));
            }
        }
        Some(BoundAction { name, operation: index, content, inputs })
    }

    fn missing(&mut self, message: String) {
        self.diagnostics
            .report(&OPERATION_MISSING, None, Pointer::default(), message)
            .help("`mcp-gen plan` renews the plan; or mend the plan by hand");
    }
}

#[cfg(test)]
mod tests;
