//! Paths as nouns and verbs: what a path is about, and what it says is done.

use std::collections::BTreeSet;

use super::facts::{Segment, id_words, is_safe};
use super::verb::{english, is_bulk, is_function, is_plain_verb, is_reading, is_unsafe, is_verb};
use super::words;
use crate::ir::{Api, Method, ends};

/// What a path says.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// Nouns and parameters, with versions, common beginnings and verbs taken out.
    pub segments: Vec<Segment>,
    /// The verb that the path spells out.
    pub phrase: Option<String>,
    /// All words of the path, for rules that look for one anywhere.
    pub all: BTreeSet<String>,
    /// Whether the whole document calls procedures, so that its methods say nothing.
    pub procedure: bool,
}

/// Whether a segment of a path is a version: `v1`, `2.0`, `v1beta2`, `2024-01-01`.
pub(super) fn is_version(segment: &str) -> bool {
    let rest = segment.strip_prefix(['v', 'V']).unwrap_or(segment);
    let digits = rest.chars().take_while(|c| c.is_ascii_digit() || ".-_".contains(*c)).count();
    let tail = rest[digits..].trim_end_matches(|c: char| c.is_ascii_digit());
    rest.starts_with(|c: char| c.is_ascii_digit())
        && (matches!(tail, "" | "alpha" | "beta" | "rc" | "preview"))
}

/// The shape of each of `kept`.
pub(super) fn shapes(api: &Api, kept: &[usize]) -> Vec<Shape> {
    let paths: Vec<&str> = kept.iter().map(|i| api.operations[*i].key.path.as_str()).collect();
    let dotted = paths.iter().filter(|p| is_dotted(p)).count();
    let remote_calls = dotted * 2 > paths.len();
    let mut shapes: Vec<Shape> = paths.iter().map(|p| parse(p, remote_calls)).collect();
    strip_common(&mut shapes);
    if calls_procedures(api, kept, &shapes) {
        for shape in &mut shapes {
            shape.procedure = true;
            if let [.., Segment::Word(_), Segment::Word(last)] = shape.segments.as_slice()
                && shape.phrase.is_none()
            {
                shape.phrase = Some(last.clone());
                shape.segments.pop();
            }
        }
    }
    let known = Known::of(api, kept, &shapes);
    for (shape, index) in shapes.iter_mut().zip(kept) {
        let operation = &api.operations[*index];
        take_verb(shape, &operation.key.method, &id_words(operation), &known);
    }
    shapes
}

/// `/conversations.list`: one segment, dots between words.
fn is_dotted(path: &str) -> bool {
    // `/api/users.list`
    let path = path.trim_matches('/').rsplit('/').next().unwrap_or_default();
    path.contains('.')
        && !has_extension(path)
        && path.split('.').all(|part| {
            part.starts_with(|c: char| c.is_ascii_alphabetic())
                && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
        })
}

/// `POST /config/dump`, `POST /jobs/status`: a document in which all is posted and no path has a
/// parameter calls procedures, and the last word of a path is one.
fn calls_procedures(api: &Api, kept: &[usize], shapes: &[Shape]) -> bool {
    let posted = kept.iter().all(|i| api.operations[*i].key.method == Method::Post);
    let words = shapes.iter().all(|s| s.segments.iter().all(|s| s.word().is_some()));
    let deep = shapes.iter().filter(|s| s.segments.len() > 1 || s.phrase.is_some()).count();
    shapes.len() >= 5 && posted && words && deep * 5 >= shapes.len() * 4
}

fn has_extension(segment: &str) -> bool {
    let extension = segment.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase());
    matches!(
        extension.as_deref(),
        Some(
            "json"
                | "xml"
                | "yaml"
                | "yml"
                | "csv"
                | "txt"
                | "php"
                | "html"
                | "aspx"
                | "jsp"
                | "rss"
        )
    )
}

