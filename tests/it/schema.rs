//! The JSON Schemas of what mcp-gen reads and writes, and the configuration to start from.

use std::path::Path;

use serde_json::Value as Json;

use super::golden::updating;
use super::support::{root, run_in, tree};

fn schema(of: &str) -> String {
    let said = run_in(&root(), &["schema", of], "");
    assert_eq!(said.status, 0, "{said:?}");
    said.out
}

/// What is wrong with `value` by the schema of `of`, if anything.
fn fault(of: &str, value: &Json) -> Option<String> {
    let mut schemas = boon::Schemas::new();
    let mut compiler = boon::Compiler::new();
    let schema = serde_json::from_str(&schema(of)).expect("it is JSON");
    compiler.add_resource("mem:///schema.json", schema).expect("it is a schema");
    let index = compiler.compile("mem:///schema.json", &mut schemas).expect("it is a schema");
    schemas.validate(value, index).err().map(|e| format!("{e:#}"))
}

fn yaml(text: &str) -> Json {
    serde_yaml::from_str(text).expect("it is YAML")
}

#[test]
fn schemas_are_fresh() {
    for of in ["config", "plan", "diff"] {
        let path = root().join(format!("generated/reference/{of}.schema.json"));
        if updating() {
            std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("a folder");
            std::fs::write(&path, schema(of)).expect("generated/ can be written");
            continue;
        }
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            there == schema(of),
            "generated/reference/{of}.schema.json is stale; `UPDATE_GOLDEN=1 cargo test --test it` renews it"
        );
    }
}

#[test]
fn the_plans_that_are_checked_in_fit_their_schema_which_their_first_line_names() {
    let mut seen = 0;
    for (file, bytes) in tree(&root().join("generated")) {
        if !file.ends_with("/mcp-plan.yaml") {
            continue;
        }
        seen += 1;
        let text = String::from_utf8(bytes).expect("plans are UTF-8");
        assert_eq!(fault("plan", &yaml(&text)), None, "{file}");
        let first = text.lines().next().unwrap_or_default();
        let name = first.strip_prefix("# yaml-language-server: $schema=").expect("it names one");
        let beside = root().join("generated").join(&file).with_file_name(name);
        let beside = std::fs::read_to_string(beside).expect("it stands beside the plan");
        let mut beside: Json = serde_json::from_str(&beside).expect("it is JSON");
        beside.as_object_mut().expect("an object").shift_remove("$comment");
        assert_eq!(beside, serde_json::from_str::<Json>(&schema("plan")).expect("it is JSON"));
        let wrong = text.replacen("posture: primary", "posture: main", 1);
        assert!(fault("plan", &yaml(&wrong)).is_some(), "{file}");
    }
    assert!(seen >= 3, "only {seen} plans");
}

