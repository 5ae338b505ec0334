//! Toolsets: what is off is neither listed nor called, and a client may turn more on where it may.

use crate::recorder::{Recorder, ok};
use crate::tables::{NoHooks, leak, leak_all, operation, plain, server, settings, single};
use mcp_gen_runtime::runtime::Server;
use mcp_gen_runtime::runtime::start::{chosen, help};
use mcp_gen_runtime::runtime::table::{Catalog, Service, Tool};
use serde_json::{Value, json};

/// `read_pets` in `pets`, `read_bills` in `billing` and `pets`, `get_health` in `default`; the catalog
/// has an operation of each set, one of which writes.
pub fn service() -> Service {
    let mut service = single(plain("do", operation("GET /a", vec![], None), &[]), &json!({}));
    let tool = |name: &'static str, key: &'static str, sibling: Option<&'static str>| {
        let mut action = plain("do", operation(key, vec![], None), &[]);
        action.sibling = sibling;
        Tool { name, selector: None, actions: leak_all(vec![action]) }
    };
    service.tools = leak_all(vec![
        tool("read_pets", "GET /pets", Some("read_bills")),
        tool("read_bills", "GET /bills", Some("get_health")),
        tool("get_health", "GET /health", None),
    ]);
    let listed = |name: &str, sets: &[&str]| {
        let mut tool = json!({"name": name, "inputSchema": {"type": "object"}});
        if !sets.is_empty() {
            tool["_meta"] = json!({"mcp-gen/toolsets": sets});
        }
        tool
    };
    service.tools_json = json!([
        listed("read_pets", &["pets"]),
        listed("read_bills", &["billing", "pets"]),
        listed("get_health", &["default"]),
        listed("find", &[]),
        listed("call_read", &[]),
        listed("call_write", &[]),
    ])
    .to_string()
    .leak();
    service.schemas_json = json!({"operations": {"GET /pets": {}, "GET /bills": {},
        "GET /health": {}, "GET /rows": {}, "POST /rows": {}}, "shared": {}})
    .to_string()
    .leak();
    let row = |name: &str, operation: &str, effect: &str, tool: Value, sets: &[&str]| {
        json!({"name": name, "operation": operation, "summary": name, "effect": effect,
            "tool": tool, "keywords": [], "toolsets": sets, "inputSchema": {"type": "object"}})
    };
    let rows = json!([
        row("pets", "GET /pets", "read", json!("read_pets"), &["pets"]),
        row("rows", "GET /rows", "read", Value::Null, &["billing"]),
        row("add_row", "POST /rows", "write", Value::Null, &["default"]),
    ]);
    service.catalog_json = Some(rows.to_string().leak());
    service.catalog = Some(Catalog {
        find: "find",
        read: "call_read",
        write: Some("call_write"),
        actions: leak_all(vec![
            plain("pets", operation("GET /pets", vec![], None), &[]),
            plain("rows", operation("GET /rows", vec![], None), &[]),
            plain("add_row", operation("POST /rows", vec![], None), &[]),
        ]),
    });
    service
}

fn names(server: &Server) -> Vec<String> {
    server.tools().iter().map(|tool| tool.name.to_string()).collect()
}

fn with(variables: &[(&str, &str)]) -> Server {
    server(service(), "http://127.0.0.1:1", variables)
}

fn refused(variables: &[(&str, &str)], service: Service) -> String {
    let service = leak(service);
    let set = settings(service, "http://127.0.0.1:1", variables);
    Server::new(service, set, NoHooks).unwrap_err()
}

#[test]
fn without_a_choice_all_is_there_and_no_client_sees_how_it_is_parted() {
    let server = with(&[]);
    let all = ["read_pets", "read_bills", "get_health", "find", "call_read", "call_write"];
    assert_eq!(names(&server), all);
    let shown = serde_json::to_string(&server.tools()).unwrap();
    assert!(!shown.contains("toolsets"), "{shown}");
}

#[test]
fn only_the_tools_of_the_chosen_sets_are_listed() {
    for (sets, expected) in [
        ("pets", &["read_pets", "read_bills", "find", "call_read"] as &[_]),
        ("billing", &["read_bills", "find", "call_read"]),
        ("default", &["get_health", "find", "call_read", "call_write"]),
        (" billing , default,", &["read_bills", "get_health", "find", "call_read", "call_write"]),
    ] {
        assert_eq!(names(&with(&[("TEST_TOOLSETS", sets)])), expected, "{sets}");
    }
}

#[test]
fn an_unknown_set_is_an_error_that_names_those_there_are() {
    assert_eq!(
        refused(&[("TEST_TOOLSETS", "pets,birds")], service()),
        "there is no toolset `birds`; there are `billing`, `default`, `pets`"
    );
    let plain = single(plain("do", operation("GET /a", vec![], None), &[]), &json!({}));
    assert_eq!(
        refused(&[("TEST_TOOLSETS", "pets")], plain),
        "there is no toolset `pets`: this server has no toolsets"
    );
}

