//! Where the requests of a plan go, and with which credentials.

use std::collections::{BTreeMap, BTreeSet};

use super::server;
use crate::ir::{Api, ApiKeyPlace, SchemeKind, first_base_url};
use crate::plan::{Connection, Plan};

/// The connection that the document gives the operations that `plan` reaches.
pub fn connection(plan: &Plan, api: &Api) -> Connection {
    let actions = plan.tools.iter().flat_map(|t| &t.actions).map(|a| a.operation.as_str());
    let entries = plan.catalog.iter().flat_map(|c| &c.entries).map(|e| e.operation.as_str());
    let reached: BTreeSet<&str> = actions.chain(entries).collect();
    let operations = api.operations.iter().filter(|o| reached.contains(o.key.to_string().as_str()));
    let base = first_base_url(&api.servers);
    let mut servers = BTreeSet::new();
    let mut scopes = BTreeMap::<&str, BTreeSet<&str>>::new();
    for operation in operations {
        let own = first_base_url(&operation.servers).or_else(|| base.clone());
        servers.extend(own.map(|own| own.text().to_owned()));
        for (name, wanted) in operation.security.iter().flat_map(|r| &r.schemes) {
            scopes.entry(name).or_default().extend(wanted.iter().map(String::as_str));
        }
    }
    let credentials = scopes.iter().filter_map(|(name, scopes)| {
        let scheme = api.schemes.get(*name).filter(|s| server::is_usable(s))?;
        let scopes: Vec<_> = scopes.iter().copied().collect();
        let scopes = match scopes.as_slice() {
            [] => String::new(),
            some => format!(", scopes {}", some.join(" ")),
        };
        Some(((*name).to_owned(), format!("{}{scopes}", words(&scheme.kind))))
    });
    Connection {
        servers: servers.into_iter().collect(),
        credentials: credentials.collect(),
        arrays: plan.connection.arrays.clone(),
    }
}

/// What a credential is and where it goes.
fn words(kind: &SchemeKind) -> String {
    match kind {
        SchemeKind::ApiKey { place, name } => {
            let place = match place {
                ApiKeyPlace::Header => "header",
                ApiKeyPlace::Query => "query parameter",
                ApiKeyPlace::Cookie => "cookie",
            };
            format!("API key in the {place} {name}")
        }
        SchemeKind::Basic => "user name and password".to_owned(),
        SchemeKind::Bearer => "bearer token".to_owned(),
        SchemeKind::OtherHttp { scheme } => format!("HTTP scheme {scheme}"),
        SchemeKind::OAuth2 { client_credentials: Some(url), .. } => {
            format!("OAuth 2, tokens from {url}")
        }
        SchemeKind::OAuth2 { client_credentials: None, .. } => "OAuth 2".to_owned(),
        SchemeKind::OpenIdConnect { url } => format!("OpenID Connect, {url}"),
        SchemeKind::MutualTls => "client certificate".to_owned(),
    }
}
