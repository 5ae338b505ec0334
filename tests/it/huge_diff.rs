//! A diff of plans of more than a thousand operations ends and can be read in each form.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use super::support::{Said, run_in};

/// Most characters of a comment on GitHub.
const COMMENT: usize = 65_536;

/// A document of 320 resources with four operations each; `word` stands in all their names.
fn document(word: &str) -> String {
    let mut out = "openapi: 3.0.3\ninfo: {title: Huge, version: '1'}\n".to_owned();
    out.push_str("servers: [{url: 'https://huge.example.com'}]\npaths:\n");
    let ok = "responses: {'200': {description: ok}}";
    for n in 0..320 {
        // Words instead of numbers, so that resources stay apart.
        let name: String = [n / 26 / 26, n / 26 % 26, n % 26]
            .map(|i| char::from(b"bcdfghjklmnpqrstvwxzaeiouy"[i]))
            .iter()
            .collect();
        let name = format!("{word}{name}s");
        let id = format!("{name}Id");
        let parameter = format!(
            "parameters: [{{name: {id}, in: path, required: true, schema: {{type: string}}}}]"
        );
        let _ = write!(
            out,
            "  /{name}:\n    get: {{operationId: list-{name}, summary: List {name}, {ok}}}\n    post: {{operationId: create-{name}, summary: Create {name}, {ok}}}\n  /{name}/{{{id}}}:\n    {parameter}\n    get: {{operationId: get-{name}, summary: Get {name}, {ok}}}\n    delete: {{operationId: delete-{name}, summary: Delete {name}, {ok}}}\n"
        );
    }
    out
}

fn plan(dir: &Path, word: &str) -> String {
    let said = run_in(dir, &["plan", "-", "-q"], &document(word));
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.out.matches("operation: ").count() >= 1200, "all operations are in the plan");
    said.out
}

#[test]
fn each_form_of_a_diff_of_1280_operations_ends_and_can_be_read() {
    let temp = tempfile::tempdir().expect("a folder for temporary files");
    for (name, word) in [("old.yaml", "old"), ("new.yaml", "new")] {
        std::fs::write(temp.path().join(name), plan(temp.path(), word)).expect("it can be written");
    }
    let diff = |format: &str| -> Said {
        let begin = Instant::now();
        let said = run_in(temp.path(), &["diff", "old.yaml", "new.yaml", "--format", format], "");
        assert!(begin.elapsed() < Duration::from_secs(60), "{format}: {:?}", begin.elapsed());
        assert_eq!(said.status, 0, "{format}: {}", said.err);
        said
    };
    let markdown = diff("markdown").out;
    let characters = markdown.encode_utf16().count();
    assert!(characters < COMMENT, "{characters}");
    assert!(markdown.contains(" more, which `mcp-gen diff` shows\n"), "{markdown}");
    assert!(markdown.contains("1 of texts and order</summary>\n\n- left out here; "), "{markdown}");
    assert_eq!(markdown.matches("<details>").count(), markdown.matches("</details>").count());
    let text = diff("text").out;
    assert!(text.lines().count() > 1000, "the text holds all of them");
    let json: serde_json::Value = serde_json::from_str(&diff("json").out).expect("it is JSON");
    assert!(json.to_string().matches("entry-removed").count() > 1000, "and so does the JSON");
    let github = diff("github").out;
    assert!(github.lines().count() > 1000, "and so do the annotations");
    assert!(github.lines().all(|l| l.starts_with("::")), "{github}");
}
