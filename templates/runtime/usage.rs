//! The usage log: one line of JSON for each call, in a file that the operator names. It holds what
//! was called and how that ended, never an argument, an answer or a credential.

use super::date;
use super::log;
use super::reply::Outcome;
use serde_json::{Map, Value, json};
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// The log, open or not.
#[derive(Debug)]
pub struct Usage {
    file: Option<Mutex<File>>,
    begun: Instant,
    calls: AtomicU64,
    failed: AtomicU64,
}

/// What happened since the start.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// The time since the start.
    pub uptime: Duration,
    /// Calls that ended.
    pub calls: u64,
    /// Those among them that failed or were cancelled.
    pub failed: u64,
}

impl Usage {
    /// Opens the file, to add to it.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(path: Option<&Path>) -> Result<Self, String> {
        let open = |path| OpenOptions::new().create(true).append(true).open(path);
        let file = path.map(open).transpose();
        let file = file.map_err(|error| format!("the usage log cannot be written: {error}"))?;
        let (calls, failed) = (AtomicU64::default(), AtomicU64::default());
        Ok(Self { file: file.map(Mutex::new), begun: Instant::now(), calls, failed })
    }

    /// What happened so far.
    pub fn counts(&self) -> Counts {
        Counts {
            uptime: self.begun.elapsed(),
            calls: self.calls.load(Ordering::Relaxed),
            failed: self.failed.load(Ordering::Relaxed),
        }
    }

    /// Notes that a call began; names are those of the tables.
    pub fn begin(&self, tool: &'static str, action: Option<&'static str>) -> Entry<'_> {
        Entry { usage: self, tool, action, begun: Instant::now(), ended: None }
    }

    fn write(&self, line: &Value) {
        let Some(file) = &self.file else { return };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        // One write a line, so that lines of several processes do not mix.
        if let Err(error) = file.write_all(format!("{line}\n").as_bytes()) {
            log::warn(&format!("the usage log cannot be written: {error}"));
        }
    }
}

/// A call that goes on. It is written when it ends, also when it is dropped.
#[derive(Debug)]
pub struct Entry<'a> {
    usage: &'a Usage,
    tool: &'static str,
    action: Option<&'static str>,
    begun: Instant,
    ended: Option<(bool, Option<u16>, usize)>,
}

impl Entry<'_> {
    /// Notes how the call ended.
    pub fn end(mut self, outcome: &Outcome) {
        let media = outcome.media.as_ref().map_or(0, |(_, data)| data.len());
        self.ended = Some((outcome.is_error, outcome.status, outcome.text.len() + media));
    }
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        let (status, http, bytes) = match self.ended {
            Some((false, http, bytes)) => ("ok", http, bytes),
            Some((true, http, bytes)) => ("error", http, bytes),
            None => ("cancelled", None, 0),
        };
        self.usage.calls.fetch_add(1, Ordering::Relaxed);
        if status != "ok" {
            self.usage.failed.fetch_add(1, Ordering::Relaxed);
        }
        let took = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let name = self
            .action
            .map_or_else(|| self.tool.to_owned(), |name| format!("{} {name}", self.tool));
        let told = http.map_or_else(String::new, |http| format!(", HTTP {http}"));
        log::debug(&format!("{name}: {status}{told}, {took} ms, {bytes} bytes"));
        let mut line = Map::new();
        line.insert("ts".to_owned(), json!(date::timestamp(SystemTime::now())));
        line.insert("tool".to_owned(), json!(self.tool));
        line.insert("action".to_owned(), json!(self.action));
        line.insert("status".to_owned(), json!(status));
        line.insert("http".to_owned(), json!(http));
        line.insert("duration_ms".to_owned(), json!(took));
        line.insert("bytes".to_owned(), json!(bytes));
        self.usage.write(&Value::Object(line));
    }
}
