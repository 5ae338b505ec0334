//! The rules of the safe subset, that is, what every client takes, each with the tests that hold it.
//! A rule that has no test of its own elsewhere has one here.

use std::collections::BTreeSet;

use mcp_gen::planner::safe_subset::safe_subset_errors;
use serde_json::{Value, json};

use super::support::{root, run_in};

const SUBSET: &str = "src/planner/safe_subset.rs";
const TOOLS: &str = "each_rule_of_tools_is_held";
const SCHEMAS: &str = "each_rule_of_schemas_is_held";
const OUTPUT: &str = "src/planner/safe_output.rs";
const OUTPUTS: &str = "o1_to_o6_each_rule_is_held_on_a_schema_that_was_edited";
const SURFACE: &str = "tests/it/surface.rs";
const ROWS: &str = "every_row_has_a_plan_that_shows_it_and_says_only_what_it_should";
const HERE: &str = "tests/it/rules.rs";
const PROTOCOL: &str = "tests/runtime/tests/it/protocol.rs";
const REPLIES: &str = "tests/runtime/tests/it/replies.rs";
const ARGUMENTS: &str = "tests/runtime/tests/it/arguments.rs";

/// Rule, what it asks, and where a test holds it. Numbers in names of the runtime's tests are those of
/// other lists.
const RULES: &[(&str, &str, &str, &str)] = &[
    ("N1", "form of tool names", SUBSET, TOOLS),
    ("N2", "length of tool names", SUBSET, TOOLS),
    ("N3", "names differ after folding and cutting", SUBSET, TOOLS),
    ("N4", "name of the server", SURFACE, ROWS),
    ("N5", "names do not depend on order", HERE, "n5_the_order_of_a_document_names_no_tool"),
    (
        "N5",
        "growth",
        "tests/it/sticky.rs",
        "one_more_operation_and_another_order_move_nothing_at_all",
    ),
    ("N6", "number of tools", SURFACE, ROWS),
    ("T1", "length of descriptions", SUBSET, TOOLS),
    ("T2", "characters that hide text", SUBSET, SCHEMAS),
    ("T3", "descriptions differ", SURFACE, ROWS),
    ("T4", "title", SUBSET, TOOLS),
    ("T5", "instructions", SURFACE, ROWS),
    ("I1", "the root is an object", SUBSET, SCHEMAS),
    ("I2", "keywords of the root", SUBSET, TOOLS),
    ("I3", "no references", HERE, "i3_i9_i10_references_alternatives_and_formats_are_refused"),
    ("I4", "names of properties", SUBSET, SCHEMAS),
    ("I5", "one type", SUBSET, SCHEMAS),
    ("I6", "items and properties", SUBSET, SCHEMAS),
    ("I7", "enumerations", SUBSET, SCHEMAS),
    ("I8", "keywords", SUBSET, SCHEMAS),
    ("I9", "no alternatives", HERE, "i3_i9_i10_references_alternatives_and_formats_are_refused"),
    ("I9", "they are merged", HERE, "i3_i9_i10_i14_of_a_document_stay_out_of_its_tools"),
    ("I10", "no `format`", HERE, "i3_i9_i10_references_alternatives_and_formats_are_refused"),
    ("I10", "it is said in words", HERE, "i3_i9_i10_i14_of_a_document_stay_out_of_its_tools"),
    ("I11", "depth and number", SURFACE, ROWS),
    ("I12", "defaults and bounds", SUBSET, SCHEMAS),
    ("I13", "no null", SUBSET, SCHEMAS),
    ("I14", "`readOnly` and path", HERE, "i3_i9_i10_i14_of_a_document_stay_out_of_its_tools"),
    ("I15", "size", SURFACE, ROWS),
    ("O1", "an object", OUTPUT, OUTPUTS),
    ("O2", "no promises", OUTPUT, OUTPUTS),
    ("O3", "null", OUTPUT, OUTPUTS),
    ("O4", "no references", OUTPUT, OUTPUTS),
    ("O5", "a schema", OUTPUT, OUTPUTS),
    (
        "O6",
        "answers fit",
        "tests/runtime/tests/it/outputs.rs",
        "o6_random_answers_never_break_the_schema_and_lose_nothing",
    ),
    ("A1", "all four hints", SUBSET, TOOLS),
    ("A2", "`_meta`", HERE, "a2_tools_have_no_keys_that_clients_do_not_know"),
    ("L1", "one page", PROTOCOL, "the_legacy_era_is_served"),
    ("L2", "the same twice", PROTOCOL, "l2_l3_each_version_gets_the_same_list_each_time"),
    ("L2", "the same anywhere", "src/codegen/tests.rs", "the_same_plan_gives_the_same_bytes"),
    (
        "L3",
        "versions before discovery",
        PROTOCOL,
        "l2_l3_each_version_gets_the_same_list_each_time",
    ),
    ("L3", "discovery", PROTOCOL, "the_modern_era_is_served_without_a_handshake"),
    ("R1", "one text first", REPLIES, "r1_each_kind_of_reply_has_its_result"),
    (
        "R2",
        "text is the structure",
        REPLIES,
        "r2_objects_stay_and_the_rest_is_wrapped_with_text_equal_to_structure",
    ),
    ("R3", "no structure in errors", PROTOCOL, "faults_of_arguments_are_results_without_structure"),
    ("R4", "kinds of content", REPLIES, "images_are_shown_and_other_bytes_are_summed_up"),
    ("R5", "`isError` is true or false", PROTOCOL, "the_legacy_era_is_served"),
    ("R6", "large integers", REPLIES, "r6_r10_integers_beyond_two_to_the_53_are_strings"),
    ("R7", "length", REPLIES, "r4_r7_a_long_reply_is_cut_at_its_lists_and_stays_json"),
    (
        "R8",
        "an answer in time",
        "tests/servers/tests/pitfalls.rs",
        "an_api_that_hangs_is_given_up_and_holds_up_nobody",
    ),
    (
        "R9",
        "which errors are results",
        PROTOCOL,
        "unknown_tools_cursors_and_malformed_calls_are_invalid_params",
    ),
    ("R9", "faults", PROTOCOL, "faults_of_arguments_are_results_without_structure"),
    ("G1", "no arguments", ARGUMENTS, "g1_missing_and_null_arguments_are_no_arguments"),
    ("G1", "text for values", ARGUMENTS, "g1_scalars_and_structures_in_strings_are_read"),
    (
        "G1",
        "null and nothing",
        ARGUMENTS,
        "g1_null_and_empty_optionals_are_absent_but_a_nullable_body_field_keeps_null",
    ),
];

