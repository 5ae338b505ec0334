//! An operation as flat arguments: its parameters, and the fields of its body.

use crate::diagnostic::{Diagnostics, planning_text as codes};
use crate::ir::json_schema::{Kind, Union};
use crate::ir::{
    Additional, Api, Body, Content, Filled, Location, MediaForm, Method, Operation, Parameter,
    SchemaId, SchemeKind, Upkeep,
};
use crate::plan::Place;

use super::text::{limited, singular, snake, words};

/// How many scalar fields an object has at most to become arguments of its own.
const FIELDS: usize = 6;

/// One value of a request that an argument gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// What the argument would be called if it were alone.
    pub name: String,
    /// Where the value goes.
    pub place: Place,
    /// What it is.
    pub shape: Shape,
    /// Whether the operation cannot be called without it.
    pub required: bool,
    /// What the document says of its use, where that is more than its schema says.
    pub description: Option<String>,
    /// What holds for it beside its schema.
    pub words: Option<String>,
    /// What was done to it.
    pub why: Option<String>,
    /// Whether `null` may mean more than leaving it out: it clears what is there.
    pub clears: bool,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// It fits one of these schemas.
    Schema(Vec<SchemaId>),
    /// Text, of which this is known.
    Text(&'static str),
}

/// A flattened operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flat {
    /// Its arguments to be: path, query, header, cookie, body.
    pub leaves: Vec<Leaf>,
    /// The media type of the body that is sent.
    pub media_type: Option<String>,
    /// What a caller must know of the body as a whole.
    pub words: Vec<String>,
}

/// Flattens `operation`.
pub fn flatten(diagnostics: &mut Diagnostics, api: &Api, operation: &Operation) -> Flat {
    let mut flat = Flat::default();
    let mut parameters: Vec<&Parameter> = operation.parameters.iter().collect();
    parameters.sort_by_key(|p| rank(p.location));
    for parameter in parameters {
        if let Some(scheme) = credential(api, operation, parameter) {
            diagnostics.report(
                &codes::CREDENTIAL_PARAMETER,
                Some(parameter.at),
                parameter.pointer.clone(),
                format!(
                    "parameter `{}` repeats the security scheme `{scheme}`; it is left out",
                    parameter.name
                ),
            );
            continue;
        }
        if is_idempotency_key(parameter) {
            diagnostics.report(
                &codes::IDEMPOTENCY_PARAMETER,
                Some(parameter.at),
                parameter.pointer.clone(),
                format!("the server fills `{}` in; it is no argument", parameter.name),
            );
            continue;
        }
        if let Some((upkeep, filled)) = parameter.filled(api) {
            not_asked(diagnostics, api, parameter, upkeep, filled);
            continue;
        }
        // The server sends what has to be sent and can be nothing else.
        if parameter.only_value(api).is_none() {
            flat.leaves.push(parameter_leaf(api, operation, parameter));
        }
    }
    if let Some(body) = &operation.body {
        flatten_body(diagnostics, api, operation, body, &mut flat);
    }
    // Where something exists already, `null` is not the same as nothing.
    let changes = match operation.key.method {
        Method::Put | Method::Patch => true,
        Method::Post => operation.key.path.ends_with('}'),
        _ => false,
    };
    for leaf in &mut flat.leaves {
        leaf.clears = changes && matches!(leaf.place, Place::Body(_));
    }
    flat
}

fn rank(location: Location) -> u8 {
    match location {
        Location::Path => 0,
        Location::Query | Location::QueryString => 1,
        Location::Header => 2,
        Location::Cookie => 3,
    }
}

/// The security scheme of the operation that sends the same key as `parameter`.
fn credential<'a>(api: &'a Api, operation: &Operation, parameter: &Parameter) -> Option<&'a str> {
    let used = |name: &str| operation.security.iter().any(|r| r.schemes.contains_key(name));
    let same = |kind: &SchemeKind| kind.sends(parameter.location, &parameter.name);
    api.schemes.iter().find(|(name, s)| used(name) && same(&s.kind)).map(|(name, _)| name.as_str())
}

/// Whether the generated server fills a header in itself; its runtime knows the same names.
fn is_idempotency_key(parameter: &Parameter) -> bool {
    let names = ["idempotency-key", "x-idempotency-key", "idempotent-key"];
    parameter.location == Location::Header
        && names.iter().any(|name| parameter.name.eq_ignore_ascii_case(name))
}

