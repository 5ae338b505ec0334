//! What a person is told of the files that are theirs, or theirs too.

use std::path::Path;

use super::console::Console;
use crate::codegen::hooks;
use crate::codegen::manifest::{self, Joined};

/// Says what of the manifest is the person's and stayed, and what the generated code had to set.
pub fn carried(console: &mut Console, dir: &Path, Joined { kept, set, .. }: &Joined) {
    let path = dir.join(manifest::PATH);
    if !kept.is_empty() {
        console.say(&format!("Kept in `{}`, as yours: {}", path.display(), list(kept)));
    }
    if !set.is_empty() {
        console.wrong(&format!(
            "Set in `{}`, as the generated code needs it: {}",
            path.display(),
            list(set)
        ));
    }
}

/// Says what of the manifest is not as the generated code needs it.
pub fn unset(console: &mut Console, dir: &Path, joined: &Joined) {
    if !joined.set.is_empty() {
        console.wrong(&format!(
            "not as the generated code needs it in `{}`: {}",
            dir.join(manifest::PATH).display(),
            list(&joined.set)
        ));
    }
}

/// Says what the generated code needs and the person's `text` does not have, after words that begin with
/// the file.
pub fn lacking(console: &mut Console, dir: &Path, text: &str, words: &str) -> bool {
    let lacking = if text.is_empty() { Vec::new() } else { hooks::lacks(text) };
    if lacking.is_empty() {
        return false;
    }
    let path = dir.join(hooks::PATH);
    console.wrong(&format!("`{}` {words}:", path.display()));
    for sentence in lacking {
        console.wrong(&format!("  - {sentence}"));
    }
    console.help(&format!("`{}` shows what hooks are now", dir.join(hooks::SHOWN_IN).display()));
    true
}

/// The text of the hooks that are there; empty when none are.
pub fn hooks_text(dir: &Path) -> String {
    std::fs::read_to_string(dir.join(hooks::PATH)).unwrap_or_default()
}

fn list(all: &[String]) -> String {
    all.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}
