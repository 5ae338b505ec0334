//! Starts a server: arguments, settings, transport.

use super::exact;
use super::feedback;
use super::hooks::Hooks;
use super::listen;
use super::log;
use super::report;
use super::server::Server;
use super::settings::{self, Settings};
use super::table::Service;
use super::toolsets;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use std::fmt::Write as _;
use std::future::Future;
use std::io::Write as _;
use std::net::SocketAddr;
use std::process::ExitCode;
use tokio::io::{AsyncRead, AsyncWrite};

/// What the command line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Serve over standard input and output.
    Stdio,
    /// Serve over HTTP.
    Http(SocketAddr),
    /// Print how to use the program.
    Help,
    /// Print the version.
    Version,
    /// Print `tools.json`.
    ListTools,
    /// Say whether the settings are such that calls can work.
    Check,
    /// Look into the box for remarks.
    Feedback(Vec<String>),
}

/// Reads the arguments of the program, its own name not among them.
///
/// # Errors
/// A sentence that says which argument is not known.
pub fn command(arguments: impl IntoIterator<Item = String>) -> Result<Command, String> {
    let mut arguments = arguments.into_iter();
    let mut command = Command::Stdio;
    while let Some(argument) = arguments.next() {
        let (name, inline) = match argument.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (argument, None),
        };
        match name.as_str() {
            "--help" | "-h" => return Ok(Command::Help),
            "--version" | "-V" => return Ok(Command::Version),
            "--check" => command = Command::Check,
            "--list-tools" | "--print-tools" => command = Command::ListTools,
            "--stdio" => command = Command::Stdio,
            "--read-only" | "--dry-run" => {}
            "feedback" => return Ok(Command::Feedback(arguments.collect())),
            "--toolsets" if inline.is_some() => {}
            "--toolsets" => {
                arguments.next().ok_or("--toolsets needs names, parted by commas")?;
            }
            "--http" => {
                let text = inline
                    .or_else(|| arguments.next())
                    .ok_or("--http needs an address, such as 127.0.0.1:8080")?;
                let address = if text.chars().all(|c| c.is_ascii_digit()) {
                    format!("127.0.0.1:{text}")
                } else {
                    text.replacen("localhost", "127.0.0.1", 1)
                };
                command = Command::Http(address.parse().map_err(|_| {
                    format!("`{text}` is no address; --http takes one such as 127.0.0.1:8080")
                })?);
            }
            _ => return Err(format!("unknown argument `{name}`; --help shows what there is")),
        }
    }
    Ok(command)
}

/// The toolsets that the arguments name; `None` when they name none.
pub fn chosen(arguments: impl IntoIterator<Item = String>) -> Option<Vec<String>> {
    let mut arguments = arguments.into_iter();
    let mut chosen: Option<Vec<String>> = None;
    while let Some(argument) = arguments.next() {
        let list = match argument.strip_prefix("--toolsets") {
            Some("") => arguments.next(),
            Some(rest) => rest.strip_prefix('=').map(str::to_owned),
            None => None,
        };
        if let Some(list) = list {
            let names = list.split(',').map(|name| name.trim().to_owned());
            chosen.get_or_insert_default().extend(names.filter(|name| !name.is_empty()));
        }
    }
    chosen
}

/// Runs a server to its end.
pub fn main<H: Hooks>(
    service: &'static Service,
    hooks: impl FnOnce() -> Result<H, String>,
) -> ExitCode {
    log::install_panic_hook();
    match run(service, hooks) {
        Ok(()) => ExitCode::SUCCESS,
        Err(words) => {
            log::error(&words);
            ExitCode::from(2)
        }
    }
}

