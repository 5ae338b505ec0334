//! Calls and the requests that they make.

use mcp_gen_servers::compare::{Body, Part};
use mcp_gen_servers::table::Case;
use serde_json::json;

use super::bench;

const KEY_ONLY: &[(&str, Option<&str>)] =
    &[("X-Api-Key", Some("canary-key")), ("Authorization", None)];
const TOKEN_ONLY: &[(&str, Option<&str>)] =
    &[("X-Api-Key", None), ("Authorization", Some("Bearer canary-token"))];
const BOTH: &[(&str, Option<&str>)] =
    &[("X-Api-Key", Some("canary-key")), ("Authorization", Some("Bearer canary-token"))];
const NEITHER: &[(&str, Option<&str>)] = &[("X-Api-Key", None), ("Authorization", None)];

#[tokio::test(flavor = "multi_thread")]
async fn each_place_and_style_of_a_parameter_is_written_as_the_table_of_styles_says() {
    let cases = [
        Case::new(
            "form exploded, pipes, a header",
            "GET /items",
            json!({"query": {"q": "M8 bolt+nut", "status": ["active", "blocked"],
                "tags": ["a", "b c", "d|e"], "sort": "-stock", "page": 2, "per_page": 50},
                "header": {"X-Request-Tag": "tag with blanks"}}),
            "GET /items?q=M8%20bolt%2Bnut&status=active&status=blocked&tags=a%7Cb%20c%7Cd%7Ce\
             &sort=-stock&page=2&per_page=50",
        )
        .headers(&[("X-Request-Tag", Some("tag with blanks"))]),
        Case::new(
            "form in one, with a choice that has a comma in no value",
            "GET /items/export",
            json!({"query": {"columns": ["sku", "stock"]}}),
            "GET /items/export?columns=sku,stock",
        ),
        Case::new(
            "commas within the values of a list",
            "GET /items/{sku}/stock",
            json!({"path": {"sku": "BOLT-M8"}, "query": {"zones": ["A", "B,C"]}}),
            "GET /items/BOLT-M8/stock?zones=A%20B%2CC",
        ),
        Case::new(
            "a path value with all that has a meaning in a URL",
            "GET /items/{sku}",
            json!({"path": {"sku": "a/b?c#d;e=f&g%41 ä"}}),
            "GET /items/a%2Fb%3Fc%23d%3Be%3Df%26g%2541%20%C3%A4",
        ),
        Case::new(
            "a time in the query",
            "GET /items/{sku}",
            json!({"path": {"sku": "x"}, "query": {"at": "2026-03-01T08:00:00+01:00"}}),
            "GET /items/x?at=2026-03-01T08%3A00%3A00%2B01%3A00",
        ),
        Case::new(
            "a deep object",
            "GET /locations",
            json!({"query": {"filter": {"zone": "A 1", "minFree": 2, "cooled": true}, "page": 3}}),
            "GET /locations?filter%5Bzone%5D=A%201&filter%5BminFree%5D=2&filter%5Bcooled%5D=true&page=3",
        ),
        Case::new(
            "matrix",
            "GET /locations/at/{coordinates}",
            json!({"path": {"coordinates": {"aisle": 3, "rack": 12}}}),
            "GET /locations/at/;aisle=3;rack=12",
        ),
        Case::new(
            "label, behind text in the same segment",
            "GET /locations/{locationId}/labels{formats}",
            json!({"path": {"locationId": 9_007_199_254_740_993_i64, "formats": ["pdf", "zpl"]}}),
            "GET /locations/9007199254740993/labels.pdf.zpl",
        ),
        Case::new(
            "a list in a header",
            "GET /suppliers",
            json!({"query": {"countries": ["DE", "AT"]}, "header": {"X-Fields": ["id", "name"]}}),
            "GET /suppliers?countries=DE,AT",
        )
        .headers(&[("X-Fields", Some("id,name"))]),
        Case::new(
            "cookies",
            "GET /orders",
            json!({"query": {"state": "draft", "supplierId": "sup_81",
                "created": {"from": "2026-01-01"}, "limit": 10},
                "cookie": {"view": "mine", "columns": ["sku", "state"]}}),
            "GET /orders?state=draft&supplierId=sup_81&created%5Bfrom%5D=2026-01-01&limit=10",
        )
        .headers(&[("Cookie", Some("view=mine; columns=sku,state"))]),
        Case::new(
            "a parameter that is a document",
            "GET /orders/{orderId}",
            json!({"path": {"orderId": "po_1"}, "query": {"include": ["lines", "events"]}}),
            "GET /orders/po_1?include=%5B%22lines%22%2C%22events%22%5D",
        ),
        Case::new(
            "empty lists and objects are left out, an empty text is not",
            "GET /orders",
            json!({"query": {"cursor": "", "created": {}}, "cookie": {"columns": []}}),
            "GET /orders?cursor=",
        )
        .headers(&[("Cookie", None)]),
        Case::new(
            "two path parameters",
            "DELETE /suppliers/{supplierId}/contacts/{contactId}",
            json!({"path": {"supplierId": "sup_81",
                "contactId": "0f8fad5b-d9cb-469f-a165-70867728950e"}}),
            "DELETE /suppliers/sup_81/contacts/0f8fad5b-d9cb-469f-a165-70867728950e",
        ),
    ];
    bench().await.check(&cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn json_bodies_keep_nesting_numbers_and_nulls() {
    let json_type: &[(&str, Option<&str>)] = &[("Content-Type", Some("application/json"))];
    let cases = [
        Case::new(
            "nested objects and a map",
            "POST /items",
            json!({"body": {"sku": "BOLT-M8", "name": "Bolt \"M8\"", "status": "active",
                "weightGrams": 12.5, "dimensions": {"length": 40, "width": 13, "height": 13},
                "tags": ["steel", "metric"], "attributes": {"thread": "M8", "colour": "zinc"},
                "reorder": {"point": 100, "supplier": {"id": "sup_81", "leadDays": 4}}}}),
            "POST /items",
        )
        .headers(json_type)
        .same_body(),
        Case::new(
            "a search that only reads",
            "POST /items/search",
            json!({"body": {"text": "bolt", "stock": {"min": 1}, "maxWeightGrams": 50,
                "attributes": {"thread": "M8"}, "limit": 5}}),
            "POST /items/search",
        )
        .same_body(),
        Case::new(
            "a merge patch where null removes a member",
            "PATCH /items/{sku}",
            json!({"path": {"sku": "BOLT-M8"}, "header": {"If-Match": "\"v7\""},
                "body": {"description": null, "name": "Bolt"}}),
            "PATCH /items/BOLT-M8",
        )
        .headers(&[
            ("Content-Type", Some("application/merge-patch+json")),
            ("If-Match", Some("\"v7\"")),
        ])
        .same_body(),
        Case::new(
            "an integer beyond 2^53 and a negative one",
            "POST /items/{sku}/adjust",
            json!({"path": {"sku": "x"}, "body": {"locationId": 9_007_199_254_740_993_i64,
                "quantity": -3, "reason": "lost"}}),
            "POST /items/x/adjust",
        )
        .same_body(),
        Case::new(
            "a member that is only written",
            "POST /locations",
            json!({"body": {"zone": "A", "aisle": 3, "rack": 12, "cooled": false,
                "accessCode": "0042"}}),
            "POST /locations",
        )
        .same_body(),
        Case::new(
            "a replacement",
            "PUT /locations/{locationId}",
            json!({"path": {"locationId": 7}, "body": {"zone": "B", "aisle": 1, "rack": 1}}),
            "PUT /locations/7",
        )
        .same_body(),
        Case::new(
            "a nested member alone",
            "PATCH /suppliers/{supplierId}",
            json!({"path": {"supplierId": "sup_81"}, "body": {"terms": {"days": 30}}}),
            "PATCH /suppliers/sup_81",
        )
        .same_body(),
        Case::new(
            "a choice of objects",
            "POST /orders",
            json!({"body": {"supplierId": "sup_81", "priority": 1,
                "lines": [{"sku": "BOLT-M8", "quantity": 500, "unitPrice": 0.04},
                          {"sku": "NUT-M8", "quantity": 500}],
                "delivery": {"method": "courier", "carrier": "Nord", "insured": true}}}),
            "POST /orders",
        )
        .same_body(),
        Case::new(
            "choices that are numbers",
            "PATCH /orders/{orderId}",
            json!({"path": {"orderId": "po_1"}, "body": {"priority": 3, "note": "soon"}}),
            "PATCH /orders/po_1",
        )
        .same_body(),
        Case::new(
            "a body that is a list",
            "POST /orders/{orderId}/receive",
            json!({"path": {"orderId": "po_1"},
                "body": [{"line": 1, "quantity": 500}, {"line": 2, "quantity": 0, "locationId": 7}]}),
            "POST /orders/po_1/receive",
        )
        .same_body(),
        Case::new(
            "an optional body that is given",
            "POST /orders/{orderId}/cancel",
            json!({"path": {"orderId": "po_1"}, "body": {"reason": "too late"}}),
            "POST /orders/po_1/cancel",
        )
        .same_body(),
        Case::new(
            "a line of an order",
            "PUT /orders/{orderId}/lines/{line}",
            json!({"path": {"orderId": "po_1", "line": 2}, "body": {"sku": "NUT-M8", "quantity": 1}}),
            "PUT /orders/po_1/lines/2",
        )
        .same_body(),
        Case::new(
            "a list and a switch",
            "POST /stocktakes",
            json!({"body": {"zones": ["A", "B"], "blind": false}}),
            "POST /stocktakes",
        )
        .same_body(),
    ];
    bench().await.check(&cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_are_not_json_are_written_in_their_own_type() {
    const PARTS: &[Part] = &[
        Part { name: "title", file: false, media_type: "text/plain", content: "Data sheet" },
        Part { name: "kind", file: false, media_type: "text/plain", content: "manual" },
        Part { name: "languages", file: false, media_type: "text/plain", content: "de" },
        Part { name: "languages", file: false, media_type: "text/plain", content: "en" },
        Part {
            name: "origin",
            file: false,
            media_type: "application/json",
            content: r#"{"author":"Ida","year":2025}"#,
        },
        Part { name: "file", file: true, media_type: "application/pdf", content: "%PDF-1.7\n" },
    ];
    let cases = [
        Case::new(
            "text",
            "POST /items/import",
            json!({"query": {"dry_run": true}, "body": "sku,name\nBOLT-M8,\"Bolt, M8\"\n"}),
            "POST /items/import?dry_run=true",
        )
        .headers(&[("Content-Type", Some("text/csv"))])
        .body(Body::Exact("sku,name\nBOLT-M8,\"Bolt, M8\"\n")),
        Case::new(
            "bytes",
            "PUT /items/{sku}/photo",
            json!({"path": {"sku": "x"}, "body": "bm90IGEgcGhvdG8K"}),
            "PUT /items/x/photo",
        )
        .headers(&[("Content-Type", Some("application/octet-stream"))])
        .body(Body::Exact("not a photo\n")),
        Case::new(
            "a form",
            "POST /suppliers",
            json!({"body": {"name": "Schraub & Söhne", "country": "DE", "brands": ["A", "B=C"],
                "rating": 4.5, "preferred": true}}),
            "POST /suppliers",
        )
        .body(Body::Form(&[
            "name=Schraub%20%26%20S%C3%B6hne",
            "country=DE",
            "brands=A",
            "brands=B%3DC",
            "rating=4.5",
            "preferred=true",
        ])),
        Case::new(
            "several parts",
            "POST /items/{sku}/documents",
            json!({"path": {"sku": "x"}, "body": {"title": "Data sheet", "kind": "manual",
                "languages": ["de", "en"], "origin": {"author": "Ida", "year": 2025},
                "file": "JVBERi0xLjcK"}}),
            "POST /items/x/documents",
        )
        .body(Body::Multipart(PARTS)),
    ];
    bench().await.check(&cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_no_text_arrive_as_they_are() {
    let bench = bench().await;
    let values = json!({"path": {"sku": "x"}, "body": "/wCAiVBORw0KGgo="});
    let (outcome, requests) = bench.call("PUT /items/{sku}/photo", &values).await;
    assert!(!outcome.is_error, "{}", outcome.text);
    assert_eq!(requests[0].body, b"\xff\x00\x80\x89PNG\r\n\x1a\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn credentials_follow_the_alternatives_of_each_operation() {
    let cases = [
        Case::new(
            "the first of two",
            "GET /suppliers/{supplierId}",
            json!({"path": {"supplierId": "s"}}),
            "GET /suppliers/s",
        )
        .headers(KEY_ONLY),
        Case::new("one that is not the first", "GET /me", json!({}), "GET /me").headers(TOKEN_ONLY),
        Case::new("one for reading the settings", "GET /settings", json!({}), "GET /settings")
            .headers(TOKEN_ONLY),
        Case::new(
            "two together",
            "PUT /settings",
            json!({"body": {"currency": "EUR", "lowStockMail": "a@b.example",
                "features": {"blindCounts": true, "photos": false}}}),
            "PUT /settings",
        )
        .headers(BOTH)
        .same_body(),
        Case::new("none", "GET /health", json!({}), "GET /health").headers(NEITHER),
        Case::new("none again", "GET /version", json!({}), "GET /version").headers(NEITHER),
        Case::new(
            "a key in the query, behind a value that may keep its slashes",
            "GET /legacy/stock",
            json!({"query": {"path": "A/12:b&c"}}),
            "GET /legacy/stock?path=A/12:b%26c&key=canary%2Fold",
        )
        .headers(NEITHER),
        Case::new(
            "an action without a body",
            "POST /orders/{orderId}/submit",
            json!({"path": {"orderId": "po_1"}}),
            "POST /orders/po_1/submit",
        )
        .headers(KEY_ONLY),
        Case::new(
            "an optional body that is not given",
            "POST /orders/{orderId}/cancel",
            json!({"path": {"orderId": "po_1"}}),
            "POST /orders/po_1/cancel",
        ),
    ];
    bench().await.check(&cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_alternative_is_taken_when_only_it_is_configured() {
    use mcp_gen_servers::client::Era;
    use mcp_gen_servers::table::Bench;
    let bench = Bench::start(super::SPEC, &[("BEARER", "only")], Era::Modern).await;
    let (_, requests) = bench.call("GET /items", &json!({})).await;
    assert_eq!(requests[0].header("authorization").as_deref(), Some("Bearer only"));
    assert_eq!(requests[0].header("x-api-key"), None);
}

/// A3.
#[tokio::test(flavor = "multi_thread")]
async fn credentials_are_no_arguments() {
    for tool in bench().await.client.tools().await {
        let text = serde_json::to_string(&tool).expect("a tool is JSON").to_lowercase();
        for word in ["x-api-key", "authorization", "canary"] {
            assert!(!text.contains(word), "`{}` speaks of {word}: {text}", tool.name);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn s10_files_come_with_name_and_type_or_from_the_folder_of_the_operator() {
    let folder = std::env::temp_dir().join(format!("mcp-gen-files-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    std::fs::write(folder.join("sheet.csv"), "a,b").expect("a file can be made");
    let mut variables = super::CREDENTIALS.to_vec();
    variables.push(("FILES_DIR", folder.to_str().expect("a path of text")));
    let bench = mcp_gen_servers::table::Bench::start(
        super::SPEC,
        &variables,
        mcp_gen_servers::client::Era::Modern,
    )
    .await;
    assert!(bench.client.instructions().is_some_and(|text| text.contains("file:PATH")));
    let tools = serde_json::to_string(&bench.client.tools().await).expect("tools are JSON");
    assert!(tools.contains("File: file:PATH, base64, or data:"), "{tools}");
    for (given, head, content) in [
        (
            "data:text/markdown;name=read%20me.md;base64,IyBI",
            "filename=\"read me.md\"\r\nContent-Type: text/markdown",
            "# H",
        ),
        ("file:sheet.csv", "filename=\"sheet.csv\"\r\nContent-Type: text/csv", "a,b"),
    ] {
        let values =
            json!({"path": {"sku": "x"}, "body": {"title": "T", "kind": "manual", "file": given}});
        let (outcome, requests) = bench.call("POST /items/{sku}/documents", &values).await;
        assert!(!outcome.is_error, "{}", outcome.text);
        let text = requests[0].text();
        assert!(text.contains(&format!("{head}\r\n\r\n{content}\r\n")), "{text}");
    }
    for given in ["file:../sheet.csv", "file:/etc/hostname", "plain words"] {
        let values =
            json!({"path": {"sku": "x"}, "body": {"title": "T", "kind": "manual", "file": given}});
        let (outcome, requests) = bench.call("POST /items/{sku}/documents", &values).await;
        assert!(outcome.is_error && requests.is_empty(), "{given}: {}", outcome.text);
    }
    std::fs::remove_dir_all(folder).expect("it can be removed");
}
