//! What a server is made of: constants that the generator writes and the runtime interprets.

/// A whole server.
#[derive(Clone, Debug)]
pub struct Service {
    /// Name of the server (`serverInfo.name`), `[a-z][a-z0-9-]*`.
    pub name: &'static str,
    /// Title of the server.
    pub title: &'static str,
    /// Version of the crate.
    pub version: &'static str,
    /// `instructions` for clients.
    pub instructions: &'static str,
    /// Start of the names of all environment variables: `MUSEUM` gives `MUSEUM_BASE_URL`.
    pub env_prefix: &'static str,
    /// `tools.json`: the tool definitions as they go over the wire, an array of MCP `Tool`.
    pub tools_json: &'static str,
    /// `schemas.json`: what values must be on the wire. See [`crate::runtime`] for its form.
    pub schemas_json: &'static str,
    /// `catalog.json`: what the catalog's find tool searches; `None` when there is no catalog.
    pub catalog_json: Option<&'static str>,
    /// Base URL unless one is set. One that begins with `/` is a path for whatever host is set;
    /// `None` when the document names no server that can be used.
    pub base_url: Option<&'static str>,
    /// How lists inside `deepObject` are written unless it is set, a word of
    /// [`super::style::ARRAYS`]; `None` is as usual.
    pub arrays: Option<&'static str>,
    /// The security schemes.
    pub schemes: &'static [Scheme],
    /// The direct tools.
    pub tools: &'static [Tool],
    /// The catalog, where there is one.
    pub catalog: Option<Catalog>,
}

impl Service {
    /// The same with other definitions of tools.
    #[must_use]
    pub fn with_tools(&self, tools_json: &'static str) -> Self {
        Self { tools_json, ..self.clone() }
    }
}

/// A direct tool.
#[derive(Debug)]
pub struct Tool {
    /// Its name in `tools.json`.
    pub name: &'static str,
    /// Name of the argument that chooses the action; `None` when there is one action.
    pub selector: Option<&'static str>,
    /// Its actions, at least one.
    pub actions: &'static [Action],
}

/// The three catalog tools and all that they reach.
#[derive(Clone, Debug)]
pub struct Catalog {
    /// Name of the tool that searches. Arguments: `query`, `effect` (`read` or `write`), `limit`.
    pub find: &'static str,
    /// Name of the tool that calls reading operations. Arguments: `operation`, `arguments`.
    pub read: &'static str,
    /// Name of the tool that calls writing operations.
    pub write: Option<&'static str>,
    /// The operations, in the order of `catalog.json`.
    pub actions: &'static [Action],
}

impl Catalog {
    /// Whether one of its tools has this name.
    pub fn has(&self, tool: &str) -> bool {
        [Some(self.find), Some(self.read), self.write].contains(&Some(tool))
    }
}

/// One thing that a tool can do.
#[derive(Debug)]
pub struct Action {
    /// Its name within the tool, or in the catalog.
    pub name: &'static str,
    /// What it does.
    pub call: Call,
    /// The arguments that it takes, the selector not among them.
    pub inputs: &'static [Input],
    /// The direct tool whose action reads or lists the same resource, for hints after errors.
    pub sibling: Option<&'static str>,
    /// Whether something is gone afterwards, so that a person is asked before.
    pub takes_away: bool,
}

/// What an action does.
#[derive(Debug)]
pub enum Call {
    /// One request.
    Operation(&'static Operation),
}

/// One argument of an action and where its value goes.
#[derive(Debug)]
pub struct Input {
    /// Name of the argument.
    pub argument: &'static str,
    /// Whether this action needs it.
    pub required: bool,
    /// Where its value goes.
    pub target: Target,
}

/// A place in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The parameter with this index in [`Operation::parameters`].
    Parameter(usize),
    /// The member of the body at these steps; no step means the whole body.
    Body(&'static [&'static str]),
}

