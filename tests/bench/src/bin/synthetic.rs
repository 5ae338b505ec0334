//! Prints a synthetic document: `synthetic 1000 > big.yaml`.

use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(operations) = std::env::args().nth(1).and_then(|n| n.parse().ok()) else {
        let _ = writeln!(std::io::stderr(), "usage: synthetic OPERATIONS");
        return ExitCode::from(2);
    };
    match std::io::stdout().write_all(mcp_gen_bench::document(operations).as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
