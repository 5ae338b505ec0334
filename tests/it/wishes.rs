//! What mcp-gen.yaml asks for comes true on real documents: tools merged, split, renamed and put
//! elsewhere, operations left out, toolsets; and a line that names nothing is a finding. Skipped with a
//! message where there is no folder of real documents.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::path::PathBuf;

use mcp_gen::plan::{Plan, Posture, Tool};
use serde_json::Value;

use super::support::{root, run_in};

/// A run with a configuration.
struct Made {
    plan: Plan,
    /// Findings about the configuration: `id line`.
    findings: Vec<String>,
}

/// Plans, generates and checks a document with a configuration; nothing where it is not there.
fn made(document: &str, config: &str) -> Option<Made> {
    let folder = std::env::var_os("MCP_GEN_CORPUS")
        .map_or_else(|| root().join("../shared/corpus"), PathBuf::from);
    let document = folder.join("real").join(document);
    if !document.is_file() {
        eprintln!("skipped: `{}` is not there", document.display());
        return None;
    }
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    std::fs::write(dir.path().join("c.yaml"), config).expect("it can be written");
    let document = document.to_str().expect("UTF-8");
    let run = |args: &[&str]| {
        let said = run_in(dir.path(), &[args, &["--config", "c.yaml"]].concat(), "");
        assert_eq!(said.status, 0, "{args:?}: {}", said.err);
        said
    };
    run(&[document, "-o", "server"]);
    run(&["check", document, "-o", "server"]);
    let text = std::fs::read_to_string(dir.path().join("server/mcp-plan.yaml")).expect("a plan");
    // What the plan says is what clients are told.
    let tools = std::fs::read_to_string(dir.path().join("server/tools.json")).expect("the tools");
    let plan = Plan::from_yaml(&text).expect("a plan");
    for tool in &plan.tools {
        assert!(tools.contains(&format!("\"{}\"", tool.name)), "{}", tool.name);
    }
    let lint: Value = serde_json::from_str(&run(&["lint", document, "--format", "json"]).out)
        .expect("it is JSON");
    let own = |f: &Value| {
        (f["file"] == "c.yaml")
            .then(|| format!("{} {}", f["code"].as_str().unwrap_or(""), f["line"]))
    };
    let findings = lint["findings"].as_array().into_iter().flatten().filter_map(own).collect();
    Some(Made { plan, findings })
}

impl Made {
    fn tool(&self, name: &str) -> &Tool {
        let found = self.plan.tools.iter().find(|t| t.name == name);
        found.unwrap_or_else(|| panic!("no tool `{name}` of {:?}", self.names()))
    }

    fn names(&self) -> Vec<&str> {
        self.plan.tools.iter().map(|t| t.name.as_str()).collect()
    }

    /// Actions and operations of a tool.
    fn actions(&self, name: &str) -> Vec<(&str, &str)> {
        let actions = &self.tool(name).actions;
        actions.iter().map(|a| (a.name.as_str(), a.operation.as_str())).collect()
    }

    /// The tool that an operation is an action of.
    fn home(&self, operation: &str) -> Option<&str> {
        let has = |t: &&Tool| t.actions.iter().any(|a| a.operation == operation);
        self.plan.tools.iter().find(has).map(|t| t.name.as_str())
    }

    fn is_secondary(&self, name: &str) -> bool {
        self.tool(name).posture == Posture::Secondary
    }
}

