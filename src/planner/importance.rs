//! How much an operation matters: a prior from the structure of the document.

use std::collections::{BTreeMap, BTreeSet};

use super::centrality::{Shape, is_trial};
use super::facts::Facts;
use super::family::{is_self, is_tenant};
use super::verb::{Verb, is_plain_verb};
use super::words;
use crate::ir::Api;

/// Words at the end of a path, or as a tag, that mark plumbing.
const PLUMBING: &[&str] = &[
    "health",
    "healthz",
    "healthcheck",
    "health_check",
    "ping",
    "status",
    "readyz",
    "livez",
    "ready",
    "alive",
    "readiness",
    "liveness",
    "version",
    "versions",
    "meta",
    "metrics",
    "telemetry",
    "rate_limit",
    "openapi",
    "openapi_json",
    "docs",
    "timezones",
    "country_specs",
    "licenses",
    "token",
    "oauth",
    "login",
    "logout",
    "signin",
    "signout",
    "public_key",
    "ephemeral_keys",
    "emojis",
    "zen",
    "octocat",
    "csrf",
    "jwks",
    "jwks_json",
    "robots_txt",
];

/// Words that mark work on the service itself rather than with it.
const ADMIN: &[&str] = &[
    "admin",
    "debug",
    "enterprise",
    "enterprises",
    "internal",
    "migrations",
    "oidc",
    "scim",
    "setup",
    "site_admin",
    "test_helpers",
];

/// Nouns of running a service rather than of what it is for.
const HOUSEKEEPING: &[&str] = &[
    "api_key",
    "audit_log",
    "certificate",
    "client_setting",
    "global_setting",
    "permission",
    "preference",
    "quota",
    "role",
    "ruleset",
    "secret",
    "service_account",
    "setting",
    "settings",
    "webhook",
    "webhook_endpoint",
];

/// Up to this many operations, whatever is there is there for a reason.
const SMALL: usize = 25;

/// Marks plumbing.
pub(super) fn mark_plumbing(facts: &mut [Facts]) {
    let current: BTreeSet<String> =
        facts.iter().filter(|f| !f.deprecated).map(|f| f.root.clone()).collect();
    let mut families: BTreeMap<String, usize> = BTreeMap::new();
    for one in facts.iter() {
        *families.entry(one.root.clone()).or_default() += 1;
    }
    let many = facts.len() > SMALL;
    for one in facts {
        let last = one.sections.last().unwrap_or(&one.root).clone();
        let label = one.label.clone();
        let phrase = one.phrase.clone().unwrap_or_default();
        let candidates: [&str; 3] = [&last, &label, &phrase];
        let word = PLUMBING.iter().find(|w| {
            // A noun that has sections or items of its own, `tokens/{id}`, is no plumbing.
            candidates.contains(*w) && !one.item && !one.below_item
        });
        let tag = one.tags.iter().find(|t| PLUMBING.contains(&words::snake(t).as_str()));
        // Nobody needs a noun at hand of which all is deprecated.
        let past = one.deprecated && !current.contains(&one.root);
        one.plumbing = word
            .map(|w| (*w).to_owned())
            .or_else(|| tag.cloned())
            // Who one is matters little where there is much else to do.
            .or_else(|| {
                let alone = families.get(&one.root) == Some(&1);
                (many && alone && is_self(&one.root)).then(|| one.root.clone())
            })
            .or_else(|| past.then(|| "deprecated".to_owned()));
        // Signing in and out is about sessions, whatever the path hangs it on.
        if matches!(phrase.as_str(), "login" | "logout" | "signin" | "signout")
            && one.plumbing.is_some()
        {
            "session".clone_into(&mut one.root);
            "sessions".clone_into(&mut one.label);
            one.sections.clear();
        }
    }
}

