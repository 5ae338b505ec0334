//! The server: tools in, results out. It holds no state that a client could see.

use super::arguments;
use super::auth;
use super::catalog;
use super::client::{Client, Failure};
use super::hooks::{Hooks, Reply, Request};
use super::oauth::Tokens;
use super::reply::{self, Context, Outcome};
use super::request;
use super::schema::Schemas;
use super::search::Index;
use super::secret::Redactor;
use super::settings::{self, Credential, Settings};
use super::table::{Action, Catalog, Need, Operation, Service};
use super::text;
use super::url::Base;
use super::usage::Usage;
use futures_util::FutureExt as _;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
    CustomRequest, CustomResult, ErrorCode, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// How long clients may keep the list of tools: it never changes.
const KEPT_MS: u64 = 3_600_000;

/// A server. Cloning it is cheap and shares everything.
#[derive(Clone)]
pub struct Server {
    parts: Arc<Parts>,
}

struct Parts {
    service: &'static Service,
    settings: Settings,
    hooks: Box<dyn Hooks>,
    tools: Vec<Tool>,
    schemas: OnceLock<Result<Schemas, String>>,
    index: OnceLock<Result<Index, String>>,
    client: Client,
    tokens: Tokens,
    redactor: Redactor,
    usage: Usage,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Server").field("name", &self.parts.service.name).finish_non_exhaustive()
    }
}

impl Server {
    /// A server of these tables.
    ///
    /// # Errors
    /// A sentence, where tables or settings cannot be used.
    pub fn new(
        service: &'static Service,
        settings: Settings,
        hooks: impl Hooks,
    ) -> Result<Self, String> {
        let tools = serde_json::from_str(&told(service.tools_json, &settings))
            .map_err(|error| format!("tools.json: {error}"))?;
        let usage = Usage::open(settings.usage_log.as_deref())?;
        let client = Client::new(service, &settings);
        let tokens = Tokens::default();
        let redactor = Redactor::default();
        auth::learn(&settings, &redactor);
        let (schemas, index) = (OnceLock::new(), OnceLock::new());
        let hooks = Box::new(hooks);
        Ok(Self {
            parts: Arc::new(Parts {
                service,
                settings,
                hooks,
                tools,
                schemas,
                index,
                client,
                tokens,
                redactor,
                usage,
            }),
        })
    }

