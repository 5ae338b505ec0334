//! YAML text to [`Node`]s: the core schema of YAML 1.2, anchors, and merge keys.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use indexmap::map::Entry;
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Tag};

use super::mend::{Mend, Mended};
use super::scalar;
use super::{At, Fault, Limits, Map, Node, Parsed, Value};

/// How many bytes may be scanned again in order to mend indentation.
const MENDING: usize = 64 << 20;

/// How often one place may be mended: each time moves it by some columns.
const TRIES: usize = 3;

/// Parses `text`, which is document `file`.
///
/// Flow collections and quoted text must be indented deeper than what holds them, but most parsers
/// do not insist, so many documents close a `{` under its key. `saphyr-parser` insists; where it
/// stops for that reason only, spaces that mean nothing are put in and it is asked again.
pub(crate) fn parse(file: u32, text: &str, limits: &Limits) -> Result<Parsed, Fault> {
    let skipped = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut mended = Mended { skipped, puts: Vec::new() };
    let mut body = Cow::Borrowed(&text[skipped..]);
    let mut work = 0;
    let mut tries: HashMap<usize, usize> = HashMap::default();
    loop {
        match parse_body(file, &body, &mended, limits) {
            Ok(parsed) => return Ok(parsed),
            Err(Failure { fault, mend }) => {
                work += body.len();
                let places = mend.map(|mend| mend.places(&body)).unwrap_or_default();
                let again = tries.entry(fault.offset).or_default();
                *again += 1;
                if work > MENDING || *again > TRIES || places.is_empty() {
                    return Err(fault);
                }
                body = Cow::Owned(mended.put(&body, &places));
            }
        }
    }
}

/// Why one attempt failed.
struct Failure {
    fault: Fault,
    mend: Option<Mend>,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self { fault, mend: None }
    }
}

fn parse_body(file: u32, body: &str, mended: &Mended, limits: &Limits) -> Result<Parsed, Failure> {
    let mut builder = Builder {
        cursor: Cursor { text: body, mended, chars: 0, bytes: 0, ascii: body.is_ascii() },
        file,
        limits,
        stack: Vec::new(),
        anchors: HashMap::default(),
        open_anchors: HashSet::new(),
        budget: limits.aliased,
        root: None,
        duplicates: Vec::new(),
        lost: Vec::new(),
    };
    let mut parser = Parser::new_from_str(body);
    let mut documents = 0_usize;
    while let Some(event) = parser.next_event() {
        let (event, span) = match event {
            Ok(event) => event,
            Err(error) => return Err(builder.scan_failure(&error)),
        };
        match event {
            Event::StreamEnd => break,
            Event::Nothing | Event::StreamStart | Event::DocumentEnd => {}
            Event::DocumentStart(_) => {
                documents += 1;
                if documents > 1 {
                    let raw = builder.cursor.raw(&span.start);
                    // A lone `---` at the end opens a document that is not there.
                    if body.get(raw..).is_some_and(|rest| rest.trim() == "---") {
                        break;
                    }
                    let offset = mended.written(raw);
                    return Err(Failure::from(Fault {
                        offset,
                        message: "a second YAML document begins here; a file must hold one"
                            .to_owned(),
                        limit: false,
                    }));
                }
            }
            event => builder.event(event, &span.start)?,
        }
    }
    let nothing = At { file, offset: 0 };
    let root = builder.root.unwrap_or(Node { at: nothing, key: nothing, value: Value::Null });
    Ok(Parsed { root, duplicates: builder.duplicates, lost: builder.lost })
}

/// Turns character indices into byte offsets; indices mostly grow, so it walks.
struct Cursor<'t> {
    text: &'t str,
    mended: &'t Mended,
    chars: usize,
    bytes: usize,
    ascii: bool,
}

impl Cursor<'_> {
    /// The offset in the text as written.
    fn byte(&mut self, marker: &Marker) -> usize {
        let raw = self.raw(marker);
        self.mended.written(raw)
    }

    /// The offset in the text as it is parsed.
    fn raw(&mut self, marker: &Marker) -> usize {
        let index = marker.index();
        if self.ascii {
            return index.min(self.text.len());
        }
        let bytes = self.text.as_bytes();
        let follows = |b: u8| b & 0xc0 == 0x80;
        while self.chars < index && self.bytes < bytes.len() {
            self.bytes += 1;
            while self.bytes < bytes.len() && follows(bytes[self.bytes]) {
                self.bytes += 1;
            }
            self.chars += 1;
        }
        while self.chars > index && self.bytes > 0 {
            self.bytes -= 1;
            while self.bytes > 0 && follows(bytes[self.bytes]) {
                self.bytes -= 1;
            }
            self.chars -= 1;
        }
        self.bytes
    }
}

