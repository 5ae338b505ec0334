//! Which types of the runtime's tables a piece of source names.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The types of `templates/runtime/table.rs`.
const TYPES: &[&str] = &[
    "Action",
    "Body",
    "BodyKind",
    "Call",
    "Catalog",
    "Encoding",
    "Input",
    "Location",
    "Need",
    "Operation",
    "Parameter",
    "Piece",
    "Scheme",
    "SchemeKind",
    "Service",
    "Style",
    "Target",
    "Tool",
];

/// The types that `source` names: before `{` or `::`, and not behind `::`, where a variant stands.
pub fn of(source: &str) -> Vec<&'static str> {
    let stream: TokenStream = source.parse().expect("literals and tables are tokens");
    let mut found = BTreeSet::new();
    walk(stream, &mut found);
    found.into_iter().collect()
}

fn walk(stream: TokenStream, found: &mut BTreeSet<&'static str>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let is_colon =
        |i: usize| matches!(tokens.get(i), Some(TokenTree::Punct(p)) if p.as_char() == ':');
    for (i, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(ident) => {
                let behind_path = i >= 2 && is_colon(i - 1) && is_colon(i - 2);
                let braced = matches!(tokens.get(i + 1), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Brace);
                let path = is_colon(i + 1) && is_colon(i + 2);
                if (braced || path) && !behind_path {
                    let name = ident.to_string();
                    found.extend(TYPES.iter().find(|t| **t == name));
                }
            }
            TokenTree::Group(group) => walk(group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_or_a_text_is_no_use() {
        let source = "&[Input { target: Target::Parameter(0), x: \"Operation { Style::X }\" }]";
        assert_eq!(of(source), ["Input", "Target"]);
    }
}
