//! Which operations a pattern means.

/// A pattern of `include` or `exclude`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// `tag:NAME`
    Tag(String),
    /// `id:OPERATION_ID`
    Id(String),
    /// `tool:NAME`, where tools are meant.
    Tool(String),
    /// `METHOD /path`, or a path alone for every method.
    Key(String),
}

impl Pattern {
    /// Reads a pattern.
    pub fn new(text: &str) -> Self {
        let text = text.trim();
        if let Some(tag) = text.strip_prefix("tag:") {
            return Self::Tag(tag.trim().to_owned());
        }
        if let Some(id) = text.strip_prefix("id:") {
            return Self::Id(id.trim().to_owned());
        }
        if let Some(tool) = text.strip_prefix("tool:") {
            return Self::Tool(tool.trim().to_owned());
        }
        if text.starts_with('/') {
            return Self::Key(format!("* {text}"));
        }
        // The method in any case, the path as written.
        Self::Key(match text.split_once(char::is_whitespace) {
            Some((method, path)) => format!("{} {}", method.to_ascii_uppercase(), path.trim()),
            None => text.to_owned(),
        })
    }

    /// Whether it means the operation with this key (`METHOD /path`), `operationId` and these tags.
    pub fn matches(&self, key: &str, id: Option<&str>, tags: &[String]) -> bool {
        match self {
            Self::Tag(pattern) => tags.iter().any(|tag| glob(pattern, tag)),
            Self::Id(pattern) => id.is_some_and(|id| glob(pattern, id)),
            Self::Key(pattern) => glob(pattern, key),
            Self::Tool(_) => false,
        }
    }

    /// Whether it means the tool `name` itself.
    pub fn matches_tool(&self, name: &str) -> bool {
        match self {
            Self::Tool(pattern) => glob(pattern, name),
            Self::Tag(_) | Self::Id(_) | Self::Key(_) => false,
        }
    }
}

/// Whether `text` fits `pattern`, in which `*` is any run of characters.
fn glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(found) = rest.find(part) else { return false };
        rest = &rest[found + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str) -> bool {
        Pattern::new(pattern).matches("GET /pets/{petId}", Some("getPet"), &["pet store".into()])
    }

    #[test]
    fn a_pattern_means_a_key_an_id_or_a_tag() {
        for pattern in [
            "GET /pets/{petId}",
            "get /pets/*",
            "* /pets/*",
            "/pets/{petId}",
            "/*",
            "*",
            "id:getPet",
            "id:get*",
            "tag:pet store",
            "tag:*store",
        ] {
            assert!(check(pattern), "{pattern}");
        }
        for pattern in ["GET /pets", "POST /pets/*", "/pets", "id:get", "tag:pet", "*x*", ""] {
            assert!(!check(pattern), "{pattern}");
        }
    }

    #[test]
    fn stars_that_overlap_the_text_do_not_match_twice() {
        assert!(!glob("ab*ba", "aba"));
        assert!(glob("ab*ba", "abba"));
    }
}
