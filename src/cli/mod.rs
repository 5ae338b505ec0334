//! The command line: one file per command, one place that writes to the terminal.

mod account;
mod args;
mod check;
mod console;
mod diff;
mod examples;
mod exit;
mod explain;
mod generate;
mod init;
mod lint;
mod load;
mod manual;
mod owned;
mod plan;
mod planning;
mod references;
mod report;
mod revision;
mod schema;
mod score;
mod signals;
mod snippet;
mod split;

use std::process::ExitCode;

use clap::Parser as _;

use args::{Cli, Command};
use console::Console;
pub use exit::ExitStatus;

use crate::error::Error;

/// Runs the command with the arguments of the process.
pub fn run() -> ExitCode {
    // clap prints help and usage errors itself, and exits with 0 and 2 as we do.
    let cli = Cli::parse();
    let mut console = Console::new(cli.global.color, cli.global.quiet, cli.global.verbose);
    let status = dispatch(&mut console, cli).unwrap_or_else(|error| {
        console.error(&error);
        ExitStatus::CouldNotRun
    });
    status.into()
}

fn dispatch(console: &mut Console, cli: Cli) -> Result<ExitStatus, Error> {
    if cli.command.is_some()
        && let Some(document) = &cli.bare.input.document
    {
        return Err(Error::Usage {
            message: format!(
                "`{}` stands before the command; name the document after it",
                document.display()
            ),
        });
    }
    match cli.command {
        None => generate::bare(console, &cli.bare),
        Some(Command::Plan(args)) => plan::run(console, &args),
        Some(Command::Generate(args)) => generate::run(console, &args),
        Some(Command::Lint(args)) => lint::run(console, &args),
        Some(Command::Diff(args)) => diff::run(console, &args),
        Some(Command::Check(args)) => check::run(console, &args),
        Some(Command::Init(args)) => init::run(console, &args),
        Some(Command::Schema(args)) => schema::run(console, &args),
        Some(Command::Report(args)) => report::run(console, &args),
        Some(Command::Explain(args)) => explain::run(console, &args),
        Some(Command::Completions(args)) => manual::completions(console, &args),
        Some(Command::Man) => manual::page(console),
    }
}
