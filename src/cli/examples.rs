//! What the help of each command shows at its end.

pub const PLAN: &str = "\
Examples:
  mcp-gen plan openapi.yaml             print the plan
  mcp-gen plan openapi.yaml --format table
                                        only the account and the table of tools
  mcp-gen plan openapi.yaml -o server/mcp-plan.yaml
                                        renew a plan; what still makes sense stays
  mcp-gen plan openapi.yaml -o server/mcp-plan.yaml --check
                                        write nothing; status 1 when the plan is stale";

pub const GENERATE: &str = "\
Examples:
  mcp-gen generate openapi.yaml -o server
                                        write the crate that server/mcp-plan.yaml describes
  mcp-gen generate openapi.yaml -o server --plan reviewed.yaml --workspace-member";

pub const REPORT: &str = "\
Examples:
  mcp-gen report openapi.yaml -o plan.html
                                        the plan that the document gives
  mcp-gen report openapi.yaml --plan server/mcp-plan.yaml --old HEAD:server/mcp-plan.yaml -o plan.html
                                        a plan as it stands, and what changed since the last commit";

pub const LINT: &str = "\
Examples:
  mcp-gen lint openapi.yaml             errors, warnings and notes, with their lines
  mcp-gen lint openapi.yaml -v          all of a kind, not only the first few
  mcp-gen lint openapi.yaml --plan server/mcp-plan.yaml
                                        a plan as it stands, edited or not
  mcp-gen lint openapi.yaml --client cursor,vscode
                                        what these clients would do with the tools
  mcp-gen lint openapi.yaml --format json | jq '.findings[].code'";

pub const EXPLAIN: &str = "\
Examples:
  mcp-gen explain dangling-reference    a kind of finding
  mcp-gen explain argument-required     a kind of change
  mcp-gen explain --list                all kinds";

pub const COMPLETIONS: &str = "\
Examples:
  mcp-gen completions bash > /etc/bash_completion.d/mcp-gen
  mcp-gen completions fish > ~/.config/fish/completions/mcp-gen.fish";

pub const MAN: &str = "\
Example:
  mcp-gen man > /usr/local/share/man/man1/mcp-gen.1";

/// Of `mcp-gen init`.
pub const INIT: &str = "\
Examples:
  mcp-gen init openapi.yaml             write mcp-gen.yaml beside the document
  mcp-gen init openapi.yaml -o x.yaml   write x.yaml; `--config x.yaml` names it later";

/// Of `mcp-gen schema`.
pub const SCHEMA: &str = "\
Examples:
  mcp-gen schema config > mcp-gen.schema.json
                                        for an editor: `# yaml-language-server: $schema=…`
  mcp-gen schema plan > mcp-plan.schema.json
                                        what the first line of a plan names; a crate has it";
