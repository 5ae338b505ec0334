//! What is gone after an operation, told by its words.

/// Deeds after which a thing, or what it stood for, is gone.
const ENDING: &[&str] = &[
    "abandon",
    "archive",
    "ban",
    "cancel",
    "clear",
    "close",
    "deactivate",
    "delete",
    "deregister",
    "destroy",
    "drain",
    "drop",
    "empty",
    "erase",
    "evict",
    "expire",
    "expunge",
    "flush",
    "prune",
    "purge",
    "redact",
    "reject",
    "remove",
    "reset",
    "revoke",
    "terminate",
    "transfer",
    "truncate",
    "uninstall",
    "unregister",
    "void",
    "wipe",
];

/// Deeds after which a thing is there, but not what it was or did before.
const UNDOING: &[&str] =
    &["disable", "kill", "overwrite", "replace", "rotate", "stop", "unpublish"];

/// Whether a thing is gone after the deed of this word, such as `cancel`.
#[must_use]
pub fn ends(word: &str) -> bool {
    ENDING.contains(&word)
}

/// Whether something is gone after a deed of this name, such as `cancel` or `void_invoice`.
#[must_use]
pub fn takes_away(name: &str) -> bool {
    name.split(|c: char| !c.is_ascii_alphabetic()).any(|word| ends(word) || UNDOING.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_the_name_tells_and_a_part_of_a_word_does_not() {
        for (name, expected) in [
            ("cancel", true),
            ("void_invoice", true),
            ("bulk_purge", true),
            ("replace_settings", true),
            ("drain_node", true),
            ("empty_trash", true),
            ("undelete", false),
            ("cancelled", false),
            ("create", false),
            ("", false),
        ] {
            assert_eq!(takes_away(name), expected, "{name}");
        }
        assert!(ends("void") && !ends("replace") && !ends("void_invoice"));
        assert!(ENDING.is_sorted() && UNDOING.is_sorted());
    }
}
