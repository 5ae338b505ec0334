//! Documents at URLs, with a network that is a map.

use super::references::{Network, Read, document, read_as};
use crate::openapi::Beside;

fn network(documents: &[(&str, &str)]) -> Network {
    let documents = documents.iter().map(|(url, text)| ((*url).to_owned(), (*text).to_owned()));
    Network { documents: documents.collect(), ..Network::default() }
}

fn read(parameters: &[(&str, &str)], more: &str, files: &[(&str, &str)], net: &Network) -> Read {
    let beside = Beside { remote: Some(net), ..Beside::default() };
    read_as("api/root.yaml", &document(parameters, more), files, beside)
}

#[test]
fn a_document_at_a_url_is_read_with_those_that_it_refers_to() {
    let net = network(&[
        (
            "https://example.com/v1/pet.yaml",
            "Pet: {type: object, properties: {a: {$ref: 'sub/a.json#/A'}, b: {$ref: '../b.yaml'}, c: {$ref: '#/C'}}}\nC: {type: boolean}\n",
        ),
        ("https://example.com/v1/sub/a.json", r#"{"A": {"$ref": "/root.yaml"}}"#),
        ("https://example.com/root.yaml", "type: integer"),
        ("https://example.com/b.yaml", "$ref: v1/pet.yaml#/C"),
    ]);
    let found = read(&[("a", "{$ref: 'https://example.com/v1/pet.yaml#/Pet'}")], "", &[], &net);
    assert!(found.said.is_empty(), "{:?}", found.said);
    let pet = found.parameter("a");
    let types = |name: &str| found.api.schema(pet.properties[name]).types;
    assert!(types("a").integer && types("b").boolean && types("c").boolean);
    assert_eq!(
        *net.asked.borrow(),
        [
            "https://example.com/v1/pet.yaml",
            "https://example.com/b.yaml",
            "https://example.com/v1/sub/a.json",
            "https://example.com/root.yaml",
        ],
        "each is asked for once, in an order that the documents give"
    );
    assert_eq!(found.names[0], "api/root.yaml");
    assert_eq!(found.names[1..], *net.asked.borrow());
}

#[test]
fn a_document_at_a_url_reaches_no_file_and_nothing_of_the_root() {
    let net = network(&[(
        "https://example.com/x.yaml",
        "A: {$ref: '/etc/passwd'}\nB: {$ref: 'file:///etc/passwd'}\nC: {$ref: 'near.yaml'}\nD: {$ref: '#/components/schemas/Secret'}\nE: {$ref: '../../../../api/near.yaml'}\nF: {$id: '/etc/', $ref: passwd}\nG: {$id: 'file:///etc/', $ref: passwd}\n",
    )]);
    let names = ["A", "B", "C", "D", "E", "F", "G"];
    let schemas = names.map(|n| format!("{{$ref: 'https://example.com/x.yaml#/{n}'}}"));
    let parameters: Vec<_> =
        names.iter().copied().zip(schemas.iter().map(String::as_str)).collect();
    let secrets = [
        ("/etc/passwd", "type: string"),
        ("api/near.yaml", "type: string"),
        ("api/passwd", "type: string"),
    ];
    let more = "components: {schemas: {Secret: {type: string}, Near: {$ref: near.yaml}}}\n";
    let found = read(&parameters, more, &secrets, &net);
    assert_eq!(found.types(), "A=any B=any C=any D=any E=any F=any G=any");
    assert_eq!(found.said.len(), 7, "{:?}", found.said);
    let asked: std::collections::BTreeSet<_> = net.asked.borrow().iter().cloned().collect();
    assert_eq!(
        asked.into_iter().collect::<Vec<_>>(),
        [
            "file:///etc/passwd",
            "https://example.com/api/near.yaml",
            "https://example.com/etc/passwd",
            "https://example.com/near.yaml",
            "https://example.com/passwd",
            "https://example.com/x.yaml",
        ]
    );
}

#[test]
fn references_in_a_document_start_from_where_it_was_found() {
    let net = network(&[
        ("https://example.com/latest", "-> https://cdn.example.com/v2/pet.yaml"),
        ("https://cdn.example.com/v2/pet.yaml", "$ref: name.yaml"),
        ("https://cdn.example.com/v2/name.yaml", "type: boolean"),
    ]);
    let found = read(
        &[
            ("a", "{$ref: 'https://example.com/latest'}"),
            ("b", "{$ref: 'https://cdn.example.com/v2/pet.yaml'}"),
        ],
        "",
        &[],
        &net,
    );
    assert!(found.said.is_empty(), "{:?}", found.said);
    assert_eq!(found.types(), "a=boolean b=boolean");
    assert_eq!(found.names.len(), 3);
}

#[test]
fn what_has_the_name_of_a_url_is_not_fetched() {
    let net = network(&[]);
    let found = read(
        &[("a", "{$ref: 'https://example.com/pet'}"), ("b", "{$ref: 'schemas/dog.json'}")],
        "components: {schemas: {Pet: {$id: 'https://example.com/pet', type: integer}, E: {example: {$ref: 'https://example.com/e'}, enum: [{$ref: 'https://example.com/f'}]}}}\n",
        &[
            (
                "api/schemas/dog.json",
                r#"{"$id": "https://example.com/dog.json", "allOf": [{"$ref": "cat.json"}]}"#,
            ),
            ("api/schemas/cat.json", r#"{"type": "boolean"}"#),
        ],
        &net,
    );
    assert!(found.said.is_empty(), "{:?}", found.said);
    assert_eq!((found.types().as_str(), net.asked.borrow().len()), ("a=integer b=boolean", 0));
}

#[test]
fn a_refusal_costs_only_what_uses_it() {
    let net = network(&[("https://example.com/page", "<!doctype html>")]);
    let found = read(
        &[
            ("a", "{$ref: 'https://example.com/gone'}"),
            ("b", "{$ref: 'https://example.com/page'}"),
            ("c", "{type: string}"),
        ],
        "",
        &[],
        &net,
    );
    assert_eq!(found.types(), "a=any b=any c=string");
    assert_eq!(
        found.said,
        [
            "remote-reference: `$ref` `https://example.com/gone` leads nowhere: nobody answers there",
            "dangling-reference: `$ref` `https://example.com/page` leads nowhere: this is HTML or XML, no OpenAPI document",
        ]
    );
}
