//! A1 to A6 and K1: which credentials are sent, where to, and that they are never shown.

use crate::recorder::{Answer, Recorder, Seen, answer, ok, with_headers};
use crate::tables::{
    action, call, leak, need, operation, plain, query, secured, server, single, with_schemes,
};
use mcp_gen_runtime::runtime::table::{Need, Operation, Scheme, SchemeKind, Service};
use serde_json::json;

const CANARY: &str = "c4nary/Secret+42=";

fn scheme(env: &'static str, kind: SchemeKind) -> Scheme {
    Scheme { name: env, env, kind }
}

fn made(security: Vec<Vec<Need>>, schemes: Vec<Scheme>) -> Service {
    let secured = secured(operation("GET /a", vec![query("q")], None), security);
    with_schemes(single(plain("do", secured, &[]), &json!({})), schemes)
}

async fn sent(service: Service, variables: &[(&str, &str)]) -> Result<Seen, String> {
    let recorder = Recorder::start(vec![ok()]).await;
    let outcome = call(&server(service, &recorder.url, variables), json!({"q": "1"})).await;
    if outcome.is_error {
        assert_eq!(recorder.seen().len(), 0);
        return Err(outcome.text);
    }
    Ok(recorder.only())
}

fn two() -> Vec<Scheme> {
    vec![scheme("KEY", SchemeKind::HeaderKey("X-Api-Key")), scheme("TOKEN", SchemeKind::Bearer)]
}

#[tokio::test]
async fn a1_alternatives_are_or_and_schemes_within_one_are_and() {
    let (key, token) = (("TEST_KEY", "k-123"), ("TEST_TOKEN", "t-123"));
    for (security, variables, headers) in [
        (vec![vec![need(0)], vec![need(1)]], vec![key, token], Ok((Some("k-123"), None))),
        (vec![vec![need(0)], vec![need(1)]], vec![token], Ok((None, Some("Bearer t-123")))),
        (vec![vec![need(0), need(1)]], vec![key, token], Ok((Some("k-123"), Some("Bearer t-123")))),
        (vec![vec![need(0), need(1)]], vec![key], Err("TEST_KEY and TEST_TOKEN")),
        (vec![vec![need(0)], vec![need(1)]], vec![], Err("TEST_KEY, or TEST_TOKEN")),
        (vec![vec![], vec![need(0)]], vec![], Ok((None, None))),
        (vec![vec![], vec![need(0)]], vec![key], Ok((Some("k-123"), None))),
        (vec![], vec![key, token], Ok((None, None))),
    ] {
        match (sent(made(security, two()), &variables).await, headers) {
            (Ok(seen), Ok(expected)) => {
                assert_eq!((seen.header("x-api-key"), seen.header("authorization")), expected);
            }
            (Err(text), Err(expected)) => {
                assert!(text.contains(expected) && text.contains("Do not retry"), "{text}");
            }
            (got, expected) => panic!("{got:?} instead of {expected:?}"),
        }
    }
}

#[tokio::test]
async fn a2_each_kind_goes_to_its_place() {
    let one = |kind| made(vec![vec![need(0)]], vec![scheme("S", kind)]);
    let value = &[("TEST_S", "v 1&2")][..];
    let seen = sent(one(SchemeKind::QueryKey("api key")), value).await.unwrap();
    assert_eq!(seen.line, "GET /a?q=1&api%20key=v%201%262 HTTP/1.1");
    let seen = sent(one(SchemeKind::CookieKey("sid")), value).await.unwrap();
    assert_eq!(seen.header("cookie"), Some("sid=v%201&2"));
    // All cookies as they are, in the one header that a request has for them.
    let cookies = [("TEST_S", "sid=a1; theme=dark")];
    let seen = sent(one(SchemeKind::HeaderKey("Cookie")), &cookies).await.unwrap();
    assert_eq!(seen.header("cookie"), Some("sid=a1; theme=dark"));
    let seen = sent(one(SchemeKind::Bearer), value).await.unwrap();
    assert_eq!(seen.header("authorization"), Some("Bearer v 1&2"));
    let seen = sent(one(SchemeKind::Http("Digest")), value).await.unwrap();
    assert_eq!(seen.header("authorization"), Some("Digest v 1&2"));
    let seen = sent(one(SchemeKind::OAuth2 { token_url: None }), value).await.unwrap();
    assert_eq!(seen.header("authorization"), Some("Bearer v 1&2"));
    let pair = [("TEST_S_USERNAME", "Aladdin"), ("TEST_S_PASSWORD", "open sesame")];
    let seen = sent(one(SchemeKind::Basic), &pair).await.unwrap();
    assert_eq!(seen.header("authorization"), Some("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="));
}

