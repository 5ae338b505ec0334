//! Parameters that are credentials by their names, for which no security scheme is declared.
//!
//! K1: a model never fills a credential in. Such parameters become schemes here, before anything
//! else sees them, so that all that follows knows them as credentials.

use indexmap::IndexMap;

use crate::diagnostic::{Diagnostics, reading};
use crate::ir::{
    ApiKeyPlace, Location, Operation, Parameter, Requirement, Schema, SchemeKind, SecurityScheme,
    Types, is_authorization, is_cookies, split_path,
};

/// How many parameters of one operation are taken; nobody needs as many.
const MOST: usize = 8;
/// Up to how many alternatives every combination of optional credentials is one.
const ALTERNATIVES: usize = 64;

/// What a name says of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    /// It is a key.
    Key,
    /// It is a token, which in a query may be that of a thing.
    Token,
    /// It is the name of the account that a key beside it is for.
    Account,
}

/// Names in any place, without separators.
const KEYS: &[&str] =
    &["apikey", "xapikey", "subscriptionkey", "xsubscriptionkey", "ocpapimsubscriptionkey"];
const TOKENS: &[&str] = &[
    "apitoken",
    "xapitoken",
    "accesstoken",
    "xaccesstoken",
    "authtoken",
    "xauthtoken",
    "bearertoken",
    "xbearertoken",
];
/// Names of headers. In a query, `client_secret` is often that of one payment.
const HEADERS: &[&str] = &[
    "authorization",
    "xauthorization",
    "authkey",
    "xauthkey",
    "clientsecret",
    "xclientsecret",
    "apisecret",
    "xapisecret",
    "password",
    "passwd",
];
/// Names of headers that carry a session, or show that a request is not forged.
const SESSIONS: &[&str] = &[
    "authentication",
    "cookie",
    "csrftoken",
    "jobtoken",
    "privatetoken",
    "session",
    "sessionid",
    "sessiontoken",
    "xauthentication",
    "xcsrf",
    "xcsrftoken",
    "xsession",
    "xsessionid",
    "xsessionkey",
    "xsessiontoken",
    "xsrftoken",
    "xxsrftoken",
];
/// Ends of headers that vendors put their own name before: `X-Vendor-Api-Key`.
const KEY_ENDS: &[&str] = &["-api-key", "-apikey", "-password", "-passwd"];
const TOKEN_ENDS: &[&str] = &[
    "-access-token",
    "-api-token",
    "-auth-token",
    "-csrf-token",
    "-security-token",
    "-session-token",
    "-xsrf-token",
];
/// Ends of cookies, whatever parts their words. What a browser keeps for a site is nothing that a
/// model knows.
const COOKIE_ENDS: &[&str] = &["auth", "jwt", "sessid", "session", "sessionid", "token"];
/// What accounts are called beside a key.
const ACCOUNTS: &[&str] = &["username", "user", "login", "account", "accountname", "email"];
/// Operations that are about a credential, of which it may be an argument.
const ABOUT: &[&str] = &[
    "auth",
    "authenticate",
    "authorize",
    "introspect",
    "login",
    "logout",
    "oauth",
    "register",
    "revoke",
    "session",
    "sessions",
    "signin",
    "signout",
    "signup",
    "token",
    "tokens",
    "validate",
    "verify",
];

/// A parameter of several operations: its place, and its name as requests know it.
type Carried = (Location, String);

/// What is known of one before it is taken.
struct Candidate {
    named: Named,
    /// The operations that have it, each with the index of the parameter there.
    carriers: Vec<(usize, usize)>,
}

/// Makes security schemes of the parameters that are credentials. `Authorization` and `Cookie` are
/// parameters of nothing after this.
pub(super) fn take_credentials(
    diagnostics: &mut Diagnostics,
    operations: &mut [Operation],
    schemes: &mut IndexMap<String, SecurityScheme>,
    schemas: &[Schema],
) {
    let mut taken: Vec<Vec<(usize, String)>> = vec![Vec::new(); operations.len()];
    for ((location, _), candidate) in candidates(operations, schemes, schemas) {
        let carriers = candidate.carriers;
        if !is_taken(location, candidate.named, &carriers, operations) {
            continue;
        }
        let (operation, at) = carriers[0];
        let first = &operations[operation].parameters[at];
        let declared = schemes.len();
        let name = scheme_for(schemes, first);
        let declared = (schemes.len() == declared).then_some(name.as_str());
        say(diagnostics, first, candidate.named, carriers.len(), declared);
        for (operation, at) in carriers {
            taken[operation].push((at, name.clone()));
        }
    }
    for (operation, mut taken) in operations.iter_mut().zip(taken) {
        taken.sort();
        for (at, scheme) in &taken {
            let required = operation.parameters[*at].required;
            require(&mut operation.security, scheme, required);
        }
        let mut index = 0..;
        operation.parameters.retain(|parameter| {
            let at = index.next();
            if taken.iter().any(|(taken, _)| Some(*taken) == at) {
                return false;
            }
            if is_of_security(parameter) {
                reserved(diagnostics, parameter);
                return false;
            }
            true
        });
    }
}

