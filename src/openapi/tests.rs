//! Tests of the reader as a whole.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::{Limits, Options, read_with};
use crate::diagnostic::Diagnostics;
use crate::error::Error;
use crate::ir::{Additional, Api, Location, SchemaId};
use crate::source::{Source, Sources};

mod content;
mod credentials;
mod hints;
mod hostile;
mod identifiers;
mod odd;
mod references;
mod remote;
mod rows;
mod schemas;
mod strict;
mod texts;

/// Reads a text that stands alone, with its findings as `id /pointer line:column`.
fn read_text(text: &str) -> (Result<Api, Error>, Vec<String>) {
    let (mut diagnostics, mut sources) = (Diagnostics::default(), Sources::default());
    let root = Source { name: "<test>".to_owned(), text: text.to_owned() };
    let api = super::read(&mut diagnostics, &mut sources, root, &crate::openapi::Beside::default());
    let line = |d: &crate::diagnostic::Diagnostic| {
        let place = d.at.and_then(|at| sources.locate(at)).map(|(_, p)| p.to_string());
        format!("{} {} {}", d.code.id, d.pointer, place.unwrap_or_default())
    };
    let findings = diagnostics.sorted().into_iter().map(line).collect();
    (api, findings)
}

/// Reads a text that must be a document.
fn api_of(text: &str) -> (Api, Vec<String>) {
    let (api, findings) = read_text(text);
    (api.unwrap_or_else(|error| panic!("{error}\n{text}")), findings)
}

/// Reads a file as the command would.
fn read_file(path: &Path) -> (Result<Api, Error>, Diagnostics, Sources) {
    let text =
        String::from_utf8_lossy(&std::fs::read(path).expect("the test's own file")).into_owned();
    let (mut diagnostics, mut sources) = (Diagnostics::default(), Sources::default());
    let load = |path: &Path| std::fs::read(path);
    let limits = Limits::default();
    // One kind of finding needs a network, which is always down here.
    let down = path.ends_with("unfetched-reference.yaml");
    let remote = down.then_some(&Down as &dyn super::Remote);
    let beside = super::Beside { remote, ..super::Beside::default() };
    let options = Options { beside, load: Some(&load), limits: &limits };
    let root = Source { name: path.to_string_lossy().into_owned(), text };
    let api = read_with(&mut diagnostics, &mut sources, root, &options);
    (api, diagnostics, sources)
}

/// A network that is down.
#[derive(Debug)]
struct Down;

impl super::Remote for Down {
    fn fetch(&self, _url: &crate::source::Url) -> Result<super::Fetched, super::Unfetched> {
        Err(super::Unfetched::Failed("the network is down".to_owned()))
    }
}

/// The folder with documents of others, where there is one: `MCP_GEN_CORPUS`, or `corpus` beside us.
fn corpus() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    std::env::var_os("MCP_GEN_CORPUS").map(PathBuf::from).or(Some(beside)).filter(|p| p.is_dir())
}

