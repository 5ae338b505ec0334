//! The command from the outside: what it writes, says, and returns.

use super::support::{Said, root, run_in, tree};

fn temp() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for temporary files")
}

fn run(args: &[&str]) -> Said {
    run_in(&root(), args, "")
}

const PETS: &str = "\
openapi: 3.0.3
info: {title: Pets, version: '1'}
servers: [{url: 'https://pets.example.com'}]
paths:
  /pets:
    get:
      operationId: listPets
      parameters: [{name: limit, in: query, schema: {type: integer}}]
      responses: {'200': {description: ok}}
";

#[test]
fn a_missing_file_is_status_2_and_says_which() {
    let said = run(&["no-such-file.yaml"]);
    assert_eq!(said.status, 2, "{said:?}");
    assert!(said.err.contains("cannot read `no-such-file.yaml`"), "{said:?}");
    assert_eq!(said.out, "");
}

#[test]
fn broken_yaml_is_status_2_and_names_line_and_column() {
    let said = run_in(&root(), &["plan", "-"], "openapi: 3.0.3\ninfo: {title: 'a\n");
    assert_eq!(said.status, 2, "{said:?}");
    assert!(said.err.contains("<stdin>:"), "{said:?}");
}

#[test]
fn another_kind_of_document_is_status_2_and_says_what_to_do() {
    for text in
        ["", "hello", "[1]", "asyncapi: 3.0.0\n", "{\"a\": 1}", "<!doctype html><html></html>"]
    {
        let said = run_in(&root(), &["plan", "-"], text);
        assert_eq!(said.status, 2, "{text:?}: {said:?}");
        assert!(said.err.starts_with("error: "), "{text:?}: {said:?}");
        assert_eq!(said.out, "", "{text:?}");
    }
}

#[test]
fn a_usage_error_is_status_2() {
    assert_eq!(run(&["--no-such-option"]).status, 2);
    assert_eq!(run(&["explain", "no-such-code"]).status, 2);
}

#[test]
fn the_plan_goes_to_standard_output_and_is_the_same_twice() {
    let first = run_in(&root(), &["plan", "-"], PETS);
    assert_eq!(first.status, 0, "{first:?}");
    assert!(first.out.contains("operation: GET /pets"), "{first:?}");
    assert_eq!(first.out, run_in(&root(), &["plan", "-"], PETS).out);
}

#[test]
fn a_plan_says_what_each_tool_and_the_whole_list_cost() {
    for spec in ["specs/repair-cafe/openapi.yaml", "specs/warehouse/openapi.yaml"] {
        let plan = mcp_gen::plan::Plan::from_yaml(&run(&["plan", spec]).out).unwrap();
        let tools = run(&["plan", spec, "--format", "tools"]).out;
        let tools: Vec<serde_json::Value> = serde_json::from_str(&tools).unwrap();
        assert_eq!(plan.sizes.tools.len(), tools.len(), "{spec}");
        for tool in &tools {
            let tokens = plan.sizes.tools[tool["name"].as_str().unwrap()];
            assert_eq!(tokens, tool.to_string().chars().count().div_ceil(4), "{tool}");
        }
        assert!(plan.sizes.single > plan.sizes.listed(), "{spec}: {:?}", plan.sizes);
        // No change of their own: what they say follows from the rest.
        let older = mcp_gen::plan::Plan { sizes: mcp_gen::plan::Sizes::default(), ..plan.clone() };
        let changes = mcp_gen::pipeline::diff(Some(&older), &plan);
        assert!(changes.is_empty(), "{spec}: {changes:?}");
    }
}

