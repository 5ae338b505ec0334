//! What operations do: verb classes and effects.

use super::foreign::FOREIGN;
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
        match english(word) {
            "list" | "all" | "index" => Self::List,
            "search" | "find" | "query" | "filter" | "lookup" => Self::Search,
            "get" | "fetch" | "read" | "retrieve" | "show" | "view" | "describe" | "load" => {
                Self::Get
            }
            "create" | "new" | "insert" | "post" => Self::Create,
            "update" | "edit" | "modify" | "patch" | "change" => Self::Update,
            "replace" | "put" | "overwrite" => Self::Replace,
            "delete" | "destroy" => Self::Delete,
            _ => Self::Other(word.to_owned()),
        }
    }
}

/// The English verb for one of another language; any other word as it is.
pub(super) fn english(word: &str) -> &str {
    let found = FOREIGN.binary_search_by_key(&word, |(foreign, _)| foreign);
    found.map_or(word, |index| FOREIGN[index].1)
}

/// Whether `word` names an action.
pub(super) fn is_verb(word: &str) -> bool {
    VERBS.binary_search(&english(word)).is_ok()
}

/// Whether `word` names an action and hardly ever a thing.
pub(super) fn is_plain_verb(word: &str) -> bool {
    is_verb(word) && !AMBIGUOUS.contains(&english(word))
}

/// Whether a GET by this word changes something.
pub(super) fn is_unsafe(word: &str) -> bool {
    UNSAFE.contains(&english(word))
}

/// Whether a POST by this word only reads.
pub(super) fn is_reading(word: &str) -> bool {
    READING.contains(&english(word))
}

/// Whether `word` says that something is done to many, and not what.
pub(super) fn is_bulk(word: &str) -> bool {
    matches!(word, "batch" | "bulk")
}

/// Whether `word` as the first segment of a path is a function on what follows.
pub(super) fn is_function(word: &str) -> bool {
    FUNCTIONS.contains(&word)
}

/// Whether a word of a summary ends what it says is done: `of`, `for`, `that`.
pub(super) fn ends_a_phrase(word: &str) -> bool {
    const ENDS: &[&str] = &[
        "of", "for", "in", "on", "to", "from", "by", "with", "at", "as", "using", "and", "or",
        "that", "which", "when", "if", "via", "into", "is", "are", "your",
    ];
    ENDS.contains(&word)
}

/// The name of an action without a verb that stands in it twice: `cancel` for `cancel_cancels`,
/// `update_amount` for `update_amount_updates`, `update_subscription` for
/// `create_update_subscription`.
pub(super) fn without_echo(name: &str) -> String {
    let mut parts: Vec<&str> = name.split('_').collect();
    if let [verb, rest @ .., last] = parts.as_slice()
        && is_verb(verb)
        && super::words::singular(last) == *verb
        && rest.iter().all(|w| !ends_a_phrase(w))
    {
        parts.pop();
    }
    // `notes_update_text_create`: what was generated of a method stands behind the deed.
    if let [first, _, .., "create" | "retrieve" | "destroy"] = parts.as_slice()
        && is_plain_verb(first)
    {
        parts.pop();
    }
    if let [first, second, third, ..] = parts.as_slice()
        && matches!(*first, "create" | "retrieve" | "get")
        && matches!(*second, "get" | "list" | "create" | "update" | "delete" | "retrieve")
        && !ends_a_phrase(third)
    {
        parts.remove(0);
    }
    parts.join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_verbs_is_sorted_for_its_search() {
        assert!(VERBS.is_sorted());
        assert!(FOREIGN.is_sorted());
    }

    #[test]
    fn a_verb_stands_once_in_the_name_of_an_action() {
        for (name, expected) in [
            ("cancel_cancels", "cancel"),
            ("update_amount_updates", "update_amount"),
            ("create_update_subscription", "update_subscription"),
            ("update_note_create", "update_note"),
            ("create_or_update_alias", "create_or_update_alias"),
            ("move_to_moves", "move_to_moves"),
        ] {
            assert_eq!(without_echo(name), expected);
        }
    }

    #[test]
    fn every_foreign_verb_means_a_verb_that_is_known() {
        for (foreign, english) in FOREIGN {
            assert!(is_verb(english) && VERBS.binary_search(foreign).is_err(), "{foreign}");
        }
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
            ("buscar", Verb::Search),
            ("loeschen", Verb::Delete),
            ("stornieren", Verb::Other("stornieren".into())),
        ] {
            assert_eq!(Verb::of(word), verb);
        }
    }
}
