//! What an operation does, and whether that changes anything.

use super::facts::{Facts, is_safe};
use super::verb::{Verb, is_bulk, is_plain_verb, is_reading, is_unsafe, is_verb};
use super::words;
use crate::diagnostic::{Diagnostics, planning};
use crate::ir::{Api, Method, Operation, Schema, ends, takes_away};
use crate::plan::Effect;

/// What else is there beside an operation.
#[derive(Clone, Copy)]
pub(super) struct Beside {
    /// A PATCH of the same path.
    pub patch: bool,
    /// Anything with the collection that its path is an item of.
    pub collection: bool,
    /// Whether the GET of the same path that says the same of itself has a body.
    pub twin: Option<bool>,
    /// A document that calls procedures.
    pub procedure: bool,
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
    name_bulk(facts, method);
    let first = deed(facts.phrase.as_deref().unwrap_or_default()).to_owned();
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
    } else if let Some(word) = (*method == Method::Post)
        .then(|| reading_word(operation, facts, &first, &said, beside))
        .flatten()
    {
        facts.notes.push(format!(
            "`{}` counts as reading although its method is POST, because of {word} and because it answers no 201.",
            facts.key
        ));
        Effect::Read
    } else {
        Effect::Write
    };
    facts.verb = verb(api, operation, facts, &first, beside);
    if facts.effect == Effect::Read && facts.asked.is_none() {
        name_reading(api, operation, facts);
    }
    facts.destructive = facts.effect == Effect::Write
        && (*method == Method::Delete
            || [first.as_str(), said.as_str(), told(facts)].into_iter().any(ends_here));
    if facts.phrase.is_none() && !facts.id_words.is_empty() {
        // An identifier that says more than the method does.
        if let Verb::Other(word) = &facts.verb
            && *word == said
        {
            facts.phrase = Some(word.clone());
        }
    }
}

