//! Schemas: what the IR holds for what is written.

use std::fmt::Write as _;

use super::api_of;
use crate::ir::{Additional, Api, Schema, SchemaId, Types};
use crate::source::Node;

fn document(version: &str, schemas: &str) -> String {
    let indented = schemas.replace('\n', "\n    ");
    format!(
        "openapi: {version}\ninfo: {{title: A, version: '1'}}\npaths: {{}}\ncomponents:\n  schemas:\n    {indented}\n"
    )
}

fn types(types: Types) -> String {
    let all = [
        (types.null, "null"),
        (types.boolean, "boolean"),
        (types.integer, "integer"),
        (types.number, "number"),
        (types.string, "string"),
        (types.array, "array"),
        (types.object, "object"),
    ];
    let names: Vec<_> = all.iter().filter(|(on, _)| *on).map(|(_, n)| *n).collect();
    if names.is_empty() { "any".to_owned() } else { names.join("|") }
}

/// A schema in one line. Schemas inside are shown down to `depth`.
fn show(api: &Api, id: SchemaId, depth: usize) -> String {
    let s: &Schema = api.schema(id);
    if s.never {
        return "never".to_owned();
    }
    let mut out = types(s.types);
    let mut add = |key: &str, value: String| {
        let _ = write!(out, " {key}={value}");
    };
    let nodes = |list: &[Node]| list.iter().map(Node::to_json_text).collect::<Vec<_>>().join(",");
    if let Some(v) = &s.format {
        add("format", v.clone());
    }
    if let Some(v) = &s.description {
        add("description", v.clone());
    }
    if let Some(v) = &s.values {
        add("values", format!("[{}]", nodes(v)));
    }
    if let Some(v) = &s.default {
        add("default", v.to_json_text());
    }
    if !s.examples.is_empty() {
        add("examples", format!("[{}]", nodes(&s.examples)));
    }
    if let Some(b) = &s.minimum {
        add("min", format!("{}{}", if b.exclusive { ">" } else { "" }, b.value));
    }
    if let Some(b) = &s.maximum {
        add("max", format!("{}{}", if b.exclusive { "<" } else { "" }, b.value));
    }
    if let Some(v) = s.max_length {
        add("maxLength", v.to_string());
    }
    if s.read_only {
        add("readOnly", "true".to_owned());
    }
    if !s.required.is_empty() {
        add("required", s.required.iter().cloned().collect::<Vec<_>>().join(","));
    }
    let inner = |id: SchemaId| if depth == 0 { "…".to_owned() } else { show(api, id, depth - 1) };
    if !s.properties.is_empty() {
        let list: Vec<_> =
            s.properties.iter().map(|(k, v)| format!("{k}: {}", inner(*v))).collect();
        add("properties", format!("{{{}}}", list.join("; ")));
    }
    match s.additional {
        Additional::Unsaid => {}
        Additional::Any => add("additional", "any".to_owned()),
        Additional::Forbidden => add("additional", "no".to_owned()),
        Additional::Schema(id) => add("additional", inner(id)),
    }
    if let Some(id) = s.items {
        add("items", format!("({})", inner(id)));
    }
    if !s.prefix_items.is_empty() {
        add("prefix", s.prefix_items.iter().map(|i| inner(*i)).collect::<Vec<_>>().join(","));
    }
    if !s.variants.is_empty() {
        let list: Vec<_> = s.variants.iter().map(|i| format!("({})", inner(*i))).collect();
        add(&format!("{:?}", s.variant_kind), list.join("|"));
    }
    if let Some(d) = &s.discriminator {
        let list: Vec<_> = d
            .mapping
            .iter()
            .map(|(k, v)| format!("{k}→{}", api.schema(*v).name.clone().unwrap_or_default()))
            .collect();
        add("discriminator", format!("{}[{}]", d.property, list.join(",")));
    }
    if !s.other.is_empty() {
        add("other", s.other.keys().cloned().collect::<Vec<_>>().join(","));
    }
    out
}

