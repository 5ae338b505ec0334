//! `mcp-gen check`

use std::path::{Path, PathBuf};

use super::args::{CheckArgs, InputArgs};
use super::console::{Console, Notes};
use super::load::Loaded;
use super::references::Copies;
use super::{ExitStatus, load, owned, split};
use crate::codegen::{CrateFiles, Options, manifest};
use crate::diagnostic::Diagnostics;
use crate::diff;
use crate::error::Error;
use crate::output::{self, Stale};
use crate::pipeline::{self, Part};
use crate::plan::{FILE_NAME, Plan};

/// Documents that are looked for when none is named.
const DOCUMENTS: &[&str] =
    &["openapi.yaml", "openapi.yml", "openapi.json", "swagger.yaml", "swagger.yml", "swagger.json"];

/// Most files that are listed.
const MOST: usize = 10;

/// Says whether document, plan and crate agree; writes nothing.
pub fn run(console: &mut Console, args: &CheckArgs) -> Result<ExitStatus, Error> {
    let input = InputArgs { document: Some(document(args)?), reading: args.reading.clone() };
    let asked = load::asked(&input)?;
    let output = asked.output(args.output.as_ref());
    let copies = Copies::in_folder(output.as_deref()).only_read();
    let mut loaded = load::document(&input, asked, copies)?;
    let config = loaded.config(Some(&args.planning))?;
    if let Some(parts) = split::parts(&mut loaded, &config, &args.part)? {
        let folder = split::folder(output.as_deref())?;
        return several(console, loaded, parts, args, (&input, &folder));
    }
    let plan = |loaded: &mut Loaded, previous: Option<&Plan>| {
        let previous = previous.filter(|_| !args.planning.replan);
        pipeline::plan(&mut loaded.diagnostics, &loaded.api, &config, previous)
    };
    let dir = match &output {
        Some(dir) => dir.clone(),
        // The default folder has the name of the server, which planning gives.
        None => PathBuf::from(format!("{}-mcp", plan(&mut loaded, None)?.server)),
    };
    let path = dir.join(FILE_NAME);
    let there = load::plan_if_there(&path)?;
    let fresh = plan(&mut loaded, there.as_ref())?;
    if load::gate(console, &loaded) {
        return Ok(ExitStatus::Found);
    }
    let fresh_everywhere = agree(console, &loaded, args, &input, (&dir, None), there, &fresh)?;
    Ok(if fresh_everywhere { ExitStatus::Done } else { ExitStatus::Found })
}

/// The same for each server of several.
fn several(
    console: &mut Console,
    mut loaded: Loaded,
    parts: Vec<Part>,
    args: &CheckArgs,
    (input, folder): (&InputArgs, &Path),
) -> Result<ExitStatus, Error> {
    let there = |name: &str| load::plan_if_there(&folder.join(name).join(FILE_NAME));
    let previous = |name: &str| if args.planning.replan { Ok(None) } else { there(name) };
    let only = args.part.server.as_deref();
    let plans = pipeline::plan_parts(&mut loaded.diagnostics, &parts, only, &previous)?;
    if load::gate(console, &loaded) {
        return Ok(ExitStatus::Found);
    }
    let mut all_fresh = true;
    for (part, fresh) in parts.into_iter().zip(&plans) {
        if only.is_some_and(|only| only != part.name) {
            continue;
        }
        let known = there(&part.name)?;
        loaded.api = part.api;
        let at = (folder, Some(part.name.as_str()));
        all_fresh &= agree(console, &loaded, args, input, at, known, fresh)?;
    }
    Ok(if all_fresh { ExitStatus::Done } else { ExitStatus::Found })
}

/// Whether the plan and the crate in a folder, or in that of a server below it, are what they should
/// be; says what is not.
fn agree(
    console: &mut Console,
    loaded: &Loaded,
    args: &CheckArgs,
    input: &InputArgs,
    (folder, server): (&Path, Option<&str>),
    there: Option<Plan>,
    fresh: &Plan,
) -> Result<bool, Error> {
    let dir = server.map_or_else(|| folder.to_path_buf(), |name| folder.join(name));
    let path = dir.join(FILE_NAME);
    let member = is_member(&dir);
    let whole = Mend { args, input, folder, server, member };
    let Some(there) = there else {
        console.wrong(&format!("`{}` is missing", path.display()));
        console.help(&format!("{} makes plan and crate", whole.command(true)));
        return Ok(false);
    };
    let plan_is_fresh = std::fs::read_to_string(&path).is_ok_and(|text| text == fresh.to_yaml());
    if plan_is_fresh {
        console.say(&format!("`{}` is what the document gives", path.display()));
    } else {
        let diff = pipeline::diff(Some(&there), fresh);
        match diff::summary(&diff) {
            Some(summary) => {
                console.wrong(&format!("`{}` is stale: {summary}\n", path.display()));
                let text = diff::text(&diff, console.verbose());
                console.wrong(&text);
            }
            None => console.wrong(&format!(
                "`{}` is stale, though only in its layout, its sizes and its reasons",
                path.display()
            )),
        }
    }
    let crate_is_fresh = compare_crate(console, loaded, &there, &dir, member, plan_is_fresh)?;
    // No command mends what is the person's.
    let words = "is yours, and lacks what the code around it needs";
    let lacks = owned::lacking(console, &dir, &owned::hooks_text(&dir), words);
    if plan_is_fresh && crate_is_fresh == Some(true) {
        return Ok(!lacks);
    }
    if plan_is_fresh {
        console.help(&format!("{} renews the crate", whole.command(false)));
    } else {
        console.help(&format!("{} renews plan and crate", whole.command(true)));
    }
    Ok(false)
}

