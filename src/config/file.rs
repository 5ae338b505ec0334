//! `mcp-gen.yaml` as text.

use super::Config;
use crate::error::Error;

impl Config {
    /// Reads the configuration `text` of the file called `name` in messages.
    ///
    /// # Errors
    /// When it is no YAML, or has a key that is not known.
    pub fn from_yaml(name: &str, text: &str) -> Result<Self, Error> {
        if text.trim().is_empty() || text.lines().all(|l| l.trim_start().starts_with('#')) {
            return Ok(Self::default());
        }
        serde_yaml::from_str(text).map_err(|e| {
            let message = e.to_string();
            Error::File {
                name: match e.location() {
                    Some(l) => format!("{name}:{}:{}", l.line(), l.column()),
                    None => name.to_owned(),
                },
                message: message
                    .split(" at line ")
                    .next()
                    .unwrap_or_default()
                    .replace("struct Config", "a mapping of options")
                    .replace("usize", "a whole number"),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_key_names_the_known_ones_and_its_line() {
        let error = Config::from_yaml("mcp-gen.yaml", "name: a\nmax-primry: 3\n").unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("mcp-gen.yaml:2:1: "), "{text}");
        assert!(text.contains("max-primary"), "{text}");
    }

    #[test]
    fn comments_alone_are_the_default() {
        assert_eq!(Config::from_yaml("c", "# nothing\n").unwrap(), Config::default());
    }
}
