//! `mcp-plan.yaml` back from text.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value as Json;

use super::file::{CALL, FORMAT, SINGLE};
use super::form::{
    CatalogFile, CatalogToolFile, EffectFile, EntryFile, OnlyFormat, PlanFile, PostureFile,
    ToolFile,
};
use super::{
    Action, Annotations, Argument, Catalog, CatalogTool, Connection, Effect, Entry, Excluded,
    Place, Plan, Posture, Sizes, Tool,
};

/// Why a plan file cannot be read: line and column where known, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError {
    /// Line and column, from 1.
    pub position: Option<(usize, usize)>,
    /// What is wrong, lower case, no full stop.
    pub message: String,
}

impl Plan {
    /// Reads what [`Plan::to_yaml`] wrote, possibly edited by a person.
    ///
    /// # Errors
    /// When the text is no YAML, has an unknown key, or another format number.
    pub fn from_yaml(text: &str) -> Result<Self, PlanError> {
        let format: OnlyFormat = parse(text).map_err(|e| PlanError {
            message: if text.trim().is_empty() {
                "the plan is empty".to_owned()
            } else if is_document(text) {
                "this is an OpenAPI document; `mcp-gen plan` makes a plan of it".to_owned()
            } else {
                format!(
                    "this is no plan of mcp-gen: {}",
                    e.message.replace("struct OnlyFormat", "a mapping")
                )
            },
            ..e
        })?;
        if format.format != FORMAT {
            return Err(PlanError {
                position: None,
                message: format!(
                    "the plan has format {}, this version of mcp-gen reads format {FORMAT}",
                    format.format
                ),
            });
        }
        parse::<PlanFile>(text)?.into_plan()
    }
}

fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, PlanError> {
    serde_yaml::from_str(text).map_err(|e| PlanError {
        position: e.location().map(|l| (l.line(), l.column())),
        message: plain(&e.to_string()),
    })
}

/// The message without the place, which [`PlanError::position`] says.
fn plain(message: &str) -> String {
    message.split(" at line ").next().unwrap_or(message).to_owned()
}

impl PlanFile {
    fn into_plan(self) -> Result<Plan, PlanError> {
        let sizes = self.sizes();
        let tools = self.tools.into_iter().map(ToolFile::into_tool).collect::<Result<_, _>>()?;
        let catalog = self.catalog.map(CatalogFile::into_catalog).transpose()?;
        let excluded = self
            .excluded
            .into_iter()
            .map(|e| Excluded { operation: e.operation, reason: e.reason })
            .collect();
        Ok(Plan {
            api_title: self.api.title,
            api_version: self.api.version,
            server: self.server.name,
            title: self.server.title,
            connection: Connection {
                servers: self.connection.servers,
                credentials: self.connection.credentials,
                arrays: self.connection.arrays.map(|arrays| arrays.word().to_owned()),
            },
            sizes,
            instructions: self.server.instructions,
            tools,
            catalog,
            excluded,
        })
    }
}

impl PlanFile {
    fn sizes(&self) -> Sizes {
        let direct = self.tools.iter().map(|t| (&t.name, t.tokens));
        let catalog =
            self.catalog.iter().flat_map(|c| [Some(&c.find), Some(&c.read), c.write.as_ref()]);
        let tools = direct
            .chain(catalog.flatten().map(|t| (&t.name, t.tokens)))
            .filter_map(|(name, tokens)| Some((name.clone(), tokens?)))
            .collect();
        let single = self.account.as_ref().and_then(|a| a.get(SINGLE)).copied().unwrap_or(0);
        Sizes { tools, single: usize::try_from(single).unwrap_or(usize::MAX) }
    }
}

impl ToolFile {
    fn into_tool(self) -> Result<Tool, PlanError> {
        let name = self.name;
        let arguments = self
            .arguments
            .into_iter()
            .map(|a| {
                let to =
                    a.to.into_iter()
                        .map(|(action, text)| Ok((action, place(&name, &a.name, &text)?)))
                        .collect::<Result<_, PlanError>>()?;
                Ok(Argument { name: a.name, schema: a.schema, to, why: a.why })
            })
            .collect::<Result<_, PlanError>>()?;
        Ok(Tool {
            title: self.title,
            posture: match self.posture {
                PostureFile::Primary => Posture::Primary,
                PostureFile::Secondary => Posture::Secondary,
            },
            description: self.description,
            annotations: Annotations {
                read_only: self.annotations.read_only,
                destructive: self.annotations.destructive,
                idempotent: self.annotations.idempotent,
                open_world: self.annotations.open_world,
            },
            actions: self
                .actions
                .into_iter()
                .map(|a| Action {
                    name: a.name,
                    operation: a.operation,
                    summary: a.summary,
                    media_type: a.media_type,
                    required: a.required,
                })
                .collect(),
            selector: self.selector,
            arguments,
            toolsets: self.toolsets,
            output: self.output.map(serde_json::Value::Object),
            why: self.why,
            name,
        })
    }
}

impl CatalogFile {
    fn into_catalog(self) -> Result<Catalog, PlanError> {
        let tool = |t: CatalogToolFile| CatalogTool {
            name: t.name,
            title: t.title,
            description: t.description,
        };
        Ok(Catalog {
            find: tool(self.find),
            read: tool(self.read),
            write: self.write.map(tool),
            entries: self
                .entries
                .into_iter()
                .map(EntryFile::into_entry)
                .collect::<Result<_, _>>()?,
        })
    }
}

