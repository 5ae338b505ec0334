//! Texts for a model: what a tool does, when to take it, when to take its neighbour.

use std::collections::BTreeSet;

use super::draft::{Draft, DraftAction, DraftTool};
use super::telling::{is_verbal, telling, without_lead};
use super::text::{and, lower_first, or, sentence, singular, some, upper_first, words};
use super::verb::Verb;
use crate::diagnostic::{Diagnostics, planning_text as codes};
use crate::ir::prose::{clean, cut, first_sentence, start};
use crate::ir::{Api, Operation};
use crate::plan::{Effect, Tool};

/// How long the description of a tool may be.
pub const DESCRIPTION: usize = 1_024;
/// How long `instructions` may be, and where the essential must have been said.
const INSTRUCTIONS: usize = 2_048;

/// What an operation does, on one line, without a full stop; `asked` are the words that are asked for.
pub fn summary(
    diagnostics: &mut Diagnostics,
    operation: &Operation,
    asked: Option<&str>,
    verb: &Verb,
    repeated: &BTreeSet<String>,
) -> String {
    let hint = asked.map(clean).filter(|t| !t.is_empty());
    let mut shared = false;
    let mut said = |text: &Option<String>| {
        let text = telling(text.as_deref())?;
        let tells = !repeated.contains(&text);
        shared |= !tells;
        tells.then(|| without_lead(&text).to_owned())
    };
    let text = hint
        .map(|h| first_sentence(&h).to_owned())
        .or_else(|| said(&operation.summary).filter(|t| says_something(t, operation)))
        .or_else(|| said(&operation.description).filter(|t| says_what_is_done(t, verb)));
    let text = text.unwrap_or_else(|| {
        if !shared && telling(operation.description.as_deref()).is_none() {
            diagnostics.report(
                &codes::MISSING_SUMMARY,
                Some(operation.at),
                operation.pointer.clone(),
                format!("`{}` does not say what it does", operation.key),
            );
        }
        from_structure(operation, verb)
    });
    upper_first(&cut(&text, 140))
}

/// A summary that repeats the operation's id or path says nothing when a description does better.
fn says_something(summary: &str, operation: &Operation) -> bool {
    let same = |other: &str| words(other) == words(summary);
    let repeats = operation.id.as_deref().is_some_and(same) && !summary.contains(' ');
    let path = summary.starts_with('/') || same(&operation.key.path);
    !(repeats || path) || operation.description.is_none()
}

/// Whether the first sentence of a description, which stands for a summary, says what is done rather
/// than something about it: `Draft invoices are fully editable` of what updates one.
fn says_what_is_done(text: &str, verb: &Verb) -> bool {
    const BESIDE: &[&str] = &["when", "if", "once", "while", "after", "before", "note"];
    let first = words(text).into_iter().next().unwrap_or_default();
    match verb {
        Verb::List | Verb::Search | Verb::Get => !BESIDE.contains(&first.as_str()),
        Verb::Create | Verb::Update | Verb::Replace | Verb::Delete | Verb::Other(_) => {
            is_verbal(&first) || first == verb.word()
        }
    }
}

