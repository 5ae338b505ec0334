//! `mcp-gen check`, and the line that says what a new plan changes.

use std::path::Path;

use super::support::{Said, root, run_in, tree};

fn spec() -> String {
    std::fs::read_to_string(root().join("specs/repair-cafe/openapi.yaml")).expect("it is there")
}

/// A folder with the document and, as made from it, the crate.
fn made(args: &[&str]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    std::fs::write(dir.path().join("openapi.yaml"), spec()).expect("it can be written");
    let said = run_in(dir.path(), &[&["openapi.yaml"], args].concat(), "");
    assert_eq!(said.status, 0, "{said:?}");
    dir
}

/// Runs the check and holds that it writes nothing.
fn check(dir: &Path, args: &[&str]) -> Said {
    let before = tree(dir);
    let said = run_in(dir, &[&["check"], args].concat(), "");
    assert_eq!(before, tree(dir), "a check writes nothing");
    assert_eq!(said.out, "", "{said:?}");
    said
}

/// Runs the command that the help names, as a shell takes it.
fn mend(dir: &Path, said: &Said) {
    let help = said.err.lines().find_map(|l| l.strip_prefix("help: `mcp-gen ")).expect("a help");
    let command = help.split('`').next().expect("it ends");
    let output = std::process::Command::new("sh")
        .args(["-c", &format!("\"$0\" {command}"), env!("CARGO_BIN_EXE_mcp-gen")])
        .current_dir(dir)
        .output()
        .expect("there is a shell");
    assert!(output.status.success(), "{command}: {output:?}");
}

fn rename(dir: &Path) {
    let text = spec().replace("{repairId}/finish", "{repairId}/close");
    assert_ne!(text, spec());
    std::fs::write(dir.join("openapi.yaml"), text).expect("it can be written");
}

#[test]
fn what_was_just_made_is_current() {
    for args in [&[][..], &["-o", "server"], &["-o", "server", "--workspace-member"]] {
        let dir = made(args);
        let args: Vec<_> = args.iter().copied().filter(|a| *a != "--workspace-member").collect();
        let said = check(dir.path(), &args);
        assert_eq!(said.status, 0, "{said:?}");
        assert!(said.err.contains("is what its plan gives"), "{said:?}");
        assert_eq!(check(dir.path(), &[&args[..], &["-q"]].concat()).err, "");
    }
}

#[test]
fn a_crate_that_is_missing_is_stale_and_the_help_makes_it() {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    std::fs::write(dir.path().join("openapi.yaml"), spec()).expect("it can be written");
    let said = check(dir.path(), &["-o", "server"]);
    assert_eq!(said.status, 1, "{said:?}");
    assert!(said.err.contains("`server/mcp-plan.yaml` is missing"), "{said:?}");
    mend(dir.path(), &said);
    assert_eq!(check(dir.path(), &["-o", "server"]).status, 0);
}

#[test]
fn a_changed_document_makes_the_plan_stale_and_the_help_mends_it() {
    for args in [&["-o", "my server"][..], &["-o", "s", "--exclude", "GET /health"]] {
        let dir = made(args);
        rename(dir.path());
        let said = check(dir.path(), args);
        assert_eq!(said.status, 1, "{said:?}");
        assert!(said.err.contains("breaking[action-removed]: `finish`"), "{said:?}");
        assert!(said.err.contains("(1 breaking)"), "{said:?}");
        assert!(said.err.contains("the crate in `"), "{said:?}");
        mend(dir.path(), &said);
        assert_eq!(check(dir.path(), args).status, 0);
    }
}

#[test]
fn a_plan_that_was_edited_is_stale_and_says_where() {
    let dir = made(&["-o", "server"]);
    let path = dir.path().join("server/mcp-plan.yaml");
    let text = std::fs::read_to_string(&path).expect("it is there");
    std::fs::write(&path, text.replace("posture: secondary", "posture: secondary # hm"))
        .expect("it can be written");
    let said = check(dir.path(), &["openapi.yaml", "-o", "server"]);
    assert_eq!(said.status, 1, "{said:?}");
    assert!(said.err.contains("only in its layout, its sizes and its reasons"), "{said:?}");
}

#[test]
fn a_crate_that_was_edited_is_stale_and_names_its_files() {
    for member in [&[][..], &["--workspace-member"]] {
        let dir = made(&[&["-o", "server"], member].concat());
        let server = dir.path().join("server");
        std::fs::write(server.join("tools.json"), "[]").expect("it can be written");
        std::fs::remove_file(server.join("src/main.rs")).expect("it goes");
        let said = check(dir.path(), &["-o", "server"]);
        assert_eq!(said.status, 1, "{said:?}");
        for line in ["stale: 2 of ", "\n  tools.json\n", "\n  src/main.rs (missing)\n"] {
            assert!(said.err.contains(line), "{line}: {said:?}");
        }
        mend(dir.path(), &said);
        assert_eq!(check(dir.path(), &["-o", "server"]).status, 0);
    }
}

#[test]
fn many_changed_files_are_cut() {
    let dir = made(&["-o", "server"]);
    let runtime = dir.path().join("server/src/runtime");
    for file in tree(&runtime).keys() {
        std::fs::write(runtime.join(file), "//").expect("it can be written");
    }
    let said = check(dir.path(), &["-o", "server"]);
    let listed = said.err.lines().filter(|l| l.starts_with("  src/runtime/")).count();
    assert_eq!(listed, 10, "{said:?}");
    assert!(said.err.contains("  and "), "{said:?}");
}

#[test]
fn no_document_and_no_name_is_status_2() {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let said = run_in(dir.path(), &["check"], "");
    assert_eq!(said.status, 2, "{said:?}");
    assert!(said.err.contains("name the OpenAPI document"), "{said:?}");
}

