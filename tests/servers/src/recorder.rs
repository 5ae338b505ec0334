//! An HTTP/1.1 service on loopback that keeps each request as it came and answers by a script.

use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A request as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The method.
    pub method: String,
    /// The target, not decoded.
    pub target: String,
    /// The header lines without their ends, in order.
    pub headers: Vec<Vec<u8>>,
    /// The body; chunks are joined.
    pub body: Vec<u8>,
    /// Whether the body came in chunks.
    pub chunked: bool,
}

impl Request {
    /// The request line without the version: `GET /items?page=1`.
    pub fn line(&self) -> String {
        format!("{} {}", self.method, self.target)
    }

    /// The values of all headers of this name, in any case, blanks around them removed.
    pub fn headers(&self, name: &str) -> Vec<String> {
        let lines = self.headers.iter().map(|line| String::from_utf8_lossy(line).into_owned());
        lines
            .filter_map(|line| {
                let (found, value) = line.split_once(':')?;
                found.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
            })
            .collect()
    }

    /// The value of the only header of this name; panics when it was sent twice.
    pub fn header(&self, name: &str) -> Option<String> {
        let mut values = self.headers(name);
        assert!(values.len() <= 1, "`{name}` was sent {} times: {values:?}", values.len());
        values.pop()
    }

    /// The body as text; bytes that are no UTF-8 are shown as U+FFFD.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// What the service does with a request.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Answers.
    Reply {
        /// The status.
        status: u16,
        /// The headers; `Content-Length` is added.
        headers: Vec<(String, String)>,
        /// The body.
        body: Vec<u8>,
    },
    /// Keeps the connection open and says nothing.
    Silence,
    /// Sends the head and half of the body, then says nothing more.
    Stall,
    /// Closes the connection without a word.
    Close,
}

impl Answer {
    /// An answer in JSON.
    pub fn json(status: u16, body: &str) -> Self {
        Self::typed(status, "application/json", body.as_bytes())
    }

    /// An answer of any type.
    pub fn typed(status: u16, media_type: &str, body: &[u8]) -> Self {
        let headers = vec![("Content-Type".to_owned(), media_type.to_owned())];
        Self::Reply { status, headers, body: body.to_vec() }
    }

    /// An answer without a body.
    pub fn empty(status: u16) -> Self {
        Self::Reply { status, headers: Vec::new(), body: Vec::new() }
    }

    /// Adds a header to a reply.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        if let Self::Reply { headers, .. } = &mut self {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }
}

type Script = Box<dyn Fn(&Request) -> Answer + Send + Sync>;

#[derive(Default)]
struct State {
    requests: Mutex<Vec<Request>>,
    queue: Mutex<VecDeque<Answer>>,
    script: Mutex<Option<Script>>,
    faults: Mutex<Vec<String>>,
}

/// The service. It ends when it is dropped.
pub struct Recorder {
    address: SocketAddr,
    state: Arc<State>,
    task: JoinHandle<()>,
}

