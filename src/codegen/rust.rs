//! Text of a document that prints itself as Rust. Nothing else of a document reaches Rust source.

use std::collections::BTreeSet;
use std::fmt;

use heck::{ToShoutySnakeCase as _, ToSnakeCase as _};

/// Longest identifier and file name that is made, in bytes.
const LONGEST: usize = 60;

/// File names that Windows keeps for devices.
const DEVICES: &[&str] = &[
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8",
    "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// A Rust string literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrLit<'a>(pub &'a str);

impl fmt::Display for StrLit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `escape_debug` leaves some format characters; source must hold none that is invisible.
        let mut text = String::with_capacity(self.0.len());
        let mut plain = true;
        for c in self.0.chars() {
            if is_hidden(c) {
                plain = false;
            }
            text.push(c);
        }
        if plain {
            return write!(f, "{}", proc_macro2::Literal::string(&text));
        }
        f.write_str("\"")?;
        for c in text.chars() {
            if is_hidden(c) {
                write!(f, "{}", c.escape_unicode())?;
            } else {
                write!(f, "{}", c.escape_debug())?;
            }
        }
        f.write_str("\"")
    }
}

/// `Some("…")` or `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptLit<'a>(pub Option<&'a str>);

impl fmt::Display for OptLit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(text) => write!(f, "Some({})", StrLit(text)),
            None => f.write_str("None"),
        }
    }
}

/// A documentation line that holds text of a document as inline code. It cannot end its comment,
/// start a code block, or hide anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocCode<'a>(pub &'a str);

impl fmt::Display for DocCode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#[doc = {}]", StrLit(&format!(" `{}`", one_line(self.0).replace('`', "'"))))
    }
}

/// The documentation of a whole file, with text of a plan as inline code.
pub fn inner_doc(text: &str) -> String {
    format!("#![doc = {}]\n", StrLit(&format!(" `{}`", one_line(text).replace('`', "'"))))
}

/// The text on one line, without anything that is invisible, cut to a length fit for a comment.
pub fn one_line(text: &str) -> String {
    let visible: String =
        text.chars().map(|c| if c.is_control() || is_hidden(c) { ' ' } else { c }).collect();
    let words: Vec<_> = visible.split_whitespace().collect();
    let joined = words.join(" ");
    if joined.chars().count() <= 120 {
        return joined;
    }
    joined.chars().take(119).chain(['…']).collect()
}

/// Characters that lie about what is written: controls, bidi, zero width, tags.
fn is_hidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t' | '\r' | '\0'))
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// Makes identifiers that are unique where they are made.
#[derive(Debug, Default)]
pub struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// Names that are spoken for.
    pub fn reserving(names: &[&str]) -> Self {
        Self { taken: names.iter().map(|n| (*n).to_owned()).collect() }
    }

    /// A constant's name: `LIST_PETS`.
    pub fn constant(&mut self, words: &str) -> String {
        self.free(&ascii(words).to_shouty_snake_case(), "OPERATION")
    }

    /// A module's name, fit to be a file's: `list_pets`.
    pub fn module(&mut self, words: &str) -> String {
        self.free(&ascii(words).to_snake_case(), "operations")
    }

    fn free(&mut self, name: &str, fallback: &str) -> String {
        let mut name: String = name.chars().take(LONGEST).collect();
        name.truncate(name.trim_end_matches('_').len());
        if name.is_empty() {
            fallback.clone_into(&mut name);
        }
        let keyword = syn::parse_str::<syn::Ident>(&name).is_err();
        if keyword || DEVICES.contains(&name.as_str()) {
            name = if name.starts_with(|c: char| c.is_ascii_digit()) {
                format!("{}_{name}", &fallback[..1])
            } else {
                format!("{name}_")
            };
        }
        let mut unique = name.clone();
        let mut n = 2;
        // Two files whose names differ in case alone are one file on some systems.
        while !self.taken.insert(unique.to_lowercase()) {
            unique = format!("{name}_{n}");
            n += 1;
        }
        unique
    }
}

/// Letters and digits of ASCII; everything else parts words.
fn ascii(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn literal(text: &str) {
        let source = StrLit(text).to_string();
        let parsed: syn::LitStr =
            syn::parse_str(&source).unwrap_or_else(|e| panic!("{source}: {e}"));
        assert_eq!(parsed.value(), text);
        assert!(!source.contains('\n') && !source.contains('\u{202e}'), "{source}");
    }

    #[test]
    fn a_literal_gives_its_text_back_whatever_it_is() {
        for text in [
            "",
            "\"#; std::process::exit(42); r#\"",
            "*/ fn x(){} /*",
            "a\ncompile_error!(\"x\");",
            "{}{0}{x:?}",
            "\u{202e}\u{0}\r\u{2028}",
            "\\",
            "'",
            "é\u{1f600}",
            "\u{e0041}",
        ] {
            literal(text);
        }
    }

    #[test]
    fn names_are_identifiers_and_unique_without_case() {
        let mut names = Names::default();
        let made: Vec<_> =
            ["type", "self", "crate", "Self", "9lives", "", "ключ", "a-b", "A b", "con", "_"]
                .iter()
                .map(|w| names.module(w))
                .collect();
        for name in &made {
            assert!(syn::parse_str::<syn::Ident>(name).is_ok(), "{name}");
        }
        assert_eq!(made.iter().collect::<BTreeSet<_>>().len(), made.len(), "{made:?}");
        assert!(!made.contains(&"con".to_owned()));
    }

    #[test]
    fn documentation_stays_on_its_line_and_inside_its_code() {
        let doc = DocCode("a\n```\npanic!()\n```\n*/ \u{202e}x").to_string();
        assert_eq!(doc, "#[doc = \" `a ''' panic!() ''' */ x`\"]");
    }
}
