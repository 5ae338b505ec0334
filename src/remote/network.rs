//! Requests over the network.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Error};

use super::address::is_public;
use super::{Answer, Get};
use crate::openapi::Unfetched;
use crate::source::Url;

/// The network: `https` to public hosts, without proxies, cookies and credentials.
#[derive(Clone, Copy, Debug, Default)]
pub struct Network;

impl Get for Network {
    fn get(&self, url: &Url, bytes: usize, time: Duration) -> Result<Answer, Unfetched> {
        let config = config(time, true);
        let agent = Agent::with_parts(config, DefaultConnector::new(), PublicOnly::default());
        send(&agent, url, bytes)
    }
}

/// No network: only what is kept already is had.
#[derive(Clone, Copy, Debug, Default)]
pub struct Offline;

impl Get for Offline {
    fn get(&self, _url: &Url, _bytes: usize, _time: Duration) -> Result<Answer, Unfetched> {
        let way = "there is no copy of it, and a build calls nobody; run mcp-gen with `--remote-refs` once";
        Err(failed(way.to_owned()))
    }
}

fn send(agent: &Agent, url: &Url, bytes: usize) -> Result<Answer, Unfetched> {
    let mut response = agent.get(url.to_string()).call().map_err(|e| why(e, bytes))?;
    let status = response.status();
    if status.is_redirection()
        && let Some(location) = response.headers().get("location")
    {
        let location = location.to_str();
        let location = location.map_err(|_| failed("it is redirected to no URL".to_owned()))?;
        return Ok(Answer::Elsewhere(location.to_owned()));
    }
    if !status.is_success() {
        return Err(failed(format!("the host answers with status {}", status.as_u16())));
    }
    // A document of just that size is none too large; what is beyond the limit is an error.
    let body = response.body_mut().with_config().limit(bytes as u64 + 1);
    let body = body.read_to_vec().map_err(|e| why(e, bytes))?;
    if body.len() > bytes {
        return Err(why(Error::BodyExceedsLimit(bytes as u64), bytes));
    }
    Ok(Answer::Document(body))
}

fn config(time: Duration, https_only: bool) -> Config {
    Config::builder()
        .https_only(https_only)
        .http_status_as_error(false)
        // Each hop is looked at before it is taken.
        .max_redirects(0)
        // One from the environment would be asked to call what must not be called.
        .proxy(None)
        .timeout_global(Some(time))
        .user_agent(concat!("mcp-gen/", env!("CARGO_PKG_VERSION")))
        .accept("application/yaml, application/json;q=0.9, */*;q=0.5")
        .build()
}

/// Looks up names, and refuses those that lead to an address that is not public. The connection is
/// made to the addresses given here, so a name cannot mean another one a moment later.
#[derive(Debug, Default)]
struct PublicOnly(DefaultResolver);

impl Resolver for PublicOnly {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        let addresses = self.0.resolve(uri, config, timeout)?;
        check(&addresses).map_err(|error| Error::Other(Box::new(error)))?;
        Ok(addresses)
    }
}

fn check(addresses: &[SocketAddr]) -> Result<(), NotPublic> {
    if addresses.iter().all(|address| is_public(address.ip())) { Ok(()) } else { Err(NotPublic) }
}

#[derive(Debug)]
struct NotPublic;

impl fmt::Display for NotPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the host has an address that is not public")
    }
}

impl std::error::Error for NotPublic {}

fn why(error: Error, bytes: usize) -> Unfetched {
    match error {
        Error::Other(other) if other.is::<NotPublic>() => Unfetched::Refused(other.to_string()),
        Error::BodyExceedsLimit(_) => failed(format!("it is larger than {bytes} bytes")),
        Error::Timeout(_) => failed("it took too long".to_owned()),
        Error::HostNotFound => failed("there is no such host".to_owned()),
        Error::Io(error) => failed(format!("it cannot be fetched: {error}")),
        other => failed(format!("it cannot be fetched: {other}")),
    }
}

