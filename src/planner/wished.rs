//! Words and hints that the configuration gives tools, and its limits.

use super::describe::DESCRIPTION;
use super::orders::say;
use super::text::{sentence, some};
use crate::config::{AnnotationsWish, Config, ToolWish};
use crate::diagnostic::{Diagnostics, planning_config as codes};
use crate::ir::prose::{clean, cut};
use crate::plan::{Annotations, Plan, Tool};
use crate::source::Pointer;

/// When to take another tool, as a sentence.
pub(super) fn when_not(wish: &ToolWish) -> Option<String> {
    let text = clean(wish.when_not.as_deref()?);
    (!text.is_empty()).then(|| sentence(&format!("Do not use this when {text}")))
}

/// Gives `tool` the words and hints of the wish for it, which stands under `key`.
pub(super) fn grant(
    diagnostics: &mut Diagnostics,
    config: &Config,
    key: &str,
    wish: &ToolWish,
    tool: &mut Tool,
) {
    let pointer = Pointer::default().child("tools").child(key);
    if let Some(own) = &wish.description {
        let mut text = own.trim().to_owned();
        if let Some(more) = when_not(wish) {
            text = format!("{text} {more}");
        }
        if text.chars().count() > DESCRIPTION {
            let line = pointer.child("description");
            let message = format!("a description has at most {DESCRIPTION} characters; it is cut");
            say(diagnostics, config, &codes::WISH_REFUSED, &line, message)
                .help("say what the tool does, when to use it, and when not");
            text = cut(&text, DESCRIPTION);
        }
        if text.is_empty() {
            let line = pointer.child("description");
            let message = "a description cannot be empty".to_owned();
            say(diagnostics, config, &codes::WISH_REFUSED, &line, message)
                .help("remove the line, and one is made");
        } else {
            tool.description = text;
        }
    }
    annotations(diagnostics, config, &pointer.child("annotations"), wish.annotations, tool);
}

fn annotations(
    diagnostics: &mut Diagnostics,
    config: &Config,
    pointer: &Pointer,
    wish: AnnotationsWish,
    tool: &mut Tool,
) {
    let AnnotationsWish { read_only, destructive, idempotent, open_world } = wish;
    let Annotations { read_only: reads, .. } = tool.annotations;
    match read_only {
        Some(true) if !reads => {
            let keys: Vec<&str> = tool.actions.iter().map(|a| a.operation.as_str()).collect();
            let message = format!("`{}` is not read-only: it calls {}", tool.name, some(&keys, 3));
            let line = pointer.child("read-only");
            say(diagnostics, config, &codes::HINT_CONTRADICTS_METHOD, &line, message)
                .help("where an operation only reads, say `effect: read` under `operations`");
        }
        Some(value) => tool.annotations.read_only = value,
        None => {}
    }
    let deletes: Vec<&str> = tool
        .actions
        .iter()
        .map(|a| a.operation.as_str())
        .filter(|key| key.starts_with("DELETE "))
        .collect();
    let read_only = tool.annotations.read_only;
    let mut idle = |key: &str| {
        let message = format!("`{key}` says nothing of `{}`, which is read-only", tool.name);
        say(diagnostics, config, &codes::WISH_WITHOUT_EFFECT, &pointer.child(key), message)
            .help("remove the line");
    };
    match destructive {
        Some(true) if read_only => idle("destructive"),
        Some(false) if !deletes.is_empty() => {
            let message = format!("`{}` destroys: it calls {}", tool.name, some(&deletes, 3));
            let line = pointer.child("destructive");
            say(diagnostics, config, &codes::HINT_CONTRADICTS_METHOD, &line, message)
                .help("put DELETE into a tool of its own, or remove the line");
        }
        Some(value) => tool.annotations.destructive = value,
        None => {}
    }
    match idempotent {
        Some(false) if read_only => {
            let message =
                format!("`idempotent` says nothing of `{}`, which is read-only", tool.name);
            let line = pointer.child("idempotent");
            say(diagnostics, config, &codes::WISH_WITHOUT_EFFECT, &line, message)
                .help("remove the line");
        }
        Some(value) => tool.annotations.idempotent = value,
        None => {}
    }
    if let Some(value) = open_world {
        tool.annotations.open_world = value;
    }
}

/// Reports tools beyond the limits of the configuration.
pub(super) fn check_limits(diagnostics: &mut Diagnostics, config: &Config, plan: &Plan) {
    for tool in &plan.tools {
        let counts = [
            ("max-actions", "actions", config.max_actions, tool.actions.len()),
            ("max-arguments", "arguments", config.max_arguments, tool.arguments.len()),
        ];
        for (key, what, limit, count) in counts {
            if let Some(limit) = limit.filter(|limit| count > *limit) {
                let message =
                    format!("`{}` has {count} {what}, {limit} allowed by `{key}`", tool.name);
                let line = Pointer::default().child(key);
                say(diagnostics, config, &codes::TOOL_OVER_LIMIT, &line, message).help(
                    "name fewer operations under `tools`, move some to the catalog, or raise the \
                     limit",
                );
            }
        }
    }
}
