//! Parameters.

use std::collections::HashSet;

use indexmap::{IndexMap, IndexSet};

use super::detect::Version;
use super::fields::Known;
use super::hints::Holder;
use super::lower::{Lowerer, Spot};
use crate::diagnostic::reading;
use crate::ir::{Location, Parameter, Style, is_cookies, is_owned_header, split_path};
use crate::source::{Node, Value};

/// Parameters by place and name, and the parts of a Swagger 2.0 body.
#[derive(Default)]
pub(super) struct Parameters<'a> {
    /// All but those of the body.
    pub list: IndexMap<(Location, String), Parameter>,
    /// `in: body`
    pub body: Option<Spot<'a>>,
    /// `in: formData`, by name.
    pub form: IndexMap<String, Spot<'a>>,
}

/// Headers that are not parameters, whatever a document says. `Authorization` and `Cookie` are too, but
/// may be the only word of a credential (`credential`).
const RESERVED: &[&str] = &["accept", "content-type"];

impl<'a> Lowerer<'a, '_> {
    /// Adds the parameters of `spot`. Those of an operation come after those of its path, and win.
    pub(super) fn parameters(&mut self, into: &mut Parameters<'a>, spot: &Spot<'a>) {
        let Some(list) = self.list(spot, "parameters") else { return };
        let mut own: HashSet<(Location, String)> = HashSet::new();
        let (mut own_body, mut own_form) = (false, HashSet::new());
        for item in list.items() {
            self.parts += 1;
            let Some(place) = self.resolve(&item) else { continue };
            if !self.is_object(&place, "parameter") {
                continue;
            }
            if self.version == Version::V2 {
                match place.node.get("in").and_then(Node::as_str) {
                    Some("body") => {
                        self.swagger_body_parameter(into, &place, own_body, !own_form.is_empty());
                        own_body = true;
                        continue;
                    }
                    Some("formData") => {
                        self.form_parameter(into, &place, own_body, &mut own_form);
                        continue;
                    }
                    _ => {}
                }
            }
            let Some(mut parameter) = self.parameter(&place) else { continue };
            if item.reference().is_some() {
                let hints = self.hints(&item, Holder::Parameter);
                parameter.hint_name = hints.name.or(parameter.hint_name);
                parameter.argument |= hints.argument;
            }
            if let Some(words) = self.words_beside(&item) {
                parameter.description = Some(words);
            }
            let name = parameter.location.folded(&parameter.name);
            let key = (parameter.location, name);
            if !own.insert(key.clone()) {
                let name = &parameter.name;
                let message =
                    format!("parameter `{name}` is declared twice in one list; the last counts");
                self.report(&reading::DUPLICATE_PARAMETER, &item, message);
            }
            into.list.insert(key, parameter);
        }
    }

    /// Takes an `in: body` parameter. One of an operation wins over a body or form of its path.
    fn swagger_body_parameter(
        &mut self,
        into: &mut Parameters<'a>,
        place: &Spot<'a>,
        again: bool,
        own_form: bool,
    ) {
        if again {
            let message = "a second `body` parameter in one list; the last counts";
            self.report(&reading::DUPLICATE_PARAMETER, place, message);
        }
        if !own_form {
            into.form.clear();
        }
        into.body = Some(place.clone());
    }

    /// Takes an `in: formData` parameter, in the same way.
    fn form_parameter(
        &mut self,
        into: &mut Parameters<'a>,
        place: &Spot<'a>,
        own_body: bool,
        own: &mut HashSet<String>,
    ) {
        let Some(name) = self.text(place, "name") else {
            let message = "a parameter needs a `name`; it is left out";
            self.report(&reading::UNUSABLE_PARAMETER, place, message);
            return;
        };
        if !own_body {
            into.body = None;
        }
        if !own.insert(name.clone()) {
            let message =
                format!("parameter `{name}` is declared twice in one list; the last counts");
            self.report(&reading::DUPLICATE_PARAMETER, place, message);
        }
        into.form.insert(name, place.clone());
    }

    fn parameter(&mut self, spot: &Spot<'a>) -> Option<Parameter> {
        let name = self.text(spot, "name");
        let place = self.text(spot, "in").unwrap_or_default();
        let location = match place.as_str() {
            "path" => Some(Location::Path),
            "query" => Some(Location::Query),
            "header" => Some(Location::Header),
            "cookie" => Some(Location::Cookie),
            "querystring" => Some(Location::QueryString),
            _ => None,
        };
        let (Some(name), Some(location)) = (name, location) else {
            let message = if place.is_empty() {
                "a parameter needs `in`, the place where it goes; it is left out".to_owned()
            } else if location.is_none() {
                format!("a parameter cannot be in `{place}`; it is left out")
            } else {
                "a parameter needs a `name`; it is left out".to_owned()
            };
            self.report(&reading::UNUSABLE_PARAMETER, spot, message);
            return None;
        };
        if location == Location::Header && is_owned_header(&name) && !is_cookies(location, &name) {
            let message = format!(
                "header `{name}` is no parameter; what sends the request sets it, and no call can"
            );
            self.report(&reading::RESERVED_HEADER, spot, message);
            return None;
        }
        if location == Location::Header && RESERVED.contains(&name.to_ascii_lowercase().as_str()) {
            self.report(
                &reading::RESERVED_HEADER,
                spot,
                format!("header `{name}` is no parameter; it is set by media types and security"),
            );
            return None;
        }
        if let Some(why) = unsendable(location, &name) {
            let message = format!("no request can carry the {why} `{name}`; it is left out");
            self.report(&reading::UNUSABLE_PARAMETER, spot, message);
            return None;
        }
        if self.version == Version::V2 {
            if location == Location::Cookie {
                let message =
                    format!("Swagger 2.0 has no cookie parameters; `{name}` is sent as one");
                self.report(&reading::ODD_DECLARATION, spot, message);
            }
        } else {
            self.forms(spot);
        }
        let content = self.object(spot, "content").and_then(|c| c.members().into_iter().next());
        let media_type = content.as_ref().map(|(name, _)| (*name).to_owned());
        let inner = content.and_then(|(_, media)| self.resolve(&media));
        let schema = match (self.version, &inner) {
            (Version::V2, _) => self.parameter_schema_id(spot),
            (_, Some(media)) => {
                self.known_fields(media, Known::Media);
                self.schema_or_any(media)
            }
            (_, None) if misplaced(spot).is_some() => self.parameter_schema_id(spot),
            (_, None) => self.schema_or_any(spot),
        };
        let (style, explode) = match self.version {
            Version::V2 => self.collection_format(spot, location),
            Version::V30 | Version::V31 => self.style(spot, location),
        };
        let mut required = self.flag(spot, "required").unwrap_or(false);
        if location == Location::Path && !required {
            self.report(
                &reading::OPTIONAL_PATH_PARAMETER,
                spot,
                format!("path parameter `{name}` must say `required: true`; it is required anyway"),
            );
            required = true;
        }
        let example = self.example(spot);
        let hints = self.hints(spot, Holder::Parameter);
        Some(Parameter {
            location,
            required,
            deprecated: self.flag(spot, "deprecated").unwrap_or(false),
            description: self.text(spot, "description"),
            schema,
            style,
            explode,
            allow_reserved: self.flag(spot, "allowReserved").unwrap_or(false),
            allow_empty: self.flag(spot, "allowEmptyValue").unwrap_or(false),
            media_type,
            example: example.or_else(|| inner.and_then(|media| self.example(&media))),
            hint_name: hints.name,
            argument: hints.argument,
            at: spot.node.at,
            pointer: spot.pointer.clone(),
            name,
        })
    }

    /// Reports what a parameter says of its value besides the one form that counts.
    fn forms(&mut self, spot: &Spot<'a>) {
        if let Some(key) = misplaced(spot) {
            if self.said.insert(format!("misplaced {key}")) {
                let message =
                    format!("`{key}` belongs under `schema`; it is read as if it stood there");
                let place = spot.get(key).unwrap_or_else(|| spot.clone());
                self.report(&reading::MISPLACED_SCHEMA, &place, message);
            }
        } else {
            self.known_fields(spot, Known::Parameter);
        }
        let Some(content) = spot.get("content") else { return };
        for (media_type, place) in content.members().into_iter().skip(1) {
            let message = format!("a parameter has one media type; `{media_type}` is left out");
            self.report(&reading::PARAMETER_FORM_LEFT_OUT, &place, message);
        }
        if let Some(schema) = spot.get("schema").filter(|_| !content.members().is_empty()) {
            let message = "a parameter has `schema` or `content`; `schema` is left out";
            self.report(&reading::PARAMETER_FORM_LEFT_OUT, &schema, message);
        }
    }

    fn schema_or_any(&mut self, spot: &Spot<'a>) -> crate::ir::SchemaId {
        match spot.get("schema") {
            Some(schema) => self.schema_id(&schema),
            None => self.unknown(spot),
        }
    }

    /// An example beside a schema: `example`, or the first of `examples`.
    pub(super) fn example(&mut self, spot: &Spot<'a>) -> Option<Node> {
        if let Some(node) = spot.node.get("example") {
            return Some(node.clone());
        }
        let examples = spot.get("examples")?;
        if let Some(items) = examples.node.as_array() {
            return items.first().cloned();
        }
        let (_, first) = examples.members().into_iter().next()?;
        let first = self.resolve(&first)?;
        let value = first.node.get("value").or_else(|| first.node.get("dataValue"));
        if value.is_none() {
            for (key, child) in first.members() {
                let idle = matches!(key, "externalValue" | "serializedValue");
                if idle && self.said.insert(format!("field example {key}")) {
                    let message = format!("`{key}` of an example is not used: no example is shown");
                    self.report(&reading::FIELD_WITHOUT_EFFECT, &child, message);
                }
            }
        }
        value.cloned()
    }

    fn style(&mut self, spot: &Spot<'a>, location: Location) -> (Style, bool) {
        let default = match location {
            Location::Path | Location::Header => Style::Simple,
            Location::Query | Location::Cookie | Location::QueryString => Style::Form,
        };
        let mut style = default;
        if let Some(word) = self.text(spot, "style") {
            let known = style_named(&word).filter(|style| match location {
                Location::Path => matches!(style, Style::Matrix | Style::Label | Style::Simple),
                Location::Header => *style == Style::Simple,
                Location::Cookie => matches!(style, Style::Form | Style::Cookie),
                Location::Query | Location::QueryString => matches!(
                    style,
                    Style::Form | Style::SpaceDelimited | Style::PipeDelimited | Style::DeepObject
                ),
            });
            if let Some(known) = known {
                style = known;
            } else {
                let place = spot.get("style").unwrap_or_else(|| spot.clone());
                self.report(
                    &reading::UNKNOWN_STYLE,
                    &place,
                    format!("style `{word}` does not exist for this place; the default is taken"),
                );
            }
        }
        let explode = self.flag(spot, "explode");
        (style, explode.unwrap_or(matches!(style, Style::Form | Style::Cookie)))
    }

    /// Swagger 2.0 `collectionFormat` as a style.
    pub(super) fn collection_format(
        &mut self,
        spot: &Spot<'a>,
        location: Location,
    ) -> (Style, bool) {
        let plain = match location {
            Location::Path | Location::Header => Style::Simple,
            Location::Query | Location::Cookie | Location::QueryString => Style::Form,
        };
        let word = self.text(spot, "collectionFormat");
        match word.as_deref() {
            None | Some("csv") => (plain, false),
            Some("ssv") => (Style::SpaceDelimited, false),
            Some("tsv") => (Style::TabDelimited, false),
            Some("pipes") => (Style::PipeDelimited, false),
            Some("multi") => (plain, true),
            Some(word) => {
                let place = spot.get("collectionFormat").unwrap_or_else(|| spot.clone());
                let message = format!("`collectionFormat` `{word}` does not exist; `csv` is taken");
                self.report(&reading::UNKNOWN_STYLE, &place, message);
                (plain, false)
            }
        }
    }

    /// Joins declared path parameters with the names in the path's template.
    pub(super) fn match_template(
        &mut self,
        parameters: &mut Parameters<'a>,
        path: &str,
        spot: &Spot<'a>,
    ) {
        let names = template_names(path);
        parameters.list.retain(|(location, name), parameter| {
            let keep = *location != Location::Path || names.contains(name.as_str());
            if !keep {
                self.diagnostics.report(
                    &reading::PATH_PARAMETER_NOT_IN_PATH,
                    Some(parameter.at),
                    parameter.pointer.clone(),
                    format!("`{path}` has no `{{{name}}}`; the path parameter is left out"),
                );
            }
            keep
        });
        for name in names {
            let key = (Location::Path, name.to_owned());
            if parameters.list.contains_key(&key) {
                continue;
            }
            self.report(
                &reading::UNDECLARED_PATH_PARAMETER,
                spot,
                format!("path parameter `{name}` is not declared; it is taken as required text"),
            )
            .help(format!("declare `{name}` under `parameters` with `in: path`"));
            let schema = self.any_string();
            let parameter = Parameter {
                name: name.to_owned(),
                location: Location::Path,
                required: true,
                deprecated: false,
                description: None,
                schema,
                style: Style::Simple,
                explode: false,
                allow_reserved: false,
                allow_empty: false,
                media_type: None,
                example: None,
                hint_name: None,
                argument: false,
                at: spot.node.key,
                pointer: spot.pointer.clone(),
            };
            parameters.list.insert(key, parameter);
        }
    }
}

