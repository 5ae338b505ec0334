//! S9, S10 and H6: bodies, byte for byte.

use crate::recorder::{Recorder, Seen, ok};
use crate::tables::{action, call, input, leak_all, operation, plain, schemas, server, single};
use mcp_gen_runtime::runtime::table::{Body, BodyKind, Encoding, Style, Target};
use serde_json::{Value, json};

const KEY: &str = "POST /things";

async fn sent(body: Body, schema: Value, value: Value) -> Seen {
    let recorder = Recorder::start(vec![ok()]).await;
    let whole = action(
        "do",
        operation(KEY, vec![], Some(body)),
        vec![input("body", false, Target::Body(&[]))],
    );
    let server = server(single(whole, &schemas(KEY, json!([]), schema)), &recorder.url, &[]);
    let outcome = call(&server, json!({ "body": value })).await;
    assert!(!outcome.is_error, "{}", outcome.text);
    recorder.only()
}

fn body(kind: BodyKind, media_type: &'static str) -> Body {
    Body { required: false, media_type, kind, encodings: &[] }
}

fn encoding(property: &'static str, style: Option<Style>, explode: Option<bool>) -> Encoding {
    Encoding { property, content_type: None, style, explode, allow_reserved: false }
}

#[tokio::test]
async fn json_is_compact_and_keeps_its_order() {
    let seen = sent(
        body(BodyKind::Json, "application/merge-patch+json"),
        json!({}),
        json!({"z": 1, "a": [true]}),
    )
    .await;
    assert_eq!(seen.text(), r#"{"z":1,"a":[true]}"#);
    assert_eq!(seen.header("content-type"), Some("application/merge-patch+json"));
    assert_eq!(seen.header("content-length"), Some("18"));
}

#[tokio::test]
async fn a_merge_patch_removes_what_is_null_and_checks_what_is_set() {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"},
        "size": {"type": "integer"}}});
    let merge = || body(BodyKind::Json, "application/merge-patch+json");
    let seen = sent(merge(), schema.clone(), json!({"name": null, "size": 3})).await;
    assert_eq!(seen.text(), r#"{"name":null,"size":3}"#);
    let plain = body(BodyKind::Json, "application/json");
    let seen = sent(plain, schema, json!({"name": null, "size": 3})).await;
    assert_eq!(seen.text(), r#"{"size":3}"#);
}

#[tokio::test]
async fn an_absent_body_has_no_content_type() {
    let recorder = Recorder::start(vec![ok()]).await;
    let act =
        plain("do", operation(KEY, vec![], Some(body(BodyKind::Json, "application/json"))), &["a"]);
    let outcome = call(&server(single(act, &json!({})), &recorder.url, &[]), json!({})).await;
    assert!(!outcome.is_error);
    let seen = recorder.only();
    assert_eq!((seen.header("content-type"), seen.body.len()), (None, 0));
}

#[tokio::test]
async fn s9_a_form_spreads_lists_and_writes_objects_as_json() {
    let value = json!({"id": "f 8&1", "list": ["a", "b"], "address": {"street": "x"}, "n": 1, "none": null});
    let seen =
        sent(body(BodyKind::Form, "application/x-www-form-urlencoded"), json!({}), value).await;
    assert_eq!(seen.text(), "id=f%208%261&list=a&list=b&address=%7B%22street%22%3A%22x%22%7D&n=1");
}

#[tokio::test]
async fn s9_with_a_style_a_form_follows_it() {
    let mut styled = body(BodyKind::Form, "application/x-www-form-urlencoded");
    styled.encodings = leak_all(vec![
        encoding("items", Some(Style::DeepObject), Some(true)),
        encoding("ids", Some(Style::Form), Some(false)),
    ]);
    let seen = sent(styled, json!({}), json!({"items": [{"price": "p"}], "ids": [1, 2]})).await;
    assert_eq!(seen.text(), "items%5B0%5D%5Bprice%5D=p&ids=1,2");
}

#[tokio::test]
async fn s10_parts_repeat_for_lists_and_have_default_types() {
    let schema = json!({"type": "object", "properties": {
        "file": {"type": "string", "format": "binary"}, "more": {"type": "array", "items": {"type": "string", "contentMediaType": "image/png"}},
        "name": {"type": "string"}, "meta": {"type": "object"}, "n": {"type": "array", "items": {"type": "integer"}}}});
    let value = json!({"file": "AAEC/w==", "more": ["data:image/gif;base64,R0lG"], "name": "é", "meta": {"a": 1}, "n": [1, 2]});
    let seen = sent(body(BodyKind::Multipart, "multipart/form-data"), schema, value).await;
    let boundary = seen
        .header("content-type")
        .unwrap()
        .strip_prefix("multipart/form-data; boundary=")
        .unwrap()
        .to_owned();
    let expected: Vec<u8> = [
        "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"file\"\r\nContent-Type: application/octet-stream\r\n\r\n".as_bytes(),
        &[0, 1, 2, 255],
        "\r\n--B\r\nContent-Disposition: form-data; name=\"more\"; filename=\"more.gif\"\r\nContent-Type: image/gif\r\n\r\nGIF\
         \r\n--B\r\nContent-Disposition: form-data; name=\"name\"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\né\
         \r\n--B\r\nContent-Disposition: form-data; name=\"meta\"\r\nContent-Type: application/json\r\n\r\n{\"a\":1}\
         \r\n--B\r\nContent-Disposition: form-data; name=\"n\"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n1\
         \r\n--B\r\nContent-Disposition: form-data; name=\"n\"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n2\
         \r\n--B--\r\n"
            .as_bytes(),
    ]
    .concat();
    let replace = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&boundary, "B");
    assert_eq!(replace(&seen.body), replace(&expected));
    assert!(seen.body.windows(4).any(|four| four == [0, 1, 2, 255]));
}

