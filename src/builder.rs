//! Servers from build scripts.
//!
//! With `mcp-gen` (`default-features = false`) under `[build-dependencies]`, `build.rs` is
//!
//! ```no_run
//! fn main() -> Result<(), mcp_gen::error::Error> {
//!     mcp_gen::Builder::new("openapi.yaml").generate()?;
//!     Ok(())
//! }
//! ```
//!
//! and the server is a module of the crate:
//!
//! ```ignore
//! mod server {
//!     include!(concat!(env!("OUT_DIR"), "/mcp_server.rs"));
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     server::main()
//! }
//! ```
//!
//! The module has `main`, `server`, `server_with`, `server_with_hooks`, `serve_stdio`, and `router`, to
//! be merged into a router of axum.
//! The crate needs the dependencies that a generated crate has; its `Cargo.toml` names them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::codegen::{Options, bundle};
use crate::config::{self, Config};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::error::Error;
use crate::openapi::{Beside, Remote};
use crate::output;
use crate::pipeline::{self, Part};
use crate::plan::Plan;
use crate::source::Sources;

/// The file that is written unless [`Builder::file_name`] says otherwise.
const FILE: &str = "mcp_server.rs";

/// What a build script asks for. Paths start from the folder of the package, as cargo runs it there.
#[derive(Clone, Debug)]
#[must_use = "nothing is written before `generate`"]
pub struct Builder {
    document: PathBuf,
    config: Option<PathBuf>,
    plan: Option<PathBuf>,
    overlays: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    out_dir: Option<PathBuf>,
    file_name: String,
    hooks: Option<String>,
    server: Option<String>,
    given: Vec<(String, serde_json::Value)>,
    directives: bool,
}

/// What was made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Generated {
    /// The file to include.
    pub module: PathBuf,
    /// The plan that it follows.
    pub plan: Plan,
    /// What was odd, without errors.
    pub findings: Vec<Diagnostic>,
    /// Every file that was read.
    pub read: Vec<PathBuf>,
}

impl Builder {
    /// A server for the OpenAPI document in this file.
    pub fn new(document: impl Into<PathBuf>) -> Self {
        Self {
            document: document.into(),
            config: None,
            plan: None,
            overlays: Vec::new(),
            folders: Vec::new(),
            out_dir: None,
            file_name: FILE.to_owned(),
            hooks: None,
            server: None,
            given: Vec::new(),
            directives: true,
        }
    }

    /// The configuration; without it `mcp-gen.yaml` beside the document counts, where there is one.
    pub fn config(mut self, path: impl Into<PathBuf>) -> Self {
        self.config = Some(path.into());
        self
    }

    /// Follows a plan that is checked in, as it stands, instead of planning in each build:
    /// what was reviewed is what is built. `mcp-gen plan` writes and renews it.
    pub fn plan(mut self, path: impl Into<PathBuf>) -> Self {
        self.plan = Some(path.into());
        self
    }

    /// Applies an overlay to the document, after those of the configuration.
    pub fn overlay(mut self, path: impl Into<PathBuf>) -> Self {
        self.overlays.push(path.into());
        self
    }

    /// Lets references lead into a folder besides the one of the document.
    pub fn allow_refs(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folders.push(folder.into());
        self
    }

    /// The hooks of the server: an expression whose type implements the module's `Hooks`, such as
    /// `crate::hooks::Mine` or `crate::hooks::mine()`. Hooks that only the running program can make
    /// are given to the module's `server_with_hooks` instead.
    pub fn hooks(mut self, expression: impl Into<String>) -> Self {
        self.hooks = Some(expression.into());
        self
    }

    /// The server that is meant, where `split` in the configuration makes several of the document.
    pub fn server(mut self, name: impl Into<String>) -> Self {
        self.server = Some(name.into());
        self
    }

    /// Sets a key of the configuration, as its file has it: `option("max-primary", 5)`. It counts
    /// before the file; lists add to those of the file, and paths start from the folder of the package.
    /// `output` and `workspace-member` are about crates that the command writes, and are refused here.
    pub fn option(mut self, key: impl Into<String>, value: impl Into<serde_json::Value>) -> Self {
        self.given.push((key.into(), value.into()));
        self
    }

