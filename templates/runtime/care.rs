//! Care with calls that change something: a request is shown instead of sent, a server only reads,
//! and a person is asked before something is gone.

use super::auth::may_receive;
use super::reply::Outcome;
use super::secret::Redactor;
use super::settings::{Header, Settings};
use super::table::{Need, SchemeKind, Service};
use super::text;
use rmcp::model::Tool;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The argument that asks for the request instead of the call.
pub const DRY_RUN: &str = "dry_run";
/// The argument that says that the user agreed.
pub const CONFIRM: &str = "confirm";

/// What happens before something is taken away, where the client cannot ask a person. Where it can,
/// it is asked to in every case but [`Confirm::Off`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Confirm {
    /// The call goes on.
    #[default]
    Ask,
    /// The call needs `confirm`.
    Argument,
    /// The call is refused.
    Refuse,
    /// Nobody is asked.
    Off,
}

/// The ways by name.
pub const CONFIRMS: [(&str, Confirm); 4] = [
    ("ask", Confirm::Ask),
    ("argument", Confirm::Argument),
    ("refuse", Confirm::Refuse),
    ("off", Confirm::Off),
];

/// Whether a person was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Person {
    /// There is no way to ask.
    Unreachable,
    /// Asked, and agreed.
    Agreed,
}

/// The arguments of the server itself that a tool was given besides its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    dry_run: bool,
    confirm: bool,
}

/// What a call wishes for by them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// The request is shown and not sent.
    pub dry_run: bool,
    /// The model says that the user agreed.
    pub confirmed: bool,
}

/// Adds the arguments of the server to the tools that may take something away, where the API has
/// none of that name.
pub fn extend(tools: &mut [Tool], settings: &Settings) -> BTreeMap<String, Extras> {
    let mut out = BTreeMap::new();
    let is_destructive = |tool: &&mut Tool| {
        let hints = tool.annotations.as_ref();
        hints.is_some_and(|hints| {
            hints.destructive_hint == Some(true) && hints.read_only_hint != Some(true)
        })
    };
    for tool in tools.iter_mut().filter(is_destructive) {
        let mut schema = (*tool.input_schema).clone();
        let Some(Value::Object(properties)) = schema.get_mut("properties") else { continue };
        let mut add = |name: &str, words: &str| {
            if properties.contains_key(name) {
                return false;
            }
            properties.insert(name.to_owned(), json!({"type": "boolean", "description": words}));
            true
        };
        let dry_run = add(DRY_RUN, "true: show the request, send nothing.");
        let confirm = settings.confirm == Confirm::Argument
            && add(CONFIRM, "true: the user agreed to what is taken away. Ask first.");
        out.insert(tool.name.to_string(), Extras { dry_run, confirm });
        tool.input_schema = schema.into();
    }
    out
}

/// Takes the arguments of the server out of what was given.
///
/// # Errors
/// What to tell the model.
pub fn wishes(
    tool: &str,
    extras: Extras,
    given: &mut Map<String, Value>,
) -> Result<Wishes, String> {
    let mut take = |name: &str, is_own: bool| {
        if !is_own {
            return Ok(false);
        }
        // What cannot be read must not mean that something is sent.
        match given.shift_remove(name) {
            None | Some(Value::Null | Value::Bool(false)) => Ok(false),
            Some(Value::Bool(true)) => Ok(true),
            Some(Value::String(text)) if text.eq_ignore_ascii_case("true") => Ok(true),
            Some(Value::String(text)) if text.is_empty() || text.eq_ignore_ascii_case("false") => {
                Ok(false)
            }
            Some(_) => Err(format!(
                "Nothing was sent.\n- `{name}`: must be true or false.\nAction: correct it and call `{tool}` again."
            )),
        }
    };
    Ok(Wishes {
        dry_run: take(DRY_RUN, extras.dry_run)?,
        confirmed: take(CONFIRM, extras.confirm)?,
    })
}

