//! The log: lines on standard error. Standard output belongs to the protocol.

use std::io::Write as _;

/// Writes a line. A log that cannot be written is no reason to stop.
pub fn line(text: &str) {
    let mut out = std::io::stderr().lock();
    let _ = writeln!(out, "{}", super::text::clean(text).replace('\n', " "));
}

/// Sends reports of panics to standard error, without what was being worked on.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        let place = info
            .location()
            .map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
        line(&format!("error: a call failed inside the server{place}"));
    }));
}
