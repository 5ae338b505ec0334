//! Documents that broke other generators: each kind has a small document of ours under
//! `tests/fixtures/bugs`, and where a folder of collected cases lies beside the repository
//! (`../shared/bugs`, or the one that `MCP_GEN_BUGS` names), its cases are held to the same.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::net::TcpListener;
use std::path::PathBuf;

use mcp_gen::codegen::{CrateFiles, Options};
use mcp_gen::config::Config;
use mcp_gen::diagnostic::Diagnostics;
use mcp_gen::ir::wire_schema::wire_schema;
use mcp_gen::ir::{Api, Operation, Schema};
use mcp_gen::pipeline;
use mcp_gen::source::{Node, Source, Sources};
use serde_json::Value;

use super::counts::count_operations;
use super::support::root;

/// A document that went all the way.
struct Made {
    api: Api,
    findings: Vec<(&'static str, String)>,
    files: CrateFiles,
}

impl Made {
    fn operation(&self, id: &str) -> &Operation {
        let found = self.api.operations.iter().find(|o| o.id.as_deref() == Some(id));
        found.unwrap_or_else(|| panic!("no operation `{id}`"))
    }

    fn ids(&self) -> BTreeSet<&str> {
        self.api.operations.iter().filter_map(|o| o.id.as_deref()).collect()
    }

    fn statuses(&self, id: &str) -> BTreeSet<&str> {
        self.operation(id).responses.iter().map(|r| r.status.as_str()).collect()
    }

    /// The definitions as a client sees them.
    fn tools(&self) -> Value {
        serde_json::from_str(&self.files.generated["tools.json"]).expect("it is JSON")
    }
}

/// Reads, plans and generates; every operation must be in the plan.
fn make(name: &str, text: &str) -> Made {
    let (mut diagnostics, mut sources) = (Diagnostics::default(), Sources::default());
    let source = Source { name: "<case>".to_owned(), text: text.to_owned() };
    let api = pipeline::read(&mut diagnostics, &mut sources, source)
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    let plan = pipeline::plan(&mut diagnostics, &api, &Config::default(), None)
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(plan.operations(), api.operations.len(), "{name}: the plan's account");
    let files = pipeline::generate(&mut diagnostics, &plan, &api, &Options::default())
        .unwrap_or_else(|| panic!("{name}: {:#?}", diagnostics.sorted()));
    let findings =
        diagnostics.sorted().into_iter().map(|d| (d.code.id, d.message.clone())).collect();
    Made { api, findings, files }
}

/// The value of the first `key` anywhere below, whatever it is called there.
fn find<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    match value {
        Value::Object(map) => map.get(key).or_else(|| map.values().find_map(|v| find(v, key))),
        Value::Array(items) => items.iter().find_map(|v| find(v, key)),
        _ => None,
    }
}

/// A field that may hold itself is offered, its definition is finite, and what is checked before
/// sending refers to itself at any depth.
fn a_union_may_hold_itself(made: &Made, operation: &str, field: &str, inner: &str) {
    let body = made.operation(operation).body.as_ref().expect("it has a body");
    let id = body.contents[0].schema.expect("it has a schema");
    let union = made.api.schema(id).properties[field];
    let variants: Vec<&Schema> =
        made.api.schema(union).variants.iter().map(|v| made.api.schema(*v)).collect();
    assert_eq!(variants.len(), 2);
    let list = variants.iter().find_map(|v| v.properties.get(inner)).expect("one holds more");
    assert_eq!(made.api.schema(*list).items, Some(union), "the union is in its own list");
    let mut shared = indexmap::IndexMap::new();
    let wire = wire_schema(&made.api, id, &mut shared);
    let to_itself = find(&wire, field).and_then(|f| f.get("$ref")).expect("it is shared").clone();
    let inside = shared.values().find_map(|s| find(s, inner)).expect("the list is there");
    assert_eq!(inside["items"]["$ref"], to_itself, "{inside}");
    let tools = made.tools();
    assert!(find(&tools, field).is_some(), "{tools:#}");
}

/// Nothing is fetched, the finding names the reference, and the operation is there.
fn nothing_is_fetched(name: &str, text: &str, port: &str, operation: &str) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("some port is free");
    listener.set_nonblocking(true).expect("the system can");
    let own = listener.local_addr().expect("it is bound").port().to_string();
    let text = text.replace(port, &own);
    let reference = text
        .split(['\'', '"'])
        .find(|part| part.contains("://") && part.contains(&own))
        .expect("a reference to the listener");
    let made = make(name, &text);
    assert_eq!(listener.accept().map_err(|e| e.kind()).unwrap_err(), ErrorKind::WouldBlock);
    let named = |(id, message): &(&str, String)| {
        *id == "remote-reference" && message.contains(&format!("`{reference}`"))
    };
    assert!(made.findings.iter().any(named), "{:?}", made.findings);
    made.operation(operation);
}

