//! The rules of the house: who imports whom, how long files are, that ids are unique.

use std::collections::BTreeSet;
use std::path::Path;

use super::support::{root, tree};

/// Rows of modules, the lowest first. A module imports from lower rows and, where it is named, its own.
const ROWS: &[&[&str]] = &[
    &["source", "diagnostic", "error"],
    &["ir", "config", "plan"],
    &["openapi", "planner", "bind", "codegen", "diff"],
    &["pipeline", "report", "remote", "output"],
    &["main", "cli", "builder"],
];

/// Imports within a row that are meant: (who, whom).
const NEIGHBOURS: &[(&str, &str)] = &[
    ("diagnostic", "source"),
    ("error", "source"),
    ("error", "diagnostic"),
    // The wire form of a schema needs the places that plans name.
    ("ir", "plan"),
    // A bound plan is the data between the two.
    ("codegen", "bind"),
    ("pipeline", "output"),
    // Copies of fetched documents are written as all else is.
    ("remote", "output"),
    ("pipeline", "report"),
];

/// Longest file, in lines.
const LONGEST: usize = 500;

fn row(module: &str) -> usize {
    ROWS.iter()
        .position(|row| row.contains(&module))
        .unwrap_or_else(|| panic!("module `{module}` has no row in tests/it/tidy.rs"))
}

/// Names after `crate::` in a line that is code.
fn imports(line: &str) -> BTreeSet<&str> {
    let code = line.trim_start();
    if code.starts_with("//") {
        return BTreeSet::new();
    }
    code.split("crate::")
        .skip(1)
        .filter_map(|rest| {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
            Some(&rest[..end]).filter(|name| !name.is_empty())
        })
        .collect()
}

#[test]
fn a_module_imports_only_from_lower_rows() {
    let mut checked = 0;
    for (file, bytes) in tree(&root().join("src")) {
        let text = String::from_utf8(bytes).expect("sources are UTF-8");
        let module = file.split(['/', '.']).next().expect("a path has a first part");
        if module == "lib" {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            for name in imports(line) {
                let fine = name == module
                    || row(name) < row(module)
                    || NEIGHBOURS.contains(&(module, name));
                assert!(fine, "src/{file}:{} imports `{name}`", number + 1);
                checked += 1;
            }
        }
    }
    assert!(checked > 50, "only {checked} imports were seen");
}

#[test]
fn only_the_reader_knows_openapiv3_and_few_know_the_yaml_crate() {
    for (file, bytes) in tree(&root().join("src")) {
        let text = String::from_utf8(bytes).expect("sources are UTF-8");
        let says = |word: &str| {
            text.lines().any(|l| !l.trim_start().starts_with("//") && l.contains(word))
        };
        assert!(!says("openapiv3") || file.starts_with("openapi/"), "src/{file}");
        assert!(
            !says("serde_yaml") || file == "plan/read.rs" || file.starts_with("openapi/"),
            "src/{file}"
        );
        assert!(!says("askama") || file == "codegen/templates.rs", "src/{file}");
        assert!(!says("clap::") || file.starts_with("cli/"), "src/{file}");
    }
}

#[test]
fn files_own_one_thing_and_stay_short() {
    for folder in ["src", "templates/runtime"] {
        for (file, bytes) in tree(&root().join(folder)) {
            // A file of tests alone is a table of cases; it is as long as there are cases.
            if file.ends_with("tests.rs") || file.contains("/tests/") {
                continue;
            }
            let lines = bytes.split(|b| *b == b'\n').count();
            assert!(lines <= LONGEST, "{folder}/{file} has {lines} lines");
        }
    }
}

#[test]
fn finding_ids_are_unique_and_kebab_case() {
    let mut seen = BTreeSet::new();
    for code in mcp_gen::diagnostic::CODES.iter().flat_map(|list| list.iter()) {
        assert!(seen.insert(code.id), "`{}` stands twice", code.id);
        assert!(code.id.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "`{}`", code.id);
        assert!(code.explanation.ends_with('.'), "`{}` explains in whole sentences", code.id);
    }
    assert!(!seen.is_empty());
}

#[test]
fn no_manifest_under_templates_hides_the_folder_from_the_package() {
    for file in tree(&root().join("templates")).keys() {
        assert_ne!(Path::new(file).file_name().expect("a file"), "Cargo.toml", "{file}");
    }
}