/// The schema named `A` in a document of `version`.
fn check_in(version: &str, schemas: &str, expected: &str) {
    let (api, findings) = api_of(&document(version, schemas));
    let id = api.schemas.iter().position(|s| s.name.as_deref() == Some("A")).expect("`A` is there");
    let id = SchemaId(u32::try_from(id).expect("few schemas"));
    let mut found = show(&api, id, 2);
    for finding in findings.iter().filter(|f| !f.starts_with("document-without-operations")) {
        let (code, _) = finding.split_once(' ').expect("the form of `read_text`");
        let _ = write!(found, " !{code}");
    }
    assert_eq!(found, expected, "{schemas}");
}

fn check(schemas: &str, expected: &str) {
    check_in("3.1.0", schemas, expected);
}

#[test]
fn version_3_0_is_normalised_up() {
    check_in(
        "3.0.3",
        "A: {type: integer, nullable: true, minimum: 1, exclusiveMinimum: true, example: 5}",
        "null|integer examples=[5] min=>1",
    );
    check_in(
        "3.0.3",
        "A: {nullable: true, allOf: [{$ref: '#/components/schemas/B'}]}\nB: {type: string, enum: [x]}",
        "null|string values=[\"x\",null]",
    );
    check_in(
        "3.0.3",
        "A: {$ref: '#/components/schemas/B', description: mine, maxLength: 2}\nB: {type: string, description: theirs}",
        "string description=mine !ignored-ref-sibling",
    );
}

#[test]
fn version_3_1_keywords_are_read() {
    check("A: {type: [string, 'null'], const: x}", "null|string values=[\"x\"]");
    check(
        "A: {exclusiveMinimum: 0, minimum: 0, maximum: 18000000000000000000000}",
        "number min=>0 max=18000000000000000000000",
    );
    check(
        "A: {prefixItems: [{type: string}, true, false], items: false}",
        "array items=(never) prefix=string,any,never",
    );
    check(
        "A: {unevaluatedProperties: false, properties: {a: true}}",
        "object properties={a: any} additional=no",
    );
    check(
        "A: {$ref: '#/components/schemas/B', maxLength: 2}\nB: {type: string, maxLength: 5}",
        "string maxLength=2",
    );
    check(
        "A: {not: {type: string}, if: {}, contains: {}}",
        "any other=not,if,contains !unchecked-keyword !unchecked-keyword !unchecked-keyword",
    );
}

#[test]
fn types_are_inferred_where_none_are_written() {
    check("A: {properties: {a: {type: string}}}", "object properties={a: string}");
    check("A: {required: [b]}", "object required=b");
    check("A: {items: {minLength: 1}}", "array items=(string)");
    check("A: {enum: [a, 1, null]}", "null|integer|string values=[\"a\",1,null]");
    check("A: {description: free}", "any description=free");
}

#[test]
fn all_of_is_merged_and_the_outer_words_win() {
    check(
        "A:\n  description: outer\n  allOf:\n    - {$ref: '#/components/schemas/B'}\n    - {type: object, required: [c], properties: {c: {type: integer, minimum: 2}}}\n  properties: {c: {maximum: 5}}\nB: {type: object, description: inner, required: [b], properties: {b: {type: string}, c: {type: number}}}",
        "object description=outer required=b,c properties={b: string; c: integer min=2 max=5}",
    );
    check("A: {allOf: [{enum: [a, b]}, {enum: [b, c]}]}", "string values=[\"b\"]");
    check("A: {allOf: [{type: string}, {type: integer}]}", "integer !all-of-conflict");
    check("A: {allOf: [{type: [string, 'null']}, {maxLength: 3}]}", "null|string maxLength=3");
}

