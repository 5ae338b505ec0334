//! What stands in a document, counted over its parsed value alone: nothing of the reader is used.
//!
//! Names of parts are text, so that two counts can be compared as sets: `query limit`,
//! `application/json pet.tags[].name`, `200`.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use serde_json::Value as Json;

use super::{DEPTH, Facts, HEIRS, Kind, MOST, Trail, TrailStep, value};

/// The documents by path; the root is the first.
pub struct Documents {
    pub paths: Vec<PathBuf>,
    values: Vec<Json>,
    /// Files that serde's YAML refuses, and why.
    pub refused: Vec<String>,
}

/// A value and how it was reached.
#[derive(Clone)]
struct Place<'a> {
    file: usize,
    node: &'a Json,
    trail: Trail,
}

impl<'a> Place<'a> {
    fn get(&self, key: &str) -> Option<Place<'a>> {
        let node = self.node.get(key).filter(|n| !n.is_null())?;
        Some(self.step(key, node))
    }

    fn step(&self, key: &str, node: &'a Json) -> Place<'a> {
        let key = key.replace('~', "~0").replace('/', "~1");
        let pointer = format!("{}/{key}", self.trail.pointer);
        let from = self.trail.from.clone();
        Place {
            file: self.file,
            node,
            trail: Rc::new(TrailStep { file: self.file, pointer, from }),
        }
    }

    fn members(&self) -> Vec<(&'a str, Place<'a>)> {
        let map = self.node.as_object();
        map.into_iter().flatten().map(|(k, v)| (k.as_str(), self.step(k, v))).collect()
    }

    fn items(&self) -> Vec<Place<'a>> {
        let list = self.node.as_array();
        let item = |(i, v): (usize, &'a Json)| self.step(&i.to_string(), v);
        list.into_iter().flatten().enumerate().map(item).collect()
    }

    fn text(&self, key: &str) -> Option<String> {
        self.node.get(key).filter(|n| !n.is_null()).map(plain)
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self.node).addr()
    }
}

/// A scalar as text, without regard to quotes.
pub fn plain(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Null => "(null)".to_owned(),
        Json::Number(n) => n.as_f64().map_or_else(|| n.to_string(), |f| f.to_string()),
        other => other.to_string(),
    }
}

impl Documents {
    /// Reads the file and those that it refers to; `None` when serde cannot read the root.
    pub fn read(root: &Path) -> Option<Self> {
        let mut all = Self { paths: vec![], values: vec![], refused: vec![] };
        let mut wanted = VecDeque::from([tidy(root)]);
        while let Some(path) = wanted.pop_front() {
            if all.paths.contains(&path) {
                continue;
            }
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            match parsed(&text) {
                Ok(value) => {
                    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
                    let mut refs = BTreeSet::new();
                    references(&value, &mut refs);
                    wanted.extend(refs.iter().map(|r| tidy(&folder.join(unescaped(r)))));
                    all.paths.push(path);
                    all.values.push(value);
                }
                Err(e) if all.paths.is_empty() => {
                    let _ = e;
                    return None;
                }
                Err(e) => all.refused.push(format!("{}: {e}", path.display())),
            }
        }
        (!all.paths.is_empty()).then_some(all)
    }

