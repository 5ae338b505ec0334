//! Documents at URLs, for those who ask for them: fetched within bounds, and kept beside the plan,
//! so that the next run needs no network and gives the same.

mod address;
mod kept;
mod network;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use self::kept::Kept;
pub use self::network::{Network, Offline};
use crate::error::Error;
use crate::openapi::{Fetched, Remote, Unfetched};
use crate::source::Url;

/// Name of the folder with the copies.
pub const FOLDER: &str = "mcp-gen-refs";

/// How much is fetched at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Documents, copies too.
    pub documents: usize,
    /// Bytes of one document.
    pub bytes: usize,
    /// Bytes of all documents, copies too.
    pub all_bytes: usize,
    /// Time for one document, with its redirects.
    pub time: Duration,
    /// Time for all documents.
    pub all_time: Duration,
    /// Redirects on the way to one document.
    pub redirects: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            documents: 100,
            bytes: 10 << 20,
            all_bytes: 50 << 20,
            time: Duration::from_secs(10),
            all_time: Duration::from_secs(60),
            redirects: 3,
        }
    }
}

/// Sends one request.
pub trait Get: fmt::Debug {
    /// What the host of `url` answers. The URL was found harmless as far as its text tells; that
    /// its host is has to be seen to here. An answer longer than `bytes` is an error.
    ///
    /// # Errors
    /// When there is no answer, or the host must not be called.
    fn get(&self, url: &Url, bytes: usize, time: Duration) -> Result<Answer, Unfetched>;
}

/// What a host answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The document.
    Document(Vec<u8>),
    /// It is elsewhere: the `Location` as it was sent.
    Elsewhere(String),
}

/// Documents at URLs: copies in a folder, and those that are fetched.
#[derive(Debug)]
pub struct Documents<'g> {
    folder: PathBuf,
    get: &'g dyn Get,
    bounds: Bounds,
    refresh: bool,
    state: RefCell<State>,
}

#[derive(Debug, Default)]
struct State {
    /// All copies.
    kept: BTreeMap<Url, Kept>,
    /// What was answered in this run.
    asked: BTreeMap<Url, Result<(), Unfetched>>,
    bytes: usize,
    time: Duration,
    /// Whether something was fetched.
    fetched: bool,
    /// Whether something could not be.
    failed: bool,
}

impl<'g> Documents<'g> {
    /// Documents with copies in the folder [`FOLDER`] in `beside`. With `refresh` no copy is used.
    ///
    /// # Errors
    /// When a copy is not what it was when it was written.
    pub fn open(
        beside: &Path,
        get: &'g dyn Get,
        bounds: Bounds,
        refresh: bool,
    ) -> Result<Self, Error> {
        let folder = beside.join(FOLDER);
        let kept = match kept::read(&folder) {
            // What is damaged is fetched anew, which is what was asked for.
            Err(Error::File { .. }) if refresh => BTreeMap::new(),
            read => read?,
        };
        let state = RefCell::new(State { kept, ..State::default() });
        Ok(Self { folder, get, bounds, refresh, state })
    }

    /// Writes what was fetched; whether a file changed. Nothing is written when something could not
    /// be fetched.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn save(&self) -> Result<bool, Error> {
        let state = self.state.borrow();
        if !state.fetched || state.failed {
            return Ok(false);
        }
        kept::write(&self.folder, &state.kept)
    }

    /// Fetches the document at `url`.
    fn load(&self, url: &Url, state: &mut State) -> Result<Kept, Unfetched> {
        let Bounds { bytes: most, all_bytes, time, all_time, redirects, .. } = self.bounds;
        let start = Instant::now();
        let left = all_time.saturating_sub(state.time);
        let answer = self.hops(url, most.min(all_bytes - state.bytes), time.min(left), redirects);
        state.time += start.elapsed();
        let (found, bytes) = match answer {
            Err(Unfetched::Failed(_)) if left < time && state.time >= all_time => {
                let seconds = all_time.as_secs();
                return Err(failed(format!("all documents together took {seconds} seconds")));
            }
            answer => answer?,
        };
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| failed("it is not UTF-8 text".to_owned()))?;
        Ok(Kept { found, text })
    }

    fn hops(
        &self,
        url: &Url,
        bytes: usize,
        time: Duration,
        redirects: usize,
    ) -> Result<(Url, Vec<u8>), Unfetched> {
        let start = Instant::now();
        let mut url = url.clone();
        for _ in 0..=redirects {
            address::refuse(&url).map_err(Unfetched::Refused)?;
            let left = time.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Err(failed("it took too long".to_owned()));
            }
            match self.get.get(&url, bytes, left)? {
                Answer::Document(found) if found.len() > bytes => {
                    return Err(failed(format!("it is larger than {bytes} bytes")));
                }
                Answer::Document(found) => return Ok((url, found)),
                Answer::Elsewhere(location) => url = url.join(&location),
            }
        }
        Err(failed(format!("it is behind more than {redirects} redirects")))
    }
}

impl Remote for Documents<'_> {
    fn fetch(&self, url: &Url) -> Result<Fetched, Unfetched> {
        address::refuse(url).map_err(Unfetched::Refused)?;
        let state = &mut *self.state.borrow_mut();
        if !state.asked.contains_key(url) {
            let answer = self.ask(url, state);
            state.failed |= matches!(answer, Err(Unfetched::Failed(_)));
            state.asked.insert(url.clone(), answer);
        }
        if let Some(Err(error)) = state.asked.get(url) {
            return Err(error.clone());
        }
        let kept = state.kept.get(url);
        let Kept { found, text } = kept.unwrap_or_else(|| unreachable!("what was asked is kept"));
        Ok(Fetched { url: found.clone(), bytes: text.clone().into_bytes() })
    }
}

impl Documents<'_> {
    fn ask(&self, url: &Url, state: &mut State) -> Result<(), Unfetched> {
        let Bounds { documents, all_bytes, .. } = self.bounds;
        if state.asked.values().filter(|answer| answer.is_ok()).count() >= documents {
            return Err(failed(format!("more than {documents} documents are referred to")));
        }
        if self.refresh || !state.kept.contains_key(url) {
            let kept = self.load(url, state)?;
            state.kept.insert(url.clone(), kept);
            state.fetched = true;
        }
        state.bytes += state.kept.get(url).map_or(0, |kept| kept.text.len());
        if state.bytes > all_bytes {
            state.bytes = all_bytes;
            return Err(failed(format!("the documents are larger than {all_bytes} bytes")));
        }
        Ok(())
    }
}

fn failed(reason: String) -> Unfetched {
    Unfetched::Failed(reason)
}
