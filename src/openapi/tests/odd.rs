//! One odd value costs no more than itself.

use super::read_text;
use crate::source::{Node, Value};

const DOCUMENT: &str = include_str!("../../../tests/fixtures/reading/whole.yaml");

/// All texts that are `node` with one value replaced by `odd`, each with the place of that value.
fn replaced(node: &Node, odd: &Node, place: &str, out: &mut Vec<(String, Node)>) {
    out.push((place.to_owned(), odd.clone()));
    let mut inner = Vec::new();
    match &node.value {
        Value::Object(map) => {
            for (key, child) in map {
                inner.clear();
                replaced(child, odd, &format!("{place}/{key}"), &mut inner);
                for (place, child) in inner.drain(..) {
                    let mut map = map.clone();
                    map.insert(key.clone(), child);
                    out.push((place, Node { value: Value::Object(map), ..node.clone() }));
                }
            }
        }
        Value::Array(items) => {
            for (i, child) in items.iter().enumerate() {
                inner.clear();
                replaced(child, odd, &format!("{place}/{i}"), &mut inner);
                for (place, child) in inner.drain(..) {
                    let mut items = items.clone();
                    items[i] = child;
                    out.push((place, Node { value: Value::Array(items), ..node.clone() }));
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn any_value_may_be_replaced_by_anything() {
    let limits = crate::openapi::Limits::default();
    let parse = |text: &str| {
        crate::openapi::text::parse(
            &mut crate::diagnostic::Diagnostics::default(),
            0,
            text,
            &limits,
        )
        .expect("the test's own text")
    };
    let root = parse(DOCUMENT);
    let (whole, findings) = super::api_of(DOCUMENT);
    assert_eq!(findings, Vec::<String>::new());
    let count = whole.operations.len();
    assert_eq!(count, 4);
    for odd in ["null", "7", "[]", "[null, {a: [7]}]", "{$ref: '#/nowhere'}", "{a: {}}"] {
        let mut documents = Vec::new();
        replaced(&root, &parse(odd), "", &mut documents);
        for (place, document) in documents {
            let steps: Vec<&str> = place.split('/').skip(1).collect();
            // What the document is, its paths, a path, and an operation cannot be missed.
            let expected = match steps.as_slice() {
                [] | ["openapi"] => continue,
                ["paths"] => 0,
                ["paths", "", "pets"] | ["paths", "", "pets", "{id}"] => count - 2,
                ["paths", "", "pets", "get" | "post"]
                | ["paths", "", "pets", "{id}", "get" | "delete"] => count - 1,
                _ => count,
            };
            let text = document.to_json_text();
            let (api, _) = read_text(&text);
            let api = api.unwrap_or_else(|error| panic!("{place} = {odd}: {error}"));
            // An empty object is an operation; anything in its place may be one.
            let found = api.operations.len();
            assert!(
                found == expected || (found == count && expected != 0),
                "{place} = {odd}: {found}"
            );
        }
    }
}
