//! Which tool to try when an id is not found.

use std::collections::BTreeMap;

use crate::bind::{Bound, BoundAction};

/// The tools that read, by the path that they read.
pub struct Siblings<'a> {
    readers: BTreeMap<&'a str, &'a str>,
    find: Option<&'a str>,
}

impl<'a> Siblings<'a> {
    /// Indexes the reading tools of `bound`.
    pub fn of(bound: &'a Bound<'a>) -> Self {
        let mut readers = BTreeMap::new();
        for tool in bound.tools.iter().filter(|t| t.tool.annotations.read_only) {
            for action in &tool.actions {
                let key = &bound.api.operations[action.operation].key;
                readers.entry(key.path.as_str()).or_insert(tool.tool.name.as_str());
            }
        }
        let find = bound.plan.catalog.as_ref().map(|c| c.find.name.as_str());
        Self { readers, find }
    }

    /// The tool that lists what the action's operation is about: the nearest path above its last
    /// parameter that some tool reads, else the catalog's search. `own` is the tool it belongs to,
    /// which is named only when it reads too.
    pub fn reader_of(
        &self,
        bound: &Bound<'_>,
        action: &BoundAction<'_>,
        own: Option<&str>,
    ) -> Option<&'a str> {
        let path = bound.api.operations[action.operation].key.path.as_str();
        let mut end = path.rfind('{')?;
        loop {
            let above = path[..end].trim_end_matches('/');
            if let Some(tool) = self.readers.get(above) {
                return Some(tool);
            }
            match above.rfind('/') {
                Some(i) if i > 0 => end = i,
                _ => break,
            }
        }
        self.find.filter(|f| Some(*f) != own)
    }
}
