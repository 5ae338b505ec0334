//! Paths and their operations.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use super::detect::Version;
use super::fields::Known;
use super::follow::{Written, in_a_circle};
use super::hints::Holder;
use super::lower::{Lowerer, Spot};
use super::parameter::Parameters;
use crate::diagnostic::reading;
use crate::ir::{
    Hints, Location, Method, Operation, OperationKey, Requirement, SecurityScheme, Server,
    is_authorization, split_path,
};
use crate::source::{Node, Pointer, Value};

/// What operations inherit from the document.
pub(super) struct Inherited<'s> {
    pub schemes: &'s IndexMap<String, SecurityScheme>,
    pub security: Vec<Requirement>,
    /// Tags that are no headings.
    pub marks: HashSet<String>,
}

/// What operations inherit from their path.
struct PathLevel<'a> {
    path: String,
    /// The path item and, where it is a reference, what it leads to; the nearest first.
    layers: Vec<Spot<'a>>,
    summary: Option<String>,
    description: Option<String>,
    servers: Vec<Server>,
    hints: Hints,
}

impl PathLevel<'_> {
    /// The pointer in terms of the root document to what stands at `written` in a path item.
    fn pointer(&self, written: &Pointer) -> Pointer {
        let steps: Vec<String> = written.steps().collect();
        let depth = match steps.len().checked_sub(2) {
            Some(i) if steps[i] == "additionalOperations" => 2,
            _ => 1,
        };
        let root = Pointer::default().child("paths").child(&self.path);
        steps[steps.len().saturating_sub(depth)..].iter().fold(root, |p, step| p.child(step))
    }
}

const FIELDS: &[&str] =
    &["summary", "description", "servers", "parameters", "additionalOperations"];

