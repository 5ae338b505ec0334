//! Sends requests: bounded in time, size and number, and never further than the API's own origin.

use super::auth::{Attachment, may_receive};
use super::date;
use super::encode;
use super::hooks::{Reply, Request};
use super::pace::Pace;
use super::reach::Reach;
use super::secret::Redactor;
use super::settings::{Credential, Header, Settings};
use super::table::{SchemeKind, Service};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::Semaphore;

/// Why there is no reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The request cannot be written.
    Unsendable(String),
    /// Requests must not go there; nothing was sent.
    Forbidden(String),
    /// There was no connection; nothing was sent.
    Unreachable(String),
    /// The connection broke after it was made.
    Broken(String),
    /// It took too long.
    Late,
    /// The reply is larger than this many bytes.
    TooLarge(usize),
    /// The limits of this server left no room for so long; nothing was sent.
    Busy(Duration),
}

/// The two HTTP clients and the limit on parallel requests. A client is made when it is first
/// needed: reading the certificates of the system takes longer than all the rest of a start.
pub struct Client {
    service: &'static Service,
    settings: Settings,
    reading: OnceLock<Result<reqwest::Client, String>>,
    writing: OnceLock<Result<reqwest::Client, String>>,
    permits: Semaphore,
    pace: Pace,
    reach: Reach,
}

// What the client itself prints may hold the password of a proxy.
impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Client").field("service", &self.service.name).finish_non_exhaustive()
    }
}

/// A client as it must be: no referrer, bounded times, redirects within the origin or not at all.
fn builder(
    settings: &Settings,
    reach: &Reach,
    follows: bool,
) -> Result<reqwest::ClientBuilder, String> {
    // Refused only when there is one already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let policy = if follows { Policy::custom(within_origin) } else { Policy::none() };
    let mut builder = reqwest::Client::builder()
        .redirect(policy)
        .referer(false)
        .connect_timeout(settings.connect_timeout)
        .timeout(settings.timeout);
    if let Some(pem) = &settings.authorities {
        let known = reqwest::Certificate::from_pem_bundle(pem).map_err(explain)?;
        builder = builder.tls_certs_merge(known);
    }
    if let Some(pem) = &settings.identity {
        let identity = reqwest::Identity::from_pem(pem.reveal().as_bytes()).map_err(explain)?;
        builder = builder.identity(identity);
    }
    // What runs on this machine is not behind a proxy.
    let local = matches!(&settings.base, Ok(Some(base)) if base.is_loopback());
    match &settings.proxy {
        _ if local => builder = builder.no_proxy(),
        Some(proxy) => {
            let proxy = reqwest::Proxy::all(proxy.reveal())
                .map_err(|_| "the address of the proxy cannot be read".to_owned())?;
            builder = builder.proxy(proxy);
        }
        None => {}
    }
    // Behind a proxy it is the proxy that resolves names and connects.
    if local || !settings.is_proxied {
        builder = builder.dns_resolver(std::sync::Arc::new(reach.clone()));
    }
    Ok(builder)
}

fn within_origin(attempt: reqwest::redirect::Attempt) -> reqwest::redirect::Action {
    let home =
        attempt.previous().first().is_some_and(|first| first.origin() == attempt.url().origin());
    if home && attempt.previous().len() <= 3 { attempt.follow() } else { attempt.stop() }
}

/// The whole chain of causes, without the URL: it may hold a key.
pub fn explain(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut out = error.to_string();
    let mut cause = std::error::Error::source(&error);
    for _ in 0..8 {
        let Some(inner) = cause else { break };
        let text = inner.to_string();
        if !out.contains(&text) {
            out.push_str(": ");
            out.push_str(&text);
        }
        cause = inner.source();
    }
    out
}

impl Client {
    /// For a server.
    pub fn new(service: &'static Service, settings: &Settings) -> Self {
        Self {
            service,
            settings: settings.clone(),
            reading: OnceLock::new(),
            writing: OnceLock::new(),
            permits: Semaphore::new(settings.concurrency.max(1)),
            pace: Pace::new(settings.per_minute),
            reach: Reach::new(settings),
        }
    }

