//! Search over the catalog: BM25 with weighted fields.

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
}

/// All entries and how rare their words are.
#[derive(Debug, Default)]
pub struct Index {
    entries: Vec<Entry>,
    holders: BTreeMap<String, f64>,
    mean: f64,
}

/// Words that stand for the same intent.
const SYNONYMS: [&[&str]; 9] = [
    &[
        "list", "find", "search", "get", "show", "read", "fetch", "retrieve", "view", "lookup",
        "query", "describe",
    ],
    &["create", "add", "new", "make", "post", "insert", "register", "open"],
    &["update", "edit", "change", "modify", "patch", "set", "put", "replace", "rename"],
    &["delete", "remove", "destroy", "cancel", "drop", "revoke", "close"],
    &["send", "submit", "publish"],
    &["start", "run", "trigger", "execute", "launch", "begin"],
    &["stop", "end", "abort", "halt", "pause"],
    &["upload", "attach", "import"],
    &["download", "export"],
];

/// Words that say nothing.
const NOISE: [&str; 24] = [
    "a", "an", "the", "of", "for", "to", "in", "on", "by", "with", "and", "or", "all", "my", "me",
    "i", "from", "is", "how", "do", "can", "that", "this", "it",
];

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

    /// Positions of the best entries, best first; without words all of them, in order.
    pub fn find(&self, query: &str, effect: Option<&str>) -> Vec<usize> {
        let fits = |entry: &Entry| effect.is_none_or(|wanted| entry.effect == wanted);
        let words = wanted(query);
        let all = self.entries.iter().enumerate().filter(|(_, entry)| fits(entry));
        if words.is_empty() {
            return all.map(|(at, _)| at).collect();
        }
        let plain = query.trim().to_lowercase();
        let mut scored: Vec<(f64, usize)> = all
            .map(|(at, entry)| {
                let exact =
                    plain == entry.name.to_lowercase() || plain == entry.operation.to_lowercase();
                (self.score(entry, &words) + if exact { 1000.0 } else { 0.0 }, at)
            })
            .filter(|(score, _)| *score > 0.0)
            .collect();
        scored.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
        scored.into_iter().map(|(_, at)| at).collect()
    }

    fn score(&self, entry: &Entry, words: &BTreeMap<String, f64>) -> f64 {
        let documents = count(self.entries.len());
        let norm = 0.6 + 0.4 * entry.length / self.mean.max(1.0);
        let part = |(word, weight): (&String, &f64)| {
            let Some(found) = entry.weights.get(word) else { return 0.0 };
            let holders = self.holders.get(word).copied().unwrap_or_default();
            let rarity = (1.0 + (documents - holders + 0.5) / (holders + 0.5)).ln();
            weight * rarity * found * 2.2 / (found + 1.2 * norm)
        };
        words.iter().map(part).sum()
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
    let fields = [
        (4.0, entry.name.clone()),
        (2.0, entry.operation.clone()),
        (2.0, entry.summary.clone()),
        (1.5, keywords.join(" ")),
        (0.5, arguments.join(" ")),
    ];
    for (weight, field) in fields {
        for word in split(&field) {
            *entry.weights.entry(stem(&word)).or_default() += weight;
            entry.length += weight;
        }
    }
    entry
}

/// The words of a query and of what means the same, with weights.
fn wanted(query: &str) -> BTreeMap<String, f64> {
    let mut out = BTreeMap::new();
    let words: BTreeSet<String> =
        split(query).into_iter().filter(|word| !NOISE.contains(&word.as_str())).collect();
    for word in words.iter().take(32) {
        for group in SYNONYMS
            .iter()
            .filter(|group| group.contains(&word.as_str()) || group.contains(&stem(word).as_str()))
        {
            for other in *group {
                out.entry(stem(other)).or_insert(0.4);
            }
        }
    }
    for word in words.iter().take(32) {
        out.insert(stem(word), 1.0);
    }
    out
}

/// Lower-case words, split at `camelCase` as well.
fn split(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for c in text.chars().take(4_000) {
        if (!c.is_alphanumeric() || (c.is_uppercase() && was_lower)) && !word.is_empty() {
            out.push(std::mem::take(&mut word));
        }
        was_lower = c.is_lowercase() || c.is_ascii_digit();
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
    }
    if !word.is_empty() {
        out.push(word);
    }
    out
}

/// A light stem, so that `pets`, `categories` and `listing` meet `pet`, `category` and `list`.
fn stem(word: &str) -> String {
    let cut = |end: &str, least: usize| word.strip_suffix(end).filter(|rest| rest.len() >= least);
    if let Some(rest) = cut("ies", 2) {
        return format!("{rest}y");
    }
    for end in ["sses", "shes", "ches", "xes"] {
        if word.ends_with(end) {
            return word[..word.len() - 2].to_owned();
        }
    }
    if word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") {
        return word.to_owned();
    }
    let base = cut("s", 3).unwrap_or(word);
    for end in ["ing", "ed"] {
        if let Some(rest) = base.strip_suffix(end).filter(|rest| rest.len() >= 4) {
            return rest.trim_end_matches('e').to_owned();
        }
    }
    // `create` and `created` meet.
    base.strip_suffix('e').filter(|rest| rest.len() >= 4).unwrap_or(base).to_owned()
}
