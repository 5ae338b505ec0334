//! Where in a request the value of an argument goes.

use std::fmt;
use std::str::FromStr;

/// A place in a request: `path:id`, `query:limit`, `header:X-Trace`, `cookie:sid`, `querystring:q`,
/// `body` (all of it) or `body:/address/street` (a JSON Pointer into it).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// The path parameter of this name.
    Path(String),
    /// The query parameter of this name.
    Query(String),
    /// The header of this name.
    Header(String),
    /// The cookie of this name.
    Cookie(String),
    /// The whole query string.
    QueryString(String),
    /// The member of the body at these steps; no step means the whole body.
    Body(Vec<String>),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(name) => write!(f, "path:{name}"),
            Self::Query(name) => write!(f, "query:{name}"),
            Self::Header(name) => write!(f, "header:{name}"),
            Self::Cookie(name) => write!(f, "cookie:{name}"),
            Self::QueryString(name) => write!(f, "querystring:{name}"),
            Self::Body(steps) if steps.is_empty() => f.write_str("body"),
            Self::Body(steps) => {
                f.write_str("body:")?;
                steps
                    .iter()
                    .try_for_each(|s| write!(f, "/{}", s.replace('~', "~0").replace('/', "~1")))
            }
        }
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "body" {
            return Ok(Self::Body(Vec::new()));
        }
        let (kind, name) =
            text.split_once(':').ok_or_else(|| format!("`{text}` is no place in a request"))?;
        let owned = name.to_owned();
        match kind {
            "path" => Ok(Self::Path(owned)),
            "query" => Ok(Self::Query(owned)),
            "header" => Ok(Self::Header(owned)),
            "cookie" => Ok(Self::Cookie(owned)),
            "querystring" => Ok(Self::QueryString(owned)),
            "body" if name.starts_with('/') => Ok(Self::Body(
                name.split('/').skip(1).map(|s| s.replace("~1", "/").replace("~0", "~")).collect(),
            )),
            _ => Err(format!("`{text}` is no place in a request")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_place_comes_back() {
        for text in ["path:id", "query:a:b", "header:X-A", "cookie:c", "body", "body:/a~1b/c~0"] {
            assert_eq!(text.parse::<Place>().unwrap().to_string(), text);
        }
        assert!("nowhere".parse::<Place>().is_err());
    }
}
