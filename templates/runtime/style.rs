//! OpenAPI's parameter styles. Names and values come out as they are sent.
//!
//! `null`, `[]` and `{}` are undefined as in RFC 6570 and expand to nothing.

use super::encode;
use super::exact;
use super::table::Style;
use serde_json::Value;

/// How a parameter is written.
#[derive(Clone, Copy, Debug)]
pub struct Rule<'a> {
    /// Its name on the wire.
    pub name: &'a str,
    /// Its style.
    pub style: Style,
    /// Whether lists and objects are spread.
    pub explode: bool,
    /// How a single value is encoded.
    pub encode: fn(&str) -> String,
    /// How lists inside `deepObject` are written.
    pub arrays: Arrays,
}

/// How lists inside `deepObject` are written: OpenAPI leaves it open, and services differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrays {
    /// `a[]=v` for scalars, `a[0][k]=v` for objects.
    #[default]
    Brackets,
    /// `a[0]=v`
    Indices,
    /// `a=v&a=w`
    Repeat,
    /// `a=v,w`
    Comma,
}

/// The ways by name.
pub const ARRAYS: [(&str, Arrays); 4] = [
    ("brackets", Arrays::Brackets),
    ("indices", Arrays::Indices),
    ("repeat", Arrays::Repeat),
    ("comma", Arrays::Comma),
];

enum Shape {
    One(String),
    Many(Vec<String>),
    Named(Vec<(String, String)>),
}

/// A scalar as text: no exponent, booleans as words, anything nested as JSON.
pub fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(string) => Some(exact::digits(value).unwrap_or(string).to_owned()),
        Value::Number(number) => Some(match number.as_f64() {
            Some(float) if number.is_f64() => format!("{float}"),
            _ => number.to_string(),
        }),
        other => Some(exact::json(other)),
    }
}

fn shape(value: &Value) -> Option<Shape> {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().filter_map(scalar).collect();
            (!items.is_empty()).then_some(Shape::Many(items))
        }
        Value::Object(members) => {
            let members: Vec<(String, String)> = members
                .iter()
                .filter_map(|(key, value)| Some((key.clone(), scalar(value)?)))
                .collect();
            (!members.is_empty()).then_some(Shape::Named(members))
        }
        other => scalar(other).map(Shape::One),
    }
}

/// In a path segment.
pub fn path(rule: Rule, value: &Value) -> Option<String> {
    let name = encode::strict(rule.name);
    let one = |text: &String| (rule.encode)(text);
    let named = |separator: &str, between: &str, members: &[(String, String)]| {
        let pairs: Vec<String> = members
            .iter()
            .map(|(key, value)| format!("{}{between}{}", encode::strict(key), one(value)))
            .collect();
        pairs.join(separator)
    };
    let listed = |items: &[String], separator: &str| {
        items.iter().map(one).collect::<Vec<_>>().join(separator)
    };
    Some(match (rule.style, rule.explode, shape(value)?) {
        (Style::Matrix, _, Shape::One(text)) if text.is_empty() => format!(";{name}"),
        (Style::Matrix, _, Shape::One(text)) => format!(";{name}={}", one(&text)),
        (Style::Matrix, false, Shape::Many(items)) => format!(";{name}={}", listed(&items, ",")),
        (Style::Matrix, true, Shape::Many(items)) => items
            .iter()
            .map(|text| {
                if text.is_empty() { format!(";{name}") } else { format!(";{name}={}", one(text)) }
            })
            .collect(),
        (Style::Matrix, false, Shape::Named(members)) => {
            format!(";{name}={}", named(",", ",", &members))
        }
        (Style::Matrix, true, Shape::Named(members)) => format!(";{}", named(";", "=", &members)),
        (Style::Label, _, Shape::One(text)) => format!(".{}", one(&text)),
        (Style::Label, false, Shape::Many(items)) => format!(".{}", listed(&items, ",")),
        (Style::Label, true, Shape::Many(items)) => format!(".{}", listed(&items, ".")),
        (Style::Label, false, Shape::Named(members)) => format!(".{}", named(",", ",", &members)),
        (Style::Label, true, Shape::Named(members)) => format!(".{}", named(".", "=", &members)),
        // Simple, and any style that has no place in a path.
        (_, _, Shape::One(text)) => one(&text),
        (_, _, Shape::Many(items)) => listed(&items, ","),
        (_, false, Shape::Named(members)) => named(",", ",", &members),
        (_, true, Shape::Named(members)) => named(",", "=", &members),
    })
}

