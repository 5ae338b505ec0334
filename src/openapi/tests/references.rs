//! References: where they lead, and where they must not.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostics;
use crate::ir::{Api, Schema};
use crate::openapi::{Beside, Fetched, Limits, Options, Remote, Unfetched, read_with};
use crate::source::{Source, Sources, Url};

/// A network with these documents; it notes what is asked for.
#[derive(Debug, Default)]
pub(super) struct Network {
    pub documents: BTreeMap<String, String>,
    pub asked: RefCell<Vec<String>>,
}

impl Remote for Network {
    fn fetch(&self, url: &Url) -> Result<Fetched, Unfetched> {
        self.asked.borrow_mut().push(url.to_string());
        match self.documents.get(&url.to_string()) {
            Some(text) if text.starts_with("-> ") => {
                self.fetch(&Url::parse(&text[3..]).expect("a URL"))
            }
            Some(text) => Ok(Fetched { url: url.clone(), bytes: text.clone().into_bytes() }),
            None => Err(Unfetched::Refused("nobody answers there".to_owned())),
        }
    }
}

/// What was read.
pub(super) struct Read {
    pub api: Api,
    /// `id: message`
    pub said: Vec<String>,
    /// Names of the documents.
    pub names: Vec<String>,
}

impl Read {
    /// The schema of the first parameter with this name.
    pub(super) fn parameter(&self, name: &str) -> &Schema {
        let all = self.api.operations.iter().flat_map(|o| &o.parameters);
        let found = all.into_iter().find(|p| p.name == name);
        self.api.schema(found.unwrap_or_else(|| panic!("no parameter `{name}`")).schema)
    }

    /// The types of the parameters, as one word each: `a=string b=any`.
    pub(super) fn types(&self) -> String {
        let parameters = self.api.operations.iter().flat_map(|o| &o.parameters);
        let of =
            |p: &crate::ir::Parameter| format!("{}={}", p.name, types(self.api.schema(p.schema)));
        parameters.map(of).collect::<Vec<_>>().join(" ")
    }
}

fn types(schema: &Schema) -> String {
    let t = &schema.types;
    let all = [
        (t.null, "null"),
        (t.boolean, "boolean"),
        (t.integer, "integer"),
        (t.number, "number"),
        (t.string, "string"),
        (t.array, "array"),
        (t.object, "object"),
    ];
    let words: Vec<_> = all.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
    if words.is_empty() { "any".to_owned() } else { words.join("|") }
}

/// Reads the text `root` as `name`, with other files and a network.
pub(super) fn read_as(name: &str, root: &str, files: &[(&str, &str)], beside: Beside<'_>) -> Read {
    let files: BTreeMap<&str, &str> = files.iter().copied().collect();
    let load = |path: &Path| {
        let name = path.to_string_lossy().into_owned();
        let found = files.get(name.as_str()).map(|text| text.as_bytes().to_vec());
        found.ok_or_else(|| std::io::Error::from(std::io::ErrorKind::NotFound))
    };
    let limits = Limits::default();
    let options = Options { beside, load: Some(&load), limits: &limits };
    let (mut diagnostics, mut sources) = (Diagnostics::default(), Sources::default());
    let root = Source { name: name.to_owned(), text: root.to_owned() };
    let api = read_with(&mut diagnostics, &mut sources, root, &options).expect("a document");
    let line = |d: &crate::diagnostic::Diagnostic| format!("{}: {}", d.code.id, d.message);
    Read {
        api,
        said: diagnostics.sorted().into_iter().map(line).collect(),
        names: sources.iter().map(|s| s.name.clone()).collect(),
    }
}

/// A document of version 3.1 that has a parameter for each of these schemas, and more below.
pub(super) fn document(parameters: &[(&str, &str)], more: &str) -> String {
    let mut text = "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths:\n  /a:\n    get:\n      operationId: a\n      parameters:\n".to_owned();
    for (name, schema) in parameters {
        text += &format!("        - {{name: {name}, in: query, schema: {schema}}}\n");
    }
    text + more
}