impl<'a> Lowerer<'a, '_> {
    /// All operations of the document.
    pub(super) fn operations(&mut self, inherited: &Inherited<'_>) -> Vec<Operation> {
        let root = self.root();
        let mut operations = Vec::new();
        if let Some(paths) = self.object(&root, "paths") {
            for (path, spot) in paths.members() {
                if path.starts_with("x-") {
                    continue;
                }
                if !path.starts_with('/') {
                    let message = format!("path `{path}` does not begin with `/`");
                    self.report(&reading::ODD_PATH, &spot, message);
                }
                if path.matches('{').count() != path.matches('}').count() {
                    let message = format!("the braces of path `{path}` do not match");
                    self.report(&reading::ODD_PATH, &spot, message);
                }
                self.odd_template(path, &spot);
                self.path_item(&mut operations, path, &spot, inherited);
            }
        }
        if operations.is_empty() {
            self.report(
                &reading::DOCUMENT_WITHOUT_OPERATIONS,
                &root,
                "the document has no operations",
            );
        }
        if let Some(webhooks) = root.get("webhooks").or_else(|| root.get("x-webhooks")) {
            let count = webhooks.members().len();
            if count > 0 {
                self.report(
                    &reading::WEBHOOKS_LEFT_OUT,
                    &webhooks,
                    if count == 1 {
                        "a webhook is left out: it is a call from the API, not to it".to_owned()
                    } else {
                        format!(
                            "{count} webhooks are left out: they are calls from the API, not to it"
                        )
                    },
                );
            }
        }
        self.check_ids(&operations);
        self.check_paths(&operations);
        operations
    }

    /// Reports names in braces that cannot be filled in as they are meant, and queries.
    fn odd_template(&mut self, path: &str, spot: &Spot<'a>) {
        let (path, query) = split_path(path);
        let mut seen = HashSet::new();
        for part in path.split('{').skip(1) {
            let Some((name, _)) = part.split_once('}') else { continue };
            if name.is_empty() {
                let message =
                    format!("`{{}}` in path `{path}` has no name; it is sent as it stands");
                self.report(&reading::ODD_PATH, spot, message);
            } else if !seen.insert(name) {
                let message =
                    format!("`{{{name}}}` stands twice in path `{path}`; one value fills both");
                self.report(&reading::ODD_PATH, spot, message);
            }
        }
        if !query.is_empty() {
            let message =
                format!("path `{path}` has the query `{query}`, which is sent as it stands");
            self.report(&reading::ODD_PATH, spot, message)
                .help("describe it by parameters with `in: query`");
        }
    }

    fn check_ids(&mut self, operations: &[Operation]) {
        let mut first: HashMap<&str, &Operation> = HashMap::new();
        let mut missing = 0_usize;
        for operation in operations {
            let Some(id) = operation.id.as_deref() else {
                missing += 1;
                continue;
            };
            if let Some(other) = first.get(id) {
                let message = format!("`operationId` `{id}` is also that of `{}`", other.key);
                self.diagnostics.report(
                    &reading::DUPLICATE_OPERATION_ID,
                    Some(operation.at),
                    operation.pointer.clone(),
                    message,
                );
            } else {
                first.insert(id, operation);
            }
        }
        if missing > 0 {
            let root = self.root();
            let place = root.get("paths").unwrap_or(root);
            let total = operations.len();
            self.report(
                &reading::MISSING_OPERATION_ID,
                &place,
                format!("{missing} of {total} operations have no `operationId`"),
            );
        }
    }

    fn check_paths(&mut self, operations: &[Operation]) {
        let mut first: HashMap<(&Method, String), &Operation> = HashMap::new();
        for operation in operations {
            let shape = without_names(&operation.key.path);
            if let Some(other) = first.get(&(&operation.key.method, shape.clone())) {
                self.diagnostics.report(
                    &reading::AMBIGUOUS_PATH,
                    Some(operation.at),
                    operation.pointer.clone(),
                    format!("`{}` cannot be told from `{}`", operation.key, other.key),
                );
            } else {
                first.insert((&operation.key.method, shape), operation);
            }
        }
    }

    fn path_item(
        &mut self,
        operations: &mut Vec<Operation>,
        path: &str,
        spot: &Spot<'a>,
        inherited: &Inherited<'_>,
    ) {
        let mut layers: Vec<Spot<'a>> = Vec::new();
        let mut place = spot.clone();
        loop {
            // A path with nothing below it is a path without operations.
            if place.node.value == Value::Null || !self.is_object(&place, "path item") {
                break;
            }
            self.has_text_reference(&place);
            let reference = place.reference();
            layers.push(place.clone());
            let Some(reference) = reference else { break };
            let written = Written { key: "$ref", text: reference };
            if layers.len() > 16 {
                self.dangling(&place, written, &in_a_circle());
                break;
            }
            match self.follow(&place, reference, 0) {
                Ok(next) => place = next,
                Err(missing) => {
                    self.dangling(&place, written, &missing);
                    break;
                }
            }
        }
        let mut level = PathLevel {
            path: path.to_owned(),
            summary: None,
            description: None,
            servers: Vec::new(),
            hints: Hints::default(),
            layers,
        };
        for layer in level.layers.clone() {
            level.summary = level.summary.or_else(|| self.text(&layer, "summary"));
            level.description = level.description.or_else(|| self.text(&layer, "description"));
            if level.servers.is_empty() {
                level.servers = self.servers(&layer);
            }
            let own = self.hints(&layer, Holder::Path);
            level.hints = inherit(level.hints, &own);
        }
        let mut methods: HashSet<Method> = HashSet::new();
        for layer in level.layers.clone() {
            // Methods with a field of their own count before the map that must not hold them.
            let (others, fields): (Vec<_>, Vec<_>) =
                layer.members().into_iter().partition(|(key, _)| *key == "additionalOperations");
            for (key, child) in fields.into_iter().chain(others) {
                if let Some(method) = method_named(key) {
                    if key.bytes().any(|b| b.is_ascii_uppercase()) {
                        let message = format!("`{key}` must be written in lower case");
                        self.report(&reading::ODD_PATH, &child, message);
                    }
                    self.add_operation(operations, &mut methods, method, &child, &level, inherited);
                } else if key == "additionalOperations" {
                    for (name, child) in child.members() {
                        let Some(method) = method_token(name) else {
                            let message = format!("`{name}` is no HTTP method; it is left out");
                            self.report(&reading::ODD_PATH, &child, message);
                            continue;
                        };
                        if let Some(field) = method_named(name) {
                            let field = field.as_str().to_ascii_lowercase();
                            let message = format!(
                                "`{name}` must not stand under `additionalOperations`: it has the field `{field}`"
                            );
                            self.report(&reading::ODD_PATH, &child, message);
                        }
                        self.add_operation(
                            operations,
                            &mut methods,
                            method,
                            &child,
                            &level,
                            inherited,
                        );
                    }
                } else if !FIELDS.contains(&key) && key != "$ref" && !key.starts_with("x-") {
                    let message = format!("`{key}` is no part of a path item and is ignored");
                    self.report(&reading::UNKNOWN_FIELD, &child, message);
                }
            }
        }
    }

    fn add_operation(
        &mut self,
        operations: &mut Vec<Operation>,
        methods: &mut HashSet<Method>,
        method: Method,
        spot: &Spot<'a>,
        level: &PathLevel<'a>,
        inherited: &Inherited<'_>,
    ) {
        if methods.contains(&method) {
            let message = format!(
                "`{}` stands twice for `{}`; the first one counts",
                method.as_str(),
                level.path
            );
            self.report(&reading::SHADOWED_OPERATION, spot, message);
            return;
        }
        let Some(place) = self.resolve(spot) else { return };
        if !self.is_object(&place, "operation") {
            return;
        }
        self.parts += 1 + inherited.security.len() + level.servers.len();
        if self.parts > self.limits.parts {
            if self.said.insert("parts-limit".to_owned()) {
                let limit = self.limits.parts;
                self.report(
                    &reading::TOO_MANY_PARTS,
                    &place,
                    format!(
                        "operations have more than {limit} parts; from here on they are left out"
                    ),
                );
            }
            return;
        }
        let operation = self.operation(method.clone(), spot, &place, level, inherited);
        methods.insert(method);
        operations.push(operation);
    }

    fn operation(
        &mut self,
        method: Method,
        written: &Spot<'a>,
        spot: &Spot<'a>,
        level: &PathLevel<'a>,
        inherited: &Inherited<'_>,
    ) -> Operation {
        self.known_fields(spot, Known::Operation);
        let mut parameters = Parameters::default();
        for layer in level.layers.iter().rev() {
            self.parameters(&mut parameters, layer);
        }
        self.parameters(&mut parameters, spot);
        self.fixed_query(&mut parameters, &level.path, spot);
        self.match_template(&mut parameters, &level.path, spot);
        self.query_strings(&mut parameters);
        let body = match self.version {
            Version::V2 => self.swagger_body(spot, &parameters),
            Version::V30 | Version::V31 => self.body(spot),
        };
        if let Some(callbacks) = spot.get("callbacks") {
            self.report(
                &reading::CALLBACKS_LEFT_OUT,
                &callbacks,
                "callbacks are left out: they are calls from the API, not to it",
            );
        }
        let mut servers = match self.version {
            Version::V2 if spot.get("schemes").is_some() => {
                let schemes = self.texts(spot, "schemes");
                self.swagger_servers(Some((schemes, spot)))
            }
            Version::V2 => Vec::new(),
            Version::V30 | Version::V31 => self.servers(spot),
        };
        if servers.is_empty() {
            servers.clone_from(&level.servers);
        }
        let said = self.requirements(spot, inherited.schemes);
        let mut security = said.clone().unwrap_or_else(|| inherited.security.clone());
        let mut declared = parameters.list.values();
        let asked = declared.any(|p| is_authorization(p.location, &p.name));
        if said.is_none() && security.is_empty() && asked {
            // The document asks for the header in its own way: what is sent there is what is needed.
            security = in_authorization(inherited.schemes);
        }
        let mut hints = inherit(self.hints(spot, Holder::Operation), &level.hints);
        // What the operation says itself counts, a `skip: false` too.
        let said = spot.get("x-mcp").and_then(|own| match own.node.as_bool() {
            Some(wanted) => Some(!wanted),
            None => own.node.get("skip")?.as_bool(),
        });
        hints.skip = said.unwrap_or(hints.skip);
        Operation {
            key: OperationKey { method, path: level.path.clone() },
            id: self.text(spot, "operationId").filter(|id| !id.is_empty()),
            summary: self.text(spot, "summary").or_else(|| level.summary.clone()),
            description: self.text(spot, "description").or_else(|| level.description.clone()),
            tags: self.operation_tags(spot, &inherited.marks),
            deprecated: self.flag(spot, "deprecated").unwrap_or(false),
            parameters: parameters.list.into_values().collect(),
            body,
            responses: self.responses(spot),
            security,
            servers,
            hints,
            at: written.node.key,
            pointer: level.pointer(&written.pointer),
        }
    }

    /// Tags that are headings come first: what an operation belongs to is said by its first tag.
    fn operation_tags(&mut self, spot: &Spot<'a>, marks: &HashSet<String>) -> Vec<String> {
        if let Some(name) = spot.node.get("tags").and_then(Node::as_str) {
            if let Some(child) = spot.get("tags") {
                self.unexpected(&child, "tags", "a list");
            }
            return vec![name.to_owned()];
        }
        let mut tags = self.texts(spot, "tags");
        let mut seen = HashSet::new();
        tags.retain(|tag| seen.insert(tag.clone()));
        tags.sort_by_key(|tag| marks.contains(tag));
        self.parts += tags.len();
        tags
    }
}

