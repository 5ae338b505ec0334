//! A service on loopback: it keeps what comes, byte for byte, and answers from a script.

use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// One answer.
#[derive(Clone, Debug)]
pub enum Answer {
    /// These bytes, then the end.
    Bytes(Vec<u8>),
    /// These bytes, then silence.
    Stall(Vec<u8>),
    /// The end without a byte.
    Close,
}

/// What came.
#[derive(Clone, Debug)]
pub struct Seen {
    pub line: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Seen {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }
}

/// The service.
pub struct Recorder {
    pub url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    now: Arc<Mutex<(usize, usize)>>,
}

/// An answer with a status, a media type and a body.
pub fn answer(status: u16, media_type: &str, body: impl AsRef<[u8]>) -> Answer {
    with_headers(status, &[("Content-Type", media_type)], body)
}

pub fn with_headers(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Answer {
    let body = body.as_ref();
    let mut out =
        format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n", body.len());
    for (name, value) in headers {
        out.extend([*name, ": ", *value, "\r\n"]);
    }
    out.push_str("\r\n");
    Answer::Bytes([out.as_bytes(), body].concat())
}

pub fn ok() -> Answer {
    answer(200, "application/json", r#"{"ok":true}"#)
}

impl Recorder {
    /// Answers in the order of the script; the last answer is given again and again.
    pub async fn start(script: Vec<Answer>) -> Self {
        Self::slow(script, Duration::ZERO).await
    }

    pub async fn slow(script: Vec<Answer>, pause: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let now = Arc::new(Mutex::new((0, 0)));
        let (list, count) = (seen.clone(), now.clone());
        tokio::spawn(async move {
            loop {
                let Ok((mut stream, _)) = listener.accept().await else { return };
                let (list, count, script) = (list.clone(), count.clone(), script.clone());
                tokio::spawn(async move {
                    let Some(request) = read(&mut stream).await else { return };
                    let turn = {
                        let mut list = list.lock().unwrap();
                        list.push(request);
                        list.len() - 1
                    };
                    {
                        let mut count = count.lock().unwrap();
                        count.0 += 1;
                        count.1 = count.1.max(count.0);
                    }
                    tokio::time::sleep(pause).await;
                    let answer = script.get(turn).or(script.last()).cloned();
                    count.lock().unwrap().0 -= 1;
                    match answer {
                        Some(Answer::Bytes(bytes)) => {
                            let _ = stream.write_all(&bytes).await;
                            let _ = stream.shutdown().await;
                        }
                        Some(Answer::Stall(bytes)) => {
                            let _ = stream.write_all(&bytes).await;
                            let _ = stream.flush().await;
                            let mut rest = [0; 1];
                            let _ = stream.read(&mut rest).await;
                            count.lock().unwrap().0 = usize::MAX / 2;
                        }
                        Some(Answer::Close) | None => {}
                    }
                });
            }
        });
        Self { url, seen, now }
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// The most requests at the same time.
    pub fn most_at_once(&self) -> usize {
        self.now.lock().unwrap().1
    }

    /// Whether a client hung up on a stalled answer.
    pub fn hung_up(&self) -> bool {
        self.now.lock().unwrap().0 >= usize::MAX / 2
    }

    /// The only request.
    pub fn only(&self) -> Seen {
        let seen = self.seen();
        assert_eq!(seen.len(), 1, "{seen:?}");
        seen[0].clone()
    }
}

async fn read(stream: &mut tokio::net::TcpStream) -> Option<Seen> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    let head = loop {
        let read = stream.read(&mut buffer).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&buffer[..read]);
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at;
        }
    };
    let text = String::from_utf8_lossy(&bytes[..head]).into_owned();
    let mut lines = text.split("\r\n");
    let line = lines.next()?.to_owned();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let length = headers
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, value)| value.parse::<usize>().ok())
        .unwrap_or(0);
    let mut body = bytes[head + 4..].to_vec();
    while body.len() < length {
        let read = stream.read(&mut buffer).await.ok().filter(|read| *read > 0)?;
        body.extend_from_slice(&buffer[..read]);
    }
    Some(Seen { line, headers, body })
}
