use super::*;

const DOCUMENT: &str = "\
openapi: 3.1.0
info: {title: Shop, version: '1', x-big: 12345678901234567890123}
tags: [{name: a}, {name: b}]
paths:
  /pets:
    get: {summary: List, tags: [a, b]}
    post: {summary: Add}
  /pets/{id}:
    get: {summary: One}
";

/// The document after the overlays, as JSON, and the findings as `id message`.
fn run(overlays: &[&str]) -> (Result<String, String>, Vec<String>) {
    let (mut diagnostics, mut sources) = (Diagnostics::default(), Sources::default());
    let limits = Limits::default();
    let source = |name: &str, text: &str| Source { name: name.to_owned(), text: text.to_owned() };
    let file = sources.add(source("shop.yaml", DOCUMENT));
    let mut root = text::parse(&mut diagnostics, file, DOCUMENT, &limits).expect("our own text");
    let overlays: Vec<_> = overlays.iter().map(|text| source("o.yaml", text)).collect();
    let result = apply(&mut diagnostics, &mut sources, &mut root, &overlays, &limits);
    let findings = diagnostics.iter().map(|d| format!("{} {}", d.code.id, d.message)).collect();
    (result.map(|()| root.to_json_text()).map_err(|e| e.to_string()), findings)
}

fn overlay(version: &str, actions: &str) -> String {
    format!("overlay: {version}\ninfo: {{title: T, version: '1'}}\nactions:\n{actions}")
}

/// After `actions` of version 1.1, `query` selects `expected` (as JSON), without any finding.
fn check(actions: &str, place: &str, expected: &str) {
    let (text, findings) = run(&[&overlay("1.1.0", actions)]);
    assert_eq!(findings, [""; 0], "{actions}");
    let json: serde_json::Value = serde_json::from_str(&text.unwrap()).expect("it is JSON");
    let found = json.pointer(place).map_or("nothing".to_owned(), ToString::to_string);
    assert_eq!(found, expected, "{actions}");
}

/// `actions` give exactly these findings.
fn odd(version: &str, actions: &str, expected: &[&str]) {
    let (text, findings) = run(&[&overlay(version, actions)]);
    assert!(text.is_ok(), "{text:?}");
    assert_eq!(findings, expected, "{actions}");
}

/// `text` cannot be applied as an overlay, and the message is this.
fn refused(text: &str, expected: &str) {
    let (result, _) = run(&[text]);
    assert_eq!(result.unwrap_err(), expected);
}

#[test]
fn an_update_merges_objects_and_replaces_single_values() {
    check("- {target: $.info, update: {title: New}}", "/info/title", "\"New\"");
    check("- {target: $.info, update: {contact: {name: A}}}", "/info/contact/name", "\"A\"");
    check("- {target: $.info, update: {title: New}}", "/info/version", "\"1\"");
    check("- {target: $, update: {paths: {/new: {get: {}}}}}", "/paths/~1new/get", "{}");
    check("- {target: $, update: {components: }}", "/components", "null");
    check("- {target: $, update: {paths: }}", "/paths/~1pets/post/summary", "\"Add\"");
}

#[test]
fn an_update_appends_to_lists() {
    check("- {target: $.tags, update: {name: c}}", "/tags/2/name", "\"c\"");
    check("- {target: $.tags, update: [{name: c}, {name: d}]}", "/tags/3/name", "\"d\"");
    let two = "- {target: \"$.paths['/pets'].get\", update: {tags: [c]}}";
    check(two, "/paths/~1pets/get/tags", "[\"a\",\"b\",\"c\"]");
}

#[test]
fn a_single_value_is_replaced() {
    check("- {target: $.info.title, update: New}", "/info/title", "\"New\"");
    check(
        "- {target: $.paths.*.get.summary, update: Read}",
        "/paths/~1pets~1{id}/get/summary",
        "\"Read\"",
    );
}

