//! Words as people type them: split, stemmed, and what else means the same.

use std::collections::BTreeSet;

/// What is done to a thing. The words of a class stand for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    /// To see many.
    List,
    /// To see one.
    Get,
    /// To add.
    Create,
    /// To change.
    Update,
    /// To take away.
    Delete,
}

impl Deed {
    /// Whether nothing is changed by it.
    pub fn reads(self) -> bool {
        matches!(self, Self::List | Self::Get)
    }
}

/// Verbs of each class. A word may be in several.
const DEEDS: [(Deed, &str); 5] = [
    (
        Deed::List,
        "list browse search find show see view get fetch read retrieve query lookup enumerate count index discover filter export",
    ),
    (
        Deed::Get,
        "get show see view read fetch retrieve find lookup describe check inspect open load display download count compare detail info",
    ),
    (
        Deed::Create,
        "create add new make insert register post open write enter record build generate set start put upload import invite save note begin book",
    ),
    (
        Deed::Update,
        "update edit change modify set patch put replace rename correct adjust alter mark fix move switch save revise amend turn upsert configure",
    ),
    (
        Deed::Delete,
        "delete remove destroy drop cancel erase discard clear purge revoke unregister wipe dispose",
    ),
];

/// Words with which a question begins.
const QUESTIONS: &str = "what which who whom whose where when how why is are was were does did do has have had can could may";

/// Words that say nothing of what is wanted.
const NOISE: &str = "a an the of for to in on at by with and or all any some my me i we us our you your \
    he she they them their from is are was were be been am it its this that these those there here \
    how what which who whom whose where when why do does did done can could may might shall should \
    will would please want need let have has had having if then than so not no yes as into out about \
    after before again also just only too very much many few every each more most other another \
    ones thing things something anything way now today like get give know tell show find see look \
    take go going come ok up off over per via using use used called named";

/// Words that mean much the same in services of any kind.
const ALIKE: &[&str] = &[
    "image photo picture thumbnail avatar icon logo cover poster screenshot",
    "customer client buyer",
    "user person people account member",
    "employee staff colleague worker",
    "company business firm organization org",
    "supplier vendor",
    "manufacturer maker brand",
    "product item article goods",
    "part component piece",
    "price cost amount fee rate",
    "invoice bill",
    "payment charge transaction pay",
    "refund reimburse",
    "subscription plan",
    "coupon discount voucher promotion",
    "location place shelf bin warehouse shop",
    "stock inventory quantity",
    "shipment delivery parcel package ship",
    "file document",
    "attachment file document",
    "folder directory",
    "comment note remark",
    "reply answer response",
    "message mail email",
    "notification alert notify",
    "tag label",
    "category kind type",
    "group team",
    "permission role right scope allow access privilege",
    "password credential passphrase",
    "key secret token credential",
    "login signin logon",
    "logout signout logoff session",
    "setting preference configuration option config",
    "schedule calendar timetable appointment",
    "overdue late due outstanding",
    "history log audit activity event",
    "statistic metric analytic summary report usage",
    "status state progress condition",
    "job task run execution",
    "error failure problem fault issue fail",
    "test check",
    "review rating feedback",
    "server machine host instance",
    "domain hostname",
    "backup snapshot",
    "repository repo",
    "webhook callback hook endpoint",
    "template blueprint",
    "language locale translation",
    "country region",
    "phone telephone mobile",
    "movie film",
    "song track music",
    "version release revision",
    "friend contact",
    "chat conversation",
    "tax vat",
    "material bom",
    "copy duplicate clone",
    "merge combine",
    "enable activate",
    "disable deactivate inactive",
    "approve accept confirm",
    "reject decline deny refuse",
    "leave quit",
    "subscribe follow watch",
    "unsubscribe unfollow mute",
    "start run trigger execute launch begin",
    "stop end abort halt pause",
    "send submit publish deliver",
    "issue place send",
    "upload attach import load",
    "download export",
    "move transfer relocate",
    "assign allocate reserve give",
    "restore recover undo undelete",
    "validate verify check confirm",
    "retry resend repeat redeliver replay",
    "next following upcoming",
    "latest recent newest new",
    "rotate renew refresh regenerate",
    "complete finish close done",
    "search find lookup query",
    "block ban suspend",
    "health ping alive status",
    "receive arrive receipt",
    "rename name",
    "scan crawl",
];

