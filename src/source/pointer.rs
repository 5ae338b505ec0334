//! JSON Pointer (RFC 6901).

use std::fmt;

/// A JSON Pointer: `/paths/~1pets/get`. The empty pointer is the whole document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pointer(String);

impl Pointer {
    /// The pointer to member `key` (or array index) of what this one points at.
    #[must_use]
    pub fn child(&self, key: &str) -> Self {
        let mut text = String::with_capacity(self.0.len() + key.len() + 1);
        text.push_str(&self.0);
        text.push('/');
        for c in key.chars() {
            match c {
                '~' => text.push_str("~0"),
                '/' => text.push_str("~1"),
                c => text.push(c),
            }
        }
        Self(text)
    }

    /// The pointer to element `index`.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        Self(format!("{}/{index}", self.0))
    }

    /// Reads a pointer in RFC 6901 form; `None` when it is neither empty nor starts with `/`.
    pub fn parse(text: &str) -> Option<Self> {
        (text.is_empty() || text.starts_with('/')).then(|| Self(text.to_owned()))
    }

    /// The unescaped steps.
    pub fn steps(&self) -> impl Iterator<Item = String> + '_ {
        self.0.split('/').skip(1).map(|s| s.replace("~1", "/").replace("~0", "~"))
    }

    /// RFC 6901 text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "/" } else { &self.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slash_and_a_tilde_are_escaped_and_come_back() {
        let pointer = Pointer::default().child("paths").child("/a~b");
        assert_eq!(pointer.as_str(), "/paths/~1a~0b");
        assert_eq!(pointer.steps().collect::<Vec<_>>(), ["paths", "/a~b"]);
    }
}
