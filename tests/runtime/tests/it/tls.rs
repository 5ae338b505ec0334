//! A2, H7, K1 over https: certificates made for the test, a service that asks for them on loopback.

use crate::recorder::{Recorder, with_headers};
use crate::tables::{call, need, operation, plain, secured, server, single, with_schemes};
use mcp_gen_runtime::runtime::reply::Outcome;
use mcp_gen_runtime::runtime::table::{Scheme, SchemeKind, Service};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use serde_json::json;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

/// A service behind TLS, and the files that a client of it needs.
struct Behind {
    url: String,
    folder: PathBuf,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Drop for Behind {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn issuer() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// A certificate and its key, as PEM.
fn signed(name: &str, by: &CertifiedIssuer<'static, KeyPair>) -> (String, String) {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
    (params.signed_by(&key, by).unwrap().pem(), key.serialize_pem())
}

impl Behind {
    async fn start(name: &str, asks: bool) -> Self {
        let provider = tokio_rustls::rustls::crypto::ring::default_provider();
        let _ = provider.install_default();
        let folder =
            std::env::temp_dir().join(format!("mcp-gen-runtime-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let authority = issuer();
        let (certificate, key) = signed("localhost", &authority);
        let (own, own_key) = signed("client", &authority);
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
        write("ca.pem", &authority.pem());
        write("client.pem", &own);
        write("client.key", &own_key);
        write("both.pem", &format!("{own}{own_key}"));

        let builder = ServerConfig::builder();
        let builder = if asks {
            let mut roots = RootCertStore::empty();
            roots.add(authority.der().clone()).unwrap();
            let verifier = WebPkiClientVerifier::builder(Arc::new(roots)).build().unwrap();
            builder.with_client_cert_verifier(verifier)
        } else {
            builder.with_no_client_auth()
        };
        let chain = vec![CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap()];
        let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(builder.with_single_cert(chain, key).unwrap()));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("https://localhost:{}", listener.local_addr().unwrap().port());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let list = seen.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, list) = (acceptor.clone(), list.clone());
                tokio::spawn(async move {
                    let Ok(mut stream) = acceptor.accept(stream).await else { return };
                    let mut bytes = Vec::new();
                    while !bytes.ends_with(b"\r\n\r\n") {
                        let Ok(byte) = stream.read_u8().await else { return };
                        bytes.push(byte);
                    }
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    list.lock().unwrap().push(text.lines().next().unwrap().to_owned());
                    let answer =
                        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
                    let _ = stream.write_all(answer).await;
                    let _ = stream.shutdown().await;
                });
            }
        });
        Self { url, folder, seen }
    }

    fn file(&self, name: &str) -> String {
        self.folder.join(name).to_str().unwrap().to_owned()
    }

    fn count(&self) -> usize {
        self.seen.lock().unwrap().len()
    }
}

fn keyed(kind: SchemeKind) -> Service {
    let act = plain("do", secured(operation("GET /a", vec![], None), vec![vec![need(0)]]), &[]);
    let scheme = Scheme { name: "s", env: "S", kind };
    with_schemes(single(act, &json!({})), vec![scheme])
}

async fn called(kind: SchemeKind, url: &str, variables: &[(&str, &str)]) -> Outcome {
    call(&server(keyed(kind), url, variables), json!({})).await
}

#[tokio::test]
async fn a_certificate_is_trusted_when_its_authority_is_named() {
    let api = Behind::start("ca", false).await;
    let key = ("TEST_S", "c4nary-key");
    let authority = api.file("ca.pem");
    let kind = || SchemeKind::QueryKey("key");
    let refused = called(kind(), &api.url, &[key]).await;
    assert!(refused.is_error && refused.text.contains("ertificate"), "{}", refused.text);
    assert!(!refused.text.contains("c4nary"), "K1: {}", refused.text);
    assert_eq!(api.count(), 0);
    let trusted = called(kind(), &api.url, &[key, ("TEST_TLS_CA_FILE", &authority)]).await;
    assert!(!trusted.is_error, "{}", trusted.text);
    assert_eq!(api.seen.lock().unwrap()[0], "GET /a?key=c4nary-key HTTP/1.1");
    // The name in the certificate counts too.
    let other = api.url.replace("localhost", "127.0.0.1");
    let refused = called(kind(), &other, &[key, ("TEST_TLS_CA_FILE", &authority)]).await;
    assert!(refused.is_error, "{}", refused.text);
    assert_eq!(api.count(), 1);
}

#[tokio::test]
async fn a2_a_service_that_wants_a_certificate_gets_the_one_of_the_settings() {
    let api = Behind::start("mtls", true).await;
    let authority = api.file("ca.pem");
    let ca = ("TEST_TLS_CA_FILE", authority.as_str());
    let (both, alone, key) = (api.file("both.pem"), api.file("client.pem"), api.file("client.key"));
    let token = ("TEST_S", "t");
    let without = called(SchemeKind::Bearer, &api.url, &[token, ca]).await;
    assert!(without.is_error, "{}", without.text);
    let text = called(SchemeKind::MutualTls, &api.url, &[ca]).await.text;
    assert!(text.contains("TEST_S_FILE") && text.contains("Nothing was sent"), "{text}");
    assert_eq!(api.count(), 0);

    for (kind, variables) in [
        (SchemeKind::MutualTls, vec![ca, ("TEST_S_FILE", both.as_str())]),
        (SchemeKind::Bearer, vec![ca, token, ("TEST_TLS_CERT_FILE", both.as_str())]),
        (
            SchemeKind::Bearer,
            vec![ca, token, ("TEST_TLS_CERT_FILE", &alone), ("TEST_TLS_KEY_FILE", &key)],
        ),
    ] {
        let outcome = called(kind, &api.url, &variables).await;
        assert!(!outcome.is_error, "{}", outcome.text);
    }
    assert_eq!(api.count(), 3);
    // A file that is none is told at the call, without its content.
    let wrong = called(SchemeKind::MutualTls, &api.url, &[ca, ("TEST_S_FILE", &authority)]).await;
    assert!(wrong.is_error && !wrong.text.contains("BEGIN"), "{}", wrong.text);
}

#[tokio::test]
async fn a_proxy_gets_the_requests_that_leave_this_machine() {
    let proxy = Recorder::start(vec![with_headers(200, &[], "{}")]).await;
    let secret = proxy.url.replace("http://", "http://user:c4nary@");
    let kind = || SchemeKind::Bearer;
    let variables = [("TEST_S", "t"), ("TEST_PROXY", secret.as_str())];
    let outcome = called(kind(), "http://api.example", &variables).await;
    assert!(!outcome.is_error, "{}", outcome.text);
    let seen = proxy.only();
    assert_eq!(seen.line, "GET http://api.example/a HTTP/1.1");
    assert_eq!(seen.header("proxy-authorization"), Some("Basic dXNlcjpjNG5hcnk="));
    let dead = [("TEST_S", "t"), ("TEST_PROXY", "http://user:c4nary@127.0.0.1:1")];
    let outcome = called(kind(), "http://api.example", &dead).await;
    assert!(outcome.is_error && !outcome.text.contains("c4nary"), "K1: {}", outcome.text);
    let home = Recorder::start(vec![with_headers(200, &[], "{}")]).await;
    assert!(!called(kind(), &home.url, &variables).await.is_error);
    assert_eq!((home.seen().len(), proxy.seen().len()), (1, 1), "loopback is not behind a proxy");
}
