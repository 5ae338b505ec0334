//! Groups the operations of an API into few, intent-level tools.

mod analyse;
mod assemble;
mod budget;
mod cost;
pub mod draft;
mod effect;
mod entry_name;
mod facts;
mod family;
mod group;
mod importance;
mod naming;
mod resource;
mod select;
mod sticky;
#[cfg(test)]
mod tests;
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
    // To be replaced by `finish::finish(diagnostics, api, &draft, config, previous)`.
    Plan {
        api_title: api.title.clone(),
        api_version: api.version.clone(),
        server: String::new(),
        title: String::new(),
        instructions: String::new(),
        tools: Vec::new(),
        catalog: None,
        excluded: draft.excluded,
    }
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
