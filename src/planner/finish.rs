//! Makes a plan of a grouping: arguments, hints and texts.

use std::collections::{BTreeMap, BTreeSet};

use super::annotate::annotate;
use super::arguments::{Known, LARGE, Member, selector};
use super::catalog::{Flats, catalog, title};
use super::describe::{description, instructions, summary};
use super::draft::{Draft, DraftTool};
use super::renames::Renames;
use super::returned::returns;
use super::{server, toolsets, wished};
use crate::config::Config;
use crate::diagnostic::Diagnostics;
use crate::ir::Api;
use crate::ir::json_schema::size;
use crate::ir::prose::cut;
use crate::plan::{Action, Connection, Effect, Plan, Sizes, Tool};

/// The plan for the grouping `draft`. Names of arguments that `previous` gave stay.
pub(crate) fn finish(
    diagnostics: &mut Diagnostics,
    api: &Api,
    draft: &Draft,
    config: &Config,
    previous: Option<&Plan>,
) -> Plan {
    let mut flats = Flats::new(api);
    let mut asked = Asked { config, renames: Renames::default() };
    let tools = tools(diagnostics, api, draft, previous, &mut flats, &mut asked);
    super::alike::report(diagnostics, &tools);
    let longest = tools.iter().map(|t| t.name.len()).max().unwrap_or(0);
    // `find_` and `_operations` stand around the name of the server.
    let longest = if draft.entries.is_empty() { longest } else { longest.max(34) };
    let server = server::name(diagnostics, api, config, previous, longest);
    let title = title(api, &server);
    let before = previous.and_then(|p| p.catalog.as_ref());
    let catalog =
        catalog(diagnostics, api, draft, (&title, &server), &tools, &mut flats, before, &mut asked);
    asked.renames.report_idle(diagnostics, config);
    let names = catalog.as_ref().map(|c| {
        (c.find.name.as_str(), c.read.name.as_str(), c.write.as_ref().map(|w| w.name.as_str()))
    });
    let mut plan = Plan {
        api_title: api.title.clone(),
        api_version: api.version.clone(),
        instructions: instructions(api, &title, &tools, draft, names),
        server,
        title,
        // Which servers and credentials can be used is not for the planner to say.
        connection: Connection::default(),
        // Nor what the definitions cost once they are written.
        sizes: Sizes::default(),
        tools,
        catalog,
        excluded: draft.excluded.clone(),
    };
    if let Some(previous) = previous {
        keep_order(&mut plan, previous);
    }
    wished::check_limits(diagnostics, config, &plan);
    toolsets::assign(diagnostics, api, config, &mut plan);
    plan
}

/// Puts what follows the document's order where it was before, so that a document which is only
/// sorted otherwise changes nothing. What is new stays behind its neighbour in the document.
fn keep_order(plan: &mut Plan, previous: &Plan) {
    fn sort<T>(now: &mut Vec<T>, before: &[T], key: fn(&T) -> &str) {
        let places: BTreeMap<&str, usize> =
            before.iter().enumerate().map(|(place, one)| (key(one), place + 1)).collect();
        let mut last = 0;
        let placed = std::mem::take(now).into_iter().map(|one| {
            last = places.get(key(&one)).copied().unwrap_or(last);
            (last, places.contains_key(key(&one)), one)
        });
        let mut placed: Vec<_> = placed.collect();
        placed.sort_by_key(|(place, known, _)| (*place, !known));
        now.extend(placed.into_iter().map(|(_, _, one)| one));
    }
    if let (Some(now), Some(before)) = (&mut plan.catalog, &previous.catalog) {
        sort(&mut now.entries, &before.entries, |e| &e.operation);
    }
    sort(&mut plan.excluded, &previous.excluded, |e| &e.operation);
}

/// The tools of the grouping `draft`, shortened where they are long together.
fn tools(
    diagnostics: &mut Diagnostics,
    api: &Api,
    draft: &Draft,
    previous: Option<&Plan>,
    flats: &mut Flats<'_>,
    asked: &mut Asked<'_>,
) -> Vec<Tool> {
    let known = known(previous);
    let mut tools: Vec<Tool> = draft
        .tools
        .iter()
        .map(|t| tool(diagnostics, api, draft, t, flats, &known, previous, asked))
        .collect();
    let room = if draft.entries.is_empty() { LIST } else { LIST - CATALOG };
    for most in [5_000, 3_500, 2_500] {
        if tools.iter().map(listed).sum::<usize>() <= room {
            break;
        }
        // What there is to say was said the first time.
        let mut said = Diagnostics::default();
        flats.schemas.most = most;
        for (made, drafted) in tools.iter_mut().zip(&draft.tools) {
            if listed(made) > most {
                *made = tool(&mut said, api, draft, drafted, flats, &known, previous, asked);
            }
        }
    }
    flats.schemas.most = LARGE;
    tell_apart(&mut tools);
    tools
}

/// What the configuration asks, and what became of it.
pub(super) struct Asked<'a> {
    pub config: &'a Config,
    pub renames: Renames,
}

/// The most bytes of all definitions, about 9,000 tokens.
const LIST: usize = 36_000;
/// About as many bytes the three tools of a catalog take.
const CATALOG: usize = 3_000;

