//! What the README shows is what the command says today.

use super::support::{root, run_in};

/// The commands `mcp-gen SPEC -o DIR` of the README, each with the lines shown below it.
fn shown() -> Vec<(String, Vec<String>)> {
    let text = std::fs::read_to_string(root().join("README.md")).expect("README.md is there");
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        if line.starts_with("$ ") || line.starts_with("```") {
            let command = line.trim_start_matches("$ ");
            let spec = command
                .strip_prefix("mcp-gen ")
                .or_else(|| command.strip_prefix("cargo run -- "))
                .and_then(|rest| rest.split(' ').next());
            open = spec.is_some_and(|s| s.starts_with("specs/"));
            if let Some(spec) = spec.filter(|_| open) {
                found.push((spec.to_owned(), Vec::new()));
            }
        } else if open && let Some((_, lines)) = found.last_mut() {
            lines.push(line.to_owned());
        }
    }
    // A command that shows nothing has nothing to hold.
    found.retain(|(_, lines)| !lines.is_empty());
    found
}

#[test]
fn the_plans_in_the_readme_are_the_plans_of_today() {
    let shown = shown();
    assert_eq!(shown.len(), 2, "{shown:?}");
    for (spec, lines) in shown {
        let dir = tempfile::tempdir().expect("a folder for temporary files");
        let fresh = dir.path().join("fresh");
        let said = run_in(&root(), &[&spec, "-o", fresh.to_str().expect("UTF-8")], "");
        let all: Vec<_> = said.err.lines().collect();
        for line in lines.iter().filter(|l| !l.starts_with("Wrote ")) {
            assert!(all.contains(&line.as_str()), "README shows for {spec}: {line}\n{}", said.err);
        }
        let tools = all.iter().filter(|l| l.starts_with("  ")).count();
        let there = lines.iter().filter(|l| l.starts_with("  ")).count();
        assert_eq!(tools, there, "README shows another number of tools for {spec}");
    }
}
