//! Headers that no caller decides: those that the operator adds, and those that are filled in.

use crate::protocol::Wire;
use crate::recorder::{Recorder, answer, ok};
use crate::tables::{
    call, leak, need, operation, parameter, plain, schemas, secured, server, single, with_schemes,
};
use mcp_gen_runtime::runtime::settings::Settings;
use mcp_gen_runtime::runtime::table::{Location, Scheme, SchemeKind, Service, Style};
use serde_json::json;

fn header(name: &'static str) -> mcp_gen_runtime::runtime::table::Parameter {
    parameter(name, Location::Header, Style::Simple, false)
}

/// An operation with two headers of its own and a key.
fn made() -> Service {
    let own = operation("GET /a", vec![header("X-Tenant"), header("X-Version")], None);
    let secured = secured(own, vec![vec![need(0)], vec![]]);
    let scheme = Scheme { name: "key", env: "KEY", kind: SchemeKind::HeaderKey("X-Api-Key") };
    with_schemes(single(plain("do", secured, &[]), &json!({})), vec![scheme])
}

#[tokio::test]
async fn what_the_operator_adds_counts_before_arguments_and_after_credentials() {
    let api = Recorder::start(vec![ok()]).await;
    let set = [
        ("TEST_KEY", "k-123"),
        ("TEST_HEADERS", " X-Version=2 , accept=text/csv%2C */*,\nX-API-Key=other, Cookie=a=1"),
    ];
    let arguments = json!({"X-Tenant": "t", "X-Version": "1"});
    assert!(!call(&server(made(), &api.url, &set), arguments).await.is_error);
    let seen = api.only();
    let all = |name: &str| -> Vec<String> {
        let own = seen.headers.iter().filter(|(known, _)| known == name);
        own.map(|(_, value)| value.clone()).collect()
    };
    assert_eq!(all("x-version"), ["2"]);
    assert_eq!(all("x-tenant"), ["t"]);
    assert_eq!(all("accept"), ["text/csv, */*"]);
    assert_eq!(all("x-api-key"), ["k-123"]);
    assert_eq!(all("cookie"), ["a=1"]);
}

#[tokio::test]
async fn a6_what_the_operator_adds_goes_where_credentials_go_and_nowhere_else() {
    let (home, other) = (Recorder::start(vec![ok()]).await, Recorder::start(vec![ok()]).await);
    let at: &'static str = Box::leak(other.url.clone().into_boxed_str());
    let service = || {
        let mut own = operation("GET /a", vec![], None);
        own.base_url = Some(at);
        single(plain("do", own, &[]), &json!({}))
    };
    let added = ("TEST_HEADERS", "X-Gateway-Token=c4nary");
    assert!(!call(&server(service(), &home.url, &[added]), json!({})).await.is_error);
    assert_eq!(other.only().header("x-gateway-token"), None);
    let listed = [added, ("TEST_CREDENTIAL_ORIGINS", other.url.as_str())];
    assert!(!call(&server(service(), &home.url, &listed), json!({})).await.is_error);
    assert_eq!(other.seen()[1].header("x-gateway-token"), Some("c4nary"));
}

#[tokio::test]
async fn k1_a_secret_among_added_headers_is_shown_nowhere_and_a_version_is() {
    let body = r#"{"token":"c4nary-42","version":"2024"}"#;
    let api = Recorder::start(vec![answer(200, "application/json", body)]).await;
    let added = ("TEST_HEADERS", "Proxy-Token=Bearer c4nary-42, X-Version=2024");
    let outcome = call(&server(made(), &api.url, &[added]), json!({})).await;
    assert!(!outcome.text.contains("c4nary") && outcome.text.contains("2024"), "{}", outcome.text);
    let made = server(made(), &api.url, &[added, ("TEST_DRY_RUN", "1")]);
    assert!(!format!("{:?}", made.settings()).contains("c4nary"));
    let shown = call(&made, json!({})).await;
    assert!(!shown.text.contains("c4nary"), "{}", shown.text);
    let headers = shown.structured.unwrap()["headers"].clone();
    assert_eq!(headers["proxy-token"], "[secret]");
    assert_eq!(headers["x-version"], "2024");
}

#[test]
fn added_headers_that_cannot_be_sent_are_told_without_their_values() {
    for (text, expected) in [
        ("c4nary", "no equals sign"),
        ("a b=c4nary", "no name of a header"),
        ("Host=c4nary", "`host` is set by the server itself"),
        ("content-type=c4nary", "`content-type` is set by the server itself"),
        ("X-A=1, x-a=c4nary", "`x-a` is there twice"),
        ("X-A=c4nary%0d%0aX-B: 1", "characters that cannot be sent"),
        ("X-A=c4nary%ff", "a value is no text"),
    ] {
        let lookup = |name: &str| (name == "TEST_HEADERS").then(|| text.to_owned());
        let error = Settings::read(leak(made()), &lookup).unwrap_err();
        assert!(error.contains(expected) && !error.contains("c4nary"), "{error}");
        assert!(error.contains("TEST_HEADERS"), "{error}");
    }
}

#[tokio::test]
async fn headers_that_must_be_sent_and_are_no_arguments_are_filled_in() {
    let api = Recorder::start(vec![ok()]).await;
    let own = operation("GET /a", vec![header("X-Request-Id"), header("Api-Version")], None);
    let tables = schemas(
        "GET /a",
        json!([{"type": "string", "x-made": true}, {"type": "string", "x-sent": "2024-01"}]),
        json!(null),
    );
    let mut wire =
        Wire::legacy(server(single(plain("do", own, &[]), &tables), &api.url, &[])).await;
    for id in [2, 3] {
        wire.ask(id, "tools/call", json!({"name": "work", "arguments": {}})).await;
    }
    let ids: Vec<String> = api
        .seen()
        .iter()
        .filter_map(|seen| Some(seen.header("x-request-id")?.to_owned()))
        .collect();
    assert!(ids.len() == 2 && ids[0] != ids[1] && ids[0].len() == 36, "{ids:?}");
    assert_eq!(api.seen()[0].header("api-version"), Some("2024-01"));
}
