//! Every kind of change: one row of a static table.

use serde::{Deserialize, Serialize};

/// Whom a change concerns. The order is that of weight: the first is the worst.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Impact {
    /// A call that worked can fail, or a name that agents know is gone.
    Breaking,
    /// The same call may do something else, or is trusted otherwise than before.
    Sensitive,
    /// Something more can be done; whatever worked still works.
    Additive,
    /// Only texts and order changed.
    Docs,
}

impl Impact {
    /// All of them, the worst first.
    pub const ALL: [Self; 4] = [Self::Breaking, Self::Sensitive, Self::Additive, Self::Docs];

    /// The word that messages begin with.
    pub fn word(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Sensitive => "sensitive",
            Self::Additive => "additive",
            Self::Docs => "docs",
        }
    }
}

/// What happened to the thing that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It is another one.
    Changed,
}

impl Sign {
    /// The mark before a line.
    pub fn mark(self) -> char {
        match self {
            Self::Added => '+',
            Self::Removed => '-',
            Self::Changed => '~',
        }
    }
}

/// A kind of change.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// Stable id in kebab-case that reads as the change.
    pub id: &'static str,
    /// Whom it concerns.
    pub impact: Impact,
    /// What happened.
    pub sign: Sign,
    /// The id of the row that the same change gives when old and new are swapped.
    pub mirror: &'static str,
    /// What it means and why it matters: whole sentences.
    pub explanation: &'static str,
}

macro_rules! kinds {
    ($($name:ident = $id:literal, $impact:ident, $sign:ident, $mirror:literal: $text:literal;)*) => {
        $(
            #[doc = $text]
            pub static $name: Kind = Kind {
                id: $id,
                impact: Impact::$impact,
                sign: Sign::$sign,
                mirror: $mirror,
                explanation: $text,
            };
        )*
        /// Every kind of change.
        pub static KINDS: &[&Kind] = &[$(&$name),*];
    };
}

