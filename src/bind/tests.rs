//! A plan and an API that fit, each time with one thing changed.

use super::*;
use crate::ir::{
    Api, Body, Content, Hints, Location, Method, Operation, OperationKey, Parameter, Schema,
    SchemaId, Style,
};
use crate::plan::{Action, Annotations, Argument, Place, Posture, Tool};
use crate::source::At;
use indexmap::IndexMap;

fn api() -> Api {
    let parameter = Parameter {
        name: "id".to_owned(),
        location: Location::Path,
        required: true,
        deprecated: false,
        description: None,
        schema: SchemaId(0),
        style: Style::Simple,
        explode: false,
        allow_reserved: false,
        allow_empty: false,
        media_type: None,
        example: None,
        hint_name: None,
        argument: false,
        at: At::default(),
        pointer: Pointer::default(),
    };
    let body = Schema {
        properties: IndexMap::from([("name".to_owned(), SchemaId(0))]),
        ..Schema::default()
    };
    let operation = Operation {
        key: OperationKey { method: Method::Put, path: "/pets/{id}".to_owned() },
        id: None,
        summary: None,
        description: None,
        tags: Vec::new(),
        deprecated: false,
        parameters: vec![parameter],
        body: Some(Body {
            required: true,
            description: None,
            contents: vec![Content {
                media_type: "application/json".to_owned(),
                schema: Some(SchemaId(1)),
                encoding: IndexMap::new(),
                example: None,
            }],
        }),
        responses: Vec::new(),
        security: Vec::new(),
        servers: Vec::new(),
        hints: Hints::default(),
        at: At::default(),
        pointer: Pointer::default(),
    };
    Api { operations: vec![operation], schemas: vec![Schema::default(), body], ..Api::default() }
}

fn argument(name: &str, place: Place) -> Argument {
    Argument {
        name: name.to_owned(),
        schema: serde_json::json!({"type": "string"}),
        to: IndexMap::from([("replace".to_owned(), place)]),
        why: None,
    }
}

fn plan() -> Plan {
    Plan {
        connection: crate::plan::Connection::default(),
        sizes: crate::plan::Sizes::default(),
        api_title: String::new(),
        api_version: String::new(),
        server: "pets".to_owned(),
        title: "Pets".to_owned(),
        instructions: String::new(),
        tools: vec![Tool {
            name: "replace_pet".to_owned(),
            title: "Replace pet".to_owned(),
            posture: Posture::Primary,
            description: "Replaces a pet.".to_owned(),
            annotations: Annotations {
                read_only: false,
                destructive: true,
                idempotent: true,
                open_world: true,
            },
            actions: vec![Action {
                name: "replace".to_owned(),
                operation: "PUT /pets/{id}".to_owned(),
                summary: "Replaces it".to_owned(),
                media_type: Some("application/json".to_owned()),
                required: vec!["id".to_owned()],
            }],
            selector: None,
            arguments: vec![
                argument("id", Place::Path("id".to_owned())),
                argument("name", Place::Body(vec!["name".to_owned()])),
            ],
            toolsets: Vec::new(),
            output: None,
            why: Vec::new(),
        }],
        catalog: None,
        excluded: Vec::new(),
    }
}

/// Changes the plan, binds it, and compares the messages.
#[track_caller]
fn check(change: impl FnOnce(&mut Plan), expected: &[&str]) {
    let api = api();
    let mut plan = plan();
    change(&mut plan);
    let mut diagnostics = Diagnostics::default();
    bind(&mut diagnostics, &plan, &api);
    let messages: Vec<_> = diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(messages, expected);
    assert!(diagnostics.iter().all(|d| d.help.is_some()), "each names the way out");
}

