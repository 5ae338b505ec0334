//! Real documents, where a folder of them lies beside the repository: `../shared/corpus`, or the
//! folder that `MCP_GEN_CORPUS` names. Skipped with a message where there is none. Documents over
//! a size are taken only with `MCP_GEN_CORPUS_ALL=1`; what is left out is said.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::path::PathBuf;

use mcp_gen::codegen::Options;
use mcp_gen::config::Config;
use mcp_gen::diagnostic::Diagnostics;
use mcp_gen::pipeline;
use mcp_gen::plan::Effect;
use mcp_gen::source::{Source, Sources};

use super::support::root;

/// Largest document, in bytes, that an ordinary run takes.
const LARGEST: usize = 700_000;

/// File and number of operations, as the index of the folder says.
fn documents() -> Option<Vec<(PathBuf, usize)>> {
    let folder = std::env::var_os("MCP_GEN_CORPUS")
        .map_or_else(|| root().join("../shared/corpus"), PathBuf::from);
    let index = std::fs::read_to_string(folder.join("INDEX.tsv")).ok()?;
    let mut lines = index.lines().map(|l| l.split('\t').collect::<Vec<_>>());
    let head = lines.next()?;
    let column = |name: &str| head.iter().position(|h| *h == name);
    let (file, operations) = (column("file")?, column("operations")?);
    let rows = lines
        .filter_map(|l| Some((folder.join(l.get(file)?), l.get(operations)?.trim().parse().ok()?)));
    Some(rows.filter(|(path, _)| path.is_file()).collect())
}

#[test]
fn real_documents_are_planned_whole_and_their_surface_is_safe() {
    let Some(documents) = documents() else {
        eprintln!("skipped: no folder of real documents beside the repository");
        return;
    };
    let all = std::env::var_os("MCP_GEN_CORPUS_ALL").is_some();
    let (mut taken, mut faults) = (0, Vec::new());
    for (path, operations) in documents {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if !path.components().any(|c| c.as_os_str() == "real") {
            continue;
        }
        if text.len() > LARGEST && !all {
            eprintln!("left out: {name}, {} bytes; MCP_GEN_CORPUS_ALL=1 takes it", text.len());
            continue;
        }
        let mut diagnostics = Diagnostics::default();
        let mut sources = Sources::default();
        let source = Source { name: path.display().to_string(), text };
        let api = match pipeline::read(&mut diagnostics, &mut sources, source) {
            Ok(api) => api,
            Err(e) => {
                faults.push(format!("{name}: {e}"));
                continue;
            }
        };
        taken += 1;
        let config = Config::default();
        let plan = match pipeline::plan(&mut diagnostics, &api, &config, None) {
            Ok(plan) => plan,
            Err(e) => {
                faults.push(format!("{name}: {e}"));
                continue;
            }
        };
        if api.operations.len() != operations {
            faults.push(format!("{name}: {} of {operations} operations", api.operations.len()));
        }
        if plan.operations() != api.operations.len() {
            faults.push(format!("{name}: the plan accounts for {}", plan.operations()));
        }
        let listed = plan.primary() + if plan.catalog.is_some() { 3 } else { 0 };
        if listed > config.max_primary {
            faults.push(format!("{name}: {listed} primary tools"));
        }
        for tool in &plan.tools {
            let reads = tool.annotations.read_only;
            for entry in plan.catalog.iter().flat_map(|c| &c.entries) {
                if tool.actions.iter().any(|a| a.operation == entry.operation)
                    && reads != (entry.effect == Effect::Read)
                {
                    faults.push(format!("{name}: {} is in {}", entry.operation, tool.name));
                }
            }
        }
        let Some(files) = pipeline::generate(&mut diagnostics, &plan, &api, &Options::default())
        else {
            faults.push(format!("{name}: {:?}", diagnostics.sorted()));
            continue;
        };
        let tools = serde_json::from_str(&files.generated["tools.json"]).expect("it is JSON");
        let unsafe_ones = mcp_gen::planner::safe_subset::safe_subset_errors(&tools);
        if !unsafe_ones.is_empty() {
            faults.push(format!("{name}: {}", unsafe_ones[..unsafe_ones.len().min(5)].join("; ")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(taken > 20, "only {taken} documents were taken");
}
