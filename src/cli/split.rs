//! Which servers a command is about, where the configuration makes several of one document.

use std::path::{Path, PathBuf};

use super::args::ServerArgs;
use super::load::Loaded;
use crate::config::Config;
use crate::error::Error;
use crate::pipeline::{self, Part};
use crate::plan::Plan;

/// The servers of the configuration; `None` when it makes one.
pub fn parts(
    loaded: &mut Loaded,
    config: &Config,
    args: &ServerArgs,
) -> Result<Option<Vec<Part>>, Error> {
    if config.split.is_empty() {
        return match &args.server {
            None => Ok(None),
            Some(name) => Err(Error::Usage {
                message: format!(
                    "`--server {name}` names a server of `split`, which the configuration does not have"
                ),
            }),
        };
    }
    let parts = pipeline::split(&mut loaded.diagnostics, &loaded.api, config);
    let all: Vec<&str> = parts.iter().map(|p| p.name.as_str()).collect();
    if let Some(name) = args.server.as_deref().filter(|name| !all.contains(name)) {
        return Err(Error::Usage {
            message: format!(
                "there is no server `{name}` with operations; there are {}",
                list(&parts)
            ),
        });
    }
    if parts.is_empty() {
        return Err(Error::Usage {
            message: "no pattern of `split` in the configuration names an operation".to_owned(),
        });
    }
    Ok(Some(parts))
}

/// What a command about one server plans.
pub enum Target {
    /// The whole document.
    Whole(Box<Config>),
    /// One server of several.
    One(Vec<Part>, usize),
}

/// The one server that a command is about: its API takes the place of the whole.
pub fn one(loaded: &mut Loaded, config: Config, args: &ServerArgs) -> Result<Target, Error> {
    let Some(parts) = parts(loaded, &config, args)? else {
        return Ok(Target::Whole(Box::new(config)));
    };
    let found = parts.iter().position(|p| args.server.as_deref() == Some(p.name.as_str()));
    let Some(index) = found else {
        return Err(Error::Usage {
            message: format!(
                "the configuration makes the servers {}; `--server` names the one that is meant",
                list(&parts)
            ),
        });
    };
    loaded.api = parts[index].api.clone();
    Ok(Target::One(parts, index))
}

impl Target {
    /// The configuration that counts.
    pub fn config(&self) -> &Config {
        match self {
            Self::Whole(config) => config,
            Self::One(parts, index) => &parts[*index].config,
        }
    }

    /// Plans; lines for all servers are judged by all of them.
    pub fn plan(&self, loaded: &mut Loaded, previous: Option<&Plan>) -> Result<Plan, Error> {
        let diagnostics = &mut loaded.diagnostics;
        match self {
            Self::Whole(config) => pipeline::plan(diagnostics, &loaded.api, config, previous),
            Self::One(parts, index) => {
                let name = parts[*index].name.as_str();
                let known = |other: &str| Ok(previous.filter(|_| other == name).cloned());
                let mut plans = pipeline::plan_parts(diagnostics, parts, Some(name), &known)?;
                Ok(plans.swap_remove(*index))
            }
        }
    }
}

/// The folder that the folders of all servers stand in.
pub fn folder(output: Option<&Path>) -> Result<PathBuf, Error> {
    output.map(Path::to_path_buf).ok_or_else(|| Error::Usage {
        message: "name a folder with `-o`: the configuration makes several servers, and each gets \
                  a folder in it"
            .to_owned(),
    })
}

fn list(parts: &[Part]) -> String {
    parts.iter().map(|p| format!("`{}`", p.name)).collect::<Vec<_>>().join(", ")
}
