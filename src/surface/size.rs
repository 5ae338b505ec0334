//! How many, and how large.

use super::Surface;
use crate::diagnostic::surface::{
    ACTIONS_MANY, LIST_OVER_TOKENS, PRIMARY_TOOLS_MANY, TOOL_LARGE, TOOL_OVER_TOKENS, TOOLS_MANY,
};
use crate::diagnostic::{Code, Diagnostics};
use crate::plan::tokens;
use crate::source::Pointer;

/// Most tools (rule N6); more than a hundred are an error.
const TOOLS: usize = 40;
/// Most direct tools: six to ten and a catalog reach as much as forty.
const PRIMARY: usize = 10;
/// Most actions of a tool.
const ACTIONS: usize = 14;
/// Most bytes of a definition (rule I15).
const BYTES: usize = 8 << 10;
/// Most tokens of a definition, and of all.
const TOKENS: usize = 1_200;
const ALL_TOKENS: usize = 9_000;

pub fn audit(diagnostics: &mut Diagnostics, surface: Surface<'_>) {
    let mut all = 0;
    for (name, place, definition) in surface.tools() {
        let bytes = definition.to_string().len();
        let tokens = tokens(definition);
        all += tokens;
        let found: Option<(&'static Code, String)> = if bytes > BYTES {
            Some((
                &TOOL_LARGE,
                format!("the definition of `{name}` has {bytes} bytes, more than {BYTES}"),
            ))
        } else if tokens > TOKENS {
            Some((
                &TOOL_OVER_TOKENS,
                format!("`{name}` takes about {tokens} tokens, more than {TOKENS}"),
            ))
        } else {
            None
        };
        if let Some((code, message)) = found {
            diagnostics
                .report(code, None, place, message)
                .help("split the tool, or shorten what its arguments say");
        }
    }
    for (tool, (_, place, _)) in surface.plan.tools.iter().zip(surface.tools()) {
        let actions = tool.actions.len();
        if actions > ACTIONS {
            diagnostics
                .report(
                    &ACTIONS_MANY,
                    None,
                    place.child("actions"),
                    format!("`{}` has {actions} actions, more than {ACTIONS}", tool.name),
                )
                .help("split it with `group`, or lower `max-actions`");
        }
    }
    let place = Pointer::default().child("account");
    let mut whole = |code, message: String, help: &str| {
        diagnostics.report(code, None, place.clone(), message).help(help);
    };
    let tools = surface.definitions.len();
    if tools > TOOLS {
        whole(
            &TOOLS_MANY,
            format!("there are {tools} tools, more than {TOOLS}"),
            "plan with a lower `max-primary`",
        );
    }
    let primary = surface.plan.primary();
    if primary > PRIMARY {
        whole(
            &PRIMARY_TOOLS_MANY,
            format!("there are {primary} primary tools, more than {PRIMARY}"),
            "plan with `max-primary: 10`, or make plumbing `posture: secondary`",
        );
    }
    if all > ALL_TOKENS {
        whole(
            &LIST_OVER_TOKENS,
            format!("the definitions take about {all} tokens, more than {ALL_TOKENS}"),
            "lower `max-primary`, or set `max-tokens`",
        );
    }
}
