//! Comments in JSON: not JSON, but often there.

/// `text` with blanks for its comments, and where the first one begins; `None` when there is none.
/// Places stay where they are.
///
/// `//` and `/*` are comments where a value of JSON or YAML could not go on: not in quotes, and not
/// behind a letter or a colon, as in `{url: http://example.com/*}`.
pub(super) fn without_comments(text: &str) -> Option<(String, usize)> {
    let mut bytes = text.as_bytes().to_vec();
    let mut first = None;
    let mut at = 0;
    let mut before = b' ';
    while at < bytes.len() {
        let byte = bytes[at];
        let quote = byte == b'"' || (byte == b'\'' && ends_a_token(before));
        if quote {
            at = end_of_quotes(&bytes, at);
            before = byte;
            continue;
        }
        let second = bytes.get(at + 1).copied();
        if byte == b'/' && ends_a_token(before) && matches!(second, Some(b'/' | b'*')) {
            let end = if second == Some(b'/') {
                bytes[at..].iter().position(|b| matches!(b, b'\n' | b'\r')).map(|n| at + n)
            } else {
                bytes[at + 2..].windows(2).position(|two| two == b"*/").map(|n| at + n + 4)
            };
            let end = end.unwrap_or(bytes.len());
            for b in &mut bytes[at..end] {
                if !matches!(*b, b'\n' | b'\r') {
                    *b = b' ';
                }
            }
            first = first.or(Some(at));
            (at, before) = (end, b' ');
            continue;
        }
        (at, before) = (at + 1, byte);
    }
    // Whole characters were blanked, so what is left is text.
    Some((String::from_utf8(bytes).ok()?, first?))
}

/// Whether a value cannot go on behind this byte.
fn ends_a_token(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b",{}[]\"'".contains(&byte)
}

/// The place behind the quotes that begin at `at`.
fn end_of_quotes(bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    let mut end = at + 1;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'\\' if quote == b'"' => end += 1,
            b if *b == quote => return end + 1,
            _ => {}
        }
        end += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_blanked_and_nothing_else() {
        for (text, expected) in [
            ("{// é\n\"a\": 1}", Some("{     \n\"a\": 1}")),
            ("{\"a\": 1, // b\n\"c\": 2}", Some("{\"a\": 1,     \n\"c\": 2}")),
            ("/* x\ny */{}", Some("    \n    {}")),
            ("{\"a\": \"// \\\" /* no */\"}", None),
            ("{a: 'it // is'}", None),
            ("{url: http://a/*}", None),
            ("{\"a\": 1} // don't", Some("{\"a\": 1}         ")),
            ("{\"a\"/* b */: 1}", Some("{\"a\"       : 1}")),
            ("{} /* open", Some("{}        ")),
        ] {
            let found = without_comments(text).map(|(text, _)| text);
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
