//! What is known of each operation before it is grouped.

use std::collections::{BTreeMap, BTreeSet};

use super::verb::Verb;
use crate::ir::{Api, Hints, Location, Method, Operation};
use crate::plan::Effect;
use crate::source::Pointer;

/// One operation as the planner sees it.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent observations")]
pub(super) struct Facts {
    /// Index into [`Api::operations`].
    pub index: usize,
    /// `METHOD /path`.
    pub key: String,
    /// Singular noun of its family.
    pub root: String,
    /// The noun as the document writes it, mostly plural.
    pub label: String,
    /// Singular nouns above the family: the scope it lives in.
    pub scope: Vec<String>,
    /// Singular nouns below the family: sections.
    pub sections: Vec<String>,
    /// Whether the path ends in a parameter.
    pub item: bool,
    /// Whether anything below its family's noun is a parameter.
    pub below_item: bool,
    /// The action that the path or the identifier spells out, as a name: `find_by_status`.
    pub phrase: Option<String>,
    /// Whether the phrase stands in the path.
    pub phrase_in_path: bool,
    /// What it does.
    pub verb: Verb,
    /// Whether it changes anything.
    pub effect: Effect,
    /// Whether something is gone after it.
    pub destructive: bool,
    /// Words of its identifier, verb first; empty when the identifier says nothing of its own.
    pub id_words: Vec<String>,
    /// Words of its summary, or else of the first sentence of its description.
    pub summary_words: Vec<String>,
    /// Names of its arguments, as far as grouping needs them.
    pub arguments: BTreeSet<String>,
    /// Its tags, without generic ones.
    pub tags: BTreeSet<String>,
    /// How much it matters, as a prior.
    pub importance: f64,
    /// What made it so.
    pub factors: Vec<(&'static str, f64)>,
    /// Whether it is plumbing, and the word that says so.
    pub plumbing: Option<String>,
    /// `deprecated`.
    pub deprecated: bool,
    /// What is asked of it.
    pub hints: Hints,
    /// Which line of the configuration asks for what.
    pub lines: BTreeMap<&'static str, Pointer>,
    /// The effect that is asked for.
    pub asked: Option<Effect>,
    /// What was concluded and is not obvious, in sentences.
    pub notes: Vec<String>,
}

impl Facts {
    /// Who asks for `what`, in backticks.
    pub(super) fn asker(&self, what: &str) -> &'static str {
        if self.lines.contains_key(what) { "`mcp-gen.yaml`" } else { "`x-mcp`" }
    }
}

/// The tags that all have.
pub(super) fn shared_tags<'a>(members: &'a [&'a Facts]) -> impl Iterator<Item = &'a String> {
    let (first, rest) = members.split_first().map_or((None, members), |(f, rest)| (Some(f), rest));
    let all = |tag: &&String| rest.iter().all(|f| f.tags.contains(*tag));
    first.into_iter().flat_map(|f| &f.tags).filter(all)
}

/// The parts of a path that a family is found by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Segment {
    /// A word, in snake case.
    Word(String),
    /// A parameter, by its name.
    Parameter(String),
}

impl Segment {
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            Self::Parameter(_) => None,
        }
    }
}

/// Whether the operation's method promises to change nothing.
pub(super) fn is_safe(method: &Method) -> bool {
    match method {
        Method::Get | Method::Head | Method::Options | Method::Trace | Method::Query => true,
        Method::Put | Method::Post | Method::Delete | Method::Patch | Method::Other(_) => false,
    }
}

/// Names of arguments as they will be, cheaply: parameters and the top level of the body. `segments`
/// is the path; an `id` in it belongs to the noun before it.
pub(super) fn arguments(
    api: &Api,
    operation: &Operation,
    segments: &[Segment],
) -> BTreeSet<String> {
    const BARE: &[&str] = &["id", "key", "name", "slug", "number", "code", "token", "uuid"];
    let mut names = BTreeSet::new();
    for parameter in &operation.parameters {
        let mut name = super::words::snake(&parameter.name);
        if parameter.location == Location::Path && BARE.contains(&name.as_str()) {
            let place = segments
                .iter()
                .position(|s| matches!(s, Segment::Parameter(p) if *p == parameter.name));
            let noun = segments[..place.unwrap_or(0)].iter().rev().find_map(Segment::word);
            if let Some(noun) = noun {
                name = format!("{}_{name}", super::words::singular_name(noun));
            }
        }
        names.insert(name);
    }
    let schema = operation.body.iter().flat_map(|b| &b.contents).find_map(|c| c.schema);
    if let Some(id) = schema {
        // Variants are one level down; deeper ones are not looked at.
        let schema = api.schema(id);
        let variants = schema.variants.iter().map(|v| api.schema(*v));
        let before = names.len();
        for part in std::iter::once(schema).chain(variants) {
            for (name, property) in &part.properties {
                if !api.schema(*property).read_only {
                    names.insert(super::words::snake(name));
                }
            }
        }
        if names.len() == before && schema.properties.is_empty() {
            names.insert("body".to_owned());
        }
    } else if operation.body.is_some() {
        names.insert("body".to_owned());
    }
    names
}

