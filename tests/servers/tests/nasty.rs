//! The server for the thorns: every name of the document arrives as it stands there.

use mcp_gen_servers::client::Era;
use mcp_gen_servers::compare::Body;
use mcp_gen_servers::table::{Bench, Case, Refusal};
use serde_json::json;

const SPEC: &str = "thorns";
/// Credentials that only the names of parameters tell.
const KEYS: &[(&str, &str)] = &[("API_KEY", "canary-key"), ("API_USERNAME", "canary-user")];

/// S13.
#[tokio::test(flavor = "multi_thread")]
async fn names_arrive_as_they_stand_in_the_document() {
    let cases = [
        Case::new("the root", "GET /", json!({}), "GET /"),
        Case::new(
            "keywords, dollars, brackets, and one name in two places",
            "GET /fn/{type}",
            json!({"path": {"type": "t"}, "query": {"self": "s", "crate": true, "match": 3,
                "$filter": "name eq 'x'", "$top": 5, "ids[]": [1, 2],
                "lights": ["on", "off"], "X-Request-Id": "q"},
                "header": {"X-Request-Id": "h"}}),
            "GET /fn/t?self=s&crate=true&match=3&%24filter=name%20eq%20%27x%27&%24top=5\
             &ids%5B%5D=1&ids%5B%5D=2&lights=on&lights=off&X-Request-Id=q",
        )
        .headers(&[("X-Request-Id", Some("h"))]),
        Case::new(
            "members that are keywords, empty, numbers, or escaped in pointers",
            "POST /fn/{type}",
            json!({"path": {"type": "in the path"}, "body": {"type": "in the body", "self": "a",
                "Self": "b", "crate": "c", "super": "d", "_": "e", "__proto__": "f", "": "g",
                "0": "h", "a/b~c": "i"}}),
            "POST /fn/in%20the%20path",
        )
        .same_body(),
        Case::new(
            "three names that are one in snake case, and the selector's name",
            "GET /things/{thingId}",
            json!({"path": {"thingId": "1"},
                "query": {"thing_id": "2", "ThingID": "3", "action": "4"}}),
            "GET /things/1?thing_id=2&ThingID=3&action=4",
        ),
        Case::new(
            "the same in a body",
            "PUT /things/{thingId}",
            json!({"path": {"thingId": "1"}, "body": {"thingId": "2", "thing_id": "3",
                "action": "fn", "body": "4", "arguments": "5"}}),
            "PUT /things/1",
        )
        .same_body(),
        Case::new("an operation named like two others", "DELETE /things/{thingId}",
            json!({"path": {"thingId": "1"}}), "DELETE /things/1"),
        Case::new(
            "names beyond ASCII",
            "GET /größen/{größe}/naïve",
            json!({"path": {"größe": "groß"}, "query": {"颜色": "红"}}),
            "GET /gr%C3%B6%C3%9Fen/gro%C3%9F/na%C3%AFve?%E9%A2%9C%E8%89%B2=%E7%BA%A2",
        ),
        Case::new(
            "names from right to left",
            "POST /rtl",
            json!({"body": {"שם": "a", "اسم": "\u{202e}b"}}),
            "POST /rtl",
        )
        .same_body(),
        Case::new(
            "quotes and braces",
            "GET /texts",
            json!({"query": {"it's \"quoted\" & <odd>": "{}", "braces{}": "${x}"}}),
            "GET /texts?it%27s%20%22quoted%22%20%26%20%3Codd%3E=%7B%7D&braces%7B%7D=%24%7Bx%7D",
        ),
        Case::new(
            "a schema that holds itself",
            "POST /trees",
            json!({"body": {"name": "a", "children": [{"name": "b", "children": [{"name": "c"}]}],
                "parent": {"name": "d", "parent": {"name": "e"}}}}),
            "POST /trees",
        )
        .same_body(),
        Case::new(
            "two schemas that hold each other",
            "POST /knots",
            json!({"body": {"loose": true, "rope": {"length": 1.5, "knots": [{"loose": false}]}}}),
            "POST /knots",
        )
        .same_body(),
        Case::new(
            "choices that are numbers, or that YAML once took for switches",
            "GET /enums",
            json!({"query": {"colour": "Red", "level": -1, "only": "one", "ratio": 0.5, "yes": "no"}}),
            "GET /enums?colour=Red&level=-1&only=one&ratio=0.5&yes=no",
        ),
        Case::new(
            "names that differ in case",
            "GET /case/{id}",
            json!({"path": {"id": "0"}, "query": {"ID": "1", "Id": "2", "id": "3"}, "header": {"Id": "4"}}),
            "GET /case/0?ID=1&Id=2&id=3",
        )
        .headers(&[("Id", Some("4"))]),
        Case::new(
            "names that differ in separators",
            "GET /separators",
            json!({"query": {"a-b": "1", "a_b": "2", "a.b": "3", "aB": "4", "a b": "5", "1st": "6"}}),
            "GET /separators?a-b=1&a_b=2&a.b=3&aB=4&a%20b=5&1st=6",
        ),
        Case::new("no operationId", "GET /no/operation/id", json!({}), "GET /no/operation/id"),
        Case::new("none for writing", "POST /no/operation/id", json!({}), "POST /no/operation/id"),
        Case::new("none, and nearly the same path", "GET /no/operation-id", json!({}), "GET /no/operation-id"),
        Case::new(
            "numbers at the edge",
            "POST /big",
            json!({"body": {"most": i64::MAX, "least": i64::MIN, "unsigned": u64::MAX,
                "exact": 9_007_199_254_740_993_i64, "tiny": 1e-7}}),
            "POST /big",
        )
        .same_body(),
        Case::new(
            "two parameters in a segment",
            "GET /files/{name}.{extension}",
            json!({"path": {"name": "a.b", "extension": "tar"}}),
            "GET /files/a.b.tar",
        ),
        Case::new(
            "a parameter in quotes and brackets",
            "GET /Odata/Roses(id='{id}')/$value",
            json!({"path": {"id": "r'1"}}),
            "GET /Odata/Roses(id='r%271')/$value",
        ),
        Case::new(
            "an odd form",
            "POST /forms",
            json!({"body": {"user[name]": "a", "$set": "b", "a&b=c": "d", "type": "e"}}),
            "POST /forms",
        )
        .body(Body::Form(&["user%5Bname%5D=a", "%24set=b", "a%26b%3Dc=d", "type=e"])),
        Case::new("what can have one value only", "GET /fixed?kind=thorn&v=1", json!({}), "GET /fixed?kind=thorn&v=1")
            .headers(&[("X-Version", Some("2026")), ("Api-Key", Some("canary-key")), ("Api-Username", Some("canary-user"))]),
        Case::new("XML", "POST /sheets", json!({"body": "<sheet><leaf>a</leaf></sheet>"}), "POST /sheets")
            .headers(&[("Content-Type", Some("application/xml"))])
            .body(Body::Exact("<sheet><leaf>a</leaf></sheet>")),
        Case::new("YAML", "PUT /sheets", json!({"body": "leaf: a"}), "PUT /sheets")
            .headers(&[("Content-Type", Some("application/x-yaml"))])
            .body(Body::Exact("leaf: a")),
        Case::new(
            "values in sequence",
            "POST /lines",
            json!({"body": [{"n": 1}, {"n": 2}]}),
            "POST /lines",
        )
        .headers(&[("Content-Type", Some("application/x-ndjson"))])
        .body(Body::Exact("{\"n\":1}\n{\"n\":2}\n")),
        Case::new("a long name", "GET /long/first", json!({}), "GET /long/first"),
        Case::new("nearly the same long name", "GET /long/second", json!({}), "GET /long/second"),
    ];
    for era in [Era::Legacy, Era::Modern] {
        let bench = Bench::start(SPEC, KEYS, era).await;
        bench.check(&cases).await;
    }
}