#[test]
fn a_plan_that_fits_gets_its_targets_and_no_finding() {
    check(|_| (), &[]);
    let (api, plan) = (api(), plan());
    let bound = bind(&mut Diagnostics::default(), &plan, &api);
    let action = &bound.tools[0].actions[0];
    let inputs: Vec<_> = action.inputs.iter().map(|i| (i.required, i.target.clone())).collect();
    assert_eq!(action.content, Some(0));
    assert_eq!(
        inputs,
        [(true, Target::Parameter(0)), (false, Target::Body(vec!["name".to_owned()]))]
    );
}

#[test]
fn an_operation_that_is_gone_is_an_error_and_the_new_one_is_named() {
    check(
        |p| p.tools[0].actions[0].operation = "PUT /animals/{id}".to_owned(),
        &[
            "action `replace` of tool `replace_pet` calls `PUT /animals/{id}`, which the document \
             does not have",
            "the plan says nothing of `PUT /pets/{id}`",
        ],
    );
}

#[test]
fn a_media_type_that_is_gone_is_an_error() {
    check(
        |p| {
            p.tools[0].actions[0].media_type = Some("text/csv".to_owned());
            p.tools[0].arguments.pop();
        },
        &["action `replace` of tool `replace_pet` sends `text/csv`, which `PUT /pets/{id}` does \
           not take"],
    );
}

#[test]
fn a_parameter_or_member_that_is_gone_is_an_error() {
    check(
        |p| p.tools[0].arguments[1] = argument("limit", Place::Query("limit".to_owned())),
        &["action `replace` of tool `replace_pet` puts argument `limit` to `query:limit`, but \
           `PUT /pets/{id}` has no query parameter `limit`"],
    );
    check(
        |p| p.tools[0].arguments[1] = argument("age", Place::Body(vec!["age".to_owned()])),
        &[
            "action `replace` of tool `replace_pet` puts argument `age` to `body:/age`, but the body \
           of `PUT /pets/{id}` has no `age`",
        ],
    );
}

#[test]
fn what_is_required_must_be_taken() {
    check(
        |p| p.tools[0].actions[0].required.push("colour".to_owned()),
        &["action `replace` of tool `replace_pet` requires `colour`, which it does not take"],
    );
}

#[test]
fn two_arguments_never_go_to_one_place_nor_one_into_the_other() {
    check(
        |p| p.tools[0].arguments.push(argument("pet", Place::Path("id".to_owned()))),
        &[
            "action `replace` of tool `replace_pet` puts argument `pet` to `path:id`, where another \
           one goes already",
        ],
    );
    check(
        |p| p.tools[0].arguments.push(argument("all", Place::Body(Vec::new()))),
        &[
            "action `replace` of tool `replace_pet` puts argument `all` to `body`, where another one \
           goes already",
        ],
    );
}

#[test]
fn names_that_clients_refuse_are_errors() {
    check(
        |p| p.tools[0].name = "a`\nfn x() {}".to_owned(),
        &["a tool has the name \"a`\\nfn x() {}\", which clients refuse"],
    );
    check(
        |p| p.server = "a\": {}".to_owned(),
        &["the server has the name \"a\\\": {}\", which is none"],
    );
    check(
        |p| p.tools[0].arguments[1].name = "first name".to_owned(),
        &["tool \"replace_pet\" has an argument with the name \"first name\""],
    );
}

#[test]
fn names_that_stand_twice_are_errors() {
    check(
        |p| {
            let tool = p.tools[0].clone();
            p.tools.push(tool);
        },
        &["two tools have the name \"replace_pet\""],
    );
    check(
        |p| p.tools[0].selector = Some("id".to_owned()),
        &["tool \"replace_pet\" has two arguments with the name \"id\""],
    );
}

#[test]
fn an_argument_for_an_action_that_is_not_there_is_an_error() {
    check(
        |p| {
            p.tools[0].arguments[1].to =
                IndexMap::from([("gone".to_owned(), Place::Body(Vec::new()))]);
        },
        &["argument \"name\" of tool \"replace_pet\" is for the action \"gone\", which there is \
           none of"],
    );
}
