//! What can be referred to by name: `$id`, `$anchor`, `$self` and their kin.

use super::references::{check, document, read, read_as};
use crate::openapi::Beside;

#[test]
fn references_start_from_the_nearest_id() {
    check(
        &[
            ("a", "{$ref: 'https://example.com/s/pet'}"),
            ("b", "{$ref: 'https://example.com/s/dog'}"),
            ("c", "{$ref: 'https://example.com/s/pet#/$defs/Local'}"),
            ("d", "{$ref: '#/components/schemas/Pet/properties/dog'}"),
            ("e", "{$ref: '#/components/schemas/Pet/properties/local'}"),
            ("f", "{$ref: 'urn:example:cat'}"),
            ("g", "{$ref: named}"),
        ],
        "components:
  schemas:
    Pet:
      $id: https://example.com/s/pet
      type: object
      properties: {dog: {$ref: dog}, local: {$ref: '#/$defs/Local'}}
      $defs: {Local: {type: boolean}}
    Dog: {$id: 'https://example.com/s/x/../dog#', type: integer}
    Cat: {$id: 'urn:example:cat', type: array}
    Named: {$id: named, type: number}
",
        &[],
        "a=object b=integer c=boolean d=integer e=boolean f=array g=number",
    );
}

#[test]
fn a_pointer_from_the_top_of_the_document_is_found_below_an_id_too() {
    check(
        &[("a", "{$ref: '#/components/schemas/Pet/properties/b'}")],
        "components:\n  schemas:\n    Pet: {$id: Pet, properties: {b: {$ref: '#/components/schemas/B'}}}\n    B: {$id: B, type: boolean}\n",
        &[],
        "a=boolean",
    );
}

#[test]
fn anchors_belong_to_their_resource() {
    let found = read(
        &[
            ("a", "{$ref: '#x'}"),
            ("b", "{$ref: '#/components/schemas/In/properties/p'}"),
            ("c", "{$ref: 'https://example.com/in#x'}"),
            ("d", "{$ref: '#only'}"),
            ("e", "{$ref: 'part.yaml#x'}"),
            ("f", "{$ref: 'https://example.com/in#%78'}"),
            ("g", "{$ref: '#dyn'}"),
        ],
        "components:
  schemas:
    In:
      $id: https://example.com/in
      properties: {p: {$ref: '#x'}}
      $defs: {X: {$anchor: x, type: integer}, O: {$anchor: only}}
    Out: {$anchor: x, type: string}
    Dyn: {$dynamicAnchor: dyn, type: number}
",
        &[("api/part.yaml", "A: {$anchor: x, type: boolean}")],
    );
    assert_eq!(found.types(), "a=string b=integer c=integer d=any e=boolean f=integer g=number");
    assert_eq!(
        found.said,
        ["dangling-reference: `$ref` `#only` leads nowhere: there is no `$anchor` named `only`"]
    );
}

#[test]
fn ids_in_values_are_not_identifiers() {
    let data = "{$id: 'https://example.com/a', $anchor: x, type: string, $ref: 'gone.yaml'}";
    for place in [
        format!("example: {data}"),
        format!("examples: [{data}]"),
        format!("default: {data}"),
        format!("enum: [{data}]"),
        format!("const: {data}"),
    ] {
        // The file under `default` is asked for, and nobody misses it.
        check(
            &[("a", "{$ref: 'https://example.com/a'}"), ("b", "{$ref: '#x'}")],
            &format!(
                "components:\n  schemas:\n    V: {{{place}}}\n    A: {{$id: 'https://example.com/a', type: integer}}\n    X: {{$anchor: x, type: boolean}}\n"
            ),
            &[],
            "a=integer b=boolean",
        );
    }
    // Things may be called so.
    check(
        &[("a", "{$ref: 'https://example.com/a'}"), ("b", "{$ref: 'https://example.com/b'}")],
        "components:\n  schemas:\n    O: {properties: {example: {$id: 'https://example.com/a', type: integer}}}\n    default: {$id: 'https://example.com/b', type: boolean}\n",
        &[],
        "a=integer b=boolean",
    );
}

#[test]
fn a_document_is_called_what_self_says() {
    let text = document(
        &[
            ("a", "{$ref: 'https://example.com/api/openapi.yaml#/components/schemas/A'}"),
            ("b", "{$ref: 'part.yaml#/B'}"),
            ("c", "{$ref: 'schemas/c'}"),
        ],
        "components:\n  schemas:\n    A: {type: integer}\n    C: {$id: 'https://example.com/api/schemas/c', type: number}\n",
    );
    let text = text.replace("3.1.0\n", "3.2.0\n$self: https://example.com/api/openapi.yaml\n");
    let part = "B: {allOf: [{$ref: 'openapi.yaml#/components/schemas/A'}]}\n";
    let part = format!("$self: https://example.com/api/part.yaml\n{part}");
    let files = [("api/part.yaml", part.as_str())];
    let found = read_as("api/root.yaml", &text, &files, Beside::default());
    assert!(found.said.is_empty(), "{:?}", found.said);
    assert_eq!(found.types(), "a=integer b=integer c=number");
}

