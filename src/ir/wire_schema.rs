//! Schemas of values as they go over the wire: what the server holds arguments against before it
//! sends anything. A closed dialect: `type`, `enum`, the bounds, `properties`, `required`,
//! `additionalProperties`, `patternProperties`, `items`, `prefixItems`, `anyOf`, `oneOf`, `format`,
//! `contentEncoding`, `contentMediaType`, `$ref` to `#/shared/NAME`, and `x-argument`: the name that a
//! property has on the side of the model, where it is another one.

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::argument_names::argument_names;
use super::{Additional, Api, Bound, Schema, SchemaId, Types, VariantKind};
use crate::source::{Node, Number};

/// How many schemas may stand in one another before the inner one is shared.
const DEPTH: usize = 24;

/// What a value of schema `id` must be on the wire. Named schemas, and those that are reached by
/// a reference, are written once, to `shared`, so that the whole stays linear in the document.
pub fn wire_schema(api: &Api, id: SchemaId, shared: &mut IndexMap<String, Value>) -> Value {
    let mut writer = Writer { api, shared, waiting: Vec::new() };
    let value = writer.place(id, None, 0);
    // Shared schemas are written one after the other: their nesting never becomes ours.
    while let Some((key, id)) = writer.waiting.pop() {
        let value = writer.whole(id, 0);
        writer.shared.insert(key, value);
    }
    value
}

struct Writer<'a> {
    api: &'a Api,
    shared: &'a mut IndexMap<String, Value>,
    waiting: Vec<(String, SchemaId)>,
}

impl Writer<'_> {
    /// The schema where it is used: by reference, or whole.
    fn place(&mut self, id: SchemaId, parent: Option<&Schema>, depth: usize) -> Value {
        let schema = self.api.schema(id);
        let key = shared_name(self.api, schema, id);
        let named = !key.starts_with(':') && !key.contains(':');
        let plain = is_plain(schema);
        let inside = parent.is_none_or(|p| is_below(schema, p));
        if plain || (inside && !named && depth < DEPTH) {
            return self.whole(id, depth);
        }
        if !self.shared.contains_key(&key) {
            self.shared.insert(key.clone(), Value::Bool(true));
            self.waiting.push((key.clone(), id));
        }
        json!({ "$ref": format!("#/shared/{key}") })
    }

    fn whole(&mut self, id: SchemaId, depth: usize) -> Value {
        let schema = self.api.schema(id);
        if schema.never {
            return json!({ "enum": [] });
        }
        let mut out = Map::new();
        let mut put = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                out.insert(key.to_owned(), value);
            }
        };
        put("type", types(schema.types));
        put("enum", schema.values.as_ref().map(|v| v.iter().map(exact).collect()));
        bound(&mut put, schema.minimum.as_ref(), "minimum", "exclusiveMinimum");
        bound(&mut put, schema.maximum.as_ref(), "maximum", "exclusiveMaximum");
        put(
            "multipleOf",
            schema.multiple_of.as_ref().filter(|n| n.as_f64() > 0.0).and_then(number),
        );
        put("minLength", schema.min_length.map(Value::from));
        put("maxLength", schema.max_length.map(Value::from));
        put("minItems", schema.min_items.map(Value::from));
        put("maxItems", schema.max_items.map(Value::from));
        put("uniqueItems", schema.unique_items.then_some(Value::Bool(true)));
        put("minProperties", schema.min_properties.map(Value::from));
        put("maxProperties", schema.max_properties.map(Value::from));
        put("format", schema.format.clone().map(Value::from));
        put("contentEncoding", schema.content_encoding.clone().map(Value::from));
        put("contentMediaType", schema.content_media_type.clone().map(Value::from));
        self.members(&mut out, schema, depth);
        if let Some(items) = schema.items {
            out.insert("items".to_owned(), self.place(items, Some(schema), depth + 1));
        }
        if !schema.prefix_items.is_empty() {
            let parts: Vec<Value> = schema
                .prefix_items
                .iter()
                .map(|i| self.place(*i, Some(schema), depth + 1))
                .collect();
            out.insert("prefixItems".to_owned(), Value::Array(parts));
        }
        if !schema.variants.is_empty() {
            let mut variants: Vec<Value> =
                schema.variants.iter().map(|i| self.place(*i, Some(schema), depth + 1)).collect();
            if schema.types.null {
                variants.push(json!({ "type": "null" }));
            }
            // A variant may let `null` in as well; "exactly one" would then refuse it.
            let key = match schema.variant_kind {
                VariantKind::OneOf if !schema.types.null => "oneOf",
                VariantKind::OneOf | VariantKind::AnyOf => "anyOf",
            };
            out.insert(key.to_owned(), Value::Array(variants));
        }
        Value::Object(out)
    }

    fn members(&mut self, out: &mut Map<String, Value>, schema: &Schema, depth: usize) {
        let keys: Vec<&str> = schema.properties.keys().map(String::as_str).collect();
        let sent: Vec<&str> = keys
            .into_iter()
            .filter(|k| !self.api.schema(schema.properties[*k]).read_only)
            .collect();
        let names = argument_names(&sent);
        let mut properties = Map::new();
        for (key, name) in sent.iter().zip(names) {
            let mut value = self.place(schema.properties[*key], Some(schema), depth + 1);
            if let Value::Object(map) = &mut value
                && name != *key
            {
                map.insert("x-argument".to_owned(), Value::from(name));
            }
            properties.insert((*key).to_owned(), value);
        }
        if !properties.is_empty() {
            out.insert("properties".to_owned(), Value::Object(properties));
        }
        let read_only =
            |k: &str| schema.properties.get(k).is_some_and(|id| self.api.schema(*id).read_only);
        let required: Vec<&str> =
            schema.required.iter().map(String::as_str).filter(|k| !read_only(k)).collect();
        if !required.is_empty() {
            out.insert("required".to_owned(), json!(required));
        }
        let other = match schema.additional {
            Additional::Unsaid => None,
            Additional::Any => Some(Value::Bool(true)),
            Additional::Forbidden => Some(Value::Bool(false)),
            Additional::Schema(id) => Some(self.place(id, Some(schema), depth + 1)),
        };
        if let Some(other) = other {
            out.insert("additionalProperties".to_owned(), other);
        }
        if !schema.pattern_properties.is_empty() {
            let patterns: Map<String, Value> = schema
                .pattern_properties
                .iter()
                .map(|(k, id)| (k.clone(), self.place(*id, Some(schema), depth + 1)))
                .collect();
            out.insert("patternProperties".to_owned(), Value::Object(patterns));
        }
    }
}

