//! `mcp-gen diff`

use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::ExitStatus;
use super::args::{DiffArgs, DiffFormat, FailOn};
use super::console::Console;
use super::revision::{Found, Revision};
use crate::diff::{self, Change, Impact};
use crate::error::Error;
use crate::pipeline;
use crate::plan::{FILE_NAME, Plan};

/// Compares two plans and says whether a change is as bad as `--fail-on` says.
pub fn run(console: &mut Console, args: &DiffArgs) -> Result<ExitStatus, Error> {
    let (old, new) = match (&args.old, &args.new) {
        (Some(old), Some(new)) => (Side::of(old), Side::of(new)),
        (file, _) => {
            let file = file.clone().map_or_else(default_file, Ok)?;
            if let Side::Git(revision) = Side::of(&file) {
                return Err(usage(format!(
                    "`{}` is the old plan; name the new one too, such as `{FILE_NAME}`",
                    revision.name()
                )));
            }
            (Side::Git(Revision::head(&file)?), Side::File(file))
        }
    };
    if matches!((&old, &new), (Side::Input, Side::Input)) {
        return Err(usage("only one of the plans can come from standard input".to_owned()));
    }
    let Some(text) = new.read()? else {
        return Err(usage(format!("there is no `{}`", new.name())));
    };
    let plan = parse(&new, &text)?;
    let before = old.read()?.map(|text| parse(&old, &text)).transpose()?;
    if before.is_none() {
        console.say(&format!("`{}` does not exist yet, so everything is new", old.name()));
    }
    let diff = pipeline::diff(before.as_ref(), &plan);
    match args.format {
        DiffFormat::Text => console.page(&diff::text(&diff, console.verbose()))?,
        DiffFormat::Markdown => console.data(&diff::markdown(&diff))?,
        DiffFormat::Json => console.data(&diff::json(&diff))?,
        DiffFormat::Github => {
            let lines = Lines::of(&text);
            let line = |change: &Change| lines.find(change.pointer.as_str());
            console.data(&diff::github(&diff, &new.file(), &line))?;
        }
    }
    let limit = match args.fail_on {
        FailOn::Breaking => Some(Impact::Breaking),
        FailOn::Sensitive => Some(Impact::Sensitive),
        FailOn::Additive => Some(Impact::Additive),
        FailOn::Docs => Some(Impact::Docs),
        FailOn::Never => None,
    };
    let found = limit.is_some_and(|limit| diff.worst().is_some_and(|worst| worst <= limit));
    Ok(if found { ExitStatus::Found } else { ExitStatus::Done })
}

/// The plan of this folder, or else that of the one crate with a default name in it.
fn default_file() -> Result<PathBuf, Error> {
    let here = PathBuf::from(FILE_NAME);
    if here.is_file() {
        return Ok(here);
    }
    let folders = std::fs::read_dir(".").into_iter().flatten().flatten();
    let mut plans: Vec<PathBuf> = folders
        .filter(|e| e.file_name().to_str().is_some_and(|n| n.ends_with("-mcp")))
        .map(|e| PathBuf::from(e.file_name()).join(FILE_NAME))
        .filter(|p| p.is_file())
        .collect();
    match (plans.pop(), plans.is_empty()) {
        (Some(only), true) => Ok(only),
        (None, _) => Err(usage(format!("there is no `{FILE_NAME}` here; name the plan"))),
        (Some(_), false) => {
            Err(usage(format!("several folders here have a `{FILE_NAME}`; name the plan")))
        }
    }
}

/// The plan that `path` names: a file, or `REV:path` in git; `None` when the revision has none.
pub fn plan_at(path: &Path) -> Result<Option<Plan>, Error> {
    let side = Side::of(path);
    side.read()?.map(|text| parse(&side, &text)).transpose()
}

fn usage(message: String) -> Error {
    Error::Usage { message }
}

/// Says in one line what a plan changes that replaces another one.
pub fn told(console: &mut Console, old: Option<&Plan>, new: &Plan, path: &Path) {
    let Some(old) = old else { return };
    if let Some(summary) = diff::summary(&pipeline::diff(Some(old), new)) {
        console.say(&format!(
            "Plan: {summary}; `mcp-gen diff {}` compares it with the last commit",
            path.display()
        ));
    }
}

/// Where a plan is.
enum Side {
    /// Standard input.
    Input,
    File(PathBuf),
    Git(Revision),
}

