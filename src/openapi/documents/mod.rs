//! All documents of a run, read before anything is looked at.

mod folders;
mod scan;
mod uri;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::Path;

use self::folders::Folders;
use self::scan::Named;
pub(super) use self::uri::{Uri, percent_decoded};
use super::text;
use super::{Beside, Unfetched, detect, overlay};
use crate::diagnostic::{Code, Diagnostics, reading};
use crate::error::Error;
use crate::source::{Limits, Node, Pointer, Position, Source, Sources, Url};

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
    /// Where it was found.
    location: Uri,
    /// What the references in it start from, by place; the whole document is always there.
    resources: BTreeMap<String, Uri>,
    /// Resource and name → place.
    anchors: BTreeMap<(String, String), Named>,
}

/// The documents, and what stands where in them.
pub(super) struct Documents {
    pub list: Vec<Document>,
    /// Index of each document that was asked for, or why it is not here.
    places: HashMap<Uri, Result<usize, Missing>>,
    /// Bytes of the files so far.
    bytes: usize,
    /// `$id` and `$self` → place.
    ids: HashMap<Uri, (usize, Pointer)>,
    /// How often each `$dynamicAnchor` stands in all documents.
    dynamic: HashMap<String, usize>,
}

/// Why a reference leads nowhere.
#[derive(Clone, Debug)]
pub(super) struct Missing {
    /// The kind of finding.
    pub code: &'static Code,
    /// In words.
    pub reason: String,
    /// The way out.
    pub help: Option<String>,
}

impl<T: Into<String>> From<T> for Missing {
    fn from(reason: T) -> Self {
        Self { code: &reading::DANGLING_REFERENCE, reason: reason.into(), help: None }
    }
}

/// Whoever reads the documents.
struct Reader<'r, 'o> {
    diagnostics: &'r mut Diagnostics,
    sources: &'r mut Sources,
    folders: Folders,
    options: &'r Options<'o>,
}