/// Schemas that take no more room than a reference to them.
fn is_plain(schema: &Schema) -> bool {
    schema.values.as_ref().is_none_or(|v| v.len() < 3)
        && schema.properties.is_empty()
        && schema.required.is_empty()
        && schema.pattern_properties.is_empty()
        && !matches!(schema.additional, Additional::Schema(_))
        && schema.items.is_none()
        && schema.prefix_items.is_empty()
        && schema.variants.is_empty()
}

/// Whether `schema` is written within `parent`, so that it is met once for each time `parent` is.
fn is_below(schema: &Schema, parent: &Schema) -> bool {
    schema.at.file == parent.at.file
        && schema
            .pointer
            .as_str()
            .strip_prefix(parent.pointer.as_str())
            .is_some_and(|rest| rest.starts_with('/'))
}

/// The name of a schema among the shared ones. The component of the root document has its own name;
/// others carry their number after a `:`, which no component's name keeps.
fn shared_name(api: &Api, schema: &Schema, id: SchemaId) -> String {
    let name = schema.name.as_deref().unwrap_or_default();
    let kept = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let clean: String = name.chars().map(|c| if kept(c) { c } else { '_' }).collect();
    let pointer = schema.pointer.as_str();
    let component = ["/components/schemas/", "/definitions/"]
        .iter()
        .any(|place| pointer.strip_prefix(place) == Some(name));
    if component && !name.is_empty() && schema.at.file == api.root && clean == name {
        clean
    } else {
        format!("{clean}:{}", id.0)
    }
}

fn types(types: Types) -> Option<Value> {
    let mut names = Vec::new();
    for (set, name) in [
        (types.string, "string"),
        (types.integer && !types.number, "integer"),
        (types.number, "number"),
        (types.boolean, "boolean"),
        (types.array, "array"),
        (types.object, "object"),
        (types.null, "null"),
    ] {
        if set {
            names.push(name);
        }
    }
    match names.as_slice() {
        [] => None,
        [one] => Some(Value::from(*one)),
        many => Some(json!(many)),
    }
}

fn bound(
    put: &mut impl FnMut(&str, Option<Value>),
    bound: Option<&Bound>,
    inclusive: &str,
    exclusive: &str,
) {
    if let Some(bound) = bound {
        put(if bound.exclusive { exclusive } else { inclusive }, number(&bound.value));
    }
}

/// Unicode guarantees that this is no character: before digits it marks a number that no machine
/// number holds. [`wire_text`] writes it as a number again, as the server reads it.
const MARK: char = '\u{fdd0}';

/// The longest number that a server keeps.
const LONGEST: usize = 1_000;

