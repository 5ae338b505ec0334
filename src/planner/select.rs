//! Which operations take part.

use super::orders::{Orders, idle_pattern};
use crate::config::{Config, Pattern};
use crate::diagnostic::{Diagnostics, planning};
use crate::ir::{Api, Operation};
use crate::plan::Excluded;
use crate::source::Pointer;

/// The operations that take part, by index, and those that do not.
pub(super) fn select(
    diagnostics: &mut Diagnostics,
    api: &Api,
    config: &Config,
    orders: &Orders,
) -> (Vec<usize>, Vec<Excluded>) {
    let mut include = Side::new("include", &config.include);
    let mut exclude = Side::new("exclude", &config.exclude);
    let (mut kept, mut excluded) = (Vec::new(), Vec::new());
    for (index, operation) in api.operations.iter().enumerate() {
        let key = operation.key.to_string();
        // Both sides look at every operation, so that a pattern is called idle only when it is.
        let (wanted, unwanted) = (include.find(&key, operation), exclude.find(&key, operation));
        let skip = orders.of(index).and_then(|order| order.skip.clone());
        let reason = if skip.is_some() {
            skip
        } else if let Some(pattern) = unwanted {
            Some(format!("`exclude` names it by `{pattern}`"))
        } else if wanted.is_none() && !config.include.is_empty() {
            Some("no pattern of `include` names it".to_owned())
        } else {
            None
        };
        match reason {
            Some(reason) => excluded.push(Excluded { operation: key, reason }),
            None => kept.push(index),
        }
    }
    include.report_idle(diagnostics, config);
    exclude.report_idle(diagnostics, config);
    if kept.is_empty() {
        diagnostics.report(
            &planning::NO_OPERATIONS,
            None,
            Pointer::default(),
            if api.operations.is_empty() {
                "the document has no operations".to_owned()
            } else {
                format!("all {} operations are left out", api.operations.len())
            },
        );
    }
    (kept, excluded)
}

/// The patterns of `include` or `exclude`, and which of them meant anything.
struct Side<'a> {
    name: &'static str,
    patterns: Vec<(&'a str, Pattern, bool)>,
}

impl<'a> Side<'a> {
    fn new(name: &'static str, patterns: &'a [String]) -> Self {
        let patterns = patterns.iter().map(|p| (p.as_str(), Pattern::new(p), false)).collect();
        Self { name, patterns }
    }

    fn find(&mut self, key: &str, operation: &Operation) -> Option<&'a str> {
        let mut found = None;
        for (text, pattern, used) in &mut self.patterns {
            if pattern.matches(key, operation.id.as_deref(), &operation.tags) {
                *used = true;
                found = found.or(Some(*text));
            }
        }
        found
    }

    fn report_idle(&self, diagnostics: &mut Diagnostics, config: &Config) {
        for (i, (text, _, used)) in self.patterns.iter().enumerate() {
            if !used {
                let pointer = Pointer::default().child(self.name).index(i);
                idle_pattern(diagnostics, config, text, &pointer, self.name);
            }
        }
    }
}