/// What the types of the IR promise, and `api` does not keep.
fn broken_promises(api: &Api, id: &str, wrong: &mut String) {
    let count = api.schemas.len();
    let mut known = |id: SchemaId, place: &dyn std::fmt::Display| {
        if id.0 as usize >= count {
            let _ = writeln!(wrong, "{place}: schema {} does not exist", id.0);
        }
    };
    for schema in &api.schemas {
        let maps = schema.properties.values().chain(schema.pattern_properties.values());
        let lists = schema.variants.iter().chain(&schema.prefix_items).chain(&schema.items);
        let named = schema.discriminator.iter().flat_map(|d| d.mapping.values());
        maps.chain(lists).chain(named).for_each(|s| known(*s, &schema.pointer));
        if let Additional::Schema(s) = schema.additional {
            known(s, &schema.pointer);
        }
    }
    for operation in &api.operations {
        let key = &operation.key;
        let contents = operation.body.iter().flat_map(|b| &b.contents);
        let contents = contents.chain(operation.responses.iter().flat_map(|r| &r.contents));
        contents.filter_map(|c| c.schema).for_each(|s| known(s, key));
        operation.parameters.iter().for_each(|p| known(p.schema, key));
    }
    for schema in &api.schemas {
        if schema.variants.len() == 1 {
            let _ = writeln!(wrong, "{id} {}: a single variant is left", schema.pointer);
        }
    }
    for operation in &api.operations {
        let key = &operation.key;
        let (template, _) = crate::ir::split_path(&key.path);
        let named = template.matches('{').count();
        let places: Vec<_> = operation.parameters.iter().map(|p| (p.location, &p.name)).collect();
        let distinct: std::collections::BTreeSet<_> = places.iter().collect();
        let in_path = places.iter().filter(|(l, _)| *l == Location::Path).count();
        if in_path > named || (in_path == 0) != (named == 0) || distinct.len() != places.len() {
            let _ = writeln!(wrong, "{id} {key}: parameters {places:?}");
        }
        if operation.body.as_ref().is_some_and(|b| b.contents.is_empty()) {
            let _ = writeln!(wrong, "{id} {key}: a body without a media type");
        }
        let schemes = operation.security.iter().flat_map(|r| r.schemes.keys());
        for scheme in schemes.filter(|s| !api.schemes.contains_key(*s)) {
            let _ = writeln!(wrong, "{id} {key}: scheme {scheme} does not exist");
        }
        for tag in operation.tags.iter().filter(|t| api.tags.iter().all(|k| k.name != **t)) {
            let _ = writeln!(wrong, "{id} {key}: tag {tag} does not exist");
        }
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
fn every_document_of_the_corpus_reads_with_all_its_operations() {
    let Some(corpus) = corpus() else {
        eprintln!("skipped: no corpus; name its folder in MCP_GEN_CORPUS");
        return;
    };
    let all = std::env::var_os("MCP_GEN_CORPUS_ALL").is_some();
    let only = std::env::var("MCP_GEN_CORPUS_ONLY").unwrap_or_default();
    let show = std::env::var_os("MCP_GEN_CORPUS_SHOW").is_some();
    let index = std::fs::read_to_string(corpus.join("INDEX.tsv")).expect("the corpus has an index");
    let mut wrong = String::new();
    let mut count = 0;
    for line in index.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let (id, file, operations) = (columns[0], columns[1], columns[7]);
        let path = corpus.join(file);
        let size = std::fs::metadata(&path).map_or(0, |m| m.len());
        let bundle: u64 = columns[9].parse().unwrap_or(size);
        if (!all && bundle > 500_000) || !id.contains(&only) {
            continue;
        }
        count += 1;
        let start = Instant::now();
        let (api, diagnostics, sources) = read_file(&path);
        let time = start.elapsed();
        match (api, operations.parse::<usize>()) {
            (Ok(api), Ok(expected)) => {
                broken_promises(&api, id, &mut wrong);
                // Some bundles lack files that their root refers to.
                let files_lacking = diagnostics.iter().any(|d| {
                    d.message.ends_with("there is no such file")
                        && d.pointer.as_str().starts_with("/paths/")
                        && d.pointer.steps().count() == 3
                });
                if api.operations.len() != expected && !files_lacking {
                    let _ =
                        writeln!(wrong, "{id}: {} of {expected} operations", api.operations.len());
                }
                if show {
                    eprintln!(
                        "{id}: {} operations, {} schemas, {} findings, {time:?}",
                        api.operations.len(),
                        api.schemas.len(),
                        diagnostics.sorted().len(),
                    );
                }
            }
            (Ok(_), Err(_)) => {}
            // A document that is no single one may be refused, but it must say so.
            (Err(error), Ok(0) | Err(_)) => {
                if show {
                    eprintln!("{id}: {error}, {time:?}");
                }
            }
            (Err(error), Ok(_)) => {
                let _ = writeln!(wrong, "{id}: {error}");
            }
        }
        if show {
            for finding in diagnostics.sorted() {
                let place = finding.at.and_then(|at| sources.locate(at));
                let place = place.map_or_else(String::new, |(n, p)| format!("{n}:{p}"));
                let (code, message) = (finding.code.id, &finding.message);
                eprintln!("    {code}: {message} ({place} {})", finding.pointer);
            }
        }
    }
    assert!(count > 0, "the corpus is empty");
    assert!(wrong.is_empty(), "{wrong}");
}
