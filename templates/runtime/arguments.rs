//! From the arguments of a call to the values that a request is made of.

use super::check::{self, Fault, Step};
use super::coerce::Coercer;
use super::exact;
use super::request::uuid;
use super::schema::{self, Schemas};
use super::table::{Action, BodyKind, Call, Operation, Target};
use super::text;
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// The values of one request, as they must be on the wire.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// One per parameter of the operation.
    pub parameters: Vec<Option<Value>>,
    /// The body.
    pub body: Option<Value>,
}

/// The operation of an action.
pub fn operation(action: &Action) -> &'static Operation {
    match action.call {
        Call::Operation(operation) => operation,
    }
}

/// The action that the arguments choose.
///
/// # Errors
/// What to tell the model when none is chosen.
pub fn choose(
    tool: &str,
    selector: Option<&str>,
    actions: &'static [Action],
    arguments: &Map<String, Value>,
) -> Result<&'static Action, String> {
    let Some(selector) = selector else {
        return actions.first().ok_or_else(|| format!("`{tool}` has no action."));
    };
    let names = || actions.iter().map(|action| action.name);
    let list = text::names(names());
    match arguments.get(selector) {
        None | Some(Value::Null) => Err(format!(
            "`{selector}` is missing. Nothing was sent.\nAction: call `{tool}` again with `{selector}` set to one of {list}."
        )),
        Some(Value::String(given)) => {
            let wanted = given.trim();
            let exact = actions.iter().find(|action| action.name == wanted);
            exact.or_else(|| actions.iter().find(|action| action.name.eq_ignore_ascii_case(wanted))).ok_or_else(|| {
                let guess = text::nearest(wanted, names());
                let guess = guess.map_or_else(String::new, |name| format!(" Did you mean `{name}`?"));
                format!(
                    "`{selector}` has no value `{}`.{guess} Nothing was sent.\nAction: call `{tool}` again with `{selector}` set to one of {list}.",
                    text::cut(&text::clean(wanted), 60)
                )
            })
        }
        Some(_) => Err(format!(
            "`{selector}` must be a string. Nothing was sent.\nAction: call `{tool}` again with `{selector}` set to one of {list}."
        )),
    }
}

/// Sorts, mends and checks the arguments of an action.
///
/// `others` are the actions of the same tool, whose arguments deserve a better message.
///
/// # Errors
/// All faults in one text.
pub fn prepare(
    schemas: &Schemas,
    tool: &str,
    selector: Option<&str>,
    action: &'static Action,
    others: &'static [Action],
    arguments: &Map<String, Value>,
) -> Result<Values, String> {
    let operation = operation(action);
    let mut faults = Vec::new();
    strangers(&mut faults, selector, action, others, arguments);

    let mut values = Values { parameters: vec![None; operation.parameters.len()], body: None };
    for input in action.inputs {
        let schema = schemas.target(operation.key, input.target);
        let given = arguments.get(input.argument);
        let value = given.and_then(|value| {
            coercer(schemas, operation, input.target).value(value, &schema, input.required)
        });
        match (value, input.target) {
            (None, _) => {
                if input.required {
                    let action_words =
                        selector.map_or_else(String::new, |_| format!(" for `{}`", action.name));
                    faults.push(format!(
                        "`{}`: is missing; it is needed{action_words}",
                        input.argument
                    ));
                }
            }
            (Some(value), Target::Parameter(index)) => {
                if let Some(place) = values.parameters.get_mut(index) {
                    for fault in check::check(schemas, &value, &schema) {
                        faults.push(line(input.argument, &fault));
                    }
                    *place = Some(value);
                }
            }
            (Some(value), Target::Body(steps)) => {
                put(&mut values.body, steps, json_text(operation, &schema, steps, value));
            }
        }
    }

    constants(schemas, operation, &mut values);
    check_body(&mut faults, schemas, action, operation, &values);
    if faults.is_empty() {
        return Ok(values);
    }
    Err(report(tool, selector, action, &faults))
}

