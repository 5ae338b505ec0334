//! The box for remarks: a file with a line of JSON for each. Models write, operators read.

use super::date;
use super::request::uuid;
use super::text;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::time::SystemTime;

/// The longest remark, in characters.
pub const LONGEST: usize = 2000;

/// The largest file that is added to.
const LARGEST: u64 = 10 * 1024 * 1024;

/// What can be said of a remark.
const STATES: [&str; 3] = ["new", "seen", "done"];

/// Adds a remark and returns its id.
///
/// # Errors
/// The file cannot be written, or is full.
pub fn add(file: &Path, message: &str, tool: &str) -> Result<String, String> {
    if std::fs::metadata(file).is_ok_and(|data| data.len() > LARGEST) {
        return Err("the box is full".to_owned());
    }
    let id = uuid().ok_or("there is no source of chance")?;
    let id = id.chars().take(8).collect::<String>();
    let mut line = Map::new();
    line.insert("id".to_owned(), json!(id));
    line.insert("ts".to_owned(), json!(date::timestamp(SystemTime::now())));
    line.insert("status".to_owned(), json!(STATES[0]));
    line.insert("tool".to_owned(), json!(text::cut(&text::clean(tool), 80)));
    line.insert("message".to_owned(), json!(text::cut(&text::clean(message), LONGEST)));
    OpenOptions::new()
        .create(true)
        .append(true)
        .open(file)
        .and_then(|mut out| out.write_all(format!("{}\n", Value::Object(line)).as_bytes()))
        .map_err(|error| format!("the file cannot be written: {}", error.kind()))?;
    Ok(id)
}

/// `feedback list`, `feedback status [ID STATE]`, `feedback delete ID`: what to print.
///
/// # Errors
/// A sentence: what is wrong with the words, or that the file cannot be used.
pub fn run(file: &Path, words: &[String]) -> Result<String, String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut rows = read(file)?;
    match words.as_slice() {
        ["list"] => Ok(rows.iter().map(line).collect()),
        ["status"] => {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for row in &rows {
                *counts.entry(row["status"].as_str().unwrap_or("new")).or_default() += 1;
            }
            let mut out = format!("{} remarks in {}\n", rows.len(), file.display());
            for (state, count) in counts {
                let _ = writeln!(out, "{state}: {count}");
            }
            Ok(out)
        }
        ["status", id, state] if STATES.contains(state) => {
            let row = rows.iter_mut().find(|row| row["id"] == *id).ok_or_else(|| none(id))?;
            row["status"] = json!(state);
            write(file, &rows)?;
            Ok(format!("{id} is {state}\n"))
        }
        ["delete", id] => {
            let before = rows.len();
            rows.retain(|row| row["id"] != *id);
            if rows.len() == before {
                return Err(none(id));
            }
            write(file, &rows)?;
            Ok(format!("{id} is deleted\n"))
        }
        _ => Err(format!(
            "feedback takes `list`, `status`, `status ID {}` or `delete ID`",
            STATES.join("|")
        )),
    }
}

fn none(id: &str) -> String {
    format!("there is no remark `{}`", text::cut(&text::clean(id), 40))
}

fn line(row: &Value) -> String {
    let part = |key: &str| text::clean(row[key].as_str().unwrap_or_default()).replace('\n', " ");
    let tool = part("tool");
    let about = if tool.is_empty() { String::new() } else { format!(" {tool}:") };
    format!("{} {} {}{about} {}\n", part("id"), part("ts"), part("status"), part("message"))
}

fn read(file: &Path) -> Result<Vec<Value>, String> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("{} cannot be read: {error}", file.display())),
    };
    let row = |(at, line): (usize, &str)| {
        serde_json::from_str(line)
            .map_err(|error| format!("{}, line {}: {error}", file.display(), at + 1))
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(row).collect()
}

/// Another file takes the place of the old one, so that no half of one is ever seen.
fn write(file: &Path, rows: &[Value]) -> Result<(), String> {
    let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
    let mut other = file.as_os_str().to_owned();
    other.push(".new");
    std::fs::write(&other, text)
        .and_then(|()| std::fs::rename(&other, file))
        .map_err(|error| format!("{} cannot be written: {error}", file.display()))
}
