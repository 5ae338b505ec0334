//! H1 to H12: bounded in time, size and number; sent again only where that is safe.

use crate::recorder::{Answer, Recorder, answer, ok, with_headers};
use crate::tables::{
    call, in_path, json_body, leak, operation, parameter, plain, server, settings, single,
};
use mcp_gen_runtime::runtime::date::retry_after;
use mcp_gen_runtime::runtime::hooks::{Reply, Request};
use mcp_gen_runtime::runtime::table::{Location, Service, Style};
use mcp_gen_runtime::runtime::{Hooks, Server};
use serde_json::json;
use std::time::{Duration, Instant, UNIX_EPOCH};

fn reading() -> Service {
    single(plain("do", operation("GET /a", vec![], None), &[]), &json!({}))
}

fn writing() -> Service {
    single(plain("do", operation("POST /a", vec![], Some(json_body())), &["x"]), &json!({}))
}

#[tokio::test]
async fn the_request_is_what_it_should_be_and_has_no_referer() {
    let api = Recorder::start(vec![with_headers(307, &[("Location", "/b")], ""), ok()]).await;
    assert!(!call(&server(reading(), &api.url, &[]), json!({})).await.is_error);
    let names =
        |at: usize| api.seen()[at].headers.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(0), ["accept", "user-agent", "accept-encoding", "host"]);
    assert_eq!(names(1), names(0), "H2: no Referer after a redirect");
    assert_eq!(api.seen()[0].header("user-agent"), Some("test/1.2.3"));
    assert_eq!(api.seen()[1].line, "GET /b HTTP/1.1");
}

#[tokio::test]
async fn h1_redirects_within_the_origin_end_after_three() {
    let api = Recorder::start(vec![with_headers(302, &[("Location", "/again")], "")]).await;
    let outcome = call(&server(reading(), &api.url, &[]), json!({})).await;
    assert!(outcome.is_error && outcome.text.starts_with("HTTP 302"), "{}", outcome.text);
    assert_eq!(api.seen().len(), 4);
}