/// In a header: `simple`, nothing encoded.
pub fn header(explode: bool, value: &Value) -> Option<String> {
    Some(match shape(value)? {
        Shape::One(text) => text,
        Shape::Many(items) => items.join(","),
        Shape::Named(members) => {
            let between = if explode { "=" } else { "," };
            members
                .iter()
                .map(|(key, value)| format!("{key}{between}{value}"))
                .collect::<Vec<_>>()
                .join(",")
        }
    })
}

/// In a query, a form or a cookie: pairs as they are sent.
pub fn pairs(rule: Rule, value: &Value) -> Vec<String> {
    let name = encode::strict(rule.name);
    if rule.style == Style::DeepObject {
        let mut out = Vec::new();
        deep(&mut out, &name, value, (rule.encode, rule.arrays), 0);
        return out;
    }
    let one = |text: &String| (rule.encode)(text);
    let separator = match rule.style {
        Style::SpaceDelimited => "%20",
        Style::PipeDelimited => "%7C",
        Style::TabDelimited => "%09",
        Style::Matrix
        | Style::Label
        | Style::Simple
        | Style::Form
        | Style::DeepObject
        | Style::Cookie => ",",
    };
    match (rule.explode, shape(value)) {
        (_, None) => Vec::new(),
        (_, Some(Shape::One(text))) => vec![format!("{name}={}", one(&text))],
        (true, Some(Shape::Many(items))) => {
            items.iter().map(|text| format!("{name}={}", one(text))).collect()
        }
        (false, Some(Shape::Many(items))) => {
            vec![format!("{name}={}", items.iter().map(one).collect::<Vec<_>>().join(separator))]
        }
        (true, Some(Shape::Named(members))) => members
            .iter()
            .map(|(key, value)| format!("{}={}", encode::strict(key), one(value)))
            .collect(),
        (false, Some(Shape::Named(members))) => {
            let flat = members.iter().flat_map(|(key, value)| [encode::strict(key), one(value)]);
            vec![format!("{name}={}", flat.collect::<Vec<_>>().join(separator))]
        }
    }
}

/// `a[b][c]=v`, `a[]=v` for scalars, `a[0][k]=v` for objects; the brackets percent-encoded.
fn deep(
    out: &mut Vec<String>,
    name: &str,
    value: &Value,
    (encode, arrays): (fn(&str) -> String, Arrays),
    depth: usize,
) {
    if depth > 16 {
        out.push(format!("{name}={}", encode(&exact::json(value))));
        return;
    }
    match value {
        Value::Object(members) => {
            for (key, inner) in members {
                deep(
                    out,
                    &format!("{name}%5B{}%5D", encode::strict(key)),
                    inner,
                    (encode, arrays),
                    depth + 1,
                );
            }
        }
        Value::Array(items) => {
            // Objects need a number each, or their members could not be told apart.
            let nested = items.iter().any(|item| item.is_object() || item.is_array());
            if arrays == Arrays::Comma && !nested {
                let texts: Vec<String> =
                    items.iter().filter_map(scalar).map(|text| encode(&text)).collect();
                if !texts.is_empty() {
                    out.push(format!("{name}={}", texts.join(",")));
                }
                return;
            }
            for (at, item) in items.iter().enumerate() {
                let place = match arrays {
                    Arrays::Repeat if !nested => name.to_owned(),
                    Arrays::Brackets if !nested => format!("{name}%5B%5D"),
                    Arrays::Brackets | Arrays::Indices | Arrays::Repeat | Arrays::Comma => {
                        format!("{name}%5B{at}%5D")
                    }
                };
                deep(out, &place, item, (encode, arrays), depth + 1);
            }
        }
        other => out.extend(scalar(other).map(|text| format!("{name}={}", encode(&text)))),
    }
}
