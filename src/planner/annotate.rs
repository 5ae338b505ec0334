//! The four hints of a tool: the worst of its actions, always said.

use super::verb::Verb;
use crate::ir::{Method, takes_away};
use crate::plan::{Annotations, Effect};

/// The hints of a tool with these actions. The service behind it is the open world.
pub fn annotate<'a>(
    effect: Effect,
    actions: impl Iterator<Item = (&'a Verb, &'a Method)>,
) -> Annotations {
    let read_only = effect == Effect::Read;
    let mut destructive = false;
    let mut idempotent = true;
    for (verb, method) in actions {
        destructive |= !read_only && is_destructive(verb, method);
        idempotent &= read_only || matches!(method, Method::Put | Method::Delete);
    }
    Annotations { read_only, destructive, idempotent, open_world: true }
}

fn is_destructive(verb: &Verb, method: &Method) -> bool {
    let by_method = matches!(method, Method::Put | Method::Patch | Method::Delete);
    let by_verb = match verb {
        Verb::Update | Verb::Replace | Verb::Delete => true,
        Verb::List | Verb::Search | Verb::Get | Verb::Create => false,
        Verb::Other(word) => takes_away(word),
    };
    by_method || by_verb
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(effect: Effect, actions: &[(Verb, Method)], expected: [bool; 3]) {
        let hints = annotate(effect, actions.iter().map(|(v, m)| (v, m)));
        assert_eq!([hints.read_only, hints.destructive, hints.idempotent], expected);
        assert!(hints.open_world);
    }

    #[test]
    fn a1_the_worst_action_decides() {
        let other = |w: &str| Verb::Other(w.to_owned());
        check(Effect::Read, &[(Verb::List, Method::Get)], [true, false, true]);
        check(Effect::Read, &[(Verb::Search, Method::Post)], [true, false, true]);
        check(Effect::Write, &[(Verb::Create, Method::Post)], [false, false, false]);
        check(Effect::Write, &[(Verb::Delete, Method::Delete)], [false, true, true]);
        check(
            Effect::Write,
            &[(Verb::Create, Method::Post), (Verb::Delete, Method::Delete)],
            [false, true, false],
        );
        check(Effect::Write, &[(other("cancel"), Method::Post)], [false, true, false]);
        check(Effect::Write, &[(other("logout"), Method::Get)], [false, false, false]);
        check(Effect::Write, &[(Verb::Update, Method::Post)], [false, true, false]);
    }
}
