//! Base URL, credentials and the names of environment variables.

use heck::ToShoutySnakeCase as _;

use super::rust::{OptLit, StrLit};
use crate::ir::{ApiKeyPlace, Location, SchemeKind, SecurityScheme, is_cookies, is_owned_header};

/// Ends of variable names that are settings of the runtime.
const SETTINGS: &[&str] = &[
    "BASE_URL",
    "TIMEOUT_SECONDS",
    "CONNECT_TIMEOUT_SECONDS",
    "CONCURRENCY",
    "REQUESTS_PER_MINUTE",
    "MAX_REPLY_MIB",
    "IDEMPOTENCY_HEADER",
    "HEADERS",
    "HEADERS_FILE",
    "ARRAY_FORMAT",
    "READ_ONLY",
    "DRY_RUN",
    "CONFIRM",
    "DOWNLOADS_DIR",
    "EMBED_MAX_KIB",
    "TOOLS_PAGE",
    "HEALTH_TOOL",
    "FEEDBACK",
    "FEEDBACK_FILE",
    "LOG",
    "USAGE_LOG",
    "FILES_DIR",
    "TOOLSETS",
    "DYNAMIC_TOOLSETS",
    "PROXY",
    "TLS_CA",
    "TLS_CA_FILE",
    "TLS_CERT",
    "TLS_CERT_FILE",
    "TLS_KEY",
    "TLS_KEY_FILE",
    "HTTP_TOKEN",
    "CREDENTIAL_ORIGINS",
    "HTTP_HOSTS",
    "HTTP_ORIGINS",
];

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
            ApiKeyPlace::Cookie => is_token(name),
            ApiKeyPlace::Header => {
                is_token(name)
                    && (!is_owned_header(name) || is_cookies(Location::Header, name))
                    && !name.eq_ignore_ascii_case("content-type")
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
                (
                    format!("{env}_CLIENT_AUTH"),
                    "`body` sends id and secret in the body, not in a header",
                ),
                (
                    format!("{env}_TOKEN_URL"),
                    "where tokens are asked for, if not where the document says",
                ),
            ],
            SchemeKind::OAuth2 { client_credentials: None, .. } => vec![(env, "access token")],
            SchemeKind::MutualTls => {
                vec![(format!("{env}_FILE"), "PEM file with certificate and key of this client")]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A scheme of the document must not take the variable of a setting, and every setting must be
    /// known to who reads the README.
    #[test]
    fn every_setting_of_the_runtime_is_kept_free_and_told() {
        let files = super::super::runtime::FILES;
        let (_, text) = files.iter().find(|(name, _)| *name == "settings.rs").unwrap();
        let example = super::super::readme::env_example("X", &[], &["default"]);
        let mut count = 0;
        for (at, _) in text.match_indices("(\"") {
            let word = text[at + 2..].split('"').next().unwrap_or_default();
            let plain = word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
            if word.len() > 2 && plain && !word.starts_with('_') {
                assert!(SETTINGS.contains(&word), "{word} is not kept free");
                assert!(example.contains(&format!("#X_{word}=")), "{word} is not told");
                count += 1;
            }
        }
        assert!(count > 15, "{count}");
    }

    #[test]
    fn a_cookie_header_is_a_credential_and_what_frames_a_request_is_none() {
        let usable = |place, name: &str| {
            let kind = SchemeKind::ApiKey { place, name: name.to_owned() };
            is_usable(&SecurityScheme { description: None, kind })
        };
        for (name, header, cookie) in [
            ("Cookie", true, true),
            ("X-Session-Token", true, true),
            ("Host", false, true),
            ("Content-Type", false, true),
            ("a b", false, false),
        ] {
            assert_eq!(usable(ApiKeyPlace::Header, name), header, "{name}");
            assert_eq!(usable(ApiKeyPlace::Cookie, name), cookie, "{name}");
        }
    }
}