/// A number, exactly.
fn number(number: &Number) -> Option<Value> {
    if number.is_lossy() && number.0.len() <= LONGEST {
        return Some(Value::String(format!("{MARK}{number}")));
    }
    if !number.as_f64().is_finite() {
        return None;
    }
    serde_json::from_str(&number.0).ok().filter(Value::is_number)
}

/// A listed value, its numbers exactly.
fn exact(node: &Node) -> Value {
    use crate::source::Value as Written;
    match &node.value {
        Written::Number(n) => number(n).unwrap_or_default(),
        Written::Array(items) => items.iter().map(exact).collect(),
        Written::Object(map) => map.iter().map(|(k, v)| (k.clone(), exact(v))).collect(),
        Written::Null | Written::Bool(_) | Written::String(_) => node.to_json(),
    }
}

/// The JSON text of schemas made by [`wire_schema`], every number digit for digit.
pub fn wire_text(schema: &Value) -> String {
    let text = schema.to_string();
    let mut out = String::with_capacity(text.len());
    let start = format!("\"{MARK}");
    let mut parts = text.split(&start);
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        // A quote inside a text has a backslash before it, and a key has a colon behind it.
        let number = part.split_once('"').filter(|(digits, rest)| {
            !digits.is_empty()
                && !rest.starts_with(':')
                && digits.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b))
                && !out.ends_with('\\')
        });
        if let Some((digits, rest)) = number {
            out.push_str(digits);
            out.push_str(rest);
        } else {
            out.push_str(&start);
            out.push_str(part);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Pointer;

    fn object(api: &mut Api, name: &str, fields: &[(&str, SchemaId)]) -> SchemaId {
        let id = SchemaId(u32::try_from(api.schemas.len()).unwrap());
        api.schemas.push(Schema {
            name: (!name.is_empty()).then(|| name.to_owned()),
            types: Types { object: true, ..Types::default() },
            properties: fields.iter().map(|(k, id)| ((*k).to_owned(), *id)).collect(),
            pointer: Pointer::parse(&format!("/components/schemas/{name}")).unwrap(),
            ..Schema::default()
        });
        id
    }

    fn check(api: &Api, id: SchemaId, expected: &Value, shared: &Value) {
        let mut map = IndexMap::new();
        assert_eq!(wire_schema(api, id, &mut map), *expected);
        assert_eq!(json!(map), *shared);
    }

    #[test]
    fn a_recursive_schema_is_shared_and_read_only_fields_are_not_sent() {
        let mut api = Api::default();
        api.schemas.push(Schema {
            types: Types { string: true, ..Types::default() },
            read_only: true,
            ..Schema::default()
        });
        let node = object(&mut api, "Node", &[("id", SchemaId(0)), ("x-next", SchemaId(1))]);
        api.schemas[1].required = ["id".to_owned(), "x-next".to_owned()].into_iter().collect();
        check(
            &api,
            node,
            &json!({"$ref": "#/shared/Node"}),
            &json!({"Node": {
                "type": "object",
                "properties": {"x-next": {"$ref": "#/shared/Node", "x-argument": "x_next"}},
                "required": ["x-next"],
            }}),
        );
    }

    #[test]
    fn numbers_beyond_64_bits_keep_their_digits() {
        let mut api = Api::default();
        let big = |text: &str| Number(text.to_owned());
        api.schemas.push(Schema {
            values: Some(vec![
                Node::made(crate::source::Value::Number(big("18446744073709551617"))),
                Node::made(crate::source::Value::Number(big("1e400"))),
                Node::made(crate::source::Value::String("a\"b".to_owned())),
            ]),
            minimum: Some(Bound {
                value: big("-170141183460469231731687303715884105728"),
                exclusive: false,
            }),
            maximum: Some(Bound { value: big("18446744073709551615"), exclusive: true }),
            multiple_of: Some(big("0.1000000000000000055511151231257827")),
            ..Schema::default()
        });
        let mut shared = IndexMap::new();
        let schema = wire_schema(&api, SchemaId(0), &mut shared);
        let shared = shared.into_iter().next().map_or(schema, |(_, schema)| schema);
        assert_eq!(
            wire_text(&shared),
            r#"{"enum":[18446744073709551617,1e400,"a\"b"],"minimum":-170141183460469231731687303715884105728,"exclusiveMaximum":18446744073709551615,"multipleOf":0.1000000000000000055511151231257827}"#
        );
    }

    #[test]
    fn schemas_that_double_at_each_level_stay_linear() {
        let mut api = Api::default();
        let mut last = object(&mut api, "", &[]);
        for _ in 0..200 {
            last = object(&mut api, "", &[("a", last), ("b", last)]);
        }
        let mut shared = IndexMap::new();
        wire_schema(&api, last, &mut shared);
        assert!(json!(shared).to_string().len() < 40_000);
    }
}
