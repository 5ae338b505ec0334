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
//!
//! A build script needs none of this, only [`Builder`]. For the rest, from a document to files on disk:
//!
//! ```
//! use mcp_gen::codegen::Options;
//! use mcp_gen::config::Config;
//! use mcp_gen::diagnostic::Diagnostics;
//! use mcp_gen::source::Sources;
//! use mcp_gen::{output, pipeline};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let document = b"
//! openapi: 3.1.0
//! info: {title: Pets, version: '1'}
//! servers: [{url: 'https://pets.example.com'}]
//! paths:
//!   /pets:
//!     get: {operationId: listPets, responses: {'200': {description: Pets.}}}
//! ";
//! let (mut findings, mut sources) = (Diagnostics::default(), Sources::default());
//! let source = pipeline::source("pets.yaml", document)?;
//! let api = pipeline::read(&mut findings, &mut sources, source)?;
//!
//! // Without a plan that is known, all is new; `Config::from_yaml` reads an `mcp-gen.yaml`.
//! let plan = pipeline::plan(&mut findings, &api, &Config::default(), None)?;
//! assert_eq!(plan.tools[0].name, "list_pets");
//! assert!(pipeline::diff(Some(&plan), &plan).is_empty());
//!
//! // Path to text; nothing is written yet.
//! let files = pipeline::generate(&mut findings, &plan, &api, &Options::default());
//! let files = files.ok_or("the findings say why there are none")?;
//! assert!(files.generated["src/main.rs"].contains("fn main()"));
//! assert!(files.kept.contains_key("src/hooks.rs"));
//!
//! // A finding knows its place in the document.
//! for finding in findings.sorted() {
//!     let place = finding.at.and_then(|at| sources.locate(at));
//!     println!("{} {place:?}: {}", finding.code.id, finding.message);
//! }
//!
//! let folder = tempfile::tempdir()?;
//! let written = output::write(folder.path(), &files, false)?;
//! assert_eq!(written.changed, written.files);
//! // What is there already stays as it is.
//! assert_eq!(output::write(folder.path(), &files, false)?.changed, 0);
//! # Ok(())
//! # }
//! ```

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
