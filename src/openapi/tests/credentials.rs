//! K1: parameters that are credentials by their names, and those that only sound like one.

use std::fmt::Write as _;

use super::api_of;
use crate::ir::{Api, ApiKeyPlace, SchemeKind};

const START: &str = "openapi: 3.1.0\ninfo: {title: A, version: '1'}\n";
const KEY: &str = "{name: Api-Key, in: header, required: true, schema: {type: string}}";
const USER: &str = "{name: Api-Username, in: header, required: true, schema: {type: string}}";

/// A document of these operations, each `METHOD /path` with its parameters and more, and of `more`.
fn document(operations: &[(&str, &str, &str)], more: &str) -> String {
    let mut text = format!("{START}{more}\npaths:\n");
    for (index, (key, parameters, rest)) in operations.iter().enumerate() {
        let (method, path) = key.split_once(' ').expect("a method and a path");
        let _ = writeln!(
            text,
            "  {path}:\n    {method}: {{operationId: o{index}, parameters: [{parameters}], {rest}}}"
        );
    }
    text
}

/// What each operation asks for: `A+B | C`.
fn security(api: &Api) -> Vec<String> {
    let requirement = |r: &crate::ir::Requirement| {
        r.schemes.keys().map(String::as_str).collect::<Vec<_>>().join("+")
    };
    let of = |o: &crate::ir::Operation| {
        o.security.iter().map(requirement).collect::<Vec<_>>().join(" | ")
    };
    api.operations.iter().map(of).collect()
}

fn arguments(api: &Api) -> Vec<&str> {
    api.operations.iter().flat_map(|o| &o.parameters).map(|p| p.name.as_str()).collect()
}

fn ids(findings: &[String]) -> Vec<&str> {
    findings.iter().filter_map(|f| f.split(' ').next()).collect()
}

#[test]
fn k1_a_key_and_its_account_are_needed_in_every_alternative() {
    let both = format!("{KEY}, {USER}, {{name: q, in: query, schema: {{type: string}}}}");
    let (api, findings) = api_of(&document(
        &[
            ("get /a", &both, ""),
            ("get /b", &both, "security: [{o: []}, {h: []}, {}]"),
            ("get /c", "", ""),
        ],
        "components: {securitySchemes: {o: {type: oauth2, flows: {}}, h: {type: apiKey, in: header, name: X-H}}}",
    ));
    assert_eq!(
        security(&api),
        [
            "Api-Key+Api-Username",
            "o+Api-Key+Api-Username | h+Api-Key+Api-Username | Api-Key+Api-Username",
            ""
        ]
    );
    assert_eq!(arguments(&api), ["q", "q"]);
    let kind = SchemeKind::ApiKey { place: ApiKeyPlace::Header, name: "Api-Key".to_owned() };
    assert_eq!(api.schemes["Api-Key"].kind, kind);
    assert_eq!(
        findings,
        [
            "undeclared-credential /paths/~1a/get/parameters/0 6:41",
            "undeclared-credential /paths/~1a/get/parameters/1 6:110"
        ]
    );
}

#[test]
fn k1_an_optional_key_is_used_where_it_is_set() {
    let key = "{name: x_api_key, in: query}";
    let (api, _) = api_of(&document(
        &[("get /a", key, ""), ("get /b", key, "security: [{h: []}]")],
        "components: {securitySchemes: {h: {type: http, scheme: basic}}}",
    ));
    assert_eq!(security(&api), ["x_api_key | ", "h+x_api_key | h"]);
    assert!(arguments(&api).is_empty());
}

#[test]
fn k1_well_known_names_in_any_spelling_are_credentials() {
    let optional = |place: &str, name: &str| format!("{{name: '{name}', in: {place}}}");
    for (place, name) in [
        ("header", "X-API-Key"),
        ("header", "x_api_key"),
        ("header", "apikey"),
        ("header", "X-Goog-Api-Key"),
        ("header", "Ocp-Apim-Subscription-Key"),
        ("header", "X-Auth-Token"),
        ("header", "X-Auth-Key"),
        ("header", "Access-Token"),
        ("header", "API_TOKEN"),
        ("header", "Client-Secret"),
        ("header", "X-Admin-Password"),
        ("header", "Authorization"),
        ("header", "x-authorization"),
        ("query", "api_key"),
        ("query", "apiKey"),
        ("query", "subscription-key"),
        ("query", "access_token"),
        ("cookie", "access_token"),
        ("header", "X-Session-Token"),
        ("header", "x_session_id"),
        ("header", "Cookie"),
        ("header", "X-CSRF-Token"),
        ("header", "X-XSRF-TOKEN"),
        ("header", "X-Access-Token"),
        ("header", "X-Shopify-Access-Token"),
        ("header", "X-Amz-Security-Token"),
        ("header", "PRIVATE-TOKEN"),
        ("header", "Authentication"),
        ("cookie", "session"),
        ("cookie", "session_id"),
        ("cookie", "JSESSIONID"),
        ("cookie", "PHPSESSID"),
        ("cookie", "connect.sid"),
        ("cookie", "cargo_session"),
        ("cookie", "frigate_token"),
    ] {
        let parameter = optional(place, name);
        let (api, findings) =
            api_of(&document(&[("get /a", &parameter, ""), ("get /b", &parameter, "")], ""));
        assert_eq!(ids(&findings), ["undeclared-credential"], "{place} {name}");
        assert!(arguments(&api).is_empty(), "{place} {name}");
        assert!(api.schemes.contains_key(name), "{place} {name}");
    }
}