    /// The tables.
    pub fn service(&self) -> &'static Service {
        self.parts.service
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.parts.settings
    }

    /// The tools as they are listed.
    pub fn tools(&self) -> &[Tool] {
        &self.parts.tools
    }

    /// The schemas, read once.
    ///
    /// # Errors
    /// They cannot be read, a fault of the generator.
    pub fn schemas(&self) -> Result<&Schemas, String> {
        self.parts
            .schemas
            .get_or_init(|| Schemas::parse(self.parts.service.schemas_json))
            .as_ref()
            .map_err(Clone::clone)
    }

    /// The index of the catalog, built once.
    ///
    /// # Errors
    /// It cannot be read, a fault of the generator.
    pub fn index(&self) -> Result<&Index, String> {
        let text = self.parts.service.catalog_json.unwrap_or("[]");
        let told = || told(text, &self.parts.settings);
        self.parts.index.get_or_init(|| Index::parse(&told())).as_ref().map_err(Clone::clone)
    }

    /// The HTTP clients.
    pub fn client(&self) -> &Client {
        &self.parts.client
    }

    /// Calls a tool; `None` when there is no such tool.
    pub async fn call(&self, name: &str, given: Option<Map<String, Value>>) -> Option<Outcome> {
        let given = given.unwrap_or_default();
        let (tool, chosen) = self.choose(name, given)?;
        let action = match &chosen {
            Chosen::Act { action, .. } => Some(action.name),
            Chosen::Find(..) | Chosen::Nothing(_) => None,
        };
        let entry = self.parts.usage.begin(tool, action);
        let outcome = match chosen {
            Chosen::Act { selector, action, others, given } => {
                self.act(tool, selector, action, others, &given).await
            }
            Chosen::Find(catalog, given) => catalog::find(self, catalog, &given),
            Chosen::Nothing(text) => Outcome::error(text),
        };
        let outcome = outcome.redacted(&self.parts.redactor);
        entry.end(&outcome);
        Some(outcome)
    }

    /// The tool of this name, and what the arguments choose of it.
    fn choose(&self, name: &str, given: Map<String, Value>) -> Option<(&'static str, Chosen)> {
        let service = self.parts.service;
        if let Some(tool) = service.tools.iter().find(|tool| tool.name == name) {
            let (selector, others) = (tool.selector, tool.actions);
            let chosen = match arguments::choose(tool.name, selector, others, &given) {
                Ok(action) => Chosen::Act { selector, action, others, given },
                Err(text) => Chosen::Nothing(text),
            };
            return Some((tool.name, chosen));
        }
        let catalog = service.catalog.as_ref()?;
        if name == catalog.find {
            return Some((catalog.find, Chosen::Find(catalog, given)));
        }
        let tool =
            [Some(catalog.read), catalog.write].into_iter().flatten().find(|own| *own == name)?;
        let chosen = match catalog::choose(self, catalog, tool, &given) {
            Ok((action, given)) => Chosen::Act { selector: None, action, others: &[], given },
            Err(text) => Chosen::Nothing(text),
        };
        Some((tool, chosen))
    }

    async fn act(
        &self,
        tool: &str,
        selector: Option<&str>,
        action: &'static Action,
        others: &'static [Action],
        given: &Map<String, Value>,
    ) -> Outcome {
        let operation = arguments::operation(action);
        match self.prepare(tool, selector, action, others, given) {
            Ok(request) => self.send(action, operation, request).await,
            Err(text) => Outcome::error(text),
        }
    }

    /// Everything up to the point where something is sent.
    fn prepare(
        &self,
        tool: &str,
        selector: Option<&str>,
        action: &'static Action,
        others: &'static [Action],
        given: &Map<String, Value>,
    ) -> Result<Request, String> {
        let schemas = self.schemas()?;
        let operation = arguments::operation(action);
        let values = arguments::prepare(schemas, tool, selector, action, others, given)?;
        let base = self.base(operation)?;
        let unsendable = |fault: String| {
            format!(
                "Nothing was sent.\n- {fault}\nAction: correct the listed arguments and call `{tool}` again."
            )
        };
        let settings = &self.parts.settings;
        let manner = request::Manner { folder: settings.files.as_deref(), arrays: settings.arrays };
        let mut request = request::build(schemas, action, operation, &base, &values, manner)
            .map_err(unsendable)?;
        let wanted = self.parts.settings.idempotency_header.as_deref();
        request::with_idempotency_key(operation, wanted, &mut request);
        self.parts.hooks.request(&mut request)?;
        Ok(request)
    }

    fn base(&self, operation: &Operation) -> Result<Base, String> {
        let prefix = self.parts.service.env_prefix;
        let way_out = format!(
            "Nothing was sent.\nAction: ask the user to set {prefix}_BASE_URL in the environment of this server and to restart it. Do not retry."
        );
        let path = operation.base_url.filter(|text| text.starts_with('/'));
        if let Some(text) = operation.base_url.filter(|_| path.is_none()) {
            return Base::parse(text).map_err(|why| {
                format!("The address of `{}` cannot be used: {why}. {way_out}", operation.key)
            });
        }
        match &self.parts.settings.base {
            // A path that an operation has for itself is one of the host of the API.
            Ok(Some(base)) => Ok(path.map_or_else(|| base.clone(), |path| base.with_path(path))),
            Ok(None) => Err(format!("This server does not know where the API is. {way_out}")),
            Err(why) => Err(format!("The address of the API cannot be used: {why}. {way_out}")),
        }
    }

    async fn send(
        &self,
        action: &'static Action,
        operation: &'static Operation,
        request: Request,
    ) -> Outcome {
        let parts = &*self.parts;
        let home = auth::may_receive(&parts.settings, &request.url);
        let needs: &[Need] = if home {
            match auth::choose(parts.service, &parts.settings, operation) {
                Ok(needs) => needs,
                Err(text) => return Outcome::error(text),
            }
        } else {
            &[]
        };
        let variables = if home || operation.security.is_empty() {
            self.variables(operation, needs)
        } else {
            let origin = request.url.origin().ascii_serialization();
            format!("not sent: {origin} is not in {}_CREDENTIAL_ORIGINS", parts.service.env_prefix)
        };
        let longest = parts.settings.longest_text;
        let prefix = match &parts.settings.base {
            Ok(Some(base)) if base.is_origin_of(&request.url) => base.prefix(),
            _ => "",
        };
        let context = Context {
            service: parts.service,
            prefix,
            action,
            operation,
            request: &request,
            variables: &variables,
            longest,
        };
        let exchange =
            tokio::time::timeout(parts.settings.deadline, self.exchange(&request, needs));
        match exchange.await {
            Ok(Ok(mut reply)) => {
                parts.hooks.reply(operation.key, &mut reply);
                reply::shape(context, &parts.redactor, &reply)
            }
            Ok(Err(Stop::Words(text))) => Outcome::error(text),
            Ok(Err(Stop::Failure(failure))) => reply::no_reply(context, &failure),
            Err(_) => reply::no_reply(context, &Failure::Late),
        }
    }

    /// Sends; a token that is refused is replaced once.
    async fn exchange(&self, request: &Request, needs: &[Need]) -> Result<Reply, Stop> {
        let parts = &*self.parts;
        let attach = || {
            auth::attach(
                parts.service,
                &parts.settings,
                &parts.redactor,
                &parts.client,
                &parts.tokens,
                needs,
            )
        };
        let attachment = attach().await.map_err(Stop::Words)?;
        let send = |attachment| parts.client.send(&parts.redactor, request, attachment);
        let reply = send(&attachment).await.map_err(Stop::Failure)?;
        if reply.status != 401 || !attachment.fetched {
            return Ok(reply);
        }
        for need in needs {
            let credential = parts.settings.credentials.get(need.scheme);
            if let Some(Credential::Client { token_url, .. }) = credential {
                for (_, value) in &attachment.headers {
                    parts.tokens.forget(token_url, need.scopes, value.reveal()).await;
                }
            }
        }
        let renewed = attach().await.map_err(Stop::Words)?;
        send(&renewed).await.map_err(Stop::Failure)
    }

    /// The variables of the credentials that were used, or of those that could be.
    fn variables(&self, operation: &Operation, used: &[Need]) -> String {
        let service = self.parts.service;
        let needs: Vec<&Need> = if used.is_empty() {
            operation.security.iter().copied().flatten().collect()
        } else {
            used.iter().collect()
        };
        let of = |need: &&Need| {
            service.schemes.get(need.scheme).map(|scheme| settings::variables(service, scheme))
        };
        let mut names: Vec<String> = needs.iter().filter_map(of).collect();
        names.dedup();
        names.join(", ")
    }
}