/// A query of more steps than this is a text rather than a list of steps.
const MOST_STEPS: usize = 4;

/// Other verbs that a step may begin with.
const VERBS: &str = "accept activate allocate analyze apply approve archive assign attach block build cancel \
    capture charge clone close complete confirm connect convert copy deactivate decline deliver deploy \
    disable disconnect download enable execute finalize finish follow generate hold invite issue join \
    leave lock login logout merge move notify pause pay pin publish receive refund reject release reopen \
    reply reserve reset restart restore resume retry return rotate run scan schedule send share ship sign \
    start stop submit subscribe suspend swap sync take test tell transfer trigger unarchive unblock unlock \
    unpin unsubscribe upload validate verify void watch";

/// Two words that are one elsewhere.
const JOINED: [(&str, &str, &str); 14] = [
    ("log", "in", "login"),
    ("logs", "in", "login"),
    ("sign", "in", "login"),
    ("log", "out", "logout"),
    ("sign", "out", "logout"),
    ("signed", "out", "logout"),
    ("sign", "up", "signup"),
    ("look", "up", "lookup"),
    ("get", "rid", "delete"),
    ("throw", "away", "delete"),
    ("take", "out", "remove"),
    ("call", "off", "cancel"),
    ("turn", "off", "disable"),
    ("turn", "on", "enable"),
];

fn listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|other| other == word)
}

/// A word of a query: what it is looked up by, and how much each of these counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Stems, the word's own first, and their weights.
    pub forms: Vec<(String, f64)>,
}

/// A query, taken apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// Its words, without those that say nothing.
    pub terms: Vec<Term>,
    /// What the other steps of the query speak of: this one may be about it, too.
    pub context: Vec<Term>,
    /// Classes of the verb that it begins with.
    pub deeds: BTreeSet<Deed>,
    /// Whether it is put as a question, so that something is to be read.
    pub asks: bool,
}

/// The steps of a query, each taken apart: `open an order, then send it` asks for two operations.
pub fn steps(query: &str) -> Vec<Wanted> {
    let mut clauses: Vec<String> = Vec::new();
    let ends = |c: char| matches!(c, ',' | ';' | ':' | '.' | '?' | '!');
    let spaced = query.replace(" and ", " , ").replace(" then ", " , ").replace(" so ", " , ");
    for clause in spaced.split(ends).map(str::trim).filter(|c| !c.is_empty()) {
        let one = wanted(clause);
        let verb = split(clause).first().is_some_and(|first| listed(VERBS, first));
        let begins = !one.deeds.is_empty() || one.asks || verb;
        match clauses.last_mut() {
            Some(last) if !begins || one.terms.is_empty() => {
                last.push(' ');
                last.push_str(clause);
            }
            _ => clauses.push(clause.to_owned()),
        }
    }
    let whole = wanted(query);
    if clauses.len() < 2 || clauses.len() > MOST_STEPS {
        return vec![whole];
    }
    let mut out: Vec<Wanted> = clauses.iter().map(|clause| wanted(clause)).collect();
    for step in &mut out {
        let own = |term: &&Term| step.terms.iter().any(|t| t.forms[0].0 == term.forms[0].0);
        step.context = whole.terms.iter().filter(|term| !own(term)).cloned().collect();
    }
    out
}

/// Takes a query of one step apart.
fn wanted(query: &str) -> Wanted {
    let words = joined(split(query));
    let mut out =
        Wanted { asks: words.first().is_some_and(|w| listed(QUESTIONS, w)), ..Wanted::default() };
    // Words of politeness stand before the verb.
    let begins =
        |w: &&String| !listed("please i want to need would like can could you we let us me", w);
    let first = words.iter().position(|w| begins(&w));
    if let Some(first) = first.map(|at| &words[at]) {
        let bare = stem(first);
        for (deed, verbs) in DEEDS {
            if listed(verbs, first) || verbs.split_whitespace().any(|v| stem(v) == bare) {
                out.deeds.insert(deed);
            }
        }
    }
    let plain: Vec<&String> = words.iter().filter(|word| !listed(NOISE, word)).collect();
    let mut seen = BTreeSet::new();
    for (at, word) in plain.iter().enumerate().take(32) {
        let own = stem(word);
        if !seen.insert(own.clone()) {
            continue;
        }
        let leads = first.is_some_and(|f| words[f] == **word);
        let mut forms = vec![(own.clone(), if leads && !out.deeds.is_empty() { 0.5 } else { 1.0 })];
        for list in ALIKE {
            if list.split_whitespace().any(|other| stem(other) == own) {
                forms.extend(list.split_whitespace().map(|other| (stem(other), 0.45)));
            }
        }
        // `read list` and `readlist`.
        forms.extend(plain.get(at + 1).map(|next| (stem(&format!("{word}{next}")), 1.0)));
        forms.dedup_by(|late, early| late.0 == early.0);
        out.terms.push(Term { forms });
    }
    out
}