/// A list or object that is not closed yet.
struct Frame {
    at: At,
    anchor: usize,
    kind: Kind,
}

enum Kind {
    List(Vec<Node>),
    Object {
        map: Map,
        /// The key whose value comes next.
        key: Option<(String, At, bool)>,
        /// Keys that came in by `<<` and give way to written ones.
        merged: HashSet<String>,
    },
}

struct Anchored {
    node: Node,
    size: usize,
    depth: usize,
}

struct Builder<'t> {
    cursor: Cursor<'t>,
    file: u32,
    limits: &'t Limits,
    stack: Vec<Frame>,
    anchors: HashMap<usize, Anchored>,
    open_anchors: HashSet<usize>,
    budget: usize,
    root: Option<Node>,
    duplicates: Vec<At>,
    /// What `<<` names and cannot be merged.
    lost: Vec<At>,
}

impl Builder<'_> {
    fn at(&mut self, marker: &Marker) -> At {
        let offset = self.cursor.byte(marker);
        At { file: self.file, offset: u32::try_from(offset).unwrap_or(u32::MAX) }
    }

    fn scan_failure(&mut self, error: &ScanError) -> Failure {
        let raw = self.cursor.raw(error.marker());
        let mend = match error.info() {
            "invalid indentation" | "invalid indentation in flow construct" => {
                Some(Mend::Here(raw))
            }
            "invalid indentation in quoted scalar" => Some(Mend::Quoted(raw)),
            _ => None,
        };
        let offset = self.cursor.mended.written(raw);
        let message = format!("not valid YAML: {}", error.info());
        Failure { fault: Fault { offset, message, limit: false }, mend }
    }

    fn event(&mut self, event: Event<'_>, start: &Marker) -> Result<(), Fault> {
        let at = self.at(start);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                // Most scalars are keys, and a key is its text whatever type it would have.
                if let (0, Some(key)) = (anchor, self.awaited_key()) {
                    let merges = style == ScalarStyle::Plain && text == "<<";
                    *key = Some((text.into_owned(), at, merges));
                    return Ok(());
                }
                let plain = style == ScalarStyle::Plain;
                let scalar = (anchor > 0).then(|| text.clone());
                let value = typed(text, style, tag.as_deref());
                let node = Node { at, key: at, value };
                self.complete(node, anchor, scalar.as_deref().map(|text| (text, plain)))
            }
            Event::SequenceStart(anchor, _) => self.open(at, anchor, Kind::List(Vec::new())),
            Event::MappingStart(anchor, _) => self.open(
                at,
                anchor,
                Kind::Object { map: Map::default(), key: None, merged: HashSet::new() },
            ),
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(frame) = self.stack.pop() else { return Ok(()) };
                self.open_anchors.remove(&frame.anchor);
                let value = match frame.kind {
                    Kind::List(items) => Value::Array(items),
                    Kind::Object { map, .. } => Value::Object(map),
                };
                self.complete(Node { at: frame.at, key: frame.at, value }, frame.anchor, None)
            }
            Event::Alias(anchor) => self.alias(at, anchor),
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => Ok(()),
        }
    }

    /// Where the next key goes, when a key comes next.
    fn awaited_key(&mut self) -> Option<&mut Option<(String, At, bool)>> {
        match self.stack.last_mut().map(|frame| &mut frame.kind) {
            Some(Kind::Object { key, .. }) if key.is_none() => Some(key),
            _ => None,
        }
    }

    fn open(&mut self, at: At, anchor: usize, kind: Kind) -> Result<(), Fault> {
        if self.stack.len() >= self.limits.depth {
            return Err(Fault::too_deep(at.offset as usize, self.limits.depth));
        }
        if anchor > 0 {
            self.open_anchors.insert(anchor);
        }
        self.stack.push(Frame { at, anchor, kind });
        Ok(())
    }

    fn alias(&mut self, at: At, anchor: usize) -> Result<(), Fault> {
        let offset = at.offset as usize;
        if self.open_anchors.contains(&anchor) {
            let message = "an alias stands inside the value that it stands for".to_owned();
            return Err(Fault { offset, message, limit: true });
        }
        let Some(anchored) = self.anchors.get(&anchor) else {
            let message = "an alias stands for nothing".to_owned();
            return Err(Fault { offset, message, limit: false });
        };
        if self.stack.len() + anchored.depth > self.limits.depth {
            return Err(Fault::too_deep(offset, self.limits.depth));
        }
        if anchored.size > self.budget {
            let message = format!("YAML aliases add more than {} values", self.limits.aliased);
            return Err(Fault { offset, message, limit: true });
        }
        self.budget -= anchored.size;
        let mut node = anchored.node.clone();
        node.key = at;
        let text = node.as_str().map(str::to_owned);
        self.complete(node, 0, text.as_deref().map(|t| (t, false)))
    }

    /// Puts a finished value where it belongs. `scalar` is the text of a scalar, and whether it
    /// stands without quotes.
    fn complete(
        &mut self,
        node: Node,
        anchor: usize,
        scalar: Option<(&str, bool)>,
    ) -> Result<(), Fault> {
        if anchor > 0 {
            let (size, depth) = measure(&node);
            if size > self.budget {
                let message = format!("YAML anchors hold more than {} values", self.limits.aliased);
                return Err(Fault { offset: node.at.offset as usize, message, limit: true });
            }
            self.anchors.insert(anchor, Anchored { node: node.clone(), size, depth });
        }
        match self.stack.last_mut().map(|frame| &mut frame.kind) {
            None => self.root = Some(node),
            Some(Kind::List(items)) => {
                let at = node.at;
                items.push(Node { key: at, ..node });
            }
            Some(Kind::Object { map, key, merged }) => match key.take() {
                None => {
                    let at = node.key;
                    *key = Some(match scalar {
                        Some((text, plain)) => (text.to_owned(), at, plain && text == "<<"),
                        None => (node.to_json_text(), at, false),
                    });
                }
                Some((_, _, true)) => merge(map, merged, &node, &mut self.lost),
                Some((name, key_at, false)) => {
                    let node = Node { key: key_at, ..node };
                    match map.entry(name) {
                        Entry::Vacant(place) => {
                            place.insert(node);
                        }
                        Entry::Occupied(mut place) => {
                            if merged.is_empty() || !merged.remove(place.key()) {
                                self.duplicates.push(key_at);
                            }
                            place.insert(node);
                        }
                    }
                }
            },
        }
        Ok(())
    }
}

