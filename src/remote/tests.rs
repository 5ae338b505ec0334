//! Documents at URLs, with hosts that are a map.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use super::{Answer, Bounds, Documents, FOLDER, Get};
use crate::openapi::{Fetched, Remote as _, Unfetched};
use crate::source::Url;

/// Hosts that answer with these texts; `-> URL` is a redirect.
#[derive(Debug, Default)]
struct Hosts {
    texts: BTreeMap<String, String>,
    asked: RefCell<Vec<String>>,
    /// How long each answer takes.
    slow: Duration,
}

impl Hosts {
    fn new(texts: &[(&str, &str)]) -> Self {
        let texts = texts.iter().map(|(url, text)| ((*url).to_owned(), (*text).to_owned()));
        Self { texts: texts.collect(), ..Self::default() }
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.borrow_mut())
    }
}

impl Get for Hosts {
    fn get(&self, url: &Url, bytes: usize, time: Duration) -> Result<Answer, Unfetched> {
        self.asked.borrow_mut().push(url.to_string());
        std::thread::sleep(self.slow.min(time));
        if self.slow >= time && !self.slow.is_zero() {
            return Err(Unfetched::Failed("it took too long".to_owned()));
        }
        let text = self.texts.get(&url.to_string());
        let text = text.ok_or_else(|| Unfetched::Failed("there is no such host".to_owned()))?;
        if let Some(location) = text.strip_prefix("-> ") {
            return Ok(Answer::Elsewhere(location.to_owned()));
        }
        assert!(bytes <= Bounds::default().bytes, "a bound is given");
        Ok(Answer::Document(text.clone().into_bytes()))
    }
}

fn url(text: &str) -> Url {
    Url::parse(text).expect("a URL")
}

fn fetch(documents: &Documents<'_>, name: &str) -> Result<String, String> {
    match documents.fetch(&url(name)) {
        Ok(Fetched { bytes, .. }) => Ok(String::from_utf8(bytes).expect("it is text")),
        Err(Unfetched::Refused(reason)) => Err(format!("refused: {reason}")),
        Err(Unfetched::Failed(reason)) => Err(reason),
    }
}

fn open<'h>(dir: &Path, hosts: &'h Hosts, bounds: Bounds, refresh: bool) -> Documents<'h> {
    Documents::open(dir, hosts, bounds, refresh).expect("the copies are whole")
}

fn temp() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

/// The files of the folder with copies.
fn files(dir: &Path) -> BTreeMap<String, String> {
    let Ok(entries) = std::fs::read_dir(dir.join(FOLDER)) else { return BTreeMap::new() };
    let name = |e: &std::fs::DirEntry| e.file_name().to_string_lossy().into_owned();
    let text = |e: &std::fs::DirEntry| std::fs::read_to_string(e.path()).expect("a file");
    entries.flatten().map(|e| (name(&e), text(&e))).collect()
}

const A: &str = "https://example.com/v1/pet one.yaml";
const PET: &str = "https://example.com/v1/pet.yaml";
const DOG: &str = "https://example.com/dog";

