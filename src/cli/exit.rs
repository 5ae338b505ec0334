//! Exit status.

use std::process::ExitCode;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// All was done.
    Done,
    /// It ran, and found something: errors in the document or the plan, a stale file.
    Found,
    /// It could not run.
    CouldNotRun,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(match status {
            ExitStatus::Done => 0,
            ExitStatus::Found => 1,
            ExitStatus::CouldNotRun => 2,
        })
    }
}
