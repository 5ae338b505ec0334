//! Being operated: the usage log and the report of `--check`.

use crate::recorder::{Answer, Recorder, answer, ok};
use crate::tables::{
    call, need, operation, plain, query, secured, server, service, single, with_schemes,
};
use mcp_gen_runtime::runtime::Server;
use mcp_gen_runtime::runtime::date::timestamp;
use mcp_gen_runtime::runtime::report::{ready, report};
use mcp_gen_runtime::runtime::table::{Scheme, SchemeKind};
use serde_json::{Value, json};
use std::time::{Duration, UNIX_EPOCH};

fn keyed(url: &str, variables: &[(&str, &str)]) -> Server {
    let get = plain("get", operation("GET /a", vec![query("q")], None), &[]);
    let other = secured(operation("GET /b", vec![], None), vec![vec![need(0)]]);
    let made = service(Some("action"), vec![get, plain("other", other, &[])], &json!({}));
    let scheme = Scheme { name: "key", env: "KEY", kind: SchemeKind::Bearer };
    server(with_schemes(made, vec![scheme]), url, variables)
}

#[tokio::test]
async fn the_usage_log_says_what_was_called_and_how_it_ended_and_no_more() {
    let path = std::env::temp_dir().join(format!("mcp-gen-runtime-usage-{}", std::process::id()));
    let file = path.to_str().unwrap().to_owned();
    let api = Recorder::start(vec![
        ok(),
        answer(404, "application/json", r#"{"message":"no c4nary"}"#),
        Answer::Stall(Vec::new()),
    ])
    .await;
    let made = keyed(&api.url, &[("TEST_USAGE_LOG", &file), ("TEST_KEY", "c4nary-key")]);
    call(&made, json!({"action": "get", "q": "c4nary"})).await;
    call(&made, json!({"action": "other"})).await;
    call(&made, json!({"action": "c4nary"})).await;
    let going = made.clone();
    let running = tokio::spawn(async move { call(&going, json!({"action": "get"})).await });
    while api.seen().len() < 3 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    running.abort();
    assert!(running.await.is_err());
    assert!(made.call("c4nary", None).await.is_none());

    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(!text.contains("c4nary"), "K1: {text}");
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let told: Vec<_> = lines
        .iter()
        .map(|line| {
            [&line["tool"], &line["action"], &line["status"], &line["http"]].map(Value::clone)
        })
        .collect();
    assert_eq!(
        told,
        [
            [json!("work"), json!("get"), json!("ok"), json!(200)],
            [json!("work"), json!("other"), json!("error"), json!(404)],
            [json!("work"), json!(null), json!("error"), json!(null)],
            [json!("work"), json!("get"), json!("cancelled"), json!(null)],
        ]
    );
    let keys: Vec<&String> = lines[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["ts", "tool", "action", "status", "http", "duration_ms", "bytes"]);
    assert_eq!(lines[0]["bytes"], r#"{"ok":true}"#.len());
    assert!(
        lines[0]["ts"].as_str().is_some_and(|text| text.starts_with("20") && text.ends_with('Z'))
    );
}

#[test]
fn a_usage_log_that_cannot_be_opened_is_told_at_the_start() {
    let made = single(plain("do", operation("GET /a", vec![], None), &[]), &json!({}));
    let made = crate::tables::leak(made);
    let set = crate::tables::settings(made, "", &[("TEST_USAGE_LOG", "/nowhere/at/all")]);
    let error = Server::new(made, set, crate::tables::NoHooks).unwrap_err();
    assert!(error.contains("the usage log cannot be written"), "{error}");
}

#[test]
fn times_are_those_of_the_calendar() {
    for (seconds, expected) in [
        (0, "1970-01-01T00:00:00.007Z"),
        (951_827_696, "2000-02-29T12:34:56.007Z"),
        (1_709_251_199, "2024-02-29T23:59:59.007Z"),
        (4_107_542_400, "2100-03-01T00:00:00.007Z"),
    ] {
        assert_eq!(timestamp(UNIX_EPOCH + Duration::new(seconds, 7_000_000)), expected);
    }
}

#[tokio::test]
async fn a_check_names_what_is_missing_and_what_is_wrong() {
    let (text, bad) = report(&keyed("https://api.example/v1", &[("TEST_KEY", "c4nary")])).await;
    assert!(!bad && text.contains("base URL: https://api.example/v1 (TEST_BASE_URL)"), "{text}");
    assert!(text.contains("tools: 1, operations: 2") && !text.contains("c4nary"), "{text}");
    let (text, bad) = report(&keyed("https://api.example", &[])).await;
    assert!(!bad && text.contains("credential `key`: none; set TEST_KEY"), "{text}");
    assert!(text.contains("1 of 2 operations need a credential"), "{text}");
    for (url, variable, expected) in [
        ("", ("TEST_X", ""), "where the API lives; set TEST_BASE_URL"),
        ("ftp://x", ("TEST_X", ""), "ERROR base URL"),
        ("https://x", ("TEST_KEY_FILE", "/nowhere/at/all"), "ERROR credential `key`"),
        ("https://x", ("TEST_PROXY", "not a proxy"), "ERROR TLS and proxy settings"),
    ] {
        let (text, bad) = report(&keyed(url, &[variable])).await;
        assert!(bad && text.contains(expected), "{text}");
    }
}

#[tokio::test]
async fn u5_a_server_that_does_not_know_where_the_api_is_is_not_ready() {
    for (document, own, set, expected) in [
        (Some("/api/v3"), None, "", "only `/api/v3`; set TEST_BASE_URL"),
        (None, None, "", "where the API lives; set TEST_BASE_URL"),
        (None, Some("/api/v5"), "", "where the API lives; set TEST_BASE_URL"),
        (None, Some("https://other.example"), "", ""),
        (Some("/api/v3"), None, "https://api.example", ""),
        (Some("https://api.example"), None, "", ""),
        (Some("https://api.example"), None, "https://u:p@h", "TEST_BASE_URL"),
    ] {
        let mut asked = operation("GET /a", vec![], None);
        asked.base_url = own;
        let mut service = single(plain("do", asked, &[]), &json!({}));
        service.base_url = document;
        let server = server(service, set, &[]);
        let found = ready(&server).err().unwrap_or_default();
        assert!(found.contains(expected) && found.is_empty() == expected.is_empty(), "{found}");
        assert_eq!(report(&server).await.0.contains("ERROR base URL"), !expected.is_empty());
    }
}