/// Whether the crate is what the plan in it gives; nothing when that cannot be said.
fn compare_crate(
    console: &mut Console,
    loaded: &Loaded,
    plan: &Plan,
    dir: &Path,
    member: bool,
    plan_is_fresh: bool,
) -> Result<Option<bool>, Error> {
    let mut diagnostics = Diagnostics::default();
    let options = Options { standalone: !member };
    let Some(files) = pipeline::generate(&mut diagnostics, plan, &loaded.api, &options) else {
        console.wrong(&format!(
            "the crate in `{}` was not compared, for its plan does not fit the document",
            dir.display()
        ));
        if plan_is_fresh {
            console.findings(&diagnostics, &loaded.sources, Notes::Counted);
        }
        return Ok(None);
    };
    let stale = output::stale(dir, &files)?;
    let count = stale.changed.len() + stale.orphans.len();
    if count == 0 {
        console.say(&format!("the crate in `{}` is what its plan gives", dir.display()));
        return Ok(Some(true));
    }
    console.wrong(&format!(
        "the crate in `{}` is stale: {count} of {} files",
        dir.display(),
        files.generated.len() + files.kept.len()
    ));
    console.wrong(list(dir, &stale, &files).trim_end());
    if let Some(joined) = output::joined(dir, &files)? {
        owned::unset(console, dir, &joined);
    }
    Ok(Some(false))
}

/// The files that differ; at most so many, then how many more.
fn list(dir: &Path, stale: &Stale, files: &CrateFiles) -> String {
    let changed = stale.changed.iter().map(|path| {
        let missing = !dir.join(path).exists();
        let kept = files.kept.contains_key(path);
        format!("  {path}{}\n", if missing || kept { " (missing)" } else { "" })
    });
    let orphans =
        stale.orphans.iter().map(|path| format!("  {path} (nothing makes it any more)\n"));
    let all: Vec<String> = changed.chain(orphans).collect();
    let mut text: String = all.iter().take(MOST).map(String::as_str).collect();
    if all.len() > MOST {
        text.push_str(&format!("  and {} more\n", all.len() - MOST));
    }
    text
}

/// Whether the crate was made as a member of a workspace: only one that stands alone says that it
/// is a workspace of its own.
fn is_member(dir: &Path) -> bool {
    std::fs::read_to_string(dir.join(manifest::PATH)).is_ok_and(|text| manifest::is_member(&text))
}

/// The document that is named, or the one that is there.
fn document(args: &CheckArgs) -> Result<PathBuf, Error> {
    if let Some(path) = &args.document {
        return Ok(path.clone());
    }
    let found = DOCUMENTS.iter().map(PathBuf::from).find(|p| p.is_file());
    found.ok_or_else(|| Error::Usage {
        message: format!("name the OpenAPI document; there is no `{}` here", DOCUMENTS[0]),
    })
}

/// What makes the files right again.
struct Mend<'a> {
    args: &'a CheckArgs,
    input: &'a InputArgs,
    folder: &'a Path,
    server: Option<&'a str>,
    member: bool,
}

impl Mend<'_> {
    /// The command, in backticks, with the options that were given here.
    fn command(&self, planning: bool) -> String {
        let mut words = vec!["mcp-gen".to_owned()];
        if !planning {
            words.push("generate".to_owned());
        }
        let mut option = |name: &str, value: &str| {
            words.extend([name.to_owned(), quoted(value)]);
        };
        if let Some(document) = &self.input.document {
            option("", &document.to_string_lossy());
        }
        option("-o", &self.folder.to_string_lossy());
        if let Some(server) = self.server {
            option("--server", server);
        }
        let reading = &self.args.reading;
        if let Some(config) = &reading.config {
            option("--config", &config.to_string_lossy());
        }
        reading.overlay.iter().for_each(|p| option("--overlay", &p.to_string_lossy()));
        if planning {
            let given = &self.args.planning;
            given.flags().iter().for_each(|(flag, value)| option(flag, value));
            if given.replan {
                words.push("--replan".to_owned());
            }
        }
        if self.member {
            words.push("--workspace-member".to_owned());
        }
        words.retain(|w| !w.is_empty());
        format!("`{}`", words.join(" "))
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=+,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