/// The identifier without what a generator made of path and method at its end:
/// `read_item_api_items__id__get` → `read_item`.
pub(super) fn own_id(operation: &Operation) -> Option<String> {
    let id = operation.id.as_ref()?;
    let letters = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).count();
    let squeeze =
        |text: &str| text.replace(|c: char| !c.is_ascii_alphanumeric(), "").to_lowercase();
    let made = squeeze(&format!("{}{}", operation.key.path, operation.key.method.as_str()));
    let squeezed = squeeze(id);
    if !squeezed.ends_with(&made) || squeezed.len() <= made.len() {
        return Some(id.clone());
    }
    let keep = letters(id) - made.len();
    let mut seen = 0;
    let own: String = id
        .chars()
        .take_while(|c| {
            seen += usize::from(c.is_ascii_alphanumeric());
            seen <= keep
        })
        .collect();
    Some(own.trim_end_matches(|c: char| !c.is_alphanumeric()).to_owned()).filter(|o| !o.is_empty())
}

/// The words of an identifier, verb first, or none when it is made from method and path. A word of
/// HTTP gives way to what the summary says is done: `postPaymentFee`, `Estimate fee`.
pub(super) fn id_words(operation: &Operation) -> Vec<String> {
    const VAGUE: &[&str] =
        &["get", "fetch", "read", "retrieve", "check", "validate", "put", "patch"];
    let mut words = written_words(operation);
    if let Some(first) = words.first_mut()
        && matches!(first.as_str(), "post" | "put" | "patch")
        && first.eq_ignore_ascii_case(operation.key.method.as_str())
        && let Some(told) = summary_words(operation).into_iter().next()
        && super::verb::is_plain_verb(&told)
        && !VAGUE.contains(&told.as_str())
    {
        *first = told;
    }
    words
}

fn written_words(operation: &Operation) -> Vec<String> {
    let Some(id) = own_id(operation) else { return Vec::new() };
    let squeeze = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (method, path) = (operation.key.method.as_str(), operation.key.path.as_str());
    let unversioned: String =
        path.split('/').filter(|s| !super::resource::is_version(s)).collect::<Vec<_>>().join("/");
    let literal: String =
        unversioned.split('/').filter(|s| !s.starts_with('{')).collect::<Vec<_>>().join("/");
    let squeezed = squeeze(&id);
    let made = [path, &unversioned, &literal].iter().any(|p| {
        let p = squeeze(p);
        let method = squeeze(method);
        squeezed == format!("{method}{p}") || squeezed == format!("{p}{method}")
    });
    // `getdictionary` is the method and the last word of the path; `ps`, that word alone, says less
    // than `List running models`.
    let last = squeeze(literal.rsplit('/').find(|s| !s.is_empty()).unwrap_or_default());
    let apart = super::words::split(&id);
    let glued = squeezed == format!("{}{last}", squeeze(method))
        && apart.first().is_some_and(|w| !w.eq_ignore_ascii_case(method));
    let lists = || summary_words(operation).first().is_some_and(|w| w == "list");
    let bare = squeezed == last && apart.len() == 1 && !super::verb::is_verb(&apart[0]) && lists();
    if made || glued || bare || is_shortened_path(&id, method, &unversioned) {
        return Vec::new();
    }
    // `SubmitVATreturnforperiod`: the summary sets the same letters apart.
    let summary = operation.summary.as_deref().unwrap_or_default();
    let spaced = super::words::split(summary);
    let closed = spaced.len() > super::words::split(&id).len() && squeeze(summary) == squeezed;
    if closed && super::verb::is_verb(&spaced[0]) {
        return spaced.into_iter().take_while(|w| !super::verb::ends_a_phrase(w)).collect();
    }
    // `issues/list-for-repo`, `pets.list`: what is before the last separator is a namespace.
    let tail = id.rsplit(['/', '.', ':', '#']).find(|part| !part.trim().is_empty()).unwrap_or(&id);
    let mut words = super::words::split(tail);
    // `readCoreV1NamespacedPod`: group and version stand between verb and noun.
    let version = words.iter().position(|w| w.starts_with('v') && super::resource::is_version(w));
    if let Some(place) = version.filter(|p| *p > 0 && *p + 1 < words.len()) {
        words.drain(1..=place);
    }
    words.retain(|w| w != "namespaced");
    // `list_groups_0`: a number that tells it from a method of the same name.
    while words.len() > 1 && words.last().is_some_and(|w| w.chars().all(|c| c.is_ascii_digit())) {
        words.pop();
    }
    // `issueDeleteLabel`, `repoCreateHook`: a noun of the path stands before the verb.
    if let [noun, verb, _, ..] = words.as_slice()
        && super::verb::is_plain_verb(verb)
        && !super::verb::is_plain_verb(noun)
        && !super::verb::is_bulk(noun)
        && !matches!(noun.as_str(), "should" | "is" | "has" | "can" | "to")
        && super::words::split(&operation.key.path)
            .iter()
            .any(|p| super::words::singular(p) == *noun)
    {
        words.remove(0);
        return words;
    }
    // `Pets_list`, `users-create`: the verb stands behind the noun.
    let ends = words.len() > 1 && words.last().is_some_and(|w| super::verb::is_plain_verb(w));
    if ends && first_is_noun(operation, &words) {
        words.rotate_right(1);
        return words;
    }
    // `sets-get`: the first word may be a verb elsewhere, the last one surely is.
    let leads = |w: &String| super::verb::is_plain_verb(w) || (super::verb::is_verb(w) && !ends);
    if words.first().is_some_and(leads) {
        return words;
    }
    if let Some((_, behind)) = tail.split_once('_') {
        let rest = super::words::split(behind);
        if rest.len() < words.len() && rest.first().is_some_and(|w| super::verb::is_plain_verb(w)) {
            let front = words.len() - rest.len();
            // `MemoService_ListMemoComments`: the service is where it is done, not with what.
            let place = ["service", "controller", "resource", "handler"];
            if rest.len() > 1 && front > 0 && place.contains(&words[front - 1].as_str()) {
                return rest;
            }
            words.rotate_left(front);
            return words;
        }
    }
    if words.last().is_some_and(|w| super::verb::is_plain_verb(w)) {
        words.rotate_right(1);
    }
    words
}

