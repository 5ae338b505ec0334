//! Keeps JSON within a size, and valid.

use super::text;
use serde_json::{Map, Value, json};

/// The largest integer that every client reads exactly.
const EXACT: u64 = 9_007_199_254_740_991;

/// JSON text in which integers beyond 2^53 are strings, digit for digit.
pub fn quote_big_integers(json: &str) -> String {
    let bytes = json.as_bytes();
    let mut out = String::with_capacity(json.len());
    let (mut at, mut copied, mut in_string) = (0, 0, false);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if in_string => at += 2,
            b'"' => {
                in_string = !in_string;
                at += 1;
            }
            b'-' | b'0'..=b'9' if !in_string => {
                let rest = &bytes[at..];
                let end = rest
                    .iter()
                    .position(|byte| !b"0123456789+-.eE".contains(byte))
                    .unwrap_or(rest.len());
                let token = &json[at..at + end];
                let digits = token.strip_prefix('-').unwrap_or(token);
                let whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
                if whole && digits.parse::<u64>().map_or(true, |value| value > EXACT) {
                    out.push_str(&json[copied..at]);
                    out.push('"');
                    out.push_str(token);
                    out.push('"');
                    copied = at + end;
                }
                at += end;
            }
            _ => at += 1,
        }
    }
    out.push_str(&json[copied..]);
    out
}

/// An object whose compact JSON has at most `most` characters. What was left out is said in
/// `_truncated`.
pub fn fit(value: Value, most: usize) -> Value {
    let length = |value: &Value| value.to_string().chars().count();
    if length(&value) <= most {
        return value;
    }
    let room = most.saturating_sub(600);
    let mut value = value;
    let mut lists: Vec<(String, usize, usize)> = Vec::new();
    let mut texts = 0_usize;
    for _ in 0..200 {
        let size = length(&value);
        if size <= room {
            return annotated(value, &lists, texts);
        }
        let mut largest = Largest::default();
        largest.look(&value, &mut Vec::new());
        let Some((cost, way)) = largest
            .list
            .clone()
            .filter(|(cost, _)| *cost >= largest.text.as_ref().map_or(0, |(cost, _)| *cost))
            .or(largest.text.clone())
        else {
            break;
        };
        let shown = way.join(".");
        match seek(&mut value, &way) {
            Some(Value::Array(items)) => {
                let total = items.len();
                // As many items as the list may cost, were all of the same size.
                let allowed = cost.saturating_sub(size - room);
                let kept = (total * allowed / cost.max(1)).clamp(1, total - 1);
                items.truncate(kept);
                match lists.iter_mut().find(|(path, ..)| *path == shown) {
                    Some(entry) => entry.1 = kept,
                    None => lists.push((shown, kept, total)),
                }
            }
            Some(Value::String(string)) => {
                let count = string.chars().count();
                let kept = count.saturating_sub(size - room + 1).max(count / 8).max(60);
                *string = text::cut(string, kept);
                texts += 1;
            }
            _ => break,
        }
    }
    // Many small members: their beginning as text is better than nothing.
    let mut start = text::cut(&value.to_string(), room / 2);
    loop {
        let whole = json!({"result": start, "_truncated": {"hint": HINT}});
        if length(&whole) <= most || start.is_empty() {
            return whole;
        }
        start = text::cut(&start, start.chars().count() / 2);
    }
}

const HINT: &str =
    "The reply was shortened. Narrow the call, or ask for one item, to see the rest.";

/// Names of arguments that say how many items come, and which.
const SIZES: &[&str] = &[
    "limit",
    "per_page",
    "page_size",
    "pagesize",
    "size",
    "count",
    "max_results",
    "first",
    "top",
    "take",
    "max",
];
const PLACES: &[&str] = &[
    "page",
    "offset",
    "cursor",
    "page_token",
    "after",
    "starting_after",
    "skip",
    "start",
    "from",
    "continuation_token",
    "next_token",
];

/// Says in the note of a value that was cut how the arguments of its tool fetch the rest; whether
/// there was anything to say.
pub fn teach(value: &mut Value, arguments: &[&str]) -> bool {
    let note = value.get_mut("_truncated").and_then(|note| note.get_mut("hint"));
    let Some(hint) = note.filter(|hint| *hint == HINT) else { return false };
    let own = |names: &[&str]| arguments.iter().find(|a| names.contains(a)).copied();
    // A cursor of the reply stands behind all of its items, those that were left out as well.
    *hint = match (own(SIZES), own(PLACES)) {
        (Some(size), Some(place)) => json!(format!(
            "The reply was shortened. Call again with a smaller `{size}`, then go on with `{place}`; what this reply says comes next is behind the items that were left out."
        )),
        (Some(size), None) => json!(format!(
            "The reply was shortened. Call again with a smaller `{size}`, or narrow the call."
        )),
        (None, Some(place)) => json!(format!(
            "The reply was shortened. Narrow the call; `{place}` goes on behind the items that were left out."
        )),
        (None, None) => return false,
    };
    true
}

fn annotated(value: Value, lists: &[(String, usize, usize)], texts: usize) -> Value {
    let mut note = Map::new();
    // A list inside a list that was cut away is of no interest.
    for (path, shown, total) in lists.iter().take(4) {
        note.insert(text::cut(path, 60), json!({"shown": shown, "total": total}));
    }
    if texts > 0 {
        note.insert("shortened texts".to_owned(), json!(texts));
    }
    note.insert("hint".to_owned(), json!(HINT));
    match value {
        Value::Object(mut members) => {
            members.insert("_truncated".to_owned(), Value::Object(note));
            Value::Object(members)
        }
        other => json!({"result": other, "_truncated": note}),
    }
}

#[derive(Default)]
struct Largest {
    list: Option<(usize, Vec<String>)>,
    text: Option<(usize, Vec<String>)>,
}

impl Largest {
    /// Returns the size; finds the largest list of at least two items and the largest long text.
    fn look(&mut self, value: &Value, way: &mut Vec<String>) -> usize {
        if way.len() > 200 {
            return value.to_string().chars().count();
        }
        match value {
            Value::String(string) => {
                let size = string.chars().count() + 2;
                if size > 120 && self.text.as_ref().is_none_or(|(most, _)| size > *most) {
                    self.text = Some((size, way.clone()));
                }
                size
            }
            Value::Array(items) => {
                let mut size = 2;
                for (at, item) in items.iter().enumerate() {
                    way.push(at.to_string());
                    size += self.look(item, way) + 1;
                    way.pop();
                }
                // Outer lists win: cutting them keeps what is left whole.
                if items.len() > 1 && self.list.as_ref().is_none_or(|(most, _)| size > *most) {
                    self.list = Some((size, way.clone()));
                }
                size
            }
            Value::Object(members) => {
                let mut size = 2;
                for (key, inner) in members {
                    way.push(key.clone());
                    size += key.chars().count() + 4 + self.look(inner, way);
                    way.pop();
                }
                size
            }
            other => other.to_string().len(),
        }
    }
}

fn seek<'a>(value: &'a mut Value, way: &[String]) -> Option<&'a mut Value> {
    let mut at = value;
    for step in way {
        at = match at {
            Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?)?,
            Value::Object(members) => members.get_mut(step)?,
            _ => return None,
        };
    }
    Some(at)
}
