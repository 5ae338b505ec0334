//! `x-mcp`: what it says at each place, and what is wrong with it.

use super::read_text;
use crate::ir::Hints;

/// A document with `x-mcp: HINTS` at each place, by name.
fn at(place: &str, hints: &str) -> String {
    let put = |here: &str| if here == place { format!("x-mcp: {hints}") } else { "x-a: 1".into() };
    format!(
        "openapi: 3.1.0\n{}\ninfo: {{title: A, version: '1', {}}}\nservers: [{{url: 'https://a.example', {}}}]\ntags: [{{name: t, {}}}]\npaths:\n  /a:\n    {}\n    post:\n      operationId: a\n      tags: [t]\n      {}\n      parameters: [{{name: p, in: query, schema: {{type: string, {}}}, {}}}, {{$ref: '#/components/parameters/Q', {}}}]\n      requestBody: {{{}, content: {{application/json: {{{}}}}}}}\n      responses: {{'200': {{description: ok, {}}}}}\ncomponents:\n  {}\n  parameters: {{Q: {{name: q, in: query, schema: {{example: {{x-mcp: 1}}}}, {}}}}}\n",
        put("root"),
        put("info"),
        put("server"),
        put("tag"),
        put("path"),
        put("operation"),
        put("schema"),
        put("parameter"),
        put("reference"),
        put("body"),
        put("media"),
        put("response"),
        put("components"),
        put("component"),
    )
}

/// The findings as `id: message; help`.
fn findings(place: &str, hints: &str) -> Vec<String> {
    let text = at(place, hints);
    let (mut diagnostics, mut sources) = Default::default();
    let root = crate::source::Source { name: "<test>".to_owned(), text };
    super::super::read(&mut diagnostics, &mut sources, root, &crate::openapi::Beside::default())
        .expect("it is a document");
    let line = |d: &&crate::diagnostic::Diagnostic| {
        format!("{}: {}; {}", d.code.id, d.message, d.help.as_deref().unwrap_or("-"))
    };
    diagnostics.sorted().iter().map(line).collect()
}

