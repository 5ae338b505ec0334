//! From a reply to the result of a tool.

use super::binary::{self, Downloads, Link};
use super::client::Failure;
use super::date;
use super::follow;
use super::hooks::{Reply, Request};
use super::problem::{self, Hint};
use super::request::{argument_of, is_json};
use super::secret::Redactor;
use super::table::{Action, Location, Operation, Service};
use super::text;
use super::trim;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// The result of a tool, before it takes its form on the wire.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Whether the call failed.
    pub is_error: bool,
    /// The text, always there.
    pub text: String,
    /// The same as `text`, as a value; objects only, never with an error.
    pub structured: Option<Value>,
    /// An image, a sound or other bytes: media type and base64.
    pub media: Option<(String, String)>,
    /// A file that was saved and can be read as a resource.
    pub link: Option<Link>,
    /// The status of the API's reply, where there was one.
    pub status: Option<u16>,
}

impl Outcome {
    /// A failure.
    pub fn error(text: impl Into<String>) -> Self {
        Self {
            is_error: true,
            text: text.into(),
            structured: None,
            media: None,
            link: None,
            status: None,
        }
    }

    /// Words without structure.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            is_error: false,
            text: text.into(),
            structured: None,
            media: None,
            link: None,
            status: None,
        }
    }

    /// A value, cut to size. Objects as they are, anything else as `result`.
    pub fn value(value: Value, longest: usize) -> Self {
        let object = if value.is_object() { value } else { json!({ "result": value }) };
        let object = trim::fit(object, longest);
        let text = object.to_string();
        Self {
            is_error: false,
            text,
            structured: Some(object),
            media: None,
            link: None,
            status: None,
        }
    }

    /// Cut to size.
    #[must_use]
    pub fn fitted(mut self, longest: usize) -> Self {
        if let Some(value) = self.structured.take() {
            let object = trim::fit(value, longest);
            self.text = object.to_string();
            self.structured = Some(object);
        } else {
            self.text = text::cut(&self.text, longest);
        }
        self
    }

    /// With every secret taken out.
    #[must_use]
    pub fn redacted(mut self, redactor: &Redactor) -> Self {
        match self.structured.take() {
            Some(value) => {
                let value = redactor.value(value);
                self.text = value.to_string();
                self.structured = Some(value);
            }
            None => self.text = redactor.text(&self.text),
        }
        self
    }
}

impl From<Value> for Outcome {
    fn from(value: Value) -> Self {
        Self::value(value, usize::MAX)
    }
}

