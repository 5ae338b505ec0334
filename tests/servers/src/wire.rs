//! From values at places of a request to the tool and the arguments that put them there.
//!
//! Tests name an operation and where on the wire each value has to be; the plan says which tool,
//! action and argument does that. So names can change without any test being the wiser.

use mcp_gen::plan::{Argument, Effect, Place, Plan};
use serde_json::{Map, Value, json};

/// A call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: Value,
}

/// The call that sends `operation` (`METHOD /path`) with these values.
///
/// `values` has the members `path`, `query`, `header`, `cookie` (each an object by wire name),
/// `querystring` and `body`, as far as they are used. Panics when the plan cannot do it: an
/// operation that is in no tool, or a value for which there is no argument.
pub fn call(plan: &Plan, operation: &str, values: &Value) -> Call {
    let mut rest = values.clone();
    for tool in &plan.tools {
        let Some(action) = tool.actions.iter().find(|a| a.operation == operation) else { continue };
        let mut arguments = Map::new();
        if let Some(selector) = &tool.selector {
            arguments.insert(selector.clone(), action.name.clone().into());
        }
        fill(&mut arguments, &tool.arguments, &action.name, &mut rest);
        check_rest(operation, &rest);
        return Call { tool: tool.name.clone(), arguments: arguments.into() };
    }
    catalog_call(plan, operation, values)
        .unwrap_or_else(|| panic!("`{operation}` is in no tool of the plan"))
}

/// The call of a catalog tool that does the same; `None` when the catalog does not hold it.
pub fn catalog_call(plan: &Plan, operation: &str, values: &Value) -> Option<Call> {
    let catalog = plan.catalog.as_ref()?;
    let entry = catalog.entries.iter().find(|e| e.operation == operation)?;
    let tool = match entry.effect {
        Effect::Read => &catalog.read,
        Effect::Write => {
            catalog.write.as_ref().expect("a plan with writing entries has a tool for them")
        }
    };
    let mut rest = values.clone();
    let mut inner = Map::new();
    fill(&mut inner, &entry.arguments, "call", &mut rest);
    check_rest(operation, &rest);
    let arguments = json!({"operation": entry.name, "arguments": inner});
    Some(Call { tool: tool.name.clone(), arguments })
}

/// The name of the argument that carries a place of an operation: `path:id`, `body:/name`.
pub fn argument(plan: &Plan, operation: &str, place: &str) -> String {
    let place: Place = place.parse().unwrap_or_else(|error| panic!("{error}"));
    let direct = plan.tools.iter().filter_map(|tool| {
        let action = tool.actions.iter().find(|a| a.operation == operation)?;
        Some((&tool.arguments, action.name.as_str()))
    });
    let entries = plan.catalog.iter().flat_map(|c| &c.entries);
    let entries = entries.filter(|e| e.operation == operation).map(|e| (&e.arguments, "call"));
    let (arguments, action) = direct
        .chain(entries)
        .next()
        .unwrap_or_else(|| panic!("`{operation}` is in no tool of the plan"));
    let found = arguments.iter().find(|a| a.to.get(action) == Some(&place));
    found.unwrap_or_else(|| panic!("`{operation}`: no argument carries `{place}`")).name.clone()
}

fn fill(to: &mut Map<String, Value>, arguments: &[Argument], action: &str, rest: &mut Value) {
    // The deepest places first: `/reorder/supplier/id` before an argument that takes all of
    // `/reorder`, should a plan have both.
    let mut takers: Vec<(&Argument, &Place)> =
        arguments.iter().filter_map(|a| Some((a, a.to.get(action)?))).collect();
    takers.sort_by_key(|(_, place)| {
        std::cmp::Reverse(match place {
            Place::Body(steps) => steps.len(),
            _ => 0,
        })
    });
    for (argument, place) in takers {
        if let Some(value) = take(rest, place) {
            to.insert(argument.name.clone(), spell(&value, &argument.schema));
        }
    }
}

/// Takes the value at a place away.
fn take(rest: &mut Value, place: &Place) -> Option<Value> {
    let (part, name) = match place {
        Place::Path(name) => ("path", name),
        Place::Query(name) => ("query", name),
        Place::Header(name) => ("header", name),
        Place::Cookie(name) => ("cookie", name),
        Place::QueryString(_) => return rest.as_object_mut()?.shift_remove("querystring"),
        Place::Body(steps) => return take_at(rest, "body", steps),
    };
    rest.get_mut(part)?.as_object_mut()?.shift_remove(name)
}

fn take_at(rest: &mut Value, first: &str, steps: &[String]) -> Option<Value> {
    let members = rest.as_object_mut()?;
    let Some((next, later)) = steps.split_first() else { return members.shift_remove(first) };
    let inner = members.get_mut(first)?;
    let taken = take_at(inner, next, later);
    // An object of which all members are taken was carried whole.
    if taken.is_some() && inner.as_object().is_some_and(Map::is_empty) {
        members.shift_remove(first);
    }
    taken
}

