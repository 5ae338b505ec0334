//! Any text is read or refused: in bounded time, without a crash, and the same way each time.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_gen::diagnostic::Diagnostics;
use mcp_gen::openapi::{self, Limits, Options};
use mcp_gen::source::{Source, Sources};

fuzz_target!(|text: &str| {
    let limits = Limits::default();
    let options = Options { beside: openapi::Beside::default(), load: None, limits: &limits };
    let read = || {
        let mut diagnostics = Diagnostics::default();
        let source = Source { name: "openapi.yaml".to_owned(), text: text.to_owned() };
        let api = openapi::read_with(&mut diagnostics, &mut Sources::default(), source, &options);
        (format!("{api:?}"), format!("{:?}", diagnostics.sorted()))
    };
    assert_eq!(read(), read());
});