/// `List pets of an owner`, from the operation's id, where that is a phrase, else from its path.
fn from_structure(operation: &Operation, verb: &Verb) -> String {
    let id = words(operation.id.as_deref().unwrap_or_default());
    // `list_pets_pets_get` is made of method and path: no phrase.
    let method = operation.key.method.as_str().to_ascii_lowercase();
    let unversioned: Vec<&str> =
        operation.key.path.split('/').filter(|s| !super::resource::is_version(s)).collect();
    let literal = unversioned.iter().filter(|s| !s.starts_with('{'));
    let path: Vec<String> = literal.flat_map(|s| words(s)).collect();
    // So is `GetCustomersCustomer`; `getPets` is one.
    let nouns: BTreeSet<String> = path.iter().map(|w| singular(w)).collect();
    // `api_v1_organisations_retrieve` has the frame of its path in it.
    let framed = id.iter().any(|w| w == "api" || super::resource::is_version(w))
        && id.iter().all(|w| {
            is_verbal(w)
                || w == "api"
                || w == "partial"
                || nouns.contains(&singular(w))
                || super::resource::is_version(w)
        });
    let made = framed
        || id.last() == Some(&method)
        || (id.first() == Some(&method)
            && id.len() > 2
            && id[1..].iter().all(|w| nouns.contains(&singular(w))));
    if (2..=6).contains(&id.len()) && !made {
        let mut id = id;
        let verbal = |w: Option<&String>| w.is_some_and(|w| super::verb::is_verb(w));
        // `part_list` lists parts.
        if !verbal(id.first()) && verbal(id.last()) {
            id.rotate_right(1);
        }
        return upper_first(&id.join(" "));
    }
    let steps: Vec<&str> = unversioned.into_iter().filter(|s| !s.is_empty()).collect();
    let mut nouns: Vec<String> = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        if step.starts_with('{') {
            continue;
        }
        let item = steps.get(index + 1).is_some_and(|s| s.starts_with('{'));
        let mut noun = words(step);
        if noun.is_empty() {
            continue;
        }
        if item && let Some(last) = noun.last_mut() {
            *last = singular(last);
        }
        nouns.push(noun.join(" "));
    }
    let about = match nouns.as_slice() {
        [] => "the service".to_owned(),
        [one] => one.clone(),
        [.., above, last] => format!("{last} of {above}"),
    };
    let verb = verb_words(verb);
    // `DELETE /cards/bulk`
    if let [.., above, last] = nouns.as_slice()
        && super::verb::is_bulk(last)
        && last != &verb
    {
        return upper_first(&format!("{verb} {above} in bulk"));
    }
    // `/pets/{id}/cancel`: the last step is the verb.
    if let [.., above, last] = nouns.as_slice()
        && (*last == verb || last.split(' ').next() == Some(verb.as_str()))
    {
        let of = if last.contains(' ') { " of" } else { "" };
        return upper_first(&format!("{last}{of} {above}"));
    }
    upper_first(&format!("{verb} {about}"))
}

/// The verb as a person says it.
pub fn verb_words(verb: &Verb) -> String {
    match verb {
        Verb::List => "list".to_owned(),
        Verb::Search => "search".to_owned(),
        Verb::Get => "look up".to_owned(),
        Verb::Create => "create".to_owned(),
        Verb::Update => "update".to_owned(),
        Verb::Replace => "replace".to_owned(),
        Verb::Delete => "delete".to_owned(),
        Verb::Other(word) => words(word).join(" "),
    }
}

/// The first sentence says verb and resource; then when to use the tool, and when another one.
pub fn description(
    api: &Api,
    draft: &Draft,
    tool: &DraftTool,
    summaries: &[String],
    body: &[String],
    when_not: Option<String>,
) -> String {
    let nouns = nouns(tool);
    let mut parts = if let [only] = tool.actions.as_slice() {
        single(api, draft, tool, only, &summaries[0])
    } else {
        let verb = match tool.effect {
            Effect::Read => "Read",
            Effect::Write => "Change",
        };
        let short = |s: &String| lower_first(&cut(without_returns(s), 80));
        let mut told: Vec<String> = Vec::new();
        for text in summaries.iter().map(short) {
            if !told.iter().any(|t| t.eq_ignore_ascii_case(&text)) {
                told.push(text);
            }
        }
        let shown = &told[..told.len().min(7)];
        let more = if told.len() > 7 { "; and more" } else { "" };
        vec![format!("{verb} {nouns}: {}{more}.", shown.join("; "))]
    };
    // `GET /` is about nothing that has a name.
    if nouns != "api" {
        parts.push(format!("Use this when the user wants to {}.", wants(tool)));
    }
    match when_not {
        Some(when_not) => parts.push(when_not),
        None => parts.extend(neighbours(draft, tool)),
    }
    parts.extend(body.iter().map(|w| sentence(w)));
    fitted(&parts)
}

/// As many of the parts as there is room for.
fn fitted(parts: &[String]) -> String {
    let mut text = String::new();
    for (index, part) in parts.iter().filter(|p| !p.is_empty()).enumerate() {
        let part = if index == 0 { cut(part, 640) } else { part.clone() };
        if text.chars().count() + part.chars().count() + 1 > DESCRIPTION {
            continue;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&part);
    }
    text
}

fn without_returns(summary: &str) -> &str {
    summary.split(" (returns ").next().unwrap_or(summary)
}

