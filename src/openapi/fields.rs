//! Fields that have no meaning where they stand: a typing error would drop what stands below.

use super::detect::Version;
use super::lower::{Lowerer, Spot};
use crate::diagnostic::{nearest, reading};

/// An object whose fields are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Root,
    Components,
    Operation,
    Parameter,
    Body,
    Media,
    Response,
}

impl Known {
    fn name(self) -> &'static str {
        match self {
            Self::Root => "the document",
            Self::Components => "`components`",
            Self::Operation => "an operation",
            Self::Parameter => "a parameter",
            Self::Body => "a request body",
            Self::Media => "a media type",
            Self::Response => "a response",
        }
    }

    fn fields(self, version: Version) -> &'static [&'static str] {
        let swagger = version == Version::V2;
        match self {
            Self::Root if swagger => &[
                "swagger",
                "info",
                "host",
                "basePath",
                "schemes",
                "consumes",
                "produces",
                "paths",
                "definitions",
                "parameters",
                "responses",
                "securityDefinitions",
                "security",
                "tags",
                "externalDocs",
            ],
            Self::Root => &[
                "openapi",
                "$self",
                "info",
                "jsonSchemaDialect",
                "servers",
                "paths",
                "webhooks",
                "components",
                "security",
                "tags",
                "externalDocs",
            ],
            Self::Components => &[
                "schemas",
                "responses",
                "parameters",
                "examples",
                "requestBodies",
                "headers",
                "securitySchemes",
                "links",
                "callbacks",
                "pathItems",
                "mediaTypes",
            ],
            Self::Operation if swagger => &[
                "tags",
                "summary",
                "description",
                "externalDocs",
                "operationId",
                "consumes",
                "produces",
                "parameters",
                "responses",
                "schemes",
                "deprecated",
                "security",
            ],
            Self::Operation => &[
                "tags",
                "summary",
                "description",
                "externalDocs",
                "operationId",
                "parameters",
                "requestBody",
                "responses",
                "callbacks",
                "deprecated",
                "security",
                "servers",
            ],
            // Those of Swagger 2.0 are schemas in part, and are looked at as such.
            Self::Parameter => &[
                "name",
                "in",
                "description",
                "required",
                "deprecated",
                "allowEmptyValue",
                "style",
                "explode",
                "allowReserved",
                "schema",
                "content",
                "example",
                "examples",
            ],
            Self::Body => &["description", "content", "required"],
            Self::Media => &["schema", "itemSchema", "example", "examples", "encoding"],
            Self::Response if swagger => &["description", "schema", "headers", "examples"],
            Self::Response => &["summary", "description", "headers", "content", "links"],
        }
    }
}

impl<'a> Lowerer<'a, '_> {
    /// Reports fields of `spot` that have no meaning, each word once for each kind of object.
    pub(super) fn known_fields(&mut self, spot: &Spot<'a>, object: Known) {
        let Some(map) = spot.node.as_object() else { return };
        let known = object.fields(self.version);
        for (key, node) in map {
            let fine = known.contains(&key.as_str()) || key.starts_with("x-") || key == "$ref";
            if fine || !self.said.insert(format!("field {object:?} {key}")) {
                continue;
            }
            let message = format!("`{key}` is no field of {} and has no effect", object.name());
            let near = nearest(key, known).map(|near| format!("did you mean `{near}`?"));
            let finding = self.report(&reading::UNKNOWN_FIELD, &spot.child(key, node), message);
            if let Some(near) = near {
                finding.help(near);
            }
        }
    }
}