/// One operation of the API.
#[derive(Debug)]
pub struct Operation {
    /// `METHOD /path`, as in the document; also its key in `schemas.json`.
    pub key: &'static str,
    /// The HTTP method.
    pub method: &'static str,
    /// Whether it changes nothing.
    pub reads: bool,
    /// The path, in pieces.
    pub path: &'static [Piece],
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Its body, where it has one.
    pub body: Option<Body>,
    /// Alternatives (OR) of schemes that are needed together (AND). Empty: no credential.
    pub security: &'static [&'static [Need]],
    /// Base URL of this operation alone, where the document has another one for it. One that begins
    /// with `/` is a path at the host of the API.
    pub base_url: Option<&'static str>,
}

/// One scheme of a requirement.
#[derive(Debug)]
pub struct Need {
    /// Index into [`Service::schemes`].
    pub scheme: usize,
    /// The scopes that are needed.
    pub scopes: &'static [&'static str],
}

/// A piece of a path template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text that is sent as it stands, `/` included; percent-encoded already where needed.
    Text(&'static str),
    /// The path parameter with this index in [`Operation::parameters`].
    Parameter(usize),
}

/// One parameter.
#[derive(Debug)]
pub struct Parameter {
    /// Name on the wire.
    pub name: &'static str,
    /// Where it goes.
    pub location: Location,
    /// How it is written.
    pub style: Style,
    /// Whether lists and objects are spread.
    pub explode: bool,
    /// `allowReserved`.
    pub allow_reserved: bool,
    /// The media type when the value is sent as a document (`content`).
    pub media_type: Option<&'static str>,
}

/// Where a parameter goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In a header.
    Header,
    /// In the cookie header.
    Cookie,
    /// The whole query string.
    QueryString,
}

/// OpenAPI's styles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// `color=blue%09black`
    TabDelimited,
    /// `color[R]=100`
    DeepObject,
    /// `color=blue; color=black`
    Cookie,
}

/// A request body, in the one media type that the plan chose.
#[derive(Debug)]
pub struct Body {
    /// Whether it must be sent.
    pub required: bool,
    /// The `Content-Type` to send.
    pub media_type: &'static str,
    /// How it is written.
    pub kind: BodyKind,
    /// How single properties of a form or multipart body are written, where the document says so.
    pub encodings: &'static [Encoding],
}

/// How a body is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// JSON.
    Json,
    /// JSON values one after the other, each on a line of its own.
    Lines,
    /// `application/x-www-form-urlencoded`
    Form,
    /// `multipart/form-data`
    Multipart,
    /// Text as it stands: `text/*`, XML.
    Text,
    /// Bytes, given as base64.
    Binary,
}

/// OpenAPI "Encoding Object".
#[derive(Debug)]
pub struct Encoding {
    /// The property.
    pub property: &'static str,
    /// `contentType`.
    pub content_type: Option<&'static str>,
    /// `style`.
    pub style: Option<Style>,
    /// `explode`.
    pub explode: Option<bool>,
    /// `allowReserved`.
    pub allow_reserved: bool,
}

/// A security scheme.
#[derive(Debug)]
pub struct Scheme {
    /// Its name in the document.
    pub name: &'static str,
    /// End of the names of its environment variables: `API_KEY` gives `MUSEUM_API_KEY`.
    /// For [`SchemeKind::Basic`] it stands before `_USERNAME` and `_PASSWORD`, for
    /// [`SchemeKind::OAuth2`] before `_CLIENT_ID` and `_CLIENT_SECRET` (and alone for a ready token).
    pub env: &'static str,
    /// Its kind.
    pub kind: SchemeKind,
}

/// Kinds of security schemes.
#[derive(Debug)]
pub enum SchemeKind {
    /// A key in a header.
    HeaderKey(&'static str),
    /// A key in the query.
    QueryKey(&'static str),
    /// A key in a cookie.
    CookieKey(&'static str),
    /// User name and password.
    Basic,
    /// A bearer token (also `openIdConnect`).
    Bearer,
    /// Another HTTP scheme: its word, then the value of the variable.
    Http(&'static str),
    /// OAuth 2: a ready token, or client credentials at this token URL.
    OAuth2 {
        /// Token URL of the client-credentials flow, where there is one.
        token_url: Option<&'static str>,
    },
    /// Mutual TLS: no header; set up by settings.
    MutualTls,
}
