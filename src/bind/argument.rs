//! The place of one argument in its operation.

use super::Target;
use crate::ir::{Additional, Api, Location, Operation, SchemaId};
use crate::plan::Place;

/// How many unions may stand in one another on the way to a member.
const DEPTH: usize = 12;

/// Finds `place` in `operation`, whose body is sent as media type `content`.
///
/// # Errors
/// Why there is no such place, as the end of a sentence.
pub fn target(
    api: &Api,
    operation: &Operation,
    content: Option<usize>,
    place: &Place,
) -> Result<Target, String> {
    let parameter = |location: Location, name: &str, what: &str| {
        operation
            .parameters
            .iter()
            .position(|p| {
                p.location == location
                    && (p.name == *name
                        || (location == Location::Header && p.name.eq_ignore_ascii_case(name)))
            })
            .map(Target::Parameter)
            .ok_or_else(|| format!("`{}` has no {what} `{name}`", operation.key))
    };
    match place {
        Place::Path(name) => parameter(Location::Path, name, "path parameter"),
        Place::Query(name) => parameter(Location::Query, name, "query parameter"),
        Place::Header(name) => parameter(Location::Header, name, "header"),
        Place::Cookie(name) => parameter(Location::Cookie, name, "cookie"),
        Place::QueryString(name) => parameter(Location::QueryString, name, "query string"),
        Place::Body(steps) => {
            let content = operation
                .body
                .as_ref()
                .and_then(|body| body.contents.get(content?))
                .ok_or_else(|| format!("`{}` sends no body", operation.key))?;
            let mut at = content.schema.map(|s| vec![s]);
            for step in steps {
                // Without a schema, or below a free-form object, every member is fine.
                let Some(schemas) = at else { break };
                at = match member(api, &schemas, step) {
                    Member::Of(found) => Some(found),
                    Member::Free => None,
                    Member::Missing => {
                        return Err(format!("the body of `{}` has no `{step}`", operation.key));
                    }
                };
            }
            Ok(Target::Body(steps.clone()))
        }
    }
}

/// The schemas that member `key` may have, below any of `schemas`; empty when it may be anything.
pub fn members(api: &Api, schemas: &[SchemaId], key: &str) -> Vec<SchemaId> {
    match member(api, schemas, key) {
        Member::Of(found) => found,
        Member::Free | Member::Missing => Vec::new(),
    }
}

/// What a member of an object is.
enum Member {
    /// One of these schemas.
    Of(Vec<SchemaId>),
    /// Anything.
    Free,
    /// Not there.
    Missing,
}

/// Looks for member `key` below any of `schemas`, unions included.
fn member(api: &Api, schemas: &[SchemaId], key: &str) -> Member {
    let mut found = Vec::new();
    let mut free = false;
    let mut wave: Vec<SchemaId> = schemas.to_vec();
    for _ in 0..DEPTH {
        let mut next = Vec::new();
        for id in wave {
            let schema = api.schema(id);
            next.extend(schema.variants.iter().copied());
            // A document may require what it does not describe.
            free |= schema.required.contains(key);
            match (schema.properties.get(key), schema.additional) {
                (Some(member), _) => found.push(*member),
                (None, Additional::Schema(member)) => found.push(member),
                (None, Additional::Any) => free = true,
                (None, Additional::Unsaid) => {
                    free |= schema.properties.is_empty() && schema.variants.is_empty();
                }
                (None, Additional::Forbidden) => {}
            }
        }
        wave = next;
    }
    match (found.is_empty(), free) {
        (false, _) => Member::Of(found),
        (true, true) => Member::Free,
        (true, false) => Member::Missing,
    }
}
