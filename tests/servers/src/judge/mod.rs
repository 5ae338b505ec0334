//! Requests of a generated server before a judge of others.
//!
//! Each action of each tool is called twice, with what it requires and with all it takes; the values
//! are made from the schemas of the document. A recorder keeps each request, and [`Prism`], which
//! serves the same document, is shown it byte for byte.

mod pattern;
mod prism;
mod values;

use std::collections::BTreeSet;
use std::path::Path;

use mcp_gen::bind::{Bound, BoundAction, Target, bind};
use mcp_gen::diagnostic::Diagnostics;
use mcp_gen::ir::{Api, Location, SchemeKind};
use mcp_gen::plan::{Effect, Plan};
use serde_json::{Map, Value, json};

pub use prism::{Prism, Verdict};
pub use values::Extent;

use crate::client::{Client, Era};
use crate::recorder::{Recorder, Request};
use crate::wire;

/// What became of one call.
#[derive(Clone, Debug)]
pub struct Judged {
    /// `METHOD /path`, and `all` or `required`.
    pub name: String,
    /// What was said.
    pub ruling: Ruling,
}

/// What was said of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// The judge has nothing against its request.
    Valid,
    /// What the judge says, and the request.
    Invalid(String),
    /// The server sent nothing; what it says.
    Refused(String),
    /// It could not be judged, and why.
    Open(String),
}

/// What is judged.
pub struct Accused<'a> {
    /// The API.
    pub api: &'a Api,
    /// The plan.
    pub plan: &'a Plan,
    /// The folder of the crate.
    pub folder: &'a Path,
    /// Its program.
    pub program: &'a Path,
    /// The document that the judge reads.
    pub document: &'a Path,
}

/// Calls every action and has each request judged.
///
/// # Errors
/// Why nothing could be judged.
pub async fn judge(prism: &Path, accused: &Accused<'_>) -> Result<Vec<Judged>, String> {
    let Accused { api, plan, .. } = accused;
    let mut judge = Prism::start(prism, accused.document).await?;
    let recorder = Recorder::start().await;
    let environment = environment(accused, &recorder)?;
    let pairs: Vec<_> = environment.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let client = Client::start(accused.program, &pairs, Era::Legacy).await;
    let bound = bind(&mut Diagnostics::default(), plan, api);
    let mut judged = Vec::new();
    for (operation, calls) in calls(&bound) {
        for (extent, call) in calls {
            let name = format!("{operation} ({extent})");
            let ruling = match call {
                Err(why) => Ruling::Open(why),
                Ok(call) => rule(&client, &recorder, &judge, &call).await,
            };
            // There are requests that end it, or of which it never comes back.
            if matches!(ruling, Ruling::Open(_)) && !judge.answers().await {
                judge = Prism::start(prism, accused.document).await?;
            }
            judged.push(Judged { name, ruling });
        }
    }
    client.stop().await;
    Ok(judged)
}

async fn rule(client: &Client, recorder: &Recorder, prism: &Prism, call: &wire::Call) -> Ruling {
    let outcome = match client.try_call(&call.tool, &call.arguments).await {
        Ok(outcome) => outcome,
        Err(error) => return Ruling::Refused(format!("JSON-RPC error {}", error.message)),
    };
    let requests = recorder.take();
    let Some(request) = requests.first() else {
        return Ruling::Refused(format!("{} for {}", outcome.text, call.arguments));
    };
    match prism.judge(request).await {
        Ok(Verdict::Valid) => Ruling::Valid,
        Ok(Verdict::Invalid(said)) => Ruling::Invalid(format!("{said}, of {}", brief(request))),
        Err(why) => Ruling::Open(why),
    }
}

fn brief(request: &Request) -> String {
    let body: String = request.text().chars().take(300).collect();
    let kind = request.headers("content-type").join(", ");
    format!("{} {kind} {body}", request.line()).replace('\n', " ").replace('\r', "")
}

type Call = Result<wire::Call, String>;

