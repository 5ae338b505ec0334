//! The settings that stand for themselves: those that can be given on the command line too.

use serde_json::{Map, Value as Json};

use super::{Config, json_schema};
use crate::error::Error;

/// A key of the configuration with a plain value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The key, in kebab-case.
    pub key: String,
    /// What it means, without a full stop.
    pub help: String,
    /// What its value is.
    pub kind: Kind,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// A whole number.
    Number {
        /// The least that it may be.
        least: u64,
    },
    /// A list of texts.
    Texts,
}

/// Keys whose values start from the folder of the file.
const PATHS: &[&str] = &["overlays", "allow-refs", "output"];

/// The settings of planning, in the order of [`Config`]; how the document is read is not among them.
pub fn settings() -> Vec<Setting> {
    let schema = json_schema();
    let Some(properties) = schema.get("properties").and_then(Json::as_object) else {
        return Vec::new();
    };
    let plain = properties.iter().filter(|(key, _)| !PATHS.contains(&key.as_str()));
    let settings = plain.filter_map(|(key, schema)| {
        let help = schema.get("description").and_then(Json::as_str).unwrap_or_default();
        let help = help.trim_end_matches('.');
        let default = schema.get("default").filter(|d| d.is_number());
        Some(Setting {
            key: key.clone(),
            help: match default {
                Some(value) => format!("{help} [default: {value}]"),
                None => help.to_owned(),
            },
            kind: kind(schema)?,
        })
    });
    settings.collect()
}

fn kind(schema: &Json) -> Option<Kind> {
    let is = |schema: &Json, word: &str| match schema.get("type") {
        Some(Json::String(one)) => one == word,
        Some(Json::Array(list)) => list.iter().any(|w| w == word),
        _ => false,
    };
    if is(schema, "string") {
        Some(Kind::Text)
    } else if is(schema, "integer") {
        let least = schema.get("minimum").and_then(Json::as_u64).unwrap_or(0);
        Some(Kind::Number { least })
    } else if is(schema, "array") && schema.get("items").is_some_and(|i| is(i, "string")) {
        Some(Kind::Texts)
    } else {
        None
    }
}

impl Config {
    /// This configuration with what was `given` over it, by key; lists add to those that are there.
    ///
    /// # Errors
    /// When a key is not known, or a value is of another kind.
    pub fn with(&self, given: &Map<String, Json>) -> Result<Self, Error> {
        if given.is_empty() {
            return Ok(self.clone());
        }
        let mut all = serde_json::to_value(self).unwrap_or_default();
        for (key, value) in given {
            match (all.get_mut(key), value) {
                (Some(Json::Array(list)), Json::Array(more)) => list.extend(more.iter().cloned()),
                _ => all[key] = value.clone(),
            }
        }
        let config: Self = serde_json::from_value(all)
            .map_err(|e| Error::Usage { message: format!("this is no configuration: {e}") })?;
        Ok(Self { places: self.places.clone(), ..config })
    }
}