/// Whether an identifier has the method first and then words of the path in their order, its last one
/// among them, and is no phrase of its own: `get_folders_id_items`, `put_board_card` of
/// `PUT /boards/{board}/lists/{list}/cards/{card}`. `get_run_step` and `get_experiments` of
/// `/experiment` are phrases.
fn is_shortened_path(id: &str, method: &str, path: &str) -> bool {
    let words = super::words::split(id);
    let Some((first, rest)) = words.split_first() else { return false };
    let same = |path: &String, w: &String| path == w || super::words::singular(path) == *w;
    let literal = path.split('/').filter(|s| !s.contains('{') && !s.is_empty());
    let all: Vec<String> = literal.flat_map(super::words::split).collect();
    let Some(noun) = all.last() else { return false };
    let mut place = all.iter();
    let made = first.eq_ignore_ascii_case(method)
        && rest.iter().any(|w| same(noun, w))
        && rest.iter().all(|w| w == "id" || place.any(|p| same(p, w)));
    let natural = matches!(first.as_str(), "get" | "delete")
        && rest.len() <= 2
        && rest
            .last()
            .is_some_and(|w| w != "id" && (first == "delete" || super::words::singular(w) == *w));
    made && !natural && !rest.iter().any(|w| w == "by")
}

/// Whether the verb of an identifier is its last word although the first looks like one:
/// `move_ailment_list` of `GET /move-ailment` lists. Only where the path has the first word and not the
/// last one, so that `GET /list/remove` stays what it is.
fn first_is_noun(operation: &Operation, words: &[String]) -> bool {
    const READS: &[&str] =
        &["list", "get", "retrieve", "fetch", "find", "search", "show", "describe"];
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
    let path = super::words::split(&operation.key.path);
    is_safe(&operation.key.method)
        && READS.contains(&last.as_str())
        && !READS.contains(&first.as_str())
        && path.contains(first)
        && !path.contains(last)
}

/// Words of the summary, or else of the first sentence of the description; bounded.
pub(super) fn summary_words(operation: &Operation) -> Vec<String> {
    let text = operation
        .summary
        .as_deref()
        .filter(|s| !s.trim().is_empty())
        .or(operation.description.as_deref())
        .unwrap_or_default();
    let sentence = text.trim_start().split(['.', '\n']).next().unwrap_or_default();
    let bounded: String = sentence.chars().take(300).collect();
    let mut words = super::words::split(&bounded);
    if let Some(first) = words.first_mut() {
        // `Returns`, `Lists`: the verb in the third person.
        let stem = super::words::singular(first);
        if super::verb::is_verb(&stem) {
            *first = stem;
        } else if super::verb::is_verb(first.strip_suffix('s').unwrap_or(first)) {
            first.pop();
        }
    }
    words
}
