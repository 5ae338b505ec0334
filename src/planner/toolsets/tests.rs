//! Toolsets of the configuration in the plan.

use super::super::tests::{PETSTORE, api, families};
use super::super::wish_tests::wished;
use crate::plan::Plan;

fn sets(plan: &Plan) -> Vec<String> {
    let entries = plan.catalog.iter().flat_map(|c| &c.entries);
    let tools = plan.tools.iter().map(|t| (&t.name, &t.toolsets));
    let entries = entries.filter(|e| e.tool.is_none()).map(|e| (&e.name, &e.toolsets));
    tools.chain(entries).map(|(name, sets)| format!("{name}: {}", sets.join(" "))).collect()
}

#[test]
fn a_tool_belongs_to_each_toolset_that_names_one_of_its_operations() {
    let config = "toolsets:\n  look: [\"GET *\"]\n  pets: [\"tag:pet\", \"tool:*_pets\"]\n";
    let api = api(PETSTORE);
    let (plan, said) = wished(&api, config, None);
    assert!(said.iter().all(|s| !s.contains("toolset")), "{said:?}");
    for line in sets(&plan) {
        let (name, sets) = line.split_once(": ").unwrap();
        let tool = plan.tools.iter().find(|t| t.name == name);
        let reads = tool.is_some_and(|t| t.actions.iter().any(|a| a.operation.starts_with("GET ")));
        assert_eq!(sets.split(' ').any(|s| s == "look"), reads, "{line}");
        assert_eq!(sets.split(' ').any(|s| s == "pets"), name.contains("pet"), "{line}");
        assert_eq!(sets == "default", !reads && !name.contains("pet"), "{line}");
    }
    let (again, _) = wished(&api, config, Some(&plan));
    assert_eq!(again.to_yaml(), plan.to_yaml());
    // The toolsets of the plan before are not asked for by themselves.
    let (without, _) = wished(&api, "", Some(&plan));
    assert_eq!(without.toolsets(), Vec::<&str>::new());
}

#[test]
fn an_operation_of_the_catalog_belongs_to_toolsets_of_its_own() {
    let api = api(&families(60));
    let (plan, said) = wished(&api, "toolsets: {some: [\"GET *\"]}\n", None);
    assert_eq!(said, Vec::<String>::new());
    let catalog = plan.catalog.as_ref().expect("a catalog");
    let alone: Vec<_> = catalog.entries.iter().filter(|e| e.tool.is_none()).collect();
    assert!(!alone.is_empty());
    for entry in alone {
        let expected = if entry.operation.starts_with("GET ") { "some" } else { "default" };
        assert_eq!(entry.toolsets, [expected], "{}", entry.operation);
    }
}

#[test]
fn a_line_of_a_toolset_that_names_nothing_is_reported_where_it_stands() {
    let config = "\
exclude: [\"/store/inventory\"]
toolsets:
  a: [\"tag:nothing\"]
  b:
  - \"GET /pet/*\"
  - tool:read_pest
  - /store/inventory
  C d: [\"*\"]
  e: []
";
    let (plan, said) = wished(&api(PETSTORE), config, None);
    let said: Vec<&str> = said.iter().map(|s| s.split_once(' ').unwrap().0).collect();
    assert_eq!(
        said,
        [
            "3:pattern-matches-nothing",
            "6:unknown-tool",
            "7:wish-without-effect",
            "8:wish-refused",
            "9:wish-without-effect"
        ]
    );
    assert_eq!(plan.toolsets(), ["b", "default"]);
}
