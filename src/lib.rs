//! mcp-gen turns an OpenAPI document into a Model Context Protocol server.
//!
//! A document goes through four stages, each a function over plain data:
//!
//! 1. [`openapi`] reads any OpenAPI document into an [`ir::Api`] in which every reference is settled;
//! 2. [`planner`] groups its operations into few, intent-level tools: a [`plan::Plan`];
//! 3. [`bind`] joins the plan with the API again;
//! 4. [`codegen`] writes a Rust crate that serves the tools.
//!
//! [`pipeline`] joins the stages. Findings about the content of a document are collected in
//! [`diagnostic::Diagnostics`]; only what stops a run is an [`error::Error`].

pub mod bind;
mod builder;
pub mod codegen;
pub mod config;
pub mod diagnostic;
pub mod diff;
pub mod error;
pub mod ir;
pub mod openapi;
pub mod output;
pub mod pipeline;
pub mod plan;
pub mod planner;
#[cfg(feature = "remote-refs")]
pub mod remote;
pub mod report;
pub mod source;
pub mod surface;

#[cfg(feature = "cli")]
pub mod cli;

pub use builder::{Builder, Generated};
