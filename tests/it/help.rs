//! Help texts, completions and the manual page. `UPDATE_GOLDEN=1` writes the help texts anew.

use super::support::{root, run_in};

/// Names of all commands, as the help of the whole lists them.
fn commands() -> Vec<String> {
    let said = run_in(&root(), &["--help"], "");
    let (_, rest) = said.out.split_once("\nCommands:\n").expect("there are commands");
    let lines = rest.lines().take_while(|line| line.starts_with("  "));
    let names = lines.filter_map(|line| line.split_whitespace().next().map(str::to_owned));
    names.filter(|name| name != "help").collect()
}

#[test]
fn help_texts_are_those_that_were_looked_at() {
    let folder = root().join("tests/golden/help");
    let mut seen = vec![("mcp-gen".to_owned(), run_in(&root(), &["--help"], "").out)];
    for name in commands() {
        let said = run_in(&root(), &[&name, "--help"], "");
        assert_eq!(said.status, 0, "{name}");
        assert!(said.out.contains("Example"), "`mcp-gen {name} --help` has no example");
        seen.push((name, said.out));
    }
    for (name, text) in &seen {
        let path = folder.join(format!("{name}.txt"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::create_dir_all(&folder).expect("the folder can be made");
            std::fs::write(&path, text).expect("it can be written");
        }
        let old = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(&old, text, "the help of {name}; `UPDATE_GOLDEN=1` renews it");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{name} has a long line");
    }
    let files = std::fs::read_dir(&folder).expect("the folder is there").count();
    assert_eq!(files, seen.len(), "a text without a command");
}

#[test]
fn every_command_is_in_the_completions_and_in_the_manual() {
    let manual = run_in(&root(), &["man"], "").out;
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let said = run_in(&root(), &["completions", shell], "");
        assert_eq!(said.status, 0, "{shell}: {}", said.err);
        for name in commands() {
            assert!(said.out.contains(&name), "{shell}: {name}");
            let heading = format!("MCP-GEN {}", name.to_uppercase());
            assert!(manual.contains(&heading), "{heading}");
        }
    }
    assert!(manual.contains(r"\-\-max\-primary"), "options are there");
}
