//! Operations and actions as Rust expressions: const tables.

use std::fmt::Write as _;

use super::rust::{DocCode, OptLit, StrLit};
use crate::bind::{BoundAction, Target};
use crate::ir::{
    Api, Content, Location, MediaForm, Operation, Parameter, Style, first_base_url, split_path,
};

/// How the body of a media type is written: a variant of the runtime's `BodyKind`.
pub fn body_kind(media_type: &str) -> &'static str {
    match MediaForm::of(media_type) {
        MediaForm::Json | MediaForm::JsonLike | MediaForm::Anything => "Json",
        MediaForm::JsonLines => "Lines",
        MediaForm::UrlEncoded => "Form",
        MediaForm::Multipart => "Multipart",
        MediaForm::Text | MediaForm::Xml => "Text",
        MediaForm::Bytes => "Binary",
    }
}

/// The `Content-Type` to send for a key of `content`: ranges and nonsense become what we write.
fn content_type(media_type: &str) -> String {
    let fine = media_type.chars().all(|c| (' '..='~').contains(&c))
        && media_type.split(';').next().is_some_and(|essence| {
            let mut parts = essence.trim().split('/');
            let token = |t: Option<&str>| {
                t.is_some_and(|t| {
                    !t.is_empty()
                        && t.chars().all(|c| c.is_ascii_alphanumeric() || "!#$&^_.+-".contains(c))
                })
            };
            token(parts.next()) && token(parts.next()) && parts.next().is_none()
        });
    if fine {
        return media_type.trim().to_owned();
    }
    match body_kind(media_type) {
        "Json" => "application/json",
        "Lines" => "application/x-ndjson",
        "Form" => "application/x-www-form-urlencoded",
        "Multipart" => "multipart/form-data",
        "Text" => "text/plain",
        _ => "application/octet-stream",
    }
    .to_owned()
}

/// The table of one operation, as an item: `pub static NAME: Operation = …;`.
///
/// `content` is the index of the media type that is sent; `schemes` are the names of the schemes
/// that the server knows, in order.
pub fn table(
    name: &str,
    api: &Api,
    operation: &Operation,
    content: Option<usize>,
    reads: bool,
    schemes: &[&str],
) -> String {
    let mut out = String::new();
    let key = operation.key.to_string();
    let _ = write!(
        out,
        "{}\npub static {name}: Operation = Operation {{ key: {}, method: {}, reads: {reads}, path: &[{}], parameters: &[{}], body: {}, security: &[{}], base_url: {} }};\n",
        DocCode(&key),
        StrLit(&key),
        StrLit(operation.key.method.as_str()),
        pieces(operation).concat(),
        operation.parameters.iter().map(parameter).collect::<String>(),
        body(operation, content),
        security(operation, schemes),
        OptLit(own_base(api, operation).as_deref()),
    );
    out
}

fn pieces(operation: &Operation) -> Vec<String> {
    let mut out = Vec::new();
    let (mut rest, _) = split_path(&operation.key.path);
    let mut text = String::new();
    while let Some(open) = rest.find('{') {
        let Some(close) = rest[open..].find('}').map(|i| open + i) else { break };
        let name = &rest[open + 1..close];
        let index = operation
            .parameters
            .iter()
            .position(|p| p.location == Location::Path && p.name == name);
        let Some(index) = index else {
            text.push_str(&rest[..=close]);
            rest = &rest[close + 1..];
            continue;
        };
        text.push_str(&rest[..open]);
        if !text.is_empty() {
            out.push(format!("Piece::Text({}),", StrLit(&encode(&text))));
            text.clear();
        }
        out.push(format!("Piece::Parameter({index}),"));
        rest = &rest[close + 1..];
    }
    text.push_str(rest);
    if !text.is_empty() {
        out.push(format!("Piece::Text({}),", StrLit(&encode(&text))));
    }
    out
}

/// Percent-encodes what a path cannot hold as it stands (RFC 3986 section 3.3); triples stay.
fn encode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::new();
    for (i, b) in bytes.iter().enumerate() {
        let triple = *b == b'%'
            && bytes.get(i + 1..i + 3).is_some_and(|h| h.iter().all(u8::is_ascii_hexdigit));
        if b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/".contains(b) || triple {
            out.push(char::from(*b));
        } else {
            let _ = write!(out, "%{b:02X}");
        }
    }
    out
}

fn style(style: Style) -> &'static str {
    match style {
        Style::Matrix => "Style::Matrix",
        Style::Label => "Style::Label",
        Style::Simple => "Style::Simple",
        Style::Form => "Style::Form",
        Style::SpaceDelimited => "Style::SpaceDelimited",
        Style::PipeDelimited => "Style::PipeDelimited",
        Style::TabDelimited => "Style::TabDelimited",
        Style::DeepObject => "Style::DeepObject",
        Style::Cookie => "Style::Cookie",
    }
}

fn parameter(parameter: &Parameter) -> String {
    let location = match parameter.location {
        Location::Path => "Path",
        Location::Query => "Query",
        Location::Header => "Header",
        Location::Cookie => "Cookie",
        Location::QueryString => "QueryString",
    };
    format!(
        "Parameter {{ name: {}, location: Location::{location}, style: {}, explode: {}, allow_reserved: {}, media_type: {} }},",
        StrLit(&parameter.name),
        style(parameter.style),
        parameter.explode,
        parameter.allow_reserved,
        OptLit(parameter.media_type.as_deref()),
    )
}

