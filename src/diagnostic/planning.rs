//! Findings of the planner.

use super::Code;

/// The rows of this stage.
pub static CODES: &[&Code] = &[];
