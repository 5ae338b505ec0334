//! Overlays: changes to the root document before it is looked at (Overlay Specification 1.0, 1.1).

mod merge;
mod path;
#[cfg(test)]
mod tests;

use self::merge::{Conflict, merge};
use self::path::{Selector, Step};
use super::text;
use crate::diagnostic::{Code, Diagnostics, overlays as codes};
use crate::error::Error;
use crate::source::Limits;
use crate::source::yaml::measure;
use crate::source::{At, Map, Node, Pointer, Position, Source, Sources, Value};

/// Actions of one overlay.
const ACTIONS: usize = 10_000;

/// Values that all overlays together may select, and that they may add.
const WORK: usize = 2_000_000;

/// Applies `overlays`, each to the result of the one before, to the document `root`.
///
/// # Errors
/// When a text is neither YAML nor JSON, or no overlay, or when the document grows beyond bounds.
pub(super) fn apply(
    diagnostics: &mut Diagnostics,
    sources: &mut Sources,
    root: &mut Node,
    overlays: &[Source],
    limits: &Limits,
) -> Result<(), Error> {
    let name = sources.get(root.at.file).map(|s| s.name.clone()).unwrap_or_default();
    let mut work = WORK;
    for overlay in overlays {
        let file = sources.add(overlay.clone());
        let node = text::parse(diagnostics, file, &overlay.text, limits).map_err(|fault| {
            let position = Position::of(&overlay.text, fault.offset);
            Error::Syntax { name: overlay.name.clone(), position, message: fault.message }
        })?;
        let (selector, depth) = (Selector::default(), limits.depth);
        let mut run = Run { diagnostics, root, selector, old: false, work, depth };
        run.overlay(&node, &name).map_err(|Refusal { at, message }| Error::Syntax {
            name: overlay.name.clone(),
            position: Position::of(&overlay.text, at.offset as usize),
            message,
        })?;
        work = run.work;
    }
    Ok(())
}

/// Why an overlay cannot be applied at all.
struct Refusal {
    at: At,
    message: String,
}

struct Run<'r> {
    diagnostics: &'r mut Diagnostics,
    root: &'r mut Node,
    selector: Selector,
    /// Whether the overlay is of version 1.0.
    old: bool,
    /// What may still be selected or added.
    work: usize,
    /// Deepest nesting of the document.
    depth: usize,
}