    fn at(&self, file: usize, from: Option<Trail>) -> Place<'_> {
        let trail = Rc::new(TrailStep { file, pointer: String::new(), from });
        Place { file, node: &self.values[file], trail }
    }

    /// What a chain of references leads to.
    fn resolve<'a>(&'a self, place: &Place<'a>) -> Option<Place<'a>> {
        let mut place = place.clone();
        for _ in 0..40 {
            if self.reference(&place).is_none() {
                return Some(place);
            }
            place = self.follow(&place, 0)?;
        }
        None
    }

    /// `$ref`, or since version 3.1 `$dynamicRef`, which means the only place of its name here.
    fn reference<'a>(&self, place: &Place<'a>) -> Option<&'a str> {
        let modern = self.version() == Version::V31;
        let dynamic = || place.node.get("$dynamicRef").filter(|_| modern);
        place.node.get("$ref").filter(|r| r.is_string()).or_else(dynamic)?.as_str()
    }

    /// One step of a reference.
    fn follow<'a>(&'a self, place: &Place<'a>, depth: usize) -> Option<Place<'a>> {
        self.target(place, self.reference(place)?, depth)
    }

    fn target<'a>(&'a self, place: &Place<'a>, reference: &str, depth: usize) -> Option<Place<'a>> {
        let (file, pointer) = reference.split_once('#').unwrap_or((reference, ""));
        let target = if file.is_empty() {
            place.file
        } else {
            let folder = self.paths[place.file].parent().unwrap_or(Path::new(""));
            let path = tidy(&folder.join(unescaped(file)));
            self.paths.iter().position(|p| *p == path)?
        };
        if !pointer.is_empty() && !pointer.starts_with('/') {
            let anchor = anchored(&self.values[target], &unescaped(pointer))?;
            return self.walk(target, &anchor, place, depth);
        }
        let found = self.walk(target, pointer, place, depth);
        // Parts of a bundle may speak as if they stood in the root.
        if found.is_none() && target != 0 { self.walk(0, pointer, place, depth) } else { found }
    }

    fn walk<'a>(
        &'a self,
        file: usize,
        pointer: &str,
        from: &Place<'a>,
        depth: usize,
    ) -> Option<Place<'a>> {
        if depth > 20 {
            return None;
        }
        let mut place = self.at(file, Some(from.trail.clone()));
        if pointer.is_empty() {
            return Some(place);
        }
        for step in pointer.strip_prefix('/')?.split('/') {
            let step = unescaped(step).replace("~1", "/").replace("~0", "~");
            let child = |place: &Place<'a>| match place.node {
                Json::Array(list) => {
                    list.get(step.parse::<usize>().ok()?).map(|n| place.step(&step, n))
                }
                other => other.get(&step).map(|n| place.step(&step, n)),
            };
            place = match child(&place) {
                Some(found) => found,
                None => child(&self.follow(&place, depth + 1)?)?,
            };
        }
        Some(place)
    }

    pub fn is_swagger(&self) -> bool {
        self.version() == Version::V2
    }

    fn version(&self) -> Version {
        let said = |key| self.values[0].get(key).map(plain).unwrap_or_default();
        match said("openapi") {
            v if v.starts_with("3.0") || v == "3" => Version::V30,
            v if v.starts_with('3') => Version::V31,
            _ => Version::V2,
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Version {
    V2,
    V30,
    V31,
}

const METHODS: &[&str] =
    &["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/// Everything that the document says, by operation; `document` stands for the whole.
pub fn count(documents: &Documents) -> BTreeMap<String, Facts> {
    let counter = Counter { documents, version: documents.version(), shallow: RefCell::default() };
    let root = documents.at(0, None);
    let mut all = BTreeMap::new();
    let mut whole = Facts::new(root.trail.clone());
    counter.servers(&root, &mut whole);
    counter.root_tags(&root, &mut whole);
    let place = match counter.version {
        Version::V2 => root.get("securityDefinitions"),
        _ => root.get("components").and_then(|c| documents.resolve(&c)?.get("securitySchemes")),
    };
    let declared = place.and_then(|p| documents.resolve(&p));
    whole.schemes =
        declared.iter().flat_map(Place::members).map(|(name, _)| name.to_owned()).collect();
    all.insert("document".to_owned(), whole);
    let Some(paths) = root.get("paths").and_then(|p| documents.resolve(&p)) else { return all };
    for (path, item) in paths.members() {
        if path.starts_with("x-") {
            continue;
        }
        let mut layers = vec![item];
        while let Some(next) = layers.last().and_then(|l| documents.follow(l, 0)) {
            if layers.len() > 20 {
                break;
            }
            layers.push(next);
        }
        for layer in &layers {
            for (key, operation) in layer.members() {
                let lower = key.to_ascii_lowercase();
                let mut found = Vec::new();
                if METHODS.contains(&lower.as_str()) {
                    found.push((key.to_ascii_uppercase(), operation));
                } else if key == "additionalOperations" {
                    let own = operation.members();
                    found.extend(own.into_iter().map(|(name, o)| (name.to_owned(), o)));
                }
                for (method, operation) in found {
                    let name = format!("{method} {path}");
                    let facts = counter.operation(&root, &layers, &operation);
                    // The same method again is an operation too, if only a lost one.
                    let name = (0..).map(|n| format!("{name}{}", " again".repeat(n)));
                    if let Some(name) = name.take(9).find(|n| !all.contains_key(n)) {
                        all.insert(name, facts);
                    }
                }
            }
        }
    }
    for name in counter.shallow.into_inner() {
        all.entry("document".to_owned()).and_modify(|f| f.notes.push(name));
    }
    all
}

struct Counter<'a> {
    documents: &'a Documents,
    version: Version,
    /// Bodies that were too wide to be counted to the full depth.
    shallow: RefCell<Vec<String>>,
}

impl<'a> Counter<'a> {
    fn operation(&self, root: &Place<'a>, layers: &[Place<'a>], written: &Place<'a>) -> Facts {
        let mut facts = Facts::new(written.trail.clone());
        let Some(operation) = self.documents.resolve(written) else { return facts };
        let mut parameters: BTreeMap<(String, String), Place<'a>> = BTreeMap::new();
        let mut bodies: Vec<Place<'a>> = Vec::new();
        for holder in layers.iter().rev().chain([&operation]) {
            let list = holder.get("parameters").and_then(|p| self.documents.resolve(&p));
            let mut own = Vec::new();
            for written in list.iter().flat_map(Place::items) {
                let Some(place) = self.documents.resolve(&written) else { continue };
                let (name, location) = (place.text("name"), place.text("in"));
                if self.version == Version::V2 && location.as_deref() == Some("body") {
                    own.push(place);
                    continue;
                }
                let key = (location.unwrap_or_default(), name.unwrap_or_default());
                parameters.insert(key, place);
            }
            let form = |l: &Place<'a>| l.text("in").as_deref() == Some("formData");
            if !own.is_empty() || list.iter().flat_map(Place::items).any(|p| form(&p)) {
                bodies = own;
            }
        }
        for ((location, name), place) in &parameters {
            if self.version == Version::V2 && location == "formData" {
                let path = format!("body.{name}");
                facts.add(Kind::Field, path.clone(), &place.trail);
                self.fields(&mut facts, &path, place, 2);
                continue;
            }
            let path = format!("{location} {name}");
            facts.add(Kind::Parameter, path.clone(), &place.trail);
            let own = place.get("schema");
            let mut schemas: Vec<_> = own.iter().cloned().collect();
            for (media, content) in place.get("content").iter().flat_map(Place::members) {
                facts.add(Kind::Parameter, format!("{path} as {media}"), &content.trail);
                let content = self.documents.resolve(&content);
                schemas.extend(content.and_then(|c| c.get("schema")));
            }
            if schemas.is_empty() {
                // In Swagger 2.0 a parameter is a schema in part, and elsewhere by mistake.
                schemas.push(place.clone());
            }
            for schema in &schemas {
                self.fields(&mut facts, &path, schema, 2);
            }
        }
        for schema in bodies.iter().filter_map(|b| b.get("schema")) {
            self.fields(&mut facts, "body", &schema, DEPTH);
        }
        if self.version != Version::V2 {
            self.body(&operation, &mut facts);
        }
        let responses = operation.get("responses").and_then(|r| self.documents.resolve(&r));
        for (status, response) in responses.iter().flat_map(Place::members) {
            if !status.starts_with("x-") {
                facts.add(Kind::Response, status.to_ascii_uppercase(), &response.trail);
                if self.version != Version::V2 {
                    let place = self.documents.resolve(&response);
                    let content = place.and_then(|p| p.get("content"));
                    let content = content.and_then(|c| self.documents.resolve(&c));
                    for (media, at) in content.iter().flat_map(Place::members) {
                        let name = format!("{} {media}", status.to_ascii_uppercase());
                        facts.add(Kind::Response, name, &at.trail);
                    }
                }
            }
        }
        let security = operation.get("security").or_else(|| root.get("security"));
        let security = security.and_then(|s| self.documents.resolve(&s));
        for requirement in security.iter().flat_map(Place::items) {
            let mut schemes: Vec<String> = Vec::new();
            for (scheme, scopes) in requirement.members() {
                let scopes: Vec<_> = scopes.items().iter().map(|s| plain(s.node)).collect();
                schemes.push(format!("{scheme}({})", scopes.join(",")));
            }
            schemes.sort();
            facts.add(Kind::Security, schemes.join("+"), &requirement.trail);
        }
        if operation.get("servers").is_some_and(|s| !s.items().is_empty()) {
            self.servers(&operation, &mut facts);
        } else if let Some(layer) = layers.iter().find(|l| l.get("servers").is_some()) {
            self.servers(layer, &mut facts);
        }
        if let Some(tags) = operation.get("tags").and_then(|t| self.documents.resolve(&t)) {
            if tags.node.is_string() {
                facts.add(Kind::Tag, plain(tags.node), &tags.trail);
            }
            for tag in tags.items() {
                facts.add(Kind::Tag, plain(tag.node), &tag.trail);
            }
        }
        facts
    }

    fn body(&self, operation: &Place<'a>, facts: &mut Facts) {
        let Some(written) = operation.get("requestBody") else { return };
        let Some(body) = self.documents.resolve(&written) else { return };
        let content = body.get("content").and_then(|c| self.documents.resolve(&c));
        if content.as_ref().is_none_or(|c| c.members().is_empty()) {
            facts.add(Kind::Media, "(any)".to_owned(), &written.trail);
        }
        for (media, place) in content.iter().flat_map(Place::members) {
            facts.add(Kind::Media, media.to_owned(), &place.trail);
            let Some(place) = self.documents.resolve(&place) else { continue };
            if let Some(schema) = place.get("schema") {
                self.fields(facts, media, &schema, DEPTH);
            } else if let Some(items) = place.get("itemSchema") {
                // What is said of one value of a sequence is said of the items of a list.
                let path = joined(media, "[]");
                facts.add(Kind::Field, path.clone(), &items.trail);
                self.fields(facts, &path, &items, DEPTH - 1);
            }
        }
    }

    fn servers(&self, holder: &Place<'a>, facts: &mut Facts) {
        if self.version == Version::V2 {
            let base = holder.text("basePath").unwrap_or_default();
            let Some(host) = holder.text("host") else {
                if !base.is_empty() {
                    facts.add(Kind::Server, base.trim_end_matches('/').to_owned(), &holder.trail);
                }
                return;
            };
            let schemes = holder.get("schemes");
            let mut schemes: Vec<_> =
                schemes.iter().flat_map(Place::items).map(|s| plain(s.node)).collect();
            if schemes.is_empty() {
                schemes.push("https".to_owned());
            }
            for scheme in schemes {
                let url = format!("{scheme}://{host}{}", base.trim_end_matches('/'));
                facts.add(Kind::Server, url, &holder.trail);
            }
            return;
        }
        let list = holder.get("servers").and_then(|s| self.documents.resolve(&s));
        for server in list.iter().flat_map(Place::items) {
            let url = server.text("url").unwrap_or_default();
            facts.add(Kind::Server, url.clone(), &server.trail);
            let variables = server.get("variables");
            for (name, at) in variables.iter().flat_map(Place::members) {
                facts.add(Kind::Server, format!("{url} {{{name}}}"), &at.trail);
            }
        }
    }

    fn root_tags(&self, root: &Place<'a>, facts: &mut Facts) {
        let tags = root.get("tags").and_then(|t| self.documents.resolve(&t));
        for tag in tags.iter().flat_map(Place::items) {
            let name = tag.text("name").unwrap_or_else(|| plain(tag.node));
            facts.add(Kind::Tag, name, &tag.trail);
        }
    }

    /// Fields and listed values of a schema, to a depth.
    fn fields(&self, facts: &mut Facts, prefix: &str, schema: &Place<'a>, depth: usize) {
        let mut level = vec![(prefix.to_owned(), vec![vec![schema.clone()]])];
        for below in (0..=depth).rev() {
            let mut next: BTreeMap<String, Vec<Vec<Place<'a>>>> = BTreeMap::new();
            for (path, groups) in &level {
                for group in groups {
                    let merge = self.merge(group);
                    for (value, trail) in merge.all_values() {
                        facts.add(Kind::Value, format!("{path} = {value}"), &trail);
                    }
                    merge.all_fields(&mut |name, places| {
                        let to = next.entry(joined(path, name)).or_default();
                        let key =
                            |g: &[Place<'a>]| g.iter().map(Place::address).collect::<Vec<_>>();
                        if !to.iter().any(|g| key(g) == key(places)) {
                            to.push(places.to_vec());
                        }
                    });
                }
            }
            if below == 0 {
                break;
            }
            if next.len() > MOST {
                self.shallow.borrow_mut().push(format!("{prefix}: {} names", next.len()));
                facts.shallow.insert(prefix.to_owned(), depth - below);
                break;
            }
            for (path, groups) in &next {
                let trail = groups.iter().flatten().next().map(|p| p.trail.clone());
                facts.add(
                    Kind::Field,
                    path.clone(),
                    &trail.unwrap_or_else(|| schema.trail.clone()),
                );
            }
            level = next.into_iter().collect();
        }
    }

    /// All of `group` at once.
    fn merge(&self, group: &[Place<'a>]) -> Merge<'a> {
        let mut merge = Merge::default();
        let mut stack = Vec::new();
        for place in group {
            self.gather(place, &mut merge, &mut stack);
            self.heirs(place, &mut merge);
        }
        merge
    }

    /// Where a base with a discriminator is asked for, whatever is made of it may be sent.
    fn heirs(&self, place: &Place<'a>, into: &mut Merge<'a>) {
        let Some(mut base) = self.documents.resolve(place) else { return };
        let root = self.documents.at(0, None);
        let components = root.get("components").and_then(|c| c.get("schemas"));
        let components = components.or_else(|| root.get("definitions"));
        let components = components.map(|c| c.members()).unwrap_or_default();
        let components: Vec<Place<'a>> = components.into_iter().map(|(_, place)| place).collect();
        while base.get("discriminator").is_none() {
            // A lone member with nothing but words around it is that member still.
            let adds = ["properties", "required", "oneOf", "anyOf", "additionalProperties", "enum"];
            if adds.iter().any(|key| base.get(key).is_some()) {
                return;
            }
            let Some(member) = base.get("allOf").map(|all| all.items()).filter(|m| m.len() == 1)
            else {
                return;
            };
            let Some(next) = self.documents.resolve(&member[0]) else { return };
            if components.iter().any(|own| own.address() == base.address()) {
                return;
            }
            base = next;
        }
        if ["oneOf", "anyOf"].iter().any(|key| base.get(key).is_some()) {
            return;
        }
        let mut found: Vec<Place<'a>> = Vec::new();
        let mapping = base.get("discriminator").and_then(|d| d.get("mapping"));
        let documents = &self.documents;
        for (_, target) in mapping.iter().flat_map(Place::members) {
            let Some(text) = target.node.as_str() else { continue };
            let reference = if text.contains(['/', '#']) {
                text.to_owned()
            } else {
                format!("#/components/schemas/{text}")
            };
            found.extend(
                documents.target(&target, &reference, 0).and_then(|t| documents.resolve(&t)),
            );
        }
        let mut open = vec![base.address()];
        let mut seen = BTreeSet::from([base.address()]);
        while let Some(address) = open.pop() {
            for heir in &components {
                let members = heir.get("allOf").map(|all| all.items()).unwrap_or_default();
                let mut bases = members
                    .iter()
                    .filter(|m| m.node.get("$ref").is_some())
                    .filter_map(|m| documents.resolve(m));
                if bases.any(|b| b.address() == address) && seen.insert(heir.address()) {
                    open.push(heir.address());
                    found.push(heir.clone());
                }
            }
        }
        if found.len() > HEIRS {
            return;
        }
        for heir in found {
            let mut own = Merge::default();
            self.gather(&heir, &mut own, &mut Vec::new());
            into.variants.push(own);
        }
    }

    fn gather(&self, place: &Place<'a>, into: &mut Merge<'a>, stack: &mut Vec<usize>) {
        if stack.contains(&place.address()) || stack.len() > 60 {
            return;
        }
        stack.push(place.address());
        if let Some(target) = self.documents.follow(place, 0) {
            self.gather(&target, into, stack);
        }
        for member in place.get("allOf").iter().flat_map(Place::items) {
            self.gather(&member, into, stack);
        }
        for keyword in ["oneOf", "anyOf"] {
            let written = place.get(keyword);
            let all: Vec<_> = written.iter().flat_map(Place::items).collect();
            let resolved: Vec<_> = all.iter().filter_map(|v| self.documents.resolve(v)).collect();
            // A base that lists its heirs says nothing new to an heir.
            if resolved.iter().any(|v| stack.contains(&v.address())) {
                continue;
            }
            let real: Vec<_> = all.into_iter().filter(|v| !self.is_null(v)).collect();
            if let [one] = real.as_slice() {
                self.gather(one, into, stack);
                continue;
            }
            // A second list narrows what the first one offers.
            let narrows = !into.variants.is_empty();
            for variant in &real {
                let mut own = Merge::default();
                self.gather(variant, &mut own, stack);
                if narrows { into.maybe.push(own) } else { into.variants.push(own) }
            }
        }
        let several = ["dependentSchemas", "dependencies"].iter().filter_map(|k| place.get(k));
        let several =
            several.flat_map(|p| p.members().into_iter().map(|(_, p)| p).collect::<Vec<_>>());
        for member in ["then", "else"].iter().filter_map(|k| place.get(k)).chain(several) {
            let mut own = Merge::default();
            self.gather(&member, &mut own, stack);
            into.maybe.push(own);
        }
        let properties = place.get("properties").and_then(|p| {
            // A property may be called `$ref`.
            if p.node.get("$ref").is_some_and(Json::is_string) {
                self.documents.resolve(&p)
            } else {
                Some(p)
            }
        });
        for (name, property) in properties.iter().flat_map(Place::members) {
            into.fields.entry(format!(".{name}")).or_default().push(property);
        }
        for (name, property) in place.get("patternProperties").iter().flat_map(Place::members) {
            into.fields.entry(format!("{{{name}}}")).or_default().push(property);
        }
        for key in ["items", "prefixItems"] {
            let Some(items) = place.get(key) else { continue };
            if items.node.is_array() {
                for (i, item) in items.items().into_iter().enumerate() {
                    into.fields.entry(format!("[{i}]")).or_default().push(item);
                }
            } else {
                into.fields.entry("[]".to_owned()).or_default().push(items);
            }
        }
        let more = place.get("additionalProperties").or_else(|| place.get("unevaluatedProperties"));
        if let Some(more) = more {
            match more.node {
                Json::Bool(false) => into.closed = true,
                Json::Object(map) if !map.is_empty() => {
                    into.fields.entry("{}".to_owned()).or_default().push(more);
                }
                _ => {}
            }
        }
        let mut values: Vec<Json> = Vec::new();
        if let Some(list) = place.get("enum") {
            values.extend(list.node.as_array().into_iter().flatten().cloned());
        }
        let only = place.node.get("const");
        if let Some(value) = only {
            values = vec![value.clone()];
        }
        if !values.is_empty() {
            let trail = place.get("enum").map_or_else(|| place.trail.clone(), |e| e.trail.clone());
            let own: BTreeMap<String, Trail> =
                values.iter().map(|v| (plain(v), trail.clone())).collect();
            into.values = Some(match into.values.take() {
                None => own,
                Some(old) => old.into_iter().filter(|(v, _)| own.contains_key(v)).collect(),
            });
        }
        stack.pop();
    }

    fn is_null(&self, place: &Place<'a>) -> bool {
        let Some(place) = self.documents.resolve(place) else { return false };
        let null = |n: &Json| n.is_null() || n.as_str() == Some("null");
        let lone = |n: &Json| n.as_array().is_some_and(|l| l.len() == 1 && null(&l[0]));
        let node = place.node;
        node.get("type").is_some_and(|t| null(t) || lone(t))
            || node.get("const").is_some_and(Json::is_null)
            || node
                .get("enum")
                .and_then(Json::as_array)
                .is_some_and(|l| l.len() == 1 && l[0].is_null())
            || (node.get("nullable").and_then(Json::as_bool) == Some(true)
                && node.as_object().is_some_and(|m| m.len() == 1))
    }
}

/// What several schemas say together.
#[derive(Default)]
struct Merge<'a> {
    fields: BTreeMap<String, Vec<Place<'a>>>,
    values: Option<BTreeMap<String, Trail>>,
    closed: bool,
    variants: Vec<Merge<'a>>,
    /// Conditions and further unions: they offer the fields that nothing else declares, and listed
    /// values only with these.
    maybe: Vec<Merge<'a>>,
}

impl<'a> Merge<'a> {
    fn all_values(&self) -> BTreeMap<String, Trail> {
        let mut all = self.values.clone().unwrap_or_default();
        self.variants.iter().for_each(|v| all.extend(v.all_values()));
        all
    }

    fn all_fields(&self, take: &mut dyn FnMut(&str, &[Place<'a>])) {
        self.sure_fields(take);
        let mut sure = BTreeSet::new();
        self.sure_fields(&mut |name, _| {
            sure.insert(name.to_owned());
        });
        self.maybe_fields(&mut |name, places| {
            if name.starts_with('.') && !sure.contains(name) {
                take(name, places);
            }
        });
    }

    fn maybe_fields(&self, take: &mut dyn FnMut(&str, &[Place<'a>])) {
        for part in &self.maybe {
            part.sure_fields(take);
            part.maybe_fields(take);
        }
        self.variants.iter().for_each(|v| v.maybe_fields(take));
    }

    fn sure_fields(&self, take: &mut dyn FnMut(&str, &[Place<'a>])) {
        for (name, places) in &self.fields {
            if !(self.closed && name == "{}") {
                take(name, places);
            }
        }
        self.variants.iter().for_each(|v| v.sure_fields(take));
    }
}

/// `body` and `.name` are `body name`; deeper names follow with a dot.
pub fn joined(path: &str, name: &str) -> String {
    format!("{path}{name}")
}

/// The pointer to the schema with this anchor.
fn anchored(value: &Json, name: &str) -> Option<String> {
    let is = |key| value.get(key).and_then(Json::as_str) == Some(name);
    if is("$anchor") || is("$dynamicAnchor") {
        return Some(String::new());
    }
    let below = |step: &str, child| {
        let step = step.replace('~', "~0").replace('/', "~1").replace('%', "%25");
        anchored(child, name).map(|rest| format!("/{step}{rest}"))
    };
    match value {
        Json::Object(map) => map.iter().find_map(|(key, child)| below(key, child)),
        Json::Array(items) => {
            items.iter().enumerate().find_map(|(i, child)| below(&i.to_string(), child))
        }
        _ => None,
    }
}

fn references(value: &Json, into: &mut BTreeSet<String>) {
    match value {
        Json::Object(map) => {
            for (key, child) in map {
                if let (true, Some(text)) = (key == "$ref", child.as_str()) {
                    let file = text.split('#').next().unwrap_or_default();
                    if !file.is_empty() && !file.contains("://") {
                        into.insert(file.to_owned());
                    }
                }
                references(child, into);
            }
        }
        Json::Array(items) => items.iter().for_each(|i| references(i, into)),
        _ => {}
    }
}

fn parsed(text: &str) -> Result<Json, String> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with(['{', '['])
        && let Ok(value) = serde_json::from_str(text)
    {
        return Ok(value);
    }
    serde_yaml::from_str::<value::Yaml>(text).map(|yaml| yaml.0).map_err(|e| e.to_string())
}

fn unescaped(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut i) = (Vec::new(), 0);
    while i < bytes.len() {
        let hex = text.get(i + 1..i + 3).filter(|_| bytes[i] == b'%');
        match hex.and_then(|h| u8::from_str_radix(h, 16).ok()) {
            Some(byte) => (out.push(byte), i += 3).1,
            None => (out.push(bytes[i]), i += 1).1,
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

pub fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if out.file_name().is_some() => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}