#[tokio::test]
async fn a_secret_may_come_from_a_file_and_a_bad_one_is_told() {
    let file = std::env::temp_dir().join(format!("mcp-gen-runtime-secret-{}", std::process::id()));
    std::fs::write(&file, "from-file\n").unwrap();
    let one = || made(vec![vec![need(0)]], vec![scheme("S", SchemeKind::Bearer)]);
    let seen = sent(one(), &[("TEST_S_FILE", file.to_str().unwrap())]).await.unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(seen.header("authorization"), Some("Bearer from-file"));
    let text = sent(one(), &[("TEST_S_FILE", "/nowhere/at/all")]).await.unwrap_err();
    assert!(text.contains("TEST_S_FILE cannot be read"), "{text}");
    let text = sent(one(), &[("TEST_S", "a\nb")]).await.unwrap_err();
    assert!(text.contains("TEST_S holds characters") && !text.contains("a\nb"), "{text}");
}

fn with_oauth(token_url: &str) -> Service {
    let token_url: &'static str = token_url.to_owned().leak();
    let scopes = vec![Need { scheme: 0, scopes: &["read", "write"] }];
    made(vec![scopes], vec![scheme("O", SchemeKind::OAuth2 { token_url: Some(token_url) })])
}

const CLIENT: &[(&str, &str)] = &[("TEST_O_CLIENT_ID", "id:1"), ("TEST_O_CLIENT_SECRET", CANARY)];

fn token(name: &str, seconds: u64) -> Answer {
    answer(
        200,
        "application/json",
        json!({"access_token": name, "expires_in": seconds}).to_string(),
    )
}

#[tokio::test]
async fn a4_fifty_parallel_calls_ask_for_one_token() {
    let tokens = Recorder::start(vec![token("tok-1", 3600)]).await;
    let api = Recorder::start(vec![ok()]).await;
    let server = server(with_oauth(&format!("{}/token", tokens.url)), &api.url, CLIENT);
    let calls: Vec<_> = (0..50)
        .map(|_| {
            let server = server.clone();
            tokio::spawn(async move { call(&server, json!({})).await })
        })
        .collect();
    for one in calls {
        assert!(!one.await.unwrap().is_error);
    }
    let asked = tokens.only();
    assert_eq!(asked.line, "POST /token HTTP/1.1");
    assert_eq!(asked.text(), "grant_type=client_credentials&scope=read%20write");
    // id%3A1:c4nary%2FSecret%2B42%3D
    assert_eq!(
        asked.header("authorization"),
        Some("Basic aWQlM0ExOmM0bmFyeSUyRlNlY3JldCUyQjQyJTNE")
    );
    assert_eq!(api.seen().len(), 50);
    assert_eq!(api.seen()[7].header("authorization"), Some("Bearer tok-1"));
}

