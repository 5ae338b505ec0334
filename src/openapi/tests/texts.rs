//! Text to values: JSON, YAML, places, versions.

use std::fmt::Write as _;

use super::read_text;
use crate::diagnostic::Diagnostics;
use crate::openapi::Limits;
use crate::openapi::text::parse;
use crate::source::{Node, Position};

fn node(text: &str) -> Result<Node, String> {
    parse(&mut Diagnostics::default(), 0, text, &Limits::default())
        .map_err(|f| format!("{}: {}", Position::of(text, f.offset), f.message))
}

/// `text` as a value, in JSON.
fn check(text: &str, json: &str) {
    let found = node(text).map_or_else(|error| error, |n| n.to_json_text());
    assert_eq!(found, json, "{text}");
}

#[test]
fn json_keeps_order_digits_and_escapes() {
    check(
        r#"{"b": 1.50, "a": [12345678901234567890123, -0, 1e400]}"#,
        r#"{"b":1.50,"a":[12345678901234567890123,-0,1e400]}"#,
    );
    check(r#"["\u00e9\ud83d\ude00\ud83d\n\/"]"#, "[\"é😀\u{fffd}\\n/\"]");
    check("\u{feff} {\"a\":{}}", r#"{"a":{}}"#);
}

#[test]
fn json_that_is_wrong_says_where() {
    check("{\"a\": 1,\n \"b\": ]}", "2:7: expected a JSON value, found `]`");
    check("{\"a\": \"x", "1:7: a string does not end, found `\\\"`");
    check("[01]", "[\"01\"]");
}

#[test]
fn json_with_comments_or_trailing_commas_is_read_as_yaml() {
    check("{\"a\": 1, # why\n \"b\": [2,],}", r#"{"a":1,"b":[2]}"#);
    check("{\"a\": 1, // why\n \"b\": \"// no\" /* c\n */ }", r#"{"a":1,"b":"// no"}"#);
    check(
        "// first\n{\"a\": [1, // x\n 2,], \"u\": \"http://a\"}",
        r#"{"a":[1,2],"u":"http://a"}"#,
    );
}

#[test]
fn yaml_words_numbers_and_keys_follow_version_1_2() {
    check(
        "a: no\nb: 2026-01-27\nc: 0644\nd: 18000000000000000000",
        r#"{"a":"no","b":"2026-01-27","c":"0644","d":18000000000000000000}"#,
    );
    check(
        "200: a\n1.0: b\ntrue: c\nnull: d\n? [x, y]\n: e",
        r#"{"200":"a","1.0":"b","true":"c","null":"d","[\"x\",\"y\"]":"e"}"#,
    );
    check("a: !!str 1\nb: !!int \"2\"\nc: '3'\nd: !mine 4", r#"{"a":"1","b":2,"c":"3","d":"4"}"#);
    check("a: |\n  x\r\n  y\r\nb: c\r\n", r#"{"a":"x\ny\n","b":"c"}"#);
}

#[test]
fn merge_keys_give_way_to_written_ones_wherever_they_stand() {
    check(
        "a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc:\n  <<: [*a, *b]\n  x: 0\nd:\n  y: 9\n  <<: *a",
        r#"{"a":{"x":1,"y":2},"b":{"y":3,"z":4},"c":{"x":0,"y":2,"z":4},"d":{"y":9,"x":1}}"#,
    );
    check("a:\n  \"<<\": 1", r#"{"a":{"<<":1}}"#);
}

#[test]
fn flow_collections_and_quotes_may_be_indented_too_little() {
    check(
        "a:\n  b: {\n    \"x\": 1\n  }\n  c: [\n1,\n2]\n  d: \"p\n q\"\n  é: {\n}\n",
        r#"{"a":{"b":{"x":1},"c":[1,2],"d":"p q","é":{}}}"#,
    );
}

#[test]
fn places_are_byte_offsets_of_keys_even_after_letters_of_many_bytes_and_mending() {
    let text = "\u{feff}ä: {\n}\nb:\n  ö: [\n  ]\n  c: 5\n";
    let root = node(text).expect("it is YAML");
    let c = root.get("b").and_then(|b| b.get("c")).expect("it is there");
    assert_eq!(&text[c.key.offset as usize..][..4], "c: 5");
    assert_eq!(&text[c.at.offset as usize..][..1], "5");
}

#[test]
fn aliases_that_never_end_or_add_too_much_are_refused() {
    check("a: &a\n  b: *a", "2:6: an alias stands inside the value that it stands for");
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for i in 1..12 {
        let alias = format!("*a{}, ", i - 1).repeat(9);
        let _ = writeln!(bomb, "a{i}: &a{i} [{alias}]");
    }
    let error = node(&bomb).expect_err("it is a bomb");
    assert!(error.contains("values"), "{error}");
}

#[test]
fn nesting_has_a_limit_in_both_languages() {
    let json = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(
        node(&json).expect_err("too deep"),
        "1:201: values are nested more than 200 levels deep here"
    );
    let yaml = "- ".repeat(100_000);
    assert_eq!(
        node(&yaml).expect_err("too deep"),
        "1:401: values are nested more than 200 levels deep here"
    );
}

#[test]
fn a_file_holds_one_document() {
    check("a: 1\n---\nb: 2", "2:1: a second YAML document begins here; a file must hold one");
    check("---\na: 1\n---\n", r#"{"a":1}"#);
    check("---\na: 1\n...\n", r#"{"a":1}"#);
}

#[test]
fn a_repeated_key_is_reported_where_it_stands_again() {
    let (_, findings) = read_text(
        "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths:\n  /a: {}\n  /a:\n    get: {}\n",
    );
    assert!(findings.contains(&"duplicate-key /paths/~1a 5:3".to_owned()), "{findings:?}");
}

/// What is said about a text that is no OpenAPI document.
fn refused(text: &str, message: &str) {
    let error = read_text(text).0.expect_err("it is refused");
    assert_eq!(error.to_string(), message, "{text}");
    assert!(
        error
            .help()
            .is_some_and(|h| h.contains("OpenAPI") || h.contains("openapi") || h.contains("read"))
    );
}

#[test]
fn what_is_no_openapi_document_is_named() {
    refused("", "<test>:1:1: the document is empty");
    refused("# only\n", "<test>:1:1: the document is empty");
    refused("<!doctype html>", "<test>:1:1: this is HTML or XML, no OpenAPI document");
    refused("hello", "<test>:1:1: the document is a string, not an object");
    refused("[]", "<test>:1:1: the document is a list, not an object");
    refused(
        "asyncapi: 3.0.0",
        "<test>:1:1: this is an AsyncAPI document; it describes messages, not HTTP operations",
    );
    refused(
        "info: {}\narazzo: 1.0.0",
        "<test>:2:1: this is an Arazzo document; it describes workflows over other documents",
    );
    refused(
        "{\"$schema\": \"x\", \"type\": \"object\"}",
        "<test>:1:2: this is a JSON Schema, no OpenAPI document",
    );
    refused("openapi: 4.0.0", "<test>:1:1: OpenAPI version `4.0.0` is not known");
    refused("swagger: '1.2'", "<test>:1:1: Swagger version `1.2` is not known");
    refused(
        "info: {}\npaths: {}",
        "<test>:2:1: the document has `paths`, but does not say its version",
    );
    refused("a: 1\nb: 2", "<test>:1:1: this is no OpenAPI document: it begins with `a`, `b`");
}

#[test]
fn a_version_without_quotes_is_a_version() {
    for text in ["openapi: 3.0", "openapi: 3.1", "swagger: 2.0", "openapi: 3.2.0", "swagger: '2.0'"]
    {
        assert!(read_text(text).0.is_ok(), "{text}");
    }
}
