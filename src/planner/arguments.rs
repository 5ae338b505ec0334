//! The arguments of a tool: the leaves of its actions, merged by name.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use serde_json::Value as Json;

use super::flatten::{Flat, Leaf, Shape};
use super::merge::{alike_in_path, class, merged};
use super::text::{likeness, limited, part, snake, some};
use crate::diagnostic::{Diagnostics, planning_text as codes};
use crate::ir::json_schema::{Detail, InputSchemas, size, without_echo};
use crate::ir::prose::{clean, cut, start};
use crate::ir::{Api, Operation};
use crate::plan::{Argument, Place};

/// How long the description of an argument may be.
const DESCRIPTION: usize = 512;

/// Argument schemas that were made already.
pub struct Schemas<'a> {
    api: &'a Api,
    made: InputSchemas<'a>,
    /// The most bytes that the arguments of one tool may have before they are written more briefly.
    pub most: usize,
}

impl<'a> Schemas<'a> {
    /// None yet.
    pub fn new(api: &'a Api) -> Self {
        Self { api, made: InputSchemas::new(api), most: LARGE }
    }

    /// The schema of `leaf`, with its description.
    pub fn of(&mut self, leaf: &Leaf, detail: Detail) -> Json {
        // What must be given is shown as long as that is possible at all.
        let shown = leaf.required && detail == Detail::Keys;
        let detail = if shown { Detail::Brief } else { detail };
        let mut schema = match &leaf.shape {
            Shape::Schema(ids) => self.made.of(ids, detail).clone(),
            Shape::Text(words) => {
                let mut schema = serde_json::json!({ "type": "string" });
                if !words.is_empty() {
                    schema["description"] = Json::from(*words);
                }
                schema
            }
        };
        let made = description(&schema).to_owned();
        let own = clean(start(leaf.description.as_deref().unwrap_or_default()));
        let mut text = if own.is_empty() || made.contains(&own) {
            made
        } else {
            self.with_own_words(leaf, &own, &made)
        };
        if !leaf.clears {
            text = text.replace(" May be null.", "");
            text = if text == "May be null." { String::new() } else { text };
        }
        if let Some(words) = &leaf.words {
            text = joined(&text, words, DESCRIPTION);
        }
        describe(&mut schema, &if detail == Detail::Terse { cut(&text, 200) } else { text });
        if let Some(map) = schema.as_object_mut() {
            without_echo(map, &leaf.name);
        }
        schema
    }

    /// A parameter's own text stands for that of its schema, but the rules of the schema stay.
    fn with_own_words(&self, leaf: &Leaf, own: &str, made: &str) -> String {
        let schema_text = match &leaf.shape {
            Shape::Schema(ids) => crate::ir::json_schema::Union::of(self.api, ids).description(),
            Shape::Text(_) => None,
        };
        let shown = clean(start(schema_text.unwrap_or_default()));
        // Rules follow the text of the schema; where that was cut, its end marks them.
        let rules = match made.strip_prefix(shown.as_str()) {
            Some(rest) => rest.trim_start_matches('.').trim_start(),
            None => made.split_once("… ").map_or("", |(_, rest)| rest),
        };
        joined(&cut(own, 340), rules, DESCRIPTION)
    }
}

fn description(schema: &Json) -> &str {
    schema.get("description").and_then(Json::as_str).unwrap_or_default()
}

/// Sets the description, or removes an empty one (I13).
fn describe(schema: &mut Json, text: &str) {
    if let Some(map) = schema.as_object_mut() {
        map.shift_remove("description");
        if !text.is_empty() {
            map.insert("description".to_owned(), Json::from(text));
        }
    }
}

/// Two texts as sentences; the second stays whole.
fn joined(first: &str, second: &str, cap: usize) -> String {
    if second.is_empty() {
        return cut(first, cap);
    }
    let second = cut(second, cap);
    let first = cut(first, cap.saturating_sub(second.chars().count() + 2));
    if first.is_empty() {
        return second;
    }
    let closed = first.ends_with(['.', '!', '?', '…', ':', '。']);
    format!("{first}{}{second}", if closed { " " } else { ". " })
}