impl Recorder {
    /// Starts the service on a free port. It answers `200 {}` until told otherwise.
    pub async fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        let task = tokio::spawn(async move {
            // Connections end with the listener: they are tasks of this set.
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let state = Arc::clone(&shared);
                connections.spawn(async move {
                    if let Err(fault) = serve(stream, &state).await {
                        lock(&state.faults).push(fault);
                    }
                });
            }
        });
        Self { address, state, task }
    }

    /// `http://127.0.0.1:PORT`
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The next request that has no answer yet gets this one.
    pub fn answer(&self, answer: Answer) {
        lock(&self.state.queue).push_back(answer);
    }

    /// Requests for which no answer was queued are answered so.
    pub fn script(&self, script: impl Fn(&Request) -> Answer + Send + Sync + 'static) {
        *lock(&self.state.script) = Some(Box::new(script));
    }

    /// Takes the requests that came since the last time; panics when one was no HTTP.
    pub fn take(&self) -> Vec<Request> {
        let faults = std::mem::take(&mut *lock(&self.state.faults));
        assert!(faults.is_empty(), "the service got what is no HTTP/1.1: {faults:?}");
        std::mem::take(&mut *lock(&self.state.requests))
    }

    /// Takes the only request that came.
    pub fn one(&self) -> Request {
        let mut requests = self.take();
        assert_eq!(requests.len(), 1, "one request was expected: {requests:#?}");
        requests.remove(0)
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A test that panicked while it held the lock has failed already; others go on.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn serve(stream: TcpStream, state: &State) -> Result<(), String> {
    let mut wire = Wire { stream, buffer: Vec::new() };
    while let Some(request) = wire.request().await? {
        let queued = lock(&state.queue).pop_front();
        let answer = queued.unwrap_or_else(|| {
            let script = lock(&state.script);
            script.as_ref().map_or_else(|| Answer::json(200, "{}"), |script| script(&request))
        });
        let head = request.method == "HEAD";
        lock(&state.requests).push(request);
        match answer {
            Answer::Reply { status, headers, body } => {
                wire.reply(status, &headers, &body, if head { 0 } else { body.len() }).await?;
            }
            Answer::Silence => std::future::pending().await,
            Answer::Stall => {
                let headers = [("Content-Type".to_owned(), "application/json".to_owned())];
                wire.reply(200, &headers, b"{\"half\": \"of it\"}", 8).await?;
                std::future::pending::<()>().await;
            }
            Answer::Close => return Ok(()),
        }
    }
    Ok(())
}

/// One connection, read into a buffer.
struct Wire {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Wire {
    async fn request(&mut self) -> Result<Option<Request>, String> {
        let Some(first) = self.line().await? else { return Ok(None) };
        let first = String::from_utf8(first).map_err(|_| "the request line is no text")?;
        let words: Vec<&str> = first.split(' ').collect();
        let [method, target, "HTTP/1.1"] = words[..] else {
            return Err(format!("no request line: {first:?}"));
        };
        let mut request = Request {
            method: method.to_owned(),
            target: target.to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
            chunked: false,
        };
        loop {
            let line = self.line().await?.ok_or("the head breaks off")?;
            if line.is_empty() {
                break;
            }
            request.headers.push(line);
        }
        if let Some(length) = request.header("content-length") {
            let length = length.parse().map_err(|_| format!("no length: {length:?}"))?;
            request.body = self.bytes(length).await?;
        } else if request.header("transfer-encoding").is_some() {
            request.chunked = true;
            request.body = self.chunks().await?;
        }
        Ok(Some(request))
    }

    async fn chunks(&mut self) -> Result<Vec<u8>, String> {
        let mut body = Vec::new();
        loop {
            let line = self.line().await?.ok_or("the body breaks off")?;
            let size = String::from_utf8_lossy(&line);
            let size = size.split(';').next().unwrap_or("").trim().to_owned();
            let size =
                usize::from_str_radix(&size, 16).map_err(|_| format!("no size: {size:?}"))?;
            body.extend(self.bytes(size).await?);
            // After the data of a chunk comes an empty line; after the last chunk the trailers,
            // of which this service expects none.
            if self.line().await?.is_none_or(|line| !line.is_empty()) {
                return Err("a chunk does not end where it says".to_owned());
            }
            if size == 0 {
                return Ok(body);
            }
        }
    }

    /// The next line without its end; `None` when the connection ends before it begins.
    async fn line(&mut self) -> Result<Option<Vec<u8>>, String> {
        loop {
            if let Some(end) = self.buffer.windows(2).position(|pair| pair == b"\r\n") {
                let mut line: Vec<u8> = self.buffer.drain(..end + 2).collect();
                line.truncate(end);
                return Ok(Some(line));
            }
            if self.fill().await? == 0 {
                return if self.buffer.is_empty() {
                    Ok(None)
                } else {
                    Err("a line breaks off".to_owned())
                };
            }
        }
    }

    async fn bytes(&mut self, count: usize) -> Result<Vec<u8>, String> {
        while self.buffer.len() < count {
            if self.fill().await? == 0 {
                return Err("the body breaks off".to_owned());
            }
        }
        Ok(self.buffer.drain(..count).collect())
    }

    async fn fill(&mut self) -> Result<usize, String> {
        match self.stream.read_buf(&mut self.buffer).await {
            Ok(count) => Ok(count),
            // A client that was killed resets the connection: that is an end like another.
            Err(_) if self.buffer.is_empty() => Ok(0),
            Err(error) => Err(error.to_string()),
        }
    }

    async fn reply(
        &mut self,
        status: u16,
        headers: &[(String, String)],
        body: &[u8],
        send: usize,
    ) -> Result<(), String> {
        let mut bytes = format!("HTTP/1.1 {status} Scripted\r\n").into_bytes();
        for (name, value) in headers {
            bytes.extend(format!("{name}: {value}\r\n").into_bytes());
        }
        // These have no body by definition, and may not say a length.
        if status >= 200 && status != 204 && status != 304 {
            bytes.extend(format!("Content-Length: {}\r\n", body.len()).into_bytes());
        }
        bytes.extend(b"\r\n");
        bytes.extend(&body[..send]);
        self.stream.write_all(&bytes).await.map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn send(recorder: &Recorder, text: &str) -> String {
        let mut stream = TcpStream::connect(recorder.address).await.expect("connected");
        stream.write_all(text.as_bytes()).await.expect("sent");
        let mut answer = vec![0; 4096];
        let count = stream.read(&mut answer).await.expect("answered");
        String::from_utf8_lossy(&answer[..count]).into_owned()
    }

    #[tokio::test]
    async fn a_request_is_kept_byte_for_byte() {
        let recorder = Recorder::start().await;
        let text = "POST /a%2Fb?x=%20 HTTP/1.1\r\nhost: h\r\nX-Odd:  two \r\nContent-Length: 4\r\n\r\n\r\n{}";
        let answer = send(&recorder, text).await;
        assert!(answer.ends_with("Content-Length: 2\r\n\r\n{}"), "{answer}");
        let request = recorder.one();
        assert_eq!(request.line(), "POST /a%2Fb?x=%20");
        assert_eq!(request.headers[1], b"X-Odd:  two ");
        assert_eq!(request.header("x-odd").as_deref(), Some("two"));
        assert_eq!(request.text(), "\r\n{}");
    }

    #[tokio::test]
    async fn chunks_are_joined_and_a_connection_takes_several_requests() {
        let recorder = Recorder::start().await;
        recorder.answer(Answer::empty(204).with("X-First", "yes"));
        let text = "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n\
                    GET /two HTTP/1.1\r\n\r\n";
        let answer = send(&recorder, text).await;
        assert!(answer.starts_with("HTTP/1.1 204 Scripted\r\nX-First: yes\r\n\r\n"), "{answer}");
        // The second answer may come in a second packet.
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        let requests = recorder.take();
        assert_eq!((requests[0].text().as_str(), requests[0].chunked), ("abcd", true));
        assert_eq!(requests[1].line(), "GET /two");
    }

    #[tokio::test]
    async fn what_is_no_http_fails_the_test() {
        let recorder = Recorder::start().await;
        send(&recorder, "GET /a b HTTP/1.1\r\n\r\n").await;
        let taken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| recorder.take()));
        assert!(taken.is_err());
    }
}
