//! Settings, from environment variables that all begin with the prefix of the service.

use super::care::{CONFIRMS, Confirm};
use super::encode;
use super::log::{LEVELS, Level};
use super::request;
use super::secret::Secret;
use super::style::{ARRAYS, Arrays};
use super::table::{Scheme, SchemeKind, Service};
use super::url::Base;
use std::path::PathBuf;
use std::time::Duration;

/// Everything that can be set.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // One for each switch of the operator.
pub struct Settings {
    /// Where the API lives: `…_BASE_URL`, else what the document says. Without it nothing starts.
    pub base: Result<Option<Base>, String>,
    /// Whether the base URL was set, and is not only what the document says.
    pub base_is_set: bool,
    /// The variable that sets the base URL.
    pub base_variable: String,
    /// One per security scheme.
    pub credentials: Vec<Credential>,
    /// Other origins that credentials may be sent to: `…_CREDENTIAL_ORIGINS`, with commas.
    pub credential_origins: Vec<String>,
    /// The token that clients of the HTTP transport must send: `…_HTTP_TOKEN`.
    pub http_token: Option<Secret>,
    /// Host names besides loopback under which the HTTP transport answers: `…_HTTP_HOSTS`.
    pub http_hosts: Vec<String>,
    /// Browser origins that the HTTP transport accepts: `…_HTTP_ORIGINS`.
    pub http_origins: Vec<String>,
    /// The folder whose files may be sent: `…_FILES_DIR`. None unless it is set.
    pub files: Option<PathBuf>,
    /// How lists inside `deepObject` are written: `…_ARRAY_FORMAT`.
    pub arrays: Arrays,
    /// The toolsets that are on, all when none is named: `--toolsets` or `…_TOOLSETS`.
    pub toolsets: Vec<String>,
    /// Whether a client may enable more of them: `…_DYNAMIC_TOOLSETS`.
    pub dynamic_toolsets: bool,
    /// Whether only what reads is served: `--read-only` or `…_READ_ONLY`.
    pub read_only: bool,
    /// Whether requests are shown and none is sent: `--dry-run` or `…_DRY_RUN`.
    pub dry_run: bool,
    /// What happens before something is taken away: `…_CONFIRM`.
    pub confirm: Confirm,
    /// The folder for replies that are no text: `…_DOWNLOADS_DIR`. None unless it is set.
    pub downloads: Option<PathBuf>,
    /// The largest reply in bytes that is given along though it is no text: `…_EMBED_MAX_KIB`.
    pub embedded: usize,
    /// The file for remarks of models: `…_FEEDBACK_FILE`. None unless it is set.
    pub feedback: Option<PathBuf>,
    /// Whether there is a tool that says how the server is: `…_HEALTH_TOOL`.
    pub health_tool: bool,
    /// How many tools stand on a page of the list; all when it is not set: `…_TOOLS_PAGE`.
    pub page: Option<usize>,
    /// The file that gets a line for each call: `…_USAGE_LOG`.
    pub usage_log: Option<PathBuf>,
    /// How much is said on standard error: `…_LOG`.
    pub log: Level,
    /// Time to connect.
    pub connect_timeout: Duration,
    /// Time for one request: `…_TIMEOUT_SECONDS`.
    pub timeout: Duration,
    /// Time for a call with all its retries.
    pub deadline: Duration,
    /// First pause before a retry; the next is twice as long.
    pub retry_pause: Duration,
    /// The longest `Retry-After` that is waited for.
    pub longest_wait: Duration,
    /// How many requests run at the same time: `…_CONCURRENCY`.
    pub concurrency: usize,
    /// How many requests leave in a minute: `…_REQUESTS_PER_MINUTE`.
    pub per_minute: Option<u32>,
    /// The header for an idempotency key of each call that writes: `…_IDEMPOTENCY_HEADER`.
    pub idempotency_header: Option<String>,
    /// Headers of all requests to where credentials may go: `…_HEADERS`, with commas.
    pub headers: Vec<Header>,
    /// A proxy for all requests: `…_PROXY`. Else the usual variables of the system count.
    pub proxy: Option<Secret>,
    /// Whether a proxy resolves names instead of this machine.
    pub is_proxied: bool,
    /// Certificates that are trusted besides those of the system, as PEM: `…_TLS_CA_FILE`.
    pub authorities: Option<Vec<u8>>,
    /// Certificate and key of this client, as PEM: `…_TLS_CERT_FILE` and `…_TLS_KEY_FILE`.
    pub identity: Option<Secret>,
    /// The largest reply in bytes, decompressed: `…_MAX_REPLY_MIB`.
    pub largest_reply: usize,
    /// How long an endless reply (events, lines of JSON) is listened to.
    pub stream_time: Duration,
    /// How much of an endless reply is kept.
    pub stream_size: usize,
    /// The longest text for the model, in characters.
    pub longest_text: usize,
}

