//! Names that keys of objects have on the side of the model.

use std::collections::{BTreeMap, BTreeSet};

/// The argument-side names of the keys of one object, in their order: all match
/// `^[A-Za-z_][A-Za-z0-9_]{0,63}$`, all are distinct. A key that is such a name keeps it; others do
/// not depend on the order of keys, as long as keys are distinct.
pub fn argument_names(keys: &[&str]) -> Vec<String> {
    let mut claims: BTreeMap<String, usize> = BTreeMap::new();
    for key in keys {
        *claims.entry(readable(key)).or_default() += 1;
    }
    let mut taken: BTreeSet<String> =
        keys.iter().filter(|k| is_argument_name(k)).map(|k| (*k).to_owned()).collect();
    let mut names = Vec::with_capacity(keys.len());
    for key in keys {
        if is_argument_name(key) {
            names.push((*key).to_owned());
            continue;
        }
        let mut name = readable(key);
        if claims.get(&name).copied().unwrap_or_default() > 1 || taken.contains(&name) {
            name = marked(&name, fingerprint(key));
        }
        let mut turn = fingerprint(key);
        while taken.contains(&name) {
            turn = turn.wrapping_add(1);
            name = marked(&name, turn);
        }
        taken.insert(name.clone());
        names.push(name);
    }
    names
}

/// Whether a key may stay as it is.
pub fn is_argument_name(key: &str) -> bool {
    let mut bytes = key.bytes();
    key.len() <= 64
        && bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Signs that tell keys apart are spelled out, all else that is no letter or digit becomes `_`.
pub fn spelled(key: &str) -> String {
    let mut out = String::with_capacity(key.len());
    let mut chars = key.chars().peekable();
    while let Some(c) = chars.next() {
        let equal = chars.peek() == Some(&'=');
        let word = match c {
            '<' if equal => "_lte",
            '>' if equal => "_gte",
            '<' => "_lt",
            '>' => "_gt",
            '!' => "_not",
            '+' if out.is_empty() => "plus_",
            '-' if out.is_empty() && chars.peek().is_some_and(char::is_ascii_digit) => "minus_",
            c if c.is_ascii_alphanumeric() => {
                out.push(c);
                continue;
            }
            _ => "_",
        };
        out.push_str(word);
    }
    out
}

fn readable(key: &str) -> String {
    if is_argument_name(key) {
        return key.to_owned();
    }
    let spelled = spelled(key);
    let mut name = String::with_capacity(spelled.len());
    for c in spelled.trim_matches('_').chars() {
        if !(c == '_' && name.ends_with('_')) {
            name.push(c);
        }
    }
    let lost =
        key.chars().any(char::is_alphabetic) && !name.contains(|c: char| c.is_ascii_alphabetic());
    if name.is_empty() || lost {
        name = marked("field", fingerprint(key));
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if name.len() > 64 { marked(&name, fingerprint(key)) } else { name }
}

/// The name with four hexadecimal digits at its end, short enough.
pub fn marked(name: &str, mark: u64) -> String {
    let room = name.len().min(59);
    format!("{}_{:04x}", name[..room].trim_end_matches('_'), mark & 0xffff)
}

/// FNV-1a: small, and the same everywhere.
pub fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(keys: &[&str], expected: &[&str]) {
        let names = argument_names(keys);
        assert_eq!(names, expected);
        assert!(names.iter().all(|n| is_argument_name(n)));
    }

    #[test]
    fn i4_good_keys_stay_and_others_become_readable() {
        check(
            &["id", "X-Trace", "$filter", "ids[]", "+1", "-1"],
            &["id", "X_Trace", "filter", "ids", "plus_1", "minus_1"],
        );
        check(
            &["StartTime", "StartTime<", "StartTime>="],
            &["StartTime", "StartTime_lt", "StartTime_gte"],
        );
    }

    #[test]
    fn i4_names_within_an_object_are_distinct_whatever_their_order() {
        let keys = ["a.b", "a-b", "a_b", "", "名前", "名", "2x", &"x".repeat(90)];
        let names = argument_names(&keys);
        let mut backwards: Vec<_> = keys.to_vec();
        backwards.reverse();
        let mut again = argument_names(&backwards);
        again.reverse();
        assert_eq!(names, again);
        assert_eq!(names[2], "a_b");
        let distinct: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(distinct.len(), keys.len());
        assert!(names.iter().all(|n| is_argument_name(n)), "{names:?}");
    }
}