#[test]
fn all_of_in_circles_ends_with_a_finding() {
    check(
        "A: {allOf: [{$ref: '#/components/schemas/A'}, {type: string}]}",
        "string !cyclic-all-of",
    );
    check(
        "A: {allOf: [{$ref: '#/components/schemas/B'}]}\nB: {type: object, properties: {a: {allOf: [{$ref: '#/components/schemas/A'}], description: again}}}",
        "object properties={a: object description=again properties={a: object description=again properties={a: …}}}",
    );
}

#[test]
fn variants_fold_null_and_singles() {
    check("A: {anyOf: [{type: string}, {type: 'null'}]}", "null|string");
    check(
        "A: {oneOf: [{type: string}, {type: integer}, {type: 'null'}]}",
        "null|integer|string OneOf=(string)|(integer)",
    );
    check(
        "A: {anyOf: [{$ref: '#/components/schemas/B'}, {type: 'null'}], description: mine}\nB: {type: string, enum: [x, y]}",
        "null|string description=mine values=[\"x\",\"y\",null]",
    );
    check_in(
        "3.0.0",
        "A: {anyOf: [{type: string, minLength: 1}, {nullable: true}]}",
        "null|string",
    );
    check("A: {anyOf: [{type: 'null'}]}", "null");
    check(
        "A: {anyOf: [{const: a}, {const: b}]}",
        "string AnyOf=(string values=[\"a\"])|(string values=[\"b\"])",
    );
}

#[test]
fn a_discriminator_knows_written_and_implied_values() {
    check(
        "A:\n  oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]\n  discriminator: {propertyName: kind, mapping: {wuff: Dog}}\nCat: {type: object}\nDog: {type: object, title: d}",
        "object OneOf=(object)|(object) discriminator=kind[Cat→Cat,wuff→Dog]",
    );
    check(
        "A: {oneOf: [{type: string}, {type: object}], discriminator: {propertyName: k, mapping: {x: '#/nowhere'}}}",
        "string|object OneOf=(string)|(object) discriminator=k[] !dangling-reference",
    );
}

#[test]
fn the_discriminator_of_a_base_knows_the_heirs() {
    check(
        "A: {type: object, discriminator: {propertyName: k, mapping: {d: Dog}}}\nCat: {allOf: [{$ref: '#/components/schemas/A'}]}\nDog: {allOf: [{$ref: '#/components/schemas/A'}, {required: [k]}]}",
        "object discriminator=k[Cat→Cat,d→Dog]",
    );
}

#[test]
fn a_property_may_be_called_ref() {
    check(
        "A: {type: object, properties: {$ref: {type: string}, other: {$ref: '#/components/schemas/B'}}}\nB: {type: integer}",
        "object properties={$ref: string; other: integer}",
    );
}

#[test]
fn recursive_schemas_hold_themselves() {
    let (api, findings) = api_of(&document(
        "3.1.0",
        "A: {type: object, properties: {next: {$ref: '#/components/schemas/A'}}}",
    ));
    assert_eq!(api.schemas.len(), 1);
    assert_eq!(api.schemas[0].properties["next"], SchemaId(0));
    assert_eq!(findings.len(), 1, "{findings:?}");
}

#[test]
fn one_odd_value_costs_only_itself() {
    check(
        "A: {type: date, format: 5, minLength: -1, properties: [], required: true, uniqueItems: 'yes', description: ok}",
        "any format=5 description=ok !unknown-type !unexpected-value !unexpected-value !unexpected-value !unexpected-value",
    );
    check(
        "A: {type: object, properties: {a: {$ref: '#/nope'}, b: {type: string}, c: 7}}",
        "object properties={a: any; b: string; c: any} !dangling-reference !unexpected-value",
    );
}

#[test]
fn values_are_converted_to_the_type_that_is_written() {
    check(
        "A: {type: string, enum: [1.0, yes, true, null]}",
        "string values=[\"1.0\",\"yes\",\"true\",null] !value-of-other-type",
    );
    check(
        "A: {type: integer, enum: ['1', '-1'], default: '1'}",
        "integer values=[1,-1] default=1 !value-of-other-type",
    );
    check("A: {enum: ['1', 1]}", "integer|string values=[\"1\",1]");
}

