//! Small objects by way of the `openapiv3` types: what these accept is as the specification says;
//! what they refuse is read field by field, with a note.

use serde::de::DeserializeOwned;

use super::fields::Known;
use super::lower::{Lowerer, Spot};
use crate::diagnostic::reading;
use crate::ir::{BaseUrl, Server, ServerVariable};

impl<'a> Lowerer<'a, '_> {
    /// The object at `spot` as the specification has it; a note when it is not so.
    pub(super) fn typed<T: DeserializeOwned>(&mut self, spot: &Spot<'a>, what: &str) -> Option<T> {
        match try_typed(spot) {
            Ok(value) => Some(value),
            Err(error) => {
                self.loose(spot, what, &error);
                None
            }
        }
    }

    /// Notes that the object at `spot` is not as the specification has it.
    pub(super) fn loose(&mut self, spot: &Spot<'a>, what: &str, error: &str) {
        // serde speaks of our own types; `expected struct Server` says nothing to an author.
        let error = error.split_once(", expected struct ").map_or(error, |(start, _)| start);
        let error = error.replace("\\\"", "\"");
        let message = format!("{what} is not as the specification says: {error}");
        self.report(&reading::LOOSE_OBJECT, spot, message);
    }

    /// Title, version and description of the API.
    pub(super) fn info(&mut self) -> (String, String, Option<String>) {
        let root = self.root();
        let Some(spot) = self.object(&root, "info") else {
            if root.get("info").is_none() {
                self.report(&reading::LOOSE_OBJECT, &root, "the document has no `info`");
            }
            return (String::new(), String::new(), None);
        };
        self.known_fields(&spot, Known::Info);
        let summary = self.text(&spot, "summary");
        match self.typed::<openapiv3::Info>(&spot, "`info`") {
            Some(info) => (info.title, info.version, info.description.or(summary)),
            None => (
                self.text(&spot, "title").unwrap_or_default(),
                self.text(&spot, "version").unwrap_or_default(),
                self.text(&spot, "description").or(summary),
            ),
        }
    }

    /// The `servers` of `spot`.
    pub(super) fn servers(&mut self, spot: &Spot<'a>) -> Vec<Server> {
        let Some(list) = self.list(spot, "servers") else { return Vec::new() };
        self.parts += list.items().len();
        let mut servers = Vec::new();
        for spot in list.items() {
            let Some(server) = self.server(&spot) else { continue };
            self.judge(&spot, &server);
            servers.push(server);
        }
        servers
    }

    /// Says when requests cannot go to a server, or only with a host that somebody else names.
    fn judge(&mut self, spot: &Spot<'a>, server: &Server) {
        let url = &server.url;
        for (name, variable) in &server.variables {
            let message = if !url.contains(&format!("{{{name}}}")) {
                format!("`{url}` has no `{{{name}}}`; the variable is not used")
            } else if !variable.allowed.is_empty() && !variable.allowed.contains(&variable.default)
            {
                format!(
                    "the default `{}` of `{name}` is not among its values; it is used all the same",
                    variable.default
                )
            } else {
                continue;
            };
            let place = spot.get("variables").and_then(|all| all.get(name));
            self.report(&reading::ODD_DECLARATION, &place.unwrap_or_else(|| spot.clone()), message);
        }
        let place = spot.get("url").unwrap_or_else(|| spot.clone());
        match server.base_url() {
            Ok(BaseUrl::Absolute(_)) => {}
            Ok(BaseUrl::Relative(_)) => {
                if self.said.insert(format!("relative {url}")) {
                    let message = format!("server `{url}` names no host");
                    self.report(&reading::RELATIVE_SERVER, &place, message).help(
                        "the generated server needs its setting `…_BASE_URL`, which names it",
                    );
                }
            }
            Err(why) => {
                if self.said.insert(format!("server {url}")) {
                    let message = format!("server `{url}` cannot be used: {why}");
                    self.report(&reading::UNUSABLE_SERVER, &place, message).help(
                        "without another one the setting `…_BASE_URL` says where requests go",
                    );
                }
            }
        }
    }

    fn server(&mut self, spot: &Spot<'a>) -> Option<Server> {
        self.known_fields(spot, Known::Server);
        for (_, variable) in spot.get("variables").map(|v| v.members()).unwrap_or_default() {
            self.known_fields(&variable, Known::ServerVariable);
        }
        if let Some(server) = self.typed::<openapiv3::Server>(spot, "this server") {
            let variable = |v: openapiv3::ServerVariable| ServerVariable {
                default: v.default,
                allowed: v.enumeration,
                description: v.description,
            };
            let variables = server.variables.unwrap_or_default();
            return Some(Server {
                url: server.url,
                description: server.description,
                variables: variables.into_iter().map(|(k, v)| (k, variable(v))).collect(),
            });
        }
        let Some(url) = self.text(spot, "url") else {
            self.report(&reading::UNUSABLE_SERVER, spot, "a server needs a `url`; it is left out");
            return None;
        };
        let description = self.text(spot, "description");
        let mut server = Server { url, description, ..Server::default() };
        if let Some(variables) = self.object(spot, "variables") {
            for (name, variable) in variables.members() {
                let allowed = self.texts(&variable, "enum");
                let default = self.text(&variable, "default");
                server.variables.insert(
                    name.to_owned(),
                    ServerVariable {
                        default: default.or_else(|| allowed.first().cloned()).unwrap_or_default(),
                        allowed,
                        description: self.text(&variable, "description"),
                    },
                );
            }
        }
        Some(server)
    }

    /// `basePath`: a path from the root, without a slash at its end.
    fn base_path(&mut self, root: &Spot<'a>) -> String {
        let written = self.text(root, "basePath").unwrap_or_default();
        let path = written.trim_end_matches('/');
        if path.is_empty() || path.starts_with('/') {
            return path.to_owned();
        }
        if let (true, Some(place)) = (self.said.insert("basePath".to_owned()), root.get("basePath"))
        {
            let message = format!("`basePath` `{written}` must begin with `/`; `/{path}` is taken");
            self.report(&reading::UNEXPECTED_VALUE, &place, message);
        }
        format!("/{path}")
    }

    /// `host`: a name or an address, and a port where there is one.
    fn host(&mut self, root: &Spot<'a>) -> Option<String> {
        let written = self.text(root, "host")?;
        let rest = written.trim();
        let rest = rest.split_once("://").map_or(rest, |(_, rest)| rest);
        let host = rest.split('/').next().unwrap_or_default();
        if host != written
            && let (true, Some(place)) = (self.said.insert("host".to_owned()), root.get("host"))
        {
            let message = format!(
                "`host` `{written}` must be a name, with a port where it needs one; `{host}` is taken"
            );
            self.report(&reading::UNEXPECTED_VALUE, &place, message)
                .help("paths belong under `basePath`, schemes under `schemes`");
        }
        (!host.is_empty()).then(|| host.to_owned())
    }

    /// The servers of a Swagger 2.0 document: every scheme with `host` and `basePath`.
    pub(super) fn swagger_servers(&mut self, own: Option<(Vec<String>, &Spot<'a>)>) -> Vec<Server> {
        let root = self.root();
        let base = self.base_path(&root);
        let Some(host) = self.host(&root) else {
            let server = Server { url: base.clone(), ..Server::default() };
            if let (false, Some(spot)) = (base.is_empty(), root.get("basePath")) {
                self.judge(&spot, &server);
            }
            return if base.is_empty() { Vec::new() } else { vec![server] };
        };
        let (mut schemes, holder) = match own {
            Some((schemes, spot)) => (schemes, spot.clone()),
            None => (self.texts(&root, "schemes"), root.clone()),
        };
        let mut left_out = Vec::new();
        schemes.retain(|s| {
            let fine = matches!(s.as_str(), "http" | "https");
            if !fine {
                left_out.push(s.clone());
            }
            fine
        });
        for scheme in left_out {
            if self.said.insert(format!("scheme {scheme}")) {
                let place = holder.get("schemes").unwrap_or_else(|| holder.clone());
                let instead =
                    if schemes.is_empty() { "`https` is taken" } else { "it is left out" };
                let message = format!("servers cannot be called by `{scheme}`; {instead}");
                self.report(&reading::UNUSABLE_SERVER, &place, message);
            }
        }
        if schemes.is_empty() {
            schemes.push("https".to_owned());
        }
        // What is encrypted comes first: the first server is the one that gets called.
        schemes.sort_by(|a, b| b.cmp(a));
        schemes.dedup();
        let server = |scheme: &String| Server {
            url: format!("{scheme}://{host}{base}"),
            ..Server::default()
        };
        schemes.iter().map(server).collect()
    }

    /// Whether `spot` is an object; if not, a finding says that it is left out.
    pub(super) fn is_object(&mut self, spot: &Spot<'a>, what: &str) -> bool {
        if spot.node.as_object().is_some() {
            return true;
        }
        self.unexpected(spot, what, "an object");
        false
    }
}

/// The object at `spot` as the specification has it, or what is wrong with it.
pub(super) fn try_typed<T: DeserializeOwned>(spot: &Spot<'_>) -> Result<T, String> {
    let mut json = spot.node.to_json();
    without_nulls(&mut json);
    serde_json::from_value(json).map_err(|error| error.to_string())
}

/// Removes members that are null: documents write them for what is absent.
fn without_nulls(json: &mut serde_json::Value) {
    match json {
        serde_json::Value::Object(map) => {
            map.retain(|_, value| !value.is_null());
            map.values_mut().for_each(without_nulls);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(without_nulls),
        _ => {}
    }
}
