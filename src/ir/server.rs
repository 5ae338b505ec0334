//! Servers: where requests go.

use indexmap::IndexMap;

/// OpenAPI "Server Object".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Server {
    /// The URL as written, possibly relative, with `{variables}`.
    pub url: String,
    /// What it is.
    pub description: Option<String>,
    /// Its variables.
    pub variables: IndexMap<String, ServerVariable>,
}

/// OpenAPI "Server Variable Object".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerVariable {
    /// The value unless one is given.
    pub default: String,
    /// Allowed values; empty means any.
    pub allowed: Vec<String>,
    /// What it is.
    pub description: Option<String>,
}

/// Where requests to a server go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseUrl {
    /// An http or https URL without a slash at its end.
    Absolute(String),
    /// A path from the root of whatever host has the API, `/` at its beginning, none at its end. It
    /// is empty for the root itself.
    Relative(String),
}

impl BaseUrl {
    /// As it is written in settings and plans.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Absolute(url) => url,
            Self::Relative(path) if path.is_empty() => "/",
            Self::Relative(path) => path,
        }
    }
}

impl Server {
    /// Where requests go, with variables at their defaults.
    ///
    /// # Errors
    /// Why no request can go there, to be read after "the server cannot be used: ".
    pub fn base_url(&self) -> Result<BaseUrl, String> {
        let mut url = self.url.trim().to_owned();
        for (name, variable) in &self.variables {
            let place = format!("{{{name}}}");
            let path = url.find("://").and_then(|at| Some(at + 3 + url[at + 3..].find('/')?));
            // Within the host a slash would make another host of it.
            let in_host = url.find(&place).is_some_and(|at| path.is_none_or(|path| at < path));
            if in_host && url.contains("://") && variable.default.contains('/') {
                return Err(format!("`{name}` would put a `/` into the host"));
            }
            url = url.replace(&place, &variable.default);
        }
        if let Some((_, rest)) = url.split_once('{') {
            let name = rest.split('}').next().unwrap_or_default();
            return Err(format!("`{{{name}}}` is no declared variable"));
        }
        if url.contains(['?', '#', '\\', '}']) || !url.chars().all(|c| c.is_ascii_graphic()) {
            return Err("a base URL has no query, no fragment and nothing beyond ASCII".to_owned());
        }
        let Some((scheme, rest)) = url.split_once("://") else {
            if url.starts_with("//") {
                return Err("it names a host but no scheme".to_owned());
            }
            if url.split('/').next().is_some_and(|first| first.contains(':')) {
                return Err("its scheme is neither http nor https".to_owned());
            }
            let path = url.trim_start_matches("./").trim_matches('/');
            if path.split('/').any(|step| step == "..") {
                return Err("`..` depends on where the document lies".to_owned());
            }
            return Ok(BaseUrl::Relative(if path.is_empty() {
                String::new()
            } else {
                format!("/{path}")
            }));
        };
        let scheme = scheme.to_ascii_lowercase();
        if !matches!(scheme.as_str(), "http" | "https") {
            return Err(format!("its scheme is `{scheme}`, not http or https"));
        }
        let host = rest.split('/').next().unwrap_or_default();
        if host.is_empty() {
            return Err("it names no host".to_owned());
        }
        if host.contains('@') {
            return Err("it holds a user name or a password".to_owned());
        }
        Ok(BaseUrl::Absolute(format!("{scheme}://{}", rest.trim_end_matches('/'))))
    }
}

/// Where the first server leads that can be used.
#[must_use]
pub fn first_base_url(servers: &[Server]) -> Option<BaseUrl> {
    servers.iter().find_map(|server| server.base_url().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_absolute_relative_or_of_no_use() {
        for (url, expected) in [
            ("https://a.example/v1/", Ok("https://a.example/v1")),
            ("HTTPS://A.example", Ok("https://A.example")),
            ("http://{name}.example/{rest}", Ok("http://shop.example/v2/x")),
            ("/v1/", Ok("/v1")),
            ("/", Ok("/")),
            ("", Ok("/")),
            ("v1", Ok("/v1")),
            ("./v1", Ok("/v1")),
            ("../v1", Err("`..`")),
            ("//a.example", Err("no scheme")),
            ("ws://a", Err("`ws`")),
            ("mailto:a", Err("scheme")),
            ("https://u:p@h/", Err("password")),
            ("https://a/?x=1", Err("query")),
            ("https://a/#x", Err("fragment")),
            ("https://{tenant}.example", Err("`{tenant}`")),
            ("https://", Err("no host")),
            ("https://ä.example", Err("ASCII")),
        ] {
            let variable = |value: &str| ServerVariable {
                default: value.to_owned(),
                ..ServerVariable::default()
            };
            let server = Server {
                url: url.to_owned(),
                variables: [
                    ("name".to_owned(), variable("shop")),
                    ("rest".to_owned(), variable("v2/x")),
                ]
                .into(),
                ..Server::default()
            };
            match (server.base_url(), expected) {
                (Ok(found), Ok(text)) => assert_eq!(found.text(), text, "{url}"),
                (Err(why), Err(part)) => assert!(why.contains(part), "{url}: {why}"),
                (found, expected) => panic!("{url}: {found:?}, not {expected:?}"),
            }
        }
    }

    #[test]
    fn u6_a_variable_cannot_make_another_host_of_a_url() {
        for (url, default, expected) in [
            ("https://{v}.example/v1", "eu", Some("https://eu.example/v1")),
            ("https://a.example/{v}", "v1/x", Some("https://a.example/v1/x")),
            ("https://{v}", "a.example", Some("https://a.example")),
            ("https://{v}.example", "evil.com/", None),
            ("https://{v}.example/v1", "evil.com/x?", None),
            ("https://{v}a.example", "u@", None),
            ("https://{v}.example", "evil.com#", None),
            ("https://{v}.example", "evil.com\\", None),
            ("{v}://a.example", "ftp", None),
        ] {
            let variable =
                ServerVariable { default: default.to_owned(), ..ServerVariable::default() };
            let variables = [("v".to_owned(), variable)].into();
            let server = Server { url: url.to_owned(), variables, ..Server::default() };
            let found = server.base_url().ok().map(|base| base.text().to_owned());
            assert_eq!(found.as_deref(), expected, "{url} with {default}");
        }
    }
}
