//! Two plans and what is said of them: every kind of change has a fixture, swapping a fixture gives
//! the mirror, and `mcp-gen diff` finds plans in files and in git.

use std::collections::BTreeSet;
use std::path::PathBuf;

use mcp_gen::diff::{self, Diff, KINDS, Kind, Size, kind};
use mcp_gen::pipeline;
use mcp_gen::plan::Plan;

use super::golden::updating;
use super::support::{Said, root, run_in, tree};

fn fixtures() -> PathBuf {
    root().join("tests/fixtures/diff")
}

fn text(id: &str, side: &str) -> String {
    let path = fixtures().join(id).join(format!("{side}.yaml"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn plan(id: &str, side: &str) -> Plan {
    let text = text(id, side);
    Plan::from_yaml(&text).unwrap_or_else(|e| panic!("{id}/{side}.yaml: {e:?}"))
}

fn names() -> BTreeSet<String> {
    let folder = std::fs::read_dir(fixtures()).expect("the fixtures are there");
    folder.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect()
}

/// Ids of all changes, sorted.
fn ids(diff: &Diff) -> Vec<&'static str> {
    let mut ids: Vec<_> = diff.changes().map(|c| c.kind.id).collect();
    ids.sort_unstable();
    ids
}

fn row(id: &str) -> &'static Kind {
    kind(id).unwrap_or_else(|| panic!("no kind of change has the id `{id}`"))
}

#[test]
fn every_kind_has_a_fixture_that_gives_it_and_nothing_that_is_not_named() {
    let names = names();
    for kind in KINDS {
        assert!(
            names.contains(kind.id) || names.contains(kind.mirror),
            "neither tests/fixtures/diff/{} nor {} is there",
            kind.id,
            kind.mirror
        );
    }
    for id in &names {
        row(id);
        let mut expected = vec![id.as_str()];
        let new = text(id, "new");
        let also = new.lines().next().and_then(|l| l.strip_prefix("# also: "));
        expected.extend(also.iter().flat_map(|l| l.split(", ")));
        expected.sort_unstable();
        let diff = pipeline::diff(Some(&plan(id, "old")), &plan(id, "new"));
        assert_eq!(ids(&diff), expected, "{id}: {diff:#?}");
    }
}

#[test]
fn swapping_a_fixture_gives_the_mirrors() {
    for id in names() {
        let (old, new) = (plan(&id, "old"), plan(&id, "new"));
        let mut mirrors: Vec<_> =
            ids(&pipeline::diff(Some(&old), &new)).iter().map(|id| row(id).mirror).collect();
        mirrors.sort_unstable();
        let swapped = pipeline::diff(Some(&new), &old);
        assert_eq!(ids(&swapped), mirrors, "{id}: {swapped:#?}");
    }
}

#[test]
fn the_table_holds_together() {
    let mut seen: BTreeSet<&str> = mcp_gen::diagnostic::CODES
        .iter()
        .flat_map(|list| list.iter())
        .map(|code| code.id)
        .collect();
    for kind in KINDS {
        assert!(seen.insert(kind.id), "`{}` stands twice", kind.id);
        assert!(kind.id.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "`{}`", kind.id);
        assert!(kind.explanation.ends_with('.'), "`{}` explains in whole sentences", kind.id);
        assert_eq!(row(kind.mirror).mirror, kind.id, "the mirror of the mirror of `{}`", kind.id);
    }
}

#[test]
fn swapping_any_two_plans_gives_the_mirrors() {
    let plans: Vec<(String, Plan)> = names()
        .iter()
        .flat_map(|id| ["old", "new"].map(|side| (format!("{id}/{side}"), plan(id, side))))
        .collect();
    for (i, (left, a)) in plans.iter().enumerate() {
        for (right, b) in &plans[..i] {
            let there = diff::compare(Some(a), b, Size::default());
            let back = diff::compare(Some(b), a, Size::default());
            let mut mirrors: Vec<_> = ids(&there).iter().map(|id| row(id).mirror).collect();
            mirrors.sort_unstable();
            assert_eq!(ids(&back), mirrors, "{right} -> {left}");
            assert_eq!(a == b, mirrors.is_empty(), "{left} and {right}");
        }
    }
}

/// Every plan that is `plan` without one of its parts.
fn without_a_part(plan: &Plan) -> Vec<(String, Plan)> {
    let mut made = Vec::new();
    let mut with = |what: String, change: &dyn Fn(&mut Plan)| {
        let mut less = plan.clone();
        change(&mut less);
        made.push((what, less));
    };
    for (i, tool) in plan.tools.iter().enumerate() {
        with(format!("tool {i}"), &|p| drop(p.tools.remove(i)));
        for j in 0..tool.actions.len() {
            with(format!("action {i}.{j}"), &|p| drop(p.tools[i].actions.remove(j)));
            with(format!("requirements {i}.{j}"), &|p| p.tools[i].actions[j].required.clear());
        }
        for j in 0..tool.arguments.len() {
            with(format!("argument {i}.{j}"), &|p| drop(p.tools[i].arguments.remove(j)));
            with(format!("places {i}.{j}"), &|p| {
                p.tools[i].arguments[j].to.shift_remove_index(0);
            });
            for (key, value) in tool.arguments[j].schema.as_object().expect("an object") {
                // No properties are as good as none said.
                if value.as_object().is_some_and(serde_json::Map::is_empty) {
                    continue;
                }
                with(format!("keyword {i}.{j}.{key}"), &|p| {
                    let schema = p.tools[i].arguments[j].schema.as_object_mut();
                    schema.expect("an object").remove(key);
                });
            }
        }
    }
    for i in 0..plan.catalog.as_ref().map_or(0, |c| c.entries.len()) {
        let entries = |p: &mut Plan| p.catalog.take().expect("it has one");
        with(format!("entry {i}"), &|p| {
            let mut catalog = entries(p);
            catalog.entries.remove(i);
            p.catalog = Some(catalog);
        });
        with(format!("arguments of entry {i}"), &|p| {
            let mut catalog = entries(p);
            catalog.entries[i].arguments.clear();
            p.catalog = Some(catalog);
        });
    }
    for i in 0..plan.excluded.len() {
        with(format!("exclusion {i}"), &|p| drop(p.excluded.remove(i)));
    }
    with("catalog".to_owned(), &|p| p.catalog = None);
    with("connection".to_owned(), &|p| p.connection = mcp_gen::plan::Connection::default());
    made
}

#[test]
fn no_part_of_a_plan_goes_unseen_and_its_coming_is_the_mirror_of_its_going() {
    for name in ["pitfalls", "repair-cafe", "thorns", "warehouse"] {
        let path = root().join("generated").join(name).join("mcp-plan.yaml");
        let text = std::fs::read_to_string(path).expect("it is there");
        let plan = Plan::from_yaml(&text).expect("it is a plan");
        for (what, less) in without_a_part(&plan) {
            let there = diff::compare(Some(&plan), &less, Size::default());
            let back = diff::compare(Some(&less), &plan, Size::default());
            assert_eq!(there.is_empty(), plan == less, "{name}: {what}");
            let mut mirrors: Vec<_> = ids(&there).iter().map(|id| row(id).mirror).collect();
            mirrors.sort_unstable();
            assert_eq!(ids(&back), mirrors, "{name}: {what}");
        }
    }
}

/// Runs `mcp-gen diff` in `tests/golden/diff`.
fn run(args: &[&str]) -> Said {
    run_in(&root().join("tests/golden/diff"), &[&["diff"], args].concat(), "")
}

#[test]
fn every_form_says_what_its_golden_says() {
    let mut made = std::collections::BTreeMap::<String, String>::new();
    for (form, end) in [("text", "txt"), ("markdown", "md"), ("json", "json"), ("github", "github")]
    {
        for (name, new) in [("changes", "new.yaml"), ("nothing", "old.yaml")] {
            let said = run(&["old.yaml", new, "--format", form]);
            assert_eq!((said.status, said.err.as_str()), (0, ""), "{form}");
            made.insert(format!("{name}.{end}"), said.out);
        }
    }
    made.insert("verbose.txt".to_owned(), run(&["old.yaml", "new.yaml", "-v"]).out);
    let schema = serde_json::to_string_pretty(&diff::json_schema()).expect("it has a text");
    made.insert("schema.json".to_owned(), schema + "\n");
    let dir = root().join("tests/golden/diff");
    let mut there = tree(&dir);
    there.retain(|name, _| !["old.yaml", "new.yaml"].contains(&name.as_str()));
    if updating() {
        for name in there.keys() {
            std::fs::remove_file(dir.join(name)).expect("it can be removed");
        }
        for (name, text) in made {
            std::fs::write(dir.join(name), text).expect("it can be written");
        }
        return;
    }
    assert!(made.keys().eq(there.keys()), "{:?} is not {:?}", there.keys(), made.keys());
    for (name, text) in made {
        let found = String::from_utf8_lossy(&there[&name]);
        assert_eq!(found, text, "tests/golden/diff/{name}; UPDATE_GOLDEN=1 renews it");
    }
}

#[test]
fn the_json_form_has_the_keys_of_its_schema() {
    let json: serde_json::Value =
        serde_json::from_str(&run(&["old.yaml", "new.yaml", "--format", "json"]).out)
            .expect("JSON");
    let schema = diff::json_schema();
    let keys = |value: &serde_json::Value| -> BTreeSet<String> {
        value.as_object().expect("an object").keys().cloned().collect()
    };
    assert_eq!(keys(&json), keys(&schema["properties"]));
    assert_eq!(keys(&json["counts"]), keys(&schema["$defs"]["Counts"]["properties"]));
    for change in json["changes"].as_array().expect("a list") {
        assert_eq!(keys(change), keys(&schema["$defs"]["Change"]["properties"]));
    }
}

#[test]
fn colour_is_given_where_it_is_wanted() {
    for (when, coloured) in [("always", true), ("never", false), ("auto", false)] {
        let said = run(&["old.yaml", "new.yaml", "--color", when]);
        assert_eq!(said.out.contains('\u{1b}'), coloured, "{when}");
    }
}

#[test]
fn fail_on_is_a_threshold() {
    let fixture = |id: &str| {
        let path = |side: &str| fixtures().join(id).join(side).to_string_lossy().into_owned();
        (path("old.yaml"), path("new.yaml"))
    };
    for (id, statuses) in [
        ("action-renamed", [1, 1, 1, 1, 0]),
        ("default-changed", [0, 1, 1, 1, 0]),
        ("argument-taken", [0, 0, 1, 1, 0]),
        ("summary-changed", [0, 0, 0, 1, 0]),
    ] {
        let (old, new) = fixture(id);
        for (limit, status) in
            ["breaking", "sensitive", "additive", "docs", "never"].iter().zip(statuses)
        {
            assert_eq!(run(&[&old, &new, "--fail-on", limit]).status, status, "{id}, {limit}");
            assert_eq!(run(&[&old, &old, "--fail-on", limit]).status, 0, "{limit}");
        }
        assert_eq!(run(&[&old, &new]).status, 0, "{id}: the default is `never`");
    }
}

#[test]
fn explain_knows_kinds_of_change() {
    let said = run_in(&root(), &["explain", "argument-required"], "");
    assert_eq!(said.status, 0, "{said:?}");
    assert!(said.out.starts_with("argument-required (breaking)"), "{said:?}");
    assert!(said.out.contains("argument-optional"), "{said:?}");
    let list = run_in(&root(), &["explain", "--list"], "").out;
    for kind in KINDS {
        assert!(list.lines().any(|l| l.split(' ').next() == Some(kind.id)), "{}", kind.id);
    }
}

/// A repository with the old golden committed in `server/mcp-plan.yaml` and the new one in its place.
fn repository() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let server = dir.path().join("server");
    std::fs::create_dir(&server).expect("it can be made");
    let copy = |from: &str| {
        let from = root().join("tests/golden/diff").join(from);
        std::fs::copy(from, server.join("mcp-plan.yaml")).expect("it can be copied");
    };
    git(dir.path(), &["init", "--quiet"]);
    copy("old.yaml");
    git(dir.path(), &["add", "server"]);
    git(dir.path(), &["commit", "--quiet", "--message", "One"]);
    copy("new.yaml");
    dir
}

