//! Text of documents made fit for a model: one line, no markup, nothing invisible.

/// Stands for the end of a paragraph until the text is on one line.
const BREAK: char = '\u{1}';

/// The text without markdown, HTML, control, bidirectional and invisible characters, on one line. A
/// paragraph that no punctuation ends gets a full stop where a sentence follows.
pub fn clean(text: &str) -> String {
    let mut lines = Vec::new();
    let mut headings = Vec::new();
    let mut fenced = false;
    let end: &str = &BREAK.to_string();
    let text = text.replace(BREAK, " ");
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
        } else if fenced || line.starts_with('|') || is_rule(line) {
            // Listings and tables cost more words than they tell.
        } else if line.is_empty() {
            lines.push(end);
        } else if let Some(heading) = line.strip_prefix('#') {
            lines.push(end);
            headings.push(heading.trim_matches(|c: char| c == '#' || c.is_whitespace()));
        } else {
            lines.push(item(line));
        }
    }
    let mut joined = lines.join(" ");
    if joined.trim_matches(|c: char| c == BREAK || c.is_whitespace()).is_empty() {
        joined = headings.join(". ");
    }
    let plain = entities(&links(&tags(&joined)));
    let mut out = String::with_capacity(plain.len());
    let mut space = true;
    let mut broken = false;
    for c in plain.chars() {
        if c == BREAK {
            broken = true;
        }
        if is_invisible(c) {
            continue;
        }
        if c.is_whitespace() || c.is_control() {
            if !space {
                out.push(' ');
                space = true;
            }
        } else {
            let starts = std::mem::take(&mut broken) && c.is_uppercase();
            if starts && out.trim_end().ends_with(|c: char| c.is_alphanumeric() || c == ')') {
                out.truncate(out.trim_end().len());
                out.push_str(". ");
            }
            out.push(c);
            space = false;
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// The start of a long text: more than any reader is shown, even after markup went.
pub fn start(text: &str) -> &str {
    let mut end = text.len().min(2_400);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Whether a character shows nothing and may change what a reader sees around it.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}')
}

fn is_rule(line: &str) -> bool {
    line.len() >= 3 && line.chars().all(|c| matches!(c, '-' | '=' | '*' | '_'))
}

fn item(line: &str) -> &str {
    let line = line.trim_start_matches('>').trim_start();
    for mark in ["* ", "- ", "+ "] {
        if let Some(rest) = line.strip_prefix(mark) {
            return rest;
        }
    }
    line
}

/// Removes HTML tags and comments.
fn tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let (before, from) = rest.split_at(start);
        out.push_str(before);
        let next = from[1..].chars().next();
        let tag = next.is_some_and(|c| c.is_ascii_alphabetic() || c == '/' || c == '!');
        // A tag is short; a lone `<` is a sign.
        let end = from.char_indices().take(400).find(|(_, c)| *c == '>').map(|(i, _)| i);
        match end {
            Some(end) if tag && !is_placeholder(&from[1..end]) => {
                out.push(if ends_paragraph(&from[1..end]) { BREAK } else { ' ' });
                rest = &from[end + 1..];
            }
            _ => {
                out.push('<');
                rest = &from[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Whether a tag closes an element that stands on lines of its own.
fn ends_paragraph(inner: &str) -> bool {
    const BLOCKS: &[&str] =
        &["/p", "/div", "/h1", "/h2", "/h3", "/h4", "/h5", "/h6", "/ul", "/ol", "/table"];
    BLOCKS.iter().any(|block| inner.trim().eq_ignore_ascii_case(block))
}

/// `<your-token>` in running text is no tag: no element has such a name.
fn is_placeholder(inner: &str) -> bool {
    let name: &str = inner.split_whitespace().next().unwrap_or_default();
    let name = name.trim_matches('/');
    let known = [
        "a",
        "abbr",
        "article",
        "aside",
        "b",
        "big",
        "blockquote",
        "body",
        "br",
        "button",
        "center",
        "cite",
        "code",
        "dd",
        "del",
        "details",
        "dfn",
        "div",
        "dl",
        "dt",
        "em",
        "font",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "head",
        "header",
        "hr",
        "html",
        "i",
        "iframe",
        "img",
        "input",
        "ins",
        "kbd",
        "label",
        "li",
        "link",
        "main",
        "mark",
        "meta",
        "nav",
        "ol",
        "option",
        "p",
        "pre",
        "q",
        "s",
        "samp",
        "script",
        "section",
        "select",
        "small",
        "span",
        "strong",
        "style",
        "sub",
        "summary",
        "sup",
        "svg",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "title",
        "tr",
        "tt",
        "u",
        "ul",
        "var",
        "video",
    ];
    !name.starts_with('!') && !known.contains(&name.to_ascii_lowercase().as_str())
}

/// Writes `[text](url)` as `text`, removes images and marks of emphasis.
fn links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('[') {
        let (before, from) = rest.split_at(start);
        let close = from.char_indices().take(300).find(|(_, c)| *c == ']').map(|(i, _)| i);
        let target = close.and_then(|close| {
            let after = from[close + 1..].strip_prefix('(')?;
            let end = after.char_indices().take(2_000).find(|(_, c)| *c == ')').map(|(i, _)| i)?;
            Some((close, close + 2 + end + 1))
        });
        if let Some((close, end)) = target {
            if let Some(before) = before.strip_suffix('!') {
                out.push_str(before);
            } else {
                out.push_str(before);
                out.push_str(&from[1..close]);
            }
            rest = &from[end..];
        } else {
            out.push_str(before);
            out.push('[');
            rest = &from[1..];
        }
    }
    out.push_str(rest);
    out.replace("**", "").replace("\\_", "_").replace("\\*", "*")
}

fn entities(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let pairs = [
        ("&nbsp;", " "),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&apos;", "'"),
        ("&amp;", "&"),
    ];
    pairs.iter().fold(text.to_owned(), |t, (from, to)| t.replace(from, to))
}

/// The text in at most `cap` characters: cut after a sentence where one ends late enough, else
/// after a word, and closed with `…`.
pub fn cut(text: &str, cap: usize) -> String {
    if text.chars().nth(cap).is_none() {
        return text.to_owned();
    }
    let room = cap.saturating_sub(2);
    let end = text.char_indices().nth(room).map_or(text.len(), |(i, _)| i);
    let head = &text[..end];
    let sentence = sentence_ends(head).last().filter(|e| *e * 5 >= head.len() * 2);
    if let Some(at) = sentence {
        return format!("{} …", head[..at].trim_end());
    }
    let word = head.rfind(' ').filter(|i| *i * 2 >= head.len()).unwrap_or(head.len());
    let kept = head[..word]
        .trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '(' | '-'));
    format!("{kept}…")
}

/// The first sentence, without its full stop.
pub fn first_sentence(text: &str) -> &str {
    let end = sentence_ends(text).next().unwrap_or(text.len());
    text[..end].trim_end().trim_end_matches(['.', '。', ':'])
}

/// Byte offsets after the full stops that end a sentence within `text`.
fn sentence_ends(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.char_indices().filter_map(move |(i, c)| {
        let after = i + c.len_utf8();
        let wide = matches!(c, '。' | '！' | '？');
        if !(wide || matches!(c, '.' | '!' | '?')) {
            return None;
        }
        let next = &text[after..];
        let word = text[..i].rsplit(' ').next().unwrap_or_default().trim_start_matches('(');
        let short = ["e.g", "i.e", "etc", "vs", "cf", "approx", "incl", "no", "ca"];
        let ends = next.starts_with(' ') && !short.contains(&word.to_ascii_lowercase().as_str());
        (wide || ends).then_some(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(clean(text), expected);
    }

    #[test]
    fn markup_goes_and_words_stay() {
        check("Get **one** [pet](http://x/y).<br/>\n\n* by `id`", "Get one pet. by `id`");
        check("# Title\n\nText &amp; more", "Text & more");
        check("# Only a title", "Only a title");
        check("```\ncode\n```\nUse <your-token> if 1 < 2", "Use <your-token> if 1 < 2");
        check("![logo](x.png) A", "A");
    }

    #[test]
    fn a_paragraph_is_a_sentence() {
        check(
            "Retrieve penalties\n\n### Test data\n<p>Only in the sandbox</p>",
            "Retrieve penalties. Only in the sandbox",
        );
        check(
            "<p align='right'>status: <b>stable</b></p>\n\nReturn addresses",
            "status: stable. Return addresses",
        );
        // What goes on in small letters, and what is closed, is left alone.
        check("Either\n\nof both.\n\nOr: \n\nNone", "Either of both. Or: None");
    }

    #[test]
    fn t2_controls_bidi_and_invisible_characters_go() {
        check("a\u{0}b\u{202e}c\u{200b}d\u{e0041}e\r\nf", "a bcde f");
    }

    #[test]
    fn t3_a_cut_ends_after_a_sentence_and_says_so() {
        assert_eq!(cut("One two. Three four five.", 14), "One two. …");
        assert_eq!(cut("One two three four", 12), "One two…");
        assert_eq!(cut("short", 5), "short");
        assert!(cut(&"ä".repeat(900), 512).chars().count() <= 512);
    }

    #[test]
    fn the_first_sentence_ends_where_a_reader_would_end_it() {
        assert_eq!(first_sentence("Lists pets, e.g. cats. Also dogs."), "Lists pets, e.g. cats");
        assert_eq!(first_sentence("v1.2 of it"), "v1.2 of it");
    }
}
