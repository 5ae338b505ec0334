//! The API with every reference, inheritance and default settled. Whoever holds an [`Operation`]
//! holds all of it; only schemas are shared, as ids into [`Api::schemas`], so that recursive ones
//! are possible.

pub mod argument_names;
mod deed;
mod header;
pub mod json_schema;
mod media_type;
mod operation;
pub mod prose;
mod schema;
mod security;
mod server;
pub mod wire_schema;

pub use deed::{ends, takes_away};
pub use header::{Filled, Upkeep, is_owned_header};
pub use media_type::MediaForm;
pub use operation::{
    Body, Content, Encoding, Hints, Location, Method, Operation, OperationKey, Parameter, Response,
    Style, split_path,
};
pub use schema::{Additional, Bound, Discriminator, Schema, SchemaId, Types, VariantKind};
pub use security::{
    ApiKeyPlace, Requirement, SchemeKind, SecurityScheme, is_authorization, is_cookies,
};
pub use server::{BaseUrl, Server, ServerVariable, first_base_url};

use indexmap::IndexMap;

/// A whole API.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Api {
    /// `info.title`, as written; may be empty.
    pub title: String,
    /// `info.version`, as written; may be empty.
    pub version: String,
    /// `info.description` or else `info.summary`.
    pub description: Option<String>,
    /// Root servers. Empty when the document names none.
    pub servers: Vec<Server>,
    /// Declared tags in their order, then used but undeclared ones in order of use.
    pub tags: Vec<Tag>,
    /// Every operation, in the order of the document.
    pub operations: Vec<Operation>,
    /// All schemas; [`SchemaId`] is an index into this list.
    pub schemas: Vec<Schema>,
    /// Security schemes by the name that requirements use.
    pub schemes: IndexMap<String, SecurityScheme>,
    /// The index of the document among those that were read.
    pub root: u32,
}

/// OpenAPI "Tag Object".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tag {
    /// The name.
    pub name: String,
    /// What it is about.
    pub description: Option<String>,
    /// The tag above it (OpenAPI 3.2 `parent`).
    pub parent: Option<String>,
    /// What `x-mcp` says for its operations.
    pub hints: Hints,
}

impl Api {
    /// The schema with this id.
    pub fn schema(&self, id: SchemaId) -> &Schema {
        &self.schemas[id.0 as usize]
    }
}
