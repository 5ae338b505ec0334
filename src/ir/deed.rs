//! What is gone after an operation, told by its words.

/// Words of deeds after which something is gone.
const TAKING: &[&str] = &[
    "archive",
    "cancel",
    "clear",
    "close",
    "deactivate",
    "delete",
    "destroy",
    "disable",
    "drop",
    "erase",
    "expire",
    "expunge",
    "kill",
    "overwrite",
    "purge",
    "redact",
    "reject",
    "remove",
    "replace",
    "reset",
    "revoke",
    "rotate",
    "stop",
    "terminate",
    "transfer",
    "uninstall",
    "unpublish",
    "unregister",
    "void",
    "wipe",
];

/// Whether something is gone after a deed of this name, such as `cancel` or `void_invoice`.
#[must_use]
pub fn takes_away(name: &str) -> bool {
    name.split(|c: char| !c.is_ascii_alphabetic()).any(|word| TAKING.contains(&word))
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
            ("undelete", false),
            ("cancelled", false),
            ("create", false),
            ("", false),
        ] {
            assert_eq!(takes_away(name), expected, "{name}");
        }
        assert!(TAKING.is_sorted());
    }
}