#[test]
fn values_beside_the_items_of_a_list_are_those_of_its_entries() {
    check(
        "A: {type: array, items: {type: string}, enum: [on, off]}",
        "array items=(string values=[\"on\",\"off\"]) !value-of-other-type",
    );
    check(
        "A: {type: array, items: {type: string}, enum: [[a], [b]]}",
        "array items=(string) values=[[\"a\"],[\"b\"]]",
    );
    check(
        "A: {type: array, enum: [a]}",
        "array items=(string values=[\"a\"]) !value-of-other-type",
    );
}

#[test]
fn an_heir_is_not_a_variant_of_itself() {
    check(
        "Base: {type: object, properties: {k: {type: string}}, oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}]}\nA: {allOf: [{$ref: '#/components/schemas/Base'}, {properties: {a: {type: integer}}}]}\nB: {allOf: [{$ref: '#/components/schemas/Base'}]}",
        "object properties={k: string; a: integer}",
    );
}

#[test]
fn an_empty_list_of_values_allows_any() {
    check("A: {type: string, enum: []}", "string !unexpected-value");
}

#[test]
fn unions_that_a_schema_cannot_hold_are_kept_as_written() {
    check(
        "A: {oneOf: [{type: string}, {type: integer}], anyOf: [{minLength: 1}, {minimum: 1}]}",
        "integer|string OneOf=(string)|(integer) other=anyOf !unchecked-keyword",
    );
    check(
        "A: {allOf: [{oneOf: [{type: string}, {type: integer}]}, {oneOf: [{minLength: 1}, {minimum: 1}]}]}",
        "integer|string OneOf=(string)|(integer) other=oneOf !unchecked-keyword",
    );
    check(
        "A: {oneOf: [{type: string}], anyOf: [{minLength: 1}, {pattern: a}]}",
        "string AnyOf=(string)|(string)",
    );
}

#[test]
fn fields_that_only_a_condition_or_a_second_union_declares_are_offered() {
    check(
        "A: {properties: {a: {type: string}}, if: {}, then: {properties: {a: {enum: [x]}, b: {type: integer}}}, else: {properties: {c: {}}}}",
        "object properties={a: string; b: integer; c: any} other=if,then,else !unchecked-keyword",
    );
    check(
        "A: {dependentSchemas: {a: {properties: {b: {type: integer}}}}, properties: {a: {}}}",
        "object properties={a: any; b: integer} other=dependentSchemas !unchecked-keyword",
    );
    check(
        "A: {allOf: [{properties: {b: {type: string}}}, {if: {}, then: {properties: {b: {enum: [x]}, c: {type: boolean}}}}]}",
        "object properties={b: string; c: boolean} other=if,then !unchecked-keyword",
    );
    check(
        "A: {oneOf: [{properties: {a: {}}}, {type: string}], anyOf: [{properties: {a: {}, b: {type: integer}}}, {properties: {b: {type: string}}}]}",
        "string|object properties={b: integer|string AnyOf=(integer)|(string)} OneOf=(object properties={a: any})|(string) other=anyOf !unchecked-keyword",
    );
    check(
        "A: {if: {}, then: {properties: {a: {}}}}",
        "object properties={a: any} other=if,then !unchecked-keyword",
    );
    check(
        "A: {if: {}, then: {$ref: '#/components/schemas/A'}}",
        "any other=if,then !unchecked-keyword",
    );
}

#[test]
fn anchors_and_ids_are_places() {
    check("A: {items: {$ref: '#here'}}\nB: {$anchor: here, type: string}", "array items=(string)");
    check(
        "A: {items: {$ref: 'https://example.com/b'}}\nB: {$id: 'https://example.com/b', type: string}",
        "array items=(string)",
    );
}
