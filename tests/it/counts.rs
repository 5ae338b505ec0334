//! Nothing is dropped without a finding: what stands in a document is counted over its value alone
//! (`raw`), and again in what the reader made of it. Every difference must have a finding at its
//! place, above or below it, or where a reference led on the way.
//!
//! Taken are `specs/`, `tests/fixtures`, and, where there is one, the folder of real documents (see
//! `corpus`): small ones, or all with `MCP_GEN_CORPUS_ALL=1`. `MCP_GEN_CORPUS_ONLY=name` takes those
//! whose path has the name, `MCP_GEN_CORPUS_SHOW=1` prints a table.

#![expect(clippy::print_stderr, reason = "what is left out is said")]

mod lowered;
mod raw;
mod value;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use mcp_gen::diagnostic::{Diagnostic, Diagnostics};
use mcp_gen::pipeline;
use mcp_gen::source::{Source, Sources};

use super::support::{root, tree};

/// How deep fields of bodies are counted.
const DEPTH: usize = 4;
/// How many names one level of one body may have; wider ones are counted less deep, which is said.
const MOST: usize = 4000;
/// How many schemas made of one base are offered in its place.
const HEIRS: usize = 64;
/// Largest real document that an ordinary run takes.
const LARGEST: u64 = 60_000;

/// Where a part was found, and the references that led there.
#[derive(Debug)]
struct TrailStep {
    file: usize,
    pointer: String,
    from: Option<Trail>,
}
type Trail = Rc<TrailStep>;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Operation,
    Parameter,
    Media,
    Field,
    Value,
    Response,
    Security,
    Server,
    Tag,
}

/// The findings that may explain a difference.
fn explaining(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Operation => &["odd-path", "shadowed-operation"],
        Kind::Parameter => &[
            "odd-path",
            "unusable-parameter",
            "duplicate-parameter",
            "parameter-form-left-out",
            "reserved-header",
            "path-parameter-not-in-path",
            "undeclared-path-parameter",
        ],
        Kind::Media => &["body-without-content"],
        Kind::Field => &[
            "ignored-ref-sibling",
            "cyclic-all-of",
            "all-of-conflict",
            "too-many-subtypes",
            "unusable-parameter",
            "duplicate-parameter",
            "parameter-form-left-out",
            "reserved-header",
            "path-parameter-not-in-path",
        ],
        Kind::Value => &[
            "odd-path",
            "ignored-ref-sibling",
            "cyclic-all-of",
            "all-of-conflict",
            "value-of-other-type",
            "unusable-parameter",
            "duplicate-parameter",
            "parameter-form-left-out",
            "reserved-header",
            "path-parameter-not-in-path",
        ],
        Kind::Response => &["unknown-status"],
        Kind::Security => &["undeclared-security-scheme"],
        Kind::Server => &["unusable-server"],
        Kind::Tag => &["duplicate-tag", "loose-object"],
    }
}

/// Findings that explain a difference of any kind.
const ALWAYS: &[&str] =
    &["dangling-reference", "remote-reference", "unexpected-value", "duplicate-key"];
/// Findings about limits, which are reported once for all places.
const ANYWHERE: &[&str] = &["all-of-too-large", "too-many-parts"];

/// What an operation has: kind and name of each part, and where it was found.
struct Facts {
    trail: Trail,
    parts: BTreeMap<(Kind, String), Trail>,
    /// Bodies that are counted to a smaller depth.
    shallow: BTreeMap<String, usize>,
    /// The security schemes that the document declares.
    schemes: Vec<String>,
    notes: Vec<String>,
}

impl Facts {
    fn new(trail: Trail) -> Self {
        let (parts, shallow) = (BTreeMap::new(), BTreeMap::new());
        Self { trail, parts, shallow, schemes: Vec::new(), notes: Vec::new() }
    }

    fn add(&mut self, kind: Kind, name: String, trail: &Trail) {
        self.parts.entry((kind, name)).or_insert_with(|| trail.clone());
    }
}

/// Whether a finding at `finding` speaks of `place`.
fn touches(finding: &str, place: &str) -> bool {
    let within = |a: &str, b: &str| a.strip_prefix(b).is_some_and(|rest| rest.starts_with('/'));
    finding == place || within(finding, place) || (!finding.is_empty() && within(place, finding))
}