/// Runs git with nothing of the person who runs the tests.
fn git(dir: &std::path::Path, args: &[&str]) {
    let status = std::process::Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"])
        .args(args)
        .current_dir(dir)
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE")
        .env_remove("GIT_WORK_TREE")
        .status()
        .expect("git is there");
    assert!(status.success(), "git {args:?}");
}

#[test]
fn plans_come_out_of_git() {
    let dir = repository();
    let server = dir.path().join("server");
    let expected = run(&["old.yaml", "new.yaml"]).out;
    let absolute = server.join("mcp-plan.yaml").to_string_lossy().into_owned();
    for (folder, args) in [
        (&root(), &[absolute.as_str()][..]),
        (&server, &[]),
        (&server, &["mcp-plan.yaml"]),
        (&dir.path().to_owned(), &["server/mcp-plan.yaml"]),
        (&server, &["HEAD:server/mcp-plan.yaml", "mcp-plan.yaml"]),
        (&server, &["HEAD:./mcp-plan.yaml", "../server/mcp-plan.yaml"]),
    ] {
        let said = run_in(folder, &[&["diff"], args].concat(), "");
        assert_eq!((said.status, said.err.as_str()), (0, ""), "{args:?}");
        assert_eq!(said.out, expected, "{args:?}");
    }
}

