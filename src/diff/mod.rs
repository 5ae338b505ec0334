//! What has changed from one plan to another, in the eyes of the agents that use it.
//!
//! Two plans give a [`Diff`]: plain data in a fixed order, which the renderers draw. What is
//! compared is what can be called and what is said of it. The sentences under `why` in a plan are
//! for its reviewers and change with every number they name; they are not compared.

mod argument;
mod catalog;
mod kinds;
mod message;
mod pair;
mod render_github;
mod render_json;
mod render_markdown;
mod render_text;
mod schema;
mod tool;

pub use kinds::{Impact, KINDS, Kind, Sign, kind};
pub use message::{Message, Part};
pub use render_github::github;
pub use render_json::{json, json_schema};
pub use render_markdown::markdown;
pub use render_text::{summary, text};

use std::collections::BTreeSet;

use crate::plan::{Connection, Plan};
use crate::source::Pointer;

/// All changes from one plan to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diff {
    /// The changes by what they are about, the worst first.
    pub groups: Vec<Group>,
    /// What the definitions cost.
    pub size: Size,
}

/// About how many tokens the reply to `tools/list` takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// For the old plan.
    pub before: usize,
    /// For the new plan.
    pub after: usize,
}

/// Changes about one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What they are about.
    pub subject: Subject,
    /// At least one, the worst first.
    pub changes: Vec<Change>,
}

/// What a change is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The server as a whole.
    Server,
    /// The tool of this name; of a tool with two names, the new one.
    Tool(String),
    /// The catalog and its entries.
    Catalog,
    /// What is left out.
    Excluded,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its kind.
    pub kind: &'static Kind,
    /// The actions or entries that it concerns, by their new names; none where it concerns all or
    /// none in particular.
    pub actions: Vec<String>,
    /// The argument that it concerns, by its new name; `address.street` is a member of one, `tags[]`
    /// an item.
    pub argument: Option<String>,
    /// What it says.
    pub message: Message,
    /// What stood in the old plan, whole, where that is a text or a value.
    pub before: Option<String>,
    /// What stands in the new plan.
    pub after: Option<String>,
    /// The place in the new plan; for what is gone, that of what it was part of.
    pub pointer: Pointer,
}

impl Diff {
    /// Every change, in order.
    pub fn changes(&self) -> impl Iterator<Item = &Change> {
        self.groups.iter().flat_map(|g| &g.changes)
    }

    /// How many changes have this impact.
    pub fn count(&self, impact: Impact) -> usize {
        self.changes().filter(|c| c.kind.impact == impact).count()
    }

    /// The impact of the worst change.
    pub fn worst(&self) -> Option<Impact> {
        self.changes().map(|c| c.kind.impact).min()
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }
}

/// The changes from `old` to `new`; without `old`, everything is new.
pub fn compare(old: Option<&Plan>, new: &Plan, size: Size) -> Diff {
    let nothing;
    let old = if let Some(old) = old {
        old
    } else {
        nothing = Plan { tools: Vec::new(), catalog: None, excluded: Vec::new(), ..new.clone() };
        &nothing
    };
    let mut out = Out::default();
    server(&mut out, old, new);
    connection(&mut out, &old.connection, &new.connection);
    let places = (&tool::Places::of(old), &tool::Places::of(new));
    tool::compare(&mut out, old, new, places);
    catalog::compare(&mut out, old, new, places);
    Diff { groups: out.groups(), size }
}

fn connection(out: &mut Out, old: &Connection, new: &Connection) {
    let at = At { subject: Subject::Server, pointer: Pointer::default().child("connection") };
    if old.servers != new.servers {
        let words = |servers: &[String]| match servers {
            [] => "(none said)".to_owned(),
            some => some.join(", "),
        };
        let (was, is) = (words(&old.servers), words(&new.servers));
        let message = Message::of("requests go to {} now, to {} before", &[&is, &was]);
        out.add(&at, &kinds::SERVERS_CHANGED, message).values(&was, &is);
    }
    if old.arrays != new.arrays {
        let words = |arrays: &Option<String>| arrays.clone().unwrap_or("brackets".to_owned());
        let (was, is) = (words(&old.arrays), words(&new.arrays));
        let message = Message::of("lists are written as {} now, as {} before", &[&is, &was]);
        out.add(&at, &kinds::ARRAY_FORMAT_CHANGED, message).values(&was, &is);
    }
    let names: BTreeSet<&String> = old.credentials.keys().chain(new.credentials.keys()).collect();
    for name in names {
        let (kind, message) = match (old.credentials.get(name), new.credentials.get(name)) {
            (None, Some(what)) => (&kinds::CREDENTIAL_ADDED, Message::of("{}: {}", &[name, what])),
            (Some(what), None) => {
                (&kinds::CREDENTIAL_REMOVED, Message::of("{}: {}", &[name, what]))
            }
            (Some(was), Some(is)) if was != is => {
                let message = Message::of("{} is {} now, {} before", &[name, is, was]);
                out.add(&at, &kinds::CREDENTIAL_CHANGED, message).values(was, is);
                continue;
            }
            (None, None) | (Some(_), Some(_)) => continue,
        };
        out.add(&at, kind, message);
    }
}

