//! The page that `mcp-gen report` draws, looked at by a browser where there is one.

#![expect(clippy::print_stderr, reason = "a skipped test must say so")]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::support::{root, run_in};

/// Collects what the browser complains about; stands before everything else.
const WATCH: &str = "<script>window.wrong = [];\
    addEventListener('error', (e) => wrong.push(e.message));\
    addEventListener('securitypolicyviolation', (e) => wrong.push(e.violatedDirective));\
    console.error = (...a) => wrong.push(a.join(' '));</script>";

/// Uses the page as a person would and leaves what was seen in an element.
const USE: &str = "<script>(() => {
    const id = (n) => document.getElementById(n);
    const type = (n, v) => { id(n).value = v; id(n).dispatchEvent(new Event('input', {bubbles: true})); };
    const rows = () => [...document.querySelectorAll('.row')].filter((r) => !r.hidden).length;
    const tools = () => [...document.querySelectorAll('#tool-list > details')].filter((d) => !d.hidden).length;
    const seen = {rows: rows(), tools: tools(), title: document.title, heading: id('title').textContent};
    const start = performance.now();
    type('search', 'delete');
    seen.ms = performance.now() - start;
    seen.found = rows(); seen.said = id('count').textContent;
    type('search', 'nothing is called so'); seen.none = rows();
    type('search', ''); type('effect', 'write'); seen.writes = rows();
    type('effect', ''); type('where', 'excluded'); seen.excluded = rows(); type('where', '');
    document.querySelector('.row').click();
    const open = document.querySelector('#tool-list > details[open]');
    seen.opened = open ? open.querySelectorAll('table tr').length : 0;
    id('open').click(); seen.all = document.querySelectorAll('#tool-list > details[open]').length;
    id('shut').click(); seen.closed = document.querySelectorAll('#tool-list > details[open]').length;
    const ground = () => getComputedStyle(document.body).backgroundColor;
    const light = ground(); id('theme').click(); seen.dark = ground() !== light;
    const key = (k) => document.dispatchEvent(new KeyboardEvent('keydown', {key: k, bubbles: true}));
    document.activeElement.blur(); key('/'); seen.slash = document.activeElement.id;
    type('search', 'delete'); key('Escape'); seen.escaped = id('search').value;
    // All that reacts is what browsers focus and press by themselves.
    seen.rowsAre = [...new Set([...document.querySelectorAll('.row')].map((r) => r.tagName))].join();
    document.querySelector('.row').click(); seen.focus = document.activeElement.tagName;
    seen.wide = document.documentElement.scrollWidth - innerWidth; seen.width = innerWidth;
    const changes = id('changes'); seen.changes = changes.hidden ? '' : changes.innerText;
    seen.scripts = document.scripts.length; seen.injected = window.injected === true;
    seen.wrong = window.wrong;
    const out = document.createElement('pre'); out.id = 'seen'; out.textContent = JSON.stringify(seen);
    document.body.append(out);
})();</script>";

fn browser() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let known = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    named.or_else(|| {
        known.iter().flat_map(|n| folders.iter().map(move |f| f.join(n))).find(|p| p.is_file())
    })
}

fn page(document: &Path, extra: &[&str]) -> String {
    let document = document.to_str().expect("a path of this repository");
    let said = run_in(&root(), &[&["report", document], extra].concat(), "");
    assert_eq!(said.status, 0, "{}", said.err);
    said.out
}

/// What the browser saw; `None` where there is none.
fn seen(page: &str) -> Option<Value> {
    seen_at(page, 1280)
}

