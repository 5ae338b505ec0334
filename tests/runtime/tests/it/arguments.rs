//! G1 and the checks: what models send is mended where there is no doubt, and else refused with
//! words that say what to do.

use crate::recorder::{Recorder, ok};
use crate::tables::{
    action, call, in_path, input, json_body, operation, plain, query, schemas, server, service,
    single,
};
use mcp_gen_runtime::runtime::table::{Service, Target};
use serde_json::{Value, json};

const KEY: &str = "POST /pets";

/// A body under `KEY`, its members as arguments.
fn with_body(body: Value, members: &[&'static str], required: &[&str]) -> Service {
    let mut inputs = Vec::new();
    for name in members {
        let steps = crate::tables::leak_all(vec![*name]);
        inputs.push(input(name, required.contains(name), Target::Body(steps)));
    }
    single(
        action("add", operation(KEY, vec![], Some(json_body())), inputs),
        &schemas(KEY, json!([]), body),
    )
}

/// The body that is sent, or the refusal.
async fn sent(service: Service, arguments: Value) -> Result<Value, String> {
    let recorder = Recorder::start(vec![ok()]).await;
    let outcome = call(&server(service, &recorder.url, &[]), arguments).await;
    if outcome.is_error {
        assert_eq!(recorder.seen().len(), 0, "refused and yet sent");
        return Err(outcome.text);
    }
    let seen = recorder.only();
    Ok(if seen.body.is_empty() { Value::Null } else { serde_json::from_slice(&seen.body).unwrap() })
}

fn pet() -> Service {
    let schema = json!({"type": "object", "required": ["name"], "additionalProperties": false, "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 5},
        "age": {"type": "integer", "minimum": 0, "maximum": 30},
        "weight": {"type": "number", "exclusiveMinimum": 0},
        "tame": {"type": "boolean"},
        "status": {"type": "string", "enum": ["free", "sold"]},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2, "uniqueItems": true},
        "owner": {"type": "object", "required": ["firstName"], "additionalProperties": false, "properties": {
            "firstName": {"type": "string", "x-argument": "first_name"},
            "zip": {"type": "integer"}}},
        "note": {"type": ["string", "null"]},
        "code": {"type": "integer", "enum": [1, 2]},
        "scores": {"type": "object", "additionalProperties": {"type": "integer"}}
    }});
    let members =
        ["name", "age", "weight", "tame", "status", "tags", "owner", "note", "code", "scores"];
    with_body(schema, &members, &["name"])
}

#[tokio::test]
async fn g1_missing_and_null_arguments_are_no_arguments() {
    let recorder = Recorder::start(vec![ok()]).await;
    let server = server(
        single(plain("list", operation("GET /pets", vec![query("q")], None), &[]), &json!({})),
        &recorder.url,
        &[],
    );
    assert!(!server.call("work", None).await.unwrap().is_error);
    assert_eq!(recorder.only().line, "GET /pets HTTP/1.1");
}

#[tokio::test]
async fn g1_scalars_and_structures_in_strings_are_read() {
    let given = json!({"name": "Rex", "age": "5", "weight": "1.5", "tame": "True", "tags": "[\"a\"]", "code": "2",
        "owner": "{\"first_name\": \"Ann\", \"zip\": \"12\"}", "scores": [{"key": "x", "value": "3"}]});
    let wire = json!({"name": "Rex", "age": 5, "weight": 1.5, "tame": true, "tags": ["a"], "code": 2,
        "owner": {"firstName": "Ann", "zip": 12}, "scores": {"x": 3}});
    assert_eq!(sent(pet(), given).await.unwrap(), wire);
    assert_eq!(
        sent(pet(), json!({"name": 12, "age": 5.0})).await.unwrap(),
        json!({"name": "12", "age": 5})
    );
}

