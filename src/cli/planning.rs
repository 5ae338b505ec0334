//! Options of planning: flags made of what the configuration knows, so that each is declared once.

use std::sync::OnceLock;

use clap::builder::{RangedU64ValueParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use serde_json::{Map, Value as Json};

use crate::config::{Kind, Setting, settings};

const REPLAN: &str = "replan";

/// How to plan; each overrides the configuration, lists add to it.
#[derive(Clone, Debug, Default)]
pub struct PlanningArgs {
    /// What was given, by the key of the configuration.
    pub given: Map<String, Json>,
    /// Forget the plan that is there.
    pub replan: bool,
}

fn all() -> &'static [Setting] {
    static ALL: OnceLock<Vec<Setting>> = OnceLock::new();
    ALL.get_or_init(settings)
}

fn flag(setting: &'static Setting) -> Arg {
    let (value, action, parser) = match setting.kind {
        Kind::Text => ("TEXT", ArgAction::Set, ValueParser::string()),
        Kind::Number { least } => {
            let parser = RangedU64ValueParser::<u64>::new().range(least..);
            ("N", ArgAction::Set, parser.into())
        }
        Kind::Texts => ("PATTERN", ArgAction::Append, ValueParser::string()),
    };
    Arg::new(setting.key.as_str())
        .long(setting.key.as_str())
        .value_name(value)
        .action(action)
        .value_parser(parser)
        .help(setting.help.as_str())
        .help_heading("Planning")
}

impl Args for PlanningArgs {
    fn augment_args(command: Command) -> Command {
        command.args(all().iter().map(flag)).arg(
            Arg::new(REPLAN)
                .long(REPLAN)
                .action(ArgAction::SetTrue)
                .help("Forget the plan that is there and plan anew")
                .help_heading("Planning"),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for PlanningArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut args = Self::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for setting in all() {
            let key = setting.key.as_str();
            let value = match setting.kind {
                Kind::Text => matches.get_one::<String>(key).map(|t| Json::from(t.as_str())),
                Kind::Number { .. } => matches.get_one::<u64>(key).map(|n| Json::from(*n)),
                Kind::Texts => matches
                    .get_many::<String>(key)
                    .map(|list| list.map(|t| Json::from(t.as_str())).collect()),
            };
            if let Some(value) = value {
                self.given.insert(setting.key.clone(), value);
            }
        }
        self.replan |= matches.get_flag(REPLAN);
        Ok(())
    }
}

impl PlanningArgs {
    /// The flags that give this again, with their values.
    pub fn flags(&self) -> Vec<(String, String)> {
        let text = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let mut flags = Vec::new();
        for (key, value) in &self.given {
            let flag = format!("--{key}");
            match value {
                Json::Array(items) => flags.extend(items.iter().map(|i| (flag.clone(), text(i)))),
                value => flags.push((flag, text(value))),
            }
        }
        flags
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::super::args::Cli;
    use super::*;
    use crate::config::Config;

    /// A value for a setting: as a flag takes it, as the file has it.
    fn example(setting: &Setting) -> (Vec<String>, String) {
        let flag = format!("--{}", setting.key);
        match setting.kind {
            Kind::Text => (vec![flag, "a: b".into()], "'a: b'".into()),
            Kind::Number { least } => {
                (vec![flag, (least + 7).to_string()], (least + 7).to_string())
            }
            Kind::Texts => (
                vec![flag.clone(), "GET *".into(), flag, "tag:x".into()],
                "['GET *', 'tag:x']".into(),
            ),
        }
    }

    #[test]
    fn every_option_is_the_same_in_the_file_as_a_flag_and_in_the_library() {
        assert!(all().len() >= 7, "{:?}", all());
        for setting in all() {
            let (flags, value) = example(setting);
            let file = Config::from_yaml("c", &format!("{}: {value}\n", setting.key)).unwrap();
            assert_ne!(file, Config::default(), "{}", setting.key);
            let words =
                ["mcp-gen".to_owned(), "a.yaml".to_owned()].into_iter().chain(flags.clone());
            let cli = Cli::try_parse_from(words).unwrap_or_else(|e| panic!("{e}"));
            let flag = Config::default().with(&cli.bare.planning.given).unwrap();
            assert_eq!(flag, file, "{}", setting.key);
            // What was given can be given again.
            let again: Vec<String> =
                cli.bare.planning.flags().into_iter().flat_map(|(f, v)| [f, v]).collect();
            assert_eq!(again, flags);
            // And the settings of the library give the file again.
            let text = serde_json::to_string(&file).unwrap();
            assert_eq!(Config::from_yaml("c", &text).unwrap(), file);
        }
    }

    #[test]
    fn a_flag_counts_before_the_file_and_lists_add_up() {
        let file = Config::from_yaml("c", "max-primary: 3\ninclude: [a]\nname: n\n").unwrap();
        let words = ["mcp-gen", "a.yaml", "--max-primary", "5", "--include", "b"];
        let cli = Cli::try_parse_from(words).unwrap();
        let config = file.with(&cli.bare.planning.given).unwrap();
        assert_eq!(config.max_primary, 5);
        assert_eq!(config.include, ["a", "b"]);
        assert_eq!(config.name.as_deref(), Some("n"));
        assert!(Cli::try_parse_from(["mcp-gen", "a.yaml", "--max-actions", "0"]).is_err());
    }
}
