//! The runtime of generated servers, as a crate of its own so that it is compiled, linted and tested.

#[path = "../../../templates/runtime/mod.rs"]
pub mod runtime;
