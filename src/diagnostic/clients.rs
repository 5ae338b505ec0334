//! Findings about what one client does with the surface; `lint --client` asks for them.

use super::{Code, Severity};

/// The rows of this stage.
pub static CODES: &[&Code] = &[
    &CLIENT_SEES,
    &CLIENT_REFUSES,
    &CLIENT_HIDES,
    &CLIENT_CUTS,
    &CLIENT_MERGES,
    &CLIENT_TAKES_FEWER,
    &CLIENT_IGNORES,
    &CLIENT_ADVISES,
];

/// What a client makes of the surface.
pub static CLIENT_SEES: Code = Code {
    id: "client-sees",
    severity: Severity::Note,
    explanation: "How many of the tools a client takes and under which names its model sees them, as `--client` asks. Clients put names before those of tools, rewrite letters and cut; permissions and logs have the name that the client made.",
    example: "mcp-gen lint openapi.yaml --client claude-code",
};

/// A client refuses a request, or all tools of the server.
pub static CLIENT_REFUSES: Code = Code {
    id: "client-refuses",
    severity: Severity::Error,
    explanation: "A client, or the model API behind it, refuses every request with this surface, drops all tools of the server, or refuses the arguments of a call, because of one name, text or schema (rules N1, N2, T1, I1 to I7). Mend what the finding names.",
    example: "# mcp-plan.yaml, with --client gemini\nschema: {type: integer, enum: [1, 2]}",
};

/// A client leaves a tool out.
pub static CLIENT_HIDES: Code = Code {
    id: "client-hides",
    severity: Severity::Warning,
    explanation: "A client leaves a tool out without a word, because its name is too long or the name of an argument is outside what it takes (rules N2, I4). A person who misses the tool finds no message. Shorten or rename what the finding names.",
    example: "# mcp-plan.yaml, with --client cursor\nserver: {name: the-warehouse-of-north, …}\ntools:\n  - name: list_purchase_orders_of_supplier_by_warehouse",
};

/// A client cuts a name or a text.
pub static CLIENT_CUTS: Code = Code {
    id: "client-cuts",
    severity: Severity::Warning,
    explanation: "A client cuts a name or a text that is longer than it takes, or its makers give a limit (rules N2, T1, T5); what stands at the end may not be seen by its model. Put what matters first, or shorten it.",
    example: "# mcp-plan.yaml, with --client claude-code\nserver:\n  instructions: (3,000 characters)",
};

/// A client gives two tools one name.
pub static CLIENT_MERGES: Code = Code {
    id: "client-merges",
    severity: Severity::Warning,
    explanation: "A client gives two tools the same name, because it rewrites letters or cuts (rule N3). It calls one for the other, or loses one. Let the names differ earlier.",
    example: "# mcp-plan.yaml, with --client vscode\n- name: list_all_purchase_orders_of_a_supplier_in_stock_open\n- name: list_all_purchase_orders_of_a_supplier_in_stock_done",
};

/// More tools than a client takes.
pub static CLIENT_TAKES_FEWER: Code = Code {
    id: "client-takes-fewer",
    severity: Severity::Warning,
    explanation: "A client takes fewer tools than this server lists (rule N6). The limit counts the tools of all servers that a person has, so a lower number is better. Plan with a lower `max-primary`.",
    example: "# mcp-plan.yaml, with --client windsurf\naccount: {…, tools: 120}",
};

/// A client ignores parts of a definition.
pub static CLIENT_IGNORES: Code = Code {
    id: "client-ignores",
    severity: Severity::Note,
    explanation: "A client removes keywords of schemas, or does not use the instructions of a server (rules T5, I8). What they say has to stand in descriptions too.",
    example: "# mcp-plan.yaml, with --client codex\nschema: {type: integer, minimum: 1, maximum: 50}",
};

/// More tools than the makers of a client advise.
pub static CLIENT_ADVISES: Code = Code {
    id: "client-advises",
    severity: Severity::Note,
    explanation: "There are more tools than the makers of a client or a model advise, or than it used to take (rule N6). Nothing is refused, but models choose worse among many. Plan with a lower `max-primary`.",
    example: "# mcp-plan.yaml, with --client openai\naccount: {…, tools: 24}",
};
