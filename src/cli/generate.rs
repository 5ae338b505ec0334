//! `mcp-gen openapi.yaml` and `mcp-gen generate`

use std::path::{Path, PathBuf};

use super::args::{BareArgs, GenerateArgs, WritingArgs};
use super::console::Console;
use super::load::Loaded;
use super::references::Copies;
use super::signals::uninterrupted;
use super::{ExitStatus, account, diff, load, owned, split};
use crate::codegen::{CrateFiles, Options};
use crate::config::Config;
use crate::error::Error;
use crate::pipeline::Part;
use crate::plan::{FILE_NAME, Plan};
use crate::{output, pipeline};

/// Plans and generates in one go.
pub fn bare(console: &mut Console, args: &BareArgs) -> Result<ExitStatus, Error> {
    let asked = load::asked(&args.input)?;
    let output = asked.output(args.output.as_ref());
    let copies = Copies::in_folder(output.as_deref());
    let mut loaded = load::document(&args.input, asked, copies)?;
    let config = loaded.config(Some(&args.planning))?;
    let writing = args.writing.with(&config);
    if let Some(parts) = split::parts(&mut loaded, &config, &args.part)? {
        let folder = split::folder(output.as_deref())?;
        return several(console, loaded, parts, args, (&folder, &writing));
    }
    let previous = match &output {
        Some(dir) if !args.planning.replan => load::plan_if_there(&dir.join(FILE_NAME))?,
        _ => None,
    };
    let mut follows = previous.is_some();
    let read = loaded.diagnostics.clone();
    let mut plan =
        pipeline::plan(&mut loaded.diagnostics, &loaded.api, &config, previous.as_ref())?;
    let dir = if let Some(dir) = &output {
        dir.clone()
    } else {
        // The default folder has the name of the server, so the plan in it is known only now.
        let dir = PathBuf::from(format!("{}-mcp", plan.server));
        if !args.planning.replan
            && let Some(previous) = load::plan_if_there(&dir.join(FILE_NAME))?
        {
            // What was found about the plan without it no longer counts.
            loaded.diagnostics = read;
            plan = pipeline::plan(&mut loaded.diagnostics, &loaded.api, &config, Some(&previous))?;
            follows = true;
        }
        dir
    };
    let afresh = follows.then(|| pipeline::better_afresh(&loaded.api, &config, &plan)).flatten();
    let status = write(console, loaded, &plan, &dir, &writing)?;
    if let Some(sentence) = afresh {
        console.say(&sentence);
    }
    Ok(status)
}

/// Plans and generates each server of several.
fn several(
    console: &mut Console,
    mut loaded: Loaded,
    parts: Vec<Part>,
    args: &BareArgs,
    (folder, writing): (&Path, &WritingArgs),
) -> Result<ExitStatus, Error> {
    let previous = |name: &str| {
        if args.planning.replan {
            return Ok(None);
        }
        load::plan_if_there(&folder.join(name).join(FILE_NAME))
    };
    let only = args.part.server.as_deref();
    let plans = pipeline::plan_parts(&mut loaded.diagnostics, &parts, only, &previous)?;
    let all = parts.into_iter().zip(plans);
    let chosen: Vec<_> =
        all.filter(|(part, _)| only.is_none_or(|only| only == part.name)).collect();
    let mut afresh = Vec::new();
    for (part, plan) in &chosen {
        if previous(&part.name)?.is_some()
            && let Some(sentence) = pipeline::better_afresh(&part.api, &part.config, plan)
        {
            afresh.push(format!("`{}`: {sentence}", part.name));
        }
    }
    let status = write_several(console, loaded, &chosen, folder, writing)?;
    for sentence in afresh {
        console.say(&sentence);
    }
    Ok(status)
}

