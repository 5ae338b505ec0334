//! What is asked of each operation: by the configuration, else by `x-mcp`, by that of its tags last.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::naming::legal;
use super::text::some;
use crate::config::{self, Config, OperationWish, Pattern};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, planning, planning_config as codes};
use crate::ir::{Api, Hints, Method, Operation};
use crate::plan::{Effect, Excluded};
use crate::source::Pointer;

/// What is asked of one operation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Order {
    /// Names, words and places.
    pub hints: Hints,
    /// Why it is left out, where it is.
    pub skip: Option<String>,
    /// Whether it reads or writes.
    pub effect: Option<Effect>,
    /// New names of arguments, by the old ones, and the lines that say so.
    pub arguments: IndexMap<String, (String, Pointer)>,
    /// Which line of the configuration says what.
    pub lines: BTreeMap<&'static str, Pointer>,
}

/// What is asked of all operations.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Orders {
    /// By index of the operation.
    pub each: Vec<Order>,
    /// Names of tools whose operations are listed: these and no others.
    pub listed: BTreeSet<String>,
    /// Each pattern by its place, and what it names.
    patterns: Vec<(Pointer, Vec<usize>)>,
}

/// Reports something about the line at `pointer`.
pub(super) fn say<'d>(
    diagnostics: &'d mut Diagnostics,
    config: &Config,
    code: &'static Code,
    pointer: &Pointer,
    message: String,
) -> &'d mut Diagnostic {
    diagnostics.report(code, config.places.at(pointer), pointer.clone(), message)
}

/// Reads what is asked of the operations of `api`.
pub(super) fn read(diagnostics: &mut Diagnostics, api: &Api, config: &Config) -> Orders {
    let each = api.operations.iter().map(|o| of_document(api, o)).collect();
    let mut orders = Orders { each, ..Orders::default() };
    orders.lists(diagnostics, api, config);
    for (text, wish) in &config.operations {
        let pointer = Pointer::default().child("operations").child(text);
        let members = matching(diagnostics, api, config, text, &pointer, "operations");
        orders.wish(diagnostics, api, config, (text, wish), &pointer, &members);
        orders.patterns.push((pointer, members));
    }
    orders.report_overruled(diagnostics, config);
    orders
}

/// What the document asks.
fn of_document(api: &Api, operation: &Operation) -> Order {
    let mut hints = operation.hints.clone();
    let mut skip = hints.skip.then(|| "`x-mcp` says to skip it".to_owned());
    for tag in api.tags.iter().filter(|tag| operation.tags.contains(&tag.name)) {
        hints.group = hints.group.or_else(|| tag.hints.group.clone());
        hints.posture = hints.posture.or_else(|| tag.hints.posture.clone());
        if tag.hints.skip && skip.is_none() {
            skip = Some(format!("`x-mcp` on tag `{}` says to skip it", tag.name));
        }
    }
    Order { hints, skip, ..Order::default() }
}

/// The operations that a pattern names; none is a finding.
fn matching(
    diagnostics: &mut Diagnostics,
    api: &Api,
    config: &Config,
    text: &str,
    pointer: &Pointer,
    under: &str,
) -> Vec<usize> {
    let pattern = Pattern::new(text);
    let named = |o: &Operation| pattern.matches(&o.key.to_string(), o.id.as_deref(), &o.tags);
    let members: Vec<usize> =
        (0..api.operations.len()).filter(|i| api.operations.get(*i).is_some_and(named)).collect();
    if members.is_empty() {
        idle_pattern(diagnostics, config, text, pointer, under);
    }
    members
}

/// Reports a pattern that names nothing.
pub(super) fn idle_pattern(
    diagnostics: &mut Diagnostics,
    config: &Config,
    text: &str,
    pointer: &Pointer,
    under: &str,
) {
    say(
        diagnostics,
        config,
        &planning::PATTERN_MATCHES_NOTHING,
        pointer,
        format!("`{text}` under `{under}` names no operation"),
    )
    .help("write `METHOD /path`, `tag:NAME` or `id:OPERATION_ID`, with `*` for any text");
}

