//! Names of tools and of the server.

use std::collections::BTreeMap;

use super::Surface;
use super::profile::{CLAUDE_CODE_RESERVED, Shown};
use super::shown;
use crate::diagnostic::Diagnostics;
use crate::diagnostic::surface::{
    NAME_JOINS_NOUNS, NAME_LONG_WHEN_QUALIFIED, NAME_LONG_WITH_SERVER, NAME_SAYS_NOTHING,
    NAMES_MERGE_WHEN_CUT, SERVER_NAME_UNFIT,
};
use crate::source::Pointer;

/// Most characters of server and tool together (rule N2): Cursor's 60, less one between them.
const TOGETHER: usize = 59;

/// Most characters of `mcp__server__tool` (rule N2).
const QUALIFIED: usize = 64;

/// Most characters of the server's name (rule N4).
const SERVER: usize = 18;

pub fn audit(diagnostics: &mut Diagnostics, surface: Surface<'_>) {
    let plan = surface.plan;
    let server = plan.server.as_str();
    if let Some(what) = unfit(server) {
        let place = Pointer::default().child("server").child("name");
        diagnostics
            .report(
                &SERVER_NAME_UNFIT,
                None,
                place,
                format!("the server is called `{server}`: {what}"),
            )
            .help("set `name` in mcp-gen.yaml");
    }
    for (name, place, _) in surface.tools() {
        let mut say = |code, message: String, help: &str| {
            diagnostics.report(code, None, place.child("name"), message).help(help);
        };
        let together = server.chars().count() + name.chars().count();
        if together > TOGETHER {
            say(
                &NAME_LONG_WITH_SERVER,
                format!(
                    "`{name}` and the server `{server}` have {together} characters together, more than {TOGETHER}"
                ),
                "shorten one of the two",
            );
        }
        let qualified = shown::before_cut(plan, Shown::Claude, name).chars().count();
        if qualified > QUALIFIED {
            say(
                &NAME_LONG_WHEN_QUALIFIED,
                format!(
                    "`mcp__{server}__{name}` has {qualified} characters, more than {QUALIFIED}"
                ),
                "shorten the name of the tool or of the server",
            );
        }
        if name.contains("_and_") {
            say(
                &NAME_JOINS_NOUNS,
                format!("`{name}` joins nouns"),
                "give it a word for both with `name` in mcp-gen.yaml",
            );
        }
        if name.split('_').any(|w| !w.is_empty() && w.bytes().all(|b| b.is_ascii_digit())) {
            say(
                &NAME_SAYS_NOTHING,
                format!("a word of `{name}` is only a number"),
                "name what the tool does and to what",
            );
        }
    }
    merged(diagnostics, surface);
}

/// Why clients would rewrite or skip a server of this name (rule N4).
fn unfit(server: &str) -> Option<String> {
    let length = server.chars().count();
    let letters = server.starts_with(|c: char| c.is_ascii_lowercase())
        && server.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if CLAUDE_CODE_RESERVED.iter().any(|r| r.eq_ignore_ascii_case(server)) {
        return Some("Claude Code keeps the name for itself".to_owned());
    }
    if length > SERVER {
        return Some(format!("{length} characters, more than {SERVER}"));
    }
    (!letters).then(|| "other letters than `a-z`, `0-9` and `-`".to_owned())
}

/// Names that a client makes one by cutting (rule N3). Names that are one already are no matter of
/// cutting.
fn merged(diagnostics: &mut Diagnostics, surface: Surface<'_>) {
    for (shown, client) in [(Shown::VsCode, "VS Code"), (Shown::GeminiCli, "Gemini CLI")] {
        let mut seen: BTreeMap<String, &str> = BTreeMap::new();
        for (name, place, _) in surface.tools() {
            let cut = shown::shown(surface.plan, shown, name);
            match seen.get(&cut) {
                Some(other) if *other != name => {
                    let message = format!("`{other}` and `{name}` are both `{cut}` in {client}");
                    diagnostics
                        .report(&NAMES_MERGE_WHEN_CUT, None, place.child("name"), message)
                        .help("let the names differ within the first 46 characters");
                }
                Some(_) => {}
                None => {
                    seen.insert(cut, name);
                }
            }
        }
    }
}
