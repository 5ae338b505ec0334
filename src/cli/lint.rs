//! `mcp-gen lint`

use serde_json::json;

use super::args::{LintArgs, LintFormat, ServerArgs};
use super::console::{Console, Notes};
use super::load::Loaded;
use super::references::Copies;
use super::{ExitStatus, account, load, split};
use crate::codegen::Options;
use crate::error::Error;
use crate::pipeline;

/// Shows what is odd about a document and about the plan that would be made from it.
pub fn run(console: &mut Console, args: &LintArgs) -> Result<ExitStatus, Error> {
    let mut loaded = load::document(&args.input, Copies::in_folder(None))?;
    let config = load::config(&mut loaded, &args.input, None)?;
    if !loaded.diagnostics.has_errors() {
        match split::parts(&mut loaded, &config, &ServerArgs::default())? {
            None => {
                let plan = pipeline::plan(&mut loaded.diagnostics, &loaded.api, &config, None)?;
                let options = Options::default();
                pipeline::generate(&mut loaded.diagnostics, &plan, &loaded.api, &options);
            }
            Some(parts) => {
                let found = &mut loaded.diagnostics;
                let plans = pipeline::plan_parts(found, &parts, None, &|_| Ok(None))?;
                for (part, plan) in parts.iter().zip(&plans) {
                    pipeline::generate(found, plan, &part.api, &Options::default());
                }
            }
        }
    }
    match args.format {
        LintFormat::Json => console.data(&to_json(&loaded))?,
        LintFormat::Text => {
            console.findings(&loaded.diagnostics, &loaded.sources, Notes::Shown);
            let n = loaded.diagnostics.sorted().len();
            console.say(&format!(
                "{} in {}",
                account::count(n, "finding"),
                account::count(loaded.api.operations.len(), "operation")
            ));
        }
    }
    Ok(if loaded.diagnostics.has_errors() { ExitStatus::Found } else { ExitStatus::Done })
}

fn to_json(loaded: &Loaded) -> String {
    let findings: Vec<_> = loaded
        .diagnostics
        .sorted()
        .into_iter()
        .map(|d| {
            let place = d.at.and_then(|at| loaded.sources.locate(at));
            json!({
                "code": d.code.id,
                "severity": d.code.severity.word(),
                "message": d.message,
                "help": d.help,
                "file": place.map(|(name, _)| name),
                "line": place.map(|(_, p)| p.line),
                "column": place.map(|(_, p)| p.column),
                "pointer": d.pointer.as_str(),
            })
        })
        .collect();
    let all = json!({"format": 1, "findings": findings});
    serde_json::to_string_pretty(&all).expect("a JSON value has a text") + "\n"
}
