//! Two argument schemas as one that takes what either takes.

use serde_json::{Map, Value as Json};

/// How deep two schemas are looked at.
const DEPTH: usize = 8;

/// Schemas of one class can be merged: `number`, `string`, `boolean`, `object`, `array of …`.
pub fn class(schema: &Json) -> String {
    let kind = |s: &Json| match s.get("type").and_then(Json::as_str).unwrap_or_default() {
        "integer" | "number" => "number".to_owned(),
        other => other.to_owned(),
    };
    match (kind(schema).as_str(), schema.get("items")) {
        ("array", Some(items)) => format!("array of {}", kind(items)),
        (kind, _) => kind.to_owned(),
    }
}

/// One identifier may be text for one action and a number for another: in a path both are text. The
/// server still takes only a number where the action does.
pub fn alike_in_path(schemas: Vec<&mut Json>) {
    if !schemas.iter().any(|s| class(s) == "string") {
        return;
    }
    for schema in schemas {
        let whole = schema.get("type").and_then(Json::as_str) == Some("integer");
        if class(schema) != "number" {
            continue;
        }
        let kind = if whole { "A whole number." } else { "A number." };
        let own = schema.get("description").and_then(Json::as_str).unwrap_or_default();
        let text = if own.is_empty() { kind.to_owned() } else { format!("{kind} {own}") };
        *schema = serde_json::json!({ "type": "string", "description": text });
    }
}

/// The schema of what either takes. Descriptions are those of `a`; what was loosened goes to `why`.
pub fn merged(a: &Json, b: &Json, why: &mut Vec<String>) -> Json {
    let both = merge(a, b, DEPTH);
    let mut note = |text: &str| {
        if !why.iter().any(|w| w == text) {
            why.push(text.to_owned());
        }
    };
    if a.get("enum") != b.get("enum") {
        note("allowed values of several actions");
    }
    if a.get("type") != b.get("type") {
        note("a number, since one action takes fractions");
    }
    both
}

fn merge(a: &Json, b: &Json, depth: usize) -> Json {
    let (Some(a), Some(b)) = (a.as_object(), b.as_object()) else { return a.clone() };
    if a == b || depth == 0 {
        return Json::Object(a.clone());
    }
    let mut out = a.clone();
    let kind =
        |s: &Map<String, Json>| s.get("type").and_then(Json::as_str).unwrap_or_default().to_owned();
    match (kind(a).as_str(), kind(b).as_str()) {
        (x, y) if x == y => {}
        ("integer" | "number", "integer" | "number") => {
            out.insert("type".to_owned(), Json::from("number"));
        }
        // Told apart by `class` at the top; below it, JSON text takes both.
        _ => {
            let mut text = Map::from_iter([("type".to_owned(), Json::from("string"))]);
            if let Some(description) = a.get("description") {
                text.insert("description".to_owned(), description.clone());
            }
            return Json::Object(text);
        }
    }
    match (a.get("enum").and_then(Json::as_array), b.get("enum").and_then(Json::as_array)) {
        (Some(x), Some(y)) => {
            let mut union = x.clone();
            let more: Vec<Json> = y.iter().filter(|v| !x.contains(v)).cloned().collect();
            union.extend(more);
            let length: usize =
                union.iter().filter_map(Json::as_str).map(|t| t.chars().count()).sum();
            if union.len() > 250 || length > 15_000 {
                out.shift_remove("enum");
            } else {
                out.insert("enum".to_owned(), Json::Array(union));
            }
        }
        _ => {
            out.shift_remove("enum");
        }
    }
    for key in ["minimum", "minLength", "minItems"] {
        loosest(&mut out, a, b, key, f64::min);
    }
    for key in ["maximum", "maxLength", "maxItems"] {
        loosest(&mut out, a, b, key, f64::max);
    }
    if a.get("default") != b.get("default") {
        out.shift_remove("default");
    }
    if let (Some(x), Some(y)) = (a.get("items"), b.get("items")) {
        out.insert("items".to_owned(), merge(x, y, depth - 1));
    }
    if out.get("type").and_then(Json::as_str) == Some("object") {
        objects(&mut out, a, b, depth);
    }
    Json::Object(out)
}