#[test]
fn what_was_fetched_is_kept_and_needs_no_network_again() {
    let dir = temp();
    let hosts = Hosts::new(&[
        (PET, "type: string\n"),
        (DOG, "-> /v2/dog.json"),
        ("https://example.com/v2/dog.json", "{}"),
    ]);
    let first = open(dir.path(), &hosts, Bounds::default(), false);
    assert_eq!(fetch(&first, PET).as_deref(), Ok("type: string\n"));
    assert_eq!(fetch(&first, DOG).as_deref(), Ok("{}"));
    assert_eq!(fetch(&first, PET).as_deref(), Ok("type: string\n"));
    assert_eq!(hosts.asked(), [PET, DOG, "https://example.com/v2/dog.json"], "each once");
    assert!(files(dir.path()).is_empty(), "nothing is written before it is known to be whole");
    assert!(first.save().expect("it is written"));
    let written = files(dir.path());
    assert_eq!(
        written.keys().collect::<Vec<_>>(),
        ["dog-44136fa355b3678a.json", "index.json", "pet-7a16e9ec7ffd96fc.yaml"]
    );
    assert_eq!(
        written["index.json"],
        r#"{
  "format": 1,
  "documents": {
    "https://example.com/dog": {
      "file": "dog-44136fa355b3678a.json",
      "found": "https://example.com/v2/dog.json",
      "bytes": 2,
      "sha256": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    },
    "https://example.com/v1/pet.yaml": {
      "file": "pet-7a16e9ec7ffd96fc.yaml",
      "bytes": 13,
      "sha256": "PET"
    }
  }
}
"#
        .replace("PET", &super::kept::digest("type: string\n"))
    );

    let second = open(dir.path(), &hosts, Bounds::default(), false);
    let dog = second.fetch(&url(DOG)).expect("it is kept");
    assert_eq!(dog.url.to_string(), "https://example.com/v2/dog.json", "references start there");
    assert_eq!(fetch(&second, PET).as_deref(), Ok("type: string\n"));
    assert!(hosts.asked().is_empty());
    assert!(!second.save().expect("nothing is to be written"));
    assert_eq!(files(dir.path()), written);
}

#[test]
fn a_refresh_fetches_anew_and_writes_only_what_changed() {
    let dir = temp();
    let hosts = Hosts::new(&[(PET, "type: string\n"), (DOG, "{}")]);
    let first = open(dir.path(), &hosts, Bounds::default(), false);
    assert!(fetch(&first, PET).is_ok() && fetch(&first, DOG).is_ok());
    first.save().expect("it is written");
    let before = files(dir.path());

    let same = open(dir.path(), &hosts, Bounds::default(), true);
    assert!(fetch(&same, PET).is_ok());
    assert_eq!(hosts.asked().len(), 3, "a copy is not used");
    assert!(!same.save().expect("nothing has changed"));
    assert_eq!(files(dir.path()), before);

    let others = Hosts::new(&[(PET, "type: boolean\n")]);
    let other = open(dir.path(), &others, Bounds::default(), true);
    assert_eq!(fetch(&other, PET).as_deref(), Ok("type: boolean\n"));
    assert!(other.save().expect("it is written"));
    let after = files(dir.path());
    assert_eq!(after.len(), 3, "what nobody names any more is gone: {:?}", after.keys());
    assert!(after.values().any(|t| t == "type: boolean\n") && after.values().any(|t| t == "{}"));
    let again = open(dir.path(), &others, Bounds::default(), false);
    assert_eq!(fetch(&again, PET).as_deref(), Ok("type: boolean\n"));
}

/// Something that happens to the folder with copies.
type Spoil = fn(&Path);

#[test]
fn copies_that_were_changed_are_an_error_and_a_refresh_mends_them() {
    let hosts = Hosts::new(&[(PET, "type: string\n")]);
    let spoil: &[(&str, Spoil)] = &[
        ("was changed", |dir| write(&text_in(dir), "type: strinG\n")),
        ("was changed", |dir| write(&text_in(dir), "type: string\n\n")),
        ("is missing or damaged", |dir| std::fs::remove_file(text_in(dir)).expect("it is there")),
        ("is missing or damaged", |dir| {
            std::fs::write(text_in(dir), [0xff]).expect("it is there");
        }),
        ("this is no index of documents", |dir| write(&dir.join("index.json"), "{")),
        ("format 2 is not known", |dir| change(dir, "\"format\": 1", "\"format\": 2")),
        ("is no URL", |dir| change(dir, "https://", "")),
        ("is no name of a file", |dir| change(dir, "\"pet-", "\"../pet-")),
        ("is no name of a file", |dir| change(dir, "\"pet-", "\"/pet-")),
        #[cfg(unix)]
        ("is missing or damaged", |dir| {
            let text = text_in(dir);
            std::fs::rename(&text, dir.join("elsewhere")).expect("it is there");
            std::os::unix::fs::symlink("elsewhere", text).expect("a link");
        }),
    ];
    for (said, spoil) in spoil {
        let dir = temp();
        let first = open(dir.path(), &hosts, Bounds::default(), false);
        assert!(fetch(&first, PET).is_ok());
        first.save().expect("it is written");
        spoil(&dir.path().join(FOLDER));
        let error = Documents::open(dir.path(), &hosts, Bounds::default(), false);
        let error = error.expect_err("it is damaged").to_string();
        assert!(error.contains(said) && error.contains("`--refresh-refs`"), "{said}: {error}");
        let mended = open(dir.path(), &hosts, Bounds::default(), true);
        assert!(fetch(&mended, PET).is_ok());
        mended.save().expect("it is written");
        let nobody = Hosts::default();
        let again = open(dir.path(), &nobody, Bounds::default(), false);
        assert_eq!(fetch(&again, PET).as_deref(), Ok("type: string\n"), "{said}");
    }
}

