//! The tools of the hooks joined with those of the API: checked at the start, and called like these.

use super::care::{Person, Wishes};
use super::check;
use super::coerce::Coercer;
use super::custom::{Call, CustomTool, Handler, Tools};
use super::reply::Outcome;
use super::schema::Schemas;
use super::server::{Act, Server};
use super::table::Service;
use super::text;
use super::toolsets;
use super::{arguments, own};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The longest name of a tool: clients put the name of the server before it.
const LONGEST_NAME: usize = 46;

/// Keywords of a schema that are checked, or only tell the model something.
const KEYWORDS: &[&str] = &[
    "type",
    "enum",
    "const",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "items",
    "prefixItems",
    "properties",
    "required",
    "additionalProperties",
    "minProperties",
    "maxProperties",
    "anyOf",
    "oneOf",
    "title",
    "description",
    "default",
    "examples",
    "format",
    "pattern",
    "deprecated",
];

/// What the hooks brought, joined with the tables of the service.
#[derive(Default)]
pub(super) struct Custom {
    added: BTreeMap<&'static str, Added>,
    replaced: BTreeMap<String, Handler>,
}

struct Added {
    input: Value,
    takes_away: bool,
    handler: Handler,
}

/// The service with the tools of its owner. What was added lives as long as the process.
///
/// # Errors
/// A sentence that names what does not fit.
pub(super) fn join(
    service: &'static Service,
    tools: Tools,
) -> Result<(&'static Service, Custom), String> {
    let mut custom = Custom::default();
    for (name, handler) in tools.replaced {
        replaceable(service, &name)?;
        if custom.replaced.insert(name.clone(), handler).is_some() {
            return Err(format!("the hooks replace the handler of `{}` twice", text::clean(&name)));
        }
    }
    if tools.added.is_empty() {
        return Ok((service, custom));
    }
    let sets = toolsets::all(service)?;
    let mut rows = toolsets::rows("tools.json", service.tools_json)?;
    for (mut tool, handler) in tools.added {
        named(&tool.name)?;
        free(&rows, &tool)?;
        tool.input = described(&tool.name, &tool.input)?;
        let toolset = match &tool.toolset {
            Some(name) if !sets.contains_key(name) => {
                return Err(format!(
                    "the hooks put the tool `{}` into the toolset `{}`, which this server does not have",
                    tool.name,
                    text::clean(name)
                ));
            }
            Some(name) => Some(name.as_str()),
            None => (!sets.is_empty()).then_some(toolsets::DEFAULT),
        };
        rows.push(tool.row(toolset));
        let added = Added { input: tool.input, takes_away: tool.takes_away, handler };
        custom.added.insert(tool.name.leak(), added);
    }
    let tools_json = toolsets::lines(&rows).leak();
    Ok((Box::leak(Box::new(service.with_tools(tools_json))), custom))
}

/// Checks that a tool is there whose handler can be replaced.
fn replaceable(service: &Service, name: &str) -> Result<(), String> {
    let catalog = service.catalog.iter().flat_map(|c| [Some(c.read), c.write]).flatten();
    let all: Vec<&str> = service.tools.iter().map(|tool| tool.name).chain(catalog).collect();
    if all.contains(&name) {
        return Ok(());
    }
    let meant = text::nearest(name, all.iter().copied());
    let meant = meant.map_or_else(
        || format!("there are {}", text::names(all.iter().copied())),
        |meant| format!("did you mean `{meant}`?"),
    );
    let name = text::cut(&text::clean(name), 80);
    Err(format!("the hooks replace the handler of `{name}`, which is no tool of the API; {meant}"))
}

/// Checks a name as those of generated tools are.
fn named(name: &str) -> Result<(), String> {
    let is_legal = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    if begins && name.len() <= LONGEST_NAME && name.chars().all(is_legal) {
        return Ok(());
    }
    let name = text::cut(&text::clean(name), 80);
    Err(format!(
        "the hooks add a tool `{name}`: a name has at most {LONGEST_NAME} letters of a to z, digits and `_`"
    ))
}

/// Checks that nothing else has the name of a tool.
fn free(rows: &[Value], tool: &CustomTool) -> Result<(), String> {
    let name = tool.name.as_str();
    let own = [own::HEALTH, own::FEEDBACK, toolsets::LIST, toolsets::ENABLE].contains(&name);
    let other = if own {
        "one of the server itself".to_owned()
    } else {
        let Some(row) = rows.iter().find(|row| row["name"] == name) else { return Ok(()) };
        format!("`{}`", text::clean(row["title"].as_str().unwrap_or(name)))
    };
    Err(format!(
        "two tools have the name `{name}`: `{}`, which the hooks add, and {other}; give the one of the hooks another name",
        text::clean(&tool.shown_title())
    ))
}

/// The schema of a tool's arguments, closed unless it says otherwise.
fn described(name: &str, schema: &Value) -> Result<Value, String> {
    let wrong = |what: &str| Err(format!("the input schema of the tool `{name}` {what}"));
    let Value::Object(members) = schema else { return wrong("is no object") };
    if schema["type"] != "object" || !schema["properties"].is_object() {
        return wrong("must have `type: object` and `properties`");
    }
    if ["anyOf", "oneOf"].iter().any(|word| members.contains_key(*word)) {
        return wrong("has alternatives at the top, which clients refuse");
    }
    if let Some(word) = unchecked(schema, 0) {
        return wrong(&format!("has `{}`, which is not checked here", text::clean(&word)));
    }
    let mut closed = members.clone();
    closed.entry("additionalProperties").or_insert(Value::Bool(false));
    Ok(Value::Object(closed))
}

