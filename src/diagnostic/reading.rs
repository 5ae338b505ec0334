//! Findings of the reader.

use super::Code;

/// The rows of this stage.
pub static CODES: &[&Code] = &[];