impl EntryFile {
    fn into_entry(self) -> Result<Entry, PlanError> {
        let arguments = self
            .arguments
            .into_iter()
            .map(|(name, text)| {
                let to = IndexMap::from([(CALL.to_owned(), place(&self.name, &name, &text)?)]);
                Ok(Argument { name, schema: Json::Object(serde_json::Map::new()), to, why: None })
            })
            .collect::<Result<_, PlanError>>()?;
        Ok(Entry {
            name: self.name,
            operation: self.operation,
            summary: self.summary,
            effect: match self.effect {
                EffectFile::Read => Effect::Read,
                EffectFile::Write => Effect::Write,
            },
            tool: self.tool,
            media_type: self.media_type,
            arguments,
            required: self.required,
            keywords: self.keywords,
            toolsets: self.toolsets,
            why: self.why,
        })
    }
}

fn place(owner: &str, argument: &str, text: &str) -> Result<Place, PlanError> {
    text.parse().map_err(|message| PlanError {
        position: None,
        message: format!("argument `{argument}` of `{owner}`: {message}"),
    })
}

/// Whether a text has the first key of an OpenAPI document, in YAML or in JSON.
fn is_document(text: &str) -> bool {
    let keyed = |line: &str| {
        let key = line.trim_start().trim_start_matches(['{', '"', ' ']);
        line.starts_with(['o', 's', ' ', '"', '{'])
            && ["openapi", "swagger"].iter().any(|k| {
                key.strip_prefix(k).is_some_and(|r| r.trim_start_matches('"').starts_with(':'))
            })
    };
    text.lines().take(60).any(keyed)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn sample() -> Plan {
        let tool = Tool {
            name: "read_events".into(),
            title: "Events".into(),
            posture: Posture::Primary,
            description: "Read events.\nUse this when: \"always\" # no".into(),
            annotations: Annotations {
                read_only: true,
                destructive: false,
                idempotent: true,
                open_world: true,
            },
            actions: vec![Action {
                name: "list".into(),
                operation: "GET /events/{id}:now".into(),
                summary: "- yes: 'no' \u{85}\u{feff}\u{7f}".into(),
                media_type: Some("application/json; charset=utf-8".into()),
                required: vec!["on".into(), "a, b".into()],
            }],
            selector: Some("action".into()),
            arguments: vec![Argument {
                name: "on".into(),
                schema: serde_json::json!({"type": "string", "description": "é\n\"x\" \u{1f600}"}),
                to: IndexMap::from([("list".to_owned(), Place::Query("on: x".into()))]),
                why: None,
            }],
            toolsets: vec!["no".into(), "a_b".into()],
            output: Some(
                serde_json::json!({"type": "object", "properties": {"a: b": {"type": ["string", "null"]}}}),
            ),
            why: vec!["because".into(), "{}".into()],
        };
        Plan {
            api_title: String::new(),
            api_version: "1.0".into(),
            server: "events".into(),
            title: "null".into(),
            connection: Connection {
                servers: vec!["https://a.example".into()],
                credentials: BTreeMap::from([("on".into(), "a: b".into())]),
                arrays: Some("comma".into()),
            },
            sizes: Sizes {
                tools: BTreeMap::from([("read_events".into(), 12), ("find".into(), 3)]),
                single: 40,
            },
            instructions: "  leading\n\n trailing \n".into(),
            tools: vec![tool],
            catalog: Some(Catalog {
                find: CatalogTool {
                    name: "find".into(),
                    title: "Find".into(),
                    description: "d".into(),
                },
                read: CatalogTool {
                    name: "read".into(),
                    title: "Read".into(),
                    description: "1".into(),
                },
                write: None,
                entries: vec![Entry {
                    name: "no".into(),
                    operation: "GET /events/{id}:now".into(),
                    summary: "0x1f".into(),
                    effect: Effect::Write,
                    tool: Some("read_events".into()),
                    media_type: None,
                    arguments: vec![Argument {
                        name: "a".into(),
                        schema: serde_json::json!({}),
                        to: IndexMap::from([(
                            CALL.to_owned(),
                            Place::Body(vec!["x/y".into(), "~".into()]),
                        )]),
                        why: None,
                    }],
                    required: vec!["a".into()],
                    keywords: vec!["yes".into()],
                    toolsets: vec!["on".into()],
                    why: None,
                }],
            }),
            excluded: vec![Excluded { operation: "GET /x".into(), reason: "y".into() }],
        }
    }

    #[test]
    fn a_plan_full_of_traps_comes_back_whole() {
        let plan = sample();
        let text = plan.to_yaml();
        assert_eq!(Plan::from_yaml(&text).map_err(|e| format!("{e:?}\n{text}")).unwrap(), plan);
    }

    #[test]
    fn an_unknown_key_is_refused_with_its_line() {
        let text = sample().to_yaml().replace("posture:", "postuer:");
        let error = Plan::from_yaml(&text).unwrap_err();
        assert!(error.message.contains("postuer"), "{error:?}");
        assert!(error.position.is_some());
    }

    #[test]
    fn a_plan_that_says_no_sizes_is_read_and_says_none_again() {
        let plan = Plan { sizes: Sizes::default(), ..sample() };
        let text = plan.to_yaml();
        assert!(!text.contains("tokens"), "{text}");
        assert_eq!(Plan::from_yaml(&text).unwrap(), plan);
    }

    #[test]
    fn another_format_is_refused() {
        let error = Plan::from_yaml("format: 99\nnew: true\n").unwrap_err();
        assert!(error.message.contains("format 99"), "{error:?}");
    }
}
