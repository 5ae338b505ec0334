//! Descriptions and instructions.

use std::collections::BTreeMap;

use super::Surface;
use crate::diagnostic::Diagnostics;
use crate::diagnostic::surface::{
    DESCRIPTION_BRIEF, DESCRIPTION_LENGTHY, DESCRIPTIONS_START_ALIKE, INSTRUCTIONS_LONG,
    INSTRUCTIONS_START_LONG,
};
use crate::source::Pointer;

/// A good description has 40 to 160 tokens of four characters; one of a quarter of that says little.
const BRIEF: usize = 40;
const LENGTHY: usize = 640;

/// Most characters of instructions (rule T5), and how many of them all clients use.
const INSTRUCTIONS: usize = 2_048;
const START: usize = 512;

pub fn audit(diagnostics: &mut Diagnostics, surface: Surface<'_>) {
    let mut starts: BTreeMap<String, (&str, &str)> = BTreeMap::new();
    for (name, place, definition) in surface.tools() {
        let text = definition["description"].as_str().unwrap_or_default();
        let length = text.chars().count();
        let mut say = |code, message: String, help: &str| {
            diagnostics.report(code, None, place.child("description"), message).help(help);
        };
        // That it is empty is a fault of another kind.
        if length < BRIEF && !text.trim().is_empty() {
            say(
                &DESCRIPTION_BRIEF,
                format!("the description of `{name}` has {length} characters"),
                "say what it does and when to take it; summaries in the document become descriptions",
            );
        }
        if length > LENGTHY {
            say(
                &DESCRIPTION_LENGTHY,
                format!("the description of `{name}` has {length} characters, more than {LENGTHY}"),
                "move what is about one argument to that argument",
            );
        }
        let start = first_sentence(text).to_lowercase();
        if start.is_empty() {
            continue;
        }
        match starts.get(&start) {
            Some((other, whole)) if *whole != text => say(
                &DESCRIPTIONS_START_ALIKE,
                format!("the descriptions of `{other}` and `{name}` begin with the same sentence"),
                "let the first sentence say what only this tool does",
            ),
            Some(_) => {}
            None => {
                starts.insert(start, (name, text));
            }
        }
    }
    instructions(diagnostics, &surface.plan.instructions);
}

fn first_sentence(text: &str) -> &str {
    let line = text.trim().lines().next().unwrap_or_default();
    line.split(". ").next().unwrap_or_default().trim_end_matches('.').trim()
}

fn instructions(diagnostics: &mut Diagnostics, text: &str) {
    let place = Pointer::default().child("server").child("instructions");
    let length = text.chars().count();
    if length > INSTRUCTIONS {
        diagnostics
            .report(
                &INSTRUCTIONS_LONG,
                None,
                place.clone(),
                format!("the instructions have {length} characters, more than {INSTRUCTIONS}"),
            )
            .help("what concerns one tool belongs into its description");
    }
    let first = text.trim_start().lines().next().unwrap_or_default().chars().count();
    if first > START {
        diagnostics
            .report(
                &INSTRUCTIONS_START_LONG,
                None,
                place,
                format!(
                    "the first line of the instructions has {first} characters, more than {START}"
                ),
            )
            .help("begin with a short line that says what the server is for");
    }
}
