use super::super::{Options, manifest};
use super::*;

const ALONE: Options = Options { standalone: true };
const MEMBER: Options = Options { standalone: false };

fn fresh() -> String {
    manifest("shop", ALONE)
}

fn joined(old: &str) -> Joined {
    let out = join("Cargo.toml", old, &fresh()).unwrap();
    let again = join("Cargo.toml", &out.text, &fresh()).unwrap();
    assert_eq!(again.text, out.text, "joining twice is joining once");
    assert_eq!(again.kept, out.kept);
    assert_eq!(again.set, Vec::<String>::new());
    out
}

#[test]
fn a_manifest_that_nobody_touched_stays_as_it_is() {
    let out = joined(&fresh());
    assert_eq!(out, Joined { text: fresh(), ..Joined::default() });
    let member = manifest("shop", MEMBER);
    assert_eq!(join("Cargo.toml", &member, &member).unwrap().text, member);
}

/// As `cargo add`, an editor and a person leave it.
#[test]
fn what_the_owner_adds_stays_to_the_byte() {
    let old = fresh()
        .replace(
            "[dependencies]\n",
            "[dependencies]\n# our own client\nhouse = { path = \"../house\" }\n",
        )
        .replace("version = \"0.1.0\"", "version = \"0.4.0\" # ours")
        .replace("publish = false\n", "publish = false\nlicense = \"MIT\"\n")
        .replace("opt-level = \"s\"", "opt-level = 3")
        .replace("\"sync\"]", "\"sync\", \"fs\"]")
        .replace("unsafe_code = \"forbid\"\n", "unsafe_code = \"forbid\"\nunused = \"deny\"\n")
        + "members = [\"house\"]\n\n[dev-dependencies]\ntempfile = \"3\"\n\n[build-dependencies]\ncc = \"1\"\n\n\
           [features]\nmore = []\n\n[profile.fast]\ninherits = \"release\"\n\n\
           [package.metadata.deb]\nsection = \"net\"\n\n[target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n\n\
           [[bin]]\nname = \"other\"\npath = \"src/other.rs\"\n";
    let out = joined(&old);
    assert_eq!(out.text, old);
    assert_eq!(out.set, Vec::<String>::new());
    assert_eq!(
        out.kept,
        [
            "package.version",
            "package.license",
            "package.metadata",
            "bin.other",
            "dependencies.house",
            "dependencies.tokio.features.fs",
            "lints.rust.unused",
            "profile.release.opt-level",
            "profile.fast",
            "workspace.members",
            "dev-dependencies.tempfile",
            "build-dependencies.cc",
            "features.more",
            "target.\"cfg(unix)\"",
        ]
    );
}

#[test]
fn what_the_generated_code_needs_is_set_and_named() {
    let old = fresh()
        .replace("name = \"shop\"", "name = \"mine\"")
        .replace("edition = \"2024\"", "edition = \"2021\"")
        .replace("\"forbid\"", "\"allow\"")
        .replace("\"unwind\"", "\"abort\"")
        .replace(
            "rmcp = { version = \"3.11\", default-features = false, features = [",
            "rmcp = { version = \"2\", features = [\"client\", ",
        )
        .replace("base64 = \"0.22\"\n", "")
        .replace(
            "tokio-util = \"0.7.16\"",
            "tokio-util = { workspace = true, features = [\"codec\"] }",
        )
        .replace("[workspace]\n", "");
    let out = joined(&old);
    assert_eq!(
        out.set,
        [
            "package.name",
            "package.edition",
            "bin.name",
            "dependencies.rmcp",
            "dependencies.tokio-util",
            "lints.rust.unsafe_code",
            "profile.release.panic",
        ]
    );
    assert_eq!(
        out.kept,
        ["dependencies.rmcp.features.client", "dependencies.tokio-util.features.codec"]
    );
    let text = &out.text;
    assert!(
        text.contains("tokio-util = { version = \"0.7.16\", features = [\"codec\"] }"),
        "{text}"
    );
    assert!(text.contains("base64 = \"0.22\"") && text.contains("\n[workspace]\n"), "{text}");
    let features = "features = [\"server\", \"transport-io\", \"transport-streamable-http-server\", \"client\"]";
    assert!(text.contains(features), "{text}");
}

/// Every way in which TOML says it, as `cargo` reads them all.
#[test]
fn other_ways_of_writing_the_same_stay() {
    let mut old = fresh();
    for (from, to) in [
        ("base64 = \"0.22\"", "base64.version = \"0.22\""),
        ("tokio-util = \"0.7.16\"", "\"tokio-util\" = { version = '0.7.16' }"),
        ("[lints.rust]\nunsafe_code = \"forbid\"", "[lints]\nrust = { unsafe_code = \"forbid\" }"),
        ("[workspace]\n", ""),
        ("[package]", "workspace = {}\n\n[package]"),
    ] {
        assert!(old.contains(from), "{from}");
        old = old.replace(from, to);
    }
    let line = old.lines().find(|line| line.starts_with("axum")).unwrap().to_owned();
    old = old.replace(&line, "")
        + "\n[dependencies.axum]\nversion = \"0.8\"\ndefault-features = false\nfeatures = [\"tokio\", \"http1\"]\n";
    let out = joined(&old);
    assert_eq!(out, Joined { text: old, ..Joined::default() });
}

