//! `mcp-gen openapi.yaml` and `mcp-gen generate`

use std::path::{Path, PathBuf};

use super::args::{BareArgs, GenerateArgs, WritingArgs};
use super::console::Console;
use super::load::Loaded;
use super::references::Copies;
use super::{ExitStatus, account, diff, load};
use crate::codegen::Options;
use crate::error::Error;
use crate::plan::{FILE_NAME, Plan};
use crate::{output, pipeline};

/// Plans and generates in one go.
pub fn bare(console: &mut Console, args: &BareArgs) -> Result<ExitStatus, Error> {
    let copies = Copies::in_folder(args.output.as_deref());
    let mut loaded = load::document(&args.input, copies)?;
    let config = load::config(&mut loaded, &args.input, Some(&args.planning))?;
    let previous = match &args.output {
        Some(dir) if !args.planning.replan => load::plan_if_there(&dir.join(FILE_NAME))?,
        _ => None,
    };
    let mut plan =
        pipeline::plan(&mut loaded.diagnostics, &loaded.api, &config, previous.as_ref())?;
    let dir = if let Some(dir) = &args.output {
        dir.clone()
    } else {
        // The default folder has the name of the server, so the plan in it is known only now.
        let dir = PathBuf::from(format!("{}-mcp", plan.server));
        if !args.planning.replan
            && let Some(previous) = load::plan_if_there(&dir.join(FILE_NAME))?
        {
            plan = pipeline::plan(&mut loaded.diagnostics, &loaded.api, &config, Some(&previous))?;
        }
        dir
    };
    write(console, loaded, &plan, &dir, &args.writing)
}

/// Follows a plan as it stands.
pub fn run(console: &mut Console, args: &GenerateArgs) -> Result<ExitStatus, Error> {
    let path = args.plan.clone().unwrap_or_else(|| args.output.join(FILE_NAME));
    let loaded = load::document(&args.input, Copies::beside(Some(&path)))?;
    let plan = load::plan(&path)?;
    write(console, loaded, &plan, &args.output, &args.writing)
}

fn write(
    console: &mut Console,
    mut loaded: Loaded,
    plan: &Plan,
    dir: &Path,
    writing: &WritingArgs,
) -> Result<ExitStatus, Error> {
    let options = Options { standalone: !writing.workspace_member };
    let files = pipeline::generate(&mut loaded.diagnostics, plan, &loaded.api, &options);
    load::gate(console, &loaded);
    let Some(files) = files else { return Ok(ExitStatus::Found) };
    let path = dir.join(FILE_NAME);
    // A plan that cannot be read is replaced all the same; then there is nothing to compare.
    let before = load::plan_if_there(&path).ok().flatten();
    let written = output::write(dir, &files, writing.force)?;
    console.headline(&account::headline(plan));
    console.say(&format!("\n{}", account::table(plan)));
    if console.verbose() {
        for tool in &plan.tools {
            console.say(&format!("{}: {}", tool.name, tool.why.join(" ")));
        }
        for excluded in &plan.excluded {
            console.say(&format!("left out {}: {}", excluded.operation, excluded.reason));
        }
    }
    console.say(&format!("Wrote {written} to `{}`", dir.display()));
    diff::told(console, before.as_ref(), plan, &path);
    Ok(ExitStatus::Done)
}