#[test]
fn the_story_of_a_tool_and_of_an_operation_is_told() {
    let spec = "specs/warehouse/openapi.yaml";
    let told = |what: &str| run(&["plan", spec, "--explain", what, "-q"]);
    let tool = told("manage_orders");
    assert_eq!(tool.status, 0, "{tool:?}");
    for part in ["effect: writes", "why: ", "Cost ", "focus: ", "Names considered", "(importance "]
    {
        assert!(tool.out.contains(part), "no `{part}` in {}", tool.out);
    }
    let by_key = told("POST /orders/{orderId}/cancel");
    for part in
        ["verb: cancel", "family: `order`", "place ", "tool: `manage_orders`, action `cancel`"]
    {
        assert!(by_key.out.contains(part), "no `{part}` in {}", by_key.out);
    }
    assert!(by_key.out.contains("order_id: cancel → path:orderId (is `orderId` of the path)"));
    assert_eq!(told("cancelOrder").out, by_key.out);
    let unknown = told("manage_nothing");
    assert_eq!((unknown.status, unknown.out.as_str()), (1, ""), "{unknown:?}");
}

#[test]
fn one_command_writes_plan_and_crate_and_a_second_run_changes_nothing() {
    let dir = temp();
    let first = run_in(dir.path(), &["-", "-o", "out"], PETS);
    assert_eq!(first.status, 0, "{first:?}");
    assert!(first.err.contains("Planned 1 tool from 1 operation"), "{first:?}");
    let files = tree(&dir.path().join("out"));
    for name in
        ["Cargo.toml", "mcp-plan.yaml", "tools.json", "src/main.rs", "src/hooks.rs", "README.md"]
    {
        assert!(files.contains_key(name), "{name} is missing: {:?}", files.keys());
    }
    let second = run_in(dir.path(), &["-", "-o", "out"], PETS);
    assert_eq!(second.status, 0, "{second:?}");
    assert_eq!(files, tree(&dir.path().join("out")));
}

#[test]
fn generate_follows_the_plan_as_it_stands() {
    let dir = temp();
    assert_eq!(run_in(dir.path(), &["-", "-o", "out"], PETS).status, 0);
    let path = dir.path().join("out/mcp-plan.yaml");
    let plan = std::fs::read_to_string(&path).expect("it was written");
    std::fs::write(&path, plan.replace("list_pets", "show_pets")).expect("it can be written");
    let said = run_in(dir.path(), &["generate", "-", "-o", "out"], PETS);
    assert_eq!(said.status, 0, "{said:?}");
    let tools = std::fs::read_to_string(dir.path().join("out/tools.json")).expect("it is there");
    assert!(tools.contains("\"show_pets\"") && !tools.contains("\"list_pets\""), "{tools}");
}

#[test]
fn a_plan_that_does_not_fit_is_status_1_and_changes_no_file() {
    let dir = temp();
    assert_eq!(run_in(dir.path(), &["-", "-o", "out"], PETS).status, 0);
    let before = tree(dir.path());
    let said = run_in(dir.path(), &["generate", "-", "-o", "out"], &PETS.replace("/pets", "/dogs"));
    assert_eq!(said.status, 1, "{said:?}");
    assert!(said.err.contains("GET /pets"), "{said:?}");
    assert_eq!(before, tree(dir.path()));
}

#[test]
fn files_of_somebody_else_are_not_overwritten() {
    let dir = temp();
    std::fs::create_dir(dir.path().join("out")).expect("it can be made");
    std::fs::write(dir.path().join("out/Cargo.toml"), "[package]\nname = \"mine\"\n").expect("ok");
    let before = tree(dir.path());
    let said = run_in(dir.path(), &["-", "-o", "out"], PETS);
    assert_ne!(said.status, 0, "{said:?}");
    assert!(said.err.contains("Cargo.toml"), "{said:?}");
    assert_eq!(before, tree(dir.path()));
}

#[test]
fn explain_lists_and_explains_every_kind() {
    let list = run(&["explain", "--list"]);
    assert_eq!(list.status, 0);
    let ids: Vec<_> = list.out.lines().filter_map(|l| l.split(' ').next()).collect();
    assert!(ids.len() > 10, "{ids:?}");
    let one = run(&["explain", ids[0]]);
    assert!(one.status == 0 && one.out.starts_with(ids[0]), "{one:?}");
}

#[test]
fn lint_as_json_names_file_line_and_pointer() {
    let text = PETS.replace("schema: {type: integer}", "schema: {$ref: '#/components/schemas/No'}");
    let said = run_in(&root(), &["lint", "-", "--format", "json"], &text);
    let value: serde_json::Value = serde_json::from_str(&said.out).expect("it is JSON");
    let findings = value["findings"].as_array().expect("a list");
    assert!(
        findings.iter().any(|f| f["line"].as_u64() == Some(8) && f["file"] == "<stdin>"),
        "{findings:?}"
    );
}

