//! What Prism says of the requests of a generated server: one row for each document.

use std::fmt;
use std::path::Path;

use mcp_gen_servers::judge::{Accused, Judged, Ruling, judge};

use super::steps::{Row, Workshop, name_of};

/// One document.
pub struct Sentence {
    name: String,
    judged: Result<Vec<Judged>, String>,
}

impl Sentence {
    /// The head of the table.
    pub const HEADER: &'static str = "| document | calls | judged valid | invalid | refused by the server | not judged |\n|---|--:|--:|--:|--:|--:|";

    /// Builds the server of `document` and has all its requests judged.
    pub fn of(workshop: &Workshop, prism: &Path, document: &Path) -> Self {
        Self { name: name_of(document), judged: judged(workshop, prism, document) }
    }

    /// Whether anything was found.
    pub fn is_clean(&self) -> bool {
        self.found().next().is_none() && self.judged.is_ok()
    }

    /// What was not judged valid, a line each.
    pub fn found(&self) -> impl Iterator<Item = String> {
        let all = self.judged.iter().flatten().filter(|j| j.ruling != Ruling::Valid);
        all.map(|judged| format!("{}: {}: {:?}", self.name, judged.name, judged.ruling))
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = match &self.judged {
            Ok(all) => all,
            Err(why) => return write!(f, "| {} | {} | | | | |", self.name, why.replace('\n', " ")),
        };
        let [mut valid, mut invalid, mut refused, mut open] = [0; 4];
        for judged in all {
            match judged.ruling {
                Ruling::Valid => valid += 1,
                Ruling::Invalid(_) => invalid += 1,
                Ruling::Refused(_) => refused += 1,
                Ruling::Open(_) => open += 1,
            }
        }
        let calls = all.len();
        write!(f, "| {} | {calls} | {valid} | {invalid} | {refused} | {open} |", self.name)
    }
}

fn judged(workshop: &Workshop, prism: &Path, document: &Path) -> Result<Vec<Judged>, String> {
    // Requests to servers of single operations would go to where they really are.
    let here = |api: &mut mcp_gen::ir::Api| {
        for operation in &mut api.operations {
            operation.servers.clear();
        }
    };
    let built = workshop.build(document, &mut Row::default(), here)?;
    let accused = Accused {
        api: &built.api,
        plan: &built.plan,
        folder: &built.folder,
        program: &built.program,
        document,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|e| format!("runtime: {e}"))?;
    runtime.block_on(judge(prism, &accused))
}
