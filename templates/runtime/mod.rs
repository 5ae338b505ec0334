//! The runtime of a generated server: plain Rust, the same in every server.
//!
//! Calls are data. [`table`] holds what a server is made of as constants; everything else here
//! interprets them.

pub mod table;
