//! What the owner of a server can do: tools of their own, other handlers, credentials from a store.

use crate::protocol::Wire;
use crate::recorder::{Recorder, answer, ok};
use crate::tables::{
    call, hinted, in_path, leak, need, operation, plain, query, secured, settings, single,
    with_schemes,
};
use mcp_gen_runtime::runtime::table::{Scheme, SchemeKind, Service};
use mcp_gen_runtime::runtime::{
    Call, Credential, CustomTool, Hooks, Outcome, Reply, Request, Server, Tools, Wanted, report,
};
use serde_json::{Value, json};
use std::sync::Mutex;

/// Hooks whose tools are those of a function.
struct With(fn(&mut Tools));

impl Hooks for With {
    fn tools(&self, tools: &mut Tools) {
        self.0(tools);
    }
}

/// A tool that reads `GET /a?q=`.
fn plain_service() -> Service {
    let reading = single(plain("do", operation("GET /a", vec![query("q")], None), &[]), &json!({}));
    hinted(reading, true, false)
}

fn made(hooks: impl Hooks, url: &str, variables: &[(&str, &str)]) -> Result<Server, String> {
    let service = leak(plain_service());
    Server::new(service, settings(service, url, variables), hooks)
}

fn hello() -> CustomTool {
    CustomTool::new("say_hello", "Greet somebody by name.")
        .title("Say hello")
        .input(json!({"type": "object", "properties": {
            "name": {"type": "string", "minLength": 2}, "times": {"type": "integer", "maximum": 3}},
            "required": ["name"]}))
        .reads()
}

fn greeting(tools: &mut Tools) {
    tools.add(hello(), |call| async move {
        let name = call.get("name").as_str().unwrap_or_default().to_owned();
        if name == "nobody" {
            return Err("nobody is there".to_owned());
        }
        Ok(json!({"greeting": format!("Hello, {name}!"), "times": call.get("times")}))
    });
}

async fn greet(server: &Server, arguments: Value) -> Outcome {
    server.call("say_hello", arguments.as_object().cloned()).await.unwrap()
}

fn names(server: &Server) -> Vec<String> {
    server.tools().iter().map(|tool| tool.name.to_string()).collect()
}

#[tokio::test]
async fn a_tool_of_the_owner_is_listed_and_called_like_the_others() {
    let made = made(With(greeting), "http://127.0.0.1:1", &[("TEST_TOOLS_PAGE", "1")]).unwrap();
    assert_eq!(names(&made), ["work", "say_hello"]);
    let shown = serde_json::to_value(&made.tools()[1]).unwrap();
    assert_eq!((&shown["name"], &shown["title"]), (&json!("say_hello"), &json!("Say hello")));
    assert_eq!(shown["description"], "Greet somebody by name.");
    assert_eq!(shown["annotations"]["readOnlyHint"], true);
    assert_eq!(shown["inputSchema"]["additionalProperties"], false, "closed unless it says so");
    let outcome = greet(&made, json!({"name": "Ann", "times": "2"})).await;
    assert_eq!(outcome.structured, Some(json!({"greeting": "Hello, Ann!", "times": 2})));
    let outcome = greet(&made, json!({"name": "nobody"})).await;
    assert_eq!((outcome.is_error, outcome.text.as_str()), (true, "nobody is there"));
    let mut wire = Wire::legacy(made).await;
    let page = wire.ask(2, "tools/list", json!({})).await;
    assert_eq!(page["result"]["tools"].as_array().unwrap().len(), 1, "{page}");
    let next = page["result"]["nextCursor"].clone();
    let page = wire.ask(3, "tools/list", json!({ "cursor": next })).await;
    assert_eq!(page["result"]["tools"][0]["name"], "say_hello", "{page}");
    let params = json!({"name": "say_hello", "arguments": {"name": "Bo"}});
    let end = wire.ask(4, "tools/call", params).await;
    assert_eq!(end["result"]["structuredContent"]["greeting"], "Hello, Bo!", "{end}");
}

