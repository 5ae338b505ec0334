//! The one place that writes to the terminal: data to stdout, words for the person to stderr.

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

use super::args::Color;
use super::snippet;
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::error::Error;
use crate::source::Sources;

/// How many findings of a kind are shown in full unless `-v` is given.
const SHOWN_OF_A_KIND: usize = 3;

const RED: Style = AnsiColor::Red.on_default().bold();
const CYAN: Style = AnsiColor::Cyan.on_default().bold();
const BOLD: Style = Style::new().bold();

/// Whether notes are what the person asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notes {
    /// They are.
    Shown,
    /// They are counted, unless `-v` is given.
    Counted,
}

/// Where words and data go, and how many.
#[derive(Debug)]
pub struct Console {
    color: ColorChoice,
    quiet: u8,
    verbose: u8,
}

impl Console {
    pub fn new(color: Color, quiet: u8, verbose: u8) -> Self {
        let color = match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        Self { color, quiet, verbose }
    }

    pub fn verbose(&self) -> bool {
        self.verbose > 0
    }

    /// Data, to stdout; takes the console so that nothing else prints.
    /// A reader that went away is no fault of ours.
    #[expect(clippy::unused_self, reason = "the console is who may write")]
    pub fn data(&mut self, text: &str) -> Result<(), Error> {
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
                Err(Error::Write { path: "standard output".into(), source: e })
            }
            _ => Ok(()),
        }
    }

    /// Data with styles, to stdout; they go where no terminal shows them.
    pub fn page(&mut self, text: &str) -> Result<(), Error> {
        let mut out = AutoStream::new(io::stdout().lock(), self.color);
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
                Err(Error::Write { path: "standard output".into(), source: e })
            }
            _ => Ok(()),
        }
    }

    /// A line for the person.
    pub fn say(&mut self, text: &str) {
        if self.quiet == 0 {
            self.write(&format!("{text}\n"));
        }
    }

    /// A line about what is wrong.
    pub fn wrong(&mut self, text: &str) {
        if self.quiet < 2 {
            self.write(&format!("{text}\n"));
        }
    }

    /// The way out of what is wrong.
    pub fn help(&mut self, text: &str) {
        self.wrong(&format!("{CYAN}help{CYAN:#}: {text}"));
    }

    /// A heading for the person.
    pub fn headline(&mut self, text: &str) {
        self.say(&format!("{BOLD}{text}{BOLD:#}"));
    }

    /// What stopped the run.
    pub fn error(&mut self, error: &Error) {
        if self.quiet > 1 {
            return;
        }
        let mut text = format!("{RED}error{RED:#}: {error}");
        let mut cause = std::error::Error::source(error);
        while let Some(e) = cause {
            text.push_str(&format!(": {e}"));
            cause = e.source();
        }
        if let Some(help) = error.help() {
            text.push_str(&format!("\n{CYAN}help{CYAN:#}: {help}"));
        }
        self.write(&format!("{text}\n"));
    }

    /// Findings as rustc shows them: errors always, warnings unless `-q`, notes where they are
    /// `asked` for or with `-v`; of one kind the first few in full, then a count.
    pub fn findings(&mut self, diagnostics: &Diagnostics, sources: &Sources, asked: Notes) {
        let sorted = diagnostics.sorted();
        let notes = self.verbose > 0 || (asked == Notes::Shown && self.quiet == 0);
        let shown = |d: &&&Diagnostic| match d.code.severity {
            Severity::Error => self.quiet < 2,
            Severity::Warning => self.quiet == 0,
            Severity::Note => notes,
        };
        let list: Vec<_> = sorted.iter().filter(shown).copied().collect();
        let mut counts = std::collections::BTreeMap::<_, usize>::new();
        let mut text = String::new();
        for diagnostic in &list {
            let count = counts.entry((diagnostic.code.id, diagnostic.client)).or_default();
            *count += 1;
            if *count <= SHOWN_OF_A_KIND || self.verbose > 0 {
                text.push_str(&snippet::render(diagnostic, sources));
                text.push_str("\n\n");
            }
        }
        for ((id, _), count) in counts {
            if count > SHOWN_OF_A_KIND && self.verbose == 0 {
                text.push_str(&format!(
                    "{count} findings of `{id}`, {SHOWN_OF_A_KIND} shown; `-v` shows all\n"
                ));
            }
        }
        let hidden = sorted.iter().filter(|d| d.code.severity == Severity::Note).count();
        if hidden > 0 && !notes && self.quiet == 0 {
            let plural = if hidden == 1 { "note is" } else { "notes are" };
            text.push_str(&format!("{hidden} {plural} not shown; `mcp-gen lint` shows them\n\n"));
        }
        self.write(&text);
    }

    fn write(&mut self, text: &str) {
        // Nobody is left to tell when stderr is gone.
        let _ = AutoStream::new(io::stderr().lock(), self.color).write_all(text.as_bytes());
    }
}
