//! The list of schemas while it grows. Whoever meets a schema gets its id at once; what it says is
//! read later, so that schemas which hold themselves come to an end.

use std::collections::{HashMap, VecDeque};

use super::follow::in_a_circle;
use super::lower::{Lowerer, Spot};
use crate::diagnostic::reading;
use crate::ir::{Schema, SchemaId};
use crate::source::Node;

/// Schemas by id, and what is known of those that were not read yet.
#[derive(Default)]
pub(super) struct Arena<'a> {
    slots: Vec<Slot<'a>>,
    by_address: HashMap<(usize, bool), SchemaId>,
    by_merge: HashMap<Vec<SchemaId>, SchemaId>,
    bases: HashMap<SchemaId, Vec<SchemaId>>,
    queue: VecDeque<SchemaId>,
    /// How many schemas are being read inside one another.
    depth: usize,
    /// How many members merging has copied so far.
    pub copied: usize,
    /// Names of schemas, by the address of their value.
    pub names: HashMap<usize, String>,
    /// Schemas whose `allOf` refers to a schema, with their names, by the address of that schema.
    pub heirs: HashMap<usize, Vec<(String, Spot<'a>)>>,
    /// Each `discriminator`, and the address of its schema.
    pub discriminators: Vec<(Spot<'a>, usize)>,
    any_string: Option<SchemaId>,
}

enum Slot<'a> {
    Waiting(Origin<'a>),
    Busy,
    Done(Box<Lowered<'a>>),
}

#[derive(Clone)]
enum Origin<'a> {
    /// A schema; or, when the flag is set, a Swagger 2.0 parameter, which is one in part.
    Written(Spot<'a>, bool),
    /// All of these at once.
    Merge(Vec<SchemaId>),
}

/// A schema, and what merging must know of it.
#[derive(Clone, Default)]
pub(super) struct Lowered<'a> {
    pub schema: Schema,
    /// Whether its types are written, not inferred.
    pub declared: bool,
    /// Whether a `null` variant was folded away.
    pub null_folded: bool,
    /// The keyword and value that its variants come from.
    pub union: Option<(&'static str, &'a Node)>,
    /// Schemas that may hold too: those of `then`, `else` and their kin, and those of further unions.
    pub maybe: Vec<SchemaId>,
}

/// How many schemas may be merged into one member.
const PARTS: usize = 24;
/// How deep `allOf` may lead into `allOf`.
const DEPTH: usize = 40;
/// How many members merging may copy in all.
const COPIES: usize = 200_000;

impl<'a> Lowerer<'a, '_> {
    /// The id of the schema at `spot`; references are followed.
    pub(super) fn schema_id(&mut self, spot: &Spot<'a>) -> SchemaId {
        let mut place = spot.clone();
        for _ in 0..64 {
            let Some(written) = self.schema_reference(&place) else {
                return self.reserve(place, false);
            };
            if self.has_siblings(&place) {
                return self.reserve(place, false);
            }
            match self.follow(&place, written.text, 0) {
                Ok(next) => {
                    self.note_dynamic(&place, written);
                    place = next;
                }
                Err(missing) => {
                    self.dangling(&place, written, &missing);
                    return self.unknown(&place);
                }
            }
        }
        if let Some(written) = self.schema_reference(&place) {
            self.dangling(spot, written, &in_a_circle());
        }
        self.unknown(spot)
    }

    /// The id of the schema that a Swagger 2.0 parameter is.
    pub(super) fn parameter_schema_id(&mut self, spot: &Spot<'a>) -> SchemaId {
        self.reserve(spot.clone(), true)
    }

    fn reserve(&mut self, spot: Spot<'a>, parameter: bool) -> SchemaId {
        let key = (spot.address(), parameter);
        if let Some(id) = self.arena.by_address.get(&key) {
            return *id;
        }
        let id = self.arena.push(Slot::Waiting(Origin::Written(spot, parameter)));
        self.arena.by_address.insert(key, id);
        self.arena.queue.push_back(id);
        id
    }

    /// The id of the schema at `spot` itself, when it has one already.
    pub(super) fn id_at(&self, spot: &Spot<'a>) -> Option<SchemaId> {
        self.arena.by_address.get(&(spot.address(), false)).copied()
    }

    /// A schema that allows anything, standing for what cannot be read at `spot`.
    pub(super) fn unknown(&mut self, spot: &Spot<'a>) -> SchemaId {
        let key = (spot.address(), false);
        if let Some(id) = self.arena.by_address.get(&key) {
            return *id;
        }
        let mut lowered = Lowered::default();
        lowered.schema.at = spot.node.at;
        lowered.schema.pointer = spot.pointer.clone();
        let id = self.arena.push(Slot::Done(Box::new(lowered)));
        self.arena.by_address.insert(key, id);
        id
    }

    /// The schema of text without any bound, for parameters that nobody declares.
    pub(super) fn any_string(&mut self) -> SchemaId {
        if let Some(id) = self.arena.any_string {
            return id;
        }
        let mut lowered = Lowered { declared: true, ..Lowered::default() };
        lowered.schema.types.string = true;
        let id = self.arena.push(Slot::Done(Box::new(lowered)));
        self.arena.any_string = Some(id);
        id
    }

    /// The id of a schema that is not written anywhere.
    pub(super) fn made_schema(&mut self, schema: Schema) -> SchemaId {
        let lowered = Lowered { declared: true, schema, ..Lowered::default() };
        self.arena.push(Slot::Done(Box::new(lowered)))
    }

    /// The id of the schema that is all of `ids` at once; later ones win where they only describe.
    pub(super) fn merged_id(&mut self, ids: &[SchemaId]) -> SchemaId {
        let mut bases: Vec<SchemaId> = Vec::new();
        for id in ids {
            let own = self.arena.bases.get(id).cloned().unwrap_or_else(|| vec![*id]);
            for base in own {
                bases.retain(|b| *b != base);
                bases.push(base);
            }
        }
        let last = bases[bases.len() - 1];
        if bases.len() == 1 {
            return last;
        }
        if let Some(id) = self.arena.by_merge.get(&bases) {
            return *id;
        }
        if self.arena.by_merge.len() >= self.limits.merged || bases.len() > PARTS {
            let limit = self.limits.merged;
            let root = self.root();
            if self.said.insert("merge-limit".to_owned()) {
                self.report(
                    &reading::ALL_OF_TOO_LARGE,
                    &root,
                    format!("`allOf` makes more than {limit} schemas; further ones are not merged"),
                );
            }
            return last;
        }
        let id = self.arena.push(Slot::Waiting(Origin::Merge(bases.clone())));
        self.arena.by_merge.insert(bases.clone(), id);
        self.arena.bases.insert(id, bases);
        self.arena.queue.push_back(id);
        id
    }

    /// Reads all schemas that were met.
    pub(super) fn drain(&mut self) {
        while let Some(id) = self.arena.queue.pop_front() {
            self.force(id);
        }
    }

    /// Reads schema `id` if that was not done. `None` when it is being read right now, or when too
    /// many are.
    pub(super) fn force(&mut self, id: SchemaId) -> Option<&Lowered<'a>> {
        let index = id.0 as usize;
        if let Slot::Waiting(origin) = &self.arena.slots[index] {
            if self.arena.depth >= DEPTH {
                return None;
            }
            let origin = origin.clone();
            self.arena.slots[index] = Slot::Busy;
            self.arena.depth += 1;
            let lowered = match origin {
                Origin::Written(spot, parameter) => Box::new(self.lower_schema(&spot, parameter)),
                Origin::Merge(ids) => Box::new(self.lower_merge(&ids)),
            };
            self.arena.depth -= 1;
            self.arena.slots[index] = Slot::Done(lowered);
        }
        match &self.arena.slots[index] {
            Slot::Done(lowered) => Some(lowered),
            Slot::Busy | Slot::Waiting(_) => None,
        }
    }

    /// A copy of schema `id` for merging into the one at `spot`; a finding when it cannot be had.
    pub(super) fn part(&mut self, id: SchemaId, spot: &Spot<'a>) -> Option<Lowered<'a>> {
        let copies = self.arena.copied;
        if copies > COPIES {
            if self.said.insert("copy-limit".to_owned()) {
                self.report(
                    &reading::ALL_OF_TOO_LARGE,
                    spot,
                    format!("`allOf` copies more than {COPIES} members; further ones are left out"),
                );
            }
            return None;
        }
        if let Some(lowered) = self.force(id) {
            let size = lowered.schema.properties.len() + lowered.schema.variants.len() + 1;
            let part = lowered.clone();
            self.arena.copied += size;
            return Some(part);
        }
        let message = if self.arena.depth >= DEPTH {
            format!("`allOf` leads more than {DEPTH} levels deep; this member is left out")
        } else {
            "this schema is made of itself; the member that leads back is left out".to_owned()
        };
        self.report(&reading::CYCLIC_ALL_OF, spot, message);
        None
    }

    fn lower_merge(&mut self, ids: &[SchemaId]) -> Lowered<'a> {
        let mut merged: Option<Lowered<'a>> = None;
        for id in ids {
            let place = self.place_of(*id);
            let Some(part) = self.part(*id, &place) else { continue };
            let at = part.schema.at;
            let pointer = part.schema.pointer.clone();
            merged = Some(match merged {
                None => part,
                Some(before) => {
                    let mut both = self.combine(&place, before, part);
                    both.schema.at = at;
                    both.schema.pointer = pointer;
                    both.schema.name = None;
                    both
                }
            });
        }
        merged.unwrap_or_default()
    }

    /// A spot to report at for schema `id`.
    fn place_of(&self, id: SchemaId) -> Spot<'a> {
        match &self.arena.slots[id.0 as usize] {
            Slot::Waiting(Origin::Written(spot, _)) => spot.clone(),
            Slot::Done(lowered) => {
                let root = self.root();
                let document = lowered.schema.pointer.clone();
                // Findings show the place of a node; the one at this pointer is found again.
                let mut spot = root.clone();
                for step in document.steps() {
                    let next = match spot.node.as_array() {
                        Some(items) => step.parse::<usize>().ok().and_then(|i| items.get(i)),
                        None => spot.node.get(&step),
                    };
                    match next {
                        Some(node) => spot = spot.child(&step, node),
                        None => return root,
                    }
                }
                spot
            }
            Slot::Waiting(Origin::Merge(_)) | Slot::Busy => self.root(),
        }
    }

    /// All schemas, in the order of their ids.
    pub(super) fn finish_schemas(&mut self) -> Vec<Schema> {
        self.drain();
        let written: Vec<(Spot<'a>, SchemaId)> = std::mem::take(&mut self.arena.discriminators)
            .into_iter()
            .filter_map(|(place, address)| {
                Some((place, *self.arena.by_address.get(&(address, false))?))
            })
            .collect();
        let slots = std::mem::take(&mut self.arena.slots);
        let mut lowered: Vec<Lowered<'a>> = Vec::with_capacity(self.arena.slots.len());
        for slot in slots {
            lowered.push(match slot {
                Slot::Done(done) => *done,
                Slot::Busy | Slot::Waiting(_) => Lowered::default(),
            });
        }
        super::conditional::offer_fields(&mut lowered);
        super::heirs::offer_heirs(&mut lowered);
        self.forget_discriminators(&mut lowered, &written);
        super::variants::settle_types(&mut lowered);
        lowered.into_iter().map(|l| l.schema).collect()
    }
}

impl<'a> Arena<'a> {
    fn push(&mut self, slot: Slot<'a>) -> SchemaId {
        let id = SchemaId(u32::try_from(self.slots.len()).unwrap_or(u32::MAX));
        self.slots.push(slot);
        id
    }
}
