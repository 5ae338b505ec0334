//! Tools that are hard to tell apart by what a client reads first.

use std::collections::{BTreeMap, BTreeSet};

use super::importance::ratio;
use super::words::{singular, split};
use crate::diagnostic::{Diagnostics, planning_text as codes};
use crate::ir::prose::first_sentence;
use crate::plan::{Effect, Tool};
use crate::source::Pointer;

/// From this similarity on, two tools are a finding. Of the pairs of some 40 plans of real documents, six reach it.
const ALIKE: f64 = 0.6;
/// The most pairs that are named.
const NAMED: usize = 3;

const SMALL: &[&str] =
    &["a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"];

/// Reports the pairs of one effect whose names, titles and first sentences share most of their words.
pub(super) fn report(diagnostics: &mut Diagnostics, tools: &[Tool]) {
    let vectors = vectors(tools);
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for a in 0..tools.len() {
        for b in a + 1..tools.len() {
            if effect(&tools[a]) == effect(&tools[b]) {
                pairs.push((cosine(&vectors[a], &vectors[b]), a, b));
            }
        }
    }
    pairs.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)).then(x.2.cmp(&y.2)));
    for (likeness, a, b) in pairs.into_iter().filter(|p| p.0 >= ALIKE).take(NAMED) {
        let (a, b) = (&tools[a].name, &tools[b].name);
        diagnostics
            .report(
                &codes::TOOLS_ALIKE,
                None,
                Pointer::default(),
                format!("`{a}` and `{b}` share {:.0} % of what they say first", likeness * 100.0),
            )
            .help("give their operations summaries that differ, or put them together");
    }
}

fn effect(tool: &Tool) -> Effect {
    if tool.annotations.read_only { Effect::Read } else { Effect::Write }
}

/// How much each word of what a tool says first tells it from the others.
fn vectors(tools: &[Tool]) -> Vec<BTreeMap<String, f64>> {
    let texts: Vec<Vec<String>> = tools
        .iter()
        .map(|t| {
            let text = format!("{} {} {}", t.name, t.title, first_sentence(&t.description));
            let words = split(&text).into_iter().filter(|w| !SMALL.contains(&w.as_str()));
            words.map(|w| singular(&w)).collect()
        })
        .collect();
    let mut holders: BTreeMap<&String, usize> = BTreeMap::new();
    for text in &texts {
        for word in text.iter().collect::<BTreeSet<_>>() {
            *holders.entry(word).or_default() += 1;
        }
    }
    let vector = |text: &Vec<String>| {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for word in text {
            *counts.entry(word.clone()).or_default() += 1;
        }
        let weight = |(word, n): (String, usize)| {
            let rarity = (1.0 + ratio(texts.len(), holders[&word])).ln();
            let weight = (1.0 + ratio(n, 1).ln()) * rarity;
            (word, weight)
        };
        counts.into_iter().map(weight).collect()
    };
    texts.iter().map(vector).collect()
}

fn cosine(a: &BTreeMap<String, f64>, b: &BTreeMap<String, f64>) -> f64 {
    let length = |v: &BTreeMap<String, f64>| v.values().map(|x| x * x).sum::<f64>().sqrt();
    let shared: f64 = a.iter().filter_map(|(word, x)| Some(x * b.get(word)?)).sum();
    let whole = length(a) * length(b);
    if whole > 0.0 { shared / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::planner::sample::Sample;

    fn alike(operations: &[(&str, &str, &str)]) -> Vec<String> {
        let mut sample = Sample::default();
        for (path, id, summary) in operations {
            let operation = sample.operation(&format!("GET {path}"), summary);
            operation.id = Some((*id).to_owned());
        }
        let mut diagnostics = Diagnostics::default();
        crate::planner::plan(&mut diagnostics, &sample.api, &Config::default(), None);
        let found = diagnostics.iter().filter(|d| d.code.id == "tools-alike");
        found.map(|d| d.message.clone()).collect()
    }

    #[test]
    fn tools_that_say_nearly_the_same_first_are_named() {
        let found = alike(&[
            ("/reports", "getReport", "Get the yearly report of all sales as a table"),
            ("/summaries", "getSummary", "Get the yearly report of all sales as a chart"),
            ("/people", "listPeople", "List people"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("`get_report`") && found[0].contains("`get_summary`"));
        let none = alike(&[
            ("/reports", "getReport", "Get the yearly report"),
            ("/people", "listPeople", "List people"),
        ]);
        assert!(none.is_empty(), "{none:?}");
    }
}
