//! Where the owner of a server steps in: `src/hooks.rs` implements [`Hooks`].
//!
//! Every method may be left out, so that what is written today compiles with what is generated
//! tomorrow. Most of what they take has constructors and methods; build it by these, not by its fields.

use super::custom::Tools;
use super::settings::Credential;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use std::future::Future;

/// A request about to be sent. Credentials are added after the hooks and are not in it.
#[derive(Clone, Debug)]
pub struct Request {
    /// `METHOD /path` of the operation, as in the document.
    pub operation: &'static str,
    /// The HTTP method.
    pub method: &'static str,
    /// Where it goes. Sent to another origin, it carries no credentials.
    pub url: reqwest::Url,
    /// Its headers, cookies not among them.
    pub headers: Vec<(String, String)>,
    /// Its cookies, as `name=value`, written as they are sent.
    pub cookies: Vec<String>,
    /// Its body.
    pub body: Option<Vec<u8>>,
}

impl Request {
    /// Sets a header, in place of those of this name.
    pub fn set_header(&mut self, name: &str, value: impl Into<String>) {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.headers.push((name.to_ascii_lowercase(), value.into()));
    }
}

/// A reply as it came, before it is shaped for the model.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, decompressed.
    pub body: Vec<u8>,
    /// Whether the body was cut off because it did not end in time.
    pub unfinished: bool,
    /// How many times the request was sent.
    pub attempts: u32,
}

impl Reply {
    /// The first header of this name (lower case).
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// A credential that is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The security scheme, as the document names it.
    pub scheme: &'static str,
    /// The scopes that the operation asks for.
    pub scopes: Vec<&'static str>,
    /// Whether the API has just refused the one that was given before: then another is needed.
    pub refused: bool,
}

/// What the owner of a server changes. Every method may be left out.
pub trait Hooks: Send + Sync + 'static {
    /// Change a request before it is sent. An error is told to the model and nothing is sent. It is
    /// called for a request that is only shown, too, and for one that a person is asked about.
    ///
    /// ```ignore
    /// async fn request(&self, request: &mut Request) -> Result<(), String> {
    ///     request.set_header("x-tenant", "7");
    ///     Ok(())
    /// }
    /// ```
    fn request(&self, request: &mut Request) -> impl Future<Output = Result<(), String>> + Send {
        let _ = request;
        async { Ok(()) }
    }

    /// Change a reply before it is shaped for the model. `operation` is `METHOD /path`.
    ///
    /// ```ignore
    /// async fn reply(&self, operation: &str, reply: &mut Reply) {
    ///     if operation == "GET /health" {
    ///         reply.body = b"{}".to_vec();
    ///     }
    /// }
    /// ```
    fn reply(&self, operation: &str, reply: &mut Reply) -> impl Future<Output = ()> + Send {
        let _ = (operation, reply);
        async {}
    }

    /// Give a credential from a store of your own. `None` leaves it to the environment; an error is
    /// told to the model and nothing is sent. It is asked before each request, so keep what is slow
    /// to get. It never goes to another origin than the API's, and is taken out of every answer.
    ///
    /// ```ignore
    /// async fn credential(&self, wanted: &Wanted) -> Result<Option<Credential>, String> {
    ///     match wanted.scheme {
    ///         "api_key" => Ok(Some(Credential::value(self.vault.read("key").await?))),
    ///         _ => Ok(None),
    ///     }
    /// }
    /// ```
    fn credential(
        &self,
        wanted: &Wanted,
    ) -> impl Future<Output = Result<Option<Credential>, String>> + Send {
        let _ = wanted;
        async { Ok(None) }
    }

    /// Add tools, and replace the handlers of tools. Called once, at the start.
    ///
    /// ```ignore
    /// fn tools(&self, tools: &mut Tools) {
    ///     let hello = CustomTool::new("say_hello", "Greet somebody by name.")
    ///         .input(json!({
    ///             "type": "object",
    ///             "properties": {"name": {"type": "string", "description": "Who."}},
    ///             "required": ["name"],
    ///         }))
    ///         .reads();
    ///     tools.add(hello, |call| async move {
    ///         Ok(format!("Hello, {}!", call.get("name").as_str().unwrap_or_default()))
    ///     });
    ///     tools.replace("read_pets", |call| async move {
    ///         // Or an answer of its own; `call.tool(…)` calls another tool.
    ///         call.proceed().await
    ///     });
    /// }
    /// ```
    fn tools(&self, tools: &mut Tools) {
        let _ = tools;
    }
}

/// [`Hooks`] behind a pointer.
pub(super) trait Erased: Send + Sync {
    fn request<'a>(&'a self, request: &'a mut Request) -> BoxFuture<'a, Result<(), String>>;
    fn reply<'a>(&'a self, operation: &'a str, reply: &'a mut Reply) -> BoxFuture<'a, ()>;
    fn credential<'a>(
        &'a self,
        wanted: &'a Wanted,
    ) -> BoxFuture<'a, Result<Option<Credential>, String>>;
}

impl<H: Hooks> Erased for H {
    fn request<'a>(&'a self, request: &'a mut Request) -> BoxFuture<'a, Result<(), String>> {
        Hooks::request(self, request).boxed()
    }

    fn reply<'a>(&'a self, operation: &'a str, reply: &'a mut Reply) -> BoxFuture<'a, ()> {
        Hooks::reply(self, operation, reply).boxed()
    }

    fn credential<'a>(
        &'a self,
        wanted: &'a Wanted,
    ) -> BoxFuture<'a, Result<Option<Credential>, String>> {
        Hooks::credential(self, wanted).boxed()
    }
}