/// The arguments of an action with their values mended, for whoever does without a request.
pub fn mended(
    schemas: &Schemas,
    action: &Action,
    arguments: &Map<String, Value>,
) -> Map<String, Value> {
    let operation = operation(action);
    let mut out = arguments.clone();
    for input in action.inputs {
        let Some(given) = arguments.get(input.argument) else { continue };
        let schema = schemas.target(operation.key, input.target);
        match coercer(schemas, operation, input.target).value(given, &schema, input.required) {
            Some(value) => out.insert(input.argument.to_owned(), value),
            None => out.shift_remove(input.argument),
        };
    }
    out
}

fn coercer<'a>(schemas: &'a Schemas, operation: &Operation, target: Target) -> Coercer<'a> {
    let is_body = matches!(target, Target::Body(_));
    Coercer::new(schemas, is_body).removing(is_body && merges(operation))
}

/// Whether the body is a JSON Merge Patch.
fn merges(operation: &Operation) -> bool {
    operation.body.as_ref().is_some_and(|body| body.media_type.contains("merge-patch+json"))
}

/// What a JSON Merge Patch sets, without what it removes: only that has to fit the schema.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(key, value)| (key.clone(), without_nulls(value))).collect())
        }
        other => other.clone(),
    }
}

/// A whole body that the document does not describe comes as JSON text.
fn json_text(operation: &Operation, schema: &Value, steps: &[&str], value: Value) -> Value {
    let json = operation
        .body
        .as_ref()
        .is_some_and(|body| matches!(body.kind, BodyKind::Json | BodyKind::Lines));
    let undescribed = schema.as_object().is_none_or(Map::is_empty);
    match &value {
        Value::String(text) if json && undescribed && steps.is_empty() => {
            exact::parse(text).unwrap_or(value)
        }
        _ => value,
    }
}

fn report(tool: &str, selector: Option<&str>, action: &Action, faults: &[String]) -> String {
    refused("Nothing was sent", tool, selector.map(|_| action.name), faults)
}

/// What is wrong with the arguments of a tool, or of one of its actions, and that `nothing` came of it.
pub fn refused(nothing: &str, tool: &str, action: Option<&str>, faults: &[String]) -> String {
    let mut out = format!(
        "{nothing}: {} problem{} with the arguments of `{tool}`",
        faults.len(),
        if faults.len() == 1 { "" } else { "s" }
    );
    if let Some(action) = action {
        let _ = write!(out, " ({action})");
    }
    out.push('.');
    for fault in faults.iter().take(20) {
        let _ = write!(out, "\n- {}", text::cut(fault, 600));
    }
    if faults.len() > 20 {
        let _ = write!(out, "\n- and {} more", faults.len() - 20);
    }
    let _ = write!(out, "\nAction: correct the listed arguments and call `{tool}` again.");
    out
}

/// Arguments that the action does not take.
fn strangers(
    faults: &mut Vec<String>,
    selector: Option<&str>,
    action: &Action,
    others: &[Action],
    arguments: &Map<String, Value>,
) {
    let takes =
        |action: &Action, name: &str| action.inputs.iter().any(|input| input.argument == name);
    for (name, value) in arguments {
        if Some(name.as_str()) == selector || takes(action, name) {
            continue;
        }
        let shown = text::cut(&text::clean(name), 60);
        let known = text::names(action.inputs.iter().map(|input| input.argument));
        let owners: Vec<&str> =
            others.iter().filter(|other| takes(other, name)).map(|other| other.name).collect();
        if !owners.is_empty() {
            // Models fill arguments that they do not mean with nothing.
            if !value.is_null() && value != "" {
                faults.push(format!(
                    "`{shown}`: belongs to {}, not to `{}`, which takes {known}",
                    text::names(owners),
                    action.name
                ));
            }
            continue;
        }
        let guess = text::nearest(name, action.inputs.iter().map(|input| input.argument));
        let guess =
            guess.map_or_else(|| ".".to_owned(), |meant| format!("; did you mean `{meant}`?"));
        faults.push(format!("`{shown}`: unknown argument{guess} Known: {known}"));
    }
}

fn put(body: &mut Option<Value>, steps: &[&str], value: Value) {
    let Some((last, way)) = steps.split_last() else {
        match (body.as_mut().and_then(Value::as_object_mut), value) {
            (Some(members), Value::Object(more)) => members.extend(more),
            (_, value) => *body = Some(value),
        }
        return;
    };
    let mut at = body.get_or_insert_with(|| Value::Object(Map::new()));
    for step in way {
        if !at.is_object() {
            *at = Value::Object(Map::new());
        }
        at = &mut at[*step];
        if at.is_null() {
            *at = Value::Object(Map::new());
        }
    }
    if !at.is_object() {
        *at = Value::Object(Map::new());
    }
    at[*last] = value;
}

