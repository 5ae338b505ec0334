//! What kind of document a value is.

use crate::source::{At, Node, Value};

/// The family of versions; it decides how a few words are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// Swagger 2.0
    V2,
    /// OpenAPI 3.0
    V30,
    /// OpenAPI 3.1 and later
    V31,
}

/// Why a value is no OpenAPI document.
#[derive(Debug)]
pub(super) struct Refusal {
    /// The deciding value.
    pub at: At,
    /// What was found.
    pub message: String,
    /// What to do.
    pub help: String,
}

const EXPECTED: &str =
    "give an OpenAPI document: one that begins with `openapi: 3.x.y` or `swagger: \"2.0\"`";

/// Looks at text before it is parsed; pages of the web are neither YAML nor JSON.
pub(super) fn refuse_text(text: &str) -> Option<Refusal> {
    let visible = text.trim_start_matches('\u{feff}').trim_start();
    let message = if visible.is_empty() {
        "the document is empty"
    } else if visible.starts_with('<') {
        "this is HTML or XML, no OpenAPI document"
    } else {
        return None;
    };
    let help = if visible.is_empty() {
        EXPECTED.to_owned()
    } else {
        format!("{EXPECTED}; a download may have answered with a page for people")
    };
    Some(Refusal { at: At::default(), message: message.to_owned(), help })
}

/// The version that `root` says it has.
pub(super) fn version(root: &Node) -> Result<Version, Refusal> {
    let refuse = |at, message: String| Refusal { at, message, help: EXPECTED.to_owned() };
    let Some(map) = root.as_object() else {
        let message = match root.value {
            Value::Null => "the document is empty".to_owned(),
            _ => format!("the document is {}, not an object", root.kind()),
        };
        return Err(refuse(root.at, message));
    };
    if let Some(node) = map.get("openapi") {
        let text = scalar_text(node);
        return match text.trim() {
            "3" | "3.0" => Ok(Version::V30),
            "3.1" | "3.2" => Ok(Version::V31),
            t if t.starts_with("3.0.") => Ok(Version::V30),
            t if t.starts_with("3.1.") || t.starts_with("3.2.") => Ok(Version::V31),
            _ => Err(Refusal {
                at: node.key,
                message: format!("OpenAPI version `{}` is not known", shorten(&text)),
                help: "versions 3.0, 3.1, 3.2 and Swagger 2.0 can be read".to_owned(),
            }),
        };
    }
    if let Some(node) = map.get("swagger") {
        let text = scalar_text(node);
        return match text.trim() {
            "2" | "2.0" | "2.0.0" => Ok(Version::V2),
            _ => Err(Refusal {
                at: node.key,
                message: format!("Swagger version `{}` is not known", shorten(&text)),
                help: "Swagger 2.0 can be read; later versions say `openapi`".to_owned(),
            }),
        };
    }
    let kinds = [
        ("asyncapi", "an AsyncAPI document; it describes messages, not HTTP operations"),
        ("arazzo", "an Arazzo document; it describes workflows over other documents"),
        ("overlay", "an Overlay; it changes another document"),
        ("swaggerVersion", "a Swagger 1.x document"),
        ("raml", "a RAML document"),
        ("resourceVersion", "a Kubernetes object"),
        ("discoveryVersion", "a Google discovery document"),
        ("_postman_id", "a Postman collection"),
        ("mcpServers", "a configuration of MCP clients"),
    ];
    for (key, what) in kinds {
        if let Some(node) = map.get(key) {
            return Err(refuse(node.key, format!("this is {what}")));
        }
    }
    let postman = |info: &Node| info.get("_postman_id").is_some();
    if map.get("info").is_some_and(postman) {
        return Err(refuse(root.at, "this is a Postman collection".to_owned()));
    }
    if ["format", "server", "tools"].iter().all(|key| map.get(*key).is_some()) {
        return Err(Refusal {
            at: root.at,
            message: "this is a plan of mcp-gen, no OpenAPI document".to_owned(),
            help: "give the document that the plan was made from".to_owned(),
        });
    }
    if let Some(node) = map.get("paths") {
        return Err(Refusal {
            at: node.key,
            message: "the document has `paths`, but does not say its version".to_owned(),
            help: "add `openapi: 3.1.0` (or the version it is written for) at its top".to_owned(),
        });
    }
    for key in ["$schema", "$defs", "properties", "definitions"] {
        if let Some(node) = map.get(key) {
            return Err(refuse(node.key, "this is a JSON Schema, no OpenAPI document".to_owned()));
        }
    }
    let keys: Vec<_> = map.keys().take(3).map(|k| format!("`{}`", shorten(k))).collect();
    let found = if keys.is_empty() {
        "it is empty".to_owned()
    } else {
        format!("it begins with {}", keys.join(", "))
    };
    Err(refuse(root.at, format!("this is no OpenAPI document: {found}")))
}

fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The text of a scalar as written; numbers and words count as text where text is meant.
fn scalar_text(node: &Node) -> String {
    match &node.value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.0.clone(),
        Value::Bool(b) => b.to_string(),
        Value::Null => "null".to_owned(),
        Value::Array(_) | Value::Object(_) => node.kind().to_owned(),
    }
}
