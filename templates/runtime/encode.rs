//! Percent-encoding.

use std::fmt::Write as _;

/// Encodes everything but letters, digits and `-._~`.
pub fn strict(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        push(&mut out, byte, is_unreserved(byte));
    }
    out
}

/// Encodes for `allowReserved`: reserved characters and `%XX` stay, except those that would change
/// the structure of a query.
pub fn reserved(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    for (at, &byte) in bytes.iter().enumerate() {
        let kept = match byte {
            b'%' => {
                bytes.get(at + 1..at + 3).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit))
            }
            _ => is_unreserved(byte) || b":/?@!$'()*,;".contains(&byte),
        };
        push(&mut out, byte, kept);
    }
    out
}

/// Decodes `%XX` once; what is no valid triple stays. `None` when the result is not UTF-8.
pub fn decode(text: &str) -> Option<String> {
    String::from_utf8(decode_bytes(text)).ok()
}

/// Decodes `%XX` once; what is no valid triple stays.
pub fn decode_bytes(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 3).and_then(|two| std::str::from_utf8(two).ok());
        match (bytes[at], digits.and_then(|two| u8::from_str_radix(two, 16).ok())) {
            (b'%', Some(value)) if bytes[at + 1] != b'+' => {
                out.push(value);
                at += 3;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

fn push(out: &mut String, byte: u8, kept: bool) {
    if kept {
        out.push(char::from(byte));
    } else {
        // Writing to a string cannot fail.
        let _ = write!(out, "%{byte:02X}");
    }
}