/// What arguments are called already: operation and place → name.
pub type Known = BTreeMap<(String, String), String>;

/// One action of the tool.
pub struct Member<'a> {
    /// Its name.
    pub action: &'a str,
    /// Its operation.
    pub operation: &'a Operation,
    /// Its leaves.
    pub flat: &'a Flat,
}

/// The merged arguments.
#[derive(Debug, Default, PartialEq)]
pub struct Merged {
    /// The arguments, needed ones first.
    pub arguments: Vec<Argument>,
    /// The arguments that each action needs, in the order of the actions.
    pub required: Vec<Vec<String>>,
}

/// A leaf of an action, under a name.
#[derive(Clone, Copy)]
struct Use<'a> {
    member: usize,
    leaf: &'a Leaf,
    /// Which of the leaves of the action it is.
    index: usize,
    /// Whether the name comes from the previous plan.
    known: bool,
}

/// How large the arguments of a tool may be before less is written out.
pub const LARGE: usize = 7_000;

/// Merges the leaves of all `members`. Large arguments are written more briefly, until they have a
/// size that clients take.
pub fn merge(
    diagnostics: &mut Diagnostics,
    members: &[Member<'_>],
    schemas: &mut Schemas<'_>,
    known: &Known,
) -> Merged {
    let mut last = None;
    for detail in [Detail::Flat, Detail::Brief, Detail::Keys, Detail::Terse] {
        let mut findings = Vec::new();
        let merged = merge_at(&mut findings, members, schemas, known, detail);
        let bytes: usize =
            merged.arguments.iter().map(|a| a.name.len() + size(&a.schema) + 4).sum();
        last = Some((merged, findings));
        if bytes <= schemas.most {
            break;
        }
    }
    let (merged, findings) = last.unwrap_or_default();
    for (operation, message) in findings {
        diagnostics.report(
            &codes::ARGUMENT_CONFLICT,
            Some(operation.at),
            operation.pointer.clone(),
            message,
        );
    }
    merged
}

fn merge_at<'a>(
    findings: &mut Vec<(&'a Operation, String)>,
    members: &[Member<'a>],
    schemas: &mut Schemas<'_>,
    known: &Known,
    detail: Detail,
) -> Merged {
    let mut groups: IndexMap<String, Vec<Use<'_>>> = IndexMap::new();
    for (member, m) in members.iter().enumerate() {
        for (index, (name, leaf, known)) in named(m, known).into_iter().enumerate() {
            groups.entry(name).or_default().push(Use { member, leaf, index, known });
        }
    }
    let mut taken: BTreeSet<String> = groups.keys().cloned().collect();
    let mut settled: Vec<(String, Vec<(Use<'_>, Json)>)> = Vec::new();
    for (name, uses) in groups {
        let mut classes: IndexMap<String, Vec<(Use<'_>, Json)>> = IndexMap::new();
        let mut uses: Vec<_> = uses.into_iter().map(|u| (u, schemas.of(u.leaf, detail))).collect();
        if uses.iter().all(|(u, _)| matches!(u.leaf.place, Place::Path(_))) {
            alike_in_path(uses.iter_mut().map(|(_, schema)| schema).collect());
        }
        for (each, schema) in uses {
            classes.entry(class(&schema)).or_default().push((each, schema));
        }
        // The name stays with those who had it, then with the many, then with the first.
        let keeper = classes
            .values()
            .enumerate()
            .max_by_key(|(i, u)| (u.iter().any(|(e, _)| e.known), u.len(), std::cmp::Reverse(*i)))
            .map_or(0, |(i, _)| i);
        for (index, (_, uses)) in classes.into_iter().enumerate() {
            if index == keeper {
                settled.push((name.clone(), uses));
                continue;
            }
            let action = members[uses[0].0.member].action;
            let fresh = free(&limited(&format!("{action}_{name}")), &mut taken);
            let operation = members[uses[0].0.member].operation;
            findings.push((
                operation,
                format!("`{name}` has another type for `{action}`; it is called `{fresh}`"),
            ));
            settled.push((fresh, uses));
        }
    }
    // In the order of first use, whichever of them had to be renamed.
    settled.sort_by_key(|(_, uses)| uses.iter().map(|(u, _)| (u.member, u.index)).min());
    let names: BTreeSet<String> = settled.iter().map(|(name, _)| name.clone()).collect();
    let arguments: Vec<(bool, Argument)> =
        settled.into_iter().map(|(name, uses)| argument(members, name, &uses, &names)).collect();
    let (needed, other): (Vec<_>, Vec<_>) = arguments.into_iter().partition(|(all, _)| *all);
    let arguments: Vec<Argument> = needed.into_iter().chain(other).map(|(_, a)| a).collect();
    let required = members
        .iter()
        .map(|m| {
            let needs = |a: &&Argument| {
                let place = a.to.get(m.action);
                m.flat.leaves.iter().any(|l| l.required && Some(&l.place) == place)
            };
            arguments.iter().filter(needs).map(|a| a.name.clone()).collect()
        })
        .collect();
    Merged { arguments, required }
}

/// The leaves of one action, each under a name of its own.
fn named<'a>(member: &Member<'a>, known: &Known) -> Vec<(String, &'a Leaf, bool)> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut names: Vec<Option<String>> = vec![None; member.flat.leaves.len()];
    let key = member.operation.key.to_string();
    let before: Vec<Option<&String>> =
        member.flat.leaves.iter().map(|l| known.get(&(key.clone(), l.place.to_string()))).collect();
    for (slot, before) in names.iter_mut().zip(&before) {
        if let Some(name) = before
            && crate::ir::argument_names::is_argument_name(name)
            && taken.insert((*name).clone())
        {
            *slot = Some((*name).clone());
        }
    }
    let result = member.flat.leaves.iter().zip(names);
    result
        .map(|(leaf, name)| match name {
            Some(name) => (name, leaf, true),
            None if taken.insert(leaf.name.clone()) => (leaf.name.clone(), leaf, false),
            None => {
                let name = limited(&format!("{}_{}", leaf.name, part(&leaf.place)));
                (free(&name, &mut taken), leaf, false)
            }
        })
        .collect()
}

/// The name, with a number where it is taken.
pub fn free(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut free = name.to_owned();
    let mut number = 2;
    while !taken.insert(free.clone()) {
        free = format!("{}_{number}", &name[..name.len().min(60)]);
        number += 1;
    }
    free
}

/// One argument, and whether all actions need it.
fn argument(
    members: &[Member<'_>],
    name: String,
    uses: &[(Use<'_>, Json)],
    names: &BTreeSet<String>,
) -> (bool, Argument) {
    let mut schema = uses[0].1.clone();
    let mut why: Vec<String> = Vec::new();
    let mut defaults = Vec::new();
    for (_, other) in &uses[1..] {
        if *other != schema {
            schema = merged(&schema, other, &mut why);
        }
    }
    for (each, own) in uses {
        let value = own.get("default");
        if value != schema.get("default")
            && let Some(value) = value
        {
            defaults.push(format!(
                "Default for {}: {}.",
                members[each.member].action,
                plain(value)
            ));
        }
    }
    let text = uses.iter().map(|(_, s)| description(s)).find(|d| !d.is_empty());
    let text = text.unwrap_or_default().to_owned();
    let mut others: Vec<(String, Vec<&str>)> = Vec::new();
    for (each, own) in uses {
        let said = without_example(description(own));
        let action = members[each.member].action;
        if said.is_empty() || likeness(said, without_example(&text)) >= 0.5 {
            continue;
        }
        match others.iter_mut().find(|(t, _)| likeness(t, said) >= 0.5) {
            Some((_, actions)) => actions.push(action),
            None => others.push((said.to_owned(), vec![action])),
        }
    }
    let mut rules = Vec::new();
    if schema.get("enum").is_none() {
        let lists = uses.iter().filter_map(|(u, s)| Some((u, s.get("enum")?.as_array()?)));
        let mut by_values: Vec<(&Vec<Json>, Vec<&str>)> = Vec::new();
        for (each, values) in lists {
            let action = members[each.member].action;
            match by_values.iter_mut().find(|(v, _)| *v == values) {
                Some((_, actions)) => actions.push(action),
                None => by_values.push((values, vec![action])),
            }
        }
        for (values, actions) in by_values.into_iter().take(2) {
            let values: Vec<&str> = values.iter().filter_map(Json::as_str).collect();
            rules.push(format!("Values for {}: {}.", some(&actions, 4), some(&values, 8)));
        }
    }
    if defaults.len() <= 2 {
        rules.extend(defaults);
    }
    if members.len() > 1 {
        rules.extend(requirement(members, uses));
    }
    let mut text = cut(&text, if others.is_empty() { 400 } else { 220 });
    for (said, actions) in others.iter().take(2) {
        let line = format!("For {}: {}", some(actions, 3), cut(said, 90));
        text = joined(&text, &line, 400);
    }
    let text = joined(&text, &cut(&rules.join(" "), 240), DESCRIPTION);
    describe(&mut schema, &text);

    let all = uses.len() == members.len() && uses.iter().all(|(u, _)| u.leaf.required);
    let to: IndexMap<String, Place> = uses
        .iter()
        .map(|(u, _)| (members[u.member].action.to_owned(), u.leaf.place.clone()))
        .collect();
    if let Some((each, _)) = uses.first().filter(|_| uses.iter().all(|(u, _)| u.leaf.name != name))
    {
        let own = &each.leaf.name;
        why.push(if names.contains(own) {
            format!("`{own}` is another argument")
        } else {
            "named so in the previous plan".to_owned()
        });
    }
    let origins: BTreeSet<&str> = uses.iter().filter_map(|(u, _)| u.leaf.why.as_deref()).collect();
    why.extend(origins.into_iter().take(3).map(|o| format!("is {}", clean(o))));
    why.dedup();
    let why = (!why.is_empty()).then(|| why.join("; "));
    if name.starts_with("field_")
        && let Some((_, place)) = to.first()
    {
        // Nothing of the real name is left in this one, so the text says it.
        let real = clean(&place.to_string());
        let said =
            joined(description(&schema), &format!("Called `{real}` by the API."), DESCRIPTION);
        describe(&mut schema, &said);
    }
    (all, Argument { name, schema, to, why })
}

fn without_example(text: &str) -> &str {
    text.split(" Example: ").next().unwrap_or(text)
}

fn plain(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Which actions take and need the argument.
fn requirement(members: &[Member<'_>], uses: &[(Use<'_>, Json)]) -> Option<String> {
    let name = |u: &&(Use<'_>, Json)| members[u.0.member].action;
    let takes: Vec<&str> = uses.iter().map(|u| name(&u)).collect();
    let needs: Vec<&str> = uses.iter().filter(|u| u.0.leaf.required).map(|u| name(&u)).collect();
    let all = takes.len() == members.len();
    if all && (needs.is_empty() || needs.len() == takes.len()) {
        None
    } else if needs.len() == takes.len() {
        Some(format!("Required for {}.", some(&needs, 7)))
    } else if needs.is_empty() {
        Some(format!("Only for {}.", some(&takes, 7)))
    } else if all {
        Some(format!("Required for {}.", some(&needs, 7)))
    } else {
        let optional: Vec<&str> = takes.iter().copied().filter(|t| !needs.contains(t)).collect();
        Some(format!("Required for {}; optional for {}.", some(&needs, 5), some(&optional, 5)))
    }
}

/// The name of the argument that chooses the action.
pub fn selector(arguments: &[Argument], previous: Option<&str>) -> String {
    let taken = |name: &str| arguments.iter().any(|a| a.name == name);
    let wanted = previous.map(snake).into_iter();
    let wanted = wanted.chain(["action", "operation_action", "action_name"].map(str::to_owned));
    let numbered = (2..).map(|n| format!("action_{n}"));
    wanted.chain(numbered).find(|n| !taken(n)).unwrap_or_default()
}
