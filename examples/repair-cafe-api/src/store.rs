//! The repairs, in memory and, where a file is named, on disk after each change.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// Where a repair stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nobody has looked at it.
    Waiting,
    /// A volunteer works on it.
    InProgress,
    /// It has an outcome.
    Finished,
}

/// Kind of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Has a plug or a battery.
    Electrical,
    /// Can be sewn.
    Textile,
    /// Stands in a room.
    Furniture,
    /// Has wheels and pedals.
    Bicycle,
    /// Is played with.
    Toy,
    /// Anything else.
    Other,
}

/// What became of the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It works again.
    Fixed,
    /// It works a little.
    PartlyFixed,
    /// It never will.
    NotRepairable,
    /// It would with a part.
    SparePartNeeded,
}

/// Whom an object belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// Name to call out.
    pub name: String,
    /// Telephone number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
}

/// What is known of a thing that is brought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewRepair {
    /// What was brought.
    pub object: String,
    /// Its kind.
    pub category: Category,
    /// What is wrong with it.
    pub fault: String,
    /// Whom it belongs to.
    pub owner: Owner,
    /// Its weight in kilograms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight_kg: Option<f64>,
}

/// A thing that was brought, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Repair {
    /// `r` and a number.
    pub id: String,
    /// Where it stands.
    pub status: Status,
    /// Day on which it was brought, `2026-03-07`.
    pub brought_on: String,
    /// What was said when it was brought.
    #[serde(flatten)]
    pub what: NewRepair,
    /// Who works on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volunteer: Option<String>,
    /// What became of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// How long the work took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<u64>,
}

/// What a volunteer wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// Number of the note within the repair.
    pub id: u64,
    /// Day on which it was written.
    pub written_on: String,
    /// The note.
    pub text: String,
    /// Who wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
}

/// A repair with its notes: one entry of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The repair.
    #[serde(flatten)]
    pub repair: Repair,
    /// Its notes, the oldest first.
    #[serde(default)]
    pub notes: Vec<Note>,
}

/// All repairs, the oldest first.
#[derive(Debug)]
pub struct Store {
    entries: Vec<Entry>,
    // Higher than all identifiers that were ever given in this run, so that none comes back.
    next: u64,
    file: Option<PathBuf>,
}

impl Store {
    /// Reads the file; without one, or when it does not exist yet, starts with the seed.
    pub fn open(file: Option<PathBuf>) -> Result<Self, String> {
        let text = match &file {
            Some(path) if path.exists() => std::fs::read_to_string(path)
                .map_err(|error| format!("cannot read {}: {error}", path.display()))?,
            _ => include_str!("seed.json").to_owned(),
        };
        let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|error| {
            let name = file.as_deref().unwrap_or(Path::new("seed.json")).display().to_string();
            format!("{name} does not hold repairs: {error}")
        })?;
        let next = entries.iter().filter_map(|e| number(&e.repair.id)).max().unwrap_or(0) + 1;
        Ok(Self { entries, next, file })
    }

    /// All repairs with their notes, the oldest first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry with this identifier.
    pub fn find(&self, id: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.repair.id == id)
    }

    /// Adds a repair that waits.
    pub fn add(&mut self, what: NewRepair) -> Result<Repair, String> {
        let repair = Repair {
            id: format!("r{}", self.next),
            status: Status::Waiting,
            brought_on: today(),
            what,
            volunteer: None,
            outcome: None,
            minutes: None,
        };
        self.next += 1;
        self.entries.push(Entry { repair: repair.clone(), notes: Vec::new() });
        self.keep()?;
        Ok(repair)
    }

    /// Changes an entry that exists and gives what the change gives; `None` when there is none.
    pub fn change<T>(
        &mut self,
        id: &str,
        change: impl FnOnce(&mut Entry) -> T,
    ) -> Result<Option<T>, String> {
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.repair.id == id) else {
            return Ok(None);
        };
        let result = change(entry);
        self.keep()?;
        Ok(Some(result))
    }

    /// Removes an entry; says whether there was one.
    pub fn remove(&mut self, id: &str) -> Result<bool, String> {
        let before = self.entries.len();
        self.entries.retain(|entry| entry.repair.id != id);
        if self.entries.len() == before {
            return Ok(false);
        }
        self.keep()?;
        Ok(true)
    }

    fn keep(&self) -> Result<(), String> {
        let Some(path) = &self.file else { return Ok(()) };
        let failed = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
        let text = serde_json::to_vec_pretty(&self.entries)
            .expect("repairs are text and numbers, which always serialise");
        // A reader never sees half a file.
        let beside = path.with_extension("new");
        std::fs::write(&beside, text).map_err(failed)?;
        std::fs::rename(&beside, path).map_err(failed)
    }
}

impl Entry {
    /// Adds a note after the last one.
    pub fn note(&mut self, text: String, author: Option<String>) -> Note {
        let id = self.notes.last().map_or(1, |note| note.id + 1);
        let note = Note { id, written_on: today(), text, author };
        self.notes.push(note.clone());
        note
    }
}

fn number(id: &str) -> Option<u64> {
    id.strip_prefix('r')?.parse().ok()
}

/// Today in UTC, as `2026-03-07`.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date(seconds / 86_400)
}

/// The day with this number, counted from 1970-01-01.
fn date(days: u64) -> String {
    let (mut year, mut rest) = (1970, days);
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if rest < length {
            break;
        }
        rest -= length;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if rest < length {
            break;
        }
        rest -= length;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", rest + 1)
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        for (days, expected) in
            [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_788, "2026-12-01")]
        {
            assert_eq!(date(days), expected);
        }
    }

    #[test]
    fn the_file_keeps_changes_and_no_identifier_comes_back() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("data.json");
        let mut store = Store::open(Some(path.clone())).expect("the seed is read");
        let seeded = store.entries().len();
        let what = store.entries()[0].repair.what.clone();
        let first = store.add(what.clone()).expect("added").id;
        assert_eq!(store.remove(&first), Ok(true));
        let second = store.add(what).expect("added").id;
        assert_ne!(first, second);
        let again = Store::open(Some(path)).expect("the file is read");
        assert_eq!(again.entries().len(), seeded + 1);
        assert!(again.find(&second).is_some());
        assert!(again.find(&first).is_none());
    }

    #[test]
    fn a_file_with_other_content_is_refused() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("data.json");
        std::fs::write(&path, "{}").expect("written");
        let error = Store::open(Some(path)).expect_err("no list");
        assert!(error.contains("does not hold repairs"), "{error}");
    }
}
