//! YAML as a person would lay it out: block structure, one decision a line, text quoted only where
//! it must be.

use std::fmt::Write as _;

use serde_json::Value as Json;

/// Longest text that is written in plain style.
const PLAIN: usize = 200;

/// Writes block structure.
#[derive(Debug)]
pub struct Writer {
    out: String,
    depth: usize,
    /// Whether the next line continues a `- `.
    dash: bool,
}

impl Writer {
    /// An empty file.
    pub fn new() -> Self {
        Self { out: String::new(), depth: 0, dash: false }
    }

    /// A comment line.
    pub fn comment(&mut self, text: &str) {
        self.line(&format!("# {text}"));
    }

    /// An empty line.
    pub fn blank(&mut self) {
        self.out.push('\n');
    }

    /// `key: value` with a value that is YAML already.
    pub fn pair(&mut self, key: &str, value: &str) {
        self.line(&format!("{key}: {value}"));
    }

    /// `key: text`, as a literal block where that reads better.
    pub fn text(&mut self, key: &str, text: &str) {
        if !suits_block(text) {
            return self.pair(key, &Flow::scalar(text));
        }
        self.line(&format!("{key}: |-"));
        for line in text.split('\n') {
            if line.is_empty() {
                self.out.push('\n');
            } else {
                let _ = writeln!(self.out, "{}{line}", "  ".repeat(self.depth + 1));
            }
        }
    }

    /// Opens the mapping `key`.
    pub fn open(&mut self, key: &str) {
        self.line(&format!("{key}:"));
        self.depth += 1;
    }

    /// Opens a mapping as an item of the list around it; its first pair is `key: text`.
    pub fn open_item(&mut self, key: &str, text: &str) {
        self.dash = true;
        self.depth += 1;
        self.pair(key, &Flow::scalar(text));
    }

    /// Closes what [`Writer::open`] or [`Writer::open_item`] opened.
    pub fn close(&mut self) {
        self.depth -= 1;
    }

    /// An item of the list around it, that is YAML already.
    pub fn item(&mut self, value: &str) {
        self.line(&format!("- {value}"));
    }

    /// The list `key`; nothing when it is empty.
    pub fn list_of<T>(&mut self, key: &str, items: &[T], write: impl Fn(&mut Self, &T)) {
        if items.is_empty() {
            return;
        }
        self.open(key);
        for item in items {
            write(self, item);
        }
        self.close();
    }

    /// The file's text.
    pub fn finish(self) -> String {
        self.out
    }

    fn line(&mut self, text: &str) {
        let depth = self.depth - usize::from(self.dash);
        let dash = if std::mem::take(&mut self.dash) { "- " } else { "" };
        let _ = writeln!(self.out, "{}{dash}{text}", "  ".repeat(depth));
    }
}

/// Values on one line.
#[derive(Debug)]
pub struct Flow(String);

impl Flow {
    /// Starts a mapping.
    pub fn map() -> Self {
        Self("{".to_owned())
    }

    /// Adds `key: text`.
    #[must_use]
    pub fn text(self, key: &str, text: &str) -> Self {
        self.raw(key, &quoted(text))
    }

    /// Adds `key: value` with a value that is YAML already.
    #[must_use]
    pub fn raw(mut self, key: &str, value: &str) -> Self {
        if self.0.len() > 1 {
            self.0.push_str(", ");
        }
        let key = if is_word(key) { key.to_owned() } else { quoted(key) };
        let _ = write!(self.0, "{key}: {value}");
        self
    }

    /// Ends the mapping.
    pub fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }

    /// A list of texts.
    pub fn list(items: &[String]) -> String {
        let items: Vec<_> = items
            .iter()
            .map(|item| if is_word(item) { item.clone() } else { quoted(item) })
            .collect();
        format!("[{}]", items.join(", "))
    }

    /// A text: plain where that is unmistakable, else in double quotes.
    pub fn scalar(text: &str) -> String {
        if is_plain(text) { text.to_owned() } else { quoted(text) }
    }

    /// A JSON value, which is YAML as it stands but for a few characters.
    pub fn json(value: &Json) -> String {
        match value {
            Json::String(text) => quoted(text),
            Json::Array(items) => {
                format!("[{}]", items.iter().map(Self::json).collect::<Vec<_>>().join(", "))
            }
            Json::Object(map) => {
                map.iter().fold(Self::map(), |m, (k, v)| m.raw(k, &Self::json(v))).end()
            }
            Json::Null | Json::Bool(_) | Json::Number(_) => value.to_string(),
        }
    }
}

/// Whether a literal block gives exactly this text back.
fn suits_block(text: &str) -> bool {
    text.contains('\n')
        && !text.starts_with([' ', '\t', '\n'])
        && !text.ends_with(['\n', ' '])
        && text.chars().all(|c| c == '\n' || (c != '\t' && is_printable(c)))
        && text.split('\n').all(|line| line.is_empty() || !line.trim().is_empty())
}

/// Words that YAML 1.1 or 1.2 readers take for something else than text.
const OTHER_THAN_TEXT: &[&str] =
    &["null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf"];

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        && !OTHER_THAN_TEXT.contains(&text.to_ascii_lowercase().as_str())
}

fn is_plain(text: &str) -> bool {
    is_word(text)
        || (text.len() <= PLAIN
            && text.contains(' ')
            && text.starts_with(|c: char| c.is_ascii_alphabetic())
            && !text.ends_with([' ', ':'])
            && !text.contains(": ")
            && !text.contains(" #")
            && text.chars().all(|c| is_printable(c) && !matches!(c, '\t' | '\n' | '\r')))
}

fn is_printable(c: char) -> bool {
    matches!(c, '\t' | ' '..='~' | '\u{a0}'..='\u{2027}' | '\u{202f}'..='\u{d7ff}' | '\u{e000}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}' | '\u{10000}'..)
}

/// In double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_printable(c) => out.push(c),
            c if u32::from(c) <= 0xffff => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => {
                let _ = write!(out, "\\U{:08x}", u32::from(c));
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_mean_something_else_are_quoted() {
        for text in
            ["yes", "1.0", "", "- a", "a: b", "a #b", "~", "x:", "*a", "&a", "[a", "2026-01-01"]
        {
            assert!(Flow::scalar(text).starts_with('"'), "{text}");
        }
        for text in ["list", "Read events, one by one.", "GET /events/{id}"] {
            assert_eq!(Flow::scalar(text), text);
        }
    }
}
