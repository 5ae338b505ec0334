//! What is known of each client and model API: names it shows, limits, and what happens beyond them.
//! Clients change from month to month; where a limit is not documented, none stands here.

use super::taste::Taste;

/// Names of servers that Claude Code keeps for itself.
pub const CLAUDE_CODE_RESERVED: &[&str] =
    &["workspace", "claude-in-chrome", "computer-use", "Claude Preview", "Claude Browser"];

/// How a client shows the name of a tool to its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// As it is.
    Plain,
    /// `mcp__server__tool`.
    Claude,
    /// The same, with a hash at the end where it is longer than 64.
    Codex,
    /// `mcp_server_tool`, with the middle cut out where it is longer than 63.
    GeminiCli,
    /// `mcp_` and 13 characters of the server's title, cut at 64.
    VsCode,
}

/// What a client does with what it does not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    /// Every request with this surface fails.
    RefusesRequests,
    /// All tools of the server are gone.
    DropsServer,
    /// The tool is gone, without a word.
    LeavesOut,
    /// Calls with such an argument fail before they leave the client.
    RefusesCalls,
    /// What is too long is cut.
    Cuts,
    /// A limit that its makers give; what happens beyond is not known.
    TakesNoMore,
    /// What is not known is removed.
    Ignores,
}

/// Which names fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// `A-Za-z0-9_-`
    Word,
    /// `A-Za-z0-9_-` and dots.
    Dotted,
    /// `A-Za-z0-9_` with no digit first.
    Identifier,
    /// A letter or `_`, then `A-Za-z0-9_.:-`.
    Gemini,
}

impl Letters {
    /// Whether `name` has these letters only, and at least one.
    pub fn fit(self, name: &str) -> bool {
        let mut chars = name.chars();
        let Some(first) = chars.next() else { return false };
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let open = first.is_ascii_alphabetic() || first == '_';
        match self {
            Self::Word => name.chars().all(|c| plain(c) || c == '-'),
            Self::Dotted => name.chars().all(|c| plain(c) || matches!(c, '-' | '.')),
            Self::Identifier => open && chars.all(plain),
            Self::Gemini => open && chars.all(|c| plain(c) || matches!(c, '-' | '.' | ':')),
        }
    }

    /// The letters in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Word => "`A-Za-z0-9_-`",
            Self::Dotted => "`A-Za-z0-9_.-`",
            Self::Identifier => "`A-Za-z0-9_` with no digit first",
            Self::Gemini => "`A-Za-z0-9_.:-` with a letter or `_` first",
        }
    }
}

/// Which names a client takes, and what it does with others.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// Their letters.
    pub letters: Letters,
    /// Most characters, as shown.
    pub most: usize,
    /// What happens to others.
    pub deed: Deed,
}

/// How much of the instructions a client uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// All, or it is not known that any part is lost.
    All,
    /// So many characters.
    First(usize),
    /// None, as far as is known.
    Unused,
}

/// One client or model API.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// The word for `--client`.
    pub id: &'static str,
    /// Its name.
    pub title: &'static str,
    /// How names are shown.
    pub shown: Shown,
    /// Names that it takes, as shown.
    pub names: Option<Names>,
    /// Most characters of server and tool together; tools beyond are left out.
    pub together: Option<usize>,
    /// Names of arguments that it takes, and whether those inside arguments count.
    pub arguments: Option<(Names, Depth)>,
    /// Most characters of a tool's description, and what happens to longer ones.
    pub description: Option<(usize, Deed)>,
    /// What happens to a tool with an empty description.
    pub empty: Option<Deed>,
    /// How much of the instructions it uses.
    pub instructions: Instructions,
    /// Most tools, and what happens with more.
    pub most: Option<(usize, Deed)>,
    /// Most tools that its makers advise, or that it used to take.
    pub advised: Option<(usize, &'static str)>,
    /// Schemas that it does not take as they are.
    pub tastes: &'static [(Taste, Deed)],
}

/// How far a rule about arguments reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Only arguments themselves.
    Top,
    /// Members of arguments too.
    All,
}

/// Nothing known: the start of each profile.
const OPEN: Profile = Profile {
    id: "",
    title: "",
    shown: Shown::Plain,
    names: None,
    together: None,
    arguments: None,
    description: None,
    empty: None,
    instructions: Instructions::All,
    most: None,
    advised: None,
    tastes: &[],
};

const fn names(letters: Letters, most: usize, deed: Deed) -> Names {
    Names { letters, most, deed }
}

/// What the API of Anthropic takes at the top of arguments.
const fn anthropic(deed: Deed) -> (Names, Depth) {
    (Names { letters: Letters::Dotted, most: 64, deed }, Depth::Top)
}

/// What Gemini takes everywhere in arguments.
const GEMINI_ARGUMENTS: Option<(Names, Depth)> = Some((
    Names { letters: Letters::Identifier, most: 64, deed: Deed::RefusesRequests },
    Depth::All,
));

const OPENAI_TASTES: &[(Taste, Deed)] = &[
    (Taste::ArrayWithoutItems, Deed::RefusesRequests),
    (Taste::ObjectWithoutProperties, Deed::RefusesRequests),
    (Taste::Lookaround, Deed::RefusesRequests),
    (Taste::TupleItems, Deed::RefusesRequests),
];