#[test]
fn a_document_that_moves_to_another_server_is_not_generated_from_the_old_plan() {
    let dir = made(&["-o", "server"]);
    let path = dir.path().join("openapi.yaml");
    std::fs::write(&path, spec().replace("127.0.0.1:8099", "192.0.2.1:8099")).expect("ok");
    let said = run_in(dir.path(), &["generate", "openapi.yaml", "-o", "server"], "");
    assert_eq!(said.status, 1, "{said:?}");
    assert!(said.err.contains("connection-differs"), "{said:?}");
    let said = check(dir.path(), &["-o", "server"]);
    assert!(said.err.contains("sensitive[servers-changed]"), "{said:?}");
}

#[test]
fn a_plan_that_is_rewritten_says_what_changes_and_one_that_is_not_says_nothing() {
    let line = |said: &Said| said.err.lines().find(|l| l.starts_with("Plan: ")).map(str::to_owned);
    let dir = made(&["-o", "server"]);
    let again = run_in(dir.path(), &["openapi.yaml", "-o", "server"], "");
    assert_eq!(line(&again), None, "{again:?}");
    rename(dir.path());
    for args in [
        &["plan", "openapi.yaml", "-o", "server/mcp-plan.yaml", "--check"][..],
        &["openapi.yaml", "-o", "server"],
    ] {
        let said = run_in(dir.path(), args, "");
        let line = line(&said).unwrap_or_else(|| panic!("{said:?}"));
        assert!(line.contains("1 action removed, 1 action added"), "{line}");
        assert!(line.contains("(1 breaking); `mcp-gen diff server/mcp-plan.yaml`"), "{line}");
    }
}

#[test]
fn a_plan_may_name_more_servers_than_the_document() {
    let dir = made(&["-o", "server"]);
    let path = dir.path().join("server/mcp-plan.yaml");
    let text = std::fs::read_to_string(&path).expect("it is there");
    let more = text.replace("servers: [", "servers: [\"https://cafe.example.com\", ");
    assert_ne!(text, more);
    std::fs::write(&path, more).expect("it can be written");
    let said = run_in(dir.path(), &["generate", "openapi.yaml", "-o", "server"], "");
    assert_eq!(said.status, 0, "{said:?}");
}

/// The commands of the step called `name` in the workflow of the guide.
fn step(name: &str) -> String {
    let guide = std::fs::read_to_string(root().join("docs/review.md")).expect("it is there");
    let (_, rest) = guide.split_once(&format!("- name: {name}\n")).expect("the step is shown");
    let lines = rest.lines().take_while(|l| l.starts_with("        ")).map(str::trim_start);
    let text = lines.collect::<Vec<_>>().join("\n");
    let (_, commands) = text.split_once("run: ").expect("it runs something");
    commands.trim_start_matches("|\n").to_owned()
}

#[test]
fn the_workflow_of_the_guide_works() {
    let dir = made(&["-o", "server"]);
    let binary = Path::new(env!("CARGO_BIN_EXE_mcp-gen")).parent().expect("it is in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let sh = |script: &str| {
        let output = std::process::Command::new("sh")
            .args(["-e", "-c", script])
            .current_dir(dir.path())
            .env_remove("GIT_DIR")
            .env_remove("GIT_INDEX_FILE")
            .env_remove("GIT_WORK_TREE")
            .env("PATH", format!("{}:{path}", binary.display()))
            .env("GITHUB_BASE_REF", "main")
            .env("GITHUB_STEP_SUMMARY", dir.path().join("summary.md"))
            .output()
            .expect("there is a shell");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let commit = "git init -q && git add openapi.yaml server && git -c user.name=a \
                  -c user.email=a@example.com -c commit.gpgsign=false commit -q -m One && \
                  git update-ref refs/remotes/origin/main HEAD";
    assert_eq!(sh(commit).0, Some(0));
    let (check, diff) = (step("Document, plan and crate agree"), step("What changes for agents"));
    assert_eq!(sh(&check), (Some(0), String::new()));
    let (status, annotations) = sh(&diff);
    assert_eq!((status, annotations.starts_with("::notice ")), (Some(0), true), "{annotations}");
    rename(dir.path());
    assert_eq!(sh(&check).0, Some(1));
    assert_eq!(run_in(dir.path(), &["openapi.yaml", "-o", "server"], "").status, 0);
    assert_eq!(sh(&check).0, Some(0));
    let (status, annotations) = sh(&diff);
    assert_eq!(status, Some(1), "{annotations}");
    assert!(annotations.starts_with("::error file=server/mcp-plan.yaml,line="), "{annotations}");
    let summary = std::fs::read_to_string(dir.path().join("summary.md")).expect("it was written");
    assert!(summary.contains("### MCP tools: no changes"), "{summary}");
    assert!(summary.contains("### MCP tools: 1 change that breaks callers"), "{summary}");
}

#[test]
fn sizes_that_were_edited_are_stale_and_no_change_for_agents() {
    let dir = made(&["-o", "server"]);
    let path = dir.path().join("server/mcp-plan.yaml");
    let text = std::fs::read_to_string(&path).expect("the plan is there");
    let line = text.lines().find(|l| l.trim().starts_with("tokens: ")).expect("a size");
    std::fs::write(&path, text.replacen(line, "    tokens: 7", 1)).expect("it can be written");
    let said = check(dir.path(), &["-o", "server"]);
    assert_eq!(said.status, 1, "{said:?}");
    assert!(said.err.contains("only in its layout, its sizes and its reasons"), "{said:?}");
    mend(dir.path(), &said);
}
