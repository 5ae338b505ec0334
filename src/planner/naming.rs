//! Names of tools and of their actions.

use std::collections::{BTreeMap, BTreeSet};

use super::cost::Group;
use super::facts::{Facts, shared_tags};
use super::family::{is_self, is_tenant};
use super::verb::{Verb, ends_a_phrase, is_bulk, is_plain_verb, is_verb, without_echo};
use super::words::{self, plural_name, short_hash, singular, singular_name};
use crate::plan::Effect;

/// The longest name of a tool (N2).
const LONGEST: usize = 46;
/// What a name is shortened to where it was too long.
const AIM: usize = 40;

const ARTICLES: &[&str] =
    &["a", "an", "the", "of", "for", "to", "with", "in", "on", "from", "and", "or"];
/// Words that say nothing within an action.
const EMPTY: &[&str] = &[
    "current",
    "authenticated",
    "me",
    "my",
    "via",
    "it",
    "its",
    "item",
    "items",
    "api",
    "controller",
    "pages",
    "paginated",
];

/// Names that are taken, in every form that clients may bring them to (N3).
#[derive(Debug, Default)]
pub(super) struct Taken(BTreeSet<String>);

impl Taken {
    fn forms(name: &str) -> [String; 2] {
        let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let head: String = name.chars().take(30).collect();
        let tail: String = name.chars().skip(name.len().saturating_sub(30)).collect();
        // Two names that differ by their underscores only are one to a reader.
        [letters, format!("{head}\u{0}{tail}")]
    }

    pub(super) fn has(&self, name: &str) -> bool {
        Self::forms(name).iter().any(|form| self.0.contains(form))
    }

    /// Takes the name; `false` when it was taken.
    pub(super) fn take(&mut self, name: &str) -> bool {
        !self.has(name) && Self::forms(name).into_iter().fold(true, |_, form| self.0.insert(form))
    }
}

/// Makes any text a name of a tool: N1 and N2.
pub(super) fn legal(text: &str) -> String {
    let mut parts = words::split(text);
    if parts.first().is_none_or(|w| !w.starts_with(|c: char| c.is_ascii_alphabetic())) {
        parts.insert(0, "do".to_owned());
    }
    parts.dedup();
    let whole = parts.join("_");
    if whole.len() <= LONGEST {
        return whole;
    }
    let suffix = format!("_{}", short_hash(&whole, 4));
    while parts.len() > 1 && parts.join("_").len() + suffix.len() > AIM {
        parts.pop();
    }
    let mut short = parts.join("_");
    short.truncate(AIM - suffix.len());
    format!("{}{suffix}", short.trim_end_matches('_'))
}

/// The plural (or only) name of the nouns of a group, `_` between words.
pub(super) fn nouns(group: &Group, facts: &[Facts]) -> Vec<String> {
    let label = |root: &String| {
        let member = group.members.iter().map(|m| &facts[*m]).find(|f| f.root == *root);
        member.map_or_else(|| root.clone(), |f| many(f, facts))
    };
    group.roots.iter().map(label).collect()
}

/// What a group is about in words: the section below its noun where all of it is about that one.
pub(super) fn about(group: &Group, facts: &[Facts]) -> Vec<String> {
    let spaced = |name: String| name.replace('_', " ");
    if let Some(section) = shared_section(group, facts) {
        return vec![spaced(format!("{}_{}", group.roots[0], plural_name(section)))];
    }
    nouns(group, facts).into_iter().map(spaced).collect()
}

/// The section below its noun that all of a group is about.
pub(super) fn shared_section<'a>(group: &Group, facts: &'a [Facts]) -> Option<&'a String> {
    let ([root], [first, rest @ ..]) = (group.roots.as_slice(), group.members.as_slice()) else {
        return None;
    };
    let section = facts[*first].sections.first()?;
    let shared = rest.iter().all(|m| facts[*m].sections.first() == Some(section));
    (shared && !is_self(root)).then_some(section)
}

