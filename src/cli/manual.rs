//! `mcp-gen completions` and `mcp-gen man`: what packagers install beside the command.

use clap::CommandFactory as _;

use super::ExitStatus;
use super::args::{Cli, CompletionsArgs};
use super::console::Console;
use crate::error::Error;

/// Prints the completions for a shell.
pub fn completions(console: &mut Console, args: &CompletionsArgs) -> Result<ExitStatus, Error> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "mcp-gen", &mut text);
    console.data(&String::from_utf8_lossy(&text))?;
    Ok(ExitStatus::Done)
}

/// Prints the manual page: the command, then each of its commands with all options.
pub fn page(console: &mut Console) -> Result<ExitStatus, Error> {
    let mut text = Vec::new();
    let mut whole = Cli::command();
    whole.build();
    let wrong = |source| Error::Write { path: "the manual page".into(), source };
    clap_mangen::Man::new(whole.clone()).render(&mut text).map_err(wrong)?;
    for command in whole.get_subcommands().filter(|c| c.get_name() != "help") {
        let man = clap_mangen::Man::new(command.clone());
        let title = format!(".SH \"MCP-GEN {}\"\n", command.get_name().to_uppercase());
        text.extend_from_slice(title.as_bytes());
        man.render_description_section(&mut text).map_err(wrong)?;
        man.render_synopsis_section(&mut text).map_err(wrong)?;
        man.render_options_section(&mut text).map_err(wrong)?;
    }
    console.data(&String::from_utf8_lossy(&text))?;
    Ok(ExitStatus::Done)
}