impl Side {
    /// A file that is there is a file, whatever its name looks like.
    fn of(path: &Path) -> Self {
        if path == Path::new("-") {
            return Self::Input;
        }
        let revision = path.to_str().filter(|_| !path.exists()).and_then(Revision::parse);
        revision.map_or_else(|| Self::File(path.to_owned()), Self::Git)
    }

    fn name(&self) -> String {
        match self {
            Self::Input => "<stdin>".to_owned(),
            Self::File(path) => path.display().to_string(),
            Self::Git(revision) => revision.name(),
        }
    }

    /// The file as a workflow knows it.
    fn file(&self) -> String {
        match self {
            Self::Input => FILE_NAME.to_owned(),
            Self::File(path) => path.display().to_string(),
            Self::Git(revision) => revision.path().to_owned(),
        }
    }

    /// Its text; nothing when git has none of that name there.
    fn read(&self) -> Result<Option<String>, Error> {
        let bytes = match self {
            Self::Input => {
                let mut bytes = Vec::new();
                std::io::stdin()
                    .read_to_end(&mut bytes)
                    .map_err(|source| Error::Read { path: "standard input".into(), source })?;
                bytes
            }
            Self::File(path) => {
                std::fs::read(path).map_err(|source| Error::Read { path: path.clone(), source })?
            }
            Self::Git(revision) => match revision.read()? {
                Found::Text(bytes) => bytes,
                Found::New => return Ok(None),
            },
        };
        String::from_utf8(bytes).map(Some).map_err(|_| Error::File {
            name: self.name(),
            message: "the text is not UTF-8".to_owned(),
        })
    }
}

fn parse(side: &Side, text: &str) -> Result<Plan, Error> {
    pipeline::read_plan(&side.name(), text)
}

/// The lines of what a plan lists: `/tools/0/arguments/2` → 41.
struct Lines(std::collections::BTreeMap<String, usize>);

impl Lines {
    /// Reads the layout that mcp-gen writes: two spaces for each level, `- ` before an item. What a
    /// person has laid out otherwise is not found, and the annotation then stands higher up.
    fn of(text: &str) -> Self {
        let mut lines = std::collections::BTreeMap::new();
        // Key or index at each level of indentation.
        let mut steps: Vec<(usize, String)> = Vec::new();
        let mut counts = std::collections::BTreeMap::<String, usize>::new();
        for (number, line) in text.lines().enumerate() {
            let content = line.trim_start();
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            let indent = line.len() - content.len();
            steps.retain(|(at, _)| *at < indent);
            let path = |steps: &[(usize, String)]| {
                steps.iter().fold(String::new(), |out, (_, step)| format!("{out}/{step}"))
            };
            let mut rest = content;
            let mut at = indent;
            if let Some(item) = content.strip_prefix("- ") {
                let count = counts.entry(path(&steps)).or_default();
                steps.push((indent, count.to_string()));
                *count += 1;
                lines.entry(path(&steps)).or_insert(number + 1);
                rest = item;
                at = indent + 2;
            }
            let key = rest.split(':').next().unwrap_or_default();
            let word = !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
            if word && rest.len() > key.len() {
                steps.push((at, key.to_owned()));
                lines.entry(path(&steps)).or_insert(number + 1);
            }
        }
        Self(lines)
    }

    /// The line of a place, or of the nearest one around it.
    fn find(&self, pointer: &str) -> Option<usize> {
        let mut pointer = pointer;
        loop {
            if let Some(line) = self.0.get(pointer) {
                return Some(*line);
            }
            pointer = &pointer[..pointer.rfind('/')?];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_place_is_that_of_its_name() {
        let text = "\
# words
format: 1
server:
  name: pets
tools:

  - name: a
    description: |-
      tools:
        - name: trap
    arguments:
      - name: x
        schema: {type: \"string\"}
  - name: b
    arguments:
      - name: y
      - name: z
";
        let lines = Lines::of(text);
        for (pointer, line) in [
            ("/server/name", 4),
            ("/tools/0", 7),
            ("/tools/0/arguments/0", 12),
            ("/tools/1/arguments/1", 17),
            ("/tools/1/arguments/7", 15),
            ("/catalog/entries/0", 0),
        ] {
            assert_eq!(lines.find(pointer).unwrap_or(0), line, "{pointer}");
        }
    }
}
