//! What other tools send or read wrongly, one small kind each, at the wire of a generated server.
//! The kinds are those of collected reports; `specs/pitfalls` is a document with all of them.

use mcp_gen_servers::client::Era;
use mcp_gen_servers::compare::{Body, Part};
use mcp_gen_servers::raw::Raw;
use mcp_gen_servers::recorder::Answer;
use mcp_gen_servers::table::{BASE, Bench, Case, Refusal, environment};
use serde_json::{Value, json};

const PUBLIC: &[(&str, Option<&str>)] = &[("Authorization", None), ("X-Api-Key", None)];

const PARTS: &[Part] = &[
    Part { name: "file", file: true, media_type: "application/octet-stream", content: "\0\u{1}" },
    Part { name: "meta", file: false, media_type: "application/json", content: r#"{"k":"v"}"# },
    Part { name: "notify", file: false, media_type: "text/plain", content: "true" },
];

async fn bench(variables: &[(&str, &str)]) -> Bench {
    Bench::start("pitfalls", variables, Era::Modern).await
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_what_the_document_says() {
    let bench = bench(&[("BEARER", "T1"), ("KEY", "K1")]).await;
    let cases = [
        Case::new(
            "a deep object keeps its name, and says nothing of what was not given",
            "GET /surveys",
            json!({"query": {"target": {"id": "57", "active": true}}}),
            "GET /surveys?target%5Bid%5D=57&target%5Bactive%5D=true",
        ),
        Case::new(
            "S8: lists inside are written as the configuration says",
            "GET /surveys",
            json!({"query": {"target": {"tags": ["a", "b"]}}}),
            "GET /surveys?target%5Btags%5D%5B0%5D=a&target%5Btags%5D%5B1%5D=b",
        ),
        Case::new(
            "a path value is one segment",
            "GET /files/{name}",
            json!({"path": {"name": "a/b?c#d%"}}),
            "GET /files/a%2Fb%3Fc%23d%25",
        ),
        Case::new("a slash at the end is kept", "GET /tree/", json!({}), "GET /tree/"),
        Case::new("a bare list", "POST /values", json!({"body": [1, 2]}), "POST /values")
            .headers(&[("Content-Type", Some("application/json"))])
            .same_body(),
        Case::new("a bare text", "PUT /motto", json!({"body": "true"}), "PUT /motto")
            .headers(&[("Content-Type", Some("application/json"))])
            .body(Body::Exact("\"true\"")),
        Case::new(
            "null is sent and what is absent is not",
            "PATCH /profile",
            json!({"body": {"nickname": null}}),
            "PATCH /profile",
        )
        .body(Body::Exact(r#"{"nickname":null}"#)),
        Case::new(
            "parts of a form",
            "POST /blobs",
            json!({"body": {"file": "AAE=", "notify": true, "meta": {"k": "v"}}}),
            "POST /blobs",
        )
        .body(Body::Multipart(PARTS)),
        Case::new(
            "values of one action are not those of another",
            "GET /reports/{id}",
            json!({"path": {"id": 5}, "query": {"format": "pdf"}}),
            "GET /reports/5?format=pdf",
        ),
        Case::new(
            "the other action has its own, and an identifier of another type",
            "GET /charts/{id}",
            json!({"path": {"id": "7d444840-9dc0-11d1-b245-5ffdce74fad2"}}),
            "GET /charts/7d444840-9dc0-11d1-b245-5ffdce74fad2",
        ),
        Case::new(
            "a long number",
            "GET /records/{id}",
            json!({"path": {"id": 9_007_199_254_740_993_i64}}),
            "GET /records/9007199254740993",
        ),
        Case::new(
            "a long number as text",
            "GET /records/{id}",
            json!({"path": {"id": "9007199254740993"}}),
            "GET /records/9007199254740993",
        ),
        Case::new("no credential where none is asked", "GET /status", json!({}), "GET /status")
            .headers(PUBLIC),
        Case::new("a credential where one is asked", "GET /jobs", json!({}), "GET /jobs")
            .headers(&[("Authorization", Some("Bearer T1"))]),
        Case::new(
            "pipes and spaces without explode",
            "GET /items",
            json!({"query": {"ids": ["a", "b"], "words": ["x", "y"]}}),
            "GET /items?ids=a%7Cb&words=x%20y",
        ),
        Case::new("what is not given is not sent", "GET /items", json!({}), "GET /items"),
        Case::new(
            "names as they are",
            "GET /items",
            json!({"query": {"includeArchived": false}}),
            "GET /items?includeArchived=false",
        ),
        Case::new(
            "no body, no content type",
            "POST /tasks/{id}/cancel",
            json!({"path": {"id": "t1"}}),
            "POST /tasks/t1/cancel",
        )
        .headers(&[("Content-Type", None)]),
        Case::new(
            "a body that may be absent",
            "POST /tasks/{id}/cancel",
            json!({"path": {"id": "t1"}, "body": {"reason": "late"}}),
            "POST /tasks/t1/cancel",
        )
        .same_body(),
    ];
    bench.check(&cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn scalars_sent_as_text_are_read() {
    let bench = bench(&[]).await;
    let call = bench.spell(
        "POST /matches",
        &json!({"query": {"top_k": 5}, "body": {"exact": true, "min": 0.5, "code": "007"}}),
    );
    let given = json!({"top_k": "5", "exact": "true", "min": "0.5", "code": "007"});
    let outcome = bench.client.call(&call.tool, &given).await;
    assert!(!outcome.is_error, "{}", outcome.text);
    let seen = bench.recorder.take();
    assert!(seen[0].target.ends_with("/matches?top_k=5"), "{seen:?}");
    let body: Value = serde_json::from_slice(&seen[0].body).expect("it is JSON");
    assert_eq!(body, json!({"exact": true, "min": 0.5, "code": "007"}));
    let refused = bench.client.call(&call.tool, &json!({"top_k": "abc"})).await;
    assert!(refused.is_error && refused.text.contains("top_k"), "{}", refused.text);
    assert!(bench.recorder.take().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_meant_is_refused_before_anything_is_sent() {
    let bench = bench(&[]).await;
    let refusals = [
        Refusal {
            name: "a path value that climbs",
            operation: "GET /files/{name}",
            values: json!({"path": {"name": ".."}}),
            says: &["@path:name"],
        },
        Refusal {
            name: "a path value that climbs further on",
            operation: "GET /files/{name}",
            values: json!({"path": {"name": "../admin"}}),
            says: &["@path:name"],
        },
        Refusal {
            name: "a value of another action",
            operation: "GET /reports/{id}",
            values: json!({"path": {"id": 5}, "query": {"format": "png"}}),
            says: &["format", "pdf", "csv"],
        },
        Refusal {
            name: "a credential that is not set",
            operation: "GET /jobs",
            values: json!({}),
            says: &["PITFALLS_BEARER"],
        },
    ];
    bench.check_refused(&refusals).await;
    for operation in ["GET /status", "GET /feed"] {
        let (outcome, seen) = bench.call(operation, &json!({})).await;
        assert!(!outcome.is_error && seen[0].header("authorization").is_none(), "{operation}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_are_taken_as_they_come() {
    let bench = bench(&[]).await;
    let hello = Answer::typed(200, "text/plain; charset=utf-8", b"hello, world");
    assert_eq!(bench.answered(hello, "GET /motd", &json!({})).await.text, "hello, world");
    let html = "<html>maintenance</html>";
    let outcome = bench.answered(Answer::json(200, html), "GET /motd", &json!({})).await;
    assert!(!outcome.is_error && outcome.text.contains(html), "R7: {outcome:?}");
    let document = r#"{"data":{"id":"1"}}"#;
    let reply = Answer::typed(200, "application/vnd.api+json; charset=utf-8", document.as_bytes());
    let outcome = bench.answered(reply, "GET /status", &json!({})).await;
    assert_eq!((outcome.is_error, outcome.text.as_str()), (false, document));
    assert_eq!(outcome.structured, Some(json!({"data": {"id": "1"}})), "it is JSON");
    let odd = r#"{"name":null,"size":"XL","grade":null,"extra":1}"#;
    let reply = Answer::typed(200, "application/vnd.api+json; charset=utf-8", odd.as_bytes());
    let outcome = bench.answered(reply, "GET /company", &json!({})).await;
    assert_eq!((outcome.is_error, outcome.text.as_str()), (false, odd));
    let digits = r#"{"id":9007199254740993,"big":18446744073709551617,"price":1.10}"#;
    let one = json!({"path": {"id": 1}});
    let outcome = bench.answered(Answer::json(200, digits), "GET /records/{id}", &one).await;
    for part in ["9007199254740993", "18446744073709551617", "1.1"] {
        assert!(outcome.text.contains(part), "R10: {}", outcome.text);
    }
    let long: Vec<Value> = (0..50_000).map(|i| json!({"i": i, "t": "x".repeat(80)})).collect();
    let next = format!("<{BASE}/events?page=2>; rel=\"next\"");
    let reply = Answer::json(200, &Value::from(long).to_string()).with("Link", &next);
    let outcome = bench.answered(reply, "GET /events", &json!({})).await;
    let value: Value = serde_json::from_str(&outcome.text).expect("R4: it is JSON");
    let shown = value["result"].as_array().map(Vec::len).expect("the list is there");
    assert!(!outcome.is_error && (100..50_000).contains(&shown), "{shown}");
    let told = json!({"shown": shown, "total": 50_000});
    assert_eq!(value["_truncated"]["result"], told, "what is left out is said");
    assert_eq!(value["_next"], json!({"page": "2"}), "R11");
    assert_eq!(outcome.structured, Some(value), "both say the same");
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_of_a_file_arrive_as_they_are_in_a_part_with_a_name() {
    let bench = bench(&[]).await;
    let values = json!({"body": {"file": "AP8=", "notify": true, "meta": {"k": "v"}}});
    let (outcome, seen) = bench.call("POST /blobs", &values).await;
    assert!(!outcome.is_error, "{}", outcome.text);
    let kind = seen[0].header("content-type").expect("it has a type");
    let boundary = kind.strip_prefix("multipart/form-data; boundary=").expect("with a boundary");
    let part = |head: &str, content: &[u8]| {
        let head = format!("--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n");
        [head.as_bytes(), content, b"\r\n--"].concat()
    };
    for expected in [
        part(
            "name=\"file\"; filename=\"file\"\r\nContent-Type: application/octet-stream",
            &[0, 0xff],
        ),
        part("name=\"notify\"\r\nContent-Type: text/plain; charset=utf-8", b"true"),
        part("name=\"meta\"\r\nContent-Type: application/json", br#"{"k":"v"}"#),
    ] {
        let found = seen[0].body.windows(expected.len()).any(|window| window == expected);
        assert!(found, "{} in {}", String::from_utf8_lossy(&expected), seen[0].text());
    }
    assert_eq!(seen[0].text().matches("Content-Disposition").count(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn o6_no_answer_breaks_what_a_tool_says_of_its_answers() {
    let bench = bench(&[("HEALTH_TOOL", "1")]).await;
    let tools = bench.client.tools().await;
    let call = bench.spell("GET /company", &json!({}));
    let listed = tools.iter().find(|tool| tool.name == call.tool).expect("it is listed");
    let schema = listed.output_schema.as_ref().expect("it says what it answers");
    assert!(Value::Object((**schema).clone()).to_string().len() <= 1024);
    let drifted = Answer::json(200, r#"{"name":["a"],"size":7,"staff":"many","new":true}"#);
    let outcome = bench.answered(drifted, "GET /company", &json!({})).await;
    let expected = json!({"staff": "many", "new": true, "_unexpected": {"name": ["a"], "size": 7}});
    assert_eq!(outcome.structured, Some(expected), "{}", outcome.text);
    let outcome = bench.answered(Answer::empty(204), "GET /company", &json!({})).await;
    assert!(!outcome.is_error && outcome.structured.is_some(), "{outcome:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_api_that_hangs_is_given_up_and_holds_up_nobody() {
    let bench = bench(&[("KEY", "K1"), ("TIMEOUT_SECONDS", "2")]).await;
    bench.recorder.script(|request| {
        if request.target.ends_with("/slow") { Answer::Silence } else { Answer::json(200, "{}") }
    });
    let begun = std::time::Instant::now();
    let slow = bench.spell("GET /slow", &json!({}));
    let other = bench.spell("GET /tree/", &json!({}));
    let (slow, other) = tokio::join!(
        async { (bench.client.call(&slow.tool, &slow.arguments).await, begun.elapsed()) },
        async { (bench.client.call(&other.tool, &other.arguments).await, begun.elapsed()) },
    );
    assert!(slow.0.is_error && slow.0.text.contains("in time"), "H4: {}", slow.0.text);
    assert!(slow.1.as_secs() < 4 && !other.0.is_error && other.1.as_millis() < 1500);

    let variables = [("KEY", "K1"), ("TIMEOUT_SECONDS", "2")];
    let environment = environment(&bench.plan, &bench.recorder, &variables);
    let pairs: Vec<_> = environment.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let mut raw = Raw::start(&bench.program, &pairs);
    raw.initialize().await;
    let slow = bench.spell("GET /slow", &json!({}));
    let params = json!({"name": slow.tool, "arguments": slow.arguments});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    raw.send(&call.to_string()).await;
    raw.send(r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#).await;
    assert_eq!(raw.next().await.expect("an answer to the ping")["id"], 2);
    let late = raw.next().await.expect("an answer to the call");
    assert_eq!((&late["id"], &late["result"]["isError"]), (&json!(1), &json!(true)), "{late}");
    assert_eq!(raw.finish().await, (Some(0), Vec::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn redirects_lose_no_body_and_carry_no_key_elsewhere() {
    let bench = bench(&[("KEY", "K1")]).await;
    let there = mcp_gen_servers::recorder::Recorder::start().await;
    let moved = Answer::empty(301).with("Location", "/v1/orders/");
    let outcome = bench.answered(moved, "POST /orders", &json!({"body": {"sku": "x"}})).await;
    assert!(outcome.is_error && outcome.text.contains("redirects"), "H3: {}", outcome.text);
    for word in ["301", "/v1/orders/"] {
        assert!(outcome.text.contains(word), "{word}: {}", outcome.text);
    }
    assert!(bench.recorder.take().is_empty(), "nothing after the one request");
    let away = Answer::empty(302).with("Location", &format!("{}/collect", there.origin()));
    let outcome = bench.answered(away, "GET /slow", &json!({})).await;
    assert!(outcome.is_error, "H1: {}", outcome.text);
    assert!(there.take().is_empty(), "A6");
}
