//! What an operation does, and whether that changes anything.

use super::facts::{Facts, is_safe};
use super::verb::{Verb, is_destructive, is_plain_verb, is_reading, is_unsafe, is_verb};
use super::words;
use crate::diagnostic::{Diagnostics, planning};
use crate::ir::{Api, Method, Operation};
use crate::plan::Effect;

/// What else is there beside an operation.
#[derive(Clone, Copy)]
pub(super) struct Beside {
    /// A PATCH of the same path.
    pub patch: bool,
    /// Anything with the collection that its path is an item of.
    pub collection: bool,
}

/// Settles verb, effect and destructiveness of `facts`; `all` are the words of its path.
pub(super) fn classify(
    diagnostics: &mut Diagnostics,
    api: &Api,
    facts: &mut Facts,
    all: &std::collections::BTreeSet<String>,
    beside: Beside,
) {
    let operation = &api.operations[facts.index];
    let method = &operation.key.method;
    let said = said(facts);
    let first = facts.phrase.as_deref().and_then(|p| p.split('_').next()).unwrap_or_default();
    let first = first.to_owned();
    facts.effect = if let Some(asked) = facts.asked {
        let does = match asked {
            Effect::Read => "reading",
            Effect::Write => "writing",
        };
        facts.notes.push(format!("`{}` counts as {does}: `mcp-gen.yaml` says so.", facts.key));
        asked
    } else if is_safe(method) {
        match unsafe_word(facts, all, &said) {
            Some((word, place)) => {
                diagnostics
                    .report(
                        &planning::READ_METHOD_WRITES,
                        Some(operation.at),
                        operation.pointer.clone(),
                        format!(
                            "`{}` is taken to write: `{word}` in its {place} says so",
                            facts.key
                        ),
                    )
                    .help(
                        "if it only reads, give it an `operationId` that says so: `get…`, `list…`",
                    );
                facts.notes.push(format!(
                    "`{}` counts as writing although its method is {}, because of `{word}` in its {place}.",
                    facts.key,
                    method.as_str()
                ));
                Effect::Write
            }
            None => Effect::Read,
        }
    } else if *method == Method::Post && only_reads(operation, &first, &said) {
        facts.notes.push(format!(
            "`{}` counts as reading although its method is POST, because of `{}` and because it answers no 201.",
            facts.key,
            if is_reading(&first) { &first } else { &said }
        ));
        Effect::Read
    } else {
        Effect::Write
    };
    facts.verb = verb(api, operation, facts, &first, beside);
    facts.destructive = facts.effect == Effect::Write
        && (*method == Method::Delete || is_destructive(&first) || is_destructive(&said));
    if facts.phrase.is_none() && !facts.id_words.is_empty() {
        // An identifier that says more than the method does.
        if let Verb::Other(word) = &facts.verb
            && *word == said
        {
            facts.phrase = Some(word.clone());
        }
    }
}

/// The verb that identifier or summary begin with.
fn said(facts: &Facts) -> String {
    let lead = |words: &[String]| words.first().filter(|w| is_verb(w)).cloned();
    if facts.id_words.is_empty() {
        lead(&facts.summary_words).unwrap_or_default()
    } else {
        lead(&facts.id_words).unwrap_or_default()
    }
}

/// The word by which a safe method turns out to change something, and where it stands.
fn unsafe_word(
    facts: &Facts,
    all: &std::collections::BTreeSet<String>,
    said: &str,
) -> Option<(String, &'static str)> {
    // Nothing of what these reach is known to be read only.
    if let Some(word) = all.iter().find(|w| matches!(w.as_str(), "exec" | "proxy" | "portforward"))
    {
        return Some((word.clone(), "path"));
    }
    let reads = matches!(
        said,
        "get"
            | "list"
            | "read"
            | "fetch"
            | "find"
            | "search"
            | "show"
            | "retrieve"
            | "describe"
            | "view"
            | "download"
            | "check"
            | "count"
            | "query"
    );
    if reads && !facts.id_words.is_empty() {
        return None;
    }
    let phrase = facts.phrase.as_deref().and_then(|p| p.split('_').next());
    if let Some(word) = phrase.filter(|w| is_unsafe(w)) {
        return Some((word.to_owned(), "path"));
    }
    let place = if facts.id_words.is_empty() { "summary" } else { "`operationId`" };
    let surely = is_unsafe(said) && (is_plain_verb(said) || place != "summary");
    surely.then(|| (said.to_owned(), place))
}

