//! `src/hooks.rs` belongs to the person. It is written once; afterwards it is only looked at, for what
//! the generated code around it needs.

use syn::{FnArg, ImplItem, Item, ReturnType, TraitItem, Type};

use super::runtime::FILES;

/// Its place in a crate.
pub const PATH: &str = "src/hooks.rs";

/// What it is at first.
pub const TEMPLATE: &str = include_str!("../../templates/crate/hooks.rs");

/// What shows all that hooks can do; it is made anew each time.
pub const SHOWN_IN: &str = "src/runtime/hooks.rs";

/// A method of the runtime's trait.
struct Method {
    name: String,
    /// Whether it gives a future.
    is_async: bool,
    /// How many arguments it takes, `self` among them.
    arguments: usize,
}

/// What the generated code needs and `text`, a `src/hooks.rs`, does not have; each a sentence without
/// a full stop. Text that is no Rust, or that has its hooks from elsewhere, is for the compiler to judge.
pub fn lacks(text: &str) -> Vec<String> {
    let Ok(file) = syn::parse_file(text) else { return Vec::new() };
    let mut out = Vec::new();
    let is_there = file.items.iter().any(|item| match item {
        Item::Struct(own) => own.ident == "Hooks",
        Item::Enum(own) => own.ident == "Hooks",
        Item::Type(own) => own.ident == "Hooks",
        _ => false,
    });
    let may_be_elsewhere =
        file.items.iter().any(|item| matches!(item, Item::Use(_) | Item::Macro(_)));
    if !is_there {
        if !may_be_elsewhere {
            out.push(
                "it has no `pub struct Hooks`, which `src/main.rs` uses; add `pub struct Hooks {}`"
                    .to_owned(),
            );
        }
        return out;
    }
    let impls = || {
        file.items.iter().filter_map(|item| match item {
            Item::Impl(own) if is_hooks(&own.self_ty) => Some(own),
            _ => None,
        })
    };
    let has_new = impls().filter(|own| own.trait_.is_none()).any(|own| {
        own.items.iter().any(|item| matches!(item, ImplItem::Fn(own) if own.sig.ident == "new"))
    });
    if !has_new {
        let is_unit = |item: &Item| {
            matches!(item, Item::Struct(own) if own.ident == "Hooks" && own.fields.is_empty()
                && own.semi_token.is_some())
        };
        let value = if file.items.iter().any(is_unit) { "Self" } else { "Self {}" };
        out.push(format!(
            "it has no `Hooks::new`, which `src/main.rs` calls; add `impl Hooks {{ pub fn new() -> Result<Self, String> {{ Ok({value}) }} }}`"
        ));
    }
    let known = methods();
    let written = impls()
        .filter(|own| {
            let last = own.trait_.as_ref().and_then(|(path, _)| path.segments.last());
            last.is_some_and(|last| last.ident == "Hooks")
        })
        .flat_map(|own| &own.items);
    for item in written {
        let ImplItem::Fn(own) = item else { continue };
        let name = own.sig.ident.to_string();
        let Some(method) = known.iter().find(|method| method.name == name) else {
            let all: Vec<String> = known.iter().map(|m| format!("`{}`", m.name)).collect();
            out.push(format!(
                "`{name}` is no method of the runtime's `Hooks`, which has {}",
                all.join(", ")
            ));
            continue;
        };
        let is_async = own.sig.asyncness.is_some() || gives_future(&own.sig.output);
        if method.is_async && !is_async {
            out.push(format!("`{name}` is asynchronous; write `async fn {name}`"));
        }
        if method.arguments != own.sig.inputs.len() {
            let receiver =
                own.sig.inputs.iter().filter(|one| matches!(one, FnArg::Receiver(_))).count();
            let wanted = method.arguments.saturating_sub(1);
            let has = own.sig.inputs.len() - receiver;
            out.push(format!("`{name}` takes {wanted} arguments besides `&self`, not {has}"));
        }
    }
    out
}

fn is_hooks(kind: &Type) -> bool {
    matches!(kind, Type::Path(path) if path.path.segments.last().is_some_and(|s| s.ident == "Hooks"))
}

fn gives_future(output: &ReturnType) -> bool {
    match output {
        ReturnType::Default => false,
        ReturnType::Type(_, kind) => match &**kind {
            Type::ImplTrait(_) => true,
            Type::Path(path) => path
                .path
                .segments
                .last()
                .is_some_and(|last| ["BoxFuture", "Pin"].iter().any(|name| last.ident == name)),
            _ => false,
        },
    }
}

/// The methods of the runtime's trait, as the runtime has them.
fn methods() -> Vec<Method> {
    let text = FILES.iter().find(|(name, _)| *name == "hooks.rs").map_or("", |(_, text)| *text);
    let file = syn::parse_file(text).expect("the runtime is Rust");
    let own = file.items.into_iter().find_map(|item| match item {
        Item::Trait(own) if own.ident == "Hooks" => Some(own),
        _ => None,
    });
    let items = own.expect("the runtime has the trait").items;
    let methods = items.into_iter().filter_map(|item| match item {
        TraitItem::Fn(own) => Some(Method {
            name: own.sig.ident.to_string(),
            is_async: own.sig.asyncness.is_some() || gives_future(&own.sig.output),
            arguments: own.sig.inputs.len(),
        }),
        _ => None,
    });
    methods.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The template with its examples.
    fn uncommented() -> String {
        let line = |line: &str| match line.strip_prefix("    //") {
            Some(rest) if !rest.starts_with('/') => format!("   {rest}\n"),
            Some(_) | None => format!("{line}\n"),
        };
        TEMPLATE.lines().map(line).collect()
    }

    #[test]
    fn the_template_lacks_nothing_and_shows_each_method() {
        assert_eq!(lacks(TEMPLATE), Vec::<String>::new());
        let shown = uncommented();
        syn::parse_file(&shown).expect("the examples are Rust");
        assert_eq!(lacks(&shown), Vec::<String>::new());
        let names: Vec<String> = methods().into_iter().map(|m| m.name).collect();
        assert_eq!(names, ["request", "reply", "credential", "tools"]);
        for name in names {
            assert!(shown.contains(&format!("fn {name}(")), "{name} has an example");
        }
    }

    #[test]
    fn an_older_form_is_told_what_is_new() {
        let old = "use super::runtime;\npub struct Hooks;\nimpl runtime::Hooks for Hooks {\n\
                   fn request(&self, request: &mut runtime::Request) -> Result<(), String> { Ok(()) }\n\
                   async fn reply(&self, reply: &mut runtime::Reply) {}\n\
                   fn before(&self) {}\n}\n";
        assert_eq!(
            lacks(old),
            [
                "it has no `Hooks::new`, which `src/main.rs` calls; add `impl Hooks { pub fn new() -> Result<Self, String> { Ok(Self) } }`",
                "`request` is asynchronous; write `async fn request`",
                "`reply` takes 2 arguments besides `&self`, not 1",
                "`before` is no method of the runtime's `Hooks`, which has `request`, `reply`, `credential`, `tools`",
            ]
        );
        assert_eq!(lacks("fn main() {}").len(), 1);
    }

    #[test]
    fn what_cannot_be_judged_is_left_to_the_compiler() {
        for text in ["this is no Rust", "pub use elsewhere::Hooks;", "mod own;\npub use own::*;"] {
            assert_eq!(lacks(text), Vec::<String>::new(), "{text}");
        }
    }
}