/// A keyword that the checks do not know.
fn unchecked(schema: &Value, depth: usize) -> Option<String> {
    let Value::Object(members) = schema else { return None };
    if depth > 16 {
        return Some("…".to_owned());
    }
    if let Some(word) = members.keys().find(|word| !KEYWORDS.contains(&word.as_str())) {
        return Some(word.clone());
    }
    let list = |word: &str| schema[word].as_array().into_iter().flatten();
    let inner = schema["properties"].as_object().into_iter().flat_map(|own| own.values());
    inner
        .chain(["items", "additionalProperties"].into_iter().filter_map(|word| schema.get(word)))
        .chain(["prefixItems", "anyOf", "oneOf"].into_iter().flat_map(list))
        .find_map(|inner| unchecked(inner, depth + 1))
}

/// What is told of a handler that did not end in time.
const LATE: &str = "The handler of this tool was not done in time and was stopped; the outcome is unknown.\n\
    Action: tell the user. Do not retry.";

impl Custom {
    /// The tool that was added under this name.
    pub(super) fn added(&self, name: &str) -> Option<&'static str> {
        self.added.get_key_value(name).map(|(name, _)| *name)
    }

    /// Whether a generated tool has another handler.
    pub(super) fn replaces(&self, name: &str) -> bool {
        self.replaced.contains_key(name)
    }
}

impl Added {
    /// The arguments as the schema has them.
    fn checked(
        &self,
        tool: &str,
        given: &Map<String, Value>,
    ) -> Result<Map<String, Value>, String> {
        let schemas = Schemas::default();
        let given = Value::Object(given.clone());
        let mended = Coercer::new(&schemas, true).value(&given, &self.input, true);
        let mended = mended.unwrap_or(given);
        let faults = check::check(&schemas, &mended, &self.input);
        match mended {
            Value::Object(arguments) if faults.is_empty() => Ok(arguments),
            _ => {
                let shown = |fault: &check::Fault| {
                    format!("`{}`: {}", check::shown_path(&fault.path), fault.message)
                };
                let faults: Vec<String> = faults.iter().map(shown).collect();
                Err(arguments::refused("Nothing was done", tool, None, &faults))
            }
        }
    }
}

/// The question before a call whose handler is the owner's.
fn question(tool: &str) -> String {
    format!("Really call {tool}? Something may be gone afterwards.")
}

impl Server {
    /// What a person has to be asked before a call of an added tool.
    pub(super) fn question_added(&self, tool: &str, given: &Map<String, Value>) -> Option<String> {
        let added = self.parts.custom.added.get(tool).filter(|added| added.takes_away)?;
        added.checked(tool, given).ok().map(|_| question(tool))
    }

    /// The same for a generated tool with another handler.
    pub(super) fn question_replaced(&self, tool: &str, act: &Act) -> Option<String> {
        self.checked(tool, act).ok().map(|_| question(tool))
    }

    /// Calls an added tool.
    pub(super) async fn call_added(
        &self,
        tool: &'static str,
        given: &Map<String, Value>,
        wishes: Wishes,
        person: Person,
    ) -> Outcome {
        let Some(added) = self.parts.custom.added.get(tool) else {
            return Outcome::error("There is no such tool.");
        };
        let arguments = match added.checked(tool, given) {
            Ok(arguments) => arguments,
            Err(text) => return Outcome::error(text),
        };
        let server = self.clone();
        let call = Call { tool, action: None, arguments, server, person, generated: None };
        self.hand_over(&added.handler, call, wishes, added.takes_away).await
    }

    /// Calls the handler that a generated tool has from the hooks; `None` when it has none.
    pub(super) async fn call_replaced(
        &self,
        tool: &'static str,
        act: &Act,
        person: Person,
    ) -> Option<Outcome> {
        let handler = self.parts.custom.replaced.get(tool)?;
        let arguments = match self.checked(tool, act) {
            Ok(arguments) => arguments,
            Err(text) => return Some(Outcome::error(text)),
        };
        let action = Some(act.action.name);
        let generated = Some(act.clone());
        let call = Call { tool, action, arguments, server: self.clone(), person, generated };
        Some(self.hand_over(handler, call, act.wishes, act.action.takes_away).await)
    }

    fn checked(&self, tool: &str, act: &Act) -> Result<Map<String, Value>, String> {
        let schemas = self.schemas()?;
        arguments::prepare(schemas, tool, act.selector, act.action, act.others, &act.given)?;
        Ok(arguments::mended(schemas, act.action, &act.given))
    }

    async fn hand_over(
        &self,
        handler: &Handler,
        mut call: Call,
        wishes: Wishes,
        takes_away: bool,
    ) -> Outcome {
        let settings = self.settings();
        let longest = settings.longest_text;
        if settings.dry_run || wishes.dry_run {
            let words = "Nothing was done. The owner of this server wrote what the call does.";
            let shown = json!({"dry_run": words, "tool": call.tool, "arguments": call.arguments});
            return Outcome::value(shown, longest);
        }
        if takes_away {
            let ask = question(call.tool);
            if let Err(text) = self.permitted(call.person, wishes, call.tool, &ask) {
                return Outcome::error(text);
            }
            // What the handler does in turn is part of what was agreed to.
            call.person = Person::Agreed;
        }
        // Nobody waits for ever for what an owner wrote.
        match tokio::time::timeout(settings.deadline, handler(call)).await {
            Ok(outcome) => outcome.unwrap_or_else(Outcome::error).fitted(longest),
            Err(_) => Outcome::error(LATE),
        }
    }
}
