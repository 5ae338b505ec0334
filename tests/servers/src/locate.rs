//! Builds a workspace member and finds its program.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use serde_json::Value;

type Programs = BTreeMap<String, Arc<OnceLock<PathBuf>>>;

static PROGRAMS: LazyLock<Mutex<Programs>> = LazyLock::new(Mutex::default);

/// The program of a package, built once per test run into the target directory of this test.
pub fn locate_binary(package: &str) -> PathBuf {
    let cell = {
        let mut programs = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(programs.entry(package.to_owned()).or_default())
    };
    cell.get_or_init(|| build(package)).clone()
}

/// The root of the workspace.
pub fn workspace() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("this package lies two folders below the workspace")
}

fn build(package: &str) -> PathBuf {
    // Cargo sets `CARGO` for tests that it runs; a test that is run by hand takes the one in PATH.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .current_dir(workspace())
        .args(["build", "--quiet", "--package", package, "--message-format", "json"])
        .stderr(Stdio::piped());
    // `target/debug/deps/this-test`: the server goes into the same target directory, wherever it is.
    let test = std::env::current_exe().expect("a test knows where it is");
    if let Some(target) = test.ancestors().nth(3) {
        command.arg("--target-dir").arg(target);
    }
    let output = command.output().unwrap_or_else(|error| panic!("cargo does not start: {error}"));
    let messages = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "`{package}` does not build:\n{}\n{}",
        String::from_utf8_lossy(&output.stderr),
        messages.lines().filter_map(rendered).collect::<String>(),
    );
    let programs: Vec<PathBuf> = messages.lines().filter_map(executable).collect();
    match programs.as_slice() {
        [program] => program.clone(),
        _ => panic!("`{package}` has not one program but {programs:?}"),
    }
}

fn executable(line: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(line).ok()?;
    Some(message["executable"].as_str()?.into())
}

fn rendered(line: &str) -> Option<String> {
    let message: Value = serde_json::from_str(line).ok()?;
    Some(message["message"]["rendered"].as_str()?.to_owned())
}