/// The parameters that may be credentials, with those who carry them.
fn candidates(
    operations: &[Operation],
    schemes: &IndexMap<String, SecurityScheme>,
    schemas: &[Schema],
) -> IndexMap<Carried, Candidate> {
    let mut all: IndexMap<Carried, Candidate> = IndexMap::new();
    for (index, operation) in operations.iter().enumerate() {
        let text = |p: &Parameter| !p.argument && is_text(p, schemas);
        let own = operation.parameters.iter();
        let keys: Vec<&Parameter> =
            own.filter(|p| named(p.location, &p.name).is_some() && text(p)).collect();
        if keys.is_empty() {
            continue;
        }
        let mut count = 0;
        for (at, parameter) in operation.parameters.iter().enumerate() {
            let named = named(parameter.location, &parameter.name).or_else(|| {
                let beside = keys.iter().take(MOST).any(|key| is_account_of(parameter, key));
                beside.then_some(Named::Account)
            });
            let Some(named) = named.filter(|_| count < MOST && text(parameter)) else { continue };
            if is_covered(operation, schemes, parameter) {
                continue;
            }
            count += 1;
            let name = parameter.location.folded(&parameter.name);
            let entry = all
                .entry((parameter.location, name))
                .or_insert(Candidate { named, carriers: Vec::new() });
            entry.carriers.push((index, at));
        }
    }
    all
}

fn say(
    diagnostics: &mut Diagnostics,
    first: &Parameter,
    named: Named,
    count: usize,
    declared: Option<&str>,
) {
    let place = match first.location {
        Location::Header => "header",
        Location::Cookie => "cookie",
        Location::Path | Location::Query | Location::QueryString => "query parameter",
    };
    let of = if count == 1 { "1 operation".to_owned() } else { format!("{count} operations") };
    let what = match named {
        Named::Key | Named::Token => "a credential",
        Named::Account => "the account of a credential",
    };
    let (lack, mut help) = match declared {
        Some(scheme) => (
            format!("that `security` there does not name; `{scheme}` sends it"),
            format!("name `{scheme}` under `security`"),
        ),
        None => (
            "without a security scheme".to_owned(),
            "declare it under `components.securitySchemes`".to_owned(),
        ),
    };
    let name = &first.name;
    let message = format!(
        "{place} `{name}` of {of} is {what} {lack}; it is a setting of the server and no argument"
    );
    if !is_of_security(first) {
        help += "; if it is an argument, say `x-mcp: {argument: true}` on the parameter, by an overlay where the document is not yours";
    }
    diagnostics
        .report(&reading::UNDECLARED_CREDENTIAL, Some(first.at), first.pointer.clone(), message)
        .help(help);
}

fn reserved(diagnostics: &mut Diagnostics, parameter: &Parameter) {
    let name = &parameter.name;
    let message = format!("header `{name}` is no parameter; it is set by media types and security");
    let pointer = parameter.pointer.clone();
    diagnostics.report(&reading::RESERVED_HEADER, Some(parameter.at), pointer, message);
}

/// Whether it is a header that security schemes alone send, whoever says that it is an argument.
fn is_of_security(parameter: &Parameter) -> bool {
    is_authorization(parameter.location, &parameter.name)
        || is_cookies(parameter.location, &parameter.name)
}

/// A name in lower case without what parts its words; `None` if it has other characters.
fn squashed(name: &str) -> Option<String> {
    let parting = |c: char| matches!(c, '-' | '_' | '.' | ' ');
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || parting(c));
    plain.then(|| name.chars().filter(|c| !parting(*c)).collect::<String>().to_ascii_lowercase())
}

fn named(location: Location, name: &str) -> Option<Named> {
    let header = match location {
        Location::Header => true,
        Location::Query | Location::Cookie => false,
        Location::Path | Location::QueryString => return None,
    };
    let word = squashed(name)?;
    let word = word.as_str();
    let lower = name.to_ascii_lowercase().replace(['_', '.'], "-");
    let vendor = |ends: &[&str]| header && ends.iter().any(|end| lower.ends_with(end));
    let kept = location == Location::Cookie
        && (COOKIE_ENDS.iter().any(|end| word.ends_with(end))
            || lower.rsplit('-').next() == Some("sid"));
    if KEYS.contains(&word) || vendor(KEY_ENDS) || header && HEADERS.contains(&word) {
        Some(Named::Key)
    } else if TOKENS.contains(&word)
        || vendor(TOKEN_ENDS)
        || kept
        || header && SESSIONS.contains(&word)
    {
        Some(Named::Token)
    } else {
        None
    }
}

