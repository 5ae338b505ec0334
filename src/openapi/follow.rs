//! References: from one place to another, across documents.

use super::detect::Version;
use super::documents::{Missing, percent_decoded, split};
use super::lower::{Lowerer, Spot};
use crate::diagnostic::reading;
use crate::source::{Pointer, Value};

/// How many references may lead to one another.
const CHAIN: usize = 64;
/// How many references may be followed on the way to one value.
const HOPS: usize = 1000;

/// A reference as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written<'a> {
    /// `$ref`, or another keyword that refers.
    pub key: &'static str,
    /// Its text.
    pub text: &'a str,
}

impl<'a> Lowerer<'a, '_> {
    /// The reference that a schema is or holds: `$ref`, and since OpenAPI 3.1 `$dynamicRef`.
    pub(super) fn schema_reference(&self, spot: &Spot<'a>) -> Option<Written<'a>> {
        if let Some(text) = spot.reference() {
            return Some(Written { key: "$ref", text });
        }
        self.dynamic_reference(spot)
    }

    /// The `$dynamicRef` of a schema. It means the innermost place of its name here, which is where
    /// it leads unless another caller declares the name again.
    pub(super) fn dynamic_reference(&self, spot: &Spot<'a>) -> Option<Written<'a>> {
        if self.version != Version::V31 {
            return None;
        }
        let text = spot.node.get("$dynamicRef")?.as_str()?;
        Some(Written { key: "$dynamicRef", text })
    }

    /// Says so when a `$dynamicRef` may mean several places.
    pub(super) fn note_dynamic(&mut self, spot: &Spot<'a>, written: Written<'a>) {
        let (place, fragment) = split(written.text);
        let name = percent_decoded(fragment.unwrap_or_default());
        let Ok((document, resource)) = self.documents.target(spot.document, &spot.pointer, place)
        else {
            return;
        };
        if written.key == "$dynamicRef" && self.documents.is_dynamic(document, &resource, &name) {
            let at = spot.get(written.key).unwrap_or_else(|| spot.clone());
            let message = format!(
                "`$dynamicRef` `{}` may mean several places; the nearest `$dynamicAnchor` is taken",
                written.text
            );
            self.report(&reading::DYNAMIC_REFERENCE, &at, message);
        }
    }

    /// Follows `$ref` until something else stands there. A reference that leads nowhere is reported.
    pub(super) fn resolve(&mut self, spot: &Spot<'a>) -> Option<Spot<'a>> {
        if !self.has_text_reference(spot) {
            return None;
        }
        self.report_siblings(spot);
        match self.try_resolve(spot) {
            Ok(found) => Some(found),
            Err((reference, missing)) => {
                self.dangling(spot, Written { key: "$ref", text: &reference }, &missing);
                None
            }
        }
    }

    /// Whether a `$ref`, if there is one, is text; what else it is gets reported.
    pub(super) fn has_text_reference(&mut self, spot: &Spot<'a>) -> bool {
        match spot.get("$ref") {
            Some(place) if place.node.as_str().is_none() => {
                let message = "`$ref` must be text that says where to look; it leads nowhere";
                self.report(&reading::DANGLING_REFERENCE, &place, message);
                false
            }
            _ => true,
        }
    }

    /// Reports what stands beside the `$ref` of an object that is no schema: only words count there,
    /// and those since OpenAPI 3.1 ("Reference Object").
    fn report_siblings(&mut self, spot: &Spot<'a>) {
        if spot.reference().is_none() {
            return;
        }
        for (key, place) in spot.members() {
            if matches!(key, "$ref" | "summary" | "description") || key.starts_with("x-") {
                continue;
            }
            let message = format!("`{key}` beside `$ref` has no meaning and is ignored");
            self.report(&reading::IGNORED_REF_SIBLING, &place, message)
                .help("say it where the reference leads");
        }
    }

    /// Reports that a reference leads nowhere.
    pub(super) fn dangling(&mut self, spot: &Spot<'a>, written: Written<'_>, missing: &Missing) {
        let place = spot.get(written.key).unwrap_or_else(|| spot.clone());
        let Written { key, text } = written;
        let message = format!("`{key}` `{text}` leads nowhere: {}", missing.reason);
        let finding = self.report(missing.code, &place, message);
        if let Some(help) = &missing.help {
            finding.help(help.clone());
        }
    }

    /// Like [`Self::resolve`], without a word.
    pub(super) fn try_resolve(&self, spot: &Spot<'a>) -> Result<Spot<'a>, (String, Missing)> {
        let mut spot = spot.clone();
        for _ in 0..CHAIN {
            let Some(reference) = spot.reference() else { return Ok(spot) };
            spot = self
                .follow(&spot, reference, 0)
                .map_err(|missing| (reference.to_owned(), missing))?;
        }
        let reference = spot.reference().unwrap_or_default().to_owned();
        Err((reference, in_a_circle()))
    }

    /// Where `reference`, written at `from`, leads in one step.
    pub(super) fn follow(
        &self,
        from: &Spot<'a>,
        reference: &str,
        depth: usize,
    ) -> Result<Spot<'a>, Missing> {
        // References inside a path of references multiply; the sum of all is what must be bounded.
        self.hops.set(if depth == 0 { 0 } else { self.hops.get() + 1 });
        if depth > CHAIN || self.hops.get() > HOPS {
            return Err(in_a_circle());
        }
        let (place, fragment) = split(reference);
        let (document, resource) = self.documents.target(from.document, &from.pointer, place)?;
        let root = self.top(document);
        let start = self.walk(root.clone(), &resource, false, depth)?;
        let fragment = fragment.unwrap_or_default();
        let decoded = percent_decoded(fragment);
        // A whole fragment may be encoded, its first `/` too.
        let plain = Pointer::parse(fragment).map(|pointer| (pointer, true));
        let pointer = plain.or_else(|| Some((Pointer::parse(&decoded)?, false)));
        let Some((pointer, encoded)) = pointer else {
            let anchor = self.documents.anchor(document, &resource, &decoded);
            let Some(anchor) = anchor else {
                return Err(format!("there is no `$anchor` named `{decoded}`").into());
            };
            return self.walk(root, anchor, false, depth);
        };
        let found = self.walk(start, &pointer, encoded, depth);
        if found.is_ok() {
            return found;
        }
        // Many write pointers from the top of the document below an `$id` too, and in parts that
        // were written for a bundle from the top of the bundle.
        let mut elsewhere = Vec::new();
        if place.is_empty() && resource != Pointer::default() {
            elsewhere.push(root);
        }
        if document != 0 && !self.documents.is_remote(document) {
            elsewhere.push(self.root());
        }
        let found_there =
            elsewhere.into_iter().find_map(|top| self.walk(top, &pointer, encoded, depth).ok());
        found_there.map_or(found, Ok)
    }

    /// The whole of a document.
    pub(super) fn top(&self, document: usize) -> Spot<'a> {
        let documents: &'a super::documents::Documents = self.documents;
        Spot { node: &documents.list[document].root, document, pointer: Pointer::default() }
    }

    fn walk(
        &self,
        mut spot: Spot<'a>,
        pointer: &Pointer,
        encoded: bool,
        depth: usize,
    ) -> Result<Spot<'a>, Missing> {
        for step in pointer.steps() {
            let mut next = step_into(&spot, &step, encoded);
            if next.is_none()
                && let Some(reference) = spot.reference()
            {
                let behind = self.follow(&spot, reference, depth + 1)?;
                next = step_into(&behind, &step, encoded);
            }
            spot = next.ok_or_else(|| match spot.pointer.as_str() {
                "" => format!("the document has no `{step}`"),
                place => format!("`{place}` has no `{step}`"),
            })?;
        }
        Ok(spot)
    }
}

/// Why a reference that leads back to itself leads nowhere.
pub(super) fn in_a_circle() -> Missing {
    "references go round in a circle".into()
}

fn step_into<'a>(spot: &Spot<'a>, step: &str, encoded: bool) -> Option<Spot<'a>> {
    let decoded;
    let mut names = vec![step];
    if encoded && step.contains('%') {
        decoded = percent_decoded(step);
        // What is decoded may hold escapes of its own: `%7E1`.
        names.insert(0, &decoded);
    } else if encoded && step.contains('+') {
        // Some writers encode as forms do.
        decoded = step.replace('+', " ");
        names.push(&decoded);
    }
    match &spot.node.value {
        Value::Object(map) => names.iter().find_map(|name| {
            let unescaped = name.replace("~1", "/").replace("~0", "~");
            map.get(*name)
                .map(|node| spot.child(name, node))
                .or_else(|| map.get(&unescaped).map(|node| spot.child(&unescaped, node)))
        }),
        Value::Array(items) => {
            let index: usize = step.parse().ok()?;
            let node = items.get(index)?;
            Some(Spot { node, document: spot.document, pointer: spot.pointer.index(index) })
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}
