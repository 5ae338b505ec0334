//! `mcp-gen plan`

use super::args::{PlanArgs, PlanFormat};
use super::console::Console;
use super::references::Copies;
use super::{ExitStatus, account, diff, load, score, split};
use crate::codegen::{Options, schema_file};
use crate::error::Error;
use crate::plan::SCHEMA_NAME;
use crate::{output, pipeline};

/// Plans; prints the plan, writes it, or says whether the file is stale.
pub fn run(console: &mut Console, args: &PlanArgs) -> Result<ExitStatus, Error> {
    let file = load::file(args.output.as_deref());
    if args.check && file.is_none() {
        let message = "`--check` needs a file; name it with `-o`".to_owned();
        return Err(Error::Usage { message });
    }
    let copies = Copies::beside(file);
    let copies = if args.check { copies.only_read() } else { copies };
    let asked = load::asked(&args.input)?;
    let mut loaded = load::document(&args.input, asked, copies)?;
    let config = loaded.config(Some(&args.planning))?;
    let previous = match (&args.previous, file) {
        _ if args.planning.replan => None,
        (Some(path), _) => Some(load::plan(path)?),
        (None, Some(path)) => load::plan_if_there(path)?,
        (None, None) => None,
    };
    let target = split::one(&mut loaded, config, &args.part)?;
    let plan = target.plan(&mut loaded, previous.as_ref())?;
    let config = target.config();
    if load::gate(console, &loaded) {
        return Ok(ExitStatus::Found);
    }
    if let Some(what) = &args.explain {
        let Some(text) = pipeline::story(&loaded.api, config, &plan, what) else {
            let names: Vec<&str> = plan.tools.iter().map(|t| t.name.as_str()).collect();
            console.say(&format!("nothing is called `{what}`"));
            console.say(&format!(
                "help: name a tool ({}), an `operationId` or `METHOD /path`",
                names.join(", ")
            ));
            return Ok(ExitStatus::Found);
        };
        console.data(&text)?;
        return Ok(ExitStatus::Done);
    }
    let afresh =
        previous.as_ref().and_then(|_| pipeline::better_afresh(&loaded.api, config, &plan));
    let Some(path) = file else {
        if let Some(sentence) = &afresh {
            console.say(sentence);
        }
        let text = match args.format {
            PlanFormat::Yaml => plan.to_yaml(),
            PlanFormat::Table => {
                format!("{}\n\n{}", account::headline(&plan), account::table(&plan))
            }
            PlanFormat::Tools | PlanFormat::ScoreJson => {
                let files = pipeline::generate(
                    &mut loaded.diagnostics,
                    &plan,
                    &loaded.api,
                    &Options::default(),
                );
                let Some(tools) = files.as_ref().and_then(|f| f.generated.get("tools.json")) else {
                    load::gate(console, &loaded);
                    return Ok(ExitStatus::Found);
                };
                if args.format == PlanFormat::Tools {
                    tools.clone()
                } else {
                    score::render(&plan, tools)
                }
            }
        };
        console.data(&text)?;
        return Ok(ExitStatus::Done);
    };
    let text = plan.to_yaml();
    let same = std::fs::read_to_string(path).is_ok_and(|old| old == text);
    // A plan that cannot be read is replaced all the same; then there is nothing to compare.
    let before = load::plan_if_there(path).ok().flatten();
    if args.check {
        if same {
            console.say(&format!("`{}` is up to date", path.display()));
            return Ok(ExitStatus::Done);
        }
        console.say(&format!(
            "`{}` is {}; `mcp-gen plan {} -o {}{}` renews it",
            path.display(),
            if path.exists() { "stale" } else { "missing" },
            args.input.document.as_deref().unwrap_or(path).display(),
            path.display(),
            args.part.server.as_ref().map(|s| format!(" --server {s}")).unwrap_or_default()
        ));
        diff::told(console, before.as_ref(), &plan, path);
        return Ok(ExitStatus::Found);
    }
    console.headline(&account::headline(&plan));
    console.say(&format!("\n{}", account::table(&plan)));
    if let Some(sentence) = &afresh {
        console.say(sentence);
    }
    if same {
        console.say(&format!("`{}` is unchanged", path.display()));
    } else {
        output::write_file(path, &text)?;
        console.say(&format!("Wrote `{}`", path.display()));
        diff::told(console, before.as_ref(), &plan, path);
    }
    // The first line of the plan names its schema, which stands beside it.
    output::write_beside(&path.with_file_name(SCHEMA_NAME), &schema_file())?;
    Ok(ExitStatus::Done)
}
