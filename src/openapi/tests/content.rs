//! Operations and what belongs to them.

use super::api_of;
use crate::ir::{Operation, Requirement, SchemeKind};

pub(super) fn names(operation: &Operation) -> Vec<String> {
    let show = |p: &crate::ir::Parameter| {
        let style = format!("{:?}{}", p.style, if p.explode { "*" } else { "" });
        let required = if p.required { "!" } else { "" };
        format!("{:?} {}{required} {style}", p.location, p.name)
    };
    operation.parameters.iter().map(show).collect()
}

/// The parameters of the one operation of `GET {path}`, and the findings.
pub(super) fn check(version: &str, path: &str, item: &str, expected: &[&str], found: &[&str]) {
    let indented = item.replace('\n', "\n    ");
    let text =
        format!("{version}\ninfo: {{title: A, version: '1'}}\npaths:\n  {path}:\n    {indented}");
    let (api, findings) = api_of(&text);
    assert_eq!(names(&api.operations[0]), expected, "{text}");
    let codes: Vec<_> = findings.iter().map(|f| f.split(' ').next().unwrap_or("")).collect();
    let codes: Vec<_> = codes.into_iter().filter(|c| *c != "missing-operation-id").collect();
    assert_eq!(codes, found, "{text}");
}

pub(super) const V31: &str = "openapi: 3.1.0";
pub(super) const V2: &str = "swagger: '2.0'";

/// S11.
#[test]
fn parameters_of_the_operation_win_over_those_of_the_path() {
    check(
        V31,
        "/a",
        "parameters:\n  - {name: x, in: query, required: true}\n  - {name: x, in: header}\nget:\n  parameters:\n    - {name: x, in: query}\n    - {name: y, in: cookie}",
        &["Query x Form*", "Header x Simple", "Cookie y Form*"],
        &[],
    );
    check(
        V31,
        "/a",
        "get:\n  parameters:\n    - {name: x, in: query}\n    - {name: x, in: query, explode: false}",
        &["Query x Form"],
        &["duplicate-parameter"],
    );
}

#[test]
fn path_parameters_and_the_template_are_joined() {
    check(
        V31,
        "/a/{id}/{b}",
        "get:\n  parameters:\n    - {name: id, in: path}\n    - {name: c, in: path, required: true}",
        &["Path id! Simple", "Path b! Simple"],
        &["undeclared-path-parameter", "optional-path-parameter", "path-parameter-not-in-path"],
    );
}

#[test]
fn reserved_headers_and_parameters_without_a_place_are_left_out() {
    check(
        V31,
        "/a",
        "get:\n  parameters:\n    - {name: ACCEPT, in: header}\n    - {name: x, in: body}\n    - {in: query}\n    - {name: Accept, in: query, style: matrix}",
        &["Query Accept Form*"],
        &["reserved-header", "unusable-parameter", "unusable-parameter", "unknown-style"],
    );
}

/// S10: what a part is that has no type depends on the version.
#[test]
fn a_part_without_a_type_is_a_file_in_3_1_and_anything_in_3_0() {
    let body = |version: &str, encoding: &str| {
        let text = format!(
            "{version}\ninfo: {{title: A, version: '1'}}\npaths:\n  /a:\n    post:\n      requestBody:\n        content:\n          application/json: {{schema: {{$ref: '#/components/schemas/B'}}}}\n          multipart/form-data:\n            schema: {{$ref: '#/components/schemas/B'}}\n{encoding}components: {{schemas: {{B: {{type: object, properties: {{f: {{description: Any.}}, n: {{type: integer}}}}}}}}}}\n"
        );
        let (api, _) = api_of(&text);
        let contents = &api.operations[0].body.as_ref().unwrap().contents;
        let formats = contents.iter().map(|content| {
            let whole = api.schema(content.schema.unwrap());
            api.schema(whole.properties["f"]).format.clone().unwrap_or_default()
        });
        formats.collect::<Vec<_>>()
    };
    assert_eq!(body(V31, ""), ["", "binary"]);
    assert_eq!(body("openapi: 3.0.3", ""), ["", ""]);
    let json = "            encoding: {f: {contentType: application/json}}\n";
    assert_eq!(body(V31, json), ["", ""]);
}

