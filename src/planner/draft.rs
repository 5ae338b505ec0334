//! What grouping decides and the making of arguments and texts builds on.

use super::orders::Orders;
use super::verb::Verb;
use crate::plan::{Effect, Excluded, Posture};

/// A grouping of all operations, by index into [`crate::ir::Api::operations`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// The tools in the order of the plan.
    pub tools: Vec<DraftTool>,
    /// The catalog's operations in the order of the document; empty when there is no catalog.
    pub entries: Vec<DraftEntry>,
    /// Operations left out.
    pub excluded: Vec<Excluded>,
    /// What is asked of each operation.
    pub(crate) orders: Orders,
}

/// A tool without arguments and texts.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftTool {
    /// Final name.
    pub name: String,
    /// Final title.
    pub title: String,
    /// Primary or secondary.
    pub posture: Posture,
    /// Whether its actions read or write; all do the same.
    pub effect: Effect,
    /// What it is about, plural, lower case, in words: `special events`. More than one when
    /// families were joined.
    pub nouns: Vec<String>,
    /// Its actions in order.
    pub actions: Vec<DraftAction>,
    /// Key of the wish for it under `tools` in the configuration.
    pub wish: Option<String>,
    /// Why, in sentences.
    pub why: Vec<String>,
}

/// One action of a drafted tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftAction {
    /// Final name.
    pub name: String,
    /// Index of the operation.
    pub operation: usize,
    /// What it does.
    pub verb: Verb,
    /// Whether it is done to something that belongs to what the tool is about.
    pub part: bool,
}

/// One operation of the catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftEntry {
    /// Final name in the catalog.
    pub name: String,
    /// Index of the operation.
    pub operation: usize,
    /// What it does.
    pub verb: Verb,
    /// Read or write.
    pub effect: Effect,
    /// Noun of its family, singular.
    pub noun: String,
    /// Why it is not a tool, where that needs saying.
    pub why: Option<String>,
}