/// Reads `api/root.yaml` with these parameters.
pub(super) fn read(parameters: &[(&str, &str)], more: &str, files: &[(&str, &str)]) -> Read {
    read_as("api/root.yaml", &document(parameters, more), files, Beside::default())
}

/// What the parameters are, and what is said.
#[track_caller]
pub(super) fn check(parameters: &[(&str, &str)], more: &str, files: &[(&str, &str)], types: &str) {
    let found = read(parameters, more, files);
    assert!(found.said.is_empty(), "{:?}", found.said);
    assert_eq!(found.types(), types);
}

#[test]
fn files_refer_to_each_other_and_back() {
    let found = read_as(
        "api/root.yaml",
        "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths:\n  /a: {$ref: 'parts/a.json'}\ncomponents: {schemas: {Pet: {$ref: './parts/sub/pet%20one.yaml#/Pet'}}}\n",
        &[
            (
                "api/parts/a.json",
                r#"{"get": {"operationId": "a", "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "../root.yaml#/components/schemas/Pet"}}}}}}}"#,
            ),
            (
                "api/parts/sub/pet one.yaml",
                "Pet: {type: object, properties: {next: {$ref: '#/Pet'}, up: {$ref: '../../root.yaml#/components/schemas/Pet'}}}",
            ),
        ],
        Beside::default(),
    );
    assert!(found.said.is_empty(), "{:?}", found.said);
    let id = found.api.operations[0].responses[0].contents[0].schema.expect("a schema");
    let pet = found.api.schema(id);
    assert_eq!(pet.name.as_deref(), Some("Pet"));
    assert_eq!((pet.properties["next"], pet.properties["up"]), (id, id));
}

#[test]
fn files_elsewhere_and_hosts_are_not_read() {
    let found = read(
        &[
            ("a", "{$ref: '../secret.yaml'}"),
            ("b", "{$ref: '/etc/passwd'}"),
            ("c", "{$ref: 'http://127.0.0.1:8765/internal.json'}"),
            ("d", "{$ref: 'gone.yaml'}"),
            ("e", "{$ref: '%2e%2E%2Fsecret.yaml'}"),
            ("f", "{$ref: 'x/../../secret.yaml'}"),
            ("g", "{$ref: 'file:///etc/passwd'}"),
            ("h", "{$ref: '//example.com/a.yaml'}"),
        ],
        "",
        &[("secret.yaml", "type: string"), ("/etc/passwd", "type: string")],
    );
    assert_eq!(found.types(), "a=any b=any c=any d=any e=any f=any g=any h=any");
    let outside = "leads nowhere: the file lies outside the folder of the root document";
    let remote = "leads nowhere: it is remote, and nothing is fetched";
    assert_eq!(
        found.said,
        [
            format!("reference-outside-folder: `$ref` `../secret.yaml` {outside}"),
            format!("reference-outside-folder: `$ref` `/etc/passwd` {outside}"),
            format!("remote-reference: `$ref` `http://127.0.0.1:8765/internal.json` {remote}"),
            "dangling-reference: `$ref` `gone.yaml` leads nowhere: there is no such file"
                .to_owned(),
            format!("reference-outside-folder: `$ref` `%2e%2E%2Fsecret.yaml` {outside}"),
            format!("reference-outside-folder: `$ref` `x/../../secret.yaml` {outside}"),
            format!("remote-reference: `$ref` `file:///etc/passwd` {remote}"),
            format!("remote-reference: `$ref` `//example.com/a.yaml` {remote}"),
        ]
    );
}