#[test]
fn each_rule_is_held_by_a_test_that_is_there() {
    for (rule, what, file, test) in RULES {
        let text = std::fs::read_to_string(root().join(file)).expect("the file is there");
        let at = text.find(&format!("fn {test}(")).unwrap_or_else(|| {
            panic!("no test `{test}` in {file} holds {rule} ({what})");
        });
        let before = text[..at].lines().rev().take(3).collect::<String>();
        assert!(
            before.contains("#[test") || before.contains("::test"),
            "`{test}` in {file} is a test"
        );
    }
    let named: BTreeSet<&str> = RULES.iter().map(|row| row.0).collect();
    for (letter, last) in
        [('N', 6), ('T', 5), ('I', 15), ('O', 6), ('A', 2), ('L', 3), ('R', 9), ('G', 1)]
    {
        for number in 1..=last {
            assert!(named.contains(&*format!("{letter}{number}")), "{letter}{number}");
        }
    }
}

/// Keys of `_meta`: those of a client, and ours with a prefix as the protocol asks, where a
/// configuration names toolsets.
const META: &[&str] = &["anthropic/maxResultSizeChars", "anthropic/alwaysLoad", "mcp-gen/toolsets"];

/// What a property of a tool is told.
fn errors(property: &Value) -> Vec<String> {
    let title = "List pets";
    safe_subset_errors(&json!([{
        "name": "list_pets", "title": title, "description": "List pets.",
        "inputSchema": {"type": "object", "properties": {"a": property}},
        "annotations": {"title": title, "readOnlyHint": true, "destructiveHint": false,
            "idempotentHint": true, "openWorldHint": true},
    }]))
}

#[test]
fn i3_i9_i10_references_alternatives_and_formats_are_refused() {
    assert_eq!(errors(&json!({"type": "string"})), Vec::<String>::new());
    let string = json!({"type": "string"});
    for (key, value) in [
        ("$ref", json!("#/$defs/Pet")),
        ("$defs", json!({})),
        ("definitions", json!({})),
        ("anyOf", json!([string])),
        ("oneOf", json!([string])),
        ("allOf", json!([string])),
        ("format", json!("date-time")),
    ] {
        let mut inner = string.clone();
        inner[key] = value;
        let outer = json!({"type": "array", "items": inner});
        for property in [inner, outer] {
            let found = errors(&property);
            let named = found.iter().any(|e| e.starts_with("I8") && e.contains(key));
            assert!(named, "{key}: {found:?}");
        }
    }
}