/// Says once that a header is no argument.
fn not_asked(
    diagnostics: &mut Diagnostics,
    api: &Api,
    parameter: &Parameter,
    upkeep: Upkeep,
    filled: Filled<'_>,
) {
    let name = &parameter.name;
    let about = match upkeep {
        Upkeep::Trace => "says where a request stands in a trace",
        Upkeep::Request => "says which request it is",
        Upkeep::Retry => "counts tries",
        Upkeep::Client => "says which program is asking",
        Upkeep::Checksum => "is a checksum of the body",
        Upkeep::Version => "chooses a version of the API",
    };
    let instead = match filled {
        Filled::LeftOut => "it is not sent unless the operator sets it".to_owned(),
        Filled::Sent(value) => {
            format!("`{}` is sent", crate::ir::prose::clean(&value.to_json_text()))
        }
        Filled::Made => "each call sends one of its own".to_owned(),
    };
    let start = format!("header `{name}` ");
    let known = |d: &crate::diagnostic::Diagnostic| {
        d.code.id == codes::UPKEEP_HEADER.id
            && d.message.starts_with(&start)
            && d.message.ends_with(&instead)
    };
    if diagnostics.iter().any(known) {
        return;
    }
    let same = |p: &Parameter| p.location == Location::Header && p.name == *name;
    let of = match api.operations.iter().filter(|o| o.parameters.iter().any(same)).count() {
        0 | 1 => "1 operation".to_owned(),
        count => format!("{count} operations"),
    };
    let message = format!("{start}of {of} {about}, which no caller decides; {instead}");
    diagnostics
        .report(&codes::UPKEEP_HEADER, Some(parameter.at), parameter.pointer.clone(), message)
        .help(format!(
            "the setting `HEADERS` of the server sends it, as `{name}=VALUE`; `x-mcp: {{argument: true}}` on the parameter makes it an argument, by an overlay where the document is not yours"
        ));
}

fn parameter_leaf(api: &Api, operation: &Operation, parameter: &Parameter) -> Leaf {
    let wire = parameter.name.clone();
    let name = match &parameter.hint_name {
        Some(hint) => snake(hint),
        None if parameter.location == Location::Path => path_name(&operation.key.path, &wire),
        None => snake(&wire),
    };
    let place = match parameter.location {
        Location::Path => Place::Path(wire.clone()),
        Location::Query => Place::Query(wire.clone()),
        Location::Header => Place::Header(wire.clone()),
        Location::Cookie => Place::Cookie(wire.clone()),
        Location::QueryString => Place::QueryString(wire.clone()),
    };
    let schema = api.schema(parameter.schema);
    let untyped = schema.types == crate::ir::Types::default() && schema.variants.is_empty();
    let mut said = Vec::new();
    if parameter.deprecated && !schema.deprecated {
        said.push("Deprecated.".to_owned());
    }
    if let Some(example) = &parameter.example
        && schema.examples.is_empty()
        && schema.values.is_none()
        && (example.as_str().is_some() || example.as_number().is_some())
    {
        let text = crate::ir::prose::clean(&match example.as_str() {
            Some(text) => text.to_owned(),
            None => example.to_json_text(),
        });
        if !text.is_empty() && text.chars().count() <= 60 {
            said.push(format!("Example: {text}"));
        }
    }
    let why = (name != wire).then(|| format!("`{wire}` of the {}", super::text::part(&place)));
    Leaf {
        name,
        place,
        shape: if untyped && parameter.media_type.is_none() {
            Shape::Text("")
        } else {
            Shape::Schema(vec![parameter.schema])
        },
        required: parameter.required,
        description: parameter.description.clone(),
        words: (!said.is_empty()).then(|| said.join(" ")),
        why,
        clears: false,
    }
}