#[tokio::test]
async fn a4_a_token_is_renewed_before_it_ends_and_once_after_a_401() {
    let tokens =
        Recorder::start(vec![token("tok-1", 20), token("tok-2", 3600), token("tok-3", 3600)]).await;
    let api = Recorder::start(vec![
        ok(),
        ok(),
        answer(401, "text/plain", "no"),
        answer(401, "text/plain", "no"),
    ])
    .await;
    let server = server(with_oauth(&format!("{}/token", tokens.url)), &api.url, CLIENT);
    for _ in 0..2 {
        assert!(!call(&server, json!({})).await.is_error);
    }
    let refused = call(&server, json!({})).await;
    assert!(refused.is_error && refused.text.contains("TEST_O_CLIENT_ID"), "{}", refused.text);
    let used: Vec<String> =
        api.seen().iter().map(|seen| seen.header("authorization").unwrap().to_owned()).collect();
    assert_eq!(used, ["Bearer tok-1", "Bearer tok-2", "Bearer tok-2", "Bearer tok-3"]);
}

#[tokio::test]
async fn a4_a_refused_client_is_told_without_the_secret_or_the_body() {
    let tokens = Recorder::start(vec![answer(
        400,
        "application/json",
        format!("{{\"error\":\"{CANARY}\"}}"),
    )])
    .await;
    let text = sent(with_oauth(&format!("{}/token", tokens.url)), CLIENT).await.unwrap_err();
    assert!(
        text.contains("the token endpoint answered HTTP 400") && !text.contains("c4nary"),
        "{text}"
    );
    let text = sent(with_oauth("http://api.example/token"), CLIENT).await.unwrap_err();
    assert!(text.contains("not https"), "{text}");
}

#[tokio::test]
async fn a6_another_origin_gets_no_credential_unless_it_is_listed() {
    let home = Recorder::start(vec![ok()]).await;
    let other = Recorder::start(vec![ok()]).await;
    let made = |variables: &[(&str, &str)]| {
        let base: &'static str = other.url.clone().leak();
        let mut elsewhere = secured(operation("GET /a", vec![], None), vec![vec![need(0)]]);
        elsewhere.base_url = Some(base);
        server(
            with_schemes(single(plain("do", elsewhere, &[]), &json!({})), two()),
            &home.url,
            variables,
        )
    };
    let key = ("TEST_KEY", CANARY);
    call(&made(&[key]), json!({})).await;
    call(&made(&[key, ("TEST_CREDENTIAL_ORIGINS", &other.url)]), json!({})).await;
    let seen = other.seen();
    assert_eq!((seen[0].header("x-api-key"), seen[1].header("x-api-key")), (None, Some(CANARY)));
    assert_eq!(home.seen().len(), 0);
    let refusing = Recorder::start(vec![answer(401, "text/plain", "who?")]).await;
    let base: &'static str = refusing.url.clone().leak();
    let mut elsewhere = secured(operation("GET /a", vec![], None), vec![vec![need(0)]]);
    elsewhere.base_url = Some(base);
    let service = with_schemes(single(plain("do", elsewhere, &[]), &json!({})), two());
    let outcome = call(&server(service, &home.url, &[key]), json!({})).await;
    assert!(outcome.text.contains("TEST_CREDENTIAL_ORIGINS"), "{}", outcome.text);
}

#[tokio::test]
async fn h1_a6_a_redirect_to_another_origin_is_not_followed() {
    let other = Recorder::start(vec![ok()]).await;
    let target = format!("{}/b?x=1", other.url);
    let api = Recorder::start(vec![with_headers(302, &[("Location", &target)], "")]).await;
    let outcome = call(
        &server(made(vec![vec![need(0)]], two()), &api.url, &[("TEST_KEY", CANARY)]),
        json!({}),
    )
    .await;
    assert_eq!(other.seen().len(), 0);
    assert!(
        outcome.is_error && outcome.text.contains(&other.url) && !outcome.text.contains("/b?x=1"),
        "{}",
        outcome.text
    );
}

/// Every way that the canary could be written.
fn shows_canary(text: &str) -> bool {
    let forms = ["c4nary", "YzRuYXJ5", "c4nary%2FSecret%2B42%3D"];
    forms.iter().any(|form| text.contains(form))
}

