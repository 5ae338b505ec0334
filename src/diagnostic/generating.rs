//! Findings of binding and code generation.

use super::Code;

/// The rows of this stage.
pub static CODES: &[&Code] = &[];
