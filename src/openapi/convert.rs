//! Listed values and defaults that are of another type than the schema says.

use super::arena::Lowered;
use super::lower::{Lowerer, Spot};
use crate::diagnostic::reading;
use crate::ir::{Schema, Types};
use crate::source::scalar;
use crate::source::{Node, Value};

impl<'a> Lowerer<'a, '_> {
    /// Takes values that are listed beside `items` as those of the entries: no list could ever be
    /// one of them.
    pub(super) fn move_values(&mut self, spot: &Spot<'a>, lowered: &mut Lowered<'a>) {
        let schema = &mut lowered.schema;
        let list = Types { array: true, ..Types::default() };
        if (Types { null: false, ..schema.types }) != list {
            return;
        }
        let Some(values) = &schema.values else { return };
        let entries: Vec<Node> =
            values.iter().filter(|v| v.value != Value::Null).cloned().collect();
        if entries.is_empty() || entries.iter().any(|v| matches!(v.value, Value::Array(_))) {
            return;
        }
        schema.values = None;
        let listed = self.made_schema(Schema { values: Some(entries), ..Schema::default() });
        let entry = match schema.items {
            Some(items) => self.merged_id(&[items, listed]),
            None => listed,
        };
        schema.items = Some(entry);
        let place = spot.get("enum").or_else(|| spot.get("const")).unwrap_or_else(|| spot.clone());
        self.report(
            &reading::VALUE_OF_OTHER_TYPE,
            &place,
            "`enum` of a list has values that are no lists; taken as those of its entries",
        );
    }

    /// Converts values that were written without quotes, or with needless ones: otherwise no value
    /// could ever be right.
    pub(super) fn convert_values(&mut self, spot: &Spot<'a>, lowered: &mut Lowered<'a>) {
        let types = lowered.schema.types;
        if !lowered.declared {
            return;
        }
        let mut odd = Vec::new();
        for value in lowered.schema.values.iter_mut().flatten() {
            if let Some(new) = converted(value, types) {
                odd.push(("enum", value.to_json_text(), new.clone()));
                value.value = new;
            }
        }
        if let Some(value) = &mut lowered.schema.default
            && let Some(new) = converted(value, types)
        {
            odd.push(("default", value.to_json_text(), new.clone()));
            value.value = new;
        }
        let Some((key, old, new)) = odd.into_iter().next() else { return };
        let place = spot.get(key).or_else(|| spot.get("const")).unwrap_or_else(|| spot.clone());
        let new = Node::made(new).to_json_text();
        self.report(
            &reading::VALUE_OF_OTHER_TYPE,
            &place,
            format!("`{key}` has `{old}`, which is not of the schema's type; taken as `{new}`"),
        );
    }
}

/// What `node` must be to have one of `types`, when it has none of them and that is clear.
fn converted(node: &Node, types: Types) -> Option<Value> {
    match &node.value {
        Value::Number(number) if only_text(types) => Some(Value::String(number.0.clone())),
        Value::Bool(b) if only_text(types) => Some(Value::String(b.to_string())),
        Value::String(text) if !types.string => match scalar::plain(text.as_str().into()) {
            Value::Number(n) if types.number || (types.integer && n.as_i64().is_some()) => {
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
