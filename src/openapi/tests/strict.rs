//! What the specification forbids, and what it says of names, queries, methods and servers.

use super::api_of;
use super::content::{V2, V31, check, names};

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
    // U5: the finding names the setting that is needed.
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
            "host: x\nsecurity: []\nsecurityDefinitions: {o: {type: oauth2, flow: authorizationCode, scopes: {}}, p: {type: oauth2}, k: {type: apiKey, in: cookie, name: k}}\npaths: {/a: {get: {operationId: a, parameters: [{name: c, in: cookie, type: string}], responses: {}}}}",
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

#[test]
fn headers_that_the_http_client_owns_are_left_out_with_a_word() {
    for name in [
        "Accept-Encoding",
        "CONNECTION",
        "Content-Length",
        "content-encoding",
        "Cookie2",
        "Expect",
        "Host",
        "Keep-Alive",
        "Proxy-Connection",
        "TE",
        "Trailer",
        "Transfer-Encoding",
        "Upgrade",
        "Accept",
        "Content-Type",
    ] {
        let (api, findings) = api_of(&format!(
            "{V31}\ninfo: {{title: A, version: '1'}}\npaths: {{/a: {{get: {{operationId: a, parameters: [{{name: {name}, in: header, required: true, schema: {{type: string}}}}, {{name: {name}, in: query, schema: {{type: string}}}}]}}}}}}"
        ));
        let parameters = &api.operations[0].parameters;
        assert_eq!(parameters.len(), 1, "{name}: {parameters:?}");
        assert_eq!(parameters[0].location, crate::ir::Location::Query, "{name}");
        assert!(findings.len() == 1 && findings[0].starts_with("reserved-header"), "{findings:?}");
    }
}
