//! Which call reads what a reply points to: the model gets a tool and its arguments, never a URL.

use super::arguments::operation;
use super::encode;
use super::style;
use super::table::{Action, Location, Operation, Piece, Service, Style, Target};
use reqwest::Url;
use serde_json::{Map, Value, json};

/// The call that reads this address; the one whose path says most.
pub fn call(service: &'static Service, prefix: &str, target: &Url) -> Option<Value> {
    let path = target.path().strip_prefix(prefix).unwrap_or(target.path());
    let mut best: Option<(usize, Value)> = None;
    let mut offer = |weight: usize, call: Value| {
        if best.as_ref().is_none_or(|(most, _)| weight > *most) {
            best = Some((weight, call));
        }
    };
    for tool in service.tools {
        for action in tool.actions {
            if let Some((weight, mut arguments)) = fits(action, path, target) {
                if let Some(selector) = tool.selector {
                    arguments.shift_insert(0, selector.to_owned(), Value::from(action.name));
                }
                offer(weight, json!({ "tool": tool.name, "arguments": arguments }));
            }
        }
    }
    if let Some(catalog) = &service.catalog {
        for action in catalog.actions {
            if let Some((weight, arguments)) = fits(action, path, target) {
                let arguments = json!({ "operation": action.name, "arguments": arguments });
                offer(weight, json!({ "tool": catalog.read, "arguments": arguments }));
            }
        }
    }
    best.map(|(_, call)| call)
}

/// How much of the path the action's own text says, and the arguments that make it.
fn fits(action: &Action, path: &str, target: &Url) -> Option<(usize, Map<String, Value>)> {
    let operation = operation(action);
    if operation.method != "GET" {
        return None;
    }
    let mut found = vec![None; operation.parameters.len()];
    let weight = match_path(operation, operation.path, path, &mut found)?;
    for (name, value) in target.query_pairs() {
        let named = |index: &usize| {
            let parameter = &operation.parameters[*index];
            parameter.location == Location::Query && parameter.name == name
        };
        if let Some(index) = (0..operation.parameters.len()).find(named) {
            found[index] = Some(value.into_owned());
        }
    }
    let mut arguments = Map::new();
    for input in action.inputs {
        let value = match input.target {
            Target::Parameter(index) => found.get_mut(index).and_then(Option::take),
            Target::Body(_) => None,
        };
        match value {
            Some(value) => {
                arguments.insert(input.argument.to_owned(), Value::from(value));
            }
            None if input.required => return None,
            None => {}
        }
    }
    Some((weight, arguments))
}

/// Matches a path; a value ends where the text after it begins, and never passes a slash.
fn match_path(
    operation: &Operation,
    pieces: &[Piece],
    path: &str,
    found: &mut [Option<String>],
) -> Option<usize> {
    match pieces.split_first() {
        None => path.trim_end_matches('/').is_empty().then_some(0),
        Some((Piece::Text(text), rest)) => {
            let after = path.strip_prefix(text).or_else(|| {
                // A slash at the end makes no difference to most services.
                let bare = text.strip_suffix('/')?;
                (rest.is_empty() && path == bare).then_some("")
            })?;
            Some(text.len() + match_path(operation, rest, after, found)?)
        }
        Some((Piece::Parameter(index), rest)) => {
            let parameter = operation.parameters.get(*index)?;
            if parameter.style != Style::Simple || parameter.media_type.is_some() {
                return None;
            }
            let segment = &path[..path.find('/').unwrap_or(path.len())];
            let end = match rest.first() {
                Some(Piece::Text(text)) if !text.starts_with('/') => segment.find(text)?,
                _ => segment.len(),
            };
            let value = encode::decode(&segment[..end]).filter(|value| !value.is_empty())?;
            let weight = match_path(operation, rest, &path[end..], found)?;
            found[*index] = style::scalar(&Value::from(value));
            Some(weight)
        }
    }
}