#[tokio::test]
async fn arguments_are_checked_before_the_handler_of_the_owner_runs() {
    let made = made(With(greeting), "http://127.0.0.1:1", &[]).unwrap();
    for (given, at) in [
        (json!({}), "name"),
        (json!({"name": "A"}), "name"),
        (json!({"name": "Ann", "times": 4}), "times"),
        (json!({"name": "Ann", "loud": true}), "loud"),
    ] {
        let outcome = greet(&made, given.clone()).await;
        assert!(outcome.is_error && outcome.text.contains("Nothing was done"), "{given}");
        assert!(outcome.text.contains(at), "{}", outcome.text);
    }
}

#[tokio::test]
async fn a_tool_of_the_owner_is_read_only_by_its_own_word() {
    fn both(tools: &mut Tools) {
        greeting(tools);
        tools.add(CustomTool::new("forget_all", "Forget."), |_| async { Ok("gone") });
    }
    let ways = |variables: &[(&str, &str)]| made(With(both), "http://127.0.0.1:1", variables);
    assert_eq!(names(&ways(&[("TEST_READ_ONLY", "1")]).unwrap()), ["work", "say_hello"]);
    // Without a word it may take something away: whoever asks a person asks here too.
    let careful = ways(&[("TEST_CONFIRM", "refuse")]).unwrap();
    assert!(careful.call("forget_all", None).await.unwrap().is_error);
    assert!(careful.question("forget_all", None).await.is_some());
    assert!(!greet(&careful, json!({"name": "Ann"})).await.is_error);
    let shown = ways(&[("TEST_DRY_RUN", "1")]).unwrap().call("forget_all", None).await.unwrap();
    assert!(!shown.is_error && shown.text.contains("Nothing was done"), "{}", shown.text);
    let done = ways(&[]).unwrap().call("forget_all", None).await.unwrap();
    assert_eq!(done.text, "gone");
}

#[test]
fn two_tools_of_one_name_stop_the_start_and_both_are_named() {
    let refused =
        |hooks: fn(&mut Tools)| made(With(hooks), "http://127.0.0.1:1", &[]).map(drop).unwrap_err();
    let with_the_api = refused(|tools| {
        tools.add(CustomTool::new("work", "x").title("Mine"), |_| async { Ok("") });
    });
    assert!(
        with_the_api.contains("`work`: `Mine`, which the hooks add, and `Work`"),
        "{with_the_api}"
    );
    let with_itself = refused(|tools| {
        tools.add(CustomTool::new("say_hello", "x").title("One"), |_| async { Ok("") });
        tools.add(CustomTool::new("say_hello", "x").title("Two"), |_| async { Ok("") });
    });
    assert!(with_itself.contains("`Two`") && with_itself.contains("`One`"), "{with_itself}");
    for own in ["server_health", "send_feedback", "list_toolsets", "enable_toolset"] {
        let made = Server::new(
            leak(plain_service()),
            settings(&plain_service(), "http://127.0.0.1:1", &[]),
            Named(own),
        );
        let why = made.map(drop).unwrap_err();
        assert!(why.contains(&format!("`{own}`")) && why.contains("server itself"), "{why}");
    }
    let twice = refused(|tools| {
        tools.replace("work", Call::proceed);
        tools.replace("work", Call::proceed);
    });
    assert!(twice.contains("`work` twice"), "{twice}");
    let unknown = refused(|tools| tools.replace("wrok", Call::proceed));
    assert!(unknown.contains("did you mean `work`?"), "{unknown}");
}

