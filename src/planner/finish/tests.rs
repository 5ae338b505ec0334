use serde_json::{Value as Json, json};

use super::*;
use crate::ir::{Content, Response, Schema};
use crate::plan::Posture;
use crate::planner::draft::{DraftAction, DraftEntry};
use crate::planner::safe_subset::safe_subset_errors;
use crate::planner::sample::{Sample, body, number, parameter, text, types};
use crate::planner::verb::Verb;

/// Pets that can be listed, looked up, added, changed and removed.
fn pets() -> Sample {
    let mut s = Sample::default();
    s.api.title = "Pet Shop API".to_owned();
    s.api.description = Some("Sells **pets**. Closed on Sundays.".to_owned());
    let string = s.of("string");
    let count = s.schema(Schema {
        default: Some(number("10")),
        format: Some("int32".to_owned()),
        ..Schema { types: types("integer"), ..Schema::default() }
    });
    let status = s.schema(Schema {
        values: Some(vec![text("sold"), text("here")]),
        types: types("string"),
        description: Some("Where the pet is".to_owned()),
        ..Schema::default()
    });
    let pet = s.object(&[("name!", string), ("status", status)]);
    let list = s.list(pet);
    let change = s.object(&[("name", string), ("status", string), ("id", string)]);
    let reply = |schema| {
        vec![Response {
            status: "200".to_owned(),
            description: None,
            contents: vec![Content {
                media_type: "application/json".to_owned(),
                schema: Some(schema),
                encoding: indexmap::IndexMap::new(),
                example: None,
            }],
            headers: Vec::new(),
        }]
    };
    let all = s.operation("GET /pets", "List all pets.");
    all.parameters = vec![parameter("query:limit", count), parameter("query:status", status)];
    all.responses = reply(list);
    let one = s.operation("GET /pets/{id}", "");
    one.parameters = vec![parameter("path:id", string)];
    one.responses = reply(pet);
    s.operation("POST /pets", "Add a pet").body = body(&[("application/json", Some(pet))]);
    let patch = s.operation("PATCH /pets/{id}", "Change a pet");
    patch.parameters = vec![parameter("path:id", string)];
    patch.body = body(&[("application/json", Some(change))]);
    let delete = s.operation("DELETE /pets/{id}", "Remove a pet");
    delete.parameters = vec![parameter("path:id", string), parameter("query:action", string)];
    s
}

fn drafted(name: &str, effect: Effect, actions: &[(&str, usize, Verb)]) -> DraftTool {
    DraftTool {
        name: name.to_owned(),
        title: crate::planner::text::upper_first(&name.replace('_', " ")),
        posture: Posture::Primary,
        effect,
        nouns: vec!["pets".to_owned()],
        actions: actions
            .iter()
            .map(|(name, operation, verb)| DraftAction {
                name: (*name).to_owned(),
                operation: *operation,
                verb: verb.clone(),
                part: false,
            })
            .collect(),
        wish: None,
        why: Vec::new(),
    }
}

fn draft() -> Draft {
    let entries = ["list_pets", "get_pet", "add_pet", "change_pet", "remove_pet"];
    Draft {
        tools: vec![
            drafted("read_pets", Effect::Read, &[("list", 0, Verb::List), ("get", 1, Verb::Get)]),
            drafted(
                "manage_pets",
                Effect::Write,
                &[
                    ("create", 2, Verb::Create),
                    ("update", 3, Verb::Update),
                    ("delete", 4, Verb::Delete),
                ],
            ),
        ],
        entries: entries
            .iter()
            .enumerate()
            .map(|(operation, name)| DraftEntry {
                name: (*name).to_owned(),
                operation,
                verb: Verb::Get,
                effect: if operation < 2 { Effect::Read } else { Effect::Write },
                noun: "pet".to_owned(),
                why: None,
            })
            .collect(),
        ..Draft::default()
    }
}

fn plan(sample: &Sample, draft: &Draft, previous: Option<&Plan>) -> Plan {
    let mut diagnostics = Diagnostics::default();
    finish(&mut diagnostics, &sample.api, draft, &Config::default(), previous)
}

/// The tools as they go over the wire.
fn wire(plan: &Plan) -> Json {
    let tools = plan.tools.iter().map(|tool| {
        let mut properties = serde_json::Map::new();
        let mut required = Vec::new();
        if let Some(selector) = &tool.selector {
            let names: Vec<&str> = tool.actions.iter().map(|a| a.name.as_str()).collect();
            properties.insert(selector.clone(), json!({"type": "string", "enum": names}));
            required.push(selector.as_str());
        }
        for argument in &tool.arguments {
            properties.insert(argument.name.clone(), argument.schema.clone());
            if tool.actions.iter().all(|a| a.required.contains(&argument.name)) {
                required.push(&argument.name);
            }
        }
        let hints = &tool.annotations;
        json!({
            "name": tool.name, "title": tool.title, "description": tool.description,
            "inputSchema": {"type": "object", "properties": properties, "required": required},
            "annotations": {
                "title": tool.title, "readOnlyHint": hints.read_only,
                "destructiveHint": hints.destructive, "idempotentHint": hints.idempotent,
                "openWorldHint": hints.open_world,
            },
        })
    });
    tools.collect()
}

fn argument<'a>(tool: &'a Tool, name: &str) -> &'a crate::plan::Argument {
    let names: Vec<&str> = tool.arguments.iter().map(|a| a.name.as_str()).collect();
    tool.arguments.iter().find(|a| a.name == name).unwrap_or_else(|| panic!("{name}: {names:?}"))
}

#[test]
fn the_tools_of_a_plan_satisfy_the_safe_subset() {
    let plan = plan(&pets(), &draft(), None);
    assert_eq!(safe_subset_errors(&wire(&plan)), Vec::<String>::new());
    assert!(plan.instructions.chars().count() <= 2_048);
    assert_eq!(plan.server, "pet-shop");
}

