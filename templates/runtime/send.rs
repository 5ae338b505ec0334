//! The way of one request: where it goes, with which credentials, and what came back.

use super::auth::{self, Attachment, Credentials};
use super::client::Failure;
use super::hooks::{Reply, Request, Wanted};
use super::reply::{self, Context, Outcome};
use super::server::Server;
use super::settings::{self, Credential};
use super::table::{Action, Need, Operation};
use super::text;
use super::url::Base;

/// What is told when the reply came and what the owner does with it did not end.
const LATE_REPLY: &str = "The API answered, but its reply was not ready in time; what was asked for is done.\n\
    Action: tell the user. Do not retry what changes something.";

/// Why an exchange ended without a reply.
enum Stop {
    Words(String),
    Failure(Failure),
}

impl Server {
    /// Where the requests of an operation go.
    pub(super) fn base(&self, operation: &Operation) -> Result<Base, String> {
        let prefix = self.parts.service.env_prefix;
        let way_out = format!(
            "Nothing was sent.\nAction: ask the user to set {prefix}_BASE_URL in the environment of this server and to restart it. Do not retry."
        );
        let path = operation.base_url.filter(|text| text.starts_with('/'));
        if let Some(text) = operation.base_url.filter(|_| path.is_none()) {
            return Base::parse(text).map_err(|why| {
                format!("The address of `{}` cannot be used: {why}. {way_out}", operation.key)
            });
        }
        match &self.parts.settings.base {
            // A path that an operation has for itself is one of the host of the API.
            Ok(Some(base)) => Ok(path.map_or_else(|| base.clone(), |path| base.with_path(path))),
            Ok(None) => Err(format!("This server does not know where the API is. {way_out}")),
            Err(why) => Err(format!("The address of the API cannot be used: {why}. {way_out}")),
        }
    }

