//! `--check`: whether the settings are such that calls can work, and whether the host of the API
//! can be reached. No request is sent.

use super::auth;
use super::server::Server;
use super::settings::{Credential, variables};
use super::table::{Action, Call, Operation};
use super::text;
use std::fmt::Write as _;

const FINE: &str = "ok";
const NOTE: &str = "note";
const BAD: &str = "ERROR";

/// The report, and whether something must be mended before the server can work.
pub async fn report(server: &Server) -> (String, bool) {
    let mut out = String::new();
    let mut bad = false;
    let mut say = |state: &str, text: &str| {
        bad |= state == BAD;
        let _ = writeln!(out, "{state:5} {text}");
    };
    let (service, settings) = (server.service(), server.settings());
    match server.schemas().and_then(|_| server.view().index().map(drop)) {
        Ok(()) => {
            let tools = server.tools().len();
            say(FINE, &format!("tools: {tools}, operations: {}", operations(server).len()));
        }
        Err(why) => say(BAD, &why),
    }
    match (&settings.base, ready(server)) {
        (Ok(Some(base)), Ok(())) => {
            let from =
                if settings.base_is_set { settings.base_variable.as_str() } else { "document" };
            say(FINE, &format!("base URL: {}{} ({from})", base.shown(), base.prefix()));
        }
        (_, Ok(())) => say(FINE, "base URL: each operation has its own"),
        (_, Err(why)) => say(BAD, &format!("base URL: {why}")),
    }
    let at_hand = server.at_hand().await;
    for (index, scheme) in service.schemes.iter().enumerate() {
        let name = text::clean(scheme.name);
        match at_hand.get(index) {
            Credential::Missing => {
                say(
                    FINE,
                    &format!("credential `{name}`: none; set {}", variables(service, scheme)),
                );
            }
            Credential::Unusable(why) => say(BAD, &format!("credential `{name}`: {why}")),
            Credential::Value(_) | Credential::Pair(..) | Credential::Client { .. } => {
                let by = if at_hand.is_given(index) { "from the hooks" } else { "set" };
                say(FINE, &format!("credential `{name}`: {by}"));
            }
        }
    }
    if !settings.headers.is_empty() {
        let names: Vec<&str> = settings.headers.iter().map(|h| h.name.as_str()).collect();
        say(FINE, &format!("headers of all requests: {}", names.join(", ")));
    }
    match server.client().http(false).and(server.client().http(true)) {
        Ok(_) => say(FINE, "TLS and proxy settings"),
        Err(why) => say(BAD, &format!("TLS and proxy settings: {why}")),
    }
    let all = operations(server);
    let closed =
        all.iter().filter(|operation| auth::choose(service, &at_hand, operation).is_err()).count();
    if closed > 0 {
        say(
            NOTE,
            &format!("{closed} of {} operations need a credential that is not set", all.len()),
        );
    }
    (out, bad)
}

/// Whether it is known where requests go.
///
/// # Errors
/// A sentence that names the setting which is missing or wrong; such a server need not start.
pub fn ready(server: &Server) -> Result<(), String> {
    let (service, settings) = (server.service(), server.settings());
    let has_own =
        |operation: &&Operation| operation.base_url.is_some_and(|url| !url.starts_with('/'));
    match &settings.base {
        Ok(Some(_)) => Ok(()),
        Err(why) => Err(why.clone()),
        Ok(None) if operations(server).iter().all(has_own) => Ok(()),
        Ok(None) => {
            let path = service.base_url.filter(|path| path.starts_with('/'));
            let told =
                path.map_or_else(String::new, |path| format!(", only `{}`", text::clean(path)));
            Err(format!(
                "the document does not say where the API lives{told}; set {} to its address, such as https://api.example.com",
                settings.base_variable
            ))
        }
    }
}

/// Whether a connection to the host of the API comes about; `None` when there is no address. The
/// second value says whether it must be mended.
pub async fn reach(server: &Server) -> Option<(String, bool)> {
    let settings = server.settings();
    let Ok(Some(base)) = &settings.base else { return None };
    if settings.is_proxied {
        return Some((
            format!("{NOTE:5} reachability: not tried, a proxy stands between\n"),
            false,
        ));
    }
    let url = base.join("").ok()?;
    let host = url.host_str()?.trim_matches(['[', ']']).to_owned();
    let connected = tokio::time::timeout(
        settings.connect_timeout,
        tokio::net::TcpStream::connect((host, url.port_or_known_default()?)),
    );
    let (state, words) = match connected.await {
        Ok(Ok(_)) => (FINE, "a connection comes about".to_owned()),
        Ok(Err(error)) => (BAD, error.to_string()),
        Err(_) => (BAD, "no connection in time".to_owned()),
    };
    Some((format!("{state:5} reachability: {}: {words}\n", base.shown()), state == BAD))
}

/// The operations that can be called, each once.
fn operations(server: &Server) -> Vec<&'static Operation> {
    let service = server.service();
    let direct = service.tools.iter().flat_map(|tool| tool.actions);
    let catalog = service.catalog.iter().flat_map(|catalog| catalog.actions);
    let mut out: Vec<&Operation> = Vec::new();
    for action in direct.chain(catalog) {
        let Action { call: Call::Operation(operation), .. } = action;
        if !out.iter().any(|known| known.key == operation.key) {
            out.push(operation);
        }
    }
    out
}
