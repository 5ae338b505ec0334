//! Which folders references may lead into.

use std::path::{Component, Path, PathBuf};

use super::Missing;
use super::uri::tidy;
use crate::diagnostic::reading;

/// The folder of the root document, and those that were allowed besides.
pub(super) struct Folders {
    /// As they are called.
    named: Vec<PathBuf>,
    /// As they are, links followed.
    real: Vec<PathBuf>,
}

impl Folders {
    pub(super) fn new(root: Option<&Path>, allowed: &[PathBuf]) -> Self {
        let own = root.map(|p| p.parent().unwrap_or(Path::new("")).to_owned());
        let named: Vec<_> = own.into_iter().chain(allowed.iter().map(|f| tidy(f))).collect();
        let real = named.iter().filter_map(|f| named_or_here(f).canonicalize().ok()).collect();
        Self { named, real }
    }

    /// Whether the file may be read. Where it really is decides; a link may lead anywhere.
    pub(super) fn check(&self, path: &Path) -> Result<(), Missing> {
        let Ok(real) = path.canonicalize() else {
            // There is no such file, or another way to files than ours knows it.
            let inside = self.named.iter().any(|f| absolute(path).starts_with(absolute(f)));
            return if inside { Ok(()) } else { Err(outside(path.parent())) };
        };
        if self.real.iter().any(|folder| real.starts_with(folder)) {
            return Ok(());
        }
        if self.named.iter().any(|f| absolute(path).starts_with(absolute(f))) {
            // Only the end of the link is outside.
            let from = self.named.first().zip(self.real.first());
            let way = from
                .zip(real.parent())
                .and_then(|((named, own), to)| Some(tidy(&named.join(relative(own, to)?))));
            return Err(outside(way.as_deref()));
        }
        Err(outside(path.parent()))
    }
}

fn outside(folder: Option<&Path>) -> Missing {
    let reason = "the file lies outside the folder of the root document".to_owned();
    let help = folder.map(|folder| {
        let folder = named_or_here(folder).to_string_lossy().replace('\\', "/");
        format!("`--allow-refs {folder}` allows it, when that folder is meant to be read")
    });
    Missing { code: &reading::REFERENCE_OUTSIDE_FOLDER, reason, help }
}

fn named_or_here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

fn absolute(path: &Path) -> PathBuf {
    tidy(&std::path::absolute(named_or_here(path)).unwrap_or_else(|_| path.to_owned()))
}

/// The way from one folder to another.
fn relative(from: &Path, to: &Path) -> Option<PathBuf> {
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return None;
    }
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    Some(up.chain(to.components().skip(common)).collect())
}
