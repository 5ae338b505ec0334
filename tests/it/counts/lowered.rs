//! The same count over what the reader made.

use std::collections::{BTreeMap, BTreeSet};

use mcp_gen::ir::{Additional, Api, Location, Operation, SchemaId, Server};

use super::raw::{joined, plain};
use super::{DEPTH, Facts, Kind};

type Parts = BTreeSet<(Kind, String)>;

/// Everything that is in `api`, by operation. `raw` says which bodies are counted less deep.
pub fn count(api: &Api, raw: &BTreeMap<String, Facts>, swagger: bool) -> BTreeMap<String, Parts> {
    let mut all = BTreeMap::new();
    let mut whole = Parts::new();
    servers(&api.servers, &mut whole);
    let used: BTreeSet<&String> = api.operations.iter().flat_map(|o| &o.tags).collect();
    let declared = |name: &str| {
        raw.get("document").is_some_and(|f| f.parts.contains_key(&(Kind::Tag, name.to_owned())))
    };
    // Tags that only operations name are added at the end.
    for tag in api.tags.iter().filter(|t| declared(&t.name) || !used.contains(&t.name)) {
        whole.insert((Kind::Tag, tag.name.clone()));
    }
    all.insert("document".to_owned(), whole);
    // Where `security` stands nowhere, declared schemes are alternatives that nobody wrote.
    let silent = !raw.values().any(|f| f.parts.keys().any(|(kind, _)| *kind == Kind::Security));
    let assumed = raw.get("document").filter(|_| silent).map_or(&[][..], |f| &f.schemes);
    for operation in &api.operations {
        let name = operation.key.to_string();
        let shallow = raw.get(&name).map(|f| &f.shallow);
        let mut parts = Parts::new();
        let depth = |prefix: &str| shallow.and_then(|s| s.get(prefix)).copied();
        let credentials = raw.get(&name).map(|f| credentials(api, operation, f, &mut parts));
        let mut credentials = credentials.unwrap_or_default();
        credentials.extend(assumed.iter().map(String::as_str));
        one(api, operation, swagger, &depth, &mut parts);
        security(operation, &credentials, raw.get(&name), &mut parts);
        all.insert(name, parts);
    }
    all
}

fn one(
    api: &Api,
    operation: &Operation,
    swagger: bool,
    depth: &dyn Fn(&str) -> Option<usize>,
    parts: &mut Parts,
) {
    for parameter in &operation.parameters {
        let place = match parameter.location {
            Location::Path => "path",
            Location::Query => "query",
            Location::Header => "header",
            Location::Cookie => "cookie",
            Location::QueryString => "querystring",
        };
        let name = format!("{place} {}", parameter.name);
        parts.insert((Kind::Parameter, name.clone()));
        if let Some(media) = &parameter.media_type {
            parts.insert((Kind::Parameter, format!("{name} as {media}")));
        }
        let to = depth(&name).unwrap_or(2);
        fields(api, parts, &name, parameter.schema, to);
    }
    for content in operation.body.iter().flat_map(|b| &b.contents) {
        let name = if swagger { "body" } else { &content.media_type };
        if !swagger {
            parts.insert((Kind::Media, content.media_type.clone()));
        }
        if let Some(schema) = content.schema {
            fields(api, parts, name, schema, depth(name).unwrap_or(DEPTH));
        }
    }
    for response in &operation.responses {
        let status = response.status.to_ascii_uppercase();
        for content in response.contents.iter().filter(|_| !swagger) {
            parts.insert((Kind::Response, format!("{status} {}", content.media_type)));
        }
        parts.insert((Kind::Response, status));
    }
    servers(&operation.servers, parts);
    parts.extend(operation.tags.iter().map(|t| (Kind::Tag, t.clone())));
}

