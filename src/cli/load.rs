//! What commands read: the document, the configuration, the plan that is there.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::args::{InputArgs, PlanningArgs};
use super::console::{Console, Notes};
use crate::config::Config;
use crate::diagnostic::Diagnostics;
use crate::error::Error;
use crate::ir;
use crate::openapi::Beside;
use crate::pipeline;
use crate::plan::Plan;
use crate::source::{Source, Sources};

/// Name of the configuration that is looked for beside the document.
const CONFIG: &str = "mcp-gen.yaml";

/// A document as read, with what was odd about it.
pub struct Loaded {
    pub api: ir::Api,
    pub sources: Sources,
    pub diagnostics: Diagnostics,
}

/// Reads the document.
pub fn document(input: &InputArgs) -> Result<Loaded, Error> {
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
        let mut bytes = Vec::new();
        std::io::stdin()
            .read_to_end(&mut bytes)
            .map_err(|source| Error::Read { path: "standard input".into(), source })?;
        Source { name: "<stdin>".to_owned(), text: text(&bytes, "<stdin>")? }
    } else {
        self::source(path)?
    };
    let mut diagnostics = Diagnostics::default();
    let mut sources = Sources::default();
    let overlays = overlays(input)?;
    let folders = folders(input)?;
    let beside = Beside { overlays: &overlays, folders: &folders, remote: None };
    let api = pipeline::read_beside(&mut diagnostics, &mut sources, source, &beside)?;
    Ok(Loaded { api, sources, diagnostics })
}

/// A document in a file.
fn source(path: &Path) -> Result<Source, Error> {
    let bytes =
        std::fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    let name = path.display().to_string();
    Ok(Source { text: text(&bytes, &name)?, name })
}

/// The overlays: those of the configuration, then those of the command line.
fn overlays(input: &InputArgs) -> Result<Vec<Source>, Error> {
    let mut paths = Vec::new();
    if let Some((config, folder)) = configured(input)? {
        paths.extend(config.overlays.iter().map(|path| folder.join(path)));
    }
    paths.extend(input.reading.overlay.iter().cloned());
    paths.iter().map(|path| source(path)).collect()
}

/// The folders that references may lead into: those of the configuration and of the command line.
fn folders(input: &InputArgs) -> Result<Vec<PathBuf>, Error> {
    let mut folders = Vec::new();
    if let Some((config, folder)) = configured(input)? {
        folders.extend(config.allow_refs.iter().map(|path| folder.join(path)));
    }
    folders.extend(input.reading.allow_refs.iter().cloned());
    if let Some(other) = folders.iter().find(|folder| !folder.is_dir()) {
        let message = format!("`{}`, named by `allow-refs`, is no folder", other.display());
        return Err(Error::Usage { message });
    }
    Ok(folders)
}

/// The configuration as its file has it, and the folder that its paths start from.
fn configured(input: &InputArgs) -> Result<Option<(Config, PathBuf)>, Error> {
    let Some(path) = config_path(input)? else { return Ok(None) };
    let config = Config::from_yaml(&path.display().to_string(), &read(&path)?)?;
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    Ok(Some((config, folder)))
}

/// The configuration with the options of the command line over it.
pub fn config(input: &InputArgs, planning: Option<&PlanningArgs>) -> Result<Config, Error> {
    let mut config = configured(input)?.map(|(config, _)| config).unwrap_or_default();
    let Some(PlanningArgs { name, max_primary, include, exclude, replan: _ }) = planning else {
        return Ok(config);
    };
    if let Some(name) = name {
        config.name = Some(name.clone());
    }
    if let Some(max) = max_primary {
        config.max_primary = *max;
    }
    config.include.extend(include.iter().cloned());
    config.exclude.extend(exclude.iter().cloned());
    Ok(config)
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
    let document = path(input)?;
    if document == Path::new("-") {
        return Ok(None);
    }
    let beside = document.with_file_name(CONFIG);
    Ok(beside.is_file().then_some(beside))
}

fn read(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|source| Error::Read { path: path.to_owned(), source })
}

/// The text of a document: UTF-8, or UTF-16 with a byte order mark.
fn text(bytes: &[u8], name: &str) -> Result<String, Error> {
    let wide = |decode: fn([u8; 2]) -> u16| {
        let units: Vec<_> = bytes[2..].chunks_exact(2).map(|c| decode([c[0], c[1]])).collect();
        String::from_utf16(&units).ok()
    };
    let decoded = match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => {
            return String::from_utf8(bytes.to_vec()).map_err(|e| {
                let valid = e.utf8_error().valid_up_to();
                let before = String::from_utf8_lossy(&bytes[..valid]);
                let position = crate::source::Position::of(&before, before.len());
                Error::Syntax {
                    name: name.to_owned(),
                    position,
                    message: format!("byte {valid} is not UTF-8; save the document as UTF-8"),
                }
            });
        }
    };
    decoded.ok_or_else(|| Error::File {
        name: name.to_owned(),
        message: "the text starts like UTF-16 but is not; save the document as UTF-8".to_owned(),
    })
}
