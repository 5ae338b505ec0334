//! The catalog tools: find, call what reads, call what writes.

use crate::recorder::{Recorder, ok};
use crate::tables::{in_path, json_body, leak_all, operation, plain, query, server, single};
use mcp_gen_runtime::runtime::Server;
use mcp_gen_runtime::runtime::reply::Outcome;
use mcp_gen_runtime::runtime::table::{Action, Catalog, Service};
use serde_json::{Value, json};

fn actions() -> Vec<Action> {
    vec![
        plain("list_pets", operation("GET /pets", vec![query("limit")], None), &[]),
        plain("get_pet", operation("GET /pets/{id}", vec![in_path("id")], None), &[]),
        plain("create_pet", operation("POST /pets", vec![], Some(json_body())), &["name"]),
        plain("delete_pet", operation("DELETE /pets/{id}", vec![in_path("id")], None), &[]),
        plain(
            "list_invoice_categories",
            operation("GET /billing/invoiceCategories", vec![], None),
            &[],
        ),
        plain(
            "archive_invoice",
            operation("POST /billing/invoices/{id}/archive", vec![in_path("id")], None),
            &[],
        ),
    ]
}

fn catalog_json() -> Value {
    let row = |name: &str, operation: &str, summary: &str, effect: &str, properties: Value| {
        json!({"name": name, "operation": operation, "summary": summary, "effect": effect, "tool": null, "keywords": ["zoo"],
            "inputSchema": {"type": "object", "properties": properties}})
    };
    json!([
        row(
            "list_pets",
            "GET /pets",
            "List all pets of the shop",
            "read",
            json!({"limit": {"type": "integer"}})
        ),
        row(
            "get_pet",
            "GET /pets/{id}",
            "Info for one pet",
            "read",
            json!({"id": {"type": "string"}})
        ),
        row(
            "create_pet",
            "POST /pets",
            "Create a pet",
            "write",
            json!({"name": {"type": "string"}})
        ),
        row(
            "delete_pet",
            "DELETE /pets/{id}",
            "Delete a pet",
            "write",
            json!({"id": {"type": "string"}})
        ),
        row(
            "list_invoice_categories",
            "GET /billing/invoiceCategories",
            "Categories of invoices",
            "read",
            json!({})
        ),
        row(
            "archive_invoice",
            "POST /billing/invoices/{id}/archive",
            "Archive an invoice",
            "write",
            json!({"id": {"type": "string"}})
        ),
    ])
}

fn service(write: bool) -> Service {
    let known = json!({"operations": {"GET /pets": {"parameters": [{"type": "integer", "maximum": 9}]}}, "shared": {}});
    let mut service = single(plain("do", operation("GET /a", vec![], None), &[]), &known);
    service.catalog_json = Some(catalog_json().to_string().leak());
    service.catalog = Some(Catalog {
        find: "find_operation",
        read: "call_read",
        write: write.then_some("call_write"),
        actions: leak_all(actions()),
    });
    service
}

async fn ask(server: &Server, tool: &str, arguments: Value) -> Outcome {
    server.call(tool, arguments.as_object().cloned()).await.unwrap()
}

