//! What a text of a document tells of an operation, and what it says of all of them.

use std::collections::BTreeSet;

use super::text::{singular, words};
use super::verb::is_verb;
use crate::ir::Api;
use crate::ir::prose::{clean, first_sentence, start};

/// What a summary or description begins with, where it says anything.
pub(super) fn telling(text: Option<&str>) -> Option<String> {
    let text = clean(start(text?));
    let first = first_telling(&text);
    first.contains(char::is_alphanumeric).then(|| first.to_owned())
}

/// First sentences that stand at several operations of one path: they describe the path, and which
/// of the operations looks up and which deletes is not in them.
pub(super) fn repeated(api: &Api) -> BTreeSet<String> {
    let mut seen: BTreeSet<(&str, String)> = BTreeSet::new();
    let mut repeated = BTreeSet::new();
    for operation in &api.operations {
        let texts = [&operation.summary, &operation.description].map(|t| telling(t.as_deref()));
        for text in texts.into_iter().flatten().collect::<BTreeSet<_>>() {
            // `Update a pet` may be said of PUT and of PATCH.
            let says = words(without_lead(&text)).first().is_some_and(|w| is_verbal(w));
            if !seen.insert((&operation.key.path, text.clone())) && !says {
                repeated.insert(text);
            }
        }
    }
    repeated
}

/// Whether a word is a verb, also of the third person: `cancel`, `cancels`.
pub(super) fn is_verbal(word: &str) -> bool {
    is_verb(word) || is_verb(&singular(word)) || word.strip_suffix('s').is_some_and(is_verb)
}

/// A sentence without `This endpoint` and the like before it, which every operation could say.
pub(super) fn without_lead(text: &str) -> &str {
    const LEADS: &[&str] = &[
        "this endpoint ",
        "this method ",
        "this operation ",
        "this api ",
        "this request ",
        "this call ",
        "api endpoint ",
        "endpoint ",
        "allows you to ",
        "allows to ",
        "allows ",
        "lets you ",
        "enables you to ",
        "is used to ",
        "can be used to ",
        "use this endpoint to ",
        "used to ",
        "you can ",
        "will ",
        "for accessing ",
        "for ",
        "that ",
        "which ",
        "to ",
    ];
    let mut rest = text;
    let mut led = false;
    while let Some(lead) = LEADS.iter().find(|l| {
        let at_start =
            led || !matches!(**l, "for " | "that " | "which " | "to " | "will " | "for accessing ");
        at_start && rest.get(..l.len()).is_some_and(|s| s.eq_ignore_ascii_case(l))
    }) {
        rest = &rest[lead.len()..];
        led = true;
    }
    if rest.chars().filter(|c| c.is_alphanumeric()).count() < 8 { text } else { rest }
}

/// The first sentence that is no question and no label: `New here? Read the guide.` is no summary,
/// and behind `Access: any user.` comes what is done.
fn first_telling(text: &str) -> &str {
    let mut rest = text;
    loop {
        let first = first_sentence(rest);
        if first.ends_with('?') {
            return "";
        }
        if !is_label(first) {
            return first;
        }
        rest = rest[first.len()..].trim_start_matches(|c: char| !c.is_alphanumeric());
    }
}

/// Whether a sentence tells who may do something or how settled it is, and not what is done.
fn is_label(sentence: &str) -> bool {
    const LABELS: &[&str] = &[
        "access",
        "auth",
        "authentication",
        "authorization",
        "permission",
        "permissions",
        "rate limit",
        "required permission",
        "required permissions",
        "required scope",
        "required scopes",
        "role",
        "roles",
        "scope",
        "scopes",
        "stability",
        "status",
    ];
    let label = sentence.split_once(':').map(|(label, _)| label.trim().to_ascii_lowercase());
    label.is_some_and(|l| LABELS.contains(&l.as_str()))
}

#[cfg(test)]
mod tests {
    use super::{telling, without_lead};

    #[test]
    fn a_label_is_no_summary() {
        let told = |text| telling(Some(text)).unwrap_or_default();
        assert_eq!(told("**Access:** Admins only.\n\nDeletes an event."), "Deletes an event");
        assert_eq!(told("<p>status: <b>stable</b></p>\n\nReturn addresses"), "Return addresses");
        assert_eq!(told("**Access:** Admins only."), "");
        assert_eq!(told("Status: the state of a job"), "");
        assert_eq!(told("Export: all jobs"), "Export: all jobs");
    }

    #[test]
    fn what_every_operation_could_say_is_not_said() {
        assert_eq!(without_lead("This endpoint creates a draft"), "creates a draft");
        assert_eq!(without_lead("You can list all invoices"), "list all invoices");
        assert_eq!(without_lead("API endpoint for accessing a list of parts"), "a list of parts");
        // What is left would say nothing.
        assert_eq!(without_lead("This endpoint to it"), "This endpoint to it");
        assert_eq!(without_lead("To list pets, call this"), "To list pets, call this");
    }
}
