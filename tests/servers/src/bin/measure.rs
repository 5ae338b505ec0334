//! How fast and how large the repair café's server is, next to a loop that calls the API itself.
//!
//! `cargo build --release -p repair-cafe -p repair-cafe-api && cargo run --release -p mcp-gen-servers
//! --bin measure`. Prints a table, as Markdown. Needs a quiet machine, and `/proc` for memory.

#![allow(clippy::print_stdout, reason = "a table is what this program is for")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use mcp_gen_servers::locate::workspace;
use mcp_gen_servers::raw::Raw;
use serde_json::{Value, json};

const STARTS: usize = 15;
const CALLS: usize = 2000;
const PARALLEL: usize = 64;

/// The API, which ends with this.
struct Api {
    child: Child,
    base: String,
}

impl Drop for Api {
    fn drop(&mut self) {
        // It has no state that would be lost.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::main]
async fn main() {
    let [server, api] = ["repair-cafe", "repair-cafe-api"].map(program);
    let api = start_api(&api);
    let environment = [("REPAIR_CAFE_BASE_URL", api.base.as_str()), ("REPAIR_CAFE_LOG", "error")];

    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let start = Instant::now();
        let mut raw = Raw::start(&server, &environment);
        raw.initialize().await;
        let answer = raw.ask(&request(1, "tools/list", &json!({}))).await;
        starts.push(start.elapsed());
        assert!(answer["result"]["tools"].is_array(), "{answer}");
        raw.finish().await;
    }

    let mut raw = Raw::start(&server, &environment);
    raw.initialize().await;
    raw.ask(&request(1, "tools/list", &json!({}))).await;
    let idle = memory(raw.id(), "VmRSS:");

    let mut through = Vec::new();
    for id in 0..CALLS {
        let start = Instant::now();
        let answer = raw.ask(&call(id)).await;
        through.push(start.elapsed());
        check(&answer);
    }
    let direct = direct(&api.base).await;

    // The next call leaves when one comes back.
    let start = Instant::now();
    for id in 0..PARALLEL {
        raw.send(&call(id).to_string()).await;
    }
    for id in PARALLEL..CALLS + PARALLEL {
        check(&raw.next().await.expect("an answer"));
        if id < CALLS {
            raw.send(&call(id).to_string()).await;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let busy = memory(raw.id(), "VmHWM:");
    raw.finish().await;

    println!("| what | value |\n|---|--:|");
    println!("| start to the answer of tools/list, median of {STARTS} | {} |", at(&mut starts, 50));
    println!("| resident memory, idle | {idle} |");
    println!("| resident memory at its highest, {PARALLEL} calls at a time | {busy} |");
    let mut plain = direct;
    for percent in [50, 99] {
        let (with, without) = (nth(&mut through, percent), nth(&mut plain, percent));
        let added = with.saturating_sub(without);
        println!("| a call, p{percent} | {} |", millis(with));
        println!("| the same request without the server, p{percent} | {} |", millis(without));
        println!("| added, p{percent} | {} |", millis(added));
    }
    #[expect(clippy::cast_precision_loss, reason = "there are few calls")]
    let rate = CALLS as f64 / seconds;
    println!("| calls per second, {PARALLEL} at a time | {rate:.0} |");
}

fn program(name: &str) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| workspace().join("target"));
    let path = target.join("release").join(name);
    assert!(path.is_file(), "{} is missing: cargo build --release -p {name}", path.display());
    path
}

fn start_api(program: &Path) -> Api {
    use std::io::BufRead as _;
    let mut child = Command::new(program)
        .args(["--port", "0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the API starts");
    let mut line = String::new();
    let stdout = child.stdout.take().expect("stdout is a pipe");
    std::io::BufReader::new(stdout).read_line(&mut line).expect("it says its port");
    Api { child, base: format!("http://127.0.0.1:{}", line.trim()) }
}

/// The time of each request of a plain loop.
async fn direct(base: &str) -> Vec<Duration> {
    // Built together with the servers, reqwest has TLS and no provider of its own.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let mut times = Vec::new();
    for _ in 0..CALLS {
        let start = Instant::now();
        let reply = client.get(format!("{base}/repairs?limit=5")).send().await.expect("a reply");
        reply.bytes().await.expect("all of it");
        times.push(start.elapsed());
    }
    times
}

fn request(id: usize, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn call(id: usize) -> Value {
    let arguments = json!({"action": "list", "limit": 5});
    request(id, "tools/call", &json!({"name": "read_repairs", "arguments": arguments}))
}

fn check(answer: &Value) {
    assert_eq!(answer["result"]["isError"], false, "{answer}");
}

fn nth(times: &mut [Duration], percent: usize) -> Duration {
    times.sort_unstable();
    times[(times.len() * percent / 100).min(times.len() - 1)]
}

fn at(times: &mut [Duration], percent: usize) -> String {
    millis(nth(times, percent))
}

fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

fn memory(process: u32, line: &str) -> String {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let kib =
        text.lines().find_map(|l| l.strip_prefix(line)?.split_whitespace().next()?.parse().ok());
    kib.map_or_else(|| "unknown".to_owned(), |kib: f64| format!("{:.1} MiB", kib / 1024.0))
}
