//! What operations do: verb classes and effects.

/// The class of what an operation does.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verb {
    /// All of a collection.
    List,
    /// Some of a collection, by a query.
    Search,
    /// One item or a singleton.
    Get,
    /// A new item.
    Create,
    /// Some fields of an item.
    Update,
    /// All of an item.
    Replace,
    /// An item goes away.
    Delete,
    /// Anything else, by its word: `cancel`, `upload`, `export`.
    Other(String),
}
