//! Joins the stages.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;

use crate::bind;
use crate::codegen::{self, CrateFiles, Options};
use crate::config::Config;
use crate::diagnostic::generating::CONNECTION_DIFFERS;
use crate::diagnostic::planning_config::TOKENS_OVER_LIMIT;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diff::{self, Diff, Size};
use crate::error::Error;
use crate::ir;
use crate::openapi::{self, Beside};
use crate::plan::{Connection, Plan, Tool};
use crate::planner;
pub use crate::planner::split::Part;
use crate::report;
use crate::source::{Limits, Pointer, Position, Source, Sources};
use crate::surface::{self, Surface};

/// A document in a file.
///
/// # Errors
/// When the file cannot be read, or is no text.
pub fn source_file(path: &Path) -> Result<Source, Error> {
    let wrong = |source| Error::Read { path: path.to_owned(), source };
    let file = std::fs::File::open(path).map_err(wrong)?;
    let bytes = bounded(file).map_err(wrong)?;
    source(&path.display().to_string(), &bytes)
}

/// All bytes of `input`, which may be a device that never ends.
///
/// # Errors
/// When it cannot be read, or is larger than any document may be.
pub fn bounded(input: impl std::io::Read) -> std::io::Result<Vec<u8>> {
    let most = Limits::default().bytes;
    let mut bytes = Vec::new();
    input.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        let message = format!("it is larger than {} MiB, the most that is read", most >> 20);
        return Err(std::io::Error::other(message));
    }
    Ok(bytes)
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
    let mut plan = planned(diagnostics, api, config, previous);
    promise(&mut plan, api, config, previous);
    plan.connection.arrays = config.array_format.map(|arrays| arrays.word().to_owned());
    plan.connection = codegen::connection(&plan, api);
    plan.sizes = codegen::sizes(&bind::bind(&mut Diagnostics::default(), &plan, api));
    // What is generated is what the file says, so the plan goes through the file here: a plan made
    // just now and one that was checked in give the same bytes.
    read_plan(crate::plan::FILE_NAME, &plan.to_yaml())
}

/// How many tokens the list may take before what tools answer is not worth its place in it.
const LIST_TOKENS: usize = 9_000;

/// How a sentence begins by which a tool says that it does not say what it answers.
const UNSAID: &str = "It does not say what it answers:";

/// Adds what tools answer. The longest are left out where the list would take too many tokens; what
/// was asked for by the name of a tool stays. What `previous` left out is left out again unless there
/// is room by far, so that a few tokens more or less elsewhere move nothing here.
fn promise(plan: &mut Plan, api: &ir::Api, config: &Config, previous: Option<&Plan>) {
    let bound = bind::bind(&mut Diagnostics::default(), plan, api);
    let outputs = codegen::outputs(&bound, |name| config.wants_output(name));
    for (tool, output) in plan.tools.iter_mut().zip(outputs) {
        tool.output = output;
        tool.why.retain(|sentence| !sentence.starts_with(UNSAID));
    }
    let limit = config.max_tokens.unwrap_or(LIST_TOKENS);
    let leave_out = |tool: &mut Tool| {
        if let Some(output) = tool.output.take() {
            let long = crate::plan::tokens(&output);
            tool.why.push(format!(
                "{UNSAID} with an `outputSchema` of about {long} tokens the list would take more than {limit}."
            ));
        }
    };
    let free =
        |tool: &Tool| tool.output.is_some() && config.own_wish_for_output(&tool.name).is_none();
    let before = previous.into_iter().flat_map(|p| &p.tools);
    let unsaid: BTreeSet<&str> = before
        .filter(|tool| tool.why.iter().any(|sentence| sentence.starts_with(UNSAID)))
        .map(|tool| tool.name.as_str())
        .collect();
    if tokens(plan) > limit - limit / 10 {
        for tool in plan.tools.iter_mut().filter(|t| unsaid.contains(t.name.as_str()) && free(t)) {
            leave_out(tool);
        }
    }
    let long = |tool: &Tool| tool.output.as_ref().map_or(0, crate::plan::tokens);
    while tokens(plan) > limit {
        let may = plan.tools.iter().enumerate().rev().filter(|(_, tool)| free(tool));
        let Some((longest, _)) = may.max_by_key(|(_, tool)| long(tool)) else { return };
        leave_out(&mut plan.tools[longest]);
    }
}

/// The tools for `api` within the tokens that are allowed, where that can be.
fn planned(
    diagnostics: &mut Diagnostics,
    api: &ir::Api,
    config: &Config,
    previous: Option<&Plan>,
) -> Plan {
    let mut found = diagnostics.clone();
    let mut plan = planner::plan(&mut found, api, config, previous);
    if let Some(limit) = config.max_tokens.filter(|limit| tokens(&plan) > *limit) {
        // Fewer places bring more of the operations behind the catalog.
        for places in (1..plan.primary().min(config.max_primary)).rev() {
            let fewer = Config { max_primary: places, ..config.clone() };
            let mut retried = diagnostics.clone();
            let smaller = planner::plan(&mut retried, api, &fewer, previous);
            if tokens(&smaller) < tokens(&plan) {
                (found, plan) = (retried, smaller);
            }
            if tokens(&plan) <= limit {
                break;
            }
        }
        let taken = tokens(&plan);
        if taken > limit {
            let pointer = Pointer::default().child("max-tokens");
            let message = format!("tools/list takes about {taken} tokens, {limit} allowed");
            found
                .report(&TOKENS_OVER_LIMIT, config.places.at(&pointer), pointer, message)
                .help("demand fewer tools, leave operations out by `exclude`, or raise the limit");
        }
    }
    *diagnostics = found;
    plan
}