/// Reads the file `root` of a folder on disk, with other folders allowed; findings with their help.
fn on_disk(root: &Path, folders: &[PathBuf]) -> (Api, Vec<String>, usize) {
    let (mut diagnostics, mut sources) = (Diagnostics::default(), Sources::default());
    let text = std::fs::read_to_string(root).expect("a file of the test");
    let source = Source { name: root.to_string_lossy().into_owned(), text };
    let beside = Beside { folders, ..Beside::default() };
    let api = crate::openapi::read(&mut diagnostics, &mut sources, source, &beside);
    let line = |d: &crate::diagnostic::Diagnostic| {
        format!("{}: {}", d.code.id, d.help.as_deref().unwrap_or("-"))
    };
    let said = diagnostics.sorted().into_iter().map(line).collect();
    (api.expect("a document"), said, sources.iter().count())
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder of the test");
    std::fs::write(path, text).expect("a file of the test");
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_of_the_folder_are_not_followed() {
    let temp = tempfile::tempdir().expect("a folder for the test");
    let folder = temp.path().canonicalize().expect("it is there");
    let link = |to: &str, from: &str| {
        std::os::unix::fs::symlink(folder.join(to), folder.join(from)).expect("a link");
    };
    write(&folder.join("secret/s.yaml"), "type: boolean");
    write(&folder.join("api/near.yaml"), "type: integer");
    link("secret/s.yaml", "api/far.yaml");
    link("secret", "api/folder");
    let root = folder.join("api/root.yaml");
    let text = document(
        &[
            ("a", "{$ref: far.yaml}"),
            ("b", "{$ref: near.yaml}"),
            ("c", "{$ref: ../api/./near.yaml}"),
            ("d", "{$ref: folder/s.yaml}"),
            ("e", "{$ref: folder/../near.yaml}"),
        ],
        "",
    );
    write(&root, &text);
    let types = |api: &Api| {
        let of = |p: &crate::ir::Parameter| types(api.schema(p.schema));
        api.operations[0].parameters.iter().map(of).collect::<Vec<_>>().join(" ")
    };
    let (api, said, count) = on_disk(&root, &[]);
    assert_eq!(types(&api), "any integer integer any integer");
    let help = format!(
        "reference-outside-folder: `--allow-refs {}` allows it, when that folder is meant to be read",
        folder.join("secret").display()
    );
    assert_eq!(said, [help.clone(), help]);
    assert_eq!(count, 2);
    let (api, said, _) = on_disk(&root, &[folder.join("secret")]);
    assert_eq!(types(&api), "boolean integer integer boolean integer");
    assert!(said.is_empty(), "{said:?}");
}

#[test]
fn a_folder_that_is_allowed_may_be_anywhere_and_called_anyhow() {
    let temp = tempfile::tempdir().expect("a folder for the test");
    let folder = temp.path();
    write(&folder.join("common/a.yaml"), "type: boolean");
    write(&folder.join("common2/b.yaml"), "type: integer");
    let root = folder.join("api/root.yaml");
    write(
        &root,
        &document(&[("a", "{$ref: ../common/a.yaml}"), ("b", "{$ref: ../common2/b.yaml}")], ""),
    );
    for name in ["common", "api/../common", "./common/"] {
        let (api, said, _) = on_disk(&root, &[folder.join(name)]);
        assert!(api.schema(api.operations[0].parameters[0].schema).types.boolean, "{name}");
        // A name that only begins like that of the folder is another folder.
        assert_eq!(said.len(), 1, "{name}: {said:?}");
        let wanted = format!("`--allow-refs {}`", folder.join("common2").display());
        assert!(said[0].starts_with(&format!("reference-outside-folder: {wanted}")), "{said:?}");
    }
}

#[test]
fn the_help_names_the_folder_as_one_would_type_it() {
    for (root, reference, folder) in [
        ("api/root.yaml", "../common/x.yaml", "common"),
        ("root.yaml", "../common/x.yaml", "../common"),
        ("api/v1/root.yaml", "../../x.yaml", "."),
        ("../api/root.yaml", "../x.yaml", ".."),
        ("api/root.yaml", "/nowhere/at/all.yaml", "/nowhere/at"),
    ] {
        let text = document(&[("a", &format!("{{$ref: '{reference}'}}"))], "");
        let (mut diagnostics, mut sources) = (Diagnostics::default(), Sources::default());
        let source = Source { name: root.to_owned(), text };
        let beside = Beside::default();
        crate::openapi::read(&mut diagnostics, &mut sources, source, &beside).expect("a document");
        let help = diagnostics.iter().find_map(|d| d.help.clone()).expect("help");
        assert!(
            help.starts_with(&format!("`--allow-refs {folder}` ")),
            "{root} {reference}: {help}"
        );
    }
}

#[test]
fn a_document_without_a_place_reads_no_file() {
    let text = document(&[("a", "{$ref: 'x.yaml'}"), ("b", "{$ref: '/etc/passwd'}")], "");
    let found = read_as("<stdin>", &text, &[("x.yaml", "type: string")], Beside::default());
    assert_eq!(found.types(), "a=any b=any");
    let reason = "the document has no folder that files could be in";
    assert_eq!(
        found.said,
        [
            format!("dangling-reference: `$ref` `x.yaml` leads nowhere: {reason}"),
            format!("dangling-reference: `$ref` `/etc/passwd` leads nowhere: {reason}"),
        ]
    );
}

#[test]
fn every_object_that_may_be_a_reference_is_read_behind_it() {
    let text = "openapi: 3.2.0
info: {title: A, version: '1'}
security: [{key: []}]
paths:
  /a/{id}: {$ref: 'all.yaml#/items/a'}
components:
  securitySchemes: {key: {$ref: 'all.yaml#/schemes/key'}}
";
    let all = "
items:
  a:
    parameters: [{$ref: '#/parameters/id'}]
    post:
      operationId: a
      requestBody: {$ref: '#/bodies/b'}
      callbacks: {c: {$ref: '#/callbacks/c'}}
      responses: {'200': {$ref: '#/responses/r'}, default: {$ref: 'error.json'}}
parameters:
  id: {name: id, in: path, required: true, schema: {type: integer}, examples: {e: {$ref: '#/examples/e'}}}
bodies: {b: {content: {application/json: {$ref: '#/media/m'}}}}
media: {m: {schema: {type: object, properties: {p: {type: string}}}, examples: {e: {$ref: 'sub/e.yaml#/e'}}}}
responses: {r: {description: fine, headers: {X-A: {$ref: '#/headers/h'}}, links: {l: {$ref: '#/links/l'}}, content: {application/json: {$ref: '#/media/m'}}}}
headers: {h: {schema: {type: string}}}
links: {l: {operationId: a}}
callbacks: {c: {}}
examples: {e: {value: 7}}
schemes: {key: {type: apiKey, in: header, name: X-Key}}
";
    let files = [
        ("api/all.yaml", all),
        ("api/sub/e.yaml", "e: {dataValue: {p: x}}"),
        ("api/error.json", r#"{"description": "bad", "content": {"application/json": {}}}"#),
    ];
    let found = read_as("api/root.yaml", text, &files, Beside::default());
    let codes: Vec<_> = found.said.iter().map(|s| s.split(':').next().unwrap_or("")).collect();
    assert_eq!(codes, ["callbacks-left-out", "field-without-effect"], "{:?}", found.said);
    let operation = &found.api.operations[0];
    assert_eq!(found.types(), "id=integer");
    let text =
        |node: &Option<crate::source::Node>| node.as_ref().map(crate::source::Node::to_json_text);
    assert_eq!(text(&operation.parameters[0].example).as_deref(), Some("7"));
    let body = operation.body.as_ref().expect("a body");
    assert!(found.api.schema(body.contents[0].schema.expect("a schema")).types.object);
    assert_eq!(text(&body.contents[0].example).as_deref(), Some("{\"p\":\"x\"}"));
    assert_eq!(operation.responses.len(), 2);
    assert_eq!(operation.responses[0].headers, ["X-A"]);
    assert_eq!(operation.responses[0].contents[0].schema, body.contents[0].schema);
    assert_eq!(operation.responses[1].description.as_deref(), Some("bad"));
    assert!(found.api.schemes.contains_key("key") && operation.security.len() == 1);
}

#[test]
fn pointers_lead_anywhere_however_they_are_written() {
    check(
        &[
            ("a", "{$ref: '#/paths/~1a/get/parameters/5/schema'}"),
            ("b", "{$ref: '#/components/schemas/x~1y~0z'}"),
            ("c", "{$ref: '#/components/schemas/x%7E1y%7e0z'}"),
            ("d", "{$ref: '#/components/schemas/a%20b%25'}"),
            ("e", "{$ref: '#%2Fcomponents%2Fschemas%2Fplain'}"),
            ("f", "{type: boolean}"),
            ("g", "{$ref: '#/components/schemas/alias/properties/deep/prefixItems/1'}"),
            ("h", "{$ref: 'parts.json#/list/0'}"),
            ("i", "{$ref: '#/paths/~1a/get/parameters/05/schema'}"),
        ],
        "components:
  schemas:
    x/y~z: {type: integer}
    'a b%': {type: number}
    plain: {type: array}
    alias: {$ref: '#/components/schemas/target'}
    target: {properties: {deep: {$ref: 'parts.json#/deep'}}}
",
        &[(
            "api/parts.json",
            r##"{"deep": {"prefixItems": [{}, {"type": "string"}]}, "list": [{"$ref": "#/deep/prefixItems/1"}]}"##,
        )],
        "a=boolean b=integer c=integer d=number e=array f=boolean g=string h=string i=boolean",
    );
}

#[test]
fn all_of_joins_schemas_of_several_files() {
    let found = read(
        &[("a", "{$ref: 'dog.yaml'}")],
        "",
        &[
            (
                "api/dog.yaml",
                "allOf: [{$ref: 'base/pet.json#/Pet'}, {type: object, properties: {bark: {type: boolean}}}]",
            ),
            (
                "api/base/pet.json",
                r#"{"Pet": {"type": "object", "required": ["name"], "properties": {"name": {"$ref": "../name.yaml"}, "friend": {"$ref": "../dog.yaml"}}}}"#,
            ),
            ("api/name.yaml", "type: string\nmaxLength: 9"),
        ],
    );
    assert!(found.said.is_empty(), "{:?}", found.said);
    let dog = found.parameter("a");
    assert_eq!(dog.properties.keys().collect::<Vec<_>>(), ["name", "friend", "bark"]);
    assert_eq!(found.api.schema(dog.properties["name"]).max_length, Some(9));
    assert_eq!(dog.properties["friend"], found.api.operations[0].parameters[0].schema);
}

#[test]
fn a_reference_that_leads_nowhere_costs_only_what_uses_it() {
    let text = "openapi: 3.1.0
info: {title: A, version: '1'}
paths:
  /a:
    get:
      operationId: a
      parameters: [{$ref: 'gone.yaml'}, {name: p, in: query, schema: {type: string}}]
      responses: {'200': {$ref: '#/nowhere'}, '400': {description: bad, links: {l: {$ref: '#/links'}}}}
  /b: {$ref: 'broken.yaml'}
  /c: {get: {operationId: c, requestBody: {$ref: '#/paths/~1a/get/parameters/7'}}}
";
    let files = [("api/broken.yaml", "a: [")];
    let found = read_as("api/root.yaml", text, &files, Beside::default());
    let ids: Vec<_> = found.api.operations.iter().filter_map(|o| o.id.as_deref()).collect();
    assert_eq!((ids, found.types().as_str()), (vec!["a", "c"], "p=string"));
    let dangling = found.said.iter().filter(|s| s.starts_with("dangling-reference: ")).count();
    // One is of another kind: links have no effect.
    assert_eq!((dangling, found.said.len()), (5, 6), "{:?}", found.said);
}
