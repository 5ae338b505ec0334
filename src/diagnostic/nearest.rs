//! What a person may have meant.

/// The one of `known` that `word` is a slip of, if any.
pub fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let word = word.to_ascii_lowercase();
    if word.len() > 40 {
        return None;
    }
    let (distance, found) =
        known.iter().map(|k| (distance(&word, &k.to_ascii_lowercase()), *k)).min()?;
    (distance <= 2 && distance < word.chars().count()).then_some(found)
}

/// How many letters must be changed, added, left out or swapped with the next one.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + same);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_one_or_two_letters_has_a_nearest_word() {
        let known = ["name", "title", "parameters"];
        for (word, near) in [
            ("nmae", Some("name")),
            ("Name", Some("name")),
            ("paramters", Some("parameters")),
            ("titel", Some("title")),
            ("colour", None),
            ("", None),
            ("t", None),
        ] {
            assert_eq!(nearest(word, &known), near, "{word}");
        }
    }
}
