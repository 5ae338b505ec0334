//! Findings about the surface that agents see: the definitions that a plan gives. The rules in
//! parentheses name rows of the safe subset: names (N), texts (T), input schemas (I),
//! output schemas (O), annotations (A).

use super::{Code, Severity};

/// The rows of this stage.
pub static CODES: &[&Code] = &[
    &TOOL_NAME_REFUSED,
    &TOOL_NAME_TOO_LONG,
    &TOOL_NAMES_CLASH,
    &TOO_MANY_TO_LIST,
    &TEXT_OUT_OF_BOUNDS,
    &HIDDEN_CHARACTERS,
    &DESCRIPTION_REPEATED,
    &TITLE_UNFIT,
    &HINTS_CONTRADICT,
    &ARGUMENT_NAME_REFUSED,
    &ENUM_REFUSED,
    &SCHEMA_BEYOND_LIMIT,
    &OUTPUT_REFUSED,
    &SERVER_NAME_UNFIT,
    &NAME_LONG_WITH_SERVER,
    &NAME_LONG_WHEN_QUALIFIED,
    &NAMES_MERGE_WHEN_CUT,
    &NAME_JOINS_NOUNS,
    &NAME_SAYS_NOTHING,
    &DESCRIPTION_BRIEF,
    &DESCRIPTION_LENGTHY,
    &DESCRIPTIONS_START_ALIKE,
    &ARGUMENT_TEXT_LONG,
    &ARGUMENT_UNDESCRIBED,
    &ENUM_LONG,
    &SCHEMA_DEEP,
    &ARGUMENTS_MANY,
    &PROPERTIES_MANY,
    &ACTIONS_MANY,
    &TOOL_LARGE,
    &TOOL_OVER_TOKENS,
    &LIST_OVER_TOKENS,
    &TOOLS_MANY,
    &PRIMARY_TOOLS_MANY,
    &READ_HINT_DOUBTFUL,
    &DELETE_NOT_DESTRUCTIVE,
    &INSTRUCTIONS_LONG,
    &INSTRUCTIONS_START_LONG,
];

/// A name outside the letters that all clients take (N1).
pub static TOOL_NAME_REFUSED: Code = Code {
    id: "tool-name-refused",
    severity: Severity::Error,
    explanation: "The name of a tool is not lower-case words joined by single underscores that begin with a letter (rule N1). Dots and hyphens make model APIs refuse the request, Claude Desktop drops all tools of a server for one bad name, and `__` is what clients put between server and tool. Rename the tool in the plan: `list_orders`.",
    example: "# mcp-plan.yaml\n- name: List.Orders",
};

/// A name of more than 46 characters (N2).
pub static TOOL_NAME_TOO_LONG: Code = Code {
    id: "tool-name-too-long",
    severity: Severity::Error,
    explanation: "The name of a tool has more than 46 characters (rule N2). VS Code puts up to 18 characters before it and cuts at 64, so what tells two tools apart can be lost. Shorten the name in the plan, or give one with `name` in mcp-gen.yaml.",
    example: "# mcp-plan.yaml\n- name: list_all_of_the_orders_that_a_customer_has_placed_this_year",
};

/// Two names that clients take for one (N3).
pub static TOOL_NAMES_CLASH: Code = Code {
    id: "tool-names-clash",
    severity: Severity::Error,
    explanation: "Two tools have the same name once letters are lower-cased, signs become underscores, or the middle of a long name is cut out (rule N3). Clients do all of that, and then call one tool for the other. Rename one of them.",
    example: "# mcp-plan.yaml\n- name: list_orders\n- name: list_orders",
};

/// More tools than clients take (N6, I15).
pub static TOO_MANY_TO_LIST: Code = Code {
    id: "tools-beyond-limit",
    severity: Severity::Error,
    explanation: "There are more than 100 tools, or their definitions take more than 1 MiB (rules N6, I15). Some clients take 100 tools of all servers together, the API of OpenAI refuses requests with more than 128. Plan with a lower `max-primary`, or leave operations out with `exclude`: the catalog reaches the rest.",
    example: "# mcp-plan.yaml\ntools: [… 101 of them …]",
};

