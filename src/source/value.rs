//! Values as they stand in a document: exact numbers, order kept, each with its place.

use std::fmt;

use indexmap::IndexMap;

/// A place: byte `offset` in document `file` of [`super::Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct At {
    /// Index of the document.
    pub file: u32,
    /// Byte offset.
    pub offset: u32,
}

/// A value and where it stands.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where the value starts.
    pub at: At,
    /// Where its key starts, for a member of an object; else the same as `at`.
    pub key: At,
    /// The value.
    pub value: Value,
}

/// The JSON data model with exact numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as written.
    Number(Number),
    /// Text.
    String(String),
    /// A list.
    Array(Vec<Node>),
    /// Members in the order of the document.
    Object(Map),
}

/// The members of an object.
pub type Map = IndexMap<String, Node, foldhash::fast::RandomState>;

/// A number in JSON's own notation, of any size: `-12`, `0.5`, `1e400`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Number(pub String);

/// Nodes are equal when their values are, wherever they stand.
impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Number {
    /// As a 64-bit integer, when it is one.
    pub fn as_i64(&self) -> Option<i64> {
        self.0.parse().ok().or_else(|| {
            // `3.0` and `1e3` are integers to JSON Schema.
            let float = self.0.parse::<f64>().ok()?;
            #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and small")]
            (float.fract() == 0.0 && float.abs() < 9e15).then_some(float as i64)
        })
    }

    /// The same text for the same number, however it is written: `1`, `1.0` and `10e-1` are one.
    pub fn canonical(&self) -> String {
        let (sign, rest) = self.0.strip_prefix('-').map_or(("", self.0.as_str()), |r| ("-", r));
        let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        let kept = digits.trim_end_matches('0');
        let (zeros, shown) = (digits.len() - kept.len(), kept.trim_start_matches('0'));
        if shown.is_empty() {
            return "0".to_owned();
        }
        let length = |n: usize| i128::try_from(n).unwrap_or(i128::MAX);
        match exponent.trim_start_matches('+').parse::<i128>() {
            Ok(exponent) if exponent.unsigned_abs() < 1 << 100 => {
                let exponent = exponent + length(zeros) - length(fraction.len());
                format!("{sign}{shown}e{exponent}")
            }
            _ => self.0.clone(),
        }
    }

    /// Whether it is an integer, as JSON Schema sees it: `3.0` and `1e3` are.
    pub fn is_whole(&self) -> bool {
        let canonical = self.canonical();
        !canonical.contains("e-")
    }

    /// Whether a machine number, of 64 bits, would not hold it.
    pub fn is_lossy(&self) -> bool {
        let text = self.0.as_str();
        if text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok() {
            return false;
        }
        let float = self.as_f64();
        if !float.is_finite() {
            return true;
        }
        if text.contains(['e', 'E']) {
            return false;
        }
        let nearest = Number(float.to_string());
        !text.contains('.') || nearest.canonical() != self.canonical()
    }

    /// As the nearest double; infinite when out of range.
    pub fn as_f64(&self) -> f64 {
        self.0.parse().unwrap_or(f64::NAN)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Node {
    /// A value that stands nowhere: made, not read.
    pub fn made(value: Value) -> Self {
        Self { at: At::default(), key: At::default(), value }
    }

    /// Member `key`, when this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.as_object()?.get(key)
    }

    /// The members, when this is an object.
    pub fn as_object(&self) -> Option<&Map> {
        match &self.value {
            Value::Object(map) => Some(map),
            _ => None,
        }
    }

    /// The elements, when this is an array.
    pub fn as_array(&self) -> Option<&[Node]> {
        match &self.value {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The text, when this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value, when this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match &self.value {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The number, when this is one.
    pub fn as_number(&self) -> Option<&Number> {
        match &self.value {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// What kind of value this is, as a person says it.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        }
    }

    /// As `serde_json` sees it. A number beyond 64 bits becomes a double, one beyond a double `null`;
    /// where exactness counts, take [`Node::to_json_text`].
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::Value as Json;
        match &self.value {
            Value::Null => Json::Null,
            Value::Bool(b) => Json::Bool(*b),
            Value::Number(n) => serde_json::from_str(&n.0).unwrap_or(Json::Null),
            Value::String(s) => Json::String(s.clone()),
            Value::Array(items) => Json::Array(items.iter().map(Node::to_json).collect()),
            Value::Object(map) => {
                Json::Object(map.iter().map(|(k, v)| (k.clone(), v.to_json())).collect())
            }
        }
    }

    /// Compact JSON text, numbers as written.
    pub fn to_json_text(&self) -> String {
        let mut text = String::new();
        self.write_json(&mut text, &|n| n.0.clone());
        text
    }

    /// The same text for the same value: numbers are compared, not their spelling.
    pub fn canonical_text(&self) -> String {
        let mut text = String::new();
        self.write_json(&mut text, &Number::canonical);
        text
    }

    fn write_json(&self, out: &mut String, number: &dyn Fn(&Number) -> String) {
        match &self.value {
            Value::Null => out.push_str("null"),
            Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
            Value::Number(n) => out.push_str(&number(n)),
            Value::String(s) => out.push_str(&serde_json::Value::from(s.as_str()).to_string()),
            Value::Array(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    item.write_json(out, number);
                }
                out.push(']');
            }
            Value::Object(map) => {
                out.push('{');
                for (i, (key, value)) in map.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    out.push_str(&serde_json::Value::from(key.as_str()).to_string());
                    out.push(':');
                    value.write_json(out, number);
                }
                out.push('}');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn numbers_are_the_same_however_they_are_written() {
        for (number, canonical) in [
            ("1", "1e0"),
            ("1.0", "1e0"),
            ("10e-1", "1e0"),
            ("-0.50", "-5e-1"),
            ("1200", "12e2"),
            ("0.0", "0"),
            ("-0", "0"),
            ("1e400", "1e400"),
            ("18446744073709551617", "18446744073709551617e0"),
        ] {
            assert_eq!(Number(number.to_owned()).canonical(), canonical, "{number}");
        }
    }
}
