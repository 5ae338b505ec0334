//! Text to [`Node`]s, whichever of JSON and YAML it is.

use std::collections::HashSet;

use super::comments::without_comments;
use super::json;
use crate::diagnostic::{Diagnostics, reading};
use crate::source::{At, Fault, Limits, Node, Parsed, Pointer, Value, yaml};

/// Parses `text`, which is document `file`.
pub(super) fn parse(
    diagnostics: &mut Diagnostics,
    file: u32,
    text: &str,
    limits: &Limits,
) -> Result<Node, Fault> {
    if text.len() > limits.bytes {
        return Err(Fault {
            offset: 0,
            message: format!("the document is larger than {} bytes", limits.bytes),
            limit: true,
        });
    }
    let visible = text.trim_start_matches('\u{feff}').trim_start();
    let commented = visible.starts_with("//") || visible.starts_with("/*");
    let parsed = if visible.starts_with(['{', '[']) || commented {
        match json::parse(file, text, limits) {
            Ok(parsed) => parsed,
            Err(fault) if fault.limit => return Err(fault),
            Err(fault) => {
                let stripped = without_comments(text);
                let rest = stripped.as_ref().map_or(text, |(rest, _)| rest);
                let json = stripped.as_ref().and_then(|_| json::parse(file, rest, limits).ok());
                // JSON with trailing commas is YAML often enough.
                let as_json = json.is_some();
                let parsed = json.or_else(|| yaml::parse(file, rest, limits).ok());
                let Some(parsed) = parsed else { return Err(fault) };
                let (offset, message) = match &stripped {
                    Some((_, first)) if as_json => {
                        (*first, "comments are not valid JSON; they are skipped".to_owned())
                    }
                    _ => (fault.offset, format!("not valid JSON, read as YAML: {}", fault.message)),
                };
                let at = At { file, offset: u32::try_from(offset).unwrap_or(u32::MAX) };
                let code = &reading::JSON_READ_AS_YAML;
                diagnostics.report(code, Some(at), Pointer::default(), message);
                parsed
            }
        }
    } else {
        yaml::parse(file, text, limits)?
    };
    for at in &parsed.lost {
        let message = "what `<<` merges must be an object; it is left out";
        diagnostics.report(
            &reading::UNEXPECTED_VALUE,
            Some(*at),
            Pointer::default(),
            message.to_owned(),
        );
    }
    if !parsed.duplicates.is_empty() {
        report_duplicates(diagnostics, &parsed);
    }
    Ok(parsed.root)
}

/// How many repeated keys of one document are reported one by one.
const DUPLICATES: usize = 100;

fn report_duplicates(diagnostics: &mut Diagnostics, parsed: &Parsed) {
    let wanted: HashSet<At> = parsed.duplicates.iter().copied().collect();
    let mut open = vec![(&parsed.root, Pointer::default())];
    let mut count = 0;
    while let Some((node, pointer)) = open.pop() {
        match &node.value {
            Value::Object(map) => {
                for (key, child) in map {
                    let place = pointer.child(key);
                    if wanted.contains(&child.key) && count < DUPLICATES {
                        count += 1;
                        let message =
                            format!("key `{key}` stands twice in one object; the last one counts");
                        diagnostics
                            .report(
                                &reading::DUPLICATE_KEY,
                                Some(child.key),
                                place.clone(),
                                message,
                            )
                            .help("remove one of them");
                    }
                    open.push((child, place));
                }
            }
            Value::Array(items) => {
                open.extend(items.iter().enumerate().map(|(i, n)| (n, pointer.index(i))));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    if count < wanted.len() {
        let more = wanted.len() - count;
        diagnostics.report(
            &reading::DUPLICATE_KEY,
            Some(parsed.root.at),
            Pointer::default(),
            format!("{more} more keys stand twice in one object"),
        );
    }
}
