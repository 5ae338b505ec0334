//! Groups the operations of an API into few, intent-level tools.

mod annotate;
mod arguments;
mod catalog;
mod describe;
pub mod draft;
mod finish;
mod flatten;
mod merge;
pub mod safe_subset;
#[cfg(test)]
mod sample;
mod server;
mod text;
pub mod verb;

use crate::config::Config;
use crate::diagnostic::Diagnostics;
use crate::ir;
use crate::plan::Plan;

/// Plans the tools for `api`. `previous` is the plan that people and agents know already; what
/// still makes sense of it stays.
pub fn plan(
    _diagnostics: &mut Diagnostics,
    api: &ir::Api,
    _config: &Config,
    _previous: Option<&Plan>,
) -> Plan {
    Plan {
        api_title: api.title.clone(),
        api_version: api.version.clone(),
        server: String::new(),
        title: String::new(),
        instructions: String::new(),
        tools: Vec::new(),
        catalog: None,
        excluded: Vec::new(),
    }
}