/// Whether a thing is gone after a deed, also where the word for it is not English.
fn ends_here(word: &str) -> bool {
    ends(super::verb::english(word))
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
            | "preview"
    );
    if reads && !facts.id_words.is_empty() {
        return None;
    }
    // `GET /pulls/{id}/merge`: `Check if a pull request has been merged`.
    if matches!(told(facts), "check" | "preview" | "download" | "list") {
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

/// The deed that a phrase names: `delete` of `bulk_delete`.
fn deed(phrase: &str) -> &str {
    let mut words = phrase.split('_');
    match words.next() {
        Some(many) if is_bulk(many) || many == "multi" => words.next().unwrap_or(phrase),
        first => first.unwrap_or_default(),
    }
}

/// `DELETE /cards/bulk` deletes in bulk.
fn name_bulk(facts: &mut Facts, method: &Method) {
    let does = match method {
        Method::Delete => "delete",
        Method::Put | Method::Patch => "update",
        Method::Post => match Verb::of(told(facts)) {
            Verb::Create => "create",
            Verb::Update => "update",
            Verb::Delete => "delete",
            Verb::Other(word) if !word.is_empty() => {
                // `POST /exports/batch`: `Start recording export batch`.
                if let Some(phrase) = facts.phrase.as_mut().filter(|p| is_bulk(p)) {
                    *phrase = format!("{word}_{phrase}");
                }
                return;
            }
            _ => return,
        },
        _ => return,
    };
    if let Some(phrase) = facts.phrase.as_mut().filter(|p| is_bulk(p)) {
        *phrase = format!("{phrase}_{does}");
    }
}

/// `GET /users:stats` gets statistics; `GET …/cancel_post_capture` cancels nothing: what only reads
/// says so first.
fn name_reading(api: &Api, operation: &Operation, facts: &mut Facts) {
    let Some(phrase) = &facts.phrase else { return };
    let first = deed(phrase);
    let reads = ["get", "list"].iter().any(|w| first.starts_with(w));
    // `/reverse-dependencies` reverses nothing where the identifier says that it lists.
    let own = facts.id_words.first().map(|w| Verb::of(w));
    let said = own.filter(|v| matches!(v, Verb::List | Verb::Get) && !is_reading(first));
    let plain = is_verb(first) && !is_unsafe(first);
    if reads || (plain && (said.is_none() || matches!(first, "download" | "export"))) {
        return;
    }
    let lists = said.as_ref() == Some(&Verb::List) || tells_a_list(api, operation, facts);
    facts.verb = if lists { Verb::List } else { Verb::Get };
    facts.phrase = Some(format!("{}_{phrase}", facts.verb.word()));
}

/// The verb that the summary begins with, where it can be nothing else.
fn told(facts: &Facts) -> &str {
    match facts.summary_words.as_slice() {
        // `Accept or decline an invitation` is neither; `Generate or rotate a key` is the worse one.
        [_, second, third, ..] if second == "or" || second == "and" => match third.as_str() {
            "overwrite" | "replace" | "rotate" => third,
            _ => "",
        },
        [first, ..] if is_plain_verb(first) => first,
        _ => "",
    }
}

/// Whether what is got may be made for it: a token, a session, a link.
fn gives_access(facts: &Facts) -> bool {
    const MADE: &[&str] = &[
        "token",
        "session",
        "login",
        "key",
        "secret",
        "auth",
        "link",
        "url",
        "code",
        "otp",
        "password",
        "credential",
        "access",
        "ticket",
        "new",
        "export",
    ];
    let path = words::split(&facts.key);
    facts.summary_words.iter().chain(&path).any(|w| MADE.contains(&words::singular(w).as_str()))
}

/// By what a POST is known to read only, in words: by its path, its identifier, the GET beside it, or
/// a summary that says nothing but that.
fn reading_word(
    operation: &Operation,
    facts: &Facts,
    first: &str,
    said: &str,
    beside: Beside,
) -> Option<String> {
    let creates = operation.responses.iter().any(|r| r.status == "201");
    let contradicted = !first.is_empty() && !is_reading(first) && is_verb(first);
    // `POST /books/{id}/read-progress`: `Mark a book as read`; `Run a search` is no deed of its own.
    let deed = facts.summary_words.first().map_or("", String::as_str);
    let told_otherwise = is_unsafe(deed)
        && is_plain_verb(deed)
        && !matches!(deed, "execute" | "exec" | "start" | "submit" | "send");
    if creates || contradicted || told_otherwise {
        return None;
    }
    if is_reading(first) {
        return Some(format!("`{first}`"));
    }
    if !facts.id_words.is_empty() && is_reading(said) {
        return Some(format!("`{said}`"));
    }
    let told = facts.summary_words.first().map_or("", String::as_str);
    // A GET with a body has a POST beside it for those who cannot send that.
    if beside.twin.is_some_and(|body| body || is_reading(told)) {
        return Some("the GET of the same path, which says the same".to_owned());
    }
    // `Get or create a session` is no reading, and `Get a token` may make one.
    let vague = matches!(told, "check" | "validate")
        || (matches!(told, "get" | "fetch" | "read" | "retrieve") && gives_access(facts));
    let surely = is_reading(told) && (beside.procedure || !vague);
    let reports = beside.procedure && matches!(told, "describe" | "inspect" | "report" | "return");
    let more = facts.summary_words.iter().skip(1).any(|w| {
        matches!(w.as_str(), "or" | "create" | "creates" | "creating")
            || (w != told && is_unsafe(w))
    });
    let own = facts.id_words.first().is_some_and(|w| is_verb(w) && !is_reading(w));
    ((surely || reports) && !more && !own).then(|| format!("`{told}` in its summary"))
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
            _ if facts.item && !tells_a_list(api, operation, facts) => Verb::Get,
            _ if is_many(api, operation, facts) => Verb::List,
            _ => Verb::Get,
        },
        Method::Post => match own {
            Verb::Create | Verb::Update | Verb::Delete | Verb::Search | Verb::List => own,
            Verb::Get if facts.effect == Effect::Read => own,
            Verb::Other(word) if word == "add" && !facts.item => Verb::Create,
            Verb::Other(word) if is_verb(&word) => Verb::Other(word),
            _ if facts.effect == Effect::Read && told(facts).is_empty() => {
                if is_many(api, operation, facts) { Verb::List } else { Verb::Get }
            }
            // `POST /files/{id}`: `Restore file`.
            _ if !told(facts).is_empty() => Verb::of(told(facts)),
            // Without a collection there is nothing that it could have been created in before.
            _ if facts.item && beside.collection => Verb::Update,
            _ => Verb::Create,
        },
        Method::Put => match own {
            Verb::Update if beside.patch => Verb::Replace,
            Verb::Update | Verb::Create => own,
            Verb::Replace if said != "put" => own,
            Verb::Other(word) if is_verb(&word) => Verb::Other(word),
            _ if does_more(facts) => Verb::of(told(facts)),
            _ if beside.patch => Verb::Replace,
            _ if facts.item || facts.sections.is_empty() => Verb::Update,
            _ => Verb::Replace,
        },
        Method::Patch => match own {
            Verb::Other(word) if is_verb(&word) => Verb::Other(word),
            _ if does_more(facts) => Verb::of(told(facts)),
            _ => Verb::Update,
        },
        Method::Delete => match own {
            Verb::Other(word) if is_verb(&word) && word != "remove" => Verb::Other(word),
            // `Mark as unread` deletes the mark; `Unpin` and `Cancel` say what is taken away.
            _ if does_more(facts)
                && told(facts) != "remove"
                && (takes_away(told(facts)) || told(facts).starts_with("un")) =>
            {
                Verb::of(told(facts))
            }
            _ => Verb::Delete,
        },
        Method::Other(name) => Verb::Other(words::snake(name)),
    }
}

