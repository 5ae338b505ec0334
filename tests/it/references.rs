//! Documents in several files, and what keeps them to their folder.

use std::path::Path;

use super::support::{Said, run_in};

/// A folder with `api/openapi.yaml` that refers to `common/pet.yaml` beside that folder.
fn shop(config: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder for the test");
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder of the test");
        std::fs::write(path, text).expect("a file of the test");
    };
    write("common/pet.yaml", "type: object\nproperties: {nickname: {type: string}}\n");
    write(
        "api/openapi.yaml",
        "openapi: 3.1.0\ninfo: {title: Shop, version: '1'}\nservers: [{url: 'https://shop.example'}]\npaths:\n  /pets:\n    post:\n      operationId: create_pet\n      requestBody:\n        content: {application/json: {schema: {$ref: ../common/pet.yaml}}}\n      responses: {'200': {description: fine}}\n",
    );
    if !config.is_empty() {
        write("api/mcp-gen.yaml", config);
    }
    dir
}

fn run(dir: &Path, args: &[&str]) -> Said {
    run_in(dir, args, "")
}

#[test]
fn a_file_outside_the_folder_is_read_when_its_folder_is_allowed() {
    let dir = shop("");
    let refused = run(dir.path(), &["plan", "api/openapi.yaml"]);
    assert_eq!(refused.status, 0, "{}", refused.err);
    assert!(!refused.out.contains("nickname"), "{}", refused.out);
    assert!(refused.err.contains("[reference-outside-folder]"), "{}", refused.err);
    assert!(refused.err.contains("`--allow-refs common`"), "{}", refused.err);
    for folder in ["common", "./common", "api/../common", "."] {
        let allowed = run(dir.path(), &["plan", "api/openapi.yaml", "--allow-refs", folder]);
        assert_eq!(allowed.status, 0, "{}", allowed.err);
        assert!(allowed.out.contains("nickname"), "{folder}: {}", allowed.err);
        assert!(!allowed.err.contains("outside"), "{folder}: {}", allowed.err);
    }
    let none = run(dir.path(), &["plan", "api/openapi.yaml", "--allow-refs", "nowhere"]);
    assert_eq!(none.status, 2);
    assert!(none.err.contains("`nowhere`, named by `allow-refs`, is no folder"), "{}", none.err);
}

#[test]
fn every_command_that_reads_a_document_takes_the_folders_of_the_configuration() {
    let dir = shop("allow-refs: [../common]\n");
    for args in [
        &["plan", "api/openapi.yaml"][..],
        &["lint", "api/openapi.yaml"],
        &["api/openapi.yaml", "-o", "server"],
        &["generate", "api/openapi.yaml", "-o", "server"],
        &["check", "api/openapi.yaml", "-o", "server"],
    ] {
        let said = run(dir.path(), args);
        assert_eq!(said.status, 0, "{args:?}: {}", said.err);
        let all = said.out + &said.err;
        assert!(!all.contains("outside"), "{args:?}: {all}");
        let bare = shop("");
        let mut flagged = args.to_vec();
        flagged.extend(["--allow-refs", "common"]);
        if args.contains(&"generate") || args.contains(&"check") {
            continue;
        }
        let said = run(bare.path(), &flagged);
        assert_eq!(said.status, 0, "{flagged:?}: {}", said.err);
    }
    let plan = std::fs::read_to_string(dir.path().join("server/mcp-plan.yaml")).expect("a plan");
    assert!(plan.contains("nickname"), "{plan}");
}