/// The calls of each operation. The name of a call says how much it gives.
fn calls(bound: &Bound<'_>) -> Vec<(String, Vec<(&'static str, Call)>)> {
    let mut out = Vec::new();
    let mut add = |action: &BoundAction<'_>, call: &dyn Fn(Map<String, Value>) -> wire::Call| {
        let operation = &bound.api.operations[action.operation];
        let made = [("required", Extent::Required), ("all", Extent::All)].map(|(name, extent)| {
            let arguments = if operation.servers.is_empty() {
                arguments(bound.api, action, extent)
            } else {
                Err("it has a server of its own".to_owned())
            };
            (name, arguments.map(call))
        });
        let [(_, Ok(less)), (_, Ok(more))] = &made else {
            return out.push((operation.key.to_string(), made.to_vec()));
        };
        let different = if less == more { &made[1..] } else { &made[..] };
        out.push((operation.key.to_string(), different.to_vec()));
    };
    for tool in &bound.tools {
        for action in &tool.actions {
            add(action, &|mut arguments| {
                if let Some(selector) = &tool.tool.selector {
                    arguments.insert(selector.clone(), action.name.into());
                }
                wire::Call { tool: tool.tool.name.clone(), arguments: arguments.into() }
            });
        }
    }
    if let Some(catalog) = &bound.plan.catalog {
        for entry in &bound.entries {
            let effect = catalog.entries.iter().find(|e| e.name == entry.name).map(|e| e.effect);
            let tool = match (effect, &catalog.write) {
                (Some(Effect::Write), Some(tool)) => tool,
                (Some(Effect::Write | Effect::Read) | None, _) => &catalog.read,
            };
            add(entry, &|arguments| wire::Call {
                tool: tool.name.clone(),
                arguments: json!({"operation": entry.name, "arguments": arguments}),
            });
        }
    }
    out
}

/// The arguments of an action, from a request that the document allows.
fn arguments(
    api: &Api,
    action: &BoundAction<'_>,
    extent: Extent,
) -> Result<Map<String, Value>, String> {
    let operation = &api.operations[action.operation];
    let content = operation.body.as_ref().zip(action.content).map(|(b, i)| &b.contents[i]);
    let body = content.and_then(|content| match content.schema {
        Some(id) => values::value(api, id, extent),
        None => Some(json!(values::ANY)),
    });
    let structured = ["json", "x-www-form-urlencoded", "multipart/"];
    let body = match (body, content) {
        // Such a body is written by whoever calls, as text.
        (Some(Value::Object(members)), Some(content))
            if !structured.iter().any(|kind| content.media_type.contains(kind)) =>
        {
            Some(Value::Object(members).to_string().into())
        }
        (body, _) => body,
    };
    let mut out = Map::new();
    for input in &action.inputs {
        let value = match &input.target {
            Target::Parameter(index) => {
                let parameter = &operation.parameters[*index];
                let wanted = input.required || extent == Extent::All;
                let plain = matches!(parameter.location, Location::Header | Location::Cookie);
                let value = |id| {
                    if plain {
                        values::plain_value(api, id, extent)
                    } else {
                        values::value(api, id, extent)
                    }
                };
                wanted.then(|| value(parameter.schema)).flatten()
            }
            Target::Body(steps) => {
                let whole = operation.body.as_ref().is_some_and(|b| b.required);
                let sent = whole || extent == Extent::All || input.required;
                let place = steps
                    .iter()
                    .try_fold(body.as_ref(), |at, step| Some(at.and_then(|value| value.get(step))));
                place.flatten().filter(|_| sent).cloned()
            }
        };
        match value {
            Some(value) => {
                let spelled = wire::spell(&value, &input.argument.schema);
                out.insert(input.argument.name.clone(), spelled);
            }
            None if input.required => {
                return Err(format!("no value for `{}` can be made", input.argument.name));
            }
            None => {}
        }
    }
    Ok(out)
}

/// Base URL and a value for each credential. How their variables are called stands in the crate.
fn environment(
    accused: &Accused<'_>,
    recorder: &Recorder,
) -> Result<Vec<(String, String)>, String> {
    let path = accused.folder.join("src/service.rs");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let quoted = |line: &str, key: &str| {
        let rest = line.trim().strip_prefix(key)?.strip_prefix(": \"")?;
        rest.strip_suffix("\",").map(str::to_owned)
    };
    let prefix = text
        .lines()
        .find_map(|line| quoted(line, "env_prefix"))
        .ok_or("the crate does not say how its variables begin")?;
    let mut out = vec![(format!("{prefix}_BASE_URL"), recorder.origin())];
    let names: BTreeSet<String> = text.lines().filter_map(|line| quoted(line, "env")).collect();
    let basic = accused.api.schemes.values().any(|s| s.kind == SchemeKind::Basic);
    for name in names {
        out.push((format!("{prefix}_{name}"), "credential".to_owned()));
        if basic {
            out.push((format!("{prefix}_{name}_USERNAME"), "ida".to_owned()));
            out.push((format!("{prefix}_{name}_PASSWORD"), "word".to_owned()));
        }
    }
    Ok(out)
}
