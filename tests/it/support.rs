//! The binary as a function, and folders that go away.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run of the command said.
#[derive(Debug)]
pub struct Said {
    pub status: i32,
    pub out: String,
    pub err: String,
}

/// The root of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Runs `mcp-gen` in `dir` with `input` on its standard input.
pub fn run_in(dir: &Path, args: &[&str], input: &str) -> Said {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mcp-gen"))
        .args(args)
        .current_dir(dir)
        .env_remove("NO_COLOR")
        // A hook that runs the tests must not lead them to its own repository.
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE")
        .env_remove("GIT_WORK_TREE")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary was built by cargo");
    // A command that does not read its input may be gone already.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the command ends");
    Said {
        status: output.status.code().expect("it was not killed"),
        out: String::from_utf8(output.stdout).expect("output is UTF-8"),
        err: String::from_utf8(output.stderr).expect("output is UTF-8"),
    }
}

/// Runs `mcp-gen` in `dir` and asks it to end after a while.
#[cfg(unix)]
pub fn signalled(dir: &Path, args: &[&str], after: std::time::Duration) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mcp-gen"))
        .args(args)
        .current_dir(dir)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary was built by cargo");
    std::thread::sleep(after);
    // It may have ended already.
    let _ = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .stderr(Stdio::null())
        .status();
    child.wait().expect("the command ends");
}

/// Every file below `dir`: path with `/` → bytes.
pub fn tree(dir: &Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    fn walk(dir: &Path, below: &str, files: &mut std::collections::BTreeMap<String, Vec<u8>>) {
        for entry in std::fs::read_dir(dir).expect("the folder is there").flatten() {
            let name = format!("{below}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                walk(&entry.path(), &format!("{name}/"), files);
            } else {
                files.insert(name, std::fs::read(entry.path()).expect("the file is there"));
            }
        }
    }
    let mut files = std::collections::BTreeMap::new();
    walk(dir, "", &mut files);
    files
}
