//! Tokens of the OAuth 2 client-credentials flow: fetched once, shared, renewed before they end.

use super::client::{Client, explain};
use super::encode;
use super::secret::{Redactor, Secret};
use super::url;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// The largest answer of a token endpoint.
const LARGEST: usize = 64 * 1024;

struct Token {
    value: Secret,
    until: Instant,
}

type Slot = Arc<Mutex<Option<Token>>>;

/// The tokens in use.
#[derive(Default)]
pub struct Tokens {
    slots: Mutex<BTreeMap<String, Slot>>,
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("Tokens")
    }
}

/// Who asks for a token.
#[derive(Clone, Copy, Debug)]
pub struct Asker<'a> {
    /// `client_id`
    pub id: &'a Secret,
    /// `client_secret`
    pub secret: &'a Secret,
    /// Whether they go into the body instead of a header.
    pub in_body: bool,
}

impl Tokens {
    async fn slot(&self, key: &str) -> Slot {
        self.slots.lock().await.entry(key.to_owned()).or_default().clone()
    }

    /// A token that is valid for a while. Parallel calls wait for one request.
    ///
    /// # Errors
    /// What to tell the model when there is none.
    pub async fn get(
        &self,
        client: &Client,
        redactor: &Redactor,
        token_url: &str,
        scopes: &[&str],
        asker: Asker<'_>,
    ) -> Result<Secret, String> {
        let slot = self.slot(&key(token_url, scopes)).await;
        let mut held = slot.lock().await;
        if let Some(token) = held.as_ref().filter(|token| Instant::now() < token.until) {
            return Ok(token.value.clone());
        }
        let token = fetch(client, token_url, scopes, asker).await.map_err(|reason| {
            format!(
                "No access token could be had: {reason}. Nothing was sent.\nAction: ask the user to check the client id and secret of this server. Do not retry."
            )
        })?;
        redactor.learn(token.value.reveal());
        let value = token.value.clone();
        *held = Some(token);
        Ok(value)
    }

    /// Forgets a token that was refused, unless another call has replaced it already.
    pub async fn forget(&self, token_url: &str, scopes: &[&str], refused: &str) {
        let slot = self.slot(&key(token_url, scopes)).await;
        let mut held = slot.lock().await;
        if held.as_ref().is_some_and(|token| refused == format!("Bearer {}", token.value.reveal()))
        {
            *held = None;
        }
    }
}

async fn fetch(
    client: &Client,
    token_url: &str,
    scopes: &[&str],
    asker: Asker<'_>,
) -> Result<Token, String> {
    let target = client.absolute(token_url)?;
    client.may_reach(&target)?;
    if target.scheme() != "https" && !url::is_loopback(&target) {
        return Err("the token URL is not https".to_owned());
    }
    let mut form = vec!["grant_type=client_credentials".to_owned()];
    if !scopes.is_empty() {
        form.push(format!("scope={}", encode::strict(&scopes.join(" "))));
    }
    let (id, secret) = (encode::strict(asker.id.reveal()), encode::strict(asker.secret.reveal()));
    let mut request = client
        .http(false)?
        .post(target)
        .header("content-type", "application/x-www-form-urlencoded")
        .header("accept", "application/json");
    if asker.in_body {
        form.push(format!("client_id={id}"));
        form.push(format!("client_secret={secret}"));
    } else {
        let mut value = reqwest::header::HeaderValue::from_str(&format!(
            "Basic {}",
            STANDARD.encode(format!("{id}:{secret}"))
        ))
        .map_err(|_| "the client id cannot be sent".to_owned())?;
        value.set_sensitive(true);
        request = request.header("authorization", value);
    }
    let mut response = request.body(form.join("&")).send().await.map_err(explain)?;
    let status = response.status();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(explain)? {
        body.extend_from_slice(&chunk);
        if body.len() > LARGEST {
            return Err("the answer of the token endpoint is too large".to_owned());
        }
    }
    if !status.is_success() {
        return Err(format!("the token endpoint answered HTTP {}", status.as_u16()));
    }
    let answer: Value = serde_json::from_slice(&body)
        .map_err(|_| "the token endpoint did not answer JSON".to_owned())?;
    let value =
        answer["access_token"].as_str().filter(|token| token.chars().all(|c| c.is_ascii_graphic()));
    let value =
        value.filter(|token| !token.is_empty()).ok_or("the token endpoint sent no access token")?;
    let lifetime = answer["expires_in"]
        .as_u64()
        .or_else(|| answer["expires_in"].as_str()?.parse().ok())
        .unwrap_or(300);
    // Renewed a little early; a token that lives shorter than that is used for this call only.
    let early = (lifetime / 10).max(30);
    let left = Duration::from_secs(lifetime.saturating_sub(early).min(86_400));
    Ok(Token { value: Secret::new(value), until: Instant::now() + left })
}

fn key(token_url: &str, scopes: &[&str]) -> String {
    let mut scopes = scopes.to_vec();
    scopes.sort_unstable();
    format!("{token_url} {}", scopes.join(" "))
}
