//! G6: documents made to exhaust their readers.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::{api_of, read_text};

const HEAD: &str =
    "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n";

/// Reads `schemas` within a time that only a bound can keep.
fn check(schemas: &str) -> Vec<String> {
    let start = Instant::now();
    let (_, findings) = api_of(&format!("{HEAD}{schemas}"));
    let time = start.elapsed();
    assert!(time < Duration::from_secs(20), "took {time:?}");
    findings
}

#[test]
fn all_of_that_doubles_at_each_level_is_bounded() {
    let mut text = String::new();
    for i in 0..60 {
        let next = i + 1;
        let _ = writeln!(
            text,
            "    S{i}: {{allOf: [{{$ref: '#/components/schemas/S{next}'}}, {{properties: {{p: {{allOf: [{{$ref: '#/components/schemas/S{next}'}}, {{$ref: '#/components/schemas/S60'}}]}}}}}}]}}"
        );
    }
    text.push_str("    S60: {type: object, properties: {p: {$ref: '#/components/schemas/S0'}}}\n");
    check(&text);
}

#[test]
fn a_long_chain_of_references_is_cut() {
    let mut text = String::new();
    for i in 0..400 {
        let _ = writeln!(text, "    S{i}: {{$ref: '#/components/schemas/S{}'}}", i + 1);
    }
    text.push_str("    S400: {type: string}\n");
    assert!(check(&text).iter().any(|f| f.starts_with("dangling-reference")));
}

#[test]
fn a_long_chain_of_all_of_is_cut() {
    let mut text = String::new();
    for i in 0..2000 {
        let _ = writeln!(
            text,
            "    S{i}: {{allOf: [{{$ref: '#/components/schemas/S{}'}}], properties: {{p{i}: {{}}}}}}",
            i + 1
        );
    }
    text.push_str("    S2000: {type: object}\n");
    assert!(check(&text).iter().any(|f| f.starts_with("cyclic-all-of")));
}

#[test]
fn references_in_a_circle_are_reported() {
    let findings = check(
        "    A: {$ref: '#/components/schemas/B'}\n    B: {$ref: '#/components/schemas/A'}\n    C: {$ref: '#/components/schemas/C/properties/x'}\n",
    );
    assert_eq!(
        findings.iter().filter(|f| f.starts_with("dangling-reference")).count(),
        3,
        "{findings:?}"
    );
}

#[test]
fn references_that_multiply_are_cut() {
    let mut text = String::new();
    for i in 0..60 {
        let next = i + 1;
        let _ = writeln!(text, "    L{i}: {{$ref: '#/components/schemas/L{next}/a/b'}}");
        let _ = writeln!(text, "    M{i}: {{$ref: '#/components/schemas/L{next}/b/a'}}");
    }
    text.push_str(
        "    L60: {a: {$ref: '#/components/schemas/M0'}, b: {$ref: '#/components/schemas/L1'}}\n",
    );
    let findings = check(&text);
    assert!(findings.iter().any(|f| f.starts_with("dangling-reference")), "{findings:?}");
}

#[test]
fn path_items_in_a_circle_are_reported() {
    let (api, findings) = api_of(
        "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths:\n  /a: {$ref: '#/paths/~1b'}\n  /b: {$ref: '#/paths/~1a', get: {}}\n",
    );
    assert_eq!(api.operations.len(), 2);
    assert!(findings.iter().any(|f| f.starts_with("dangling-reference")), "{findings:?}");
}

#[test]
fn time_grows_with_size_not_with_its_square() {
    let document = |count: usize| {
        let mut text = String::from(HEAD);
        for i in 0..count {
            let _ = writeln!(
                text,
                "    S{i}: {{type: object, properties: {{a: {{$ref: '#/components/schemas/S{}'}}, b: {{type: string}}}}}}",
                (i * 7) % count
            );
        }
        text
    };
    let time = |count: usize| {
        let text = document(count);
        let start = Instant::now();
        assert!(read_text(&text).0.is_ok());
        start.elapsed()
    };
    let (small, large) = (time(1000), time(8000));
    assert!(large < small * 40 + Duration::from_millis(500), "{small:?} then {large:?}");
}
