//! Operations and what they take and give.

use std::fmt;

use indexmap::IndexMap;

use super::security::Requirement;
use super::{Api, SchemaId, Server};
use crate::source::{At, Node, Pointer, Value};

/// An HTTP method.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {
    /// GET
    Get,
    /// PUT
    Put,
    /// POST
    Post,
    /// DELETE
    Delete,
    /// OPTIONS
    Options,
    /// HEAD
    Head,
    /// PATCH
    Patch,
    /// TRACE
    Trace,
    /// QUERY (OpenAPI 3.2)
    Query,
    /// Any other (OpenAPI 3.2 `additionalOperations`), an RFC 9110 token as written.
    Other(String),
}

impl Method {
    /// As it goes over the wire.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Get => "GET",
            Self::Put => "PUT",
            Self::Post => "POST",
            Self::Delete => "DELETE",
            Self::Options => "OPTIONS",
            Self::Head => "HEAD",
            Self::Patch => "PATCH",
            Self::Trace => "TRACE",
            Self::Query => "QUERY",
            Self::Other(name) => name,
        }
    }
}

/// Method and path template: what identifies an operation in its document.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OperationKey {
    /// The method.
    pub method: Method,
    /// The path template as written: `/pets/{petId}`.
    pub path: String,
}

/// The path of a template and its query, which documents use to tell operations apart: `/a?x=1#y`
/// is `/a` and `x=1`. A fragment is not sent. Names in braces may hold anything.
#[must_use]
pub fn split_path(template: &str) -> (&str, &str) {
    let mut inside = false;
    let mut query = None;
    let mut end = template.len();
    for (at, c) in template.char_indices() {
        match c {
            '{' => inside = true,
            '}' => inside = false,
            '?' if !inside && query.is_none() => query = Some(at),
            '#' if !inside => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    match query {
        Some(at) => (&template[..at], &template[at + 1..end]),
        None => (&template[..end], ""),
    }
}

/// `GET /pets/{petId}`
impl fmt::Display for OperationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method.as_str(), self.path)
    }
}

/// One operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// Method and path.
    pub key: OperationKey,
    /// `operationId`, as written.
    pub id: Option<String>,
    /// `summary`, or that of its path item.
    pub summary: Option<String>,
    /// `description`, or that of its path item.
    pub description: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// `deprecated`.
    pub deprecated: bool,
    /// Path-level and own parameters; own ones win. Reserved headers are left out with a finding.
    pub parameters: Vec<Parameter>,
    /// The request body, if any.
    pub body: Option<Body>,
    /// The responses, in the order of the document.
    pub responses: Vec<Response>,
    /// Alternatives (OR) of schemes needed together (AND). Empty: no credential is ever sent.
    /// An empty requirement within the list means that going without is allowed.
    pub security: Vec<Requirement>,
    /// Servers of the operation or its path item; empty means the API's.
    pub servers: Vec<Server>,
    /// What `x-mcp` says.
    pub hints: Hints,
    /// Its place.
    pub at: At,
    /// Its JSON Pointer in the root document's terms.
    pub pointer: Pointer,
}

/// What the `x-mcp` extension says of an operation, path, tag, or parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// Name of the tool (or action).
    pub name: Option<String>,
    /// Title of the tool.
    pub title: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Leave it out.
    pub skip: bool,
    /// Group it with others of this name.
    pub group: Option<String>,
    /// `primary`, `secondary` or `catalog`.
    pub posture: Option<String>,
    /// It is an argument, although its name is that of a credential. Of a parameter.
    pub argument: bool,
}

/// Where a parameter goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Location {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In a header.
    Header,
    /// In the cookie header.
    Cookie,
    /// The whole query string (OpenAPI 3.2 `querystring`).
    QueryString,
}

impl Location {
    /// The name of a parameter here as requests know it: names of headers are the same in any case
    /// (RFC 9110 section 5.1).
    #[must_use]
    pub fn folded(self, name: &str) -> String {
        match self {
            Self::Header => name.to_ascii_lowercase(),
            Self::Path | Self::Query | Self::Cookie | Self::QueryString => name.to_owned(),
        }
    }
}

/// How a value becomes text (OpenAPI "Style Values").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Style {
    /// `;color=blue`
    Matrix,
    /// `.blue`
    Label,
    /// `blue,black`
    Simple,
    /// `color=blue&color=black`
    Form,
    /// `color=blue%20black`
    SpaceDelimited,
    /// `color=blue%7Cblack`
    PipeDelimited,
    /// `color=blue%09black` (Swagger 2.0 `collectionFormat: tsv`)
    TabDelimited,
    /// `color[R]=100`
    DeepObject,
    /// `color=blue; color=black` (OpenAPI 3.2)
    Cookie,
}

/// One parameter.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one flag for each word of the specification")]
pub struct Parameter {
    /// Name on the wire.
    pub name: String,
    /// Where it goes.
    pub location: Location,
    /// Whether it must be given; always true for path parameters.
    pub required: bool,
    /// `deprecated`.
    pub deprecated: bool,
    /// What it is.
    pub description: Option<String>,
    /// Its schema; an unconstrained one when the document gives none.
    pub schema: SchemaId,
    /// How it is written.
    pub style: Style,
    /// Whether lists and objects are spread.
    pub explode: bool,
    /// `allowReserved`.
    pub allow_reserved: bool,
    /// `allowEmptyValue`.
    pub allow_empty: bool,
    /// The media type when the parameter uses `content`.
    pub media_type: Option<String>,
    /// An example, if the document gives one.
    pub example: Option<Node>,
    /// Name for the argument from `x-mcp: {name: …}`.
    pub hint_name: Option<String>,
    /// `x-mcp: {argument: true}`: it is no credential, whatever its name.
    pub argument: bool,
    /// Its place.
    pub at: At,
    /// Its JSON Pointer.
    pub pointer: Pointer,
}

impl Parameter {
    /// The one value that a required parameter outside of the path can have.
    #[must_use]
    pub fn only_value<'a>(&self, api: &'a Api) -> Option<&'a Node> {
        let needed = self.required && self.location != Location::Path;
        match api.schema(self.schema).values.as_deref() {
            Some([only]) if needed && only.value != Value::Null => Some(only),
            _ => None,
        }
    }
}

/// A request body.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Whether it must be sent.
    pub required: bool,
    /// What it is.
    pub description: Option<String>,
    /// Its media types in the order of the document; at least one.
    pub contents: Vec<Content>,
}

/// One media type of a body or response.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    /// The media type as written; may have parameters or be a range.
    pub media_type: String,
    /// Its schema, if any.
    pub schema: Option<SchemaId>,
    /// OpenAPI "Encoding Object" by property.
    pub encoding: IndexMap<String, Encoding>,
    /// An example, if the document gives one.
    pub example: Option<Node>,
}

/// How one property of a form or multipart body is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// `contentType`.
    pub content_type: Option<String>,
    /// `style`, where given.
    pub style: Option<Style>,
    /// `explode`, where given.
    pub explode: Option<bool>,
    /// `allowReserved`.
    pub allow_reserved: bool,
}

/// One response.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// `200`, `2XX` or `default`.
    pub status: String,
    /// What it means.
    pub description: Option<String>,
    /// Its media types.
    pub contents: Vec<Content>,
    /// Names of its declared headers.
    pub headers: Vec<String>,
}