/// Settles the importance of each of `facts`.
pub(super) fn weigh(api: &Api, facts: &mut [Facts]) {
    let order = Authored::of(api);
    let named = named_by(api);
    let count = facts.len();
    let mentions = Mentions::of(facts);
    let shape = Shape::of(api, facts);
    let mut sizes: BTreeMap<String, BTreeSet<Verb>> = BTreeMap::new();
    let mut scope_nouns = BTreeMap::new();
    for one in facts.iter() {
        let verbs = sizes.entry(one.root.clone()).or_default();
        if one.sections.is_empty() {
            verbs.insert(one.verb.clone());
        }
        for noun in &one.scope {
            *scope_nouns.entry(noun.clone()).or_insert(0_usize) += 1;
        }
    }
    let own_tenants = own_tenants(facts);
    let none = BTreeSet::new();
    let mut families: BTreeMap<String, usize> = BTreeMap::new();
    let mut twins: BTreeMap<Twin, usize> = BTreeMap::new();
    for one in facts.iter() {
        *families.entry(one.root.clone()).or_default() += 1;
        // A trial or a thing of the past takes nothing from what it is a form of.
        let counts = !one.deprecated && !is_trial(&one.key, &one.id_words);
        *twins.entry(twin(one)).or_default() += usize::from(counts);
    }
    for one in facts.iter_mut() {
        let verbs = sizes.get(&one.root).unwrap_or(&none);
        let verb = match one.verb {
            Verb::List | Verb::Search => 1.0,
            Verb::Get | Verb::Create => 0.95,
            Verb::Update => 0.75,
            Verb::Replace => 0.55,
            Verb::Delete => 0.5,
            Verb::Other(_) => 0.65,
        };
        let mut factors = Factors::default();
        factors.by("verb", verb);
        let under_scope = count > 100 && scope_nouns.contains_key(&one.root);
        let level: f64 = if under_scope { 0.35 } else { 0.6 };
        factors.by("section below the noun", level.powi(small(one.sections.len())));
        // What lives in a corner counts less; a place that is nothing itself, or that much of the
        // document lives in, is no corner.
        let corner = |s: &&String| {
            let held = scope_nouns.get(*s).copied().unwrap_or(0);
            !is_tenant(s) && !is_self(s) && sizes.contains_key(*s) && held * 4 < count
        };
        let domain = one.scope.iter().filter(corner).count();
        factors.by("in a corner of the document", 0.6_f64.powi(small(domain)));
        let share = |n: usize| ratio(n, count);
        let (spoken, taken) = mentions.of_noun(&one.root);
        let central =
            1.0 + 3.0 * share(spoken).min(0.12).sqrt() + 1.5 * share(taken).min(0.1).sqrt();
        // Everything speaks of the tenant it belongs to.
        let dealt_with = matches!(one.root.as_str(), "company" | "customer" | "site");
        let tenant = is_tenant(&one.root) && !dealt_with;
        let everywhere = count > 100 && (tenant || is_self(&one.root));
        let central = if everywhere { (central * 0.65).max(1.0) } else { central };
        factors.by("others speak of the noun or take it", central);
        let own = families.get(&one.root).copied().unwrap_or(0);
        factors.by("size of its family", 1.0 + 2.0 * share(own).min(0.25));
        for (what, factor) in shape.of_noun(&one.root) {
            factors.by(what, factor);
        }
        // The same thing under several spellings is one thing.
        let twins = twins.get(&twin(one)).copied().unwrap_or(1).max(1);
        factors.by("one of several spellings", 1.0 / ratio(twins, 1));
        factors.by("order of the tags", order.of_tags(&one.tags));
        if named.contains(&one.root) {
            factors.by("named by the title", 1.3);
        }
        let found = verbs.contains(&Verb::List) || verbs.contains(&Verb::Search);
        if found && verbs.contains(&Verb::Get) && verbs.contains(&Verb::Create) {
            factors.by("listed, looked up and created", 1.25);
        } else if verbs.len() < 2 {
            factors.by("few verbs", 0.8);
        }
        factors.by("what services are there for", core(one));
        if one.scope.iter().any(|s| is_tenant(s)) {
            factors.by("below a tenant", 0.8);
        }
        // What is below the one organization that there is, is about its administration.
        if count > 90 && one.scope.first().is_some_and(|s| own_tenants.contains(s)) {
            factors.by("below the own organization", 0.6);
        }
        let admin = |w: &String| ADMIN.contains(&w.as_str());
        // Small documents are often about administration and nothing else.
        if (count > 90 && one.scope.iter().any(admin))
            || admin(&one.root)
            || one.tags.iter().any(|t| ADMIN.contains(&words::snake(t).as_str()))
        {
            factors.by("administration", 0.15);
        }
        if one.plumbing.is_some() || one.deprecated {
            factors.by("plumbing or deprecated", 0.1);
        }
        // Who may do what, and how a service is set up, is seldom what it is there for.
        let about_itself = HOUSEKEEPING.contains(&one.root.as_str()) && !named.contains(&one.root);
        if count > 90 && about_itself {
            factors.by("runs the service", 0.55);
        }
        if is_trial(&one.key, &one.id_words) {
            factors.by("a trial", 0.5);
        }
        if one.id_words.iter().any(|w| w == "legacy") {
            factors.by("legacy", 0.3);
        }
        one.importance = factors.product();
        one.factors = factors.0;
    }
}