#[tokio::test]
async fn h6_names_of_parts_cannot_break_their_header() {
    let value = json!({"a\"\r\nX-Evil: 1\\/": "x"});
    let seen = sent(body(BodyKind::Multipart, "multipart/form-data"), json!({}), value).await;
    assert!(seen.text().contains("name=\"a___X-Evil: 1__\"\r\n"), "{}", seen.text());
}

#[tokio::test]
async fn values_in_sequence_stand_on_lines_of_their_own() {
    let ndjson = "application/x-ndjson";
    let list = json!([{"index": {"_id": 1}}, {"text": "a\nb"}]);
    for (media_type, value, bytes) in [
        (ndjson, list.clone(), "{\"index\":{\"_id\":1}}\n{\"text\":\"a\\nb\"}\n"),
        (ndjson, json!({"a": 1}), "{\"a\":1}\n"),
        (ndjson, json!("{\"a\":1}\n{\"a\":2}"), "{\"a\":1}\n{\"a\":2}\n"),
        (ndjson, json!([]), ""),
        ("application/json-seq", json!([1, 2]), "\u{1e}1\n\u{1e}2\n"),
    ] {
        let seen = sent(body(BodyKind::Lines, media_type), json!({}), value).await;
        assert_eq!((seen.text().as_str(), seen.header("content-type")), (bytes, Some(media_type)));
    }
}

#[tokio::test]
async fn text_is_sent_as_it_stands_and_bytes_come_from_base64() {
    let seen = sent(body(BodyKind::Text, "application/xml"), json!({}), json!("<a>é</a>")).await;
    assert_eq!(
        (seen.text().as_str(), seen.header("content-type")),
        ("<a>é</a>", Some("application/xml"))
    );
    let seen =
        sent(body(BodyKind::Binary, "application/octet-stream"), json!({}), json!("AAEC/w=="))
            .await;
    assert_eq!(seen.body, [0, 1, 2, 255]);
}