/// A header that the operator adds to requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Its name, in lower case.
    pub name: String,
    /// Its value.
    pub value: Secret,
    /// Whether it is a secret by its name.
    pub is_secret: bool,
}

/// What is known for a security scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credential {
    /// Nothing.
    Missing,
    /// A key or a token.
    Value(Secret),
    /// User name and password.
    Pair(Secret, Secret),
    /// To be asked for at the token URL.
    Client {
        /// Where: `…_TOKEN_URL`, else what the document says.
        token_url: String,
        /// `client_id`
        id: Secret,
        /// `client_secret`
        secret: Secret,
        /// Whether they go into the body instead of a header.
        in_body: bool,
    },
    /// Something is set that cannot be used.
    Unusable(String),
}

impl Credential {
    /// A key or a token.
    pub fn value(value: impl Into<String>) -> Self {
        Self::Value(Secret::new(value))
    }

    /// A user name and a password.
    pub fn pair(user: impl Into<String>, password: impl Into<String>) -> Self {
        Self::Pair(Secret::new(user), Secret::new(password))
    }
}

impl Settings {
    /// From the environment of the process.
    ///
    /// # Errors
    /// A sentence that names the variable which cannot be read.
    pub fn from_env(service: &Service) -> Result<Self, String> {
        Self::read(service, &|name| std::env::var(name).ok())
    }

