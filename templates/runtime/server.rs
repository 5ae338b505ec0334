//! The server: tools in, results out. It holds no state that a client could see, but for the
//! toolsets that a client may enable where the operator lets it.

use super::arguments;
use super::auth;
use super::binary::Downloads;
use super::care::{self, Confirm, Person, Wishes};
use super::catalog;
use super::client::Client;
use super::custom::Tools;
use super::flight::Flights;
use super::hooks::{Erased, Hooks, Request};
use super::joined::{self, Custom};
use super::log;
use super::oauth::Tokens;
use super::output;
use super::own;
use super::reply::Outcome;
use super::request;
use super::schema::Schemas;
use super::secret::Redactor;
use super::settings::Settings;
use super::table::{Action, Catalog, Service};
use super::text;
use super::toolsets::{self, Set};
use super::usage::{Counts, Usage};
use super::view::View;
use rmcp::model::Tool;
use rmcp::service::SubscriptionSink;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

/// A server. Cloning it is cheap and shares everything.
#[derive(Clone)]
pub struct Server {
    pub(super) parts: Arc<Parts>,
    /// Whether a client may enable toolsets.
    pub(super) switches: bool,
}

/// What all clones share.
pub(super) struct Parts {
    /// The tables, with what is off.
    pub(super) service: &'static Service,
    pub(super) settings: Settings,
    pub(super) hooks: Box<dyn Erased>,
    /// What the hooks added, and which handlers they replace.
    pub(super) custom: Custom,
    /// What each toolset holds, where a client may enable them.
    sets: BTreeMap<String, Set>,
    view: RwLock<Arc<View>>,
    /// Modern clients that want to know of other tools.
    pub(super) listeners: Mutex<Vec<SubscriptionSink>>,
    schemas: OnceLock<Result<Schemas, String>>,
    pub(super) client: Client,
    pub(super) tokens: Tokens,
    pub(super) redactor: Redactor,
    usage: Usage,
    pub(super) downloads: Downloads,
    pub(super) flights: Flights,
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
        own::free(service, &settings)?;
        let mut tools = Tools::default();
        hooks.tools(&mut tools);
        let (service, custom) = joined::join(service, tools)?;
        let view = RwLock::new(Arc::new(View::start(service, &settings)?));
        let switches = settings.dynamic_toolsets;
        let sets = if switches { toolsets::switchable(service)? } else { BTreeMap::new() };
        let usage = Usage::open(settings.usage_log.as_deref())?;
        let client = Client::new(service, &settings);
        let tokens = Tokens::default();
        let redactor = Redactor::default();
        auth::learn_all(&settings, &redactor);
        let schemas = OnceLock::new();
        let listeners = Mutex::default();
        let hooks: Box<dyn Erased> = Box::new(hooks);
        let downloads = Downloads::new(&settings);
        Ok(Self {
            switches,
            parts: Arc::new(Parts {
                service,
                settings,
                hooks,
                custom,
                sets,
                view,
                listeners,
                schemas,
                client,
                tokens,
                redactor,
                usage,
                downloads,
                flights: Flights::default(),
            }),
        })
    }

    /// Done when no call is being answered any more, or when none can be by its time limit.
    pub fn landed(&self) -> impl Future<Output = ()> + Send + 'static {
        self.parts.flights.clone().landed(self.parts.settings.deadline)
    }

    /// The tables, without what is off.
    pub fn service(&self) -> &'static Service {
        self.view().service
    }

    /// What can be seen now.
    pub fn view(&self) -> Arc<View> {
        Arc::clone(&self.parts.view.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The same server for clients that have no session of their own: none may enable toolsets.
    #[must_use]
    pub fn shared(self) -> Self {
        if !self.switches {
            return self;
        }
        let prefix = self.parts.service.env_prefix;
        log::warn(&format!(
            "{prefix}_DYNAMIC_TOOLSETS has no effect over HTTP, where clients share the server"
        ));
        let settings = Settings { dynamic_toolsets: false, ..self.parts.settings.clone() };
        if let Ok(view) = View::start(self.parts.service, &settings) {
            self.show(view);
        }
        Self { switches: false, ..self }
    }

    fn show(&self, view: View) {
        *self.parts.view.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(view);
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.parts.settings
    }

    /// The tools as they are listed.
    pub fn tools(&self) -> Vec<Tool> {
        let mut tools = self.view().tools.clone();
        if self.switches {
            let more = serde_json::from_value(toolsets::switches(&self.parts.sets));
            tools.extend::<Vec<Tool>>(more.unwrap_or_default());
        }
        tools
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

    /// The HTTP clients.
    pub fn client(&self) -> &Client {
        &self.parts.client
    }

    /// What happened since the start.
    pub(super) fn counts(&self) -> Counts {
        self.parts.usage.counts()
    }

    /// A text without the secrets that are known.
    pub(super) fn redacted(&self, text: &str) -> String {
        self.parts.redactor.text(text)
    }

    /// Calls a tool for a client that cannot ask a person; `None` when there is no such tool.
    pub async fn call(&self, name: &str, given: Option<Map<String, Value>>) -> Option<Outcome> {
        self.call_for(Person::Unreachable, name, given).await
    }

    /// Calls a tool; `None` when there is no such tool.
    pub async fn call_for(
        &self,
        person: Person,
        name: &str,
        given: Option<Map<String, Value>>,
    ) -> Option<Outcome> {
        let given = given.unwrap_or_default();
        let (tool, chosen) = self.choose(name, given)?;
        let action = match &chosen {
            Chosen::Act(act) => Some(act.action.name),
            Chosen::Find(..)
            | Chosen::List
            | Chosen::Enable(_)
            | Chosen::Own(_)
            | Chosen::Added(..)
            | Chosen::Nothing(_) => None,
        };
        let entry = self.parts.usage.begin(tool, action);
        let outcome = match chosen {
            Chosen::Act(act) => match self.call_replaced(tool, &act, person).await {
                Some(outcome) => outcome,
                None => self.act(tool, &act, person).await,
            },
            Chosen::Added(given, wishes) => self.call_added(tool, &given, wishes, person).await,
            Chosen::Find(catalog, given) => catalog::find(self, catalog, &given),
            Chosen::List => self.list_sets(),
            Chosen::Enable(given) => self.enable(&given).unwrap_or_else(Outcome::error),
            Chosen::Own(given) => self.call_own(tool, &given).await,
            Chosen::Nothing(text) => Outcome::error(text),
        };
        let outcome = outcome.redacted(&self.parts.redactor);
        let outcome = match self.view().output(tool) {
            Some(schema) => output::kept(&schema, outcome),
            None => outcome,
        };
        entry.end(&outcome);
        Some(outcome)
    }

    /// What a person has to be asked before this call; `None` when nothing.
    pub async fn question(&self, name: &str, given: Option<Map<String, Value>>) -> Option<String> {
        let settings = &self.parts.settings;
        if settings.confirm == Confirm::Off || settings.dry_run {
            return None;
        }
        let (tool, chosen) = self.choose(name, given.unwrap_or_default())?;
        let act = match chosen {
            Chosen::Act(act) => act,
            Chosen::Added(given, wishes) if !wishes.dry_run => {
                return self.question_added(tool, &given);
            }
            _ => return None,
        };
        if act.wishes.dry_run || !act.action.takes_away {
            return None;
        }
        // A call that will be refused is not worth a question.
        if self.parts.custom.replaces(tool) {
            return self.question_replaced(tool, &act);
        }
        let request = self.prepare(tool, &act).await.ok()?;
        Some(self.redacted(&care::question(&request)))
    }

    /// The tool of this name, and what the arguments choose of it.
    fn choose(&self, name: &str, mut given: Map<String, Value>) -> Option<(&'static str, Chosen)> {
        let own = own::names(&self.parts.settings).into_iter().find(|own| *own == name);
        if let Some(own) = own {
            return Some((own, Chosen::Own(given)));
        }
        if self.switches && name == toolsets::LIST {
            return Some((toolsets::LIST, Chosen::List));
        }
        if self.switches && name == toolsets::ENABLE {
            return Some((toolsets::ENABLE, Chosen::Enable(given)));
        }
        let view = self.view();
        let extras = view.extras.get(name).copied().unwrap_or_default();
        let wishes = care::wishes(name, extras, &mut given);
        let service = view.service;
        if let Some(tool) = self.parts.custom.added(name) {
            let is_on = view.tools.iter().any(|listed| listed.name == tool);
            let chosen = match wishes {
                Ok(wishes) if is_on => Chosen::Added(given, wishes),
                Err(text) if is_on => Chosen::Nothing(text),
                _ if self.switches => Chosen::Nothing(self.is_off(name)),
                _ => return None,
            };
            return Some((tool, chosen));
        }
        if self.switches
            && let Some(tool) = self.parts.service.tools.iter().find(|tool| tool.name == name)
            && !service.tools.iter().any(|on| on.name == name)
        {
            return Some((tool.name, Chosen::Nothing(self.is_off(name))));
        }
        if let Some(tool) = service.tools.iter().find(|tool| tool.name == name) {
            let (selector, others) = (tool.selector, tool.actions);
            let action = arguments::choose(tool.name, selector, others, &given);
            let chosen = match (action, wishes) {
                (Ok(action), Ok(wishes)) => {
                    Chosen::Act(Act { selector, action, others, given, wishes })
                }
                (Err(text), _) | (_, Err(text)) => Chosen::Nothing(text),
            };
            return Some((tool.name, chosen));
        }
        let catalog = service.catalog.as_ref()?;
        if name == catalog.find {
            return Some((catalog.find, Chosen::Find(catalog, given)));
        }
        let tool =
            [Some(catalog.read), catalog.write].into_iter().flatten().find(|own| *own == name)?;
        let chosen = match (catalog::choose(self, catalog, tool, &given), wishes) {
            (Ok((action, given)), Ok(wishes)) => {
                Chosen::Act(Act { selector: None, action, others: &[], given, wishes })
            }
            (Err(text), _) | (_, Err(text)) => Chosen::Nothing(text),
        };
        Some((tool, chosen))
    }

    /// Does what a generated tool does.
    pub(super) async fn act(&self, tool: &str, act: &Act, person: Person) -> Outcome {
        let operation = arguments::operation(act.action);
        let request = match self.prepare(tool, act).await {
            Ok(request) => request,
            Err(text) => return Outcome::error(text),
        };
        let Parts { service, settings, redactor, .. } = &*self.parts;
        if settings.dry_run || act.wishes.dry_run {
            let needs = if auth::may_receive(settings, &request.url) {
                self.chosen(operation).await.map(|(_, needs)| needs)
            } else {
                Ok(&[][..])
            };
            return care::shown(service, redactor, settings, &needs, &request);
        }
        if act.action.takes_away
            && let Err(text) = self.permitted(person, act.wishes, tool, &care::question(&request))
        {
            return Outcome::error(text);
        }
        self.send(act.action, operation, request).await
    }

    /// Whether a call that takes something away may go on.
    ///
    /// # Errors
    /// What to tell the model.
    pub(super) fn permitted(
        &self,
        person: Person,
        wishes: Wishes,
        tool: &str,
        question: &str,
    ) -> Result<(), String> {
        if person == Person::Agreed {
            return Ok(());
        }
        let prefix = self.parts.service.env_prefix;
        care::permitted(self.parts.settings.confirm, wishes, prefix, tool, question)
    }

    /// Everything up to the point where something is sent.
    async fn prepare(&self, tool: &str, act: &Act) -> Result<Request, String> {
        let &Act { selector, action, others, ref given, .. } = act;
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
        let hook = self.parts.hooks.request(&mut request);
        tokio::time::timeout(self.parts.settings.deadline, hook).await.unwrap_or_else(|_| {
            Err("The request was not ready in time. Nothing was sent.\nAction: tell the user."
                .to_owned())
        })?;
        Ok(request)
    }

    fn list_sets(&self) -> Outcome {
        let (view, none) = (self.view(), BTreeSet::new());
        let on = view.on.as_ref().unwrap_or(&none);
        toolsets::list(&self.parts.sets, on, self.parts.settings.longest_text)
    }

    /// Adds a toolset to those that are on.
    fn enable(&self, given: &Map<String, Value>) -> Result<Outcome, String> {
        let parts = &*self.parts;
        let name = toolsets::asked(&parts.sets, given)?;
        let mut on = self.view().on.clone().unwrap_or_default();
        if on.insert(name.clone()) {
            self.show(View::new(parts.service, Some(on), &parts.settings)?);
        }
        let tools = parts.sets.get(&name).map(|set| set.tools.clone());
        let value = json!({ "enabled": name, "tools": tools });
        Ok(Outcome::value(value, parts.settings.longest_text))
    }

    fn is_off(&self, tool: &str) -> String {
        let sets = toolsets::of_tool(self.parts.service, tool);
        format!(
            "`{tool}` is off. Nothing was sent.\nAction: call `{}` with `toolset` set to {}, then `{tool}` again.",
            toolsets::ENABLE,
            text::names(sets.iter().map(String::as_str))
        )
    }
}

/// What a call comes to.
enum Chosen {
    Act(Act),
    Find(&'static Catalog, Map<String, Value>),
    List,
    Enable(Map<String, Value>),
    Own(Map<String, Value>),
    Added(Map<String, Value>, Wishes),
    Nothing(String),
}

/// An action that is to be done.
#[derive(Clone, Debug)]
pub(super) struct Act {
    pub(super) selector: Option<&'static str>,
    pub(super) action: &'static Action,
    pub(super) others: &'static [Action],
    pub(super) given: Map<String, Value>,
    pub(super) wishes: Wishes,
}
