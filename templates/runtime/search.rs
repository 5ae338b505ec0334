//! Search over the catalog: BM25 with weighted fields, synonyms, and what a verb asks for.

use super::words::{Deed, Term, Wanted, deed_of, split, stem, steps};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// One operation of the catalog.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// `METHOD /path`
    pub operation: String,
    /// What it does.
    pub summary: String,
    /// `read` or `write`.
    pub effect: String,
    /// The direct tool that does the same.
    pub tool: Option<String>,
    /// The schema of its arguments.
    pub input_schema: Value,
    weights: BTreeMap<String, f64>,
    length: f64,
    deed: Option<Deed>,
    prior: f64,
}

/// All entries and how rare their words are.
#[derive(Debug, Default)]
pub struct Index {
    entries: Vec<Entry>,
    holders: BTreeMap<String, f64>,
    mean: f64,
}

impl Index {
    /// Reads `catalog.json`.
    ///
    /// # Errors
    /// The text is no JSON array, a fault of the generator.
    pub fn parse(text: &str) -> Result<Self, String> {
        let rows: Vec<Value> =
            serde_json::from_str(text).map_err(|error| format!("catalog.json: {error}"))?;
        let mut index = Self { entries: rows.iter().map(entry).collect(), ..Self::default() };
        let mut total = 0.0;
        for entry in &index.entries {
            total += entry.length;
            for word in entry.weights.keys() {
                *index.holders.entry(word.clone()).or_default() += 1.0;
            }
        }
        index.mean = total / count(index.entries.len()).max(1.0);
        Ok(index)
    }

    /// The entries, in the order of the catalog's actions.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What most operations are about, as their paths call it, most of them first.
    pub fn subjects(&self, most: usize) -> Vec<String> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for entry in &self.entries {
            let path = entry.operation.split_once(' ').unwrap_or_default().1;
            let words: BTreeSet<String> = path
                .split('/')
                .filter(|part| !part.starts_with('{') && part.len() > 3)
                .map(|part| split(part).join(" "))
                .filter(|part| !part.is_empty())
                .collect();
            for word in words {
                *counts.entry(word).or_default() += 1;
            }
        }
        // What is in every path tells nothing.
        counts.retain(|_, n| *n < self.entries.len() || self.entries.len() == 1);
        let mut order: Vec<(String, usize)> = counts.into_iter().collect();
        order.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(&right.0)));
        order.into_iter().take(most).map(|(word, _)| word).collect()
    }

    /// Positions of the best entries, best first; without words all of them, in order.
    pub fn find(&self, query: &str, effect: Option<&str>) -> Vec<usize> {
        let fits = |entry: &Entry| effect.is_none_or(|wanted| entry.effect == wanted);
        let all = self.entries.iter().enumerate().filter(|(_, entry)| fits(entry));
        if split(query).is_empty() {
            return all.map(|(at, _)| at).collect();
        }
        let plain = query.trim().to_lowercase();
        let named = |entry: &Entry| {
            plain == entry.name.to_lowercase() || plain == entry.operation.to_lowercase()
        };
        let candidates: Vec<usize> = all.map(|(at, _)| at).collect();
        let mut out: Vec<usize> =
            candidates.iter().copied().filter(|at| named(&self.entries[*at])).collect();
        // The best of each step, then the second of each.
        let ranked: Vec<Vec<usize>> =
            steps(query).iter().map(|step| self.ranked(&candidates, step)).collect();
        let mut seen: BTreeSet<usize> = out.iter().copied().collect();
        for place in 0..ranked.iter().map(Vec::len).max().unwrap_or(0) {
            for at in ranked.iter().filter_map(|list| list.get(place)) {
                if seen.insert(*at) {
                    out.push(*at);
                }
            }
        }
        out
    }

    /// Those of `candidates` that have anything to do with one step, best first.
    fn ranked(&self, candidates: &[usize], step: &Wanted) -> Vec<usize> {
        let scored = candidates.iter().map(|at| (self.score(&self.entries[*at], step), *at));
        let mut scored: Vec<(f64, usize)> = scored.filter(|(score, _)| *score > 0.0).collect();
        let best_first = |left: &(f64, usize), right: &(f64, usize)| {
            right.0.total_cmp(&left.0).then(left.1.cmp(&right.1))
        };
        scored.sort_by(best_first);
        // Of two ways to change the same thing, the second waits.
        let mut changed = BTreeSet::new();
        for (score, at) in &mut scored {
            let operation = &self.entries[*at].operation;
            let (method, path) = operation.split_once(' ').unwrap_or_default();
            if matches!(method, "PUT" | "PATCH") && !changed.insert(path.to_owned()) {
                *score *= 0.6;
            }
        }
        scored.sort_by(best_first);
        scored.into_iter().map(|(_, at)| at).collect()
    }

    fn score(&self, entry: &Entry, step: &Wanted) -> f64 {
        let documents = count(self.entries.len());
        let norm = 0.6 + 0.4 * entry.length / self.mean.max(1.0);
        let form = |(word, weight): &(String, f64)| {
            let Some(found) = entry.weights.get(word) else { return 0.0 };
            let holders = self.holders.get(word).copied().unwrap_or_default();
            let rarity = (1.0 + (documents - holders + 0.5) / (holders + 0.5)).ln();
            weight * rarity * found * 2.2 / (found + 1.2 * norm)
        };
        // A word counts once, by whichever of its forms says most.
        let sum = |terms: &[Term]| -> f64 {
            terms.iter().map(|t| t.forms.iter().map(form).fold(0.0, f64::max)).sum()
        };
        let own = sum(&step.terms);
        let words = if step.terms.is_empty() { 1.0 } else { own };
        let words = words + (0.3 * sum(&step.context)).min(0.5 * own);
        words * entry.prior * agreement(entry, step)
    }
}