const DOCUMENT: &str = "\
openapi: 3.0.3
info: {title: Pets, version: '1'}
servers: [{url: 'https://pets.example.com'}]
paths:
  /pets/{petId}:
    put:
      operationId: replacePet
      summary: Replace a pet
      parameters: [{name: petId, in: path, required: true, schema: {type: string}}]
      requestBody:
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Pet'}
      responses: {'200': {description: ok}}
  /boxes/{boxId}:
    get:
      operationId: getBox
      summary: Look at a box
      parameters: [{name: boxId, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: ok}}
components:
  schemas:
    Pet:
      type: object
      properties:
        secretNumber: {type: string, readOnly: true}
        born: {type: string, format: date-time}
        parent: {$ref: '#/components/schemas/Pet'}
        home:
          oneOf:
          - {type: object, properties: {street: {type: string}}}
          - {type: object, properties: {harbour: {type: string}}}
";

fn tools(document: &str) -> Vec<Value> {
    let said = run_in(&root(), &["plan", "-", "--format", "tools"], document);
    assert_eq!(said.status, 0, "{said:?}");
    serde_json::from_str(&said.out).expect("tools are JSON")
}

/// Every keyword of a schema at any depth.
fn keywords(schema: &Value, out: &mut BTreeSet<String>) {
    let Some(map) = schema.as_object() else { return };
    out.extend(map.keys().cloned());
    for part in
        map.get("properties").and_then(Value::as_object).into_iter().flat_map(|p| p.values())
    {
        keywords(part, out);
    }
    if let Some(items) = map.get("items") {
        keywords(items, out);
    }
}

#[test]
fn i3_i9_i10_i14_of_a_document_stay_out_of_its_tools() {
    let tools = tools(DOCUMENT);
    let text = json!(tools).to_string();
    for tool in &tools {
        let mut found = BTreeSet::new();
        keywords(&tool["inputSchema"], &mut found);
        for gone in ["$ref", "$defs", "anyOf", "oneOf", "allOf", "format", "readOnly"] {
            assert!(!found.contains(gone), "`{gone}` in {tool}");
        }
    }
    assert!(!text.contains("secret_number") && !text.contains("secretNumber"), "I14: {text}");
    assert!(text.contains("street") && text.contains("harbour"), "I9: {text}");
    assert!(text.contains("ISO 8601"), "I10: {text}");
    for id in ["pet_id", "box_id"] {
        let with = tools.iter().filter(|t| t["inputSchema"]["properties"].get(id).is_some());
        let required: Vec<_> = with.map(|t| t["inputSchema"]["required"].to_string()).collect();
        assert!(!required.is_empty(), "{id}: {text}");
        assert!(required.iter().all(|r| r.contains(id)), "I14: {id}: {text}");
    }
}

#[test]
fn n5_the_order_of_a_document_names_no_tool() {
    let names = |document: &str| -> BTreeSet<String> {
        tools(document).iter().map(|t| t["name"].to_string()).collect()
    };
    let paths = DOCUMENT.find("  /pets").expect("it is there");
    let second = DOCUMENT.find("  /boxes").expect("it is there");
    let rest = DOCUMENT.find("components:").expect("it is there");
    let turned = format!(
        "{}{}{}{}",
        &DOCUMENT[..paths],
        &DOCUMENT[second..rest],
        &DOCUMENT[paths..second],
        &DOCUMENT[rest..]
    );
    assert_ne!(turned, DOCUMENT);
    assert_eq!(names(DOCUMENT), names(&turned));
    let one = format!("{}{}", &DOCUMENT[..second], &DOCUMENT[rest..]);
    assert!(names(&one).is_subset(&names(DOCUMENT)), "one more operation renames nothing");
}

#[test]
fn a2_tools_have_no_keys_that_clients_do_not_know() {
    let keys =
        ["name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta"];
    for api in ["repair-cafe", "warehouse", "thorns", "pitfalls"] {
        let path = root().join("generated").join(api).join("tools.json");
        let text = std::fs::read_to_string(&path).expect("the tools are there");
        let tools: Vec<Value> = serde_json::from_str(&text).expect("one array");
        for tool in tools {
            for (key, value) in tool.as_object().expect("an object") {
                assert!(keys.contains(&key.as_str()), "{api}: `{key}`");
                if key == "_meta" {
                    let mut meta = value.as_object().expect("an object").keys();
                    assert!(meta.all(|k| META.contains(&k.as_str())), "{api}: {value}");
                }
            }
        }
    }
}
