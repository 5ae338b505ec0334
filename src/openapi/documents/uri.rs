//! What documents, and schemas with an `$id`, are called.

use std::path::{Component, Path, PathBuf};

use crate::source::Url;

/// The name of a document or of a part of one, from which references in it start.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::openapi) enum Uri {
    /// A file, without `.` and `..` where possible.
    File(PathBuf),
    /// A name in a document that has no place: no file can be meant.
    Name(PathBuf),
    /// A URL. Nothing that is written in a document at a URL leads to a file.
    Url(Url),
}

impl Uri {
    /// That of the document called `name` in messages.
    pub(super) fn of_root(name: &str) -> Self {
        if name == "-" || name.starts_with('<') || Url::parse(name).is_some() {
            return Self::Name(PathBuf::new());
        }
        Self::File(tidy(Path::new(name)))
    }

    /// What `place`, the part of a reference before `#`, means when it stands under this name.
    pub(super) fn join(&self, place: &str) -> Self {
        if let Self::Url(base) = self {
            return Self::Url(base.join(place));
        }
        if let Some(url) = Url::parse(place) {
            return Self::Url(url);
        }
        let beside = |path: &Path| {
            let folder = path.parent().unwrap_or(Path::new(""));
            tidy(&folder.join(percent_decoded(place)))
        };
        match self {
            Self::File(path) => Self::File(beside(path)),
            Self::Name(path) => Self::Name(beside(path)),
            Self::Url(base) => Self::Url(base.join(place)),
        }
    }

    /// The last part without its extension.
    pub(super) fn stem(&self) -> Option<&str> {
        let path = match self {
            Self::File(path) => path,
            Self::Name(_) => return None,
            Self::Url(url) => Path::new(&url.path),
        };
        path.file_stem()?.to_str()
    }
}

/// The path without `.` and, where a folder stands before it, `..`.
pub(super) fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(out.components().next_back(), Some(Component::Normal(_))) =>
            {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// `%20` and its like as the text they stand for; what is no such escape stays.
pub(in crate::openapi) fn percent_decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let escape = text.get(i + 1..i + 3).filter(|_| bytes[i] == b'%');
        if let Some(byte) = escape.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            out.push(byte);
            i += 3;
        } else {
            out.push(bytes[i]);
            i += 1;
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}