/// The style that a document calls `word`.
pub(super) fn style_named(word: &str) -> Option<Style> {
    Some(match word {
        "matrix" => Style::Matrix,
        "label" => Style::Label,
        "simple" => Style::Simple,
        "form" => Style::Form,
        "spaceDelimited" => Style::SpaceDelimited,
        "pipeDelimited" => Style::PipeDelimited,
        "deepObject" => Style::DeepObject,
        "cookie" => Style::Cookie,
        _ => return None,
    })
}

/// The names in braces, in order, each once. A query is no part of the path, a fragment is not sent.
fn template_names(path: &str) -> IndexSet<&str> {
    let (mut rest, _) = split_path(path);
    let mut names = IndexSet::new();
    while let Some((_, after)) = rest.split_once('{') {
        let Some((name, tail)) = after.split_once('}') else { break };
        if !name.is_empty() {
            names.insert(name);
        }
        rest = tail;
    }
    names
}

/// A keyword of schemas beside the name of a parameter that has no schema.
fn misplaced(spot: &Spot<'_>) -> Option<&'static str> {
    if spot.get("schema").is_some() || spot.get("content").is_some() {
        return None;
    }
    ["type", "enum", "items", "format", "oneOf", "anyOf", "allOf"]
        .into_iter()
        .find(|key| spot.get(key).is_some())
}

/// Whether a Swagger 2.0 form field is a file.
pub(super) fn is_file(spot: &Spot<'_>) -> bool {
    matches!(spot.node.get("type").map(|n| &n.value), Some(Value::String(t)) if t == "file")
}

/// What a parameter is that has a name which no request can carry (RFC 9110 section 5.1, RFC 6265
/// section 4.1.1).
fn unsendable(location: Location, name: &str) -> Option<&'static str> {
    let token = !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b));
    match location {
        Location::Header if !token => Some("header"),
        // Brackets are no part of a token, but deep objects are sent with them.
        Location::Cookie if name.contains([';', ',', '=', ' ', '"']) || !name.is_ascii() => {
            Some("cookie")
        }
        _ => None,
    }
}