#[test]
fn a_plan_that_is_new_in_git_is_all_additive() {
    let dir = repository();
    let path = dir.path().join("mcp-plan.yaml");
    std::fs::copy(root().join("tests/golden/diff/new.yaml"), path).expect("it can be copied");
    for args in [&["mcp-plan.yaml"][..], &["HEAD:mcp-plan.yaml", "mcp-plan.yaml"]] {
        let said = run_in(dir.path(), &[&["diff", "--fail-on", "sensitive"], args].concat(), "");
        assert_eq!(said.status, 0, "{said:?}");
        assert!(said.err.contains("does not exist yet"), "{said:?}");
        assert!(said.out.contains("additive[tool-added]"), "{said:?}");
        assert!(!said.out.contains("breaking["), "{said:?}");
    }
}

#[test]
fn one_plan_may_come_from_standard_input() {
    let text = std::fs::read_to_string(root().join("tests/golden/diff/new.yaml")).expect("ok");
    let dir = root().join("tests/golden/diff");
    let said = run_in(&dir, &["diff", "old.yaml", "-"], &text);
    assert_eq!(said.out, run(&["old.yaml", "new.yaml"]).out);
    assert_eq!(run_in(&dir, &["diff", "-", "-"], &text).status, 2);
}

#[test]
fn what_cannot_be_compared_is_status_2_and_says_why() {
    let dir = repository();
    let outside = tempfile::tempdir().expect("a folder for temporary files");
    let plan = root().join("tests/golden/diff/new.yaml").to_string_lossy().into_owned();
    for (folder, args, says) in [
        (dir.path(), &["no-such-rev:server/mcp-plan.yaml", &plan][..], "no revision `no-such-rev`"),
        (dir.path(), &["HEAD:server/mcp-plan.yml", &plan], "has no file `server/mcp-plan.yml`"),
        (dir.path(), &["HEAD:server", &plan], "has no file `server`"),
        (dir.path(), &["HEAD:server/mcp-plan.yaml"], "name the new one too"),
        (dir.path(), &[], "mcp-plan.yaml"),
        (dir.path(), &["server/mcp-plan.yaml", "HEAD:mcp-plan.yml"], "has no file"),
        (dir.path(), &["--", "--output=made:x", &plan], "is no revision"),
        (outside.path(), &[plan.as_str(), "no-such-file"], "cannot read `no-such-file`"),
        (outside.path(), &["HEAD:mcp-plan.yaml", &plan], "not a git repository"),
    ] {
        let said = run_in(folder, &[&["diff"], args].concat(), "");
        assert_eq!(said.status, 2, "{args:?}: {said:?}");
        assert!(said.err.contains(says), "{args:?}: {said:?}");
        assert_eq!(said.out, "", "{args:?}");
    }
    assert!(!dir.path().join("made").exists());
}