/// The noun of an operation's family for many: as the document writes it when that is a plural, or
/// when it is no collection.
fn many(one: &Facts, facts: &[Facts]) -> String {
    if is_self(&one.root) {
        return "my_account".to_owned();
    }
    if one.root == "api" {
        return "api".to_owned();
    }
    if one.label != one.root {
        return one.label.clone();
    }
    let family = || facts.iter().filter(|f| f.root == one.root);
    if let Some(seen) = family().find(|f| f.label != f.root) {
        return seen.label.clone();
    }
    let collection = family().any(|f| f.below_item);
    if collection { plural_name(&one.root) } else { one.root.clone() }
}

/// Names for a tool, the best first. The last one cannot collide.
pub(super) fn tool_names(group: &Group, facts: &[Facts]) -> Vec<String> {
    let members: Vec<&Facts> = group.members.iter().map(|m| &facts[*m]).collect();
    let mut names = Vec::new();
    names.extend(group.demanded.clone());
    if let [only] = members.as_slice() {
        names.extend(only.hints.name.clone());
        names.extend(single(only, facts));
    } else {
        names.extend(several(group, &members, facts));
    }
    let key = members.iter().map(|f| f.key.as_str()).min().unwrap_or_default();
    let first = names.first().cloned().unwrap_or_default();
    names.push(format!("{} {}", shortened(&first), short_hash(key, 5)));
    names.iter().map(|n| legal(n)).collect()
}

fn shortened(name: &str) -> String {
    let mut text = String::new();
    for word in words::split(name) {
        if text.len() + word.len() > 38 {
            break;
        }
        text = if text.is_empty() { word } else { format!("{text}_{word}") };
    }
    text
}

fn single(one: &Facts, facts: &[Facts]) -> Vec<String> {
    let mut names = Vec::new();
    let base = said(one);
    let mut spoken: Vec<String> =
        one.id_words.iter().filter(|w| !ARTICLES.contains(&w.as_str())).cloned().collect();
    if one.verb == Verb::Get
        && let Some(by) = spoken.iter().position(|w| w == "by")
    {
        spoken.truncate(by.max(1));
    }
    if spoken.len() > 1 {
        spoken.retain(|w| w != "current" && w != "authenticated");
    }
    if spoken.first().is_some_and(|w| is_verb(w)) && spoken.len() <= 5 {
        let about: BTreeSet<String> = [&one.root]
            .into_iter()
            .chain(&one.sections)
            .flat_map(|n| n.split('_').map(str::to_owned))
            .collect();
        // An identifier of a verb and a noun is the API's own word for it, whatever the path says.
        let named = spoken.iter().any(|w| about.contains(&singular(w)) || about.contains(w));
        let mut name = spoken.join("_");
        if !named
            && spoken.len() == 1
            && one.plumbing.is_none()
            && one.root != spoken[0]
            && one.root != "api"
        {
            name = format!("{name}_{}", noun_for(one, facts));
        }
        names.push(name);
    }
    let noun = noun_for(one, facts);
    // `POST /verify` beside a GET of the same path verifies; it creates nothing.
    let deed = one.sections.is_empty() && one.scope.is_empty() && is_plain_verb(&noun);
    if deed && one.id_words.is_empty() && one.verb == Verb::Create {
        names.push(noun.clone());
    }
    if singular_name(&noun) == base {
        // `/search`: the verb is all there is.
        names.push(base.clone());
    }
    // What is got of a noun stands behind it: `get_config_paths`.
    let verb = one.verb.word();
    let part = base.strip_prefix(verb).and_then(|rest| rest.strip_prefix('_'));
    names.extend(part.filter(|_| one.effect == Effect::Read).map(|p| format!("{verb}_{noun}_{p}")));
    names.push(format!("{base}_{noun}"));
    names.extend(one.scope.last().map(|s| format!("{base}_{s}_{noun}")));
    names.extend(one.scope.last().map(|s| format!("{base}_{noun}_for_{s}")));
    names
}

