//! Takes OpenAPI documents all the way: plan, generate, compile with warnings denied, start, list
//! the tools with a real client over stdio. Prints one table, as Markdown.
//!
//! `cargo run --release -p mcp-gen-sweep -- DOCUMENT…` or a folder, whose documents are then taken.
//! Crates are written below `target/sweep`; they share one target folder, so only the crate itself
//! is compiled for each document.
//!
//! With `--read` first, documents are only read, and their findings are counted by kind. With
//! `--judge` first, each action of each server is called and Prism judges the requests.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a table is what this program is for"
)]

mod judging;
mod reading;
mod steps;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use judging::Sentence;
use mcp_gen_servers::judge::Prism;
use reading::Read;
use steps::{Row, Workshop};

fn main() -> ExitCode {
    let mut documents = Vec::new();
    let mut only_read = false;
    let mut only_judge = false;
    for argument in std::env::args_os().skip(1) {
        if argument == "--read" {
            only_read = true;
        } else if argument == "--judge" {
            only_judge = true;
        } else {
            collect(Path::new(&argument), &mut documents);
        }
    }
    if documents.is_empty() {
        eprintln!("usage: sweep [--read|--judge] DOCUMENT|FOLDER…");
        return ExitCode::from(2);
    }
    if only_read {
        println!("{}", Read::HEADER);
        let refused = documents
            .iter()
            .map(|document| Read::of(document))
            .inspect(|row| println!("{row}"))
            .filter(Read::refused)
            .count();
        println!("\n{} documents, {refused} refused", documents.len());
        return ExitCode::SUCCESS;
    }
    let workshop = match Workshop::open() {
        Ok(workshop) => workshop,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    if only_judge {
        return judge(&workshop, &documents);
    }
    println!("{}", Row::HEADER);
    let mut failed = 0;
    for document in &documents {
        let row = workshop.take(document);
        failed += usize::from(!row.passed());
        println!("{row}");
    }
    println!("\n{} documents, {failed} failed", documents.len());
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints what is found of each document, and the table at the end.
fn judge(workshop: &Workshop, documents: &[PathBuf]) -> ExitCode {
    let Some(prism) = Prism::locate() else {
        eprintln!("error: Prism is not installed; `tests/clients/run` does that");
        return ExitCode::from(2);
    };
    let mut sentences = Vec::new();
    for document in documents {
        let sentence = Sentence::of(workshop, &prism, document);
        for line in sentence.found() {
            println!("{line}");
        }
        sentences.push(sentence);
    }
    println!("\n{}", Sentence::HEADER);
    for sentence in &sentences {
        println!("{sentence}");
    }
    if sentences.iter().all(Sentence::is_clean) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Adds `path`, or the documents below it when it is a folder: a file at the top, or the file
/// `openapi.yaml` or `openapi.json` of a folder.
fn collect(path: &Path, documents: &mut Vec<PathBuf>) {
    if !path.is_dir() {
        return documents.push(path.to_owned());
    }
    let Ok(entries) = std::fs::read_dir(path) else { return };
    let mut entries: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            let roots = ["openapi.yaml", "openapi.yml", "openapi.json"];
            documents.extend(roots.iter().map(|r| entry.join(r)).find(|p| p.is_file()));
        } else if entry.extension().is_some_and(|e| e == "yaml" || e == "yml" || e == "json") {
            documents.push(entry);
        }
    }
}
