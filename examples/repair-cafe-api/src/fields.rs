//! Reads the members of a body, or the parameters of a query, and collects all that is wrong.

use serde_json::{Map, Value};

use crate::problem::{Problem, Wrong};

/// The members of a JSON object which are read one by one.
#[derive(Debug)]
pub struct Fields {
    members: Map<String, Value>,
    prefix: String,
    wrong: Vec<Wrong>,
}

/// A member that can be absent, null or a text.
#[derive(Debug, PartialEq, Eq)]
pub enum Nullable {
    /// It was not sent, or is wrong.
    Absent,
    /// It is null.
    Null,
    /// It is this text.
    Text(String),
}

impl Fields {
    /// Reads a body.
    pub fn of_body(body: &[u8]) -> Result<Self, Problem> {
        let value: Value =
            serde_json::from_slice(body).map_err(|error| Problem::Malformed(error.to_string()))?;
        match value {
            Value::Object(members) => {
                Ok(Self { members, prefix: "/".to_owned(), wrong: Vec::new() })
            }
            _ => Err(Problem::Invalid(vec![Wrong {
                pointer: String::new(),
                detail: "has to be an object".to_owned(),
            }])),
        }
    }

    /// Whether no member was sent at all.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Whether the member was sent.
    pub fn has(&self, name: &str) -> bool {
        self.members.contains_key(name)
    }

    /// Notes that something is wrong.
    pub fn complain(&mut self, name: &str, detail: impl Into<String>) {
        self.wrong.push(Wrong { pointer: format!("{}{name}", self.prefix), detail: detail.into() });
    }

    /// A member that is an object, to be read in its turn and given back with [`Self::done`].
    pub fn object(&mut self, name: &str) -> Option<Self> {
        match self.members.get(name) {
            Some(Value::Object(members)) => Some(Self {
                members: members.clone(),
                prefix: format!("{}{name}/", self.prefix),
                wrong: Vec::new(),
            }),
            Some(_) => {
                self.complain(name, "has to be an object");
                None
            }
            None => {
                self.complain(name, "is required");
                None
            }
        }
    }

    /// Takes over what was wrong inside an object.
    pub fn done(&mut self, inner: Self) {
        self.wrong.extend(inner.wrong);
    }

    /// A text of 1 to `max` characters that has to be there. Empty when it is wrong.
    pub fn text(&mut self, name: &str, max: usize) -> String {
        if !self.has(name) {
            self.complain(name, "is required");
        }
        self.optional_text(name, max).unwrap_or_default()
    }

    /// A text of 1 to `max` characters that may be absent.
    pub fn optional_text(&mut self, name: &str, max: usize) -> Option<String> {
        match self.members.get(name)? {
            Value::String(text) if text.is_empty() => {
                self.complain(name, "is empty");
                None
            }
            Value::String(text) if text.chars().count() > max => {
                self.complain(name, format!("has more than {max} characters"));
                None
            }
            Value::String(text) => Some(text.clone()),
            _ => {
                self.complain(name, "has to be a string");
                None
            }
        }
    }

    /// As [`Self::optional_text`], where null is a value too.
    pub fn nullable_text(&mut self, name: &str, max: usize) -> Nullable {
        if self.members.get(name).is_some_and(Value::is_null) {
            return Nullable::Null;
        }
        self.optional_text(name, max).map_or(Nullable::Absent, Nullable::Text)
    }

    /// One of a set of words.
    pub fn word<T: serde::de::DeserializeOwned>(&mut self, name: &str, known: &str) -> Option<T> {
        let value = self.members.get(name)?.clone();
        let word = serde_json::from_value(value).ok();
        if word.is_none() {
            self.complain(name, format!("has to be one of {known}"));
        }
        word
    }

    /// A number above zero and up to 500.
    pub fn weight(&mut self, name: &str) -> Option<f64> {
        match self.members.get(name)?.as_f64() {
            Some(weight) if weight > 0.0 && weight <= 500.0 => Some(weight),
            _ => {
                self.complain(name, "has to be a number above 0 and at most 500");
                None
            }
        }
    }

    /// A whole number from 0 to `max`.
    pub fn count(&mut self, name: &str, max: u64) -> Option<u64> {
        match self.members.get(name)?.as_u64() {
            Some(count) if count <= max => Some(count),
            _ => {
                self.complain(name, format!("has to be a whole number from 0 to {max}"));
                None
            }
        }
    }

    /// The end of reading: all that was wrong, or the value.
    pub fn finish<T>(self, value: T) -> Result<T, Problem> {
        if self.wrong.is_empty() { Ok(value) } else { Err(Problem::Invalid(self.wrong)) }
    }
}
