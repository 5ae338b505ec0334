//! What README and guide show is what the command says today.

use std::path::{Path, PathBuf};

use super::support::{root, run_in};

/// README.md and the pages of the guide, each with its text.
fn pages() -> Vec<(PathBuf, String)> {
    let folder = root().join("docs");
    let pages = std::fs::read_dir(&folder).expect("docs is there");
    let mut files: Vec<PathBuf> = pages.map(|e| e.expect("it can be listed").path()).collect();
    files.push(root().join("README.md"));
    files.push(root().join("examples/repair-cafe-api/README.md"));
    files.sort();
    let text = |f: &PathBuf| std::fs::read_to_string(f).expect("it can be read");
    files.iter().map(|f| (f.clone(), text(f))).collect()
}

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join("docs").join(name)).expect("it is there")
}

/// The blocks of `text` that are fenced with this word.
fn blocks<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let fence = format!("```{word}\n");
    text.split(fence.as_str()).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

/// The commands `mcp-gen SPEC -o DIR` of a text, each with the lines shown below it.
fn shown(text: &str) -> Vec<(String, Vec<String>)> {
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
fn the_plans_that_are_shown_are_the_plans_of_today() {
    let shown: Vec<_> = pages().iter().flat_map(|(_, text)| shown(text)).collect();
    assert!(shown.len() >= 3, "{shown:?}");
    for (spec, lines) in shown {
        let dir = tempfile::tempdir().expect("a folder for temporary files");
        let fresh = dir.path().join("fresh");
        let said = run_in(&root(), &[&spec, "-o", fresh.to_str().expect("UTF-8")], "");
        let all: Vec<_> = said.err.lines().collect();
        for line in lines.iter().filter(|l| !l.starts_with("Wrote ")) {
            assert!(all.contains(&line.as_str()), "shown for {spec}: {line}\n{}", said.err);
        }
        let tools = all.iter().filter(|l| l.starts_with("  ")).count();
        let there = lines.iter().filter(|l| l.starts_with("  ")).count();
        assert_eq!(tools, there, "another number of tools is shown for {spec}");
    }
}

/// An OpenAPI document with these operations: `METHOD /path | identifier | summary` on each line.
fn document(operations: &str) -> String {
    let mut text = "openapi: 3.1.0\ninfo: {title: Example, version: '1'}\npaths:\n".to_owned();
    let lines: Vec<Vec<&str>> =
        operations.lines().map(|l| l.split('|').map(str::trim).collect()).collect();
    let mut paths: Vec<&str> =
        lines.iter().map(|l| l[0].split_once(' ').expect("two words").1).collect();
    paths.dedup();
    for path in paths {
        text += &format!("  {path:?}:\n");
        let names = path.split('{').skip(1).filter_map(|p| p.split('}').next());
        let parameters: Vec<String> = names
            .map(|n| format!("{{name: {n}, in: path, required: true, schema: {{type: string}}}}"))
            .collect();
        text += &format!("    parameters: [{}]\n", parameters.join(", "));
        for line in lines.iter().filter(|l| l[0].ends_with(&format!(" {path}"))) {
            let method = line[0].split(' ').next().expect("a method").to_lowercase();
            let said = |i: usize, key: &str| match line.get(i) {
                Some(words) if !words.is_empty() => format!("{key}: {words:?}, "),
                _ => String::new(),
            };
            let (id, summary) = (said(1, "operationId"), said(2, "summary"));
            text += &format!(
                "    {method}: {{{id}{summary}responses: {{'200': {{description: Done.}}}}}}\n"
            );
        }
    }
    text
}

#[test]
fn the_rules_of_planning_give_the_tools_that_are_shown() {
    let page = page("planning.md");
    let (operations, tools) = (blocks(&page, "operations"), blocks(&page, "tools"));
    assert!(operations.len() >= 5 && operations.len() == tools.len());
    for (operations, expected) in operations.iter().zip(tools) {
        let said = run_in(&root(), &["plan", "-", "--format", "score-json"], &document(operations));
        assert_eq!(said.status, 0, "{said:?}");
        let plan: serde_json::Value = serde_json::from_str(&said.out).expect("it is JSON");
        let mut found = String::new();
        for tool in plan["tools"].as_array().expect("a list") {
            let all = tool["operations"].as_array().expect("a list");
            let actions: Vec<&str> = all.iter().filter_map(|o| o["action"].as_str()).collect();
            let name = tool["name"].as_str().expect("a name");
            let actions = if actions.is_empty() {
                String::new()
            } else {
                format!(": {}", actions.join(", "))
            };
            found += &format!("{name}{actions}\n");
        }
        assert_eq!(found, expected, "for\n{operations}");
    }
}

#[test]
fn links_between_the_pages_lead_somewhere() {
    let mut links = 0;
    for (file, text) in pages() {
        let folder = file.parent().expect("it is in a folder");
        for rest in text.split("](").skip(1) {
            let link = rest.split(')').next().expect("it ends");
            if link.starts_with("http") {
                continue;
            }
            links += 1;
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { file.clone() } else { folder.join(path) };
            assert!(target.exists(), "{}: {link}", file.display());
            if !anchor.is_empty() {
                let there = headings(&target).iter().any(|h| h == anchor);
                assert!(there, "{}: no heading {anchor}", file.display());
            }
        }
    }
    assert!(links > 15, "{links}");
}

#[test]
fn the_hooks_that_are_shown_are_those_of_a_server_that_is_driven() {
    let page = page("hooks.md");
    let file = root().join("generated/lending/lending-desk/src/hooks.rs");
    let code = std::fs::read_to_string(file).expect("it is there");
    let plain = |text: &str| text.lines().map(|l| format!("{}\n", l.trim())).collect::<String>();
    let (shown, code) = (blocks(&page, "rust"), plain(&code));
    assert!(shown.len() >= 5, "{shown:?}");
    for block in shown {
        assert!(code.contains(&plain(block)), "{block}");
    }
}

/// The headings of a page as the ends of links.
fn headings(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect("it can be read");
    let lines = text.lines().filter(|l| l.starts_with('#'));
    let words = lines.map(|l| l.trim_start_matches('#').trim().to_lowercase());
    let plain = |w: String| w.replace(|c: char| !c.is_alphanumeric() && c != ' ' && c != '-', "");
    words.map(|w| plain(w).replace(' ', "-")).collect()
}

#[test]
fn every_setting_and_every_argument_of_a_server_is_in_the_guide() {
    let page = page("server.md");
    let made = std::fs::read_to_string(root().join("generated/repair-cafe/README.md"));
    let made = made.expect("it is there");
    let rows = made.lines().filter(|l| l.starts_with("| `REPAIR_CAFE_"));
    let rows: Vec<&str> = rows.filter(|l| !l.contains("CAFE_KEY`")).collect();
    assert!(rows.len() > 20, "{rows:?}");
    for row in &rows {
        assert!(page.contains(row), "{row}");
    }
    let there = page.lines().filter(|l| l.starts_with("| `REPAIR_CAFE_")).count();
    assert_eq!(there, rows.len(), "a setting that no server has");
    let start = std::fs::read_to_string(root().join("templates/runtime/start.rs")).expect("ok");
    let flags = start.split('"').filter(|t| t.starts_with("--") && !t.contains([' ', '=']));
    let flags: Vec<&str> = flags.filter(|f| *f != "--list-tools").collect();
    assert!(flags.len() >= 6, "{flags:?}");
    for flag in flags {
        assert!(page.contains(&format!("`{flag}")), "{flag}");
    }
}

#[test]
fn every_key_of_the_configuration_is_in_the_guide() {
    let page = page("configuration.md");
    let said = run_in(&root(), &["schema", "config"], "");
    let schema: serde_json::Value = serde_json::from_str(&said.out).expect("it is JSON");
    let mut keys: Vec<String> = Vec::new();
    let kinds = schema["$defs"].as_object().expect("definitions").values().chain([&schema]);
    for kind in kinds {
        let own = kind["properties"].as_object().into_iter().flatten();
        keys.extend(own.map(|(key, _)| key.clone()));
    }
    assert!(keys.len() > 25, "{keys:?}");
    for key in keys {
        let said = page.contains(&format!("`{key}`")) || page.contains(&format!("`{key}:"));
        assert!(said, "`{key}` is not in docs/configuration.md");
    }
}
