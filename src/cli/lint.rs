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
use crate::surface::{PROFILES, Profile, Seen};

/// The word for every client that is known.
pub const ALL: &str = "all";

/// Shows what is odd about a document, about the plan that would be made from it or is there, and about
/// the tools as agents and clients see them.
pub fn run(console: &mut Console, args: &LintArgs) -> Result<ExitStatus, Error> {
    let asked = load::asked(&args.input)?;
    let mut loaded = load::document(&args.input, asked, Copies::in_folder(None))?;
    let config = loaded.config(None)?;
    let mut seen = Vec::new();
    let there = args.plan.as_deref().map(load::plan).transpose()?;
    if !loaded.diagnostics.has_errors() {
        let asked = |p: &&Profile| args.client.iter().any(|c| c == p.id || c == ALL);
        let clients: Vec<&Profile> = PROFILES.iter().filter(asked).collect();
        let options = Options::default();
        let parts = match there {
            Some(_) => None,
            None => split::parts(&mut loaded, &config, &ServerArgs::default())?,
        };
        if let Some(parts) = parts {
            let found = &mut loaded.diagnostics;
            let plans = pipeline::plan_parts(found, &parts, None, &|_| Ok(None))?;
            for (part, plan) in parts.iter().zip(&plans) {
                pipeline::generate(found, plan, &part.api, &options);
                seen.extend(pipeline::audit(found, plan, &clients));
            }
        } else {
            let plan = match there {
                Some(plan) => plan,
                None => pipeline::plan(&mut loaded.diagnostics, &loaded.api, &config, None)?,
            };
            pipeline::generate(&mut loaded.diagnostics, &plan, &loaded.api, &options);
            seen = pipeline::audit(&mut loaded.diagnostics, &plan, &clients);
        }
    }
    match args.format {
        LintFormat::Json => console.data(&to_json(&loaded, &seen))?,
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

fn to_json(loaded: &Loaded, seen: &[Seen]) -> String {
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
                "client": d.client,
            })
        })
        .collect();
    let clients: Vec<_> = seen
        .iter()
        .map(|s| {
            let tools: Vec<_> =
                s.tools.iter().map(|t| json!({"name": t.name, "shown": t.shown})).collect();
            json!({"client": s.client, "taken": s.taken(), "of": tools.len(), "tools": tools})
        })
        .collect();
    let all = json!({"format": 1, "findings": findings, "clients": clients});
    serde_json::to_string_pretty(&all).expect("a JSON value has a text") + "\n"
}