    /// From any source of variables.
    ///
    /// # Errors
    /// A sentence that names the variable which cannot be read.
    pub fn read(
        service: &Service,
        lookup: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, String> {
        let name = |end: &str| format!("{}_{end}", service.env_prefix);
        let plain = |end: &str| {
            lookup(&name(end))
                .map(|value| value.trim().to_owned())
                .filter(|value| !value.is_empty())
        };
        let list = |end: &str| -> Vec<String> {
            plain(end)
                .iter()
                .flat_map(|text| text.split(','))
                .map(|one| one.trim().to_owned())
                .filter(|one| !one.is_empty())
                .collect()
        };
        let number = |end: &str, usual: u32, most: u32| match plain(end) {
            None => Ok(usual),
            Some(text) => text
                .parse::<u32>()
                .ok()
                .filter(|number| (1..=most).contains(number))
                .ok_or_else(|| format!("{} must be a number from 1 to {most}", name(end))),
        };
        let seconds = u64::from(number("TIMEOUT_SECONDS", 30, 300)?);
        let connect = u64::from(number("CONNECT_TIMEOUT_SECONDS", 10, 300)?).min(seconds);
        let concurrency = number("CONCURRENCY", 8, 64)?;
        let largest_reply = number("MAX_REPLY_MIB", 10, 100)?;
        let per_minute = match plain("REQUESTS_PER_MINUTE") {
            None => None,
            Some(_) => Some(number("REQUESTS_PER_MINUTE", 1, 60_000)?),
        };
        let idempotency_header = plain("IDEMPOTENCY_HEADER");
        if let Some(header) = &idempotency_header
            && reqwest::header::HeaderName::from_bytes(header.as_bytes()).is_err()
        {
            return Err(format!("{} is no name of a header", name("IDEMPOTENCY_HEADER")));
        }
        let arrays = match plain("ARRAY_FORMAT").or(service.arrays.map(str::to_owned)) {
            None => Arrays::default(),
            Some(text) => ARRAYS
                .iter()
                .find(|(known, _)| text.eq_ignore_ascii_case(known))
                .map(|(_, arrays)| *arrays)
                .ok_or_else(|| {
                    format!("{} must be brackets, indices, repeat or comma", name("ARRAY_FORMAT"))
                })?,
        };
        let log = match plain("LOG") {
            None => Level::Info,
            Some(text) => LEVELS
                .iter()
                .find(|(known, _)| text.eq_ignore_ascii_case(known))
                .map(|(_, level)| *level)
                .ok_or_else(|| format!("{} must be error, warn, info or debug", name("LOG")))?,
        };
        let flag = |end: &str| match plain(end).as_deref() {
            None | Some("0" | "false") => Ok(false),
            Some("1" | "true") => Ok(true),
            Some(_) => Err(format!("{} must be 1 or 0", name(end))),
        };
        let dynamic_toolsets = flag("DYNAMIC_TOOLSETS")?;
        let confirm = match plain("CONFIRM") {
            None => Confirm::default(),
            Some(text) => CONFIRMS
                .iter()
                .find(|(known, _)| text.eq_ignore_ascii_case(known))
                .map(|(_, confirm)| *confirm)
                .ok_or_else(|| {
                    format!("{} must be ask, argument, refuse or off", name("CONFIRM"))
                })?,
        };
        let downloads = plain("DOWNLOADS_DIR").map(PathBuf::from);
        if downloads.as_ref().is_some_and(|folder| !folder.is_dir()) {
            return Err(format!("{} is no folder", name("DOWNLOADS_DIR")));
        }
        let embedded = match plain("EMBED_MAX_KIB") {
            None => 0,
            Some(_) => number("EMBED_MAX_KIB", 1, 10_240)?,
        };
        let page = match plain("TOOLS_PAGE") {
            None => None,
            Some(_) => Some(number("TOOLS_PAGE", 1, 1000)? as usize),
        };
        let pem = |end: &str| {
            plain(end)
                .map(std::fs::read)
                .transpose()
                .map_err(|error| format!("{} cannot be read: {error}", name(end)))
        };
        let key = pem("TLS_KEY_FILE")?.unwrap_or_default();
        let identity = pem("TLS_CERT_FILE")?.map(|certificate| {
            let both = [certificate, b"\n".to_vec(), key].concat();
            Secret::new(String::from_utf8_lossy(&both))
        });
        let proxy = file_or_value(lookup, &name("PROXY"))?;
        let usual =
            ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];
        let is_proxied = proxy.is_some()
            || usual.iter().any(|name| lookup(name).is_some_and(|value| !value.is_empty()));
        // A path of the document stands for any host; a host alone gets it.
        let (own, path) = match service.base_url {
            Some(text) if text.starts_with('/') => (None, Some(text)),
            other => (other, None),
        };
        let base = match plain("BASE_URL") {
            Some(text) => Base::parse(&text)
                .map(|base| match path.filter(|_| base.prefix().is_empty()) {
                    Some(path) => Some(base.with_path(path)),
                    None => Some(base),
                })
                .map_err(|error| format!("{}: {error}", name("BASE_URL"))),
            None => own.map(Base::parse).transpose(),
        };
        let credentials =
            service.schemes.iter().map(|scheme| credential(service, scheme, lookup)).collect();
        let http_token = file_or_value(lookup, &name("HTTP_TOKEN"))?.map(Secret::new);
        Ok(Self {
            base,
            base_is_set: plain("BASE_URL").is_some(),
            base_variable: name("BASE_URL"),
            credentials,
            credential_origins: list("CREDENTIAL_ORIGINS"),
            http_token,
            http_hosts: list("HTTP_HOSTS"),
            http_origins: list("HTTP_ORIGINS"),
            files: plain("FILES_DIR").map(PathBuf::from),
            arrays,
            toolsets: list("TOOLSETS"),
            dynamic_toolsets,
            read_only: flag("READ_ONLY")?,
            dry_run: flag("DRY_RUN")?,
            confirm,
            downloads,
            embedded: embedded as usize * 1024,
            feedback: plain("FEEDBACK_FILE").map(PathBuf::from),
            health_tool: flag("HEALTH_TOOL")?,
            page,
            usage_log: plain("USAGE_LOG").map(PathBuf::from),
            log,
            connect_timeout: Duration::from_secs(connect),
            timeout: Duration::from_secs(seconds),
            deadline: Duration::from_secs(seconds.max(50) + 4),
            retry_pause: Duration::from_millis(300),
            longest_wait: Duration::from_secs(20),
            concurrency: concurrency as usize,
            per_minute,
            idempotency_header: idempotency_header.map(|name| name.to_ascii_lowercase()),
            headers: headers(lookup, &name("HEADERS"))?,
            proxy: proxy.map(Secret::new),
            is_proxied,
            authorities: pem("TLS_CA_FILE")?,
            identity,
            largest_reply: largest_reply as usize * 1024 * 1024,
            stream_time: Duration::from_secs(20),
            stream_size: 1024 * 1024,
            longest_text: 40_000,
        })
    }
}

/// `Name=value, Other=value`; a comma inside a value is `%2C`.
fn headers(lookup: &dyn Fn(&str) -> Option<String>, name: &str) -> Result<Vec<Header>, String> {
    const SECRETS: [&str; 8] =
        ["auth", "cookie", "credential", "key", "password", "secret", "signature", "token"];
    let mut out: Vec<Header> = Vec::new();
    let text = file_or_value(lookup, name)?.unwrap_or_default();
    for pair in text.split([',', '\n']).map(str::trim).filter(|pair| !pair.is_empty()) {
        let wrong = |why: &str| format!("{name} must be `Name=value, Other=value`: {why}");
        let (header, value) =
            pair.split_once('=').ok_or_else(|| wrong("a pair has no equals sign"))?;
        let header = header.trim().to_ascii_lowercase();
        if reqwest::header::HeaderName::from_bytes(header.as_bytes()).is_err() {
            return Err(wrong("a name is no name of a header"));
        }
        let sendable = ["accept", "authorization", "cookie"].contains(&header.as_str());
        if request::RESERVED.contains(&header.as_str()) && !sendable {
            return Err(wrong(&format!("`{header}` is set by the server itself")));
        }
        if out.iter().any(|known| known.name == header) {
            return Err(wrong(&format!("`{header}` is there twice")));
        }
        let value = encode::decode(value.trim()).ok_or_else(|| wrong("a value is no text"))?;
        let value = visible(name, value)?;
        let is_secret = SECRETS.iter().any(|word| header.contains(word));
        out.push(Header { name: header, value: Secret::new(value), is_secret });
    }
    Ok(out)
}

