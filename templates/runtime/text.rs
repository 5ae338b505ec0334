//! Words to the model: cleaning, cutting and guessing what was meant.

/// Removes control characters, terminal escapes, and characters that hide or reorder text.
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => skip_escape(&mut chars),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push('\n'),
            '\n' | '\t' => out.push(c),
            c if is_unseen(c) => {}
            c => out.push(c),
        }
    }
    out
}

/// Whether anything in the text would be changed by [`clean`].
pub fn is_clean(text: &str) -> bool {
    !text
        .chars()
        .any(|c| c != '\n' && c != '\t' && (is_unseen(c) || matches!(c, '\u{2028}' | '\u{2029}')))
}

fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
        || matches!(c, '\u{e0000}'..='\u{e007f}')
}

fn skip_escape(chars: &mut std::iter::Peekable<std::str::Chars>) {
    match chars.peek() {
        Some('[') => {
            chars.next();
            for c in chars.by_ref() {
                if ('\u{40}'..='\u{7e}').contains(&c) {
                    break;
                }
            }
        }
        Some(']') => {
            for c in chars.by_ref() {
                if c == '\u{7}' || c == '\n' {
                    break;
                }
                if c == '\u{1b}' {
                    chars.next_if_eq(&'\\');
                    break;
                }
            }
        }
        _ => {}
    }
}

/// At most `most` characters; `…` stands for what was cut.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(std::iter::once('…')).collect(),
    }
}

/// Names in backticks with commas.
pub fn names<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    if quoted.is_empty() { "none".to_owned() } else { quoted.join(", ") }
}

/// The known name that was probably meant.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = fold(name);
    let most = (plain.chars().count() / 3).clamp(1, 4);
    known
        .into_iter()
        .map(|candidate| (distance(&plain, &fold(candidate)), candidate))
        .filter(|(far, candidate)| {
            *far <= most || (plain.len() > 3 && fold(candidate).contains(&plain))
        })
        .min_by_key(|(far, _)| *far)
        .map(|(_, candidate)| candidate)
}

fn fold(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(64).collect()
}

/// Letters that must be added, left out, changed, or swapped with their neighbour.
fn distance(left: &str, right: &str) -> usize {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let mut rows = vec![(0..=right.len()).collect::<Vec<usize>>()];
    for i in 1..=left.len() {
        let mut row = vec![i];
        for j in 1..=right.len() {
            let changed = rows[i - 1][j - 1] + usize::from(left[i - 1] != right[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            let swapped =
                i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
            if swapped {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[left.len()][right.len()]
}
