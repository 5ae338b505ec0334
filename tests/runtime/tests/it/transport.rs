//! T1 to T3: the HTTP transport. And the command line.

use crate::recorder::{Answer, Recorder, ok};
use crate::tables::{operation, plain, query, schemas, server, single, with_schemes};
use mcp_gen_runtime::runtime::Server;
use mcp_gen_runtime::runtime::listen;
use mcp_gen_runtime::runtime::start::{Command, command, help};
use mcp_gen_runtime::runtime::table::{Scheme, SchemeKind};
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"work"}}"#;

async fn listening(
    api: &str,
    variables: &[(&str, &str)],
) -> (String, tokio::sync::oneshot::Sender<()>, tokio::task::JoinHandle<Result<(), String>>) {
    let made = server(
        single(plain("do", operation("GET /a", vec![], None), &[]), &json!({})),
        api,
        variables,
    );
    listen_with(made).await
}

async fn listen_with(
    made: Server,
) -> (String, tokio::sync::oneshot::Sender<()>, tokio::task::JoinHandle<Result<(), String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let running = tokio::spawn(listen::serve(made, listener, async move {
        let _ = stopped.await;
    }));
    (address, stop, running)
}

async fn post(address: &str, headers: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let host =
        if headers.starts_with("Host:") { String::new() } else { format!("Host: {address}\r\n") };
    let request = format!(
        "POST /mcp HTTP/1.1\r\n{host}{headers}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

#[tokio::test]
async fn t1_hosts_and_origins_are_checked() {
    let api = Recorder::start(vec![ok()]).await;
    let (address, _stop, _running) =
        listening(&api.url, &[("TEST_HTTP_ORIGINS", "https://app.example")]).await;
    for (headers, expected) in [
        ("", "200"),
        ("Origin: http://localhost:3000\r\n", "200"),
        ("Origin: https://app.example\r\n", "200"),
        ("Origin: https://evil.example\r\n", "403"),
        ("Origin: null\r\n", "403"),
        ("Host: evil.example\r\n", "403"),
    ] {
        let answer = post(&address, headers, CALL).await;
        assert_eq!(status(&answer), expected, "{headers}: {answer}");
    }
}

#[tokio::test]
async fn t2_an_open_address_needs_a_token() {
    let made = |variables: &[(&str, &str)]| {
        server(
            single(plain("do", operation("GET /a", vec![], None), &[]), &json!({})),
            "",
            variables,
        )
    };
    let open = "0.0.0.0:8080".parse().unwrap();
    assert!(listen::permitted(&made(&[]), open).unwrap_err().contains("TEST_HTTP_TOKEN"));
    let (token, hosts) = (("TEST_HTTP_TOKEN", "t0ken"), ("TEST_HTTP_HOSTS", "mcp.example"));
    let text = listen::permitted(&made(&[token]), open).unwrap_err();
    assert!(text.contains("TEST_HTTP_HOSTS") && !text.contains("TEST_HTTP_TOKEN"), "{text}");
    assert!(listen::permitted(&made(&[hosts]), open).unwrap_err().contains("TEST_HTTP_TOKEN"));
    assert!(listen::permitted(&made(&[token, hosts]), open).is_ok());
    assert!(listen::permitted(&made(&[]), "[::1]:8080".parse().unwrap()).is_ok());
}

#[tokio::test]
async fn t3_a5_the_token_must_be_right_and_goes_no_further() {
    let api = Recorder::start(vec![ok()]).await;
    let (address, _stop, _running) = listening(&api.url, &[("TEST_HTTP_TOKEN", "t0ken")]).await;
    for headers in [
        "",
        "Authorization: Bearer t0ke\r\n",
        "Authorization: Bearer t0kenn\r\n",
        "Authorization: Basic t0ken\r\n",
    ] {
        let answer = post(&address, headers, CALL).await;
        assert_eq!(status(&answer), "401", "{headers}");
        assert!(answer.to_ascii_lowercase().contains("www-authenticate: bearer"));
    }
    assert_eq!(api.seen().len(), 0);
    let answer = post(&address, "authorization: bearer t0ken\r\n", CALL).await;
    assert!(answer.contains(r#"{\"ok\":true}"#), "{answer}");
    assert_eq!(api.only().header("authorization"), None);
}

#[test]
fn t3_secrets_are_the_same_only_when_every_byte_is() {
    use mcp_gen_runtime::runtime::secret::same_secret;
    for (left, right, expected) in [
        ("t0ken", "t0ken", true),
        ("t0ken", "t0keN", false),
        ("t0ken", "t0ken0", false),
        ("t0kent0ken", "t0ken", false),
        ("", "t", false),
        ("t", "", false),
        ("", "", true),
    ] {
        assert_eq!(same_secret(left, right), expected, "{left} {right}");
    }
}

#[tokio::test]
async fn the_health_of_the_server_is_told_without_a_token_and_under_any_name() {
    let (address, _stop, _running) = listening("", &[("TEST_HTTP_TOKEN", "t0ken")]).await;
    let mut stream = TcpStream::connect(&address).await.unwrap();
    let request = "GET /health HTTP/1.1\r\nHost: probe.internal\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(status(&answer) == "200" && answer.ends_with("\r\n\r\nok"), "{answer}");
}

#[tokio::test]
async fn t1_a_listed_name_is_answered_and_others_are_not() {
    let api = Recorder::start(vec![ok()]).await;
    let (address, _stop, _running) =
        listening(&api.url, &[("TEST_HTTP_HOSTS", "mcp.example")]).await;
    assert_eq!(status(&post(&address, "Host: mcp.example\r\n", CALL).await), "200");
    assert_eq!(status(&post(&address, "Host: mcp.example.evil\r\n", CALL).await), "403");
}

#[tokio::test]
async fn h11_a_client_that_hangs_up_ends_the_request() {
    let api = Recorder::start(vec![Answer::Stall(Vec::new())]).await;
    let (address, _stop, _running) = listening(&api.url, &[]).await;
    let call = tokio::spawn(async move { post(&address, "", CALL).await });
    while api.seen().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    call.abort();
    let begun = std::time::Instant::now();
    while !api.hung_up() {
        assert!(begun.elapsed() < Duration::from_secs(5), "the request goes on");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Sends a head and as much of a body, then reads the status of the answer.
async fn status_of(address: &str, framing: &str, body: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nConnection: close\r\n{framing}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body).await.unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer[9..]).into_owned()
}

#[tokio::test]
async fn t4_a_body_of_more_than_four_mib_is_refused() {
    const MOST: usize = 4 * 1024 * 1024;
    let api = Recorder::start(vec![ok()]).await;
    let (address, _stop, _running) = listening(&api.url, &[]).await;
    let of = |length: usize| format!("{CALL}{}", " ".repeat(length - CALL.len())).into_bytes();
    let sized = format!("Content-Length: {MOST}");
    assert_eq!(status_of(&address, &sized, &of(MOST)).await, "200");
    assert_eq!(api.seen().len(), 1);
    // Told before a byte of it was sent, or while it is sent.
    assert_eq!(status_of(&address, &format!("Content-Length: {}", MOST + 1), b"").await, "413");
    let chunk =
        [format!("{:x}\r\n", MOST + 1).into_bytes(), of(MOST + 1), b"\r\n".to_vec()].concat();
    assert_eq!(status_of(&address, "Transfer-Encoding: chunked", &chunk).await, "413");
    assert_eq!(api.seen().len(), 1);
}

#[tokio::test]
async fn s12_integers_of_any_length_arrive_over_http_as_well() {
    let api = Recorder::start(vec![ok()]).await;
    let act = plain("do", operation("GET /a", vec![query("q")], None), &[]);
    let schema = schemas("GET /a", json!([{"type": "integer"}]), json!(null));
    let (address, _stop, _running) = listen_with(server(single(act, &schema), &api.url, &[])).await;
    let call = CALL.replace(r#""work""#, r#""work","arguments":{"q":-18446744073709551617}"#);
    assert_eq!(status(&post(&address, "", &call).await), "200");
    assert_eq!(api.only().line, "GET /a?q=-18446744073709551617 HTTP/1.1");
}

#[tokio::test]
async fn a_call_in_flight_is_answered_at_the_end() {
    let api = Recorder::slow(vec![ok()], Duration::from_millis(300)).await;
    let (address, stop, running) = listening(&api.url, &[]).await;
    let call = tokio::spawn(async move { post(&address, "", CALL).await });
    while api.seen().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    stop.send(()).unwrap();
    assert_eq!(status(&call.await.unwrap()), "200");
    assert_eq!(running.await.unwrap(), Ok(()));
}

#[test]
fn the_command_line_is_read() {
    let read = |text: &str| command(text.split_whitespace().map(str::to_owned));
    for (text, expected) in [
        ("", Command::Stdio),
        ("--http 127.0.0.1:9", Command::Http("127.0.0.1:9".parse().unwrap())),
        ("--http=9", Command::Http("127.0.0.1:9".parse().unwrap())),
        ("--http localhost:9", Command::Http("127.0.0.1:9".parse().unwrap())),
        ("--http [::1]:9", Command::Http("[::1]:9".parse().unwrap())),
        ("--help", Command::Help),
        ("-V", Command::Version),
        ("--list-tools", Command::ListTools),
        ("--print-tools", Command::ListTools),
        ("--check", Command::Check),
    ] {
        assert_eq!(read(text), Ok(expected), "{text}");
    }
    for text in ["--http", "--http x", "--nope", "extra"] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn k2_help_names_variables_and_shows_no_value() {
    let service = single(plain("do", operation("GET /a", vec![], None), &[]), &json!({}));
    let schemes = vec![Scheme { name: "key", env: "API_KEY", kind: SchemeKind::Bearer }];
    let text = help(&with_schemes(service, schemes));
    assert!(text.contains("TEST_BASE_URL") && text.contains("TEST_API_KEY"), "{text}");
}