/// The question before such a call.
pub fn question(request: &super::hooks::Request) -> String {
    let query = request.url.query().map_or_else(String::new, |query| format!("?{query}"));
    let path = text::cut(&text::clean(&format!("{}{query}", request.url.path())), 300);
    let origin = request.url.origin().ascii_serialization();
    // Which things a bulk request takes away may stand in its body alone.
    let body =
        request.body.as_deref().filter(|body| !body.is_empty()).map_or_else(String::new, |body| {
            match std::str::from_utf8(body) {
                Ok(body) => format!(" with `{}`", text::cut(&text::clean(body), 300)),
                Err(_) => format!(" with {} bytes", body.len()),
            }
        });
    format!(
        "Really send {} {path}{body} to {origin}? Something may be gone afterwards.",
        request.method
    )
}

/// Whether a call that takes something away may go on without a person.
///
/// # Errors
/// What to tell the model.
pub fn permitted(
    way: Confirm,
    wishes: Wishes,
    prefix: &str,
    tool: &str,
    question: &str,
) -> Result<(), String> {
    match way {
        Confirm::Ask | Confirm::Off => Ok(()),
        Confirm::Argument if wishes.confirmed => Ok(()),
        Confirm::Argument => Err(format!(
            "Nothing was sent. {question}\nAction: ask the user; only when they agree, call `{tool}` again with `{CONFIRM}` true."
        )),
        Confirm::Refuse => Err(format!(
            "Nothing was sent: the user has to confirm this, and this client cannot ask.\nAction: tell the user that {prefix}_CONFIRM decides this. Do not retry."
        )),
    }
}

/// The request that would be sent, without credentials.
pub fn shown(
    service: &Service,
    redactor: &Redactor,
    settings: &Settings,
    needs: &Result<&[Need], String>,
    request: &super::hooks::Request,
) -> Outcome {
    let mut headers = Map::new();
    for (name, value) in &request.headers {
        headers.insert(name.clone(), json!(value));
    }
    if may_receive(settings, &request.url) {
        for Header { name, value, is_secret } in &settings.headers {
            let shown = if *is_secret { "[secret]" } else { value.reveal() };
            headers.insert(name.clone(), json!(shown));
        }
    }
    if !request.cookies.is_empty() {
        headers.insert("cookie".to_owned(), json!(request.cookies.join("; ")));
    }
    let credentials = match needs {
        Ok(needs) => {
            let place = |need: &Need| {
                let scheme = service.schemes.get(need.scheme)?;
                Some(match scheme.kind {
                    SchemeKind::HeaderKey(name) => format!("header {name}"),
                    SchemeKind::QueryKey(name) => format!("query {name}"),
                    SchemeKind::CookieKey(name) => format!("cookie {name}"),
                    SchemeKind::MutualTls => "client certificate".to_owned(),
                    SchemeKind::Basic
                    | SchemeKind::Bearer
                    | SchemeKind::Http(_)
                    | SchemeKind::OAuth2 { .. } => "header Authorization".to_owned(),
                })
            };
            json!(
                needs
                    .iter()
                    .filter_map(place)
                    .map(|place| format!("{place} (hidden)"))
                    .collect::<Vec<_>>()
            )
        }
        Err(_) => json!(["missing; the call would be refused"]),
    };
    let body = request.body.as_deref().map(|bytes| match std::str::from_utf8(bytes) {
        Ok(text) => match serde_json::from_str::<Value>(&super::trim::quote_big_integers(text)) {
            Ok(value) => value,
            Err(_) => json!(text::clean(text)),
        },
        Err(_) => json!(format!("{} bytes", bytes.len())),
    });
    let mut out = Map::new();
    out.insert("dry_run".to_owned(), json!("Nothing was sent. This is the request that would be."));
    out.insert("method".to_owned(), json!(request.method));
    out.insert("url".to_owned(), json!(request.url.as_str()));
    out.insert("headers".to_owned(), Value::Object(headers));
    out.insert("credentials".to_owned(), credentials);
    if let Some(body) = body {
        out.insert("body".to_owned(), body);
    }
    Outcome::value(redactor.value(Value::Object(out)), settings.longest_text)
}
