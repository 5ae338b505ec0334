//! What one client would do with the surface, in words with numbers.

use std::collections::{BTreeMap, BTreeSet};

use super::profile::{CLAUDE_CODE_RESERVED, Deed, Depth, Instructions, Names, Profile};
use super::schemas::listed;
use super::{Surface, shown, taste};
use crate::diagnostic::clients::{
    CLIENT_ADVISES, CLIENT_CUTS, CLIENT_HIDES, CLIENT_IGNORES, CLIENT_MERGES, CLIENT_REFUSES,
    CLIENT_SEES, CLIENT_TAKES_FEWER,
};
use crate::diagnostic::{Code, Diagnostics};
use crate::source::Pointer;

/// What a client makes of the surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The word for `--client`.
    pub client: &'static str,
    /// Each tool, in the order of the list.
    pub tools: Vec<SeenTool>,
}

/// What a client makes of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenTool {
    /// Its name in the plan.
    pub name: String,
    /// Its name as the model sees it; none where the tool is not there for it.
    pub shown: Option<String>,
}

impl Seen {
    /// How many tools are there for the model.
    pub fn taken(&self) -> usize {
        self.tools.iter().filter(|t| t.shown.is_some()).count()
    }
}

/// Reports what `profile` does with the surface, and gives the names that its model sees.
pub fn see(diagnostics: &mut Diagnostics, surface: Surface<'_>, profile: &Profile) -> Seen {
    let mut eye = Eye { diagnostics, profile, gone: BTreeSet::new(), all_gone: false };
    eye.server(surface);
    let tools: Vec<(&str, Pointer, &serde_json::Value)> = surface.tools().collect();
    let shown: Vec<String> =
        tools.iter().map(|(name, ..)| shown::shown(surface.plan, profile.shown, name)).collect();
    for (i, (name, place, definition)) in tools.iter().enumerate() {
        let whole = shown::before_cut(surface.plan, profile.shown, name);
        eye.name(i, (name, &whole, &shown[i]), &surface.plan.server, place);
        eye.description(i, name, definition, place);
        eye.arguments(i, name, &definition["inputSchema"], place);
    }
    eye.merged(&tools, &shown);
    eye.tastes(&tools);
    eye.number(tools.len());
    let there = |i: usize| !eye.all_gone && !eye.gone.contains(&i);
    let seen = Seen {
        client: profile.id,
        tools: tools
            .iter()
            .zip(shown)
            .enumerate()
            .map(|(i, ((name, ..), shown))| SeenTool {
                name: (*name).to_owned(),
                shown: there(i).then_some(shown),
            })
            .collect(),
    };
    let names: Vec<&str> = seen.tools.iter().filter_map(|t| t.shown.as_deref()).collect();
    let title = profile.title;
    let (taken, all) = (names.len(), seen.tools.len());
    let message = if taken == 0 {
        format!("{title} takes none of {all} tools")
    } else {
        format!("{title} takes {taken} of {all} tools, as {}", listed(&names))
    };
    eye.report(&CLIENT_SEES, Pointer::default(), message);
    seen
}

struct Eye<'a> {
    diagnostics: &'a mut Diagnostics,
    profile: &'a Profile,
    /// Tools that are left out.
    gone: BTreeSet<usize>,
    /// Whether no tool is there.
    all_gone: bool,
}