#[test]
fn global_options_go_before_a_command_and_a_document_does_not() {
    let said = run_in(&root(), &["-q", "plan", "-"], PETS);
    assert_eq!((said.status, said.err.as_str()), (0, ""), "{said:?}");
    let said = run(&["a.yaml", "plan", "b.yaml"]);
    assert_eq!(said.status, 2, "{said:?}");
    assert!(said.err.contains("`a.yaml` stands before the command"), "{said:?}");
}

#[test]
fn a_url_is_refused_with_the_way_to_give_it() {
    let said = run(&["https://api.example.com/openapi.json"]);
    assert_eq!(said.status, 2, "{said:?}");
    assert!(
        said.err.contains("curl -s https://api.example.com/openapi.json | mcp-gen -"),
        "{said:?}"
    );
}

#[test]
fn an_edited_plan_that_a_client_would_refuse_is_refused() {
    let dir = temp();
    assert_eq!(run_in(dir.path(), &["-", "-o", "out"], PETS).status, 0);
    let path = dir.path().join("out/mcp-plan.yaml");
    let plan = std::fs::read_to_string(&path).expect("it was written");
    for (from, to, says) in [
        ("type: \"integer\"", "type: \"banana\"", "banana"),
        ("{list: \"query:limit\"}", "{}", "goes nowhere"),
        ("name: list_pets", "name: List-Pets", "List-Pets"),
    ] {
        let edited = plan.replace(from, to);
        assert_ne!(edited, plan, "{from} is not in\n{plan}");
        std::fs::write(&path, edited).expect("it can be written");
        let said = run_in(dir.path(), &["generate", "-", "-o", "out"], PETS);
        assert_eq!(said.status, 1, "{to}: {said:?}");
        assert!(said.err.contains(says), "{to}: {said:?}");
    }
}

#[test]
fn a_file_where_the_folder_goes_is_named() {
    let dir = temp();
    std::fs::write(dir.path().join("afile"), "x").expect("it can be written");
    let said = run_in(dir.path(), &["-", "-o", "afile"], PETS);
    assert_eq!(said.status, 2, "{said:?}");
    assert!(said.err.contains("`afile` is a file"), "{said:?}");
}

#[test]
fn a_tool_with_one_action_keeps_its_shape_when_an_operation_is_renamed() {
    let dir = temp();
    let spec = std::fs::read_to_string(root().join("specs/repair-cafe/openapi.yaml")).expect("ok");
    assert_eq!(run_in(dir.path(), &["-", "-o", "out"], &spec).status, 0);
    let renamed = spec.replace("{repairId}/finish", "{repairId}/close");
    assert_ne!(spec, renamed);
    let said = run_in(dir.path(), &["-", "-o", "out"], &renamed);
    assert_eq!(said.status, 0, "{said:?}");
    let row =
        |name: &str| said.err.lines().find(|l| l.trim_start().starts_with(name)).map(str::to_owned);
    let delete = row("delete_repair").expect("it is still there");
    assert!(delete.ends_with("DELETE /repairs/{repairId}"), "{delete}");
    assert!(row("manage_repairs").is_some_and(|l| l.contains("close")), "{said:?}");
}