/// The argument name of a path parameter. `id` alone says nothing once operations are merged.
fn path_name(path: &str, wire: &str) -> String {
    let name = snake(wire);
    let generic = ["id", "key", "name", "slug", "code", "number", "uuid", "guid"];
    if !generic.contains(&name.as_str()) {
        return name;
    }
    let placeholder = format!("{{{wire}}}");
    let steps: Vec<&str> = path.split('/').filter(|s| !s.is_empty()).collect();
    let at = steps.iter().position(|s| s.contains(&placeholder)).unwrap_or(0);
    let noun = steps[..at].iter().rev().find(|s| !s.contains('{')).map(|s| words(s));
    match noun {
        Some(mut noun) if noun.last().is_some_and(|w| !is_version(w)) => {
            if let Some(last) = noun.last_mut() {
                *last = singular(last);
            }
            let noun = noun.join("_");
            if noun.ends_with(&name) { limited(&noun) } else { snake(&format!("{noun}_{name}")) }
        }
        _ => name,
    }
}

fn is_version(word: &str) -> bool {
    word == "api"
        || word.strip_prefix('v').is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()))
}

fn flatten_body(
    diagnostics: &mut Diagnostics,
    api: &Api,
    operation: &Operation,
    body: &Body,
    flat: &mut Flat,
) {
    let Some(content) = body.contents.iter().min_by_key(|c| MediaForm::of(&c.media_type)) else {
        return;
    };
    flat.media_type = Some(content.media_type.clone());
    if body.contents.len() > 1 {
        let others: Vec<&str> = body
            .contents
            .iter()
            .map(|c| c.media_type.as_str())
            .filter(|m| *m != content.media_type)
            .collect();
        diagnostics.report(
            &codes::OTHER_MEDIA_TYPES,
            Some(operation.at),
            operation.pointer.clone(),
            format!(
                "the body is sent as `{}`; left out: {}",
                content.media_type,
                super::text::some(&others, 6)
            ),
        );
    }
    let form = MediaForm::of(&content.media_type);
    match form {
        MediaForm::Text => flat.leaves.push(whole(body, Shape::Text("Sent as text."), None)),
        MediaForm::Xml => flat.leaves.push(whole(body, Shape::Text("XML text."), None)),
        MediaForm::Bytes => {
            flat.leaves.push(whole(
                body,
                Shape::Text("File: base64, or data:TYPE;base64,DATA."),
                None,
            ));
        }
        MediaForm::Json
        | MediaForm::JsonLike
        | MediaForm::Anything
        | MediaForm::JsonLines
        | MediaForm::UrlEncoded
        | MediaForm::Multipart => {
            document(diagnostics, api, operation, body, (content, form), flat);
        }
    }
}

/// The argument that is the whole body.
fn whole(body: &Body, shape: Shape, why: Option<&str>) -> Leaf {
    Leaf {
        name: "body".to_owned(),
        place: Place::Body(Vec::new()),
        shape,
        required: body.required,
        description: body.description.clone(),
        words: None,
        why: why.map(str::to_owned),
        clears: false,
    }
}

fn document(
    diagnostics: &mut Diagnostics,
    api: &Api,
    operation: &Operation,
    body: &Body,
    (content, form): (&Content, MediaForm),
    flat: &mut Flat,
) {
    let Some(schema) = content.schema else {
        let json = !matches!(form, MediaForm::UrlEncoded | MediaForm::Multipart);
        let shape = Shape::Text(if json { "JSON text." } else { "JSON text of an object." });
        flat.leaves.push(whole(body, shape, Some("the document gives no schema for the body")));
        return;
    };
    let union = Union::of(api, &[schema]);
    let fields = union.fields();
    let required = union.required();
    let map =
        matches!(union.additional(), Additional::Schema(_)) || !union.pattern_fields().is_empty();
    let objects_only = union.kind() == Kind::Object && union.only_objects();
    let nothing = fields.is_empty() && required.is_empty();
    if !objects_only || map || nothing {
        let why =
            if map || nothing { "a body without named fields" } else { "a body that is no object" };
        let mut leaf = whole(body, Shape::Schema(vec![schema]), Some(why));
        if let Some(noun) = list_noun(api, &union) {
            leaf.name = noun;
        }
        flat.leaves.push(leaf);
        return;
    }
    if union.additional() == Additional::Any {
        diagnostics.report(
            &codes::OPEN_BODY,
            Some(operation.at),
            operation.pointer.clone(),
            format!(
                "the body of `{}` takes further members, which no argument gives",
                operation.key
            ),
        );
    }
    union.object_words(&mut flat.words);
    for (key, ids) in &fields {
        let needed = body.required && required.contains(key);
        let parent =
            Field { key, ids, needed, optional_body: !body.required && required.contains(key) };
        let lifted = match form {
            MediaForm::Json | MediaForm::JsonLike | MediaForm::Anything => {
                lift(api, operation, &parent)
            }
            _ => None,
        };
        match lifted {
            Some(children) => flat.leaves.extend(children),
            None => flat.leaves.push(field_leaf(&parent)),
        }
    }
    for key in required.iter().filter(|k| !fields.contains_key(*k)) {
        diagnostics.report(
            &codes::UNDESCRIBED_REQUIRED_FIELD,
            Some(operation.at),
            operation.pointer.clone(),
            format!("the body of `{}` needs `{key}`, which is not described", operation.key),
        );
        flat.leaves.push(Leaf {
            name: snake(key),
            place: Place::Body(vec![(*key).to_owned()]),
            shape: Shape::Text("Not described by the document."),
            required: body.required,
            description: None,
            words: None,
            why: Some("required, but not described".to_owned()),
            clears: false,
        });
    }
}