#[test]
fn the_configurations_in_the_guide_fit_the_schema_and_are_read() {
    let text = std::fs::read_to_string(root().join("docs/configuration.md")).expect("it is there");
    let blocks: Vec<&str> = text
        .split("```yaml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .filter(|block| block.contains("max-primary") || block.starts_with("tools:"))
        .collect();
    assert_eq!(blocks.len(), 1, "{blocks:?}");
    for block in blocks {
        assert_eq!(fault("config", &yaml(block)), None, "{block}");
        // And each of its lines has an effect on the document that the guide speaks of.
        let dir = tempfile::tempdir().expect("a folder for temporary files");
        let file = dir.path().join("mcp-gen.yaml");
        let paths = ["overlays:", "allow-refs:"];
        let without = block.lines().filter(|l| !paths.iter().any(|p| l.starts_with(p)));
        let without: String = without.map(|l| format!("{l}\n")).collect();
        std::fs::write(&file, without).expect("it can be written");
        let file = file.to_str().expect("UTF-8");
        let plan = dir.path().join("plan.yaml");
        let plan = ["-o", plan.to_str().expect("UTF-8")];
        let spec = "specs/warehouse/openapi.yaml";
        for _ in ["afresh", "followed"] {
            let args = [&["plan", spec, "--config", file][..], &plan].concat();
            let said = run_in(&root(), &args, "");
            assert_eq!(said.status, 0, "{said:?}");
            assert!(!said.err.contains(file), "{}", said.err);
            assert!(said.err.contains("  find_stock "), "{}", said.err);
        }
    }
    assert!(fault("config", &yaml("max-primry: 1")).is_some());
    assert!(fault("config", &yaml("operations: {'*': {posture: main}}")).is_some());
}

#[test]
fn what_diff_prints_fits_its_schema() {
    let dir = root().join("tests/fixtures/diff/argument-required");
    let (old, new) = (dir.join("old.yaml"), dir.join("new.yaml"));
    let path = |p: &Path| p.to_str().expect("UTF-8").to_owned();
    let said = run_in(&root(), &["diff", &path(&old), &path(&new), "--format", "json"], "");
    let value: Json = serde_json::from_str(&said.out).expect("it is JSON");
    assert!(!value["changes"].as_array().expect("a list").is_empty());
    assert_eq!(fault("diff", &value), None);
    let wrong = said.out.replace("\"breaking\"", "\"worse\"");
    assert!(fault("diff", &serde_json::from_str(&wrong).expect("it is JSON")).is_some());
}

fn init(document: &Path) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let file = dir.path().join("mcp-gen.yaml");
    let names = [document.to_str().expect("UTF-8"), file.to_str().expect("UTF-8")];
    let said = run_in(&root(), &["init", names[0], "-o", names[1]], "");
    assert_eq!(said.status, 0, "{said:?}");
    let text = std::fs::read_to_string(&file).expect("it was written");
    (dir, text)
}

#[test]
fn the_start_that_init_writes_gives_the_plan_that_there_is_without_it() {
    for name in ["pitfalls", "repair-cafe", "thorns", "warehouse"] {
        let document = root().join("specs").join(name).join("openapi.yaml");
        let (dir, text) = init(&document);
        let (document, file) = (document.to_str().expect("UTF-8"), dir.path().join("mcp-gen.yaml"));
        let file = file.to_str().expect("UTF-8");
        let none = dir.path().join("none.yaml");
        std::fs::write(&none, "").expect("it can be written");
        let none = none.to_str().expect("UTF-8");
        let without = run_in(&root(), &["plan", document, "--config", none], "");
        let with = run_in(&root(), &["plan", document, "--config", file], "");
        assert_eq!(with.out, without.out, "{name}");
        // Every line that is offered can be taken, and none of them is idle.
        let taken: String = text
            .lines()
            .map(|l| l.strip_prefix('#').filter(|r| !r.starts_with(' ') || r.starts_with("  ")))
            .zip(text.lines())
            .map(|(taken, line)| format!("{}\n", taken.unwrap_or(line)))
            .collect();
        let taken = taken.replace("max-tokens: 10000", "max-tokens: 100000");
        std::fs::write(file, &taken).expect("it can be written");
        let all = run_in(&root(), &["plan", document, "--config", file], "");
        assert_eq!(all.status, 0, "{all:?}\n{taken}");
        for id in ["pattern-matches-nothing", "unknown-tool"] {
            assert!(!all.err.contains(id), "{}\n{taken}", all.err);
        }
    }
}

#[test]
fn init_replaces_nothing_that_is_there_unless_it_is_told_to() {
    let document = root().join("specs/repair-cafe/openapi.yaml");
    let (dir, text) = init(&document);
    let file = dir.path().join("mcp-gen.yaml");
    std::fs::write(&file, "mine: [").expect("it can be written");
    let names = [document.to_str().expect("UTF-8"), file.to_str().expect("UTF-8")];
    let said = run_in(&root(), &["init", names[0], "-o", names[1]], "");
    assert_eq!(said.status, 2, "{said:?}");
    assert!(said.err.contains("--force"), "{said:?}");
    assert_eq!(std::fs::read_to_string(&file).expect("it is there"), "mine: [");
    let said = run_in(&root(), &["init", names[0], "-o", names[1], "--force"], "");
    assert_eq!(said.status, 0, "{said:?}");
    assert_eq!(std::fs::read_to_string(&file).expect("it is there"), text);
}