fn parse(path: &str, remote_calls: bool) -> Shape {
    let mut segments = Vec::new();
    let mut phrase = None;
    let path = path.split('?').next().unwrap_or_default();
    let pieces: Vec<&str> = path.split(['/', '#']).filter(|s| !s.is_empty()).collect();
    for (i, raw) in pieces.iter().enumerate() {
        // `/api/v1/pets` is in a frame; `/services/{id}` is about services.
        let followed =
            pieces[i + 1..].iter().find(|s| !is_version(s)).is_some_and(|s| !s.starts_with('{'));
        if followed && segments.is_empty() && is_frame(raw) {
            continue;
        }
        if let Some(open) = raw.find('{') {
            push_word(&mut segments, raw[..open].trim_end_matches(|c: char| !c.is_alphanumeric()));
            let close = raw[open..].find('}').map_or(raw.len(), |i| open + i);
            let name = &raw[open + 1..close];
            if segments.last().and_then(Segment::word).is_some_and(|w| is_bound(w, name)) {
                segments.pop();
                continue;
            }
            segments.push(Segment::Parameter(name.to_owned()));
            let last = raw.rfind('}').map_or(raw.len(), |i| i + 1);
            let behind = &raw[last..];
            if let Some(verb) = behind.strip_prefix(':') {
                phrase = Some(words::snake(verb)).filter(|v| !v.is_empty());
            } else if !behind.starts_with('.') {
                push_word(&mut segments, behind);
            }
            continue;
        }
        let raw =
            if has_extension(raw) { raw.rsplit_once('.').map_or(*raw, |(a, _)| a) } else { raw };
        if remote_calls && raw.contains('.') {
            let mut parts: Vec<&str> = raw.split('.').collect();
            phrase = parts.pop().map(words::snake).filter(|v| !v.is_empty());
            for part in parts {
                push_word(&mut segments, part);
            }
        } else if let Some((noun, verb)) = raw.split_once(':') {
            push_word(&mut segments, noun);
            phrase = Some(words::snake(verb)).filter(|v| !v.is_empty());
        } else {
            push_word(&mut segments, raw);
        }
    }
    let all = segments.iter().filter_map(Segment::word).map(str::to_owned).collect();
    Shape { segments, phrase, all, procedure: false }
}

/// Whether a word only says which bound of a range the parameter behind it is: `start/{start_ts}`.
fn is_bound(word: &str, parameter: &str) -> bool {
    matches!(word, "start" | "end" | "from" | "to" | "since" | "until" | "before" | "after")
        && words::split(parameter).first().is_some_and(|first| first == word)
}

/// Words that paths begin with for no reason of their own.
fn is_frame(raw: &str) -> bool {
    let raw = raw.to_ascii_lowercase();
    matches!(raw.as_str(), "api" | "apis" | "rest" | "service" | "services" | "wp-json")
}

fn push_word(segments: &mut Vec<Segment>, raw: &str) {
    if is_version(raw) {
        return;
    }
    let word = words::snake(raw);
    if !word.is_empty() {
        segments.push(Segment::Word(word));
    }
}

/// Takes off what all paths begin with and what therefore tells nothing apart.
fn strip_common(shapes: &mut [Shape]) {
    for _ in 0..4 {
        let total = shapes.len();
        let longer = |s: &&Shape| s.segments.len() > 1;
        let leading = shapes.iter().filter(longer).filter(|s| s.segments[0].word().is_none());
        if total >= 3 && leading.count() * 10 >= total * 9 {
            for shape in shapes.iter_mut().filter(|s| s.segments.len() > 1) {
                if shape.segments[0].word().is_none() {
                    shape.segments.remove(0);
                }
            }
            continue;
        }
        let first = shapes.first().and_then(|s| s.segments.first()).cloned();
        let shared = first.filter(|f| f.word().is_some()).is_some_and(|first| {
            total >= 3
                && shapes.iter().all(|s| {
                    s.segments.first() == Some(&first)
                        && s.segments[1..].iter().any(|s| s.word().is_some())
                })
        });
        if !shared {
            return;
        }
        for shape in shapes.iter_mut() {
            shape.segments.remove(0);
        }
    }
}

/// What the paths of a document together say about their words.
struct Known {
    /// Singular nouns that have items somewhere.
    collections: BTreeSet<String>,
    /// Paths that have a parameter below them.
    parents: BTreeSet<String>,
    /// Paths that can be read.
    read: BTreeSet<String>,
    /// Paths that are put, patched or deleted: things.
    kept: BTreeSet<String>,
    /// Paths that have words below them.
    inner: BTreeSet<String>,
}

impl Known {
    fn of(api: &Api, kept: &[usize], shapes: &[Shape]) -> Self {
        let mut known = Self {
            collections: BTreeSet::new(),
            parents: BTreeSet::new(),
            read: BTreeSet::new(),
            kept: BTreeSet::new(),
            inner: BTreeSet::new(),
        };
        for (shape, index) in shapes.iter().zip(kept) {
            let segments = &shape.segments;
            for (i, pair) in segments.windows(2).enumerate() {
                match (&pair[0], &pair[1]) {
                    (Segment::Word(word), Segment::Parameter(_)) => {
                        known.collections.insert(words::singular_name(word));
                        known.parents.insert(join(&segments[..=i]));
                    }
                    (_, Segment::Word(_)) => {
                        known.inner.insert(join(&segments[..=i]));
                    }
                    (Segment::Parameter(_), Segment::Parameter(_)) => {}
                }
            }
            let method = &api.operations[*index].key.method;
            if is_safe(method) {
                known.read.insert(join(segments));
            } else if matches!(method, Method::Put | Method::Patch | Method::Delete) {
                known.kept.insert(join(segments));
            }
        }
        known
    }
}

