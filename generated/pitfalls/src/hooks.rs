//! Yours: mcp-gen writes this file once and never touches it again.
//!
//! Change a request before it is sent, or a reply before the model sees it, by giving the methods of
//! [`crate::runtime::Hooks`] a body of your own.

use crate::runtime;

/// The hooks of this server.
pub struct Hooks;

impl runtime::Hooks for Hooks {}