#[tokio::test]
async fn g1_null_and_empty_optionals_are_absent_but_a_nullable_body_field_keeps_null() {
    let given = json!({"name": "Rex", "age": null, "weight": "", "tame": "null", "status": "", "tags": null, "owner": "", "note": null});
    assert_eq!(sent(pet(), given).await.unwrap(), json!({"name": "Rex", "note": null}));
    assert_eq!(
        sent(pet(), json!({"name": "Rex", "note": ""})).await.unwrap(),
        json!({"name": "Rex", "note": ""})
    );
}

#[tokio::test]
async fn all_faults_come_together_with_paths_and_an_action_line() {
    let given = json!({"name": "too long", "age": 31, "weight": 0, "tame": "maybe", "status": "lost", "tags": ["a", "a", "b"],
        "owner": {"zip": "x", "street": 1}, "code": 3, "scores": {"x": "y"}, "colour": "red"});
    let text = sent(pet(), given).await.unwrap_err();
    let expected = "\
Nothing was sent: 13 problems with the arguments of `work`.
- `colour`: unknown argument. Known: `name`, `age`, `weight`, `tame`, `status`, `tags`, `owner`, `note`, `code`, `scores`
- `name`: must have at most 5 characters; has 8
- `age`: must be at most 30; got 31
- `weight`: must be more than 0; got 0
- `tame`: must be boolean; got \"maybe\"
- `status`: must be one of \"free\", \"sold\"; got \"lost\"
- `tags`: must have at most 2 items; has 3
- `tags`: must not repeat items; \"a\" is there twice
- `owner.first_name`: is missing
- `owner.zip`: must be integer; got \"x\"
- `owner.street`: is not known here. Known: `first_name`, `zip`
- `code`: must be one of 1, 2; got 3
- `scores.x`: must be integer; got \"y\"
Action: correct the listed arguments and call `work` again.";
    assert_eq!(text, expected);
}

#[tokio::test]
async fn a_missing_argument_is_told_once() {
    let text = sent(pet(), json!({"age": 3})).await.unwrap_err();
    assert_eq!(
        text,
        "Nothing was sent: 1 problem with the arguments of `work`.\n- `name`: is missing; it is needed\n\
         Action: correct the listed arguments and call `work` again."
    );
}

#[tokio::test]
async fn int64_and_uint64_are_exact() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}});
    let given = json!({"a": "-9223372036854775807", "b": "18446744073709551615"});
    let wire = sent(with_body(schema, &["a", "b"], &[]), given).await.unwrap();
    assert_eq!(wire.to_string(), r#"{"a":-9223372036854775807,"b":18446744073709551615}"#);
}

#[tokio::test]
async fn bounds_and_values_beyond_64_bits_are_exact() {
    use mcp_gen_runtime::runtime::exact::parse;
    let schema = parse(
        r#"{"type": "object", "properties": {
        "a": {"type": "integer", "maximum": 123456789012345678901234567890123456789012},
        "b": {"type": "integer", "enum": [18446744073709551617, 1e400]}}}"#,
    )
    .unwrap();
    let made = || with_body(schema.clone(), &["a", "b"], &[]);
    let most = "123456789012345678901234567890123456789012";
    assert!(sent(made(), json!({"a": most, "b": "18446744073709551617"})).await.is_ok());
    let more = "123456789012345678901234567890123456789013";
    let refused = sent(made(), json!({"a": more})).await.unwrap_err();
    assert!(refused.contains(&format!("must be at most {most}; got {more}")), "{refused}");
    let refused = sent(made(), json!({"b": "18446744073709551616"})).await.unwrap_err();
    assert!(refused.contains("must be one of 18446744073709551617, 1e400"), "{refused}");
}

