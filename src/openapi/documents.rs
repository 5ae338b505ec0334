//! All documents of a run, read before anything is looked at.

use std::collections::HashMap;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::text;
use super::{Beside, detect, overlay};
use crate::diagnostic::Diagnostics;
use crate::error::Error;
use crate::source::Limits;
use crate::source::{Node, Pointer, Position, Source, Sources, Value};

/// Reads the file at a path.
pub type Load<'a> = &'a dyn Fn(&Path) -> io::Result<Vec<u8>>;

/// How other documents are read.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// What stands beside the root document.
    pub beside: Beside<'a>,
    /// Reads a file; `None` forbids all references to files. The check that a path lies in an
    /// allowed folder comes before.
    pub load: Option<Load<'a>>,
    /// Bounds.
    pub limits: &'a Limits,
}

/// One document.
pub(super) struct Document {
    /// Its value.
    pub root: Node,
    /// Where it was found, without `.` and `..` where possible; `None` when it has no place.
    path: Option<PathBuf>,
}

/// The documents, and what stands where in them.
pub(super) struct Documents {
    pub list: Vec<Document>,
    /// Index of each file that was read, or why it could not be.
    files: HashMap<PathBuf, Result<usize, String>>,
    /// Bytes of the files so far.
    bytes: usize,
    /// `$id` and `$anchor` (`document#anchor`) → place.
    ids: HashMap<String, (usize, Pointer)>,
}

/// The document part of a `$ref`.
pub(super) enum Target {
    /// A document that was read.
    Document(usize),
    /// A schema named by `$id`.
    Place(usize, Pointer),
    /// Not here.
    Missing(String),
}

impl Documents {
    /// Reads `root` and every file that is referred to from it.
    pub(super) fn read(
        diagnostics: &mut Diagnostics,
        sources: &mut Sources,
        root: Source,
        options: &Options<'_>,
    ) -> Result<Self, Error> {
        if let Some(refusal) = detect::refuse_text(&root.text) {
            return Err(not_openapi(&root, refusal));
        }
        let file = sources.add(root);
        let source = sources.get(file).unwrap_or_else(|| unreachable!("it was just added"));
        let mut node =
            text::parse(diagnostics, file, &source.text, options.limits).map_err(|f| {
                Error::Syntax {
                    name: source.name.clone(),
                    position: Position::of(&source.text, f.offset),
                    message: f.message,
                }
            })?;
        let name = source.name.clone();
        overlay::apply(diagnostics, sources, &mut node, options.beside.overlays, options.limits)?;
        let path = (name != "-" && !name.starts_with('<') && !name.contains("://"))
            .then(|| tidy(Path::new(&name)));
        let mut documents =
            Self { list: Vec::new(), files: HashMap::new(), bytes: 0, ids: HashMap::new() };
        if let Some(path) = &path {
            documents.files.insert(path.clone(), Ok(0));
        }
        documents.list.push(Document { root: node, path });
        let folders = Folders::new(documents.list[0].path.as_deref(), options);
        let mut next = 0;
        while next < documents.list.len() {
            let wanted = documents.scan(next);
            for path in wanted {
                documents.load(diagnostics, sources, path, &folders, options);
            }
            next += 1;
        }
        Ok(documents)
    }

    /// Where the document part of a reference in document `from` leads.
    pub(super) fn target(&self, from: usize, reference: &str) -> Target {
        let (place, _) = split(reference);
        if place.is_empty() {
            return Target::Document(from);
        }
        if let Some((document, pointer)) = self.ids.get(place) {
            return Target::Place(*document, pointer.clone());
        }
        if is_remote(place) {
            return Target::Missing("it is remote, and nothing is fetched".to_owned());
        }
        let Some(path) = self.path_of(from, place) else {
            return Target::Missing("the document has no folder that files could be in".to_owned());
        };
        match self.files.get(&path) {
            Some(Ok(document)) => Target::Document(*document),
            Some(Err(reason)) => Target::Missing(reason.clone()),
            None => Target::Missing("the file was not read".to_owned()),
        }
    }