/// Whether the definitions of a fresh plan would be longer than clients should have to read.
pub(super) fn is_long(api: &Api, draft: &Draft, config: &Config, flats: &mut Flats<'_>) -> bool {
    let mut asked = Asked { config, renames: Renames::default() };
    let mut quiet = Diagnostics::default();
    let made = tools(&mut quiet, api, draft, None, flats, &mut asked);
    are_long(&made, !draft.entries.is_empty())
}

/// The same of tools that are made, which have a catalog beside them or not.
pub(super) fn are_long(made: &[Tool], catalog: bool) -> bool {
    let catalog = if catalog { CATALOG } else { 0 };
    made.iter().map(listed).sum::<usize>() + catalog > LIST
}

/// About how many bytes the definition of a tool takes.
fn listed(tool: &Tool) -> usize {
    // Names of fields, hints and brackets.
    const FRAME: usize = 260;
    let actions: usize = if tool.selector.is_some() {
        let each = |a: &Action| 2 * a.name.len() + a.summary.len().min(120) + 6;
        tool.actions.iter().map(each).sum::<usize>().min(1_600)
    } else {
        0
    };
    let arguments: usize = tool.arguments.iter().map(|a| a.name.len() + size(&a.schema) + 4).sum();
    FRAME + tool.name.len() + 2 * tool.title.len() + tool.description.len() + actions + arguments
}

/// What arguments were called before.
fn known(previous: Option<&Plan>) -> Known {
    let mut known = Known::new();
    for tool in previous.iter().flat_map(|p| &p.tools) {
        for argument in &tool.arguments {
            for (action, place) in &argument.to {
                let operation = tool.actions.iter().find(|a| a.name == *action);
                if let Some(operation) = operation {
                    let key = (operation.operation.clone(), place.to_string());
                    known.insert(key, argument.name.clone());
                }
            }
        }
    }
    known
}

#[expect(clippy::too_many_arguments, reason = "what all tools share is told apart")]
fn tool(
    diagnostics: &mut Diagnostics,
    api: &Api,
    draft: &Draft,
    drafted: &DraftTool,
    flats: &mut Flats<'_>,
    known: &Known,
    previous: Option<&Plan>,
    asked: &mut Asked<'_>,
) -> Tool {
    let each: Vec<_> = drafted.actions.iter().map(|a| flats.of(diagnostics, a.operation)).collect();
    let members: Vec<Member<'_>> = drafted
        .actions
        .iter()
        .zip(&each)
        .map(|(a, flat)| Member { action: &a.name, operation: &api.operations[a.operation], flat })
        .collect();
    let Asked { config, renames } = asked;
    let wish = drafted.wish.as_deref().and_then(|key| Some((key, config.tools.get(key)?)));
    let operations: Vec<usize> = drafted.actions.iter().map(|a| a.operation).collect();
    let merged = renames.merge(
        diagnostics,
        config,
        &draft.orders,
        wish.map(|(key, _)| key),
        &operations,
        &members,
        &mut flats.schemas,
        known,
    );
    let mut summaries = Vec::new();
    for action in &drafted.actions {
        let operation = &api.operations[action.operation];
        let asked = draft.orders.description(api, action.operation);
        let line = summary(diagnostics, operation, asked, &action.verb, &flats.repeated);
        let fields = (drafted.effect == Effect::Read).then(|| returns(api, operation)).flatten();
        summaries.push(match fields {
            Some(fields) => format!("{line} ({fields})"),
            None => line,
        });
    }
    let body: Vec<String> = each.iter().flat_map(|f| f.words.iter().cloned()).take(2).collect();
    let when_not = wish.and_then(|(_, wish)| wished::when_not(wish));
    let description = description(api, draft, drafted, &summaries, &body, when_not);
    let hints = drafted.actions.iter().map(|a| (&a.verb, &api.operations[a.operation].key.method));
    let annotations = annotate(drafted.effect, hints);
    let several = drafted.actions.len() > 1;
    let before = previous
        .and_then(|p| p.tools.iter().find(|t| t.name == drafted.name))
        .and_then(|t| t.selector.as_deref());
    let selector = several.then(|| selector(&merged.arguments, before));
    let actions = drafted
        .actions
        .iter()
        .zip(&each)
        .zip(summaries.into_iter().zip(merged.required))
        .map(|((a, flat), (summary, required))| Action {
            name: a.name.clone(),
            operation: api.operations[a.operation].key.to_string(),
            summary,
            media_type: flat.media_type.clone(),
            required,
        })
        .collect();
    let mut tool = Tool {
        name: drafted.name.clone(),
        title: drafted.title.clone(),
        posture: drafted.posture,
        description,
        annotations,
        actions,
        selector,
        arguments: merged.arguments,
        toolsets: Vec::new(),
        output: None,
        why: drafted.why.clone(),
    };
    if let Some((key, wish)) = wish {
        wished::grant(diagnostics, config, key, wish, &mut tool);
    }
    tool
}

/// Two tools of the same description cannot be chosen between: their operations tell them apart.
fn tell_apart(tools: &mut [Tool]) {
    let mut seen = BTreeSet::new();
    for tool in tools {
        if !seen.insert(tool.description.clone()) {
            let operations: Vec<&str> = tool.actions.iter().map(|a| a.operation.as_str()).collect();
            let mark = format!(" ({})", super::text::some(&operations, 2));
            let mark = cut(&mark, 200);
            let room = super::describe::DESCRIPTION - mark.chars().count();
            tool.description = format!("{}{mark}", cut(&tool.description, room));
            seen.insert(tool.description.clone());
        }
    }
}

#[cfg(test)]
mod tests;