/// A path with its parameters' names left out.
fn join(segments: &[Segment]) -> String {
    segments.iter().map(|s| s.word().unwrap_or("{}")).collect::<Vec<_>>().join("/")
}

/// Moves the verb of a path from its nouns to its phrase.
fn take_verb(shape: &mut Shape, method: &Method, id: &[String], known: &Known) {
    let segments = &mut shape.segments;
    // `/search/movie`
    if let [Segment::Word(first), Segment::Word(_), ..] = segments.as_slice()
        && is_function(first)
        && !known.parents.contains(first)
    {
        shape.phrase = shape.phrase.take().or_else(|| Some(first.clone()));
        segments.remove(0);
    }
    let Some(Segment::Word(tail)) = segments.last() else { return };
    let tail = tail.clone();
    if shape.phrase.is_some() {
        return;
    }
    let path = join(segments);
    let parts: Vec<&str> = tail.split('_').collect();
    // `/series/list/by-letter` makes no thing of the list.
    let asks = tail == "list" || is_function(&tail);
    let noun = known.parents.contains(&path)
        || (known.inner.contains(&path) && !asks)
        || known.collections.contains(&words::singular_name(&tail));
    let alone = segments.iter().filter(|s| s.word().is_some()).count() == 1;
    if noun {
        return;
    }
    let first = parts[0];
    // `PATCH …/read-progress` is about progress: these methods do not read.
    if matches!(method, Method::Put | Method::Patch) && is_reading(first) {
        return;
    }
    // `/getUser`, `/users/listUsers`: verb and noun in one segment.
    if parts.len() > 1
        && is_plain_verb(first)
        && !matches!(parts[1], "by" | "with" | "for" | "to" | "from")
        && (alone || matches!(first, "get" | "list" | "create" | "update" | "delete"))
    {
        let rest = parts[1..].join("_");
        shape.phrase = Some(first.to_owned());
        segments.pop();
        let above = segments.iter().rev().find_map(Segment::word).map(words::singular_name);
        if above.as_deref() != Some(words::singular_name(&rest).as_str()) {
            segments.push(Segment::Word(rest));
        }
        return;
    }
    // `test-login-flows` are flows; `mark-as-read` is a deed.
    let named_thing = parts.len() > 1
        && is_verb(first)
        && !is_plain_verb(first)
        && !matches!(parts[1], "as" | "by" | "with" | "for" | "to" | "from" | "all");
    if named_thing {
        return;
    }
    // `DELETE …/follow` takes a follow away; it does not follow.
    let takes_away = *method == Method::Delete;
    if takes_away && !ends(english(first)) && !is_bulk(first) {
        return;
    }
    let safe = is_safe(method);
    let verb = (is_function(first) && parts.len() <= 3)
        || (safe && matches!(tail.as_str(), "list" | "all" | "show"))
        || (safe
            && is_unsafe(first)
            && words::plural_name(&tail) != tail
            && !known.kept.contains(&path))
        || (!safe && is_verb(first) && !known.read.contains(&path))
        || (!safe && leads(id, &tail, segments) && !known.read.contains(&path))
        || (safe && parts.len() > 1 && is_plain_verb(first) && !known.kept.contains(&path));
    if verb && !alone {
        shape.phrase = Some(tail);
        segments.pop();
        // `/pets/{id}/search` searches below an item; `/x/{a}` then stands for the item itself.
    } else if verb {
        shape.phrase = Some(tail);
    }
}

/// Whether an identifier says that the last word of a path is what is done with a noun before it,
/// though no table has it as a verb: `/items/{id}/calibrate` and `calibrateItem`.
fn leads(id: &[String], tail: &str, segments: &[Segment]) -> bool {
    let Some((first, rest)) = id.split_first() else { return false };
    let above = &segments[..segments.len() - 1];
    let below_item = matches!(above.last(), Some(Segment::Parameter(_)));
    let noun = |w: &String| {
        let one = words::singular(w);
        above.iter().filter_map(Segment::word).any(|s| words::singular_name(s) == one)
    };
    let about = rest.is_empty() || rest.iter().any(noun);
    first == tail && words::singular(tail) == *tail && below_item && about
}
