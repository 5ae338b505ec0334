//! Problems as in RFC 9457.

use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// One thing that is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wrong {
    /// JSON Pointer into the body, or the name of a parameter.
    pub pointer: String,
    /// What is wrong.
    pub detail: String,
}

/// Why a request is refused.
#[derive(Debug)]
pub enum Problem {
    /// The path names nothing that exists.
    NotFound(String),
    /// The method does not exist here.
    Method,
    /// The key is missing or wrong.
    Key,
    /// The body is no JSON.
    Malformed(String),
    /// The repair is finished.
    Finished(String),
    /// Members or parameters are wrong.
    Invalid(Vec<Wrong>),
    /// The data could not be kept.
    Storage(String),
}

#[derive(Serialize)]
struct Document<'a> {
    title: &'a str,
    status: u16,
    detail: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    errors: &'a [Wrong],
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, title) = match &self {
            Self::NotFound(_) => (StatusCode::NOT_FOUND, "Not found"),
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, "Method not allowed"),
            Self::Key => (StatusCode::UNAUTHORIZED, "Key needed"),
            Self::Malformed(_) => (StatusCode::BAD_REQUEST, "Not JSON"),
            Self::Finished(_) => (StatusCode::CONFLICT, "Already finished"),
            Self::Invalid(_) => (StatusCode::UNPROCESSABLE_ENTITY, "Invalid request"),
            Self::Storage(_) => (StatusCode::INTERNAL_SERVER_ERROR, "Data not kept"),
        };
        let (detail, errors) = match &self {
            Self::NotFound(text)
            | Self::Malformed(text)
            | Self::Finished(text)
            | Self::Storage(text) => (text.as_str(), [].as_slice()),
            Self::Method => ("This path does not know this method.", [].as_slice()),
            Self::Key => ("Send the right key in `X-Cafe-Key`.", [].as_slice()),
            Self::Invalid(errors) => ("`errors` says what is wrong.", errors.as_slice()),
        };
        let document = Document { title, status: status.as_u16(), detail, errors };
        let text = serde_json::to_vec(&document)
            .expect("a problem is plain text and numbers, which always serialise");
        (status, [(header::CONTENT_TYPE, "application/problem+json")], Body::from(text))
            .into_response()
    }
}
