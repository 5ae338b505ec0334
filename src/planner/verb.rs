//! What operations do: verb classes and effects.

use super::verb_words::{AMBIGUOUS, FUNCTIONS, READING, UNSAFE, VERBS};

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

impl Verb {
    /// The word for it: `list`, `cancel`.
    pub fn word(&self) -> &str {
        match self {
            Self::List => "list",
            Self::Search => "search",
            Self::Get => "get",
            Self::Create => "create",
            Self::Update => "update",
            Self::Replace => "replace",
            Self::Delete => "delete",
            Self::Other(word) => word,
        }
    }

    /// The class that a leading word stands for.
    pub(super) fn of(word: &str) -> Self {
        match word {
            "list" | "all" | "index" => Self::List,
            "search" | "find" | "query" | "filter" | "lookup" => Self::Search,
            "get" | "fetch" | "read" | "retrieve" | "show" | "view" | "describe" | "load" => {
                Self::Get
            }
            "create" | "new" | "insert" | "post" => Self::Create,
            "update" | "edit" | "modify" | "patch" | "change" => Self::Update,
            "replace" | "put" | "overwrite" => Self::Replace,
            "delete" | "destroy" => Self::Delete,
            other => Self::Other(other.to_owned()),
        }
    }
}

/// Whether `word` names an action.
pub(super) fn is_verb(word: &str) -> bool {
    VERBS.binary_search(&word).is_ok()
}

/// Whether `word` names an action and hardly ever a thing.
pub(super) fn is_plain_verb(word: &str) -> bool {
    is_verb(word) && !AMBIGUOUS.contains(&word)
}

/// Whether a GET by this word changes something.
pub(super) fn is_unsafe(word: &str) -> bool {
    UNSAFE.contains(&word)
}

/// Whether a POST by this word only reads.
pub(super) fn is_reading(word: &str) -> bool {
    READING.contains(&word)
}

/// Whether `word` says that something is done to many, and not what.
pub(super) fn is_bulk(word: &str) -> bool {
    matches!(word, "batch" | "bulk")
}

/// Whether `word` as the first segment of a path is a function on what follows.
pub(super) fn is_function(word: &str) -> bool {
    FUNCTIONS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_verbs_is_sorted_for_its_search() {
        assert!(VERBS.is_sorted());
    }

    #[test]
    fn words_of_one_meaning_are_one_class() {
        for (word, verb) in [
            ("list", Verb::List),
            ("find", Verb::Search),
            ("retrieve", Verb::Get),
            ("edit", Verb::Update),
            ("destroy", Verb::Delete),
            ("cancel", Verb::Other("cancel".into())),
        ] {
            assert_eq!(Verb::of(word), verb);
        }
    }
}