// Name = id, impact, what happened, mirror: explanation.
kinds! {
    // The server.
    SERVER_RENAMED = "server-renamed", Breaking, Changed, "server-renamed":
        "The server has another name. Clients put it before the names of tools, and allow-lists, the name of the binary and those of its environment variables are made of it.";
    SERVER_TITLE_CHANGED = "server-title-changed", Docs, Changed, "server-title-changed":
        "The title that people see for the server is another one.";
    INSTRUCTIONS_CHANGED = "instructions-changed", Docs, Changed, "instructions-changed":
        "The text that the server gives a client at start is another one. Models read it before they choose a tool.";
    SERVERS_CHANGED = "servers-changed", Sensitive, Changed, "servers-changed":
        "Requests go to other base URLs than before, and so do the credentials that they carry.";
    CREDENTIAL_ADDED = "credential-added", Sensitive, Added, "credential-removed":
        "Some operation takes a credential that none took before. Whoever runs the server must give it.";
    CREDENTIAL_REMOVED = "credential-removed", Sensitive, Removed, "credential-added":
        "No operation takes a credential any more that some took before.";
    CREDENTIAL_CHANGED = "credential-changed", Sensitive, Changed, "credential-changed":
        "A credential is of another kind, goes to another place in the request, or is asked for other scopes than before.";
    ARRAY_FORMAT_CHANGED = "array-format-changed", Breaking, Changed, "array-format-changed":
        "Lists inside `deepObject` parameters and nested forms are written in another way. The API may no longer read them.";
    API_CHANGED = "api-changed", Docs, Changed, "api-changed":
        "The document has another title or version. Nothing that can be called changes by it.";

    // Tools.
    TOOL_REMOVED = "tool-removed", Breaking, Removed, "tool-added":
        "A tool is gone. Prompts, allow-lists and agents that name it fail. Where its operations went is said beside it.";
    TOOL_ADDED = "tool-added", Additive, Added, "tool-removed":
        "There is a new tool. It costs its size in the context of every session.";
    TOOL_RENAMED = "tool-renamed", Breaking, Changed, "tool-renamed":
        "A tool stands for the same operations under another name. Prompts and allow-lists that have the old name no longer find it.";
    SELECTOR_ADDED = "selector-added", Breaking, Added, "selector-removed":
        "A tool that did one thing does several, so an argument that chooses the action must now be given. Calls as they were are refused.";
    SELECTOR_REMOVED = "selector-removed", Breaking, Removed, "selector-added":
        "A tool that did several things does one, so the argument that chose the action is gone. Tools take no arguments they do not know, so calls that give it are refused.";
    SELECTOR_RENAMED = "selector-renamed", Breaking, Changed, "selector-renamed":
        "The argument that chooses the action has another name. Calls that give the old one are refused.";
    ANNOTATIONS_WIDENED = "annotations-widened", Sensitive, Changed, "annotations-narrowed":
        "A tool may do more than before: it is no longer read-only or idempotent, or may now destroy or reach the open world. Clients that called it without asking may ask now, and people who allowed it should look again.";
    ANNOTATIONS_NARROWED = "annotations-narrowed", Sensitive, Changed, "annotations-widened":
        "A tool claims to do less than before: it is now read-only or idempotent, or no longer destroys or reaches the open world. Clients may call it without asking, so make sure that it is true.";
    TOOL_PROMOTED = "tool-promoted", Docs, Changed, "tool-demoted":
        "A secondary tool is primary now. Primary tools come first in the list.";
    TOOL_DEMOTED = "tool-demoted", Docs, Changed, "tool-promoted":
        "A primary tool is secondary now. Secondary tools come last in the list.";
    TOOLSET_CHANGED = "toolset-changed", Sensitive, Changed, "toolset-changed":
        "A tool, or an operation of the catalog, belongs to other toolsets than before. A server that is started with `--toolsets` may no longer have it, or have it now.";
    OUTPUT_CHANGED = "output-changed", Sensitive, Changed, "output-changed":
        "What a tool says of its answers in `outputSchema` is other than before, said for the first time, or no longer said. Programs that read `structuredContent` by it may have to change.";
    TOOL_TITLE_CHANGED = "tool-title-changed", Docs, Changed, "tool-title-changed":
        "The title that people see for a tool is another one.";
    TOOL_DESCRIPTION_CHANGED = "tool-description-changed", Docs, Changed, "tool-description-changed":
        "The description of a tool is another one. Models choose tools by it.";

    // Actions.
    ACTION_REMOVED = "action-removed", Breaking, Removed, "action-added":
        "An action of a tool is gone, and its operation can be reached in no other way. Calls that choose it are refused.";
    ACTION_ADDED = "action-added", Additive, Added, "action-removed":
        "A tool has a new action for an operation that could not be reached before.";
    ACTION_RENAMED = "action-renamed", Breaking, Changed, "action-renamed":
        "An action stands for the same operation under another name. Calls that choose the old name are refused.";
    ACTION_KEY_CHANGED = "action-key-changed", Docs, Changed, "action-key-changed":
        "The only action of a tool has another name in the plan. Callers never give it, but the next action that joins the tool makes it visible.";
    ACTION_MOVED = "action-moved", Breaking, Changed, "action-moved":
        "An operation is an action of another tool than before. Calls through the old tool are refused.";
    ACTION_TO_CATALOG = "action-to-catalog", Breaking, Removed, "action-from-catalog":
        "An operation that was an action of a tool can now be reached only through the catalog tools. Calls through the tool are refused.";
    ACTION_FROM_CATALOG = "action-from-catalog", Additive, Added, "action-to-catalog":
        "An operation that could be reached only through the catalog tools is now an action of a tool too.";
    OPERATION_EXCLUDED = "operation-excluded", Breaking, Removed, "operation-included":
        "An operation that could be called is left out now, with a reason. Calls of it are refused.";
    OPERATION_INCLUDED = "operation-included", Additive, Added, "operation-excluded":
        "An operation that was left out can be called now.";
    OPERATION_CHANGED = "operation-changed", Sensitive, Changed, "operation-changed":
        "The same action calls another operation of the API than before: another method or another path. Calls look the same and may do something else.";
    OPERATION_RESPELLED = "operation-respelled", Docs, Changed, "operation-respelled":
        "The path of an operation names its parameters otherwise. The request is the same.";
    MEDIA_TYPE_CHANGED = "media-type-changed", Sensitive, Changed, "media-type-changed":
        "The body of a request is sent as another media type than before.";
    SUMMARY_CHANGED = "summary-changed", Docs, Changed, "summary-changed":
        "The line that says what an action or an entry of the catalog does is another one.";
    ORDER_CHANGED = "order-changed", Docs, Changed, "order-changed":
        "Tools, actions, arguments or entries stand in another order. Models tend to prefer what comes first.";

    // Arguments.
    ARGUMENT_REMOVED = "argument-removed", Breaking, Removed, "argument-added":
        "An argument that could be given is gone. Tools take no arguments they do not know, so calls that give it are refused.";
    ARGUMENT_ADDED = "argument-added", Additive, Added, "argument-removed":
        "There is a new argument that may be left away.";
    REQUIRED_ARGUMENT_REMOVED = "required-argument-removed", Breaking, Removed, "required-argument-added":
        "An argument that had to be given is gone. Every call as it was gives it, and is refused.";
    REQUIRED_ARGUMENT_ADDED = "required-argument-added", Breaking, Added, "required-argument-removed":
        "There is a new argument that an action known before cannot do without. Every call of it as it was is refused.";
    ARGUMENT_RENAMED = "argument-renamed", Breaking, Changed, "argument-renamed":
        "A value goes to the same place in the request under another name. Calls that give the old name are refused.";
    ARGUMENT_NOT_TAKEN = "argument-not-taken", Breaking, Removed, "argument-taken":
        "An action no longer takes an argument that others of its tool still take. Calls of it that give the argument are refused.";
    ARGUMENT_TAKEN = "argument-taken", Additive, Added, "argument-not-taken":
        "An action takes an argument that only others of its tool took before. It may be left away.";
    REQUIRED_ARGUMENT_NOT_TAKEN = "required-argument-not-taken", Breaking, Removed, "required-argument-taken":
        "An action no longer takes an argument that it could not do without, while others of its tool still take it. Every call of it as it was is refused.";
    REQUIRED_ARGUMENT_TAKEN = "required-argument-taken", Breaking, Added, "required-argument-not-taken":
        "An action cannot do without an argument that only others of its tool took before. Every call of it as it was is refused.";
    ARGUMENT_REQUIRED = "argument-required", Breaking, Changed, "argument-optional":
        "An argument that could be left away must now be given. Calls without it are refused.";
    ARGUMENT_OPTIONAL = "argument-optional", Additive, Changed, "argument-required":
        "An argument that had to be given may now be left away.";
    TARGET_CHANGED = "target-changed", Sensitive, Changed, "target-changed":
        "The value of an argument goes to another place in the request than before. Calls look the same and may do something else.";
    TYPE_CHANGED = "type-changed", Breaking, Changed, "type-changed":
        "An argument has another type, and values of the old one are not of the new one.";
    TYPE_NARROWED = "type-narrowed", Breaking, Changed, "type-widened":
        "An argument takes fewer types of values than before, such as only integers where numbers were taken.";
    TYPE_WIDENED = "type-widened", Additive, Changed, "type-narrowed":
        "An argument takes more types of values than before, such as numbers where only integers were taken.";
    ENUM_VALUES_REMOVED = "enum-values-removed", Breaking, Removed, "enum-values-added":
        "An argument no longer takes some of the values that it listed. Calls that give one are refused.";
    ENUM_VALUES_ADDED = "enum-values-added", Additive, Added, "enum-values-removed":
        "An argument takes more values of its list than before.";
    ENUM_CLOSED = "enum-closed", Breaking, Changed, "enum-opened":
        "An argument that took any value of its type takes only those of a list now.";
    ENUM_OPENED = "enum-opened", Additive, Changed, "enum-closed":
        "An argument that took only the values of a list takes any value of its type now.";
    BOUNDS_NARROWED = "bounds-narrowed", Breaking, Changed, "bounds-widened":
        "A bound of an argument is tighter: the least or greatest value, the length, or the number of items. Calls that used the room are refused.";
    BOUNDS_WIDENED = "bounds-widened", Additive, Changed, "bounds-narrowed":
        "A bound of an argument is wider or gone: the least or greatest value, the length, or the number of items.";
    SCHEMA_CHANGED = "schema-changed", Breaking, Changed, "schema-changed":
        "The schema of an argument differs in a way that cannot be told to be wider or narrower, such as a pattern. It counts as the worse of the two.";
    DEFAULT_CHANGED = "default-changed", Sensitive, Changed, "default-changed":
        "What an argument is taken for when it is left away has changed. Calls without it look the same and may do something else.";
    ARGUMENT_DESCRIPTION_CHANGED = "argument-description-changed", Docs, Changed, "argument-description-changed":
        "The words or examples of an argument are others.";

    // The catalog and what is left out.
    CATALOG_REMOVED = "catalog-removed", Breaking, Removed, "catalog-added":
        "There is no catalog any more: its tools are gone, and with them the operations that nothing else reaches.";
    CATALOG_ADDED = "catalog-added", Additive, Added, "catalog-removed":
        "There is a catalog now: tools that find and call operations which are not tools of their own.";
    ENTRY_REMOVED = "entry-removed", Breaking, Removed, "entry-added":
        "An operation can no longer be called through the catalog tools.";
    ENTRY_ADDED = "entry-added", Additive, Added, "entry-removed":
        "An operation that could not be called before can be called through the catalog tools.";
    ENTRY_RENAMED = "entry-renamed", Breaking, Changed, "entry-renamed":
        "An operation of the catalog has another name. Calls by the old one are refused until they search again.";
    ENTRY_EFFECT_CHANGED = "entry-effect-changed", Breaking, Changed, "entry-effect-changed":
        "An operation of the catalog counts as reading where it counted as writing, or the other way round, so another catalog tool calls it.";
    ENTRY_KEYWORDS_CHANGED = "entry-keywords-changed", Docs, Changed, "entry-keywords-changed":
        "The words by which an operation of the catalog is found are others.";
    EXCLUSION_ADDED = "exclusion-added", Docs, Added, "exclusion-removed":
        "An operation that the plan did not know before is left out, with a reason.";
    EXCLUSION_REMOVED = "exclusion-removed", Docs, Removed, "exclusion-added":
        "An operation that was left out is gone from the document.";
    EXCLUSION_REASON_CHANGED = "exclusion-reason-changed", Docs, Changed, "exclusion-reason-changed":
        "An operation is still left out, for another reason.";
}

/// The row with this id.
pub fn kind(id: &str) -> Option<&'static Kind> {
    KINDS.iter().copied().find(|k| k.id == id)
}