impl Documents {
    /// Reads `root` and every document that is referred to from it.
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
        let location = Uri::of_root(&source.name);
        overlay::apply(diagnostics, sources, &mut node, options.beside.overlays, options.limits)?;
        let modern = detect::version(&node).is_ok_and(|v| v == detect::Version::V31);
        let own = match &location {
            Uri::File(path) => Some(path.as_path()),
            Uri::Name(_) | Uri::Url(_) => None,
        };
        let folders = Folders::new(own, options.beside.folders);
        let mut documents = Self {
            list: Vec::new(),
            places: HashMap::new(),
            bytes: 0,
            ids: HashMap::new(),
            dynamic: HashMap::new(),
        };
        documents.add(node, location);
        let mut reader = Reader { diagnostics, sources, folders, options };
        let mut next = 0;
        while next < documents.list.len() {
            for (base, place) in documents.scan(next, modern) {
                documents.fetch(&mut reader, next, &base, &place);
            }
            next += 1;
        }
        Ok(documents)
    }

    /// Where the document part of a reference that stands at `pointer` of document `from` leads.
    pub(super) fn target(
        &self,
        from: usize,
        pointer: &Pointer,
        place: &str,
    ) -> Result<(usize, Pointer), Missing> {
        let (resource, base) = self.resource(from, pointer);
        if place.is_empty() {
            return Ok((from, Pointer::parse(resource).unwrap_or_default()));
        }
        let named = base.join(place);
        if let Some((document, pointer)) = self.ids.get(&named) {
            return Ok((*document, pointer.clone()));
        }
        let beside = self.list[from].location.join(place);
        let mut missing: Option<&Missing> = None;
        for uri in [beside, named] {
            match self.places.get(&uri) {
                Some(Ok(document)) => return Ok((*document, Pointer::default())),
                // What is forbidden says more than what is not there.
                Some(Err(reason)) if missing.is_none_or(|m| m.code.id == DANGLING) => {
                    missing = Some(reason);
                }
                Some(Err(_)) | None => {}
            }
        }
        Err(missing.cloned().unwrap_or_else(|| "the document was not read".into()))
    }

    /// The innermost part around `pointer` that has a name of its own, and that name.
    fn resource<'p>(&self, document: usize, pointer: &'p Pointer) -> (&'p str, &Uri) {
        let document = &self.list[document];
        // Almost all documents are of one piece.
        let mut place = if document.resources.len() > 1 { pointer.as_str() } else { "" };
        while !place.is_empty() {
            if let Some(base) = document.resources.get(place) {
                return (place, base);
            }
            place = place.rfind('/').map_or("", |end| &place[..end]);
        }
        ("", document.resources.get("").unwrap_or(&document.location))
    }

    /// The place of an anchor in the part of document `document` that begins at `resource`.
    pub(super) fn anchor(
        &self,
        document: usize,
        resource: &Pointer,
        name: &str,
    ) -> Option<&Pointer> {
        let key = (resource.as_str().to_owned(), name.to_owned());
        self.list[document].anchors.get(&key).map(|named| &named.pointer)
    }

    /// Whether `$dynamicRef` to `name`, written at `pointer`, may lead to one of several places.
    pub(super) fn is_dynamic(&self, document: usize, pointer: &Pointer, name: &str) -> bool {
        let (resource, _) = self.resource(document, pointer);
        let key = (resource.to_owned(), name.to_owned());
        let named = self.list[document].anchors.get(&key);
        named.is_some_and(|n| n.dynamic) && self.dynamic.get(name).is_some_and(|n| *n > 1)
    }

    /// What to call document `document`: its file name without the extension.
    pub(super) fn stem(&self, document: usize) -> Option<&str> {
        self.list[document].location.stem()
    }

    /// Whether document `document` was fetched, so that nothing of this machine is its to see.
    pub(super) fn is_remote(&self, document: usize) -> bool {
        matches!(self.list[document].location, Uri::Url(_))
    }

    fn add(&mut self, root: Node, location: Uri) -> usize {
        let index = self.list.len();
        self.places.insert(location.clone(), Ok(index));
        let (resources, anchors) = (BTreeMap::new(), BTreeMap::new());
        self.list.push(Document { root, location, resources, anchors });
        index
    }

    /// Notes what can be referred to in document `index`; returns what it refers to.
    fn scan(&mut self, index: usize, modern: bool) -> Vec<(Uri, String)> {
        let document = &self.list[index];
        let scan::Found { places, ids, resources, anchors, dynamic } =
            scan::scan(&document.root, &document.location, index == 0, modern);
        let places = places.into_iter().map(|(base, place)| (base, place.to_owned())).collect();
        for (uri, pointer) in ids {
            self.ids.entry(uri).or_insert((index, pointer));
        }
        for name in dynamic {
            *self.dynamic.entry(name).or_default() += 1;
        }
        self.list[index].resources = resources;
        self.list[index].anchors = anchors;
        places
    }

    /// Reads the document that `place`, written in document `from` under the name `base`, means:
    /// one with that name that is here, else the file beside, else what is at the URL.
    fn fetch(&mut self, reader: &mut Reader<'_, '_>, from: usize, base: &Uri, place: &str) {
        let named = base.join(place);
        if self.ids.contains_key(&named) {
            return;
        }
        let beside = self.list[from].location.join(place);
        for uri in [beside, named] {
            if !self.places.contains_key(&uri) {
                let read = self.read_one(reader, &uri);
                self.places.insert(uri.clone(), read);
            }
            if self.places.get(&uri).is_some_and(Result::is_ok) {
                return;
            }
        }
    }

    fn read_one(&mut self, reader: &mut Reader<'_, '_>, uri: &Uri) -> Result<usize, Missing> {
        let limits = reader.options.limits;
        if self.list.len() >= limits.documents {
            return Err(format!("more than {} documents are referred to", limits.documents).into());
        }
        let (name, bytes, location) = match uri {
            Uri::Name(_) => {
                return Err("the document has no folder that files could be in".into());
            }
            Uri::File(path) => {
                let bytes = reader.file(path)?;
                (path.to_string_lossy().replace('\\', "/"), bytes, uri.clone())
            }
            Uri::Url(url) => {
                let (url, bytes) = reader.remote(url)?;
                if let Some(Ok(known)) = self.places.get(&Uri::Url(url.clone())) {
                    return Ok(*known);
                }
                (url.to_string(), bytes, Uri::Url(url))
            }
        };
        self.bytes += bytes.len();
        if self.bytes > limits.all_bytes {
            return Err(format!("the documents are larger than {} bytes", limits.all_bytes).into());
        }
        let text = String::from_utf8(bytes).map_err(|_| "the file is not UTF-8 text")?;
        if let Some(refusal) = detect::refuse_text(&text) {
            return Err(refusal.message.into());
        }
        let file = reader.sources.add(Source { name, text });
        let source = reader.sources.get(file).unwrap_or_else(|| unreachable!("it was just added"));
        let root = text::parse(reader.diagnostics, file, &source.text, limits)
            .map_err(|f| format!("line {}: {}", Position::of(&source.text, f.offset), f.message))?;
        Ok(self.add(root, location))
    }
}

impl Reader<'_, '_> {
    fn file(&self, path: &Path) -> Result<Vec<u8>, Missing> {
        let Some(load) = self.options.load else {
            return Err("references to files are off".into());
        };
        self.folders.check(path)?;
        load(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => "there is no such file".into(),
            _ => format!("the file cannot be read: {error}").into(),
        })
    }

    fn remote(&self, url: &Url) -> Result<(Url, Vec<u8>), Missing> {
        let copy = "download the document and refer to it by a relative path";
        let missing = |code, reason, help| Missing { code, reason, help: Some(help) };
        let Some(remote) = self.options.beside.remote else {
            let reason = "it is remote, and nothing is fetched".to_owned();
            // Others are never fetched, so the option would not help.
            let text = url.to_string();
            let fetchable = text.starts_with("https://") && !text.contains('@');
            let help = if fetchable {
                format!("`--remote-refs` fetches it and keeps a copy; or {copy}")
            } else {
                copy.to_owned()
            };
            return Err(missing(&reading::REMOTE_REFERENCE, reason, help));
        };
        let fetched = remote.fetch(url).map_err(|error| match error {
            Unfetched::Refused(reason) => {
                missing(&reading::REMOTE_REFERENCE, reason, copy.to_owned())
            }
            Unfetched::Failed(reason) => {
                let help = format!("run it again; or {copy}");
                missing(&reading::UNFETCHED_REFERENCE, reason, help)
            }
        })?;
        Ok((fetched.url, fetched.bytes))
    }
}

const DANGLING: &str = reading::DANGLING_REFERENCE.id;

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
