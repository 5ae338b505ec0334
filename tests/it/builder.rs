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
