//! Generated crates under `generated/` are what the documents under `specs/` give today.
//!
//! `UPDATE_GOLDEN=1` rewrites them; any other value is refused, so that a typo does not pass for a
//! check.

use std::collections::BTreeMap;
use std::path::Path;

use mcp_gen::codegen::{CrateFiles, Options};
use mcp_gen::config::Config;
use mcp_gen::diagnostic::Diagnostics;
use mcp_gen::plan::Plan;
use mcp_gen::source::{Source, Sources};
use mcp_gen::{output, pipeline};

use super::support::{root, tree};

/// Whether goldens are rewritten instead of compared.
pub fn updating() -> bool {
    match std::env::var("UPDATE_GOLDEN").as_deref() {
        Err(_) => false,
        Ok("1") => true,
        Ok(other) => panic!("UPDATE_GOLDEN is `{other}`; only `1` is known"),
    }
}

/// Names of the folders under `specs/`.
fn specs() -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(root().join("specs"))
        .expect("specs/ is there")
        .flatten()
        .filter(|e| e.path().join("openapi.yaml").is_file())
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.len() >= 3, "only {names:?} under specs/");
    names
}

/// Plan and crate for `specs/<name>`; `previous` is the plan that is checked in.
fn make(name: &str, previous: Option<&Plan>) -> (Plan, CrateFiles) {
    let folder = root().join("specs").join(name);
    let text = std::fs::read_to_string(folder.join("openapi.yaml")).expect("the spec is there");
    let config = match std::fs::read_to_string(folder.join("mcp-gen.yaml")) {
        Ok(text) => Config::from_yaml("mcp-gen.yaml", &text).expect("the config is fine"),
        Err(_) => Config::default(),
    };
    let mut diagnostics = Diagnostics::default();
    let mut sources = Sources::default();
    let source = Source { name: format!("specs/{name}/openapi.yaml"), text };
    let api = pipeline::read(&mut diagnostics, &mut sources, source).expect("the spec is read");
    let plan = pipeline::plan(&mut diagnostics, &api, &config, previous).expect("it is planned");
    let options = Options { standalone: false };
    let files = pipeline::generate(&mut diagnostics, &plan, &api, &options)
        .unwrap_or_else(|| panic!("{name}: {:#?}", diagnostics.sorted()));
    assert_eq!(plan.operations(), api.operations.len(), "{name}: every operation is accounted for");
    (plan, files)
}

#[test]
fn generated_crates_are_fresh() {
    for name in specs() {
        let (_, files) = make(&name, None);
        let dir = root().join("generated").join(&name);
        if updating() {
            output::write(&dir, &files, false).expect("generated/ can be written");
            continue;
        }
        let there: BTreeMap<_, _> = tree(&dir);
        for (path, text) in files.generated.iter().chain(&files.kept) {
            let found = there.get(path).map(|b| String::from_utf8_lossy(b).into_owned());
            assert!(
                found.as_deref() == Some(text),
                "generated/{name}/{path} is stale; `UPDATE_GOLDEN=1 cargo test --test it` renews it"
            );
        }
        let extra: Vec<_> = there
            .keys()
            .filter(|p| !files.generated.contains_key(*p) && !files.kept.contains_key(*p))
            .filter(|p| !output::is_foreign(Path::new(p)))
            .collect();
        assert!(extra.is_empty(), "generated/{name} holds {extra:?}, which nothing makes");
    }
}

/// G3.
#[test]
fn planning_twice_gives_the_same_bytes_and_the_plan_is_its_own_successor() {
    for name in specs() {
        let (plan, files) = make(&name, None);
        let (_, again) = make(&name, None);
        assert_eq!(files, again, "{name}");
        let (next, _) = make(&name, Some(&plan));
        assert_eq!(plan.to_yaml(), next.to_yaml(), "{name}: the sticky plan moves something");
    }
}
