//! Keywords that ask for more than a schema of ours can hold: `if`, `dependentSchemas`, `not` and
//! their kin. What they forbid is left to the API; the fields that only they declare are offered.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::arena::Lowered;
use super::lower::{Lowerer, Spot};
use crate::diagnostic::reading;
use crate::ir::{Schema, SchemaId, Types, VariantKind};

/// How many schemas may be looked through for the fields of one.
const LOOKED: usize = 500;

impl<'a> Lowerer<'a, '_> {
    /// Notes the schemas that may hold beside `own`.
    pub(super) fn conditional(&mut self, own: &mut Lowered<'a>, key: &str, child: &Spot<'a>) {
        let places = match key {
            "then" | "else" => vec![child.clone()],
            "dependentSchemas" | "dependencies" => {
                child.members().into_iter().map(|(_, place)| place).collect()
            }
            _ => return,
        };
        for place in places.iter().filter(|p| p.node.as_object().is_some()) {
            let id = self.schema_id(place);
            own.maybe.push(id);
        }
    }

    /// Says once for each keyword that nothing holds values against it.
    pub(super) fn unchecked(&mut self, key: &str, spot: &Spot<'_>) {
        if self.said.insert(format!("unchecked {key}")) {
            let message = format!("`{key}` is not checked here; the API refuses what breaks it");
            self.report(&reading::UNCHECKED_KEYWORD, spot, message);
        }
    }
}

/// Gives schemas the fields that only schemas which may hold declare.
pub(super) fn offer_fields(all: &mut Vec<Lowered<'_>>) {
    let mut offers: Vec<(usize, IndexMap<String, Vec<SchemaId>>)> = Vec::new();
    for (index, lowered) in all.iter().enumerate().filter(|(_, l)| !l.maybe.is_empty()) {
        let own = fields(all, std::iter::once(SchemaId(number(index))), false);
        let mut more = fields(all, lowered.maybe.iter().copied(), true);
        more.retain(|name, _| !own.contains_key(name));
        offers.push((index, more));
    }
    for (index, fields) in offers {
        let schema = &mut all[index].schema;
        if !fields.is_empty() && schema.types == Types::default() && schema.variants.is_empty() {
            schema.types.object = true;
        }
        for (name, ids) in fields {
            let id = match ids.as_slice() {
                [one] => *one,
                several => {
                    let schema = Schema {
                        variants: several.to_vec(),
                        variant_kind: VariantKind::AnyOf,
                        at: all[index].schema.at,
                        pointer: all[index].schema.pointer.clone(),
                        ..Schema::default()
                    };
                    all.push(Lowered { schema, ..Lowered::default() });
                    SchemaId(number(all.len() - 1))
                }
            };
            all[index].schema.properties.insert(name, id);
        }
    }
}

/// The fields of schemas and of their variants; with `maybe` also those of schemas that may hold.
fn fields(
    all: &[Lowered<'_>],
    ids: impl Iterator<Item = SchemaId>,
    maybe: bool,
) -> IndexMap<String, Vec<SchemaId>> {
    let mut out: IndexMap<String, Vec<SchemaId>> = IndexMap::new();
    let mut seen = HashSet::new();
    let mut open: Vec<SchemaId> = ids.collect();
    open.reverse();
    while let Some(id) = open.pop() {
        if seen.len() >= LOOKED || !seen.insert(id) {
            continue;
        }
        let lowered = &all[id.0 as usize];
        for (name, property) in &lowered.schema.properties {
            let known = out.entry(name.clone()).or_default();
            if !known.contains(property) {
                known.push(*property);
            }
        }
        open.extend(lowered.schema.variants.iter().rev());
        if maybe {
            open.extend(lowered.maybe.iter().rev());
        }
    }
    out
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