/// A description that is missing, empty or too long (T1).
pub static TEXT_OUT_OF_BOUNDS: Code = Code {
    id: "text-out-of-bounds",
    severity: Severity::Error,
    explanation: "A description is missing, is empty, or has more than 1,024 characters (rule T1). Bedrock refuses a tool without one, chat models of OpenAI take 1,024 characters, and Claude Code cuts at 2,048. Write one, or shorten it: what the tool does comes first.",
    example: "# mcp-plan.yaml\n- name: list_orders\n  description: \"\"",
};

/// A text with characters that show nothing (T2).
pub static HIDDEN_CHARACTERS: Code = Code {
    id: "hidden-characters",
    severity: Severity::Error,
    explanation: "A text or a value has control characters, or characters that show nothing or turn the direction of writing (rule T2). A reviewer does not see what a model reads. Remove them.",
    example: "# mcp-plan.yaml\n- name: list_orders\n  description: \"List orders.\\u202E\"",
};

/// Two tools with one description (T3).
pub static DESCRIPTION_REPEATED: Code = Code {
    id: "description-repeated",
    severity: Severity::Error,
    explanation: "Two tools have the same description (rule T3), so a model can only guess between them. Say in each what it is for and when to take the other.",
    example: "# mcp-plan.yaml\n- {name: list_orders, description: Orders., …}\n- {name: get_order, description: Orders., …}",
};

/// A title that is missing, too long or taken (T4).
pub static TITLE_UNFIT: Code = Code {
    id: "title-unfit",
    severity: Severity::Error,
    explanation: "The title of a tool is missing, empty, longer than 80 characters, or that of another tool (rule T4). People see it where they allow a call, and the Claude directory asks for one. Write a few words in sentence case.",
    example: "# mcp-plan.yaml\n- name: list_orders\n  title: \"\"",
};

/// Read-only and destructive (A1).
pub static HINTS_CONTRADICT: Code = Code {
    id: "hints-contradict",
    severity: Severity::Error,
    explanation: "A tool says that it only reads and that it may destroy, or does not say one of the four hints (rule A1). VS Code calls what only reads without asking, and Claude Code does so in plan mode, so a wrong hint loses data. Correct `annotations`.",
    example: "# mcp-plan.yaml\nannotations: {read-only: true, destructive: true, idempotent: true, open-world: true}",
};

/// An argument name outside the safe letters (I4).
pub static ARGUMENT_NAME_REFUSED: Code = Code {
    id: "argument-name-refused",
    severity: Severity::Error,
    explanation: "The name of an argument, or of a member of one, is not a letter or `_` and then up to 63 letters, digits or `_` (rule I4). The API of Anthropic refuses the whole conversation for one such name, Gemini takes neither dots nor hyphens. Rename it in the plan; `to` says where the value goes.",
    example: "# mcp-plan.yaml\narguments:\n  - name: $filter\n    to: {list: \"query:$filter\"}",
};

/// A list of values that some model API refuses (I7).
pub static ENUM_REFUSED: Code = Code {
    id: "enum-refused",
    severity: Severity::Error,
    explanation: "An `enum` has other values than texts, empty or equal ones, none at all, or more than 250 (rule I7). Gemini refuses every request that holds one with an empty or a numeric value. Write the values as texts, or say them in the description.",
    example: "# mcp-plan.yaml\nschema: {type: integer, enum: [1, 2, 3]}",
};

/// A schema that is deeper or larger than clients take (I11).
pub static SCHEMA_BEYOND_LIMIT: Code = Code {
    id: "schema-beyond-limit",
    severity: Severity::Error,
    explanation: "The arguments of a tool nest more than 10 levels, have more than 5,000 properties, or their names and values take more than 120,000 characters (rule I11): the limits of structured outputs at OpenAI. Make the deep part one object and say its keys in the description.",
    example: "# mcp-plan.yaml\nschema: {type: object, properties: {a: {type: object, properties: {b: …}}}}",
};

