//! Findings of the planner about what `mcp-gen.yaml` asks for.

use super::{Code, Severity};

/// The rows of this stage.
pub static CODES: &[&Code] = &[
    &UNKNOWN_TOOL,
    &NOTHING_TO_RENAME,
    &WISH_WITHOUT_EFFECT,
    &WISH_REFUSED,
    &HINT_CONTRADICTS_METHOD,
    &TOOL_OVER_LIMIT,
    &TOKENS_OVER_LIMIT,
    &OPERATION_IN_TWO_SERVERS,
    &OPERATION_IN_NO_SERVER,
];

/// A wish for a tool that there is not.
pub static UNKNOWN_TOOL: Code = Code {
    id: "unknown-tool",
    severity: Severity::Warning,
    explanation: "A wish under `tools` names no tool of the plan, so it changes nothing. Without \
        `operations`, the key must be a name that the plan gives; with `operations`, the tool is \
        made of them, unless other lines take all of them away.",
    example: "tools: {read_pest: {title: Pets}}   # the plan says read_pets\n",
};

/// A new name for what there is not.
pub static NOTHING_TO_RENAME: Code = Code {
    id: "nothing-to-rename",
    severity: Severity::Warning,
    explanation: "A line under `arguments` or `actions` renames what does not exist. The old name \
        is the one that the plan or the document has.",
    example: "tools: {read_pets: {arguments: {pet: id}}}   # the plan says pet_id\n",
};

/// A line that changes nothing.
pub static WISH_WITHOUT_EFFECT: Code = Code {
    id: "wish-without-effect",
    severity: Severity::Warning,
    explanation: "A line of mcp-gen.yaml asks for something that cannot come to be where it \
        stands: a later line says otherwise, what it names is left out, or it is for one operation \
        alone. The plan is as if the line were not there.",
    example: "operations:\n  'GET /pets': {posture: primary}\n  'tag:pets': {posture: catalog}   # a later line counts\n",
};

/// A wish that would break a rule of tools.
pub static WISH_REFUSED: Code = Code {
    id: "wish-refused",
    severity: Severity::Warning,
    explanation: "A line of mcp-gen.yaml asks for what some client would refuse or what would not \
        be true: a name that is taken or has other characters than names may have, a text that is \
        too long, a title that another tool has. What comes nearest to it is done.",
    example: "tools: {read_pets: {name: Read Pets!}}\n",
};

/// A hint that says other than the method.
pub static HINT_CONTRADICTS_METHOD: Code = Code {
    id: "hint-contradicts-method",
    severity: Severity::Warning,
    explanation: "A hint or an effect in mcp-gen.yaml promises less than the HTTP method of an \
        operation does: DELETE, PUT and PATCH change something, and DELETE takes it away. Clients \
        decide by hints whether to ask before a call, so it is not taken over.",
    example: "tools: {delete_pet: {annotations: {destructive: false}}}\n",
};

/// A tool above a limit of the configuration.
pub static TOOL_OVER_LIMIT: Code = Code {
    id: "tool-over-limit",
    severity: Severity::Warning,
    explanation: "A tool has more actions or arguments than `max-actions` or `max-arguments` \
        allow, because one operation alone has so many, or because a list of operations asks for \
        it. Split the list, move an operation to the catalog, or raise the limit.",
    example: "max-arguments: 5   # and an operation that takes nine\n",
};

/// More tokens than the configuration allows.
pub static TOKENS_OVER_LIMIT: Code = Code {
    id: "tokens-over-limit",
    severity: Severity::Warning,
    explanation: "The definitions of all tools take more tokens than `max-tokens` allows, and no \
        smaller number of tools brings them below it. Demand fewer tools, lower `max-actions`, or \
        raise the limit.",
    example: "max-tokens: 100\n",
};

/// An operation that two servers ask for.
pub static OPERATION_IN_TWO_SERVERS: Code = Code {
    id: "operation-in-two-servers",
    severity: Severity::Warning,
    explanation: "A pattern under `split` names operations that an earlier server has already. They \
        stay with the earlier one, so that each operation is in one server. Name them more \
        narrowly, or put the more special server first.",
    example: "split:\n  pets: ['/pets/*']\n  all: ['*']\n",
};

/// An operation that no server has.
pub static OPERATION_IN_NO_SERVER: Code = Code {
    id: "operation-in-no-server",
    severity: Severity::Warning,
    explanation: "No server under `split` names these operations, so none of them can be called. \
        Add a pattern for them, or leave them out by `exclude`.",
    example: "split:\n  pets: ['/pets/*']   # and the document has /orders too\n",
};