fn check_rest(operation: &str, rest: &Value) {
    let left = rest.as_object().expect("values are an object by place");
    let left: Vec<_> =
        left.iter().filter(|(_, v)| !v.as_object().is_some_and(Map::is_empty)).collect();
    assert!(left.is_empty(), "`{operation}`: no argument carries {left:?}");
}

/// Writes a wire value as the argument's schema wants it: whole numbers and lists of choices may be
/// strings, maps may be lists of `key` and `value`, and what cannot be flat is JSON in a string.
pub fn spell(value: &Value, schema: &Value) -> Value {
    match (schema["type"].as_str(), value) {
        (_, Value::Null) | (Some("string"), Value::String(_)) => value.clone(),
        (Some("string"), _) => value.to_string().into(),
        (Some("array"), Value::Object(members)) => {
            let inner = &schema["items"]["properties"];
            let pairs = members.iter();
            pairs.map(|(key, v)| json!({"key": key, "value": spell(v, &inner["value"])})).collect()
        }
        (Some("array"), Value::Array(values)) => {
            values.iter().map(|value| spell(value, &schema["items"])).collect()
        }
        (Some("object"), Value::Object(members)) => {
            let spelled = members.iter();
            spelled.map(|(k, v)| (k.clone(), spell(v, &schema["properties"][k]))).collect()
        }
        _ => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use indexmap_of::plan;

    use super::*;

    /// A small plan, built by hand.
    mod indexmap_of {
        use mcp_gen::plan::{Action, Annotations, Argument, Place, Plan, Posture, Tool};
        use serde_json::{Value, json};

        fn argument(name: &str, schema: Value, to: &[(&str, Place)]) -> Argument {
            let to = to.iter().map(|(action, place)| ((*action).to_owned(), place.clone()));
            Argument { name: name.into(), schema, to: to.collect(), why: None }
        }

        fn action(name: &str, operation: &str) -> Action {
            Action {
                name: name.into(),
                operation: operation.into(),
                summary: String::new(),
                media_type: None,
                required: Vec::new(),
            }
        }

        pub fn plan() -> Plan {
            let body = |steps: &[&str]| Place::Body(steps.iter().map(|s| (*s).into()).collect());
            let string = json!({"type": "string"});
            let pairs = json!({"type": "array", "items": {"type": "object",
                "properties": {"key": {"type": "string"}, "value": {"type": "string"}}}});
            let tool = Tool {
                name: "manage_things".into(),
                title: "Manage things".into(),
                posture: Posture::Primary,
                description: String::new(),
                annotations: Annotations {
                    read_only: false,
                    destructive: true,
                    idempotent: false,
                    open_world: true,
                },
                actions: vec![
                    action("create", "POST /things"),
                    action("drop", "DELETE /things/{id}"),
                ],
                selector: Some("do".into()),
                arguments: vec![
                    argument("thing", string.clone(), &[("drop", Place::Path("id".into()))]),
                    argument(
                        "size_of",
                        json!({"type": "integer"}),
                        &[("create", body(&["size", "of"]))],
                    ),
                    argument("labels", pairs, &[("create", body(&["labels"]))]),
                    argument("rest", string, &[("create", body(&["rest"]))]),
                ],
                toolsets: Vec::new(),
                output: None,
                why: Vec::new(),
            };
            Plan {
                api_title: String::new(),
                api_version: String::new(),
                server: "things".into(),
                title: String::new(),
                instructions: String::new(),
                connection: mcp_gen::plan::Connection::default(),
                sizes: mcp_gen::plan::Sizes::default(),
                tools: vec![tool],
                catalog: None,
                excluded: Vec::new(),
            }
        }
    }

    fn check(operation: &str, values: &Value, arguments: &Value) {
        assert_eq!(&call(&plan(), operation, values).arguments, arguments);
    }

    #[test]
    fn a_place_finds_its_argument() {
        check(
            "DELETE /things/{id}",
            &json!({"path": {"id": "a"}}),
            &json!({"do": "drop", "thing": "a"}),
        );
    }

    #[test]
    fn members_are_spelled_as_the_schema_wants_them() {
        let body = json!({"size": {"of": 3}, "labels": {"a": "b"}, "rest": {"deep": [1]}});
        let arguments = json!({"do": "create", "size_of": 3,
            "labels": [{"key": "a", "value": "b"}], "rest": "{\"deep\":[1]}"});
        let found = call(&plan(), "POST /things", &json!({"body": body}));
        assert_eq!(found.tool, "manage_things");
        assert_eq!(found.arguments, arguments);
    }

    #[test]
    fn the_argument_of_a_place_has_a_name() {
        assert_eq!(argument(&plan(), "DELETE /things/{id}", "path:id"), "thing");
        assert_eq!(argument(&plan(), "POST /things", "body:/size/of"), "size_of");
    }

    #[test]
    #[should_panic(expected = "no argument carries")]
    fn a_value_without_an_argument_fails_the_test() {
        call(&plan(), "POST /things", &json!({"query": {"q": 1}}));
    }

    #[test]
    #[should_panic(expected = "is in no tool")]
    fn an_operation_without_a_tool_fails_the_test() {
        call(&plan(), "GET /nowhere", &json!({}));
    }
}
