//! URLs (RFC 3986), as far as references need them: taken apart, joined, compared.

use std::fmt;

/// A URL without its fragment. Nothing is decoded; scheme and host are in lower case, and the path
/// has no `.` and `..`, so that equal ones compare equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Url {
    /// `https`; empty for `//host/path`.
    pub scheme: String,
    /// `user@host:port`, where the URL has one.
    pub authority: Option<String>,
    /// The path.
    pub path: String,
    /// What stands after `?`.
    pub query: Option<String>,
}

impl Url {
    /// Reads a URL with a scheme, or one that begins with `//`; `None` for anything else. A single
    /// letter before the colon is a drive, not a scheme.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.split('#').next().unwrap_or_default();
        let (scheme, rest) = match text.split_once(':') {
            Some((scheme, rest)) if is_scheme(scheme) => (scheme.to_ascii_lowercase(), rest),
            _ if text.starts_with("//") => (String::new(), text),
            _ => return None,
        };
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) => (rest, Some(query.to_owned())),
            None => (rest, None),
        };
        let Some(rest) = rest.strip_prefix("//") else {
            return Some(Self { scheme, authority: None, path: rest.to_owned(), query });
        };
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let authority = match authority.rsplit_once('@') {
            Some((user, host)) => format!("{user}@{}", host.to_ascii_lowercase()),
            None => authority.to_ascii_lowercase(),
        };
        let default = if scheme == "https" { ":443" } else { "" };
        let authority = authority.strip_suffix(default).unwrap_or(&authority).to_owned();
        let path = if path.is_empty() { "/".to_owned() } else { without_dots(path) };
        Some(Self { scheme, authority: Some(authority), path, query })
    }

    /// Where `reference`, written in the document at this URL, leads.
    #[must_use]
    pub fn join(&self, reference: &str) -> Self {
        let reference = reference.split('#').next().unwrap_or_default();
        if let Some(mut url) = Self::parse(reference) {
            if url.scheme.is_empty() {
                url.scheme.clone_from(&self.scheme);
            }
            return url;
        }
        let (path, query) = match reference.split_once('?') {
            Some((path, query)) => (path, Some(query.to_owned())),
            None => (reference, None),
        };
        let mut joined = self.clone();
        if path.is_empty() {
            joined.query = query.or(joined.query);
            return joined;
        }
        joined.query = query;
        joined.path = if path.starts_with('/') {
            without_dots(path)
        } else {
            let folder = self.path.rfind('/').map_or("", |end| &self.path[..=end]);
            without_dots(&format!("{folder}{path}"))
        };
        joined
    }

    /// The host, without user and port; an IPv6 address without its brackets.
    pub fn host(&self) -> Option<&str> {
        let authority = self.authority.as_deref()?;
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        if let Some(rest) = host.strip_prefix('[') {
            return rest.split(']').next();
        }
        host.split(':').next()
    }

    /// Whether a user or a password stands before the host.
    pub fn has_user(&self) -> bool {
        self.authority.as_deref().is_some_and(|a| a.contains('@'))
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.scheme.is_empty() {
            write!(f, "{}:", self.scheme)?;
        }
        if let Some(authority) = &self.authority {
            write!(f, "//{authority}")?;
        }
        f.write_str(&self.path)?;
        if let Some(query) = &self.query {
            write!(f, "?{query}")?;
        }
        Ok(())
    }
}

fn is_scheme(text: &str) -> bool {
    text.len() > 1
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

/// The path without `.` and `..`; what would lead above its top stays at the top.
fn without_dots(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut out: Vec<&str> = Vec::new();
    let mut folder = false;
    for step in path.trim_start_matches('/').split('/') {
        folder = matches!(step, "." | "..");
        match step {
            "." => {}
            ".." => {
                out.pop();
            }
            step => out.push(step),
        }
    }
    if folder {
        out.push("");
    }
    format!("{}{}", if rooted { "/" } else { "" }, out.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_join_as_rfc_3986_says() {
        let base = Url::parse("http://a/b/c/d;p?q").expect("a URL");
        for (reference, whole) in [
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g/"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("g#s", "http://a/b/c/g"),
            ("#s", "http://a/b/c/d;p?q"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("g/./h", "http://a/b/c/g/h"),
            ("mailto:x@y", "mailto:x@y"),
            ("urn:a:b#c", "urn:a:b"),
        ] {
            assert_eq!(base.join(reference).to_string(), whole, "{reference}");
        }
    }

    #[test]
    fn equal_urls_are_equal_however_they_are_written() {
        let same = Url::parse("https://example.com/a.yaml");
        assert_eq!(Url::parse("HTTPS://Example.COM:443/x/../a.yaml#/b"), same);
        assert_ne!(Url::parse("https://example.com/A.yaml"), same);
        for text in ["a.yaml", "c:/a.yaml", "/a.yaml", "a/b:c", "", ":", "1a:b"] {
            assert_eq!(Url::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_host_is_what_stands_between_user_and_port() {
        for (text, host, user) in [
            ("https://a.example:8443/x", Some("a.example"), false),
            ("https://user:b@a.example/x", Some("a.example"), true),
            ("https://a.example@b.example/x", Some("b.example"), true),
            ("https://[::1]:80/x", Some("::1"), false),
            ("//a.example", Some("a.example"), false),
            ("urn:a", None, false),
        ] {
            let url = Url::parse(text).expect("a URL");
            assert_eq!((url.host(), url.has_user()), (host, user), "{text}");
        }
    }
}