impl Run<'_> {
    fn overlay(&mut self, overlay: &Node, document: &str) -> Result<(), Refusal> {
        let refuse = |at: At, message: &str| Refusal { at, message: message.to_owned() };
        let version = overlay.get("overlay").ok_or_else(|| {
            refuse(
                overlay.at,
                "this is no overlay: it has no `overlay: 1.0.0` (or 1.1.0) at its top",
            )
        })?;
        let written = version.as_str().map_or_else(|| version.to_json_text(), str::to_owned);
        let mut parts = written.split('.');
        let (major, minor) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        if major != "1" {
            let message = format!("overlays of version `{written}` are not known; 1.0 and 1.1 are");
            return Err(Refusal { at: version.at, message });
        }
        self.old = minor == "0";
        if !matches!(minor, "0" | "1") {
            let message = format!("version `{written}` is not known; it is read as 1.1");
            self.say(&codes::OTHER_OVERLAY_VERSION, version, &top("overlay"), message);
        }
        self.fields(overlay, &Pointer::default(), &["overlay", "info", "extends", "actions"]);
        if let Some(info) = overlay.get("info") {
            self.fields(info, &top("info"), &["title", "version", "description"]);
        }
        if overlay.get("info").is_none() {
            let message = "an overlay must have an `info`".to_owned();
            self.say(&codes::IDLE_OVERLAY_ACTION, overlay, &Pointer::default(), message);
        }
        if let Some(extends) = overlay.get("extends") {
            self.extends(extends, document);
        }
        let Some(actions) = overlay.get("actions") else {
            return Err(refuse(overlay.at, "the overlay has no `actions`"));
        };
        let Some(list) = actions.as_array() else {
            return Err(refuse(actions.at, "the `actions` of an overlay must be a list"));
        };
        if list.len() > ACTIONS {
            let message = format!("the overlay has more than {ACTIONS} actions");
            return Err(Refusal { at: actions.at, message });
        }
        for (index, action) in list.iter().enumerate() {
            self.action(action, &top("actions").index(index))?;
        }
        Ok(())
    }

    fn extends(&mut self, extends: &Node, document: &str) {
        let last = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        let Some(wanted) = extends.as_str().map(last).filter(|name| !name.is_empty()) else {
            return;
        };
        // Standard input has no name to compare.
        if !document.starts_with('<') && wanted != last(document) {
            let message =
                format!("the overlay is for `{wanted}`, and this is `{}`", last(document));
            self.say(&codes::OVERLAY_FOR_OTHER_DOCUMENT, extends, &top("extends"), message);
        }
    }

    fn action(&mut self, action: &Node, pointer: &Pointer) -> Result<(), Refusal> {
        let idle = &codes::IDLE_OVERLAY_ACTION;
        let known = ["target", "description", "update", "copy", "remove"];
        if action.as_object().is_none() {
            let message = format!("an action must be an object, and this is {}", action.kind());
            self.say(idle, action, pointer, message);
            return Ok(());
        }
        self.fields(action, pointer, &known);
        let Some(target) = action.get("target") else {
            self.say(idle, action, pointer, "the action has no `target`".to_owned());
            return Ok(());
        };
        let remove = match action.get("remove") {
            Some(remove) => remove.as_bool().unwrap_or_else(|| {
                let message = format!("`remove` must be true or false, and is {}", remove.kind());
                self.say(idle, remove, &pointer.child("remove"), message);
                false
            }),
            None => false,
        };
        let update = action.get("update");
        let copy = action.get("copy");
        let given =
            usize::from(remove) + usize::from(update.is_some()) + usize::from(copy.is_some());
        if given > 1 {
            let counts = if remove { "remove" } else { "update" };
            let message = format!("only the `{counts}` of the action counts");
            self.say(idle, action, pointer, message);
        }
        if given == 0 {
            let message = "the action says neither `update`, `copy` nor `remove: true`".to_owned();
            self.say(idle, action, pointer, message);
            return Ok(());
        }
        let place = pointer.child("target");
        let Some(places) = self.select(target, &place)? else { return Ok(()) };
        if places.is_empty() {
            let message = format!("`{}` selects nothing", target.as_str().unwrap_or_default());
            let near = path::deepest(self.root, target.as_str().unwrap_or_default());
            let finding = self.say(&codes::OVERLAY_WITHOUT_MATCH, target, &place, message);
            if let Some(near) = near {
                finding.help(near);
            }
            return Ok(());
        }
        if remove {
            self.remove(target, &place, places);
            return Ok(());
        }
        if let Some(value) = update {
            let value = value.clone();
            return self.put(target, &place, &places, &value);
        }
        let Some(copy) = copy else { return Ok(()) };
        let from = pointer.child("copy");
        if self.old {
            let message = "`copy` came with version 1.1, and the overlay says 1.0".to_owned();
            self.say(&codes::OTHER_OVERLAY_VERSION, copy, &from, message);
        }
        let Some(found) = self.select(copy, &from)? else { return Ok(()) };
        let [one] = &found[..] else {
            let message = format!(
                "`{}` selects {} values, and exactly one is needed",
                copy.as_str().unwrap_or_default(),
                found.len()
            );
            self.say(&codes::UNCLEAR_OVERLAY_COPY, copy, &from, message);
            return Ok(());
        };
        let value = path::at(self.root, one).cloned().unwrap_or_else(|| Node::made(Value::Null));
        self.put(target, &place, &places, &value)
    }

    /// The places that a path selects, in the order of the document; `None` when it is no path.
    fn select(
        &mut self,
        path: &Node,
        pointer: &Pointer,
    ) -> Result<Option<Vec<Vec<Step>>>, Refusal> {
        let Some(text) = path.as_str() else {
            let message = format!("a JSONPath is a text, and this is {}", path.kind());
            self.say(&codes::INVALID_OVERLAY_PATH, path, pointer, message);
            return Ok(None);
        };
        match self.selector.select(self.root, text) {
            Ok(places) => {
                self.spend(places.len(), path)?;
                Ok(Some(places))
            }
            Err(message) => {
                self.say(&codes::INVALID_OVERLAY_PATH, path, pointer, message);
                Ok(None)
            }
        }
    }

    fn remove(&mut self, target: &Node, pointer: &Pointer, mut places: Vec<Vec<Step>>) {
        // Later elements first, so that the indices of those before stay right.
        places.sort_by(|a, b| b.cmp(a));
        for place in places {
            let Some((last, before)) = place.split_last() else {
                let message = "the document as a whole cannot be removed".to_owned();
                self.say(&codes::INCOMPATIBLE_OVERLAY_VALUE, target, pointer, message);
                continue;
            };
            match (path::at_mut(self.root, before).map(|n| &mut n.value), last) {
                (Some(Value::Object(map)), Step::Name(name)) => {
                    map.shift_remove(name);
                }
                (Some(Value::Array(items)), Step::Index(index)) if *index < items.len() => {
                    items.remove(*index);
                }
                // It went with something around it.
                _ => {}
            }
        }
        self.selector.forget();
    }

    /// Merges `value` into each of `places`.
    fn put(
        &mut self,
        target: &Node,
        pointer: &Pointer,
        places: &[Vec<Step>],
        value: &Node,
    ) -> Result<(), Refusal> {
        let kinds: Vec<_> = places
            .iter()
            .filter_map(|place| path::at(self.root, place))
            .map(|node| merge::class(&node.value))
            .collect();
        if kinds.windows(2).any(|pair| pair[0] != pair[1]) {
            let message =
                "the target selects objects, lists and single values at once; take one kind"
                    .to_owned();
            self.say(&codes::INCOMPATIBLE_OVERLAY_VALUE, target, pointer, message);
            return Ok(());
        }
        if self.old && kinds.first() == Some(&merge::Class::Single) {
            let message =
                "single values as targets came with version 1.1, and the overlay says 1.0";
            self.say(&codes::OTHER_OVERLAY_VERSION, target, pointer, message.to_owned());
        }
        let (size, depth) = measure(value);
        self.spend(size.saturating_mul(places.len()), target)?;
        if places.iter().any(|place| place.len() + depth > self.depth) {
            let message = format!("values would be nested more than {} deep", self.depth);
            return Err(Refusal { at: target.at, message });
        }
        let mut conflict = None;
        for place in places {
            let Some(node) = path::at_mut(self.root, place) else { continue };
            if let Err(found) = merge(node, value) {
                conflict.get_or_insert(found);
            }
        }
        self.selector.forget();
        if let Some(Conflict { at, message }) = conflict {
            // What stands in the overlay is shown there; what was copied is shown at the action.
            let own = at.filter(|at| at.file == target.at.file);
            self.diagnostics.report(
                &codes::INCOMPATIBLE_OVERLAY_VALUE,
                Some(own.unwrap_or(target.at)),
                pointer.clone(),
                message,
            );
        }
        Ok(())
    }

    fn spend(&mut self, values: usize, at: &Node) -> Result<(), Refusal> {
        self.work = self.work.checked_sub(values).ok_or_else(|| Refusal {
            at: at.at,
            message: format!("overlays select or add more than {WORK} values here"),
        })?;
        Ok(())
    }

    /// Reports fields of `node` that are not in `known`.
    fn fields(&mut self, node: &Node, pointer: &Pointer, known: &[&str]) {
        let nothing = Map::default();
        for (key, value) in node.as_object().unwrap_or(&nothing) {
            if known.contains(&key.as_str()) || key.starts_with("x-") {
                continue;
            }
            let message = format!("`{key}` is not known here");
            let list = known.join("`, `");
            let at = Some(value.key);
            self.diagnostics
                .report(&codes::UNKNOWN_OVERLAY_FIELD, at, pointer.child(key), message)
                .help(format!("known are `{list}`"));
        }
    }

    fn say(
        &mut self,
        code: &'static Code,
        node: &Node,
        pointer: &Pointer,
        message: String,
    ) -> &mut crate::diagnostic::Diagnostic {
        self.diagnostics.report(code, Some(node.at), pointer.clone(), message)
    }
}

fn top(key: &str) -> Pointer {
    Pointer::default().child(key)
}