    /// A URL of the document, which may be relative to where the API is.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn absolute(&self, text: &str) -> Result<reqwest::Url, String> {
        let read = match &self.settings.base {
            Ok(Some(base)) => base.join(text),
            _ => reqwest::Url::parse(text).map_err(|error| error.to_string()),
        };
        read.map_err(|error| format!("the token URL cannot be read: {error}"))
    }

    /// Whether requests may go to this URL at all.
    ///
    /// # Errors
    /// It is at a private address that nobody named.
    pub fn may_reach(&self, url: &reqwest::Url) -> Result<(), String> {
        self.reach.check(url)
    }

    /// The client that follows redirects within the origin, or the one that follows none.
    ///
    /// # Errors
    /// A sentence, where the settings cannot be used.
    pub fn http(&self, follows: bool) -> Result<&reqwest::Client, String> {
        let place = if follows { &self.reading } else { &self.writing };
        place.get_or_init(|| self.build(follows)).as_ref().map_err(Clone::clone)
    }

    fn build(&self, follows: bool) -> Result<reqwest::Client, String> {
        let mut builder = builder(&self.settings, &self.reach, follows)?;
        if let Ok(agent) =
            HeaderValue::from_str(&format!("{}/{}", self.service.name, self.service.version))
        {
            builder = builder.user_agent(agent);
        }
        for (scheme, credential) in self.service.schemes.iter().zip(&self.settings.credentials) {
            if let (SchemeKind::MutualTls, Credential::Value(pem)) = (&scheme.kind, credential) {
                let identity =
                    reqwest::Identity::from_pem(pem.reveal().as_bytes()).map_err(explain)?;
                builder = builder.identity(identity);
            }
        }
        builder.build().map_err(explain)
    }

    /// Sends, and sends again where that is safe.
    ///
    /// # Errors
    /// Why there is no reply.
    pub async fn send(
        &self,
        redactor: &Redactor,
        request: &Request,
        attachment: &Attachment,
    ) -> Result<Reply, Failure> {
        let settings = &self.settings;
        let begun = Instant::now();
        let permit = tokio::time::timeout(settings.longest_wait, self.permits.acquire());
        let busy = || Failure::Busy(settings.longest_wait);
        let _permit = permit.await.map_err(|_| busy())?.map_err(|_| busy())?;
        let repeatable = is_repeatable(request);
        let mut attempt = 0_u32;
        loop {
            let turn = self.pace.turn(Instant::now(), settings.longest_wait);
            let turn = turn.map_err(Failure::Busy)?;
            // Even a sleep of no time lasts until the next tick, a millisecond later.
            if !turn.is_zero() {
                tokio::time::sleep(turn).await;
            }
            let mut outcome = self.once(request, attachment).await;
            if let Ok(reply) = &mut outcome {
                reply.attempts = attempt + 1;
            }
            let told = |reply: &Reply| {
                let text = reply.header("retry-after")?;
                date::retry_after(text, SystemTime::now())
            };
            let wait = match &outcome {
                // The API says that it has done nothing, and when to come again.
                Ok(reply) if matches!(reply.status, 429 | 503) && told(reply).is_some() => {
                    told(reply)
                }
                Ok(reply) if repeatable && matches!(reply.status, 429 | 502 | 503 | 504) => {
                    told(reply).or(Some(pause(settings, attempt)))
                }
                Err(Failure::Unreachable(_)) if repeatable => Some(pause(settings, attempt)),
                Ok(_) | Err(_) => None,
            };
            let Some(wait) = wait.filter(|wait| *wait <= settings.longest_wait) else {
                return outcome;
            };
            if attempt >= 2 || begun.elapsed() + wait >= settings.deadline {
                return outcome;
            }
            attempt += 1;
            let reason = match &outcome {
                Ok(reply) => format!("HTTP {}", reply.status),
                Err(_) => "no connection".to_owned(),
            };
            super::log::info(&redactor.text(&format!(
                "{}: {reason}, attempt {} follows",
                request.operation,
                attempt + 1
            )));
            tokio::time::sleep(wait).await;
        }
    }

    fn headers(&self, request: &Request, attachment: &Attachment) -> Result<HeaderMap, Failure> {
        let home = may_receive(&self.settings, &request.url);
        headers(request, if home { &self.settings.headers } else { &[] }, attachment)
    }

    async fn once(&self, request: &Request, attachment: &Attachment) -> Result<Reply, Failure> {
        let method = reqwest::Method::from_bytes(request.method.as_bytes())
            .map_err(|_| Failure::Unsendable("the method is not one of HTTP".to_owned()))?;
        let follows = matches!(request.method, "GET" | "HEAD");
        let client = self.http(follows).map_err(Failure::Unsendable)?;
        self.reach.check(&request.url).map_err(Failure::Forbidden)?;
        let mut url = request.url.clone();
        for (name, value) in &attachment.query {
            let pair = format!("{}={}", encode::strict(name), encode::strict(value.reveal()));
            let query = url
                .query()
                .filter(|query| !query.is_empty())
                .map_or(pair.clone(), |query| format!("{query}&{pair}"));
            url.set_query(Some(&query));
        }
        let mut builder = client.request(method, url).headers(self.headers(request, attachment)?);
        if let Some(body) = &request.body {
            builder = builder.body(body.clone());
        } else if matches!(request.method, "POST" | "PUT" | "PATCH") {
            // RFC 9110 section 8.6: these say that there is nothing, which some servers insist on.
            builder = builder.header(reqwest::header::CONTENT_LENGTH, "0");
        }
        let response = builder.send().await.map_err(failure)?;
        read(&self.settings, response).await
    }
}