async fn names(query: &str, more: Value) -> Vec<String> {
    let server = server(service(true), "http://127.0.0.1:1", &[]);
    let mut arguments = json!({ "query": query });
    arguments.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    let outcome = ask(&server, "find_operation", arguments).await;
    assert!(!outcome.is_error, "{}", outcome.text);
    let value = outcome.structured.unwrap();
    assert_eq!(value.to_string(), outcome.text);
    let rows = value["operations"].as_array().unwrap().clone();
    for (rank, row) in rows.iter().enumerate() {
        assert_eq!(row.get("inputSchema").is_some(), rank < 3, "{row}");
    }
    rows.iter().map(|row| row["operation"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn words_find_what_they_mean() {
    for (query, first) in [
        ("list pets", "list_pets"),
        ("remove a pet", "delete_pet"),
        ("add new pet", "create_pet"),
        ("invoice category", "list_invoice_categories"),
        ("archiving invoices", "archive_invoice"),
        ("DELETE /pets/{id}", "delete_pet"),
        ("get_pet", "get_pet"),
        ("invoiceCategories", "list_invoice_categories"),
    ] {
        assert_eq!(
            names(query, json!({})).await.first().map(String::as_str),
            Some(first),
            "{query}"
        );
    }
    // Another word for the same, a verb of the same kind, and one word for two.
    for (query, first) in [
        ("please get rid of that pet", "delete_pet"),
        ("which pets are there", "list_pets"),
        ("bill categories", "list_invoice_categories"),
        ("put an invoice into the archive", "archive_invoice"),
    ] {
        assert_eq!(
            names(query, json!({})).await.first().map(String::as_str),
            Some(first),
            "{query}"
        );
    }
    assert_eq!(names("", json!({})).await.len(), 6);
    assert!(names("quaternion", json!({})).await.is_empty());
}

#[tokio::test]
async fn each_step_of_a_query_has_its_best_operation_first() {
    let found = names("create a pet, then archive the invoice", json!({})).await;
    assert_eq!(found[..2], ["create_pet", "archive_invoice"]);
}

#[tokio::test]
async fn a_search_without_hits_says_what_there_is() {
    let server = server(service(true), "http://127.0.0.1:1", &[]);
    let outcome = ask(&server, "find_operation", json!({"query": "quaternion"})).await;
    let next = outcome.structured.unwrap()["next"].as_str().unwrap().to_owned();
    assert!(
        next.ends_with("about: pets, billing, archive, invoice categories, invoices."),
        "{next}"
    );
}

#[test]
fn words_meet_in_all_their_forms() {
    use mcp_gen_runtime::runtime::words::stem;
    for (one, other) in [
        ("pets", "pet"),
        ("categories", "category"),
        ("listing", "list"),
        ("created", "create"),
        ("creation", "create"),
        ("allocation", "allocate"),
        ("shipping", "ship"),
        ("shipments", "ship"),
        ("cancelled", "cancel"),
        ("payments", "pay"),
        ("applied", "apply"),
    ] {
        assert_eq!(stem(one), stem(other), "{one} and {other}");
    }
    for (one, other) in [("status", "state"), ("order", "ordinal"), ("user", "use")] {
        assert_ne!(stem(one), stem(other), "{one} and {other}");
    }
}

#[tokio::test]
async fn effect_and_limit_narrow_the_search() {
    assert!(
        !names("pet", json!({"effect": "read"}))
            .await
            .iter()
            .any(|name| name == "create_pet" || name == "delete_pet")
    );
    assert_eq!(names("pet", json!({"limit": "1"})).await.len(), 1);
    let server = server(service(true), "http://127.0.0.1:1", &[]);
    for bad in [
        json!({"limit": 0}),
        json!({"limit": 26}),
        json!({"effect": "both"}),
        json!({"query": 1}),
        json!({"q": "x"}),
    ] {
        let outcome = ask(&server, "find_operation", bad.clone()).await;
        assert!(outcome.is_error && outcome.text.contains("Action:"), "{bad}");
    }
}

#[tokio::test]
async fn each_effect_has_its_tool_and_the_other_is_named() {
    let api = Recorder::start(vec![ok()]).await;
    let server = server(service(true), &api.url, &[]);
    let refused =
        ask(&server, "call_read", json!({"operation": "delete_pet", "arguments": {"id": "1"}}))
            .await;
    assert!(refused.is_error && refused.text.contains("call `call_write`"), "{}", refused.text);
    let refused =
        ask(&server, "call_write", json!({"operation": "get_pet", "arguments": {"id": "1"}})).await;
    assert!(refused.is_error && refused.text.contains("call `call_read`"), "{}", refused.text);
    assert_eq!(api.seen().len(), 0);
    assert!(
        !ask(
            &server,
            "call_write",
            json!({"operation": "delete_pet", "arguments": "{\"id\": \"1\"}"})
        )
        .await
        .is_error
    );
    assert!(
        !ask(&server, "call_read", json!({"operation": "GET /pets", "arguments": null}))
            .await
            .is_error
    );
    let lines: Vec<String> = api.seen().into_iter().map(|seen| seen.line).collect();
    assert_eq!(lines, ["DELETE /pets/1 HTTP/1.1", "GET /pets HTTP/1.1"]);
}

#[tokio::test]
async fn calls_are_checked_like_those_of_any_tool() {
    let server = server(service(true), "http://127.0.0.1:1", &[]);
    let outcome = ask(
        &server,
        "call_read",
        json!({"operation": "list_pets", "arguments": {"limit": 10, "x": 1}}),
    )
    .await;
    assert!(
        outcome.text.contains("- `limit`: must be at most 9; got 10")
            && outcome.text.contains("- `x`: unknown argument")
    );
    let outcome = ask(&server, "call_read", json!({"operation": "list_pets", "limit": 1})).await;
    assert!(outcome.text.contains("go into `arguments`"), "{}", outcome.text);
    let outcome = ask(&server, "call_read", json!({"operation": "lst_pets"})).await;
    assert!(outcome.is_error && outcome.text.contains("`list_pets`"), "{}", outcome.text);
    let outcome = ask(&server, "call_read", json!({})).await;
    assert!(outcome.is_error && outcome.text.contains("`find_operation`"), "{}", outcome.text);
}

#[tokio::test]
async fn a_server_that_only_reads_says_so() {
    let server = server(service(false), "http://127.0.0.1:1", &[]);
    let outcome =
        ask(&server, "call_read", json!({"operation": "delete_pet", "arguments": {"id": "1"}}))
            .await;
    assert!(
        outcome.is_error && outcome.text.contains("this server only reads"),
        "{}",
        outcome.text
    );
    assert!(server.call("call_write", None).await.is_none());
}
