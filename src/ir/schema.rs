//! Schemas, normalised up to JSON Schema 2020-12, with references settled and `allOf` merged.

use indexmap::{IndexMap, IndexSet};

use crate::source::{At, Node, Number, Pointer};

/// Index of a schema in [`super::Api::schemas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SchemaId(pub u32);

/// The set of JSON types that a schema allows. An empty set means: any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "one flag for each JSON type")]
pub struct Types {
    /// `null`
    pub null: bool,
    /// `boolean`
    pub boolean: bool,
    /// `integer`
    pub integer: bool,
    /// `number`
    pub number: bool,
    /// `string`
    pub string: bool,
    /// `array`
    pub array: bool,
    /// `object`
    pub object: bool,
}

impl Types {
    /// Whether a string is all that is taken, null aside.
    #[must_use]
    pub fn is_only_string(self) -> bool {
        self.string && Self { null: false, ..self } == Self { string: true, ..Self::default() }
    }
}

/// One schema.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one flag for each keyword")]
pub struct Schema {
    /// Name under `components/schemas` (or `definitions`), where it has one.
    pub name: Option<String>,
    /// `title`.
    pub title: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// Allowed types; inferred from other keywords where the document gives none.
    pub types: Types,
    /// `format`.
    pub format: Option<String>,
    /// `pattern`.
    pub pattern: Option<String>,
    /// `enum`, or the one value of `const`. `None`: any value. `null` is kept when it is listed.
    pub values: Option<Vec<Node>>,
    /// `default`.
    pub default: Option<Node>,
    /// `examples` and `example`.
    pub examples: Vec<Node>,
    /// `minimum` or `exclusiveMinimum`.
    pub minimum: Option<Bound>,
    /// `maximum` or `exclusiveMaximum`.
    pub maximum: Option<Bound>,
    /// `multipleOf`.
    pub multiple_of: Option<Number>,
    /// `minLength`.
    pub min_length: Option<u64>,
    /// `maxLength`.
    pub max_length: Option<u64>,
    /// `minItems`.
    pub min_items: Option<u64>,
    /// `maxItems`.
    pub max_items: Option<u64>,
    /// `uniqueItems`.
    pub unique_items: bool,
    /// `minProperties`.
    pub min_properties: Option<u64>,
    /// `maxProperties`.
    pub max_properties: Option<u64>,
    /// `properties`, those of all `allOf` members included.
    pub properties: IndexMap<String, SchemaId>,
    /// `required`, those of all `allOf` members included; may name undeclared properties.
    pub required: IndexSet<String>,
    /// What other members may be: `additionalProperties` or `unevaluatedProperties`.
    pub additional: Additional,
    /// `patternProperties`.
    pub pattern_properties: IndexMap<String, SchemaId>,
    /// `items`.
    pub items: Option<SchemaId>,
    /// `prefixItems`.
    pub prefix_items: Vec<SchemaId>,
    /// `oneOf` or `anyOf`: the value fits the rest of this schema and (one of) these. A `null`
    /// variant is folded into [`Schema::types`], a single remaining variant is merged in.
    pub variants: Vec<SchemaId>,
    /// Which of the two keywords the variants come from.
    pub variant_kind: VariantKind,
    /// `discriminator`.
    pub discriminator: Option<Discriminator>,
    /// `readOnly`: only in responses.
    pub read_only: bool,
    /// `writeOnly`: only in requests.
    pub write_only: bool,
    /// `deprecated`.
    pub deprecated: bool,
    /// `contentMediaType`.
    pub content_media_type: Option<String>,
    /// `contentEncoding`.
    pub content_encoding: Option<String>,
    /// The boolean schema `false`: nothing is allowed.
    pub never: bool,
    /// Keywords that say more than this type can (`not`, `if`, `contains` …), as written.
    pub other: IndexMap<String, Node>,
    /// Its place.
    pub at: At,
    /// Its JSON Pointer.
    pub pointer: Pointer,
}

/// `minimum` and its kin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The bound, exact.
    pub value: Number,
    /// Whether the bound itself is excluded.
    pub exclusive: bool,
}

/// What members an object may have besides its properties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Additional {
    /// The document does not say; any.
    #[default]
    Unsaid,
    /// `true`, or a schema that allows anything.
    Any,
    /// `false`.
    Forbidden,
    /// Values of this schema: a map.
    Schema(SchemaId),
}

/// How many variants a value must fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VariantKind {
    /// Exactly one.
    #[default]
    OneOf,
    /// At least one.
    AnyOf,
}

/// OpenAPI "Discriminator Object".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Discriminator {
    /// The property that tells variants apart.
    pub property: String,
    /// Its value for each variant, in the order of the variants where known.
    pub mapping: IndexMap<String, SchemaId>,
}