impl Eye<'_> {
    fn report(&mut self, code: &'static Code, place: Pointer, message: String) {
        self.diagnostics.report(code, None, place, message).client(self.profile.id);
    }

    /// Reports that the profile does `deed` with `what` of tool `index`.
    fn does(&mut self, deed: Deed, index: usize, place: &Pointer, what: &str) {
        let title = self.profile.title;
        let (code, message) = match deed {
            Deed::RefusesRequests => (
                &CLIENT_REFUSES,
                format!("{title} refuses every request with this surface: {what}"),
            ),
            Deed::DropsServer => {
                (&CLIENT_REFUSES, format!("{title} drops all tools of this server: {what}"))
            }
            Deed::LeavesOut => (&CLIENT_HIDES, format!("{title} leaves out a tool: {what}")),
            Deed::RefusesCalls => {
                (&CLIENT_REFUSES, format!("{title} refuses arguments before it calls: {what}"))
            }
            Deed::Cuts => (&CLIENT_CUTS, format!("{title} cuts a text: {what}")),
            Deed::TakesNoMore => (&CLIENT_CUTS, format!("{title} has a limit: {what}")),
            Deed::Ignores => (&CLIENT_IGNORES, format!("{title} ignores a part: {what}")),
        };
        self.report(code, place.clone(), message);
        match deed {
            Deed::RefusesRequests | Deed::DropsServer => self.all_gone = true,
            Deed::LeavesOut => {
                self.gone.insert(index);
            }
            Deed::RefusesCalls | Deed::Cuts | Deed::TakesNoMore | Deed::Ignores => {}
        }
    }

    fn server(&mut self, surface: Surface<'_>) {
        let (profile, plan) = (self.profile, surface.plan);
        let title = profile.title;
        let place = Pointer::default().child("server");
        let reserved = profile.id == "claude-code"
            && CLAUDE_CODE_RESERVED.iter().any(|r| r.eq_ignore_ascii_case(&plan.server));
        if reserved {
            let what = format!("it keeps the name `{}` for itself", plan.server);
            self.does(Deed::DropsServer, 0, &place.child("name"), &what);
        }
        let length = plan.instructions.chars().count();
        let place = place.child("instructions");
        match profile.instructions {
            Instructions::First(most) if length > most => {
                let message = format!(
                    "{title} uses the first {most} of {length} characters of the instructions"
                );
                self.report(&CLIENT_CUTS, place, message);
            }
            Instructions::Unused if length > 0 => {
                let message = format!("{title} is not known to use the instructions of a server");
                self.report(&CLIENT_IGNORES, place, message);
            }
            Instructions::First(_) | Instructions::Unused | Instructions::All => {}
        }
    }

    fn name(
        &mut self,
        index: usize,
        (name, whole, shown): (&str, &str, &str),
        server: &str,
        place: &Pointer,
    ) {
        let place = place.child("name");
        let title = self.profile.title;
        if let Some(names) = self.profile.names {
            for what in faults(names, shown) {
                self.does(names.deed, index, &place, &format!("`{shown}` {what}"));
            }
        }
        let together = server.chars().count() + name.chars().count();
        if let Some(most) = self.profile.together.filter(|most| together > *most) {
            let what = format!(
                "`{name}` and the server `{server}` have {together} characters together, more than {most}"
            );
            self.does(Deed::LeavesOut, index, &place, &what);
        }
        if whole != shown {
            let message = format!(
                "{title} shows `{whole}`, {} characters, as `{shown}`",
                whole.chars().count()
            );
            self.report(&CLIENT_CUTS, place, message);
        }
    }

    fn description(
        &mut self,
        index: usize,
        name: &str,
        definition: &serde_json::Value,
        place: &Pointer,
    ) {
        let place = place.child("description");
        let text = definition["description"].as_str().unwrap_or_default();
        let length = text.chars().count();
        if let Some(deed) = self.profile.empty
            && text.is_empty()
        {
            self.does(deed, index, &place, &format!("`{name}` has no description"));
        }
        if let Some((most, deed)) = self.profile.description
            && length > most
        {
            let what =
                format!("the description of `{name}` has {length} characters, more than {most}");
            self.does(deed, index, &place, &what);
        }
    }

    fn arguments(&mut self, index: usize, name: &str, schema: &serde_json::Value, place: &Pointer) {
        let Some((names, depth)) = self.profile.arguments else { return };
        for argument in taste::names(schema, depth == Depth::All) {
            for what in faults(names, &argument) {
                let what = format!("the argument `{argument}` of `{name}` {what}");
                self.does(names.deed, index, &place.child("arguments"), &what);
            }
        }
    }

    /// Tools of the same name as shown. Those that have one name already are no matter of a client.
    fn merged(&mut self, tools: &[(&str, Pointer, &serde_json::Value)], shown: &[String]) {
        let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
        let title = self.profile.title;
        for (i, shown) in shown.iter().enumerate().filter(|(_, s)| !s.contains('#')) {
            let (name, place, _) = &tools[i];
            match seen.get(shown.as_str()) {
                Some(other) if other != name => {
                    let message = format!("{title} calls both `{other}` and `{name}` `{shown}`");
                    self.report(&CLIENT_MERGES, place.child("name"), message);
                }
                Some(_) => {}
                None => {
                    seen.insert(shown, name);
                }
            }
        }
    }

    fn tastes(&mut self, tools: &[(&str, Pointer, &serde_json::Value)]) {
        for (taste, deed) in self.profile.tastes {
            let mut quiet: Vec<&str> = Vec::new();
            for (i, (name, place, definition)) in tools.iter().enumerate() {
                let places = taste::places(*taste, &definition["inputSchema"]);
                let Some(first) = places.first() else { continue };
                match deed {
                    // What is only removed is said once for all tools.
                    Deed::Ignores => quiet.push(name),
                    Deed::RefusesRequests
                    | Deed::DropsServer
                    | Deed::LeavesOut
                    | Deed::RefusesCalls
                    | Deed::Cuts
                    | Deed::TakesNoMore => {
                        let at =
                            if first.is_empty() { String::new() } else { format!(" at `{first}`") };
                        let what = format!("`{name}` has {}{at}", taste.words());
                        self.does(*deed, i, &place.child("arguments"), &what);
                    }
                }
            }
            if !quiet.is_empty() {
                let message = format!(
                    "{} ignores {} in {}",
                    self.profile.title,
                    taste.words(),
                    listed(&quiet)
                );
                self.report(&CLIENT_IGNORES, Pointer::default().child("tools"), message);
            }
        }
    }

    fn number(&mut self, tools: usize) {
        let title = self.profile.title;
        let place = Pointer::default().child("tools");
        let mut over = false;
        if let Some((most, deed)) = self.profile.most.filter(|(most, _)| tools > *most) {
            over = true;
            match deed {
                Deed::RefusesRequests | Deed::DropsServer => {
                    let what = format!("there are {tools} tools, more than {most}");
                    self.does(deed, 0, &place, &what);
                }
                Deed::LeavesOut
                | Deed::RefusesCalls
                | Deed::Cuts
                | Deed::TakesNoMore
                | Deed::Ignores => {
                    let message =
                        format!("{title} takes {most} tools of all servers, and here are {tools}");
                    self.report(&CLIENT_TAKES_FEWER, place.clone(), message);
                    self.gone.extend(most..tools);
                }
            }
        }
        if let Some((most, why)) = self.profile.advised.filter(|(most, _)| tools > *most && !over) {
            let message = format!("there are {tools} tools, more than {most}: {why}");
            self.report(&CLIENT_ADVISES, place, message);
        }
    }
}

/// What is wrong with a name, in words.
fn faults(names: Names, name: &str) -> Vec<String> {
    let mut out = Vec::new();
    if !names.letters.fit(name) {
        out.push(format!("has other letters than {}", names.letters.words()));
    }
    let length = name.chars().count();
    if length > names.most {
        out.push(format!("has {length} characters, more than {}", names.most));
    }
    out
}
