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

/// Words that name an action when they lead an identifier or end a path.
const VERBS: &[&str] = &[
    "abort",
    "accept",
    "acknowledge",
    "activate",
    "add",
    "adjust",
    "advance",
    "analyze",
    "append",
    "apply",
    "approve",
    "archive",
    "assign",
    "attach",
    "authorize",
    "autocomplete",
    "backup",
    "batch",
    "block",
    "browse",
    "bulk",
    "buy",
    "calculate",
    "cancel",
    "capture",
    "change",
    "check",
    "clear",
    "clone",
    "close",
    "commit",
    "compare",
    "complete",
    "compute",
    "configure",
    "confirm",
    "connect",
    "convert",
    "copy",
    "count",
    "create",
    "deactivate",
    "decline",
    "delete",
    "deliver",
    "deploy",
    "describe",
    "destroy",
    "detach",
    "disable",
    "disconnect",
    "discover",
    "dismiss",
    "dispatch",
    "download",
    "duplicate",
    "edit",
    "embed",
    "enable",
    "end",
    "estimate",
    "evaluate",
    "exchange",
    "execute",
    "expire",
    "export",
    "expunge",
    "extend",
    "extract",
    "fail",
    "fetch",
    "filter",
    "finalize",
    "find",
    "finish",
    "follow",
    "fork",
    "generate",
    "get",
    "grant",
    "hide",
    "identify",
    "import",
    "increment",
    "index",
    "insert",
    "install",
    "invite",
    "invoke",
    "issue",
    "join",
    "kick",
    "leave",
    "like",
    "link",
    "list",
    "load",
    "lock",
    "login",
    "logout",
    "lookup",
    "mark",
    "merge",
    "modify",
    "move",
    "mute",
    "notify",
    "open",
    "overwrite",
    "patch",
    "pause",
    "pay",
    "perform",
    "pin",
    "place",
    "play",
    "post",
    "preview",
    "process",
    "provision",
    "publish",
    "pull",
    "purchase",
    "purge",
    "push",
    "put",
    "query",
    "read",
    "rebuild",
    "receive",
    "recommend",
    "recover",
    "redact",
    "redeem",
    "redeliver",
    "refresh",
    "refund",
    "register",
    "reject",
    "release",
    "reload",
    "remove",
    "rename",
    "render",
    "renew",
    "reopen",
    "reorder",
    "replace",
    "reply",
    "report",
    "request",
    "rerun",
    "resend",
    "reset",
    "resize",
    "resolve",
    "restart",
    "restore",
    "resume",
    "retrieve",
    "retry",
    "return",
    "reverse",
    "revoke",
    "rotate",
    "run",
    "save",
    "scan",
    "schedule",
    "scroll",
    "search",
    "send",
    "set",
    "share",
    "ship",
    "show",
    "shutdown",
    "sign",
    "simulate",
    "skip",
    "snooze",
    "star",
    "start",
    "stop",
    "submit",
    "subscribe",
    "suggest",
    "suspend",
    "sync",
    "test",
    "toggle",
    "transfer",
    "translate",
    "trigger",
    "unarchive",
    "unassign",
    "unblock",
    "undelete",
    "unfollow",
    "uninstall",
    "unlike",
    "unlink",
    "unlock",
    "unmute",
    "unpin",
    "unpublish",
    "unregister",
    "unsnooze",
    "unstar",
    "unsubscribe",
    "unsuspend",
    "update",
    "upgrade",
    "upload",
    "upsert",
    "validate",
    "verify",
    "void",
    "vote",
    "wait",
    "watch",
    "withdraw",
];

/// Verbs that are as often nouns: they count as verbs only where nothing else is a noun.
const AMBIGUOUS: &[&str] = &[
    "set", "batch", "block", "commit", "fork", "import", "index", "issue", "like", "link", "lock",
    "log", "post", "process", "pin", "query", "release", "reply", "report", "request", "return",
    "schedule", "share", "sign", "star", "test", "transfer", "void", "vote", "watch", "place",
    "export", "backup", "refund", "invite", "order", "play", "view", "scan",
];

/// Words by which a GET changes something.
const UNSAFE: &[&str] = &[
    "accept",
    "acknowledge",
    "activate",
    "add",
    "approve",
    "archive",
    "attach",
    "authorize",
    "cancel",
    "clear",
    "close",
    "confirm",
    "connect",
    "create",
    "deactivate",
    "decline",
    "delete",
    "destroy",
    "disable",
    "dismiss",
    "enable",
    "exec",
    "execute",
    "expire",
    "follow",
    "install",
    "invite",
    "join",
    "kick",
    "leave",
    "login",
    "logout",
    "lock",
    "mark",
    "merge",
    "move",
    "pause",
    "portforward",
    "proxy",
    "publish",
    "purge",
    "reboot",
    "refund",
    "register",
    "reject",
    "remove",
    "rename",
    "reset",
    "restart",
    "restore",
    "resume",
    "revoke",
    "rotate",
    "send",
    "set",
    "share",
    "shutdown",
    "signin",
    "signout",
    "start",
    "stop",
    "submit",
    "subscribe",
    "suspend",
    "transfer",
    "trigger",
    "unfollow",
    "unlock",
    "unsubscribe",
    "update",
    "upload",
    "void",
    "withdraw",
];

/// Words by which a POST only reads.
const READING: &[&str] = &[
    "autocomplete",
    "browse",
    "calculate",
    "check",
    "compare",
    "count",
    "discover",
    "estimate",
    "explain",
    "fetch",
    "filter",
    "find",
    "get",
    "list",
    "lookup",
    "preview",
    "query",
    "read",
    "recommend",
    "retrieve",
    "scroll",
    "search",
    "show",
    "suggest",
    "validate",
];

/// Words after which something is gone.
const DESTRUCTIVE: &[&str] = &[
    "archive",
    "cancel",
    "clear",
    "close",
    "deactivate",
    "delete",
    "destroy",
    "drop",
    "erase",
    "expire",
    "expunge",
    "purge",
    "redact",
    "reject",
    "remove",
    "reset",
    "revoke",
    "terminate",
    "transfer",
    "uninstall",
    "unregister",
    "void",
    "wipe",
];

/// Words that put a function before its noun: `/search/movie`.
const FUNCTIONS: &[&str] =
    &["browse", "count", "discover", "export", "find", "lookup", "query", "search"];

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

/// Whether something is gone after it.
pub(super) fn is_destructive(word: &str) -> bool {
    DESTRUCTIVE.contains(&word)
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
