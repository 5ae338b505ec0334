//! `mcp-gen schema`

use super::ExitStatus;
use super::args::{SchemaArgs, SchemaOf};
use super::console::Console;
use crate::error::Error;
use crate::{config, diff, plan};

/// Prints a JSON Schema.
pub fn run(console: &mut Console, args: &SchemaArgs) -> Result<ExitStatus, Error> {
    let schema = match args.of {
        SchemaOf::Config => config::json_schema(),
        SchemaOf::Plan => plan::json_schema(),
        SchemaOf::Diff => diff::json_schema(),
    };
    let text = serde_json::to_string_pretty(&schema).expect("a JSON value has a text") + "\n";
    console.data(&text)?;
    Ok(ExitStatus::Done)
}
