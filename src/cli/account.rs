//! The account of a plan: a line and a table.

use crate::plan::{Plan, Posture};

/// Widest list of actions before it is cut.
const WIDEST: usize = 60;

/// `Planned 9 tools from 73 operations (4 excluded)`
pub fn headline(plan: &Plan) -> String {
    let tools = plan.tools.len();
    let mut text = format!("Planned {}", count(tools, "tool"));
    if let Some(catalog) = &plan.catalog {
        let more = if catalog.write.is_some() { 3 } else { 2 };
        text.push_str(&format!(" and a catalog ({more} tools)"));
    }
    text.push_str(&format!(" from {}", count(plan.operations(), "operation")));
    if !plan.excluded.is_empty() {
        text.push_str(&format!(" ({} excluded)", plan.excluded.len()));
    }
    text
}

/// Each tool with its actions and whether it writes.
pub fn table(plan: &Plan) -> String {
    let mut rows: Vec<[String; 3]> = plan
        .tools
        .iter()
        .map(|tool| {
            let hints = if tool.annotations.read_only {
                "reads"
            } else if tool.annotations.destructive {
                "writes, may destroy"
            } else {
                "writes"
            };
            let posture = match tool.posture {
                Posture::Primary => "",
                Posture::Secondary => ", secondary",
            };
            let actions = match tool.actions.as_slice() {
                [only] => only.operation.clone(),
                many => cut(many.iter().map(|a| a.name.as_str())),
            };
            [tool.name.clone(), format!("{hints}{posture}"), actions]
        })
        .collect();
    if let Some(catalog) = &plan.catalog {
        let reads =
            catalog.entries.iter().filter(|e| e.effect == crate::plan::Effect::Read).count();
        let writes = catalog.entries.len() - reads;
        let all = count(catalog.entries.len(), "operation");
        rows.push([catalog.find.name.clone(), "catalog".into(), format!("searches {all}")]);
        rows.push([
            catalog.read.name.clone(),
            "catalog".into(),
            format!("calls {reads} that read"),
        ]);
        if let Some(write) = &catalog.write {
            rows.push([write.name.clone(), "catalog".into(), format!("calls {writes} that write")]);
        }
    }
    let width = |i: usize| rows.iter().map(|r| r[i].len()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    rows.iter().fold(String::new(), |out, [name, hints, actions]| {
        out + format!("  {name:first$}  {hints:second$}  {actions}").trim_end() + "\n"
    })
}

fn cut<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.collect();
    let mut text = String::new();
    for (i, name) in names.iter().enumerate() {
        if text.len() + name.len() > WIDEST {
            text.push_str(&format!(" and {} more", names.len() - i));
            return text;
        }
        if i > 0 {
            text.push_str(", ");
        }
        text.push_str(name);
    }
    text
}

/// `1 tool`, `2 tools`
pub fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}
