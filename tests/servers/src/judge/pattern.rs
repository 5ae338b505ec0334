//! A text that a `pattern` takes.

use regex_syntax::hir::{Class, Hir, HirKind};

/// A text of at least `least` characters that `pattern` takes somewhere, as far as that can be seen
/// without looking around; `None` when the pattern is of another dialect.
pub fn sample(pattern: &str, least: usize) -> Option<String> {
    let hir = regex_syntax::parse(pattern).ok()?;
    // What may repeat does so more often until the text is long enough.
    let texts = (0..=least).filter_map(|more| {
        let mut text = String::new();
        write(&hir, more, &mut text)?;
        Some(text)
    });
    let mut last = None;
    for text in texts {
        let long = text.chars().count() >= least;
        last = Some(text);
        if long {
            break;
        }
    }
    last
}

fn write(hir: &Hir, more: usize, out: &mut String) -> Option<()> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(class) => out.push(one(class)?),
        HirKind::Repetition(repetition) => {
            let most = repetition.max.map_or(usize::MAX, |most| most as usize);
            let times = (repetition.min as usize).max(more.min(most));
            for _ in 0..times {
                write(&repetition.sub, 0, out)?;
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, more, out)?,
        HirKind::Concat(parts) => {
            for part in parts {
                write(part, more, out)?;
            }
        }
        HirKind::Alternation(choices) => write(choices.first()?, more, out)?,
    }
    Some(())
}

/// A letter or a digit where the class has one.
fn one(class: &Class) -> Option<char> {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.iter().map(|r| (r.start(), r.end())).collect(),
        Class::Bytes(class) => class.iter().map(|r| (r.start() as char, r.end() as char)).collect(),
    };
    let has = |c: char| ranges.iter().any(|(start, end)| (*start..=*end).contains(&c));
    let first = ranges.first().map(|(start, _)| *start);
    ('a'..='z').chain('A'..='Z').chain('1'..='9').find(|c| has(*c)).or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_has_a_text_that_it_takes() {
        for (pattern, least, text) in [
            ("^r[0-9]+$", 0, "r1"),
            ("^[A-Z]{2}$", 0, "AA"),
            ("^(a|b)-\\d{3}(x?)$", 0, "a-111"),
            ("^[a-z]*$", 4, "aaaa"),
        ] {
            assert_eq!(sample(pattern, least).as_deref(), Some(text), "{pattern}");
        }
        assert_eq!(sample("^(?!a)b$", 0), None);
    }
}