#[tokio::test]
async fn a_variant_that_fits_is_enough_and_its_names_are_restored() {
    let cat = json!({"type": "object", "required": ["kind", "livesLeft"], "properties": {
        "kind": {"type": "string", "enum": ["cat"]}, "livesLeft": {"type": "integer", "x-argument": "lives_left"}}});
    let dog = json!({"type": "object", "required": ["kind", "barks"], "properties": {
        "kind": {"type": "string", "enum": ["dog"]}, "barks": {"type": "boolean"}}});
    let schema = json!({"type": "object", "properties": {"pet": {"oneOf": [cat, dog]}}});
    let made = || with_body(schema.clone(), &["pet"], &[]);
    assert_eq!(
        sent(made(), json!({"pet": {"kind": "cat", "lives_left": "9"}})).await.unwrap(),
        json!({"pet": {"kind": "cat", "livesLeft": 9}})
    );
    assert_eq!(
        sent(made(), json!({"pet": {"kind": "dog", "barks": "true"}})).await.unwrap(),
        json!({"pet": {"kind": "dog", "barks": true}})
    );
    assert!(sent(made(), json!({"pet": {"kind": "cow"}})).await.unwrap_err().contains("`pet"));
}

#[tokio::test]
async fn recursive_schemas_are_checked_to_a_bounded_depth() {
    let mut all = schemas(
        KEY,
        json!([]),
        json!({"type": "object", "properties": {"tree": {"$ref": "#/shared/Tree"}}}),
    );
    all["shared"]["Tree"] = json!({"type": "object", "additionalProperties": false, "properties": {
        "leftSide": {"$ref": "#/shared/Tree", "x-argument": "left"}, "n": {"type": "integer"}}});
    all["shared"]["Loop"] = json!({"$ref": "#/shared/Loop"});
    let made = || {
        let act = plain("add", operation(KEY, vec![], Some(json_body())), &["tree"]);
        single(act, &all)
    };
    assert_eq!(
        sent(made(), json!({"tree": {"left": {"left": {"n": "1"}}}})).await.unwrap(),
        json!({"tree": {"leftSide": {"leftSide": {"n": 1}}}})
    );
    assert!(
        sent(made(), json!({"tree": {"left": {"left": {"n": "x"}}}}))
            .await
            .unwrap_err()
            .contains("`tree.left.left.n`")
    );
    let mut deep = json!({"n": 1});
    for _ in 0..100 {
        deep = json!({ "left": deep });
    }
    assert!(sent(made(), json!({ "tree": deep })).await.unwrap_err().contains("nested too deeply"));
}

