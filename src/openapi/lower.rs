//! What all parts of lowering share: places, findings, and lenient reading of fields.

use std::cell::Cell;
use std::collections::HashSet;

use super::arena::Arena;
use super::body;
use super::credential::take_credentials;
use super::detect::Version;
use super::documents::Documents;
use super::fields::Known;
use super::operation::Inherited;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, reading};
use crate::ir::Api;
use crate::source::Limits;
use crate::source::{Node, Pointer, Value};

/// A value and its place.
#[derive(Clone, Debug)]
pub(super) struct Spot<'a> {
    /// The value.
    pub node: &'a Node,
    /// Its document.
    pub document: usize,
    /// Its place in it.
    pub pointer: Pointer,
}

impl<'a> Spot<'a> {
    /// Member `key`, unless it is absent or null.
    pub(super) fn get(&self, key: &str) -> Option<Spot<'a>> {
        let node = self.node.get(key)?;
        (node.value != Value::Null).then(|| self.child(key, node))
    }

    /// `node`, which is member `key` of this.
    pub(super) fn child(&self, key: &str, node: &'a Node) -> Spot<'a> {
        Spot { node, document: self.document, pointer: self.pointer.child(key) }
    }

    /// The elements, when this is a list.
    pub(super) fn items(&self) -> Vec<Spot<'a>> {
        let items = self.node.as_array().unwrap_or_default();
        let spot =
            |(i, node)| Spot { node, document: self.document, pointer: self.pointer.index(i) };
        items.iter().enumerate().map(spot).collect()
    }

    /// The members, when this is an object.
    pub(super) fn members(&self) -> Vec<(&'a str, Spot<'a>)> {
        let Some(map) = self.node.as_object() else { return Vec::new() };
        map.iter().map(|(key, node)| (key.as_str(), self.child(key, node))).collect()
    }

    /// The text of `$ref`, when this is a reference.
    pub(super) fn reference(&self) -> Option<&'a str> {
        self.node.get("$ref")?.as_str()
    }

    /// Identity of the value, for remembering what became of it.
    pub(super) fn address(&self) -> usize {
        std::ptr::from_ref(self.node).addr()
    }
}

/// The state of lowering.
pub(super) struct Lowerer<'a, 'd> {
    pub documents: &'a Documents,
    pub diagnostics: &'d mut Diagnostics,
    pub limits: &'d Limits,
    pub version: Version,
    pub arena: Arena<'a>,
    /// Findings that are made once for all their places.
    pub said: HashSet<String>,
    /// How many references were followed for the one that is being followed now.
    pub hops: Cell<usize>,
    /// How many parts of operations were read: a few lines may refer to many parts many times.
    pub parts: usize,
    /// Whether `security` is anywhere.
    pub secured: bool,
}

/// Beginnings of the URIs of dialects that are read as their authors mean them: JSON Schema 2020-12
/// and those of OpenAPI, which add to it.
const DIALECTS: &[&str] =
    &["https://json-schema.org/draft/2020-12/schema", "https://spec.openapis.org/oas/3."];