/// The variables that set a scheme, for messages.
pub fn variables(service: &Service, scheme: &Scheme) -> String {
    let start = format!("{}_{}", service.env_prefix, scheme.env);
    match scheme.kind {
        SchemeKind::Basic => format!("{start}_USERNAME and {start}_PASSWORD"),
        SchemeKind::OAuth2 { token_url: Some(_) } => {
            format!("{start}_CLIENT_ID and {start}_CLIENT_SECRET (or {start} with a ready token)")
        }
        SchemeKind::MutualTls => format!("{start}_FILE (a PEM file with certificate and key)"),
        SchemeKind::HeaderKey(_)
        | SchemeKind::QueryKey(_)
        | SchemeKind::CookieKey(_)
        | SchemeKind::Bearer
        | SchemeKind::Http(_)
        | SchemeKind::OAuth2 { token_url: None } => start,
    }
}

fn credential(
    service: &Service,
    scheme: &Scheme,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Credential {
    let start = format!("{}_{}", service.env_prefix, scheme.env);
    let part = |end: &str| file_or_value(lookup, &format!("{start}{end}"));
    let read = || -> Result<Credential, String> {
        Ok(match scheme.kind {
            SchemeKind::Basic => {
                // Some services take a key as the user name and no password: set but empty.
                let password = part("_PASSWORD")?
                    .or_else(|| lookup(&format!("{start}_PASSWORD")).map(|_| String::new()));
                match (part("_USERNAME")?, password) {
                    (Some(user), Some(password)) => {
                        Credential::Pair(Secret::new(user), Secret::new(password))
                    }
                    _ => Credential::Missing,
                }
            }
            SchemeKind::OAuth2 { token_url } => {
                let set = lookup(&format!("{start}_TOKEN_URL"));
                let set = set.map(|url| url.trim().to_owned()).filter(|url| !is_blank(url));
                let token_url = set.or(token_url.map(str::to_owned));
                match (part("")?, part("_CLIENT_ID")?, part("_CLIENT_SECRET")?) {
                    (Some(token), ..) => Credential::Value(Secret::new(visible(&start, token)?)),
                    (None, Some(id), Some(secret)) if token_url.is_some() => Credential::Client {
                        token_url: token_url.unwrap_or_default(),
                        id: Secret::new(id),
                        secret: Secret::new(secret),
                        in_body: part("_CLIENT_AUTH")?
                            .is_some_and(|way| way.eq_ignore_ascii_case("body")),
                    },
                    _ => Credential::Missing,
                }
            }
            SchemeKind::MutualTls => {
                part("")?.map_or(Credential::Missing, |pem| Credential::Value(Secret::new(pem)))
            }
            SchemeKind::HeaderKey(_)
            | SchemeKind::QueryKey(_)
            | SchemeKind::CookieKey(_)
            | SchemeKind::Bearer
            | SchemeKind::Http(_) => match part("")? {
                Some(value) => Credential::Value(Secret::new(visible(&start, value)?)),
                None => Credential::Missing,
            },
        })
    };
    read().unwrap_or_else(Credential::Unusable)
}

fn visible(name: &str, value: String) -> Result<String, String> {
    if value.chars().all(|c| c == ' ' || c.is_ascii_graphic()) {
        return Ok(value);
    }
    Err(format!("{name} holds characters that cannot be sent in a header"))
}

/// Whether a value stands for none: empty, or what clients pass on when a variable was not filled in.
fn is_blank(text: &str) -> bool {
    text.is_empty() || text == "undefined" || (text.starts_with("${") && text.ends_with('}'))
}

fn file_or_value(
    lookup: &dyn Fn(&str) -> Option<String>,
    name: &str,
) -> Result<Option<String>, String> {
    let filled = |text: String| Some(text.trim().to_owned()).filter(|text| !is_blank(text));
    if let Some(value) = lookup(name).and_then(filled) {
        return Ok(Some(value));
    }
    let Some(path) = lookup(&format!("{name}_FILE")).and_then(filled) else { return Ok(None) };
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(filled(text)),
        Err(error) => Err(format!("{name}_FILE cannot be read: {error}")),
    }
}
