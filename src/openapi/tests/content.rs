//! Operations and what belongs to them.

use super::api_of;
use crate::ir::{Operation, Requirement, SchemeKind};

fn names(operation: &Operation) -> Vec<String> {
    let show = |p: &crate::ir::Parameter| {
        let style = format!("{:?}{}", p.style, if p.explode { "*" } else { "" });
        let required = if p.required { "!" } else { "" };
        format!("{:?} {}{required} {style}", p.location, p.name)
    };
    operation.parameters.iter().map(show).collect()
}

/// The parameters of the one operation of `GET {path}`, and the findings.
fn check(version: &str, path: &str, item: &str, expected: &[&str], found: &[&str]) {
    let indented = item.replace('\n', "\n    ");
    let text =
        format!("{version}\ninfo: {{title: A, version: '1'}}\npaths:\n  {path}:\n    {indented}");
    let (api, findings) = api_of(&text);
    assert_eq!(names(&api.operations[0]), expected, "{text}");
    let codes: Vec<_> = findings.iter().map(|f| f.split(' ').next().unwrap_or("")).collect();
    let codes: Vec<_> = codes.into_iter().filter(|c| *c != "missing-operation-id").collect();
    assert_eq!(codes, found, "{text}");
}

const V31: &str = "openapi: 3.1.0";
const V2: &str = "swagger: '2.0'";

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
        "get:\n  parameters:\n    - {name: authorization, in: header}\n    - {name: x, in: body}\n    - {in: query}\n    - {name: Accept, in: query, style: matrix}",
        &["Query Accept Form*"],
        &["reserved-header", "unusable-parameter", "unusable-parameter", "unknown-style"],
    );
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
        "swagger: '2.0'\ninfo: {title: A, version: '1'}\nhost: h.example\nbasePath: /v1/\nschemes: [http, https]\nconsumes: [application/json]\nproduces: [application/json]\nsecurityDefinitions: {b: {type: basic}}\npaths:\n  /a:\n    post:\n      operationId: a\n      parameters: [{name: pet, in: body, required: true, schema: {$ref: '#/definitions/Pet'}}]\n      responses: {200: {description: ok, schema: {type: array, items: {$ref: '#/definitions/Pet'}}}}\n  /f:\n    post:\n      operationId: f\n      parameters:\n        - {name: file, in: formData, type: file, required: true, description: the file}\n        - {name: tags, in: formData, type: array, items: {type: string}, collectionFormat: multi}\ndefinitions:\n  Pet: {type: object, properties: {name: {type: string, x-nullable: true}}}\n",
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

#[test]
fn names_of_headers_are_the_same_in_any_case() {
    check(
        V31,
        "/a",
        "parameters: [{name: X-Request-ID, in: header}]\nget:\n  parameters: [{name: x-request-id, in: header, required: true}, {name: q, in: query}, {name: Q, in: query}]",
        &["Header x-request-id! Simple", "Query q Form*", "Query Q Form*"],
        &[],
    );
    check(
        V31,
        "/a",
        "get:\n  parameters: [{name: X-A, in: header}, {name: x-a, in: header}]",
        &["Header x-a Simple"],
        &["duplicate-parameter"],
    );
}

#[test]
fn a_query_in_a_path_is_sent_and_odd_braces_are_said() {
    let path = "\"/a/{id}/{id}/{}?x=1&y&z={w}&v={u}#n\"";
    let (api, findings) = api_of(&format!(
        "openapi: 3.1.0\ninfo: {{title: A, version: '1'}}\npaths:\n  {path}:\n    get:\n      operationId: a\n      parameters: [{{name: id, in: path, required: true}}, {{name: y, in: query}}, {{name: w, in: path, required: true, explode: true}}]"
    ));
    assert_eq!(
        names(&api.operations[0]),
        ["Path id! Simple", "Query y Form*", "Query x! Form*", "Query z! Form*", "Query v! Form*"]
    );
    let x = &api.operations[0].parameters[2];
    let values = api.schema(x.schema).values.as_deref().unwrap_or_default();
    assert_eq!(values.iter().map(|v| v.as_str()).collect::<Vec<_>>(), [Some("1")]);
    let odd = findings.iter().filter(|f| f.starts_with("odd-path ")).count();
    assert_eq!(odd, 3, "twice, without a name, a query: {findings:?}");
    assert!(findings.iter().any(|f| f.starts_with("undeclared-path-parameter")), "{findings:?}");
}

