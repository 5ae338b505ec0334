//! Support for tests that drive generated servers.
//!
//! - [`recorder`] is the API that a server calls: it keeps each request byte for byte.
//! - [`client`] is the program that calls a server: a real MCP client over stdio, in both eras.
//! - [`raw`] speaks to a server line by line, for what a client would hide.
//! - [`locate`] builds a server and finds its program.
//! - [`wire`] finds the tool, action and arguments that put given values at given places.
//! - [`judge`] calls every action of a server and has Prism judge each request.
//! - [`table`] joins these: tables of calls, each with the request that it has to make.
//!
//! Everything panics when something goes wrong: that is how a test fails.

pub mod client;
pub mod compare;
pub mod judge;
pub mod locate;
pub mod raw;
pub mod recorder;
pub mod table;
pub mod wire;