/// S3: the header is no parameter, yet the credential that it stands for is asked for.
#[test]
fn a_declared_authorization_asks_for_the_schemes_that_are_sent_there() {
    let asked = |operation: &str, root: &str| {
        let text = format!(
            "{V31}\ninfo: {{title: A, version: '1'}}\n{root}paths:\n  /a:\n    get:\n      parameters: [{{name: authorization, in: header, required: true}}]\n{operation}components:\n  securitySchemes:\n    token: {{type: apiKey, in: header, name: Authorization}}\n    jwt: {{type: http, scheme: bearer}}\n    other: {{type: apiKey, in: query, name: k}}\n"
        );
        let (api, _) = api_of(&text);
        let names = |r: &Requirement| r.schemes.keys().cloned().collect::<Vec<_>>().join("+");
        api.operations[0].security.iter().map(names).collect::<Vec<_>>()
    };
    assert_eq!(asked("", ""), ["token", "jwt"]);
    // A header that has to be there is asked for beside what `security` says.
    assert_eq!(asked("      security: []\n", ""), ["token"]);
    assert_eq!(asked("      security: [{other: []}]\n", ""), ["other+token"]);
    assert_eq!(asked("", "security: [{other: []}]\n"), ["other+token"]);
}

#[test]
fn swagger_collection_formats_are_styles() {
    check(
        V2,
        "/a",
        "get:\n  parameters:\n    - {name: a, in: query, type: array}\n    - {name: b, in: query, type: array, collectionFormat: multi}\n    - {name: c, in: query, type: array, collectionFormat: tsv}\n    - {name: d, in: header, type: array, collectionFormat: pipes}",
        &["Query a Form", "Query b Form*", "Query c TabDelimited", "Header d PipeDelimited"],
        &[],
    );
}

#[test]
fn a_path_item_by_reference_has_its_operations() {
    let (api, findings) = api_of(
        "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths:\n  /b/{id}: {$ref: '#/components/pathItems/B'}\n  /h: {get: {operationId: h}}\ncomponents:\n  pathItems:\n    B:\n      parameters: [{name: id, in: path, required: true, schema: {type: string}}]\n      get: {operationId: g}\n      delete: {operationId: d}\n",
    );
    let ids: Vec<_> = api.operations.iter().filter_map(|o| o.id.as_deref()).collect();
    assert_eq!(ids, ["g", "d", "h"]);
    assert_eq!(names(&api.operations[1]), ["Path id! Simple"]);
    assert_eq!(api.operations[0].pointer.as_str(), "/paths/~1b~1{id}/get");
    assert!(findings.is_empty(), "{findings:?}");
}

#[test]
fn bodies_and_responses_hold_all_that_is_said_of_them() {
    let (api, findings) = api_of(
        "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths:\n  /a:\n    post:\n      operationId: a\n      parameters:\n        - {$ref: '#/components/parameters/P', description: mine, x-mcp: {name: better}}\n        - {name: q, in: query, content: {application/json: {schema: {type: object}, example: {a: 1}}}}\n      requestBody:\n        $ref: '#/components/requestBodies/B'\n      responses:\n        2xx: {$ref: '#/components/responses/R'}\n        DEFAULT: {description: other}\n        '404': {$ref: '#/nowhere'}\ncomponents:\n  parameters: {P: {name: p, in: query, description: theirs, deprecated: true, allowReserved: true, examples: {one: {$ref: '#/components/examples/E'}}}}\n  examples: {E: {value: 7}}\n  requestBodies:\n    B:\n      description: what\n      content:\n        multipart/form-data:\n          schema: {type: object, properties: {f: {}}}\n          encoding: {f: {contentType: image/png, style: form, explode: false, allowReserved: true}}\n        text/csv: {}\n  responses: {R: {description: fine, headers: {X-A: {}}, content: {application/json: {examples: {e: {value: [1]}}}}}}\n",
    );
    let operation = &api.operations[0];
    let (p, q) = (&operation.parameters[0], &operation.parameters[1]);
    assert_eq!(p.description.as_deref(), Some("mine"));
    assert_eq!(p.hint_name.as_deref(), Some("better"));
    assert!(p.deprecated && p.allow_reserved);
    assert_eq!(p.example.as_ref().map(crate::source::Node::to_json_text).as_deref(), Some("7"));
    assert_eq!(q.media_type.as_deref(), Some("application/json"));
    assert!(q.example.is_some() && api.schema(q.schema).types.object);
    let body = operation.body.as_ref().expect("a body");
    let media: Vec<_> = body.contents.iter().map(|c| c.media_type.as_str()).collect();
    assert_eq!((media, body.required), (vec!["multipart/form-data", "text/csv"], false));
    let f = &body.contents[0].encoding["f"];
    assert_eq!(
        (f.content_type.as_deref(), f.explode, f.allow_reserved),
        (Some("image/png"), Some(false), true)
    );
    let statuses: Vec<_> = operation.responses.iter().map(|r| r.status.as_str()).collect();
    assert_eq!(statuses, ["2XX", "default", "404"]);
    assert_eq!(operation.responses[0].headers, ["X-A"]);
    assert!(operation.responses[0].contents[0].example.is_some());
    assert_eq!(findings.len(), 1, "{findings:?}");
}