fn only_reads(operation: &Operation, first: &str, said: &str) -> bool {
    let creates = operation.responses.iter().any(|r| r.status == "201");
    // A summary alone is too weak here: `Get or create …`.
    let by_id = operation.id.is_some() && is_reading(said);
    let contradicted = !first.is_empty() && !is_reading(first) && is_verb(first);
    !creates && !contradicted && (is_reading(first) || by_id)
}

fn verb(api: &Api, operation: &Operation, facts: &Facts, first: &str, beside: Beside) -> Verb {
    let said = facts.id_words.first().filter(|w| is_verb(w)).map_or("", String::as_str);
    let own = Verb::of(if first.is_empty() { said } else { first });
    if is_safe(&operation.key.method) {
        let changes = matches!(own, Verb::Create | Verb::Update | Verb::Replace | Verb::Delete);
        match facts.effect {
            // `GET …/change-password` shows a page; nothing is known to change.
            Effect::Read if changes => return Verb::Get,
            Effect::Write if !said.is_empty() && first.is_empty() => return own,
            Effect::Read | Effect::Write => {}
        }
    }
    if !first.is_empty() {
        return own;
    }
    match &operation.key.method {
        Method::Get | Method::Head | Method::Options | Method::Trace | Method::Query => match own {
            // `findCategory` with the name of one in its path gets it.
            Verb::List | Verb::Search if !facts.item => own,
            // `listByEndpoint` says of what; a path that ends in the endpoint takes nothing from that.
            Verb::List if facts.id_words.iter().any(|w| matches!(w.as_str(), "by" | "for")) => own,
            Verb::Other(word) if is_plain_verb(&word) => Verb::Other(word),
            _ if facts.item => Verb::Get,
            _ if is_many(api, operation, facts) => Verb::List,
            _ => Verb::Get,
        },
        Method::Post => match own {
            Verb::Create | Verb::Update | Verb::Delete | Verb::Search | Verb::List => own,
            Verb::Get if facts.effect == Effect::Read => own,
            Verb::Other(word) if word == "add" && !facts.item => Verb::Create,
            Verb::Other(word) if is_verb(&word) => Verb::Other(word),
            // Without a collection there is nothing that it could have been created in before.
            _ if facts.item && beside.collection => Verb::Update,
            _ => Verb::Create,
        },
        Method::Put => match own {
            Verb::Update if beside.patch => Verb::Replace,
            Verb::Update | Verb::Create => own,
            Verb::Other(word) if is_verb(&word) => Verb::Other(word),
            _ if beside.patch => Verb::Replace,
            _ if facts.item || facts.sections.is_empty() => Verb::Update,
            _ => Verb::Replace,
        },
        Method::Patch => match own {
            Verb::Other(word) if is_verb(&word) => Verb::Other(word),
            _ => Verb::Update,
        },
        Method::Delete => match own {
            Verb::Other(word) if is_verb(&word) && word != "remove" => Verb::Other(word),
            _ => Verb::Delete,
        },
        Method::Other(name) => Verb::Other(words::snake(name)),
    }
}

/// Whether what is read is a list: by its words, its answer, or a plural at its end.
fn is_many(api: &Api, operation: &Operation, facts: &Facts) -> bool {
    match facts.id_words.first().map(String::as_str) {
        Some("list" | "search") => return true,
        Some("get" | "read" | "fetch" | "retrieve" | "show") if facts.id_words.len() > 1 => {
            let last = facts.id_words.last().map_or("", String::as_str);
            if words::singular(last) != last {
                return true;
            }
        }
        _ => {}
    }
    let answer = operation.responses.iter().find(|r| r.status.starts_with('2'));
    let schema = answer.and_then(|r| r.contents.iter().find_map(|c| c.schema));
    if schema.is_some_and(|id| api.schema(id).types.array) {
        return true;
    }
    let last = facts.sections.last().unwrap_or(&facts.label);
    let label = if facts.sections.is_empty() { &facts.label } else { last };
    let tail = operation.key.path.rsplit('/').find(|s| !s.is_empty()).unwrap_or_default();
    let tail = words::snake(tail.split('.').next().unwrap_or_default());
    words::singular_name(&tail) != tail || words::singular_name(label) != *label
}
