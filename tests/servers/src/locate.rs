//! Builds the workspace's programs and finds the one of a package.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;

/// The programs by package.
///
/// All are built with one command and not one by one: Cargo unites the features of what it builds
/// together, so a single package would have its dependencies compiled a second time after
/// `cargo build --workspace --bins`.
static PROGRAMS: LazyLock<Programs> = LazyLock::new(build);

struct Programs {
    by_package: BTreeMap<String, PathBuf>,
    errors: String,
}

/// The program of a package, built once per test run into the target directory of this test.
pub fn locate_binary(package: &str) -> PathBuf {
    let Programs { by_package, errors } = &*PROGRAMS;
    let program = by_package.get(package);
    program.unwrap_or_else(|| panic!("`{package}` has no program\n{errors}")).clone()
}

/// The root of the workspace.
pub fn workspace() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("this package lies two folders below the workspace")
}

fn build() -> Programs {
    // Cargo sets `CARGO` for tests that it runs; a test that is run by hand takes the one in PATH.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(workspace()).args([
        "build",
        "--quiet",
        "--workspace",
        "--bins",
        // A member that does not build fails the tests that need it and no others.
        "--keep-going",
        "--message-format",
        "json",
    ]);
    // `target/debug/deps/this-test`: the programs go into the same target directory, wherever it is.
    let test = std::env::current_exe().expect("a test knows where it is");
    if let Some(target) = test.ancestors().nth(3) {
        command.arg("--target-dir").arg(target);
    }
    let output = command.output().unwrap_or_else(|error| panic!("cargo does not start: {error}"));
    let text = String::from_utf8_lossy(&output.stdout);
    let messages: Vec<Value> = text.lines().filter_map(|l| serde_json::from_str(l).ok()).collect();
    let programs = messages.iter().filter_map(|message| {
        let package = package(message["package_id"].as_str()?)?;
        Some((package.to_owned(), message["executable"].as_str()?.into()))
    });
    let by_package = programs.collect();
    let rendered = messages.iter().filter_map(|m| m["message"]["rendered"].as_str());
    let mut errors: String = rendered.collect();
    errors.push_str(&String::from_utf8_lossy(&output.stderr));
    Programs { by_package, errors }
}

/// The name in `path+file:///folder#name@1.0.0`, or in `path+file:///name#1.0.0`.
fn package(id: &str) -> Option<&str> {
    let (path, rest) = id.rsplit_once('#')?;
    match rest.split_once('@') {
        Some((name, _)) => Some(name),
        None => path.rsplit('/').next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_named_by_its_id_in_both_forms() {
        assert_eq!(package("path+file:///w/generated/a#a-server@0.1.0"), Some("a-server"));
        assert_eq!(package("path+file:///w/examples/a-server#0.1.0"), Some("a-server"));
    }
}
