//! Compares a request with what a case says.

use serde_json::Value;

use crate::recorder::Request;
use crate::table::Case;

/// What a body has to be.
#[derive(Clone, Debug)]
pub enum Body {
    /// There is none.
    None,
    /// Compact JSON of this value, members in any order.
    Json(Value),
    /// These pairs as they stand, in any order.
    Form(&'static [&'static str]),
    /// These bytes.
    Exact(&'static str),
    /// These parts in any order: name, file name, content type, content.
    Multipart(&'static [Part]),
}

/// A part of a multipart body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// `name`
    pub name: &'static str,
    /// Whether it has a file name.
    pub file: bool,
    /// `Content-Type`, without parameters.
    pub media_type: &'static str,
    /// The content.
    pub content: &'static str,
}

/// Says what is wrong with a request, the first thing only.
///
/// `base` is the path of the base URL.
pub fn compare(base: &str, case: &Case, request: &Request) -> Result<(), String> {
    let (method, path) = case.line.split_once(' ').expect("a line is a method and a target");
    equal("line", &format!("{method} {base}{path}"), &request.line())?;
    for (name, expected) in case.headers {
        equal(name, &expected.map(ToOwned::to_owned), &request.header(name))?;
    }
    let media_type = request.header("content-type").unwrap_or_default();
    let found = request.text();
    match &case.body {
        Body::None => equal("body", &"", &found.as_str()),
        Body::Exact(expected) => equal("body", expected, &found.as_str()),
        Body::Json(expected) => {
            let value: Value = serde_json::from_str(&found)
                .map_err(|error| format!("the body is no JSON ({error}): {found}"))?;
            equal("body", expected, &value)?;
            // Members keep their order here, so this holds only for compact text.
            equal("body's bytes", &value.to_string(), &found)
        }
        Body::Form(expected) => {
            equal("content type", &"application/x-www-form-urlencoded", &media_type.as_str())?;
            let mut pairs: Vec<&str> = found.split('&').collect();
            pairs.sort_unstable();
            let mut expected = expected.to_vec();
            expected.sort_unstable();
            equal("body", &expected, &pairs)
        }
        Body::Multipart(expected) => {
            let mut parts = parts(&media_type, &found)?;
            parts.sort();
            let mut expected: Vec<_> = expected.iter().map(own).collect();
            expected.sort();
            equal("body", &expected, &parts)
        }
    }
}

type OwnPart = (String, bool, String, String);

fn own(part: &Part) -> OwnPart {
    (part.name.to_owned(), part.file, part.media_type.to_owned(), part.content.to_owned())
}

/// Takes a multipart body apart.
fn parts(media_type: &str, body: &str) -> Result<Vec<OwnPart>, String> {
    let boundary = media_type
        .strip_prefix("multipart/form-data; boundary=")
        .ok_or_else(|| format!("the content type is {media_type:?}"))?
        .trim_matches('"');
    let inner = body
        .strip_prefix(&format!("--{boundary}\r\n"))
        .and_then(|rest| rest.trim_end().strip_suffix(&format!("\r\n--{boundary}--")))
        .ok_or_else(|| format!("the body does not keep to its boundary: {body:?}"))?;
    let mut parts = Vec::new();
    for part in inner.split(&format!("\r\n--{boundary}\r\n")) {
        let (head, content) = part
            .split_once("\r\n\r\n")
            .ok_or_else(|| format!("a part without a head: {part:?}"))?;
        let line = |wanted: &str| {
            let mut lines = head.split("\r\n").filter_map(|line| line.split_once(':'));
            let found = lines.find(|(name, _)| name.eq_ignore_ascii_case(wanted));
            found.map_or("", |(_, value)| value.trim())
        };
        let disposition = line("content-disposition");
        let name = disposition
            .strip_prefix("form-data; name=\"")
            .and_then(|rest| rest.split('"').next())
            .ok_or_else(|| format!("a part without a name: {head:?}"))?;
        let file = disposition.contains("; filename");
        let media_type = line("content-type").split(';').next().unwrap_or("").trim();
        parts.push((name.to_owned(), file, media_type.to_owned(), content.to_owned()));
    }
    Ok(parts)
}

fn equal<T: PartialEq + std::fmt::Debug>(
    what: &str,
    expected: &T,
    found: &T,
) -> Result<(), String> {
    if expected == found {
        return Ok(());
    }
    Err(format!("{what}\n    expected {expected:?}\n    found    {found:?}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(body: Body, media_type: &str, text: &str, right: bool) {
        let case = Case::new("a case", "POST /x", json!({}), "POST /x?a=b")
            .headers(&[("X-There", Some("yes")), ("X-Gone", None)])
            .body(body);
        let headers = [format!("content-type: {media_type}"), "x-there: yes".to_owned()];
        let request = Request {
            method: "POST".to_owned(),
            target: "/base/x?a=b".to_owned(),
            headers: headers.iter().map(|h| h.clone().into_bytes()).collect(),
            body: text.as_bytes().to_vec(),
            chunked: false,
        };
        let result = compare("/base", &case, &request);
        assert_eq!(result.is_ok(), right, "{result:?}");
    }

    #[test]
    fn json_is_compared_by_value_and_has_to_be_compact() {
        let body = || Body::Json(json!({"a": 1, "b": [9_007_199_254_740_993_i64]}));
        check(body(), "application/json", r#"{"b":[9007199254740993],"a":1}"#, true);
        check(body(), "application/json", r#"{"b":[9007199254740992],"a":1}"#, false);
        check(body(), "application/json", r#"{"b":[9007199254740993], "a":1}"#, false);
    }

    #[test]
    fn forms_are_compared_as_pairs_in_any_order() {
        let body = || Body::Form(&["a=1", "a=2", "b=%20"]);
        check(body(), "application/x-www-form-urlencoded", "b=%20&a=1&a=2", true);
        check(body(), "application/x-www-form-urlencoded", "b=+&a=1&a=2", false);
        check(body(), "text/plain", "b=%20&a=1&a=2", false);
    }

    #[test]
    fn parts_are_compared_with_their_names_types_and_content() {
        const PART: Part =
            Part { name: "f", file: true, media_type: "text/plain", content: "a\r\nb" };
        let body = || Body::Multipart(&[PART]);
        let text = |name: &str| {
            format!(
                "--x\r\nContent-Disposition: form-data; name=\"f\"{name}\r\n\
                Content-Type: text/plain; charset=utf-8\r\n\r\na\r\nb\r\n--x--\r\n"
            )
        };
        let media_type = "multipart/form-data; boundary=x";
        check(body(), media_type, &text("; filename=\"a.txt\""), true);
        check(body(), media_type, &text(""), false);
        check(body(), media_type, "--x\r\n\r\n--x--", false);
    }

    #[test]
    fn a_body_that_should_not_be_there_is_seen() {
        check(Body::None, "text/plain", "", true);
        check(Body::None, "text/plain", "x", false);
    }
}
