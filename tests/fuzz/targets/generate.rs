//! What is read is planned and generated, and what mcp-gen planned itself never has a fault.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_gen::codegen;
use mcp_gen::config::Config;
use mcp_gen::diagnostic::Diagnostics;
use mcp_gen::openapi::{self, Limits, Options};
use mcp_gen::pipeline;
use mcp_gen::source::{Source, Sources};

fuzz_target!(|text: &str| {
    let limits = Limits::default();
    let options = Options { beside: openapi::Beside::default(), load: None, limits: &limits };
    let mut diagnostics = Diagnostics::default();
    let source = Source { name: "openapi.yaml".to_owned(), text: text.to_owned() };
    let Ok(api) = openapi::read_with(&mut diagnostics, &mut Sources::default(), source, &options)
    else {
        return;
    };
    if diagnostics.has_errors() {
        return;
    }
    let plan = pipeline::plan(&mut diagnostics, &api, &Config::default(), None);
    let plan = plan.expect("a plan survives its own file format");
    let files =
        pipeline::generate(&mut diagnostics, &plan, &api, &codegen::Options::default());
    if files.is_none() {
        let errors: Vec<_> = diagnostics.sorted().into_iter().map(|d| &d.message).collect();
        panic!("a fresh plan does not generate: {errors:?}");
    }
});
