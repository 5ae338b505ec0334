//! What the search of the catalog finds: the index that servers carry, over the catalogs that are
//! generated, asked with the intents of `tests/intents`. The floors lie a little below what was
//! measured; a change that lowers a number has to say why.

#![expect(clippy::print_stderr, reason = "a skipped document says so, and numbers are shown")]

use std::path::{Path, PathBuf};

use mcp_gen::codegen::Options;
use mcp_gen::config::Config;
use mcp_gen::diagnostic::Diagnostics;
use mcp_gen::ir::Api;
use mcp_gen::pipeline;
use mcp_gen::source::{Source, Sources};
use serde_json::Value;

use super::support::root;

#[expect(dead_code, reason = "a test uses less of it than a server")]
#[path = "../../templates/runtime/search.rs"]
mod search;
#[path = "../../templates/runtime/words.rs"]
mod words;

/// As many hits as the finder shows unless told otherwise.
const SHOWN: usize = 8;

/// Of how many needed operations the finder had how many first, and how many among those shown.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    needed: u32,
    first: u32,
    shown: u32,
}

impl Found {
    fn add(self, other: Self) -> Self {
        Self {
            needed: self.needed + other.needed,
            first: self.first + other.first,
            shown: self.shown + other.shown,
        }
    }

    fn shares(self) -> (f64, f64) {
        let of = |n: u32| f64::from(n) / f64::from(self.needed.max(1));
        (of(self.first), of(self.shown))
    }
}

/// The index that a server of this document would carry.
fn index(path: &Path) -> Option<(search::Index, Api)> {
    let text = std::fs::read_to_string(path).ok()?;
    let (mut diagnostics, mut sources) = (Diagnostics::default(), Sources::default());
    let source = Source { name: path.display().to_string(), text };
    let api = pipeline::read(&mut diagnostics, &mut sources, source).expect("it is OpenAPI");
    // So few tools that even a small document needs a catalog.
    let config = Config { max_primary: 3, ..Config::default() };
    let plan = pipeline::plan(&mut diagnostics, &api, &config, None).expect("it is planned");
    let files = pipeline::generate(&mut diagnostics, &plan, &api, &Options::default());
    let files = files.expect("it is generated");
    Some((search::Index::parse(&files.generated["catalog.json"]).expect("it is an index"), api))
}

/// Asks every intent of `file` that has this level, or all of them.
fn ask(index: &search::Index, api: &Api, file: &Path, level: Option<&str>) -> Found {
    let text = std::fs::read_to_string(file).expect("the intents are there");
    let mut found = Found::default();
    for line in text.lines().filter(|l| !l.trim().is_empty()) {
        let intent: Value = serde_json::from_str(line).expect("it is JSON");
        if level.is_some_and(|level| intent["level"] != level) {
            continue;
        }
        let hits = index.find(intent["query"].as_str().expect("a query"), None);
        let gold = intent["gold"].as_array().expect("a list");
        for needed in gold {
            let list = needed.as_array().map_or(std::slice::from_ref(needed), Vec::as_slice);
            let keys: Vec<String> = list.iter().filter_map(|one| key(api, one.as_str()?)).collect();
            assert!(!keys.is_empty(), "{line} names no operation");
            let rank = hits.iter().position(|hit| keys.contains(&index.entries()[*hit].operation));
            found.needed += 1;
            found.first += u32::from(rank.is_some_and(|r| r < gold.len()));
            found.shown += u32::from(rank.is_some_and(|r| r < SHOWN));
        }
    }
    found
}

/// The key of an operation that is named by its key or its identifier.
fn key(api: &Api, name: &str) -> Option<String> {
    let found = api
        .operations
        .iter()
        .find(|o| o.key.to_string() == name || o.id.as_deref() == Some(name))?;
    Some(found.key.to_string())
}

#[test]
fn the_finder_has_what_is_asked_for_in_the_words_of_the_document() {
    let (index, api) = index(&root().join("specs/warehouse/openapi.yaml")).expect("it is there");
    let file = root().join("tests/intents/warehouse.jsonl");
    let plain = ask(&index, &api, &file, Some("d"));
    let all = ask(&index, &api, &file, None);
    eprintln!("warehouse: plain {:?}, all {:?}", plain.shares(), all.shares());
    assert!(plain.shares().1 > 0.99, "{plain:?}");
    assert!(all.shares().0 >= 0.7 && all.shares().1 >= 0.9, "{all:?}");
}

#[test]
fn the_finder_keeps_its_level_on_real_documents() {
    let corpus = std::env::var_os("MCP_GEN_CORPUS")
        .map_or_else(|| root().join("../shared/corpus"), PathBuf::from);
    let real = |name: &str| corpus.join("real").join(name);
    let own = |name: &str| root().join("tests/intents").join(name);
    let metric = |name: &str| corpus.join("../metric/intents").join(name);
    let sets: [(PathBuf, PathBuf); 10] = [
        (real("swagger-petstore.yaml"), metric("petstore.jsonl")),
        (real("museum.yaml"), metric("museum.jsonl")),
        (real("hmrc-vat.yaml"), own("hmrc-vat.jsonl")),
        (real("svix.json"), own("svix.jsonl")),
        (real("komga.json"), own("komga.jsonl")),
        (real("inventree.yaml"), own("inventree.jsonl")),
        (real("qdrant.json"), own("qdrant.jsonl")),
        (real("discourse.json"), own("discourse.jsonl")),
        (real("stripe.yaml"), own("stripe.jsonl")),
        (real("digitalocean/openapi.yaml"), own("digitalocean.jsonl")),
    ];
    let (mut plain, mut all) = (Found::default(), Found::default());
    for (document, intents) in sets {
        let name = document.display();
        let Some((index, api)) = intents.is_file().then(|| index(&document)).flatten() else {
            eprintln!("skipped: {name} or its intents are not beside the repository");
            continue;
        };
        let (said, meant) =
            (ask(&index, &api, &intents, Some("d")), ask(&index, &api, &intents, None));
        eprintln!("{name}: plain {:?}, all {:?}", said.shares(), meant.shares());
        (plain, all) = (plain.add(said), all.add(meant));
    }
    if all.needed > 300 {
        assert!(plain.shares().0 > 0.73 && plain.shares().1 > 0.96, "{plain:?}");
        // Most of the rest is said in words that no part of the document has.
        assert!(all.shares().0 > 0.36 && all.shares().1 > 0.63, "{all:?}");
    }
}
