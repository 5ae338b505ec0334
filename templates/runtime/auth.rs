//! Which credentials an operation needs, and where they go in a request.

use super::client::Client;
use super::encode;
use super::oauth::{Asker, Tokens};
use super::secret::{Redactor, Secret};
use super::settings::{self, Credential, Settings};
use super::table::{Need, Operation, SchemeKind, Service};
use super::url::Base;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::Url;
use std::collections::BTreeSet;

/// Credentials as they are attached to one request.
#[derive(Clone, Debug, Default)]
pub struct Attachment {
    /// Headers.
    pub headers: Vec<(String, Secret)>,
    /// Query parameters.
    pub query: Vec<(String, Secret)>,
    /// Cookies.
    pub cookies: Vec<(String, Secret)>,
    /// Whether a token was fetched, so that fetching another may help after a 401.
    pub fetched: bool,
}

/// The credentials at hand, one for each scheme of the service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credentials {
    all: Vec<Credential>,
    /// The schemes whose credential the hooks gave.
    given: BTreeSet<usize>,
}

impl Credentials {
    /// Those of the settings.
    pub fn of(settings: &Settings) -> Self {
        Self { all: settings.credentials.clone(), given: BTreeSet::new() }
    }

    /// Puts one in place of that of the settings.
    pub fn give(&mut self, scheme: usize, credential: Credential) {
        if let Some(place) = self.all.get_mut(scheme) {
            *place = credential;
            self.given.insert(scheme);
        }
    }

    /// That of a scheme.
    pub fn get(&self, scheme: usize) -> &Credential {
        self.all.get(scheme).unwrap_or(&Credential::Missing)
    }

    /// Whether the hooks gave it.
    pub fn is_given(&self, scheme: usize) -> bool {
        self.given.contains(&scheme)
    }
}

/// Whether a credential is of the form that a scheme takes.
///
/// # Errors
/// What the scheme takes.
pub fn fits(kind: &SchemeKind, credential: &Credential) -> Result<(), String> {
    let (takes, fits) = match kind {
        SchemeKind::Basic => {
            ("a user name and a password", matches!(credential, Credential::Pair(..)))
        }
        SchemeKind::MutualTls => return Err("client certificates come from settings".to_owned()),
        SchemeKind::OAuth2 { .. } => {
            let fits = matches!(credential, Credential::Value(_) | Credential::Client { .. });
            ("a token", fits)
        }
        SchemeKind::HeaderKey(_)
        | SchemeKind::QueryKey(_)
        | SchemeKind::CookieKey(_)
        | SchemeKind::Bearer
        | SchemeKind::Http(_) => ("one value", matches!(credential, Credential::Value(_))),
    };
    match credential {
        Credential::Unusable(why) => Err(why.clone()),
        _ if fits => Ok(()),
        _ => Err(format!("it takes {takes}")),
    }
}

/// The alternative to use: the first whose schemes are all configured; none of them only where
/// the document allows it.
///
/// # Errors
/// What to tell the model when credentials are missing.
pub fn choose(
    service: &Service,
    credentials: &Credentials,
    operation: &Operation,
) -> Result<&'static [Need], String> {
    let credential = |need: &Need| credentials.get(need.scheme);
    let ready = |needs: &&&'static [Need]| {
        !needs.is_empty()
            && needs.iter().all(|need| {
                !matches!(credential(need), Credential::Missing | Credential::Unusable(_))
            })
    };
    if let Some(needs) = operation.security.iter().find(ready) {
        return Ok(needs);
    }
    if operation.security.is_empty() || operation.security.iter().any(|needs| needs.is_empty()) {
        return Ok(&[]);
    }
    for need in operation.security.iter().copied().flatten() {
        if let Credential::Unusable(reason) = credential(need) {
            return Err(format!(
                "A credential of this server cannot be used: {reason}. Nothing was sent.\nAction: ask the user to correct it. Do not retry."
            ));
        }
    }
    let ways: Vec<String> = operation
        .security
        .iter()
        .map(|needs| {
            let of = |need: &Need| {
                service.schemes.get(need.scheme).map(|scheme| settings::variables(service, scheme))
            };
            needs.iter().filter_map(of).collect::<Vec<_>>().join(" and ")
        })
        .collect();
    Err(format!(
        "`{}` needs a credential that this server does not have. Nothing was sent.\nAction: ask the user to set {} in the environment of this server and to restart it. Do not retry.",
        operation.key,
        ways.join(", or ")
    ))
}