/// Follows a plan as it stands.
pub fn run(console: &mut Console, args: &GenerateArgs) -> Result<ExitStatus, Error> {
    let asked = load::asked(&args.input)?;
    let Some(output) = asked.output(args.output.as_ref()) else {
        return Err(Error::Usage {
            message: "name the folder of the crate with `-o`, or as `output` in the configuration"
                .to_owned(),
        });
    };
    let dir = match &args.part.server {
        Some(name) => output.join(name),
        None => output,
    };
    let path = args.plan.clone().unwrap_or_else(|| dir.join(FILE_NAME));
    let mut loaded = load::document(&args.input, asked, Copies::beside(Some(&path)))?;
    let config = loaded.config(None)?;
    let writing = args.writing.with(&config);
    // What the configuration asks of plans is not for this command to say.
    let read = loaded.diagnostics.clone();
    let parts = split::parts(&mut loaded, &config, &args.part)?;
    loaded.diagnostics = read;
    let whole = args.plan.is_none() && args.part.server.is_none() && !path.exists();
    match parts {
        Some(parts) if whole => {
            let follow = |part: Part| {
                let plan = load::plan(&dir.join(&part.name).join(FILE_NAME))?;
                Ok((part, plan))
            };
            let all = parts.into_iter().map(follow).collect::<Result<Vec<_>, Error>>()?;
            write_several(console, loaded, &all, &dir, &writing)
        }
        parts => {
            let plan = load::plan(&path)?;
            // A plan of one server says nothing of the operations of the others.
            let folder = dir.file_name().and_then(|name| name.to_str());
            let own = |part: &Part| part.name == plan.server || folder == Some(part.name.as_str());
            if let Some(part) = parts.into_iter().flatten().find(own) {
                loaded.api = part.api;
            }
            write(console, loaded, &plan, &dir, &writing)
        }
    }
}

impl WritingArgs {
    /// What is given here or in the configuration.
    fn with(&self, config: &Config) -> Self {
        Self {
            workspace_member: self.workspace_member || config.workspace_member,
            force: self.force,
        }
    }
}

/// Writes all crates, or none when one of them cannot be made or written.
fn write_several(
    console: &mut Console,
    mut loaded: Loaded,
    all: &[(Part, Plan)],
    folder: &Path,
    writing: &WritingArgs,
) -> Result<ExitStatus, Error> {
    let options = Options { standalone: !writing.workspace_member };
    let mut made = Vec::new();
    for (part, plan) in all {
        made.push(pipeline::generate(&mut loaded.diagnostics, plan, &part.api, &options));
    }
    load::gate(console, &loaded);
    let Some(made) = made.into_iter().collect::<Option<Vec<_>>>() else {
        return Ok(ExitStatus::Found);
    };
    let crates: Vec<Crate<'_>> = all
        .iter()
        .zip(&made)
        .map(|((part, plan), files)| Crate { plan, dir: folder.join(&part.name), files })
        .collect();
    written(console, &crates, writing.force)?;
    Ok(ExitStatus::Done)
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
    written(console, &[Crate { plan, dir: dir.to_owned(), files: &files }], writing.force)?;
    Ok(ExitStatus::Done)
}

/// A crate, and where it goes.
struct Crate<'a> {
    plan: &'a Plan,
    dir: PathBuf,
    files: &'a CrateFiles,
}

/// Writes the files of all crates, and says what was done.
fn written(console: &mut Console, crates: &[Crate<'_>], force: bool) -> Result<(), Error> {
    // A plan that cannot be read is replaced all the same; then there is nothing to compare.
    let before = |one: &Crate<'_>| load::plan_if_there(&one.dir.join(FILE_NAME)).ok().flatten();
    let before: Vec<Option<Plan>> = crates.iter().map(before).collect();
    // What the person has there; a new file lacks nothing.
    let own: Vec<String> = crates.iter().map(|one| owned::hooks_text(&one.dir)).collect();
    let manifests = crates
        .iter()
        .map(|one| output::joined(&one.dir, one.files))
        .collect::<Result<Vec<_>, _>>()?;
    let files: Vec<_> = crates.iter().map(|one| (one.dir.as_path(), one.files)).collect();
    let written = uninterrupted(|| output::write_all(&files, force))?;
    for (i, ((Crate { plan, dir, .. }, before), written)) in
        crates.iter().zip(before).zip(written).enumerate()
    {
        if i > 0 {
            console.say("");
        }
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
        diff::told(console, before.as_ref(), plan, &dir.join(FILE_NAME));
    }
    for (one, joined) in crates.iter().zip(manifests) {
        owned::carried(console, &one.dir, &joined.unwrap_or_default());
    }
    for (one, text) in crates.iter().zip(own) {
        let words = "is yours and was not touched, but the code around it needs something new";
        owned::lacking(console, &one.dir, &text, words);
    }
    Ok(())
}
