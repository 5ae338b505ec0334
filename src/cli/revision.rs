//! Plans out of git.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::Error;

/// A file in a revision: `origin/main:server/mcp-plan.yaml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// Where git runs; nothing is this folder.
    folder: Option<PathBuf>,
    rev: String,
    path: String,
}

/// What git has of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The text.
    Text(Vec<u8>),
    /// The revision has no such file, but the working tree has.
    New,
}

impl Revision {
    /// `REV:path`; nothing when the text cannot be one, such as a path with a drive letter.
    pub fn parse(text: &str) -> Option<Self> {
        let (rev, path) = text.split_once(':')?;
        let drive = rev.len() == 1 && path.starts_with(['\\', '/']);
        (!rev.is_empty() && !path.is_empty() && !drive).then(|| Self {
            folder: None,
            rev: rev.to_owned(),
            path: path.to_owned(),
        })
    }

    /// `file` as the last commit has it.
    pub fn head(file: &Path) -> Result<Self, Error> {
        let name = file.file_name().and_then(|n| n.to_str());
        let Some(name) = name else {
            return Err(usage(format!("`{}` names no file", file.display())));
        };
        let rev = "HEAD".to_owned();
        let plain = file.to_str().filter(|_| stays_in_repository(file));
        if let Some(path) = plain {
            let path = path.replace(std::path::MAIN_SEPARATOR, "/");
            let path = path.strip_prefix("./").unwrap_or(&path);
            return Ok(Self { folder: None, rev, path: format!("./{path}") });
        }
        let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).map(Path::to_owned);
        Ok(Self { folder, rev, path: format!("./{name}") })
    }

    /// The path as it was given.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Its name in messages.
    pub fn name(&self) -> String {
        let path = self.path.strip_prefix("./").unwrap_or(&self.path);
        let path = self.folder.as_ref().map_or(path.into(), |f| f.join(path));
        format!("{}:{}", self.rev, path.display())
    }

    /// Reads it.
    ///
    /// # Errors
    /// When git cannot run, this is no repository, or the revision does not exist; when neither the
    /// revision nor the working tree has the file, which then is misspelt.
    pub fn read(&self) -> Result<Found, Error> {
        if self.rev.starts_with('-') || self.rev.contains(char::is_control) {
            return Err(usage(format!("`{}` is no revision", self.rev.escape_debug())));
        }
        let top = self.git(&["rev-parse", "--show-toplevel"])?.map_err(|said| {
            usage(format!(
                "`{}` cannot be read from git, which says `{said}`; name two files to compare",
                self.name()
            ))
        })?;
        let tree = format!("{}^{{tree}}", self.rev);
        if self.git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &tree])?.is_err() {
            return Err(usage(format!(
                "git knows no revision `{}`; in a shallow clone, fetch it first (`fetch-depth: 0` of \
                 actions/checkout)",
                self.rev
            )));
        }
        let object = format!("{}:{}", self.rev, self.path);
        // `cat-file` runs no filter and no pager, which `show` may.
        if let Ok(text) = self.git(&["cat-file", "blob", &object])? {
            return Ok(Found::Text(text));
        }
        let top = String::from_utf8_lossy(&top);
        let here = self.folder.as_deref().unwrap_or(Path::new("."));
        let file = match self.path.strip_prefix("./") {
            Some(path) => here.join(path),
            None if self.path.starts_with("../") => here.join(&self.path),
            None => Path::new(top.trim_end_matches(['\n', '\r'])).join(&self.path),
        };
        if file.is_file() {
            return Ok(Found::New);
        }
        Err(usage(format!(
            "`{}` has no file `{}`; paths start at the root of the repository, or with `./` in this \
             folder",
            self.rev, self.path
        )))
    }

    /// What git prints, or else the first line of what it says is wrong.
    fn git(&self, args: &[&str]) -> Result<Result<Vec<u8>, String>, Error> {
        let mut command = Command::new("git");
        if let Some(folder) = &self.folder {
            command.arg("-C").arg(absolute(folder));
        }
        let output = command
            .args(args)
            .env("GIT_OPTIONAL_LOCKS", "0")
            .stdin(Stdio::null())
            .output()
            .map_err(|e| usage(format!("git cannot be run: {e}; name two files to compare")))?;
        if output.status.success() {
            return Ok(Ok(output.stdout));
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let line = said.lines().next().unwrap_or("nothing");
        Ok(Err(line.chars().filter(|c| !c.is_control()).collect()))
    }
}

/// Whether git can find `file` from this folder. It is asked from here where that can be, since a
/// hook runs with settings that hold for the folder it runs in.
fn stays_in_repository(file: &Path) -> bool {
    let mut place = PathBuf::new();
    file.components().all(|part| match part {
        Component::CurDir => true,
        Component::Normal(name) => {
            place.push(name);
            // A repository within this one answers for its own files.
            !place.join(".git").exists()
        }
        Component::ParentDir | Component::RootDir | Component::Prefix(_) => false,
    })
}

/// A folder that git does not take for an option.
fn absolute(folder: &Path) -> OsString {
    if folder.is_absolute() { folder.into() } else { Path::new(".").join(folder).into() }
}

fn usage(message: String) -> Error {
    Error::Usage { message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_has_a_colon_and_a_drive_has_a_letter() {
        assert!(Revision::parse("main:mcp-plan.yaml").is_some());
        assert!(Revision::parse("HEAD~1:./a/b.yaml").is_some());
        for text in ["mcp-plan.yaml", ":a", "a:", "C:\\plan.yaml", "c:/plan.yaml"] {
            assert_eq!(Revision::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_revision_that_looks_like_an_option_is_refused() {
        for text in ["--output=x:mcp-plan.yaml", "-p:x", "a\nb:x"] {
            let error = Revision::parse(text).unwrap().read().unwrap_err();
            assert!(error.to_string().contains("is no revision"), "{text}: {error}");
        }
    }
}
