//! Listed values and defaults that are of another type than the schema says.

use super::arena::Lowered;
use super::lower::{Lowerer, Spot};
use crate::diagnostic::reading;
use crate::ir::Types;
use crate::source::scalar;
use crate::source::{Node, Value};

impl<'a> Lowerer<'a, '_> {
    /// Converts values that were written without quotes, or with needless ones: otherwise no value
    /// could ever be right.
    pub(super) fn convert_values(&mut self, spot: &Spot<'a>, lowered: &mut Lowered<'a>) {
        let types = lowered.schema.types;
        if !lowered.declared {
            return;
        }
        let key = if spot.node.get("enum").is_some() { "enum" } else { "const" };
        let mut odd = Vec::new();
        for value in lowered.schema.values.iter_mut().flatten() {
            if let Some(new) = converted(value, types) {
                odd.push((value.to_json_text(), new.clone()));
                value.value = new;
            }
        }
        self.report_converted(spot, key, &odd);
        self.settle_values(spot, key, lowered);
        let Some(default) = &mut lowered.schema.default else { return };
        let types = lowered.schema.types;
        if let Some(new) = converted(default, types) {
            let odd = (default.to_json_text(), new.clone());
            default.value = new;
            self.report_converted(spot, "default", &[odd]);
        } else if default.value != Value::Null && !fits(default, types) {
            let text = shown(&default.to_json_text());
            let place = spot.get("default").unwrap_or_else(|| spot.clone());
            let message =
                format!("`default` is {text}, which is not of the schema's type; it is left out");
            self.report(&reading::VALUE_OF_OTHER_TYPE, &place, message);
            lowered.schema.default = None;
        }
    }

    fn report_converted(&mut self, spot: &Spot<'a>, key: &str, odd: &[(String, Value)]) {
        let Some((old, new)) = odd.first() else { return };
        let place = spot.get(key).unwrap_or_else(|| spot.clone());
        let (old, new) = (shown(old), shown(&Node::made(new.clone()).to_json_text()));
        let more = match odd.len() {
            1 => ", which is".to_owned(),
            count => format!(" and {} more, which are", count - 1),
        };
        let message = format!("`{key}` has {old}{more} not of the schema's type; taken as {new}");
        self.report(&reading::VALUE_OF_OTHER_TYPE, &place, message);
    }

    /// Listed values that the type forbids are left out. Where it forbids all, the type is the one
    /// that is wrong.
    fn settle_values(&mut self, spot: &Spot<'a>, key: &str, lowered: &mut Lowered<'a>) {
        let types = lowered.schema.types;
        let Some(values) = &mut lowered.schema.values else { return };
        let (fit, other): (Vec<Node>, Vec<Node>) =
            values.iter().cloned().partition(|value| fits(value, types));
        let Some(first) = other.first() else { return };
        let text = shown(&first.to_json_text());
        let place = spot.get(key).unwrap_or_else(|| spot.clone());
        let message = if fit.iter().all(|value| value.value == Value::Null) {
            lowered.schema.types = Types { null: types.null, ..Types::default() };
            lowered.declared = false;
            super::keyword::value_types(&mut lowered.schema.types, &other);
            format!("`{key}` has {text}, and no value of the schema's type; the values count")
        } else {
            *values = fit;
            let (more, left) = match other.len() {
                1 => (String::new(), "it is left out"),
                count => (format!(" and {} more", count - 1), "they are left out"),
            };
            format!("`{key}` has {text}{more}, which the schema's type forbids; {left}")
        };
        self.report(&reading::VALUE_OF_OTHER_TYPE, &place, message);
    }
}

/// A value in a message.
fn shown(text: &str) -> String {
    let start: String = text.chars().take(40).collect();
    let more = if start.len() < text.len() { "…" } else { "" };
    format!("`{start}{more}`")
}

/// Whether `node` is of one of `types`.
fn fits(node: &Node, types: Types) -> bool {
    types == Types::default()
        || match &node.value {
            Value::Null => types.null,
            Value::Bool(_) => types.boolean,
            Value::Number(n) => types.number || (types.integer && n.is_whole()),
            Value::String(_) => types.string,
            Value::Array(_) => types.array,
            Value::Object(_) => types.object,
        }
}

/// What `node` must be to have one of `types`, when it has none of them and that is clear.
fn converted(node: &Node, types: Types) -> Option<Value> {
    match &node.value {
        Value::Number(number) if only_text(types) => Some(Value::String(number.0.clone())),
        Value::Bool(b) if only_text(types) => Some(Value::String(b.to_string())),
        Value::String(text) if !types.string => match scalar::plain(without_zeros(text).into()) {
            Value::Number(n) if types.number || (types.integer && n.is_whole()) => {
                Some(Value::Number(n))
            }
            Value::Bool(b) if types.boolean => Some(Value::Bool(b)),
            _ => None,
        },
        _ => None,
    }
}

fn only_text(types: Types) -> bool {
    let rest = types.boolean || types.integer || types.number || types.array || types.object;
    types.string && !rest
}

/// `010` is ten to YAML 1.2, which the reader keeps as text since most documents mean a code.
fn without_zeros(text: &str) -> &str {
    let kept = text.trim_start_matches('0');
    if kept.starts_with(|c: char| c.is_ascii_digit()) { kept } else { text }
}
