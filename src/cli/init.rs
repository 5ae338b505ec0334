//! `mcp-gen init`

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::args::{InitArgs, InputArgs, ReadingArgs};
use super::console::Console;
use super::references::Copies;
use super::{ExitStatus, account, load};
use crate::config::{self, Config};
use crate::error::Error;
use crate::ir::Api;
use crate::ir::prose::{clean, cut};
use crate::plan::Plan;
use crate::planner::outline::{self, Part};
use crate::{output, pipeline};

/// From this many operations on, a server for a part of an API is easier to choose from.
const LARGE: usize = 90;
/// From this many operations on, several servers and toolsets are proposed.
const VERY_LARGE: usize = 200;
/// Most lines of a list.
const MOST: usize = 40;

/// Writes a configuration to start from.
pub fn run(console: &mut Console, args: &InitArgs) -> Result<ExitStatus, Error> {
    let document = args.input.document.as_deref().unwrap_or(Path::new("-"));
    let path = args.output.clone().unwrap_or_else(|| {
        if document == Path::new("-") {
            PathBuf::from(config::FILE_NAME)
        } else {
            document.with_file_name(config::FILE_NAME)
        }
    });
    let file = load::file(Some(&path));
    if let Some(path) = file.filter(|path| path.exists() && !args.force) {
        return Err(Error::Usage {
            message: format!("`{}` is there already; `--force` replaces it", path.display()),
        });
    }
    let input = InputArgs {
        document: args.input.document.clone(),
        reading: ReadingArgs { alone: true, ..args.input.reading.clone() },
    };
    let asked = load::asked(&input)?;
    let mut loaded = load::document(&input, asked, Copies::beside(file))?;
    let plan = pipeline::plan(&mut loaded.diagnostics, &loaded.api, &Config::default(), None)?;
    if load::gate(console, &loaded) {
        return Ok(ExitStatus::Found);
    }
    let text = text(&loaded.api, &plan);
    let Some(path) = file else {
        console.data(&text)?;
        return Ok(ExitStatus::Done);
    };
    output::write_file(path, &text)?;
    console.say(&format!(
        "Wrote `{}`; all but one line of it are comments to choose from",
        path.display()
    ));
    Ok(ExitStatus::Done)
}

/// The file. A line that begins with `#` and no space is one that may be taken as it is.
fn text(api: &Api, plan: &Plan) -> String {
    let mut out = String::new();
    let title = cut(&clean(&api.title), 80);
    let count = account::count(api.operations.len(), "operation");
    line(&mut out, &format!("# Configuration of mcp-gen for {title}: {count}."));
    line(
        &mut out,
        "# What is said here counts before `x-mcp` in the document, and that before what the planner",
    );
    line(&mut out, "# finds. Remove a `#` to say it. `mcp-gen schema config` describes every key.");
    for server in api.servers.iter().take(3) {
        line(&mut out, &format!("# Requests go to {}", cut(&clean(&server.url), 200)));
    }
    line(&mut out, "\n# Name of the server.");
    line(&mut out, &format!("#name: {}", plan.server));
    line(&mut out, "\n# How many primary tools there may be.");
    line(&mut out, &format!("max-primary: {}", Config::default().max_primary));
    line(&mut out, "\n# Limits of each tool, and of the reply to tools/list in tokens.");
    line(&mut out, "#max-actions: 12\n#max-arguments: 24\n#max-tokens: 10000");
    line(
        &mut out,
        "\n# Folder of the crate, as a path from here, and whether it is a member of a workspace.",
    );
    line(&mut out, &format!("#output: {}-mcp\n#workspace-member: true", plan.server));
    parts(&mut out, api);
    line(&mut out, "\n# Changes to the document before it is read, as paths from here.");
    line(&mut out, "#overlays: []");
    tools(&mut out, plan);
    operations(&mut out, plan);
    out
}

fn line(out: &mut String, text: &str) {
    let _ = writeln!(out, "{text}");
}

/// What there is to take and to leave out.
fn parts(out: &mut String, api: &Api) {
    line(
        out,
        "\n# Operations to take: `METHOD /path`, `tag:NAME` or `id:NAME`, with `*` for any text.",
    );
    if api.operations.len() >= LARGE {
        line(
            out,
            "# This API is large. A server for some of these parts is easier to choose from:",
        );
    }
    let families: Vec<String> = outline::families(api)
        .iter()
        .take(12)
        .map(|f| format!("{} ({})", cut(&clean(&f.noun), 40), f.reads + f.writes))
        .collect();
    line(out, &format!("# Its largest families are {}.", families.join(", ")));
    let parts = outline::parts(api);
    line(out, "#include:");
    for part in parts.iter().take(MOST) {
        let count = account::count(part.operations, "operation");
        line(out, &format!("#  - {}  # {count}", quoted(&part.pattern)));
    }
    if parts.len() > MOST {
        line(out, &format!("# … and {} more", parts.len() - MOST));
    }
    if api.operations.len() > VERY_LARGE {
        several(out, &parts);
    }
    line(out, "\n# Operations to leave out.");
    line(out, "#exclude: []");
}