#[tokio::test]
async fn members_at_depth_are_put_together_and_missing_ones_are_named_as_arguments() {
    let schema = json!({"type": "object", "properties": {"address": {"type": "object", "required": ["street", "city"],
        "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}}});
    let made = || {
        let inputs = vec![
            input("address_street", false, Target::Body(&["address", "street"])),
            input("address_city", false, Target::Body(&["address", "city"])),
        ];
        single(
            action("add", operation(KEY, vec![], Some(json_body())), inputs),
            &schemas(KEY, json!([]), schema.clone()),
        )
    };
    assert_eq!(
        sent(made(), json!({"address_city": "Ulm", "address_street": "A 1"})).await.unwrap(),
        json!({"address": {"street": "A 1", "city": "Ulm"}})
    );
    assert!(
        sent(made(), json!({"address_city": "Ulm"}))
            .await
            .unwrap_err()
            .contains("- `address_street`: is missing")
    );
    assert_eq!(
        sent(made(), json!({})).await.unwrap(),
        Value::Null,
        "an absent optional body is not sent"
    );
}

#[tokio::test]
async fn a_constant_that_is_no_argument_is_filled_in() {
    let schema = json!({"type": "object", "required": ["type", "name"], "properties": {
        "type": {"type": "string", "enum": ["pet"]}, "name": {"type": "string"}}});
    let wire = sent(with_body(schema, &["name"], &["name"]), json!({"name": "Rex"})).await.unwrap();
    assert_eq!(wire, json!({"name": "Rex", "type": "pet"}));
}

fn with_selector() -> Service {
    let list = plain("list", operation("GET /pets", vec![query("limit")], None), &[]);
    let get = plain("get", operation("GET /pets/{id}", vec![in_path("id")], None), &[]);
    let known = json!({"operations": {"GET /pets": {"parameters": [{"type": "integer"}]},
        "GET /pets/{id}": {"parameters": [{"type": "string"}]}}, "shared": {}});
    service(Some("action"), vec![list, get], &known)
}

#[tokio::test]
async fn the_selector_must_be_known() {
    let missing = sent(with_selector(), json!({})).await.unwrap_err();
    assert_eq!(
        missing,
        "`action` is missing. Nothing was sent.\nAction: call `work` again with `action` set to one of `list`, `get`."
    );
    let wrong = sent(with_selector(), json!({"action": "lst"})).await.unwrap_err();
    assert!(
        wrong.contains("no value `lst`. Did you mean `list`?") && wrong.contains("`list`, `get`"),
        "{wrong}"
    );
}

#[tokio::test]
async fn arguments_of_other_actions_and_unknown_ones_are_told_apart() {
    let text =
        sent(with_selector(), json!({"action": "get", "id": "1", "limit": 3})).await.unwrap_err();
    assert!(
        text.contains("- `limit`: belongs to `list`, not to `get`, which takes `id`"),
        "{text}"
    );
    let text = sent(with_selector(), json!({"action": "list", "limits": 3})).await.unwrap_err();
    assert!(
        text.contains("- `limits`: unknown argument; did you mean `limit`? Known: `limit`"),
        "{text}"
    );
    let text = sent(with_selector(), json!({"action": "get"})).await.unwrap_err();
    assert!(text.contains("- `id`: is missing; it is needed for `get`"), "{text}");
    assert!(
        sent(with_selector(), json!({"action": "get", "id": "1", "limit": null})).await.is_ok()
    );
}

#[tokio::test]
async fn text_that_holds_a_structure_is_one_where_the_schema_takes_both() {
    let schema = json!({"type": "object", "properties": {
        "mode": {"anyOf": [{"type": "string"}, {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}]},
        "plain": {"type": "string"}, "any": {}, "list": {"type": ["string", "array"], "items": {"type": "integer"}}}});
    let given =
        json!({"mode": "{\"n\": \"1\"}", "plain": "{\"n\": 1}", "any": "[1]", "list": "[\"1\"]"});
    let wire = json!({"mode": {"n": 1}, "plain": "{\"n\": 1}", "any": [1], "list": [1]});
    let made = || with_body(schema.clone(), &["mode", "plain", "any", "list"], &[]);
    assert_eq!(sent(made(), given).await.unwrap(), wire);
    let given = json!({"mode": "auto", "any": "5", "list": "[x"});
    assert_eq!(sent(made(), given.clone()).await.unwrap(), given);
}

#[tokio::test]
async fn an_empty_string_stays_where_it_clears_and_goes_where_it_cannot_be_meant() {
    let schema = json!({"type": "object", "properties": {
        "clears": {"anyOf": [{"type": "integer"}, {"type": "string", "enum": [""]}]},
        "mode": {"anyOf": [{"type": "integer"}, {"type": "string", "enum": ["now"]}]},
        "short": {"type": "string", "minLength": 1}}});
    let wire = sent(
        with_body(schema, &["clears", "mode", "short"], &[]),
        json!({"clears": "", "mode": "", "short": ""}),
    )
    .await;
    assert_eq!(wire.unwrap(), json!({"clears": ""}));
}

#[tokio::test]
async fn a_member_of_several_variants_takes_what_any_of_them_takes() {
    let variant = |kind: &str, value: &str| {
        json!({"type": "object", "required": ["kind", "value"], "properties": {
            "kind": {"type": "string", "enum": [kind]}, "value": {"type": value}}})
    };
    let schema = json!({"oneOf": [variant("count", "integer"), variant("flag", "boolean")]});
    let made = || with_body(schema.clone(), &["kind", "value"], &[]);
    assert_eq!(
        sent(made(), json!({"kind": "flag", "value": "true"})).await.unwrap(),
        json!({"kind": "flag", "value": true})
    );
    assert_eq!(
        sent(made(), json!({"kind": "count", "value": "7"})).await.unwrap(),
        json!({"kind": "count", "value": 7})
    );
    assert!(sent(made(), json!({"kind": "flag", "value": 7})).await.is_err());
}

#[tokio::test]
async fn a_body_without_a_schema_comes_as_json_text() {
    let made = || {
        let whole = action(
            "add",
            operation(KEY, vec![], Some(json_body())),
            vec![input("body", false, Target::Body(&[]))],
        );
        single(whole, &json!({}))
    };
    assert_eq!(
        sent(made(), json!({"body": "{\"a\": [1, \"2\"]}"})).await.unwrap(),
        json!({"a": [1, "2"]})
    );
    assert_eq!(sent(made(), json!({"body": "words"})).await.unwrap(), json!("words"));
    assert_eq!(sent(made(), json!({"body": {"a": 1}})).await.unwrap(), json!({"a": 1}));
}

#[tokio::test]
async fn faults_of_alternatives_say_which_one_was_nearest() {
    let card = json!({"type": "object", "required": ["kind", "number"], "properties": {
        "kind": {"type": "string", "enum": ["card"]}, "number": {"type": "string"}, "cvc": {"type": "string", "maxLength": 4}}});
    let bank = json!({"type": "object", "required": ["kind", "iban"], "properties": {
        "kind": {"type": "string", "enum": ["bank"]}, "iban": {"type": "string"}}});
    let named = json!({"title": "Voucher", "type": "object", "required": ["code"], "additionalProperties": false,
        "properties": {"code": {"type": "string"}, "amount": {"type": "integer"}}});
    let schema = json!({"type": "object", "properties": {"pay": {"oneOf": [card, bank, named]}}});
    for (given, expected) in [
        (
            json!({"kind": "bank", "number": "1"}),
            "`pay.iban`: is missing (nearest of 3 alternatives: `kind` \"bank\")",
        ),
        (
            json!({"kind": "card", "iban": "1", "cvc": "12345"}),
            "`pay.number`: is missing (nearest of 3 alternatives: `kind` \"card\")",
        ),
        (
            json!({"code": "x", "amount": "many"}),
            "`pay.amount`: must be integer; got \"many\" (nearest of 3 alternatives: `Voucher`)",
        ),
    ] {
        let made = with_body(schema.clone(), &["pay"], &[]);
        let text = sent(made, json!({ "pay": given })).await.unwrap_err();
        assert!(text.contains(expected), "{text}");
    }
}

#[tokio::test]
async fn the_leniency_that_models_need_is_there_and_no_more() {
    // Whole numbers written as such, words of a language, and text around a structure.
    for (given, wire) in [
        (json!({"name": "Rex", "age": " 5 "}), Some(json!({"name": "Rex", "age": 5}))),
        (json!({"name": "Rex", "age": "5.0"}), Some(json!({"name": "Rex", "age": 5}))),
        (json!({"name": "Rex", "tame": "FALSE"}), Some(json!({"name": "Rex", "tame": false}))),
        (json!({"name": "Rex", "tags": "a"}), Some(json!({"name": "Rex", "tags": ["a"]}))),
        (json!({"name": "Rex", "owner": "null"}), Some(json!({"name": "Rex"}))),
        (json!({"name": "Rex", "age": "5.5"}), None),
        (json!({"name": "Rex", "age": "five"}), None),
        (json!({"name": "Rex", "tame": "yes"}), None),
        (json!({"name": "Rex", "owner": "{\"first_name\": \"A\""}), None),
        (json!({"name": ""}), None),
        (json!({"name": null}), None),
        (json!({"name": "Rex", "nmae": "x"}), None),
    ] {
        let got = sent(pet(), given.clone()).await;
        match (got, wire) {
            (Ok(body), Some(wire)) => assert_eq!(body, wire, "{given}"),
            (Err(text), None) => assert!(text.starts_with("Nothing was sent"), "{given}: {text}"),
            (got, _) => panic!("{given}: {got:?}"),
        }
    }
    let text = sent(pet(), json!({"name": "Rex", "nmae": "x"})).await.unwrap_err();
    assert!(text.contains("`nmae`: unknown argument; did you mean `name`?"), "{text}");
}