fn single(
    api: &Api,
    draft: &Draft,
    tool: &DraftTool,
    action: &DraftAction,
    summary: &str,
) -> Vec<String> {
    let operation = &api.operations[action.operation];
    let hint = draft.orders.description(api, action.operation);
    let text = clean(start(hint.or(operation.description.as_deref()).unwrap_or_default()));
    let lead = without_returns(summary);
    let first = first_sentence(&text);
    // `Get hours. Get upcoming hours.` says the same twice, and so does `Retrieve the hours.`
    let (said, more) = (words(lead), words(first));
    let verbs = |text: &[String]| text.first().is_some_and(|w| is_verbal(w));
    let short = first.chars().count() <= 60 && verbs(&said) && verbs(&more);
    let said = if short { &said[1..] } else { said.as_slice() };
    let twice = said.iter().all(|w| more.contains(w)) && first.chars().count() <= 200;
    let lead = if twice { first } else { lead };
    let mut parts = vec![sentence(lead)];
    // `Generate tokens` may be said of several; where it is not about the noun, the path tells more.
    let spoken: BTreeSet<String> = words(lead).iter().map(|w| singular(w)).collect();
    let about = words(&nouns(tool)).iter().any(|w| spoken.contains(&singular(w)));
    if !about && operation.summary.is_some() {
        parts.push(format!("Calls `{}`.", operation.key));
    }
    // What the description says beyond the summary.
    let rest = match first_sentence(&text) {
        first if super::text::likeness(first, lead) > 0.7 => {
            text[first.len()..].trim_start_matches(['.', ' ', ':'])
        }
        _ => text.as_str(),
    };
    if !rest.is_empty() {
        parts.push(sentence(&cut(rest, 320)));
    } else if let Some(left) = telling(operation.summary.as_deref())
        && left.contains(' ')
        && super::text::likeness(&left, lead) < 0.3
        && hint.is_none()
    {
        // What another operation of the path says as well is no lead, but it is all there is.
        parts.push(sentence(&cut(&left, 320)));
    }
    if tool.effect == Effect::Read
        && let Some((_, fields)) = summary.split_once(" (returns ")
    {
        parts.push(format!("Returns {}.", fields.trim_end_matches(')')));
    }
    parts
}

/// What a tool is about: `museum hours and events`.
pub fn nouns(tool: &DraftTool) -> String {
    let nouns: Vec<String> =
        tool.nouns.iter().map(|n| clean(n)).filter(|n| !n.is_empty()).collect();
    if nouns.is_empty() { words(&tool.name).join(" ") } else { and(&nouns) }
}

/// What a user wants who should get this tool: `create, update or delete pets`, and where it has
/// actions on what is in those, `or change what belongs to them`.
fn wants(tool: &DraftTool) -> String {
    does(tool, or)
}

/// What an effect is called where no verb says more.
pub(super) fn deed(effect: Effect) -> &'static str {
    match effect {
        Effect::Read => "read",
        Effect::Write => "change",
    }
}

fn does(tool: &DraftTool, join: fn(&[String]) -> String) -> String {
    let (whole, nouns) = (verbs(tool), nouns(tool));
    let verb = deed(tool.effect);
    if whole.is_empty() {
        return format!("{verb} what belongs to {nouns}");
    }
    let said = join(&whole);
    // `POST /generate` generates, and no more can be said.
    if nouns == "api" || nouns == said {
        return said;
    }
    let all = whole.last().is_some_and(|v| v.starts_with("otherwise"));
    let parts = tool.actions.len() > 1 && !all && tool.actions.iter().any(|a| a.part);
    let last = join(&[String::new(), String::new()]);
    let more = if parts { format!(",{last}{verb} what belongs to them") } else { String::new() };
    format!("{said} {nouns}{more}")
}

/// What is done to what the tool is about; nothing where all is done to its parts.
fn verbs(tool: &DraftTool) -> Vec<String> {
    let mut verbs: Vec<String> = Vec::new();
    let several = tool.actions.len() > 1;
    if several && tool.actions.iter().all(|a| a.part) {
        return verbs;
    }
    for action in tool.actions.iter().filter(|a| !(several && a.part)) {
        let word = match &action.verb {
            Verb::Other(word) if super::verb::is_bulk(word) => "change in bulk".to_owned(),
            verb => verb_words(verb),
        };
        // A user wants to pin, but not to feedback.
        let verbal = match &action.verb {
            Verb::Other(word) => words(word).first().is_some_and(|w| is_verbal(w)),
            _ => true,
        };
        if verbal && !verbs.contains(&word) {
            verbs.push(word);
        }
    }
    let otherwise = deed(tool.effect);
    if verbs.is_empty() {
        verbs.push(otherwise.to_owned());
    }
    if verbs.len() > 5 {
        verbs.truncate(4);
        verbs.push(format!("otherwise {otherwise}"));
    }
    verbs
}

