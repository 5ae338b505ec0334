//! The `mcp-gen` command: hands the arguments to [`mcp_gen::cli::run`] and its status to the system.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcp_gen::cli::run()
}