/// What looks like a date is text, and merged keys are keys.
fn dates_are_text_and_keys_are_merged(
    made: &Made,
    version: &str,
    (operation, example): (&str, &str),
    statuses: &[&str],
) {
    assert_eq!(made.api.version, version);
    let parameter = &made.operation(operation).parameters[0];
    let examples = &made.api.schema(parameter.schema).examples;
    assert_eq!(examples.iter().map(Node::as_str).collect::<Vec<_>>(), [Some(example)]);
    assert_eq!(made.statuses(operation), statuses.iter().copied().collect());
}

/// Words that YAML 1.1 took for truth values are the values that are offered.
fn words_stay_words(made: &Made, operation: &str, argument: &str, words: &[&str]) {
    let parameter = &made.operation(operation).parameters[0];
    let values = made.api.schema(parameter.schema).values.as_ref().expect("values are listed");
    let values: Vec<_> = values.iter().filter_map(Node::as_str).collect();
    assert_eq!(values, words);
    let tools = made.tools();
    let offered = find(&tools, argument).and_then(|a| a.get("enum")).expect("it has values");
    assert_eq!(offered, &Value::from(words), "{tools:#}");
}

/// A path item behind a reference has its operations, which have its parameters.
fn referred_operations_are_there(made: &Made, all: &[&str], with: &[&str], parameter: &str) {
    assert_eq!(made.ids(), all.iter().copied().collect());
    assert_eq!(made.api.operations.len(), all.len());
    for id in with {
        let parameters = &made.operation(id).parameters;
        assert!(parameters.len() == 1 && parameters[0].required, "{parameters:?}");
        assert_eq!(parameters[0].name, parameter);
    }
}

fn statuses_are(made: &Made, operation: &str, statuses: &[&str]) {
    assert_eq!(made.statuses(operation), statuses.iter().copied().collect());
}

/// A document of ours under `tests/fixtures/bugs`.
fn own(name: &str) -> String {
    let path = root().join("tests/fixtures/bugs").join(format!("{name}.yaml"));
    std::fs::read_to_string(path).expect("the test's own document")
}

#[test]
fn a_filter_that_holds_filters_is_offered_at_any_depth() {
    let name = "union-that-holds-itself";
    a_union_may_hold_itself(&make(name, &own(name)), "query_harvests", "rule", "rules");
}

#[test]
fn a_reference_to_a_host_is_named_and_not_fetched() {
    let name = "reference-to-a-host";
    nothing_is_fetched(name, &own(name), "18765", "list_trees");
}

#[test]
fn dates_without_quotes_are_text_and_merge_keys_merge() {
    let name = "dates-and-merge-keys";
    let made = make(name, &own(name));
    let example = ("list_trees", "2019-03-01");
    dates_are_text_and_keys_are_merged(&made, "2031-10-04", example, &["200", "403", "410"]);
}

#[test]
fn norway_is_no_truth_value() {
    let name = "words-that-were-truth-values";
    let words = ["SE", "NO", "off", "n", "yes"];
    words_stay_words(&make(name, &own(name)), "list_growers", "land", &words);
}

#[test]
fn operations_behind_a_reference_of_a_path_are_there() {
    let name = "path-item-by-reference";
    let all = ["weather", "get_tree", "fell_tree"];
    referred_operations_are_there(&make(name, &own(name)), &all, &all[1..], "tree");
}

#[test]
fn statuses_without_quotes_are_statuses() {
    let name = "statuses-without-quotes";
    statuses_are(&make(name, &own(name)), "ring", &["202", "503"]);
}

/// The collected cases by id.
fn cases() -> Option<BTreeMap<String, Value>> {
    let folder = std::env::var_os("MCP_GEN_BUGS")
        .map_or_else(|| root().join("../shared/bugs"), PathBuf::from);
    let lines = std::fs::read_to_string(folder.join("cases.jsonl")).ok()?;
    let case = |line: &str| -> Option<(String, Value)> {
        let value: Value = serde_json::from_str(line).expect("each line is JSON");
        Some((value["id"].as_str()?.to_owned(), value))
    };
    Some(lines.lines().filter(|l| !l.trim().is_empty()).filter_map(case).collect())
}

#[test]
fn collected_cases_of_reading_behave_as_expected() {
    let Some(cases) = cases() else {
        eprintln!("skipped: no folder of collected cases beside the repository");
        return;
    };
    let mut checked = 0;
    for (id, case) in cases.iter().filter(|(_, c)| c["stage"] == "parse") {
        let text = case["minimal_input"].as_str().expect("a document");
        checked += 1;
        match id.as_str() {
            "ref-01" => a_union_may_hold_itself(&make(id, text), "search", "filter", "filters"),
            "ref-03" => {
                let all = ["health", "getBooking", "cancelBooking"];
                referred_operations_are_there(&make(id, text), &all, &all[1..], "bookingId");
            }
            "ref-04" => nothing_is_fetched(id, text, "8765", "listUsers"),
            "yml-01" => dates_are_text_and_keys_are_merged(
                &make(id, text),
                "2026-01-27",
                ("listJobs", "2026-01-27"),
                &["200", "404", "429"],
            ),
            "yml-03" => {
                words_stay_words(&make(id, text), "getRates", "country", &["DE", "NO", "on", "y"]);
            }
            "yml-04" => statuses_are(&make(id, text), "ping", &["200", "404"]),
            other => panic!("no assertion for it: {other}: {}", case["expected"]),
        }
    }
    assert!(checked >= 6, "only {checked} cases");
}

