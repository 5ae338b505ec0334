//! The generated `Cargo.toml`, written by a TOML serialiser. It belongs to both: the generated code
//! needs some of it, and the person may add what they like; see [`join`].

mod join;

use toml_edit::{DocumentMut, value};

use super::Options;
pub use join::{Joined, join};

/// Its place in a crate.
pub const PATH: &str = "Cargo.toml";

/// What it is but for the name and the version.
const TEMPLATE: &str = include_str!("../../templates/crate/manifest.toml");

/// Names that cargo, Rust or Windows keep, or that would hide a dependency.
const RESERVED: &[&str] = &[
    "test",
    "core",
    "std",
    "alloc",
    "proc-macro",
    "con",
    "prn",
    "aux",
    "nul",
    "build",
    "deps",
    "examples",
    "incremental",
    "axum",
    "base64",
    "reqwest",
    "rmcp",
    "rustls",
    "tokio",
    "url",
];

/// The name of the crate and of its binary, from the name of the server.
pub fn package_name(server: &str) -> String {
    let mut name: String = server
        .chars()
        .map(|c| if c.is_ascii_lowercase() || c.is_ascii_digit() { c } else { '-' })
        .collect();
    name = name.trim_matches('-').chars().take(60).collect();
    let letter = name.starts_with(|c: char| c.is_ascii_lowercase());
    let ident = syn::parse_str::<syn::Ident>(&name.replace('-', "_")).is_ok();
    if !letter || !ident || RESERVED.contains(&name.as_str()) {
        name = format!("{}-server", if letter { name.as_str() } else { "mcp" });
    }
    name
}

/// The text of the manifest for the package called `name`.
pub fn manifest(name: &str, options: Options) -> String {
    let mut document: DocumentMut = TEMPLATE.parse().expect("the template is TOML");
    document["package"]["name"] = value(name);
    document["package"]["version"] = value(super::VERSION);
    document["bin"][0]["name"] = value(name);
    if !options.standalone {
        // In a member of a workspace cargo would warn that it ignores them.
        document.remove("profile");
        document.remove("workspace");
    }
    document.to_string()
}

/// Whether a manifest is that of a member of a workspace: one of a crate that stands alone says that it
/// is a workspace of its own. What is no TOML is nothing.
pub fn is_member(text: &str) -> bool {
    text.parse::<DocumentMut>().is_ok_and(|document| !document.contains_key("workspace"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_name_is_one_that_cargo_takes() {
        for (server, expected) in [
            ("museum", "museum"),
            ("test", "test-server"),
            ("fn", "fn-server"),
            ("9lives", "mcp-server"),
            ("", "mcp-server"),
            ("a\"\nbuild = \"evil.rs", "a--build----evil-rs"),
        ] {
            assert_eq!(package_name(server), expected);
        }
    }

    /// G2, G7, G8, G10.
    #[test]
    fn the_manifest_has_the_fixed_keys_and_no_build_script() {
        let text = manifest("a", Options { standalone: true });
        let value: DocumentMut = text.parse().unwrap();
        let keys: Vec<_> = value.iter().map(|(key, _)| key).collect();
        assert_eq!(keys.len(), 6, "{keys:?}");
        assert_eq!(value["package"]["build"].as_bool(), Some(false));
        assert_eq!(value["bin"][0]["doctest"].as_bool(), Some(false));
        assert_eq!(value["dependencies"]["rmcp"]["version"].as_str(), Some("3.11"));
        assert_eq!(value["lints"]["rust"]["unsafe_code"].as_str(), Some("forbid"));
        let member = manifest("a", Options { standalone: false });
        assert!(!member.contains("[profile") && !member.contains("[workspace"), "{member}");
        assert!(is_member(&member) && !is_member(&text) && !is_member("[package"));
    }
}