    /// Where the module is written; without it in `OUT_DIR`.
    pub fn out_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.out_dir = Some(folder.into());
        self
    }

    /// Name of the module's file, for crates with more servers than one; `mcp_server.rs` otherwise.
    pub fn file_name(mut self, name: impl Into<String>) -> Self {
        self.file_name = name.into();
        self
    }

    /// Whether to tell cargo, on standard output, which files were read and what is odd. It is so
    /// unless this says otherwise.
    pub fn cargo_directives(mut self, wanted: bool) -> Self {
        self.directives = wanted;
        self
    }

    /// Reads, plans and writes the module. Unchanged files keep their time stamps.
    ///
    /// # Errors
    /// When a file cannot be read or written, or the document, the configuration or the plan has
    /// errors in it; then nothing is written.
    pub fn generate(self) -> Result<Generated, Error> {
        let mut diagnostics = Diagnostics::default();
        let mut sources = Sources::default();
        let made = self.make(&mut diagnostics, &mut sources);
        let mut read: Vec<PathBuf> =
            self.config_path().into_iter().chain(self.plan.clone()).collect();
        read.extend(self.overlays.iter().cloned());
        read.extend(sources.iter().map(|source| PathBuf::from(&source.name)));
        read.sort();
        read.dedup();
        if self.directives {
            tell(&diagnostics, &sources, &read);
        }
        let (module, plan) = made?;
        let findings = diagnostics.sorted().into_iter().cloned().collect();
        Ok(Generated { module, plan, findings, read })
    }

    fn make(
        &self,
        diagnostics: &mut Diagnostics,
        sources: &mut Sources,
    ) -> Result<(PathBuf, Plan), Error> {
        let folder = self.target()?;
        let config = match self.config_path() {
            Some(path) => Some((Config::read(sources, pipeline::source_file(&path)?)?, path)),
            None => None,
        };
        let from = |paths: fn(&Config) -> &Vec<PathBuf>| -> Vec<PathBuf> {
            let Some((config, path)) = &config else { return Vec::new() };
            let folder = path.parent().unwrap_or(Path::new(""));
            paths(config).iter().map(|path| folder.join(path)).collect()
        };
        let mut overlays = from(|c| &c.overlays);
        overlays.extend(self.overlays.iter().cloned());
        let mut overlays: Vec<_> =
            overlays.iter().map(|path| pipeline::source_file(path)).collect::<Result<_, _>>()?;
        let mut folders = from(|c| &c.allow_refs);
        folders.extend(self.folders.iter().cloned());
        let mut config = config.map(|(config, _)| config).unwrap_or_default();
        for (key, value) in &self.given {
            refuse(key)?;
            let mut given = serde_json::Map::from_iter([(key.clone(), value.clone())]);
            let text = serde_json::Value::Object(given.clone()).to_string();
            // Its shape is checked as that of a file.
            let checked = Config::from_yaml("option", &text)?;
            if checked.overlays.is_empty() && checked.allow_refs.is_empty() {
                given.retain(|_, value| !value.is_null());
                config = config.with(&given)?;
            }
            for path in &checked.overlays {
                overlays.push(pipeline::source_file(path)?);
            }
            folders.extend(checked.allow_refs);
        }
        let remote = self.copies(&config)?;
        let beside = Beside {
            overlays: &overlays,
            folders: &folders,
            remote: remote.as_ref().map(|remote| remote as &dyn Remote),
        };
        let document = pipeline::source_file(&self.document)?;
        let api = pipeline::read_beside(diagnostics, sources, document, &beside)?;
        stop(diagnostics, sources)?;
        let parts = pipeline::split(diagnostics, &api, &config);
        let part = self.part(&config, &parts)?;
        let api = part.map_or(api, |part| part.api.clone());
        let plan = match &self.plan {
            None => match part {
                None => pipeline::plan(diagnostics, &api, &config, None)?,
                Some(part) => {
                    let name = Some(part.name.as_str());
                    let plans = pipeline::plan_parts(diagnostics, &parts, name, &|_| Ok(None))?;
                    let mut all = parts.iter().zip(plans);
                    let own = all.find(|(other, _)| other.name == part.name);
                    own.expect("each part has a plan").1
                }
            },
            Some(path) => {
                let source = pipeline::source_file(path)?;
                pipeline::read_plan(&source.name, &source.text)?
            }
        };
        stop(diagnostics, sources)?;
        let files = pipeline::generate(diagnostics, &plan, &api, &Options::default());
        stop(diagnostics, sources)?;
        let files = files.expect("without errors there are files");
        let stem = self.file_name.strip_suffix(".rs").unwrap_or(&self.file_name);
        let made = bundle(&files, stem, self.hooks.as_deref());
        for (name, text) in &made.data {
            write(&folder.join(stem).join(name), text)?;
        }
        let module = folder.join(&self.file_name);
        write(&module, &made.module)?;
        Ok((module, plan))
    }

    /// The server that is meant, of several.
    fn part<'p>(&self, config: &Config, parts: &'p [Part]) -> Result<Option<&'p Part>, Error> {
        let part = parts.iter().find(|p| self.server.as_deref() == Some(p.name.as_str()));
        let message = match (&self.server, config.split.is_empty()) {
            (None, true) => return Ok(None),
            (Some(name), true) => {
                format!("there is no server `{name}`: the configuration has no `split`")
            }
            (_, false) if part.is_some() => return Ok(part),
            (_, false) => {
                let all: Vec<_> = parts.iter().map(|p| format!("`{}`", p.name)).collect();
                format!("`server` must name one of {}", all.join(", "))
            }
        };
        Err(Error::Usage { message })
    }

    fn target(&self) -> Result<PathBuf, Error> {
        let usage = |message: &str| Error::Usage { message: message.to_owned() };
        let name = Path::new(&self.file_name);
        if name.file_name() != Some(name.as_os_str()) || name.extension().is_none() {
            return Err(usage("`file_name` takes the name of a file, such as `mcp_server.rs`"));
        }
        let found = self.out_dir.clone().or_else(|| std::env::var_os("OUT_DIR").map(PathBuf::from));
        found.ok_or_else(|| {
            usage("`OUT_DIR` is not set: outside of a build script name an `out_dir`")
        })
    }

    fn config_path(&self) -> Option<PathBuf> {
        let beside = self.document.with_file_name(config::FILE_NAME);
        self.config.clone().or_else(|| beside.is_file().then_some(beside))
    }

    /// Copies of documents at URLs, where the configuration allows such references. A build script
    /// calls nobody: what is not kept was never fetched.
    #[cfg(feature = "remote-refs")]
    fn copies(&self, config: &Config) -> Result<Option<crate::remote::Documents<'static>>, Error> {
        use crate::remote::{Bounds, Documents, Offline};
        if !config.remote_refs {
            return Ok(None);
        }
        let beside = self.plan.as_ref().unwrap_or(&self.document).parent();
        Documents::open(beside.unwrap_or(Path::new("")), &Offline, Bounds::default(), false)
            .map(Some)
    }

    #[cfg(not(feature = "remote-refs"))]
    fn copies(&self, config: &Config) -> Result<Option<Nothing>, Error> {
        if !config.remote_refs {
            return Ok(None);
        }
        let document = self.document.display();
        Err(Error::Usage {
            message: format!(
                "`{document}` may have references to URLs; enable the feature `remote-refs` of mcp-gen"
            ),
        })
    }
}

