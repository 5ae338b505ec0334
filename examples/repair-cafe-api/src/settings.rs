//! The command line.

use std::path::PathBuf;

pub const HELP: &str = "\
The repair café's API, on loopback.

Usage: repair-cafe-api [--port N] [--data FILE] [--key KEY]

  --port N     port to listen on; 0 takes any free one [default: 8099]
  --data FILE  keep the data in this JSON file instead of memory only
  --key KEY    ask for this value in the header `X-Cafe-Key`
  --help       this text
";

/// How the service was started.
#[derive(Debug, PartialEq, Eq)]
pub struct Settings {
    /// The port; 0 takes any free one.
    pub port: u16,
    /// The file that holds the data.
    pub data: Option<PathBuf>,
    /// The key to ask for.
    pub key: Option<String>,
}

/// What the arguments say.
#[derive(Debug, PartialEq, Eq)]
pub enum Parsed {
    /// Start.
    Run(Settings),
    /// Say how to start.
    Help,
}

/// Reads the arguments, the program's name not among them.
pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Parsed, String> {
    let mut settings = Settings { port: 8099, data: None, key: None };
    let mut arguments = arguments.into_iter();
    while let Some(flag) = arguments.next() {
        if flag == "--help" || flag == "-h" {
            return Ok(Parsed::Help);
        }
        let mut value = || arguments.next().ok_or_else(|| format!("`{flag}` needs a value"));
        match flag.as_str() {
            "--port" => {
                let text = value()?;
                settings.port = text.parse().map_err(|_| format!("`{text}` is no port"))?;
            }
            "--data" => settings.data = Some(value()?.into()),
            "--key" => settings.key = Some(value()?),
            _ => return Err(format!("unknown argument `{flag}`; `--help` lists the known ones")),
        }
    }
    Ok(Parsed::Run(settings))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(arguments: &[&str], expected: &Result<Parsed, &str>) {
        let parsed = parse(arguments.iter().map(|a| (*a).to_owned()));
        assert_eq!(parsed.as_ref().map_err(String::as_str), expected.as_ref().map_err(|e| *e));
    }

    #[test]
    fn nothing_means_the_default_port_and_memory() {
        check(&[], &Ok(Parsed::Run(Settings { port: 8099, data: None, key: None })));
    }

    #[test]
    fn each_setting_is_read() {
        let all = Settings { port: 0, data: Some("a.json".into()), key: Some("k".into()) };
        check(&["--port", "0", "--data", "a.json", "--key", "k"], &Ok(Parsed::Run(all)));
    }

    #[test]
    fn what_is_wrong_is_said() {
        check(&["--port"], &Err("`--port` needs a value"));
        check(&["--port", "x"], &Err("`x` is no port"));
        check(&["--prot", "1"], &Err("unknown argument `--prot`; `--help` lists the known ones"));
    }
}
