//! `mcp-gen report`

use super::args::ReportArgs;
use super::console::Console;
use super::references::Copies;
use super::{ExitStatus, diff, load, split};
use crate::error::Error;
use crate::{output, pipeline};

/// Draws a plan as a page.
pub fn run(console: &mut Console, args: &ReportArgs) -> Result<ExitStatus, Error> {
    let asked = load::asked(&args.input)?;
    let mut loaded = load::document(&args.input, asked, Copies::beside(args.plan.as_deref()))?;
    let config = loaded.config(None)?;
    let target = split::one(&mut loaded, config, &args.part)?;
    let old = args.old.as_deref().map(diff::plan_at).transpose()?.flatten();
    let plan = match &args.plan {
        Some(path) => load::plan(path)?,
        // What agents know already keeps its name, as it would in a run.
        None => target.plan(&mut loaded, old.as_ref())?,
    };
    let old = args.old.is_some().then_some(old.as_ref());
    let page = pipeline::report(&mut loaded.diagnostics, &plan, &loaded.api, &loaded.sources, old);
    let stop = load::gate(console, &loaded);
    let Some(page) = page.filter(|_| !stop) else { return Ok(ExitStatus::Found) };
    match load::file(args.output.as_deref()) {
        None => console.data(&page)?,
        Some(path) => {
            output::write_file(path, &page)?;
            console.say(&format!("Wrote `{}`", path.display()));
        }
    }
    Ok(ExitStatus::Done)
}
