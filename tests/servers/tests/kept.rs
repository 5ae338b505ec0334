//! A crate far from this repository, with a lock file of its own: it builds there, and what its owner
//! wrote lives through another generation from another document.

use std::path::{Path, PathBuf};
use std::process::Command;

use mcp_gen_servers::client::{Client, Era};
use mcp_gen_servers::locate::{locate_binary, workspace};
use mcp_gen_servers::recorder::Recorder;
use serde_json::json;

const DOCUMENT: &str = "\
openapi: 3.0.3
info: {title: Kept code, version: '1'}
servers: [{url: 'https://kept.example.com'}]
paths:
  /notes:
    get: {operationId: listNotes, summary: List the notes, responses: {'200': {description: ok}}}
";

/// What is new in the next document.
const MORE: &str = "  /boxes:
    post: {operationId: createBox, summary: Make a box, responses: {'200': {description: ok}}}
";

/// Two toolsets, so that a tool of the owner's can be in one of them.
const CONFIG: &str = "toolsets: {boxes: ['POST /boxes']}\n";

const HOOKS: &str = r#"
use crate::runtime;

pub struct Hooks {
    tenant: String,
}

impl Hooks {
    pub fn new() -> Result<Self, String> {
        Ok(Self { tenant: "seven".to_owned() })
    }
}

impl runtime::Hooks for Hooks {
    async fn request(&self, request: &mut runtime::Request) -> Result<(), String> {
        request.set_header("x-tenant", house_words::tenant(&self.tenant));
        Ok(())
    }

    fn tools(&self, tools: &mut runtime::Tools) {
        let tenant = self.tenant.clone();
        let which = runtime::CustomTool::new("which_tenant", "Say whose notes these are.").reads();
        let which = which.toolset("boxes");
        tools.add(which, move |_| {
            let tenant = tenant.clone();
            async move { Ok(tenant) }
        });
    }
}
"#;

/// Generates into `dir/made` with the command.
fn generate(dir: &Path, document: &str) -> String {
    std::fs::write(dir.join("openapi.yaml"), document).expect("it can be written");
    std::fs::write(dir.join("mcp-gen.yaml"), CONFIG).expect("it can be written");
    let mut command = Command::new(locate_binary("mcp-gen"));
    let output = command.current_dir(dir).args(["openapi.yaml", "-o", "made"]).output();
    let output = output.expect("the command starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

/// Builds `dir/made` from what this workspace was built from, without asking a registry.
fn build(dir: &Path) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    let target = test.ancestors().nth(3).expect("it lies in a target folder");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(dir.join("made")).args(["build", "--quiet", "--offline"]);
    let output = command.arg("--target-dir").arg(target).output().expect("cargo starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    assert!(!said.contains("warning"), "{said}");
    target.join("debug").join("kept-code")
}

/// A crate of the owner's beside the server, and the line that a person writes to use it.
fn add_dependency(dir: &Path) -> String {
    let put = |name: &str, text: &str| {
        std::fs::write(dir.join(name), text).expect("it can be written");
    };
    std::fs::create_dir_all(dir.join("house-words/src")).expect("it can be made");
    let manifest = "[package]\nname = \"house-words\"\nversion = \"0.3.0\"\nedition = \"2024\"\n";
    put("house-words/Cargo.toml", manifest);
    let code = "pub fn tenant(name: &str) -> String {\n    format!(\"of {name}\")\n}\n";
    put("house-words/src/lib.rs", code);
    let manifest = std::fs::read_to_string(dir.join("made/Cargo.toml")).expect("it is there");
    let line = "[dependencies]\nhouse-words = { path = \"../house-words\" } # the owner's\n";
    let manifest = manifest.replace("[dependencies]\n", line);
    put("made/Cargo.toml", &manifest);
    manifest
}

/// The names that `--print-tools` prints with these arguments.
fn printed(program: &Path, arguments: &[&str]) -> Vec<String> {
    let mut command = Command::new(program);
    let output = command.arg("--print-tools").args(arguments).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    rows.iter().filter_map(|row| row["name"].as_str().map(str::to_owned)).collect()
}

async fn tools(client: &Client) -> Vec<String> {
    client.tools().await.iter().map(|tool| tool.name.to_string()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crate_in_a_fresh_folder_builds_and_hooks_live_through_another_generation() {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    generate(dir.path(), DOCUMENT);
    let made = dir.path().join("made");
    std::fs::copy(workspace().join("Cargo.lock"), made.join("Cargo.lock")).expect("it is there");
    std::fs::write(made.join("src/hooks.rs"), HOOKS).expect("it can be written");
    let manifest = add_dependency(dir.path());
    let said = generate(dir.path(), &format!("{DOCUMENT}{MORE}"));
    assert!(!said.contains("hooks.rs"), "nothing is missing: {said}");
    let told = "Kept in `made/Cargo.toml`, as yours: `dependencies.house-words`";
    assert!(said.contains(told), "{said}");
    let after = std::fs::read_to_string(made.join("Cargo.toml")).expect("it is there");
    assert_eq!(after, manifest);
    let kept = std::fs::read_to_string(made.join("src/hooks.rs")).expect("it is there");
    assert_eq!(kept, HOOKS);
    let lock = std::fs::read_to_string(made.join("Cargo.lock")).expect("it is there");
    let program = build(dir.path());
    let own = std::fs::read_to_string(made.join("Cargo.lock")).expect("it is there");
    assert!(own.len() < lock.len() / 2 + lock.len() / 4, "the lock file is its own");

    let own = "which_tenant".to_owned();
    assert!(printed(&program, &[]).contains(&own));
    assert!(printed(&program, &["--toolsets", "boxes"]).contains(&own));
    assert!(printed(&program, &["--read-only"]).contains(&own), "it says that it reads");
    assert!(!printed(&program, &["--toolsets", "default"]).contains(&own));

    let recorder = Recorder::start().await;
    let base = recorder.origin();
    let client = Client::start(&program, &[("KEPT_CODE_BASE_URL", &base)], Era::Modern).await;
    let there = tools(&client).await;
    assert!(there.contains(&"which_tenant".to_owned()), "{there:?}");
    assert_eq!(client.call("which_tenant", &json!({})).await.text, "seven");
    let writing = there.iter().find(|name| name.contains("box")).expect("the new operation");
    assert!(!client.call(writing, &json!({})).await.is_error);
    assert_eq!(recorder.one().header("x-tenant").as_deref(), Some("of seven"));
    client.stop().await;
}