#[tokio::test]
async fn what_is_off_cannot_be_called_directly_nor_through_the_catalog() {
    let api = Recorder::start(vec![ok(), ok()]).await;
    let server = server(service(), &api.url, &[("TEST_TOOLSETS", "billing")]);
    assert!(server.call("read_pets", None).await.is_none());
    let outcome = server.call("read_bills", None).await.unwrap();
    assert!(!outcome.is_error, "{}", outcome.text);
    let ask = |name: &str| json!({ "operation": name }).as_object().cloned();
    let outcome = server.call("call_read", ask("pets")).await.unwrap();
    assert!(outcome.is_error && outcome.text.contains("no operation `pets`"), "{}", outcome.text);
    let outcome = server.call("call_read", ask("rows")).await.unwrap();
    assert!(!outcome.is_error, "{}", outcome.text);
    let found = server.call("find", json!({"query": ""}).as_object().cloned()).await.unwrap();
    let found = found.structured.unwrap();
    assert_eq!(found["matching"], 1, "{found}");
    assert_eq!(api.seen().len(), 2);
}

#[test]
fn an_action_leads_to_no_tool_that_is_off() {
    let sibling = |sets: &str| {
        let server = with(&[("TEST_TOOLSETS", sets)]);
        server.service().tools.iter().map(|tool| tool.actions[0].sibling).collect::<Vec<_>>()
    };
    assert_eq!(sibling("pets"), [Some("read_bills"), None]);
    assert_eq!(sibling("billing,default"), [Some("get_health"), None]);
}

#[tokio::test]
async fn a_client_that_may_enables_toolsets_one_by_one() {
    let server = with(&[("TEST_DYNAMIC_TOOLSETS", "1")]);
    let start =
        ["get_health", "find", "call_read", "call_write", "list_toolsets", "enable_toolset"];
    assert_eq!(names(&server), start);
    let listed = server.call("list_toolsets", None).await.unwrap().structured.unwrap();
    assert_eq!(
        listed["toolsets"],
        json!([
            {"toolset": "billing", "enabled": false, "tools": ["read_bills"], "operations_of_catalog": 1},
            {"toolset": "default", "enabled": true, "tools": ["get_health"], "operations_of_catalog": 1},
            {"toolset": "pets", "enabled": false, "tools": ["read_pets", "read_bills"], "operations_of_catalog": 1},
        ])
    );
    let off = server.call("read_bills", None).await.unwrap();
    assert!(
        off.is_error
            && off.text.contains("call `enable_toolset` with `toolset` set to `billing`, `pets`"),
        "{}",
        off.text
    );
    for wrong in
        [json!({}), json!({"toolset": "birds"}), json!({"toolset": 3}), json!({"set": "pets"})]
    {
        let outcome = server.call("enable_toolset", wrong.as_object().cloned()).await.unwrap();
        let all = "`billing`, `default`, `pets`";
        assert!(outcome.is_error && outcome.text.contains(all), "{wrong}: {}", outcome.text);
    }
    let ask = || json!({"toolset": "billing"}).as_object().cloned();
    let outcome = server.call("enable_toolset", ask()).await.unwrap();
    assert_eq!(outcome.structured.unwrap(), json!({"enabled": "billing", "tools": ["read_bills"]}));
    let now = ["read_bills", "get_health", "find", "call_read", "call_write"];
    assert_eq!(names(&server)[..5], now);
    let again = server.call("enable_toolset", ask()).await.unwrap();
    assert!(!again.is_error);
    assert_eq!(names(&server).len(), 7);
}

#[test]
fn enabling_needs_toolsets_and_free_names() {
    let plain = single(plain("do", operation("GET /a", vec![], None), &[]), &json!({}));
    let set = [("TEST_DYNAMIC_TOOLSETS", "1")];
    assert_eq!(
        refused(&set, plain),
        "TEST_DYNAMIC_TOOLSETS is set, but this server has no toolsets"
    );
    let mut taken = service();
    taken.tools = leak_all(vec![Tool { name: "list_toolsets", selector: None, actions: &[] }]);
    assert!(refused(&set, taken).contains("the API has a tool `list_toolsets`"));
}

#[test]
fn clients_that_share_a_server_enable_nothing_and_see_all() {
    let server = with(&[("TEST_DYNAMIC_TOOLSETS", "1")]).shared();
    assert_eq!(names(&server).len(), 6);
    assert!(!names(&server).contains(&"enable_toolset".to_owned()));
}

#[test]
fn the_option_names_toolsets_in_both_forms() {
    let read = |text: &str| chosen(text.split_whitespace().map(str::to_owned));
    let list =
        |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
    for (text, expected) in [
        ("", None),
        ("--http 127.0.0.1:9", None),
        ("--toolsets a,b --check", list(&["a", "b"])),
        ("--toolsets=a --toolsets b", list(&["a", "b"])),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn help_lists_toolsets_where_there_are_some() {
    let text = help(&service());
    assert!(text.contains("billing, default, pets") && text.contains("TEST_TOOLSETS"), "{text}");
    let plain = single(plain("do", operation("GET /a", vec![], None), &[]), &json!({}));
    assert!(!help(&plain).to_lowercase().contains("toolset"));
}