fn run<H: Hooks>(
    service: &'static Service,
    hooks: impl FnOnce() -> Result<H, String>,
) -> Result<(), String> {
    match command(std::env::args().skip(1))? {
        Command::Help => return print(&help(service)),
        Command::Version => return print(&version(service)),
        Command::Feedback(words) => {
            let settings = Settings::from_env(service)?;
            let file = settings
                .feedback
                .ok_or_else(|| format!("{}_FEEDBACK_FILE names no file", service.env_prefix))?;
            return print(&feedback::run(&file, &words)?);
        }
        Command::Stdio | Command::Http(_) | Command::Check | Command::ListTools => {}
    }
    let mut settings = Settings::from_env(service)?;
    settings.toolsets = chosen(std::env::args().skip(1)).unwrap_or(settings.toolsets);
    settings.read_only |= has("--read-only");
    settings.dry_run |= has("--dry-run");
    log::set(settings.log);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("cannot start: {error}"))?;
    let outcome = runtime.block_on(async move {
        let server = Server::new(service, settings, hooks()?)?;
        match command(std::env::args().skip(1))? {
            Command::Http(address) => {
                report::ready(&server)?;
                listen::permitted(&server, address)?;
                let listener = tokio::net::TcpListener::bind(address)
                    .await
                    .map_err(|error| format!("cannot listen at {address}: {error}"))?;
                listen::serve(server, listener, listen::told_to_stop()).await
            }
            Command::Check => {
                let (mut text, mut bad) = report::report(&server).await;
                if let Some((line, is_bad)) = report::reach(&server).await {
                    text.push_str(&line);
                    bad |= is_bad;
                }
                print(&text)?;
                if bad { Err("the settings must be mended".to_owned()) } else { Ok(()) }
            }
            Command::ListTools => print(&listed(&server)?),
            Command::Stdio | Command::Help | Command::Version | Command::Feedback(_) => {
                report::ready(&server)?;
                let (input, output) = rmcp::transport::stdio();
                serve_stdio_until(server, input, output, listen::told_to_stop()).await
            }
        }
    });
    // A read of standard input cannot be stopped; it must not keep the process.
    runtime.shutdown_background();
    outcome
}

/// Serves one client over a pair of streams, until the client is gone.
///
/// # Errors
/// The client did not speak the protocol.
pub async fn serve_stdio<R, W>(server: Server, input: R, output: W) -> Result<(), String>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    serve_stdio_until(server, input, output, std::future::pending()).await
}

/// Serves one client over a pair of streams, until the client is gone or `stop` is done. Calls in
/// flight are answered before the end.
///
/// # Errors
/// The client did not speak the protocol.
pub async fn serve_stdio_until<R, W>(
    server: Server,
    input: R,
    output: W,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), String>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let input = exact::Reader::new(input, stop, server.landed());
    let running = match server.serve((input, output)).await {
        Ok(running) => running,
        // A client that left before it said anything did no wrong.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(format!("no client: {error}")),
    };
    running.waiting().await.map_err(|error| format!("the server failed: {error}"))?;
    Ok(())
}

/// Whether the arguments hold an option that takes no value.
fn has(option: &str) -> bool {
    std::env::args().skip(1).any(|argument| argument == option)
}

/// The tools as JSON, as clients get them with these arguments and settings.
fn listed(server: &Server) -> Result<String, String> {
    let view = server.view();
    let rows: Result<Vec<String>, _> = view.tools.iter().map(serde_json::to_string).collect();
    let rows = rows.map_err(|error| format!("the tools cannot be shown: {error}"))?;
    Ok(format!("[\n{}\n]\n", rows.join(",\n")))
}

fn print(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| format!("cannot write: {error}"))
}

/// The version, and what it was built as.
fn version(service: &Service) -> String {
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    format!(
        "{} {}\nMCP {} to {}, {}-{}, {build} build\n",
        service.name,
        service.version,
        rmcp::model::ProtocolVersion::V_2024_11_05,
        rmcp::model::ProtocolVersion::LATEST,
        std::env::consts::OS,
        std::env::consts::ARCH,
    )
}

