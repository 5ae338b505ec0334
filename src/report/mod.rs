//! A plan as one page to look at: operations, tools, how they flow together, sizes, changes, findings.
//!
//! The page is a fixed document with a script of its own; what varies is one block of JSON in it.
//! Text of a document is in that block alone, and the script only ever makes text of it.

mod data;

use crate::bind::Bound;
use crate::diagnostic::Diagnostics;
use crate::diff::Diff;
use crate::source::Sources;

const PAGE: &str = include_str!("../../templates/report/page.html");
const STYLE: &str = include_str!("../../templates/report/page.css");
const SCRIPT: &str = include_str!("../../templates/report/page.js");

/// The page for a plan that is bound to its API. `diff` is what changed against the plan before.
pub fn html(
    bound: &Bound<'_>,
    diagnostics: &Diagnostics,
    sources: &Sources,
    diff: Option<&Diff>,
) -> String {
    let data = data::data(bound, diagnostics, sources, diff);
    let title = format!("{}: MCP tools", bound.plan.title);
    let mut page = PAGE
        .replace("@TITLE@", &escaped(&title))
        .replace("@CSS@", STYLE.trim_end())
        .replace("@JS@", SCRIPT.trim_end());
    // Last, so that nothing in the data is taken for a placeholder.
    if let Some(at) = page.find("@DATA@") {
        page.replace_range(at..at + "@DATA@".len(), &in_script(&data.to_string()));
    }
    page
}

/// Text of an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('@', "&#64;")
}

/// JSON inside a script element, which ends at the first `</`.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_document_cannot_leave_its_block() {
        let json = in_script(r#"{"a":"</script><script>alert(1)</script>&<!--"}"#);
        assert!(!json.contains(['<', '>', '&']), "{json}");
        let back: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(back["a"], "</script><script>alert(1)</script>&<!--");
        assert_eq!(escaped("</title>@DATA@"), "&lt;/title&gt;&#64;DATA&#64;");
    }

    #[test]
    fn the_page_is_whole_and_loads_nothing() {
        for mark in ["@TITLE@", "@CSS@", "@DATA@", "@JS@"] {
            assert_eq!(PAGE.matches(mark).count(), 1, "{mark}");
        }
        for text in [PAGE, STYLE, SCRIPT] {
            for way in ["http://", "https://", "src=", "@import", "url(", "innerHTML", "fetch("] {
                assert!(!text.contains(way), "{way}");
            }
        }
    }
}
