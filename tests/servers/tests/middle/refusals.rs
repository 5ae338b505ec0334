//! Calls that are refused before anything is sent.

use mcp_gen_servers::client::Era;
use mcp_gen_servers::table::{Bench, Refusal};
use serde_json::{Value, json};

use super::bench;

fn refusal(
    name: &'static str,
    operation: &'static str,
    values: Value,
    says: &'static [&'static str],
) -> Refusal {
    Refusal { name, operation, values, says }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_arguments_are_named_with_a_way_out() {
    let refusals = [
        refusal(
            "a required member is missing",
            "POST /items",
            json!({"body": {"sku": "x"}}),
            &["@body:/name"],
        ),
        refusal("a body is missing", "POST /stocktakes", json!({}), &["@body:/zones"]),
        refusal(
            "a choice is unknown",
            "GET /items",
            json!({"query": {"sort": "colour"}}),
            &["@query:sort", "sku"],
        ),
        refusal(
            "a choice within a list is unknown",
            "GET /items",
            json!({"query": {"status": ["active", "lost"]}}),
            &["@query:status", "blocked"],
        ),
        refusal(
            "a number is too large",
            "GET /items",
            json!({"query": {"per_page": 101}}),
            &["@query:per_page", "100"],
        ),
        refusal(
            "a number is no number",
            "GET /items",
            json!({"query": {"page": "two"}}),
            &["@query:page"],
        ),
        refusal(
            "a switch is no switch",
            "POST /stocktakes",
            json!({"body": {"zones": ["A"], "blind": "perhaps"}}),
            &["@body:/blind"],
        ),
        refusal(
            "a list is empty",
            "POST /stocktakes",
            json!({"body": {"zones": []}}),
            &["@body:/zones"],
        ),
        refusal(
            "a member of a list's entry is missing",
            "POST /orders",
            json!({"body": {"supplierId": "s", "lines": [{"sku": "x"}]}}),
            &["@body:/lines", "quantity"],
        ),
        refusal(
            "an integer has a fraction",
            "PUT /orders/{orderId}/lines/{line}",
            json!({"path": {"orderId": "po_1", "line": 1.5}, "body": {"sku": "x", "quantity": 1}}),
            &["@path:line"],
        ),
        refusal(
            "bytes are no base64",
            "PUT /items/{sku}/photo",
            json!({"path": {"sku": "x"}, "body": "not base64!"}),
            &["base64"],
        ),
    ];
    bench().await.check_refused(&refusals).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_value_cannot_leave_its_segment() {
    let bad =
        ["..", ".", "%2e%2e", ".%2E", "%252e%252e", "..%2f..", "..\\", "", "a\0", "a\n", "../me"];
    let refusals: Vec<_> = bad
        .into_iter()
        .map(|sku| {
            refusal(
                "a path value",
                "GET /items/{sku}",
                json!({"path": {"sku": sku}}),
                &["@path:sku"],
            )
        })
        .collect();
    bench().await.check_refused(&refusals).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_header_value_cannot_start_another_header() {
    let bench = bench().await;
    for value in ["a\r\nX-Evil: 1", "a\nb", "a\0"] {
        let values = json!({"header": {"X-Request-Tag": value}});
        let (outcome, requests) = bench.call("GET /items", &values).await;
        assert!(outcome.is_error && requests.is_empty(), "{value:?}: {requests:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_credential_is_named_and_nothing_is_sent() {
    let bench = Bench::start(super::SPEC, &[], Era::Legacy).await;
    let refusals = [
        refusal("either would do", "GET /items", json!({}), &["API_KEY", "BEARER"]),
        refusal("only one does", "GET /me", json!({}), &["BEARER"]),
        refusal(
            "both are needed",
            "PUT /settings",
            json!({"body": {"currency": "EUR"}}),
            &["API_KEY", "BEARER"],
        ),
    ];
    bench.check_refused(&refusals).await;
    let (outcome, requests) = bench.call("GET /health", &json!({})).await;
    assert!(!outcome.is_error && requests.len() == 1, "{}", outcome.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_argument_of_another_action_is_refused() {
    let bench = bench().await;
    let mut call = bench.spell("GET /items/{sku}", &json!({"path": {"sku": "x"}}));
    call.arguments["no_such_argument"] = json!(1);
    let outcome = bench.client.call(&call.tool, &call.arguments).await;
    assert!(outcome.is_error && outcome.text.contains("no_such_argument"), "{}", outcome.text);
    assert!(bench.recorder.take().is_empty());
    let error = bench.client.try_call("no_such_tool", &json!({})).await.expect_err("unknown");
    assert_eq!(error.code.0, -32602);
}
