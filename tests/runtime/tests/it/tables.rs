//! Tables for tests: what the generator would write, from short descriptions.

use mcp_gen_runtime::runtime::reply::Outcome;
use mcp_gen_runtime::runtime::settings::Settings;
use mcp_gen_runtime::runtime::table::{
    Action, Body, BodyKind, Call, Input, Location, Need, Operation, Parameter, Piece, Scheme,
    Service, Style, Target, Tool,
};
use mcp_gen_runtime::runtime::{Hooks, Server};
use serde_json::{Map, Value, json};
use std::time::Duration;

pub struct NoHooks;
impl Hooks for NoHooks {}

pub fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

pub fn leak_all<T>(values: Vec<T>) -> &'static [T] {
    Box::leak(values.into_boxed_slice())
}

pub fn parameter(name: &'static str, location: Location, style: Style, explode: bool) -> Parameter {
    Parameter { name, location, style, explode, allow_reserved: false, media_type: None }
}

pub fn query(name: &'static str) -> Parameter {
    parameter(name, Location::Query, Style::Form, true)
}

pub fn in_path(name: &'static str) -> Parameter {
    parameter(name, Location::Path, Style::Simple, false)
}

pub fn json_body() -> Body {
    Body { required: false, media_type: "application/json", kind: BodyKind::Json, encodings: &[] }
}

/// `GET /pets/{id}`: the pieces of the path find their parameters by name.
pub fn operation(key: &'static str, parameters: Vec<Parameter>, body: Option<Body>) -> Operation {
    let (method, path) = key.split_once(' ').unwrap();
    let mut pieces = Vec::new();
    for (at, part) in path.split(['{', '}']).enumerate() {
        if at % 2 == 1 {
            pieces.push(Piece::Parameter(parameters.iter().position(|p| p.name == part).unwrap()));
        } else if !part.is_empty() {
            pieces.push(Piece::Text(part));
        }
    }
    Operation {
        key,
        method,
        reads: method == "GET",
        path: leak_all(pieces),
        parameters: leak_all(parameters),
        body,
        security: &[],
        base_url: None,
    }
}

pub fn input(argument: &'static str, required: bool, target: Target) -> Input {
    Input { argument, required, target }
}

pub fn action(name: &'static str, operation: Operation, inputs: Vec<Input>) -> Action {
    let takes_away = operation.method == "DELETE";
    let (call, inputs) = (Call::Operation(leak(operation)), leak_all(inputs));
    Action { name, call, inputs, sibling: None, takes_away }
}

/// An action whose arguments are called like its parameters and body members.
pub fn plain(name: &'static str, operation: Operation, members: &[&'static str]) -> Action {
    let mut inputs: Vec<Input> = operation
        .parameters
        .iter()
        .enumerate()
        .map(|(at, p)| input(p.name, p.location == Location::Path, Target::Parameter(at)))
        .collect();
    inputs
        .extend(members.iter().map(|name| input(name, false, Target::Body(leak_all(vec![*name])))));
    action(name, operation, inputs)
}

/// A service with one tool, `work`.
pub fn service(selector: Option<&'static str>, actions: Vec<Action>, schemas: &Value) -> Service {
    let tool = Tool { name: "work", selector, actions: leak_all(actions) };
    let listed = json!([{"name": "work", "title": "Work", "description": "Works.",
        "inputSchema": {"type": "object", "properties": {"z": {"type": "string"}, "a": {"type": "string"}}}}]);
    Service {
        name: "test",
        title: "Test",
        version: "1.2.3",
        instructions: "Be brief.",
        env_prefix: "TEST",
        tools_json: listed.to_string().leak(),
        schemas_json: mcp_gen_runtime::runtime::exact::json(schemas).leak(),
        catalog_json: None,
        base_url: None,
        arrays: None,
        schemes: &[],
        tools: leak_all(vec![tool]),
        catalog: None,
    }
}

/// A service with one tool of one action.
pub fn single(action: Action, schemas: &Value) -> Service {
    service(None, vec![action], schemas)
}

/// Schemas of one operation.
#[allow(clippy::needless_pass_by_value)] // They are written where they are passed.
pub fn schemas(key: &str, parameters: Value, body: Value) -> Value {
    let entry = if body.is_null() {
        json!({ "parameters": parameters })
    } else {
        json!({ "parameters": parameters, "body": body })
    };
    let mut operations = Map::new();
    operations.insert(key.to_owned(), entry);
    json!({ "operations": operations, "shared": {} })
}

pub fn settings(service: &Service, base: &str, variables: &[(&str, &str)]) -> Settings {
    let lookup = |name: &str| {
        let set =
            variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        set.or_else(|| (name == "TEST_BASE_URL" && !base.is_empty()).then(|| base.to_owned()))
    };
    let mut settings = Settings::read(service, &lookup).unwrap();
    settings.retry_pause = Duration::from_millis(10);
    settings
}

pub fn server(service: Service, base: &str, variables: &[(&str, &str)]) -> Server {
    let service = leak(service);
    Server::new(service, settings(service, base, variables), NoHooks).unwrap()
}

pub async fn call(server: &Server, arguments: Value) -> Outcome {
    server.call("work", arguments.as_object().cloned()).await.unwrap()
}

pub fn need(scheme: usize) -> Need {
    Need { scheme, scopes: &[] }
}

pub fn secured(mut operation: Operation, alternatives: Vec<Vec<Need>>) -> Operation {
    operation.security = leak_all(alternatives.into_iter().map(leak_all).collect());
    operation
}

pub fn with_schemes(mut service: Service, schemes: Vec<Scheme>) -> Service {
    service.schemes = leak_all(schemes);
    service
}

/// The same service with these hints of its tool.
pub fn hinted(mut service: Service, reads: bool, destructive: bool) -> Service {
    let mut tools: Value = serde_json::from_str(service.tools_json).unwrap();
    tools[0]["annotations"] = json!({"readOnlyHint": reads, "destructiveHint": destructive});
    service.tools_json = tools.to_string().leak();
    service
}
