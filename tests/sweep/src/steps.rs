//! The steps for one document.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use mcp_gen::config::Config;
use mcp_gen::diagnostic::Diagnostics;
use mcp_gen::ir::Api;
use mcp_gen::plan::Plan;
use mcp_gen::source::{Source, Sources};
use mcp_gen::{output, pipeline};
use rmcp::ServiceExt as _;
use rmcp::transport::TokioChildProcess;

/// Longest wait for the answer of `tools/list`.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where crates are written and compiled.
#[derive(Debug)]
pub struct Workshop {
    crates: PathBuf,
    target: PathBuf,
    lock: PathBuf,
}

/// A server that was built.
#[derive(Debug)]
pub struct Built {
    /// The API.
    pub api: Api,
    /// Its plan.
    pub plan: Plan,
    /// Where the crate is.
    pub folder: PathBuf,
    /// The program.
    pub program: PathBuf,
    /// What `tools.json` says.
    pub tools: serde_json::Value,
}

/// What became of one document.
#[derive(Debug, Default)]
pub struct Row {
    document: String,
    operations: usize,
    covered: usize,
    tools: usize,
    primary: usize,
    findings: usize,
    bytes: usize,
    plan_seconds: f64,
    check_seconds: f64,
    list_millis: f64,
    failure: Option<String>,
}

impl Row {
    /// The head of the table.
    pub const HEADER: &str = "| document | operations | covered | tools | primary | findings | bytes of tools/list | plan s | build s | list ms | result |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|";

    /// Whether every step was passed.
    pub fn passed(&self) -> bool {
        self.failure.is_none()
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = self.failure.as_deref().unwrap_or("ok").replace('|', "\\|").replace('\n', " ");
        write!(
            f,
            "| {} | {} | {} | {} | {} | {} | {} | {:.3} | {:.1} | {:.0} | {result} |",
            self.document,
            self.operations,
            self.covered,
            self.tools,
            self.primary,
            self.findings,
            self.bytes,
            self.plan_seconds,
            self.check_seconds,
            self.list_millis,
        )
    }
}

impl Workshop {
    /// Prepares the folders below `target/sweep`.
    pub fn open() -> Result<Self, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let crates = root.join("target/sweep/crates");
        std::fs::create_dir_all(&crates).map_err(|e| format!("{}: {e}", crates.display()))?;
        let crates = crates.canonicalize().map_err(|e| e.to_string())?;
        Ok(Self { target: crates.with_file_name("target"), crates, lock: root.join("Cargo.lock") })
    }

    /// Takes one document through all steps; stops at the first that fails.
    pub fn take(&self, document: &Path) -> Row {
        let mut row = Row { document: name_of(document), ..Row::default() };
        if let Err(message) = self.steps(document, &mut row) {
            row.failure = Some(message);
        }
        row
    }

    fn steps(&self, document: &Path, row: &mut Row) -> Result<(), String> {
        let built = self.build(document, row, |_| {})?;
        let start = Instant::now();
        let listed = list(&built.program)?;
        row.list_millis = start.elapsed().as_secs_f64() * 1000.0;
        row.bytes = listed.to_string().len();
        if listed != built.tools {
            return Err("list: tools/list is not what tools.json says".to_owned());
        }
        Ok(())
    }

    /// Plans, generates and compiles; `change` may change the API before.
    pub fn build(
        &self,
        document: &Path,
        row: &mut Row,
        change: impl FnOnce(&mut Api),
    ) -> Result<Built, String> {
        let text = std::fs::read_to_string(document).map_err(|e| format!("read: {e}"))?;
        let start = Instant::now();
        let mut diagnostics = Diagnostics::default();
        let mut sources = Sources::default();
        let source = Source { name: document.display().to_string(), text };
        let mut api = pipeline::read(&mut diagnostics, &mut sources, source)
            .map_err(|e| format!("read: {e}"))?;
        change(&mut api);
        let plan = pipeline::plan(&mut diagnostics, &api, &Config::default(), None)
            .map_err(|e| format!("plan: {e}"))?;
        row.operations = api.operations.len();
        row.covered = plan.covered();
        row.tools = plan.tools.len()
            + plan.catalog.as_ref().map_or(0, |c| 2 + usize::from(c.write.is_some()));
        row.primary = plan.primary();
        let options = mcp_gen::codegen::Options::default();
        let files = pipeline::generate(&mut diagnostics, &plan, &api, &options);
        row.plan_seconds = start.elapsed().as_secs_f64();
        row.findings = diagnostics.sorted().len();
        let errors: Vec<_> = diagnostics
            .sorted()
            .into_iter()
            .filter(|d| d.code.severity == mcp_gen::diagnostic::Severity::Error)
            .map(|d| d.message.clone())
            .collect();
        let files = files.ok_or_else(|| format!("generate: {}", errors.join("; ")))?;
        if plan.operations() != api.operations.len() {
            return Err(format!("plan: accounts for {} operations", plan.operations()));
        }
        let dir = self.crates.join(name_of(document));
        let _ = std::fs::remove_dir_all(&dir);
        output::write(&dir, &files, false).map_err(|e| format!("write: {e}"))?;
        std::fs::copy(&self.lock, dir.join("Cargo.lock")).map_err(|e| format!("lock: {e}"))?;
        let start = Instant::now();
        let build = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--offline"])
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_TARGET_DIR", &self.target)
            .env("RUSTFLAGS", "-Dwarnings")
            .current_dir(&dir)
            .output()
            .map_err(|e| format!("cargo: {e}"))?;
        row.check_seconds = start.elapsed().as_secs_f64();
        if !build.status.success() {
            let text = String::from_utf8_lossy(&build.stderr);
            return Err(format!("build: {}", text.chars().take(400).collect::<String>()));
        }
        let tools = files
            .generated
            .get("tools.json")
            .and_then(|t| serde_json::from_str(t).ok())
            .ok_or("tools.json: missing or no JSON")?;
        let manifest = files.generated.get("Cargo.toml").ok_or("Cargo.toml: missing")?;
        let program = self.target.join("debug").join(package(manifest).ok_or("no package name")?);
        Ok(Built { api, plan, folder: dir, program, tools })
    }
}

/// The name of the folder for a folder's `openapi.yaml`, else that of the file.
pub fn name_of(document: &Path) -> String {
    let stem = document.file_stem().unwrap_or_default().to_string_lossy();
    let folder = document.parent().and_then(Path::file_name);
    match folder {
        Some(folder) if stem == "openapi" => folder.to_string_lossy().into_owned(),
        _ => stem.into_owned(),
    }
}

fn package(manifest: &str) -> Option<&str> {
    let line = manifest.lines().find(|l| l.starts_with("name = "))?;
    line.split('"').nth(1)
}

/// Starts the server and lists its tools as the client sees them.
fn list(binary: &Path) -> Result<serde_json::Value, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| format!("runtime: {e}"))?;
    runtime.block_on(async {
        let talk = async {
            let child = TokioChildProcess::new(tokio::process::Command::new(binary))
                .map_err(|e| format!("start: {e}"))?;
            let client = ().serve(child).await.map_err(|e| format!("initialize: {e}"))?;
            let tools = client.list_tools(None).await.map_err(|e| format!("list: {e}"))?;
            let _ = client.cancel().await;
            serde_json::to_value(tools.tools).map_err(|e| format!("list: {e}"))
        };
        tokio::time::timeout(PATIENCE, talk).await.map_err(|_| "list: no answer".to_owned())?
    })
}