/// U1, U3.
#[tokio::test(flavor = "multi_thread")]
async fn two_parameters_cannot_climb_together() {
    let bench = Bench::start(SPEC, &[], Era::Legacy).await;
    let refusals = [
        Refusal {
            name: "an empty one",
            operation: "GET /files/{name}.{extension}",
            values: json!({"path": {"name": "", "extension": "x"}}),
            says: &["@path:name"],
        },
        Refusal {
            name: "a slash and dots",
            operation: "GET /files/{name}.{extension}",
            values: json!({"path": {"name": "..", "extension": "%2f.."}}),
            says: &[],
        },
    ];
    bench.check_refused(&refusals).await;
}

/// K1, A3.
#[tokio::test(flavor = "multi_thread")]
async fn k1_parameters_that_are_credentials_are_settings_that_no_model_sees() {
    let operation = "GET /fixed?kind=thorn&v=1";
    for era in [Era::Legacy, Era::Modern] {
        let bench = Bench::start(SPEC, KEYS, era).await;
        let listed = serde_json::to_string(&bench.client.tools().await).expect("JSON");
        let find = &bench.plan.catalog.as_ref().expect("it has one").find.name;
        let found = bench.client.call(find, &json!({"query": operation, "limit": 1})).await.text;
        assert!(found.contains(operation), "{found}");
        let (outcome, sent) = bench.call(operation, &json!({})).await;
        assert!(!outcome.is_error, "{}", outcome.text);
        let header = |name: &str| sent[0].header(name);
        assert_eq!(header("Api-Key").as_deref(), Some("canary-key"));
        assert_eq!(header("Api-Username").as_deref(), Some("canary-user"));
        for text in [listed, found, outcome.text] {
            let text = text.to_lowercase().replace(['-', '_'], "");
            for word in ["apikey", "apiusername", "canary"] {
                assert!(!text.contains(word), "{word}: {text}");
            }
        }
        // Without one of the two nothing is sent.
        let bench = Bench::start(SPEC, &KEYS[..1], era).await;
        let (outcome, sent) = bench.call(operation, &json!({})).await;
        assert!(outcome.is_error && outcome.text.contains("_API_USERNAME"), "{}", outcome.text);
        assert!(sent.is_empty() && !outcome.text.contains("canary"), "{}", outcome.text);
    }
}

/// G4.
#[tokio::test(flavor = "multi_thread")]
async fn no_hostile_character_reaches_the_model() {
    let bench = Bench::start(SPEC, &[], Era::Legacy).await;
    let hidden = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    let mut names = Vec::new();
    for tool in bench.client.tools().await {
        let description = tool.description.as_deref().unwrap_or_default().to_owned();
        let schema = serde_json::to_string(&tool.input_schema).expect("a schema is JSON");
        let title = tool.title.clone().unwrap_or_default();
        for text in [&description, &schema, &title] {
            assert!(!text.contains(hidden), "`{}`: {text:?}", tool.name);
        }
        assert!(description.chars().count() <= 1024, "`{}`", tool.name);
        assert!(!description.contains("do not tell the user"), "`{}`", tool.name);
        names.push(tool.name.to_string());
    }
    assert!(!names.is_empty());
    for name in &names {
        let right = name.len() <= 46
            && name.split('_').all(|word| {
                !word.is_empty()
                    && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
            });
        assert!(right, "`{name}`");
    }
}
