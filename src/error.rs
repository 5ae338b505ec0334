//! What stops a run.

use std::io;
use std::path::PathBuf;

use crate::source::Position;

/// Why a run could not go on. Findings about content are [`crate::diagnostic::Diagnostic`]s instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file could not be written.
    #[error("cannot write `{}`", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Text is neither YAML nor JSON.
    #[error("{name}:{position}: {message}")]
    Syntax {
        /// Name of the document.
        name: String,
        /// Where it fails.
        position: Position,
        /// What is wrong there, in lower case and without a full stop.
        message: String,
    },
    /// The document is no OpenAPI document that can be read.
    #[error("{name}:{position}: {message}")]
    NotOpenApi {
        /// Name of the document.
        name: String,
        /// Where the deciding value stands.
        position: Position,
        /// What is wrong, in lower case and without a full stop.
        message: String,
        /// What to do.
        help: String,
    },
    /// A configuration or plan file does not hold what it must.
    #[error("{name}: {message}")]
    File {
        /// Name of the file, with line and column where known.
        name: String,
        /// What is wrong.
        message: String,
    },
    /// The document, the configuration or the plan has errors in it.
    #[error("{message}")]
    Content {
        /// The errors, one a line, each with its place.
        message: String,
    },
    /// The way the tool was called makes no sense.
    #[error("{message}")]
    Usage {
        /// What is wrong.
        message: String,
    },
}

impl Error {
    /// The way out, where there is one that the message does not say.
    pub fn help(&self) -> Option<&str> {
        match self {
            Self::NotOpenApi { help, .. } => Some(help),
            Self::Read { .. }
            | Self::Write { .. }
            | Self::Syntax { .. }
            | Self::File { .. }
            | Self::Content { .. }
            | Self::Usage { .. } => None,
        }
    }
}