/// The lines of the guide below the command that begins with `command`.
fn shown(command: &str) -> String {
    let guide = std::fs::read_to_string(root().join("docs/review.md")).expect("it is there");
    let (_, rest) = guide.split_once(&format!("$ {command}")).expect("the guide shows it");
    let lines = rest.lines().skip(1).take_while(|l| !l.starts_with("```"));
    lines.map(|l| format!("{l}\n")).collect()
}

#[test]
fn the_guide_shows_what_is_said() {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let spec = std::fs::read_to_string(root().join("specs/repair-cafe/openapi.yaml")).expect("ok");
    let mut next = spec.clone();
    for (from, to) in [
        ("required: [outcome]", "required: [outcome, minutes]"),
        ("/repairs/{repairId}/notes:", "/repairs/{repairId}/remarks:"),
        ("maximum: 100, default: 20", "maximum: 200, default: 50"),
        ("http://127.0.0.1:8099", "https://cafe.example.com"),
    ] {
        assert!(next.contains(from), "{from}");
        next = next.replace(from, to);
    }
    assert_eq!(run_in(dir.path(), &["plan", "-", "-o", "old.yaml"], &spec).status, 0);
    let args = ["plan", "-", "-o", "new.yaml", "--previous", "old.yaml"];
    assert_eq!(run_in(dir.path(), &args, &next).status, 0);
    let said = run_in(dir.path(), &["diff", "old.yaml", "new.yaml"], "");
    assert_eq!(said.out, shown("mcp-gen diff main:server/mcp-plan.yaml server/mcp-plan.yaml"));
}

#[test]
fn an_output_that_is_said_first_or_no_longer_is_a_change_too() {
    let (old, new) = (plan("output-changed", "old"), plan("output-changed", "new"));
    assert!(old.tools[0].output.is_some() && new.tools[0].output.is_some(), "both sides say it");
    let mut none = new.clone();
    none.tools[0].output = None;
    for (from, to) in [(&old, &new), (&new, &old), (&none, &new), (&new, &none)] {
        let diff = pipeline::diff(Some(from), to);
        assert_eq!(ids(&diff), ["output-changed"], "{diff:#?}");
    }
    assert_eq!(row("output-changed").mirror, "output-changed");
}
