//! What of a server can be seen: all of it, or the toolsets that are on.

use super::care::{self, Extras};
use super::own;
use super::search::Index;
use super::settings::Settings;
use super::table::Service;
use super::toolsets;
use rmcp::model::{JsonObject, Tool};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// A server as it is seen. It never changes; enabling a toolset gives another one.
#[derive(Debug)]
pub struct View {
    /// The tables, without what is off.
    pub service: &'static Service,
    /// The tools as they are listed.
    pub tools: Vec<Tool>,
    /// The toolsets that are on; `None` when all is.
    pub on: Option<BTreeSet<String>>,
    /// Arguments of the server itself that tools were given.
    pub extras: BTreeMap<String, Extras>,
    index: OnceLock<Result<Index, String>>,
    files: bool,
}

impl View {
    /// What the settings show at the start.
    ///
    /// # Errors
    /// A sentence, where tables or settings cannot be used.
    pub fn start(service: &'static Service, settings: &Settings) -> Result<Self, String> {
        toolsets::known(service, &settings.toolsets)?;
        let chosen: BTreeSet<String> = settings.toolsets.iter().cloned().collect();
        let on = match (chosen.is_empty(), settings.dynamic_toolsets) {
            (false, _) => Some(chosen),
            (true, true) => Some(BTreeSet::from([toolsets::DEFAULT.to_owned()])),
            (true, false) => None,
        };
        Self::new(service, on, settings)
    }

    /// `service` with these toolsets, or all of it.
    ///
    /// # Errors
    /// The tables cannot be read, a fault of the generator.
    pub fn new(
        service: &'static Service,
        on: Option<BTreeSet<String>>,
        settings: &Settings,
    ) -> Result<Self, String> {
        let service = if on.is_some() || settings.read_only {
            &*Box::leak(Box::new(toolsets::narrow(service, on.as_ref(), settings.read_only)?))
        } else {
            service
        };
        let files = settings.files.is_some();
        let mut tools: Vec<Tool> = serde_json::from_str(&told(service.tools_json, files))
            .map_err(|error| format!("tools.json: {error}"))?;
        for tool in &mut tools {
            // It says the toolsets, which is for us.
            tool.meta = None;
        }
        let extras = care::extend(&mut tools, settings);
        let own: Vec<Tool> = serde_json::from_value(own::definitions(settings))
            .map_err(|error| format!("tools of the server: {error}"))?;
        tools.extend(own);
        Ok(Self { service, tools, on, extras, index: OnceLock::new(), files })
    }

    /// What a tool promises of its answers.
    pub fn output(&self, tool: &str) -> Option<Arc<JsonObject>> {
        self.tools.iter().find(|listed| listed.name == tool)?.output_schema.clone()
    }

    /// The index of the catalog, built once.
    ///
    /// # Errors
    /// It cannot be read, a fault of the generator.
    pub fn index(&self) -> Result<&Index, String> {
        let text = self.service.catalog_json.unwrap_or("[]");
        let parse = || Index::parse(&told(text, self.files));
        self.index.get_or_init(parse).as_ref().map_err(Clone::clone)
    }
}

/// The definitions as this operator's settings make them: files may also be named.
fn told(json: &str, files: bool) -> Cow<'_, str> {
    // The words that the generator writes for every argument that takes a file.
    const WORDS: &str = "File: base64, or data:";
    if files && json.contains(WORDS) {
        return Cow::Owned(json.replace(WORDS, "File: file:PATH, base64, or data:"));
    }
    Cow::Borrowed(json)
}