#[tokio::test]
async fn k1_a_secret_is_in_no_text_that_leaves() {
    let echo = json!({"message": format!("bad key {CANARY} {} {}", "c4nary%2FSecret%2B42%3D", "YzRuYXJ5L1NlY3JldCs0Mj0="), CANARY: 1});
    for script in [
        answer(401, "application/json", echo.to_string()),
        answer(200, "application/json", echo.to_string()),
        answer(200, "text/plain", echo.to_string()),
        answer(500, "text/html", format!("<p>{CANARY}</p>")),
        Answer::Close,
        Answer::Bytes(b"nonsense\r\n\r\n".to_vec()),
        with_headers(302, &[("Location", &format!("http://{}.example/", "c4nary"))], CANARY),
    ] {
        let api = Recorder::start(vec![script.clone()]).await;
        let service = made(vec![vec![need(0)]], vec![scheme("S", SchemeKind::QueryKey("api_key"))]);
        let server = server(service, &api.url, &[("TEST_S", CANARY)]);
        let outcome = call(&server, json!({})).await;
        let all = format!("{outcome:?} {server:?} {:?}", server.settings());
        let all = all.replace("c4nary.example", "");
        assert!(!shows_canary(&all), "{script:?}: {all}");
        assert!(api.seen()[0].line.contains("c4nary"), "the key was sent");
    }
    let service = made(vec![vec![need(0)]], vec![scheme("S", SchemeKind::QueryKey("api_key"))]);
    let outcome =
        call(&server(service, "http://127.0.0.1:1", &[("TEST_S", CANARY)]), json!({})).await;
    assert!(
        outcome.is_error
            && outcome.text.contains("cannot be reached")
            && !shows_canary(&outcome.text),
        "{}",
        outcome.text
    );
}

#[tokio::test]
async fn an_argument_cannot_replace_a_credential() {
    let header = crate::tables::parameter(
        "X-Api-Key",
        mcp_gen_runtime::runtime::table::Location::Header,
        mcp_gen_runtime::runtime::table::Style::Simple,
        false,
    );
    let target = mcp_gen_runtime::runtime::table::Target::Parameter(0);
    let secured: Operation = secured(operation("GET /a", vec![header], None), vec![vec![need(0)]]);
    let act = action("do", secured, vec![crate::tables::input("key", false, target)]);
    let service = with_schemes(single(act, &json!({})), two());
    let api = Recorder::start(vec![ok()]).await;
    let server = server(service, &api.url, &[("TEST_KEY", "real-key")]);
    call(leak(server), json!({"key": "forged"})).await;
    let keys: Vec<_> = api
        .only()
        .headers
        .into_iter()
        .filter(|(name, _)| name == "x-api-key")
        .map(|(_, value)| value)
        .collect();
    assert_eq!(keys, ["real-key"]);
}

#[tokio::test]
async fn a1_an_alternative_that_cannot_be_used_is_passed_over() {
    let security = || vec![vec![need(0)], vec![need(1)]];
    let bad = ("TEST_KEY", "two\nlines");
    let seen = sent(made(security(), two()), &[bad, ("TEST_TOKEN", "t-1")]).await.unwrap();
    assert_eq!(
        (seen.header("x-api-key"), seen.header("authorization")),
        (None, Some("Bearer t-1"))
    );
    let text = sent(made(security(), two()), &[bad]).await.unwrap_err();
    assert!(text.contains("TEST_KEY holds characters") && !text.contains("two"), "{text}");
    // What a client passes on when nobody filled it in is nothing.
    for blank in ["", "  ", "undefined", "${TEST_KEY}"] {
        let text = sent(made(security(), two()), &[("TEST_KEY", blank)]).await.unwrap_err();
        assert!(text.contains("TEST_KEY, or TEST_TOKEN"), "{text}");
    }
}

