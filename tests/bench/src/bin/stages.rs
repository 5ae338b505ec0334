//! Prints how long each stage takes on the documents given, and the memory at its highest:
//! `stages openapi.yaml …`. Each document is best given alone, for memory is of the whole process.

#![expect(clippy::print_stdout, reason = "the table is what the program is for")]

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use mcp_gen::codegen::Options;
use mcp_gen::config::Config;
use mcp_gen::diagnostic::Diagnostics;
use mcp_gen::pipeline;
use mcp_gen::source::{Source, Sources};

fn main() -> ExitCode {
    println!(
        "| document | kB | operations | read s | plan s | emit s | peak MB after read | peak MB |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    let mut status = ExitCode::SUCCESS;
    for name in std::env::args().skip(1) {
        match row(&name) {
            Ok(row) => println!("{row}"),
            Err(e) => {
                println!("| {name} | {e} |");
                status = ExitCode::FAILURE;
            }
        }
    }
    status
}

fn row(name: &str) -> Result<String, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(name)?;
    let kilobytes = text.len() / 1000;
    let mut diagnostics = Diagnostics::default();
    let source = Source { name: name.to_owned(), text };
    let start = Instant::now();
    let api = pipeline::read(&mut diagnostics, &mut Sources::default(), source)?;
    let read = start.elapsed();
    let after_read = peak();
    let start = Instant::now();
    let plan = pipeline::plan(&mut diagnostics, &api, &Config::default(), None)?;
    let planned = start.elapsed();
    let start = Instant::now();
    let files = pipeline::generate(&mut diagnostics, &plan, &api, &Options::default());
    let emitted = start.elapsed();
    if files.is_none() {
        return Err("nothing was generated".into());
    }
    let stem = Path::new(name).file_name().unwrap_or_default().to_string_lossy();
    Ok(format!(
        "| {stem} | {kilobytes} | {} | {:.3} | {:.3} | {:.3} | {after_read:.0} | {:.0} |",
        api.operations.len(),
        read.as_secs_f64(),
        planned.as_secs_f64(),
        emitted.as_secs_f64(),
        peak(),
    ))
}

/// Megabytes of this process at its highest so far, as Linux tells; 0 elsewhere.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|l| l.split_whitespace().next()).and_then(|n| n.parse().ok());
    kilobytes.unwrap_or(0.0) * 1.024 / 1000.0
}
