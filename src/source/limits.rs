//! What bounds the reading of a text, and what comes of it.

use super::{At, Node};

/// Bounds on what is read.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of one document.
    pub bytes: usize,
    /// Bytes of all documents that the root refers to.
    pub all_bytes: usize,
    /// Nesting of values.
    pub depth: usize,
    /// Values that YAML aliases may add to one document.
    pub aliased: usize,
    /// Documents of one run.
    pub documents: usize,
    /// Parameters, media types and the like of all operations together.
    pub parts: usize,
    /// Schemas made by merging others.
    pub merged: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 64 << 20,
            all_bytes: 256 << 20,
            depth: 200,
            aliased: 400_000,
            documents: 20_000,
            parts: 500_000,
            merged: 4_000,
        }
    }
}

/// What came of a text.
pub(crate) struct Parsed {
    /// The value.
    pub(crate) root: Node,
    /// Where a key stands again.
    pub(crate) duplicates: Vec<At>,
    /// What a merge key of YAML names that is no object.
    pub(crate) lost: Vec<At>,
}

/// Why a text is no document.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Byte offset.
    pub(crate) offset: usize,
    /// What is wrong there.
    pub(crate) message: String,
    /// Whether a limit was met, so that another parser would not do better.
    pub(crate) limit: bool,
}

impl Fault {
    pub(crate) fn too_deep(offset: usize, limit: usize) -> Self {
        Self {
            offset,
            message: format!("values are nested more than {limit} levels deep here"),
            limit: true,
        }
    }
}