/// The differences of one document that nothing explains, and how many things were compared.
struct Outcome {
    faults: Vec<String>,
    compared: BTreeMap<Kind, (usize, usize)>,
    explained: BTreeMap<(Kind, &'static str), usize>,
}

struct Comparison<'a> {
    paths: &'a [PathBuf],
    sources: &'a Sources,
    findings: Vec<&'a Diagnostic>,
}

impl Comparison<'_> {
    fn explanation(&self, kind: Kind, trail: &Trail) -> Option<&'static str> {
        self.findings.iter().find_map(|finding| {
            let id = finding.code.id;
            if ANYWHERE.contains(&id) {
                return Some(id);
            }
            if !explaining(kind).contains(&id) && !ALWAYS.contains(&id) {
                return None;
            }
            let mut pointer = finding.pointer.as_str();
            if matches!(id, "ignored-ref-sibling" | "duplicate-parameter") {
                // They name one of several siblings.
                pointer = pointer.rsplit_once('/').map_or("", |(above, _)| above);
            }
            let file = finding.at.and_then(|at| self.sources.get(at.file));
            let mut step = Some(trail);
            while let Some(place) = step {
                let here =
                    file.is_none_or(|f| raw::tidy(Path::new(&f.name)) == self.paths[place.file]);
                if here && touches(pointer, &place.pointer) {
                    return Some(id);
                }
                step = place.from.as_ref();
            }
            None
        })
    }

    fn compare(
        &self,
        raw: &BTreeMap<String, Facts>,
        own: &BTreeMap<String, BTreeSet<(Kind, String)>>,
    ) -> Outcome {
        let mut outcome =
            Outcome { faults: vec![], compared: BTreeMap::new(), explained: BTreeMap::new() };
        for (name, facts) in raw {
            let trail = &facts.trail;
            let Some(lowered) = own.get(name) else {
                match self.explanation(Kind::Operation, trail) {
                    Some(id) => *outcome.explained.entry((Kind::Operation, id)).or_default() += 1,
                    None => outcome.faults.push(format!("{name}: the operation is missing")),
                }
                continue;
            };
            let mut missing: BTreeMap<Kind, Vec<&str>> = BTreeMap::new();
            for ((kind, part), trail) in &facts.parts {
                outcome.compared.entry(*kind).or_default().0 += 1;
                if !lowered.contains(&(*kind, part.clone())) {
                    match self.explanation(*kind, trail) {
                        Some(id) => *outcome.explained.entry((*kind, id)).or_default() += 1,
                        None => missing.entry(*kind).or_default().push(part),
                    }
                }
            }
            let mut extra: BTreeMap<Kind, Vec<&str>> = BTreeMap::new();
            for (kind, part) in lowered {
                outcome.compared.entry(*kind).or_default().1 += 1;
                // `nullable` lets null in where values are listed.
                let null = *kind == Kind::Value && part.ends_with("= (null)");
                if !null && !facts.parts.contains_key(&(*kind, part.clone())) {
                    match self.explanation(*kind, trail) {
                        Some(id) => *outcome.explained.entry((*kind, id)).or_default() += 1,
                        None => extra.entry(*kind).or_default().push(part),
                    }
                }
            }
            let of = |kind: Kind| facts.parts.keys().filter(|(k, _)| *k == kind).count();
            let lowered_of = |kind: Kind| lowered.iter().filter(|(k, _)| *k == kind).count();
            for (what, parts) in [("missing", missing), ("invented", extra)] {
                for (kind, names) in parts {
                    let shown: Vec<_> = names.iter().take(8).collect();
                    outcome.faults.push(format!(
                        "{name}: {kind:?}: {} written, {} read; {} {what}: {shown:?}",
                        of(kind),
                        lowered_of(kind),
                        names.len(),
                    ));
                }
            }
        }
        for name in own.keys().filter(|n| !raw.contains_key(*n)) {
            outcome.faults.push(format!("{name}: the operation is invented"));
        }
        outcome
    }
}