/// The one file that is no index.
fn text_in(dir: &Path) -> std::path::PathBuf {
    let all = std::fs::read_dir(dir).expect("a folder").flatten().map(|e| e.path());
    let mut texts = all.filter(|p| !p.ends_with("index.json"));
    texts.next().expect("a text")
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("a file of the test");
}

fn change(dir: &Path, from: &str, to: &str) {
    let index = dir.join("index.json");
    let text = std::fs::read_to_string(&index).expect("an index");
    assert!(text.contains(from), "{text}");
    write(&index, &text.replace(from, to));
}

#[test]
fn redirects_are_bounded_and_looked_at_each() {
    let hosts = Hosts::new(&[
        ("https://example.com/0", "-> 1"),
        ("https://example.com/1", "-> https://other.example.org/2"),
        ("https://other.example.org/2", "-> //third.example.net/3"),
        ("https://third.example.net/3", "type: string"),
        ("https://example.com/more", "-> 0"),
        ("https://example.com/loop", "-> loop"),
        ("https://example.com/plain", "-> http://example.com/a"),
        ("https://example.com/inside", "-> https://169.254.169.254/latest"),
        ("https://example.com/self", "-> https://localhost/a"),
        ("https://example.com/file", "-> file:///etc/passwd"),
        ("https://example.com/user", "-> https://a:b@example.com/a"),
    ]);
    let dir = temp();
    let documents = open(dir.path(), &hosts, Bounds::default(), false);
    assert_eq!(fetch(&documents, "https://example.com/0").as_deref(), Ok("type: string"));
    assert_eq!(hosts.asked().len(), 4);
    let too_many = Err("it is behind more than 3 redirects".to_owned());
    assert_eq!(fetch(&documents, "https://example.com/more"), too_many);
    assert_eq!(fetch(&documents, "https://example.com/loop"), too_many);
    assert_eq!(hosts.asked().len(), 8);
    for (from, reason) in [
        ("plain", "only `https` is fetched"),
        ("inside", "`169.254.169.254` is no public host"),
        ("self", "`localhost` is no public host"),
        ("file", "only `https` is fetched"),
        ("user", "a URL with a user or a password is not fetched"),
    ] {
        let from = format!("https://example.com/{from}");
        assert_eq!(fetch(&documents, &from), Err(format!("refused: {reason}")));
        assert_eq!(hosts.asked(), [from], "nothing is sent to where it leads");
    }
}

