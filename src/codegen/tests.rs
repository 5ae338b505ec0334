//! Rule G1: whatever a document says, the crate has the same tokens.

use indexmap::IndexMap;
use proc_macro2::{TokenStream, TokenTree};

use super::*;
use crate::bind::bind;
use crate::ir::{
    Api, ApiKeyPlace, Body, Content, Encoding, Hints, Location, Method, Operation, OperationKey,
    Parameter, Requirement, Schema, SchemaId, SchemeKind, SecurityScheme, Server, Style,
};
use crate::plan::{
    Action, Annotations, Argument, Catalog, CatalogTool, Entry, Place, Plan, Posture, Tool,
};
use crate::source::{At, Pointer};

const HOSTILE: &[&str] = &[
    "\"#; std::process::exit(42); r#\"",
    "*/ fn x(){} /*",
    "a\ncompile_error!(\"x\");",
    "```\npanic!()\n```",
    "    panic!()",
    "{}{0}{x:?}",
    "${x}",
    "\u{202e}abc",
    "a\u{0}0",
    "a\rb",
    "a\u{2028}b",
    "\"\"\"",
    "]] > ",
    "\"\nbuild = \"evil.rs\"",
    "../../x",
    "CON",
    "fn",
    "self",
    "_",
    "operations",
    "\u{1f600}",
    "",
    "<script>|`[x](y)",
];

fn parameter(name: &str, location: Location, style: Style) -> Parameter {
    Parameter {
        name: name.to_owned(),
        location,
        required: true,
        deprecated: false,
        description: Some(name.to_owned()),
        schema: SchemaId(0),
        style,
        explode: false,
        allow_reserved: false,
        allow_empty: false,
        media_type: Some(name.to_owned()),
        example: None,
        hint_name: None,
        argument: false,
        at: At::default(),
        pointer: Pointer::default(),
    }
}

/// An API in which every text is `text`.
fn api(text: &str) -> Api {
    let owned = || text.to_owned();
    let property = Schema { description: Some(owned()), ..Schema::default() };
    let body = Schema {
        name: Some(owned()),
        title: Some(owned()),
        description: Some(owned()),
        properties: IndexMap::from([(owned(), SchemaId(0))]),
        ..Schema::default()
    };
    let scheme = SecurityScheme {
        description: Some(owned()),
        kind: SchemeKind::ApiKey { place: ApiKeyPlace::Query, name: format!("k{text}") },
    };
    let operation = Operation {
        // What is a parameter and what is not is no matter of this test, nor are fragments.
        key: OperationKey {
            method: Method::Post,
            path: format!("/x{}/{{p}}", text.replace(['{', '}', '?', '#'], "")),
        },
        id: Some(owned()),
        summary: Some(owned()),
        description: Some(owned()),
        tags: vec![owned()],
        deprecated: false,
        parameters: vec![
            parameter("p", Location::Path, Style::Simple),
            parameter(text, Location::Query, Style::Form),
        ],
        body: Some(Body {
            required: true,
            description: Some(owned()),
            contents: vec![Content {
                media_type: format!("application/json; x={text}"),
                schema: Some(SchemaId(1)),
                encoding: IndexMap::from([(owned(), Encoding::default())]),
                example: None,
            }],
        }),
        responses: Vec::new(),
        security: vec![Requirement { schemes: IndexMap::from([(owned(), vec![owned()])]) }],
        servers: vec![Server { url: owned(), ..Server::default() }],
        hints: Hints::default(),
        at: At::default(),
        pointer: Pointer::default(),
    };
    Api {
        title: owned(),
        version: owned(),
        description: Some(owned()),
        servers: vec![Server { url: owned(), ..Server::default() }],
        operations: vec![operation],
        schemas: vec![property, body],
        schemes: IndexMap::from([(owned(), scheme)]),
        ..Api::default()
    }
}

/// A plan for it, in which every text that is no name is `text`.
fn plan(api: &Api, text: &str) -> Plan {
    let owned = || text.to_owned();
    let operation = &api.operations[0];
    let arguments = |action: &str| {
        let to = |place| IndexMap::from([(action.to_owned(), place)]);
        let argument = |name: &str, place| Argument {
            name: name.to_owned(),
            schema: serde_json::json!({"type": "string", "description": text}),
            to: to(place),
            why: Some(owned()),
        };
        vec![
            argument("p", Place::Path("p".to_owned())),
            argument("q", Place::Query(owned())),
            argument("b", Place::Body(vec![owned()])),
        ]
    };
    let media_type = operation.body.as_ref().map(|b| b.contents[0].media_type.clone());
    let tool =
        |name: &str| CatalogTool { name: name.to_owned(), title: owned(), description: owned() };
    Plan {
        connection: crate::plan::Connection::default(),
        sizes: crate::plan::Sizes::default(),
        api_title: owned(),
        api_version: owned(),
        server: "hostile".to_owned(),
        title: owned(),
        instructions: owned(),
        tools: vec![Tool {
            name: "make_x".to_owned(),
            title: owned(),
            posture: Posture::Primary,
            description: owned(),
            annotations: Annotations {
                read_only: false,
                destructive: true,
                idempotent: false,
                open_world: true,
            },
            actions: vec![Action {
                name: "make".to_owned(),
                operation: operation.key.to_string(),
                summary: owned(),
                media_type: media_type.clone(),
                required: vec!["p".to_owned()],
            }],
            selector: None,
            arguments: arguments("make"),
            toolsets: vec!["some".to_owned()],
            output: None,
            why: vec![owned()],
        }],
        catalog: Some(Catalog {
            find: tool("find_it"),
            read: tool("read_it"),
            write: Some(tool("write_it")),
            entries: vec![Entry {
                name: "x_make".to_owned(),
                operation: operation.key.to_string(),
                summary: owned(),
                effect: Effect::Write,
                tool: None,
                media_type,
                arguments: arguments("call"),
                required: vec!["p".to_owned()],
                keywords: vec![owned()],
                toolsets: vec!["others".to_owned()],
                why: Some(owned()),
            }],
        }),
        excluded: Vec::new(),
    }
}

