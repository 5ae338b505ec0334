//! Findings of binding and code generation.

use super::{Code, Severity};

/// The rows of this stage.
pub static CODES: &[&Code] = &[
    &OPERATION_MISSING,
    &PLAN_INCOMPLETE,
    &PLAN_NAME,
    &HEADER_UNUSABLE,
    &METHOD_UNUSABLE,
    &UNSAFE_DEFINITION,
    &CONNECTION_DIFFERS,
];

/// The plan names what the document lacks.
pub static OPERATION_MISSING: Code = Code {
    id: "plan-does-not-fit",
    severity: Severity::Error,
    explanation: "The plan names an operation, a parameter, a member of a body or a media type \
                  that the document does not have. The document changed after the plan was made, \
                  or the plan was edited. Nothing is generated, because the server would call \
                  something that is not there. `mcp-gen plan` renews the plan and keeps what still \
                  makes sense of it.",
    example: "# mcp-plan.yaml\n- name: list\n  operation: GET /animals   # the document has /pets",
};

/// The document has operations that the plan does not name.
pub static PLAN_INCOMPLETE: Code = Code {
    id: "plan-incomplete",
    severity: Severity::Warning,
    explanation: "The document has an operation that the plan neither uses nor excludes, so the \
                  server cannot reach it. The document grew after the plan was made. `mcp-gen \
                  plan` takes it in and leaves the rest as it is.",
    example: "paths:\n  /new:\n    get: {}   # not in mcp-plan.yaml",
};

/// A name in the plan that cannot be one, or stands twice.
pub static PLAN_NAME: Code = Code {
    id: "unusable-plan-name",
    severity: Severity::Error,
    explanation: "The plan gives the server, a tool, an action or an argument a name that clients \
                  refuse, or the same name twice. Names of tools and actions are lower-case \
                  letters, digits and single `_`; names of arguments may have capitals. The plan was edited by \
                  hand. Write another name, or let `mcp-gen plan` make one.",
    example: "# mcp-plan.yaml\ntools:\n- name: 'Find pets!'   # find_pets",
};

/// A name that cannot be a header.
pub static HEADER_UNUSABLE: Code = Code {
    id: "unusable-credential-name",
    severity: Severity::Warning,
    explanation: "An API key has a name that no header or cookie can have, or one that belongs to \
                  the connection, such as `Host`. The scheme is left out, so operations that need \
                  it are called without it. Give the scheme its right name.",
    example: "securitySchemes:\n  key: {type: apiKey, in: header, name: 'My Key'}",
};

/// A method that cannot be sent.
pub static METHOD_UNUSABLE: Code = Code {
    id: "unusable-method",
    severity: Severity::Error,
    explanation: "A method is no token of RFC 9110, so no request can carry it. Exclude the \
                  operation, or mend its method.",
    example: "# in mcp-plan.yaml\noperation: GET IT /pets",
};

/// A definition that some client refuses.
pub static UNSAFE_DEFINITION: Code = Code {
    id: "unsafe-definition",
    severity: Severity::Error,
    explanation: "The definition of a tool breaks a rule that some client or model API enforces, \
                  often by refusing the whole list of tools: a keyword outside the common subset, a \
                  type that is none, bounds that exclude each other, a name or text that is too \
                  long. Plans that mcp-gen makes have none, so the plan was edited. Mend it, or let \
                  `mcp-gen plan` renew it.",
    example: "# mcp-plan.yaml\narguments:\n  - name: limit\n    schema: {type: banana}",
};

/// A plan for another server.
pub static CONNECTION_DIFFERS: Code = Code {
    id: "connection-differs",
    severity: Severity::Error,
    explanation: "The document names other servers or credentials than the plan, which was reviewed \
                  with those that stand in it. Where requests go and what they carry is part of \
                  the contract, so nothing is generated. Let `mcp-gen plan` renew the plan, and look \
                  at `connection` in it.",
    example: "# mcp-plan.yaml\nconnection:\n  servers: [\"https://api.example.com\"]   # another one in the document",
};
