//! Prism: a program by others that serves a document and judges each request by it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

use crate::locate::workspace;
use crate::recorder::Request;

/// The longest that it may take to read a document.
const PATIENCE: Duration = Duration::from_secs(120);

/// What its log says of a request that it has nothing against, whatever it answers then.
const PASSED: &str = "The request passed the validation rules";

/// A running judge.
pub struct Prism {
    address: SocketAddr,
    child: Child,
    /// How many requests its log has called right.
    passed: Arc<AtomicUsize>,
}

/// What it says of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing against it.
    Valid,
    /// What is wrong, as it says it.
    Invalid(String),
}

impl Prism {
    /// Where it is: `MCP_GEN_PRISM`, or where `tests/clients/install.sh` puts it.
    pub fn locate() -> Option<PathBuf> {
        let named = std::env::var_os("MCP_GEN_PRISM").map(PathBuf::from);
        let usual = workspace().join("target/clients/node_modules/.bin/prism");
        named.or(Some(usual)).filter(|path| path.is_file())
    }

    /// Starts it on a document.
    ///
    /// # Errors
    /// Why it did not start, for one because it cannot read the document.
    pub async fn start(program: &Path, document: &Path) -> Result<Self, String> {
        // It takes a free port and says which.
        let mut child = Command::new(program)
            .args(["mock", "--errors", "-v", "info", "-h", "127.0.0.1", "-p", "0"])
            .arg(document)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| format!("{} does not start: {error}", program.display()))?;
        let stdout = child.stdout.take().ok_or("its stdout is a pipe")?;
        let mut lines = BufReader::new(stdout).lines();
        let mut last = String::new();
        let reading = async {
            while let Ok(Some(line)) = lines.next_line().await {
                if let Some((_, address)) = line.split_once("listening on http://") {
                    return address.trim().parse::<SocketAddr>().map_err(|e| e.to_string());
                }
                last = line;
            }
            Err(format!("prism does not start on this document: {last}"))
        };
        let address = tokio::time::timeout(PATIENCE, reading).await;
        let address = address.map_err(|_| "prism does not come to an end with this document")??;
        let passed = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&passed);
        tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                count.fetch_add(usize::from(line.contains(PASSED)), Ordering::Relaxed);
            }
        });
        Ok(Self { address, child, passed })
    }

    /// Whether it still answers.
    pub async fn answers(&mut self) -> bool {
        // Its end may take a moment.
        tokio::time::sleep(Duration::from_millis(500)).await;
        matches!(self.child.try_wait(), Ok(None)) && TcpStream::connect(self.address).await.is_ok()
    }

    /// Shows it a request.
    ///
    /// # Errors
    /// Why there is no verdict.
    pub async fn judge(&self, request: &Request) -> Result<Verdict, String> {
        let before = self.passed.load(Ordering::Relaxed);
        let asked = tokio::time::timeout(Duration::from_secs(60), self.ask(request)).await;
        let answer = asked.map_err(|_| "prism does not answer".to_owned())??;
        match verdict(&answer) {
            Ok(verdict) => Ok(verdict),
            // Its log is not far behind.
            Err(why) => {
                tokio::time::sleep(Duration::from_millis(300)).await;
                let passed = self.passed.load(Ordering::Relaxed) > before;
                if passed { Ok(Verdict::Valid) } else { Err(why) }
            }
        }
    }

    async fn ask(&self, request: &Request) -> Result<String, String> {
        let mut bytes = format!("{} HTTP/1.1\r\n", request.line()).into_bytes();
        bytes.extend(format!("Host: {}\r\nConnection: close\r\n", self.address).bytes());
        for line in &request.headers {
            let name = line.split(|b| *b == b':').next().unwrap_or_default();
            let own = ["host", "connection", "transfer-encoding", "content-length"];
            if !own.iter().any(|n| name.eq_ignore_ascii_case(n.as_bytes())) {
                bytes.extend_from_slice(line);
                bytes.extend_from_slice(b"\r\n");
            }
        }
        let sized = request.headers.iter().any(|line| {
            line.len() > 14 && line[..14].eq_ignore_ascii_case(b"content-length") || request.chunked
        });
        if sized {
            bytes.extend(format!("Content-Length: {}\r\n", request.body.len()).bytes());
        }
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(&request.body);
        let talk = async {
            let mut stream = TcpStream::connect(self.address).await?;
            stream.write_all(&bytes).await?;
            let mut answer = Vec::new();
            // It may reset the connection after all that it had to say.
            match stream.read_to_end(&mut answer).await {
                Ok(_) | Err(_) if !answer.is_empty() => Ok(answer),
                Err(error) => Err(error),
                Ok(_) => Err(std::io::ErrorKind::UnexpectedEof.into()),
            }
        };
        let answer = talk.await.map_err(|error| format!("prism does not answer: {error}"))?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }
}

