//! Documents as read: text, values with their places, JSON Pointers, URLs, lines and columns.

mod limits;
mod mend;
mod pointer;
mod position;
pub(crate) mod scalar;
mod url;
mod value;
pub(crate) mod yaml;

pub use limits::Limits;
pub(crate) use limits::{Fault, Parsed};
pub use pointer::Pointer;
pub use position::Position;
pub use url::Url;
pub use value::{At, Map, Node, Number, Value};

/// A document as read, kept for showing excerpts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// What to call it in messages: the path as the person gave it, or `<stdin>`.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// All documents of one run. [`At::file`] is an index into this list; the root document is first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// Adds a document and returns its index.
    ///
    /// # Panics
    /// When there are more than 2³² documents, which the limits of the reader exclude.
    pub fn add(&mut self, source: Source) -> u32 {
        self.files.push(source);
        u32::try_from(self.files.len() - 1).expect("the reader bounds the number of documents")
    }

    /// The document with index `file`.
    pub fn get(&self, file: u32) -> Option<&Source> {
        self.files.get(file as usize)
    }

    /// The documents in the order they were read.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.files.iter()
    }

    /// Name, line and column of a place.
    pub fn locate(&self, at: At) -> Option<(&str, Position)> {
        let source = self.get(at.file)?;
        Some((&source.name, Position::of(&source.text, at.offset as usize)))
    }
}