/// Whether the identifier says nothing, and the summary names a deed that the method does not:
/// `Apply watermark`, `Cancel subscription`.
fn does_more(facts: &Facts) -> bool {
    let own = facts.id_words.first().is_some_and(|w| is_verb(w));
    let told = told(facts);
    !own && !told.is_empty() && !is_reading(told) && matches!(Verb::of(told), Verb::Other(_))
}

/// The schema of the answer to a call that went well.
fn answer<'a>(api: &'a Api, operation: &Operation) -> Option<&'a Schema> {
    let answer = operation.responses.iter().find(|r| r.status.starts_with('2'))?;
    Some(api.schema(answer.contents.iter().find_map(|c| c.schema)?))
}

/// Whether the summary speaks of a list: `List items`, `Get all users`, `Returns a list of boards`.
fn tells_a_list(api: &Api, operation: &Operation, facts: &Facts) -> bool {
    let words: Vec<&str> = facts.summary_words.iter().map(String::as_str).collect();
    let reads = |w: &str| matches!(w, "get" | "return" | "retrieve" | "fetch" | "show");
    let list = match words.as_slice() {
        ["list", "a" | "an" | "the" | "one" | "single", ..] => false,
        ["list", ..] => true,
        [first, "all", ..] => reads(first),
        [first, "list" | "lists", "of", ..] | [first, "a" | "the", "list", "of", ..] => {
            reads(first)
        }
        _ => false,
    };
    let array = answer(api, operation).is_some_and(|s| s.types.array);
    // `GET /categories/{id}`: `List topics` lists what is in it.
    let of_itself = || words.iter().any(|w| words::singular(w) == facts.root);
    list && (!facts.item || array || !of_itself())
}

/// Whether what is read is a list: by its words, its answer, or a plural at its end.
fn is_many(api: &Api, operation: &Operation, facts: &Facts) -> bool {
    if tells_a_list(api, operation, facts) {
        return true;
    }
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
    let schema = answer(api, operation);
    if schema.is_some_and(|s| s.types.array) {
        return true;
    }
    // `/dags/{id}/details` are fields of one.
    let has_lists = |s: &Schema| s.properties.values().any(|p| api.schema(*p).types.array);
    if schema.is_some_and(|s| s.properties.len() > 1 && !has_lists(s)) {
        return false;
    }
    let last = facts.sections.last().unwrap_or(&facts.label);
    let label = if facts.sections.is_empty() { &facts.label } else { last };
    let tail = operation.key.path.rsplit('/').find(|s| !s.is_empty()).unwrap_or_default();
    let tail = words::snake(tail.split('.').next().unwrap_or_default());
    words::singular_name(&tail) != tail || words::singular_name(label) != *label
}