/// How well what an entry does goes with the verb of a query.
fn agreement(entry: &Entry, wanted: &Wanted) -> f64 {
    if wanted.deeds.is_empty() {
        return if wanted.asks && entry.effect == "read" { 1.2 } else { 1.0 };
    }
    let same = entry.deed.is_some_and(|deed| wanted.deeds.contains(&deed));
    let reads = wanted.deeds.iter().all(|deed| deed.reads());
    let writes = !wanted.deeds.iter().any(|deed| deed.reads());
    if same {
        1.4
    } else if (reads && entry.effect == "read") || (writes && entry.effect == "write") {
        1.1
    } else if reads || writes {
        0.8
    } else {
        1.0
    }
}

#[allow(clippy::cast_precision_loss)] // Numbers of entries and words are small.
fn count(number: usize) -> f64 {
    number as f64
}

fn entry(row: &Value) -> Entry {
    let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
    let mut entry = Entry {
        name: text("name"),
        operation: text("operation"),
        summary: text("summary"),
        effect: text("effect"),
        tool: row["tool"].as_str().map(str::to_owned),
        input_schema: row["inputSchema"].clone(),
        ..Entry::default()
    };
    let keywords: Vec<&str> =
        row["keywords"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let arguments: Vec<&str> = row["inputSchema"]["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name.as_str())
        .collect();
    let (method, path) = entry.operation.split_once(' ').unwrap_or_default();
    let segments = path.split('/').filter(|segment| !segment.is_empty()).count();
    let literal: Vec<&str> = path.split('/').filter(|s| !s.starts_with('{')).collect();
    let fields = [
        (3.0, entry.name.clone()),
        (2.0, literal.join(" ")),
        (2.5, entry.summary.clone()),
        (1.2, keywords.join(" ")),
        (0.5, arguments.join(" ")),
        (0.3, text("text")),
        (0.15, values(&row["inputSchema"]["properties"])),
    ];
    let mut weights: BTreeMap<String, f64> = BTreeMap::new();
    for (weight, field) in fields {
        // A word counts once a field.
        let words: BTreeSet<String> = split(&field).iter().map(|word| stem(word)).collect();
        for word in words {
            *weights.entry(word).or_default() += weight;
            entry.length += weight;
        }
    }
    entry.deed = deed(method, path, &entry.name, &entry.summary);
    entry.prior = 1.0 / (1.0 + 0.03 * count(segments));
    if row["deprecated"] == true {
        entry.prior *= 0.7;
    }
    entry.weights = weights;
    entry
}

/// What the arguments say that they take: their descriptions and allowed values.
fn values(arguments: &Value) -> String {
    let mut out = String::new();
    for argument in arguments.as_object().into_iter().flatten().map(|(_, schema)| schema) {
        let allowed = argument["enum"].as_array().into_iter().flatten().take(12);
        for text in allowed.filter_map(Value::as_str).chain(argument["description"].as_str()) {
            out.extend(text.chars().take(120));
            out.push(' ');
        }
    }
    out
}

/// What an operation does to what it is about.
fn deed(method: &str, path: &str, name: &str, summary: &str) -> Option<Deed> {
    let first = |text: &str| split(text).into_iter().next().unwrap_or_default();
    let said = deed_of(&first(name)).or_else(|| {
        let word = first(summary);
        deed_of(&word).or_else(|| deed_of(word.strip_suffix('s').unwrap_or(&word)))
    });
    let item = path.trim_end_matches('/').ends_with('}');
    match (method, said) {
        ("DELETE", _) => Some(Deed::Delete),
        ("PUT" | "PATCH", Some(Deed::Create | Deed::Delete)) | ("POST", Some(_)) => said,
        ("PUT" | "PATCH", _) => Some(Deed::Update),
        ("GET", _) if item => Some(Deed::Get),
        ("GET", Some(said)) if said.reads() => Some(said),
        ("GET", _) => Some(Deed::List),
        _ => None,
    }
}
