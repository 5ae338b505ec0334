//! Schemas that are made of a base with a `discriminator`: where the base is asked for, each of them
//! may be sent.

use std::collections::{HashMap, HashSet};

use super::arena::Lowered;
use super::lower::{Lowerer, Spot};
use crate::diagnostic::reading;
use crate::ir::{SchemaId, VariantKind};

/// How many heirs of one base are offered.
pub(super) const HEIRS: usize = 64;

impl<'a> Lowerer<'a, '_> {
    /// The named schemas whose `allOf` leads to the one at `spot`, the nearest first.
    pub(super) fn heirs_of(&self, spot: &Spot<'a>) -> Vec<(String, Spot<'a>)> {
        let mut all: Vec<(String, Spot<'a>)> = Vec::new();
        let mut seen = HashSet::from([spot.address()]);
        let mut open = vec![spot.address()];
        while let Some(address) = open.pop() {
            for (name, heir) in self.arena.heirs.get(&address).into_iter().flatten() {
                if seen.insert(heir.address()) {
                    open.push(heir.address());
                    all.push((name.clone(), heir.clone()));
                }
            }
        }
        all
    }

    /// Drops discriminators whose property no schema has: nobody could send it. Each is reported
    /// where it is written.
    pub(super) fn forget_discriminators(
        &mut self,
        all: &mut [Lowered<'_>],
        written: &[(Spot<'a>, SchemaId)],
    ) {
        let mut idle = HashSet::new();
        for (index, lowered) in all.iter().enumerate() {
            if let Some(discriminator) = &lowered.schema.discriminator
                && !has_property(all, id(index), &discriminator.property)
            {
                idle.insert(id(index));
            }
        }
        for (place, id) in written {
            let discriminator = all[id.0 as usize].schema.discriminator.as_ref();
            if let Some(discriminator) = discriminator.filter(|_| idle.contains(id)) {
                let property = &discriminator.property;
                let message = format!(
                    "no schema here has the property `{property}`, so nothing tells them apart"
                );
                self.report(&reading::DISCRIMINATOR_WITHOUT_EFFECT, place, message)
                    .help(format!("declare `{property}` under `properties` of each"));
            }
        }
        for id in idle {
            all[id.0 as usize].schema.discriminator = None;
        }
    }
}

/// Whether a schema or one of its variants has a property.
fn has_property(all: &[Lowered<'_>], id: SchemaId, name: &str) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        if seen.len() >= LOOKED || !seen.insert(id) {
            continue;
        }
        let schema = &all[id.0 as usize].schema;
        if schema.properties.contains_key(name) || schema.required.contains(name) {
            return true;
        }
        open.extend(&schema.variants);
    }
    false
}

/// How many schemas are looked through for one property.
const LOOKED: usize = 500;

/// Makes the heirs of a base its variants. The base stays one of them, since it may be sent as well.
/// This comes after all merging, so that an heir does not get its siblings.
pub(super) fn offer_heirs(all: &mut Vec<Lowered<'_>>) {
    let is_base = |l: &Lowered<'_>| {
        let heirs = l.schema.discriminator.as_ref().map_or(0, |d| d.mapping.len());
        l.schema.variants.is_empty() && !l.schema.never && (1..=HEIRS).contains(&heirs)
    };
    let bases: Vec<usize> =
        all.iter().enumerate().filter(|(_, l)| is_base(l)).map(|(i, _)| i).collect();
    // An heir that is a base itself stands for itself alone: its own heirs are listed beside it.
    let mut alone: HashMap<SchemaId, SchemaId> = HashMap::new();
    for &index in &bases {
        let mut plain = all[index].clone();
        plain.schema.title = plain.schema.title.or(plain.schema.name.take());
        plain.schema.discriminator = None;
        alone.insert(id(index), id(all.len()));
        all.push(plain);
    }
    for &index in &bases {
        let own = id(index);
        let schema = &mut all[index].schema;
        let Some(discriminator) = &mut schema.discriminator else { continue };
        for target in discriminator.mapping.values_mut() {
            *target = alone.get(target).copied().unwrap_or(*target);
        }
        let mut variants = vec![alone[&own]];
        for target in discriminator.mapping.values() {
            if !variants.contains(target) {
                variants.push(*target);
            }
        }
        if variants.len() > 1 {
            schema.variants = variants;
            schema.variant_kind = VariantKind::AnyOf;
        }
    }
}

fn id(index: usize) -> SchemaId {
    SchemaId(u32::try_from(index).unwrap_or(u32::MAX))
}