fn body(operation: &Operation, content: Option<usize>) -> String {
    let Some((body, content)) =
        operation.body.as_ref().and_then(|body| Some((body, body.contents.get(content?)?)))
    else {
        return "None".to_owned();
    };
    format!(
        "Some(Body {{ required: {}, media_type: {}, kind: BodyKind::{}, encodings: &[{}] }})",
        body.required,
        StrLit(&content_type(&content.media_type)),
        body_kind(&content.media_type),
        encodings(content),
    )
}

/// The type of a part, which stands in its header: the first of a list (OpenAPI allows one), and
/// nothing at all rather than what no header can hold.
fn part_type(listed: &str) -> Option<String> {
    let first = listed.split(',').next()?.trim();
    (!first.contains('*') && content_type(first) == first).then(|| first.to_owned())
}

fn encodings(content: &Content) -> String {
    content
        .encoding
        .iter()
        .map(|(property, e)| {
            let own = e.style.map_or_else(|| "None".to_owned(), |s| format!("Some({})", style(s)));
            format!(
                "Encoding {{ property: {}, content_type: {}, style: {own}, explode: {:?}, allow_reserved: {} }},",
                StrLit(property),
                OptLit(e.content_type.as_deref().and_then(part_type).as_deref()),
                e.explode,
                e.allow_reserved,
            )
        })
        .collect()
}

fn security(operation: &Operation, schemes: &[&str]) -> String {
    let mut out = String::new();
    for requirement in &operation.security {
        let needs: Option<Vec<_>> = requirement
            .schemes
            .iter()
            .map(|(name, scopes)| {
                let index = schemes.iter().position(|s| s == name)?;
                let scopes: Vec<_> = scopes.iter().map(|s| StrLit(s).to_string()).collect();
                Some(format!("Need {{ scheme: {index}, scopes: &[{}] }}", scopes.join(", ")))
            })
            .collect();
        // An alternative with a scheme that cannot be used cannot be met.
        if let Some(needs) = needs {
            let _ = write!(out, "&[{}],", needs.join(", "));
        }
    }
    out
}

/// The base URL of this operation alone, where it differs from the API's.
fn own_base(api: &Api, operation: &Operation) -> Option<String> {
    let own = first_base_url(&operation.servers)?;
    let other = first_base_url(&api.servers).as_ref() != Some(&own);
    other.then(|| own.text().to_owned())
}

/// An action as an expression.
///
/// `place` is the path of the operation's table, `sibling` the tool that reads the same resource,
/// and `asks` whether something is gone afterwards.
pub fn action(action: &BoundAction<'_>, place: &str, sibling: Option<&str>, asks: bool) -> String {
    let inputs: String = action
        .inputs
        .iter()
        .map(|input| {
            let target = match &input.target {
                Target::Parameter(index) => format!("Target::Parameter({index})"),
                Target::Body(steps) => {
                    let steps: Vec<_> = steps.iter().map(|s| StrLit(s).to_string()).collect();
                    format!("Target::Body(&[{}])", steps.join(", "))
                }
            };
            format!(
                "Input {{ argument: {}, required: {}, target: {target} }},",
                StrLit(&input.argument.name),
                input.required,
            )
        })
        .collect();
    format!(
        "Action {{ name: {}, call: Call::Operation(&{place}), inputs: &[{inputs}], sibling: {}, takes_away: {asks} }}",
        StrLit(action.name),
        OptLit(sibling),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_text_of_a_path_is_encoded_and_triples_stay() {
        assert_eq!(encode("/ä b/%41%zz:x"), "/%C3%A4%20b/%41%25zz:x");
    }

    #[test]
    fn a_media_type_that_is_none_is_not_copied_to_a_header() {
        assert_eq!(content_type("application/json\r\nX: y"), "application/json");
        assert_eq!(content_type("*/*"), "application/json");
        assert_eq!(content_type("text/csv; charset=utf-8"), "text/csv; charset=utf-8");
        assert_eq!(content_type("image/*"), "application/octet-stream");
    }

    #[test]
    fn the_type_of_a_part_is_one_that_a_header_can_hold() {
        assert_eq!(part_type("image/png, image/jpeg").as_deref(), Some("image/png"));
        assert_eq!(
            part_type("text/csv; charset=utf-8").as_deref(),
            Some("text/csv; charset=utf-8")
        );
        assert_eq!(part_type("image/*"), None);
        assert_eq!(part_type("text/plain\r\nX-Evil: 1"), None);
        assert_eq!(part_type(""), None);
    }

    #[test]
    fn media_types_are_told_apart() {
        for (media_type, kind) in [
            ("application/vnd.api+json", "Json"),
            ("application/json; charset=utf-8", "Json"),
            ("multipart/form-data", "Multipart"),
            ("application/xml", "Text"),
            ("text/plain", "Text"),
            ("application/pdf", "Binary"),
        ] {
            assert_eq!(body_kind(media_type), kind, "{media_type}");
        }
    }
}
