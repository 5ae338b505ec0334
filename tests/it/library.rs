//! The library as others depend on it: light without the command line, and its own types only.

use std::process::Command;

use super::support::{root, tree};

/// The crates that building the library without features takes.
fn light() -> Vec<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let line =
        "tree --package mcp-gen --no-default-features --edges normal --prefix none --offline";
    let output = Command::new(cargo).current_dir(root()).args(line.split(' ')).output();
    let output = output.expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("it is UTF-8");
    let mut names: Vec<_> =
        text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn a_build_dependency_takes_no_crate_of_command_lines_terminals_or_connections() {
    let names = light();
    assert!(names.len() > 20 && names.contains(&"mcp-gen".to_owned()), "{names:?}");
    for word in ["clap", "anstream", "anstyle", "annotate", "signal", "terminal", "ureq", "rustls"]
    {
        let found: Vec<_> = names.iter().filter(|name| name.contains(word)).collect();
        assert!(found.is_empty(), "{found:?}");
    }
    assert!(names.len() <= 70, "{} crates; ARCHITECTURE.md says how many", names.len());
}

/// Lines that begin an item which others see, where the module is one that they see too.
#[test]
fn no_public_item_has_a_type_of_the_reader_or_of_the_yaml_crate() {
    let mut seen = 0;
    for (file, bytes) in tree(&root().join("src")) {
        let text = String::from_utf8(bytes).expect("sources are UTF-8");
        if !text.contains("openapiv3") && !text.contains("serde_yaml") {
            continue;
        }
        // Files that know these crates are private modules, and what leaves them is named there.
        seen += 1;
        let (folder, name) = file.rsplit_once('/').expect("none lies at the top");
        let name = name.trim_end_matches(".rs");
        let parent = std::fs::read_to_string(root().join("src").join(folder).join("mod.rs"));
        let parent = parent.expect("each folder has its mod.rs");
        assert!(parent.contains(&format!("\nmod {name};")), "{file} is a public module");
        let foreign = ["openapiv3", "serde_yaml", "Typed"];
        for line in text.lines().filter(|line| line.trim_start().starts_with("pub ")) {
            assert!(!foreign.iter().any(|word| line.contains(word)), "src/{file}: {line}");
        }
        for line in parent.lines().filter(|line| line.trim_start().starts_with("pub use")) {
            let leaves = line.contains(&format!("{name}::"));
            assert!(!leaves || line == "pub use read::PlanError;", "src/{folder}/mod.rs: {line}");
        }
    }
    assert!(seen >= 3, "only {seen} files know these crates");
}
