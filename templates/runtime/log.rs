//! The log: lines on standard error. Standard output belongs to the protocol.

use std::io::Write as _;
use std::sync::atomic::{AtomicU8, Ordering};

/// How much is said; each level says what those before it say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What keeps the server from working.
    Error,
    /// What the operator should look at.
    Warn,
    /// What is as it should be: where the server listens, what it tries again.
    Info,
    /// Each call, without its arguments.
    Debug,
}

/// The levels by name.
pub const LEVELS: [(&str, Level); 4] = [
    ("error", Level::Error),
    ("warn", Level::Warn),
    ("info", Level::Info),
    ("debug", Level::Debug),
];

static LEVEL: AtomicU8 = AtomicU8::new(Level::Info as u8);

/// Sets the level of the process.
pub fn set(level: Level) {
    LEVEL.store(level as u8, Ordering::Relaxed);
}

/// An error.
pub fn error(text: &str) {
    line(Level::Error, &format!("error: {text}"));
}

/// A warning.
pub fn warn(text: &str) {
    line(Level::Warn, &format!("warning: {text}"));
}

/// A fact.
pub fn info(text: &str) {
    line(Level::Info, text);
}

/// A detail.
pub fn debug(text: &str) {
    line(Level::Debug, text);
}

/// Writes a line. A log that cannot be written is no reason to stop.
fn line(level: Level, text: &str) {
    if level as u8 <= LEVEL.load(Ordering::Relaxed) {
        let mut out = std::io::stderr().lock();
        let _ = writeln!(out, "{}", super::text::clean(text).replace('\n', " "));
    }
}

/// Sends reports of panics to standard error, without what was being worked on.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        let place = info
            .location()
            .map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
        error(&format!("a call failed inside the server{place}"));
    }));
}
