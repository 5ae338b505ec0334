//! The command line.

use std::process::ExitCode;

/// Runs the command with the arguments of the process.
pub fn run() -> ExitCode {
    ExitCode::SUCCESS
}