/// Which of the other tools of this plan to take instead, and for what.
fn neighbours(draft: &Draft, tool: &DraftTool) -> Vec<String> {
    let own: BTreeSet<&String> = tool.nouns.iter().collect();
    let shares = |t: &&DraftTool| t.nouns.iter().any(|n| own.contains(n));
    let others: Vec<&DraftTool> = draft.tools.iter().filter(|t| t.name != tool.name).collect();
    let mut lines = Vec::new();
    let partners: Vec<&DraftTool> =
        others.iter().copied().filter(|t| t.effect != tool.effect).filter(shares).take(3).collect();
    if let [partner, ..] = partners.as_slice() {
        let shared: Vec<String> =
            partner.nouns.iter().filter(|n| own.contains(n)).map(|n| clean(n)).collect();
        let does = match partner.effect {
            Effect::Read => "reading",
            Effect::Write => "changing",
        };
        let names: Vec<String> = partners.iter().map(|t| format!("`{}`", t.name)).collect();
        lines.push(format!("Not for {does} {}: use {}.", or(&shared), or(&names)));
    }
    let name_words = |t: &DraftTool| -> BTreeSet<String> {
        t.nouns.iter().flat_map(|n| words(n)).map(|w| singular(&w)).collect()
    };
    let mine = name_words(tool);
    let mut near: Vec<(usize, &DraftTool)> = others
        .iter()
        .copied()
        .filter(|t| t.effect == tool.effect)
        .map(|t| (name_words(t).intersection(&mine).count(), t))
        .filter(|(n, _)| *n > 0)
        .collect();
    near.sort_by_key(|(n, _)| std::cmp::Reverse(*n));
    for (_, other) in near.into_iter().take(2) {
        lines.push(format!("To {}, use `{}`.", wants(other), other.name));
    }
    lines
}

/// What the server tells clients at start.
pub fn instructions(
    api: &Api,
    title: &str,
    tools: &[Tool],
    draft: &Draft,
    catalog: Option<(&str, &str, Option<&str>)>,
) -> String {
    let about = clean(api.description.as_deref().unwrap_or_default());
    let about = first_sentence(&about);
    let mut lines = vec![if about.is_empty() {
        format!("Tools for {}.", cut(title, 80))
    } else {
        format!("Tools for {}: {}", cut(title, 80), sentence(&cut(about, 160)))
    }];
    if let Some((find, read, write)) = catalog {
        let call = match write {
            Some(write) => format!("`{read}` (changes nothing) or `{write}` (changes something)"),
            None => format!("`{read}`"),
        };
        lines.push(format!(
            "Take a direct tool where one fits. For anything else search with `{find}`, then call the operation it names with {call}."
        ));
    }
    let selectors: BTreeSet<&str> = tools.iter().filter_map(|t| t.selector.as_deref()).collect();
    let selectors: Vec<String> = selectors.iter().map(|s| format!("`{s}`")).collect();
    if !selectors.is_empty() {
        lines.push(format!(
            "Tools with an argument {} do several things; descriptions of arguments say which of these need them.",
            selectors.join(" or ")
        ));
    }
    let paging = [
        "page",
        "per_page",
        "limit",
        "offset",
        "cursor",
        "page_size",
        "page_token",
        "after",
        "starting_after",
    ];
    let pages: Vec<&str> = paging
        .into_iter()
        .filter(|p| {
            tools
                .iter()
                .any(|t| t.annotations.read_only && t.arguments.iter().any(|a| a.name == *p))
        })
        .take(3)
        .collect();
    if !pages.is_empty() {
        let names: Vec<String> = pages.iter().map(|p| format!("`{p}`")).collect();
        lines.push(format!("Lists come in parts: ask for more with {}.", some(&names, 3)));
    }
    for (tool, drafted) in tools.iter().zip(&draft.tools) {
        lines.push(format!("- `{}`: {}", tool.name, does(drafted, and)));
    }
    let mut text = String::new();
    for line in lines {
        if text.chars().count() + line.chars().count() + 1 > INSTRUCTIONS {
            break;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&line);
    }
    text
}