#[test]
fn a_pet_store_is_cut_as_the_configuration_says() {
    let Some(made) = made(
        "swagger-petstore.yaml",
        r#"exclude: ["tag:nothing"]
tools:
  change_pets: {operations: ["POST /pet", "PUT /pet", "POST /pet/{petId}"], title: Change the pets}
  user_admin:
    operations: ["POST /user", "POST /user/createWithList", "PUT /user/{username}", "DELETE /user/{username}"]
    posture: secondary
  read_pets:
    name: look_at_pets
    description: Look at the pets of the store, by their state, their tags or their number.
    actions: {get: one, find_by_tags: by_tags}
    arguments: {pet_id: pet}
operations:
  "GET /store/inventory": {posture: catalog}
  "DELETE /store/order/{orderId}": {skip: true}
  "GET /nowhere*": {posture: primary}
toolsets:
  shop: ["tag:store", "id:nothing"]
  pets: ["tool:look_at_pets", "tool:change_pets"]
"#,
    ) else {
        return;
    };
    assert_eq!(
        made.findings,
        ["pattern-matches-nothing 1", "pattern-matches-nothing 15", "pattern-matches-nothing 17"]
    );
    // Split: what was one tool that changes pets is two.
    assert_eq!(
        made.actions("change_pets").iter().map(|(_, o)| *o).collect::<Vec<_>>(),
        ["POST /pet", "POST /pet/{petId}", "PUT /pet"]
    );
    assert_eq!(made.tool("change_pets").title, "Change the pets");
    assert_ne!(made.home("POST /pet/{petId}/uploadImage"), Some("change_pets"));
    // Merged: what was two tools is one.
    assert_eq!(made.actions("user_admin").len(), 4);
    assert_eq!(made.home("DELETE /user/{username}"), Some("user_admin"));
    assert!(made.is_secondary("user_admin"));
    // Renamed: tool, actions and argument.
    let pets = made.tool("look_at_pets");
    assert!(!made.names().contains(&"read_pets"), "{:?}", made.names());
    assert!(made.actions("look_at_pets").contains(&("one", "GET /pet/{petId}")));
    assert!(made.actions("look_at_pets").contains(&("by_tags", "GET /pet/findByTags")));
    assert!(
        pets.arguments.iter().any(|a| a.name == "pet" && a.to["one"].to_string() == "path:petId")
    );
    assert!(pets.description.starts_with("Look at the pets of the store, by their state"));
    assert!(pets.why.iter().any(|why| why.contains("mcp-gen.yaml")), "{:?}", pets.why);
    // Put elsewhere, and left out.
    assert_eq!(made.home("GET /store/inventory"), None);
    let catalog = made.plan.catalog.as_ref().expect("a catalog");
    assert!(catalog.entries.iter().any(|e| e.operation == "GET /store/inventory"));
    let excluded: Vec<&str> = made.plan.excluded.iter().map(|e| e.operation.as_str()).collect();
    assert_eq!(excluded, ["DELETE /store/order/{orderId}"]);
    for (tool, sets) in
        [("look_at_pets", "pets"), ("change_pets", "pets"), ("user_admin", "default")]
    {
        assert_eq!(made.tool(tool).toolsets, [sets], "{tool}");
    }
}

#[test]
fn a_forum_gets_the_tools_that_are_asked_for_out_of_its_catalog() {
    let Some(made) = made(
        "discourse.json",
        r#"max-primary: 8
tools:
  moderate_users:
    operations: ["PUT /admin/users/{id}/*"]
    title: Moderate users
  read_talk: {operations: ["GET /posts.json", "GET /posts/{id}*", "GET /t/{id}*"]}
  read_nothing: {operations: ["GET /nothing"]}
operations:
  "/uploads*": {skip: true}
  "/badges*": {skip: true}
"#,
    ) else {
        return;
    };
    assert_eq!(
        made.findings,
        ["unknown-tool 7", "pattern-matches-nothing 7", "pattern-matches-nothing 10"]
    );
    let moderation = made.actions("moderate_users");
    assert_eq!(moderation.len(), 5, "{moderation:?}");
    assert!(moderation.iter().all(|(_, o)| o.starts_with("PUT /admin/users/{id}/")));
    let talk = made.actions("read_talk");
    assert_eq!(talk.len(), 5, "{talk:?}");
    assert_eq!(made.home("GET /t/{id}/posts.json"), Some("read_talk"));
    assert_eq!(made.plan.excluded.len(), 7);
    assert!(made.plan.excluded.iter().all(|e| e.operation.contains(" /uploads")));
    assert!(!made.names().contains(&"read_nothing"));
}

#[test]
fn payments_are_grouped_by_task_and_served_in_sets() {
    let Some(made) = made(
        "stripe.yaml",
        r#"include: ["/v1/invoice*", "/v1/refunds*", "/v1/subscriptions*", "/v1/charges*", "/v2/*"]
tools:
  refund: {operations: ["POST /v1/refunds", "POST /v1/charges/{charge}/refund*"]}
  collect_invoice:
    operations: ["POST /v1/invoices/{invoice}/*"]
    actions: {mark_uncollectible: write_off}
  read_invoices: {arguments: {starting_after: after}}
operations:
  "tag:payments": {posture: primary}
  "DELETE *": {posture: catalog}
toolsets:
  refunds: ["tool:refund", "/v1/refunds*"]
"#,
    ) else {
        return;
    };
    assert_eq!(made.findings, ["pattern-matches-nothing 1", "pattern-matches-nothing 9"]);
    let refund = made.actions("refund");
    assert!(
        refund.len() >= 2 && refund.iter().any(|(_, o)| *o == "POST /v1/refunds"),
        "{refund:?}"
    );
    let collect = made.actions("collect_invoice");
    assert!(collect.contains(&("write_off", "POST /v1/invoices/{invoice}/mark_uncollectible")));
    assert_eq!(made.home("POST /v1/invoices/{invoice}/pay"), Some("collect_invoice"));
    let reads = made.tool("read_invoices");
    let after = reads.arguments.iter().find(|a| a.name == "after").expect("it was renamed");
    assert!(after.to.values().all(|to| to.to_string() == "query:starting_after"), "{:?}", after.to);
    let gone = |tool: &Tool| tool.actions.iter().any(|a| a.operation.starts_with("DELETE "));
    assert!(!made.plan.tools.iter().any(gone));
    let all = made.plan.operations();
    assert!(made.plan.excluded.len() * 2 > all, "the rest is left out");
    assert_eq!(made.tool("refund").toolsets, ["refunds"]);
}