#[test]
fn a_form_of_sub_tables_takes_in_what_is_new() {
    let old = "# @generated by mcp-gen; do not edit.\n\n[package]\nname = \"shop\"\n\n\
               [dependencies.axum]\nversion = \"0.8\"\ndefault-features = false\nfeatures = [\"http1\", \"tokio\"]\n";
    let out = joined(old);
    let text: DocumentMut = out.text.parse().unwrap();
    let all: DocumentMut = fresh().parse().unwrap();
    assert_eq!(
        text["dependencies"].as_table().unwrap().len(),
        all["dependencies"].as_table().unwrap().len()
    );
    assert!(out.text.starts_with(head(&fresh())), "{}", out.text);
    assert_eq!((out.kept.len(), out.set.len()), (0, 0), "{out:?}");
}

#[test]
fn a_crate_that_becomes_a_member_keeps_only_what_its_owner_added() {
    let member = manifest("shop", MEMBER);
    let old = fresh().replace("opt-level = \"s\"", "opt-level = 3");
    let out = join("Cargo.toml", &old, &member).unwrap();
    assert_eq!(out.kept, ["profile.release"]);
    assert!(out.text.contains("[profile.release]\nopt-level = 3\n"), "{}", out.text);
    assert!(!out.text.contains("lto") && !out.text.contains("[workspace]"), "{}", out.text);
    assert_eq!(join("Cargo.toml", &fresh(), &member).unwrap().text.trim_end(), member.trim_end());
    let back = join("Cargo.toml", &member, &fresh()).unwrap();
    assert!(back.text.contains("panic = \"unwind\"") && back.text.contains("[workspace]"));
    // What the workspace says of lints, a member may take from it; `cargo` refuses both at once.
    let inherits =
        member.replace("[lints.rust]\nunsafe_code = \"forbid\"", "[lints]\nworkspace = true");
    assert_eq!(join("Cargo.toml", &inherits, &member).unwrap().text, inherits);
}

#[test]
fn what_is_no_manifest_is_told_with_its_place() {
    for (old, expected) in [
        ("[package]\nname = \n", "Cargo.toml:2:8: "),
        ("[package]\nname = \"a\"\nname = \"b\"\n", "Cargo.toml:3:1: duplicate key"),
        ("package = 3\n", "Cargo.toml:1:11: `package` must be a table"),
        ("[lints]\nrust = 1\n", "Cargo.toml:2:8: `lints.rust` must be a table"),
        ("dependencies = []\n", "Cargo.toml:1:16: `dependencies` must be a table"),
        ("[bin]\nname = \"a\"\n", "Cargo.toml:1:1: `bin` must be tables, as in `[[bin]]`"),
        ("<<<<<<< ours\n[package]\n", "Cargo.toml:1:9: "),
    ] {
        let error = join("Cargo.toml", old, &fresh()).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
        assert!(error.ends_with("; mend it, or delete the file to have it made anew"), "{error}");
    }
}

/// What can be read is joined to something that can be read, whatever it is.
#[test]
fn odd_manifests_are_joined_without_a_panic() {
    for old in [
        "",
        "# only a comment",
        "\u{feff}[package]\nname = \"shop\"\n",
        "[package]\r\nname = \"mine\"\r\n\r\n[dependencies]\r\nhouse = \"1\"\r\n",
        "package = { name = \"x\" }\n[[bin]]\n",
        "dependencies = { tokio = 3, axum = { features = 1 } }\n",
        "dependencies.tokio.version = \"1\"\nlints.rust.unsafe_code = { level = \"warn\" }\n",
        "[profile]\nrelease.panic = \"abort\"\n[bin-x]\n",
        "[lints.rust.unsafe_code]\nlevel = \"warn\"\n[package.name]\nworkspace = true\n[package.version]\nworkspace = true\n",
    ] {
        let out = joined(old);
        let text: DocumentMut =
            out.text.parse().unwrap_or_else(|e| panic!("{old}: {e}\n{}", out.text));
        assert_eq!(text["package"]["name"].as_str(), Some("shop"), "{}", out.text);
        assert_eq!(text["dependencies"]["tokio"]["version"].as_str(), Some("1.44"), "{}", out.text);
        assert_eq!(text["lints"]["rust"]["unsafe_code"].as_str(), Some("forbid"), "{}", out.text);
    }
}