fn failed(reason: String) -> Unfetched {
    Unfetched::Failed(reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_no_proxy_no_redirect_and_a_time() {
        let config = config(Duration::from_secs(7), true);
        assert!(config.proxy().is_none());
        assert_eq!(config.max_redirects(), 0);
        assert!(config.https_only());
        assert_eq!(config.timeouts().global, Some(Duration::from_secs(7)));
    }

    #[test]
    fn a_name_that_leads_inside_is_refused_before_anything_is_sent() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("it can be asked");
        let port = listener.local_addr().expect("it is bound").port();
        // Names are refused by their text before; here only the address is looked at.
        for host in ["localhost", "127.0.0.1"] {
            let url = Url::parse(&format!("https://{host}:{port}/a.yaml")).expect("a URL");
            let answer = Network.get(&url, 100, Duration::from_secs(5));
            assert_eq!(answer, Err(Unfetched::Refused(NotPublic.to_string())), "{host}");
        }
        let called = listener.accept().map(|_| ());
        assert_eq!(called.map_err(|e| e.kind()), Err(std::io::ErrorKind::WouldBlock));
    }

    /// Asks a host of this machine, without TLS, that gives this answer; what it was asked, too.
    fn ask(answer: &'static str, bytes: usize) -> (Result<Answer, Unfetched>, String) {
        use std::io::{Read as _, Write as _};
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("it is bound").port();
        let host = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("somebody calls");
            let mut asked = Vec::new();
            let mut part = [0; 1024];
            while !asked.ends_with(b"\r\n\r\n") {
                let read = stream.read(&mut part).expect("a request");
                asked.extend_from_slice(&part[..read]);
            }
            // Whoever has heard enough goes.
            let _ = stream.write_all(answer.as_bytes());
            String::from_utf8(asked).expect("a request is text")
        });
        let agent = Agent::new_with_config(config(Duration::from_secs(5), false));
        let url = Url::parse(&format!("http://127.0.0.1:{port}/a.yaml?b")).expect("a URL");
        let answer = send(&agent, &url, bytes);
        (answer, host.join().expect("the host ends"))
    }

    #[test]
    fn answers_are_documents_redirects_or_failures() {
        let whole = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\nset-cookie: a=b\r\n\r\na: 1";
        let (answer, asked) = ask(whole, 4);
        assert_eq!(answer, Ok(Answer::Document(b"a: 1".to_vec())));
        assert!(asked.starts_with("GET /a.yaml?b HTTP/1.1\r\n"), "{asked}");
        let mut names: Vec<_> = asked
            .lines()
            .skip(1)
            .filter_map(|l| Some(l.split_once(':')?.0.to_lowercase()))
            .collect();
        names.sort();
        assert_eq!(names, ["accept", "host", "user-agent"], "{asked}");
        let large = Err(failed("it is larger than 3 bytes".to_owned()));
        assert_eq!(ask(whole, 3).0, large);
        assert_eq!(ask("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\na: 1", 3).0, large);
        let moved = "HTTP/1.1 302 Found\r\nlocation: //b/c\r\ncontent-length: 0\r\n\r\n";
        assert_eq!(ask(moved, 9).0, Ok(Answer::Elsewhere("//b/c".to_owned())));
        let gone = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";
        assert_eq!(ask(gone, 9).0, Err(failed("the host answers with status 404".to_owned())));
        assert!(ask("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\na", 9).0.is_err());
        assert!(ask("nonsense\r\n\r\n", 9).0.is_err());
    }

    #[test]
    fn one_address_inside_refuses_the_host() {
        let addresses = |all: &[&str]| -> Vec<SocketAddr> {
            all.iter().map(|a| a.parse().expect("an address")).collect()
        };
        assert!(check(&addresses(&["1.1.1.1:443", "[2606:4700::1111]:443"])).is_ok());
        assert!(check(&addresses(&["1.1.1.1:443", "10.0.0.1:443"])).is_err());
    }
}
