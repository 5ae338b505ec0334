//! The repair café's API: the small service that the examples of this repository talk to.
//!
//! It implements `specs/repair-cafe/openapi.yaml`, keeps its data in memory (or in a JSON file) and
//! listens on loopback.

mod fields;
mod problem;
mod routes;
mod settings;
mod store;

use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;

use settings::{Parsed, Settings};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let settings = match settings::parse(std::env::args().skip(1)) {
        Ok(Parsed::Run(settings)) => settings,
        Ok(Parsed::Help) => {
            let _ = std::io::stdout().write_all(settings::HELP.as_bytes());
            return ExitCode::SUCCESS;
        }
        Err(message) => {
            complain(&message);
            return ExitCode::from(2);
        }
    };
    match serve(settings).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            complain(&message);
            ExitCode::FAILURE
        }
    }
}

async fn serve(settings: Settings) -> Result<(), String> {
    let store = store::Store::open(settings.data)?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, settings.port));
    let listener = tokio::net::TcpListener::bind(address)
        .await
        .map_err(|error| format!("cannot listen on {address}: {error}"))?;
    let bound = listener.local_addr().map_err(|error| error.to_string())?;
    // The port alone on stdout, for scripts that asked for any free one; words go to stderr.
    let _ = writeln!(std::io::stdout(), "{}", bound.port());
    let _ = writeln!(std::io::stderr(), "the repair café listens on http://{bound}");
    axum::serve(listener, routes::router(store, settings.key))
        .with_graceful_shutdown(async {
            // Without a signal handler the service ends when it is killed, which is fine as well.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        })
        .await
        .map_err(|error| error.to_string())
}

fn complain(message: &str) {
    let _ = writeln!(std::io::stderr(), "error: {message}");
}
