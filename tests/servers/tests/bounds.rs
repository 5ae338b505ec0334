//! H5: however much an API sends, the server keeps little of it. Memory is counted by the system, so
//! this is for Linux.
#![cfg(target_os = "linux")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use mcp_gen_servers::locate::locate_binary;
use mcp_gen_servers::raw::Raw;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

const MIB: u64 = 1024 * 1024;

/// The largest reply that the server reads unless it is told otherwise.
const CAP: u64 = 10 * MIB;

/// A gzip stream of `zeros` bytes of nothing: one block of the longest matches there are.
fn bomb(zeros: usize) -> Vec<u8> {
    let (mut out, mut held, mut count) = (vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255], 0_u64, 0_u32);
    let mut put = |out: &mut Vec<u8>, value: u32, bits: u32, reversed: bool| {
        for at in 0..bits {
            let shift = if reversed { bits - 1 - at } else { at };
            held |= u64::from(value >> shift & 1) << count;
            count += 1;
            if count == 8 {
                out.push(u8::try_from(held).expect("eight bits"));
                (held, count) = (0, 0);
            }
        }
    };
    put(&mut out, 0b011, 3, false);
    put(&mut out, 0x30, 8, true);
    for _ in 0..zeros / 258 {
        put(&mut out, 0xC5, 8, true);
        put(&mut out, 0, 5, true);
    }
    put(&mut out, 0, 16, true);
    out.extend([0; 8]);
    out
}

/// An API that answers with `head` and then with `body` again and again, until the client has enough
/// or `most` bytes are sent. Counts what was sent.
async fn endless(head: &'static str, body: Vec<u8>, most: u64) -> (String, Arc<AtomicU64>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    let sent = Arc::new(AtomicU64::new(0));
    let (count, body) = (Arc::clone(&sent), Arc::new(body));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (count, body) = (Arc::clone(&count), Arc::clone(&body));
            tokio::spawn(async move {
                let mut request = [0; 4096];
                let _ = stream.read(&mut request).await;
                let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\n{head}\r\n\r\n");
                let _ = stream.write_all(head.as_bytes()).await;
                let mut written = 0;
                while written < most && stream.write_all(&body).await.is_ok() {
                    written += body.len() as u64;
                    count.fetch_add(body.len() as u64, Ordering::Relaxed);
                }
            });
        }
    });
    (base, sent)
}

fn highest(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line");
    line.split_whitespace().next().and_then(|kib| kib.parse::<u64>().ok()).expect("a number") * 1024
}

/// Calls once, and gives the text of the answer and by how much memory has grown.
async fn grown(base: &str) -> (String, u64) {
    let environment = [("REPAIR_CAFE_BASE_URL", base), ("REPAIR_CAFE_LOG", "error")];
    let mut raw = Raw::start(&locate_binary("repair-cafe"), &environment);
    raw.initialize().await;
    let call = |id: u32| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params":
            {"name": "read_repairs", "arguments": {"action": "list"}}})
    };
    // What is only made once is made by a call that ends at once.
    let refused = json!({"jsonrpc": "2.0", "id": 0, "method": "tools/call", "params":
        {"name": "read_repairs", "arguments": {"action": "get"}}});
    raw.ask(&refused).await;
    let before = highest(raw.id());
    let answer = raw.ask(&call(1)).await;
    let after = highest(raw.id());
    raw.finish().await;
    (answer["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned(), after - before)
}

#[tokio::test(flavor = "multi_thread")]
async fn h5_a_reply_of_gigabytes_is_given_up_and_not_kept() {
    // Three GiB are announced and would be sent.
    let head = "Content-Type: application/json\r\nContent-Length: 3221225472";
    let (base, sent) = endless(head, vec![b' '; 65_536], 3 * 1024 * MIB).await;
    let (text, growth) = grown(&base).await;
    assert!(text.contains("larger than 10 MiB"), "{text}");
    let sent = sent.load(Ordering::Relaxed);
    assert!(sent < 4 * CAP, "{sent} bytes were read");
    assert!(growth < 2 * CAP, "memory grew by {growth} bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn h5_a_gigabyte_in_gzip_is_given_up_and_not_kept() {
    let bytes = bomb(1024 * 1024 * 1024);
    let head = "Content-Type: application/json\r\nContent-Encoding: gzip";
    let length = bytes.len() as u64;
    assert!(length < 8 * MIB, "{length}");
    let (base, _) = endless(head, bytes, length).await;
    let (text, growth) = grown(&base).await;
    assert!(text.contains("larger than 10 MiB"), "{text}");
    assert!(growth < 2 * CAP, "memory grew by {growth} bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn r8_events_without_an_end_are_cut_and_not_kept() {
    let event = b"data: {\"i\":1}\n\n".repeat(4096);
    let (base, _) = endless("Content-Type: text/event-stream", event, 1024 * MIB).await;
    let (text, growth) = grown(&base).await;
    assert!(text.contains("_truncated"), "{text}");
    assert!(growth < 2 * CAP, "memory grew by {growth} bytes");
}
