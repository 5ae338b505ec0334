//! Servers in build scripts.

use std::path::Path;

use mcp_gen::Builder;

use super::support::{root, tree};

const NOTES: &str = "openapi: 3.1.0
info: {title: Notes, version: '1'}
servers: [{url: 'https://notes.example'}]
paths:
  /notes:
    get: {operationId: list, summary: List notes, responses: {'200': {description: All}}}
  /internal:
    get: {operationId: internal, summary: Get internals, responses: {'200': {description: All}}}
";

const OVERLAY: &str = "overlay: 1.0.0
info: {title: Less, version: '1'}
actions: [{target: \"$.paths['/internal']\", remove: true}]
";

fn put(dir: &Path, name: &str, text: &str) -> std::path::PathBuf {
    let path = dir.join(name);
    std::fs::write(&path, text).expect("it can be written");
    path
}

fn builder(dir: &Path, document: &str) -> Builder {
    let document = put(dir, "openapi.yaml", document);
    Builder::new(document).out_dir(dir.join("out")).cargo_directives(false)
}

#[test]
fn a_module_and_its_data_are_written_once() {
    let dir = tempfile::tempdir().expect("a folder");
    put(dir.path(), "mcp-gen.yaml", "name: shop\n");
    let overlay = put(dir.path(), "less.yaml", OVERLAY);
    let build = || {
        let made = builder(dir.path(), NOTES).overlay(&overlay).hooks("crate::Mine").generate();
        made.unwrap_or_else(|error| panic!("{error}"))
    };
    let made = build();
    assert_eq!(made.plan.server, "shop");
    assert_eq!(made.plan.operations(), 1, "the overlay leaves one");
    let out = dir.path().join("out");
    let files: Vec<String> = tree(&out).into_keys().collect();
    assert_eq!(files, ["mcp_server.rs", "mcp_server/schemas.json", "mcp_server/tools.json"]);
    let module = std::fs::read_to_string(&made.module).expect("the module");
    assert!(module.contains("crate::Mine)") && !module.contains("/internal"), "{module}");
    assert!(!module.contains(&dir.path().display().to_string()), "no path of this machine");
    let read: Vec<_> = made.read.iter().filter_map(|p| p.file_name()?.to_str()).collect();
    assert_eq!(read, ["less.yaml", "mcp-gen.yaml", "openapi.yaml"]);
    let stamp = |path: &Path| std::fs::metadata(path).and_then(|m| m.modified()).expect("a time");
    let before = stamp(&made.module);
    assert_eq!(stamp(&build().module), before, "what is the same is not written");
}

#[test]
fn a_plan_that_is_checked_in_is_followed_as_it_stands() {
    let dir = tempfile::tempdir().expect("a folder");
    let plan = root().join("generated/repair-cafe/mcp-plan.yaml");
    let text = std::fs::read_to_string(&plan).expect("the plan");
    let renamed = text.replace("read_repairs", "look_at_repairs");
    let plan = put(dir.path(), "mcp-plan.yaml", &renamed);
    let made = Builder::new(root().join("specs/repair-cafe/openapi.yaml"))
        .plan(plan)
        .out_dir(dir.path().join("out"))
        .file_name("cafe.rs")
        .cargo_directives(false)
        .generate()
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(made.plan.tools.iter().any(|t| t.name == "look_at_repairs"));
    assert!(made.module.ends_with("cafe.rs"));
}

#[test]
fn errors_name_their_place_and_nothing_is_written() {
    let dir = tempfile::tempdir().expect("a folder");
    let empty = "openapi: 3.1.0\ninfo: {title: Notes, version: '1'}\npaths: {}\n";
    let error = builder(dir.path(), empty).generate().expect_err("there is nothing to serve");
    let name = dir.path().join("openapi.yaml").display().to_string();
    let said = format!("{name}:1:1: the document has no operations [document-without-operations]");
    assert_eq!(error.to_string(), said);
    assert!(!dir.path().join("out").exists());
    let error = builder(dir.path(), NOTES).file_name("../a.rs").generate();
    assert!(error.expect_err("a path").to_string().contains("`file_name`"));
    let error = Builder::new("nowhere.yaml").out_dir(dir.path()).cargo_directives(false).generate();
    assert!(error.expect_err("no file").to_string().contains("nowhere.yaml"));
}

/// A value of each key of the configuration, and whether it shows in the module for [`NOTES`].
fn values() -> Vec<(&'static str, serde_json::Value, bool)> {
    use serde_json::json;
    let both = "GET /notes";
    vec![
        ("name", json!("shop"), true),
        ("max-primary", json!(1), true),
        ("max-actions", json!(1), false),
        ("max-arguments", json!(1), false),
        ("max-tokens", json!(50), true),
        ("include", json!([both]), true),
        ("exclude", json!([both]), true),
        ("overlays", json!(["less.yaml"]), true),
        ("allow-refs", json!(["."]), false),
        ("remote-refs", json!(true), false),
        ("output", json!("elsewhere"), false),
        ("workspace-member", json!(true), false),
        ("tools", json!({"all": {"operations": ["GET *"]}}), true),
        ("operations", json!({both: {"name": "see_notes"}}), true),
        ("toolsets", json!({"some": [both]}), true),
        ("array-format", json!("comma"), true),
        ("output-schemas", json!(true), false),
        ("split", json!({"one": [both], "two": ["GET /internal"]}), true),
    ]
}

#[test]
fn every_key_of_the_configuration_means_the_same_in_the_file_and_in_the_builder() {
    let schema = mcp_gen::config::json_schema();
    let known: Vec<_> = schema["properties"].as_object().expect("keys").keys().cloned().collect();
    let mut taken: Vec<_> = values().into_iter().map(|(key, ..)| key.to_owned()).collect();
    taken.sort();
    let mut sorted = known;
    sorted.sort();
    assert_eq!(taken, sorted, "each key has a value here");
    let run = |made: Builder, dir: &Path| {
        made.generate().unwrap_or_else(|error| panic!("{error}"));
        tree(&dir.join("out"))
    };
    for (key, value, shows) in values() {
        let make = |option: bool, file: bool| {
            let dir = tempfile::tempdir().expect("a folder");
            put(dir.path(), "less.yaml", OVERLAY);
            let mut made = builder(dir.path(), NOTES);
            if file {
                let text = serde_json::json!({key: value}).to_string();
                put(dir.path(), "mcp-gen.yaml", &text);
            }
            // What the file says of crates is no concern of a module, and no option.
            if option && !["output", "workspace-member"].contains(&key) {
                // The paths of an option start from the folder of the package.
                let value = match key {
                    "overlays" => serde_json::json!([dir.path().join("less.yaml")]),
                    "allow-refs" => serde_json::json!([dir.path()]),
                    _ => value.clone(),
                };
                made = made.option(key, value);
            }
            if key == "split" && (option || file) {
                made = made.server("one");
            }
            run(made, dir.path())
        };
        let (option, file, neither) = (make(true, false), make(false, true), make(false, false));
        assert!(option == file, "{key}: the file and the builder differ");
        assert_eq!(option != neither, shows, "{key}");
    }
}

#[test]
fn a_configuration_that_asks_for_nothing_changes_nothing() {
    let document = std::fs::read_to_string(root().join("specs/repair-cafe/openapi.yaml"));
    let document = document.expect("the spec is there");
    let made = |config: Option<&str>| {
        let dir = tempfile::tempdir().expect("a folder");
        if let Some(text) = config {
            put(dir.path(), "mcp-gen.yaml", text);
        }
        builder(dir.path(), &document).generate().unwrap_or_else(|error| panic!("{error}"));
        tree(&dir.path().join("out"))
    };
    assert!(made(None) == made(Some("{}\n")));
}

#[test]
fn an_option_counts_before_the_file_and_a_wrong_one_names_the_nearest_key() {
    let dir = tempfile::tempdir().expect("a folder");
    put(dir.path(), "mcp-gen.yaml", "name: shop\ninclude: ['GET /notes']\n");
    let made = builder(dir.path(), NOTES).option("name", "store").generate();
    let made = made.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((made.plan.server.as_str(), made.plan.covered()), ("store", 1));
    let both = vec!["GET /internal"];
    let made = builder(dir.path(), NOTES).option("include", both).generate();
    assert_eq!(made.unwrap_or_else(|error| panic!("{error}")).plan.covered(), 2, "lists add");
    let wrong = builder(dir.path(), NOTES).option("max-primery", 3).generate();
    assert!(wrong.expect_err("a key").to_string().contains("did you mean `max-primary`?"));
    let wrong = builder(dir.path(), NOTES).option("max-actions", 0).generate();
    assert!(wrong.expect_err("a value").to_string().contains("must be at least 1"));
}

#[test]
fn an_option_about_the_crate_of_the_command_is_refused_with_what_says_it_here() {
    let dir = tempfile::tempdir().expect("a folder");
    let values = [("output", serde_json::json!("x"), "`out_dir` says where")];
    let member = ("workspace-member", serde_json::json!(true), "the crate that includes it");
    for (key, value, says) in values.into_iter().chain([member]) {
        let wrong = builder(dir.path(), NOTES).option(key, value).generate();
        let wrong = wrong.expect_err("no such effect").to_string();
        assert!(wrong.contains(&format!("`{key}`")) && wrong.contains(says), "{wrong}");
        assert!(!dir.path().join("out").exists());
    }
}

#[test]
fn one_server_of_several_is_made_and_another_name_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    put(dir.path(), "mcp-gen.yaml", "split: {one: ['GET /notes'], two: ['GET /internal']}\n");
    let made = builder(dir.path(), NOTES).server("two").generate();
    let made = made.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((made.plan.server.as_str(), made.plan.operations()), ("two", 1));
    let module = std::fs::read_to_string(&made.module).expect("the module");
    assert!(module.contains("\"/internal\"") && !module.contains("\"/notes\""), "{module}");
    let error = builder(dir.path(), NOTES).generate().expect_err("which one?").to_string();
    assert_eq!(error, "`server` must name one of `one`, `two`");
    let error = builder(dir.path(), NOTES).server("three").generate().expect_err("no such one");
    assert!(error.to_string().contains("`one`, `two`"), "{error}");
    std::fs::remove_file(dir.path().join("mcp-gen.yaml")).expect("it was there");
    let error = builder(dir.path(), NOTES).server("one").generate().expect_err("no split");
    assert!(error.to_string().contains("has no `split`"), "{error}");
}