/// An output schema that promises more than every answer keeps (O1 to O6).
pub static OUTPUT_REFUSED: Code = Code {
    id: "output-refused",
    severity: Severity::Error,
    explanation: "The `output` of a tool is not an object, uses a keyword that an answer may break (`required`, `enum`, `format`, `oneOf`, …), a type that does not allow null, a `$ref`, or more than 8 levels (rules O1 to O6). A client drops an answer that does not fit, and the server can keep only what it looks at: `type`, `properties` and `items`. Take the keyword out, or take `output` out and let `output-schemas` write it.",
    example: "# mcp-plan.yaml\noutput: {type: object, properties: {state: {type: string, enum: [open, paid]}}}",
};

/// A server name that clients rewrite or skip (N4).
pub static SERVER_NAME_UNFIT: Code = Code {
    id: "server-name-unfit",
    severity: Severity::Warning,
    explanation: "The name of the server is longer than 18 characters, has other letters than `a-z`, `0-9` and `-`, or is one that Claude Code keeps for itself (rule N4). Clients put it before the names of tools: it is rewritten, the names get too long, or the server is skipped. Set `name` in mcp-gen.yaml.",
    example: "# mcp-plan.yaml\nserver:\n  name: the-warehouse-of-the-north",
};

/// Server and tool over 59 characters (N2).
pub static NAME_LONG_WITH_SERVER: Code = Code {
    id: "name-long-with-server",
    severity: Severity::Warning,
    explanation: "The names of server and tool have more than 59 characters together (rule N2). Cursor leaves out tools where both have more than 60, one more for what stands between, without a word. Shorten one of the two.",
    example: "# mcp-plan.yaml\nserver: {name: warehouse-of-north, …}\ntools:\n  - name: list_purchase_orders_of_supplier_by_warehouse",
};

/// `mcp__server__tool` over 64 characters (N2).
pub static NAME_LONG_WHEN_QUALIFIED: Code = Code {
    id: "name-long-when-qualified",
    severity: Severity::Warning,
    explanation: "With the name of the server before it, as in `mcp__server__tool`, the name of a tool has more than 64 characters (rule N2). That is the limit of the model API of OpenAI, so Codex replaces the end by a hash. Shorten one of the two.",
    example: "# mcp-plan.yaml\nserver: {name: warehouse-of-north, …}\ntools:\n  - name: list_purchase_orders_of_supplier_in_store",
};

/// Two names that are one after cutting (N3).
pub static NAMES_MERGE_WHEN_CUT: Code = Code {
    id: "names-merge-when-cut",
    severity: Severity::Warning,
    explanation: "Two tools get the same name when a client cuts it: VS Code at 64 characters behind its prefix, Gemini CLI in the middle (rule N3). One of them can then not be called. Let the names differ within the first 46 characters.",
    example: "# mcp-plan.yaml\n- name: list_all_purchase_orders_of_a_supplier_in_stock_open\n- name: list_all_purchase_orders_of_a_supplier_in_stock_done",
};

/// A name with `_and_`.
pub static NAME_JOINS_NOUNS: Code = Code {
    id: "name-joins-nouns",
    severity: Severity::Note,
    explanation: "The name of a tool joins nouns with `_and_`. Its label says less about either, and models route by the label. Give the tool a word for both with `name`, or put the operations apart with `group`.",
    example: "# mcp-plan.yaml\n- name: manage_orders_and_refunds",
};

/// A name made of a number.
pub static NAME_SAYS_NOTHING: Code = Code {
    id: "name-says-nothing",
    severity: Severity::Note,
    explanation: "A word in the name of a tool is only a number, as in `op_123`. Tool search matches words, and models choose by them. Name what the tool does and to what: `list_orders`.",
    example: "# mcp-plan.yaml\n- name: op_123",
};

/// A description of less than 40 characters.
pub static DESCRIPTION_BRIEF: Code = Code {
    id: "description-brief",
    severity: Severity::Note,
    explanation: "The description of a tool has less than 40 characters, a quarter of the 40 tokens that a good one begins at. Say what the tool does, when to take it, and when to take another. Summaries in the document become descriptions.",
    example: "# mcp-plan.yaml\n- name: list_orders\n  description: Orders.",
};