/// How to use the program.
pub fn help(service: &Service) -> String {
    let prefix = service.env_prefix;
    let blank = " ".repeat(prefix.len());
    let mut out = format!(
        "{} {}: an MCP server\n\nUsage: {} [--http ADDRESS | --check | --print-tools | --help | --version] [--read-only] [--dry-run]\n\
         \x20      {} feedback list | status [ID new|seen|done] | delete ID\n\n\
         Without an argument it speaks MCP over standard input and output.\n\n\
         \x20 --http ADDRESS   serve Streamable HTTP at http://ADDRESS/mcp, such as 127.0.0.1:8080\n\
         \x20 --check          say whether the settings are such that calls can work\n\
         \x20 --print-tools    print the tools as JSON\n\
         \x20 --read-only      serve only what reads\n\
         \x20 --dry-run        show the requests of all calls and send none\n\n\
         Environment:\n\
         \x20 {prefix}_BASE_URL                 where the API lives{}\n\
         \x20 {prefix}_TIMEOUT_SECONDS          time for one request (30)\n\
         \x20 {prefix}_CONNECT_TIMEOUT_SECONDS  time to connect (10)\n\
         \x20 {prefix}_CONCURRENCY              requests at the same time (8)\n\
         \x20 {prefix}_REQUESTS_PER_MINUTE      requests in a minute (no limit)\n\
         \x20 {prefix}_MAX_REPLY_MIB            largest reply that is read (10)\n\
         \x20 {prefix}_IDEMPOTENCY_HEADER       header for a key of each call that writes (none)\n\
         \x20 {prefix}_HEADERS                  headers of all requests: Name=value, Other=value (none)\n\
         \x20 {prefix}_PROXY                    proxy for all requests (HTTPS_PROXY and its like)\n\
         \x20 {prefix}_TLS_CA_FILE              PEM file of certificates to trust besides the system's\n\
         \x20 {prefix}_TLS_CERT_FILE            PEM file of this client's certificate, with its key\n\
         \x20 {prefix}_TLS_KEY_FILE             PEM file of the key, where it is apart\n\
         \x20 {prefix}_CREDENTIAL_ORIGINS       other origins that credentials may be sent to\n\
         \x20 {prefix}_ARRAY_FORMAT             lists inside deepObject: brackets, indices, repeat or comma\n\
         \x20 {prefix}_READ_ONLY                1 is --read-only\n\
         \x20 {prefix}_DRY_RUN                  1 is --dry-run\n\
         \x20 {prefix}_CONFIRM                  before something is taken away: ask where the client can (ask);\n\
         \x20 {blank}                           else need `confirm` (argument) or refuse; or never ask (off)\n\
         \x20 {prefix}_DOWNLOADS_DIR            folder for replies that are no text; they become resources (none)\n\
         \x20 {prefix}_EMBED_MAX_KIB            largest reply that is no text and is given along (none)\n\
         \x20 {prefix}_TOOLS_PAGE               tools on a page of tools/list (all)\n\
         \x20 {prefix}_HEALTH_TOOL              1 adds a tool that says how the server is\n\
         \x20 {prefix}_FEEDBACK_FILE            file for remarks of models, and a tool that adds them (none)\n\
         \x20 {prefix}_LOG                      error, warn, info or debug (info)\n\
         \x20 {prefix}_USAGE_LOG                file that gets a line of JSON for each call (none)\n\
         \x20 {prefix}_FILES_DIR                folder whose files may be sent as `file:PATH` (none)\n\
         \x20 {prefix}_HTTP_TOKEN               bearer token that HTTP clients must send\n\
         \x20 {prefix}_HTTP_HOSTS               host names besides localhost that HTTP clients may use\n\
         \x20 {prefix}_HTTP_ORIGINS             browser origins that may use the server\n",
        service.name,
        service.version,
        service.name,
        service.name,
        service.base_url.map_or_else(String::new, |url| format!(" ({url})")),
    );
    for scheme in service.schemes {
        let _ = writeln!(out, "  {}", settings::variables(service, scheme));
    }
    let sets = toolsets::all(service).unwrap_or_default();
    if !sets.is_empty() {
        let names: Vec<&str> = sets.keys().map(String::as_str).collect();
        let _ = write!(
            out,
            "\n  --toolsets NAMES  serve only the tools of these, with commas between them: {}\n\
             \x20 {prefix}_TOOLSETS          the same, without the option\n\
             \x20 {prefix}_DYNAMIC_TOOLSETS  1 lets a client over stdio enable toolsets itself\n",
            names.join(", "),
        );
    }
    if !service.schemes.is_empty() {
        out.push_str("Secrets may come from files: add _FILE to the name.\n");
    }
    out
}
