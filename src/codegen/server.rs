//! Base URL, credentials and the names of environment variables.

use heck::ToShoutySnakeCase as _;

use super::rust::{OptLit, StrLit};
use crate::ir::{ApiKeyPlace, SchemeKind, SecurityScheme, Server};

/// Ends of variable names that are settings of the runtime.
const SETTINGS: &[&str] = &[
    "BASE_URL",
    "TIMEOUT_SECONDS",
    "HTTP_TOKEN",
    "CREDENTIAL_ORIGINS",
    "HTTP_HOSTS",
    "HTTP_ORIGINS",
];

/// Headers that belong to the connection.
const CONNECTION: &[&str] =
    &["host", "content-length", "transfer-encoding", "connection", "cookie", "content-type"];

/// The first absolute http(s) URL, with variables at their defaults and no slash at the end.
pub fn base_url(servers: &[Server]) -> Option<String> {
    servers.iter().find_map(|server| {
        let mut url = server.url.trim().to_owned();
        for (name, variable) in &server.variables {
            url = url.replace(&format!("{{{name}}}"), &variable.default);
        }
        let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
        let host = rest.split('/').next().unwrap_or_default();
        let fine = !host.is_empty()
            && !host.contains('@')
            && !url.contains(['{', '}', '?', '#', '\\'])
            && url.chars().all(|c| c.is_ascii_graphic());
        fine.then(|| url.trim_end_matches('/').to_owned())
    })
}

/// A scheme that the server can use.
#[derive(Clone, Debug)]
pub struct SchemeView<'a> {
    /// Name in the document.
    pub name: &'a str,
    /// End of its variables.
    pub env: String,
    /// The scheme.
    pub scheme: &'a SecurityScheme,
}

/// The schemes that can be used, in the order of the document.
pub fn schemes<'a>(
    schemes: impl IntoIterator<Item = (&'a String, &'a SecurityScheme)>,
) -> Vec<SchemeView<'a>> {
    let mut taken: std::collections::BTreeSet<String> =
        SETTINGS.iter().map(|s| (*s).to_owned()).collect();
    schemes
        .into_iter()
        .filter(|(_, scheme)| is_usable(scheme))
        .map(|(name, scheme)| {
            let words: String =
                name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
            let mut base = words.to_shouty_snake_case();
            if base.is_empty() {
                fallback(&scheme.kind).clone_into(&mut base);
            }
            let mut env = base.clone();
            let mut n = 2;
            while !taken.insert(env.clone()) {
                env = format!("{base}_{n}");
                n += 1;
            }
            SchemeView { name, env, scheme }
        })
        .collect()
}

fn fallback(kind: &SchemeKind) -> &'static str {
    match kind {
        SchemeKind::ApiKey { .. } => "API_KEY",
        SchemeKind::Basic => "BASIC",
        SchemeKind::Bearer
        | SchemeKind::OAuth2 { .. }
        | SchemeKind::OpenIdConnect { .. }
        | SchemeKind::OtherHttp { .. }
        | SchemeKind::MutualTls => "TOKEN",
    }
}

/// Whether a request can carry the credential.
pub fn is_usable(scheme: &SecurityScheme) -> bool {
    match &scheme.kind {
        SchemeKind::ApiKey { place, name } => match place {
            ApiKeyPlace::Query => !name.is_empty(),
            ApiKeyPlace::Header | ApiKeyPlace::Cookie => {
                is_token(name) && !CONNECTION.contains(&name.to_ascii_lowercase().as_str())
            }
        },
        SchemeKind::OtherHttp { scheme } => is_token(scheme),
        SchemeKind::Basic
        | SchemeKind::Bearer
        | SchemeKind::OAuth2 { .. }
        | SchemeKind::OpenIdConnect { .. }
        | SchemeKind::MutualTls => true,
    }
}

/// RFC 9110 section 5.6.2.
pub fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

impl SchemeView<'_> {
    /// The scheme as an expression.
    pub fn table(&self) -> String {
        let kind = match &self.scheme.kind {
            SchemeKind::ApiKey { place, name } => {
                let kind = match place {
                    ApiKeyPlace::Header => "HeaderKey",
                    ApiKeyPlace::Query => "QueryKey",
                    ApiKeyPlace::Cookie => "CookieKey",
                };
                format!("SchemeKind::{kind}({})", StrLit(name))
            }
            SchemeKind::Basic => "SchemeKind::Basic".to_owned(),
            SchemeKind::Bearer | SchemeKind::OpenIdConnect { .. } => {
                "SchemeKind::Bearer".to_owned()
            }
            SchemeKind::OtherHttp { scheme } => format!("SchemeKind::Http({})", StrLit(scheme)),
            SchemeKind::OAuth2 { client_credentials, .. } => format!(
                "SchemeKind::OAuth2 {{ token_url: {} }}",
                OptLit(client_credentials.as_deref())
            ),
            SchemeKind::MutualTls => "SchemeKind::MutualTls".to_owned(),
        };
        format!(
            "Scheme {{ name: {}, env: {}, kind: {kind} }}",
            StrLit(self.name),
            StrLit(&self.env)
        )
    }

    /// Its variables with `prefix`, each with what it holds.
    pub fn variables(&self, prefix: &str) -> Vec<(String, &'static str)> {
        let env = format!("{prefix}_{}", self.env);
        match &self.scheme.kind {
            SchemeKind::ApiKey { .. } => vec![(env, "API key")],
            SchemeKind::Basic => vec![
                (format!("{env}_USERNAME"), "user name"),
                (format!("{env}_PASSWORD"), "password"),
            ],
            SchemeKind::Bearer | SchemeKind::OpenIdConnect { .. } => vec![(env, "bearer token")],
            SchemeKind::OtherHttp { .. } => vec![(env, "credential")],
            SchemeKind::OAuth2 { client_credentials: Some(_), .. } => vec![
                (env.clone(), "access token, or instead of it:"),
                (format!("{env}_CLIENT_ID"), "client id"),
                (format!("{env}_CLIENT_SECRET"), "client secret"),
            ],
            SchemeKind::OAuth2 { client_credentials: None, .. } => vec![(env, "access token")],
            SchemeKind::MutualTls => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, expected: Option<&str>) {
        let server = Server { url: url.to_owned(), ..Server::default() };
        assert_eq!(base_url(&[server]).as_deref(), expected, "{url}");
    }

    #[test]
    fn only_an_absolute_plain_url_is_a_base() {
        check("https://a.example/v1/", Some("https://a.example/v1"));
        check("/v1", None);
        check("https://u@a.example", None);
        check("https://a.example?x=1", None);
        check("ftp://a.example", None);
        check("https://{region}.example", None);
    }
}
