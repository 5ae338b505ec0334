//! What commands read: the document, the configuration, the plan that is there.

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

/// A document as read, with what was odd about it.
pub struct Loaded {
    pub api: ir::Api,
    pub sources: Sources,
    pub diagnostics: Diagnostics,
}

/// Reads the document, and what it refers to.
pub fn document(input: &InputArgs, copies: Copies<'_>) -> Result<Loaded, Error> {
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
    let mut sources = Sources::default();
    let overlays = overlays(input)?;
    let folders = references::folders(input)?;
    let remote = references::remote(input, copies)?;
    let beside = Beside {
        overlays: &overlays,
        folders: &folders,
        remote: remote.as_ref().map(|remote| remote as &dyn Remote),
    };
    let api = pipeline::read_beside(&mut diagnostics, &mut sources, source, &beside)?;
    if let Some(remote) = remote.filter(|_| copies.write && !diagnostics.has_errors()) {
        remote.save()?;
    }
    Ok(Loaded { api, sources, diagnostics })
}

/// The overlays: those of the configuration, then those of the command line.
fn overlays(input: &InputArgs) -> Result<Vec<Source>, Error> {
    let mut paths = Vec::new();
    if let Some((config, folder)) = configured(&mut Sources::default(), input)? {
        paths.extend(config.overlays.iter().map(|path| folder.join(path)));
    }
    paths.extend(input.reading.overlay.iter().cloned());
    paths.iter().map(|path| pipeline::source_file(path)).collect()
}

/// The configuration as its file has it, and the folder that its paths start from.
pub fn configured(
    sources: &mut Sources,
    input: &InputArgs,
) -> Result<Option<(Config, PathBuf)>, Error> {
    let Some(path) = config_path(input)? else { return Ok(None) };
    let config = Config::read(sources, pipeline::source_file(&path)?)?;
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    Ok(Some((config, folder)))
}

/// The configuration with the options of the command line over it; its text joins what was read.
pub fn config(
    loaded: &mut Loaded,
    input: &InputArgs,
    planning: Option<&PlanningArgs>,
) -> Result<Config, Error> {
    let config = configured(&mut loaded.sources, input)?.map(|(config, _)| config);
    let config = config.unwrap_or_default();
    planning.map_or_else(|| Ok(config.clone()), |planning| config.with(&planning.given))
}

/// The folder of the crate: the one that is given, or else the one of the configuration.
pub fn folder(input: &InputArgs, given: Option<&PathBuf>) -> Result<Option<PathBuf>, Error> {
    if given.is_some() {
        return Ok(given.cloned());
    }
    let configured = configured(&mut Sources::default(), input)?;
    Ok(configured.and_then(|(config, folder)| Some(folder.join(config.output?))))
}

/// The plan in `path`, if there is such a file.
pub fn plan_if_there(path: &Path) -> Result<Option<Plan>, Error> {
    match std::fs::read_to_string(path) {
        Ok(text) => pipeline::read_plan(&path.display().to_string(), &text).map(Some),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) if e.kind() == std::io::ErrorKind::NotADirectory => Err(Error::Usage {
            message: format!(
                "`{}` is a file; the crate needs a folder of its own",
                path.parent().unwrap_or(path).display()
            ),
        }),
        Err(source) => Err(Error::Read { path: path.to_owned(), source }),
    }
}

/// The plan in `path`.
pub fn plan(path: &Path) -> Result<Plan, Error> {
    pipeline::read_plan(&path.display().to_string(), &read(path)?)
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
