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

/// A folder with `api/openapi.yaml` that refers to this URL.
fn remote(url: &str) -> tempfile::TempDir {
    let dir = shop("");
    let path = dir.path().join("api/openapi.yaml");
    let text = std::fs::read_to_string(&path).expect("a document");
    std::fs::write(&path, text.replace("../common/pet.yaml", &format!("'{url}'"))).expect("it is");
    dir
}

/// A port of this machine, and whether somebody called it.
struct Ear(std::net::TcpListener);

impl Ear {
    fn new() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("it can be asked");
        Self(listener)
    }

    fn port(&self) -> u16 {
        self.0.local_addr().expect("it is bound").port()
    }

    fn heard_nothing(&self) -> bool {
        self.0.accept().is_err_and(|e| e.kind() == std::io::ErrorKind::WouldBlock)
    }
}

#[test]
fn nothing_is_fetched_unless_it_is_asked_for() {
    let ear = Ear::new();
    let dir = remote(&format!("https://127.0.0.1:{}/pet.yaml", ear.port()));
    let said = run(dir.path(), &["plan", "api/openapi.yaml"]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.err.contains("[remote-reference]"), "{}", said.err);
    assert!(said.err.contains("nothing is fetched"), "{}", said.err);
    assert!(said.err.contains("`--remote-refs`"), "{}", said.err);
    assert!(ear.heard_nothing());
    let said = run(dir.path(), &["plan", "api/openapi.yaml", "--refresh-refs"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("which `--remote-refs` allows"), "{}", said.err);
}

#[cfg(feature = "remote-refs")]
#[test]
fn hosts_inside_are_refused_and_nothing_is_sent() {
    let ear = Ear::new();
    let port = ear.port();
    for (url, reason) in [
        (format!("https://127.0.0.1:{port}/a.yaml"), "`127.0.0.1` is no public host"),
        (format!("https://localhost:{port}/a.yaml"), "`localhost` is no public host"),
        (format!("https://[::1]:{port}/a.yaml"), "`::1` is no public host"),
        (format!("https://[::ffff:127.0.0.1]:{port}/a"), "`::ffff:127.0.0.1` is no public host"),
        (format!("https://2130706433:{port}/a"), "`2130706433` is no public host"),
        (format!("https://user:word@127.0.0.1:{port}/a"), "with a user or a password"),
        ("https://169.254.169.254/latest".to_owned(), "`169.254.169.254` is no public host"),
        (format!("http://127.0.0.1:{port}/a.yaml"), "only `https` is fetched"),
        ("http://example.com/a.yaml".to_owned(), "only `https` is fetched"),
        ("file:///etc/passwd".to_owned(), "only `https` is fetched"),
    ] {
        let dir = remote(&url);
        let said = run(dir.path(), &["plan", "api/openapi.yaml", "--remote-refs"]);
        assert_eq!(said.status, 0, "{url}: {}", said.err);
        assert!(said.err.contains("[remote-reference]"), "{url}: {}", said.err);
        assert!(said.err.contains(reason), "{url}: {}", said.err);
        assert!(ear.heard_nothing(), "{url}");
        assert!(!dir.path().join("api/mcp-gen-refs").exists(), "{url}");
    }
}

/// Puts a copy of `https://shop.example.com/pet.yaml` into the folder `beside`, as a run would.
#[cfg(feature = "remote-refs")]
fn keep(beside: &Path) {
    use mcp_gen::openapi::{Remote as _, Unfetched};
    use mcp_gen::remote::{Answer, Bounds, Documents, Get};
    use mcp_gen::source::Url;

    #[derive(Debug)]
    struct Host;

    impl Get for Host {
        fn get(&self, _: &Url, _: usize, _: std::time::Duration) -> Result<Answer, Unfetched> {
            let text = "type: object\nproperties: {nickname: {type: string}}\n";
            Ok(Answer::Document(text.to_owned().into_bytes()))
        }
    }

    let documents = Documents::open(beside, &Host, Bounds::default(), false).expect("no copies");
    documents.fetch(&Url::parse(PET).expect("a URL")).expect("it answers");
    assert!(documents.save().expect("it can be written"));
}

#[cfg(feature = "remote-refs")]
const PET: &str = "https://shop.example.com/pet.yaml";

#[cfg(feature = "remote-refs")]
#[test]
fn a_copy_needs_no_network_but_it_must_be_asked_for() {
    let dir = remote(PET);
    keep(&dir.path().join("server"));
    keep(&dir.path().join("api"));
    let command = ["api/openapi.yaml", "-o", "server"];
    let refused = run(dir.path(), &command);
    assert!(refused.err.contains("[remote-reference]"), "{}", refused.err);
    for args in [
        &["api/openapi.yaml", "-o", "server"][..],
        &["generate", "api/openapi.yaml", "-o", "server"],
        &["check", "api/openapi.yaml", "-o", "server"],
        &["plan", "api/openapi.yaml", "-o", "server/mcp-plan.yaml", "--check"],
        &["lint", "api/openapi.yaml"],
        &["report", "api/openapi.yaml", "-o", "report.html"],
        &["plan", "api/openapi.yaml"],
    ] {
        let mut args = args.to_vec();
        args.push("--remote-refs");
        let said = run(dir.path(), &args);
        assert_eq!(said.status, 0, "{args:?}: {}", said.err);
        assert!(!(said.out + &said.err).contains("reference]"), "{args:?}");
    }
    let plan = std::fs::read_to_string(dir.path().join("server/mcp-plan.yaml")).expect("a plan");
    assert!(plan.contains("nickname"), "{plan}");

    let copies = dir.path().join("server/mcp-gen-refs");
    let files = std::fs::read_dir(&copies).expect("a folder").flatten().map(|e| e.path());
    for file in files.filter(|f| !f.ends_with("index.json")) {
        std::fs::write(file, "type: string\n").expect("it can be spoilt");
    }
    let said = run(dir.path(), &["api/openapi.yaml", "-o", "server", "--remote-refs"]);
    assert_eq!(said.status, 2, "{}", said.err);
    assert!(said.err.contains("the copy of `https://shop.example.com/pet.yaml` was changed"));
}

#[cfg(feature = "remote-refs")]
#[test]
fn the_configuration_asks_for_remote_references_too() {
    let dir = remote(PET);
    std::fs::write(dir.path().join("api/mcp-gen.yaml"), "remote-refs: true\n").expect("a file");
    keep(&dir.path().join("api"));
    let said = run(dir.path(), &["plan", "api/openapi.yaml"]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.out.contains("nickname"), "{}", said.err);
}

/// G6, counted by the system: a gibibyte of addresses and ten seconds are more than enough.
#[cfg(target_os = "linux")]
#[test]
fn g6_documents_made_to_exhaust_the_reader_end_within_a_gibibyte() {
    use std::fmt::Write as _;
    let head = "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths: {}\n";
    let mut aliases = format!("{head}x-a0: &a0 [b, b, b, b, b, b, b, b, b, b]\n");
    for at in 1..12 {
        let _ =
            writeln!(aliases, "x-a{at}: &a{at} [{}]", vec![format!("*a{}", at - 1); 10].join(", "));
    }
    let deep = format!("{head}x-deep: {}{}\n", "[".repeat(200_000), "]".repeat(200_000));
    let mut circle = format!("{head}components: {{schemas: {{\n");
    for at in 0..3000 {
        let next = (at + 1) % 3000;
        let _ = writeln!(
            circle,
            "S{at}: {{allOf: [{{$ref: '#/components/schemas/S{next}'}}, {{$ref: '#/components/schemas/S{}'}}]}},",
            at / 2
        );
    }
    circle.push_str("}}\n");
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    for (name, text) in [("aliases", aliases), ("deep", deep), ("circle", circle)] {
        let file = dir.path().join(format!("{name}.yaml"));
        std::fs::write(&file, text).expect("it can be written");
        let start = std::time::Instant::now();
        let status = std::process::Command::new("sh")
            .args([
                "-c",
                "ulimit -v 1048576; exec \"$0\" lint \"$1\"",
                env!("CARGO_BIN_EXE_mcp-gen"),
            ])
            .arg(&file)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .status()
            .expect("there is a shell");
        assert!(status.code().is_some_and(|code| code < 100), "{name}: {status}");
        assert!(start.elapsed().as_secs() < 10, "{name}: {:?}", start.elapsed());
    }
}
