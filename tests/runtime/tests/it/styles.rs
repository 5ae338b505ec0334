//! S1 to S7, S12: every style, byte for byte as it is sent.

use crate::recorder::{Recorder, ok};
use crate::tables::{call, operation, parameter, plain, schemas, server, single};
use mcp_gen_runtime::runtime::table::{Location, Parameter, Style};
use serde_json::{Value, json};

/// Sends `value` as the parameter `color`; answers the request line's target, the header and the
/// cookie. Without a request: the text of the refusal.
async fn sent(
    parameter: Parameter,
    value: Value,
) -> Result<(String, Option<String>, Option<String>), String> {
    let recorder = Recorder::start(vec![ok()]).await;
    let key = if parameter.location == Location::Path { "GET /a/{color}" } else { "GET /a" };
    let action = plain("do", operation(key, vec![parameter], None), &[]);
    let server =
        server(single(action, &schemas(key, json!([{}]), Value::Null)), &recorder.url, &[]);
    let outcome = call(&server, json!({ "color": value })).await;
    if outcome.is_error {
        assert_eq!(recorder.seen().len(), 0);
        return Err(outcome.text);
    }
    let seen = recorder.only();
    let target = seen.line.split(' ').nth(1).unwrap().to_owned();
    Ok((target, seen.header("color").map(str::to_owned), seen.header("cookie").map(str::to_owned)))
}

async fn check(location: Location, style: Style, explode: bool, value: Value, expected: &str) {
    let (target, header, cookie) =
        sent(parameter("color", location, style, explode), value.clone()).await.unwrap();
    let got = match location {
        Location::Path => target.strip_prefix("/a/").unwrap().to_owned(),
        Location::Query | Location::QueryString => {
            target.strip_prefix("/a").unwrap().trim_start_matches('?').to_owned()
        }
        Location::Header => header.unwrap_or_default(),
        Location::Cookie => cookie.unwrap_or_default(),
    };
    assert_eq!(got, expected, "{location:?} {style:?} explode={explode} {value}");
}

fn list() -> Value {
    json!(["blue", "black", "brown"])
}

fn object() -> Value {
    json!({"R": 100, "G": 200, "B": 150})
}