/// `<<`: the members of `node`, or of the objects in it, that are not there yet.
fn merge(map: &mut Map, merged: &mut HashSet<String>, node: &Node, lost: &mut Vec<At>) {
    let objects = match &node.value {
        Value::Array(items) => items.iter().collect(),
        // Nothing to merge is written as nothing.
        Value::Null => Vec::new(),
        _ => vec![node],
    };
    lost.extend(objects.iter().filter(|node| node.as_object().is_none()).map(|node| node.at));
    for (name, value) in objects.into_iter().filter_map(Node::as_object).flatten() {
        if !map.contains_key(name) {
            map.insert(name.clone(), value.clone());
            merged.insert(name.clone());
        }
    }
}

/// Number of values in `node`, and how deep they are nested.
pub(crate) fn measure(node: &Node) -> (usize, usize) {
    let mut open = vec![(node, 1)];
    let (mut size, mut depth) = (0, 0);
    while let Some((node, level)) = open.pop() {
        size += 1;
        depth = depth.max(level);
        match &node.value {
            Value::Array(items) => open.extend(items.iter().map(|n| (n, level + 1))),
            Value::Object(map) => open.extend(map.values().map(|n| (n, level + 1))),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    (size, depth)
}

/// The value of a scalar, by its tag or else by the core schema.
fn typed(text: Cow<'_, str>, style: ScalarStyle, tag: Option<&Tag>) -> Value {
    let typed = match tag {
        None => style == ScalarStyle::Plain,
        Some(tag) => {
            let core = matches!(tag.suffix.as_str(), "int" | "float" | "bool" | "null");
            core && tag.is_yaml_core_schema()
        }
    };
    if typed { scalar::plain(text) } else { Value::String(text.into_owned()) }
}