/// A multipart upload of one file: the part that is sent, or the refusal.
async fn uploaded(given: &str, folder: Option<&std::path::Path>) -> Result<Seen, String> {
    let schema = json!({"type": "object", "required": ["file"],
        "properties": {"file": {"type": "string", "format": "binary"}}});
    let recorder = Recorder::start(vec![ok()]).await;
    let act = action(
        "do",
        operation(KEY, vec![], Some(body(BodyKind::Multipart, "multipart/form-data"))),
        vec![input("attachment", true, Target::Body(&["file"]))],
    );
    let variables: Vec<(&str, &str)> =
        folder.iter().map(|path| ("TEST_FILES_DIR", path.to_str().unwrap())).collect();
    let server = server(single(act, &schemas(KEY, json!([]), schema)), &recorder.url, &variables);
    let outcome = call(&server, json!({ "attachment": given })).await;
    if outcome.is_error {
        assert_eq!(recorder.seen().len(), 0, "refused and yet sent");
        return Err(outcome.text);
    }
    Ok(recorder.only())
}

#[tokio::test]
async fn s10_a_file_is_base64_or_a_data_uri_with_name_and_type() {
    for (given, head, content) in [
        ("aGVsbG8=", "filename=\"file\"\r\nContent-Type: application/octet-stream", "hello"),
        ("aGVsbG8", "filename=\"file\"\r\nContent-Type: application/octet-stream", "hello"),
        ("Pz8_Pz8-", "filename=\"file\"\r\nContent-Type: application/octet-stream", "???????"),
        (
            "data:application/pdf;name=my%20report.pdf;base64,aGVsbG8=",
            "filename=\"my report.pdf\"\r\nContent-Type: application/pdf",
            "hello",
        ),
        (
            "data:image/png;base64,aGVsbG8=",
            "filename=\"file.png\"\r\nContent-Type: image/png",
            "hello",
        ),
        (
            "data:text/csv;name=a.csv,id,name%0A1,100%25\n2,50%",
            "filename=\"a.csv\"\r\nContent-Type: text/csv",
            "id,name\n1,100%\n2,50%",
        ),
        ("data:;name=a.json,{}", "filename=\"a.json\"\r\nContent-Type: application/json", "{}"),
        ("data:,", "filename=\"file.txt\"\r\nContent-Type: text/plain; charset=utf-8", ""),
    ] {
        let text = String::from_utf8_lossy(&uploaded(given, None).await.unwrap().body).into_owned();
        let start = format!("name=\"file\"; {head}\r\n\r\n");
        let (_, rest) = text.split_once(&start).unwrap_or_else(|| panic!("{given}: {text}"));
        let (sent, _) = rest.split_once("\r\n--part-").unwrap();
        assert!(sent == content || content.starts_with("??"), "{given}: {sent}");
    }
}

#[tokio::test]
async fn s10_what_is_no_file_is_refused_and_not_guessed() {
    for given in ["Just some text.", "data:text/plain", "data:image/png;base64,not base64!", "a"] {
        let text = uploaded(given, None).await.unwrap_err();
        assert!(text.contains("- `attachment`: must be base64, or `data:TYPE"), "{given}: {text}");
        assert!(text.contains("Nothing was sent"), "{text}");
    }
    // Off by default.
    let text = uploaded("file:/etc/hostname", None).await.unwrap_err();
    assert!(text.contains("`attachment`: files of this machine are not sent"), "{text}");
}

#[tokio::test]
async fn h6_a_file_name_cannot_break_its_header() {
    let given = "data:text/plain;name=..%2Fa%22%0D%0AX-Evil%3A%201;base64,aGk=";
    let text = uploaded(given, None).await.unwrap().text();
    assert!(text.contains("filename=\".._a___X-Evil: 1\"\r\n"), "{text}");
}