#[test]
fn remove_takes_out_members_and_elements() {
    check("- {target: \"$.paths['/pets'].post\", remove: true}", "/paths/~1pets/post", "nothing");
    check("- {target: '$.paths.*.get', remove: true}", "/paths/~1pets~1{id}", "{}");
    check("- {target: \"$.tags[?@.name=='a']\", remove: true}", "/tags", "[{\"name\":\"b\"}]");
    check("- {target: '$.tags[*]', remove: true}", "/tags", "[]");
    check("- {target: '$.tags[0,1,0]', remove: true}", "/tags", "[]");
    check("- {target: '$..*', remove: true}", "", "{}");
    check(
        "- {target: \"$.paths.*.get.tags[?@=='b']\", remove: true}",
        "/paths/~1pets/get/tags",
        "[\"a\"]",
    );
}

#[test]
fn copy_merges_what_stands_elsewhere() {
    let copy = "- {target: \"$.paths['/pets/{id}']\", copy: \"$.paths['/pets']\"}";
    check(copy, "/paths/~1pets~1{id}/post/summary", "\"Add\"");
    let rename = "- {target: $.paths, update: {/cats: {}}}\n- {target: \"$.paths['/cats']\", copy: \"$.paths['/pets']\"}\n- {target: \"$.paths['/pets']\", remove: true}";
    check(rename, "/paths/~1cats/post/summary", "\"Add\"");
    check(rename, "/paths/~1pets", "nothing");
}

#[test]
fn each_action_sees_the_result_of_the_one_before() {
    check(
        "- {target: '$.paths.*.get', update: {x-a: 1}}\n- {target: '$.paths[?@.get[\"x-a\"]==1].get', update: {x-b: 2}}",
        "/paths/~1pets~1{id}/get/x-b",
        "2",
    );
}

#[test]
fn overlays_apply_in_order_and_large_numbers_stay_exact() {
    let one = overlay("1.0.0", "- {target: $.info, update: {x-n: 98765432109876543210}}");
    let two = overlay(
        "1.0.0",
        "- {target: '$.info[?@ == 1]', remove: true}\n- {target: $.info, update: {title: B}}",
    );
    let (text, _) = run(&[&one, &two]);
    let text = text.unwrap();
    assert!(text.contains("\"x-big\":12345678901234567890123"), "{text}");
    assert!(text.contains("\"x-n\":98765432109876543210"), "{text}");
    assert!(text.contains("\"title\":\"B\""), "{text}");
}

#[test]
fn what_does_not_fit_is_said() {
    odd(
        "1.1.0",
        "- {target: $.info, update: text}",
        &[
            "incompatible-overlay-value the target is an object, and a string cannot be merged into it",
        ],
    );
    odd(
        "1.1.0",
        "- {target: $, update: {info: [1]}}",
        &["incompatible-overlay-value `info` is an object, and a list cannot be merged into it"],
    );
    odd(
        "1.1.0",
        "- {target: '$.info..*', update: {}}\n- {target: '$.paths..*', update: a}",
        &[
            "incompatible-overlay-value the target is a string, and an object cannot be merged into it",
            "incompatible-overlay-value the target selects objects, lists and single values at once; take one kind",
        ],
    );
    odd(
        "1.1.0",
        "- {target: $, remove: true}",
        &["incompatible-overlay-value the document as a whole cannot be removed"],
    );
    odd(
        "1.1.0",
        "- {target: $.info, copy: '$.paths.*'}\n- {target: $.info, copy: $.nothing}",
        &[
            "unclear-overlay-copy `$.paths.*` selects 2 values, and exactly one is needed",
            "unclear-overlay-copy `$.nothing` selects 0 values, and exactly one is needed",
        ],
    );
}