/// Which tests hold the collected cases that need a running server, at the wire: file and function.
/// The documents of these cases are operations of `specs/pitfalls`.
const RUNNING: &[(&str, &[(&str, &str)])] = {
    const REQUESTS: (&str, &str) = (PITFALLS, "requests_are_what_the_document_says");
    const REFUSED: (&str, &str) =
        (PITFALLS, "what_cannot_be_meant_is_refused_before_anything_is_sent");
    const ANSWERS: (&str, &str) = (PITFALLS, "answers_are_taken_as_they_come");
    &[
        ("aut-02", &[REQUESTS, REFUSED]),
        ("bod-02", &[REQUESTS]),
        ("bod-04", &[REQUESTS]),
        ("bod-07", &[REQUESTS]),
        ("con-02", &[REQUESTS, REFUSED]),
        ("llm-01", &[(PITFALLS, "scalars_sent_as_text_are_read")]),
        (
            "med-02",
            &[REQUESTS, (PITFALLS, "bytes_of_a_file_arrive_as_they_are_in_a_part_with_a_name")],
        ),
        ("rsp-02", &[ANSWERS]),
        ("rsp-04", &[ANSWERS, (PITFALLS, "o6_no_answer_breaks_what_a_tool_says_of_its_answers")]),
        ("rsp-06", &[REQUESTS, ANSWERS]),
        ("rsp-08", &[ANSWERS]),
        ("run-02", &[(PITFALLS, "an_api_that_hangs_is_given_up_and_holds_up_nobody")]),
        ("run-04", &[(PITFALLS, "redirects_lose_no_body_and_carry_no_key_elsewhere")]),
        (
            "run-06",
            &[
                (
                    "tests/runtime/tests/it/tls.rs",
                    "a_certificate_is_trusted_when_its_authority_is_named",
                ),
                (
                    "tests/runtime/tests/it/tls.rs",
                    "a_proxy_gets_the_requests_that_leave_this_machine",
                ),
                ("tests/servers/tests/small.rs", "the_proxy_of_the_system_is_used"),
            ],
        ),
        ("ser-02", &[REQUESTS]),
        ("ser-03", &[REQUESTS]),
        ("ser-06", &[REQUESTS]),
        ("url-01", &[REQUESTS, REFUSED]),
        (
            "url-03",
            &[
                REQUESTS,
                (
                    "tests/runtime/tests/it/urls.rs",
                    "u4_a_path_of_the_document_stands_at_the_host_that_is_set",
                ),
            ],
        ),
        (
            "url-05",
            &[
                (
                    "tests/runtime/tests/it/urls.rs",
                    "u4_a_path_of_the_document_stands_at_the_host_that_is_set",
                ),
                (
                    "tests/runtime/tests/it/operated.rs",
                    "u5_a_server_that_does_not_know_where_the_api_is_is_not_ready",
                ),
            ],
        ),
    ]
};

const PITFALLS: &str = "tests/servers/tests/pitfalls.rs";

#[test]
fn collected_cases_that_need_a_running_server_are_held_by_tests_at_the_wire() {
    for (id, tests) in RUNNING {
        for (file, test) in *tests {
            let text = std::fs::read_to_string(root().join(file)).expect("the file of the test");
            let head = text.split(&format!("fn {test}()")).next().filter(|h| h.len() < text.len());
            let head = head.unwrap_or_else(|| panic!("{id}: no `{test}` in {file}"));
            let attribute = head.trim_end_matches("async ").trim_end().lines().next_back();
            assert!(attribute.is_some_and(|line| line.contains("test")), "{id}: {test}");
        }
    }
    let Some(cases) = cases() else {
        eprintln!("skipped: no folder of collected cases beside the repository");
        return;
    };
    let running = cases.iter().filter(|(_, case)| case["stage"] == "run").map(|(id, _)| id);
    let held: Vec<&str> = RUNNING.iter().map(|(id, _)| *id).collect();
    assert_eq!(running.collect::<Vec<_>>(), held);
}

#[test]
fn collected_cases_of_every_stage_are_made_with_all_their_operations() {
    let Some(cases) = cases() else {
        eprintln!("skipped: no folder of collected cases beside the repository");
        return;
    };
    for (id, case) in &cases {
        let text = case["minimal_input"].as_str().expect("a document");
        let made = make(id, text);
        let written = count_operations(text);
        assert_eq!(made.api.operations.len(), written, "{id}: operations");
        assert!(written > 0, "{id}: a case has operations");
    }
    assert!(cases.len() >= 38, "only {} cases", cases.len());
}