/// A path with nothing between its braces: `/pets/{}`.
fn without_names(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut inside = false;
    for c in path.chars() {
        inside &= c != '}';
        if !inside {
            out.push(c);
        }
        inside |= c == '{';
    }
    out
}

/// `own`, and what it does not say from `from`.
fn inherit(own: Hints, from: &Hints) -> Hints {
    Hints {
        name: own.name.or_else(|| from.name.clone()),
        title: own.title.or_else(|| from.title.clone()),
        description: own.description.or_else(|| from.description.clone()),
        skip: own.skip || from.skip,
        group: own.group.or_else(|| from.group.clone()),
        posture: own.posture.or_else(|| from.posture.clone()),
        argument: false,
    }
}

fn method_named(key: &str) -> Option<Method> {
    Some(match key.to_ascii_lowercase().as_str() {
        "get" => Method::Get,
        "put" => Method::Put,
        "post" => Method::Post,
        "delete" => Method::Delete,
        "options" => Method::Options,
        "head" => Method::Head,
        "patch" => Method::Patch,
        "trace" => Method::Trace,
        "query" => Method::Query,
        _ => return None,
    })
}

/// A method under `additionalOperations`, where any token may stand.
fn method_token(name: &str) -> Option<Method> {
    let token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    if name.is_empty() || !name.bytes().all(token) {
        return None;
    }
    // A method with a field of its own is meant, however it is spelled.
    Some(method_named(name).unwrap_or_else(|| Method::Other(name.to_owned())))
}

/// The schemes that are sent in the header `Authorization`, any of which will do.
fn in_authorization(schemes: &IndexMap<String, SecurityScheme>) -> Vec<Requirement> {
    let own = schemes.iter().filter(|(_, s)| s.kind.sends(Location::Header, "Authorization"));
    own.map(|(name, _)| Requirement { schemes: [(name.clone(), Vec::new())].into() }).collect()
}