/// Fills what can have one value only and is no argument, headers that no caller decides, and an
/// empty body that must be sent.
fn constants(schemas: &Schemas, operation: &Operation, values: &mut Values) {
    for (index, place) in values.parameters.iter_mut().enumerate() {
        let schema = schemas.parameter(operation.key, index);
        if place.is_none() && schema["x-required"] == Value::Bool(true) {
            *place = only_value(schemas, schema);
        }
        if place.is_none() {
            *place = match schema.get("x-sent") {
                Some(value) => Some(value.clone()),
                None if schema.get("x-made").is_some() => uuid().map(Value::String),
                None => None,
            };
        }
    }
    let Some(body) = &operation.body else { return };
    let schema = schemas.resolve(schemas.body(operation.key));
    let keyed = matches!(body.kind, BodyKind::Json | BodyKind::Form | BodyKind::Multipart);
    let is_object = schema.get("properties").is_some() || schema::names_type(schema, "object");
    if values.body.is_none() && body.required && keyed && is_object {
        values.body = Some(Value::Object(Map::new()));
    }
    if let Some(value) = &mut values.body {
        fill(schemas, schema, value, 0);
    }
}

fn fill(schemas: &Schemas, schema: &Value, value: &mut Value, depth: usize) {
    let schema = schemas.resolve(schema);
    let (Some(members), Some(properties)) =
        (value.as_object_mut(), schema["properties"].as_object())
    else {
        return;
    };
    if depth > 8 {
        return;
    }
    for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if let Some(only) = properties
            .get(key)
            .filter(|_| !members.contains_key(key))
            .and_then(|own| only_value(schemas, own))
        {
            members.insert(key.to_owned(), only);
        }
    }
    for (key, inner) in members {
        if let Some(own) = properties.get(key) {
            fill(schemas, own, inner, depth + 1);
        }
    }
}

fn only_value(schemas: &Schemas, schema: &Value) -> Option<Value> {
    let schema = schemas.resolve(schema);
    match schema["enum"].as_array().map(Vec::as_slice) {
        Some([only]) => Some(only.clone()),
        _ => schema.get("const").cloned(),
    }
}

fn check_body(
    faults: &mut Vec<String>,
    schemas: &Schemas,
    action: &Action,
    operation: &Operation,
    values: &Values,
) {
    let Some(body) = &values.body else { return };
    let set = merges(operation).then(|| without_nulls(body));
    let body = set.as_ref().unwrap_or(body);
    for fault in check::check(schemas, body, schemas.body(operation.key)) {
        let keys: Vec<&str> = fault
            .path
            .iter()
            .map_while(|step| match step {
                Step::Key(wire, _) => Some(wire.as_str()),
                Step::Index(_) => None,
            })
            .collect();
        let owner = action
            .inputs
            .iter()
            .filter_map(|input| match input.target {
                Target::Body(steps)
                    if keys.len() >= steps.len() && keys[..steps.len()] == *steps =>
                {
                    Some((input, steps))
                }
                Target::Body(_) | Target::Parameter(_) => None,
            })
            .max_by_key(|(_, steps)| steps.len());
        match owner {
            Some((input, steps)) => {
                let rest =
                    Fault { path: fault.path[steps.len()..].to_vec(), message: fault.message };
                // Told already, with the action's name.
                let told = rest.path.is_empty() && rest.message == "is missing" && input.required;
                if !told {
                    faults.push(line(input.argument, &rest));
                }
            }
            None if fault.path.is_empty() => faults.push(format!("the body: {}", fault.message)),
            None => faults.push(format!("`{}`: {}", check::shown_path(&fault.path), fault.message)),
        }
    }
}

fn line(argument: &str, fault: &Fault) -> String {
    let mut path = vec![Step::Key(argument.to_owned(), argument.to_owned())];
    path.extend(fault.path.iter().cloned());
    format!("`{}`: {}", check::shown_path(&path), fault.message)
}