/// A description of more than 160 tokens.
pub static DESCRIPTION_LENGTHY: Code = Code {
    id: "description-lengthy",
    severity: Severity::Note,
    explanation: "The description of a tool takes more than 160 tokens, and every conversation pays for it. Keep what tells the tool from others, and move what is about one argument to that argument.",
    example: "# mcp-plan.yaml\n- name: list_orders\n  description: (700 characters)",
};

/// Two descriptions with one first sentence (T3).
pub static DESCRIPTIONS_START_ALIKE: Code = Code {
    id: "descriptions-start-alike",
    severity: Severity::Warning,
    explanation: "The descriptions of two tools begin with the same sentence (rule T3). Tool search and people read the first sentence, and it has to hold the verb and the thing. Let it say what only this tool does.",
    example: "# mcp-plan.yaml\n- {name: list_orders, description: Work with orders. Lists them., …}\n- {name: manage_orders, description: Work with orders. Changes them., …}",
};

/// A description inside a schema over 512 characters (T1).
pub static ARGUMENT_TEXT_LONG: Code = Code {
    id: "argument-text-long",
    severity: Severity::Note,
    explanation: "The description of an argument, or of a member of one, has more than 512 characters (rule T1). VS Code cuts such texts at 1,024 for some models, and every conversation pays for them. Shorten it.",
    example: "# mcp-plan.yaml\nschema: {type: string, description: (600 characters)}",
};

/// Arguments without a description.
pub static ARGUMENT_UNDESCRIBED: Code = Code {
    id: "argument-undescribed",
    severity: Severity::Warning,
    explanation: "Arguments of a tool have no description, so a model knows no more than name and type. Write one in the document, where the planner takes it from, or in the plan: format, unit, where the value comes from.",
    example: "# mcp-plan.yaml\narguments:\n  - name: since\n    schema: {type: string}",
};

/// An enum of more than 80 values.
pub static ENUM_LONG: Code = Code {
    id: "enum-long",
    severity: Severity::Note,
    explanation: "An `enum` has more than 80 values. Long lists are what makes Gemini answer `too many states`, and each value is paid for in every conversation. Offer a text and say in the description where the values come from.",
    example: "# mcp-plan.yaml\nschema: {type: string, enum: [AED, AFN, ALL, …]}",
};

/// Arguments that nest more than 5 levels (I11).
pub static SCHEMA_DEEP: Code = Code {
    id: "schema-deep",
    severity: Severity::Warning,
    explanation: "The arguments of a tool nest more than 5 levels (rule I11). Models fill deep objects worse than flat ones, and some clients send them as text. Raise the members that matter to arguments of their own.",
    example: "# mcp-plan.yaml\nschema: {type: object, properties: {a: {type: object, properties: {b: …}}}}",
};

/// More than 30 arguments.
pub static ARGUMENTS_MANY: Code = Code {
    id: "arguments-many",
    severity: Severity::Warning,
    explanation: "A tool has more than 30 arguments. Few of them concern any one action, and models pick wrong ones. Put creating apart from changing, or what is rarely needed into tools of its own, with `group`.",
    example: "# mcp-plan.yaml\narguments: [… 31 of them …]",
};

/// More than 100 properties at all depths (I11).
pub static PROPERTIES_MANY: Code = Code {
    id: "properties-many",
    severity: Severity::Warning,
    explanation: "The arguments of a tool have more than 100 properties, all depths together (rule I11). Make large objects one argument and say their keys in the description.",
    example: "# mcp-plan.yaml\nschema: {type: object, properties: {… 101 of them …}}",
};

/// More than 14 actions.
pub static ACTIONS_MANY: Code = Code {
    id: "actions-many",
    severity: Severity::Warning,
    explanation: "A tool has more than 14 actions. The planner breaks such a tool up, since its label says little about each and its arguments concern few. Split it with `group`, or lower `max-actions`.",
    example: "# mcp-plan.yaml\nactions: [… 15 of them …]",
};