#[tokio::test]
async fn a2_every_credential_may_come_from_a_file() {
    let folder = std::env::temp_dir().join(format!("mcp-gen-runtime-keys-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, format!("{text}\n")).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (user, word) = (file("user", "Aladdin"), file("word", "open sesame"));
    let tokens = Recorder::start(vec![token("tok-1", 3600)]).await;
    let url: &'static str = format!("{}/token", tokens.url).leak();
    for (kind, ends, expected) in [
        (SchemeKind::HeaderKey("Authorization"), ["_FILE", ""], "Aladdin"),
        (SchemeKind::Bearer, ["_FILE", ""], "Bearer Aladdin"),
        (
            SchemeKind::Basic,
            ["_USERNAME_FILE", "_PASSWORD_FILE"],
            "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
        ),
        (
            SchemeKind::OAuth2 { token_url: Some(url) },
            ["_CLIENT_ID_FILE", "_CLIENT_SECRET_FILE"],
            "Bearer tok-1",
        ),
        (SchemeKind::OAuth2 { token_url: Some(url) }, ["_FILE", ""], "Bearer Aladdin"),
    ] {
        let names: Vec<String> =
            ends.iter().filter(|end| !end.is_empty()).map(|end| format!("TEST_S{end}")).collect();
        let variables: Vec<(&str, &str)> =
            names.iter().map(String::as_str).zip([user.as_str(), word.as_str()]).collect();
        let seen = sent(made(vec![vec![need(0)]], vec![scheme("S", kind)]), &variables).await;
        assert_eq!(seen.unwrap().header("authorization"), Some(expected));
    }
    assert_eq!(tokens.only().header("authorization"), Some("Basic QWxhZGRpbjpvcGVuJTIwc2VzYW1l"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn k1_a_secret_is_taken_out_before_a_text_is_cut() {
    // The echo lies across each place where a text is cut.
    for length in (476..500).step_by(3).chain((1_880..1_960).step_by(3)) {
        let long = format!("{}{CANARY}", "x".repeat(length));
        for script in [
            answer(400, "application/json", json!({"message": long}).to_string()),
            answer(400, "application/json", json!({"errors": {"a": [long]}}).to_string()),
            answer(400, "text/plain", &long),
        ] {
            let api = Recorder::start(vec![script]).await;
            let service =
                made(vec![vec![need(0)]], vec![scheme("S", SchemeKind::HeaderKey("X-K"))]);
            let outcome = call(&server(service, &api.url, &[("TEST_S", CANARY)]), json!({})).await;
            assert!(!outcome.text.contains("c4n"), "{length}: {}", outcome.text);
        }
    }
    for script in [
        answer(200, "text/plain", format!("{}{CANARY}", "x".repeat(39_870))),
        answer(
            200,
            "application/json",
            json!({"a": format!("{}{CANARY}", "x".repeat(39_300))}).to_string(),
        ),
    ] {
        let api = Recorder::start(vec![script]).await;
        let service = made(vec![vec![need(0)]], vec![scheme("S", SchemeKind::HeaderKey("X-K"))]);
        let outcome = call(&server(service, &api.url, &[("TEST_S", CANARY)]), json!({})).await;
        assert!(!outcome.is_error && !outcome.text.contains("c4n"));
    }
}

#[tokio::test]
async fn k1_a_host_that_is_not_there_is_told_without_the_key() {
    let service = made(vec![vec![need(0)]], vec![scheme("S", SchemeKind::QueryKey("api_key"))]);
    let server = server(service, "http://c4.invalid", &[("TEST_S", CANARY)]);
    let outcome = call(&server, json!({})).await;
    assert!(outcome.is_error && !shows_canary(&outcome.text), "{}", outcome.text);
}

#[tokio::test]
async fn a4_the_token_url_may_be_relative_or_set_and_never_private_by_surprise() {
    let tokens = Recorder::start(vec![token("tok-1", 3600)]).await;
    let api = Recorder::start(vec![ok()]).await;
    let base = format!("{}/v1", tokens.url);
    let relative = server(with_oauth("oauth/token"), &base, CLIENT);
    call(&relative, json!({})).await;
    assert_eq!(tokens.seen()[0].line, "POST /v1/oauth/token HTTP/1.1");

    let elsewhere = format!("{}/set", tokens.url);
    for token_url in [Some("https://login.example/token"), None] {
        let kind = SchemeKind::OAuth2 { token_url };
        let set = [CLIENT, &[("TEST_O_TOKEN_URL", elsewhere.as_str())][..]].concat();
        let made = server(made(vec![vec![need(0)]], vec![scheme("O", kind)]), &api.url, &set);
        assert!(!call(&made, json!({})).await.is_error);
        assert_eq!(tokens.seen().last().unwrap().line, "POST /set HTTP/1.1");
    }
    assert_eq!(api.seen()[1].header("authorization"), Some("Bearer tok-1"));

    let before = tokens.seen().len();
    let made = server(with_oauth(&tokens.url), "https://api.example", CLIENT);
    let text = call(&made, json!({})).await.text;
    assert!(text.contains("private address") && text.contains("Nothing was sent"), "{text}");
    assert_eq!(tokens.seen().len(), before);
}

#[tokio::test]
async fn a4_a_token_endpoint_cannot_flood_the_server() {
    let flood =
        answer(200, "application/json", format!("{{\"access_token\":\"{}\"}}", "t".repeat(70_000)));
    let tokens = Recorder::start(vec![flood]).await;
    let text = sent(with_oauth(&tokens.url), CLIENT).await.unwrap_err();
    assert!(text.contains("too large") && text.contains("Nothing was sent"), "{text}");
}

/// A service that answers with `reply` to a call whose API key is `key`.
async fn echoed(key: &str, reply: Answer) -> mcp_gen_runtime::runtime::reply::Outcome {
    let api = Recorder::start(vec![reply]).await;
    let service = made(vec![vec![need(0)]], two());
    call(&server(service, &api.url, &[("TEST_KEY", key)]), json!({"q": "1"})).await
}

#[tokio::test]
async fn k1_a_key_of_digits_is_taken_out_and_numbers_stay_numbers() {
    let body = r#"{"id":12345678,"total":912345678901,"key":"12345678","note":"912345678901"}"#;
    let outcome = echoed("12345678", answer(200, "application/json", body)).await;
    let expected = json!({"id": 12_345_678, "total": 912_345_678_901_u64, "key": "[secret]",
        "note": "912345678901"});
    assert_eq!(outcome.structured, Some(expected));
}

#[tokio::test]
async fn k1_a_token_given_with_its_word_is_taken_out_alone_too() {
    let api = Recorder::start(vec![answer(200, "application/json", r#"{"q":"t0ken-canary"}"#)]);
    let api = api.await;
    let service = made(vec![vec![need(1)]], two());
    let given = [("TEST_TOKEN", "Bearer t0ken-canary")];
    let outcome = call(&server(service, &api.url, &given), json!({"q": "1"})).await;
    assert_eq!(outcome.text, r#"{"q":"[secret]"}"#);
}

#[tokio::test]
async fn k1_headers_and_bytes_of_an_answer_are_cleaned_as_well() {
    let disposition = format!("attachment; filename=\"{CANARY}.bin\"");
    let mut bytes = vec![0xff, 0xfe, 0];
    bytes.extend(CANARY.as_bytes());
    let headers = [("Content-Type", "image/png"), ("Content-Disposition", disposition.as_str())];
    let outcome = echoed(CANARY, with_headers(200, &headers, &bytes)).await;
    let (_, data) = outcome.media.clone().expect("an image");
    let decoded = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, data);
    let decoded = decoded.unwrap_or_default();
    let holds = |part: &[u8]| decoded.windows(part.len()).any(|w| w == part);
    assert!(!holds(CANARY.as_bytes()), "{decoded:?}");
    assert!(!format!("{outcome:?}").contains(CANARY), "{outcome:?}");
}
