use super::*;
use crate::ir::{Bound, Discriminator, Schema, Types};
use crate::source::{Node, Number, Value as Written};

fn types(names: &str) -> Types {
    Types {
        null: names.contains("null"),
        boolean: names.contains("boolean"),
        integer: names.contains("integer"),
        number: names.contains("number"),
        string: names.contains("string"),
        array: names.contains("array"),
        object: names.contains("object"),
    }
}

fn typed_as(names: &str) -> Schema {
    Schema { types: types(names), ..Schema::default() }
}

fn text(value: &str) -> Node {
    Node::made(Written::String(value.to_owned()))
}

fn number(value: &str) -> Node {
    Node::made(Written::Number(Number(value.to_owned())))
}

fn input_schema(api: &Api, id: SchemaId) -> Value {
    InputSchemas::new(api).of(&[id], Detail::Full).clone()
}

/// The last of `schemas` is asked for.
fn check(schemas: Vec<Schema>, expected: &Value) {
    let last = SchemaId(u32::try_from(schemas.len() - 1).unwrap());
    let api = Api { schemas, ..Api::default() };
    assert_eq!(input_schema(&api, last), *expected);
}

#[test]
fn what_must_not_be_there_is_not_offered_and_null_is_called_null() {
    let never = || Schema { never: true, ..Schema::default() };
    check(vec![never()], &json!({"type": "string", "description": "No value is allowed."}));
    let values = Some(vec![Node::made(Written::Null)]);
    check(
        vec![Schema { values, ..typed_as("null") }],
        &json!({"type": "string", "description": "Always null."}),
    );
    let properties = [("a".to_owned(), SchemaId(0)), ("b".to_owned(), SchemaId(1))];
    let object = Schema { properties: properties.into_iter().collect(), ..typed_as("object") };
    check(
        vec![never(), typed_as("integer"), object],
        &json!({"type": "object", "properties": {"b": {"type": "integer"}}}),
    );
}

#[test]
fn bounds_beyond_64_bits_are_said() {
    let bound = |text: &str| Some(Bound { value: Number(text.to_owned()), exclusive: false });
    check(
        vec![Schema {
            minimum: bound("-170141183460469231731687303715884105728"),
            maximum: bound("123456789012345678901234567890"),
            default: Some(number("99999999999999999999999")),
            ..typed_as("integer")
        }],
        &json!({
            "type": "string",
            "description": "At least -170141183460469231731687303715884105728. At most 123456789012345678901234567890. Integer as decimal string. Default: 99999999999999999999999.",
        }),
    );
}

#[test]
fn i7_values_other_than_strings_become_strings() {
    let values = Some(vec![number("1"), number("2"), Node::made(Written::Null)]);
    let schema = Schema { values, default: Some(number("2")), ..typed_as("integer null") };
    check(
        vec![schema],
        &json!({
            "type": "string", "enum": ["1", "2"], "default": "2", "description": "May be null.",
        }),
    );
    let values = Some(vec![text("a"), text("")]);
    check(
        vec![Schema { values, ..typed_as("string") }],
        &json!({
            "type": "string", "enum": ["a"], "description": "May also be an empty string.",
        }),
    );
    let values = Some((0..251).map(|n| text(&format!("v{n}"))).collect());
    let mut api = Api::default();
    api.schemas.push(Schema { values, ..typed_as("string") });
    let schema = input_schema(&api, SchemaId(0));
    assert!(schema.get("enum").is_none());
    assert!(schema["description"].as_str().unwrap().starts_with("One of: v0, v1, "));
}

#[test]
fn i8_rules_without_a_keyword_are_said_in_words() {
    let schema = Schema {
        minimum: Some(Bound { value: Number("0".to_owned()), exclusive: true }),
        maximum: Some(Bound { value: Number("1e400".to_owned()), exclusive: false }),
        multiple_of: Some(Number("0.5".to_owned())),
        ..typed_as("number")
    };
    check(
        vec![schema],
        &json!({"type": "number", "description": "Greater than 0. A multiple of 0.5."}),
    );
    let schema = Schema {
        format: Some("date".to_owned()),
        pattern: Some("^2".to_owned()),
        min_length: Some(5),
        max_length: Some(3),
        ..typed_as("string")
    };
    check(
        vec![schema],
        &json!({
            "type": "string",
            "description": "At least 5, at most 3 long. ISO 8601 date, such as 2026-01-31. Pattern: ^2",
        }),
    );
}

