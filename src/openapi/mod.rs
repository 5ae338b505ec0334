//! Reads OpenAPI documents into an [`ir::Api`].
//!
//! ```text
//! text ─► json · yaml ─► Node ─► documents (all files) ─► detect (version) ─► lower ─► ir::Api
//! ```
//!
//! The tree of the document is never changed. References are followed where they are met, schemas
//! get an id when they are met and are read later, so nothing here can run in circles.

mod all_of;
mod arena;
mod body;
mod bounds;
mod comments;
mod conditional;
mod convert;
mod credential;
mod detect;
mod documents;
mod fields;
mod follow;
mod heirs;
mod hints;
mod json;
mod keyword;
mod lower;
mod operation;
mod overlay;
mod parameter;
mod query;
mod schema;
mod security;
#[cfg(test)]
mod tests;
mod text;
mod typed;
mod variants;

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

pub use crate::source::Limits;
pub use documents::{Load, Options};

use crate::diagnostic::Diagnostics;
use crate::error::Error;
use crate::ir;
use crate::source::{Source, Sources, Url};
use documents::Documents;
use lower::Lowerer;

/// What a document is read with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside<'a> {
    /// Overlays to apply to the root document, in this order.
    pub overlays: &'a [Source],
    /// Folders that references may lead into, besides the one of the root document.
    pub folders: &'a [PathBuf],
    /// Fetches documents at URLs; `None` leaves references to them unread.
    pub remote: Option<&'a dyn Remote>,
}

/// A way to documents at URLs.
pub trait Remote: fmt::Debug {
    /// The document at `url`, which may be any URL that a document names.
    ///
    /// # Errors
    /// When it is not to be had.
    fn fetch(&self, url: &Url) -> Result<Fetched, Unfetched>;
}

/// A document from a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// Where it was found in the end; references in it start from here.
    pub url: Url,
    /// Its text.
    pub bytes: Vec<u8>,
}

/// Why there is no document from a URL; in lower case, without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfetched {
    /// Such a URL is never followed.
    Refused(String),
    /// It was tried, or would have been beyond a bound: another run may have it.
    Failed(String),
}

/// Reads the document `root` with what stands `beside` it, and all that it refers to, from files.
///
/// Odd content never fails: it is reported to `diagnostics`. `sources` receives every document
/// that was read, `root` first.
///
/// # Errors
/// When the text is neither YAML nor JSON, or no OpenAPI document.
pub fn read(
    diagnostics: &mut Diagnostics,
    sources: &mut Sources,
    root: Source,
    beside: &Beside<'_>,
) -> Result<ir::Api, Error> {
    let limits = Limits::default();
    let most = limits.bytes as u64;
    let load = |path: &Path| {
        let about = std::fs::metadata(path)?;
        // A pipe or device may never end.
        if !about.is_file() || about.len() > most {
            return Err(io::Error::other("it is no file of a sensible size"));
        }
        std::fs::read(path)
    };
    let options = Options { beside: *beside, load: Some(&load), limits: &limits };
    read_with(diagnostics, sources, root, &options)
}

/// Like [`read`], with other ways to files and other limits.
///
/// # Errors
/// When the text is neither YAML nor JSON, or no OpenAPI document.
pub fn read_with(
    diagnostics: &mut Diagnostics,
    sources: &mut Sources,
    root: Source,
    options: &Options<'_>,
) -> Result<ir::Api, Error> {
    let documents = Documents::read(diagnostics, sources, root, options)?;
    let version = detect::version(&documents.list[0].root).map_err(|refusal| {
        let source = sources
            .get(documents.list[0].root.at.file)
            .cloned()
            .unwrap_or_else(|| unreachable!("the root was added"));
        documents::not_openapi(&source, refusal)
    })?;
    let lowerer = Lowerer {
        documents: &documents,
        diagnostics,
        limits: options.limits,
        version,
        arena: arena::Arena::default(),
        said: HashSet::new(),
        hops: Cell::new(0),
        parts: 0,
        secured: false,
    };
    Ok(lowerer.api())
}
