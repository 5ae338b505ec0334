//! Selecting values by JSONPath (RFC 9535).

use serde_json_path::{JsonPath, PathElement};

use crate::source::yaml::measure;
use crate::source::{Node, Value};

/// Longest path, in bytes.
const LENGTH: usize = 4_096;

/// Deepest nesting of brackets in a path.
const NESTING: usize = 24;

/// Most places that one path may lead to when each selector takes its share.
const WIDTH: usize = 10_000;

/// Most steps that lead to all descendants.
const DESCENTS: usize = 3;

/// Values of a document up to which a filter may look at the whole document for each value.
const WHOLE: usize = 20_000;

/// A step down.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// To a member.
    Name(String),
    /// To an element.
    Index(usize),
}

/// Selects; keeps the document in the form that the query engine takes until it changes.
#[derive(Default)]
pub(super) struct Selector {
    json: Option<serde_json::Value>,
}

impl Selector {
    /// The document has changed.
    pub(super) fn forget(&mut self) {
        self.json = None;
    }

    /// The places that `path` selects in `root`, in the order of the document, each once.
    ///
    /// # Errors
    /// When it is no JSONPath, or one that is too much work.
    pub(super) fn select(&mut self, root: &Node, path: &str) -> Result<Vec<Vec<Step>>, String> {
        if let Some(steps) = plain(path) {
            return Ok(at(root, &steps).map(|_| steps).into_iter().collect());
        }
        let relative = check(path)?;
        let query = JsonPath::parse(path).map_err(|e| {
            let column = e.position() + 1;
            format!("`{path}` is no JSONPath: {} (character {column})", e.message())
        })?;
        if !relative && measure(root).0 > WHOLE {
            return Err(format!(
                "`{path}` looks through the whole document for each value, which takes too long here"
            ));
        }
        let json = self.json.get_or_insert_with(|| root.to_json());
        let found = query.query_located(json).dedup();
        let steps = |place: &serde_json_path::NormalizedPath<'_>| {
            place
                .iter()
                .map(|element| match element {
                    PathElement::Name(name) => Step::Name((*name).to_owned()),
                    PathElement::Index(index) => Step::Index(*index),
                })
                .collect::<Vec<_>>()
        };
        Ok(found.locations().map(steps).collect())
    }
}

/// The steps of a path that only names members: `$.paths['/pets'].get`. Such paths need no query.
fn plain(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            let name = &after[..end];
            let first = name.bytes().next()?;
            let simple = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            if first.is_ascii_digit() || !simple {
                return None;
            }
            steps.push(Step::Name(name.to_owned()));
            rest = &after[end..];
        } else {
            let inside = rest.strip_prefix('[')?;
            let quote = inside.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
            let end = inside[1..].find(quote)? + 1;
            let name = &inside[1..end];
            if name.contains('\\') || name.chars().any(char::is_control) {
                return None;
            }
            steps.push(Step::Name(name.to_owned()));
            rest = inside[end + 1..].strip_prefix(']')?;
        }
    }
    Some(steps)
}

/// Refuses paths that would be too much work; says whether filters look only below their value.
fn check(path: &str) -> Result<bool, String> {
    if path.len() > LENGTH {
        return Err(format!("the path is longer than {LENGTH} bytes"));
    }
    let (mut nesting, mut width, mut roots) = (0_usize, 1_usize, 0_usize);
    // Selectors in each open bracket.
    let mut open: Vec<usize> = Vec::new();
    let mut quote = None;
    let mut chars = path.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(_), '\\') => {
                chars.next();
            }
            (Some(q), c) if q == c => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '[' | '(') => {
                open.push(1);
                nesting = nesting.max(open.len());
            }
            (None, ']' | ')') => width = width.saturating_mul(open.pop().unwrap_or(1)),
            (None, ',') => {
                if let Some(selectors) = open.last_mut() {
                    *selectors += 1;
                }
            }
            (None, '$') => roots += 1,
            // Each `!` is a level of the parser of filters too.
            (None, '!') => nesting += 1,
            (Some(_) | None, _) => {}
        }
    }
    if nesting > NESTING {
        return Err(format!("the path is nested more than {NESTING} deep"));
    }
    if width > WIDTH {
        return Err(format!("the path selects more than {WIDTH} values of each"));
    }
    if path.matches("..").count() > DESCENTS {
        return Err(format!("the path descends with `..` more than {DESCENTS} times"));
    }
    Ok(roots <= 1)
}

/// The value at `place`.
pub(super) fn at<'n>(root: &'n Node, place: &[Step]) -> Option<&'n Node> {
    place.iter().try_fold(root, |node, step| match (&node.value, step) {
        (Value::Object(map), Step::Name(name)) => map.get(name),
        (Value::Array(items), Step::Index(index)) => items.get(*index),
        _ => None,
    })
}

/// The value at `place`, to be changed.
pub(super) fn at_mut<'n>(root: &'n mut Node, place: &[Step]) -> Option<&'n mut Node> {
    place.iter().try_fold(root, |node, step| match (&mut node.value, step) {
        (Value::Object(map), Step::Name(name)) => map.get_mut(name),
        (Value::Array(items), Step::Index(index)) => items.get_mut(*index),
        _ => None,
    })
}

/// How far a path of names leads, and what stands there, as a help.
pub(super) fn deepest(root: &Node, path: &str) -> Option<String> {
    let steps = plain(path)?;
    let found = (0..steps.len()).rev().find(|n| at(root, &steps[..*n]).is_some())?;
    let Some(Step::Name(missing)) = steps.get(found) else { return None };
    let node = at(root, &steps[..found])?;
    let Some(map) = node.as_object() else {
        return Some(format!("`{missing}` would be in {}, not in an object", node.kind()));
    };
    if map.is_empty() {
        return Some(format!(
            "there is no `{missing}`, for the object that it would be in is empty"
        ));
    }
    let near: Vec<&str> = map
        .keys()
        .map(String::as_str)
        .filter(|key| key.eq_ignore_ascii_case(missing) || key.contains(missing.as_str()))
        .take(3)
        .collect();
    Some(if near.is_empty() {
        format!("there is no `{missing}` at that place")
    } else {
        format!("there is no `{missing}`, but there is `{}`", near.join("` and `"))
    })
}
