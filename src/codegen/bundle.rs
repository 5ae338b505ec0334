//! The source files of a crate as one module, for `include!` from a build script.

use std::collections::BTreeMap;

use super::CrateFiles;
use crate::plan::SCHEMA_NAME;

/// A server as a module and the data that it includes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    /// Rust items; no inner attributes, so that `include!` takes them.
    pub module: String,
    /// Names of files that must stand in a folder beside the module's file, and their text.
    pub data: BTreeMap<String, String>,
}

/// What every module of the bundle is spared: lints are for code that somebody can change.
const QUIET: &str = "#[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery)]\n";

/// Makes one module of `files`. `folder` is the name of the folder with its data, relative to the
/// module's file; `hooks` is the path of a value of a type with the hooks.
pub fn bundle(files: &CrateFiles, folder: &str, hooks: Option<&str>) -> Bundle {
    let mut out = Bundle::default();
    // The schema is for an editor that has the plan open.
    for (path, text) in &files.generated {
        if let Some(name) = path.strip_suffix(".json")
            && !name.contains('/')
            && path != SCHEMA_NAME
        {
            out.data.insert(path.clone(), text.clone());
        }
    }
    let source = |path: &str| files.generated.get(path).map_or("", String::as_str);
    let header = source("src/main.rs").lines().next().unwrap_or_default();
    let mut module = format!("{header}\n\n");
    for part in ["runtime", "operations"] {
        let index = source(&format!("src/{part}/mod.rs"));
        let visible = if part == "runtime" { "pub " } else { "" };
        module.push_str(&format!("{QUIET}{visible}mod {part} {{\n"));
        for line in index.lines() {
            match line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';')) {
                Some(name) => {
                    let inner = source(&format!("src/{part}/{name}.rs"));
                    module.push_str(&format!("pub mod {name} {{\n{}}}\n", below(inner, 2)));
                }
                None => module.push_str(&format!("{line}\n")),
            }
        }
        module.push_str("}\n\n");
    }
    let mut service = below(source("src/service.rs"), 1);
    for name in out.data.keys() {
        service = service.replace(
            &format!("include_str!(\"../{name}\")"),
            &format!("include_str!({:?})", format!("{folder}/{name}")),
        );
    }
    module.push_str(&format!("{QUIET}mod service {{\n{service}}}\n\n"));
    module.push_str(&front(hooks));
    out.module = module;
    out
}

/// `source` in a module that stands `depth` levels below the bundle. Literals of a document are on
/// lines that begin otherwise, so none of them is touched.
fn below(source: &str, depth: usize) -> String {
    let up = "super::".repeat(depth);
    let mut out = String::with_capacity(source.len());
    for line in source.lines() {
        match line.strip_prefix("use crate::") {
            Some(rest) => out.push_str(&format!("use {up}{rest}\n")),
            None => out.push_str(&format!("{line}\n")),
        }
    }
    out
}

