//! The server for the warehouse: each style, location and kind of body on the wire, each reason to
//! refuse a call, and each kind of answer.

mod care;
mod refusals;
mod replies;
mod requests;

use mcp_gen_servers::client::Era;
use mcp_gen_servers::table::Bench;

const SPEC: &str = "warehouse";

/// A credential for each scheme. The values are easy to find where they must not be.
const CREDENTIALS: &[(&str, &str)] =
    &[("API_KEY", "canary-key"), ("BEARER", "canary-token"), ("LEGACY_KEY", "canary/old")];

async fn bench() -> Bench {
    Bench::start(SPEC, CREDENTIALS, Era::Legacy).await
}
