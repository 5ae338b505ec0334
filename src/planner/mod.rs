//! Groups the operations of an API into few, intent-level tools.

mod analyse;
mod annotate;
mod arguments;
mod assemble;
mod budget;
mod catalog;
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

/// Plans the tools for `api`. `previous` is the plan that people and agents know already; what
/// still makes sense of it stays.
pub fn plan(
    diagnostics: &mut Diagnostics,
    api: &ir::Api,
    config: &Config,
    previous: Option<&Plan>,
) -> Plan {
    let draft = draft(diagnostics, api, config, previous);
    finish::finish(diagnostics, api, &draft, config, previous)
}

/// Groups the operations of `api`, with all names.
pub(crate) fn draft(
    diagnostics: &mut Diagnostics,
    api: &ir::Api,
    config: &Config,
    previous: Option<&Plan>,
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
    let cut = budget::cut(diagnostics, &pool, config.max_primary);
    let mut tools = Vec::new();
    for posture in [Posture::Primary, Posture::Secondary] {
        let mut groups: Vec<_> =
            cut.tools.iter().filter(|(_, p)| *p == posture).map(|(g, _)| g.clone()).collect();
        budget::by_value(&pool, &mut groups);
        tools.extend(groups.into_iter().map(|g| (g, posture)));
    }
    assemble::assemble(api, &pool, &tools, cut.catalog, excluded)
}
