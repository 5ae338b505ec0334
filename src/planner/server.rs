//! The name of the server.

use super::text::words;
use crate::config::Config;
use crate::diagnostic::{Diagnostics, planning_text as codes};
use crate::ir::Api;
use crate::plan::Plan;
use crate::source::Pointer;

/// How long the name may be.
const LENGTH: usize = 18;
/// How long name and tool name may be together (Cursor counts both).
const BOTH: usize = 59;
/// Names that clients keep for themselves, and those that would say nothing.
const RESERVED: &[&str] = &[
    "workspace",
    "claude-in-chrome",
    "computer-use",
    "claude-preview",
    "claude-browser",
    "mcp",
    "server",
];

/// The name of the server: that of the configuration, of the previous plan, or made from the title.
pub fn name(
    diagnostics: &mut Diagnostics,
    api: &Api,
    config: &Config,
    previous: Option<&Plan>,
    longest_tool: usize,
) -> String {
    let room = LENGTH.min(BOTH.saturating_sub(longest_tool)).max(4);
    let given = config.name.as_deref().or_else(|| previous.map(|p| p.server.as_str()));
    if let Some(given) = given.filter(|g| is_name(g) && g.len() <= room) {
        return given.to_owned();
    }
    let title = config.name.as_deref().unwrap_or(&api.title);
    let (telling, all) = title_words(title);
    let from_title = fitted(&telling, room);
    let made = from_title
        .clone()
        .or_else(|| {
            let host = api.servers.iter().find_map(|s| host(&s.url))?;
            fitted(&host, room)
        })
        .or_else(|| fitted(&all, room));
    let made = made.unwrap_or_else(|| "api".to_owned());
    let name = if RESERVED.contains(&made.as_str()) {
        let stem = &made[..made.len().min(room.saturating_sub(4))];
        format!("{}-api", stem.trim_end_matches('-'))
    } else {
        made
    };
    if from_title.is_none() || config.name.as_ref().is_some_and(|n| *n != name) {
        let pointer = Pointer::default().child("info").child("title");
        diagnostics
            .report(
                &codes::UNUSABLE_SERVER_NAME,
                None,
                pointer,
                format!(
                    "`{}` gives no name for a server; it is called `{name}`",
                    crate::ir::prose::clean(title)
                ),
            )
            .help("set `name` in mcp-gen.yaml");
    }
    name
}

fn is_name(name: &str) -> bool {
    name.len() <= LENGTH
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !RESERVED.contains(&name)
}

/// The words of a title that name a product, and all of its words.
fn title_words(title: &str) -> (Vec<String>, Vec<String>) {
    let plain: String = crate::ir::prose::clean(title).chars().map(without_accent).collect();
    let plain = plain.replace("'s", "").replace("\u{2019}s", "");
    // `Acme API - v2 (beta)`: what follows the first sign is a remark.
    let end = plain.find(" - ").or_else(|| plain.find([':', '(', '|', ','])).filter(|i| *i > 2);
    let all: Vec<String> = plain[..end.unwrap_or(plain.len())]
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let noise = [
        "api",
        "apis",
        "the",
        "rest",
        "restful",
        "http",
        "openapi",
        "swagger",
        "public",
        "reference",
        "specification",
        "spec",
        "documentation",
        "docs",
        "service",
        "services",
        "server",
        "v1",
        "v2",
        "v3",
        "v4",
        "version",
        "web",
        "a",
        "an",
        "of",
        "for",
        "and",
        "developer",
        "example",
        "sample",
    ];
    let kept: Vec<String> = all
        .iter()
        .filter(|w| !noise.contains(&w.as_str()) && !w.bytes().all(|b| b.is_ascii_digit()))
        .cloned()
        .collect();
    (kept, all)
}

/// The letter below an accent.
fn without_accent(c: char) -> char {
    match c {
        'à'..='å' => 'a',
        'À'..='Å' => 'A',
        'ç' | 'ć' | 'č' => 'c',
        'è'..='ë' | 'ě' => 'e',
        'È'..='Ë' => 'E',
        'ì'..='ï' => 'i',
        'ñ' | 'ń' => 'n',
        'ò'..='ö' | 'ø' => 'o',
        'Ö' | 'Ø' => 'O',
        'š' | 'ś' => 's',
        'ù'..='ü' => 'u',
        'Ü' => 'U',
        'ý' | 'ÿ' => 'y',
        'ž' | 'ź' | 'ż' => 'z',
        c => c,
    }
}

/// The words joined, as many as there is room for.
fn fitted(words: &[String], room: usize) -> Option<String> {
    let start = words.iter().position(|w| w.starts_with(|c: char| c.is_ascii_lowercase()))?;
    let mut name = String::new();
    for word in &words[start..] {
        if name.is_empty() {
            name = word.chars().take(room).collect();
        } else if name.len() + 1 + word.len() <= room {
            name.push('-');
            name.push_str(word);
        } else {
            break;
        }
    }
    (name.len() > 1).then_some(name)
}

/// `https://api.example.com/v1` → `example`.
fn host(url: &str) -> Option<Vec<String>> {
    let rest = url.split_once("://")?.1;
    let host = rest.split(['/', ':', '?']).next()?;
    let labels: Vec<&str> = host.split('.').collect();
    let named = labels.len().checked_sub(2).map(|i| labels[i])?;
    let words = words(named);
    (!words.is_empty() && !named.contains('{')).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(title: &str, longest: usize, expected: &str) {
        let api = Api { title: title.to_owned(), ..Api::default() };
        let name = name(&mut Diagnostics::default(), &api, &Config::default(), None, longest);
        assert_eq!(name, expected);
        assert!(is_name(&name), "{name}");
    }

    #[test]
    fn n4_titles_become_short_names() {
        check("Redocly Museum API", 20, "redocly-museum");
        check("Swagger Petstore - OpenAPI 3.0", 20, "petstore");
        check("Workspace", 20, "workspace-api");
        check("Pokéapi", 20, "pokeapi");
        check("Netlify's API documentation", 20, "netlify");
        check("ペット", 20, "api");
        check("", 20, "api");
        check("The Very Long Product Name Of Acme", 20, "very-long-product");
        check("Very Long Product", 46, "very-long");
        check("1Password Connect", 20, "connect");
    }
}
