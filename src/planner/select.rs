//! Which operations take part.

use crate::config::{Config, Pattern};
use crate::diagnostic::{Diagnostics, planning};
use crate::ir::{Api, Hints, Operation};
use crate::plan::Excluded;
use crate::source::Pointer;

/// The operations that take part, by index, and those that do not.
pub(super) fn select(
    diagnostics: &mut Diagnostics,
    api: &Api,
    config: &Config,
) -> (Vec<usize>, Vec<Excluded>) {
    let mut include = Side::new("include", &config.include);
    let mut exclude = Side::new("exclude", &config.exclude);
    let (mut kept, mut excluded) = (Vec::new(), Vec::new());
    for (index, operation) in api.operations.iter().enumerate() {
        let key = operation.key.to_string();
        // Both sides look at every operation, so that a pattern is called idle only when it is.
        let (wanted, unwanted) = (include.find(&key, operation), exclude.find(&key, operation));
        let reason = if operation.hints.skip {
            Some("`x-mcp` says to skip it".to_owned())
        } else if let Some(tag) = skipping_tag(api, operation) {
            Some(format!("`x-mcp` on tag `{tag}` says to skip it"))
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
    include.report_idle(diagnostics);
    exclude.report_idle(diagnostics);
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

/// What `x-mcp` says of an operation: its own words, then those of its tags in their order.
pub(super) fn hints(api: &Api, operation: &Operation) -> Hints {
    let mut hints = operation.hints.clone();
    for tag in api.tags.iter().filter(|tag| operation.tags.contains(&tag.name)) {
        hints.group = hints.group.or_else(|| tag.hints.group.clone());
        hints.posture = hints.posture.or_else(|| tag.hints.posture.clone());
    }
    hints
}

fn skipping_tag<'a>(api: &'a Api, operation: &Operation) -> Option<&'a str> {
    api.tags
        .iter()
        .find(|tag| tag.hints.skip && operation.tags.contains(&tag.name))
        .map(|tag| tag.name.as_str())
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

    fn report_idle(&self, diagnostics: &mut Diagnostics) {
        for (text, _, used) in &self.patterns {
            if !used {
                diagnostics
                    .report(
                        &planning::PATTERN_MATCHES_NOTHING,
                        None,
                        Pointer::default(),
                        format!("`{text}` under `{}` names no operation", self.name),
                    )
                    .help("write `METHOD /path`, `tag:NAME` or `id:OPERATION_ID`, with `*` for any text");
            }
        }
    }
}
