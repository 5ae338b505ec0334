//! Care with calls that change something: only reading, showing instead of sending, asking a person.

use crate::protocol::Wire;
use crate::recorder::{Recorder, ok};
use crate::tables::{
    call, hinted, in_path, json_body, need, operation, plain, query, schemas, secured, server,
    service, single, with_schemes,
};
use mcp_gen_runtime::runtime::Server;
use mcp_gen_runtime::runtime::start::{Command, command};
use mcp_gen_runtime::runtime::table::{Scheme, SchemeKind, Service};
use serde_json::{Value, json};

/// A tool that updates and deletes, with a key in the query.
pub fn pets() -> Service {
    let mut all = schemas("DELETE /pets/{id}", json!([{"type": "integer"}]), json!(null));
    let more = schemas(
        "PUT /pets/{id}",
        json!([{"type": "integer"}]),
        json!({"type": "object",
        "properties": {"name": {"type": "string"}}}),
    );
    all["operations"]["PUT /pets/{id}"] = more["operations"]["PUT /pets/{id}"].clone();
    let keyed = |operation| secured(operation, vec![vec![need(0)]]);
    let delete = keyed(operation("DELETE /pets/{id}", vec![in_path("id")], None));
    let update = keyed(operation("PUT /pets/{id}", vec![in_path("id")], Some(json_body())));
    let actions = vec![plain("delete", delete, &[]), plain("update", update, &["name"])];
    let scheme = Scheme { name: "key", env: "KEY", kind: SchemeKind::QueryKey("api_key") };
    with_schemes(hinted(service(Some("action"), actions, &all), false, true), vec![scheme])
}

fn pets_at(url: &str, variables: &[(&str, &str)]) -> Server {
    let mut all = vec![("TEST_KEY", "c4nary-key")];
    all.extend(variables);
    server(pets(), url, &all)
}

pub fn delete() -> Value {
    json!({"action": "delete", "id": 7})
}

#[tokio::test]
async fn a_server_that_only_reads_has_no_other_tool() {
    let api = Recorder::start(vec![ok()]).await;
    let made = pets_at(&api.url, &[("TEST_READ_ONLY", "1")]);
    assert_eq!(made.tools().len(), 0);
    assert!(made.call("work", delete().as_object().cloned()).await.is_none());
    let reading = single(plain("do", operation("GET /a", vec![query("q")], None), &[]), &json!({}));
    let made = server(reading, &api.url, &[("TEST_READ_ONLY", "1")]);
    assert!(!call(&made, json!({})).await.is_error);
    assert_eq!(api.only().line, "GET /a HTTP/1.1");
    let mut wire = Wire::legacy(pets_at(&api.url, &[("TEST_READ_ONLY", "true")])).await;
    let refused = wire.ask(2, "tools/call", json!({"name": "work", "arguments": delete()})).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    assert_eq!(command(["--read-only".to_owned()]), Ok(Command::Stdio));
}

#[tokio::test]
async fn a_rehearsal_shows_the_request_without_credentials_and_sends_nothing() {
    let api = Recorder::start(vec![ok()]).await;
    let update = json!({"action": "update", "id": 7, "name": "Ann"});
    let mut asked = update.clone();
    asked["dry_run"] = json!("true");
    let by_argument = call(&pets_at(&api.url, &[]), asked).await;
    let by_setting = call(&pets_at(&api.url, &[("TEST_DRY_RUN", "1")]), update.clone()).await;
    for outcome in [by_argument, by_setting] {
        assert!(!outcome.is_error && !outcome.text.contains("c4nary"), "K1: {}", outcome.text);
        let shown = outcome.structured.unwrap();
        assert_eq!(shown["method"], "PUT");
        assert_eq!(shown["url"], format!("{}/pets/7", api.url));
        assert_eq!(shown["headers"]["content-type"], "application/json");
        assert_eq!(shown["body"], json!({"name": "Ann"}));
        assert_eq!(shown["credentials"], json!(["query api_key (hidden)"]));
    }
    assert!(api.seen().is_empty());
    let odd = json!({"action": "delete", "id": 7, "dry_run": "maybe"});
    let outcome = call(&pets_at(&api.url, &[]), odd).await;
    assert!(outcome.is_error && outcome.text.contains("`dry_run`"), "{}", outcome.text);
    let mut off = update;
    off["dry_run"] = json!(false);
    assert!(!call(&pets_at(&api.url, &[]), off).await.is_error);
    assert_eq!(api.only().line, "PUT /pets/7?api_key=c4nary-key HTTP/1.1");
}

#[tokio::test]
async fn only_tools_that_take_away_have_the_arguments_of_the_server() {
    let properties = |made: &Server| made.tools()[0].input_schema["properties"].clone();
    let with = properties(&pets_at("http://x.test", &[]));
    assert_eq!((with["dry_run"]["type"].as_str(), with.get("confirm")), (Some("boolean"), None));
    let with = properties(&pets_at("http://x.test", &[("TEST_CONFIRM", "argument")]));
    assert_eq!(with["confirm"]["type"], "boolean");
    // An argument of the API with such a name stays its own.
    let act = plain("do", operation("DELETE /a", vec![query("dry_run")], None), &[]);
    let mut made = hinted(single(act, &json!({})), false, true);
    made.tools_json = made.tools_json.replace("\"z\"", "\"dry_run\"").leak();
    let api = Recorder::start(vec![ok()]).await;
    let made = server(made, &api.url, &[]);
    assert_eq!(properties(&made)["dry_run"]["type"], "string");
    assert!(!call(&made, json!({"dry_run": "yes"})).await.is_error);
    assert_eq!(api.only().line, "DELETE /a?dry_run=yes HTTP/1.1");
}