    /// The place of an `$anchor` in document `document`.
    pub(super) fn anchor(&self, document: usize, name: &str) -> Option<&Pointer> {
        self.ids.get(&format!("{document}#{name}")).map(|(_, pointer)| pointer)
    }

    /// What to call document `document`: its file name without the extension.
    pub(super) fn stem(&self, document: usize) -> Option<&str> {
        self.list[document].path.as_deref()?.file_stem()?.to_str()
    }

    fn path_of(&self, from: usize, place: &str) -> Option<PathBuf> {
        let folder = self.list[from].path.as_deref()?.parent().unwrap_or(Path::new(""));
        let plain = tidy(&folder.join(place));
        if place.contains('%') && !self.files.contains_key(&plain) {
            return Some(tidy(&folder.join(percent_decoded(place))));
        }
        Some(plain)
    }

    /// Notes ids in document `index`, and returns the files that it refers to.
    fn scan(&mut self, index: usize) -> Vec<PathBuf> {
        let mut places: Vec<&str> = Vec::new();
        let mut ids: Vec<(String, Pointer)> = Vec::new();
        let document = &self.list[index];
        let mut trail = Vec::new();
        scan_node(&document.root, &mut trail, &mut places, &mut |key, value, trail| {
            let mut pointer = Pointer::default();
            for step in trail {
                pointer = pointer.child(step);
            }
            let name = match key {
                "$anchor" => format!("{index}#{value}"),
                _ => value.trim_end_matches('#').to_owned(),
            };
            ids.push((name, pointer));
        });
        places.sort_unstable();
        places.dedup();
        let wanted = places
            .into_iter()
            .filter(|place| !is_remote(place))
            .filter_map(|place| self.path_of(index, place))
            .filter(|path| !self.files.contains_key(path))
            .collect();
        for (name, pointer) in ids {
            self.ids.entry(name).or_insert((index, pointer));
        }
        wanted
    }

    fn load(
        &mut self,
        diagnostics: &mut Diagnostics,
        sources: &mut Sources,
        path: PathBuf,
        folders: &Folders,
        options: &Options<'_>,
    ) {
        if self.files.contains_key(&path) {
            return;
        }
        let loaded = self.load_file(diagnostics, sources, &path, folders, options);
        self.files.insert(path, loaded);
    }

    fn load_file(
        &mut self,
        diagnostics: &mut Diagnostics,
        sources: &mut Sources,
        path: &Path,
        folders: &Folders,
        options: &Options<'_>,
    ) -> Result<usize, String> {
        let Some(load) = options.load else {
            return Err("references to files are off".to_owned());
        };
        if self.list.len() >= options.limits.documents {
            return Err(format!("more than {} files are referred to", options.limits.documents));
        }
        folders.check(path)?;
        let bytes = load(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => "there is no such file".to_owned(),
            _ => format!("the file cannot be read: {error}"),
        })?;
        self.bytes += bytes.len();
        if self.bytes > options.limits.all_bytes {
            return Err(format!("the files are larger than {} bytes", options.limits.all_bytes));
        }
        let text = String::from_utf8(bytes).map_err(|_| "the file is not UTF-8 text".to_owned())?;
        let name = path.to_string_lossy().replace('\\', "/");
        let file = sources.add(Source { name, text });
        let source = sources.get(file).unwrap_or_else(|| unreachable!("it was just added"));
        let root = text::parse(diagnostics, file, &source.text, options.limits)
            .map_err(|f| format!("line {}: {}", Position::of(&source.text, f.offset), f.message))?;
        self.list.push(Document { root, path: Some(path.to_owned()) });
        Ok(self.list.len() - 1)
    }
}

/// Which folders may be read from.
struct Folders {
    lexical: Vec<PathBuf>,
    real: Vec<PathBuf>,
}