/// No way to documents at URLs.
#[cfg(not(feature = "remote-refs"))]
#[derive(Debug)]
enum Nothing {}

#[cfg(not(feature = "remote-refs"))]
impl Remote for Nothing {
    fn fetch(
        &self,
        _url: &crate::source::Url,
    ) -> Result<crate::openapi::Fetched, crate::openapi::Unfetched> {
        match *self {}
    }
}

/// Writes what is new.
fn write(path: &Path, text: &str) -> Result<(), Error> {
    if std::fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .map_err(|source| Error::Write { path: folder.to_owned(), source })?;
    }
    output::write_file(path, text)
}

/// An error that names all errors, if there are any.
fn stop(diagnostics: &Diagnostics, sources: &Sources) -> Result<(), Error> {
    let errors = diagnostics.sorted().into_iter().filter(|d| d.code.severity == Severity::Error);
    let message = errors.map(|d| line(d, sources)).collect::<Vec<_>>().join("\n");
    if message.is_empty() { Ok(()) } else { Err(Error::Content { message }) }
}

/// `openapi.yaml:3:5: message [code]; help: …`
fn line(finding: &Diagnostic, sources: &Sources) -> String {
    let mut out = String::new();
    if let Some((name, at)) = finding.at.and_then(|at| sources.locate(at)) {
        let _ = write!(out, "{name}:{}:{}: ", at.line, at.column);
    }
    let _ = write!(out, "{} [{}]", finding.message, finding.code.id);
    if let Some(help) = &finding.help {
        let _ = write!(out, "; help: {help}");
    }
    // A directive of cargo is a line.
    out.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Refuses keys that say where and how the command writes a crate: a module is written otherwise.
fn refuse(key: &str) -> Result<(), Error> {
    let instead = match key {
        "output" => "`out_dir` says where the module is written",
        "workspace-member" => "the module belongs to the crate that includes it",
        _ => return Ok(()),
    };
    let message = format!("`{key}` is about crates that the command writes; {instead}");
    Err(Error::Usage { message })
}

/// What cargo has to know.
#[expect(clippy::print_stdout, reason = "cargo listens there")]
fn tell(diagnostics: &Diagnostics, sources: &Sources, read: &[PathBuf]) {
    println!("cargo::rerun-if-changed=build.rs");
    for path in read.iter().filter(|path| path.exists()) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    for finding in diagnostics.sorted() {
        match finding.code.severity {
            Severity::Error => println!("cargo::error={}", line(finding, sources)),
            Severity::Warning => println!("cargo::warning={}", line(finding, sources)),
            // Cargo has no word for what need not be read.
            Severity::Note => {}
        }
    }
}
