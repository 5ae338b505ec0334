//! `mcp-gen.yaml` as text.

use std::collections::BTreeMap;

use super::{Config, json_schema, shape};
use crate::error::Error;
use crate::source::{At, Limits, Node, Pointer, Position, Source, Sources, Value, yaml};

/// Name of the configuration file.
pub const FILE_NAME: &str = "mcp-gen.yaml";

/// Where the lines of a configuration stand. Configurations are equal wherever they stand.
#[derive(Clone, Debug, Default)]
pub struct Places(BTreeMap<String, At>);

impl PartialEq for Places {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Places {}

impl Places {
    /// Where the key or the item that `pointer` names stands.
    pub fn at(&self, pointer: &Pointer) -> Option<At> {
        self.0.get(pointer.as_str()).copied()
    }

    fn of(root: &Node) -> Self {
        let mut places = BTreeMap::new();
        let mut open = vec![(root, Pointer::default())];
        while let Some((node, pointer)) = open.pop() {
            match &node.value {
                Value::Object(map) => {
                    open.extend(map.iter().map(|(key, child)| (child, pointer.child(key))));
                }
                Value::Array(items) => {
                    open.extend(items.iter().enumerate().map(|(i, n)| (n, pointer.index(i))));
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
            places.insert(pointer.as_str().to_owned(), node.key);
        }
        Self(places)
    }
}

impl Config {
    /// Reads the configuration `text` of the file called `name` in messages. Findings about what it
    /// says will have no place; [`Config::read`] keeps the places.
    ///
    /// # Errors
    /// When it is no YAML, or has a key that is not known.
    pub fn from_yaml(name: &str, text: &str) -> Result<Self, Error> {
        let config = parse(0, name, text)?;
        Ok(Self { places: Places::default(), ..config })
    }

    /// Reads the configuration `source`, which is added to `sources`, so that findings about what it
    /// says can show where it stands.
    ///
    /// # Errors
    /// When it is no YAML, or has a key that is not known.
    pub fn read(sources: &mut Sources, source: Source) -> Result<Self, Error> {
        let Source { name, text } = source.clone();
        parse(sources.add(source), &name, &text)
    }
}

fn parse(file: u32, name: &str, text: &str) -> Result<Config, Error> {
    let wrong = |offset: usize, message: String| Error::File {
        name: format!("{name}:{}", Position::of(text, offset)),
        message,
    };
    let limits = Limits { bytes: 4 << 20, ..Limits::default() };
    if text.len() > limits.bytes {
        return Err(wrong(0, format!("it is larger than {} bytes", limits.bytes)));
    }
    let parsed = yaml::parse(file, text, &limits).map_err(|f| wrong(f.offset, f.message))?;
    if let Some(at) = parsed.duplicates.first() {
        return Err(wrong(at.offset as usize, "this key stands twice".to_owned()));
    }
    shape::check(&json_schema(), &parsed.root)
        .map_err(|f| wrong(f.at.offset as usize, f.message))?;
    split_names(&parsed.root).map_err(|(at, message)| wrong(at.offset as usize, message))?;
    let config: Config = serde_json::from_value(shape::without_nulls(&parsed.root))
        .map_err(|e| Error::File { name: name.to_owned(), message: e.to_string() })?;
    Ok(Config { places: Places::of(&parsed.root), ..config })
}

/// The longest name of a server.
const LONGEST: usize = 18;

/// Checks the names of servers, which are names of folders and crates.
fn split_names(root: &Node) -> Result<(), (At, String)> {
    let Value::Object(map) = &root.value else { return Ok(()) };
    let Some(Value::Object(servers)) = map.get("split").map(|node| &node.value) else {
        return Ok(());
    };
    let is_name = |name: &str| {
        name.len() <= LONGEST
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    match servers.iter().find(|(name, _)| !is_name(name)) {
        None => Ok(()),
        Some((name, node)) => Err((
            node.key,
            format!(
                "`{name}` cannot be the name of a server; use at most {LONGEST} lower-case letters, \
                 digits and `-`, with a letter first"
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let error = Config::from_yaml("mcp-gen.yaml", text).unwrap_err();
        assert_eq!(error.to_string(), expected, "{text}");
    }

    #[test]
    fn an_unknown_key_names_the_nearest_one_and_its_line() {
        check(
            "name: a\nmax-primry: 3\n",
            "mcp-gen.yaml:2:1: `max-primry` is no key of the configuration; did you mean `max-primary`?",
        );
        check(
            "tools:\n  read_pets:\n    titel: Pets\n",
            "mcp-gen.yaml:3:5: `titel` is no key of `tools.read_pets`; did you mean `title`?",
        );
        check(
            "tools: {a: {annotations: {frozen: true}}}\n",
            "mcp-gen.yaml:1:27: `frozen` is no key of `tools.a.annotations`; it knows `read-only`, `destructive`, `idempotent`, `open-world`",
        );
    }

    #[test]
    fn a_value_of_another_kind_is_refused_where_it_stands() {
        check(
            "max-primary: many\n",
            "mcp-gen.yaml:1:14: `max-primary` must be a whole number, not `many`",
        );
        check("max-primary: -1\n", "mcp-gen.yaml:1:14: `max-primary` must be at least 0");
        check("max-actions: 0\n", "mcp-gen.yaml:1:14: `max-actions` must be at least 1");
        check(
            "name: 12\n",
            "mcp-gen.yaml:1:7: `name` must be text, not a number; put it in quotes",
        );
        check("include: GET *\n", "mcp-gen.yaml:1:10: `include` must be a list, not `GET *`");
        check(
            "operations: {'*': {posture: primery}}\n",
            "mcp-gen.yaml:1:29: `posture` has no value `primery`; did you mean `primary`?",
        );
        check(
            "operations: {'*': {effect: both}}\n",
            "mcp-gen.yaml:1:28: `effect` has no value `both`; it is `read` or `write`",
        );
        check(
            "split: {../x: ['*']}\n",
            "mcp-gen.yaml:1:9: `../x` cannot be the name of a server; use at most 18 lower-case letters, digits and `-`, with a letter first",
        );
        check("- a\n", "mcp-gen.yaml:1:1: the configuration must be a mapping, not a list");
        check("name: a\nname: b\n", "mcp-gen.yaml:2:1: this key stands twice");
        assert!(Config::from_yaml("c", "a: [\n").is_err());
    }

    #[test]
    fn what_is_left_empty_is_the_default() {
        for text in ["", "# nothing\n", "include:\nname:\ntools:\n", "{}"] {
            assert_eq!(Config::from_yaml("c", text).unwrap(), Config::default(), "{text}");
        }
    }

    #[test]
    fn every_line_has_a_place() {
        let mut sources = Sources::default();
        let text = "include:\n- a\ntools:\n  b:\n    arguments: {x: y}\n";
        let source = Source { name: "mcp-gen.yaml".into(), text: text.into() };
        let config = Config::read(&mut sources, source).unwrap();
        let place = |p: &str| {
            let at = config.places.at(&Pointer::parse(p).unwrap()).unwrap();
            sources.locate(at).unwrap().1.to_string()
        };
        assert_eq!(place("/include/0"), "2:3");
        assert_eq!(place("/tools/b"), "4:3");
        assert_eq!(place("/tools/b/arguments/x"), "5:17");
    }
}