/// The action of an operation in words: its phrase, or else its verb.
pub(super) fn said(one: &Facts) -> String {
    one.phrase.clone().unwrap_or_else(|| one.verb.word().to_owned())
}

/// What a single operation is about: a list is about many.
fn noun_for(one: &Facts, facts: &[Facts]) -> String {
    let said = said(one);
    let many_words = ["find", "bulk_", "batch_"].iter().any(|w| said.starts_with(w));
    let lists = matches!(one.verb, Verb::List | Verb::Search) || many_words;
    let root = if is_self(&one.root) { "my_account" } else { &one.root };
    match one.sections.as_slice() {
        [] if lists || root == "my_account" => many(one, facts),
        // A noun that is never one of many keeps its spelling: `museum_hours`.
        [] if !one.below_item && !facts.iter().any(|f| f.root == one.root && f.below_item) => {
            let plain = one.verb == Verb::Get && one.phrase.is_none();
            if plain { one.label.clone() } else { one.root.clone() }
        }
        [] => root.to_owned(),
        [.., last] => {
            let last = if lists { as_written(one, last) } else { last.clone() };
            format!("{root}_{last}")
        }
    }
}

fn several(group: &Group, members: &[&Facts], facts: &[Facts]) -> Vec<String> {
    let verb = group_verb(group.effect, members);
    let nouns = nouns(group, facts);
    let alone = matches!(verb.as_str(), "get" | "read")
        && members.iter().all(|f| f.verb == Verb::Get)
        && members.iter().all(|f| f.sections.is_empty() || f.below_item);
    let noun = |i: usize| {
        let root = &group.roots[i];
        if alone && verb == "get" && !is_self(root) && root != "api" {
            let counted = facts.iter().any(|f| f.root == *root && f.below_item);
            if counted { root.clone() } else { nouns[i].clone() }
        } else {
            nouns[i].clone()
        }
    };
    let mut names = Vec::new();
    let section = members[0].sections.first();
    let shared = section.filter(|s| members.iter().all(|f| f.sections.first() == Some(s)));
    if group.roots.len() == 1 {
        if let Some(section) = shared {
            let lists = members.iter().any(|f| matches!(f.verb, Verb::List | Verb::Search));
            let section = if lists { plural_name(section) } else { section.clone() };
            names.push(format!("{verb}_{}_{section}", group.roots[0]));
        }
        names.push(format!("{verb}_{}", noun(0)));
        if shared.is_none() {
            // Told apart by what most of it is about.
            let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
            members
                .iter()
                .filter_map(|f| f.sections.first())
                .for_each(|s| *counts.entry(s).or_default() += 1);
            let most = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(a.0)));
            names
                .extend(most.map(|(s, _)| format!("{verb}_{}_{}", group.roots[0], plural_name(s))));
        }
        let phrases: Vec<String> = members.iter().take(2).map(|f| action_word(f)).collect();
        if phrases.len() == 2 && phrases[0] != phrases[1] {
            names.push(format!("{}_or_{}_{}", phrases[0], phrases[1], noun(0)));
        }
    } else {
        if let Some(tag) = shared_tag(members) {
            names.push(format!("{verb}_{tag}"));
        }
        let all: Vec<String> = (0..nouns.len()).map(noun).collect();
        let name = format!("{verb}_{}", all.join("_and_"));
        if name.len() <= LONGEST && nouns.len() <= 2 {
            names.push(name);
        } else {
            // A chain of three nouns is no name; the description says what else there is.
            names.push(format!("{verb}_{}_and_more", all[0]));
            names.push(format!("{verb}_{}_and_{}", all[0], all[1]));
        }
    }
    let scope = members[0].scope.last();
    names.extend(scope.map(|s| format!("{verb}_{s}_{}", noun(0))));
    names
}

fn action_word(one: &Facts) -> String {
    said(one).split('_').next().unwrap_or_default().to_owned()
}

