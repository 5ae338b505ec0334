//! U1 to U7: values never leave their segment, and the base is what it was.

use crate::recorder::{Recorder, ok};
use crate::tables::{call, in_path, operation, parameter, plain, server, single};
use mcp_gen_runtime::runtime::table::{Location, Parameter, Style};
use mcp_gen_runtime::runtime::url::Base;
use serde_json::{Value, json};

async fn sent(
    key: &'static str,
    parameters: Vec<Parameter>,
    base: &str,
    arguments: Value,
) -> Result<String, String> {
    let recorder = Recorder::start(vec![ok()]).await;
    let action = plain("do", operation(key, parameters, None), &[]);
    let server = server(single(action, &json!({})), &format!("{}{base}", recorder.url), &[]);
    let outcome = call(&server, arguments).await;
    if outcome.is_error {
        assert_eq!(recorder.seen().len(), 0, "{}", outcome.text);
        return Err(outcome.text);
    }
    Ok(recorder.only().line.split(' ').nth(1).unwrap().to_owned())
}

/// And U3: what passes has as many segments as its template.
#[tokio::test]
async fn u1_dot_segments_and_controls_are_refused_and_nothing_is_sent() {
    for id in [
        "..",
        ".",
        "%2e%2e",
        ".%2E",
        "%252e%252e",
        "%25252e%25252e",
        "..%2f..",
        "..\\",
        "a/../b",
        "a\\..\\b",
        "",
        "a\0",
        "a\n",
        "..;",
        "%00",
        "..%5c",
        "\u{7f}",
    ] {
        let refused =
            sent("GET /pets/{id}/toys", vec![in_path("id")], "", json!({ "id": id })).await;
        let text = refused.expect_err(id);
        assert!(text.contains("`id`") && text.contains("Action:"), "{id:?}: {text}");
    }
    let label = parameter("id", Location::Path, Style::Label, false);
    assert!(sent("GET /pets/{id}", vec![label], "", json!({"id": "."})).await.is_err());
    assert!(sent("GET /pets/{id}", vec![in_path("id")], "", json!({"id": [".."]})).await.is_err());
    let two = vec![in_path("a"), in_path("b")];
    assert!(sent("GET /pets/{a}{b}", two, "", json!({"a": ".", "b": "."})).await.is_err());
}

#[tokio::test]
async fn u2_anything_else_is_one_segment() {
    for (id, written) in [
        ("a/b", "a%2Fb"),
        ("a?b", "a%3Fb"),
        ("a#b", "a%23b"),
        ("a;b=c", "a%3Bb%3Dc"),
        ("ä", "%C3%A4"),
        ("%41", "%2541"),
        ("a b", "a%20b"),
        ("a.b-c_d~e", "a.b-c_d~e"),
        ("...", "..."),
        ("//evil.example", "%2F%2Fevil.example"),
        ("@evil.example", "%40evil.example"),
    ] {
        let target = sent("GET /pets/{id}/toys", vec![in_path("id")], "", json!({ "id": id }))
            .await
            .unwrap();
        assert_eq!(target, format!("/pets/{written}/toys"));
    }
}

#[tokio::test]
async fn u4_the_path_of_the_base_is_kept_with_and_without_a_slash() {
    for base in ["/v1", "/v1/"] {
        assert_eq!(sent("GET /pets", vec![], base, json!({})).await.unwrap(), "/v1/pets");
    }
    assert_eq!(sent("GET /", vec![], "/v1", json!({})).await.unwrap(), "/v1/");
}

#[tokio::test]
async fn u4_a_path_of_the_document_stands_at_the_host_that_is_set() {
    for (document, own, set, target) in [
        (Some("/api/v3"), None, "", "/api/v3/pets"),
        (Some("/api/v3"), None, "/", "/api/v3/pets"),
        (Some("/api/v3"), None, "/mine", "/mine/pets"),
        (Some("/api/v3"), Some("/api/v5"), "", "/api/v5/pets"),
        (Some("/api/v3"), Some("/"), "/mine", "/pets"),
        (None, Some("/api/v5/"), "/v1", "/api/v5/pets"),
        (Some("/"), None, "", "/pets"),
    ] {
        let recorder = Recorder::start(vec![ok()]).await;
        let mut asked = operation("GET /pets", vec![], None);
        asked.base_url = own;
        let mut service = single(plain("do", asked, &[]), &json!({}));
        service.base_url = document;
        let server = server(service, &format!("{}{set}", recorder.url), &[]);
        let outcome = call(&server, json!({})).await;
        assert!(!outcome.is_error, "{}", outcome.text);
        let line = recorder.only().line;
        assert_eq!(line.split(' ').nth(1), Some(target), "{document:?} {own:?} {set}");
    }
    let mut service = single(plain("do", operation("GET /pets", vec![], None), &[]), &json!({}));
    service.base_url = Some("/api/v3");
    let outcome = call(&server(service, "", &[]), json!({})).await;
    assert!(outcome.is_error && outcome.text.contains("TEST_BASE_URL"), "{}", outcome.text);
}

#[tokio::test]
async fn u5_without_a_base_the_variable_is_named() {
    let action = plain("do", operation("GET /pets", vec![], None), &[]);
    let outcome = call(&server(single(action, &json!({})), "", &[]), json!({})).await;
    assert!(outcome.is_error && outcome.text.contains("TEST_BASE_URL"), "{}", outcome.text);
}

#[test]
fn u6_u7_a_base_with_user_query_or_fragment_is_refused() {
    for bad in [
        "http://a@b.example",
        "https://u:p@h",
        "https://h/?a=1",
        "https://h/#x",
        "ftp://h",
        "h/v1",
        "",
        "https://",
        "file:///etc",
    ] {
        assert!(Base::parse(bad).is_err(), "{bad}");
    }
    assert!(Base::parse("https://api.example/v1/").is_ok());
    assert!(!Base::parse("https://u:hunter2@h").unwrap_err().contains("hunter2"));
}
