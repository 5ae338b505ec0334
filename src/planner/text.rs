//! Words: names in snake case, singulars, lists.

use crate::ir::argument_names::{fingerprint, marked, spelled};
use crate::plan::Place;

/// The words of a name, lower case: `petID` → `pet`, `id`; `X-Request-Id` → `x`, `request`, `id`.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let spelled = spelled(name);
    let chars: Vec<char> = spelled.chars().collect();
    let mut word = String::new();
    for (i, c) in chars.iter().enumerate() {
        if !c.is_ascii_alphanumeric() {
            close(&mut words, &mut word);
            continue;
        }
        let before = i.checked_sub(1).map(|b| chars[b]);
        let next = chars.get(i + 1);
        let hump = c.is_ascii_uppercase()
            && before.is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        // `HTTPServer` has its hump before the last capital, but `petIDs` and `IDs` have none.
        let plural = next == Some(&'s') && chars.get(i + 2).is_none_or(|n| !n.is_ascii_lowercase());
        let acronym_end = c.is_ascii_uppercase()
            && before.is_some_and(|b| b.is_ascii_uppercase())
            && next.is_some_and(char::is_ascii_lowercase)
            && !plural;
        if hump || acronym_end {
            close(&mut words, &mut word);
        }
        word.push(c.to_ascii_lowercase());
    }
    close(&mut words, &mut word);
    words
}

fn close(words: &mut Vec<String>, word: &mut String) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

/// The name of an argument: snake case, a valid name whatever `name` is.
pub fn snake(name: &str) -> String {
    let words = words(name);
    let mut snake = words.join("_");
    let letters = name.chars().any(char::is_alphabetic);
    if snake.is_empty() || (letters && !snake.contains(|c: char| c.is_ascii_alphabetic())) {
        snake = marked("field", fingerprint(name));
    }
    if snake.starts_with(|c: char| c.is_ascii_digit()) {
        snake.insert(0, '_');
    }
    limited(&snake)
}

/// The name in at most 64 characters.
pub fn limited(name: &str) -> String {
    if name.len() > 64 { marked(name, fingerprint(name)) } else { name.to_owned() }
}

/// The singular of an English noun, roughly.
pub fn singular(noun: &str) -> String {
    let keep =
        ["series", "status", "news", "address", "species", "analytics", "settings", "sms", "dns"];
    if keep.contains(&noun) || noun.len() < 4 {
        return noun.to_owned();
    }
    if let Some(stem) = noun.strip_suffix("ies") {
        return format!("{stem}y");
    }
    for end in ["sses", "xes", "zes", "ches", "shes", "uses"] {
        if noun.ends_with(end) && noun != "caches" {
            return noun[..noun.len() - 2].to_owned();
        }
    }
    match noun.strip_suffix('s') {
        Some(stem) if !stem.ends_with(['s', 'u', 'i']) => stem.to_owned(),
        _ => noun.to_owned(),
    }
}

/// `a, b and c`.
pub fn and(items: &[String]) -> String {
    joined(items, "and")
}

/// `a, b or c`.
pub fn or(items: &[String]) -> String {
    joined(items, "or")
}

fn joined(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} {word} {last}", rest.join(", ")),
    }
}

/// `a, b, c and 4 more`.
pub fn some<S: AsRef<str>>(items: &[S], cap: usize) -> String {
    let shown: Vec<&str> = items.iter().take(cap).map(AsRef::as_ref).collect();
    let more = items.len().saturating_sub(cap);
    let shown = shown.join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}

/// The text with a small first letter, unless it begins with an acronym.
pub fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(first), Some(second)) if second.is_lowercase() || second == ' ' => {
            first.to_lowercase().chain(text.chars().skip(1)).collect()
        }
        _ => text.to_owned(),
    }
}

/// The text with a large first letter.
pub fn upper_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

/// The text as a sentence.
pub fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() || text.ends_with(['.', '!', '?', '…', '。']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

/// The share of words that two texts have in common.
pub fn likeness(a: &str, b: &str) -> f64 {
    let set = |t: &str| -> std::collections::BTreeSet<String> {
        t.split(|c: char| !c.is_alphanumeric())
            .filter(|w| !w.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let (a, b) = (set(a), set(b));
    let both = a.intersection(&b).count();
    let all = a.union(&b).count();
    #[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
    let share = if all == 0 { 1.0 } else { both as f64 / all as f64 };
    share
}

/// The word for the part of a request that a place is in.
pub fn part(place: &Place) -> &'static str {
    match place {
        Place::Path(_) => "path",
        Place::Query(_) | Place::QueryString(_) => "query",
        Place::Header(_) => "header",
        Place::Cookie(_) => "cookie",
        Place::Body(_) => "body",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_snake_case() {
        for (name, expected) in [
            ("petId", "pet_id"),
            ("petIDs", "pet_ids"),
            ("HTTPServer", "http_server"),
            ("X-Request-Id", "x_request_id"),
            ("$filter", "filter"),
            ("filter[name]", "filter_name"),
            ("ids[]", "ids"),
            ("StartTime<", "start_time_lt"),
            ("2fa", "_2fa"),
            ("per_page", "per_page"),
        ] {
            assert_eq!(snake(name), expected);
        }
        assert!(snake("名前").starts_with("field_"));
        assert!(snake(&"long".repeat(40)).len() <= 64);
    }

    #[test]
    fn nouns_lose_their_plural() {
        for (noun, expected) in [
            ("pets", "pet"),
            ("categories", "category"),
            ("boxes", "box"),
            ("status", "status"),
            ("addresses", "address"),
            ("databases", "database"),
            ("news", "news"),
        ] {
            assert_eq!(singular(noun), expected);
        }
    }
}
