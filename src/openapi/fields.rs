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
    Encoding,
    Response,
    Info,
    Server,
    ServerVariable,
    Tag,
    SecurityScheme,
    Flows,
    Discriminator,
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
            Self::Encoding => "an encoding",
            Self::Response => "a response",
            Self::Info => "`info`",
            Self::Server => "a server",
            Self::ServerVariable => "a server variable",
            Self::Tag => "a tag",
            Self::SecurityScheme => "a security scheme",
            Self::Flows => "`flows`",
            Self::Discriminator => "a discriminator",
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
            Self::Response => &["summary", "description", "headers", "content"],
            Self::Encoding => &["contentType", "style", "explode", "allowReserved"],
            Self::Info => &[
                "title",
                "summary",
                "description",
                "termsOfService",
                "contact",
                "license",
                "version",
            ],
            Self::Server => &["url", "name", "description", "variables"],
            Self::ServerVariable => &["enum", "default", "description"],
            Self::Tag => &["name", "summary", "description", "externalDocs", "parent", "kind"],
            Self::SecurityScheme if swagger => &[
                "type",
                "description",
                "name",
                "in",
                "flow",
                "authorizationUrl",
                "tokenUrl",
                "scopes",
            ],
            Self::SecurityScheme => &[
                "type",
                "description",
                "name",
                "in",
                "scheme",
                "bearerFormat",
                "flows",
                "openIdConnectUrl",
                "deprecated",
            ],
            Self::Flows => &[
                "implicit",
                "password",
                "clientCredentials",
                "authorizationCode",
                "deviceAuthorization",
            ],
            Self::Discriminator => &["propertyName", "mapping"],
        }
    }

    /// Fields of the specification that change nothing here, and what happens instead.
    fn idle(self, version: Version) -> &'static [(&'static str, &'static str)] {
        if version == Version::V2 {
            return &[];
        }
        match self {
            Self::Media => &[
                ("prefixEncoding", "each part is written by the type of its schema"),
                ("itemEncoding", "each part is written by the type of its schema"),
            ],
            Self::Encoding => &[
                ("headers", "a part is sent without headers of its own"),
                ("encoding", "what is inside a part is written as JSON"),
                ("prefixEncoding", "what is inside a part is written as JSON"),
                ("itemEncoding", "what is inside a part is written as JSON"),
            ],
            Self::Response => &[("links", "the next call is left to the agent")],
            Self::SecurityScheme => {
                &[("oauth2MetadataUrl", "the token URL must stand in the document")]
            }
            Self::Discriminator => {
                &[("defaultMapping", "every variant is chosen by a value of its own")]
            }
            Self::Root
            | Self::Components
            | Self::Operation
            | Self::Parameter
            | Self::Body
            | Self::Info
            | Self::Server
            | Self::ServerVariable
            | Self::Tag
            | Self::Flows => &[],
        }
    }
}

impl<'a> Lowerer<'a, '_> {
    /// Reports fields of `spot` that have no meaning, each word once for each kind of object.
    pub(super) fn known_fields(&mut self, spot: &Spot<'a>, object: Known) {
        let Some(map) = spot.node.as_object() else { return };
        let (known, idle) = (object.fields(self.version), object.idle(self.version));
        for (key, node) in map {
            let fine = known.contains(&key.as_str()) || key.starts_with("x-") || key == "$ref";
            if fine || !self.said.insert(format!("field {object:?} {key}")) {
                continue;
            }
            if let Some((_, instead)) = idle.iter().find(|(field, _)| field == key) {
                let message = format!("`{key}` of {} is not used: {instead}", object.name());
                self.report(&reading::FIELD_WITHOUT_EFFECT, &spot.child(key, node), message);
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
