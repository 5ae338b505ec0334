//! What the command writes where: readers that go away, colours, and how much it says.

#![expect(clippy::print_stderr, reason = "a skipped part says so")]

use std::process::{Command, Stdio};

use super::support::{Said, root, run_in};

const SPEC: &str = "specs/repair-cafe/openapi.yaml";
const OLD: &str = "tests/fixtures/diff/tool-added/new.yaml";
const NEW: &str = "tests/fixtures/diff/tool-added/old.yaml";

/// Runs the command with a standard output that nobody reads.
fn unread(args: &[&str]) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = Command::new(env!("CARGO_BIN_EXE_mcp-gen"))
        .args(args)
        .current_dir(root())
        .stdin(Stdio::null())
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .expect("the binary was built by cargo");
    (output.status.code(), String::from_utf8(output.stderr).expect("output is UTF-8"))
}

#[test]
fn a_reader_that_goes_away_changes_no_status_and_no_word() {
    let temp = tempfile::tempdir().expect("a folder for temporary files");
    let path = |name: &str| temp.path().join(name).to_string_lossy().into_owned();
    let (crate_, config, page) = (path("crate"), path("mcp-gen.yaml"), path("report.html"));
    // `generate` follows the plan that is there.
    assert_eq!(run_in(&root(), &[SPEC, "-o", &crate_], "").status, 0);
    let commands: &[&[&str]] = &[
        &["generate", SPEC, "-o", &crate_],
        &["check", SPEC, "-o", &crate_],
        &["init", SPEC, "-o", &config],
        &["init", SPEC, "-o", "-"],
        &["report", SPEC, "-o", &page],
        &["report", SPEC, "-o", "-"],
        &["report", SPEC],
        &["plan", SPEC],
        &["plan", SPEC, "--format", "tools"],
        &["lint", SPEC],
        &["lint", "specs/thorns/openapi.yaml", "-v"],
        &["diff", OLD, NEW],
        &["diff", OLD, NEW, "--format", "markdown"],
        &["diff", OLD, NEW, "--format", "json"],
        &["diff", OLD, NEW, "--format", "github"],
        &["schema", "plan"],
        &["explain", "--list"],
        &["explain", "tool-removed"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
        &["--version"],
    ];
    for args in commands {
        let fresh = || {
            // `init` replaces nothing.
            let _ = std::fs::remove_file(&config);
        };
        let (status, err) = unread(args);
        assert!(!err.contains("panicked"), "{args:?}: {err}");
        fresh();
        let read = run_in(&root(), args, "");
        fresh();
        assert_eq!(status, Some(read.status), "{args:?}: {err}\n{read:?}");
        assert!(!err.contains("pipe"), "{args:?}: {err}");
    }
}

/// Runs the command with a few variables, its output into a pipe.
fn run_with(variables: &[(&str, &str)], args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-gen"));
    clean(&mut command).args(args).envs(variables.iter().copied());
    let output = command.output().expect("the binary was built by cargo");
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// The same into a terminal; nothing where the system has no `script` to make one.
fn run_in_terminal(variables: &[(&str, &str)], args: &[&str]) -> Option<String> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let line = format!("'{}' {}", env!("CARGO_BIN_EXE_mcp-gen"), args.join(" "));
    let mut command = Command::new("script");
    clean(&mut command).args(["-qec", &line, "/dev/null"]).envs(variables.iter().copied());
    let output = command.output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn clean(command: &mut Command) -> &mut Command {
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        command.env_remove(name);
    }
    command.current_dir(root()).env("TERM", "xterm-256color").stdin(Stdio::null())
}

/// Variables, arguments → whether a pipe, whether a terminal has colours.
type Case = (&'static [(&'static str, &'static str)], &'static [&'static str], bool, bool);

#[test]
fn colours_are_there_when_a_terminal_or_the_person_wants_them() {
    let cases: &[Case] = &[
        (&[], &[], false, true),
        (&[("NO_COLOR", "1")], &[], false, false),
        (&[("NO_COLOR", "")], &[], false, true),
        (&[("CLICOLOR", "0")], &[], false, false),
        (&[("CLICOLOR", "1")], &[], false, true),
        (&[("CLICOLOR_FORCE", "1")], &[], true, true),
        (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[], false, false),
        (&[("TERM", "dumb")], &[], false, false),
        (&[("NO_COLOR", "1")], &["--color", "always"], true, true),
        (&[("TERM", "dumb")], &["--color", "always"], true, true),
        (&[("CLICOLOR_FORCE", "1")], &["--color", "never"], false, false),
        (&[], &["--color", "never"], false, false),
    ];
    let mut terminals = 0;
    for command in [&["lint", "specs/thorns/openapi.yaml"][..], &["diff", OLD, NEW]] {
        for (variables, more, pipe, terminal) in cases {
            let args = [command, more].concat();
            let said = run_with(variables, &args);
            assert!(said.len() > 20, "{args:?} says something: {said}");
            assert_eq!(said.contains('\u{1b}'), *pipe, "pipe: {variables:?} {args:?}: {said}");
            if let Some(said) = run_in_terminal(variables, &args) {
                terminals += 1;
                assert!(said.len() > 20, "{args:?} says something: {said}");
                let seen = said.contains('\u{1b}');
                assert_eq!(seen, *terminal, "terminal: {variables:?} {args:?}: {said}");
            }
        }
    }
    if terminals == 0 {
        eprintln!("skipped: colours in a terminal; `script` is not here");
    }
}

#[test]
fn data_for_programs_has_no_colours_even_when_they_are_forced() {
    for args in [
        &["plan", SPEC][..],
        &["plan", SPEC, "--format", "tools"],
        &["diff", OLD, NEW, "--format", "json"],
        &["diff", OLD, NEW, "--format", "markdown"],
        &["diff", OLD, NEW, "--format", "github"],
        &["schema", "plan"],
        &["completions", "zsh"],
    ] {
        let args = [args, &["--color", "always"]].concat();
        let said = run_in(&root(), &args, "");
        assert!(!said.out.is_empty(), "{args:?}: {said:?}");
        assert!(!said.out.contains('\u{1b}'), "{args:?}: {said:?}");
    }
}

#[test]
fn quiet_says_only_what_is_wrong_and_verbose_says_no_less() {
    let temp = tempfile::tempdir().expect("a folder for temporary files");
    let path = |name: &str| temp.path().join(name).to_string_lossy().into_owned();
    let (crate_, config, page) = (path("crate"), path("mcp-gen.yaml"), path("report.html"));
    let thorns = "specs/thorns/openapi.yaml";
    assert_eq!(run_in(&root(), &[thorns, "-o", &crate_], "").status, 0);
    let commands: &[&[&str]] = &[
        &["generate", thorns, "-o", &crate_],
        &["check", thorns, "-o", &crate_],
        &["init", thorns, "-o", &config],
        &["report", thorns, "-o", &page],
        &["plan", thorns],
        &["lint", thorns],
        &["diff", OLD, NEW],
        &["diff", "no-such:plan.yaml", NEW],
        &["schema", "plan"],
        &["explain", "--list"],
        &["completions", "bash"],
        &["man"],
    ];
    let mut louder = 0;
    for args in commands {
        let say = |flag: &[&str]| -> Said {
            let _ = std::fs::remove_file(&config);
            run_in(&root(), &[args, flag].concat(), "")
        };
        let (usual, quiet, silent, loud) = (say(&[]), say(&["-q"]), say(&["-qq"]), say(&["-v"]));
        for said in [&quiet, &silent, &loud] {
            assert_eq!(said.status, usual.status, "{args:?}: {said:?}");
        }
        if usual.status == 0 {
            assert_eq!(quiet.err, "", "{args:?}");
        }
        assert!(!quiet.err.contains("warning") && !quiet.err.contains("note"), "{quiet:?}");
        assert_eq!(silent.err, "", "{args:?}");
        let words = |said: &Said| said.err.len() + said.out.len();
        assert!(words(&loud) >= words(&usual), "{args:?}: {usual:?}\n{loud:?}");
        louder += usize::from(words(&loud) > words(&usual));
    }
    assert!(louder >= 4, "{louder} commands say more with `-v`");
}

#[test]
fn a_file_called_dash_is_standard_output() {
    let temp = tempfile::tempdir().expect("a folder for temporary files");
    let spec = root().join(SPEC);
    let spec = spec.to_str().expect("UTF-8");
    for (args, first) in [
        (["init", spec, "-o", "-"], "# Configuration of mcp-gen"),
        (["report", spec, "-o", "-"], "<!doctype html>"),
        (["plan", spec, "-o", "-"], "# "),
    ] {
        // Twice: there is nothing to replace.
        for _ in 0..2 {
            let said = run_in(temp.path(), &args, "");
            assert_eq!(said.status, 0, "{args:?}: {}", said.err);
            assert!(said.out.to_lowercase().starts_with(&first.to_lowercase()), "{args:?}");
            assert!(super::support::tree(temp.path()).is_empty(), "{args:?}");
        }
    }
    let said = run_in(temp.path(), &["plan", spec, "--check", "-o", "-"], "");
    assert_eq!(said.status, 2, "{said:?}");
    assert!(said.err.contains("`--check` needs a file"), "{said:?}");
}

#[test]
fn a_plan_for_a_document_and_a_document_for_a_plan_are_told_as_what_they_are() {
    for (args, words) in [
        (["plan", OLD, "-q"], "this is a plan of mcp-gen, no OpenAPI document"),
        (["diff", SPEC, OLD], "this is an OpenAPI document; `mcp-gen plan` makes a plan of it"),
        (["diff", "-", OLD], "the plan is empty"),
    ] {
        let said = run_in(&root(), &args, "");
        assert_eq!(said.status, 2, "{args:?}: {said:?}");
        assert!(said.err.contains(words), "{args:?}: {said:?}");
    }
    let json = "{\n  \"openapi\": \"3.1.0\", \"info\": {}, \"paths\": {}\n}";
    let said = run_in(&root(), &["diff", "-", OLD], json);
    assert!(said.err.contains("this is an OpenAPI document"), "{said:?}");
}

#[test]
fn a_plan_that_is_not_there_is_told_with_the_command_that_makes_it() {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let spec = root().join(SPEC);
    let spec = spec.to_str().expect("UTF-8");
    let said = run_in(dir.path(), &["generate", spec, "-o", "server"], "");
    assert_eq!(said.status, 2, "{said:?}");
    assert!(said.err.contains("there is no plan `server/mcp-plan.yaml`"), "{said:?}");
    assert!(said.err.contains("`mcp-gen DOCUMENT -o DIR` makes one"), "{said:?}");
    assert!(super::support::tree(dir.path()).is_empty());
}