/// What an answer of Prism says of the request.
///
/// # Errors
/// It says neither that the request is right nor that it is wrong.
fn verdict(answer: &str) -> Result<Verdict, String> {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    let status = head.split(' ').nth(1).unwrap_or_default();
    let violations = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("sl-violations").then_some(value)
    });
    let violations: Value =
        violations.and_then(|v| serde_json::from_str(v).ok()).unwrap_or_default();
    let of_request = violations.as_array().into_iter().flatten().filter(|violation| {
        violation["location"][0] == "request" && violation["severity"] == "Error"
    });
    let said: Vec<&str> = of_request.filter_map(|v| v["message"].as_str()).collect();
    if !said.is_empty() {
        return Ok(Verdict::Invalid(said.join("; ")));
    }
    let kind = answer.split_once("prism/errors#").map(|(_, rest)| rest);
    let kind = kind.and_then(|rest| rest.split('"').next()).unwrap_or_default();
    match kind {
        "UNPROCESSABLE_ENTITY"
        | "UNAUTHORIZED"
        | "INVALID_CONTENT_TYPE"
        | "NO_PATH_MATCHED_ERROR"
        | "NO_METHOD_MATCHED_ERROR"
        | "NO_SERVER_MATCHED_ERROR"
        | "NOT_ACCEPTABLE" => {
            let said: Value = serde_json::from_str(body).unwrap_or_default();
            let found = said["validation"].as_array().into_iter().flatten();
            let said: Vec<String> = found
                .filter_map(|v| v["message"].as_str().map(str::to_owned))
                .chain(said["detail"].as_str().map(str::to_owned))
                .take(3)
                .collect();
            Ok(Verdict::Invalid(format!("{kind}: {}", said.join("; "))))
        }
        // The request was right, but the document has nothing that could be answered.
        "NO_COMPLEX_OBJECT_TEXT"
        | "NO_RESPONSE_DEFINED"
        | "NO_SUCCESS_RESPONSE_DEFINED"
        | "NOT_FOUND"
        | "SCHEMA_TOO_COMPLEX"
        | "VIOLATIONS" => Ok(Verdict::Valid),
        _ if status.starts_with(['2', '3']) => Ok(Verdict::Valid),
        kind => {
            let body: String = body.chars().take(200).collect();
            Err(format!("prism answers {status} {kind}, which says nothing: {body}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(answer: &str, expected: &Verdict) {
        assert_eq!(verdict(answer).as_ref(), Ok(expected));
    }

    #[test]
    fn violations_of_the_request_are_what_is_wrong() {
        let violation = |place: &str| {
            format!(
                "HTTP/1.1 422 X\r\nsl-violations: [{{\"location\":[\"{place}\",\"query\"],\
                \"severity\":\"Error\",\"message\":\"limit must be <= 100\"}}]\r\n\r\n{{}}"
            )
        };
        check(&violation("request"), &Verdict::Invalid("limit must be <= 100".to_owned()));
        assert!(verdict(&violation("response")).is_err());
    }

    #[test]
    fn that_there_is_no_answer_to_give_says_nothing_of_the_request() {
        let problem = |kind: &str| {
            format!(
                "HTTP/1.1 500 X\r\n\r\n{{\"type\":\"https://stoplight.io/prism/errors#{kind}\",\
                \"detail\":\"so\"}}"
            )
        };
        check(&problem("NO_COMPLEX_OBJECT_TEXT"), &Verdict::Valid);
        check(
            &problem("NO_PATH_MATCHED_ERROR"),
            &Verdict::Invalid("NO_PATH_MATCHED_ERROR: so".to_owned()),
        );
    }
}