#[test]
fn before_3_1_an_id_does_not_change_where_references_start() {
    let text = document(
        &[("a", "{$ref: '#/components/schemas/Pet/properties/b'}")],
        "components:\n  schemas:\n    Pet: {$id: 'https://example.com/pet', properties: {b: {$ref: 'b.yaml'}}}\n",
    );
    let text = text.replace("3.1.0", "3.0.3");
    let files = [("api/b.yaml", "type: boolean")];
    let found = read_as("api/root.yaml", &text, &files, Beside::default());
    assert_eq!(found.types(), "a=boolean");
}

#[test]
fn a_file_with_an_id_elsewhere_still_finds_the_files_beside_it() {
    check(
        &[("a", "{$ref: 'schemas/pet.json'}")],
        "",
        &[
            (
                "api/schemas/pet.json",
                r#"{"$id": "https://example.com/schemas/pet.json", "allOf": [{"$ref": "dog.json"}]}"#,
            ),
            (
                "api/schemas/dog.json",
                r#"{"$id": "https://example.com/schemas/dog.json", "type": "integer"}"#,
            ),
        ],
        "a=integer",
    );
}

#[test]
fn a_dynamic_reference_is_read_as_its_nearest_anchor() {
    let tree = "components:
  schemas:
    Tree:
      $id: https://example.com/tree
      $dynamicAnchor: node
      type: object
      properties: {children: {type: array, items: {$dynamicRef: '#node'}}}
    Alone: {$dynamicRef: 'https://example.com/tree#node', description: mine}
";
    let found = read(
        &[
            ("a", "{$ref: '#/components/schemas/Tree'}"),
            ("b", "{$ref: '#/components/schemas/Alone'}"),
        ],
        tree,
        &[],
    );
    assert!(found.said.is_empty(), "{:?}", found.said);
    assert_eq!(found.types(), "a=object b=object");
    let children = found.api.schema(found.parameter("a").properties["children"]);
    let root = found.api.operations[0].parameters[0].schema;
    assert_eq!(children.items, Some(root));
    let alone = found.parameter("b");
    assert_eq!(alone.description.as_deref(), Some("mine"));
    assert_eq!(alone.properties.len(), 1);

    let strict = "    Strict: {$id: 'https://example.com/strict', $dynamicAnchor: node, $ref: tree, unevaluatedProperties: false}\n";
    let found = read(
        &[("a", "{$ref: '#/components/schemas/Strict'}"), ("b", "{$dynamicRef: '#gone'}")],
        &format!("{tree}{strict}"),
        &[],
    );
    assert_eq!(found.types(), "a=object b=any");
    let said: Vec<_> = found.said.iter().map(String::as_str).collect();
    assert_eq!(
        said,
        [
            "dangling-reference: `$dynamicRef` `#gone` leads nowhere: there is no `$anchor` named `gone`",
            "dynamic-reference: `$dynamicRef` `#node` may mean several places; the nearest `$dynamicAnchor` is taken",
            "dynamic-reference: `$dynamicRef` `https://example.com/tree#node` may mean several places; the nearest `$dynamicAnchor` is taken",
        ]
    );
}

#[test]
fn references_in_a_circle_come_to_an_end_across_files_and_names() {
    let found = read(
        &[
            ("a", "{$ref: 'a.yaml'}"),
            ("b", "{$dynamicAnchor: self, $dynamicRef: '#self'}"),
            ("c", "{$id: 'https://example.com/c', $ref: 'https://example.com/c'}"),
            ("d", "{$dynamicAnchor: both, $dynamicRef: '#both', $ref: '#both', type: string}"),
            ("e", "{$ref: 'e.yaml#/x/y/z'}"),
        ],
        "",
        &[
            ("api/a.yaml", "$ref: b.json"),
            ("api/b.json", r#"{"$ref": "a.yaml#"}"#),
            ("api/e.yaml", "x: {$ref: 'e.yaml#/x/y'}"),
        ],
    );
    assert_eq!(found.types(), "a=any b=any c=any d=string e=any");
    let codes: std::collections::BTreeSet<_> =
        found.said.iter().filter_map(|s| s.split(':').next()).collect();
    assert_eq!(
        codes.into_iter().collect::<Vec<_>>(),
        ["cyclic-all-of", "dangling-reference"],
        "{:?}",
        found.said
    );
}

#[test]
fn many_names_are_found_in_little_time() {
    use std::fmt::Write as _;
    let mut schemas = "components:\n  schemas:\n".to_owned();
    for i in 0..5_000 {
        let _ = writeln!(
            schemas,
            "    S{i}: {{$id: 's{i}', $anchor: a, type: object, properties: {{n: {{$ref: 's{}'}}, a: {{$ref: '#a'}}}}}}",
            (i + 1) % 5_000
        );
    }
    let start = std::time::Instant::now();
    let found = read(&[("a", "{$ref: s0}")], &schemas, &[]);
    assert!(found.said.is_empty(), "{:?}", found.said);
    assert_eq!(found.types(), "a=object");
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
