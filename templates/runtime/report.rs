//! `--check`: whether the settings are such that calls can work. Nothing is sent.

use super::auth;
use super::server::Server;
use super::settings::{Credential, variables};
use super::table::{Action, Call, Operation};
use super::text;
use std::fmt::Write as _;

/// The report, and whether something must be mended before the server can work.
pub fn report(server: &Server) -> (String, bool) {
    let mut out = String::new();
    let mut bad = false;
    let mut say = |fine: bool, text: &str| {
        bad |= !fine;
        let _ = writeln!(out, "{} {text}", if fine { "ok   " } else { "ERROR" });
    };
    let (service, settings) = (server.service(), server.settings());
    match server.schemas().and_then(|_| server.index()) {
        Ok(_) => {
            let tools = server.tools().len();
            say(true, &format!("tools: {tools}, operations: {}", operations(server).len()));
        }
        Err(why) => say(false, &why),
    }
    match &settings.base {
        Ok(Some(base)) => {
            let from =
                if settings.base_is_set { settings.base_variable.as_str() } else { "document" };
            say(true, &format!("base URL: {}{} ({from})", base.shown(), base.prefix()));
        }
        Ok(None) => say(false, &format!("base URL: set {}", settings.base_variable)),
        Err(why) => say(false, &format!("base URL: {why}")),
    }
    for (scheme, credential) in service.schemes.iter().zip(&settings.credentials) {
        let name = text::clean(scheme.name);
        match credential {
            Credential::Missing => {
                say(
                    true,
                    &format!("credential `{name}`: none; set {}", variables(service, scheme)),
                );
            }
            Credential::Unusable(why) => say(false, &format!("credential `{name}`: {why}")),
            Credential::Value(_) | Credential::Pair(..) | Credential::Client { .. } => {
                say(true, &format!("credential `{name}`: set"));
            }
        }
    }
    match server.client().http(false).and(server.client().http(true)) {
        Ok(_) => say(true, "TLS and proxy settings"),
        Err(why) => say(false, &format!("TLS and proxy settings: {why}")),
    }
    let all = operations(server);
    let closed =
        all.iter().filter(|operation| auth::choose(service, settings, operation).is_err()).count();
    if closed > 0 {
        say(
            true,
            &format!("{closed} of {} operations need a credential that is not set", all.len()),
        );
    }
    (out, bad)
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