impl Orders {
    /// What is asked of an operation.
    pub(crate) fn of(&self, operation: usize) -> Option<&Order> {
        self.each.get(operation)
    }

    /// The description that is asked for.
    pub(super) fn description<'a>(&'a self, api: &'a Api, operation: usize) -> Option<&'a str> {
        let own = &api.operations[operation].hints;
        self.of(operation).map_or(own, |order| &order.hints).description.as_deref()
    }

    /// The lists of operations under `tools`.
    fn lists(&mut self, diagnostics: &mut Diagnostics, api: &Api, config: &Config) {
        for (key, wish) in config.tools.iter().filter(|(_, w)| !w.operations.is_empty()) {
            let tool = Pointer::default().child("tools").child(key);
            let name = legal(wish.name.as_deref().unwrap_or(key));
            self.listed.insert(name.clone());
            let under = format!("tools.{key}.operations");
            for (i, text) in wish.operations.iter().enumerate() {
                let pointer = tool.child("operations").index(i);
                let members = matching(diagnostics, api, config, text, &pointer, &under);
                for member in &members {
                    let order = &mut self.each[*member];
                    order.hints.group = Some(name.clone());
                    order.lines.insert("group", pointer.clone());
                    if let Some(posture) = wish.posture {
                        order.hints.posture = Some(posture.word().to_owned());
                        order.lines.insert("posture", tool.child("posture"));
                    } else {
                        // A list says where its operations are, whatever the document says.
                        order.hints.posture = None;
                    }
                }
                self.patterns.push((pointer, members));
            }
        }
    }

