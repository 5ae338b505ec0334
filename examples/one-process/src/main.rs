//! An API and its MCP server in one process: `/notes` for programs, `/mcp` for agents.
//!
//! The build script has the API describe itself and makes the server of that, so the tools are
//! never behind the API.

mod api;

/// The MCP server.
mod server {
    include!(concat!(env!("OUT_DIR"), "/mcp_server.rs"));
}

use std::net::Ipv4Addr;

use tokio::net::TcpListener;

/// Says in every request who it comes from.
struct Signed;

impl server::Hooks for Signed {
    async fn request(&self, request: &mut server::Request) -> Result<(), String> {
        request.set_header("x-author", "an agent");
        Ok(())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::var("PORT").ok().map_or(Ok(8097), |text| text.parse())?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    serve(listener).await?;
    Ok(())
}

/// Serves the API and its tools.
async fn serve(listener: TcpListener) -> Result<(), Box<dyn std::error::Error>> {
    let here = format!("http://{}", listener.local_addr()?);
    let server = server::server_with(&|name| match name {
        "NOTES_BASE_URL" => Some(here.clone()),
        other => std::env::var(other).ok(),
    })?;
    let app = api::router(api::Notes::default()).merge(server::router(server));
    axum::serve(listener, app).await?;
    Ok(())
}

#[cfg(test)]
mod tests;
