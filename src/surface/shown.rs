//! The names under which models see tools.

use super::profile::Shown;
use crate::plan::Plan;

/// Most characters of a name in VS Code, and of the prefix before it.
const VS_CODE: usize = 64;
/// Most characters of the server's title in the prefix of VS Code.
const VS_CODE_TITLE: usize = 13;
/// Most characters of a name in Gemini CLI before its middle is cut out.
const GEMINI_CLI: usize = 63;
/// How much Gemini CLI keeps at either end.
const GEMINI_END: usize = 30;
/// Most characters of a name in Codex, and how many of them are a hash when it is longer.
const CODEX: usize = 64;
const CODEX_HASH: usize = 12;

/// The name of the tool `name` as it reaches the model, cut where it is too long.
pub fn shown(plan: &Plan, shown: Shown, name: &str) -> String {
    let whole = before_cut(plan, shown, name);
    let chars: Vec<char> = whole.chars().collect();
    let text = |part: &[char]| part.iter().collect::<String>();
    match shown {
        Shown::VsCode => text(&chars[..chars.len().min(VS_CODE)]),
        Shown::GeminiCli if chars.len() > GEMINI_CLI => {
            let (head, tail) = (&chars[..GEMINI_END], &chars[chars.len() - GEMINI_END..]);
            format!("{}...{}", text(head), text(tail))
        }
        Shown::Codex if chars.len() > CODEX => {
            format!("{}{}", text(&chars[..CODEX - CODEX_HASH]), "#".repeat(CODEX_HASH))
        }
        Shown::Plain | Shown::Claude | Shown::GeminiCli | Shown::Codex => whole,
    }
}

/// The same before it is cut.
pub fn before_cut(plan: &Plan, shown: Shown, name: &str) -> String {
    match shown {
        Shown::Plain => name.to_owned(),
        Shown::Claude => format!("mcp__{}__{name}", letters(&plan.server, |_| true)),
        Shown::Codex => {
            let name = letters(name, |_| true);
            format!("mcp__{}__{name}", letters(&plan.server, |_| true))
        }
        Shown::GeminiCli => format!("mcp_{}_{name}", plan.server),
        Shown::VsCode => {
            let title = if plan.title.is_empty() { &plan.server } else { &plan.title };
            let start: String = title.to_lowercase().chars().take(VS_CODE_TITLE).collect();
            // Upper case is outside the set too.
            letters(&format!("mcp_{start}_{name}"), |c| !c.is_ascii_uppercase())
        }
    }
}

/// `text` with `_` for what is none of `A-Za-z0-9_-`, or not `kept`.
fn letters(text: &str, kept: impl Fn(char) -> bool) -> String {
    let fine = |c: char| (c.is_ascii_alphanumeric() || matches!(c, '_' | '-')) && kept(c);
    text.chars().map(|c| if fine(c) { c } else { '_' }).collect()
}
