//! Groups the operations of an API into few, intent-level tools.

mod analyse;
mod annotate;
mod arguments;
mod assemble;
mod budget;
mod catalog;
mod centrality;
mod cost;
mod describe;
pub mod draft;
mod effect;
mod entry_name;
mod facts;
mod family;
mod finish;
mod flatten;
mod group;
mod importance;
mod merge;
mod naming;
mod resource;
pub mod safe_subset;
#[cfg(test)]
mod sample;
mod select;
mod server;
mod sticky;
mod story;
#[cfg(test)]
mod tests;
mod text;
pub mod verb;
mod words;

use crate::config::Config;
use crate::diagnostic::Diagnostics;
use crate::ir;
use crate::plan::{Plan, Posture};
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
    let before = diagnostics.clone();
    let mut draft = draft(diagnostics, api, config, previous);
    let mut plan = finish::finish(diagnostics, api, &draft, config, previous);
    // What is known already is not taken away because it is long.
    if previous.is_some_and(|p| p.covered() > 0) {
        return plan;
    }
    let mut direct = draft.tools.len().min(budget::DIRECT_LIMIT + 1);
    while finish::is_long(&plan) && direct > LEAST_DIRECT && config.max_primary > LEAST_DIRECT {
        direct -= 1;
        *diagnostics = before.clone();
        draft = draft_within(diagnostics, api, config, None, Some(direct));
        plan = finish::finish(diagnostics, api, &draft, config, previous);
    }
    plan
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
    let (kept, excluded) = select::select(diagnostics, api, config);
    if kept.is_empty() {
        return Draft { excluded, ..Draft::default() };
    }
    let facts = analyse::analyse(diagnostics, api, &kept);
    let pool = cost::Pool::new(&facts);
    if let Some(previous) = previous.filter(|p| p.covered() > 0)
        && let Some(draft) =
            sticky::follow(diagnostics, api, &pool, config.max_primary, previous, &excluded)
    {
        return draft;
    }
    let cut = budget::cut(diagnostics, &pool, config.max_primary, direct);
    let mut tools = Vec::new();
    for posture in [Posture::Primary, Posture::Secondary] {
        let mut groups: Vec<_> =
            cut.tools.iter().filter(|(_, p)| *p == posture).map(|(g, _)| g.clone()).collect();
        budget::by_value(&pool, &mut groups);
        tools.extend(groups.into_iter().map(|g| (g, posture)));
    }
    assemble::assemble(api, &pool, &tools, cut.catalog, excluded)
}