/// The servers that the configuration makes of the document; none when it makes one.
pub fn split(diagnostics: &mut Diagnostics, api: &ir::Api, config: &Config) -> Vec<Part> {
    planner::split::parts(diagnostics, api, config)
}

/// Plans each of `parts`; `previous` gives the plan that is known of a server. Of what is found only
/// that about the server `only` counts, where one is named, and of lines for all servers only that
/// which holds in each.
///
/// # Errors
/// When a plan does not survive its own file format, which would be a fault of mcp-gen.
pub fn plan_parts(
    diagnostics: &mut Diagnostics,
    parts: &[Part],
    only: Option<&str>,
    previous: &dyn Fn(&str) -> Result<Option<Plan>, Error>,
) -> Result<Vec<Plan>, Error> {
    let (mut plans, mut found) = (Vec::new(), Vec::new());
    for part in parts {
        let mut own = Diagnostics::default();
        let before = previous(&part.name)?;
        plans.push(plan(&mut own, &part.api, &part.config, before.as_ref())?);
        found.push(own);
    }
    for (own, part) in found.iter().zip(parts) {
        if only.is_some_and(|only| only != part.name) {
            continue;
        }
        for finding in own.iter() {
            let same = |d: &Diagnostic| d.code == finding.code && d.pointer == finding.pointer;
            let everywhere = || found.iter().all(|other| other.iter().any(same));
            let known = diagnostics.iter().any(same);
            let shared = planner::split::is_shared(finding);
            if !shared || (everywhere() && !known && !part.is_answered(finding)) {
                diagnostics.add(finding.clone());
            }
        }
    }
    Ok(plans)
}

/// How much a plan made afresh must be better than one that follows another, to be worth a word.
const WORTH: f64 = 0.85;

/// A sentence when a plan made afresh would be clearly better than `plan`, which follows one that was
/// there: at least 15 % cheaper by tokens of `tools/list`, or by the measure that grouping follows.
pub fn better_afresh(api: &ir::Api, config: &Config, plan: &Plan) -> Option<String> {
    let mut fresh = planned(&mut Diagnostics::default(), api, config, None);
    promise(&mut fresh, api, config, None);
    let fresh = read_plan(crate::plan::FILE_NAME, &fresh.to_yaml()).ok()?;
    let direct = |p: &Plan| p.tools.iter().map(|t| t.actions.len()).sum::<usize>();
    // A plan that puts more behind the catalog is smaller, but not better for that.
    if fresh.tools == plan.tools || direct(&fresh) < direct(plan) {
        return None;
    }
    let gain = |before: f64, after: f64| (before > 0.0 && after <= before * WORTH).then_some(());
    let (before, after) = (tokens(plan), tokens(&fresh));
    #[expect(clippy::cast_precision_loss, reason = "numbers of tokens are small")]
    let fewer = gain(before as f64, after as f64);
    let cheaper = || {
        // By operation, since one plan may reach more of them directly.
        #[expect(clippy::cast_precision_loss, reason = "numbers of operations are small")]
        let cost = |p: &Plan| planner::cost(api, config, p) / direct(p).max(1) as f64;
        gain(cost(plan), cost(&fresh))
    };
    let what = if fewer.is_some() {
        format!("take about {after} tokens instead of {before}")
    } else {
        cheaper()?;
        "group its operations clearly better".to_owned()
    };
    Some(format!(
        "a plan made afresh would {what}, with {} tools instead of {}; `--replan` makes it, and \
         renames what agents know",
        fresh.tools.len(),
        plan.tools.len()
    ))
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
    refused(diagnostics, codegen::definitions(plan));
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

/// About how many tokens the definitions of a plan take.
fn tokens(plan: &Plan) -> usize {
    codegen::definitions(plan).iter().map(crate::plan::tokens).sum()
}

/// Reports servers and credentials that the plan does not name: what was reviewed would not be what
/// is served. A plan that names none at all is older than the key.
fn connection(diagnostics: &mut Diagnostics, plan: &Plan, api: &ir::Api) {
    let said = &plan.connection;
    if said.servers.is_empty() && said.credentials.is_empty() {
        return;
    }
    let Connection { servers, credentials, arrays: _ } = codegen::connection(plan, api);
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

/// Looks at the surface that agents see: reports what some client would refuse, what makes it worse
/// than it could be, and what each of `clients` would do with it.
pub fn audit(
    diagnostics: &mut Diagnostics,
    plan: &Plan,
    clients: &[&surface::Profile],
) -> Vec<surface::Seen> {
    let definitions = codegen::definitions(plan);
    let whole = Surface { plan, definitions: &definitions };
    refused(diagnostics, definitions.clone());
    surface::audit(diagnostics, whole);
    clients.iter().map(|client| surface::see(diagnostics, whole, client)).collect()
}

/// Reports definitions that some client would refuse. Plans that mcp-gen makes have none; plans are
/// edited by hand.
fn refused(diagnostics: &mut Diagnostics, definitions: Vec<serde_json::Value>) {
    let list = serde_json::Value::Array(definitions);
    surface::refused(diagnostics, planner::safe_subset::safe_subset_errors(&list));
}

fn text(bytes: &[u8], name: &str) -> Result<String, Error> {
    let wide = |decode: fn([u8; 2]) -> u16| {
        if !bytes.len().is_multiple_of(2) {
            return None;
        }
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