/// The verb of a tool with several actions.
fn group_verb(effect: Effect, members: &[&Facts]) -> String {
    let all = |test: fn(&Verb) -> bool| members.iter().all(|f| test(&f.verb));
    let first = &members[0].verb;
    let same = members.iter().all(|f| f.verb == *first);
    let word = match effect {
        Effect::Read if all(|v| *v == Verb::List) => "list",
        Effect::Read if all(|v| matches!(v, Verb::List | Verb::Search)) => "find",
        Effect::Read if all(|v| *v == Verb::Get) => "get",
        Effect::Read => "read",
        Effect::Write if all(|v| *v == Verb::Create) => "create",
        Effect::Write if all(|v| matches!(v, Verb::Update | Verb::Replace)) => "update",
        Effect::Write if all(|v| *v == Verb::Delete) => "delete",
        Effect::Write if same && is_verb(first.word()) => first.word(),
        Effect::Write
            if members.iter().all(|f| {
                f.verb == Verb::Delete || matches!(f.verb.word(), "remove" | "clear" | "purge")
            }) =>
        {
            "remove"
        }
        Effect::Write => "manage",
    };
    word.to_owned()
}

/// The name of a tag that all have, when it says something.
fn shared_tag(members: &[&Facts]) -> Option<String> {
    let name = words::snake(shared_tags(members).next()?);
    (!name.is_empty() && name.len() <= 24 && name.split('_').count() <= 3).then_some(name)
}

/// Names for the actions of a group, in the order of its members.
pub(super) fn action_names(group: &Group, facts: &[Facts]) -> Vec<String> {
    let mut order: Vec<usize> = (0..group.members.len()).collect();
    // The plain form goes to the operation of the fewest scopes.
    order.sort_by_key(|i| {
        let one = &facts[group.members[*i]];
        (
            one.hints.name.is_none(),
            one.scope.len(),
            one.deprecated,
            // To delete is to delete one; what deletes all that have a tag says so.
            one.item && one.verb == Verb::List,
            !one.item
                && matches!(one.verb, Verb::Get | Verb::Update | Verb::Replace | Verb::Delete),
            one.sections.len(),
            one.phrase.is_some(),
            *i,
        )
    });
    let mut taken = BTreeSet::new();
    let mut names = vec![String::new(); order.len()];
    for i in order {
        names[i] = new_action(&facts[group.members[i]], &group.roots, &mut taken);
    }
    names
}

/// The first good name for an action that is not taken; takes it.
pub(super) fn new_action(one: &Facts, roots: &[String], taken: &mut BTreeSet<String>) -> String {
    let candidates = action_candidates(one, roots);
    let name = candidates.iter().find(|name| !taken.contains(*name)).cloned();
    let name = name.unwrap_or_else(|| {
        let first = candidates.first().map_or("call", String::as_str);
        format!("{}_{}", &first[..first.len().min(30)], short_hash(&one.key, 5))
    });
    taken.insert(name.clone());
    name
}

/// An action in the words of the summary, up to where it says of what: `apply_watermark` of `Apply
/// watermark to folder`. Only where the identifier says nothing.
fn told(one: &Facts) -> Option<String> {
    if !one.id_words.is_empty() || !one.summary_words.first().is_some_and(|w| is_verb(w)) {
        return None;
    }
    let said = one.summary_words.iter().take_while(|w| !ends_a_phrase(w));
    let kept: Vec<&str> =
        said.map(String::as_str).filter(|w| !ARTICLES.contains(w) && !EMPTY.contains(w)).collect();
    let says = kept.last().is_some_and(|w| !matches!(*w, "list" | "all" | "information"));
    ((2..=4).contains(&kept.len()) && says).then(|| kept.join("_"))
}

/// Whether what is done is done to all below a path, and not to one.
fn is_about_many(one: &Facts) -> bool {
    match one.verb {
        Verb::List | Verb::Search => true,
        Verb::Create => false,
        Verb::Get | Verb::Update | Verb::Replace | Verb::Delete | Verb::Other(_) => !one.item,
    }
}