/// Compares one document; `None` when one of the two cannot read it.
fn check(path: &Path) -> Option<Outcome> {
    let text = String::from_utf8(std::fs::read(path).ok()?).ok()?;
    let mut diagnostics = Diagnostics::default();
    let mut sources = Sources::default();
    let source = Source { name: path.to_string_lossy().into_owned(), text };
    let api = pipeline::read(&mut diagnostics, &mut sources, source).ok()?;
    let Some(documents) = raw::Documents::read(path) else {
        eprintln!("left out: {}: serde_yaml does not read it", path.display());
        return None;
    };
    for refused in &documents.refused {
        eprintln!("not counted: {refused}");
    }
    let counted = raw::count(&documents);
    for note in counted.values().flat_map(|f| &f.notes) {
        eprintln!("{}: counted less deep: {note}", path.display());
    }
    let own = lowered::count(&api, &counted, documents.is_swagger());
    let comparison =
        Comparison { paths: &documents.paths, sources: &sources, findings: diagnostics.sorted() };
    Some(comparison.compare(&counted, &own))
}

/// Every document that is looked at.
fn documents() -> Vec<PathBuf> {
    let mut all = Vec::new();
    for folder in ["specs", "tests/fixtures"] {
        let dir = root().join(folder);
        let names = tree(&dir).into_keys().map(|n| dir.join(n));
        all.extend(names.filter(|n| n.extension().is_some_and(|e| e == "yaml" || e == "json")));
    }
    let folder = std::env::var_os("MCP_GEN_CORPUS")
        .map_or_else(|| root().join("../shared/corpus"), PathBuf::from);
    let Ok(index) = std::fs::read_to_string(folder.join("INDEX.tsv")) else {
        eprintln!("skipped: no folder of real documents beside the repository");
        return all;
    };
    let everything = std::env::var_os("MCP_GEN_CORPUS_ALL").is_some();
    let files = index.lines().skip(1).filter_map(|l| l.split('\t').nth(1)).map(|f| folder.join(f));
    let (mut left, mut lacking) = (0, 0);
    for path in files {
        match std::fs::metadata(&path) {
            Ok(about) if everything || about.len() <= LARGEST => all.push(path),
            Ok(_) => left += 1,
            Err(_) => lacking += 1,
        }
    }
    eprintln!(
        "left out: {left} large documents (MCP_GEN_CORPUS_ALL=1), {lacking} that are not there"
    );
    all
}

