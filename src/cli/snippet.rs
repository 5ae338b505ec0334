//! A finding drawn over its source.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::Sources;

/// Longest line of a document that is shown.
const LONGEST_LINE: usize = 200;

/// Draws `diagnostic`, with styles.
pub fn render(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let level = match diagnostic.code.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.id);
    let place = diagnostic.at.and_then(|at| {
        let source = sources.get(at.file)?;
        let (_, position) = sources.locate(at)?;
        Some((source, at.offset as usize, position))
    });
    let mut report = Vec::new();
    let line;
    let placed = place.is_some();
    match place {
        None => report.push(Group::with_title(title)),
        Some((source, offset, position)) => {
            let start =
                source.text[..offset.min(source.text.len())].rfind('\n').map_or(0, |i| i + 1);
            let end = source.text[start..].find('\n').map_or(source.text.len(), |i| start + i);
            line = source.text[start..end].trim_end_matches('\r');
            if line.len() > LONGEST_LINE || offset < start || offset - start >= line.len() {
                let origin = Origin::path(source.name.as_str())
                    .line(position.line)
                    .char_column(position.column);
                report.push(title.element(origin));
            } else {
                let from = offset - start;
                let to = from + word_len(&line[from..]);
                report.push(
                    title.element(
                        Snippet::source(line)
                            .line_start(position.line)
                            .path(source.name.as_str())
                            .annotation(AnnotationKind::Primary.span(from..to)),
                    ),
                );
            }
        }
    }
    if let Some(help) = &diagnostic.help {
        if !placed {
            // Below a title alone the second group would hang on a bar without a source.
            let help = [Group::with_title(Level::HELP.primary_title(help.as_str()))];
            let renderer = Renderer::styled();
            return format!("{}\n{}", renderer.render(&report), renderer.render(&help));
        }
        report.push(Group::with_title(Level::HELP.secondary_title(help.as_str())));
    }
    Renderer::styled().render(&report)
}

/// The bytes of the key or value at the start of `text`.
fn word_len(text: &str) -> usize {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let len = match quote {
        Some(q) => text[1..].find(q).map_or(text.len(), |i| i + 2),
        None => text.find([':', ' ', ',', '}', ']']).unwrap_or(text.len()),
    };
    len.max(text.chars().next().map_or(0, char::len_utf8))
}