struct Named(&'static str);

impl Hooks for Named {
    fn tools(&self, tools: &mut Tools) {
        tools.add(CustomTool::new(self.0, "x"), |_| async { Ok("") });
    }
}

#[test]
fn a_schema_that_cannot_be_checked_or_a_bad_name_stops_the_start() {
    for (tool, why) in [
        (CustomTool::new("Say Hello", "x"), "a name has at most"),
        (hello().input(json!([])), "is no object"),
        (hello().input(json!({"type": "string"})), "must have `type: object`"),
        (
            hello().input(json!({"type": "object", "properties": {}, "oneOf": []})),
            "alternatives at the top",
        ),
        (
            hello().input(json!({"type": "object", "properties": {"a": {"$ref": "#/x"}}})),
            "has `$ref`, which is not checked here",
        ),
        (hello().toolset("birds"), "the toolset `birds`"),
    ] {
        let error = made(Adding(tool), "http://127.0.0.1:1", &[]).map(drop).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}

struct Adding(CustomTool);

impl Hooks for Adding {
    fn tools(&self, tools: &mut Tools) {
        tools.add(self.0.clone(), |_| async { Ok("") });
    }
}

#[tokio::test]
async fn a_replaced_handler_gets_checked_arguments_and_may_go_on_or_call_another_tool() {
    fn replacing(tools: &mut Tools) {
        greeting(tools);
        tools.replace("work", |mut call| async move {
            match call.get("q").as_str() {
                Some("stop") => Err("stopped by the owner".to_owned()),
                Some("hello") => {
                    let greeted = call.tool("say_hello", json!({"name": "Ann"})).await?;
                    Ok(Outcome::from(greeted))
                }
                _ => {
                    call.arguments.insert("q".to_owned(), json!("changed"));
                    call.proceed().await
                }
            }
        });
    }
    let api = Recorder::start(vec![ok()]).await;
    let made = made(With(replacing), &api.url, &[]).unwrap();
    assert_eq!(call(&made, json!({"q": "stop"})).await.text, "stopped by the owner");
    let greeted = call(&made, json!({"q": "hello"})).await;
    assert_eq!(greeted.structured.unwrap()["greeting"], "Hello, Ann!");
    assert!(api.seen().is_empty());
    assert!(!call(&made, json!({"q": "x"})).await.is_error);
    assert_eq!(api.only().line, "GET /a?q=changed HTTP/1.1");
}

/// A store of keys that turn: each refusal gives the next.
struct Store(Mutex<u32>);

impl Hooks for Store {
    async fn request(&self, request: &mut Request) -> Result<(), String> {
        request.set_header("X-Tenant", "7");
        Ok(())
    }

    async fn credential(&self, wanted: &Wanted) -> Result<Option<Credential>, String> {
        tokio::task::yield_now().await;
        match wanted.scheme {
            "TOKEN" => {
                let mut turn = self.0.lock().map_err(|e| e.to_string())?;
                *turn += u32::from(wanted.refused);
                Ok(Some(Credential::value(format!("c4nary-{turn}"))))
            }
            "LOCKED" => Err("the store is locked".to_owned()),
            _ => Ok(None),
        }
    }
}

fn stored(env: &'static str) -> &'static Service {
    let keyed = secured(operation("GET /a", vec![query("q")], None), vec![vec![need(0)]]);
    let scheme = Scheme { name: env, env, kind: SchemeKind::Bearer };
    leak(with_schemes(single(plain("do", keyed, &[]), &json!({})), vec![scheme]))
}

#[tokio::test]
async fn credentials_come_from_the_store_of_the_owner_and_are_renewed_when_refused() {
    let no = answer(401, "application/json", "{}");
    let echo = answer(200, "application/json", r#"{"seen":"c4nary-1"}"#);
    let api = Recorder::start(vec![no, echo]).await;
    let service = stored("TOKEN");
    let set = settings(service, &api.url, &[("TEST_TOKEN", "of-the-environment")]);
    let made = Server::new(service, set, Store(Mutex::new(0))).unwrap();
    let outcome = call(&made, json!({"q": "1"})).await;
    assert!(!outcome.is_error, "{}", outcome.text);
    assert!(!outcome.text.contains("c4nary"), "K1: {}", outcome.text);
    let seen = api.seen();
    let sent: Vec<_> = seen.iter().filter_map(|one| one.header("authorization")).collect();
    assert_eq!(sent, ["Bearer c4nary-0", "Bearer c4nary-1"]);
    assert_eq!(seen[1].header("x-tenant"), Some("7"));
    let (text, _) = report::report(&made).await;
    assert!(text.contains("credential `TOKEN`: from the hooks"), "{text}");
    assert!(!text.contains("c4nary"), "K1: {text}");
}

#[tokio::test]
async fn what_the_store_does_not_have_comes_from_the_environment() {
    let api = Recorder::start(vec![ok()]).await;
    let service = stored("OTHER");
    let set = settings(service, &api.url, &[("TEST_OTHER", "of-the-environment")]);
    let made = Server::new(service, set, Store(Mutex::new(0))).unwrap();
    assert!(!call(&made, json!({})).await.is_error);
    assert_eq!(api.only().header("authorization"), Some("Bearer of-the-environment"));
}

#[tokio::test]
async fn a_store_that_fails_is_told_and_nothing_is_sent() {
    let api = Recorder::start(vec![ok()]).await;
    let service = stored("LOCKED");
    let made =
        Server::new(service, settings(service, &api.url, &[]), Store(Mutex::new(0))).unwrap();
    let outcome = call(&made, json!({})).await;
    assert!(outcome.is_error && outcome.text.contains("the store is locked"), "{}", outcome.text);
    assert!(api.seen().is_empty());
}

#[tokio::test]
async fn what_is_agreed_to_covers_what_a_replaced_handler_does() {
    let own = plain("delete", operation("DELETE /pets/{id}", vec![in_path("id")], None), &[]);
    let service = leak(hinted(single(own, &json!({})), false, true));
    let api = Recorder::start(vec![ok()]).await;
    let set = settings(service, &api.url, &[("TEST_CONFIRM", "refuse")]);
    let replacing = With(|tools| tools.replace("work", Call::proceed));
    let made = Server::new(service, set, replacing).unwrap();
    assert!(call(&made, json!({"id": 7})).await.is_error);
    assert!(api.seen().is_empty());
    let agreed = mcp_gen_runtime::runtime::care::Person::Agreed;
    let given = json!({"id": 7}).as_object().cloned();
    let outcome = made.call_for(agreed, "work", given).await.unwrap();
    assert!(!outcome.is_error, "{}", outcome.text);
    assert_eq!(api.only().line, "DELETE /pets/7 HTTP/1.1");
}

/// Hooks that never end, at the place that is named, or that fail.
struct Stuck(&'static str);

impl Hooks for Stuck {
    fn tools(&self, tools: &mut Tools) {
        tools.add(hello(), |_| async {
            std::future::pending::<()>().await;
            Ok("")
        });
    }

    async fn request(&self, _: &mut Request) -> Result<(), String> {
        assert_ne!(self.0, "failing", "the owner's own fault");
        if self.0 == "request" {
            std::future::pending::<()>().await;
        }
        Ok(())
    }

    async fn reply(&self, _: &str, _: &mut Reply) {
        if self.0 == "reply" {
            std::future::pending::<()>().await;
        }
    }
}

#[tokio::test]
async fn what_an_owner_wrote_ends_in_time_and_the_answer_says_what_is_known() {
    let api = Recorder::start(vec![ok()]).await;
    let made = |place| {
        let service = leak(plain_service());
        let mut settings = settings(service, &api.url, &[]);
        settings.deadline = std::time::Duration::from_millis(60);
        Server::new(service, settings, Stuck(place)).unwrap()
    };
    let outcome = greet(&made("tool"), json!({"name": "Ann"})).await;
    assert!(outcome.is_error && outcome.text.contains("the outcome is unknown"), "{outcome:?}");
    let outcome = made("request").call("work", None).await.unwrap();
    assert!(outcome.is_error && outcome.text.contains("Nothing was sent"), "{outcome:?}");
    assert!(api.seen().is_empty(), "nothing was sent");
    let outcome = made("reply").call("work", None).await.unwrap();
    assert!(outcome.is_error && outcome.text.contains("The API answered"), "{outcome:?}");
    assert!(outcome.text.contains("\nAction: "), "{}", outcome.text);
}

#[tokio::test]
async fn a_hook_that_fails_before_a_person_is_asked_is_an_answer_too() {
    let api = Recorder::start(vec![ok()]).await;
    let service = leak(crate::care::pets());
    let variables = [("TEST_KEY", "c4nary-key"), ("TEST_CONFIRM", "ask")];
    let made = Server::new(service, settings(service, &api.url, &variables), Stuck("failing"));
    let mut wire = Wire::new(made.unwrap());
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {"elicitation": {}},
        "clientInfo": {"name": "t", "version": "1"}});
    wire.ask(1, "initialize", hello).await;
    wire.tell(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    for (id, arguments) in [(2, crate::care::delete()), (3, json!({"action": "update", "id": 7}))] {
        let params = json!({"name": "work", "arguments": arguments});
        let end = wire.ask(id, "tools/call", params).await;
        assert_eq!(end["result"]["isError"], true, "{end}");
        let text = end["result"]["content"][0]["text"].as_str().unwrap();
        assert!(
            text.contains("The server failed at this call") && text.contains("Action:"),
            "{end}"
        );
    }
    assert!(api.seen().is_empty());
}
