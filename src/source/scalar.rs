//! Which value an unquoted YAML scalar is, by the core schema of YAML 1.2.
//!
//! Two digits of prudence: what cannot be a JSON number without a change of its digits (`007`,
//! `.inf`) stays text, since documents mean codes and words by it.

use std::borrow::Cow;

use super::{Number, Value};

/// The value of the unquoted scalar `text`.
pub(crate) fn plain(text: Cow<'_, str>) -> Value {
    match &*text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => match number(&text) {
            Some(digits) => Value::Number(Number(digits)),
            None => Value::String(text.into_owned()),
        },
    }
}

/// `text` as a JSON number, when it is one to YAML.
fn number(text: &str) -> Option<String> {
    let first = *text.as_bytes().first()?;
    if !(first.is_ascii_digit() || matches!(first, b'-' | b'+' | b'.')) {
        return None;
    }
    for (prefix, radix) in [("0o", 8), ("0x", 16)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            let all = digits.bytes().all(|b| b.is_ascii_hexdigit());
            return u128::from_str_radix(digits, radix).ok().filter(|_| all).map(|n| n.to_string());
        }
    }
    let (sign, rest) = match first {
        b'-' => ("-", &text[1..]),
        b'+' => ("", &text[1..]),
        _ => ("", text),
    };
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(i) => (&rest[..i], Some(&rest[i + 1..])),
        None => (rest, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(fraction.unwrap_or("")) {
        return None;
    }
    if whole.is_empty() && fraction.unwrap_or("").is_empty() {
        return None;
    }
    if whole.len() > 1 && whole.starts_with('0') {
        return None;
    }
    let mut out = String::from(sign);
    out.push_str(if whole.is_empty() { "0" } else { whole });
    if let Some(fraction) = fraction.filter(|f| !f.is_empty()) {
        out.push('.');
        out.push_str(fraction);
    }
    if let Some(exponent) = exponent {
        let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if unsigned.is_empty() || !digits(unsigned) {
            return None;
        }
        out.push('e');
        out.push_str(exponent);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::Value;
    use super::plain;

    fn check(text: &str, json: &str) {
        let value = plain(Cow::Borrowed(text));
        let found = match value {
            Value::String(s) => format!("{s:?}"),
            Value::Number(n) => n.0,
            Value::Bool(b) => b.to_string(),
            Value::Null => "null".to_owned(),
            Value::Array(_) | Value::Object(_) => unreachable!("a scalar is no collection"),
        };
        assert_eq!(found, json, "{text}");
    }

    #[test]
    fn only_the_words_of_yaml_1_2_are_not_text() {
        check("no", "\"no\"");
        check("on", "\"on\"");
        check("y", "\"y\"");
        check("2026-01-27", "\"2026-01-27\"");
        check("12:30", "\"12:30\"");
        check("1_000", "\"1_000\"");
        check("True", "true");
        check("~", "null");
    }

    #[test]
    fn numbers_keep_their_digits() {
        check("18000000000000000000123", "18000000000000000000123");
        check("-0.10", "-0.10");
        check("1e400", "1e400");
        check("+7", "7");
        check(".5", "0.5");
        check("5.", "5");
        check("0x1F", "31");
        check("0o17", "15");
    }

    #[test]
    fn what_is_no_json_number_stays_text() {
        check("0644", "\"0644\"");
        check(".inf", "\".inf\"");
        check("1.2.3", "\"1.2.3\"");
        check("-", "\"-\"");
        check(".", "\".\"");
        check("1e", "\"1e\"");
        check("0x", "\"0x\"");
        check("e5", "\"e5\"");
    }
}