impl Folders {
    fn new(root: Option<&Path>, options: &Options<'_>) -> Self {
        let own = root.map(|p| p.parent().unwrap_or(Path::new("")).to_owned());
        let lexical: Vec<_> =
            own.into_iter().chain(options.beside.folders.iter().map(|f| tidy(f))).collect();
        let real = lexical
            .iter()
            .filter_map(|f| {
                let folder = if f.as_os_str().is_empty() { Path::new(".") } else { f };
                folder.canonicalize().ok()
            })
            .collect();
        Self { lexical, real }
    }

    fn check(&self, path: &Path) -> Result<(), String> {
        let outside = || Err("the file lies outside the folder of the root document".to_owned());
        let within = |folder: &PathBuf| {
            path.starts_with(folder)
                && (folder.as_os_str().is_empty() || !path.is_absolute() || folder.is_absolute())
                && !(folder.as_os_str().is_empty()
                    && (path.is_absolute() || path.starts_with("..")))
        };
        if !self.lexical.iter().any(within) {
            return outside();
        }
        // Links may lead out of the folder; a file that does not exist leads nowhere.
        match path.canonicalize() {
            Ok(real) if !self.real.iter().any(|folder| real.starts_with(folder)) => outside(),
            Ok(_) | Err(_) => Ok(()),
        }
    }
}

/// The error for a source that is no OpenAPI document.
pub(super) fn not_openapi(source: &Source, refusal: detect::Refusal) -> Error {
    Error::NotOpenApi {
        name: source.name.clone(),
        position: Position::of(&source.text, refusal.at.offset as usize),
        message: refusal.message,
        help: refusal.help,
    }
}

/// Document part and fragment of a reference.
pub(super) fn split(reference: &str) -> (&str, Option<&str>) {
    match reference.split_once('#') {
        Some((place, fragment)) => (place, Some(fragment)),
        None => (reference, None),
    }
}

fn is_remote(place: &str) -> bool {
    let scheme = place.split_once(':').map_or("", |(scheme, _)| scheme);
    place.starts_with("//")
        || (scheme.len() > 1
            && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')))
}

/// `%20` and its like as the text they stand for; what is no such escape stays.
pub(super) fn percent_decoded(text: &str) -> String {
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

/// The path without `.` and, where a folder stands before it, `..`.
fn tidy(path: &Path) -> PathBuf {
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

/// Finds the document parts of references, and ids. The depth limit of parsing bounds it.
fn scan_node<'a>(
    node: &'a Node,
    trail: &mut Vec<String>,
    places: &mut Vec<&'a str>,
    id: &mut dyn FnMut(&str, &str, &[String]),
) {
    match &node.value {
        Value::Object(map) => {
            for (key, child) in map {
                match (key.as_str(), &child.value) {
                    ("$ref", Value::String(reference)) => {
                        let (place, _) = split(reference);
                        if !place.is_empty() {
                            places.push(place);
                        }
                    }
                    ("$id" | "$anchor", Value::String(name)) if !name.is_empty() => {
                        id(key, name, trail);
                    }
                    ("mapping", Value::Object(mapping)) => {
                        let targets = mapping.values().filter_map(Node::as_str);
                        places.extend(targets.filter(|t| t.contains('.')).map(|t| split(t).0));
                    }
                    (_, Value::Object(_) | Value::Array(_)) => {}
                    _ => continue,
                }
                if matches!(child.value, Value::Object(_) | Value::Array(_)) {
                    trail.push(key.clone());
                    scan_node(child, trail, places, id);
                    trail.pop();
                }
            }
        }
        Value::Array(items) => {
            for (i, child) in items.iter().enumerate() {
                if matches!(child.value, Value::Object(_) | Value::Array(_)) {
                    trail.push(i.to_string());
                    scan_node(child, trail, places, id);
                    trail.pop();
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
