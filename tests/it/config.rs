//! What `mcp-gen.yaml` and its flags do to a run.

use serde_json::Value;

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

/// The plan of the warehouse with this configuration.
fn plan_with(config: &str) -> Said {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let file = dir.path().join("mcp-gen.yaml");
    std::fs::write(&file, config).expect("it can be written");
    plan(&["--format", "tools", "--config", file.to_str().expect("UTF-8")])
}

/// The tools of a run that say what they answer, with that.
fn outputs(said: &Said) -> Vec<(String, Value)> {
    let tools: Vec<Value> = serde_json::from_str(&said.out).expect("it is JSON");
    let own =
        |tool: &Value| Some((tool["name"].as_str()?.to_owned(), tool.get("outputSchema")?.clone()));
    tools.iter().filter_map(own).collect()
}

/// O2 to O4: keywords that say what may come and demand nothing, types that allow null, no reference.
fn harmless(schema: &Value, depth: usize) {
    assert!(depth < 4, "{schema}");
    for (key, value) in schema.as_object().expect("O5: never true or false") {
        match key.as_str() {
            "type" if depth == 0 => assert_eq!(value, "object", "O1"),
            "type" => assert!(value.as_array().is_some_and(|t| t.contains(&"null".into())), "O3"),
            "properties" => {
                value.as_object().into_iter().flatten().for_each(|(_, p)| harmless(p, depth + 1));
            }
            "items" => harmless(value, depth + 1),
            other => panic!("O2, O4: `{other}`"),
        }
    }
}

#[test]
fn o1_to_o5_tools_say_what_they_answer_where_it_is_wanted() {
    assert!(outputs(&plan_with("output-schemas: false\n")).is_empty());
    let all = outputs(&plan_with(""));
    assert_eq!(all, outputs(&plan_with("output-schemas: true\n")));
    assert!(all.len() > 3, "{all:?}");
    for (name, schema) in &all {
        harmless(schema, 0);
        assert!(schema.to_string().len() <= 1024, "{name}");
    }
    let names = |said: &Said| outputs(said).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    let first = &all[0].0;
    let one =
        plan_with(&format!("output-schemas: false\ntools: {{{first}: {{output-schema: true}}}}\n"));
    assert_eq!(names(&one), std::slice::from_ref(first));
    let rest = plan_with(&format!("tools: {{{first}: {{output-schema: false}}}}\n"));
    assert_eq!(names(&rest).len(), all.len() - 1);
    assert!(!names(&rest).contains(first));
}

#[test]
fn what_tools_answer_is_left_out_longest_first_where_the_list_gets_too_long() {
    let size = |schema: &Value| schema.to_string().len();
    let all = outputs(&plan_with(""));
    let (longest, _) = all.iter().max_by_key(|(_, schema)| size(schema)).expect("there are some");
    let whole = tokens(&plan_with(""));
    let bare = tokens(&plan_with("output-schemas: false\n"));
    let limit = whole - 20;
    assert!(bare < limit, "{bare} {whole}");
    let left = outputs(&plan_with(&format!("max-tokens: {limit}\n")));
    assert_eq!(left.len(), all.len() - 1);
    assert!(left.iter().all(|(name, _)| name != longest), "{longest}");
    let kept = format!("max-tokens: {limit}\ntools: {{{longest}: {{output-schema: true}}}}\n");
    let kept = outputs(&plan_with(&kept));
    assert!(kept.len() < all.len() && kept.iter().any(|(name, _)| name == longest), "{kept:?}");
    let why = plan(&["--max-tokens", &limit.to_string()]);
    assert!(why.out.contains("It does not say what it answers: with an `outputSchema`"), "{why:?}");
}

#[test]
fn s8_a_wrong_way_to_write_lists_is_refused_at_its_line() {
    let said = plan_with("array-format: bracket\n");
    assert_eq!(said.status, 2, "{said:?}");
    assert!(said.err.contains("mcp-gen.yaml:1:15") && said.err.contains("brackets"), "{said:?}");
}

#[cfg(unix)]
#[test]
fn the_configuration_may_come_through_a_pipe() {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let document = root().join("specs/repair-cafe/openapi.yaml");
    let document = document.to_str().expect("UTF-8");
    let config = "name: piped\noutput: server\n";
    for line in
        ["", "plan -o plan.yaml", "lint", "generate -o server", "check -o piped-mcp", "report"]
    {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (command, rest) = words.split_at(words.len().min(1));
        let args = [command, &[document], rest, &["--config", "/dev/stdin"]].concat();
        if line.starts_with("generate") {
            let made = run_in(dir.path(), &[document, "-o", "server", "--name", "piped"], "");
            assert_eq!(made.status, 0, "{made:?}");
        }
        if line.starts_with("check") {
            let made = run_in(dir.path(), &[document, "--name", "piped"], "");
            assert_eq!(made.status, 0, "{made:?}");
        }
        // `output` starts from the folder of the pipe, where nothing can be written.
        let config =
            if line.is_empty() || line.starts_with("check") { "name: piped\n" } else { config };
        let said = run_in(dir.path(), &args, config);
        assert_eq!(said.status, 0, "{line}: {said:?}");
    }
    assert!(dir.path().join("piped-mcp/Cargo.toml").exists());
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

#[test]
fn a_person_is_asked_where_something_is_gone_or_the_configuration_says_so() {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let operation = |method: &str, id: &str| format!("{method}: {{operationId: {id}}}");
    let document = format!(
        "openapi: 3.1.0\ninfo: {{title: Lab, version: '1'}}\nservers: [{{url: 'https://a.example'}}]\npaths:\n  /samples: {{{}}}\n  /samples/{{id}}: {{{}, {}}}\n  /samples/{{id}}/void: {{{}}}\n  /runs/launch: {{{}}}\n",
        operation("post", "createSample"),
        operation("patch", "updateSample"),
        operation("delete", "deleteSample"),
        operation("post", "voidSample"),
        operation("post", "launchRun"),
    );
    std::fs::write(dir.path().join("openapi.yaml"), document).expect("it can be written");
    for (config, asked) in [
        ("{}", vec!["DELETE_SAMPLE", "VOID_SAMPLE"]),
        (
            "tools: {launch: {operations: ['POST /runs/launch'], annotations: {destructive: true}}}",
            vec!["DELETE_SAMPLE", "LAUNCH_RUN", "VOID_SAMPLE"],
        ),
        (
            "tools: {void: {operations: ['POST /samples/{id}/void'], annotations: {destructive: false}}}",
            vec!["DELETE_SAMPLE"],
        ),
    ] {
        std::fs::write(dir.path().join("mcp-gen.yaml"), config).expect("it can be written");
        let said = run_in(dir.path(), &["openapi.yaml", "-o", "lab", "--replan"], "");
        assert_eq!(said.status, 0, "{said:?}");
        let folder = std::fs::read_dir(dir.path().join("lab/src/operations")).expect("it is made");
        let mut found = Vec::new();
        for file in folder {
            let text = std::fs::read_to_string(file.expect("a file").path()).expect("UTF-8");
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            for action in words.split("Action {").filter(|a| a.contains("takes_away: true")) {
                let (_, rest) = action.split_once("Call::Operation(&").expect("what it calls");
                found.push(rest.split(')').next().unwrap_or_default().to_owned());
            }
        }
        found.sort();
        assert_eq!(found, asked, "{config}");
    }
}