#[test]
fn what_has_no_effect_is_said() {
    odd(
        "1.0.0",
        "- {target: $.inof, remove: true}",
        &["overlay-without-match `$.inof` selects nothing"],
    );
    odd(
        "1.0.0",
        "- {target: $.info}\n- {update: {}}\n- text\n- {target: $.info, remove: yes, update: {}}",
        &[
            "idle-overlay-action the action says neither `update`, `copy` nor `remove: true`",
            "idle-overlay-action the action has no `target`",
            "idle-overlay-action an action must be an object, and this is a string",
            "idle-overlay-action `remove` must be true or false, and is a string",
        ],
    );
    odd(
        "1.1.0",
        "- {target: $.info.title, remove: true, update: a}\n- {target: $.info, updat: {}, remove: false}",
        &[
            "idle-overlay-action only the `remove` of the action counts",
            "unknown-overlay-field `updat` is not known here",
            "idle-overlay-action the action says neither `update`, `copy` nor `remove: true`",
        ],
    );
}

#[test]
fn what_came_with_a_later_version_is_said() {
    odd(
        "1.0.0",
        "- {target: $.info.title, update: a}\n- {target: $.tags, copy: '$.tags[0]'}",
        &[
            "other-overlay-version single values as targets came with version 1.1, and the overlay says 1.0",
            "other-overlay-version `copy` came with version 1.1, and the overlay says 1.0",
        ],
    );
    odd(
        "1.7.0",
        "- {target: $.info, update: {}}",
        &["other-overlay-version version `1.7.0` is not known; it is read as 1.1"],
    );
}

#[test]
fn what_is_no_path_is_said() {
    for (path, message) in [
        ("'$.paths./pets'", "is no JSONPath"),
        ("info", "is no JSONPath"),
        ("3", "a JSONPath is a text, and this is a number"),
        ("'$..a..b..c..d'", "descends with `..` more than 3 times"),
    ] {
        let (_, findings) =
            run(&[&overlay("1.1.0", &format!("- {{target: {path}, remove: true}}"))]);
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert!(findings[0].starts_with("invalid-overlay-path"), "{findings:?}");
        assert!(findings[0].contains(message), "{findings:?}");
    }
}

#[test]
fn what_is_no_overlay_is_refused() {
    refused(
        "openapi: 3.0.0\n",
        "o.yaml:1:1: this is no overlay: it has no `overlay: 1.0.0` (or 1.1.0) at its top",
    );
    refused(
        "overlay: 2.0.0\n",
        "o.yaml:1:10: overlays of version `2.0.0` are not known; 1.0 and 1.1 are",
    );
    refused("overlay: 1.0.0\n", "o.yaml:1:1: the overlay has no `actions`");
    refused(
        "overlay: 1.0.0\nactions: {}\n",
        "o.yaml:2:10: the `actions` of an overlay must be a list",
    );
}

#[test]
fn an_overlay_made_to_exhaust_is_stopped() {
    let doubling = "- {target: $.info, update: {x-l: [1]}}\n".to_owned()
        + &"- {target: '$.info[\"x-l\"]', copy: '$.info[\"x-l\"]'}\n".repeat(60);
    let (result, _) = run(&[&overlay("1.1.0", &doubling)]);
    assert!(result.unwrap_err().contains("select or add more than"));
    let nesting = (0..60)
        .map(|_| "- {target: '$..last', update: {}}\n- {target: '$.info', copy: '$.paths'}\n")
        .collect::<String>();
    assert!(run(&[&overlay("1.1.0", &nesting)]).0.is_ok());
    let deep = "- {target: $.info, update: {a: {}}}\n".to_owned()
        + &(0..12)
            .map(|n| {
                let place = ".a".repeat(1 << n);
                format!("- {{target: \"$.info{place}\", copy: $.info}}\n")
            })
            .collect::<String>();
    let (result, _) = run(&[&overlay("1.1.0", &deep)]);
    assert!(result.unwrap_err().contains("nested more than"), "depth is bounded");
    let wide = format!("- {{target: \"${}\", remove: true}}", "['a','a','a']".repeat(200));
    odd("1.1.0", &wide, &["invalid-overlay-path the path selects more than 10000 values of each"]);
    let parentheses =
        format!("- {{target: \"$[?{}@.a{}]\", remove: true}}", "(".repeat(900), ")".repeat(900));
    odd("1.1.0", &parentheses, &["invalid-overlay-path the path is nested more than 24 deep"]);
}
