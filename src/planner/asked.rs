//! What is asked, where a plan before is followed.

use super::cost::Pool;
use super::facts::Facts;
use super::naming::legal;
use super::orders::Orders;
use crate::config::Config;
use crate::plan::Posture;

/// What the configuration says, which counts before the plan that is followed.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub config: &'a Config,
    pub orders: &'a Orders,
}

/// Whether an operation is asked to be in a tool.
pub(super) fn is_demanded(one: &Facts) -> bool {
    one.hints.group.is_some()
        || matches!(one.hints.posture.as_deref(), Some("primary" | "secondary"))
}

/// The names of tools that a demanded group may be: its own, one for each effect, and what the
/// configuration calls it instead.
pub(super) fn demanded_names(config: &Config, group: &str) -> Vec<String> {
    let words = super::words::snake(group);
    let mut names = ["", "read_", "manage_"].map(|verb| legal(&format!("{verb}{words}"))).to_vec();
    names.extend(config.tools.get(group).and_then(|wish| wish.name.as_deref()).map(legal));
    names
}

/// The name that the configuration gives an operation.
pub(super) fn named_by_config(one: &Facts) -> Option<String> {
    let name = one.hints.name.as_ref().filter(|_| one.lines.contains_key("name"));
    name.map(|n| super::words::snake(n)).filter(|n| !n.is_empty() && n.len() <= 48)
}

/// Takes away what goes beyond the limits of the configuration.
pub(super) fn within(
    pool: &Pool<'_>,
    asked: Asked<'_>,
    tool: &str,
    members: &mut Vec<(usize, String)>,
) -> Vec<(usize, String)> {
    if asked.orders.listed.contains(tool) {
        return Vec::new();
    }
    let most = asked.config.max_actions.unwrap_or(usize::MAX);
    let widest = asked.config.max_arguments.unwrap_or(usize::MAX);
    // What is asked to be here stays here, and takes no place from the others.
    let free = |(m, _): &&(usize, String)| {
        pool.facts[*m].hints.group.is_none() && pool.facts[*m].hints.posture.is_none()
    };
    let over = |members: &[(usize, String)]| {
        let all: Vec<usize> = members.iter().filter(free).map(|(m, _)| *m).collect();
        // An operation that is wider alone does not become narrower by what is taken from beside it.
        let alone = all.iter().map(|m| pool.facts[*m].arguments.len()).max().unwrap_or(0);
        all.len() > 1 && (all.len() > most || pool.group(all).width() > widest.max(alone))
    };
    let mut gone = Vec::new();
    while over(members) {
        let Some(last) = members.iter().rposition(|m| free(&m)) else { break };
        gone.push(members.remove(last));
    }
    gone
}

/// Whether what is asked lets an operation stay in the tool `name`; `tool` is its posture, unless that
/// is asked for itself.
pub(super) fn stays(asked: Asked<'_>, one: &Facts, name: &String, tool: Option<Posture>) -> bool {
    let group = match &one.hints.group {
        Some(group) => demanded_names(asked.config, group).contains(name),
        None => !asked.orders.listed.contains(name),
    };
    let posture = match one.hints.posture.as_deref() {
        Some("catalog") => false,
        Some("primary") => tool.is_none_or(|tool| tool == Posture::Primary),
        Some("secondary") => tool.is_none_or(|tool| tool == Posture::Secondary),
        _ => true,
    };
    // The posture of a tool goes with it.
    let of_tool = one.lines.get("posture").is_some_and(|p| p.as_str().starts_with("/tools/"));
    group && (posture || of_tool)
}
