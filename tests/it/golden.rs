//! Generated crates under `generated/` are what the documents under `specs/` give today.
//!
//! `UPDATE_GOLDEN=1` rewrites them; any other value is refused, so that a typo does not pass for a
//! check.

use std::collections::BTreeMap;
use std::path::Path;

use mcp_gen::codegen::{CrateFiles, Options, hooks};
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

/// Crates whose `src/hooks.rs` is written by hand.
const OWN_HOOKS: &[&str] = &["lending/lending-desk"];

/// A crate: its folder under `generated/`, its plan and its files.
type Made = (String, Plan, CrateFiles);

/// The crates for `specs/<name>`, one for each server; `previous` are the plans that are known.
fn make(name: &str, previous: &[Made]) -> Vec<Made> {
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
    let known = |folder: &str| {
        previous.iter().find(|(other, ..)| other == folder).map(|(_, plan, _)| plan.clone())
    };
    let parts = pipeline::split(&mut diagnostics, &api, &config);
    let all: Vec<_> = if parts.is_empty() {
        let plan = pipeline::plan(&mut diagnostics, &api, &config, known(name).as_ref());
        vec![(name.to_owned(), api, plan.expect("it is planned"))]
    } else {
        let folder = |server: &str| format!("{name}/{server}");
        let before = |server: &str| Ok(known(&folder(server)));
        let plans = pipeline::plan_parts(&mut diagnostics, &parts, None, &before);
        let plans = plans.expect("they are planned");
        parts
            .into_iter()
            .zip(plans)
            .map(|(part, plan)| (folder(&part.name), part.api, plan))
            .collect()
    };
    let options = Options { standalone: false };
    let made = all.into_iter().map(|(folder, api, plan)| {
        let files = pipeline::generate(&mut diagnostics, &plan, &api, &options)
            .unwrap_or_else(|| panic!("{folder}: {:#?}", diagnostics.sorted()));
        let all = api.operations.len();
        assert_eq!(plan.operations(), all, "{folder}: every operation is accounted for");
        (folder, plan, files)
    });
    made.collect()
}

#[test]
fn generated_crates_are_fresh() {
    let own = hooks::PATH;
    for (name, _, files) in specs().iter().flat_map(|name| make(name, &[])) {
        let dir = root().join("generated").join(&name);
        if updating() {
            output::write(&dir, &files, false).expect("generated/ can be written");
            continue;
        }
        let there: BTreeMap<_, _> = tree(&dir);
        for (path, text) in files.generated.iter().chain(&files.kept) {
            let found = there.get(path).map(|b| String::from_utf8_lossy(b).into_owned());
            if path == own && OWN_HOOKS.contains(&name.as_str()) {
                let found = found.expect("it is checked in");
                assert_ne!(found, *text, "{name}: its hooks are written by hand");
                assert_eq!(hooks::lacks(&found), Vec::<String>::new(), "{name}");
                continue;
            }
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
        let made = make(&name, &[]);
        assert!(made == make(&name, &[]), "{name}");
        for (one, next) in made.iter().zip(make(&name, &made)) {
            assert_eq!(
                one.1.to_yaml(),
                next.1.to_yaml(),
                "{}: the sticky plan moves something",
                one.0
            );
        }
    }
}
