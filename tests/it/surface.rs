//! What `mcp-gen lint` says about the tools that agents see, and about each client. The golden has
//! what every client does with a plan that breaks a rule of each.

use std::collections::BTreeSet;

use mcp_gen::diagnostic::{Code, Diagnostics, clients, generating, surface};
use mcp_gen::pipeline;
use mcp_gen::plan::Plan;
use mcp_gen::surface::{PROFILES, Profile, Seen};

use super::golden::updating;
use super::support::{root, run_in};

fn profile(id: &str) -> &'static Profile {
    PROFILES.iter().find(|p| p.id == id).unwrap_or_else(|| panic!("no client `{id}`"))
}

/// The plan of a fixture, and the values of the comments at its start.
fn fixture(name: &str) -> (Plan, Vec<String>, Vec<String>) {
    let path = root().join("tests/fixtures/surface").join(format!("{name}.yaml"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("no plan shows `{name}`"));
    let said = |key: &str| -> Vec<String> {
        let lines = text.lines().filter_map(|l| l.strip_prefix(key));
        lines.flat_map(str::split_whitespace).map(str::to_owned).collect()
    };
    let plan = Plan::from_yaml(&text).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    (plan, said("# also:"), said("# client:"))
}

fn seen(plan: &Plan, client: &str) -> (Diagnostics, Seen) {
    let mut diagnostics = Diagnostics::default();
    let seen = pipeline::audit(&mut diagnostics, plan, &[profile(client)]).remove(0);
    (diagnostics, seen)
}

fn rows() -> impl Iterator<Item = &'static Code> {
    let rows = surface::CODES.iter().chain(clients::CODES).copied();
    rows.chain([&generating::UNSAFE_DEFINITION])
}

#[test]
fn every_row_has_a_plan_that_shows_it_and_says_only_what_it_should() {
    for code in rows() {
        let (plan, also, clients) = fixture(code.id);
        let clients: Vec<_> = clients.iter().map(|c| profile(c)).collect();
        let mut diagnostics = Diagnostics::default();
        pipeline::audit(&mut diagnostics, &plan, &clients);
        let found: BTreeSet<&str> = diagnostics.iter().map(|d| d.code.id).collect();
        let meant: BTreeSet<&str> = also.iter().map(String::as_str).chain([code.id]).collect();
        assert_eq!(found, meant, "{}: {diagnostics:#?}", code.id);
        for finding in diagnostics.iter() {
            assert!(!finding.message.ends_with('.'), "{finding:?}");
            assert!(finding.client.is_some() || finding.help.is_some(), "{finding:?}");
            assert_eq!(finding.client.is_some(), finding.code.id.starts_with("client-"));
        }
    }
}

