//! What can be typed.

use std::path::PathBuf;

use super::planning::PlanningArgs;
use clap::builder::PossibleValuesParser;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};

use super::examples;
use crate::surface::PROFILES;

const EXAMPLES: &str = "\
Examples:
  mcp-gen openapi.yaml -o server        plan the tools and write the crate
  mcp-gen plan openapi.yaml             print the plan, write nothing
  mcp-gen generate openapi.yaml -o server
                                        follow server/mcp-plan.yaml as it stands
  mcp-gen diff server/mcp-plan.yaml     what changed for agents since the last commit
  curl -s https://api.example.com/openapi.json | mcp-gen - -o server

Exit status:
  0  done
  1  ran, and found something: errors in the document or the plan, a stale file, a change that
     `--fail-on` names
  2  could not run: usage, a file that cannot be read, not an OpenAPI document";

/// Turns an OpenAPI document into an MCP server with few, intent-level tools.
#[derive(Debug, Parser)]
#[command(
    name = "mcp-gen",
    version,
    after_long_help = EXAMPLES,
    after_help = "`mcp-gen --help` says more and shows examples.",
    subcommand_negates_reqs = true,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// What to do; without a command, plan and generate in one go.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The bare form.
    #[command(flatten)]
    pub bare: BareArgs,
    /// For every command.
    #[command(flatten)]
    pub global: GlobalArgs,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Plan the tools; print the plan, or write it with -o
    Plan(PlanArgs),
    /// Write the crate that a plan describes
    Generate(GenerateArgs),
    /// Say what is odd about a document and its plan
    Lint(LintArgs),
    /// Say what changed between two plans, in the eyes of the agents that use them
    Diff(DiffArgs),
    /// Say whether document, plan and crate agree; write nothing
    Check(CheckArgs),
    /// Draw document, tools and how they flow together as one HTML page
    Report(ReportArgs),
    /// Write a commented mcp-gen.yaml to start from
    Init(InitArgs),
    /// Print the JSON Schema of a file
    Schema(SchemaArgs),
    /// Explain a kind of finding or of change
    Explain(ExplainArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the manual page, in roff
    #[command(after_long_help = examples::MAN)]
    Man,
}

/// `mcp-gen completions`
#[derive(Debug, Args)]
#[command(after_long_help = examples::COMPLETIONS)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global")]
pub struct GlobalArgs {
    /// When to use colour
    #[arg(long, value_enum, default_value_t = Color::Auto, global = true, value_name = "WHEN")]
    pub color: Color,
    /// Say only what is wrong; twice: nothing at all
    #[arg(short, long, action = ArgAction::Count, global = true, conflicts_with = "verbose")]
    pub quiet: u8,
    /// Show all findings, each operation that was left out, and why tools are as they are
    #[arg(short, long, action = ArgAction::Count, global = true)]
    pub verbose: u8,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// When the output is a terminal and `NO_COLOR` is not set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The document and how to plan it.
#[derive(Debug, Args)]
pub struct InputArgs {
    /// The OpenAPI document, YAML or JSON; `-` reads standard input
    #[arg(value_name = "OPENAPI", required = true)]
    pub document: Option<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// Which server, where the configuration makes several.
#[derive(Clone, Debug, Default, Args)]
pub struct ServerArgs {
    /// Only this server of those that `split` in the configuration names
    #[arg(long, value_name = "NAME")]
    pub server: Option<String>,
}

/// How to read the document.
#[derive(Clone, Debug, Args)]
pub struct ReadingArgs {
    /// Configuration [default: mcp-gen.yaml beside the document, where there is one]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Overlay to apply to the document before it is read; repeat it for more, in order
    #[arg(long, value_name = "FILE")]
    pub overlay: Vec<PathBuf>,
    /// Folder that `$ref` may lead into, besides the one of the document; repeat it for more
    #[arg(long, value_name = "DIR")]
    pub allow_refs: Vec<PathBuf>,
    /// Fetch documents that `$ref` names by URL, by https from public hosts, and keep copies in
    /// `mcp-gen-refs` beside the plan
    #[arg(long)]
    pub remote_refs: bool,
    /// Fetch them even where there are copies
    #[arg(long)]
    pub refresh_refs: bool,
    /// Whether the configuration beside the document is left unread: it is to be written.
    #[arg(skip)]
    pub alone: bool,
}

/// `mcp-gen openapi.yaml`
#[derive(Debug, Args)]
pub struct BareArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Folder of the crate [default: `output` of the configuration, or the server's name with `-mcp`
    /// in the current folder]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub part: ServerArgs,
    #[command(flatten)]
    pub planning: PlanningArgs,
    #[command(flatten)]
    pub writing: WritingArgs,
}

/// How to write the crate.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct WritingArgs {
    /// Make the crate a member of the workspace around it, instead of one that stands alone
    #[arg(long)]
    pub workspace_member: bool,
    /// Replace files that are in the way even when mcp-gen did not write them
    #[arg(long)]
    pub force: bool,
}

/// `mcp-gen plan`
#[derive(Debug, Args)]
#[command(after_long_help = examples::PLAN)]
pub struct PlanArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// File of the plan; it is also the previous plan [default: `-`, print to standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Plan that is known already [default: the file that -o names]
    #[arg(long, value_name = "FILE")]
    pub previous: Option<PathBuf>,
    /// Write nothing; exit with 1 when the file that -o names is stale
    #[arg(long, requires = "output")]
    pub check: bool,
    /// Form of what is printed
    #[arg(long, value_enum, default_value_t = PlanFormat::Yaml, value_name = "FORMAT", conflicts_with = "output")]
    pub format: PlanFormat,
    /// Tell the whole story of one tool or operation instead: its name, `operationId` or `METHOD /path`
    #[arg(long, value_name = "WHAT", conflicts_with_all = ["output", "check"])]
    pub explain: Option<String>,
    #[command(flatten)]
    pub part: ServerArgs,
    #[command(flatten)]
    pub planning: PlanningArgs,
}

