//! The folder with copies of documents: an index, and a file for each text.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::error::Error;
use crate::output;
use crate::source::Url;

const INDEX: &str = "index.json";
const FORMAT: u32 = 1;

/// A document that was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    /// Where it was found in the end.
    pub found: Url,
    /// Its text.
    pub text: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    format: u32,
    documents: BTreeMap<String, Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    file: String,
    /// Where redirects led.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    found: Option<String>,
    bytes: usize,
    sha256: String,
}

/// The copies in `folder`, by URL; each must be as it was written.
pub(super) fn read(folder: &Path) -> Result<BTreeMap<Url, Kept>, Error> {
    let path = folder.join(INDEX);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(source) => return Err(Error::Read { path, source }),
    };
    let damaged = |name: &Path, what: &str| Error::File {
        name: name.display().to_string(),
        message: format!("{what}; restore it, or fetch anew with `--refresh-refs`"),
    };
    let index: Index = serde_json::from_str(&text)
        .map_err(|error| damaged(&path, &format!("this is no index of documents ({error})")))?;
    if index.format != FORMAT {
        let what = format!("format {} is not known; {FORMAT} is", index.format);
        return Err(damaged(&path, &what));
    }
    let mut kept = BTreeMap::new();
    for (name, entry) in index.documents {
        let found = entry.found.as_deref().unwrap_or(&name);
        let (Some(url), Some(found)) = (Url::parse(&name), Url::parse(found)) else {
            return Err(damaged(&path, &format!("`{name}` is no URL")));
        };
        if !is_inside(&entry.file) {
            return Err(damaged(&path, &format!("`{}` is no name of a file", entry.file)));
        }
        let file = folder.join(&entry.file);
        let text = fs::read(&file).ok().filter(|_| is_plain(&file));
        let Some(text) = text.and_then(|bytes| String::from_utf8(bytes).ok()) else {
            return Err(damaged(&file, &format!("the copy of `{name}` is missing or damaged")));
        };
        if text.len() != entry.bytes || digest(&text) != entry.sha256 {
            return Err(damaged(&file, &format!("the copy of `{name}` was changed")));
        }
        kept.insert(url, Kept { found, text });
    }
    Ok(kept)
}

/// Writes the copies; whether something changed. Texts go first and the index last, so that a run
/// that fails leaves what was there.
pub(super) fn write(folder: &Path, kept: &BTreeMap<Url, Kept>) -> Result<bool, Error> {
    let mut documents = BTreeMap::new();
    let mut texts = BTreeMap::new();
    for (url, copy) in kept {
        let sha256 = digest(&copy.text);
        let file = file_name(&copy.found, &sha256);
        texts.insert(file.clone(), &copy.text);
        let found = (copy.found != *url).then(|| copy.found.to_string());
        let entry = Entry { file, found, bytes: copy.text.len(), sha256 };
        documents.insert(url.to_string(), entry);
    }
    let path = folder.join(INDEX);
    let before = fs::read_to_string(&path).ok();
    let index = Index { format: FORMAT, documents };
    let text = serde_json::to_string_pretty(&index).unwrap_or_default() + "\n";
    let same = |path: &PathBuf, text: &str| {
        is_plain(path) && fs::read(path).is_ok_and(|old| old == text.as_bytes())
    };
    let mut changed = false;
    if folder.is_symlink() {
        let name = folder.display();
        let message = format!("`{name}` is a symbolic link; mcp-gen does not write through links");
        return Err(Error::Usage { message });
    }
    if !folder.is_dir() {
        let wrong = |source| Error::Write { path: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(wrong)?;
    }
    let files = texts.iter().map(|(file, text)| (folder.join(file), text.as_str()));
    for (path, text) in files.chain([(path, text.as_str())]) {
        if !same(&path, text) {
            output::write_file(&path, text)?;
            changed = true;
        }
    }
    // Texts that the index named before, and nothing else, go.
    let old = before.and_then(|text| serde_json::from_str::<Index>(&text).ok());
    for entry in old.iter().flat_map(|index| index.documents.values()) {
        if is_inside(&entry.file) && entry.file != INDEX && !texts.contains_key(&entry.file) {
            let _ = fs::remove_file(folder.join(&entry.file));
        }
    }
    Ok(changed)
}

/// Whether the file is one, not a link to one.
fn is_plain(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| about.is_file())
}

/// Whether a name of a file in the index leads nowhere else.
fn is_inside(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None))
}

/// A name that tells a person what it is, and one text from another.
fn file_name(url: &Url, sha256: &str) -> String {
    let last = url.path.rsplit('/').next().unwrap_or_default();
    let (stem, kind) = match last.rsplit_once('.') {
        Some((stem, kind @ ("yaml" | "yml" | "json"))) => (stem, kind),
        _ => (last, "txt"),
    };
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let stem: String = stem.chars().map(plain).take(40).collect();
    let stem = stem.trim_matches('-');
    let stem = if stem.is_empty() { "document" } else { stem };
    format!("{stem}-{}.{kind}", &sha256[..16])
}

pub(super) fn digest(text: &str) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}