/// A definition of more than 8 KiB (I15).
pub static TOOL_LARGE: Code = Code {
    id: "tool-large",
    severity: Severity::Warning,
    explanation: "The definition of a tool takes more than 8 KiB (rule I15). Split the tool, shorten descriptions, or leave arguments out that nobody needs.",
    example: "# mcp-plan.yaml\n- name: manage_orders\n  tokens: 2508",
};

/// A definition of more than 1,200 tokens.
pub static TOOL_OVER_TOKENS: Code = Code {
    id: "tool-over-tokens",
    severity: Severity::Note,
    explanation: "The definition of a tool takes more than 1,200 tokens, the most that a tool should cost. Look at what its arguments say; two tools that share few arguments are cheaper apart.",
    example: "# mcp-plan.yaml\n- name: manage_orders\n  tokens: 1311",
};

/// A whole list of more than 9,000 tokens.
pub static LIST_OVER_TOKENS: Code = Code {
    id: "list-over-tokens",
    severity: Severity::Warning,
    explanation: "The definitions of all tools take more than 9,000 tokens, which every conversation pays before the first word. `max-tokens` in mcp-gen.yaml sets a limit of your own; `max-primary` and `exclude` bring more behind the catalog or leave it out.",
    example: "# mcp-plan.yaml\naccount: {…, tokens: 12044, single-tokens: 211387}",
};

/// More than 40 tools (N6).
pub static TOOLS_MANY: Code = Code {
    id: "tools-many",
    severity: Severity::Warning,
    explanation: "There are more than 40 tools (rule N6). Clients have had limits of 40, models are advised to get fewer than 20, and large APIs are reached as well with ten. Plan with a lower `max-primary`.",
    example: "# mcp-plan.yaml\naccount: {…, tools: 41, primary: 41}",
};

/// More than 10 primary tools.
pub static PRIMARY_TOOLS_MANY: Code = Code {
    id: "primary-tools-many",
    severity: Severity::Warning,
    explanation: "There are more than 10 primary tools. Six to ten direct tools and a catalog reach large APIs as well as forty do, for a fraction of the tokens. Plan with `max-primary: 10`, or make what is plumbing `posture: secondary`.",
    example: "# mcp-plan.yaml\naccount: {…, tools: 11, primary: 11}",
};

/// A tool that reads calls something that sounds like a change (A1).
pub static READ_HINT_DOUBTFUL: Code = Code {
    id: "read-hint-doubtful",
    severity: Severity::Warning,
    explanation: "A tool says that it only reads, and an operation of it has a word such as delete, cancel, send or trigger in its path or the name of its action (rule A1). Clients call what only reads without asking. If it changes something, the hint has to go; if not, a name that says so helps.",
    example: "# mcp-plan.yaml\nannotations: {read-only: true, …}\nactions:\n  - name: cancel\n    operation: POST /orders/{id}/cancel",
};

/// A tool that deletes says it destroys nothing (A1).
pub static DELETE_NOT_DESTRUCTIVE: Code = Code {
    id: "delete-not-destructive",
    severity: Severity::Warning,
    explanation: "A tool calls an operation with the method DELETE and says that it destroys nothing (rule A1). Clients ask people by that hint. Set `destructive: true`.",
    example: "# mcp-plan.yaml\nannotations: {destructive: false, …}\nactions:\n  - operation: DELETE /orders/{id}",
};

/// Instructions of more than 2,048 characters (T5).
pub static INSTRUCTIONS_LONG: Code = Code {
    id: "instructions-long",
    severity: Severity::Warning,
    explanation: "The instructions of the server have more than 2,048 characters (rule T5). Claude Code cuts them there. Shorten them; what concerns one tool belongs into its description.",
    example: "# mcp-plan.yaml\nserver:\n  instructions: (3,000 characters)",
};

/// Instructions whose first 512 characters end within the first line (T5).
pub static INSTRUCTIONS_START_LONG: Code = Code {
    id: "instructions-start-long",
    severity: Severity::Note,
    explanation: "The first line of the instructions has more than 512 characters, and ChatGPT uses only that many (rule T5). Begin with a short line that says what the server is for, then how to find and call.",
    example: "# mcp-plan.yaml\nserver:\n  instructions: (a first line of 600 characters)",
};
