//! A person is asked before something is gone, whatever the method.

use mcp_gen_servers::client::Era;
use mcp_gen_servers::raw::Raw;
use mcp_gen_servers::recorder::Answer;
use mcp_gen_servers::table::{Bench, environment};
use mcp_gen_servers::wire;
use serde_json::{Value, json};

use super::{CREDENTIALS, SPEC};

/// Calls that write, and whether something is gone afterwards.
fn calls() -> Vec<(&'static str, Value, bool)> {
    let order = json!({"path": {"orderId": "po_1"}});
    vec![
        ("DELETE /items/{sku}", json!({"path": {"sku": "x"}}), true),
        ("POST /orders/{orderId}/cancel", order.clone(), true),
        ("PUT /settings", json!({"body": {"currency": "EUR"}}), true),
        ("POST /orders/{orderId}/submit", order, false),
        ("PATCH /items/{sku}", json!({"path": {"sku": "x"}, "body": {"name": "Y"}}), false),
        ("POST /stocktakes", json!({"body": {"zones": ["A"]}}), false),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_confirmed_is_refused_by_the_meaning_of_a_call_and_not_by_its_method() {
    let variables = [CREDENTIALS, &[("CONFIRM", "refuse")]].concat();
    for era in [Era::Legacy, Era::Modern] {
        let bench = Bench::start(SPEC, &variables, era).await;
        bench.always(Answer::json(200, "{}"));
        for (operation, values, gone) in calls() {
            let direct = bench.spell(operation, &values);
            let catalog = wire::catalog_call(&bench.plan, operation, &values);
            for call in std::iter::once(direct).chain(catalog) {
                let outcome = bench.client.call(&call.tool, &call.arguments).await;
                let sent = bench.recorder.take().len();
                assert_eq!(
                    (outcome.is_error, sent),
                    (gone, usize::from(!gone)),
                    "{operation} by {}: {}",
                    call.tool,
                    outcome.text
                );
                assert!(!gone || outcome.text.contains("_CONFIRM decides"), "{}", outcome.text);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_is_asked_before_an_order_is_cancelled_in_both_eras() {
    let bench = Bench::start(SPEC, CREDENTIALS, Era::Legacy).await;
    bench.always(Answer::json(200, "{}"));
    let environment = environment(&bench.plan, &bench.recorder, CREDENTIALS);
    let pairs: Vec<_> = environment.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let call = |id: i64, operation: &str| {
        let call = bench.spell(operation, &json!({"path": {"orderId": "po_1"}}));
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": call.tool, "arguments": call.arguments}})
    };
    let (cancel, submit) = ("POST /orders/{orderId}/cancel", "POST /orders/{orderId}/submit");

    let mut raw = Raw::start(&bench.program, &pairs);
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}},
        "clientInfo": {"name": "raw", "version": "0"}}});
    raw.ask(&hello).await;
    raw.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    for (agreed, id) in [(false, 1), (true, 2)] {
        raw.send(&call(id, cancel).to_string()).await;
        let question = raw.next().await.expect("a question");
        assert_eq!(question["method"], "elicitation/create", "{question}");
        let words = question["params"]["message"].as_str().expect("it has words");
        assert!(words.contains("POST") && words.contains("/orders/po_1/cancel"), "{words}");
        assert!(bench.recorder.take().is_empty());
        let answer = json!({"action": "accept", "content": {"confirm": agreed}});
        raw.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}).to_string())
            .await;
        let end = raw.next().await.expect("the answer to the call");
        assert_eq!((&end["id"], &end["result"]["isError"]), (&json!(id), &json!(!agreed)), "{end}");
        assert_eq!(bench.recorder.take().len(), usize::from(agreed));
    }
    assert_eq!(raw.ask(&call(3, submit)).await["result"]["isError"], false);
    assert_eq!(bench.recorder.take().len(), 1);
    assert_eq!(raw.finish().await, (Some(0), Vec::new()));

    let mut raw = Raw::start(&bench.program, &pairs);
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}}});
    let mut modern = call(1, cancel);
    modern["params"]["_meta"] = meta;
    let back = raw.ask(&modern).await;
    assert_eq!(back["result"]["resultType"], "input_required", "{back}");
    assert_eq!(back["result"]["inputRequests"]["confirm"]["method"], "elicitation/create");
    assert!(bench.recorder.take().is_empty());
    modern["id"] = json!(2);
    modern["params"]["requestState"] = back["result"]["requestState"].clone();
    modern["params"]["inputResponses"] =
        json!({"confirm": {"action": "accept", "content": {"confirm": true}}});
    let end = raw.ask(&modern).await;
    assert_eq!(end["result"]["isError"], false, "{end}");
    assert_eq!(bench.recorder.take().len(), 1);
    assert_eq!(raw.finish().await, (Some(0), Vec::new()));
}
