//! What a change says: our words, and names from plans, kept apart until something shows them.

use std::fmt;

use crate::ir::prose::is_invisible;

/// Longest name or value that is shown within a message, in characters.
const LONGEST: usize = 120;

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Our own words.
    Words(String),
    /// Text of a plan, on one line, without characters that show nothing.
    Code(String),
}

/// A message: lower case, no full stop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message(pub Vec<Part>);

impl Message {
    /// `template` with each `{}` replaced by the next of `names`.
    pub(super) fn of(template: &'static str, names: &[&str]) -> Self {
        let mut message = Self::default();
        let mut names = names.iter();
        for (i, words) in template.split("{}").enumerate() {
            if i > 0 {
                message.code(names.next().copied().unwrap_or_default());
            }
            message.words(words);
        }
        message
    }

    /// Adds words.
    pub(super) fn words(&mut self, words: &str) {
        if !words.is_empty() {
            self.0.push(Part::Words(words.to_owned()));
        }
    }

    /// Adds text of a plan.
    pub(super) fn code(&mut self, text: &str) {
        self.0.push(Part::Code(one_line(text, LONGEST)));
    }

    /// Adds names, parted by commas; at most `most`, then how many more there are.
    pub(super) fn list<'a>(&mut self, names: impl IntoIterator<Item = &'a str>, most: usize) {
        let names: Vec<_> = names.into_iter().collect();
        for (i, name) in names.iter().take(most).enumerate() {
            if i > 0 {
                self.words(", ");
            }
            self.code(name);
        }
        if names.len() > most {
            self.words(&format!(" and {} more", names.len() - most));
        }
    }
}

/// Names in backticks.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|part| match part {
            Part::Words(words) => f.write_str(words),
            Part::Code(text) => write!(f, "`{text}`"),
        })
    }
}

/// A text on one line: white space is one space, what shows nothing is left away, a long one is cut.
pub(super) fn one_line(text: &str, longest: usize) -> String {
    let mut out = String::new();
    let mut length = 0;
    let mut space = false;
    for c in text.chars() {
        if c.is_whitespace() {
            space = true;
            continue;
        }
        if c.is_control() || is_invisible(c) {
            continue;
        }
        if length >= longest {
            out.push('…');
            break;
        }
        if std::mem::take(&mut space) && !out.is_empty() {
            out.push(' ');
            length += 1;
        }
        out.push(c);
        length += 1;
    }
    out
}