/// Forms of a printed plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlanFormat {
    /// The plan file
    Yaml,
    /// The account and the table of tools
    Table,
    /// The definitions as a client sees them in `tools/list`
    Tools,
    /// For programs that score plans: definitions, tiers, operations, catalog
    ScoreJson,
}

/// `mcp-gen generate`
#[derive(Debug, Args)]
#[command(after_long_help = examples::GENERATE)]
pub struct GenerateArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Folder of the crate [default: `output` of the configuration]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// The plan to follow [default: mcp-plan.yaml in the folder of the crate]
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    #[command(flatten)]
    pub part: ServerArgs,
    #[command(flatten)]
    pub writing: WritingArgs,
}

/// `mcp-gen report`
#[derive(Debug, Args)]
#[command(after_long_help = examples::REPORT)]
pub struct ReportArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// File for the page, `-` for standard output [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Show this plan as it stands instead of planning
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    /// Also show what changed since this plan: a file, or REV:PATH in git
    #[arg(long, value_name = "OLD")]
    pub old: Option<PathBuf>,
    #[command(flatten)]
    pub part: ServerArgs,
}

/// `mcp-gen lint`
#[derive(Debug, Args)]
#[command(after_long_help = examples::LINT)]
pub struct LintArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Look at this plan as it stands instead of planning
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    /// Also say what these clients would do with the tools; `all` is every one that is known
    #[arg(long, value_name = "CLIENT", value_delimiter = ',', value_parser = clients())]
    pub client: Vec<String>,
    /// Form of the findings
    #[arg(long, value_enum, default_value_t = LintFormat::Text, value_name = "FORMAT")]
    pub format: LintFormat,
}

/// The clients that are known, and the word for all of them.
fn clients() -> PossibleValuesParser {
    PossibleValuesParser::new(PROFILES.iter().map(|p| p.id).chain([super::lint::ALL]))
}

/// Forms of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LintFormat {
    /// With the lines of the document
    Text,
    /// All of them, for programs
    Json,
}

const DIFF_EXAMPLES: &str = "\
Examples:
  mcp-gen diff                          ./mcp-plan.yaml against the last commit
  mcp-gen diff server/mcp-plan.yaml     that file against the last commit
  mcp-gen diff before.yaml after.yaml   two files
  mcp-gen diff origin/main:server/mcp-plan.yaml server/mcp-plan.yaml --fail-on breaking
                                        what a branch changes; status 1 when it breaks a caller
  mcp-gen plan openapi.yaml --previous mcp-plan.yaml | mcp-gen diff mcp-plan.yaml -
                                        what the document would change
  mcp-gen diff --format markdown >> \"$GITHUB_STEP_SUMMARY\"