impl<'a> Lowerer<'a, '_> {
    /// Schemas of another dialect are read as 2020-12, which is said.
    fn dialect(&mut self, root: &Spot<'a>) {
        let Some(place) = root.get("jsonSchemaDialect") else { return };
        let Some(uri) = self.text(root, "jsonSchemaDialect") else { return };
        self.check_dialect(&place, &uri);
    }

    /// The dialect that a schema names for itself.
    pub(super) fn own_dialect(&mut self, place: &Spot<'a>) {
        if let Some(uri) = place.node.as_str() {
            self.check_dialect(place, uri);
        }
    }

    fn check_dialect(&mut self, place: &Spot<'a>, uri: &str) {
        let known = DIALECTS.iter().any(|known| uri.starts_with(known));
        if !known && self.said.insert(format!("dialect {uri}")) {
            let message = format!("dialect `{uri}` is not known: schemas are read as 2020-12");
            self.report(&reading::FIELD_WITHOUT_EFFECT, place, message);
        }
    }

    /// The whole API.
    pub(super) fn api(mut self) -> Api {
        self.name_schemas();
        let root = self.root();
        self.known_fields(&root, Known::Root);
        if let Some(components) = root.get("components") {
            self.known_fields(&components, Known::Components);
        }
        self.dialect(&root);
        let (title, version, description) = self.info();
        let servers = match self.version {
            Version::V2 => self.swagger_servers(None),
            Version::V30 | Version::V31 => self.servers(&root),
        };
        let mut schemes = self.schemes();
        let security = self.requirements(&root, &schemes).unwrap_or_default();
        let mut operations =
            self.operations(&Inherited { schemes: &schemes, security, marks: self.marks() });
        let tags = self.tags(&operations);
        self.misplaced_hints();
        self.drain();
        for (_, schema) in self.component_schemas(0) {
            self.schema_id(&schema);
        }
        let is_newer = self.version == Version::V31;
        let root = self.documents.list[0].root.at.file;
        let schemas = self.finish_schemas();
        let declared: Vec<String> = schemes.keys().cloned().collect();
        take_credentials(self.diagnostics, &mut operations, &mut schemes, &schemas);
        if !self.secured && operations.iter().all(|o| o.security.is_empty()) {
            self.suppose_security(&declared, &mut operations, &schemes);
        }
        let mut api =
            Api { title, version, description, servers, tags, operations, schemas, schemes, root };
        if is_newer {
            body::files_without_a_type(&mut api);
        }
        api
    }

    /// The named schemas of a document.
    fn component_schemas(&mut self, document: usize) -> Vec<(&'a str, Spot<'a>)> {
        let documents: &'a Documents = self.documents;
        let root =
            Spot { node: &documents.list[document].root, document, pointer: Pointer::default() };
        let place = match self.version {
            Version::V2 => root.get("definitions"),
            Version::V30 | Version::V31 => root.get("components").and_then(|c| c.get("schemas")),
        };
        let Some(place) = place else { return Vec::new() };
        match self.try_resolve(&place) {
            Ok(place) => place.members(),
            Err(_) => Vec::new(),
        }
    }

    /// Notes the names of schemas: those of the root document, then those of parts, then the names
    /// of files that hold one schema.
    fn name_schemas(&mut self) {
        let count = self.documents.list.len();
        for document in 0..count {
            for (name, schema) in self.component_schemas(document) {
                if schema.reference().is_none() || self.siblings(&schema).counts {
                    self.arena.names.entry(schema.address()).or_insert_with(|| name.to_owned());
                }
            }
        }
        for (name, schema) in self.component_schemas(0) {
            if let Ok(target) = self.try_resolve(&schema) {
                self.arena.names.entry(target.address()).or_insert_with(|| name.to_owned());
            }
        }
        for (name, schema) in self.component_schemas(0) {
            let members = schema.get("allOf").map(|all| all.items()).unwrap_or_default();
            for base in members.iter().filter(|m| m.reference().is_some()) {
                if let Ok(target) = self.try_resolve(base) {
                    let heirs = self.arena.heirs.entry(target.address()).or_default();
                    heirs.push((name.to_owned(), schema.clone()));
                }
            }
        }
        for (document, part) in self.documents.list.iter().enumerate().skip(1) {
            if let Some(stem) = self.documents.stem(document) {
                let address = std::ptr::from_ref(&part.root).addr();
                self.arena.names.entry(address).or_insert_with(|| stem.to_owned());
            }
        }
    }

    /// The root document.
    pub(super) fn root(&self) -> Spot<'a> {
        Spot { node: &self.documents.list[0].root, document: 0, pointer: Pointer::default() }
    }

    /// Reports a finding at the key of `spot`.
    pub(super) fn report(
        &mut self,
        code: &'static Code,
        spot: &Spot<'_>,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.diagnostics.report(code, Some(spot.node.key), spot.pointer.clone(), message)
    }

    /// Member `key`, or what it refers to: documents in several files put references where the
    /// specification knows none.
    fn child_behind(&mut self, spot: &Spot<'a>, key: &str) -> Option<Spot<'a>> {
        let child = spot.get(key)?;
        if child.reference().is_some() { self.resolve(&child) } else { Some(child) }
    }

    /// Member `key` as text. Numbers and truth values are taken as they are written.
    pub(super) fn text(&mut self, spot: &Spot<'a>, key: &str) -> Option<String> {
        let child = self.child_behind(spot, key)?;
        match &child.node.value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.0.clone()),
            Value::Bool(b) => Some(b.to_string()),
            Value::Null => None,
            Value::Array(_) | Value::Object(_) => {
                self.unexpected(&child, key, "text");
                None
            }
        }
    }

    /// The `description` beside `$ref`, which wins over the one at its end since OpenAPI 3.1.
    pub(super) fn words_beside(&mut self, spot: &Spot<'a>) -> Option<String> {
        let applies = spot.reference().is_some() && self.version == Version::V31;
        if applies { self.text(spot, "description") } else { None }
    }

    /// Member `key` as a truth value.
    pub(super) fn flag(&mut self, spot: &Spot<'a>, key: &str) -> Option<bool> {
        let child = spot.get(key)?;
        match (&child.node.value, child.node.as_str()) {
            (Value::Bool(b), _) => Some(*b),
            (_, Some(word @ ("true" | "false"))) => {
                let value = word == "true";
                self.unexpected(&child, key, "a boolean");
                Some(value)
            }
            _ => {
                self.unexpected(&child, key, "a boolean");
                None
            }
        }
    }

    /// Member `key`, when it is an object.
    pub(super) fn object(&mut self, spot: &Spot<'a>, key: &str) -> Option<Spot<'a>> {
        let child = self.child_behind(spot, key)?;
        if child.node.as_object().is_some() {
            return Some(child);
        }
        self.unexpected(&child, key, "an object");
        None
    }

    /// Member `key`, when it is a list.
    pub(super) fn list(&mut self, spot: &Spot<'a>, key: &str) -> Option<Spot<'a>> {
        let child = self.child_behind(spot, key)?;
        if child.node.as_array().is_some() {
            return Some(child);
        }
        self.unexpected(&child, key, "a list");
        None
    }

    /// Member `key` as a list of texts.
    pub(super) fn texts(&mut self, spot: &Spot<'a>, key: &str) -> Vec<String> {
        let Some(list) = self.list(spot, key) else { return Vec::new() };
        let mut out = Vec::new();
        for item in list.items() {
            match &item.node.value {
                Value::String(text) => out.push(text.clone()),
                Value::Number(number) => out.push(number.0.clone()),
                Value::Bool(b) => out.push(b.to_string()),
                Value::Null | Value::Array(_) | Value::Object(_) => {
                    self.unexpected(&item, key, "a list of texts");
                }
            }
        }
        out
    }

    /// Reports that a value is of another kind than it must be.
    pub(super) fn unexpected(&mut self, spot: &Spot<'a>, key: &str, wanted: &str) {
        let kind = spot.node.kind();
        self.report(
            &reading::UNEXPECTED_VALUE,
            spot,
            format!("`{key}` is {kind} where {wanted} must stand"),
        );
    }
}