#[test]
fn names_that_only_sound_like_a_credential_stay_arguments() {
    for parameter in [
        "{name: token, in: query}",
        "{name: page_token, in: query}",
        "{name: key, in: query}",
        "{name: key_id, in: query}",
        "{name: api_key_ids, in: query}",
        "{name: client_secret, in: query}",
        "{name: 'filter[api_key]', in: query}",
        "{name: 'api[key]', in: query}",
        "{name: session, in: query}",
        "{name: username, in: query}",
        "{name: session_id, in: query}",
        "{name: sid, in: query}",
        "{name: csrf_token, in: query}",
        "{name: theme, in: cookie}",
        "{name: inside, in: cookie}",
        "{name: X-Page-Token, in: header}",
        "{name: X-Session-Name, in: header}",
        "{name: X-Vendor-Session-Id, in: header}",
        "{name: X-Api-Version, in: header}",
        "{name: Api-Username, in: header}",
        "{name: X-Email-Verification-Key, in: header}",
        "{name: X-Api-Key, in: header, schema: {type: integer}}",
        "{name: X-Api-Key, in: header, schema: {enum: [a, b]}}",
        "{name: X-Api-Key, in: header, content: {application/json: {}}}",
    ] {
        let two = [("get /a", parameter, ""), ("get /b", parameter, "")];
        let (api, findings) = api_of(&document(&two, ""));
        assert_eq!((arguments(&api).len(), &*findings), (2, &[][..]), "{parameter}");
        assert!(api.schemes.is_empty(), "{parameter}");
    }
}

#[test]
fn a_path_parameter_and_a_field_of_a_body_are_never_credentials() {
    let body = "requestBody: {content: {application/json: {schema: {type: object, properties: {api_key: {type: string}}}}}}";
    let path = "{name: api_key, in: path, required: true, schema: {type: string}}";
    let (api, findings) =
        api_of(&document(&[("post /a", "", body), ("get '/keys/{api_key}'", path, "")], ""));
    assert_eq!((arguments(&api), findings.is_empty()), (vec!["api_key"], true));
}

#[test]
fn what_one_call_is_about_stays_an_argument() {
    let header = "{name: X-Auth-Token, in: header}";
    let token = "{name: access_token, in: query}";
    let key = "{name: api_key, in: query}";
    for (operation, parameter, argument) in [
        ("post /login", header, true),
        ("delete /v1/auth-sessions", header, true),
        ("post /verify_token", header, true),
        ("get /pets", header, false),
        ("get /debug", token, true),
        ("get /lookup", key, true),
    ] {
        let (api, findings) = api_of(&document(
            &[(operation, parameter, ""), ("get /b", "", ""), ("get /c", "", "")],
            "",
        ));
        let found = (arguments(&api).len() == 1, findings.is_empty());
        assert_eq!(found, (argument, argument), "{operation} {parameter}");
    }
}

#[test]
fn a_person_may_say_that_it_is_an_argument() {
    let said = "{name: Api-Key, in: header, x-mcp: {argument: true}}";
    let named = "{$ref: '#/components/parameters/K', x-mcp: {argument: true, name: theirs}}";
    let (api, findings) = api_of(&document(
        &[("get /a", &format!("{said}, {USER}"), ""), ("get /b", named, ""), ("get /c", KEY, "")],
        "components: {parameters: {K: {name: api_key, in: query}}}",
    ));
    assert_eq!(arguments(&api), ["Api-Key", "Api-Username", "api_key"]);
    assert_eq!(
        (ids(&findings), security(&api).concat()),
        (vec!["undeclared-credential"], "Api-Key".into())
    );
}

#[test]
fn a_scheme_that_sends_the_same_is_taken_and_one_that_is_named_covers_it() {
    let authorization = "{name: authorization, in: header, required: true}";
    let schemes = "components: {securitySchemes: {Api-Key: {type: http, scheme: bearer}, k: {type: apiKey, in: header, name: api-key}}}";
    let (api, findings) = api_of(&document(
        &[
            ("get /a", authorization, ""),
            ("get /b", authorization, "security: [{Api-Key: []}]"),
            ("get /c", KEY, ""),
            ("get /d", KEY, "security: [{k: []}]"),
        ],
        schemes,
    ));
    assert_eq!(security(&api), ["Api-Key", "Api-Key", "k", "k"]);
    // What repeats a scheme is left out by the planner.
    assert_eq!((arguments(&api), api.schemes.len()), (vec!["Api-Key"], 2));
    // Where the document says nothing of security, all that is sent there is meant.
    assert_eq!(ids(&findings), ["reserved-header", "reserved-header", "undeclared-credential"]);
    let other = "components: {securitySchemes: {Api-Key: {type: http, scheme: basic}}}";
    let (api, _) = api_of(&document(&[("get /a", KEY, ""), ("get /b", KEY, "")], other));
    assert_eq!(security(&api), ["Api-Key-2", "Api-Key-2"]);
}