/// The noun of a section for many: its plural where the path has that, and `latest` as it is.
fn as_written(one: &Facts, section: &str) -> String {
    let many = plural_name(section);
    let has = |name: &str| {
        one.key.split('/').any(|step| !step.starts_with('{') && words::snake(step).ends_with(name))
    };
    if has(&many) { many } else { section.to_owned() }
}

fn action_candidates(one: &Facts, roots: &[String]) -> Vec<String> {
    let alone = roots.len() == 1;
    let verb = one.verb.word();
    let mut names = Vec::new();
    names.extend(one.hints.name.clone());
    let section = match one.sections.as_slice() {
        [] => String::new(),
        [.., last] if is_about_many(one) => as_written(one, last),
        [.., last] => last.clone(),
    };
    let plain = !matches!(one.verb, Verb::Other(_))
        && one.phrase.as_deref().is_none_or(|p| !p.contains('_'));
    if one.sections.is_empty() && alone && plain {
        names.push(verb.to_owned());
        let above = one.scope.iter().rev().find(|s| is_tenant(s)).or(one.scope.last());
        names.extend(above.map(|s| format!("{verb}_for_{s}")));
    }
    if one.phrase_in_path
        && let Some(phrase) = &one.phrase
        && one.sections.is_empty()
        && alone
    {
        names.push(phrase.clone());
    }
    let own: BTreeSet<String> =
        roots.iter().flat_map(|r| r.split('_').map(str::to_owned)).collect();
    let ids = &one.id_words;
    // `create_or_update`
    let between = |i: usize| {
        ids[i] == "or"
            && i > 0
            && is_verb(&ids[i - 1])
            && ids.get(i + 1).is_some_and(|next| is_verb(next))
    };
    let kept: Vec<&String> = (0..ids.len())
        .filter(|i| between(*i) || !ARTICLES.contains(&ids[*i].as_str()))
        .map(|i| &ids[i])
        .filter(|w| !EMPTY.contains(&w.as_str()))
        .filter(|w| !(alone && (own.contains(&singular(w)) || own.contains(*w))))
        .collect();
    if let [many] = kept.as_slice()
        && is_bulk(many)
    {
        let does = if one.verb == Verb::Delete { "delete" } else { "change" };
        names.push(format!("{many}_{does}"));
    } else if (1..=4).contains(&kept.len()) && is_verb(kept[0]) {
        names.push(kept.iter().map(|w| w.as_str()).collect::<Vec<_>>().join("_"));
    }
    let told = told(one);
    // A section that is no word is worse than what the summary says.
    let plain_section = one
        .sections
        .iter()
        .all(|s| (3..=24).contains(&s.len()) && s.chars().all(|c| !c.is_ascii_digit()));
    if !plain_section {
        names.extend(told.clone());
    }
    let said = said(one);
    let root = if matches!(one.verb, Verb::List | Verb::Search) {
        plural_name(&one.root)
    } else {
        one.root.clone()
    };
    if alone && section.is_empty() {
        names.push(said.clone());
    } else if alone {
        // `unpin_message`, where the path says `pin-message`.
        let rest = section.split_once('_').filter(|(first, _)| said == format!("un{first}"));
        names.push(format!("{said}_{}", rest.map_or(section.as_str(), |(_, rest)| rest)));
    } else if section.is_empty() {
        names.push(format!("{said}_{root}"));
    }
    names.extend(told);
    if !section.is_empty() {
        names.push(format!("{said}_{}_{section}", one.root));
    }
    names.extend(one.scope.last().map(|s| format!("{said}_{root}_for_{s}")));
    names.extend((1..=7).contains(&one.id_words.len()).then(|| one.id_words.join("_")));
    // What its path ends in tells it from another of the same verb.
    let tail = one.key.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let by = if one.item { "_by" } else { "" };
    names.push(format!("{verb}{by}_{}", words::snake(tail)));
    let spoken = names.iter().map(|n| without_echo(&words::snake(n)));
    spoken.filter(|n| !n.is_empty() && n.len() <= 48).collect()
}
