//! A generated server between a recorder and a client, and tables of calls for it.

use std::path::PathBuf;

use mcp_gen::plan::Plan;
use serde_json::Value;

use crate::client::{Client, Era, Outcome};
use crate::compare::{Body, compare};
use crate::locate::{locate_binary, workspace};
use crate::recorder::{Answer, Recorder, Request};
use crate::wire;

/// One call and the request that it has to make.
pub struct Case {
    /// What it shows.
    pub name: &'static str,
    /// `METHOD /path`, as in the document.
    pub operation: &'static str,
    /// The values by place.
    pub values: Value,
    /// The request line without the version, below the base URL's path.
    pub line: &'static str,
    /// Headers that have to be there with a value, or not at all.
    pub headers: &'static [(&'static str, Option<&'static str>)],
    /// The body.
    pub body: Body,
}

impl Case {
    /// A call without a body.
    pub fn new(
        name: &'static str,
        operation: &'static str,
        values: Value,
        line: &'static str,
    ) -> Self {
        Self { name, operation, values, line, headers: &[], body: Body::None }
    }

    /// With headers.
    #[must_use]
    pub fn headers(self, headers: &'static [(&'static str, Option<&'static str>)]) -> Self {
        Self { headers, ..self }
    }

    /// With a body.
    #[must_use]
    pub fn body(self, body: Body) -> Self {
        Self { body, ..self }
    }

    /// With the `body` of its values as JSON.
    #[must_use]
    pub fn same_body(self) -> Self {
        let body = Body::Json(self.values["body"].clone());
        Self { body, ..self }
    }
}

/// One call that has to be refused before anything is sent.
pub struct Refusal {
    /// What it shows.
    pub name: &'static str,
    /// `METHOD /path`, as in the document.
    pub operation: &'static str,
    /// The values by place.
    pub values: Value,
    /// What the message has to name; `@path:id` stands for the argument that goes there.
    pub says: &'static [&'static str],
}

/// A generated server, the API that it calls, and a client.
pub struct Bench {
    /// The API.
    pub recorder: Recorder,
    /// The client.
    pub client: Client,
    /// The plan of the server.
    pub plan: Plan,
    /// Its program.
    pub program: PathBuf,
}

/// Path of the base URL that servers are given: it must come before every path.
pub const BASE: &str = "/base/v0";

impl Bench {
    /// Starts the server in `generated/<spec>` with the variables `<PREFIX>_<name>`.
    pub async fn start(spec: &str, variables: &[(&str, &str)], era: Era) -> Self {
        let recorder = Recorder::start().await;
        let plan = plan(spec);
        let program = locate_binary(&package(spec));
        let environment = environment(&plan, &recorder, variables);
        let pairs: Vec<_> = environment.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let client = Client::start(&program, &pairs, era).await;
        Self { recorder, client, plan, program }
    }

    /// The call that sends an operation with these values.
    pub fn spell(&self, operation: &str, values: &Value) -> wire::Call {
        wire::call(&self.plan, operation, values)
    }

    /// Makes the call; gives its outcome and what was sent.
    pub async fn call(&self, operation: &str, values: &Value) -> (Outcome, Vec<Request>) {
        let call = self.spell(operation, values);
        let outcome = self.client.call(&call.tool, &call.arguments).await;
        (outcome, self.recorder.take())
    }

    /// Makes the call with this answer from the API.
    pub async fn answered(&self, answer: Answer, operation: &str, values: &Value) -> Outcome {
        self.recorder.answer(answer);
        self.call(operation, values).await.0
    }

    /// From now on the API answers everything so.
    pub fn always(&self, answer: Answer) {
        self.recorder.script(move |_| answer.clone());
    }

    /// Makes each call, directly and through the catalog where there is one, and compares the
    /// request that it makes. Shows all that is wrong at once.
    pub async fn check(&self, cases: &[Case]) {
        let mut wrong = Vec::new();
        for case in cases {
            let direct = self.spell(case.operation, &case.values);
            let catalog = wire::catalog_call(&self.plan, case.operation, &case.values);
            for call in std::iter::once(&direct).chain(catalog.iter().filter(|c| **c != direct)) {
                let outcome = self.client.call(&call.tool, &call.arguments).await;
                let requests = self.recorder.take();
                let fault = match requests.as_slice() {
                    _ if outcome.is_error => {
                        Err(format!("the result is an error: {}", outcome.text))
                    }
                    [request] => compare(BASE, case, request),
                    _ => Err(format!("{} requests were sent: {requests:?}", requests.len())),
                };
                if let Err(fault) = fault {
                    let Case { name, operation, .. } = case;
                    let wire::Call { tool, arguments } = call;
                    wrong.push(format!("{name} ({operation})\n  {tool} {arguments}\n  {fault}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    }

    /// Makes each call and expects an error with a way out, and that nothing is sent.
    pub async fn check_refused(&self, refusals: &[Refusal]) {
        let mut wrong = Vec::new();
        for refusal in refusals {
            let (outcome, requests) = self.call(refusal.operation, &refusal.values).await;
            let text = &outcome.text;
            let says = refusal.says.iter().map(|word| match word.strip_prefix('@') {
                Some(place) => wire::argument(&self.plan, refusal.operation, place),
                None => (*word).to_owned(),
            });
            let unsaid: Vec<_> = says.filter(|word| !text.contains(word.as_str())).collect();
            if !outcome.is_error || !text.contains("Action:") || !unsaid.is_empty() {
                wrong.push(format!("{}: unsaid {unsaid:?} in: {text}", refusal.name));
            }
            if !requests.is_empty() {
                wrong.push(format!("{}: was sent: {requests:?}", refusal.name));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// The plan in `generated/<spec>`.
pub fn plan(spec: &str) -> Plan {
    let text = read(spec, "mcp-plan.yaml");
    Plan::from_yaml(&text).unwrap_or_else(|error| panic!("the plan of {spec}: {error:?}"))
}

/// The name of the package in `generated/<spec>`.
pub fn package(spec: &str) -> String {
    let manifest = read(spec, "Cargo.toml");
    let line = manifest.lines().find_map(|line| line.strip_prefix("name = \""));
    line.and_then(|rest| rest.strip_suffix('"')).expect("a manifest names its package").to_owned()
}

/// The variables that a server is started with: its base URL and these, each with its prefix.
pub fn environment(
    plan: &Plan,
    recorder: &Recorder,
    variables: &[(&str, &str)],
) -> Vec<(String, String)> {
    let prefix = plan.server.to_uppercase().replace('-', "_");
    let base = format!("{}{BASE}", recorder.origin());
    let mut all = vec![(format!("{prefix}_BASE_URL"), base)];
    all.extend(variables.iter().map(|(n, v)| (format!("{prefix}_{n}"), (*v).to_owned())));
    all
}

fn read(spec: &str, file: &str) -> String {
    let path = workspace().join("generated").join(spec).join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
