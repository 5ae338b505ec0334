//! Schemas that some client does not take as they are.

use serde_json::Value as Json;

/// A trait of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Taste {
    /// An array that does not say what its items are.
    ArrayWithoutItems,
    /// An object that does not say what its members are.
    ObjectWithoutProperties,
    /// No `type`.
    Untyped,
    /// Several types in a list.
    TypeList,
    /// `items` as a list.
    TupleItems,
    /// `enum` with values that are no texts.
    EnumOfOtherThanTexts,
    /// `enum` without values, or with an empty one.
    EmptyEnum,
    /// `const`.
    Const,
    /// `required` names what `properties` lacks.
    RequiredUnknown,
    /// `$ref`.
    Reference,
    /// `exclusiveMinimum` or `exclusiveMaximum`.
    ExclusiveBounds,
    /// A pattern that looks ahead or behind.
    Lookaround,
    /// `anyOf`, `oneOf` or `allOf` at the root.
    RootCombination,
    /// A description inside a schema of more than 1,024 characters.
    NestedTextOver1024,
    /// A keyword that VS Code removes for models of the gpt-4 family.
    StrippedForGpt4,
    /// A keyword that Codex does not keep.
    BeyondCodex,
}

impl Taste {
    /// What the schema has.
    pub fn words(self) -> &'static str {
        match self {
            Self::ArrayWithoutItems => "an array without `items`",
            Self::ObjectWithoutProperties => "an object without `properties`",
            Self::Untyped => "no `type`",
            Self::TypeList => "a list of types",
            Self::TupleItems => "a list of `items`",
            Self::EnumOfOtherThanTexts => "an `enum` of other than texts",
            Self::EmptyEnum => "an `enum` that is empty or has an empty value",
            Self::Const => "`const`",
            Self::RequiredUnknown => "a required name that `properties` lacks",
            Self::Reference => "`$ref`",
            Self::ExclusiveBounds => "`exclusiveMinimum` or `exclusiveMaximum`",
            Self::Lookaround => "a pattern that looks around",
            Self::RootCombination => "`anyOf`, `oneOf` or `allOf` at the root",
            Self::NestedTextOver1024 => {
                "a description of more than 1,024 characters (for models of the gpt-4 family)"
            }
            Self::StrippedForGpt4 => "bounds or a default (for models of the gpt-4 family)",
            Self::BeyondCodex => "keywords other than types, texts, values and members",
        }
    }

    fn has(self, schema: &Json, root: bool) -> bool {
        let Some(map) = schema.as_object() else { return false };
        let kind = schema["type"].as_str().unwrap_or_default();
        let any = |keys: &[&str]| keys.iter().any(|k| map.contains_key(*k));
        match self {
            Self::ArrayWithoutItems => kind == "array" && !map.contains_key("items"),
            Self::ObjectWithoutProperties => kind == "object" && !map.contains_key("properties"),
            Self::Untyped => !any(&["type", "$ref", "anyOf", "oneOf", "allOf"]),
            Self::TypeList => schema["type"].is_array(),
            Self::TupleItems => schema["items"].is_array(),
            Self::EnumOfOtherThanTexts => {
                schema["enum"].as_array().is_some_and(|v| v.iter().any(|v| !v.is_string()))
            }
            Self::EmptyEnum => {
                schema["enum"].as_array().is_some_and(|v| v.is_empty() || v.iter().any(|v| v == ""))
            }
            Self::Const => map.contains_key("const"),
            Self::RequiredUnknown => schema["required"].as_array().is_some_and(|names| {
                names.iter().filter_map(Json::as_str).any(|n| schema["properties"].get(n).is_none())
            }),
            Self::Reference => map.contains_key("$ref"),
            Self::ExclusiveBounds => any(&["exclusiveMinimum", "exclusiveMaximum"]),
            Self::Lookaround => schema["pattern"]
                .as_str()
                .is_some_and(|p| ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|l| p.contains(l))),
            Self::RootCombination => root && any(&["anyOf", "oneOf", "allOf"]),
            Self::NestedTextOver1024 => {
                schema["description"].as_str().is_some_and(|d| d.chars().count() > 1_024)
            }
            Self::StrippedForGpt4 => any(STRIPPED_FOR_GPT_4),
            Self::BeyondCodex => map.keys().any(|k| !KEPT_BY_CODEX.contains(&k.as_str())),
        }
    }
}

const STRIPPED_FOR_GPT_4: &[&str] = &[
    "minLength",
    "maxLength",
    "pattern",
    "default",
    "format",
    "minimum",
    "maximum",
    "multipleOf",
    "patternProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "contains",
    "minContains",
    "maxContains",
    "minItems",
    "maxItems",
    "uniqueItems",
];

const KEPT_BY_CODEX: &[&str] = &[
    "type",
    "description",
    "enum",
    "items",
    "properties",
    "required",
    "additionalProperties",
    "anyOf",
];

/// Deeper than any rule asks about.
const DEEPEST: usize = 64;

/// The places of `schema`, dotted, that have `taste`; the root is empty.
pub fn places(taste: Taste, schema: &Json) -> Vec<String> {
    let mut out = Vec::new();
    walk(schema, "", 0, &mut |path, schema, root| {
        if taste.has(schema, root) {
            out.push(path.to_owned());
        }
    });
    out
}

/// The names of arguments: those at the top, and with `deep` those of members too.
pub fn names(schema: &Json, deep: bool) -> Vec<String> {
    let mut out = Vec::new();
    walk(schema, "", 0, &mut |_, schema, root| {
        if root || deep {
            out.extend(
                schema["properties"].as_object().into_iter().flatten().map(|(k, _)| k.clone()),
            );
        }
    });
    out
}

fn walk(schema: &Json, path: &str, level: usize, see: &mut impl FnMut(&str, &Json, bool)) {
    if level > DEEPEST {
        return;
    }
    see(path, schema, level == 0);
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        walk(member, &path, level + 1, see);
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        for option in schema[key].as_array().into_iter().flatten() {
            walk(option, path, level + 1, see);
        }
    }
    match schema.get("items") {
        Some(Json::Array(list)) => {
            for item in list {
                walk(item, &format!("{path}[]"), level + 1, see);
            }
        }
        Some(items) => walk(items, &format!("{path}[]"), level + 1, see),
        None => {}
    }
}
