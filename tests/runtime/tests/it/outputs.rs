//! O1, O2 and O6: what a tool says of its answers holds whatever the API answers, and nothing is lost.

use crate::protocol::Wire;
use crate::recorder::{Answer, Recorder, answer, with_headers};
use crate::tables::{operation, plain, server, single};
use mcp_gen_runtime::runtime::Server;
use mcp_gen_runtime::runtime::output::kept;
use mcp_gen_runtime::runtime::reply::Outcome;
use serde_json::{Map, Value, json};

fn schema() -> Value {
    json!({"type": "object", "properties": {
        "id": {"type": ["string", "integer", "null"]},
        "name": {"type": ["string", "null"]},
        "price": {"type": ["string", "number", "null"]},
        "on": {"type": ["boolean", "null"]},
        "owner": {"type": ["object", "null"], "properties": {"name": {"type": ["string", "null"]}}},
        "tags": {"type": ["array", "null"], "items": {"type": ["string", "null"]}},
        "result": {"type": ["array", "null"], "items": {"type": ["object", "null"],
            "properties": {"id": {"type": ["integer", "null"]}}}},
    }})
}

/// An independent reading of the keywords that are used.
fn violations(schema: &Value, value: &Value, at: &str, out: &mut Vec<String>) {
    if let Some(types) = schema["type"]
        .as_array()
        .cloned()
        .or(schema["type"].is_string().then(|| vec![schema["type"].clone()]))
    {
        let is = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(n) if n.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        let whole = value.as_f64().is_some_and(|n| n.fract() == 0.0);
        let fine = types
            .iter()
            .any(|t| t == is || (t == "number" && is == "integer") || (t == "integer" && whole));
        if !fine {
            out.push(format!("{at}: {is} is none of {types:?}"));
        }
    }
    if let (Some(properties), Some(members)) = (schema["properties"].as_object(), value.as_object())
    {
        for (name, schema) in properties {
            if let Some(value) = members.get(name) {
                violations(schema, value, &format!("{at}/{name}"), out);
            }
        }
    }
    if let (true, Some(items)) = (schema["items"].is_object(), value.as_array()) {
        for item in items {
            violations(&schema["items"], item, &format!("{at}/*"), out);
        }
    }
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn value(&mut self, depth: u64) -> Value {
        match self.roll(if depth == 0 { 7 } else { 10 }) {
            0 => Value::Null,
            1 => json!(self.roll(2) == 1),
            2 => json!(self.roll(1000)),
            3 => json!(u64::MAX - self.roll(9)),
            4 => json!(0.5 + f64::from(u32::try_from(self.roll(9)).unwrap())),
            5 => json!(2.0),
            6 => json!(["", "x", "ünï", "\"{}"][usize::try_from(self.roll(4)).unwrap()]),
            7 => (0..self.roll(4)).map(|_| self.value(depth - 1)).collect(),
            _ => self.object(depth),
        }
    }

    fn object(&mut self, depth: u64) -> Value {
        let names = [
            "id",
            "name",
            "price",
            "on",
            "owner",
            "tags",
            "result",
            "_unexpected",
            "_text",
            "other",
            "__unexpected",
        ];
        let mut out = Map::new();
        for _ in 0..self.roll(7) {
            let name = names[usize::try_from(self.roll(11)).unwrap()];
            out.insert(name.to_owned(), self.value(depth - 1));
        }
        out.into()
    }
}

/// What was put aside, put back.
fn joined(structured: &Value, original: &Value) -> Value {
    let mut whole = structured.as_object().unwrap().clone();
    let Some(name) =
        whole.keys().next_back().filter(|name| original.get(*name) != whole.get(*name)).cloned()
    else {
        return whole.into();
    };
    assert!(name.trim_start_matches('_') == "unexpected", "{name}");
    let Some(Value::Object(aside)) = whole.shift_remove(&name) else { panic!("{structured}") };
    assert!(!aside.is_empty());
    whole.extend(aside);
    whole.into()
}

#[test]
fn o6_random_answers_never_break_the_schema_and_lose_nothing() {
    let schema = schema();
    let root = schema.as_object().unwrap();
    let (mut dice, mut put_aside) = (Dice(7), 0);
    for _ in 0..20_000 {
        let given = dice.value(4);
        let plain = Outcome::value(given, 1_000_000);
        let original = plain.structured.clone().unwrap();
        let outcome = kept(root, plain);
        let structured = outcome.structured.unwrap();
        let mut found = Vec::new();
        violations(&schema, &structured, "", &mut found);
        assert!(found.is_empty(), "{found:?}: {structured}");
        assert_eq!(serde_json::from_str::<Value>(&outcome.text).unwrap(), structured);
        // Equal as sets of members: what was put aside stands last.
        assert_eq!(joined(&structured, &original), original, "{structured}");
        put_aside += usize::from(structured != original);
    }
    assert!((1000..19_000).contains(&put_aside), "{put_aside}");
    assert_eq!(kept(root, Outcome::error("no")), Outcome::error("no"));
}

fn promising(url: &str) -> Server {
    let mut made = single(plain("do", operation("GET /a", vec![], None), &[]), &json!({}));
    let mut tools: Value = serde_json::from_str(made.tools_json).unwrap();
    tools[0]["outputSchema"] = schema();
    made.tools_json = tools.to_string().leak();
    server(made, url, &[])
}

#[tokio::test]
async fn o1_every_kind_of_success_has_structure_that_fits() {
    let json_text = |text: &str| answer(200, "application/json", text);
    let script: Vec<(Answer, Value)> = vec![
        (json_text(r#"{"id":1,"name":"Ann"}"#), json!({"id": 1, "name": "Ann"})),
        (json_text(r#"{"id":1,"name":7}"#), json!({"id": 1, "_unexpected": {"name": 7}})),
        (json_text(r#"{"name":null,"new":[1]}"#), json!({"name": null, "new": [1]})),
        (json_text(r#"{"id":18446744073709551617}"#), json!({"id": "18446744073709551617"})),
        (json_text(r#"[{"id":1}]"#), json!({"result": [{"id": 1}]})),
        (json_text(r#"[{"id":"x"}]"#), json!({"_unexpected": {"result": [{"id": "x"}]}})),
        (json_text("7"), json!({"_unexpected": {"result": 7}})),
        (
            json_text("<html>"),
            json!({"_text": "The API declared JSON, but this cannot be read as JSON.\n<html>"}),
        ),
        (answer(200, "text/plain", "hello"), json!({"_text": "hello"})),
        (with_headers(204, &[], ""), json!({"_text": "HTTP 204: success, no content."})),
    ];
    for (reply, expected) in script {
        let api = Recorder::start(vec![reply]).await;
        let mut wire = Wire::legacy(promising(&api.url)).await;
        let listed = wire.ask(2, "tools/list", json!({})).await;
        assert_eq!(listed["result"]["tools"][0]["outputSchema"], schema());
        let result = wire.ask(3, "tools/call", json!({"name": "work"})).await["result"].clone();
        assert_eq!(result["isError"], false, "{result}");
        assert_eq!(result["structuredContent"], expected, "{result}");
        let mut found = Vec::new();
        violations(&schema(), &result["structuredContent"], "", &mut found);
        assert!(found.is_empty(), "{found:?}");
    }
    let api = Recorder::start(vec![answer(404, "application/json", r#"{"name":7}"#)]).await;
    let mut wire = Wire::legacy(promising(&api.url)).await;
    let result = wire.ask(3, "tools/call", json!({"name": "work"})).await["result"].clone();
    assert_eq!((&result["isError"], result.get("structuredContent")), (&json!(true), None));
}