/// How much more an operation at the top of a document counts that does what such services are called
/// for: it searches all there is, sends, or completes a chat.
fn core(one: &Facts) -> f64 {
    let deed = |w: &str| matches!(w, "search" | "send");
    if !one.scope.is_empty() || one.below_item || one.plumbing.is_some() {
        return 1.0;
    }
    let steps = one.key.split('/').skip(1).filter(|s| !super::resource::is_version(s));
    let top = steps.filter(|s| !matches!(*s, "" | "api")).count() == 1;
    let does = deed(&one.root) || one.phrase.as_deref().is_some_and(deed);
    let completes = one.root == "chat" && one.sections.iter().eq(["completion"]);
    match one.verb {
        _ if top && does && one.sections.is_empty() => 8.0,
        Verb::Create if completes => 4.0,
        _ => 1.0,
    }
}

/// Why an importance is what it is; what changes nothing is not kept.
#[derive(Default)]
struct Factors(Vec<(&'static str, f64)>);

impl Factors {
    fn by(&mut self, what: &'static str, factor: f64) {
        if (factor - 1.0).abs() > 1e-9 {
            self.0.push((what, factor));
        }
    }

    fn product(&self) -> f64 {
        self.0.iter().map(|(_, factor)| factor).product()
    }
}

/// Tenants that paths begin with and of which there is only one: `/organization/users`.
fn own_tenants(facts: &[Facts]) -> BTreeSet<String> {
    let mut counted = BTreeSet::new();
    let mut firsts = BTreeSet::new();
    for one in facts {
        if let Some(noun) = one.scope.first().filter(|s| is_tenant(s)) {
            firsts.insert(noun.clone());
            let segments: Vec<&str> = one.key.split('/').collect();
            let holds = |pair: &[&str]| {
                words::singular_name(&words::snake(pair[0])) == *noun && pair[1].starts_with('{')
            };
            if segments.windows(2).any(holds) {
                counted.insert(noun.clone());
            }
        }
    }
    firsts.difference(&counted).cloned().collect()
}

/// Singular words of what a document says that it is about: its title and how its description begins.
fn named_by(api: &Api) -> BTreeSet<String> {
    let about = api.description.as_deref().unwrap_or_default();
    let text: String = about.chars().take(400).collect();
    let all = words::split(&api.title).into_iter().chain(words::split(&text));
    all.map(|w| words::singular(&w)).filter(|w| !GENERIC.contains(&w.as_str())).collect()
}

type Twin = (String, Vec<String>, Vec<String>, Verb, Option<String>, bool, Vec<String>);

/// What two operations have in common when they are one under two spellings.
fn twin(one: &Facts) -> Twin {
    let words = one.id_words.iter().map(|w| words::singular(w)).collect();
    let (scope, sections) = (one.scope.clone(), one.sections.clone());
    (one.root.clone(), scope, sections, one.verb.clone(), one.phrase.clone(), one.item, words)
}

/// The order in which a document describes its tags, where that order is not just alphabetical.
struct Authored<'a>(Vec<&'a str>);

impl<'a> Authored<'a> {
    fn of(api: &'a Api) -> Self {
        let described = api.tags.iter().filter(|t| t.description.is_some());
        let names: Vec<&str> = described.map(|t| t.name.as_str()).collect();
        let sorted = names.windows(2).all(|p| p[0].to_lowercase() <= p[1].to_lowercase());
        Self(if sorted || names.len() < 3 { Vec::new() } else { names })
    }

    /// From 1.3 for what comes first to 1 for what comes last or is not described.
    fn of_tags(&self, tags: &BTreeSet<String>) -> f64 {
        let place = self.0.iter().position(|name| tags.contains(*name));
        place.map_or(1.0, |p| 1.3 - 0.3 * ratio(p, self.0.len()))
    }
}

fn small(n: usize) -> i32 {
    i32::try_from(n.min(8)).unwrap_or(8)
}

/// `a / b` of counts, which are small.
pub(super) fn ratio(a: usize, b: usize) -> f64 {
    let float = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    if b == 0 { 0.0 } else { float(a) / float(b) }
}

/// Nouns that are as often spoken of without meaning the family of that name.
pub(super) const GENERIC: &[&str] = &[
    "data", "field", "item", "key", "list", "name", "object", "option", "query", "resource",
    "schema", "setting", "settings", "source", "stat", "status", "type", "value", "version",
];

/// How often operations speak of, or take, each noun.
struct Mentions {
    spoken: BTreeMap<String, usize>,
    taken: BTreeMap<String, usize>,
}

impl Mentions {
    fn of(facts: &[Facts]) -> Self {
        let roots: BTreeSet<&str> = facts.iter().map(|f| f.root.as_str()).collect();
        let (mut spoken, mut taken) = (BTreeMap::new(), BTreeMap::new());
        for one in facts {
            let singles: Vec<String> =
                one.summary_words.iter().map(|w| words::singular(w)).collect();
            let pairs = singles.windows(2).map(|pair| pair.join("_"));
            let said: BTreeSet<String> = singles.iter().cloned().chain(pairs).collect();
            for noun in said.iter().filter(|w| roots.contains(w.as_str()) && **w != one.root) {
                // `Update a post` speaks of posts, `List …` of no list.
                if !is_plain_verb(noun) && !GENERIC.contains(&noun.as_str()) {
                    *spoken.entry(noun.clone()).or_default() += 1;
                }
            }
            let arguments: BTreeSet<String> = one.arguments.iter().map(|a| bare(a)).collect();
            let known = |w: &&String| roots.contains(w.as_str()) && **w != one.root;
            for noun in arguments.iter().filter(known).filter(|w| !GENERIC.contains(&w.as_str())) {
                *taken.entry(noun.clone()).or_default() += 1;
            }
        }
        Self { spoken, taken }
    }

    fn of_noun(&self, noun: &str) -> (usize, usize) {
        let count = |map: &BTreeMap<String, usize>| map.get(noun).copied().unwrap_or(0);
        (count(&self.spoken), count(&self.taken))
    }
}

/// The noun that an argument is an identifier of: `pet_ids` → `pet`.
pub(super) fn bare(argument: &str) -> String {
    const ENDS: &[&str] = &["_ids", "_id", "_number", "_slug", "_uuid", "_name", "_key"];
    let cut = ENDS.iter().find_map(|end| argument.strip_suffix(end)).unwrap_or(argument);
    words::singular_name(cut)
}