#[test]
fn headers_are_one_in_any_case_and_many_optional_ones_end() {
    let lower = "{name: api-key, in: header}";
    let (api, findings) = api_of(&document(&[("get /a", KEY, ""), ("get /b", lower, "")], ""));
    assert_eq!((security(&api), findings.len()), (vec!["Api-Key".into(), "Api-Key | ".into()], 1));
    let many: Vec<_> = (0..40).map(|n| format!("{{name: X-{n}-Api-Key, in: header}}")).collect();
    let (api, findings) = api_of(&document(&[("get /a", &many.join(", "), "")], ""));
    assert_eq!((findings.len(), arguments(&api).len()), (8, 32));
    assert!(api.operations[0].security.len() < 80);
}

#[test]
fn k1_the_header_of_all_cookies_is_a_setting_or_nothing() {
    let cookie = "{name: Cookie, in: header, schema: {type: string}}";
    let said = "{name: cookie, in: header, x-mcp: {argument: true}}";
    // One operation has it, and is about a session.
    let (api, findings) =
        api_of(&document(&[("get /whoami/session", cookie, ""), ("get /b", "", "")], ""));
    assert_eq!(
        (security(&api), arguments(&api)),
        (vec!["Cookie | ".into(), String::new()], vec![])
    );
    assert_eq!(ids(&findings), ["undeclared-credential"]);
    let (api, findings) = api_of(&document(&[("get /a", said, "")], ""));
    assert_eq!((arguments(&api).len(), ids(&findings)), (0, vec!["reserved-header"]));
    // A cookie that a scheme declares goes there.
    let schemes = "components: {securitySchemes: {c: {type: apiKey, in: cookie, name: sid}}}";
    let (api, _) = api_of(&document(
        &[("get /a", cookie, "security: [{c: []}]"), ("get /b", cookie, "")],
        schemes,
    ));
    assert_eq!((security(&api), api.schemes.len()), (vec!["c".into(), "c | ".into()], 1));
    assert!(arguments(&api).is_empty());
}

#[test]
fn a1_schemes_of_a_document_that_never_says_security_are_sent_where_they_are_set() {
    let schemes = |list: &str| format!("components: {{securitySchemes: {{{list}}}}}");
    let bearer = "b: {type: http, scheme: bearer}";
    let basic = "u: {type: http, scheme: basic}";
    let key = "k: {type: apiKey, in: header, name: X-K}";
    let flow = "o: {type: oauth2, flows: {deviceAuthorization: {scopes: {}}}}";
    for (list, expected) in [
        (vec![bearer], "b | "),
        (vec![flow], "o | "),
        (vec![bearer, key], "b+k | b | k | "),
        // No request has two values in `Authorization`.
        (vec![bearer, basic, key], "b+k | u+k | b | u | k | "),
        (vec![bearer, basic, key, flow], "b | u | k | o | "),
    ] {
        let more = schemes(&list.join(", "));
        let (api, findings) = api_of(&document(&[("get /a", "", ""), ("post /b", "", "")], &more));
        assert_eq!(security(&api), [expected, expected], "{more}");
        let known = |f: &String| f.starts_with("unstated-security /components/securitySchemes ");
        assert_eq!(findings.iter().filter(|f| known(f)).count(), 1, "{findings:?}");
    }
    let many: Vec<_> = (0..99).map(|n| format!("s{n}: {{type: http, scheme: bearer}}")).collect();
    let (api, _) = api_of(&document(&[("get /a", "", "")], &schemes(&many.join(", "))));
    assert_eq!(api.operations[0].security.len(), 17);
}

#[test]
fn a1_a_document_that_speaks_of_security_in_any_way_is_taken_at_its_word() {
    let scheme = "components: {securitySchemes: {b: {type: http, scheme: bearer}}}";
    let root = format!("security: []\n{scheme}");
    let header = "{name: Authorization, in: header}";
    for (more, parameters, rest, expected) in [
        (root.as_str(), "", "", ["", ""]),
        (scheme, "", "security: []", ["", ""]),
        (scheme, "", "security: [{b: []}]", ["b", ""]),
        (scheme, header, "", ["b", ""]),
        (scheme, KEY, "", ["Api-Key", ""]),
    ] {
        let (api, findings) =
            api_of(&document(&[("get /a", parameters, rest), ("get /b", "", "")], more));
        assert_eq!(security(&api), expected, "{more} {parameters} {rest}");
        assert!(!ids(&findings).contains(&"unstated-security"), "{findings:?}");
    }
}