#[test]
fn nothing_is_dropped_without_a_finding() {
    let only = std::env::var("MCP_GEN_CORPUS_ONLY").unwrap_or_default();
    let show = std::env::var_os("MCP_GEN_CORPUS_SHOW").is_some();
    let mut wrong = String::new();
    let mut compared: BTreeMap<Kind, (usize, usize)> = BTreeMap::new();
    let mut explained: BTreeMap<(Kind, &str), usize> = BTreeMap::new();
    let mut taken = 0;
    for path in documents() {
        if !path.to_string_lossy().contains(&only) {
            continue;
        }
        let start = std::time::Instant::now();
        let Some(outcome) = check(&path) else { continue };
        taken += 1;
        let name = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
        for fault in &outcome.faults {
            let _ = writeln!(wrong, "{name}: {fault}");
        }
        if show {
            eprintln!("{name}: {} differences, {:?}", outcome.faults.len(), start.elapsed());
        }
        for (kind, (a, b)) in outcome.compared {
            let sum = compared.entry(kind).or_default();
            *sum = (sum.0 + a, sum.1 + b);
        }
        for (key, n) in outcome.explained {
            *explained.entry(key).or_default() += n;
        }
    }
    if show {
        for (kind, (a, b)) in &compared {
            eprintln!("{kind:?}: {a} written, {b} read");
        }
        for ((kind, id), n) in &explained {
            eprintln!("explained: {kind:?} by {id}: {n}");
        }
    }
    assert!(taken > 20 || !only.is_empty(), "only {taken} documents were compared");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_part_that_is_lost_is_seen() {
    const WHOLE: &str = "openapi: 3.0.3\ninfo: {title: A, version: '1'}\nservers: [{url: 'https://a.example'}]\nsecurity: [{k: []}]\ntags: [{name: t}]\npaths:\n  /a:\n    parameters: [{name: p, in: query, schema: {type: string, enum: [x, y]}}]\n    post:\n      tags: [t]\n      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/S'}}}}\n      responses: {'200': {description: ok}}\ncomponents:\n  securitySchemes: {k: {type: http, scheme: bearer}}\n  schemas:\n    S: {allOf: [{properties: {f: {properties: {g: {type: string}}}}}]}\n";
    for (from, to, said) in [
        ("/a:", "/b:", "POST /a: the operation is missing"),
        ("name: p,", "name: q,", "Parameter: 1 written, 1 read; 1 missing: [\"query p\"]"),
        ("[x, y]", "[x]", "Value: 2 written, 1 read; 1 missing: [\"query p = y\"]"),
        (
            "application/json:",
            "text/plain:",
            "Media: 1 written, 1 read; 1 missing: [\"application/json\"]",
        ),
        ("{g: ", "{h: ", "Field: 2 written, 2 read; 1 missing: [\"application/json.f.g\"]"),
        ("'200'", "'201'", "Response: 1 written, 1 read; 1 missing: [\"200\"]"),
        ("[{k: []}]", "[]", "Security: 1 written, 0 read; 1 missing: [\"k()\"]"),
        ("https://a", "https://b", "Server: 1 written, 1 read; 1 missing: [\"https://a.example\"]"),
        ("tags: [t]", "tags: []", "Tag: 1 written, 0 read; 1 missing: [\"t\"]"),
        ("x, y", "x, y, z", "Value: 2 written, 3 read; 1 invented: [\"query p = z\"]"),
    ] {
        let other = WHOLE.replace(from, to);
        assert_ne!(other, WHOLE, "{from}");
        let faults = faults(WHOLE, other);
        assert!(faults.iter().any(|f| f.contains(said)), "{from} → {to}: {faults:#?}");
    }
}

#[test]
fn a_parameter_that_became_a_credential_is_counted_and_a_lost_one_is_seen() {
    const WHOLE: &str = "openapi: 3.0.3\ninfo: {title: A, version: '1'}\npaths:\n  /a:\n    get:\n      parameters: [{name: Api-Key, in: header, required: true, schema: {type: string}}]\n      responses: {}\n";
    assert!(faults(WHOLE, WHOLE.to_owned()).is_empty());
    let lost = faults(WHOLE, WHOLE.replace("name: Api-Key", "name: X-Api-Key"));
    let said = "Parameter: 1 written, 0 read; 1 missing: [\"header Api-Key\"]";
    assert!(lost.iter().any(|f| f.contains(said)), "{lost:#?}");
    assert!(lost.iter().any(|f| f.contains("1 invented: [\"X-Api-Key()\"]")), "{lost:#?}");
}

#[test]
fn a_scheme_that_nothing_asks_for_is_counted_and_an_invented_one_is_seen() {
    const WHOLE: &str =
        "openapi: 3.0.3\ninfo: {title: A, version: '1'}\npaths:\n  /a:\n    get: {responses: {}}\n";
    let declared =
        format!("{WHOLE}components: {{securitySchemes: {{k: {{type: http, scheme: basic}}}}}}\n");
    assert!(faults(&declared, declared.clone()).is_empty());
    let invented = faults(WHOLE, declared);
    assert!(invented.iter().any(|f| f.contains("invented: [\"\", \"k()\"]")), "{invented:#?}");
}

/// The differences between `whole` as it is counted and `other` as it is read.
fn faults(whole: &str, other: String) -> Vec<String> {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let path = dir.path().join("a.yaml");
    std::fs::write(&path, whole).expect("it can be written");
    let documents = raw::Documents::read(&path).expect("it is YAML");
    let counted = raw::count(&documents);
    let (mut diagnostics, mut sources) = (Diagnostics::default(), Sources::default());
    let source = Source { name: "<other>".to_owned(), text: other };
    let api = pipeline::read(&mut diagnostics, &mut sources, source).expect("it is read");
    let own = lowered::count(&api, &counted, false);
    let comparison =
        Comparison { paths: &documents.paths, sources: &sources, findings: Vec::new() };
    comparison.compare(&counted, &own).faults
}

/// How many operations stand in a document that is one file.
pub fn count_operations(text: &str) -> usize {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let path = dir.path().join("document.yaml");
    std::fs::write(&path, text).expect("it can be written");
    let documents = raw::Documents::read(&path).expect("it is YAML or JSON");
    // One entry stands for the document itself.
    raw::count(&documents).len() - 1
}