#[test]
fn other_methods_of_version_3_2_are_operations() {
    let (api, _) = api_of(
        "openapi: 3.2.0\ninfo: {title: A, version: '1'}\npaths:\n  /a:\n    query: {}\n    additionalOperations: {LINK: {}, 'no good': {}}\n",
    );
    let keys: Vec<_> = api.operations.iter().map(|o| o.key.to_string()).collect();
    assert_eq!(keys, ["QUERY /a", "LINK /a"]);
}

#[test]
fn keys_and_words_without_quotes_and_merged_responses_are_what_they_look_like() {
    let (api, findings) = api_of(
        "openapi: 3.0.3\ninfo: {title: A, version: 2026-01-27}\nx-errors: &errors\n  '404': {description: missing}\n  429: {description: slow down}\npaths:\n  /jobs:\n    get:\n      operationId: jobs\n      parameters:\n        - {name: c, in: query, schema: {type: string, enum: [DE, NO, on, y, 2026-01-27]}}\n      responses:\n        <<: *errors\n        200: {description: ok}\n",
    );
    assert!(findings.is_empty(), "{findings:?}");
    assert_eq!(api.version, "2026-01-27");
    let values = api.schema(api.operations[0].parameters[0].schema).values.clone();
    let texts: Vec<_> = values.iter().flatten().filter_map(|v| v.as_str()).collect();
    assert_eq!(texts, ["DE", "NO", "on", "y", "2026-01-27"]);
    let responses: Vec<_> = api.operations[0].responses.iter().map(|r| r.status.as_str()).collect();
    assert_eq!(responses, ["404", "429", "200"]);
}

fn secured(security: &str) -> (Vec<Requirement>, Vec<String>) {
    let text = format!(
        "openapi: 3.1.0\ninfo: {{title: A, version: '1'}}\nsecurity: [{{k: []}}]\npaths:\n  /a:\n    get: {{operationId: a{security}}}\ncomponents:\n  securitySchemes:\n    k: {{type: apiKey, in: header, name: X}}\n    m: {{type: mutualTLS}}\n    b: {{type: http, scheme: Bearer}}\n    d: {{type: http, scheme: digest}}\n    o:\n      type: oauth2\n      flows: {{clientCredentials: {{tokenUrl: /t, scopes: {{r: read}}}}}}\n"
    );
    let (api, findings) = api_of(&text);
    assert_eq!(api.schemes["m"].kind, SchemeKind::MutualTls);
    assert_eq!(api.schemes["b"].kind, SchemeKind::Bearer);
    assert_eq!(api.schemes["d"].kind, SchemeKind::OtherHttp { scheme: "digest".to_owned() });
    let o = SchemeKind::OAuth2 {
        client_credentials: Some("/t".to_owned()),
        scopes: vec!["r".to_owned()],
    };
    assert_eq!(api.schemes["o"].kind, o);
    (api.operations[0].security.clone(), findings)
}

/// A1.
#[test]
fn security_is_inherited_unless_the_operation_says_otherwise() {
    let k = |n: usize| vec![n; 1];
    let count = |s: &str| secured(s).0.iter().map(|r| r.schemes.len()).collect::<Vec<_>>();
    assert_eq!(count(""), k(1));
    assert_eq!(count(", security: []"), Vec::<usize>::new());
    assert_eq!(count(", security: [{}]"), k(0));
    assert_eq!(count(", security: [{k: [], o: [r]}, {}]"), [2, 0]);
    let (left, findings) = secured(", security: [{gone: []}, {k: []}]");
    assert_eq!(left.len(), 1);
    assert!(
        findings[0].starts_with("undeclared-security-scheme /paths/~1a/get/security/0/gone"),
        "{findings:?}"
    );
}

