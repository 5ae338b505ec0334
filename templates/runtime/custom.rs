//! Tools that the owner of a server writes: added to those of the API, or in place of their
//! handlers. [`super::joined`] takes them in.

use super::care::Person;
use super::reply::Outcome;
use super::server::{Act, Server};
use super::toolsets;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};
use std::future::Future;

/// What a call runs.
pub(super) type Handler =
    Box<dyn Fn(Call) -> BoxFuture<'static, Result<Outcome, String>> + Send + Sync>;

/// A tool of the owner's: what clients see of it.
///
/// Unless it says otherwise it takes no arguments and may take something away, so that clients are
/// careful and a person is asked.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // They are the hints of the protocol.
pub struct CustomTool {
    pub(super) name: String,
    title: Option<String>,
    description: String,
    pub(super) input: Value,
    output: Option<Value>,
    pub(super) toolset: Option<String>,
    reads: bool,
    pub(super) takes_away: bool,
    idempotent: bool,
    open_world: bool,
}

impl CustomTool {
    /// A tool of this name, in `lower_case`, and what the model is told of it.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: description.into(),
            input: json!({"type": "object", "properties": {}}),
            output: None,
            toolset: None,
            reads: false,
            takes_away: true,
            idempotent: false,
            open_world: true,
        }
    }

    /// What people are shown; without it the name in words.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: Some(title.into()), ..self }
    }

    /// The JSON Schema of its arguments: an object with `properties`. Calls are checked against it
    /// before the handler runs, but for `pattern` and `format`, which only tell the model. Other
    /// arguments are refused unless it has `additionalProperties`.
    #[must_use]
    pub fn input(self, schema: Value) -> Self {
        Self { input: schema, ..self }
    }

    /// The JSON Schema of its answers: an object with `properties`.
    #[must_use]
    pub fn output(self, schema: Value) -> Self {
        Self { output: Some(schema), ..self }
    }

    /// It changes nothing: `--read-only` keeps it.
    #[must_use]
    pub fn reads(self) -> Self {
        Self { reads: true, takes_away: false, idempotent: true, ..self }
    }

    /// It changes something, but takes nothing away.
    #[must_use]
    pub fn adds(self) -> Self {
        Self { reads: false, takes_away: false, ..self }
    }

    /// The same call twice does no more than once.
    #[must_use]
    pub fn idempotent(self) -> Self {
        Self { idempotent: true, ..self }
    }

    /// It deals with nothing outside of this server.
    #[must_use]
    pub fn closed_world(self) -> Self {
        Self { open_world: false, ..self }
    }

    /// The toolset that it belongs to, where the server has toolsets; `default` otherwise.
    #[must_use]
    pub fn toolset(self, name: impl Into<String>) -> Self {
        Self { toolset: Some(name.into()), ..self }
    }

    pub(super) fn shown_title(&self) -> String {
        self.title.clone().unwrap_or_else(|| {
            let words = self.name.replace('_', " ");
            let mut letters = words.chars();
            letters
                .next()
                .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        })
    }

    pub(super) fn row(&self, toolset: Option<&str>) -> Value {
        let title = self.shown_title();
        let mut row = Map::new();
        row.insert("name".to_owned(), json!(self.name));
        row.insert("title".to_owned(), json!(title));
        row.insert("description".to_owned(), json!(self.description));
        row.insert("inputSchema".to_owned(), self.input.clone());
        if let Some(output) = &self.output {
            row.insert("outputSchema".to_owned(), output.clone());
        }
        let hints = json!({"title": title, "readOnlyHint": self.reads,
            "destructiveHint": self.takes_away, "idempotentHint": self.idempotent,
            "openWorldHint": self.open_world});
        row.insert("annotations".to_owned(), hints);
        if let Some(toolset) = toolset {
            row.insert("_meta".to_owned(), json!({ toolsets::KEY: [toolset] }));
        }
        Value::Object(row)
    }
}

/// The tools that hooks add, and the handlers that they replace.
#[derive(Default)]
pub struct Tools {
    pub(super) added: Vec<(CustomTool, Handler)>,
    pub(super) replaced: Vec<(String, Handler)>,
}

impl std::fmt::Debug for Tools {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let added: Vec<&str> = self.added.iter().map(|(tool, _)| tool.name.as_str()).collect();
        let replaced: Vec<&str> = self.replaced.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Tools").field("added", &added).field("replaced", &replaced).finish()
    }
}

impl Tools {
    /// Adds a tool. The handler gives a JSON value, a text or an [`Outcome`]; its error is told to
    /// the model.
    pub fn add<F, R, T>(&mut self, tool: CustomTool, handler: F)
    where
        F: Fn(Call) -> R + Send + Sync + 'static,
        R: Future<Output = Result<T, String>> + Send + 'static,
        T: Into<Outcome>,
    {
        self.added.push((tool, boxed(handler)));
    }

    /// Has calls of a generated tool run this handler, after the same checks of their arguments.
    /// [`Call::proceed`] does what the tool would have done.
    pub fn replace<F, R, T>(&mut self, tool: impl Into<String>, handler: F)
    where
        F: Fn(Call) -> R + Send + Sync + 'static,
        R: Future<Output = Result<T, String>> + Send + 'static,
        T: Into<Outcome>,
    {
        self.replaced.push((tool.into(), boxed(handler)));
    }
}

fn boxed<F, R, T>(handler: F) -> Handler
where
    F: Fn(Call) -> R + Send + Sync + 'static,
    R: Future<Output = Result<T, String>> + Send + 'static,
    T: Into<Outcome>,
{
    Box::new(move |call| {
        let answer = handler(call);
        async move { answer.await.map(Into::into) }.boxed()
    })
}

/// A call of a tool whose handler is the owner's.
#[derive(Clone, Debug)]
pub struct Call {
    /// The name of the tool.
    pub tool: &'static str,
    /// The action that was chosen, where the tool is a generated one with several; else its only one.
    pub action: Option<&'static str>,
    /// The arguments, checked, by the names of the schema.
    pub arguments: Map<String, Value>,
    pub(super) server: Server,
    pub(super) person: Person,
    pub(super) generated: Option<Act>,
}

impl Call {
    /// An argument; `null` when it was not given.
    pub fn get(&self, name: &str) -> &Value {
        self.arguments.get(name).unwrap_or(&Value::Null)
    }

    /// Calls another tool of this server, and gives what it answers. Its settings hold: a tool that
    /// is off is not there.
    ///
    /// # Errors
    /// What the tool would tell the model.
    pub async fn tool(&self, name: &str, arguments: Value) -> Result<Value, String> {
        let Value::Object(arguments) = arguments else {
            return Err(format!("the arguments of `{name}` must be an object"));
        };
        let outcome = self.server.call_for(self.person, name, Some(arguments)).await;
        match outcome {
            None => Err(format!("there is no tool `{name}`, or it is off")),
            Some(outcome) if outcome.is_error => Err(outcome.text),
            Some(outcome) => Ok(outcome.structured.unwrap_or(Value::String(outcome.text))),
        }
    }

    /// What the generated tool does, with the arguments as they are now.
    ///
    /// # Errors
    /// The tool is the owner's and has no other handler.
    pub async fn proceed(self) -> Result<Outcome, String> {
        let Some(act) = self.generated else {
            return Err(format!("`{}` has no other handler", self.tool));
        };
        let act = Act { given: self.arguments, ..act };
        Ok(self.server.act(self.tool, &act, self.person).await)
    }
}