A plan that the old revision does not have counts as empty. `REV:path` is read as git reads it: from
the root of the repository, or from this folder with `REV:./path`.";

/// `mcp-gen diff`
#[derive(Debug, Args)]
#[command(after_long_help = DIFF_EXAMPLES)]
pub struct DiffArgs {
    /// The old plan: a file, REV:PATH in git, or `-`; alone: a file to compare with the last commit
    /// [default: mcp-plan.yaml]
    #[arg(value_name = "OLD")]
    pub old: Option<PathBuf>,
    /// The new plan: a file, REV:PATH in git, or `-`
    #[arg(value_name = "NEW", requires = "old")]
    pub new: Option<PathBuf>,
    /// Form of the changes
    #[arg(long, value_enum, default_value_t = DiffFormat::Text, value_name = "FORMAT")]
    pub format: DiffFormat,
    /// Exit with 1 when there is a change of this impact or a worse one
    #[arg(long, value_enum, default_value_t = FailOn::Never, value_name = "IMPACT")]
    pub fail_on: FailOn,
}

/// Forms of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// For a terminal; `-v` adds the texts before and after
    Text,
    /// For a comment on a pull request
    Markdown,
    /// For programs
    Json,
    /// Annotations of a GitHub workflow
    Github,
}

/// The least impact that fails a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// A call that worked can fail
    Breaking,
    /// The same call may do something else, or is trusted otherwise
    Sensitive,
    /// Something more can be done
    Additive,
    /// Any change, be it of a text
    Docs,
    /// No change
    Never,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  mcp-gen check                         ./openapi.yaml against the crate in its default folder
  mcp-gen check openapi.yaml -o server  in CI: status 1 when a file is stale

Give it the planning options that the crate was made with; better, put them into mcp-gen.yaml.";

/// `mcp-gen check`
#[derive(Debug, Args)]
#[command(after_long_help = CHECK_EXAMPLES)]
pub struct CheckArgs {
    /// The OpenAPI document, YAML or JSON; `-` reads standard input [default: openapi.yaml, .yml
    /// or .json, or swagger.*]
    #[arg(value_name = "OPENAPI")]
    pub document: Option<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Folder of the crate [default: `output` of the configuration, or the server's name with `-mcp`
    /// in the current folder]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub part: ServerArgs,
    #[command(flatten)]
    pub planning: PlanningArgs,
}

/// `mcp-gen init`
#[derive(Debug, Args)]
#[command(after_long_help = examples::INIT)]
pub struct InitArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// The file to write, `-` for standard output [default: mcp-gen.yaml beside the document]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace the file when it is there
    #[arg(long)]
    pub force: bool,
}

/// `mcp-gen schema`
#[derive(Debug, Args)]
#[command(after_long_help = examples::SCHEMA)]
pub struct SchemaArgs {
    /// The file to describe
    #[arg(value_enum, value_name = "FILE")]
    pub of: SchemaOf,
}

/// Files that have a JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// mcp-gen.yaml
    Config,
    /// mcp-plan.yaml
    Plan,
    /// What `diff --format json` prints
    Diff,
}

/// `mcp-gen explain`
#[derive(Debug, Args)]
#[command(after_long_help = examples::EXPLAIN)]
pub struct ExplainArgs {
    /// Id of a kind: `missing-operation-id`, `argument-required`
    #[arg(value_name = "CODE", required_unless_present = "list")]
    pub code: Option<String>,
    /// List all kinds
    #[arg(long, conflicts_with = "code")]
    pub list: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definition_holds_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_bare_form_needs_a_document() {
        assert!(Cli::try_parse_from(["mcp-gen"]).is_err());
        let cli = Cli::try_parse_from(["mcp-gen", "a.yaml", "-o", "x"]).unwrap();
        assert!(cli.command.is_none());
        assert_eq!(cli.bare.input.document, Some("a.yaml".into()));
    }
}