#[test]
fn servers_and_words_come_from_the_nearest_place() {
    let (api, _) = api_of(
        "openapi: 3.0.0\ninfo: {title: A, version: 1.0}\nservers: [{url: 'https://r/{v}', variables: {v: {default: 2, enum: [1, 2]}}}]\npaths:\n  /a:\n    summary: path\n    servers: [{url: /p}]\n    get: {servers: [{url: /o}]}\n    put: {summary: own}\n  /b: {get: {}}\n",
    );
    let urls: Vec<Vec<_>> =
        api.operations.iter().map(|o| o.servers.iter().map(|s| s.url.as_str()).collect()).collect();
    assert_eq!(urls, [vec!["/o"], vec!["/p"], vec![]]);
    assert_eq!(api.servers[0].variables["v"].default, "2");
    assert_eq!(api.version, "1.0");
    assert_eq!(api.operations[0].summary.as_deref(), Some("path"));
    assert_eq!(api.operations[1].summary.as_deref(), Some("own"));
}

#[test]
fn hints_come_from_operations_paths_and_tags() {
    let (api, findings) = api_of(
        "openapi: 3.1.0\ninfo: {title: A, version: '1'}\ntags: [{name: t, x-mcp: {group: g}}]\npaths:\n  /a:\n    x-mcp: {skip: true, posture: loud, colour: red}\n    get: {operationId: a, tags: [t, u, t], x-mcp: {name: n}}\n",
    );
    let hints = &api.operations[0].hints;
    assert!(hints.skip && hints.name.as_deref() == Some("n") && hints.posture.is_none());
    assert_eq!(api.tags[0].hints.group.as_deref(), Some("g"));
    assert_eq!(api.tags.iter().map(|t| t.name.as_str()).collect::<Vec<_>>(), ["t", "u"]);
    assert_eq!(
        findings,
        ["unknown-hint /paths/~1a/x-mcp/posture 6:25", "unknown-hint /paths/~1a/x-mcp/colour 6:40"]
    );
}

#[test]
fn swagger_bodies_forms_and_servers_become_those_of_version_3() {
    let (api, findings) = api_of(
        "swagger: '2.0'\ninfo: {title: A, version: '1'}\nhost: h.example\nbasePath: /v1/\nschemes: [http, https]\nconsumes: [application/json]\nproduces: [application/json]\nsecurity: []\nsecurityDefinitions: {b: {type: basic}}\npaths:\n  /a:\n    post:\n      operationId: a\n      parameters: [{name: pet, in: body, required: true, schema: {$ref: '#/definitions/Pet'}}]\n      responses: {200: {description: ok, schema: {type: array, items: {$ref: '#/definitions/Pet'}}}}\n  /f:\n    post:\n      operationId: f\n      parameters:\n        - {name: file, in: formData, type: file, required: true, description: the file}\n        - {name: tags, in: formData, type: array, items: {type: string}, collectionFormat: multi}\ndefinitions:\n  Pet: {type: object, properties: {name: {type: string, x-nullable: true}}}\n",
    );
    assert!(findings.is_empty(), "{findings:?}");
    let urls: Vec<_> = api.servers.iter().map(|s| s.url.as_str()).collect();
    assert_eq!(urls, ["https://h.example/v1", "http://h.example/v1"]);
    let body = api.operations[0].body.as_ref().expect("a body");
    let pet = api.schema(body.contents[0].schema.expect("a schema"));
    assert!(body.required && pet.name.as_deref() == Some("Pet"));
    assert!(api.schema(pet.properties["name"]).types.null);
    assert_eq!(api.operations[0].responses[0].contents[0].media_type, "application/json");
    let form = &api.operations[1].body.as_ref().expect("a form").contents[0];
    assert_eq!(form.media_type, "multipart/form-data");
    let schema = api.schema(form.schema.expect("a schema"));
    let file = api.schema(schema.properties["file"]);
    assert_eq!(file.description.as_deref(), Some("the file"));
    assert_eq!(file.format.as_deref(), Some("binary"));
    assert_eq!(form.encoding["tags"].explode, Some(true));
}

#[test]
fn webhooks_callbacks_and_missing_ids_are_noted() {
    let (api, findings) = api_of(
        "openapi: 3.1.0\ninfo: {title: A, version: '1'}\nwebhooks: {w: {post: {}}}\npaths:\n  /a:\n    get: {operationId: x, callbacks: {c: {}}}\n    put: {operationId: x}\n    post: {}\n",
    );
    assert_eq!(api.operations.len(), 3);
    let codes: Vec<_> = findings.iter().map(|f| f.split(' ').next().unwrap_or("")).collect();
    assert_eq!(
        codes,
        [
            "webhooks-left-out",
            "missing-operation-id",
            "callbacks-left-out",
            "duplicate-operation-id"
        ]
    );
}