#[test]
fn query_strings_stand_alone_and_have_content() {
    check(
        "openapi: 3.2.0",
        "/a",
        "get:\n  parameters: [{name: w, in: querystring, content: {application/json: {}}}, {name: q, in: query}]",
        &["Query q Form*"],
        &["unusable-parameter"],
    );
    check(
        "openapi: 3.2.0",
        "/a",
        "get:\n  parameters: [{name: w, in: querystring, schema: {type: object}}, {name: v, in: querystring, content: {text/plain: {}}}]",
        &["QueryString w Form*"],
        &["misplaced-schema", "unusable-parameter"],
    );
}

#[test]
fn methods_with_a_field_of_their_own_do_not_stand_under_additional_operations() {
    let (api, findings) = api_of(
        "openapi: 3.2.0\ninfo: {title: A, version: '1'}\npaths:\n  /a:\n    additionalOperations: {POST: {operationId: wrong}, get: {operationId: b}, LINK: {operationId: c}}\n    post: {operationId: right}",
    );
    let found: Vec<_> = api
        .operations
        .iter()
        .map(|o| format!("{} {}", o.key, o.id.as_deref().unwrap_or_default()))
        .collect();
    assert_eq!(found, ["POST /a right", "GET /a b", "LINK /a c"]);
    let codes: Vec<_> = findings.iter().map(|f| f.split(' ').next().unwrap_or("")).collect();
    assert_eq!(codes, ["odd-path", "shadowed-operation", "odd-path"], "{findings:?}");
}

#[test]
fn a_requirement_may_name_its_scheme_by_a_uri() {
    let (api, findings) = api_of(
        "openapi: 3.2.0\ninfo: {title: A, version: '1'}\nsecurity: [{'#/components/securitySchemes/o': [x]}, {'#/components/securitySchemes/p': []}, {'#/nowhere': []}]\ncomponents: {securitySchemes: {o: {type: http, scheme: bearer}, p: {$ref: '#/components/securitySchemes/o'}}}\npaths: {/a: {get: {operationId: a}}}",
    );
    let security = &api.operations[0].security;
    let names: Vec<Vec<&str>> =
        security.iter().map(|r| r.schemes.keys().map(String::as_str).collect()).collect();
    assert_eq!(names, [["o"], ["p"]]);
    assert_eq!(security[0].schemes["o"], ["x"]);
    assert!(
        matches!(&*findings, [one] if one.starts_with("undeclared-security-scheme")),
        "{findings:?}"
    );
}

#[test]
fn a_reference_must_be_text_and_what_stands_beside_it_is_said() {
    let (_, findings) = api_of(
        "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths:\n  /y: {$ref: 5}\n  /a:\n    post:\n      operationId: a\n      parameters: [{$ref: 5}, {$ref: '#/components/parameters/P', required: true, description: fine}]\n      requestBody: {$ref: 6}\n      responses: {'200': {$ref: 7}}\n    put:\n      operationId: b\n      requestBody: {$ref: '#/components/requestBodies/B', required: true, x-a: 1}\ncomponents:\n  parameters: {P: {name: p, in: query, schema: {$ref: [a]}}}\n  requestBodies: {B: {content: {text/plain: {schema: {type: object, properties: {$ref: {type: string}}}}}}}",
    );
    let found: Vec<_> = findings
        .iter()
        .filter_map(|f| f.rsplit_once(' ').map(|(what, _)| what.replace("/paths/~1a/", "")))
        .collect();
    assert_eq!(
        found,
        [
            "dangling-reference /paths/~1y/$ref",
            "dangling-reference post/parameters/0/$ref",
            "ignored-ref-sibling post/parameters/1/required",
            "dangling-reference post/requestBody/$ref",
            "dangling-reference post/responses/200/$ref",
            "ignored-ref-sibling put/requestBody/required",
            "dangling-reference /components/parameters/P/schema/$ref",
        ]
    );
}