fn objects(
    out: &mut Map<String, Json>,
    a: &Map<String, Json>,
    b: &Map<String, Json>,
    depth: usize,
) {
    let empty = Map::new();
    let fields = |s: &Map<String, Json>| s.get("properties").and_then(Json::as_object).cloned();
    let (x, y) = (fields(a).unwrap_or_default(), fields(b).unwrap_or_else(|| empty.clone()));
    // An object that is not written out takes anything.
    let open = |s: &Map<String, Json>, f: &Map<String, Json>| {
        f.is_empty() || s.get("additionalProperties") == Some(&Json::Bool(true))
    };
    let any = open(a, &x) || open(b, &y);
    let mut properties = x;
    for (key, schema) in y {
        let both = properties.get(&key).map(|own| merge(own, &schema, depth - 1));
        properties.insert(key, both.unwrap_or(schema));
    }
    let names = |s: &Map<String, Json>| {
        s.get("required").and_then(Json::as_array).cloned().unwrap_or_default()
    };
    let second = names(b);
    let required: Vec<Json> = names(a).into_iter().filter(|n| second.contains(n)).collect();
    out.insert("properties".to_owned(), Json::Object(properties));
    out.shift_remove("required");
    if !required.is_empty() {
        out.insert("required".to_owned(), Json::Array(required));
    }
    let closed = |s: &Map<String, Json>| s.get("additionalProperties") == Some(&Json::Bool(false));
    out.shift_remove("additionalProperties");
    if any {
        out.insert("additionalProperties".to_owned(), Json::Bool(true));
    } else if closed(a) && closed(b) {
        out.insert("additionalProperties".to_owned(), Json::Bool(false));
    }
}

fn loosest(
    out: &mut Map<String, Json>,
    a: &Map<String, Json>,
    b: &Map<String, Json>,
    key: &str,
    pick: fn(f64, f64) -> f64,
) {
    let (Some(own), Some(other)) = (a.get(key), b.get(key)) else {
        out.shift_remove(key);
        return;
    };
    let value = own.as_f64().unwrap_or_default();
    #[expect(clippy::float_cmp, reason = "one of the two is picked as it is")]
    let stays = pick(value, other.as_f64().unwrap_or_default()) == value;
    out.insert(key.to_owned(), if stays { own.clone() } else { other.clone() });
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(a: &Json, b: &Json, expected: &Json) {
        assert_eq!(merged(a, b, &mut Vec::new()), *expected);
        assert_eq!(class(a), class(b));
    }

    #[test]
    fn what_either_takes_is_taken() {
        check(
            &json!({"type": "integer", "minimum": 1, "maximum": 10, "default": 5}),
            &json!({"type": "number", "minimum": 0, "default": 5}),
            &json!({"type": "number", "minimum": 0, "default": 5}),
        );
        check(
            &json!({"type": "string", "enum": ["a"]}),
            &json!({"type": "string", "enum": ["b", "a"]}),
            &json!({"type": "string", "enum": ["a", "b"]}),
        );
        check(
            &json!({"type": "string", "enum": ["a"], "default": "a"}),
            &json!({"type": "string"}),
            &json!({"type": "string"}),
        );
    }

    #[test]
    fn identifiers_in_paths_are_text_where_one_action_has_text() {
        let mut text = json!({"type": "string"});
        let mut number = json!({"type": "integer", "minimum": 1, "description": "Which one."});
        alike_in_path(vec![&mut text, &mut number]);
        assert_eq!(text, json!({"type": "string"}));
        assert_eq!(number, json!({"type": "string", "description": "A whole number. Which one."}));
        let mut other = json!({"type": "integer"});
        alike_in_path(vec![&mut json!({"type": "number"}), &mut other]);
        assert_eq!(other, json!({"type": "integer"}));
    }

    #[test]
    fn objects_take_the_fields_of_both_and_need_what_both_need() {
        check(
            &json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["a", "b"]}),
            &json!({"type": "object", "properties": {"a": {"type": "string"}, "c": {"type": "boolean"}}, "required": ["a"]}),
            &json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "boolean"}}, "required": ["a"]}),
        );
    }
}