/// Whether `parameter` names the account of the credential `key`: `Api-Username` beside `Api-Key`.
fn is_account_of(parameter: &Parameter, key: &Parameter) -> bool {
    if parameter.location != Location::Header || key.location != Location::Header {
        return false;
    }
    let (Some(account), Some(key)) = (squashed(&parameter.name), squashed(&key.name)) else {
        return false;
    };
    ["key", "token", "secret", "password", "passwd"]
        .iter()
        .filter_map(|end| key.strip_suffix(end))
        .any(|prefix| {
            !matches!(prefix, "" | "x")
                && account.strip_prefix(prefix).is_some_and(|rest| ACCOUNTS.contains(&rest))
        })
}

/// Whether any text may be given.
fn is_text(parameter: &Parameter, schemas: &[Schema]) -> bool {
    let Some(schema) = schemas.get(parameter.schema.0 as usize) else { return false };
    let untyped = schema.types == Types::default();
    parameter.media_type.is_none()
        && (untyped || schema.types.is_only_string())
        && schema.values.is_none()
        && schema.variants.is_empty()
}

/// Whether a scheme of the operation sends it already.
fn is_covered(
    operation: &Operation,
    schemes: &IndexMap<String, SecurityScheme>,
    parameter: &Parameter,
) -> bool {
    let mut used = operation.security.iter().flat_map(|r| r.schemes.keys());
    used.any(|name| {
        schemes.get(name).is_some_and(|s| s.kind.sends(parameter.location, &parameter.name))
    })
}

/// Whether those who carry it are such that it is a credential, and not what one call is about.
fn is_taken(
    location: Location,
    named: Named,
    carriers: &[(usize, usize)],
    operations: &[Operation],
) -> bool {
    let half = carriers.len() * 2 >= operations.len();
    let lone = match carriers {
        [(only, _)] if operations.len() > 1 => Some(&operations[*only]),
        _ => None,
    };
    let carried = |is: fn(Location, &str) -> bool| {
        carriers.iter().any(|(on, at)| is(location, &operations[*on].parameters[*at].name))
    };
    match (location, named) {
        // Beside `?access_token=…` of one operation, a model may well have been given the token.
        (Location::Query, Named::Token | Named::Account) => half,
        (Location::Query, Named::Key) => half || lone.is_none(),
        // The other way for all cookies is that they are not sent at all.
        (Location::Header, _) if carried(is_cookies) => true,
        (Location::Header | Location::Cookie, _) => !lone.is_some_and(is_about_credentials),
        (Location::Path | Location::QueryString, _) => false,
    }
}

/// `POST /login` and the like.
fn is_about_credentials(operation: &Operation) -> bool {
    let mut segments = split_path(&operation.key.path)
        .0
        .split('/')
        .filter(|s| !s.is_empty() && !s.starts_with('{'));
    let last = segments.next_back().unwrap_or_default().to_ascii_lowercase();
    let whole: String = last.chars().filter(char::is_ascii_alphanumeric).collect();
    ABOUT.contains(&whole.as_str())
        || last.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| ABOUT.contains(&word))
}

/// The declared scheme that sends the parameter, or a new one.
fn scheme_for(schemes: &mut IndexMap<String, SecurityScheme>, parameter: &Parameter) -> String {
    let same = |scheme: &SecurityScheme| scheme.kind.sends(parameter.location, &parameter.name);
    if let Some((name, _)) = schemes.iter().find(|(_, scheme)| same(scheme)) {
        return name.clone();
    }
    let place = match parameter.location {
        Location::Header => ApiKeyPlace::Header,
        Location::Cookie => ApiKeyPlace::Cookie,
        Location::Path | Location::Query | Location::QueryString => ApiKeyPlace::Query,
    };
    let mut name = parameter.name.clone();
    let mut number = 2;
    while schemes.contains_key(&name) {
        name = format!("{}-{number}", parameter.name);
        number += 1;
    }
    let kind = SchemeKind::ApiKey { place, name: parameter.name.clone() };
    let description = parameter.description.clone();
    schemes.insert(name.clone(), SecurityScheme { description, kind });
    name
}

/// Adds `scheme` to every alternative: in place of it, or before it where it may be left out.
fn require(security: &mut Vec<Requirement>, scheme: &str, required: bool) {
    if security.is_empty() {
        security.push(Requirement::default());
    }
    let with = |requirement: &Requirement| {
        let mut requirement = requirement.clone();
        requirement.schemes.entry(scheme.to_owned()).or_default();
        requirement
    };
    if required {
        for requirement in security.iter_mut() {
            *requirement = with(requirement);
        }
    } else if security.len() * 2 <= ALTERNATIVES {
        *security = security.iter().flat_map(|r| [with(r), r.clone()]).collect();
    } else {
        let all = with(&security[0]);
        security.insert(0, all);
    }
}
