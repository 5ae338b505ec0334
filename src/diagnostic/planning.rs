//! Findings of the planner.

use super::{Code, Severity};

/// The rows of this stage.
pub static CODES: &[&Code] = &[
    &NO_OPERATIONS,
    &PATTERN_MATCHES_NOTHING,
    &READ_METHOD_WRITES,
    &GROUP_MIXES_EFFECTS,
    &UNKNOWN_POSTURE,
    &TOO_MANY_TOOLS,
    &PLAN_NOT_KEPT,
];

/// Nothing is left to make tools from.
pub static NO_OPERATIONS: Code = Code {
    id: "no-operations",
    severity: Severity::Error,
    explanation: "No operation takes part, so there is no tool to make. Either the document has \
        no operations under `paths`, or `include`, `exclude` and `x-mcp: {skip: true}` together \
        leave all of them out.",
    example: "openapi: 3.1.0\ninfo: {title: Empty, version: '1'}\npaths: {}\n",
};

/// A pattern of the configuration is idle.
pub static PATTERN_MATCHES_NOTHING: Code = Code {
    id: "pattern-matches-nothing",
    severity: Severity::Warning,
    explanation: "A pattern of mcp-gen.yaml names no operation of the document. It \
        is probably misspelled, or the operation is gone. An `exclude` that excludes nothing \
        may let through what was meant to stay out.",
    example: "exclude: ['DELETE /pest/*']   # the document says /pets\n",
};

/// A GET that changes something.
pub static READ_METHOD_WRITES: Code = Code {
    id: "read-method-writes",
    severity: Severity::Warning,
    explanation: "The method of an operation promises that calling it changes nothing, but its \
        path, name or summary says otherwise. It is treated as writing: clients ask before they \
        call it. That is the safe side; if it does only read, give it a name that says so.",
    example: "paths:\n  /user/logout:\n    get: {operationId: logoutUser}\n",
};

/// A group of `x-mcp` reads and writes.
pub static GROUP_MIXES_EFFECTS: Code = Code {
    id: "group-mixes-effects",
    severity: Severity::Warning,
    explanation: "`x-mcp: {group: …}` puts operations together of which some read and some \
        write. A tool that does both cannot tell clients truthfully whether it is safe to call, so \
        the group becomes two tools.",
    example: "get: {x-mcp: {group: pets}}\ndelete: {x-mcp: {group: pets}}\n",
};

/// `x-mcp` asks for a posture that does not exist.
pub static UNKNOWN_POSTURE: Code = Code {
    id: "unknown-posture",
    severity: Severity::Warning,
    explanation: "The `posture` in `x-mcp` is none of `primary`, `secondary` and `catalog`. It is \
        ignored.",
    example: "get: {x-mcp: {posture: main}}\n",
};

/// There are more primary tools than asked for.
pub static TOO_MANY_TOOLS: Code = Code {
    id: "too-many-tools",
    severity: Severity::Warning,
    explanation: "There are more primary tools than `max-primary` allows, because what is \
        known to the agents from the plan before, or what `x-mcp` demands, was kept. Agents choose \
        worse among many tools. Raise `max-primary`, drop a demand, or plan afresh by removing the \
        plan file.",
    example: "max-primary: 3   # and four groups with `x-mcp: {posture: primary}`\n",
};

/// The previous plan could not be kept.
pub static PLAN_NOT_KEPT: Code = Code {
    id: "plan-not-kept",
    severity: Severity::Note,
    explanation: "The plan before is about so different an API, or has so many more tools than \
        `max-primary` allows now, that the tools are grouped afresh. Names that agents and \
        allow-lists know may be gone; the diff of the two plans lists them.",
    example: "max-primary: 4   # the plan before has ten primary tools\n",
};
