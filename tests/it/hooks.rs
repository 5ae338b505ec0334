//! `src/hooks.rs` belongs to its owner: it stays as it is, and what it lacks is said.

use super::support::run_in;

const SPEC: &str = "\
openapi: 3.0.3
info: {title: Kept, version: '1'}
servers: [{url: 'https://kept.example.com'}]
paths:
  /notes:
    get: {operationId: listNotes, responses: {'200': {description: ok}}}
";

/// What an earlier version wrote, with a method filled in.
const OLD: &str = "\
use crate::runtime;

pub struct Hooks;

impl runtime::Hooks for Hooks {
    fn request(&self, request: &mut runtime::Request) -> Result<(), String> {
        Ok(())
    }
}
";

#[test]
fn hooks_of_an_older_form_stay_and_what_they_lack_is_said() {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    std::fs::write(dir.path().join("openapi.yaml"), SPEC).expect("it can be written");
    let line = ["openapi.yaml", "-o", "made"];
    let first = run_in(dir.path(), &line, "");
    assert_eq!(first.status, 0, "{}", first.err);
    assert!(!first.err.contains("hooks.rs"), "a new file lacks nothing: {}", first.err);
    let path = dir.path().join("made/src/hooks.rs");
    std::fs::write(&path, OLD).expect("it can be written");
    for line in [&line[..], &["generate", "openapi.yaml", "-o", "made", "-q"]] {
        let said = run_in(dir.path(), line, "");
        assert_eq!(said.status, 0, "{}", said.err);
        assert_eq!(std::fs::read_to_string(&path).expect("it is there"), OLD);
        let expected = "`made/src/hooks.rs` is yours and was not touched, but the code around it needs something new:\n  - it has no `Hooks::new`";
        assert!(said.err.contains(expected), "{}", said.err);
        assert!(said.err.contains("  - `request` is asynchronous; write `async fn request`"));
        assert!(said.err.contains("help: `made/src/runtime/hooks.rs` shows"), "{}", said.err);
    }
}

#[test]
fn a_check_says_what_hooks_lack_and_is_not_content() {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    std::fs::write(dir.path().join("openapi.yaml"), SPEC).expect("it can be written");
    assert_eq!(run_in(dir.path(), &["openapi.yaml", "-o", "made"], "").status, 0);
    let check = |more: &[&str]| run_in(dir.path(), &[&["check", "-o", "made"], more].concat(), "");
    assert_eq!(check(&[]).status, 0);
    std::fs::write(dir.path().join("made/src/hooks.rs"), OLD).expect("it can be written");
    for more in [&[][..], &["-q"]] {
        let said = check(more);
        assert_eq!(said.status, 1, "{said:?}");
        let expected = "`made/src/hooks.rs` is yours, and lacks what the code around it needs:\n  - it has no `Hooks::new`";
        assert!(said.err.contains(expected), "{}", said.err);
        assert!(said.err.contains("help: `made/src/runtime/hooks.rs` shows"), "{}", said.err);
        assert!(!said.err.contains("renews"), "no command mends it: {}", said.err);
    }
    std::fs::remove_file(dir.path().join("made/src/hooks.rs")).expect("it goes");
    let said = check(&[]);
    assert_eq!(said.status, 1, "{said:?}");
    assert!(said.err.contains("src/hooks.rs (missing)"), "{}", said.err);
}