#[test]
fn no_plan_shows_a_row_that_is_gone() {
    let known: BTreeSet<String> =
        rows().map(|c| format!("{}.yaml", c.id)).chain(["every-client.yaml".to_owned()]).collect();
    let files = std::fs::read_dir(root().join("tests/fixtures/surface")).expect("it is there");
    let files: BTreeSet<String> =
        files.flatten().map(|f| f.file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(files, known);
}

#[test]
fn what_every_client_does_with_a_plan_that_breaks_its_rules_is_what_was_looked_at() {
    let (plan, ..) = fixture("every-client");
    let mut text = String::new();
    for profile in PROFILES {
        let (diagnostics, seen) = seen(&plan, profile.id);
        text.push_str(&format!("{} takes {} of {}\n", profile.id, seen.taken(), seen.tools.len()));
        let own = diagnostics.sorted().into_iter().filter(|d| d.client == Some(profile.id));
        let own: Vec<_> = own.collect();
        assert!(own.iter().any(|d| d.code.id != "client-sees"), "nothing breaks {}", profile.id);
        for finding in own {
            text.push_str(&format!("  {}: {}\n", finding.code.id, finding.message));
        }
    }
    let path = root().join("tests/golden/lint/clients.txt");
    if updating() {
        std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("a folder");
        std::fs::write(&path, &text).expect("it can be written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(there, text, "`UPDATE_GOLDEN=1` renews it");
}

#[test]
fn names_are_shown_as_each_client_makes_them_by_n2_and_n3() {
    let (mut plan, ..) = fixture("client-sees");
    plan.server = "my.shop".to_owned();
    plan.title = "The Shop, all of it".to_owned();
    let mut shown = |tool: &str, client: &str| {
        plan.tools[0].name = tool.to_owned();
        seen(&plan, client).1.tools[0].shown.clone()
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(shown("list_orders", "openai"), some("list_orders"));
    assert_eq!(shown("list_orders", "claude-code"), some("mcp__my_shop__list_orders"));
    assert_eq!(shown("list.orders", "codex"), some("mcp__my_shop__list_orders"));
    assert_eq!(shown("list_orders", "gemini-cli"), some("mcp_my.shop_list_orders"));
    assert_eq!(shown("List.orders", "vscode"), some("mcp_the_shop__all__ist_orders"));
    let long = "a".repeat(60);
    assert_eq!(shown(&long, "vscode").unwrap().len(), 64);
    assert_eq!(shown(&long, "codex").unwrap().len(), 64);
    assert_eq!(shown(&long, "gemini-cli").unwrap().len(), 63);
    assert_eq!(shown(&long, "cursor"), None);
    assert_eq!(shown(&"a".repeat(53), "cursor"), some(&"a".repeat(53)));
    // One bad name takes all tools of Claude Desktop away, Claude Code leaves out the long one only.
    assert_eq!(shown("list.orders", "claude-desktop"), None);
    assert_eq!(shown(&"a".repeat(115), "claude-code"), None);
    assert_eq!(shown(&"a".repeat(114), "claude-code").unwrap().len(), 128);
}

#[test]
fn plans_that_mcp_gen_makes_are_refused_and_cut_by_no_client() {
    for name in ["pitfalls", "repair-cafe", "thorns", "warehouse"] {
        let path = root().join("generated").join(name).join("mcp-plan.yaml");
        let plan = Plan::from_yaml(&std::fs::read_to_string(path).unwrap()).unwrap();
        for profile in PROFILES {
            let (diagnostics, seen) = seen(&plan, profile.id);
            assert!(!diagnostics.has_errors(), "{name}, {}: {diagnostics:#?}", profile.id);
            assert_eq!(seen.taken(), seen.tools.len(), "{name}, {}", profile.id);
        }
    }
}

#[test]
fn lint_takes_a_plan_as_it_stands_and_clients_by_name() {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let there = root().join("generated/repair-cafe/mcp-plan.yaml");
    let text = std::fs::read_to_string(there).expect("it is there");
    let long = format!("get_health_{}", "a".repeat(50));
    let edited = text.replace("name: get_health", &format!("name: {long}"));
    assert_ne!(edited, text);
    std::fs::write(dir.path().join("plan.yaml"), edited).expect("it can be written");
    let plan = dir.path().join("plan.yaml");
    let plan = plan.to_str().expect("UTF-8");
    let spec = "specs/repair-cafe/openapi.yaml";
    let args = ["lint", spec, "--plan", plan, "--client", "cursor,vscode", "--format", "json"];
    let said = run_in(&root(), &args, "");
    assert_eq!(said.status, 1, "the name is refused by rule N2: {said:?}");
    let json: serde_json::Value = serde_json::from_str(&said.out).expect("it is JSON");
    let cursor = &json["clients"][0];
    assert_eq!(
        (&cursor["client"], &cursor["taken"], &cursor["of"]),
        (&"cursor".into(), &3.into(), &4.into())
    );
    assert_eq!(json["clients"][1]["client"], "vscode");
    let hidden: Vec<_> = json["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|f| f["code"] == "client-hides")
        .collect();
    assert_eq!(hidden.len(), 1, "{hidden:?}");
    assert_eq!(hidden[0]["client"], "cursor");
    assert_eq!(hidden[0]["pointer"], "/tools/3/name");
    assert!(hidden[0]["message"].as_str().expect("a text").contains("more than 60"));
    // A fresh plan has no such name.
    let fresh = run_in(&root(), &["lint", spec, "--client", "all"], "");
    assert_eq!(fresh.status, 0, "{fresh:?}");
    assert!(!fresh.err.contains("client-hides"), "{fresh:?}");
    let said = run_in(&root(), &["lint", spec, "--client", "cursr"], "");
    assert_eq!(said.status, 2, "{said:?}");
    assert!(said.err.contains("cursor"), "it says which there are: {said:?}");
}
