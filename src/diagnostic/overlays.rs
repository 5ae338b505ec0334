//! Findings of applying overlays.

use super::{Code, Severity};

/// All rows.
pub static CODES: &[&Code] = &[
    &OVERLAY_WITHOUT_MATCH,
    &INVALID_OVERLAY_PATH,
    &INCOMPATIBLE_OVERLAY_VALUE,
    &UNCLEAR_OVERLAY_COPY,
    &IDLE_OVERLAY_ACTION,
    &UNKNOWN_OVERLAY_FIELD,
    &OTHER_OVERLAY_VERSION,
    &OVERLAY_FOR_OTHER_DOCUMENT,
];

/// `overlay-without-match`
pub static OVERLAY_WITHOUT_MATCH: Code = Code {
    id: "overlay-without-match",
    severity: Severity::Warning,
    explanation: "The `target` of an overlay's action selects nothing in the document, so the action changes nothing. That is allowed, but mostly a path that was renamed or misspelt.",
    example: "actions:\n  - target: $.paths['/no-such-path']\n    remove: true",
};

/// `invalid-overlay-path`
pub static INVALID_OVERLAY_PATH: Code = Code {
    id: "invalid-overlay-path",
    severity: Severity::Error,
    explanation: "The `target` or `copy` of an overlay's action is no JSONPath of RFC 9535, or one that would select more than can be handled. Names with other characters than letters, digits and `_` need brackets and quotes: `$.paths['/pets'].get`.",
    example: "actions:\n  - target: $.paths./pets\n    remove: true",
};

/// `incompatible-overlay-value`
pub static INCOMPATIBLE_OVERLAY_VALUE: Code = Code {
    id: "incompatible-overlay-value",
    severity: Severity::Error,
    explanation: "What an overlay puts in does not fit what is there. Objects merge with objects, lists take more elements, and a text, number, boolean or null replaces another; nothing else can be merged, and the document as a whole cannot be removed. Remove the old value first when another kind is meant.",
    example: "actions:\n  - target: $.info\n    update: just a text",
};

/// `unclear-overlay-copy`
pub static UNCLEAR_OVERLAY_COPY: Code = Code {
    id: "unclear-overlay-copy",
    severity: Severity::Error,
    explanation: "The `copy` of an overlay's action must select exactly one value, which is then merged into each target.",
    example: "actions:\n  - target: $.paths['/a']\n    copy: $.paths.*",
};

/// `idle-overlay-action`
pub static IDLE_OVERLAY_ACTION: Code = Code {
    id: "idle-overlay-action",
    severity: Severity::Warning,
    explanation: "An action of an overlay has a `target` but none of `update`, `copy` and `remove: true`, or it has several of them, of which only one counts: `remove` before the others. Or it lacks the `target`, or is no object at all. What does not count is left out. An overlay that has no action, or lacks its `info`, is reported too.",
    example: "actions:\n  - target: $.info",
};

/// `unknown-overlay-field`
pub static UNKNOWN_OVERLAY_FIELD: Code = Code {
    id: "unknown-overlay-field",
    severity: Severity::Warning,
    explanation: "A field of an overlay is not one that the Overlay Specification defines there, so it has no effect. Fields that start with `x-` may hold anything.",
    example: "actions:\n  - target: $.info\n    replace: {title: Shop}",
};

/// `other-overlay-version`
pub static OTHER_OVERLAY_VERSION: Code = Code {
    id: "other-overlay-version",
    severity: Severity::Warning,
    explanation: "The overlay is of a version that mcp-gen does not know, or uses what came only with a later version than it says: `copy` and single values as targets came with 1.1. It is applied as version 1.1 all the same.",
    example: "overlay: 1.7.0",
};

/// `overlay-for-other-document`
pub static OVERLAY_FOR_OTHER_DOCUMENT: Code = Code {
    id: "overlay-for-other-document",
    severity: Severity::Note,
    explanation: "The `extends` of the overlay names another document than the one that is read. It is applied all the same, for documents are often copied and renamed.",
    example: "overlay: 1.0.0\nextends: https://example.com/other.yaml",
};