#[test]
fn documents_bytes_and_time_are_bounded() {
    let long = "a".repeat(60);
    let hosts = Hosts::new(&[(PET, &long), (DOG, &long), ("https://example.com/c", "c")]);
    let bounds = |change: fn(&mut Bounds)| {
        let mut bounds = Bounds::default();
        change(&mut bounds);
        bounds
    };
    let run = |bounds: Bounds| {
        let dir = temp();
        let documents = open(dir.path(), &hosts, bounds, false);
        let said = [PET, DOG, "https://example.com/c"].map(|u| fetch(&documents, u).err());
        let saved = documents.save().expect("it can be written");
        // What failed once fails again in this run, and nobody is asked.
        hosts.asked();
        assert_eq!([PET, DOG, "https://example.com/c"].map(|u| fetch(&documents, u).err()), said);
        assert!(hosts.asked().is_empty());
        (said.map(Option::unwrap_or_default), saved)
    };
    let said = |a: &str, b: &str, c: &str| [a, b, c].map(str::to_owned);
    assert_eq!(run(Bounds::default()), (said("", "", ""), true));
    let many = "more than 2 documents are referred to";
    assert_eq!(run(bounds(|b| b.documents = 2)), (said("", "", many), false));
    let large = "it is larger than 59 bytes";
    assert_eq!(run(bounds(|b| b.bytes = 59)), (said(large, large, ""), false));
    // What is left of the bytes for all is the bound of the next one.
    let rest = "it is larger than 40 bytes";
    assert_eq!(run(bounds(|b| b.all_bytes = 100)), (said("", rest, ""), false));
    let late = "it took too long";
    assert_eq!(run(bounds(|b| b.time = Duration::ZERO)), (said(late, late, late), false));
    let all = "all documents together took 0 seconds";
    assert_eq!(run(bounds(|b| b.all_time = Duration::ZERO)), (said(all, all, all), false));
}

#[test]
fn slow_hosts_use_up_the_time_of_all() {
    let hosts = Hosts {
        slow: Duration::from_millis(60),
        ..Hosts::new(&[(PET, "a"), (DOG, "b"), ("https://example.com/c", "c")])
    };
    let dir = temp();
    let bounds = Bounds { all_time: Duration::from_millis(100), ..Bounds::default() };
    let documents = open(dir.path(), &hosts, bounds, false);
    let said = [PET, DOG, "https://example.com/c"].map(|u| fetch(&documents, u).is_ok());
    assert_eq!(said, [true, false, false]);
    assert_eq!(hosts.asked().len(), 2);
}

#[test]
fn copies_count_too() {
    let dir = temp();
    let hosts = Hosts::new(&[(PET, "type: string\n"), (DOG, "{}")]);
    let first = open(dir.path(), &hosts, Bounds::default(), false);
    assert!(fetch(&first, PET).is_ok() && fetch(&first, DOG).is_ok());
    first.save().expect("it is written");
    let bounds = Bounds { documents: 1, ..Bounds::default() };
    let second = open(dir.path(), &hosts, bounds, false);
    assert!(fetch(&second, PET).is_ok() && fetch(&second, DOG).is_err());
    let bounds = Bounds { all_bytes: 14, ..Bounds::default() };
    let third = open(dir.path(), &hosts, bounds, false);
    assert!(fetch(&third, PET).is_ok() && fetch(&third, DOG).is_err());
}

#[test]
fn what_is_refused_is_asked_of_nobody_and_forbids_no_copy() {
    let dir = temp();
    let hosts = Hosts::new(&[(PET, "type: string\n")]);
    let documents = open(dir.path(), &hosts, Bounds::default(), false);
    for refused in [A, "http://example.com/a", "https://127.0.0.1/a", "urn:a:b", "//example.com/a"]
    {
        let said = fetch(&documents, refused).expect_err("it is refused");
        assert!(said.starts_with("refused: "), "{refused}: {said}");
    }
    assert!(hosts.asked().is_empty());
    assert!(fetch(&documents, PET).is_ok());
    assert!(documents.save().expect("it is written"));
}

#[test]
fn one_failure_keeps_everything_from_being_written() {
    let dir = temp();
    let hosts = Hosts::new(&[(PET, "type: string\n")]);
    let documents = open(dir.path(), &hosts, Bounds::default(), false);
    assert!(fetch(&documents, PET).is_ok() && fetch(&documents, DOG).is_err());
    assert!(!documents.save().expect("nothing is written"));
    assert!(files(dir.path()).is_empty());
}
