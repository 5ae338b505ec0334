//! Several servers of one document, from the outside.

use std::path::Path;

#[cfg(unix)]
use super::support::signalled;
use super::support::{Said, run_in, tree};

/// Files by their paths.
type Tree = std::collections::BTreeMap<String, Vec<u8>>;

const SHOP: &str = "\
openapi: 3.0.3
info: {title: Shop, version: '1'}
servers: [{url: 'https://shop.example.com'}]
paths:
  /orders:
    get: {tags: [orders], operationId: listOrders, responses: {'200': {description: ok}}}
    post: {tags: [orders], operationId: createOrder, responses: {'200': {description: ok}}}
  /orders/{id}:
    get:
      tags: [orders]
      operationId: getOrder
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: ok}}
  /items:
    get: {tags: [items], operationId: listItems, responses: {'200': {description: ok}}}
  /items/search:
    get: {tags: [items, search], operationId: searchItems, responses: {'200': {description: ok}}}
  /health:
    get: {operationId: getHealth, responses: {'200': {description: ok}}}
";

const SPLIT: &str = "\
exclude: [/health]
split:
  orders: [\"tag:orders\"]
  stock: [\"/items\", \"/items/*\"]
toolsets:
  buying: [\"POST /orders\"]
";

fn folder(config: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let put = |name: &str, text: &str| {
        std::fs::write(dir.path().join(name), text).expect("it can be written");
    };
    put("openapi.yaml", SHOP);
    put("mcp-gen.yaml", config);
    dir
}

fn run(dir: &Path, line: &str) -> Said {
    run_in(dir, &line.split(' ').collect::<Vec<_>>(), "")
}

fn plan(dir: &Path, server: &str) -> mcp_gen::plan::Plan {
    let path = dir.join("out").join(server).join("mcp-plan.yaml");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    mcp_gen::plan::Plan::from_yaml(&text).expect("a plan")
}

#[test]
fn one_document_gives_a_crate_for_each_server_with_its_own_operations() {
    let dir = folder(SPLIT);
    let said = run(dir.path(), "openapi.yaml -o out");
    assert_eq!(said.status, 0, "{said:?}");
    assert!(!said.err.contains("warning"), "{said:?}");
    for (server, operations) in [("orders", 3), ("stock", 2)] {
        let plan = plan(dir.path(), server);
        assert_eq!((plan.server.as_str(), plan.operations()), (server, operations));
        let manifest = dir.path().join("out").join(server).join("Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).expect("a crate");
        assert!(manifest.contains(&format!("name = \"{server}\"")), "{manifest}");
    }
    // Again: the same bytes, whether planned or only followed.
    let before = tree(dir.path());
    for line in ["openapi.yaml -o out", "generate openapi.yaml -o out"] {
        let said = run(dir.path(), line);
        assert_eq!(said.status, 0, "{line}: {said:?}");
        assert!(!said.err.contains("warning"), "{line}: {said:?}");
        assert_eq!(before, tree(dir.path()), "{line}");
    }
    for line in
        ["generate openapi.yaml -o out/orders", "generate openapi.yaml -o out --server stock"]
    {
        let said = run(dir.path(), line);
        assert_eq!(said.status, 0, "{line}: {said:?}");
        assert!(!said.err.contains("plan-incomplete"), "{line}: {said:?}");
        assert_eq!(before, tree(dir.path()), "{line}");
    }
}

#[test]
fn a_folder_that_is_refused_leaves_all_crates_as_they_were() {
    let dir = folder(SPLIT);
    let put = |name: &str, text: &str| {
        std::fs::write(dir.path().join(name), text).expect("it can be written");
    };
    std::fs::create_dir_all(dir.path().join("out/stock")).expect("it can be made");
    put("out/stock/Cargo.toml", "# mine\n");
    let before = tree(dir.path());
    let refused = |line: &str, before: &Tree| {
        let said = run(dir.path(), line);
        assert_eq!(said.status, 2, "{line}: {said:?}");
        assert!(said.err.contains("out/stock/Cargo.toml` is in the way"), "{said:?}");
        assert!(!said.err.contains("Wrote"), "{said:?}");
        assert_eq!(before, &tree(dir.path()), "{line}");
    };
    refused("openapi.yaml -o out", &before);
    std::fs::remove_file(dir.path().join("out/stock/Cargo.toml")).expect("it is there");
    assert_eq!(run(dir.path(), "openapi.yaml -o out").status, 0);
    // Later the document has changed for both, and one folder became somebody else's.
    put(
        "openapi.yaml",
        &SHOP.replace("title: Shop", "title: Market").replace("createOrder", "order"),
    );
    put("out/stock/Cargo.toml", "# mine\n");
    std::fs::remove_file(dir.path().join("out/stock/.mcp-gen-files")).expect("the list of files");
    let before = tree(dir.path());
    refused("openapi.yaml -o out", &before);
    refused("generate openapi.yaml -o out", &before);
    assert_eq!(run(dir.path(), "openapi.yaml -o out --force").status, 0);
    assert_ne!(before["out/orders/mcp-plan.yaml"], tree(dir.path())["out/orders/mcp-plan.yaml"]);
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_all_crates_old_or_all_new() {
    let dir = folder(SPLIT);
    assert_eq!(run(dir.path(), "openapi.yaml -o out").status, 0);
    let old = tree(&dir.path().join("out"));
    let new = folder(SPLIT);
    let document = SHOP.replace("title: Shop", "title: Market").replace("'200'", "'201'");
    std::fs::write(new.path().join("openapi.yaml"), &document).expect("it can be written");
    let start = std::time::Instant::now();
    assert_eq!(run(new.path(), "openapi.yaml -o out").status, 0);
    let whole = start.elapsed();
    let new = tree(&new.path().join("out"));
    assert!(old["orders/mcp-plan.yaml"] != new["orders/mcp-plan.yaml"]);
    assert!(old["stock/mcp-plan.yaml"] != new["stock/mcp-plan.yaml"]);
    for step in 1..=12 {
        let dir = folder(SPLIT);
        assert_eq!(run(dir.path(), "openapi.yaml -o out").status, 0);
        std::fs::write(dir.path().join("openapi.yaml"), &document).expect("it can be written");
        signalled(dir.path(), &["openapi.yaml", "-o", "out"], whole * step / 10);
        let there = tree(&dir.path().join("out"));
        assert!(there == old || there == new, "{step}: {:?}", there.keys().collect::<Vec<_>>());
    }
}

#[test]
fn one_server_is_planned_written_and_checked_alone() {
    let dir = folder(SPLIT);
    let said = run(dir.path(), "plan openapi.yaml --server stock");
    assert_eq!(said.status, 0, "{said:?}");
    assert!(said.out.contains("GET /items/search") && !said.out.contains("/orders"), "{said:?}");
    assert!(!said.err.contains("warning"), "{said:?}");
    let written = run(dir.path(), "openapi.yaml -o out --server stock");
    assert_eq!(written.status, 0, "{written:?}");
    assert!(!dir.path().join("out/orders").exists());
    assert_eq!(plan(dir.path(), "stock").to_yaml(), said.out);
    let said =
        run(dir.path(), "plan openapi.yaml --server stock -o out/stock/mcp-plan.yaml --check");
    assert_eq!(said.status, 0, "{said:?}");
    assert_eq!(run(dir.path(), "check openapi.yaml -o out --server stock").status, 0);
    let said = run(dir.path(), "check openapi.yaml -o out");
    assert_eq!(said.status, 1, "{said:?}");
    let help = said.err.lines().find(|l| l.starts_with("help: ")).expect("a way out");
    let command = help.split('`').nth(1).and_then(|c| c.strip_prefix("mcp-gen ")).expect(help);
    assert_eq!(command, "openapi.yaml -o out --server orders");
    assert_eq!(run(dir.path(), command).status, 0);
    let said = run(dir.path(), "check openapi.yaml -o out");
    assert_eq!(said.status, 0, "{said:?}");
    let said = run(dir.path(), "report openapi.yaml --server stock");
    assert_eq!(said.status, 0, "{said:?}");
    assert!(said.out.contains("/items/search") && !said.out.contains("/orders"));
}

#[test]
fn a_server_that_is_not_there_or_not_named_is_a_usage_error_that_names_those_there_are() {
    let dir = folder(SPLIT);
    for (line, says) in [
        ("plan openapi.yaml", "`orders`, `stock`; `--server` names the one"),
        ("report openapi.yaml", "`orders`, `stock`; `--server` names the one"),
        ("plan openapi.yaml --server shop", "no server `shop`"),
        ("openapi.yaml --server shop -o out", "there are `orders`, `stock`"),
        ("openapi.yaml", "name a folder with `-o`"),
        ("check openapi.yaml", "name a folder with `-o`"),
    ] {
        let said = run(dir.path(), line);
        assert_eq!(said.status, 2, "{line}: {said:?}");
        assert!(said.err.contains(says), "{line}: {said:?}");
    }
    let dir = folder("max-primary: 9\n");
    let said = run(dir.path(), "plan openapi.yaml --server orders");
    assert_eq!(said.status, 2, "{said:?}");
    assert!(said.err.contains("the configuration does not have"), "{said:?}");
    let dir = folder("split: {'../x': ['*']}\n");
    let said = run(dir.path(), "openapi.yaml -o out");
    assert_eq!(said.status, 2, "{said:?}");
    assert!(said.err.contains("cannot be the name of a server"), "{said:?}");
}

/// Findings as `id line`, those about the configuration.
fn found(config: &str) -> Vec<String> {
    let dir = folder(config);
    let said = run(dir.path(), "lint openapi.yaml --format json");
    let all: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    let all = all["findings"].as_array().expect("a list").clone();
    all.iter()
        .filter(|f| f["file"] == "mcp-gen.yaml")
        .map(|f| format!("{} {}", f["code"].as_str().expect("an id"), f["line"]))
        .collect()
}

#[test]
fn an_operation_in_two_servers_or_in_none_is_a_finding_at_its_line() {
    assert_eq!(found(SPLIT), Vec::<String>::new());
    let config = "\
split:
  orders: [\"tag:orders\"]
  writing:
  - \"POST *\"
  - tag:nothing
  search: [\"tag:search\"]
";
    assert_eq!(
        found(config),
        ["operation-in-no-server 1", "operation-in-two-servers 4", "pattern-matches-nothing 5"]
    );
    let dir = folder(config);
    let said = run(dir.path(), "openapi.yaml -o out");
    assert_eq!(said.status, 0, "{said:?}");
    assert!(
        said.err.contains("2 operations are in no server: GET /items, GET /health"),
        "{said:?}"
    );
    assert!(said.err.contains("also names POST /orders, which stays in `orders`"), "{said:?}");
    assert!(!dir.path().join("out/writing").exists(), "it has no operation of its own");
    assert_eq!(plan(dir.path(), "orders").operations(), 3);
}

#[test]
fn a_line_for_all_servers_is_idle_only_when_it_is_so_in_each() {
    let config = format!("{SPLIT}  idle: [\"tag:none\"]\ntools: {{read_pest: {{title: Pets}}}}\n");
    assert_eq!(found(&config), ["pattern-matches-nothing 7", "unknown-tool 8"]);
}

/// A document with `count` operations under each of these tags.
fn large(tags: &[&str], count: usize) -> String {
    let mut text = "openapi: 3.0.3\ninfo: {title: Large, version: '1'}\npaths:\n".to_owned();
    for tag in tags {
        for i in 0..count {
            let noun = tag.to_ascii_lowercase().replace([' ', '/'], "-");
            text.push_str(&format!(
                "  /{noun}/things-{i}:\n    get: {{tags: ['{tag}'], responses: {{'200': {{description: ok}}}}}}\n"
            ));
        }
    }
    text
}

#[test]
fn the_start_for_a_large_api_proposes_servers_and_toolsets_that_can_be_taken_as_they_are() {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let put = |name: &str, text: &str| {
        std::fs::write(dir.path().join(name), text).expect("it can be written");
    };
    let tags =
        ["Billing & money", "9 lives", "A very long name of a tag", "A very long name of one"];
    put("openapi.yaml", &large(&tags, 51));
    let said = run(dir.path(), "init openapi.yaml");
    assert_eq!(said.status, 0, "{said:?}");
    let text = std::fs::read_to_string(dir.path().join("mcp-gen.yaml")).expect("it is there");
    for line in [
        "#  billing-money: [\"tag:Billing & money\"]  # 51 operations",
        "#  part9-lives: [\"tag:9 lives\"]  # 51 operations",
        "#  a-very-long-name: [\"tag:A very long name of a tag\"]  # 51 operations",
        "#  a-very-long-name-2: [\"tag:A very long name of one\"]  # 51 operations",
        "#  billing_money: [\"tag:Billing & money\"]  # 51 operations",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    let start = text.find("#split:").expect("a split");
    let end = text.find("\n# Operations to leave out").expect("what follows");
    let taken: String = text[start..end]
        .lines()
        .map(|l| l.strip_prefix('#').filter(|r| !r.starts_with(' ') || r.starts_with("  ")))
        .map(|l| format!("{}\n", l.unwrap_or_default()))
        .collect();
    put("mcp-gen.yaml", &taken);
    let said = run(dir.path(), "lint openapi.yaml --format json");
    assert_eq!(said.status, 0, "{said:?}\n{taken}");
    for id in ["pattern-matches-nothing", "operation-in", "wish-refused"] {
        assert!(!said.out.contains(id), "{id}: {}\n{taken}", said.out);
    }
    put("openapi.yaml", &large(&tags, 20));
    let said = run(dir.path(), "init openapi.yaml --force");
    assert_eq!(said.status, 0, "{said:?}");
    let text = std::fs::read_to_string(dir.path().join("mcp-gen.yaml")).expect("it is there");
    assert!(!text.contains("#split:"), "{text}");
}