#[tokio::test]
async fn s1_every_cell_of_the_path_styles() {
    use Style::{Label, Matrix, Simple};
    for (style, explode, primitive, array, members) in [
        (Matrix, false, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"),
        (Matrix, true, ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"),
        (Label, false, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"),
        (Label, true, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"),
        (Simple, false, "blue", "blue,black,brown", "R,100,G,200,B,150"),
        (Simple, true, "blue", "blue,black,brown", "R=100,G=200,B=150"),
    ] {
        check(Location::Path, style, explode, json!("blue"), primitive).await;
        check(Location::Path, style, explode, list(), array).await;
        check(Location::Path, style, explode, object(), members).await;
    }
}

#[tokio::test]
async fn s1_every_cell_of_the_query_styles() {
    use Style::{DeepObject, Form, PipeDelimited, SpaceDelimited};
    let spread = "color=blue&color=black&color=brown";
    for (style, explode, array, members) in [
        (Form, false, "color=blue,black,brown", "color=R,100,G,200,B,150"),
        (Form, true, spread, "R=100&G=200&B=150"),
        (SpaceDelimited, false, "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"),
        (PipeDelimited, false, "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"),
        (SpaceDelimited, true, spread, "R=100&G=200&B=150"),
        (PipeDelimited, true, spread, "R=100&G=200&B=150"),
        (
            DeepObject,
            true,
            "color%5B%5D=blue&color%5B%5D=black&color%5B%5D=brown",
            "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
        ),
    ] {
        check(Location::Query, style, explode, json!("blue"), "color=blue").await;
        check(Location::Query, style, explode, list(), array).await;
        check(Location::Query, style, explode, object(), members).await;
    }
}

#[tokio::test]
async fn s1_every_cell_of_the_header_and_cookie_styles() {
    check(Location::Header, Style::Simple, false, json!("blue"), "blue").await;
    check(Location::Header, Style::Simple, false, list(), "blue,black,brown").await;
    check(Location::Header, Style::Simple, false, object(), "R,100,G,200,B,150").await;
    check(Location::Header, Style::Simple, true, object(), "R=100,G=200,B=150").await;
    check(Location::Cookie, Style::Form, false, list(), "color=blue,black,brown").await;
    check(Location::Cookie, Style::Cookie, true, object(), "R=100; G=200; B=150").await;
}

#[tokio::test]
async fn s2_undefined_values_are_left_out_and_an_empty_string_is_a_value_in_a_query() {
    for value in [Value::Null, json!([]), json!({})] {
        check(Location::Query, Style::Form, true, value, "").await;
    }
    check(Location::Query, Style::Form, true, json!(""), "color=").await;
    for value in [Value::Null, json!([]), json!({}), json!("")] {
        assert!(
            sent(parameter("color", Location::Path, Style::Simple, false), value)
                .await
                .unwrap_err()
                .contains("`color`")
        );
    }
}

#[tokio::test]
async fn s3_headers_that_come_from_elsewhere_are_dropped() {
    for name in ["Authorization", "ACCEPT", "Content-Type", "Host", "Transfer-Encoding"] {
        let recorder = Recorder::start(vec![ok()]).await;
        let action = plain(
            "do",
            operation(
                "GET /a",
                vec![parameter(name, Location::Header, Style::Simple, false)],
                None,
            ),
            &[],
        );
        let server = server(single(action, &json!({})), &recorder.url, &[]);
        let outcome = call(&server, json!({ name: "evil" })).await;
        assert!(!outcome.is_error, "{}", outcome.text);
        assert!(!format!("{:?}", recorder.only()).contains("evil"), "{name}");
    }
}

#[tokio::test]
async fn s4_header_values_are_not_percent_encoded() {
    check(Location::Header, Style::Simple, false, json!("a b/c%41,\"d\""), "a b/c%41,\"d\"").await;
}

#[tokio::test]
async fn s5_cookies_are_joined_by_semicolon_and_space() {
    check(Location::Cookie, Style::Form, true, list(), "color=blue; color=black; color=brown")
        .await;
    check(Location::Cookie, Style::Form, true, json!("a; b=c"), "color=a%3B%20b%3Dc").await;
    let refused =
        sent(parameter("color", Location::Cookie, Style::Cookie, true), json!("a;b")).await;
    assert!(refused.unwrap_err().contains("cookie"));
}

#[tokio::test]
async fn s6_content_parameters_are_json_and_then_encoded() {
    let own = |location| Parameter {
        media_type: Some("application/json"),
        ..parameter("color", location, Style::Form, true)
    };
    let (target, ..) = sent(own(Location::Query), json!({"a": 1})).await.unwrap();
    assert_eq!(target, "/a?color=%7B%22a%22%3A1%7D");
    let (_, header, _) = sent(own(Location::Header), json!({"a": "é"})).await.unwrap();
    assert_eq!(header.as_deref(), Some("{\"a\":\"\\u00e9\"}"));
}

#[tokio::test]
async fn s7_allow_reserved_keeps_what_does_not_change_the_query() {
    let open = Parameter {
        allow_reserved: true,
        ..parameter("color", Location::Query, Style::Form, true)
    };
    let (target, ..) = sent(open, json!(":/?@!$()*,;%41#[]&=+%")).await.unwrap();
    assert_eq!(target, "/a?color=:/?@!$()*,;%41%23%5B%5D%26%3D%2B%25");
}

#[tokio::test]
async fn s8_deep_objects_nest_with_brackets_and_number_lists_of_objects() {
    let value = json!({"items": [{"price": "p 1", "tags": ["x", "y"]}], "expand": ["a", "b"], "none": null});
    let expected = "color%5Bitems%5D%5B0%5D%5Bprice%5D=p%201&color%5Bitems%5D%5B0%5D%5Btags%5D%5B%5D=x\
                    &color%5Bitems%5D%5B0%5D%5Btags%5D%5B%5D=y&color%5Bexpand%5D%5B%5D=a&color%5Bexpand%5D%5B%5D=b";
    check(Location::Query, Style::DeepObject, true, value, expected).await;
}

#[tokio::test]
async fn s12_numbers_and_booleans_are_plain() {
    for (value, text) in [
        (json!(true), "true"),
        (json!(9_223_372_036_854_775_807_i64), "9223372036854775807"),
        (json!(18_446_744_073_709_551_615_u64), "18446744073709551615"),
        (json!(1e21), "1000000000000000000000"),
        (json!(0.1), "0.1"),
    ] {
        check(Location::Query, Style::Form, true, value, &format!("color={text}")).await;
    }
}

#[tokio::test]
async fn s14_a_style_that_has_no_place_somewhere_falls_back() {
    check(Location::Path, Style::DeepObject, true, list(), "blue,black,brown").await;
    check(Location::Query, Style::Simple, false, list(), "color=blue,black,brown").await;
    check(Location::QueryString, Style::Form, true, object(), "R=100&G=200&B=150").await;
}

#[tokio::test]
async fn elements_are_encoded_before_they_are_joined() {
    check(Location::Query, Style::Form, false, json!(["a,b", "c d"]), "color=a%2Cb,c%20d").await;
    check(Location::Path, Style::Simple, false, json!(["a,b", "c/d"]), "a%2Cb,c%2Fd").await;
}

#[tokio::test]
async fn s8_lists_inside_deep_objects_are_written_as_the_operator_says() {
    let value = json!({"ids": ["a b", 2], "items": [{"price": "p"}]});
    for (format, expected) in [
        ("brackets", "f%5Bids%5D%5B%5D=a%20b&f%5Bids%5D%5B%5D=2"),
        ("indices", "f%5Bids%5D%5B0%5D=a%20b&f%5Bids%5D%5B1%5D=2"),
        ("repeat", "f%5Bids%5D=a%20b&f%5Bids%5D=2"),
        ("comma", "f%5Bids%5D=a%20b,2"),
    ] {
        let api = crate::recorder::Recorder::start(vec![crate::recorder::ok()]).await;
        let deep = parameter("f", Location::Query, Style::DeepObject, true);
        let act = plain("do", operation("GET /a", vec![deep], None), &[]);
        let made = server(single(act, &json!({})), &api.url, &[("TEST_ARRAY_FORMAT", format)]);
        assert!(!call(&made, json!({ "f": value })).await.is_error);
        let line = format!("GET /a?{expected}&f%5Bitems%5D%5B0%5D%5Bprice%5D=p HTTP/1.1");
        assert_eq!(api.only().line, line);
    }
}