#[test]
fn servers_that_requests_cannot_reach_are_said() {
    let findings = |version: &str, servers: &str| {
        let (api, findings) = api_of(&format!(
            "{version}\ninfo: {{title: A, version: '1'}}\n{servers}\npaths: {{/a: {{get: {{operationId: a, responses: {{}}}}}}}}"
        ));
        let codes: Vec<_> =
            findings.iter().map(|f| f.split(' ').next().unwrap_or("").to_owned()).collect();
        let first = crate::ir::first_base_url(&api.servers).map(|base| base.text().to_owned());
        (codes, first.unwrap_or_default())
    };
    let none = || (Vec::new(), "https://a".to_owned());
    let one = |code: &str, url: &str| (vec![code.to_owned()], url.to_owned());
    assert_eq!(findings(V31, "servers: [{url: 'HTTPS://a'}, {url: 'https://b'}]"), none());
    assert_eq!(findings(V31, "servers: [{url: 'ws://a'}]"), one("unusable-server", ""));
    assert_eq!(
        findings(V31, "servers: [{url: 'https://{t}.x'}, {url: 'https://a'}]"),
        one("unusable-server", "https://a")
    );
    assert_eq!(findings(V31, "servers: [{url: /v1}]"), one("relative-server", "/v1"));
    assert_eq!(
        findings(V2, "host: 'https://a.com/v1'\nbasePath: /v2"),
        one("unexpected-value", "https://a.com/v2")
    );
    assert_eq!(findings(V2, "host: a\nbasePath: v2"), one("unexpected-value", "https://a/v2"));
    assert_eq!(findings(V2, "basePath: /v2"), one("relative-server", "/v2"));
}

#[test]
fn what_the_specification_forbids_is_said_and_read_as_it_is_meant() {
    for (version, text, found) in [
        (
            V31,
            "paths: {/a: {get: {operationId: a, parameters: [{name: 'bad header', in: header}]}}}",
            &["unusable-parameter"][..],
        ),
        (
            V31,
            "paths: {/a: {get: {operationId: a, parameters: [{name: ':authority', in: header}, {name: 'a;b=c', in: cookie}]}}}",
            &["unusable-parameter", "unusable-parameter"],
        ),
        (
            V31,
            "paths: {/a: {get: {operationId: a, parameters: [{name: 'X-Fine_1', in: header}, {name: 'f[a]', in: cookie}]}}}",
            &[],
        ),
        (
            V31,
            "servers: [{url: 'https://{r}.x', variables: {r: {default: us, enum: [eu]}, s: {default: v}}}]\npaths: {/a: {get: {operationId: a}}}",
            &["odd-declaration", "odd-declaration"],
        ),
        (
            "openapi: 3.2.0",
            "tags: [{name: a, parent: b}, {name: b, parent: a}, {name: c, parent: c}, {name: d, parent: e}]\npaths: {/a: {get: {operationId: a}}}",
            &["odd-declaration"; 4],
        ),
        (
            V2,
            "host: x\nsecurityDefinitions: {o: {type: oauth2, flow: authorizationCode, scopes: {}}, p: {type: oauth2}, k: {type: apiKey, in: cookie, name: k}}\npaths: {/a: {get: {operationId: a, parameters: [{name: c, in: cookie, type: string}], responses: {}}}}",
            &["odd-declaration"; 4],
        ),
        (
            V31,
            "webhooks: {w: {post: {}}}\npaths: {/a: {get: {operationId: a}}}",
            &["webhooks-left-out"],
        ),
        (
            V31,
            "x-merge: &m {operationId: a}\npaths: {/a: {get: {<<: [*m, 7, text], summary: x}}, /b: {get: {<<: 5, operationId: b}}}",
            &["unexpected-value"; 3],
        ),
        (
            V31,
            "paths: {/a: {get: {operationId: a}}}\ncomponents: {schemas: {x-mcp: {type: string}, S: {properties: {x-mcp: {type: string}}}}}",
            &[],
        ),
    ] {
        let (_, findings) = api_of(&format!("{version}\ninfo: {{title: A, version: '1'}}\n{text}"));
        let codes: Vec<_> = findings.iter().map(|f| f.split(' ').next().unwrap_or("")).collect();
        assert_eq!(codes, found, "{text}: {findings:?}");
    }
}
