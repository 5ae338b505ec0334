//! The whole story of one tool or one operation: what was seen, weighed and decided.

use super::cost::{Group, Limits, Pool, Relation, delta, fits};
use super::facts::Facts;
use super::importance::ratio;
use super::{analyse, naming, orders, select};
use crate::config::Config;
use crate::diagnostic::Diagnostics;
use crate::ir::Api;
use crate::plan::{Effect, Plan, Tool};

/// Tells of the tool or operation `what` in `plan`: a name of a tool, of an entry of the catalog, an
/// `operationId`, or `METHOD /path`. `None` when there is nothing of that name.
pub fn story(api: &Api, config: &Config, plan: &Plan, what: &str) -> Option<String> {
    let mut silent = Diagnostics::default();
    let orders = orders::read(&mut silent, api, config);
    let (kept, excluded) = select::select(&mut silent, api, config, &orders);
    let facts = analyse::analyse(&mut silent, api, &kept, &orders);
    let pool = Pool::new(&facts, Limits::of(config));
    let what = what.trim();
    if let Some(tool) = plan.tools.iter().find(|t| t.name == what) {
        return Some(of_tool(&pool, plan, tool));
    }
    let named = plan.catalog.iter().flat_map(|c| &c.entries).find(|e| e.name == what);
    let operation = api.operations.iter().find(|o| {
        let key = o.key.to_string();
        key.eq_ignore_ascii_case(what)
            || o.id.as_deref() == Some(what)
            || named.is_some_and(|e| e.operation == key)
    })?;
    let key = operation.key.to_string();
    if let Some(out) = excluded.iter().find(|e| e.operation == key) {
        return Some(format!("{key}\n  left out: {}\n", out.reason));
    }
    let one = facts.iter().position(|f| f.key == key)?;
    Some(of_operation(&pool, plan, one))
}

/// Lines under a heading.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn head(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }

    fn say(&mut self, what: &str, text: &str) {
        if !text.is_empty() {
            self.0.push_str(&format!("  {what}: {text}\n"));
        }
    }
}

fn of_tool(pool: &Pool<'_>, plan: &Plan, tool: &Tool) -> String {
    let mut out = Lines::default();
    out.head(&format!("{} ({})", tool.name, tool.title));
    let Some(group) = group_of(pool, tool) else { return out.0 };
    let place = plan.tools.iter().position(|t| t.name == tool.name).unwrap_or(0);
    out.say("place", &format!("{} of {} tools", place + 1, plan.tools.len()));
    out.say("effect", effect(group.effect));
    out.say("nouns", &naming::nouns(&group, pool.facts).join(", "));
    for sentence in &tool.why {
        out.say("why", sentence);
    }
    out.head("Actions, the most important first");
    for member in &group.members {
        let one = &pool.facts[*member];
        let action = tool.actions.iter().find(|a| a.operation == one.key);
        let name = action.map_or("", |a| a.name.as_str());
        out.say(name, &format!("{} (importance {:.2})", one.key, one.importance));
    }
    out.head(&format!("Cost {:.2}", group.terms().iter().map(|(_, t)| t).sum::<f64>()));
    for (what, term) in group.terms().iter().filter(|(_, term)| *term > 0.0) {
        out.say(what, &format!("{term:.2}"));
    }
    out.say(
        "focus",
        &format!(
            "{:.2} of {} arguments are taken by an action on average",
            group.focus(),
            group.width()
        ),
    );
    neighbours(&mut out, pool, plan, tool, &group);
    out.head("Names considered, the best first");
    for name in naming::tool_names(&group, pool.facts) {
        let fate = match plan.tools.iter().find(|t| t.name == name) {
            Some(other) if other.name == tool.name => "taken",
            Some(_) => "another tool has it",
            None => "not needed",
        };
        out.say(&name, fate);
    }
    arguments(&mut out, tool, None);
    out.0
}