/// Whether a second request does no more than the first: methods that are idempotent (RFC 9110
/// section 9.2.2), and calls with a key by which the API knows a repetition.
fn is_repeatable(request: &Request) -> bool {
    matches!(request.method, "GET" | "HEAD" | "OPTIONS" | "TRACE" | "QUERY" | "PUT" | "DELETE")
        || request.headers.iter().any(|(name, _)| super::request::is_idempotency_key(name))
}

fn pause(settings: &Settings, attempt: u32) -> Duration {
    let full = settings.retry_pause * 2_u32.pow(attempt.min(4));
    // The clock's last digits spread parallel callers well enough.
    let nanos = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.subsec_nanos());
    full / 2 + full / 2 * (nanos % 1000) / 1000
}

/// The headers of a request: a credential wins over what the operator adds, that over an argument.
fn headers(
    request: &Request,
    added: &[Header],
    attachment: &Attachment,
) -> Result<HeaderMap, Failure> {
    let mut out = HeaderMap::new();
    let mut put = |name: &str, value: &str, secret: bool| {
        let bad = || Failure::Unsendable(format!("the header `{name}` cannot be sent"));
        let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad())?;
        let mut value = HeaderValue::from_str(value).map_err(|_| bad())?;
        value.set_sensitive(secret);
        out.append(key, value);
        Ok(())
    };
    let attached = |name: &str| attachment.headers.iter().any(|(own, _)| own == name);
    for (name, value) in &request.headers {
        if !attached(name) && !added.iter().any(|own| own.name == *name) {
            put(name, value, false)?;
        }
    }
    let mut cookies = request.cookies.clone();
    for Header { name, value, is_secret } in added {
        match name.as_str() {
            "cookie" => cookies.push(value.reveal().to_owned()),
            _ if attached(name) => {}
            _ => put(name, value.reveal(), *is_secret)?,
        }
    }
    for (name, value) in &attachment.headers {
        // A request has one header for all cookies (RFC 6265 section 5.4).
        match name.as_str() {
            "cookie" => cookies.push(value.reveal().to_owned()),
            _ => put(name, value.reveal(), true)?,
        }
    }
    cookies.extend(
        attachment.cookies.iter().map(|(name, value)| format!("{name}={}", cookie(value.reveal()))),
    );
    if !cookies.is_empty() {
        put("cookie", &cookies.join("; "), true)?;
    }
    Ok(out)
}

/// A cookie's value: what would end it is encoded, the rest stays as it was given.
fn cookie(value: &str) -> String {
    let mut buffer = [0; 4];
    value
        .chars()
        .map(|c| {
            let legal = c.is_ascii_graphic() && !matches!(c, ';' | ',' | '"' | '\\');
            let text: &str = c.encode_utf8(&mut buffer);
            if legal { text.to_owned() } else { encode::strict(text) }
        })
        .collect()
}

fn failure(error: reqwest::Error) -> Failure {
    if error.is_timeout() {
        return if error.is_connect() {
            Failure::Unreachable("no connection in time".to_owned())
        } else {
            Failure::Late
        };
    }
    if error.is_connect() {
        return Failure::Unreachable(explain(error));
    }
    if error.is_builder() {
        return Failure::Unsendable(explain(error));
    }
    Failure::Broken(explain(error))
}

async fn read(settings: &Settings, mut response: reqwest::Response) -> Result<Reply, Failure> {
    let status = response.status().as_u16();
    let headers: Vec<(String, String)> = response
        .headers()
        .iter()
        .map(|(name, value)| {
            (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
        })
        .collect();
    let mut reply = Reply { status, headers, body: Vec::new(), unfinished: false, attempts: 1 };
    let kind = reply.header("content-type").unwrap_or_default().to_ascii_lowercase();
    let endless = [
        "text/event-stream",
        "application/x-ndjson",
        "application/ndjson",
        "application/jsonl",
        "application/json-seq",
    ];
    let endless = endless.iter().any(|name| kind.starts_with(name));
    let begun = Instant::now();
    loop {
        let next = if endless {
            if let Ok(next) = tokio::time::timeout(
                settings.stream_time.saturating_sub(begun.elapsed()),
                response.chunk(),
            )
            .await
            {
                next
            } else {
                reply.unfinished = true;
                return Ok(reply);
            }
        } else {
            response.chunk().await
        };
        let Some(chunk) = next.map_err(failure)? else { return Ok(reply) };
        if endless && reply.body.len() + chunk.len() > settings.stream_size {
            reply.unfinished = true;
            return Ok(reply);
        }
        if reply.body.len() + chunk.len() > settings.largest_reply {
            return Err(Failure::TooLarge(settings.largest_reply));
        }
        reply.body.extend_from_slice(&chunk);
    }
}