/// The same in a window of so many pixels.
fn seen_at(page: &str, width: u32) -> Option<Value> {
    let Some(browser) = browser() else {
        eprintln!("skipped: no Chromium; name one in CHROMIUM");
        return None;
    };
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("page.html");
    let driven = page.replacen("<head>", &format!("<head>{WATCH}"), 1);
    let driven = driven.replacen("</body>", &format!("{USE}</body>"), 1);
    std::fs::write(&file, driven).expect("the page is written");
    let mut command = Command::new(browser);
    command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom"]);
    command.arg(format!("--window-size={width},900"));
    command.arg(format!("--user-data-dir={}", dir.path().join("profile").display()));
    let out = command.arg(format!("file://{}", file.display())).output().expect("it runs");
    let dom = String::from_utf8_lossy(&out.stdout).into_owned();
    let text = dom.rsplit_once("<pre id=\"seen\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let text = text.unwrap_or_else(|| panic!("the page was not driven: {dom:.2000}")).0;
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    Some(serde_json::from_str(&text).expect("JSON"))
}

#[test]
fn a_page_shows_every_operation_and_tool_and_can_be_searched() {
    let Some(seen) = seen(&page(&root().join("specs/warehouse/openapi.yaml"), &[])) else { return };
    assert_eq!(seen["wrong"], serde_json::json!([]), "{seen}");
    assert_eq!(seen["rows"], 45, "{seen}");
    assert_eq!(seen["tools"], seen["all"], "{seen}");
    let numbers = |key: &str| seen[key].as_u64().unwrap_or_default();
    assert!((1..45).contains(&numbers("found")), "{seen}");
    assert!((1..45).contains(&numbers("writes")), "{seen}");
    assert_eq!((numbers("none"), numbers("excluded"), numbers("closed")), (0, 0, 0), "{seen}");
    assert!(numbers("opened") > 3 && numbers("tools") > 5, "{seen}");
    assert_eq!(seen["dark"], true, "{seen}");
}

#[test]
fn hostile_text_is_shown_as_text() {
    let document = "openapi: 3.0.3
info: {title: \"</title><script>window.injected = true</script>@DATA@\", version: '1'}
paths:
  /a:
    get:
      operationId: a
      summary: \"<img src=x onerror='window.injected = true'></script><script>window.injected = true</script>\"
      responses: {}
";
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("openapi.yaml");
    std::fs::write(&file, document).expect("the document is written");
    let page = page(&file, &[]);
    assert_eq!(page.matches("<script").count(), 2, "the data and the program");
    let Some(seen) = seen(&page) else { return };
    assert_eq!((&seen["injected"], &seen["wrong"]), (&false.into(), &serde_json::json!([])));
    assert_eq!(seen["scripts"], 4, "two of the page, two of this test");
    assert!(seen["heading"].as_str().is_some_and(|t| t.ends_with("@DATA@")), "{seen}");
}

#[test]
fn changes_against_another_plan_are_shown() {
    let spec = root().join("specs/repair-cafe/openapi.yaml");
    let old = root().join("generated/repair-cafe/mcp-plan.yaml");
    let old = old.to_str().expect("a path of this repository");
    assert!(page(&spec, &["--old", old]).contains("\"changes\":{\"format\":1"));
    assert!(page(&spec, &[]).contains("\"changes\":null"));
    let other = root().join("generated/warehouse/mcp-plan.yaml");
    let other = other.to_str().expect("a path of this repository");
    let Some(seen) = seen(&page(&spec, &["--old", other])) else { return };
    let changes = seen["changes"].as_str().unwrap_or_default();
    assert!(changes.contains("tool-removed") && changes.contains("read_suppliers"), "{seen}");
}

#[test]
fn a_page_is_used_by_keyboard_and_fits_a_telephone() {
    for width in [500, 1400] {
        let page = page(&root().join("specs/warehouse/openapi.yaml"), &[]);
        let Some(seen) = seen_at(&page, width) else { return };
        assert_eq!((&seen["slash"], &seen["escaped"]), (&"search".into(), &"".into()), "{seen}");
        assert_eq!((&seen["rowsAre"], &seen["focus"]), (&"BUTTON".into(), &"SUMMARY".into()));
        assert!(seen["wide"].as_i64().is_some_and(|more| more <= 0), "{seen}");
        assert!(seen["width"].as_u64().is_some_and(|w| w <= u64::from(width)), "{seen}");
    }
}

#[test]
fn a_search_among_twelve_hundred_operations_does_not_lag() {
    let mut document = String::from("openapi: 3.0.3\ninfo: {title: Many, version: '1'}\npaths:\n");
    for number in 0..400 {
        document.push_str(&format!(
            "  /things{number}/{{id}}:\n    parameters: [{{name: id, in: path, required: true, schema: {{type: string}}}}]\n"
        ));
        for method in ["get", "put", "delete"] {
            document.push_str(&format!("    {method}: {{responses: {{}}}}\n"));
        }
    }
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("openapi.yaml");
    std::fs::write(&file, document).expect("the document is written");
    let Some(seen) = seen(&page(&file, &[])) else { return };
    assert_eq!((&seen["rows"], &seen["wrong"]), (&1200.into(), &serde_json::json!([])), "{seen}");
    let took = seen["ms"].as_f64().expect("a time");
    eprintln!("a search among 1,200 operations took {took} ms");
    assert!(took < 250.0, "{seen}");
}