#[test]
fn mistakes_are_named_at_every_place() {
    let all = "it knows `name`, `title`, `description`, `skip`, `group`, `posture`";
    for (places, hints, found) in [
        (
            &["operation", "path"][..],
            "{nmae: a}",
            "unknown-hint: `x-mcp` knows no `nmae`; did you mean `name`?".to_owned(),
        ),
        (
            &["tag"],
            "{gruop: a}",
            "unknown-hint: `x-mcp` knows no `gruop`; did you mean `group`?".to_owned(),
        ),
        (
            &["parameter", "reference", "component"],
            "{Name: a}",
            "unknown-hint: `x-mcp` knows no `Name`; did you mean `name`?".to_owned(),
        ),
        (
            &["operation"],
            "{colour: red}",
            format!("unknown-hint: `x-mcp` knows no `colour`; on an operation {all}"),
        ),
        (
            &["path"],
            "{colour: red}",
            format!("unknown-hint: `x-mcp` knows no `colour`; on a path {all}"),
        ),
        (
            &["tag"],
            "{colour: red}",
            "unknown-hint: `x-mcp` knows no `colour`; on a tag it knows `skip`, `group`, `posture`"
                .to_owned(),
        ),
        (
            &["tag"],
            "{description: a}",
            "unknown-hint: `description` has no effect in `x-mcp` of a tag; on a tag it knows `skip`, `group`, `posture`"
                .to_owned(),
        ),
        (
            &["operation"],
            "{argument: true}",
            format!("unknown-hint: `argument` has no effect in `x-mcp` of an operation; on an operation {all}"),
        ),
        (
            &["parameter", "reference", "component"],
            "{skip: true}",
            "unknown-hint: `skip` has no effect in `x-mcp` of a parameter; on a parameter it knows `name`, `argument`"
                .to_owned(),
        ),
        (
            &["operation", "path", "parameter", "reference", "component"],
            "{name: 5}",
            "unexpected-value: `name` is a number where text must stand; -".to_owned(),
        ),
        (
            &["operation", "path", "tag"],
            "{group: [a]}",
            "unexpected-value: `group` is a list where text must stand; -".to_owned(),
        ),
        (
            &["operation", "path", "tag"],
            "{skip: yes}",
            "unexpected-value: `skip` is a string where a boolean must stand; -".to_owned(),
        ),
        (
            &["operation", "path", "tag"],
            "{posture: true}",
            "unexpected-value: `posture` is a boolean where text must stand; -".to_owned(),
        ),
        (
            &["operation", "path", "tag"],
            "{posture: loud}",
            "unknown-hint: `loud` is no posture; a posture is `primary`, `secondary` or `catalog`"
                .to_owned(),
        ),
        (
            &["operation", "path", "tag"],
            "{posture: Catalogue}",
            "unknown-hint: `Catalogue` is no posture; did you mean `catalog`?".to_owned(),
        ),
        (
            &["operation", "path", "parameter", "reference", "component"],
            "{name: ''}",
            "unknown-hint: `name` in `x-mcp` is empty and has no effect; -".to_owned(),
        ),
        (
            &["operation", "path", "tag", "parameter", "reference", "component"],
            "[name]",
            "unexpected-value: `x-mcp` is a list where an object must stand; -".to_owned(),
        ),
        (
            &["parameter", "reference", "component"],
            "false",
            "unexpected-value: `x-mcp` is a boolean where an object must stand; -".to_owned(),
        ),
        (
            &["root", "info", "server", "schema", "body", "media", "response", "components"],
            "{name: a}",
            "unknown-hint: `x-mcp` has no effect at this place; it is read on operations, paths, tags and parameters"
                .to_owned(),
        ),
    ] {
        for place in places {
            assert_eq!(findings(place, hints), [found.as_str()], "{place}: {hints}");
        }
    }
}

/// What the operation is left with.
fn check(place: &str, hints: &str, expected: &Hints) {
    let (api, found) = read_text(&at(place, hints));
    let api = api.expect("it is a document");
    assert!(found.is_empty(), "{place}: {hints}: {found:?}");
    let of = if place == "tag" { &api.tags[0].hints } else { &api.operations[0].hints };
    assert_eq!(of, expected, "{place}: {hints}");
}

#[test]
fn hints_are_read_at_every_place_that_has_them() {
    let text = |t: &str| Some(t.to_owned());
    for place in ["operation", "path"] {
        let words = Hints { name: text("n"), title: text("t"), ..Hints::default() };
        check(place, "{name: n, title: t}", &words);
        check(place, "{description: d}", &Hints { description: text("d"), ..Hints::default() });
    }
    for place in ["operation", "path", "tag"] {
        let skip = Hints { skip: true, ..Hints::default() };
        check(place, "{skip: true}", &skip);
        check(place, "false", &skip);
        check(place, "true", &Hints::default());
        let group = Hints { group: text("g"), posture: text("secondary"), ..Hints::default() };
        check(place, "{group: g, posture: secondary}", &group);
    }
    for (place, index) in [("parameter", 0), ("reference", 1), ("component", 1)] {
        let (api, found) = read_text(&at(place, "{name: n}"));
        let api = api.expect("it is a document");
        assert!(found.is_empty(), "{place}: {found:?}");
        assert_eq!(api.operations[0].parameters[index].hint_name.as_deref(), Some("n"), "{place}");
    }
}

#[test]
fn what_an_operation_says_counts_against_its_path() {
    for (own, skipped) in [("{skip: false}", false), ("true", false), ("{name: n}", true)] {
        let text = at("operation", own).replacen("x-a: 1\n    post", "x-mcp: false\n    post", 1);
        assert_eq!(read_text(&text).0.expect("a document").operations[0].hints.skip, skipped);
    }
}