#[test]
fn i10_integers_that_clients_would_round_are_strings() {
    let format = Some("int64".to_owned());
    check(
        vec![Schema { format: format.clone(), ..typed_as("integer") }],
        &json!({
            "type": "integer", "description": "64-bit integer.",
        }),
    );
    let examples = vec![number("9007199254740993")];
    let schema = Schema { format, examples, ..typed_as("integer") };
    check(
        vec![schema],
        &json!({
            "type": "string",
            "description": "64-bit integer as decimal string. Example: 9007199254740993",
        }),
    );
}

#[test]
fn i12_defaults_that_are_not_valid_are_left_to_words() {
    let schema = Schema { default: Some(text("many")), ..typed_as("integer") };
    check(vec![schema], &json!({"type": "integer", "description": "Default: many."}));
    let schema = Schema { default: Some(number("5")), ..typed_as("integer") };
    check(vec![schema], &json!({"type": "integer", "default": 5}));
}

#[test]
fn i5_i6_anything_is_an_object_and_lists_have_items() {
    let any = json!({"type": "object", "properties": {}, "additionalProperties": true});
    check(vec![Schema::default()], &any);
    check(vec![typed_as("array")], &json!({"type": "array", "items": any}));
    let map = Schema { additional: Additional::Schema(SchemaId(0)), ..typed_as("object") };
    check(
        vec![typed_as("integer"), map],
        &json!({
            "type": "object", "properties": {}, "additionalProperties": true,
            "description": "Any keys; each value is an integer.",
        }),
    );
}

#[test]
fn i3_a_recursive_schema_is_cut_at_its_first_repetition() {
    let node = Schema {
        properties: [("next".to_owned(), SchemaId(0)), ("x-name".to_owned(), SchemaId(1))].into(),
        required: ["x-name".to_owned()].into(),
        ..typed_as("object")
    };
    let api = Api { schemas: vec![node, typed_as("string")], ..Api::default() };
    assert_eq!(
        input_schema(&api, SchemaId(0)),
        json!({
            "type": "object",
            "properties": {
                "next": {"type": "object", "properties": {}, "description": "Keys: x_name (required); next."},
                "x_name": {"type": "string"},
            },
            "required": ["x_name"],
        })
    );
}

#[test]
fn i9_unions_of_objects_are_one_object_with_the_variants_in_words() {
    let tagged = |tag: &str, field: &str, ids: (u32, u32)| Schema {
        title: Some(tag.to_owned()),
        properties: [("kind".to_owned(), SchemaId(ids.0)), (field.to_owned(), SchemaId(ids.1))]
            .into(),
        required: ["kind".to_owned(), field.to_owned()].into(),
        ..typed_as("object")
    };
    let tag = |value: &str| Schema { values: Some(vec![text(value)]), ..typed_as("string") };
    let union = Schema {
        variants: vec![SchemaId(3), SchemaId(4)],
        discriminator: Some(Discriminator {
            property: "kind".to_owned(),
            ..Discriminator::default()
        }),
        ..typed_as("object")
    };
    let schemas = vec![
        typed_as("string"),
        tag("cat"),
        tag("dog"),
        tagged("Cat", "claws", (1, 0)),
        tagged("Dog", "barks", (2, 0)),
        union,
    ];
    check(
        schemas,
        &json!({
            "type": "object",
            "properties": {
                "kind": {"type": "string", "enum": ["cat", "dog"]},
                "claws": {"type": "string"},
                "barks": {"type": "string"},
            },
            "required": ["kind"],
            "description": "One of: kind `cat` (claws); kind `dog` (barks).",
        }),
    );
}

#[test]
fn i5_unions_of_kinds_are_the_kind_that_reaches_all() {
    let closed = Schema { values: Some(vec![text("auto")]), ..typed_as("string") };
    let object =
        Schema { properties: [("name".to_owned(), SchemaId(0))].into(), ..typed_as("object") };
    let list = Schema { items: Some(SchemaId(0)), ..typed_as("array") };
    let union =
        |a: u32, b: u32| Schema { variants: vec![SchemaId(a), SchemaId(b)], ..Schema::default() };
    let base = [typed_as("string"), closed, object, list, typed_as("integer"), Schema::default()];
    let with = |last: Schema| base.iter().cloned().chain([last]).collect::<Vec<_>>();
    check(
        with(union(1, 2)),
        &json!({
            "type": "string",
            "description": "Takes auto or an object with name; objects and lists as JSON text.",
        }),
    );
    check(
        with(union(0, 3)),
        &json!({
            "type": "array", "items": {"type": "string"}, "description": "A single value goes as a list of one.",
        }),
    );
    check(
        with(union(0, 4)),
        &json!({"type": "string", "description": "Takes a string or an integer."}),
    );
    // `anyOf: [X, {nullable: true}]`
    check(with(union(4, 5)), &json!({"type": "integer", "description": "May be null."}));
}