    /// What one line under `operations` asks.
    fn wish(
        &mut self,
        diagnostics: &mut Diagnostics,
        api: &Api,
        config: &Config,
        (text, wish): (&str, &OperationWish),
        pointer: &Pointer,
        members: &[usize],
    ) {
        if *wish == OperationWish::default() {
            let message = format!("`{text}` asks for nothing");
            say(diagnostics, config, &codes::WISH_WITHOUT_EFFECT, pointer, message)
                .help("say what is asked below it: `name`, `description`, `group`, `posture` …");
        }
        let OperationWish { skip, name, title, description, group, posture, effect, arguments } =
            wish;
        for key in [("name", name), ("title", title)] {
            if let (word, Some(_)) = key
                && members.len() > 1
            {
                let message =
                    format!("`{word}` is for one operation, and `{text}` names {}", members.len());
                let pointer = pointer.child(word);
                say(diagnostics, config, &codes::WISH_WITHOUT_EFFECT, &pointer, message)
                    .help("name each by `METHOD /path`, or a tool under `tools`");
            }
        }
        let one = members.len() == 1;
        let mut refused = Vec::new();
        for member in members {
            let Order { hints, skip: left_out, effect: judged, arguments: renames, lines } =
                &mut self.each[*member];
            let mut set = |slot: &mut Option<String>, key: &'static str, value: Option<&String>| {
                if let Some(value) = value {
                    *slot = Some(value.clone());
                    lines.insert(key, pointer.child(key));
                }
            };
            set(&mut hints.name, "name", name.as_ref().filter(|_| one));
            set(&mut hints.title, "title", title.as_ref().filter(|_| one));
            set(&mut hints.description, "description", description.as_ref());
            set(&mut hints.group, "group", group.as_ref());
            let posture = posture.map(|p| p.word().to_owned());
            set(&mut hints.posture, "posture", posture.as_ref());
            if let Some(skip) = skip {
                *left_out = skip.then(|| format!("`mcp-gen.yaml` says to skip it by `{text}`"));
                lines.insert("skip", pointer.child("skip"));
            }
            if let Some(effect) = effect {
                let key = &api.operations[*member].key;
                let changes = matches!(key.method, Method::Put | Method::Patch | Method::Delete);
                match effect {
                    config::Effect::Read if changes => refused.push(key.to_string()),
                    config::Effect::Read => *judged = Some(Effect::Read),
                    config::Effect::Write => *judged = Some(Effect::Write),
                }
                lines.insert("effect", pointer.child("effect"));
            }
            for (old, new) in arguments {
                let line = pointer.child("arguments").child(old);
                renames.insert(old.clone(), (new.clone(), line));
            }
        }
        if !refused.is_empty() {
            let all: Vec<&str> = refused.iter().map(String::as_str).collect();
            let message = format!("{} cannot count as reading", some(&all, 3));
            let pointer = pointer.child("effect");
            say(diagnostics, config, &codes::HINT_CONTRADICTS_METHOD, &pointer, message)
                .help("PUT, PATCH and DELETE change something; name only other operations here");
        }
    }

    /// Reports lines that later ones overrule for all that they name.
    fn report_overruled(&self, diagnostics: &mut Diagnostics, config: &Config) {
        let counts: BTreeSet<&Pointer> = self
            .each
            .iter()
            .flat_map(|o| o.lines.values().chain(o.arguments.values().map(|(_, line)| line)))
            .collect();
        for (pointer, members) in self.patterns.iter().filter(|(_, m)| !m.is_empty()) {
            let mut lines: Vec<Pointer> = Vec::new();
            let steps: Vec<String> = pointer.steps().collect();
            let wish = config.operations.get(steps.get(1).map_or("", String::as_str));
            match wish.filter(|_| steps[0] == "operations") {
                None => lines.push(pointer.clone()),
                Some(wish) => {
                    let one = members.len() == 1;
                    let mut line = |key: &str, there: bool| {
                        lines.extend(there.then(|| pointer.child(key)));
                    };
                    line("skip", wish.skip.is_some());
                    line("name", one && wish.name.is_some());
                    line("title", one && wish.title.is_some());
                    line("description", wish.description.is_some());
                    line("group", wish.group.is_some());
                    line("posture", wish.posture.is_some());
                    line("effect", wish.effect.is_some());
                    let renames = pointer.child("arguments");
                    lines.extend(wish.arguments.keys().map(|old| renames.child(old)));
                }
            }
            for line in lines.iter().filter(|l| !counts.contains(l)) {
                let last = line.steps().last().unwrap_or_default();
                let message = if steps[0] == "tools" {
                    format!("other lines put all that `{}` names elsewhere", item(config, &steps))
                } else {
                    format!("later lines say otherwise than `{last}` of `{}`", steps[1])
                };
                say(diagnostics, config, &codes::WISH_WITHOUT_EFFECT, line, message)
                    .help("a later line counts before an earlier one; remove one of the two");
            }
        }
    }

    /// Reports patterns all of whose operations are left out by something else.
    pub(super) fn report_left_out(
        &self,
        diagnostics: &mut Diagnostics,
        api: &Api,
        config: &Config,
        excluded: &[Excluded],
    ) {
        if self.patterns.is_empty() {
            return;
        }
        let out: BTreeSet<&str> = excluded.iter().map(|e| e.operation.as_str()).collect();
        for (pointer, members) in self.patterns.iter().filter(|(_, m)| !m.is_empty()) {
            let steps: Vec<String> = pointer.steps().collect();
            let wish = config.operations.get(&steps[1]).filter(|_| steps[0] == "operations");
            let only_skips = wish.is_some_and(|w| {
                *w == OperationWish { skip: Some(true), ..OperationWish::default() }
            });
            let gone = |m: &usize| out.contains(api.operations[*m].key.to_string().as_str());
            if !only_skips && members.iter().all(gone) {
                let text = if wish.is_some() { steps[1].clone() } else { item(config, &steps) };
                let message = format!("all that `{text}` names is left out");
                say(diagnostics, config, &codes::WISH_WITHOUT_EFFECT, pointer, message)
                    .help("see `excluded` in the plan for the reason, or remove the line");
            }
        }
    }
}

/// The pattern in a list of operations.
fn item(config: &Config, steps: &[String]) -> String {
    let index = steps.get(3).and_then(|i| i.parse::<usize>().ok()).unwrap_or_default();
    let wish = config.tools.get(&steps[1]);
    wish.and_then(|w| w.operations.get(index)).cloned().unwrap_or_default()
}