/// Several servers, and sets of tools, by the parts of an API.
fn several(out: &mut String, parts: &[Part]) {
    line(
        out,
        "\n# Servers to make of this document instead of one, each a crate in a folder of its own. An\n\
         # operation that several of them name is in the first. Patterns of several parts may stand in one list.",
    );
    by_part(out, "split", parts, '-', 18);
    line(
        out,
        "\n# Sets of tools that one server can be started with, by `--toolsets NAME,NAME`; a tool that\n\
         # is in none of them is in `default`.",
    );
    by_part(out, "toolsets", parts, '_', 40);
}

fn by_part(out: &mut String, key: &str, parts: &[Part], between: char, longest: usize) {
    line(out, &format!("#{key}:"));
    let mut taken = BTreeSet::new();
    for part in parts.iter().take(MOST) {
        let name = named(&part.pattern, between, longest, &mut taken);
        let count = account::count(part.operations, "operation");
        line(out, &format!("#  {name}: [{}]  # {count}", quoted(&part.pattern)));
    }
    if parts.len() > MOST {
        line(out, &format!("# … and {} more", parts.len() - MOST));
    }
}

/// A name for the part that a pattern names, which no other has.
fn named(pattern: &str, between: char, longest: usize, taken: &mut BTreeSet<String>) -> String {
    let words = pattern.strip_prefix("tag:").or(pattern.strip_prefix("* ")).unwrap_or(pattern);
    let words: Vec<String> = words
        .to_ascii_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(str::to_owned)
        .collect();
    let mut stem = words.join(&between.to_string());
    if !stem.starts_with(|c: char| c.is_ascii_lowercase()) {
        stem.insert_str(0, "part");
    }
    let mut name = fit(&stem, between, longest);
    let mut number = 1;
    while !taken.insert(name.clone()) {
        number += 1;
        let end = format!("{between}{number}");
        name = fit(&stem, between, longest - end.len()) + &end;
    }
    name
}

/// At most `longest` characters, all of them ASCII; whole words where one fits.
fn fit(stem: &str, between: char, longest: usize) -> String {
    let Some(start) = stem.get(..longest).filter(|_| stem.len() > longest) else {
        return stem.to_owned();
    };
    let whole = if stem[longest..].starts_with(between) { None } else { start.rfind(between) };
    start[..whole.unwrap_or(longest)].trim_end_matches(between).to_owned()
}

/// The tools as they are planned.
fn tools(out: &mut String, plan: &Plan) {
    line(
        out,
        "\n# Wishes for tools. These are planned without this file; with `operations`, a list of",
    );
    line(
        out,
        "# patterns, a tool is made of those. Others: `name`, `description`, `when-not`, `posture`,",
    );
    line(out, "# `annotations`, and `actions` and `arguments` with `old: new`.");
    line(out, "#tools:");
    for tool in plan.tools.iter().take(MOST) {
        let actions: Vec<&str> =
            tool.actions.iter().map(|a| a.operation.as_str()).take(4).collect();
        let more = if tool.actions.len() > 4 { ", …" } else { "" };
        line(out, &format!("#  {}:  # {}{more}", tool.name, clean(&actions.join(", "))));
        line(out, &format!("#    title: {}", quoted(&tool.title)));
    }
}

/// An example of a wish for operations.
fn operations(out: &mut String, plan: &Plan) {
    line(
        out,
        "\n# Wishes for operations, by pattern; a later line counts before an earlier one: `skip`,",
    );
    line(
        out,
        "# `name`, `title`, `description`, `group` (the tool it goes into), `posture` (primary,",
    );
    line(
        out,
        "# secondary or catalog), `effect` (read or write), and `arguments` with `old: new`.",
    );
    if let Some(first) = plan.tools.iter().flat_map(|t| &t.actions).next() {
        line(out, "#operations:");
        line(out, &format!("#  {}:", quoted(&first.operation)));
        line(out, &format!("#    description: {}", quoted(&first.summary)));
    }
}

/// Text as YAML takes it at any place.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