#[tokio::test]
async fn without_a_person_the_operator_decides_what_may_be_taken_away() {
    for (way, given, sent) in [
        ("ask", json!({}), true),
        ("off", json!({}), true),
        ("argument", json!({}), false),
        ("argument", json!({"confirm": false}), false),
        ("argument", json!({"confirm": true}), true),
        ("refuse", json!({}), false),
    ] {
        let api = Recorder::start(vec![ok()]).await;
        let made = pets_at(&api.url, &[("TEST_CONFIRM", way)]);
        let mut arguments = delete();
        arguments.as_object_mut().unwrap().extend(given.as_object().unwrap().clone());
        let outcome = call(&made, arguments).await;
        assert_eq!((outcome.is_error, api.seen().len()), (!sent, usize::from(sent)), "{way}");
        assert!(sent || outcome.text.contains("Action:"), "{}", outcome.text);
        // What can be undone needs nobody.
        let outcome = call(&made, json!({"action": "update", "id": 7, "name": "Ann"})).await;
        assert!(!outcome.is_error, "{way}: {}", outcome.text);
    }
}

/// What a person answers, and whether the request is sent.
fn answers() -> [(Value, bool); 4] {
    [
        (json!({"action": "accept", "content": {"confirm": true}}), true),
        (json!({"action": "accept", "content": {"confirm": false}}), false),
        (json!({"action": "decline"}), false),
        (json!({"action": "cancel"}), false),
    ]
}

#[tokio::test]
async fn a_legacy_client_asks_the_person_before_something_is_taken_away() {
    for way in ["ask", "argument", "refuse"] {
        for (answer, sent) in answers() {
            let api = Recorder::start(vec![ok()]).await;
            let mut wire = Wire::new(pets_at(&api.url, &[("TEST_CONFIRM", way)]));
            let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {"elicitation": {}},
                "clientInfo": {"name": "t", "version": "1"}});
            wire.ask(1, "initialize", hello).await;
            wire.tell(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
            let params = json!({"name": "work", "arguments": delete()});
            let ask = wire.ask(2, "tools/call", params).await;
            assert_eq!(ask["method"], "elicitation/create", "{ask}");
            let question = ask["params"]["message"].as_str().unwrap();
            assert!(question.contains("DELETE /pets/7") && !question.contains("c4nary"), "{ask}");
            assert!(api.seen().is_empty());
            wire.tell(&json!({"jsonrpc": "2.0", "id": ask["id"], "result": answer})).await;
            let end = wire.hear().await;
            assert_eq!(end["result"]["isError"], !sent, "{end}");
            assert_eq!(api.seen().len(), usize::from(sent));
            let params = json!({"name": "work", "arguments": {"action": "update", "id": 7}});
            let end = wire.ask(3, "tools/call", params).await;
            assert_eq!(end["result"]["isError"], false, "nothing to ask: {end}");
        }
    }
}

#[tokio::test]
async fn a_client_that_can_ask_and_fails_at_it_has_not_asked() {
    let api = Recorder::start(vec![ok()]).await;
    let mut wire = Wire::new(pets_at(&api.url, &[]));
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {"elicitation": {}},
        "clientInfo": {"name": "t", "version": "1"}});
    wire.ask(1, "initialize", hello).await;
    wire.tell(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    let ask = wire.ask(2, "tools/call", json!({"name": "work", "arguments": delete()})).await;
    let error = json!({"code": -32603, "message": "no window"});
    wire.tell(&json!({"jsonrpc": "2.0", "id": ask["id"], "error": error})).await;
    let end = wire.hear().await;
    assert_eq!(end["result"]["isError"], true, "{end}");
    assert!(api.seen().is_empty(), "nothing is taken away unasked");
}

#[tokio::test]
async fn a_modern_client_is_sent_back_to_ask_the_person() {
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}}});
    for (answer, sent) in answers() {
        let api = Recorder::start(vec![ok()]).await;
        let mut wire = Wire::new(pets_at(&api.url, &[]));
        let mut params = json!({"_meta": meta, "name": "work", "arguments": delete()});
        let back = wire.ask(1, "tools/call", params.clone()).await;
        assert_eq!(back["result"]["resultType"], "input_required", "{back}");
        let asked = &back["result"]["inputRequests"]["confirm"];
        assert_eq!(asked["method"], "elicitation/create", "{back}");
        assert!(api.seen().is_empty());
        params["inputResponses"] = json!({ "confirm": answer });
        params["requestState"] = back["result"]["requestState"].clone();
        // What was agreed to is this call and no other, on any replica.
        let mut other = params.clone();
        other["arguments"]["id"] = json!(8);
        let again = Wire::new(pets_at(&api.url, &[])).ask(2, "tools/call", other).await;
        assert_eq!(again["result"]["resultType"], "input_required", "{again}");
        let end = Wire::new(pets_at(&api.url, &[])).ask(3, "tools/call", params).await;
        assert_eq!(end["result"]["isError"], !sent, "{end}");
        assert_eq!(api.seen().len(), usize::from(sent));
    }
}

#[tokio::test]
async fn a_call_that_cannot_be_sent_or_is_a_rehearsal_asks_nobody() {
    let made = pets_at("http://127.0.0.1:1", &[]);
    let question = async |given: Value| made.question("work", given.as_object().cloned()).await;
    assert!(question(delete()).await.is_some());
    assert_eq!(question(json!({"action": "delete"})).await, None);
    assert_eq!(question(json!({"action": "delete", "id": 7, "dry_run": true})).await, None);
    assert_eq!(question(json!({"action": "update", "id": 7})).await, None);
    let off = pets_at("http://127.0.0.1:1", &[("TEST_CONFIRM", "off")]);
    assert_eq!(off.question("work", delete().as_object().cloned()).await, None);
}