/// Parameters that became credentials are in the requirements: counts them, and gives the schemes.
fn credentials<'a>(
    api: &'a Api,
    operation: &Operation,
    raw: &Facts,
    parts: &mut Parts,
) -> BTreeSet<&'a str> {
    let mut schemes = BTreeSet::new();
    for (_, part) in raw.parts.keys().filter(|(kind, _)| *kind == Kind::Parameter) {
        let Some((place, name)) = part.split_once(' ') else { continue };
        let location = match place {
            "header" => Location::Header,
            "query" => Location::Query,
            "cookie" => Location::Cookie,
            _ => continue,
        };
        let is = |p: &mcp_gen::ir::Parameter| p.location == location && p.name == name;
        if operation.parameters.iter().any(is) {
            continue;
        }
        let needed =
            |scheme: &str| operation.security.iter().any(|r| r.schemes.contains_key(scheme));
        let sending = api.schemes.iter().filter(|(_, s)| s.kind.sends(location, name));
        // Several may be sent in one header, any of which will do.
        let sending: Vec<&str> =
            sending.map(|(scheme, _)| scheme.as_str()).filter(|scheme| needed(scheme)).collect();
        if !sending.is_empty() {
            parts.insert((Kind::Parameter, part.clone()));
        }
        schemes.extend(sending);
    }
    schemes
}

/// The requirements, without `credentials` that the document does not name there.
fn security(
    operation: &Operation,
    credentials: &BTreeSet<&str>,
    raw: Option<&Facts>,
    parts: &mut Parts,
) {
    let written =
        |part: &str| raw.is_some_and(|f| f.parts.contains_key(&(Kind::Security, part.to_owned())));
    let secured = raw.is_some_and(|f| f.parts.keys().any(|(kind, _)| *kind == Kind::Security));
    for requirement in &operation.security {
        let part = |without: &BTreeSet<&str>| {
            let named = requirement.schemes.iter().filter(|(n, _)| !without.contains(n.as_str()));
            let mut schemes: Vec<_> =
                named.map(|(name, scopes)| format!("{name}({})", scopes.join(","))).collect();
            schemes.sort();
            schemes.join("+")
        };
        let whole = part(&BTreeSet::new());
        let part = if written(&whole) { whole } else { part(credentials) };
        if secured || !part.is_empty() || credentials.is_empty() {
            parts.insert((Kind::Security, part));
        }
    }
}

fn servers(list: &[Server], parts: &mut Parts) {
    for server in list {
        parts.insert((Kind::Server, server.url.clone()));
        let name = |v: &String| (Kind::Server, format!("{} {{{v}}}", server.url));
        parts.extend(server.variables.keys().map(name));
    }
}

fn fields(api: &Api, parts: &mut Parts, prefix: &str, schema: SchemaId, depth: usize) {
    let mut level: BTreeMap<String, BTreeSet<SchemaId>> =
        BTreeMap::from([(prefix.to_owned(), BTreeSet::from([schema]))]);
    for below in (0..=depth).rev() {
        let mut next: BTreeMap<String, BTreeSet<SchemaId>> = BTreeMap::new();
        for (path, ids) in &level {
            for id in ids.iter().flat_map(|id| with_variants(api, *id)) {
                let schema = api.schema(id);
                for value in schema.values.iter().flatten() {
                    let text = format!("{path} = {}", plain(&value.to_json()));
                    parts.insert((Kind::Value, text));
                }
                let mut add = |name: &str, id: SchemaId| {
                    next.entry(joined(path, name)).or_default().insert(id);
                };
                schema.properties.iter().for_each(|(name, id)| add(&format!(".{name}"), *id));
                schema
                    .pattern_properties
                    .iter()
                    .for_each(|(name, id)| add(&format!("{{{name}}}"), *id));
                schema
                    .prefix_items
                    .iter()
                    .enumerate()
                    .for_each(|(i, id)| add(&format!("[{i}]"), *id));
                schema.items.iter().for_each(|id| add("[]", *id));
                if let Additional::Schema(id) = schema.additional {
                    add("{}", id);
                }
            }
        }
        if below == 0 {
            break;
        }
        parts.extend(next.keys().map(|path| (Kind::Field, path.clone())));
        level = next;
    }
}

/// A schema and its variants, theirs too.
fn with_variants(api: &Api, id: SchemaId) -> BTreeSet<SchemaId> {
    let mut all = BTreeSet::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        if all.insert(id) {
            open.extend(&api.schema(id).variants);
        }
    }
    all
}
