//! The server in the words of the protocol, in both of its eras.

use super::log;
use super::reply::Outcome;
use super::server::Server;
use super::text;
use super::toolsets;
use futures_util::FutureExt as _;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
    CustomRequest, CustomResult, ErrorCode, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use std::sync::{Arc, PoisonError};

/// How long clients may keep a list of tools that never changes.
const KEPT_MS: u64 = 3_600_000;

impl Server {
    /// Tells clients that there are other tools now: the session that asked, and whoever listens.
    async fn tell(&self, context: &RequestContext<RoleServer>) {
        let is_legacy = |version: rmcp::model::ProtocolVersion| version.has_initialize();
        if context.protocol_version().is_none_or(is_legacy)
            && let Err(error) = context.peer.notify_tool_list_changed().await
        {
            log::warn(&format!("the client was not told of the new tools: {error}"));
        }
        let listeners = self.parts.listeners.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for sink in listeners {
            // Who is gone need not be told.
            let _ = sink.notify_tool_list_changed().await;
        }
    }
}

fn result(outcome: Outcome) -> CallToolResult {
    let mut content = vec![ContentBlock::text(outcome.text)];
    if outcome.is_error {
        return CallToolResult::error(content);
    }
    if let Some((media_type, data)) = outcome.media {
        content.push(if media_type.starts_with("audio/") {
            ContentBlock::audio(data, media_type)
        } else {
            ContentBlock::image(data, media_type)
        });
    }
    let mut result = CallToolResult::success(content);
    result.structured_content = outcome.structured;
    result
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let service = self.parts.service;
        let named = Implementation::new(service.name, service.version).with_title(service.title);
        let capabilities = if self.switches {
            ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build()
        } else {
            ServerCapabilities::builder().enable_tools().build()
        };
        let config = ServerConfig::new(capabilities).with_server_info(named);
        let mut words: Vec<String> = Some(service.instructions.to_owned())
            .filter(|words| !words.is_empty())
            .into_iter()
            .collect();
        if self.parts.settings.files.is_some() {
            let files = "Files may be given as `file:PATH` where an argument takes a file.";
            words.push(files.to_owned());
        }
        words.extend(self.view().on.as_ref().map(|on| toolsets::words(on, self.switches)));
        if words.is_empty() { config } else { config.with_instructions(words.join("\n\n")) }
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if request.is_some_and(|params| params.cursor.is_some()) {
            return Err(ErrorData::invalid_params(
                "unknown cursor: the tools are on one page",
                None,
            ));
        }
        let (kept, scope) =
            if self.switches { (0, CacheScope::Private) } else { (KEPT_MS, CacheScope::Public) };
        Ok(ListToolsResult::with_all_items(self.tools()).with_ttl_ms(kept).with_cache_scope(scope))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools().into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let before = self.view();
        // A panic would never be answered, and the client would wait for ever.
        let work = std::panic::AssertUnwindSafe(self.call(&request.name, request.arguments))
            .catch_unwind();
        let outcome = tokio::select! {
            () = context.ct.cancelled() => return Err(ErrorData::internal_error("cancelled", None)),
            outcome = work => outcome,
        };
        if !Arc::ptr_eq(&before, &self.view()) {
            self.tell(&context).await;
        }
        match outcome {
            Ok(Some(outcome)) => Ok(result(outcome).into()),
            Ok(None) => {
                let name = text::cut(&text::clean(&request.name), 80);
                let off = toolsets::of_tool(self.parts.service, &request.name);
                let off = if off.is_empty() {
                    String::new()
                } else {
                    format!(
                        " (its toolset is off: {})",
                        text::names(off.iter().map(String::as_str))
                    )
                };
                Err(ErrorData::invalid_params(format!("unknown tool: {name}{off}"), None))
            }
            Err(_) => Ok(result(Outcome::error(
                "The server failed at this call; the outcome is unknown.\nAction: tell the user. Do not retry.",
            ))
            .into()),
        }
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        self.switches.then(|| requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let listeners = || self.parts.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        listeners().push(context.sink().clone());
        context.cancelled().await;
        listeners().retain(|sink| sink.id() != context.sink().id());
        Ok(())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        match request.method.as_str() {
            // Requests of a known method come here when their parameters could not be read.
            method @ ("tools/call" | "tools/list") => {
                Err(ErrorData::invalid_params(format!("malformed parameters of {method}"), None))
            }
            method => Err(ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                text::cut(&text::clean(method), 80),
                None,
            )),
        }
    }
}