#[test]
fn fields_of_version_3_2_are_used_or_noted() {
    let (api, findings) = api_of(
        "openapi: 3.2.0
$self: https://example.com/shop
info: {title: Shop, summary: Sells, version: '1', colour: red}
servers: [{url: 'https://a.example', name: main, variables: {}}]
tags:
  - {name: beta, kind: badge}
  - {name: items, summary: Things, parent: shop, kind: nav}
  - {name: shop}
components:
  securitySchemes:
    o:
      type: oauth2
      oauth2MetadataUrl: https://a.example/meta
      deprecated: true
      flows:
        deviceAuthorization: {deviceAuthorizationUrl: 'https://a.example/d', tokenUrl: 'https://a.example/t', scopes: {read: r}}
  schemas:
    A: {type: object, properties: {kind: {type: string}, a: {type: string}}}
    B: {type: object, properties: {kind: {type: string}, b: {type: string}}}
  mediaTypes:
    lines: {itemSchema: {type: integer}}
paths:
  /items:
    query:
      operationId: ask
      tags: [beta, items]
      security: [{o: [read]}]
      requestBody:
        content:
          application/jsonl: {itemSchema: {type: object, properties: {n: {type: integer}}}}
          multipart/mixed: {itemSchema: {}, prefixEncoding: [{}], itemEncoding: {}}
          multipart/form-data:
            schema: {type: object, properties: {f: {type: string}}}
            encoding: {f: {headers: {}, encoding: {}}}
      responses: {'200': {summary: Found, links: {}}}
    additionalOperations:
      COPY:
        operationId: copy
        parameters: [{name: c, in: cookie, style: cookie, examples: {e: {serializedValue: a}}}]
        requestBody:
          content:
            application/json:
              schema:
                oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}]
                discriminator: {propertyName: kind, defaultMapping: A}
        responses: {}
",
    );
    let codes: Vec<_> = findings
        .iter()
        .filter_map(|finding| {
            let mut words = finding.split(' ');
            let (code, pointer) = (words.next()?, words.next()?);
            Some(format!("{code} {}", pointer.rsplit('/').next()?))
        })
        .collect();
    assert_eq!(
        codes,
        [
            "unknown-field colour",
            "field-without-effect oauth2MetadataUrl",
            "field-without-effect prefixEncoding",
            "field-without-effect itemEncoding",
            "field-without-effect headers",
            "field-without-effect encoding",
            "field-without-effect links",
            "field-without-effect serializedValue",
            "field-without-effect defaultMapping",
        ],
        "{findings:#?}"
    );
    let [ask, copy] = &*api.operations else { panic!("two operations: {:?}", api.operations) };
    assert_eq!(
        (ask.key.to_string().as_str(), copy.key.to_string().as_str()),
        ("QUERY /items", "COPY /items")
    );
    assert_eq!(ask.tags, ["items", "beta"], "a badge is no heading");
    let items = api.tags.iter().find(|t| t.name == "items");
    assert_eq!(items.and_then(|t| t.parent.as_deref()), Some("shop"));
    assert_eq!(ask.responses[0].description.as_deref(), Some("Found"));
    let lines = ask.body.as_ref().expect("a body").contents[0].schema.expect("a schema");
    let list = api.schema(lines);
    assert!(list.types.array && list.items.is_some_and(|i| api.schema(i).types.object));
    let SchemeKind::OAuth2 { client_credentials, scopes } = &api.schemes["o"].kind else {
        panic!("OAuth 2: {:?}", api.schemes)
    };
    assert_eq!((client_credentials, &**scopes), (&None, &["read".to_owned()][..]));
}

#[test]
fn a_dialect_that_is_not_known_is_said() {
    for (dialect, found) in [
        ("https://json-schema.org/draft/2020-12/schema", 0),
        ("https://spec.openapis.org/oas/3.1/dialect/base", 0),
        ("http://json-schema.org/draft-07/schema#", 1),
    ] {
        let (_, findings) = api_of(&format!(
            "openapi: 3.1.0\ninfo: {{title: A, version: '1'}}\njsonSchemaDialect: {dialect}\npaths: {{/a: {{get: {{operationId: a}}}}}}"
        ));
        let expected = vec!["field-without-effect /jsonSchemaDialect 3:1".to_owned(); found];
        assert_eq!(findings, expected, "{dialect}");
    }
}
