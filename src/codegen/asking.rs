//! Before which calls a person is asked: those after which something is gone. What only changes a
//! value can be changed back, and asking for each would teach people to agree.

use heck::ToSnakeCase as _;

use crate::bind::{Bound, BoundAction, BoundTool};
use crate::ir::{Method, Operation, takes_away};

/// Whether a person is asked before this action of a tool. The hints of the tool are the truth, also
/// where a person set them.
pub fn asks(bound: &Bound<'_>, tool: &BoundTool<'_>, action: &BoundAction<'_>) -> bool {
    let hints = tool.tool.annotations;
    if hints.read_only || !hints.destructive {
        return false;
    }
    let of = |action: &BoundAction<'_>| &bound.api.operations[action.operation];
    // A tool of one action is named by what that does.
    let name = |action: &BoundAction<'_>| match tool.actions.len() {
        1 => format!("{}_{}", tool.tool.name, action.name),
        _ => action.name.to_owned(),
    };
    let taken = |action: &BoundAction<'_>| is_gone(of(action), &name(action));
    let explained = |other: &BoundAction<'_>| taken(other) || changes(of(other), &name(other));
    // Where nothing explains the hint, somebody gave it, and it is about all actions.
    taken(action) || !tool.actions.iter().any(explained)
}

/// Whether a person is asked before this operation of the catalog.
pub fn asks_in_catalog(bound: &Bound<'_>, action: &BoundAction<'_>, writes: bool) -> bool {
    let own = bound.tools.iter().find_map(|tool| {
        let same = tool.actions.iter().find(|own| own.operation == action.operation)?;
        Some(asks(bound, tool, same))
    });
    let operation = &bound.api.operations[action.operation];
    own.unwrap_or_else(|| writes && is_gone(operation, action.name))
}

fn is_gone(operation: &Operation, name: &str) -> bool {
    let path = || operation.key.path.rsplit('/').find(|s| !s.is_empty() && !s.starts_with('{'));
    let words = match &operation.id {
        Some(id) => id.to_snake_case(),
        None => path().unwrap_or_default().to_snake_case(),
    };
    operation.key.method == Method::Delete
        || takes_away(name)
        || takes_away(words.split('_').next().unwrap_or_default())
}

/// Whether an action changes what is there, which makes its tool destructive too.
fn changes(operation: &Operation, name: &str) -> bool {
    let by_name = name.split('_').any(|word| {
        matches!(word, "update" | "edit" | "modify" | "change" | "set" | "patch" | "save" | "put")
    });
    let item = operation.key.path.trim_end_matches('/').ends_with('}');
    matches!(operation.key.method, Method::Put | Method::Patch) || by_name || item
}