/// What joining the tool with each other of its effect would cost.
fn neighbours(out: &mut Lines, pool: &Pool<'_>, plan: &Plan, tool: &Tool, group: &Group) {
    let others: Vec<(&Tool, Group)> = plan
        .tools
        .iter()
        .filter(|t| t.name != tool.name)
        .filter_map(|t| Some((t, group_of(pool, t)?)))
        .collect();
    let mean = (others.iter().map(|(_, g)| g.weight).sum::<f64>() + group.weight)
        / ratio(others.len() + 1, 1);
    out.head("Joining it with another would change the cost by (less than 0 pays)");
    for (other, theirs) in &others {
        let Some(near) = group.relation(theirs) else { continue };
        let near_words = match near {
            Relation::SameNoun => "same noun",
            Relation::SharedTagOrScope => "shared tag or scope",
            Relation::Unrelated => "unrelated",
        };
        let room = if fits(group, theirs) { "" } else { ", too large for one tool" };
        let change = delta(group, theirs, near, mean);
        out.say(&other.name, &format!("{change:+.2} ({near_words}{room})"));
    }
}

fn group_of(pool: &Pool<'_>, tool: &Tool) -> Option<Group> {
    let members: Vec<usize> = tool
        .actions
        .iter()
        .filter_map(|a| pool.facts.iter().position(|f| f.key == a.operation))
        .collect();
    (!members.is_empty()).then(|| pool.group(members))
}

fn of_operation(pool: &Pool<'_>, plan: &Plan, at: usize) -> String {
    let one = &pool.facts[at];
    let mut out = Lines::default();
    out.head(&one.key);
    seen(&mut out, one);
    let before = pool.facts.iter().filter(|f| f.importance > one.importance).count();
    out.head(&format!(
        "Importance {:.3}, place {} of {}",
        one.importance,
        before + 1,
        pool.facts.len()
    ));
    for (what, factor) in &one.factors {
        out.say(what, &format!("× {factor:.2}"));
    }
    out.head("Where it is");
    let direct = plan.tools.iter().find(|t| t.actions.iter().any(|a| a.operation == one.key));
    match direct {
        Some(tool) => {
            let action = tool.actions.iter().find(|a| a.operation == one.key);
            let name = action.map_or("", |a| a.name.as_str());
            out.say("tool", &format!("`{}`, action `{name}`", tool.name));
            for sentence in &tool.why {
                out.say("why", sentence);
            }
            let others: Vec<&str> = tool
                .actions
                .iter()
                .filter(|a| a.operation != one.key)
                .map(|a| a.operation.as_str())
                .collect();
            out.say("together with", &others.join(", "));
        }
        None => out.say("tool", "none, only the catalog"),
    }
    if let Some(entry) =
        plan.catalog.iter().flat_map(|c| &c.entries).find(|e| e.operation == one.key)
    {
        out.say("catalog", &format!("`{}`", entry.name));
        out.say("why", entry.why.as_deref().unwrap_or_default());
        out.say("found by", &entry.keywords.join(", "));
    }
    if let Some(tool) = direct {
        let action = tool.actions.iter().find(|a| a.operation == one.key);
        arguments(&mut out, tool, action.map(|a| a.name.as_str()));
    }
    out.0
}

/// What the reading of its path, identifier and texts gave.
fn seen(out: &mut Lines, one: &Facts) {
    out.say("effect", effect(one.effect));
    if one.destructive {
        out.say("destroys", "something is gone after it");
    }
    out.say("verb", one.verb.word());
    out.say("phrase", one.phrase.as_deref().unwrap_or_default());
    out.say("family", &format!("`{}`, written `{}`", one.root, one.label));
    out.say("scope", &one.scope.join(" / "));
    out.say("sections", &one.sections.join(" / "));
    out.say("tags", &one.tags.iter().cloned().collect::<Vec<_>>().join(", "));
    out.say("words of its identifier", &one.id_words.join(" "));
    out.say("takes", &one.arguments.iter().cloned().collect::<Vec<_>>().join(", "));
    if let Some(word) = &one.plumbing {
        out.say("plumbing", &format!("because of `{word}`"));
    }
    for note in &one.notes {
        out.say("concluded", note);
    }
}

/// The arguments whose name is not their place, those of one action or all.
fn arguments(out: &mut Lines, tool: &Tool, action: Option<&str>) {
    out.head("Arguments");
    for argument in &tool.arguments {
        let places: Vec<String> = argument
            .to
            .iter()
            .filter(|(name, _)| action.is_none_or(|only| only == name.as_str()))
            .map(|(name, place)| format!("{name} → {place}"))
            .collect();
        if places.is_empty() {
            continue;
        }
        let why = argument.why.as_ref().map(|w| format!(" ({w})")).unwrap_or_default();
        out.say(&argument.name, &format!("{}{why}", places.join(", ")));
    }
}

fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::Read => "reads",
        Effect::Write => "writes",
    }
}