    /// What the hooks are asked for these needs, once for each scheme. `refused` says that the API
    /// has just refused what was given before.
    fn wanted<'n>(
        &self,
        needs: impl IntoIterator<Item = &'n Need>,
        refused: bool,
    ) -> Vec<(usize, Wanted)> {
        let mut wanted: Vec<(usize, Wanted)> = Vec::new();
        for need in needs {
            let Some(scheme) = self.parts.service.schemes.get(need.scheme) else { continue };
            if let Some((_, known)) = wanted.iter_mut().find(|(index, _)| *index == need.scheme) {
                known.scopes.extend(need.scopes);
            } else {
                let scopes = need.scopes.to_vec();
                wanted.push((need.scheme, Wanted { scheme: scheme.name, scopes, refused }));
            }
        }
        wanted
    }

    /// The credentials that there are now: those of the hooks before those of the settings.
    ///
    /// # Errors
    /// What to tell the model.
    async fn credentials(&self, wanted: Vec<(usize, Wanted)>) -> Result<Credentials, String> {
        let parts = &*self.parts;
        let mut out = Credentials::of(&parts.settings);
        for (index, wanted) in wanted {
            let name = text::clean(wanted.scheme);
            let wrong = |why: &str| {
                format!(
                    "The credential `{name}` cannot be had: {}. Nothing was sent.\nAction: tell the user. Do not retry.",
                    why.trim_end_matches('.')
                )
            };
            let given = parts.hooks.credential(&wanted).await.map_err(|why| wrong(&why))?;
            let Some(given) = given else { continue };
            auth::fits(&parts.service.schemes[index].kind, &given).map_err(|why| wrong(&why))?;
            auth::learn(&given, &parts.redactor);
            out.give(index, given);
        }
        Ok(out)
    }

    /// The credentials that there are now for all schemes; what the hooks fail at cannot be used.
    pub(super) async fn at_hand(&self) -> Credentials {
        let mut out = Credentials::of(&self.parts.settings);
        for scheme in 0..self.parts.service.schemes.len() {
            let wanted = self.wanted(&[Need { scheme, scopes: &[] }], false);
            match self.credentials(wanted).await {
                Ok(known) if known.is_given(scheme) => out.give(scheme, known.get(scheme).clone()),
                Ok(_) => {}
                Err(why) => {
                    let why = why.lines().next().unwrap_or_default().to_owned();
                    out.give(scheme, Credential::Unusable(why));
                }
            }
        }
        out
    }

    /// Sends a request and shapes what comes back.
    pub(super) async fn send(
        &self,
        action: &'static Action,
        operation: &'static Operation,
        request: Request,
    ) -> Outcome {
        let parts = &*self.parts;
        let home = auth::may_receive(&parts.settings, &request.url);
        let chosen = if home { self.chosen(operation).await } else { Ok(Default::default()) };
        let (credentials, needs): (Credentials, &[Need]) = match chosen {
            Ok(chosen) => chosen,
            Err(text) => return Outcome::error(text),
        };
        let variables = if home || operation.security.is_empty() {
            self.variables(operation, needs)
        } else {
            let origin = request.url.origin().ascii_serialization();
            format!("not sent: {origin} is not in {}_CREDENTIAL_ORIGINS", parts.service.env_prefix)
        };
        let longest = parts.settings.longest_text;
        let prefix = match &parts.settings.base {
            Ok(Some(base)) if base.is_origin_of(&request.url) => base.prefix(),
            _ => "",
        };
        let context = Context {
            service: self.service(),
            prefix,
            action,
            operation,
            request: &request,
            variables: &variables,
            longest,
            downloads: &parts.downloads,
        };
        let exchange = self.exchange(&request, credentials, needs);
        match tokio::time::timeout(parts.settings.deadline, exchange).await {
            Ok(Ok(mut reply)) => {
                let hook = parts.hooks.reply(operation.key, &mut reply);
                match tokio::time::timeout(parts.settings.deadline, hook).await {
                    Ok(()) => reply::shape(context, &parts.redactor, &reply),
                    Err(_) => Outcome::error(LATE_REPLY),
                }
            }
            Ok(Err(Stop::Words(text))) => Outcome::error(text),
            Ok(Err(Stop::Failure(failure))) => reply::no_reply(context, &failure),
            Err(_) => reply::no_reply(context, &Failure::Late),
        }
    }

    /// The credentials for an operation, and which of its alternatives they are for.
    ///
    /// # Errors
    /// What to tell the model.
    pub(super) async fn chosen(
        &self,
        operation: &'static Operation,
    ) -> Result<(Credentials, &'static [Need]), String> {
        let wanted = self.wanted(operation.security.iter().copied().flatten(), false);
        let within = tokio::time::timeout(self.parts.settings.deadline, self.credentials(wanted));
        let credentials = within.await.unwrap_or_else(|_| {
            Err("The credentials were not there in time. Nothing was sent.\nAction: tell the user.".to_owned())
        })?;
        let needs = auth::choose(self.parts.service, &credentials, operation)?;
        Ok((credentials, needs))
    }

    /// Sends; a token that is refused is replaced once.
    async fn exchange(
        &self,
        request: &Request,
        credentials: Credentials,
        needs: &'static [Need],
    ) -> Result<Reply, Stop> {
        let parts = &*self.parts;
        let attachment = self.attachment(&credentials, needs).await.map_err(Stop::Words)?;
        let send = |attachment| parts.client.send(&parts.redactor, request, attachment);
        let reply = send(&attachment).await.map_err(Stop::Failure)?;
        let from_hooks = needs.iter().any(|need| credentials.is_given(need.scheme));
        if reply.status != 401 || !(attachment.fetched || from_hooks) {
            return Ok(reply);
        }
        for need in needs {
            if let Credential::Client { token_url, .. } = credentials.get(need.scheme) {
                for (_, value) in &attachment.headers {
                    parts.tokens.forget(token_url, need.scopes, value.reveal()).await;
                }
            }
        }
        let next = if from_hooks {
            let wanted = self.wanted(needs, true);
            let next = self.credentials(wanted).await.map_err(Stop::Words)?;
            if next == credentials && !attachment.fetched {
                return Ok(reply);
            }
            next
        } else {
            credentials
        };
        let renewed = self.attachment(&next, needs).await.map_err(Stop::Words)?;
        send(&renewed).await.map_err(Stop::Failure)
    }

    async fn attachment(
        &self,
        credentials: &Credentials,
        needs: &[Need],
    ) -> Result<Attachment, String> {
        let parts = &*self.parts;
        let (redactor, client) = (&parts.redactor, &parts.client);
        auth::attach(parts.service, credentials, redactor, client, &parts.tokens, needs).await
    }

    /// The variables of the credentials that were used, or of those that could be.
    fn variables(&self, operation: &Operation, used: &[Need]) -> String {
        let service = self.parts.service;
        let needs: Vec<&Need> = if used.is_empty() {
            operation.security.iter().copied().flatten().collect()
        } else {
            used.iter().collect()
        };
        let of = |need: &&Need| {
            service.schemes.get(need.scheme).map(|scheme| settings::variables(service, scheme))
        };
        let mut names: Vec<String> = needs.iter().filter_map(of).collect();
        names.dedup();
        names.join(", ")
    }
}