const GEMINI_TASTES: &[(Taste, Deed)] = &[
    (Taste::ArrayWithoutItems, Deed::RefusesRequests),
    (Taste::TupleItems, Deed::RefusesRequests),
    (Taste::Untyped, Deed::RefusesRequests),
    (Taste::TypeList, Deed::RefusesRequests),
    (Taste::EnumOfOtherThanTexts, Deed::RefusesRequests),
    (Taste::EmptyEnum, Deed::RefusesRequests),
    (Taste::Const, Deed::RefusesRequests),
    (Taste::RequiredUnknown, Deed::RefusesRequests),
    (Taste::Reference, Deed::RefusesRequests),
    (Taste::ExclusiveBounds, Deed::RefusesRequests),
];

/// Every profile, by name.
pub const PROFILES: &[Profile] = &[
    Profile {
        id: "bedrock",
        title: "Bedrock Converse",
        names: Some(names(Letters::Word, 64, Deed::RefusesRequests)),
        empty: Some(Deed::RefusesRequests),
        ..OPEN
    },
    Profile {
        id: "chatgpt",
        title: "ChatGPT",
        names: Some(names(Letters::Word, 64, Deed::RefusesRequests)),
        description: Some((1_024, Deed::TakesNoMore)),
        instructions: Instructions::First(512),
        most: Some((128, Deed::RefusesRequests)),
        advised: Some((19, "OpenAI suggests fewer than 20")),
        tastes: OPENAI_TASTES,
        ..OPEN
    },
    Profile {
        id: "claude-code",
        title: "Claude Code",
        shown: Shown::Claude,
        names: Some(names(Letters::Word, 128, Deed::LeavesOut)),
        arguments: Some(anthropic(Deed::LeavesOut)),
        description: Some((2_048, Deed::Cuts)),
        instructions: Instructions::First(2_048),
        tastes: &[
            (Taste::RootCombination, Deed::Ignores),
            (Taste::TupleItems, Deed::RefusesRequests),
        ],
        ..OPEN
    },
    Profile {
        id: "claude-desktop",
        title: "Claude Desktop",
        names: Some(names(Letters::Word, 64, Deed::DropsServer)),
        arguments: Some(anthropic(Deed::RefusesRequests)),
        instructions: Instructions::Unused,
        tastes: &[
            (Taste::RootCombination, Deed::RefusesRequests),
            (Taste::TupleItems, Deed::RefusesRequests),
        ],
        ..OPEN
    },
    Profile {
        id: "codex",
        title: "Codex",
        shown: Shown::Codex,
        most: Some((128, Deed::RefusesRequests)),
        advised: Some((19, "OpenAI suggests fewer than 20")),
        tastes: &[(Taste::Lookaround, Deed::RefusesRequests), (Taste::BeyondCodex, Deed::Ignores)],
        ..OPEN
    },
    Profile {
        id: "cursor",
        title: "Cursor",
        together: Some(60),
        instructions: Instructions::Unused,
        advised: Some((
            40,
            "Cursor took the first 40 before it found tools on demand; no limit is documented today",
        )),
        tastes: &[(Taste::TypeList, Deed::RefusesCalls)],
        ..OPEN
    },
    Profile {
        id: "gemini",
        title: "the Gemini API",
        names: Some(names(Letters::Gemini, 64, Deed::RefusesRequests)),
        arguments: GEMINI_ARGUMENTS,
        advised: Some((20, "Google advises 10 to 20")),
        tastes: GEMINI_TASTES,
        ..OPEN
    },
    Profile {
        id: "gemini-cli",
        title: "Gemini CLI",
        shown: Shown::GeminiCli,
        arguments: GEMINI_ARGUMENTS,
        advised: Some((20, "Google advises 10 to 20")),
        tastes: &[
            (Taste::EnumOfOtherThanTexts, Deed::RefusesRequests),
            (Taste::EmptyEnum, Deed::RefusesRequests),
            (Taste::Reference, Deed::RefusesRequests),
        ],
        ..OPEN
    },
    Profile {
        id: "openai",
        title: "the OpenAI API",
        names: Some(names(Letters::Word, 64, Deed::RefusesRequests)),
        description: Some((1_024, Deed::TakesNoMore)),
        most: Some((128, Deed::RefusesRequests)),
        advised: Some((19, "OpenAI suggests fewer than 20")),
        tastes: OPENAI_TASTES,
        ..OPEN
    },
    Profile {
        id: "vscode",
        title: "VS Code",
        shown: Shown::VsCode,
        most: Some((128, Deed::RefusesRequests)),
        tastes: &[
            (Taste::ArrayWithoutItems, Deed::RefusesRequests),
            (Taste::RootCombination, Deed::Ignores),
            (Taste::NestedTextOver1024, Deed::Cuts),
            (Taste::StrippedForGpt4, Deed::Ignores),
        ],
        ..OPEN
    },
    Profile { id: "windsurf", title: "Windsurf", most: Some((100, Deed::LeavesOut)), ..OPEN },
];