/// What the crate around the module calls.
fn front(hooks: Option<&str>) -> String {
    let (hooks, own) = match hooks {
        Some(path) => (path, ""),
        None => (
            "NoHooks",
            "/// Hooks that change nothing.\n\
             struct NoHooks;\n\n\
             impl Hooks for NoHooks {}\n\n",
        ),
    };
    format!(
        "#[allow(unused_imports)]\n\
         pub use runtime::{{\n\
         \x20   Call, Credential, CustomTool, Hooks, Outcome, Reply, Request, Server, Settings, Tools, Wanted,\n\
         }};\n\n\
         {own}\
         /// The server, with settings from the environment.\n\
         ///\n\
         /// # Errors\n\
         /// A sentence that says which setting is wrong.\n\
         #[allow(dead_code)]\n\
         pub fn server() -> Result<Server, String> {{\n\
         \x20   server_with(&|name| std::env::var(name).ok())\n\
         }}\n\n\
         /// The server, with settings from anywhere: `lookup` gives the value of a variable.\n\
         ///\n\
         /// # Errors\n\
         /// A sentence that says which setting is wrong.\n\
         #[allow(dead_code)]\n\
         pub fn server_with(lookup: &dyn Fn(&str) -> Option<String>) -> Result<Server, String> {{\n\
         \x20   server_with_hooks(lookup, {hooks})\n\
         }}\n\n\
         /// The server, with settings from anywhere and hooks that are made at run time.\n\
         ///\n\
         /// # Errors\n\
         /// A sentence that says which setting or tool is wrong.\n\
         #[allow(dead_code)]\n\
         pub fn server_with_hooks(\n\
         \x20   lookup: &dyn Fn(&str) -> Option<String>,\n\
         \x20   hooks: impl Hooks,\n\
         ) -> Result<Server, String> {{\n\
         \x20   let settings = Settings::read(&service::SERVICE, lookup)?;\n\
         \x20   let server = Server::new(&service::SERVICE, settings, hooks)?;\n\
         \x20   runtime::report::ready(&server)?;\n\
         \x20   Ok(server)\n\
         }}\n\n\
         /// Serves one client over standard input and output, until it is gone.\n\
         ///\n\
         /// # Errors\n\
         /// A sentence that says which setting is wrong, or what the client did.\n\
         #[allow(dead_code)]\n\
         pub async fn serve_stdio() -> Result<(), String> {{\n\
         \x20   let (input, output) = rmcp::transport::stdio();\n\
         \x20   runtime::serve_stdio(server()?, input, output).await\n\
         }}\n\n\
         /// A server over Streamable HTTP at `/mcp`, to be merged into a router.\n\
         #[allow(dead_code)]\n\
         pub fn router(server: Server) -> axum::Router {{\n\
         \x20   runtime::listen::router(server, tokio_util::sync::CancellationToken::new())\n\
         }}\n\n\
         /// A whole program: arguments, settings, transport.\n\
         #[allow(dead_code)]\n\
         pub fn main() -> std::process::ExitCode {{\n\
         \x20   runtime::main(&service::SERVICE, || Ok({hooks}))\n\
         }}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_become_modules_of_one_file() {
        let mut files = CrateFiles::default();
        for (path, text) in [
            ("tools.json", "[]\n"),
            ("src/main.rs", "// by mcp-gen; do not edit.\n\nfn main() {}\n"),
            ("src/runtime/mod.rs", "//! The runtime.\n\npub mod text;\n\npub use text::cut;\n"),
            ("src/runtime/text.rs", "use super::text;\n\npub fn cut() {}\n"),
            ("src/operations/mod.rs", "pub mod things;\n"),
            (
                "src/operations/things.rs",
                "use @::runtime::table::Tool;\n\nconst S: &str = \"\\nuse @::x;\";\n",
            ),
            (
                "src/service.rs",
                "use @::operations;\n\nstatic T: &str = include_str!(\"../tools.json\");\n",
            ),
        ] {
            files.generated.insert(path.to_owned(), text.replace('@', "crate"));
        }
        let made = bundle(&files, "shop", Some("my::Mine"));
        assert_eq!(made.data, BTreeMap::from([("tools.json".to_owned(), "[]\n".to_owned())]));
        let root = "crate";
        let expected = format!(
            "// by mcp-gen; do not edit.\n\n\
             {QUIET}pub mod runtime {{\n//! The runtime.\n\n\
             pub mod text {{\nuse super::text;\n\npub fn cut() {{}}\n}}\n\npub use text::cut;\n}}\n\n\
             {QUIET}mod operations {{\n\
             pub mod things {{\nuse super::super::runtime::table::Tool;\n\n\
             const S: &str = \"\\nuse {root}::x;\";\n}}\n}}\n\n\
             {QUIET}mod service {{\nuse super::operations;\n\n\
             static T: &str = include_str!(\"shop/tools.json\");\n}}\n\n"
        );
        assert!(made.module.starts_with(&expected), "{}", made.module);
        assert!(made.module.contains("lookup, my::Mine)"), "{}", made.module);
        assert!(!made.module.contains("NoHooks"));
        syn::parse_file(&made.module).expect("Rust");
    }
}