#[cfg(unix)]
#[tokio::test]
async fn s10_a_path_is_taken_below_the_folder_of_the_operator_only() {
    let root = std::env::temp_dir().join(format!("mcp-gen-runtime-files-{}", std::process::id()));
    let folder = root.join("allowed");
    std::fs::create_dir_all(folder.join("sub")).unwrap();
    std::fs::write(folder.join("sub/a.csv"), "1,2").unwrap();
    std::fs::write(root.join("secret.txt"), "no").unwrap();
    std::os::unix::fs::symlink(root.join("secret.txt"), folder.join("link.txt")).unwrap();
    std::os::unix::fs::symlink(&root, folder.join("up")).unwrap();
    std::os::unix::fs::symlink(folder.join("sub/a.csv"), folder.join("inside.csv")).unwrap();

    let whole = format!("file://{}", folder.join("sub/a.csv").display());
    for given in ["file:sub/a.csv", "file:./sub/../sub/a.csv", "file:inside.csv", whole.as_str()] {
        let text = uploaded(given, Some(&folder)).await.unwrap().text();
        let head = "filename=\"a.csv\"\r\nContent-Type: text/csv\r\n\r\n1,2\r\n";
        assert!(text.contains(head), "{given}: {text}");
    }
    let outside = format!("file:{}", root.join("secret.txt").display());
    for given in [
        "file:../secret.txt",
        "file:%2e%2e/secret.txt",
        "file:sub/../../secret.txt",
        "file:link.txt",
        "file:up/secret.txt",
        "file:sub",
        "file:nothing",
        "file:",
        outside.as_str(),
    ] {
        let text = uploaded(given, Some(&folder)).await.unwrap_err();
        assert!(text.contains("there is no such file that may be sent"), "{given}: {text}");
    }
    std::fs::remove_dir_all(root).unwrap();
}

#[tokio::test]
async fn a_file_inside_json_is_base64_in_any_form() {
    let schema = json!({"type": "object", "properties": {
        "photo": {"type": "string", "format": "binary"}, "note": {"type": "string"}}});
    let seen = sent(
        body(BodyKind::Json, "application/json"),
        schema,
        json!({"photo": "data:image/png;name=a.png;base64,AAEC", "note": "data:,x"}),
    )
    .await;
    assert_eq!(seen.text(), r#"{"photo":"AAEC","note":"data:,x"}"#);
}

#[tokio::test]
async fn an_optional_file_that_is_nothing_is_not_sent_and_a_needed_one_is_asked_for() {
    let text = uploaded("", None).await.unwrap_err();
    assert!(text.contains("`attachment`: must not be empty; `data:,`"), "{text}");
    let schema = json!({"type": "object", "properties": {
        "file": {"type": "string", "format": "binary"}, "note": {"type": "string"}}});
    let multipart = body(BodyKind::Multipart, "multipart/form-data");
    let seen = sent(multipart, schema, json!({"file": "", "note": ""})).await;
    assert!(!seen.text().contains("name=\"file\"") && seen.text().contains("name=\"note\""));
}

#[test]
fn what_fits_an_alternative_is_not_mended_for_another_and_null_of_no_type_stays() {
    use mcp_gen_runtime::runtime::coerce::Coercer;
    use mcp_gen_runtime::runtime::schema::Schemas;
    let schemas = Schemas::default();
    let mended =
        |value: Value, schema: Value| Coercer::new(&schemas, true).value(&value, &schema, true);
    let either = json!({"oneOf": [{"type": "string"}, {"type": "integer"}]});
    assert_eq!(mended(json!(5), either.clone()), Some(json!(5)));
    assert_eq!(mended(json!("5"), either), Some(json!("5")));
    let patch = json!({"type": "array", "items": {"type": "object", "properties": {
        "op": {"type": "string"}, "value": {}}}});
    let add = json!([{"op": "add", "value": null}]);
    assert_eq!(mended(add.clone(), patch), Some(add));
    // RFC 7396: a member that is null is removed, of whatever type it was.
    let merge = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    let gone = json!({"name": null});
    let removed = Coercer::new(&schemas, true).removing(true).value(&gone, &merge, true);
    assert_eq!((removed, mended(gone, merge)), (Some(json!({"name": null})), Some(json!({}))));
}
