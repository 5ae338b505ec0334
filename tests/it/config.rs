//! What `mcp-gen.yaml` and its flags do to a run.

use super::support::{Said, root, run_in};

const WAREHOUSE: &str = "specs/warehouse/openapi.yaml";

fn plan(args: &[&str]) -> Said {
    run_in(&root(), &[&["plan", WAREHOUSE], args].concat(), "")
}

/// About how many tokens the definitions take that a run printed.
fn tokens(said: &Said) -> usize {
    said.out.chars().count().div_ceil(4)
}

#[test]
fn a_finding_about_the_configuration_shows_its_line() {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let document = std::fs::read_to_string(root().join(WAREHOUSE)).expect("the spec is there");
    std::fs::write(dir.path().join("openapi.yaml"), document).expect("it can be written");
    let file = dir.path().join("mcp-gen.yaml");
    std::fs::write(&file, "tools:\n  read_item: {title: Items}\n").expect("it can be written");
    let said = run_in(dir.path(), &["plan", "openapi.yaml"], "");
    assert_eq!(said.status, 0, "{said:?}");
    assert!(said.err.contains("warning[unknown-tool]: no tool is called `read_item`"), "{said:?}");
    assert!(said.err.contains("--> mcp-gen.yaml:2:3"), "{said:?}");
    assert!(said.err.contains("help: did you mean `read_items`?"), "{said:?}");
    let lint = run_in(dir.path(), &["lint", "openapi.yaml", "--format", "json"], "");
    assert!(lint.out.contains("\"file\": \"mcp-gen.yaml\""), "{lint:?}");
    std::fs::write(&file, "tools:\n  read_items: {titel: Items}\n").expect("it can be written");
    let said = run_in(dir.path(), &["plan", "openapi.yaml"], "");
    assert_eq!(said.status, 2, "{said:?}");
    let line = "mcp-gen.yaml:2:16: `titel` is no key of `tools.read_items`; did you mean `title`?";
    assert!(said.err.contains(line), "{said:?}");
}

#[test]
fn more_goes_behind_the_catalog_until_the_tokens_suffice() {
    let tools = ["--format", "tools"];
    let all = tokens(&plan(&tools));
    let limit = all / 2;
    let text = limit.to_string();
    let said = plan(&[&tools[..], &["--max-tokens", &text]].concat());
    assert_eq!(said.status, 0, "{said:?}");
    assert!(tokens(&said) <= limit, "{} of {limit}", tokens(&said));
    assert!(said.out.contains("\"call_nordhaven_read\""), "{}", said.out);
    assert!(!said.err.contains("tokens-over-limit"), "{said:?}");
    let none = plan(&[&tools[..], &["--max-tokens", "10"]].concat());
    assert!(none.err.contains("warning[tokens-over-limit]"), "{none:?}");
}

#[test]
fn a_plan_that_could_be_much_better_says_so_in_one_line_that_names_the_flag() {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let file = dir.path().join("mcp-plan.yaml");
    let file = ["-o", file.to_str().expect("UTF-8")];
    let many = [&file[..], &["--max-primary", "60"]].concat();
    let first = plan(&[&many[..], &["--max-actions", "1"]].concat());
    assert!(!first.err.contains("afresh"), "{first:?}");
    let follows = plan(&many);
    let lines: Vec<&str> = follows.err.lines().filter(|l| l.contains("afresh")).collect();
    assert_eq!(lines.len(), 1, "{follows:?}");
    assert!(lines[0].contains("`--replan`"), "{lines:?}");
    let anew = plan(&[&many[..], &["--replan"]].concat());
    assert!(!anew.err.contains("afresh"), "{anew:?}");
    let again = plan(&many);
    assert!(!again.err.contains("afresh"), "{again:?}");
}

#[test]
fn the_configuration_says_where_the_crate_goes_and_whether_it_is_a_member() {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let api = dir.path().join("api");
    std::fs::create_dir(&api).expect("it can be made");
    let document = std::fs::read_to_string(root().join("specs/repair-cafe/openapi.yaml"))
        .expect("the spec is there");
    std::fs::write(api.join("openapi.yaml"), document).expect("it can be written");
    let config = "output: ../server\nworkspace-member: true\n";
    std::fs::write(api.join("mcp-gen.yaml"), config).expect("it can be written");
    let run = |args: &[&str]| run_in(dir.path(), args, "");
    let said = run(&["api/openapi.yaml"]);
    assert_eq!(said.status, 0, "{said:?}");
    let manifest = dir.path().join("server/Cargo.toml");
    let manifest = std::fs::read_to_string(manifest).expect("it is below the folder of the file");
    assert!(!manifest.contains("[workspace]"), "{manifest}");
    let said = run(&["check", "api/openapi.yaml"]);
    assert_eq!(said.status, 0, "{said:?}");
    let said = run(&["generate", "api/openapi.yaml"]);
    assert!(said.status == 0 && said.err.contains("(0 changed)"), "{said:?}");
    let said = run(&["api/openapi.yaml", "-o", "other"]);
    assert!(said.status == 0 && dir.path().join("other/Cargo.toml").exists(), "{said:?}");
    std::fs::remove_file(api.join("mcp-gen.yaml")).expect("it was there");
    let said = run(&["generate", "api/openapi.yaml"]);
    assert!(said.status == 2 && said.err.contains("`output` in the configuration"), "{said:?}");
}
