//! How a value is merged into another (Overlay Specification 1.1, section Action Object).

use crate::source::{At, Node, Value};

/// What merges with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// With objects.
    Object,
    /// With anything, which becomes an element, or elements.
    List,
    /// With single values, which replace it.
    Single,
}

/// Which of the three a value is.
pub(super) fn class(value: &Value) -> Class {
    match value {
        Value::Object(_) => Class::Object,
        Value::Array(_) => Class::List,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Class::Single,
    }
}

/// Two values that do not merge.
pub(super) struct Conflict {
    /// Where the new one stands.
    pub at: Option<At>,
    /// What is wrong.
    pub message: String,
}

/// Merges `new` into the target of an action. A list takes the elements of a list, and any other
/// value as an element.
pub(super) fn merge(target: &mut Node, new: &Node) -> Result<(), Conflict> {
    match (&mut target.value, &new.value) {
        (Value::Array(items), Value::Array(more)) => {
            items.extend(more.iter().cloned());
            Ok(())
        }
        (Value::Array(items), _) => {
            items.push(new.clone());
            Ok(())
        }
        _ => inner(target, new, None),
    }
}

/// Merges what stands under the same key; both are at most as deep as a document may be.
fn inner(target: &mut Node, new: &Node, key: Option<&str>) -> Result<(), Conflict> {
    match (&mut target.value, &new.value) {
        (Value::Object(map), Value::Object(more)) => {
            let mut first = Ok(());
            for (key, value) in more {
                match map.get_mut(key) {
                    Some(old) => first = first.and(inner(old, value, Some(key))),
                    None => {
                        map.insert(key.clone(), value.clone());
                    }
                }
            }
            first
        }
        (Value::Array(items), Value::Array(more)) => {
            items.extend(more.iter().cloned());
            Ok(())
        }
        (old, value) if class(old) == Class::Single && class(value) == Class::Single => {
            *old = value.clone();
            target.at = new.at;
            Ok(())
        }
        // Left empty on purpose: nothing to merge (`components:` in a skeleton of the document).
        (_, Value::Null) => Ok(()),
        _ => {
            let what = key.map_or("the target".to_owned(), |key| format!("`{key}`"));
            let message =
                format!("{what} is {}, and {} cannot be merged into it", target.kind(), new.kind());
            Err(Conflict { at: Some(new.at), message })
        }
    }
}