/// A better name than `body` for a list of named things.
fn list_noun(api: &Api, union: &Union<'_>) -> Option<String> {
    if union.kind() != Kind::Array {
        return None;
    }
    let (items, _) = union.items();
    let [item] = items.as_slice() else { return None };
    let name = api.schema(*item).name.as_deref()?;
    let mut words = words(name);
    if words.len() > 3 || words.is_empty() {
        return None;
    }
    let last = words.last_mut()?;
    if !last.ends_with('s') {
        last.push('s');
    }
    Some(snake(&words.join("_")))
}

struct Field<'a> {
    key: &'a str,
    ids: &'a [SchemaId],
    needed: bool,
    /// Whether the body needs it, but the operation does not need the body.
    optional_body: bool,
}

fn field_leaf(field: &Field<'_>) -> Leaf {
    let name = snake(field.key);
    Leaf {
        why: (name != field.key).then(|| format!("`{}` of the body", field.key)),
        clears: false,
        name,
        place: Place::Body(vec![field.key.to_owned()]),
        shape: Shape::Schema(field.ids.to_vec()),
        required: field.needed,
        description: None,
        words: field.optional_body.then(|| "Required when a body is sent.".to_owned()),
    }
}

/// The fields of a small object of scalars, as arguments of their own.
fn lift(api: &Api, operation: &Operation, field: &Field<'_>) -> Option<Vec<Leaf>> {
    let union = Union::of(api, field.ids);
    if union.kind() != Kind::Object || union.parts.len() != 1 || !union.only_objects() {
        return None;
    }
    let fields = union.fields();
    let required = union.required();
    let open = matches!(union.additional(), Additional::Schema(_) | Additional::Any);
    // Where `null` clears a field, it must stay one argument.
    let cleared = operation.key.method == Method::Patch && union.parts.iter().any(|(_, t)| t.null);
    let undeclared = required.iter().any(|k| !fields.contains_key(k));
    // An object that must be sent, but of which nothing must be given, would be lost.
    let lost = field.needed && required.is_empty();
    if open || cleared || undeclared || lost || fields.is_empty() || fields.len() > FIELDS {
        return None;
    }
    let scalars = fields.values().all(|ids| matches!(Union::of(api, ids).kind(), Kind::Scalar(_)));
    if !scalars {
        return None;
    }
    let parent = snake(field.key);
    let leaves = fields.iter().map(|(key, ids)| {
        let own = snake(key);
        let stem = format!("{}_", singular(&parent));
        let own_says_it = own.starts_with(&stem) || own.starts_with(&format!("{parent}_"));
        let name = if own_says_it { own } else { format!("{parent}_{own}") };
        let together = required.contains(key) && !field.needed;
        Leaf {
            name: limited(&name),
            place: Place::Body(vec![field.key.to_owned(), (*key).to_owned()]),
            shape: Shape::Schema(ids.clone()),
            required: field.needed && required.contains(key),
            description: None,
            words: together.then(|| format!("Required when `{}` is given.", clean_key(field.key))),
            why: Some(format!("`{key}` in `{}` of the body", field.key)),
            clears: false,
        }
    });
    Some(leaves.collect())
}

fn clean_key(key: &str) -> String {
    crate::ir::prose::clean(key).chars().take(64).collect()
}

#[cfg(test)]
mod tests;
