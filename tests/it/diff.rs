//! Two plans and what is said of them: every kind of change has a fixture, swapping a fixture gives
//! the mirror, and `mcp-gen diff` finds plans in files and in git.

use std::collections::BTreeSet;
use std::path::PathBuf;

use mcp_gen::diff::{Diff, KINDS, Kind, kind};
use mcp_gen::pipeline;
use mcp_gen::plan::Plan;

use super::support::root;

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