#[tokio::test]
async fn h3_a_redirect_of_a_post_is_not_followed() {
    let api = Recorder::start(vec![with_headers(307, &[("Location", "/b")], ""), ok()]).await;
    let outcome = call(&server(writing(), &api.url, &[]), json!({"x": 1})).await;
    assert!(outcome.is_error && outcome.text.contains("HTTP 307"), "{}", outcome.text);
    assert_eq!(api.only().text(), r#"{"x":1}"#);
}

#[tokio::test]
async fn h4_a_stalled_body_ends_in_time() {
    let api = Recorder::start(vec![Answer::Stall(
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{".to_vec(),
    )])
    .await;
    for (made, words) in [(reading(), "try once more"), (writing(), "the outcome is unknown")] {
        let begun = Instant::now();
        let outcome =
            call(&server(made, &api.url, &[("TEST_TIMEOUT_SECONDS", "1")]), json!({})).await;
        assert!(begun.elapsed() < Duration::from_secs(5));
        assert!(
            outcome.is_error
                && outcome.text.contains("did not answer in time")
                && outcome.text.contains(words),
            "{}",
            outcome.text
        );
    }
    assert_eq!(api.seen().len(), 2, "H9: a timeout is not retried");
}

/// `zeros` zero bytes, compressed, as `gzip` writes them.
fn bomb(zeros: usize) -> Vec<u8> {
    // Stored blocks would be as long as the bytes; one fixed-Huffman block of matches is short.
    let mut bits: Vec<bool> = Vec::new();
    let mut put = |value: u32, count: u32, reversed: bool| {
        for at in 0..count {
            let shift = if reversed { count - 1 - at } else { at };
            bits.push(value >> shift & 1 == 1);
        }
    };
    put(1, 1, false);
    put(1, 2, false);
    put(0x30, 8, true);
    for _ in 0..zeros / 258 {
        // Length 258 is symbol 285, eight bits; distance 1 is symbol 0, five bits.
        put(0xC0 + 285 - 280, 8, true);
        put(0, 5, true);
    }
    put(0, 7, true);
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    for chunk in bits.chunks(8) {
        out.push(chunk.iter().enumerate().fold(0, |byte, (at, bit)| byte | u8::from(*bit) << at));
    }
    out.extend([0; 8]);
    out
}

#[tokio::test]
async fn h5_a_compressed_bomb_stops_at_the_cap() {
    let bytes = bomb(64 * 1024 * 1024);
    assert!(bytes.len() < 1024 * 1024);
    let headers = [("Content-Type", "application/json"), ("Content-Encoding", "gzip")];
    let api = Recorder::start(vec![with_headers(200, &headers, &bytes)]).await;
    let outcome = call(&server(reading(), &api.url, &[]), json!({})).await;
    assert!(outcome.is_error && outcome.text.contains("larger than 10 MiB"), "{}", outcome.text);
}

#[tokio::test]
async fn h6_line_breaks_in_headers_and_cookies_never_reach_the_wire() {
    for (location, style) in [
        (Location::Header, Style::Simple),
        (Location::Cookie, Style::Form),
        (Location::Cookie, Style::Cookie),
    ] {
        for bad in ["a\r\nX-Evil: 1", "a\0b", "a\nb", "a\u{7f}"] {
            let api = Recorder::start(vec![ok()]).await;
            let act = plain(
                "do",
                operation("GET /a", vec![parameter("h", location, style, false)], None),
                &[],
            );
            let outcome =
                call(&server(single(act, &json!({})), &api.url, &[]), json!({ "h": bad })).await;
            for seen in api.seen() {
                assert!(!outcome.is_error && seen.header("x-evil").is_none());
                assert!(seen.header("cookie").is_some_and(|text| text.contains('%')), "{seen:?}");
            }
            assert_eq!(
                outcome.is_error,
                style != Style::Form,
                "{bad:?} {style:?}: {}",
                outcome.text
            );
        }
    }
}

#[tokio::test]
async fn h8_retry_after_is_kept_to_and_a_long_one_is_told() {
    let short = with_headers(429, &[("Retry-After", "0")], "");
    let api = Recorder::start(vec![short, ok()]).await;
    assert!(!call(&server(reading(), &api.url, &[]), json!({})).await.is_error);
    assert_eq!(api.seen().len(), 2);
    let api = Recorder::start(vec![with_headers(429, &[("Retry-After", "120")], ""), ok()]).await;
    let outcome = call(&server(reading(), &api.url, &[]), json!({})).await;
    assert_eq!(
        outcome.text,
        "HTTP 429 Too Many Requests from GET /a.\nAction: wait and call again after 120 seconds."
    );
    assert_eq!(api.seen().len(), 1);
}

#[test]
fn h8_the_three_forms_of_dates_are_read() {
    let now = UNIX_EPOCH + Duration::from_secs(784_111_777 - 30);
    for text in [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        "30",
    ] {
        assert_eq!(retry_after(text, now), Some(Duration::from_secs(30)), "{text}");
    }
    assert_eq!(retry_after("-5", now), Some(Duration::ZERO));
    assert_eq!(retry_after("Sun, 06 Nov 1970 08:49:37 GMT", now), Some(Duration::ZERO));
    for text in
        ["", "soon", "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994", "9999999999999999999999"]
    {
        assert_eq!(retry_after(text, now), None, "{text}");
    }
}

#[tokio::test]
async fn h9_reads_are_tried_three_times_and_writes_once() {
    for status in [429, 502, 503, 504] {
        let api = Recorder::start(vec![answer(status, "text/plain", "")]).await;
        assert!(call(&server(reading(), &api.url, &[]), json!({})).await.is_error);
        assert_eq!(api.seen().len(), 3, "{status}");
        let api = Recorder::start(vec![answer(status, "text/plain", "")]).await;
        assert!(call(&server(writing(), &api.url, &[]), json!({})).await.is_error);
        assert_eq!(api.seen().len(), 1, "{status}");
    }
    let api = Recorder::start(vec![answer(500, "text/plain", "")]).await;
    assert!(call(&server(reading(), &api.url, &[]), json!({})).await.is_error);
    assert_eq!(api.seen().len(), 1, "500 says nothing about the next try");
}

#[tokio::test]
async fn h11_a_dropped_call_drops_the_request() {
    let api = Recorder::start(vec![Answer::Stall(Vec::new())]).await;
    let server = server(reading(), &api.url, &[]);
    let running = tokio::spawn(async move { call(&server, json!({})).await });
    while api.seen().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    running.abort();
    let begun = Instant::now();
    while !api.hung_up() {
        assert!(begun.elapsed() < Duration::from_secs(5), "the request goes on");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn h12_at_most_eight_requests_run_at_once() {
    let api = Recorder::slow(vec![ok()], Duration::from_millis(60)).await;
    let server = server(reading(), &api.url, &[]);
    let calls: Vec<_> = (0..24)
        .map(|_| {
            let server = server.clone();
            tokio::spawn(async move { call(&server, json!({})).await.is_error })
        })
        .collect();
    for one in calls {
        assert!(!one.await.unwrap());
    }
    assert_eq!(api.most_at_once(), 8);
}

struct Changing;

impl Hooks for Changing {
    async fn request(&self, request: &mut Request) -> Result<(), String> {
        if request.url.path().ends_with("/forbidden") {
            return Err("this one is not allowed".to_owned());
        }
        request.headers.push(("x-tenant".to_owned(), "7".to_owned()));
        Ok(())
    }

    async fn reply(&self, operation: &str, reply: &mut Reply) {
        assert_eq!(operation, "GET /a/{id}");
        reply.body = reply.body.to_ascii_uppercase();
    }
}

#[tokio::test]
async fn hooks_change_requests_and_replies_and_can_refuse() {
    let api = Recorder::start(vec![answer(200, "text/plain", "quiet")]).await;
    let service = leak(single(
        plain("do", operation("GET /a/{id}", vec![in_path("id")], None), &[]),
        &json!({}),
    ));
    let server = Server::new(service, settings(service, &api.url, &[]), Changing).unwrap();
    assert_eq!(call(&server, json!({"id": "1"})).await.text, "QUIET");
    assert_eq!(api.only().header("x-tenant"), Some("7"));
    let refused = call(&server, json!({"id": "forbidden"})).await;
    assert!(refused.is_error && refused.text.contains("this one is not allowed"));
    assert_eq!(api.seen().len(), 1);
}

fn changing(key: &'static str) -> Service {
    single(plain("do", operation(key, vec![], Some(json_body())), &["x"]), &json!({}))
}

#[tokio::test]
async fn h9_puts_and_deletes_are_repeated_and_posts_only_when_they_are_told_to() {
    for key in ["PUT /a", "DELETE /a"] {
        let api = Recorder::start(vec![answer(502, "text/plain", ""), ok()]).await;
        assert!(!call(&server(changing(key), &api.url, &[]), json!({"x": 1})).await.is_error);
        assert_eq!(api.seen().len(), 2, "{key}");
        assert_eq!(api.seen()[0].text(), api.seen()[1].text());
    }
    for (status, sent) in [(429, 2), (503, 2), (502, 1), (500, 1)] {
        let told = with_headers(status, &[("Retry-After", "0")], "");
        for key in ["POST /a", "PATCH /a"] {
            let api = Recorder::start(vec![told.clone(), ok()]).await;
            let outcome = call(&server(changing(key), &api.url, &[]), json!({"x": 1})).await;
            assert_eq!((api.seen().len(), outcome.is_error), (sent, sent == 1), "{key} {status}");
        }
    }
    for broken in
        [Answer::Close, Answer::Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{".to_vec())]
    {
        let api = Recorder::start(vec![broken, ok()]).await;
        assert!(call(&server(changing("POST /a"), &api.url, &[]), json!({})).await.is_error);
        assert_eq!(api.seen().len(), 1);
    }
}

#[tokio::test]
async fn h9_what_a_repeated_delete_does_not_find_may_be_its_own_doing() {
    let gone = answer(404, "text/plain", "");
    let api = Recorder::start(vec![answer(504, "text/plain", ""), gone]).await;
    let outcome = call(&server(changing("DELETE /a"), &api.url, &[]), json!({})).await;
    assert!(outcome.text.contains("an earlier attempt may have done it"), "{}", outcome.text);
}

#[tokio::test]
async fn h10_a_key_is_new_for_each_call_and_the_same_for_its_retries() {
    let header = || parameter("Idempotency-Key", Location::Header, Style::Simple, false);
    let declared = || {
        let mut act = plain("do", operation("POST /a", vec![header()], Some(json_body())), &["x"]);
        // The plan does not offer the parameter.
        act.inputs = &act.inputs[1..];
        single(act, &json!({}))
    };
    let set = [("TEST_IDEMPOTENCY_HEADER", "Idempotency-Key")];
    for (made, variables) in [(declared(), &[][..]), (changing("PATCH /a"), &set[..])] {
        let busy = answer(503, "text/plain", "");
        let api = Recorder::start(vec![busy.clone(), busy, ok()]).await;
        let server = server(made, &api.url, variables);
        assert!(!call(&server, json!({"x": 1})).await.is_error);
        assert!(!call(&server, json!({"x": 1})).await.is_error);
        let keys: Vec<String> = api
            .seen()
            .iter()
            .map(|seen| seen.header("idempotency-key").expect("a key").to_owned())
            .collect();
        assert_eq!(keys.len(), 4);
        assert!(keys[0] == keys[1] && keys[1] == keys[2] && keys[2] != keys[3], "{keys:?}");
        let parts: Vec<usize> = keys[0].split('-').map(str::len).collect();
        assert_eq!((parts, &keys[0][14..15]), (vec![8, 4, 4, 4, 12], "4"), "a UUID of version 4");
    }
    let api = Recorder::start(vec![ok()]).await;
    call(&server(reading(), &api.url, &set), json!({})).await;
    assert_eq!(api.only().header("idempotency-key"), None, "a read needs none");
}

#[tokio::test]
async fn h12_the_limits_of_the_operator_hold() {
    let api = Recorder::slow(vec![ok()], Duration::from_millis(40)).await;
    let limited = server(reading(), &api.url, &[("TEST_CONCURRENCY", "2")]);
    let calls: Vec<_> = (0..6)
        .map(|_| {
            let server = limited.clone();
            tokio::spawn(async move { call(&server, json!({})).await.is_error })
        })
        .collect();
    for one in calls {
        assert!(!one.await.unwrap());
    }
    assert_eq!(api.most_at_once(), 2);

    let service = leak(reading());
    let variables = [("TEST_REQUESTS_PER_MINUTE", "600")];
    let mut set = settings(service, &api.url, &variables);
    set.longest_wait = Duration::from_millis(150);
    let slowed = Server::new(service, set, crate::tables::NoHooks).unwrap();
    let begun = Instant::now();
    for _ in 0..7 {
        assert!(!call(&slowed, json!({})).await.is_error);
    }
    assert!(begun.elapsed() >= Duration::from_millis(190), "{:?}", begun.elapsed());
    let calls: Vec<_> = (0..12)
        .map(|_| {
            let server = slowed.clone();
            tokio::spawn(async move { call(&server, json!({})).await })
        })
        .collect();
    let mut refused = 0;
    for one in calls {
        let outcome = one.await.unwrap();
        refused += usize::from(outcome.is_error);
        assert!(!outcome.is_error || outcome.text.contains("its own limit is reached"));
    }
    assert!(refused > 0);
}

#[tokio::test]
async fn a_redirect_that_is_not_followed_is_named_without_its_query() {
    for status in [303, 307, 308] {
        let script = with_headers(status, &[("Location", "/jobs/7?key=1")], "");
        let api = Recorder::start(vec![script]).await;
        let text = call(&server(writing(), &api.url, &[]), json!({"x": 1})).await.text;
        assert!(text.contains("It redirects to /jobs/7.") && !text.contains("key=1"), "{text}");
    }
}

#[tokio::test]
async fn h7_private_addresses_are_refused_unless_the_operator_named_the_host() {
    let api = Recorder::start(vec![ok()]).await;
    let port = api.url.rsplit(':').next().unwrap().to_owned();
    let made = |host: &str, variables: &[(&str, &str)]| {
        let mut elsewhere = operation("GET /a", vec![], None);
        elsewhere.base_url = Some(format!("http://{host}:{port}").leak());
        server(single(plain("do", elsewhere, &[]), &json!({})), "https://api.example", variables)
    };
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "localhost",
        "localhost.",
        "[::ffff:127.0.0.1]",
    ] {
        let outcome = call(&made(host, &[]), json!({})).await;
        assert!(
            outcome.is_error && outcome.text.contains("private address"),
            "{host}: {}",
            outcome.text
        );
        assert!(outcome.text.contains("TEST_BASE_URL"), "{}", outcome.text);
    }
    assert_eq!(api.seen().len(), 0);
    let listed = format!("http://localhost:{port}");
    let outcome =
        call(&made("localhost", &[("TEST_CREDENTIAL_ORIGINS", &listed)]), json!({})).await;
    assert!(!outcome.is_error, "{}", outcome.text);
    let by_name = api.url.replace("127.0.0.1", "localhost");
    assert!(!call(&server(reading(), &by_name, &[]), json!({})).await.is_error);
    assert_eq!(api.seen().len(), 2);
}

#[test]
fn h7_every_form_of_a_private_address_is_known() {
    use mcp_gen_runtime::runtime::reach::is_private;
    for text in [
        "127.0.0.1",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "198.18.0.1",
        "255.255.255.255",
        "224.0.0.1",
        "::1",
        "::",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "::ffff:10.0.0.1",
        "::10.0.0.1",
        "64:ff9b::a00:1",
        "2002:7f00:1::",
    ] {
        assert!(is_private(text.parse().unwrap()), "{text}");
    }
    for text in ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8"] {
        assert!(!is_private(text.parse().unwrap()), "{text}");
    }
}

#[test]
fn settings_out_of_range_are_told() {
    let service = reading();
    for (name, value) in [
        ("TEST_TIMEOUT_SECONDS", "0"),
        ("TEST_CONNECT_TIMEOUT_SECONDS", "soon"),
        ("TEST_CONCURRENCY", "65"),
        ("TEST_REQUESTS_PER_MINUTE", "-1"),
        ("TEST_MAX_REPLY_MIB", "101"),
        ("TEST_ARRAY_FORMAT", "php"),
        ("TEST_LOG", "loud"),
        ("TEST_IDEMPOTENCY_HEADER", "a b"),
        ("TEST_TLS_CA_FILE", "/nowhere/at/all"),
        ("TEST_TLS_CERT_FILE", "/nowhere/at/all"),
    ] {
        let lookup = |asked: &str| (asked == name).then(|| value.to_owned());
        let text = mcp_gen_runtime::runtime::Settings::read(&service, &lookup).unwrap_err();
        assert!(text.contains(name), "{text}");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn h4_a_connection_that_does_not_come_about_ends_in_time() {
    // Nobody accepts, and the queue is full: the next connection waits.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut waiting = Vec::new();
    for _ in 0..16 {
        let connect = tokio::net::TcpStream::connect(address);
        match tokio::time::timeout(Duration::from_millis(100), connect).await {
            Ok(stream) => waiting.push(stream.unwrap()),
            Err(_) => break,
        }
    }
    let variables = [("TEST_CONNECT_TIMEOUT_SECONDS", "1")];
    let begun = Instant::now();
    let made = server(writing(), &format!("http://{address}"), &variables);
    let outcome = call(&made, json!({"x": 1})).await;
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    assert!(outcome.is_error && outcome.text.contains("no connection in time"), "{}", outcome.text);
    assert!(outcome.text.contains("Nothing was sent"), "{}", outcome.text);
}

#[tokio::test]
async fn a_method_that_may_have_a_body_says_that_it_has_none() {
    for (key, length) in [("POST /a", Some("0")), ("PUT /a", Some("0")), ("GET /a", None)] {
        let api = Recorder::start(vec![ok()]).await;
        let service = single(plain("do", operation(key, vec![], None), &[]), &json!({}));
        assert!(!call(&server(service, &api.url, &[]), json!({})).await.is_error);
        assert_eq!(api.only().header("content-length"), length, "{key}");
    }
}

#[test]
fn h12_a_pause_lets_out_no_more_than_the_limit_of_a_minute() {
    let pace = mcp_gen_runtime::runtime::pace::Pace::new(Some(3));
    let now = Instant::now() + Duration::from_secs(600);
    let at_once = |_: &u32| pace.turn(now, Duration::from_secs(600)) == Ok(Duration::ZERO);
    assert_eq!((0..5).filter(at_once).count(), 1);
}