fn crate_of(text: &str, options: Options) -> CrateFiles {
    let api = api(text);
    let plan = plan(&api, text);
    let mut diagnostics = Diagnostics::default();
    let bound = bind(&mut diagnostics, &plan, &api);
    let found: Vec<_> = diagnostics.iter().collect();
    assert!(found.is_empty(), "{text:?}: {found:?}");
    generate(&bound, &options)
}

/// The tokens, with literals and names of constants masked, and without commas at the end, which
/// are a matter of how long a line is.
fn shape(stream: TokenStream, out: &mut String) {
    let mut tokens = stream.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ',' && tokens.peek().is_none() => {}
            TokenTree::Group(group) => {
                let _ = write!(out, "{:?}<", group.delimiter());
                shape(group.stream(), out);
                out.push('>');
            }
            TokenTree::Literal(_) => out.push('L'),
            TokenTree::Punct(punct) => out.push(punct.as_char()),
            TokenTree::Ident(ident) => {
                let name = ident.to_string();
                let constant = !name.contains(|c: char| c.is_lowercase());
                let word = if constant { "C" } else { &name };
                let _ = write!(out, " {word} ");
            }
        }
    }
}

fn shapes(files: &CrateFiles) -> BTreeMap<&str, String> {
    let rust = files.generated.iter().chain(&files.kept).filter(|(path, _)| {
        let path = std::path::Path::new(path);
        path.extension().is_some_and(|e| e == "rs") && !path.starts_with("src/runtime")
    });
    rust.map(|(path, text)| {
        syn::parse_file(text).unwrap_or_else(|e| panic!("{path}: {e}\n{text}"));
        let mut out = String::new();
        shape(text.parse().expect("it was parsed"), &mut out);
        // A server that cannot be used is none, whatever its words are.
        (path.as_str(), out.replace("base_url : None ", "base_url : Some Parenthesis<L>"))
    })
    .collect()
}

#[test]
fn no_text_of_a_document_changes_the_tokens_of_the_crate() {
    let benign = crate_of("text", Options::default());
    let expected = shapes(&benign);
    assert!(expected.len() >= 6, "{:?}", expected.keys());
    for text in HOSTILE {
        let hostile = crate_of(text, Options::default());
        for (path, shape) in shapes(&hostile) {
            assert_eq!(expected.get(path), Some(&shape), "{path} with {text:?}");
        }
        assert_eq!(
            hostile.generated.keys().collect::<Vec<_>>(),
            benign.generated.keys().collect::<Vec<_>>(),
            "{text:?}: the same files, none elsewhere"
        );
        assert_eq!(hostile.generated["Cargo.toml"], benign.generated["Cargo.toml"], "{text:?}");
        for file in ["tools.json", "schemas.json", "catalog.json"] {
            let text = &hostile.generated[file];
            assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{file}: {text}");
        }
        for (path, text) in hostile.generated.iter().filter(|(p, _)| p.starts_with("src/")) {
            assert!(!text.contains(['\u{202e}', '\u{2028}', '\u{0}', '\r']), "{path}");
        }
    }
}

#[test]
fn a_tool_may_have_the_name_of_a_keyword_a_device_or_our_own_modules() {
    let api = api("text");
    for (name, module) in [
        ("operations", "operations_2"),
        ("catalog", "catalog_2"),
        ("mod", "mod_"),
        ("con", "con_"),
        ("self", "self_"),
    ] {
        let mut plan = plan(&api, "text");
        name.clone_into(&mut plan.tools[0].name);
        let files = generate(&bind(&mut Diagnostics::default(), &plan, &api), &Options::default());
        let path = format!("src/operations/{module}.rs");
        assert!(files.generated.contains_key(&path), "{:?}", files.generated.keys());
        shapes(&files);
    }
}

/// G3.
#[test]
fn the_same_plan_gives_the_same_bytes() {
    let again = crate_of("text", Options { standalone: false });
    assert_eq!(crate_of("text", Options { standalone: false }), again);
}