fn server(out: &mut Out, old: &Plan, new: &Plan) {
    let at = |key| At { subject: Subject::Server, pointer: Pointer::default().child(key) };
    let server = At { pointer: at("server").pointer.child("name"), ..at("server") };
    if old.server != new.server {
        let message = Message::of("is called {} now, {} before", &[&new.server, &old.server]);
        out.add(&server, &kinds::SERVER_RENAMED, message).values(&old.server, &new.server);
    }
    let title = At { pointer: at("server").pointer.child("title"), ..at("server") };
    out.text(
        &title,
        &kinds::SERVER_TITLE_CHANGED,
        "the title is another one",
        (&old.title, &new.title),
    );
    let text = At { pointer: at("server").pointer.child("instructions"), ..at("server") };
    let texts = (old.instructions.as_str(), new.instructions.as_str());
    out.text(&text, &kinds::INSTRUCTIONS_CHANGED, "the instructions are others", texts);
    let api = |plan: &Plan| format!("{} {}", plan.api_title, plan.api_version);
    let (before, after) = (api(old), api(new));
    if (&old.api_title, &old.api_version) != (&new.api_title, &new.api_version) {
        out.add(
            &at("api"),
            &kinds::API_CHANGED,
            Message::of("the document is {} now, {} before", &[&after, &before]),
        )
        .values(&before, &after);
    }
}

/// Where a change is.
#[derive(Clone, Debug)]
struct At {
    subject: Subject,
    pointer: Pointer,
}

impl At {
    /// Something within.
    fn of(&self, list: &str, index: usize) -> Self {
        Self { subject: self.subject.clone(), pointer: self.pointer.child(list).index(index) }
    }
}

/// Collects changes.
#[derive(Debug, Default)]
struct Out(Vec<(Subject, Change)>);

impl Out {
    fn add(&mut self, at: &At, kind: &'static Kind, message: Message) -> &mut Change {
        let change = Change {
            kind,
            actions: Vec::new(),
            argument: None,
            message,
            before: None,
            after: None,
            pointer: at.pointer.clone(),
        };
        self.0.push((at.subject.clone(), change));
        let (_, change) = self.0.last_mut().expect("one was pushed");
        change
    }

    /// A change of a text, if it is one.
    fn text(&mut self, at: &At, kind: &'static Kind, words: &'static str, texts: (&str, &str)) {
        if texts.0 != texts.1 {
            self.add(at, kind, Message::of(words, &[])).values(texts.0, texts.1);
        }
    }

    /// By subject, the worst first.
    fn groups(self) -> Vec<Group> {
        let place = |kind: &Kind| KINDS.iter().position(|k| k.id == kind.id);
        let mut by_subject = std::collections::BTreeMap::<Subject, Vec<Change>>::new();
        for (subject, change) in self.0 {
            by_subject.entry(subject).or_default().push(change);
        }
        let mut groups: Vec<Group> = by_subject
            .into_iter()
            .map(|(subject, mut changes)| {
                changes.sort_by_cached_key(|c| {
                    (
                        c.kind.impact,
                        place(c.kind),
                        c.argument.clone(),
                        c.actions.clone(),
                        c.message.to_string(),
                    )
                });
                Group { subject, changes }
            })
            .collect();
        // Stable: of groups that are equally bad, the server comes first, then tools by name.
        groups.sort_by_key(|g| g.changes.first().map(|c| c.kind.impact));
        groups
    }
}

impl Change {
    fn action(&mut self, name: &str) -> &mut Self {
        self.actions.push(name.to_owned());
        self
    }

    fn argument(&mut self, name: &str) -> &mut Self {
        self.argument = Some(name.to_owned());
        self
    }

    fn values(&mut self, before: &str, after: &str) -> &mut Self {
        self.before = Some(before.to_owned());
        self.after = Some(after.to_owned());
        self
    }
}