fn joined(words: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for word in words {
        let pair = |last: &String| {
            JOINED.iter().find(|(a, b, _)| a == last && *b == word).map(|(_, _, one)| *one)
        };
        match out.last().and_then(pair) {
            Some(one) => {
                out.pop();
                out.push(one.to_owned());
            }
            None => out.push(word),
        }
    }
    out
}

/// The class of a verb in the name or summary of an operation, if it has one of its own.
pub fn deed_of(word: &str) -> Option<Deed> {
    let own = [
        (Deed::List, "list search find query browse"),
        (Deed::Get, "get read retrieve fetch show describe download"),
        (Deed::Create, "create add new insert register upload"),
        (Deed::Update, "update edit change modify set patch replace rename"),
        (Deed::Delete, "delete remove destroy cancel clear purge revoke"),
    ];
    own.iter().find(|(_, verbs)| listed(verbs, word)).map(|(deed, _)| *deed)
}

/// Lower-case words, split at `camelCase` as well.
pub fn split(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for c in text.chars().take(4_000).filter(|c| !matches!(c, '\'' | '’')) {
        if (!c.is_alphanumeric() || (c.is_uppercase() && was_lower)) && !word.is_empty() {
            out.push(std::mem::take(&mut word));
        }
        was_lower = c.is_lowercase() || c.is_ascii_digit();
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
    }
    if !word.is_empty() {
        out.push(word);
    }
    out
}

/// A light stem, so that `pets`, `categories`, `listing` and `allocation` meet `pet`, `category`,
/// `list` and `allocate`.
pub fn stem(word: &str) -> String {
    if !word.is_ascii() {
        return word.to_owned();
    }
    let word = singular(word);
    let cut = |end: &str, least: usize| word.strip_suffix(end).filter(|rest| rest.len() >= least);
    for (end, least) in [("ation", 4), ("ated", 4), ("ating", 4), ("ate", 4), ("ment", 3)] {
        if let Some(rest) = cut(end, least) {
            return rest.to_owned();
        }
    }
    for end in ["ion", "ing", "ed"] {
        if let Some(rest) = cut(end, if end == "ion" { 4 } else { 3 }) {
            return undoubled(rest.strip_suffix('e').filter(|r| r.len() >= 4).unwrap_or(rest));
        }
    }
    // `create` and `created` meet.
    let base = cut("e", 3).unwrap_or(&word);
    match base.strip_suffix('y').filter(|rest| rest.len() >= 3) {
        Some(rest) => format!("{rest}i"),
        None => base.to_owned(),
    }
}

/// `shipp` → `ship`, as in `shipping`; `sell` and `press` stay.
fn undoubled(word: &str) -> String {
    let mut back = word.chars().rev();
    let (last, before) = (back.next(), back.next());
    let doubled = last.is_some() && last == before;
    let keep = matches!(last, Some('s' | 'z')) || (last == Some('l') && word.len() <= 5);
    if doubled && !keep { word[..word.len() - 1].to_owned() } else { word.to_owned() }
}

fn singular(word: &str) -> String {
    let cut = |end: &str, least: usize| word.strip_suffix(end).filter(|rest| rest.len() >= least);
    if let Some(rest) = cut("ies", 2).or_else(|| cut("ied", 2)) {
        return format!("{rest}y");
    }
    for end in ["sses", "shes", "ches", "xes"] {
        if word.ends_with(end) {
            return word[..word.len() - 2].to_owned();
        }
    }
    if word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") {
        return word.to_owned();
    }
    cut("s", 3).unwrap_or(word).to_owned()
}
