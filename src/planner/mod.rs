//! Groups the operations of an API into few, intent-level tools.

mod alike;
mod analyse;
mod annotate;
mod arguments;
mod asked;
mod assemble;
mod budget;
mod catalog;
mod centrality;
mod cost;
#[cfg(test)]
mod crowd_tests;
mod describe;
pub mod draft;
mod effect;
mod entry_name;
mod facts;
mod family;
mod finish;
mod flatten;
mod foreign;
mod group;
mod importance;
mod merge;
mod naming;
mod orders;
pub mod outline;
mod renames;
mod resource;
mod returned;
mod safe_output;
pub mod safe_subset;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod saying_tests;
mod select;
mod server;
pub mod split;
mod sticky;
mod story;
mod suspect;
mod telling;
#[cfg(test)]
mod tests;
mod text;
mod tool_wishes;
mod toolsets;
pub mod verb;
mod verb_words;
#[cfg(test)]
mod wish_tests;
mod wished;
mod words;

use crate::config::Config;
use crate::diagnostic::{Diagnostics, planning};
use crate::ir;
use crate::plan::{Excluded, Plan, Posture};
use crate::source::Pointer;
use draft::Draft;
pub use story::story;

/// Plans the tools for `api`. `previous` is the plan that people and agents know already; what
/// still makes sense of it stays.
pub fn plan(
    diagnostics: &mut Diagnostics,
    api: &ir::Api,
    config: &Config,
    previous: Option<&Plan>,
) -> Plan {
    suspect::report(diagnostics, api);
    let before = diagnostics.clone();
    let mut draft = draft(diagnostics, api, config, previous);
    // What is known already is not taken away because it is long.
    if previous.is_none_or(|p| p.covered() == 0) {
        // What one attempt flattened serves the next.
        let mut flats = catalog::Flats::new(api);
        let mut direct = draft.tools.len().min(budget::DIRECT_LIMIT + 1);
        while direct > LEAST_DIRECT
            && config.max_primary > LEAST_DIRECT
            && finish::is_long(api, &draft, config, &mut flats)
        {
            direct -= 1;
            *diagnostics = before.clone();
            draft = draft_within(diagnostics, api, config, None, Some(direct));
        }
    }
    finish::finish(diagnostics, api, &draft, config, previous)
}

/// The fewest direct tools that a plan keeps, however long its definitions are.
const LEAST_DIRECT: usize = 3;

/// Groups the operations of `api`, with all names.
pub(crate) fn draft(
    diagnostics: &mut Diagnostics,
    api: &ir::Api,
    config: &Config,
    previous: Option<&Plan>,
) -> Draft {
    draft_within(diagnostics, api, config, previous, None)
}

/// The same, with a catalog and at most `direct` tools beside it where that is given.
fn draft_within(
    diagnostics: &mut Diagnostics,
    api: &ir::Api,
    config: &Config,
    previous: Option<&Plan>,
    direct: Option<usize>,
) -> Draft {
    let orders = orders::read(diagnostics, api, config);
    let (kept, excluded) = select::select(diagnostics, api, config, &orders);
    orders.report_left_out(diagnostics, api, config, &excluded);
    if kept.is_empty() {
        return Draft { excluded, orders, ..Draft::default() };
    }
    let facts = analyse::analyse(diagnostics, api, &kept, &orders);
    let pool = cost::Pool::new(&facts, cost::Limits::of(config));
    let followed = previous.filter(|p| p.covered() > 0).and_then(|previous| {
        sticky::follow(diagnostics, api, &pool, config, &orders, previous, &excluded)
    });
    let mut draft =
        followed.unwrap_or_else(|| afresh(diagnostics, api, config, &pool, &excluded, direct));
    draft.orders = orders;
    tool_wishes::check_operations(diagnostics, api, config, &draft);
    tool_wishes::apply(diagnostics, config, &mut draft);
    report_excess(diagnostics, config, &draft);
    draft
}

/// Groups without regard to a plan before.
fn afresh(
    diagnostics: &mut Diagnostics,
    api: &ir::Api,
    config: &Config,
    pool: &cost::Pool<'_>,
    excluded: &[Excluded],
    direct: Option<usize>,
) -> Draft {
    let cut = budget::cut(diagnostics, pool, config, direct);
    let mut tools = Vec::new();
    for posture in [Posture::Primary, Posture::Secondary] {
        let mut groups: Vec<_> =
            cut.tools.iter().filter(|(_, p)| *p == posture).map(|(g, _)| g.clone()).collect();
        budget::by_value(pool, &mut groups);
        tools.extend(groups.into_iter().map(|g| (g, posture)));
    }
    assemble::assemble(api, pool, &tools, cut.catalog, excluded.to_vec())
}

/// Says so when there are more primary tools than asked for.
fn report_excess(diagnostics: &mut Diagnostics, config: &Config, draft: &Draft) {
    let primary = draft.tools.iter().filter(|t| t.posture == Posture::Primary).count();
    if primary > config.max_primary {
        let pointer = Pointer::default().child("max-primary");
        let message =
            format!("{primary} primary tools, {} allowed by `max-primary`", config.max_primary);
        orders::say(diagnostics, config, &planning::TOO_MANY_TOOLS, &pointer, message)
            .help("`--replan` plans afresh, which helps where tools of the plan before were kept; or raise it");
    }
}

/// What the tools of `plan` cost by the measure that grouping follows; plans of one API compare.
pub fn cost(api: &ir::Api, config: &Config, plan: &Plan) -> f64 {
    let mut quiet = Diagnostics::default();
    let orders = orders::read(&mut quiet, api, config);
    let all: Vec<usize> = (0..api.operations.len()).collect();
    let facts = analyse::analyse(&mut quiet, api, &all, &orders);
    let pool = cost::Pool::new(&facts, cost::Limits::of(config));
    let places: std::collections::BTreeMap<&str, usize> =
        facts.iter().enumerate().map(|(i, f)| (f.key.as_str(), i)).collect();
    let groups = plan.tools.iter().filter_map(|tool| {
        let place = |a: &crate::plan::Action| places.get(a.operation.as_str()).copied();
        let members: Vec<usize> = tool.actions.iter().filter_map(place).collect();
        (!members.is_empty()).then(|| pool.group(members).cost())
    });
    groups.sum()
}
