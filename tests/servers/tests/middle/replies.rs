//! What the API answers and what the model gets.

use std::time::{Duration, Instant};

use mcp_gen_servers::client::Era;
use mcp_gen_servers::recorder::{Answer, Recorder};
use mcp_gen_servers::table::Bench;
use serde_json::{Value, json};

use super::{CREDENTIALS, SPEC, bench};

fn item() -> Value {
    json!({"path": {"sku": "BOLT-M8"}})
}

#[tokio::test(flavor = "multi_thread")]
async fn each_failure_is_a_result_with_a_way_out() {
    let bench = bench().await;
    let problem = |status: u16| {
        let body = json!({"title": "Went wrong", "detail": "Because of \u{1b}[31mreasons.",
            "status": status, "errors": [{"pointer": "/name", "detail": "too long"}]});
        Answer::typed(status, "application/problem+json", body.to_string().as_bytes())
    };
    for status in
        [400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 422, 429, 500, 501, 502, 503, 504]
    {
        bench.always(problem(status).with("Retry-After", "0"));
        let (outcome, requests) = bench.call("GET /items/{sku}", &item()).await;
        assert!(outcome.is_error, "{status}: {}", outcome.text);
        assert_eq!(outcome.structured, None, "{status}");
        for word in [&status.to_string(), "Action:", "Went wrong", "reasons."] {
            assert!(outcome.text.contains(word), "{status}: no `{word}` in {}", outcome.text);
        }
        assert!(!outcome.text.contains('\u{1b}'), "{status}: {:?}", outcome.text);
        let most = if [429, 502, 503, 504].contains(&status) { 3 } else { 1 };
        assert!((1..=most).contains(&requests.len()), "{status}: {} requests", requests.len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_creates_is_sent_once_even_when_the_api_stumbles() {
    let bench = bench().await;
    for answer in [Answer::json(500, "{}"), Answer::json(503, "{}"), Answer::Close] {
        bench.always(answer.clone());
        let values = json!({"body": {"zones": ["A"]}});
        let (outcome, requests) = bench.call("POST /stocktakes", &values).await;
        assert!(outcome.is_error && outcome.text.contains("Action:"), "{}", outcome.text);
        assert_eq!(requests.len(), 1, "{answer:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_kind_of_success_has_its_text() {
    let bench = bench().await;
    let checks: [(Answer, &str, Value, &[&str]); 6] = [
        (
            Answer::json(200, r#"{"sku":"BOLT-M8","stock":9007199254740993}"#),
            "GET /items/{sku}",
            item(),
            &["BOLT-M8", "9007199254740993"],
        ),
        (Answer::empty(204), "DELETE /items/{sku}", item(), &["204"]),
        (
            Answer::typed(200, "text/csv; charset=utf-8", "sku,name\nä,b\n".as_bytes()),
            "GET /items/export",
            json!({}),
            &["sku,name\nä,b"],
        ),
        (Answer::json(200, "{\"half\": "), "GET /items/{sku}", item(), &["half"]),
        (
            Answer::typed(200, "text/plain; charset=iso-8859-1", b"gr\xfc\xdf"),
            "GET /version",
            json!({}),
            &["grüß"],
        ),
        (
            Answer::json(202, r#"{"id":"st_9","state":"counting"}"#)
                .with("Location", "/base/v0/stocktakes/st_9"),
            "POST /stocktakes",
            json!({"body": {"zones": ["A"]}}),
            &["st_9", "/base/v0/stocktakes/st_9"],
        ),
    ];
    for (answer, operation, values, words) in checks {
        let outcome = bench.answered(answer, operation, &values).await;
        assert!(!outcome.is_error, "{operation}: {}", outcome.text);
        for word in words {
            assert!(outcome.text.contains(word), "{operation}: no `{word}` in {}", outcome.text);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_comes_as_a_picture() {
    let bench = bench().await;
    let answer = Answer::typed(200, "image/png", b"\x89PNG\r\n\x1a\n");
    let outcome = bench.answered(answer, "GET /items/{sku}/photo", &item()).await;
    let image = outcome.content.as_array().and_then(|c| c.iter().find(|b| b["type"] == "image"));
    let image = image.unwrap_or_else(|| panic!("no image in {}", outcome.content));
    assert_eq!((&image["mimeType"], &image["data"]), (&json!("image/png"), &json!("iVBORw0KGgo=")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_answer_is_shortened_and_says_so() {
    let bench = bench().await;
    let long: Vec<Value> =
        (0..20_000).map(|n| json!({"sku": format!("SKU-{n}"), "stock": n})).collect();
    let answer = Answer::json(200, &json!({"items": long, "total": 20_000}).to_string());
    let outcome = bench.answered(answer, "GET /items", &json!({})).await;
    assert!(!outcome.is_error, "{}", outcome.text);
    assert!(outcome.text.chars().count() <= 41_000, "{}", outcome.text.chars().count());
    assert!(outcome.text.contains("truncated"), "{}", &outcome.text[outcome.text.len() - 400..]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_api_that_says_nothing_is_given_up() {
    for answer in [Answer::Silence, Answer::Stall] {
        let mut variables = CREDENTIALS.to_vec();
        variables.push(("TIMEOUT_SECONDS", "1"));
        let bench = Bench::start(SPEC, &variables, Era::Legacy).await;
        bench.always(answer);
        let start = Instant::now();
        let (outcome, requests) =
            bench.call("POST /stocktakes", &json!({"body": {"zones": ["A"]}})).await;
        assert!(outcome.is_error && outcome.text.contains("Action:"), "{}", outcome.text);
        assert!(outcome.text.contains("outcome is unknown"), "{}", outcome.text);
        assert_eq!(requests.len(), 1);
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_to_another_origin_is_not_followed() {
    let bench = bench().await;
    let other = Recorder::start().await;
    let target = format!("{}/steal", other.origin());
    bench.always(Answer::empty(302).with("Location", &target));
    let (outcome, requests) = bench.call("GET /items", &json!({})).await;
    assert!(outcome.is_error, "{}", outcome.text);
    assert_eq!(requests.len(), 1);
    assert!(other.take().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_api_that_is_not_there_is_an_error_without_secrets() {
    let bench = bench().await;
    bench.always(Answer::Close);
    let outcome = bench.call("GET /legacy/stock", &json!({})).await.0;
    assert!(outcome.is_error && outcome.text.contains("Action:"), "{}", outcome.text);
    assert!(!outcome.text.contains("canary"), "{}", outcome.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn k1_a_credential_that_the_api_echoes_is_taken_out() {
    let usage = std::env::temp_dir().join(format!("mcp-gen-usage-{}", std::process::id()));
    let mut variables = CREDENTIALS.to_vec();
    variables.extend([("LOG", "debug"), ("USAGE_LOG", usage.to_str().expect("a path of text"))]);
    let bench = Bench::start(SPEC, &variables, Era::Legacy).await;
    let echo = r#"{"title":"bad key canary-key, canary-token, canary/old or canary%2Fold"}"#;
    bench.always(Answer::json(401, echo));
    for operation in ["GET /items", "GET /me", "GET /legacy/stock"] {
        let outcome = bench.call(operation, &json!({})).await.0;
        assert!(outcome.is_error, "{operation}");
        assert!(!outcome.text.contains("canary"), "{operation}: {}", outcome.text);
    }
    let stderr = bench.client.stderr();
    assert!(stderr.contains("error, HTTP 401"), "{stderr}");
    let lines = std::fs::read_to_string(&usage).expect("the usage log is there");
    std::fs::remove_file(&usage).expect("it can be removed");
    assert_eq!(lines.lines().count(), 3, "{lines}");
    for text in [stderr, lines] {
        assert!(!text.contains("canary"), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_do_not_wait_for_each_other() {
    let bench = bench().await;
    bench.recorder.answer(Answer::Silence);
    let slow = bench.spell("GET /items/{sku}", &item());
    let slow = bench.client.call(&slow.tool, &slow.arguments);
    let fast = async {
        // The slow call takes the answer that never comes.
        tokio::time::sleep(Duration::from_millis(300)).await;
        bench.answered(Answer::json(200, "{\"fast\":1}"), "GET /health", &json!({})).await
    };
    tokio::select! {
        _ = slow => panic!("a call without an answer ended"),
        outcome = fast => assert!(outcome.text.contains("fast"), "{}", outcome.text),
    }
}
