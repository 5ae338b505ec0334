//! Every kind of finding has a document that shows it; every document says only what it should.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::read_file;
use crate::diagnostic::reading::CODES;
use crate::diagnostic::{Diagnostics, overlays};
use crate::source::{Source, Sources};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/reading")
}

#[test]
fn every_row_has_a_document_that_shows_it() {
    for code in CODES {
        let path = fixtures().join(format!("{}.yaml", code.id));
        assert!(path.is_file(), "no document shows `{}`", code.id);
        let (api, diagnostics, _) = read_file(&path);
        assert!(api.is_ok(), "{}: {}", code.id, api.unwrap_err());
        let found: BTreeSet<_> = diagnostics.iter().map(|d| d.code.id).collect();
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [code.id], "{}", path.display());
    }
}

#[test]
fn every_row_of_overlays_has_an_overlay_that_shows_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/overlays");
    let read = |name: &str| Source {
        name: name.to_owned(),
        text: std::fs::read_to_string(folder.join(name)).expect("each row has an overlay"),
    };
    for code in overlays::CODES {
        let (mut diagnostics, mut sources) = (Diagnostics::default(), Sources::default());
        let overlay = read(&format!("{}.yaml", code.id));
        let root = read("document.yaml");
        let api = crate::openapi::read(
            &mut diagnostics,
            &mut sources,
            root,
            &crate::openapi::Beside { overlays: &[overlay], folders: &[], remote: None },
        );
        assert_eq!(api.expect("it is read").operations.len(), 2);
        let found: BTreeSet<_> = diagnostics.iter().map(|d| d.code.id).collect();
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [code.id]);
        let places = diagnostics.iter().filter_map(|d| sources.locate(d.at?)).map(|(name, _)| name);
        assert_eq!(places.collect::<Vec<_>>(), [format!("{}.yaml", code.id)]);
    }
}

#[test]
fn rows_are_written_as_the_rest_of_the_tool_expects() {
    let mut ids = BTreeSet::new();
    for code in CODES.iter().chain(overlays::CODES) {
        assert!(ids.insert(code.id), "`{}` stands twice", code.id);
        assert!(code.id.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", code.id);
        assert!(code.explanation.ends_with('.') && code.explanation.len() > 60, "{}", code.id);
        assert!(!code.example.is_empty(), "{}", code.id);
    }
}
