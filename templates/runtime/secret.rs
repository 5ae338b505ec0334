//! Secrets: never shown, and taken out of every text that leaves.

use super::encode;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use serde_json::{Map, Value};
use std::fmt;
use std::sync::RwLock;

/// A value that must not be shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Hides a value.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The value, to be sent.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("[secret]")
    }
}

/// Takes secrets out of texts.
#[derive(Default)]
pub struct Redactor {
    /// Every form of every secret, longest first.
    forms: RwLock<Vec<String>>,
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Redactor")
    }
}

const SHOWN: &str = "[secret]";

impl Redactor {
    /// Learns a secret. Very short ones are left out: they would match everywhere.
    pub fn learn(&self, secret: &str) {
        let known = |forms: &Vec<String>| forms.iter().any(|form| form == secret);
        let forms = self.forms.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        if secret.len() < 4 || known(&forms) {
            return;
        }
        drop(forms);
        let strict = encode::strict(secret);
        let json = Value::from(secret).to_string();
        let mut found = vec![
            secret.to_owned(),
            strict.replace("%20", "+"),
            strict.to_lowercase(),
            strict,
            json.trim_matches('"').to_owned(),
            STANDARD.encode(secret),
            STANDARD_NO_PAD.encode(secret),
            URL_SAFE.encode(secret),
            URL_SAFE_NO_PAD.encode(secret),
        ];
        let more: Vec<String> = found[5..].iter().map(|text| encode::strict(text)).collect();
        found.extend(more);
        let mut forms = self.forms.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        forms.extend(found);
        forms.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        forms.dedup();
    }

    /// The text without secrets.
    pub fn text(&self, text: &str) -> String {
        let forms = self.forms.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        without(text, forms.iter())
    }

    /// The bytes without secrets, be they text or not. Secrets that are numbers stay for
    /// [`Self::value`]: without them the bytes might be no JSON any more.
    pub fn bytes(&self, bytes: &[u8]) -> Vec<u8> {
        let forms = self.forms.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        let forms = forms.iter().filter(|form| !is_number(form));
        if let Ok(text) = std::str::from_utf8(bytes) {
            return without(text, forms).into_bytes();
        }
        let mut out = bytes.to_vec();
        for form in forms {
            let form = form.as_bytes();
            let mut from = 0;
            while let Some(at) = out[from..].windows(form.len()).position(|part| part == form) {
                out.splice(from + at..from + at + form.len(), SHOWN.bytes());
                from += at + SHOWN.len();
            }
        }
        out
    }

    /// The value without secrets and without characters that hide.
    pub fn value(&self, value: Value) -> Value {
        self.value_at(value, 0)
    }

    fn value_at(&self, value: Value, depth: usize) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(&super::text::clean(&text))),
            Value::Array(items) if depth < 200 => {
                Value::Array(items.into_iter().map(|item| self.value_at(item, depth + 1)).collect())
            }
            Value::Object(members) if depth < 200 => {
                let clean = |(key, value): (String, Value)| {
                    (self.text(&super::text::clean(&key)), self.value_at(value, depth + 1))
                };
                Value::Object(members.into_iter().map(clean).collect::<Map<_, _>>())
            }
            other => other,
        }
    }
}

/// The text without any of the forms.
fn without<'f>(text: &str, forms: impl Iterator<Item = &'f String>) -> String {
    let mut out = text.to_owned();
    for form in forms {
        if out.contains(form.as_str()) {
            let number = is_number(form);
            out =
                if number { whole_numbers(&out, form) } else { out.replace(form.as_str(), SHOWN) };
        }
    }
    out
}

fn is_number(form: &str) -> bool {
    form.bytes().all(|byte| byte.is_ascii_digit())
}

/// The text without a number that is a secret: `12` stands in `a 12` and not in `4123`.
fn whole_numbers(text: &str, form: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(form) {
        let behind = &rest[at + form.len()..];
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let before = rest[..at].chars().next_back().or_else(|| out.chars().next_back());
        let part = digit(before) || digit(behind.chars().next());
        out.push_str(&rest[..at]);
        out.push_str(if part { form } else { SHOWN });
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// Equality that takes the same time wherever texts differ.
pub fn same_secret(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut difference = usize::from(left.len() != right.len());
    for (at, byte) in left.iter().enumerate() {
        let other = right.get(at % right.len().max(1)).copied().unwrap_or_default();
        difference |= usize::from(byte ^ other);
    }
    difference == 0
}
