//! The API describes itself; the tools are made of that.

#[path = "src/api.rs"]
#[allow(dead_code, reason = "only the description is wanted here")]
mod api;

use std::error::Error;
use std::path::PathBuf;

use utoipa::OpenApi as _;

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let document = out.join("openapi.json");
    std::fs::write(&document, api::Description::openapi().to_pretty_json()?)?;
    mcp_gen::Builder::new(document).config("mcp-gen.yaml").hooks("crate::Signed").generate()?;
    println!("cargo::rerun-if-changed=src/api.rs");
    Ok(())
}