/// Whether credentials may go to this URL.
pub fn may_receive(settings: &Settings, url: &Url) -> bool {
    let home = matches!(&settings.base, Ok(Some(base)) if base.is_origin_of(url));
    home || settings
        .credential_origins
        .iter()
        .any(|text| Base::parse(text).is_ok_and(|allowed| allowed.is_origin_of(url)))
}

/// Writes the credentials of an alternative.
///
/// # Errors
/// What to tell the model when a token cannot be had.
pub async fn attach(
    service: &Service,
    credentials: &Credentials,
    redactor: &Redactor,
    client: &Client,
    tokens: &Tokens,
    needs: &[Need],
) -> Result<Attachment, String> {
    let mut out = Attachment::default();
    for need in needs {
        let Some(scheme) = service.schemes.get(need.scheme) else { continue };
        let bearer = |token: &str| {
            ("authorization".to_owned(), Secret::new(format!("Bearer {}", bare(token))))
        };
        match (&scheme.kind, credentials.get(need.scheme)) {
            (SchemeKind::HeaderKey(name), Credential::Value(value)) => {
                out.headers.push((name.to_ascii_lowercase(), value.clone()));
            }
            (SchemeKind::QueryKey(name), Credential::Value(value)) => {
                out.query.push(((*name).to_owned(), value.clone()));
            }
            (SchemeKind::CookieKey(name), Credential::Value(value)) => {
                out.cookies.push(((*name).to_owned(), value.clone()));
            }
            (SchemeKind::Basic, Credential::Pair(user, password)) => {
                let pair = STANDARD.encode(format!("{}:{}", user.reveal(), password.reveal()));
                out.headers
                    .push(("authorization".to_owned(), Secret::new(format!("Basic {pair}"))));
            }
            (SchemeKind::Bearer | SchemeKind::OAuth2 { .. }, Credential::Value(value)) => {
                out.headers.push(bearer(value.reveal()));
            }
            (SchemeKind::Http(word), Credential::Value(value)) => {
                out.headers.push((
                    "authorization".to_owned(),
                    Secret::new(format!("{word} {}", value.reveal())),
                ));
            }
            (SchemeKind::OAuth2 { .. }, Credential::Client { token_url, id, secret, in_body }) => {
                let token = tokens
                    .get(
                        client,
                        redactor,
                        token_url,
                        need.scopes,
                        Asker { id, secret, in_body: *in_body },
                    )
                    .await?;
                out.headers.push(bearer(token.reveal()));
                out.fetched = true;
            }
            // Mutual TLS is a matter of the connection; anything else was not chosen.
            _ => {}
        }
    }
    Ok(out)
}

/// Teaches the redactor every secret of the settings.
pub fn learn_all(settings: &Settings, redactor: &Redactor) {
    for credential in &settings.credentials {
        learn(credential, redactor);
    }
    for secret in [&settings.http_token, &settings.identity, &settings.proxy].into_iter().flatten()
    {
        redactor.learn(secret.reveal());
    }
    // A proxy may show what it was given: the password alone, and as it is sent.
    let proxy = settings.proxy.as_ref().and_then(|proxy| Url::parse(proxy.reveal()).ok());
    if let Some((proxy, password)) = proxy.as_ref().and_then(|p| Some((p, p.password()?))) {
        let plain = |text: &str| encode::decode(text).unwrap_or_else(|| text.to_owned());
        redactor.learn(&plain(password));
        redactor.learn(&format!("{}:{}", plain(proxy.username()), plain(password)));
    }
    for header in settings.headers.iter().filter(|header| header.is_secret) {
        let value = header.value.reveal();
        redactor.learn(value);
        // `Bearer TOKEN`: the token alone is one too.
        redactor.learn(value.rsplit(' ').next().unwrap_or_default());
    }
}

/// Teaches the redactor a credential.
pub fn learn(credential: &Credential, redactor: &Redactor) {
    match credential {
        Credential::Value(value) => {
            redactor.learn(value.reveal());
            // Given as `Bearer TOKEN`, it is sent and echoed as the token alone.
            redactor.learn(bare(value.reveal()));
        }
        Credential::Pair(user, password) => {
            redactor.learn(password.reveal());
            let pair = format!("{}:{}", user.reveal(), password.reveal());
            redactor.learn(&pair);
            // Without a password the user name is the key.
            if password.reveal().is_empty() {
                redactor.learn(user.reveal());
            }
        }
        Credential::Client { secret, .. } => redactor.learn(secret.reveal()),
        Credential::Missing | Credential::Unusable(_) => {}
    }
}

/// The token alone: people also give it with its word in front.
fn bare(token: &str) -> &str {
    match token.split_at_checked(7) {
        Some((word, rest)) if word.eq_ignore_ascii_case("bearer ") => rest.trim_start(),
        _ => token,
    }
}
