//! Where references may lead: folders, and URLs for those who ask for them.

use std::path::{Path, PathBuf};

use super::args::InputArgs;
use crate::error::Error;

/// The folders that references may lead into: those of the configuration and of the command line.
pub fn folders(
    input: &InputArgs,
    configured: impl Iterator<Item = PathBuf>,
) -> Result<Vec<PathBuf>, Error> {
    let folders: Vec<_> = configured.chain(input.reading.allow_refs.iter().cloned()).collect();
    if let Some(other) = folders.iter().find(|folder| !folder.is_dir()) {
        return usage(format!("`{}`, named by `allow-refs`, is no folder", other.display()));
    }
    Ok(folders)
}

/// Where copies of documents from URLs are, and whether they are written.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "remote-refs"), expect(dead_code, reason = "then there are none"))]
pub struct Copies<'a> {
    /// The folder of the plan, when the plan has one; else it is that of the document.
    pub beside: Option<&'a Path>,
    /// Whether the run writes at all.
    pub write: bool,
}

impl<'a> Copies<'a> {
    /// Beside the plan in the folder `dir`.
    pub fn in_folder(dir: Option<&'a Path>) -> Self {
        Self { beside: dir, write: true }
    }

    /// Beside the plan file `path`.
    pub fn beside(path: Option<&'a Path>) -> Self {
        Self::in_folder(path.map(|path| path.parent().unwrap_or(Path::new(""))))
    }

    /// For a run that only looks.
    pub fn only_read(self) -> Self {
        Self { write: false, ..self }
    }
}

/// Whether references to URLs are followed.
fn wanted(input: &InputArgs, configured: bool) -> Result<bool, Error> {
    let wanted = input.reading.remote_refs || configured;
    if input.reading.refresh_refs && !wanted {
        return usage(
            "`--refresh-refs` fetches documents at URLs, which `--remote-refs` allows".to_owned(),
        );
    }
    Ok(wanted)
}

fn usage<T>(message: String) -> Result<T, Error> {
    Err(Error::Usage { message })
}

#[cfg(feature = "remote-refs")]
pub use fetching::remote;

#[cfg(feature = "remote-refs")]
mod fetching {
    use super::{Copies, Error, InputArgs, Path, wanted};
    use crate::remote::{Bounds, Documents, Network};

    /// The way to documents at URLs, when it is asked for.
    pub fn remote(
        input: &InputArgs,
        configured: bool,
        copies: Copies<'_>,
    ) -> Result<Option<Documents<'static>>, Error> {
        if !wanted(input, configured)? {
            return Ok(None);
        }
        let document = input.document.as_deref().and_then(Path::parent);
        let beside = copies.beside.or(document).unwrap_or(Path::new(""));
        let refresh = input.reading.refresh_refs;
        Documents::open(beside, &Network, Bounds::default(), refresh).map(Some)
    }
}

#[cfg(not(feature = "remote-refs"))]
pub use nothing::remote;

#[cfg(not(feature = "remote-refs"))]
mod nothing {
    use super::{Copies, Error, InputArgs, usage, wanted};
    use crate::openapi::{Fetched, Remote, Unfetched};
    use crate::source::Url;

    /// In a build without it there is no way to documents at URLs.
    #[derive(Debug)]
    pub enum Nothing {}

    impl Remote for Nothing {
        fn fetch(&self, _url: &Url) -> Result<Fetched, Unfetched> {
            match *self {}
        }
    }

    impl Nothing {
        pub fn save(&self) -> Result<bool, Error> {
            match *self {}
        }
    }

    /// The way to documents at URLs, when it is asked for.
    pub fn remote(
        input: &InputArgs,
        configured: bool,
        _copies: Copies<'_>,
    ) -> Result<Option<Nothing>, Error> {
        if wanted(input, configured)? {
            return usage("this mcp-gen was built without `remote-refs`".to_owned());
        }
        Ok(None)
    }
}