/// The definitions as this operator's settings make them: files may also be named.
fn told<'a>(json: &'a str, settings: &Settings) -> Cow<'a, str> {
    // The words that the generator writes for every argument that takes a file.
    const WORDS: &str = "File: base64, or data:";
    if settings.files.is_some() && json.contains(WORDS) {
        return Cow::Owned(json.replace(WORDS, "File: file:PATH, base64, or data:"));
    }
    Cow::Borrowed(json)
}

/// What a call comes to.
enum Chosen {
    Act {
        selector: Option<&'static str>,
        action: &'static Action,
        others: &'static [Action],
        given: Map<String, Value>,
    },
    Find(&'static Catalog, Map<String, Value>),
    Nothing(String),
}

/// Why an exchange ended without a reply.
enum Stop {
    Words(String),
    Failure(Failure),
}

fn result(outcome: Outcome) -> CallToolResult {
    let mut content = vec![ContentBlock::text(outcome.text)];
    if outcome.is_error {
        return CallToolResult::error(content);
    }
    if let Some((media_type, data)) = outcome.media {
        content.push(if media_type.starts_with("audio/") {
            ContentBlock::audio(data, media_type)
        } else {
            ContentBlock::image(data, media_type)
        });
    }
    let mut result = CallToolResult::success(content);
    result.structured_content = outcome.structured;
    result
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let service = self.parts.service;
        let named = Implementation::new(service.name, service.version).with_title(service.title);
        let config = ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(named);
        let files = "Files may be given as `file:PATH` where an argument takes a file.";
        let words = match (service.instructions, &self.parts.settings.files) {
            ("", None) => return config,
            ("", Some(_)) => files.to_owned(),
            (words, None) => words.to_owned(),
            (words, Some(_)) => format!("{words}\n\n{files}"),
        };
        config.with_instructions(words)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if request.is_some_and(|params| params.cursor.is_some()) {
            return Err(ErrorData::invalid_params(
                "unknown cursor: the tools are on one page",
                None,
            ));
        }
        Ok(ListToolsResult::with_all_items(self.parts.tools.clone())
            .with_ttl_ms(KEPT_MS)
            .with_cache_scope(CacheScope::Public))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.parts.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // A panic would never be answered, and the client would wait for ever.
        let work = std::panic::AssertUnwindSafe(self.call(&request.name, request.arguments))
            .catch_unwind();
        let outcome = tokio::select! {
            () = context.ct.cancelled() => return Err(ErrorData::internal_error("cancelled", None)),
            outcome = work => outcome,
        };
        match outcome {
            Ok(Some(outcome)) => Ok(result(outcome).into()),
            Ok(None) => {
                let name = text::cut(&text::clean(&request.name), 80);
                Err(ErrorData::invalid_params(format!("unknown tool: {name}"), None))
            }
            Err(_) => Ok(result(Outcome::error(
                "The server failed at this call; the outcome is unknown.\nAction: tell the user. Do not retry.",
            ))
            .into()),
        }
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        match request.method.as_str() {
            // Requests of a known method come here when their parameters could not be read.
            method @ ("tools/call" | "tools/list") => {
                Err(ErrorData::invalid_params(format!("malformed parameters of {method}"), None))
            }
            method => Err(ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                text::cut(&text::clean(method), 80),
                None,
            )),
        }
    }
}
