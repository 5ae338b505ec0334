//! What commands read: the document, the configuration, the plan that is there.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::args::InputArgs;
use super::console::{Console, Notes};
use super::planning::PlanningArgs;
use super::references::{self, Copies};
use crate::config::{self, Config};
use crate::diagnostic::Diagnostics;
use crate::error::Error;
use crate::ir;
use crate::openapi::{Beside, Remote};
use crate::pipeline;
use crate::plan::Plan;
use crate::source::{Source, Sources};

/// The configuration as its file has it; without one it asks for nothing. It is read once: a pipe gives
/// its text to the first who reads it.
#[derive(Default)]
pub struct Asked {
    config: Config,
    /// The folder that its paths start from.
    folder: PathBuf,
    sources: Sources,
}

/// A document as read, with what was odd about it.
pub struct Loaded {
    pub api: ir::Api,
    config: Config,
    pub sources: Sources,
    pub diagnostics: Diagnostics,
}

/// Reads the document, and what it refers to.
pub fn document(input: &InputArgs, asked: Asked, copies: Copies<'_>) -> Result<Loaded, Error> {
    let path = path(input)?;
    let text_of_path = path.to_string_lossy();
    if text_of_path.starts_with("http://") || text_of_path.starts_with("https://") {
        return Err(Error::Usage {
            message: format!(
                "mcp-gen reads no URL; `curl -s {text_of_path} | mcp-gen -` gives it the document"
            ),
        });
    }
    let source = if path == Path::new("-") {
        let bytes = pipeline::bounded(std::io::stdin().lock())
            .map_err(|source| Error::Read { path: "standard input".into(), source })?;
        pipeline::source("<stdin>", &bytes)?
    } else {
        pipeline::source_file(path)?
    };
    let mut diagnostics = Diagnostics::default();
    let overlays = overlays(input, &asked)?;
    let folders = references::folders(input, asked.allow_refs())?;
    let remote = references::remote(input, asked.config.remote_refs, copies)?;
    let Asked { config, mut sources, .. } = asked;
    let beside = Beside {
        overlays: &overlays,
        folders: &folders,
        remote: remote.as_ref().map(|remote| remote as &dyn Remote),
    };
    let api = pipeline::read_beside(&mut diagnostics, &mut sources, source, &beside)?;
    if let Some(remote) = remote.filter(|_| copies.write && !diagnostics.has_errors()) {
        remote.save()?;
    }
    Ok(Loaded { api, config, sources, diagnostics })
}

/// The overlays: those of the configuration, then those of the command line.
fn overlays(input: &InputArgs, asked: &Asked) -> Result<Vec<Source>, Error> {
    let configured = asked.config.overlays.iter().map(|path| asked.folder.join(path));
    let paths = configured.chain(input.reading.overlay.iter().cloned());
    paths.map(|path| pipeline::source_file(&path)).collect()
}

/// Reads the configuration, where there is one.
pub fn asked(input: &InputArgs) -> Result<Asked, Error> {
    let Some(path) = config_path(input)? else { return Ok(Asked::default()) };
    let mut sources = Sources::default();
    let config = Config::read(&mut sources, pipeline::source_file(&path)?)?;
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    Ok(Asked { config, folder, sources })
}

impl Asked {
    /// The folder of the crate: the one that is given, or else the one of the configuration.
    pub fn output(&self, given: Option<&PathBuf>) -> Option<PathBuf> {
        let configured = || self.config.output.as_ref().map(|output| self.folder.join(output));
        given.cloned().or_else(configured)
    }

    fn allow_refs(&self) -> impl Iterator<Item = PathBuf> {
        self.config.allow_refs.iter().map(|path| self.folder.join(path))
    }
}

impl Loaded {
    /// The configuration with the options of the command line over it.
    pub fn config(&self, planning: Option<&PlanningArgs>) -> Result<Config, Error> {
        let config = &self.config;
        planning.map_or_else(|| Ok(config.clone()), |planning| config.clone().with(&planning.given))
    }
}

/// The plan in `path`, if there is such a file.
pub fn plan_if_there(path: &Path) -> Result<Option<Plan>, Error> {
    match std::fs::read_to_string(path) {
        Ok(text) => pipeline::read_plan(&path.display().to_string(), &text).map(Some),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) if e.kind() == ErrorKind::NotADirectory => Err(Error::Usage {
            message: format!(
                "`{}` is a file; the crate needs a folder of its own",
                path.parent().unwrap_or(path).display()
            ),
        }),
        Err(source) => Err(Error::Read { path: path.to_owned(), source }),
    }
}

/// The file that is named for what is written; `-` names none: it is printed.
pub fn file(named: Option<&Path>) -> Option<&Path> {
    named.filter(|path| *path != Path::new("-"))
}

/// The plan in `path`.
pub fn plan(path: &Path) -> Result<Plan, Error> {
    let shown = path.display();
    let message = match read(path) {
        Ok(text) => return pipeline::read_plan(&shown.to_string(), &text),
        Err(Error::Read { source, .. }) if source.kind() == ErrorKind::IsADirectory => {
            format!("`{shown}` is a folder; name the plan in it")
        }
        Err(Error::Read { source, .. }) if source.kind() == ErrorKind::NotFound => format!(
            "there is no plan `{shown}`; `mcp-gen DOCUMENT -o DIR` makes one, and the crate with it"
        ),
        Err(other) => return Err(other),
    };
    Err(Error::Usage { message })
}

/// Shows the findings and says whether to stop.
pub fn gate(console: &mut Console, loaded: &Loaded) -> bool {
    console.findings(&loaded.diagnostics, &loaded.sources, Notes::Counted);
    loaded.diagnostics.has_errors()
}

fn path(input: &InputArgs) -> Result<&Path, Error> {
    input
        .document
        .as_deref()
        .ok_or_else(|| Error::Usage { message: "an OpenAPI document is needed".to_owned() })
}

fn config_path(input: &InputArgs) -> Result<Option<PathBuf>, Error> {
    if let Some(path) = &input.reading.config {
        return Ok(Some(path.clone()));
    }
    if input.reading.alone {
        return Ok(None);
    }
    let document = path(input)?;
    if document == Path::new("-") {
        return Ok(None);
    }
    let beside = document.with_file_name(config::FILE_NAME);
    Ok(beside.is_file().then_some(beside))
}

fn read(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|source| Error::Read { path: path.to_owned(), source })
}
