//! Joins the stages.

use std::path::Path;

use crate::bind;
use crate::codegen::{self, CrateFiles, Options};
use crate::config::Config;
use crate::diagnostic::Diagnostics;
use crate::diagnostic::generating::{CONNECTION_DIFFERS, UNSAFE_DEFINITION};
use crate::diff::{self, Diff, Size};
use crate::error::Error;
use crate::ir;
use crate::openapi::{self, Beside};
use crate::plan::{Connection, Plan};
use crate::planner;
use crate::report;
use crate::source::{Pointer, Position, Source, Sources};

/// A document in a file.
///
/// # Errors
/// When the file cannot be read, or is no text.
pub fn source_file(path: &Path) -> Result<Source, Error> {
    let bytes =
        std::fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    source(&path.display().to_string(), &bytes)
}

/// A document that is called `name` in messages: UTF-8, or UTF-16 with a byte order mark.
///
/// # Errors
/// When the bytes are no text.
pub fn source(name: &str, bytes: &[u8]) -> Result<Source, Error> {
    Ok(Source { name: name.to_owned(), text: text(bytes, name)? })
}

/// Reads the document `root` and all that it refers to.
///
/// # Errors
/// When the text is neither YAML nor JSON, or no OpenAPI document.
pub fn read(
    diagnostics: &mut Diagnostics,
    sources: &mut Sources,
    root: Source,
) -> Result<ir::Api, Error> {
    read_beside(diagnostics, sources, root, &Beside::default())
}

/// Like [`read`], with overlays, and more folders that references may lead into.
///
/// # Errors
/// When the text is neither YAML nor JSON, or no OpenAPI document, or an overlay is none.
pub fn read_beside(
    diagnostics: &mut Diagnostics,
    sources: &mut Sources,
    root: Source,
    beside: &Beside<'_>,
) -> Result<ir::Api, Error> {
    openapi::read(diagnostics, sources, root, beside)
}

/// Plans the tools for `api`; `previous` is the plan that is known already.
///
/// # Errors
/// When the plan does not survive its own file format, which would be a fault of mcp-gen.
pub fn plan(
    diagnostics: &mut Diagnostics,
    api: &ir::Api,
    config: &Config,
    previous: Option<&Plan>,
) -> Result<Plan, Error> {
    let mut plan = planner::plan(diagnostics, api, config, previous);
    plan.connection = codegen::connection(&plan, api);
    // What is generated is what the file says, so the plan goes through the file here: a plan made
    // just now and one that was checked in give the same bytes.
    read_plan(crate::plan::FILE_NAME, &plan.to_yaml())
}

/// The whole story of a tool or an operation of `plan`; `None` when nothing is called `what`.
#[must_use]
pub fn story(api: &ir::Api, config: &Config, plan: &Plan, what: &str) -> Option<String> {
    planner::story(api, config, plan, what)
}

/// Reads a plan file called `name` in messages.
///
/// # Errors
/// When it is no plan of this format.
pub fn read_plan(name: &str, text: &str) -> Result<Plan, Error> {
    Plan::from_yaml(text).map_err(|e| Error::File {
        name: match e.position {
            Some((line, column)) => format!("{name}:{line}:{column}"),
            None => name.to_owned(),
        },
        message: e.message,
    })
}

/// Generates the crate that `plan` describes; `None` when the plan does not fit the API, which
/// `diagnostics` then says.
pub fn generate(
    diagnostics: &mut Diagnostics,
    plan: &Plan,
    api: &ir::Api,
    options: &Options,
) -> Option<CrateFiles> {
    let bound = bind::bind(diagnostics, plan, api);
    connection(diagnostics, plan, api);
    codegen::check(diagnostics, &bound);
    if diagnostics.has_errors() {
        return None;
    }
    let files = codegen::generate(&bound, options);
    surface(diagnostics, &files);
    (!diagnostics.has_errors()).then_some(files)
}

/// Draws `plan` as a page of HTML that loads nothing; `None` when the plan does not fit the API, which
/// `diagnostics` then says. `old` asks for the changes against another plan, or against none.
pub fn report(
    diagnostics: &mut Diagnostics,
    plan: &Plan,
    api: &ir::Api,
    sources: &Sources,
    old: Option<Option<&Plan>>,
) -> Option<String> {
    let bound = bind::bind(diagnostics, plan, api);
    codegen::check(diagnostics, &bound);
    if diagnostics.has_errors() {
        return None;
    }
    let changes = old.map(|old| diff(old, plan));
    Some(report::html(&bound, diagnostics, sources, changes.as_ref()))
}

/// What has changed from one plan to another; without `old`, everything is new.
pub fn diff(old: Option<&Plan>, new: &Plan) -> Diff {
    let size = Size { before: old.map_or(0, tokens), after: tokens(new) };
    diff::compare(old, new, size)
}

/// About how many tokens the definitions of a plan take. Models split texts differently; four
/// characters for each token is near enough to see what a change costs.
fn tokens(plan: &Plan) -> usize {
    codegen::definitions(plan).chars().count().div_ceil(4)
}

/// Reports servers and credentials that the plan does not name: what was reviewed would not be what
/// is served. A plan that names none at all is older than the key.
fn connection(diagnostics: &mut Diagnostics, plan: &Plan, api: &ir::Api) {
    let said = &plan.connection;
    if *said == Connection::default() {
        return;
    }
    let Connection { servers, credentials } = codegen::connection(plan, api);
    let servers = servers
        .iter()
        .filter(|url| !said.servers.contains(url))
        .map(|url| format!("requests would go to `{url}`, which the plan does not name"));
    let credentials = credentials
        .iter()
        .filter(|(name, what)| said.credentials.get(*name) != Some(what))
        .map(|(name, what)| format!("the plan does not say that `{name}` is `{what}`"));
    for message in servers.chain(credentials) {
        diagnostics
            .report(&CONNECTION_DIFFERS, None, Pointer::default(), message)
            .help("`mcp-gen plan` renews the plan; look at `connection` before you commit it");
    }
}

/// Reports definitions that some client would refuse. Plans that mcp-gen makes have none; plans are
/// edited by hand.
fn surface(diagnostics: &mut Diagnostics, files: &CrateFiles) {
    let tools = files.generated.get("tools.json").and_then(|t| serde_json::from_str(t).ok());
    for fault in tools.iter().flat_map(planner::safe_subset::safe_subset_errors) {
        diagnostics
            .report(&UNSAFE_DEFINITION, None, Pointer::default(), fault)
            .help("mend the plan by hand, or let `mcp-gen plan` renew it");
    }
}

fn text(bytes: &[u8], name: &str) -> Result<String, Error> {
    let wide = |decode: fn([u8; 2]) -> u16| {
        let units: Vec<_> = bytes[2..].chunks_exact(2).map(|c| decode([c[0], c[1]])).collect();
        String::from_utf16(&units).ok()
    };
    let decoded = match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => {
            return String::from_utf8(bytes.to_vec()).map_err(|e| {
                let valid = e.utf8_error().valid_up_to();
                let before = String::from_utf8_lossy(&bytes[..valid]);
                let position = Position::of(&before, before.len());
                Error::Syntax {
                    name: name.to_owned(),
                    position,
                    message: format!("byte {valid} is not UTF-8; save the document as UTF-8"),
                }
            });
        }
    };
    decoded.ok_or_else(|| Error::File {
        name: name.to_owned(),
        message: "the text starts like UTF-16 but is not; save the document as UTF-8".to_owned(),
    })
}