#[test]
fn overlays_of_the_configuration_and_of_the_command_line_change_the_plan() {
    let dir = temp();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    let document = std::fs::read_to_string(root().join("tests/fixtures/overlays/document.yaml"));
    write("openapi.yaml", &document.unwrap());
    let head = "overlay: 1.0.0\ninfo: {title: T, version: '1'}\nactions:\n";
    write(
        "no-post.yaml",
        &format!("{head}  - target: $.paths['/papers'].post\n    remove: true\n"),
    );
    write(
        "more.yaml",
        &format!("{head}  - target: $.paths\n    update: {{/pens: {{get: {{}}}}}}\n"),
    );
    let plan = |args: &[&str]| {
        let said = run_in(dir.path(), args, "");
        assert_eq!(said.status, 0, "{}", said.err);
        said.out
    };
    let has = |text: &str| ["GET /papers", "POST /papers", "GET /pens"].map(|o| text.contains(o));
    assert_eq!(has(&plan(&["plan", "openapi.yaml"])), [true, true, false]);
    let one = plan(&["plan", "openapi.yaml", "--overlay", "no-post.yaml"]);
    assert_eq!(has(&one), [true, false, false]);
    write("mcp-gen.yaml", "overlays: [no-post.yaml]\n");
    let both = plan(&["plan", "openapi.yaml", "--overlay", "more.yaml"]);
    assert_eq!(has(&both), [true, false, true]);
    let said = run_in(dir.path(), &["plan", "openapi.yaml", "--overlay", "openapi.yaml"], "");
    assert_eq!(said.status, 2);
    assert!(said.err.contains("openapi.yaml:1:1: this is no overlay"), "{}", said.err);
}

#[test]
fn a_plan_alone_stands_beside_the_schema_that_it_names() {
    let dir = temp();
    let plan = dir.path().join("mcp-plan.yaml");
    let schema = dir.path().join("mcp-plan.schema.json");
    let plan = plan.to_str().expect("UTF-8");
    let args = ["plan", "specs/repair-cafe/openapi.yaml", "-o", plan];
    assert_eq!(run(&args).status, 0);
    let made = std::fs::read(&schema).expect("the schema is there");
    let same = std::fs::read(root().join("generated/repair-cafe/mcp-plan.schema.json"));
    assert_eq!(made, same.expect("the golden"));
    let stamp = || std::fs::metadata(&schema).and_then(|m| m.modified()).expect("a time");
    let before = stamp();
    assert_eq!(run(&args).status, 0);
    assert_eq!(stamp(), before, "what is the same is not written");
    std::fs::write(&schema, "{}").expect("it can be written");
    assert_eq!(run(&args).status, 0);
    assert_eq!(std::fs::read(&schema).expect("it is there"), b"{}", "it is somebody else's");
}

#[test]
fn a_reader_that_goes_away_is_success_for_every_command() {
    use std::process::{Command, Stdio};
    let document = "specs/warehouse/openapi.yaml";
    let plan = "generated/warehouse/mcp-plan.yaml";
    let other = "generated/repair-cafe/mcp-plan.yaml";
    let all: &[&[&str]] = &[
        &["plan", document],
        &["plan", document, "--format", "tools"],
        &["lint", document, "--format", "json"],
        &["diff", other, plan],
        &["diff", other, plan, "--format", "markdown"],
        &["report", document],
        &["schema", "plan"],
        &["explain", "--list"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
    ];
    for args in all {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mcp-gen"))
            .args(*args)
            .current_dir(root())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary was built by cargo");
        drop(child.stdout.take());
        let said = child.wait_with_output().expect("the command ends");
        let err = String::from_utf8_lossy(&said.stderr);
        assert_eq!(said.status.code(), Some(0), "{args:?}: {err}");
        assert!(!err.contains("panicked") && !err.contains("roken pipe"), "{args:?}: {err}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_at_any_time_leaves_all_files_or_none() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let dir = temp();
    let start = |name: &str| {
        Command::new(env!("CARGO_BIN_EXE_mcp-gen"))
            .args(["specs/warehouse/openapi.yaml", "-q", "-o"])
            .arg(dir.path().join(name))
            .current_dir(root())
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary was built by cargo")
    };
    let began = Instant::now();
    assert!(start("whole").wait().expect("it ends").success());
    let took = began.elapsed();
    let whole = super::support::tree(&dir.path().join("whole"));
    for twentieth in 1..=20 {
        let mut child = start("cut");
        std::thread::sleep(took * twentieth / 20 + Duration::from_millis(1));
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.is_ok());
        child.wait().expect("it ends");
        let made = dir.path().join("cut");
        if made.exists() {
            assert!(super::support::tree(&made) == whole, "cut after {twentieth} of 20 parts");
            std::fs::remove_dir_all(&made).expect("it was made");
        }
    }
}
