//! Findings: what is odd about the content of a document or a plan.

pub mod clients;
pub mod generating;
mod nearest;
pub mod overlays;
pub mod planning;
pub mod planning_config;
pub mod planning_text;
pub mod reading;
pub mod surface;

pub use nearest::nearest;

use crate::source::{At, Pointer};

/// How bad a finding is. Errors stop the run after the stage that reported them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing useful can be generated.
    Error,
    /// Something could not be used as written, or was left out.
    Warning,
    /// Worth knowing.
    Note,
}

impl Severity {
    /// The word that messages begin with.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A kind of finding. The rows live in [`overlays`], [`reading`], [`planning`], [`planning_config`], [`planning_text`], [`generating`], [`surface`] and [`clients`].
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Stable id in kebab-case that reads as the fault.
    pub id: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What it means, why it matters, what to do: whole sentences.
    pub explanation: &'static str,
    /// A few lines of a document that produce it.
    pub example: &'static str,
}

/// Every kind of finding, by stage.
pub static CODES: &[&[&Code]] = &[
    overlays::CODES,
    reading::CODES,
    planning::CODES,
    planning_config::CODES,
    planning_text::CODES,
    generating::CODES,
    surface::CODES,
    clients::CODES,
];

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Its kind.
    pub code: &'static Code,
    /// Where in which document, when it stands in one.
    pub at: Option<At>,
    /// The JSON Pointer of the place in its document.
    pub pointer: Pointer,
    /// What is wrong: lower case, names in backticks, no full stop.
    pub message: String,
    /// What to do about it, where that is not obvious.
    pub help: Option<String>,
    /// The client that it is about, where it is about one.
    pub client: Option<&'static str>,
}

/// Collects findings while stages run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds a finding.
    pub fn report(
        &mut self,
        code: &'static Code,
        at: Option<At>,
        pointer: Pointer,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.list.push(Diagnostic {
            code,
            at,
            pointer,
            message: message.into(),
            help: None,
            client: None,
        });
        self.list.last_mut().expect("one was pushed")
    }

    /// Adds a finding that was reported elsewhere.
    pub fn add(&mut self, finding: Diagnostic) {
        self.list.push(finding);
    }

    /// Whether an error was reported.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.code.severity == Severity::Error)
    }

    /// The findings, sorted: by place, then kind, then words; equal ones once.
    pub fn sorted(&self) -> Vec<&Diagnostic> {
        let mut list: Vec<_> = self.list.iter().collect();
        list.sort_by(|a, b| {
            (a.at.is_none(), a.at, &a.pointer, a.code.id, &a.message).cmp(&(
                b.at.is_none(),
                b.at,
                &b.pointer,
                b.code.id,
                &b.message,
            ))
        });
        list.dedup_by(|a, b| a == b);
        list
    }

    /// The findings in the order of their reporting.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }
}

impl Diagnostic {
    /// Adds the way out.
    pub fn help(&mut self, help: impl Into<String>) {
        self.help = Some(help.into());
    }

    /// Says which client it is about.
    pub fn client(&mut self, client: &'static str) -> &mut Self {
        self.client = Some(client);
        self
    }
}
