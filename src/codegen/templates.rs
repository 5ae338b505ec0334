//! The askama templates, one struct each: the contract between generator and template. Text of a
//! document reaches them only inside types that print themselves.

use askama::Template;

use super::rust::{OptLit, StrLit};

/// The text of a template.
pub fn render(template: &impl Template) -> String {
    template.render().expect("askama renders into a string")
}

/// `src/main.rs`
#[derive(Template)]
#[template(path = "crate/main.rs.jinja", escape = "none")]
pub struct Main;

/// `tests/surface.rs`
#[derive(Template)]
#[template(path = "crate/surface.rs.jinja", escape = "none")]
pub struct Surface;

/// `src/service.rs`
#[derive(Template)]
#[template(path = "crate/service.rs.jinja", escape = "none")]
pub struct Service<'a> {
    pub uses: Vec<&'static str>,
    pub name: StrLit<'a>,
    pub title: StrLit<'a>,
    pub instructions: StrLit<'a>,
    pub env_prefix: StrLit<'a>,
    pub base_url: OptLit<'a>,
    pub arrays: OptLit<'a>,
    /// Expressions.
    pub schemes: Vec<String>,
    /// Names of modules.
    pub tools: Vec<&'a str>,
    pub catalog: Option<Catalog<'a>>,
}

/// The catalog's tools.
pub struct Catalog<'a> {
    pub find: StrLit<'a>,
    pub read: StrLit<'a>,
    pub write: OptLit<'a>,
    /// Name of the module.
    pub module: &'a str,
}

/// `src/operations/mod.rs`
#[derive(Template)]
#[template(path = "crate/operations.rs.jinja", escape = "none")]
pub struct Operations<'a> {
    /// Names of modules.
    pub modules: Vec<&'a str>,
}

/// `src/operations/<tool>.rs`, and the operations that only the catalog reaches.
#[derive(Template)]
#[template(path = "crate/tool.rs.jinja", escape = "none")]
pub struct Tool<'a> {
    /// Inner documentation.
    pub doc: String,
    pub uses: Vec<&'static str>,
    pub table: Option<ToolTable<'a>>,
    /// Items.
    pub items: Vec<String>,
}

/// The table of one tool.
pub struct ToolTable<'a> {
    pub name: StrLit<'a>,
    pub selector: OptLit<'a>,
    /// Expressions.
    pub actions: Vec<String>,
}

/// `src/operations/catalog.rs`
#[derive(Template)]
#[template(path = "crate/catalog.rs.jinja", escape = "none")]
pub struct CatalogActions<'a> {
    /// Names of modules.
    pub modules: Vec<&'a str>,
    /// Paths of constants.
    pub actions: Vec<String>,
}

/// `README.md`
#[derive(Template)]
#[template(path = "crate/README.md.jinja", escape = "none")]
pub struct Readme {
    /// Markdown.
    pub title: String,
    /// Markdown.
    pub api: String,
    pub tools: Vec<ReadmeTool>,
    /// Name and what it holds, Markdown both.
    pub toolsets: Vec<(String, String)>,
    /// Name and Markdown.
    pub variables: Vec<(String, String)>,
    pub secrets: Vec<String>,
    pub server: String,
    pub binary: String,
}

/// A row of the README.
pub struct ReadmeTool {
    pub name: String,
    /// Markdown.
    pub title: String,
    /// Markdown.
    pub hints: &'static str,
    /// Markdown.
    pub calls: String,
}