#[test]
fn arguments_of_one_name_merge_and_say_which_action_needs_them() {
    let plan = plan(&pets(), &draft(), None);
    let manage = &plan.tools[1];
    let names: Vec<&str> = manage.arguments.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["name", "status", "pet_id", "id", "action"]);
    assert_eq!(
        argument(manage, "name").schema,
        json!({
            "type": "string", "description": "Required for create; optional for update.",
        })
    );
    assert_eq!(
        argument(manage, "status").schema,
        json!({
            "type": "string",
            "description": "Where the pet is. Values for create: sold, here. Only for create, update.",
        })
    );
    let pet_id = argument(manage, "pet_id");
    assert_eq!(pet_id.schema["description"], "Required for update, delete.");
    assert_eq!(pet_id.to["update"].to_string(), "path:id");
    assert!(!pet_id.to.contains_key("create"));
    let required: Vec<&[String]> = manage.actions.iter().map(|a| a.required.as_slice()).collect();
    assert_eq!(
        required,
        [&["name".to_owned()][..], &["pet_id".to_owned()], &["pet_id".to_owned()]]
    );
    // An argument is called `action` already.
    assert_eq!(manage.selector.as_deref(), Some("operation_action"));
    assert_eq!(plan.tools[0].selector.as_deref(), Some("action"));
}

#[test]
fn texts_say_what_a_tool_does_and_which_other_one_to_take() {
    let plan = plan(&pets(), &draft(), None);
    assert_eq!(
        plan.tools[0].description,
        "Read pets: list all pets; look up pet. Use this when the user wants to list or look up pets. \
         Not for changing pets: use `manage_pets`.",
    );
    assert_eq!(plan.tools[0].actions[0].summary, "List all pets (returns name)");
    assert!(plan.instructions.starts_with("Tools for Pet Shop API: Sells pets."));
    let essential: String = plan.instructions.chars().take(512).collect();
    for name in ["find_pet_shop_operations", "call_pet_shop_read", "call_pet_shop_write"] {
        assert!(essential.contains(name), "{essential}");
    }
}

#[test]
fn the_catalog_reaches_every_operation_with_flat_arguments() {
    let plan = plan(&pets(), &draft(), None);
    let catalog = plan.catalog.unwrap();
    let entry = &catalog.entries[3];
    assert_eq!(entry.operation, "PATCH /pets/{id}");
    assert_eq!(entry.tool.as_deref(), Some("manage_pets"));
    assert_eq!(entry.required, ["pet_id"]);
    assert_eq!(entry.media_type.as_deref(), Some("application/json"));
    assert!(entry.arguments.iter().all(|a| a.to.keys().eq(["call"])));
    assert_eq!(catalog.entries.len(), 5);
    let reads = Draft { entries: draft().entries[..2].to_vec(), ..draft() };
    let plan = super::tests::plan(&pets(), &reads, None);
    assert!(plan.catalog.unwrap().write.is_none());
}

#[test]
fn names_that_agents_know_stay() {
    let mut before = plan(&pets(), &draft(), None);
    before.server = "shop".to_owned();
    let tool = &mut before.tools[1];
    tool.arguments.iter_mut().find(|a| a.name == "pet_id").unwrap().name = "animal".to_owned();
    tool.selector = Some("what".to_owned());
    before.catalog.as_mut().unwrap().find.name = "look_for".to_owned();
    let after = plan(&pets(), &draft(), Some(&before));
    assert_eq!(after.tools[1].selector.as_deref(), Some("what"));
    assert_eq!(argument(&after.tools[1], "animal").to["delete"].to_string(), "path:id");
    assert_eq!(after.server, "shop");
    assert_eq!(after.catalog.unwrap().find.name, "look_for");
}

#[test]
fn one_name_for_two_kinds_is_told_apart() {
    let mut s = pets();
    let flag = s.of("boolean");
    s.api.operations[4].parameters.push(parameter("query:name", flag));
    let mut diagnostics = Diagnostics::default();
    let plan = finish(&mut diagnostics, &s.api, &draft(), &Config::default(), None);
    let manage = &plan.tools[1];
    assert_eq!(argument(manage, "name").schema["type"], "string");
    assert_eq!(argument(manage, "delete_name").schema["type"], "boolean");
    let codes: Vec<&str> = diagnostics.iter().map(|d| d.code.id).collect();
    assert!(codes.contains(&"argument-conflict"), "{codes:?}");
    assert!(codes.contains(&"missing-summary"), "{codes:?}");
}

#[test]
fn the_same_in_path_and_body_gives_two_arguments() {
    let mut s = Sample::default();
    let string = s.of("string");
    let user = s.object(&[("username", string)]);
    let put = s.operation("PUT /users/{username}", "Change a user");
    put.parameters = vec![parameter("path:username", string)];
    put.body = body(&[("application/json", Some(user))]);
    let draft = Draft {
        tools: vec![drafted("update_user", Effect::Write, &[("update", 0, Verb::Update)])],
        ..Draft::default()
    };
    let tool = &plan(&s, &draft, None).tools[0];
    assert_eq!(argument(tool, "username").to["update"].to_string(), "path:username");
    assert_eq!(argument(tool, "username_body").to["update"].to_string(), "body:/username");
    assert_eq!(tool.selector, None);
}

#[test]
fn the_same_input_gives_the_same_plan() {
    assert_eq!(plan(&pets(), &draft(), None), plan(&pets(), &draft(), None));
    let before = plan(&pets(), &draft(), None);
    assert_eq!(plan(&pets(), &draft(), Some(&before)), before);
}
