//! `README.md` and `.env.example` of a crate.

use std::fmt::Write as _;

use super::rust::one_line;
use super::server::SchemeView;
use super::templates::{Readme, ReadmeTool};
use crate::plan::{Plan, Posture};

/// Text of a document as Markdown that shows it and does nothing else.
fn markdown(text: &str) -> String {
    let mut out = String::new();
    for c in one_line(text).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            c if c.is_ascii_punctuation() && !",.;:'()/-".contains(c) => {
                let _ = write!(out, "\\{c}");
            }
            c => out.push(c),
        }
    }
    out
}

/// Text as inline code.
fn code(text: &str) -> String {
    format!("`{}`", one_line(text).replace('`', "'").replace('|', "\\|"))
}

/// Name of each variable, what it holds, and whether it is a credential.
fn variables(
    prefix: &str,
    base: Option<&str>,
    schemes: &[SchemeView<'_>],
    toolsets: &[&str],
) -> Vec<(String, String, bool)> {
    let default = match base {
        Some(path) if path.starts_with('/') => format!(
            "where the API is; must be set, because the document names no host; without a path it gets {}",
            code(path)
        ),
        Some(url) => format!("where the API is; default {}", code(url)),
        None => {
            "where the API is; must be set, because the document names no absolute URL".to_owned()
        }
    };
    let mut rows = vec![(format!("{prefix}_BASE_URL"), default, false)];
    for scheme in schemes {
        for (name, what) in scheme.variables(prefix) {
            rows.push((name, format!("{what} ({})", markdown(scheme.name)), true));
        }
    }
    let setting = |end: &str, what: &str| (format!("{prefix}_{end}"), what.to_owned(), false);
    rows.push(setting("TIMEOUT_SECONDS", "longest wait for a reply; default 30"));
    rows.push(setting("CONNECT_TIMEOUT_SECONDS", "longest wait for a connection; default 10"));
    rows.push(setting("CONCURRENCY", "how many requests run at the same time; default 8"));
    rows.push(setting(
        "REQUESTS_PER_MINUTE",
        "how many requests leave in a minute; no limit unless set",
    ));
    rows.push(setting("MAX_REPLY_MIB", "largest reply that is read, in MiB; default 10"));
    rows.push(setting(
        "IDEMPOTENCY_HEADER",
        "header that carries a fresh key with each call that writes; sent anyway where the document declares it",
    ));
    rows.push(setting(
        "HEADERS",
        "headers of all requests to the API, as `Name=value, Other=value`, a comma in a value as `%2C`; they count before arguments. What a name with `key`, `token`, `auth` and the like holds is kept secret",
    ));
    rows.push(setting("PROXY", "proxy for all requests; else `HTTPS_PROXY` and its like count"));
    rows.push(setting(
        "TLS_CA_FILE",
        "PEM file of certificates to trust besides those of the system",
    ));
    rows.push(setting("TLS_CERT_FILE", "PEM file of this client's certificate, and of its key"));
    rows.push(setting("TLS_KEY_FILE", "PEM file of the key, where it is apart"));
    rows.push(setting(
        "CREDENTIAL_ORIGINS",
        "other origins that may get the credentials, parted by commas",
    ));
    rows.push(setting(
        "ARRAY_FORMAT",
        "lists inside `deepObject`: `brackets`, `indices`, `repeat` or `comma`; default `brackets`",
    ));
    rows.push(setting("READ_ONLY", "`1` serves only what reads, as `--read-only`"));
    rows.push(setting("DRY_RUN", "`1` shows requests and sends none, as `--dry-run`"));
    rows.push(setting(
        "CONFIRM",
        "before something is taken away, a client that can asks the user; one that cannot goes on (`ask`, the default), needs the argument `confirm` (`argument`) or is refused (`refuse`). `off` asks nobody",
    ));
    rows.push(setting(
        "DOWNLOADS_DIR",
        "folder for replies that are no text, which `resources/read` then gives; none unless it is set",
    ));
    rows.push(setting(
        "EMBED_MAX_KIB",
        "largest reply that is no text and is given along as it is, in KiB; none unless set",
    ));
    rows.push(setting("TOOLS_PAGE", "how many tools stand on a page of the list; all unless set"));
    rows.push(setting("HEALTH_TOOL", "`1` adds a tool that says how the server is"));
    rows.push(setting(
        "FEEDBACK_FILE",
        "file for remarks of models, which a tool then adds; `feedback list`, `status` and `delete` look into it",
    ));
    rows.push(setting("LOG", "`error`, `warn`, `info` or `debug`; default `info`"));
    rows.push(setting(
        "USAGE_LOG",
        "file that gets a line of JSON for each call, without arguments and answers; none unless set",
    ));
    rows.push(setting(
        "FILES_DIR",
        "folder whose files may be sent, given as `file:PATH`; none unless it is set",
    ));
    if !toolsets.is_empty() {
        rows.push(setting(
            "TOOLSETS",
            "toolsets that are on, parted by commas; all unless set. `--toolsets` counts before it",
        ));
        rows.push(setting(
            "DYNAMIC_TOOLSETS",
            "`1` lets a client over stdio enable toolsets itself; at the start those of `TOOLSETS` are on, else `default`",
        ));
    }
    rows.push(setting("HTTP_TOKEN", "bearer token that clients must send, with `--http`"));
    rows.push(setting(
        "HTTP_HOSTS",
        "`Host` names that are served with `--http`, besides loopback",
    ));
    rows.push(setting(
        "HTTP_ORIGINS",
        "`Origin` values that are served with `--http`, besides loopback",
    ));
    rows
}

/// `README.md`
pub fn readme(
    plan: &Plan,
    binary: &str,
    prefix: &str,
    base: Option<&str>,
    schemes: &[SchemeView<'_>],
) -> Readme {
    let mut tools: Vec<ReadmeTool> = plan
        .tools
        .iter()
        .map(|tool| ReadmeTool {
            name: tool.name.clone(),
            title: markdown(&tool.title),
            hints: match (tool.annotations.read_only, tool.annotations.destructive, tool.posture) {
                (true, _, Posture::Primary) => " (reads)",
                (true, _, Posture::Secondary) => " (reads, secondary)",
                (false, true, Posture::Primary) => " (writes, may destroy)",
                (false, true, Posture::Secondary) => " (writes, may destroy, secondary)",
                (false, false, Posture::Primary) => " (writes)",
                (false, false, Posture::Secondary) => " (writes, secondary)",
            },
            calls: tool.actions.iter().map(|a| code(&a.operation)).collect::<Vec<_>>().join(", "),
        })
        .collect();
    if let Some(catalog) = &plan.catalog {
        let mut row = |tool: &crate::plan::CatalogTool, hints, calls: &str| {
            tools.push(ReadmeTool {
                name: tool.name.clone(),
                title: markdown(&tool.title),
                hints,
                calls: calls.to_owned(),
            });
        };
        row(&catalog.find, " (reads)", "searches all operations");
        row(&catalog.read, " (reads)", "any operation that reads");
        if let Some(write) = &catalog.write {
            row(write, " (writes, may destroy)", "any operation that writes");
        }
    }
    let toolsets = plan.toolsets();
    let rows = variables(prefix, base, schemes, &toolsets);
    let api = format!("{} {}", plan.api_title, plan.api_version);
    Readme {
        title: markdown(&plan.title),
        api: markdown(&api),
        tools,
        toolsets: toolsets.iter().map(|name| toolset(plan, name)).collect(),
        secrets: rows.iter().filter(|r| r.2).map(|r| r.0.clone()).collect(),
        variables: rows.into_iter().map(|(name, text, _)| (name, text)).collect(),
        server: plan.server.clone(),
        binary: binary.to_owned(),
    }
}

/// Name of a toolset and what it holds.
fn toolset(plan: &Plan, name: &str) -> (String, String) {
    let is_in = |sets: &[String]| sets.iter().any(|s| s == name);
    let tools = plan.tools.iter().filter(|t| is_in(&t.toolsets));
    let mut all: Vec<String> = tools.map(|t| code(&t.name)).collect();
    let entries = plan.catalog.iter().flat_map(|c| &c.entries);
    match entries.filter(|e| is_in(&e.toolsets)).count() {
        0 => {}
        1 => all.push("1 operation of the catalog".to_owned()),
        n => all.push(format!("{n} operations of the catalog")),
    }
    (code(name), all.join(", "))
}

/// `.env.example`: names alone.
pub fn env_example(prefix: &str, schemes: &[SchemeView<'_>], toolsets: &[&str]) -> String {
    let names = variables(prefix, None, schemes, toolsets);
    names
        .iter()
        .fold("# @generated by mcp-gen: the settings of this server.\n".to_owned(), |out, row| {
            out + "#" + &row.0 + "=\n"
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn k2_the_example_of_an_environment_holds_names_alone() {
        let text = env_example("MUSEUM", &[], &[]);
        assert!(text.contains("#MUSEUM_BASE_URL=\n"), "{text}");
        assert!(text.lines().all(|line| line.starts_with("# ") || line.ends_with('=')), "{text}");
    }

    #[test]
    fn text_of_a_document_does_nothing_in_markdown() {
        assert_eq!(
            markdown("a ![x](http://e)\n# <b> | `c`"),
            "a \\!\\[x\\](http://e) \\# &lt;b&gt; \\| \\`c\\`"
        );
        assert_eq!(code("a`b|c"), "`a'b\\|c`");
    }
}
