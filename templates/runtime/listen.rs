//! The HTTP transport: on loopback, for known origins, with a token where others can reach it.

use super::exact;
use super::log;
use super::secret::{Secret, same_secret};
use super::server::Server;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// The largest body of a request.
const LARGEST: usize = 4 * 1024 * 1024;

/// Checks an address before it is listened at.
///
/// # Errors
/// It is open to others, and there is no token or no list of names.
pub fn permitted(server: &Server, address: SocketAddr) -> Result<(), String> {
    let (settings, prefix) = (server.settings(), server.service().env_prefix);
    if address.ip().is_loopback() {
        return Ok(());
    }
    let mut missing = Vec::new();
    if settings.http_token.is_none() {
        missing.push(format!("{prefix}_HTTP_TOKEN to a secret that clients must send"));
    }
    if settings.http_hosts.is_empty() {
        missing.push(format!("{prefix}_HTTP_HOSTS to the names under which it is called"));
    }
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{address} can be reached from other machines; set {}, or listen at 127.0.0.1",
        missing.join(" and ")
    ))
}

/// Serves until `stop` is done.
///
/// # Errors
/// The server cannot go on.
pub async fn serve(
    server: Server,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), String> {
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    permitted(&server, address)?;
    let ended = CancellationToken::new();
    let landed = server.landed();
    // Whoever watches the process has no token and asks under any name.
    let health = axum::routing::get(|| async { "ok" });
    let app = router(server, ended.child_token()).route("/health", health);
    log::info(&format!("listening at http://{address}/mcp"));
    axum::serve(listener, app)
        .with_graceful_shutdown(async move {
            stop.await;
            tokio::spawn(async move {
                landed.await;
                ended.cancel();
            });
        })
        .await
        .map_err(|error| error.to_string())
}

/// The server at `/mcp`, for a router of one's own: names, origins and the token are checked, where
/// it listens is not. `ended` ends what is still open.
pub fn router(server: Server, ended: CancellationToken) -> axum::Router {
    let server = server.shared();
    let settings = server.settings();
    let own = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
    let hosts = own.into_iter().chain(settings.http_hosts.iter().cloned());
    let local = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"].map(str::to_owned);
    let origins = local.into_iter().chain(settings.http_origins.iter().cloned());
    let config = StreamableHttpServerConfig::default()
        .with_cancellation_token(ended)
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_hosts(hosts)
        .with_allowed_origins(origins)
        .enforce_origin_validation();
    let token = settings.http_token.clone();
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let guard = axum::middleware::from_fn(move |request: Request, next: Next| {
        guard(token.clone(), request, next)
    });
    axum::Router::new().nest_service("/mcp", service).layer(guard)
}

async fn guard(token: Option<Secret>, request: Request, next: Next) -> Response {
    if let Some(token) = token {
        let given =
            request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let given = given
            .and_then(|text| text.split_once(' '))
            .filter(|(word, _)| word.eq_ignore_ascii_case("bearer"));
        if !given.is_some_and(|(_, value)| same_secret(value.trim(), token.reveal())) {
            let mut refusal =
                (StatusCode::UNAUTHORIZED, "a bearer token is needed").into_response();
            refusal
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            return refusal;
        }
    }
    let (mut head, body) = request.into_parts();
    let told = head.headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let is_large =
        told.and_then(|text| text.parse().ok()).is_some_and(|size: usize| size > LARGEST);
    if is_large {
        return (StatusCode::PAYLOAD_TOO_LARGE, "the body is too large").into_response();
    }
    let Ok(bytes) = axum::body::to_bytes(body, LARGEST).await else {
        return (StatusCode::PAYLOAD_TOO_LARGE, "the body is too large").into_response();
    };
    let bytes = exact::mark(&bytes);
    head.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    head.headers.remove(header::TRANSFER_ENCODING);
    next.run(Request::from_parts(head, bytes.into())).await
}

/// Ends at Ctrl-C or SIGTERM.
pub async fn told_to_stop() {
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending::<()>().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! { () = interrupted => {}, () = terminated => {} }
}