impl From<String> for Outcome {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for Outcome {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

/// What a reply is judged with.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The server's tables.
    pub service: &'static Service,
    /// The path of the API's base URL.
    pub prefix: &'a str,
    /// The action.
    pub action: &'static Action,
    /// Its operation.
    pub operation: &'static Operation,
    /// The request.
    pub request: &'a Request,
    /// The variables of the credentials in use.
    pub variables: &'a str,
    /// The longest text in characters.
    pub longest: usize,
    /// What becomes of bytes that are no text.
    pub downloads: &'a Downloads,
}

/// Shapes a reply.
pub fn shape(context: Context, redactor: &Redactor, reply: &Reply) -> Outcome {
    // Before anything is cut: half a secret would not be known any more.
    let body = redactor.bytes(&reply.body);
    // A name of a file and a media type are shown too.
    let clean = |(name, value): &(String, String)| (name.clone(), redactor.text(value));
    let headers = reply.headers.iter().map(clean).collect();
    let reply = &Reply {
        status: reply.status,
        headers,
        body,
        unfinished: reply.unfinished,
        attempts: reply.attempts,
    };
    let mut outcome = match reply.status {
        200..=299 | 304 => success(context, redactor, reply),
        _ => failed(context, redactor, reply),
    };
    outcome.status = Some(reply.status);
    outcome.redacted(redactor)
}

fn failed(context: Context, redactor: &Redactor, reply: &Reply) -> Outcome {
    let now = std::time::SystemTime::now();
    let told = reply.header("retry-after").and_then(|text| date::retry_after(text, now));
    let reset = || {
        let names = ["ratelimit-reset", "x-ratelimit-reset", "x-rate-limit-reset"];
        let text = names.iter().find_map(|name| reply.header(name))?;
        date::reset(text, now).filter(|_| reply.status == 429)
    };
    let wait = told.or_else(reset);
    let hint = Hint {
        reads: context.operation.reads,
        sibling: context.action.sibling,
        variables: context.variables,
        wait: wait.map(|wait| wait.as_secs()),
    };
    let mut first =
        format!("HTTP {}{} from {}.", reply.status, reason(reply.status), context.operation.key);
    if (300..400).contains(&reply.status) {
        let target = reply.header("location").and_then(|text| context.request.url.join(text).ok());
        if let Some(target) = target {
            let home = target.origin() == context.request.url.origin();
            let origin = target.origin().ascii_serialization();
            let shown = if home { target.path() } else { origin.as_str() };
            first = format!("{first} It redirects to {shown}.");
        }
    }
    if matches!(reply.status, 404 | 410) && reply.attempts > 1 && !context.operation.reads {
        first.push_str(" The call was sent more than once; an earlier attempt may have done it.");
    }
    Outcome::error(problem::compose(
        &first,
        &problem::words(reply, redactor),
        &problem::action(reply.status, hint),
    ))
}

fn reason(status: u16) -> String {
    reqwest::StatusCode::from_u16(status)
        .ok()
        .and_then(|code| code.canonical_reason())
        .map_or_else(String::new, |words| format!(" {words}"))
}

/// What to tell when there is no reply.
pub fn no_reply(context: Context, failure: &Failure) -> Outcome {
    let origin = context.request.url.origin().ascii_serialization();
    let look = context
        .action
        .sibling
        .map_or_else(|| "the tool that reads it".to_owned(), |name| format!("`{name}`"));
    let again = if context.operation.reads {
        "Action: try once more, or narrow the call.".to_owned()
    } else {
        format!("Action: the outcome is unknown; check the state with {look} before trying again.")
    };
    Outcome::error(match failure {
        Failure::Unsendable(why) => {
            format!(
                "{} cannot be sent: {why}. Nothing was sent.\nAction: correct the arguments, or tell the user.",
                context.operation.key
            )
        }
        Failure::Forbidden(why) => format!(
            "{} is not called: {why}. Nothing was sent.\nAction: ask the user. Do not retry.",
            context.operation.key
        ),
        Failure::Unreachable(why) => format!(
            "The API at {origin} cannot be reached: {why}.\nAction: ask the user to check the network and the base URL. Nothing was sent."
        ),
        Failure::Broken(why) => format!("The connection to {origin} broke: {why}.\n{again}"),
        Failure::Late => format!("The API at {origin} did not answer in time.\n{again}"),
        Failure::Busy(wait) => format!(
            "This server sends no more requests for now: its own limit is reached. Nothing was sent.\nAction: wait {} seconds and call again.",
            wait.as_secs().max(1)
        ),
        Failure::TooLarge(most) => format!(
            "The reply of {} is larger than {} MiB and was not read to its end.\nAction: narrow the call: use a filter, a limit or a page.",
            context.operation.key,
            most / (1024 * 1024)
        ),
    })
}

fn success(context: Context, redactor: &Redactor, reply: &Reply) -> Outcome {
    let kind = reply.header("content-type").unwrap_or_default().to_ascii_lowercase();
    let plain = kind.split(';').next().unwrap_or_default().trim().to_owned();
    let extra = extras(context, reply);
    if reply.body.is_empty() || matches!(reply.status, 204 | 205 | 304) {
        let mut words = format!("HTTP {}: success, no content.", reply.status);
        for (name, value) in &extra {
            words = format!(
                "{words}\n{}: {}",
                name.trim_start_matches('_'),
                value.as_str().map_or_else(|| value.to_string(), str::to_owned)
            );
        }
        return Outcome::text(text::clean(&words));
    }
    if is_json(&plain) || (plain.is_empty() && matches!(reply.body.first(), Some(b'{' | b'['))) {
        let body = decoded(&kind, &reply.body);
        return match serde_json::from_str::<Value>(&trim::quote_big_integers(&body)) {
            Ok(value) => json_outcome(context, redactor, value, extra),
            Err(_) => {
                words(context, &body, "The API declared JSON, but this cannot be read as JSON.")
            }
        };
    }
    if is_stream(&plain) {
        let body = decoded(&kind, &reply.body);
        let events = events(&plain, if reply.unfinished { whole(&plain, &body) } else { &body });
        let mut value = json!({ "events": events.iter().take(100).collect::<Vec<_>>() });
        if reply.unfinished || events.len() > 100 {
            value["_truncated"] =
                json!({"hint": "The stream went on; only its beginning is here."});
        }
        return json_outcome(context, redactor, value, Map::new());
    }
    if is_text(&plain, &reply.body) {
        return words(context, &decoded(&kind, &reply.body), "");
    }
    binary::outcome(context, reply, &plain)
}

fn json_outcome(
    context: Context,
    redactor: &Redactor,
    value: Value,
    extra: Map<String, Value>,
) -> Outcome {
    let mut object = match redactor.value(value) {
        Value::Object(members) => members,
        other => Map::from_iter([("result".to_owned(), other)]),
    };
    for (name, value) in extra {
        object.entry(name).or_insert(redactor.value(value));
    }
    let mut outcome = Outcome::value(Value::Object(object), context.longest);
    let arguments: Vec<&str> = context.action.inputs.iter().map(|input| input.argument).collect();
    if let Some(value) = &mut outcome.structured
        && trim::teach(value, &arguments)
    {
        outcome.text = value.to_string();
    }
    outcome
}

fn words(context: Context, body: &str, note: &str) -> Outcome {
    let mut out = if note.is_empty() { String::new() } else { format!("{note}\n") };
    let body = text::clean(body);
    let room = context.longest.saturating_sub(out.chars().count() + 120);
    let total = body.chars().count();
    if total > room {
        out.push_str(&text::cut(&body, room));
        let _ = write!(out, "\n[shortened: {room} of {total} characters]");
    } else {
        out.push_str(&body);
    }
    if out.trim().is_empty() {
        return Outcome::text("HTTP 200: success, only white space.");
    }
    Outcome::text(out)
}

fn decoded(kind: &str, body: &[u8]) -> String {
    let charset = kind
        .split("charset=")
        .nth(1)
        .map(|rest| rest.trim_matches(['"', ' ', '\'']).to_owned())
        .unwrap_or_default();
    if let Some(rest) = body.strip_prefix(b"\xef\xbb\xbf") {
        return String::from_utf8_lossy(rest).into_owned();
    }
    let wide = |bytes: &[u8], read: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| read([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    if let Some(rest) = body.strip_prefix(b"\xff\xfe") {
        return wide(rest, u16::from_le_bytes);
    }
    if let Some(rest) = body.strip_prefix(b"\xfe\xff") {
        return wide(rest, u16::from_be_bytes);
    }
    if charset.starts_with("iso-8859-1")
        || charset.starts_with("latin1")
        || charset.starts_with("windows-1252")
    {
        return body.iter().map(|byte| char::from(*byte)).collect();
    }
    String::from_utf8_lossy(body).into_owned()
}

fn is_text(plain: &str, body: &[u8]) -> bool {
    let named = plain.starts_with("text/")
        || plain.ends_with("+xml")
        || plain.ends_with("+yaml")
        || [
            "application/xml",
            "application/yaml",
            "application/x-yaml",
            "application/javascript",
            "application/csv",
        ]
        .contains(&plain)
        || [
            "application/graphql",
            "application/sql",
            "application/toml",
            "application/x-www-form-urlencoded",
        ]
        .contains(&plain);
    // Without a type, what reads as text is text.
    named || (plain.is_empty() && std::str::from_utf8(body).is_ok_and(|text| !text.contains('\0')))
}

fn is_stream(plain: &str) -> bool {
    [
        "text/event-stream",
        "application/x-ndjson",
        "application/ndjson",
        "application/jsonl",
        "application/json-seq",
    ]
    .contains(&plain)
}

/// What is there of a stream that was left, without the event that was cut; one that is all there is
/// stays.
fn whole<'a>(plain: &str, body: &'a str) -> &'a str {
    let ends: &[&str] =
        if plain == "text/event-stream" { &["\n\n", "\n\r\n"] } else { &["\n", "\u{1e}"] };
    let last = ends.iter().filter_map(|end| body.rfind(end).map(|at| at + end.len())).max();
    match last.and_then(|at| body.get(..at)) {
        Some(whole) if !whole.trim_matches(['\u{1e}', '\r', '\n', ' ']).is_empty() => whole,
        _ => body,
    }
}

/// Server-sent events, or one JSON value a line.
fn events(plain: &str, body: &str) -> Vec<Value> {
    let read = |text: &str| {
        serde_json::from_str(&trim::quote_big_integers(text)).unwrap_or_else(|_| Value::from(text))
    };
    if plain != "text/event-stream" {
        let lines = body
            .lines()
            .map(|line| line.trim_matches(['\u{1e}', ' ', '\r']))
            .filter(|line| !line.is_empty());
        return lines.take(101).map(read).collect();
    }
    let mut out = Vec::new();
    let mut data: Vec<&str> = Vec::new();
    for line in body.lines().chain(std::iter::once("")) {
        if line.is_empty() {
            if !data.is_empty() {
                out.push(read(&data.join("\n")));
                data.clear();
            }
        } else if let Some(rest) = line.strip_prefix("data:") {
            data.push(rest.strip_prefix(' ').unwrap_or(rest));
        }
        if out.len() > 100 {
            break;
        }
    }
    out
}

/// Facts from headers: where a new resource is, and how to get the next page.
fn extras(context: Context, reply: &Reply) -> Map<String, Value> {
    let mut out = Map::new();
    let url = &context.request.url;
    if matches!(reply.status, 201 | 202) {
        for name in ["location", "operation-location", "azure-asyncoperation"] {
            let target = reply.header(name).and_then(|text| url.join(text).ok());
            if let Some(target) = target.filter(|target| target.origin() == url.origin()) {
                out.insert("_location".to_owned(), Value::from(target.path()));
                if let Some(call) = follow::call(context.service, context.prefix, &target) {
                    let name = if reply.status == 202 { "_poll_with" } else { "_read_with" };
                    out.insert(name.to_owned(), call);
                }
            }
        }
        let sibling = context.action.sibling.filter(|_| reply.status == 202);
        if let Some(tool) = sibling.filter(|_| !out.contains_key("_poll_with")) {
            out.insert("_poll_with".to_owned(), json!({ "tool": tool }));
        }
        if let Some(wait) = reply.header("retry-after").filter(|_| reply.status == 202) {
            out.insert("_retry_after".to_owned(), Value::from(wait));
        }
    }
    if let Some(target) = reply.header("link").and_then(|links| next_link(links, url)) {
        let mut arguments = Map::new();
        for (name, value) in target.query_pairs() {
            let index = context.operation.parameters.iter().position(|parameter| {
                parameter.location == Location::Query && parameter.name == name
            });
            let unchanged = url.query_pairs().any(|pair| pair == (name.clone(), value.clone()));
            if let Some(index) = index.filter(|_| !unchanged) {
                arguments.insert(
                    argument_of(context.action, context.operation, index),
                    Value::from(value.into_owned()),
                );
            }
        }
        if !arguments.is_empty() {
            out.insert("_next".to_owned(), Value::Object(arguments));
        }
    }
    out
}

/// The target of `rel="next"`, where it is on the same origin.
fn next_link(links: &str, url: &reqwest::Url) -> Option<reqwest::Url> {
    let mut rest = links;
    while let Some(start) = rest.find('<') {
        let end = rest[start..].find('>')? + start;
        let target = &rest[start + 1..end];
        let after = &rest[end + 1..];
        let stop = after.find('<').unwrap_or(after.len());
        let relations = after[..stop]
            .split(';')
            .filter_map(|part| part.trim().strip_prefix("rel="))
            .flat_map(|value| {
                value.trim_end_matches([',', ' ']).trim_matches('"').split(' ').collect::<Vec<_>>()
            });
        if relations.into_iter().any(|relation| relation.eq_ignore_ascii_case("next")) {
            return url.join(target).ok().filter(|target| target.origin() == url.origin());
        }
        rest = &after[stop..];
    }
    None
}
