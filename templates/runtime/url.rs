//! The URL of a request. The base is parsed once; values can never leave their segment.

use super::encode;
use super::exact;
use super::style::{self, Rule};
use super::table::{Operation, Piece};
use reqwest::Url;
use serde_json::Value;

/// Where the API lives.
#[derive(Clone, Debug)]
pub struct Base {
    url: Url,
    /// The path without its last slash.
    prefix: String,
}

impl Base {
    /// Reads a base URL: http or https, no user, no query, no fragment.
    ///
    /// # Errors
    /// A sentence that says what is wrong; it does not show the URL, which may hold a password.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let url =
            Url::parse(text).map_err(|error| format!("the base URL cannot be read: {error}"))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
            return Err(
                "the base URL must start with http:// or https:// and name a host".to_owned()
            );
        }
        if !url.username().is_empty() || url.password().is_some() || text.contains('@') {
            return Err("the base URL must not hold a user name or a password".to_owned());
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err("the base URL must not have a query or a fragment".to_owned());
        }
        let prefix = url.path().trim_end_matches('/').to_owned();
        Ok(Self { url, prefix })
    }

    /// The same host with another path.
    #[must_use]
    pub fn with_path(&self, path: &str) -> Self {
        let mut url = self.url.clone();
        url.set_path(path);
        let prefix = url.path().trim_end_matches('/').to_owned();
        Self { url, prefix }
    }

    /// Whether a URL has the same scheme, host and port.
    pub fn is_origin_of(&self, url: &Url) -> bool {
        self.url.origin() == url.origin()
    }

    /// A reference as a URL: what is relative is below the base.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn join(&self, reference: &str) -> Result<Url, String> {
        let mut base = self.url.clone();
        base.set_path(&format!("{}/", self.prefix));
        base.join(reference).map_err(|error| error.to_string())
    }

    /// The path without its last slash.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// The host: no brackets, no last dot.
    pub fn host(&self) -> String {
        super::reach::host_of(&self.url)
    }

    /// Scheme, host and port in words.
    pub fn shown(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    /// Whether the host is this machine.
    pub fn is_loopback(&self) -> bool {
        is_loopback(&self.url)
    }
}

/// Whether a URL points to this machine.
pub fn is_loopback(url: &Url) -> bool {
    let host =
        url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches([']', '.']);
    host == "localhost"
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// One segment of the path as it is written.
#[derive(Default)]
struct Segment {
    text: String,
    /// Whether a value went into it.
    filled: bool,
}

/// Writes the URL of a call, without the query.
///
/// # Errors
/// A sentence that names the argument which has no place in a path.
pub fn build(
    base: &Base,
    operation: &Operation,
    values: &[Option<Value>],
    argument: impl Fn(usize) -> String,
) -> Result<Url, String> {
    let mut segments = vec![Segment::default()];
    let mut last = None;
    for piece in operation.path {
        match *piece {
            Piece::Text(text) => {
                for (at, part) in text.split('/').enumerate() {
                    if at > 0 {
                        segments.push(Segment::default());
                    }
                    if let Some(segment) = segments.last_mut() {
                        segment.text.push_str(part);
                    }
                }
            }
            Piece::Parameter(index) => {
                last = Some(index);
                let written = segment_text(operation, values, index).ok_or_else(|| {
                    format!("`{}`: must not be empty; it is a part of the path", argument(index))
                })?;
                if let Some(segment) = segments.last_mut() {
                    segment.text.push_str(&written);
                    segment.filled = true;
                }
            }
        }
    }
    let named = || last.map_or_else(|| "the path".to_owned(), &argument);
    for segment in segments.iter().filter(|segment| segment.filled) {
        if is_dangerous(&segment.text) {
            return Err(format!(
                "`{}`: must not be empty, a dot segment (`.` or `..`) or hold control characters",
                operation
                    .path
                    .iter()
                    .filter_map(|piece| match piece {
                        Piece::Parameter(index) => Some(argument(*index)),
                        Piece::Text(_) => None,
                    })
                    .collect::<Vec<_>>()
                    .join("`, `")
            ));
        }
    }
    let path = segments.iter().map(|segment| segment.text.as_str()).collect::<Vec<_>>().join("/");
    let path = if path.starts_with('/') { path } else { format!("/{path}") };
    let written = format!("{}{}{path}", base.url.origin().ascii_serialization(), base.prefix);
    let url =
        Url::parse(&written).map_err(|error| format!("the URL cannot be written: {error}"))?;

    let count = |path: &str| path.matches('/').count();
    let whole = base.is_origin_of(&url)
        && url.query().is_none()
        && url.fragment().is_none()
        && url.path().starts_with(&base.prefix)
        && count(url.path()) == count(&base.prefix) + count(&path);
    if whole {
        Ok(url)
    } else {
        Err(format!("`{}`: would change the path of the request", named()))
    }
}

fn segment_text(operation: &Operation, values: &[Option<Value>], index: usize) -> Option<String> {
    let parameter = operation.parameters.get(index)?;
    let value = values.get(index)?.as_ref()?;
    if value == "" {
        return None;
    }
    if parameter.media_type.is_some() {
        return Some(encode::strict(&exact::json(value)));
    }
    let rule = Rule {
        name: parameter.name,
        style: parameter.style,
        explode: parameter.explode,
        encode: encode::strict,
        arrays: style::Arrays::default(),
    };
    style::path(rule, value)
}

/// Whether a written segment could be read as anything but one plain segment, by any of the
/// parties that may decode it again.
fn is_dangerous(segment: &str) -> bool {
    let mut text = segment.to_owned();
    // One round undoes our own encoding; three more are those of careless servers.
    for _ in 0..5 {
        let dots = text.split(['/', '\\']).any(|part| {
            let part = part.split(';').next().unwrap_or_default();
            part == "." || part == ".."
        });
        if text.is_empty() || dots || text.chars().any(char::is_control) {
            return true;
        }
        match encode::decode(&text) {
            Some(decoded) if decoded != text => text = decoded,
            Some(_) => return false,
            None => return true,
        }
    }
    false
}
