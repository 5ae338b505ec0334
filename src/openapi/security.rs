//! Security schemes and requirements.

use indexmap::{IndexMap, IndexSet};

use openapiv3::{APIKeyLocation, SecurityScheme as Typed};

use super::detect::Version;
use super::fields::Known;
use super::lower::{Lowerer, Spot};
use super::typed::try_typed;
use crate::diagnostic::reading;
use crate::ir::{ApiKeyPlace, Location, Operation, Requirement, SchemeKind, SecurityScheme};
use crate::source::Node;

/// How many schemes are taken where a document does not say which.
const SUPPOSED: usize = 16;
/// Up to how many of them every combination is an alternative.
const TOGETHER: usize = 3;

impl<'a> Lowerer<'a, '_> {
    /// All schemes of the root document.
    pub(super) fn schemes(&mut self) -> IndexMap<String, SecurityScheme> {
        let root = self.root();
        let place = match self.version {
            Version::V2 => self.object(&root, "securityDefinitions"),
            Version::V30 | Version::V31 => self
                .object(&root, "components")
                .and_then(|components| self.object(&components, "securitySchemes")),
        };
        let mut schemes = IndexMap::new();
        for (name, spot) in place.map(|p| p.members()).unwrap_or_default() {
            let Some(spot) = self.resolve(&spot) else { continue };
            if !self.is_object(&spot, "security scheme") {
                continue;
            }
            self.known_fields(&spot, Known::SecurityScheme);
            let description = self.text(&spot, "description");
            let kind = match self.version {
                Version::V2 => self.swagger_scheme(&spot),
                Version::V30 | Version::V31 => self.scheme(&spot),
            };
            if let Some(kind) = kind {
                schemes.insert(name.to_owned(), SecurityScheme { description, kind });
            }
        }
        schemes
    }

    /// The `declared` schemes for all operations of a document that says `security` nowhere: used
    /// where they are set.
    pub(super) fn suppose_security(
        &mut self,
        declared: &[String],
        operations: &mut [Operation],
        schemes: &IndexMap<String, SecurityScheme>,
    ) {
        let Some(first) = declared.first().filter(|_| !operations.is_empty()) else { return };
        let root = self.root();
        let place = match self.version {
            Version::V2 => root.get("securityDefinitions"),
            Version::V30 | Version::V31 => {
                root.get("components").and_then(|components| components.get("securitySchemes"))
            }
        };
        let taken = &declared[..declared.len().min(SUPPOSED)];
        let which = match declared.len() {
            1 => format!("`{first}` is"),
            count if count > SUPPOSED => format!("the first {SUPPOSED} of {count} schemes are"),
            _ => format!("`{}` are", declared.join("`, `")),
        };
        let message = format!(
            "security schemes are declared, and `security` is nowhere; {which} sent by every operation where it is set"
        );
        self.report(&reading::UNSTATED_SECURITY, &place.unwrap_or(root), message).help(
            "say `security` at the root, by an overlay where the document is not yours; `security: []` means that nothing is needed",
        );
        let security = alternatives(taken, schemes);
        for operation in operations {
            operation.security.clone_from(&security);
        }
    }

    fn scheme(&mut self, spot: &Spot<'a>) -> Option<SchemeKind> {
        if self.text(spot, "type").as_deref() == Some("mutualTLS") {
            return Some(SchemeKind::MutualTls);
        }
        let typed = match try_typed::<Typed>(spot) {
            Ok(typed) => typed,
            Err(error) => {
                let kind = self.loose_scheme(spot);
                if kind.is_some() {
                    self.loose(spot, "this security scheme", &error);
                }
                return kind;
            }
        };
        match typed {
            Typed::APIKey { location, name, .. } => {
                let place = match location {
                    APIKeyLocation::Query => ApiKeyPlace::Query,
                    APIKeyLocation::Header => ApiKeyPlace::Header,
                    APIKeyLocation::Cookie => ApiKeyPlace::Cookie,
                };
                Some(SchemeKind::ApiKey { place, name })
            }
            Typed::HTTP { scheme, .. } => Some(http(&scheme)),
            Typed::OAuth2 { .. } => Some(self.oauth2(spot)),
            Typed::OpenIDConnect { open_id_connect_url, .. } => {
                Some(SchemeKind::OpenIdConnect { url: open_id_connect_url })
            }
        }
    }

    /// A scheme that is not as it must be: what can be understood of it.
    fn loose_scheme(&mut self, spot: &Spot<'a>) -> Option<SchemeKind> {
        let kind = self.text(spot, "type").unwrap_or_default();
        match kind.to_ascii_lowercase().as_str() {
            "apikey" => self.api_key(spot),
            "http" => Some(http(&self.text(spot, "scheme").unwrap_or_else(|| "bearer".to_owned()))),
            "basic" => Some(SchemeKind::Basic),
            "bearer" => Some(SchemeKind::Bearer),
            "openidconnect" => Some(SchemeKind::OpenIdConnect {
                url: self.text(spot, "openIdConnectUrl").unwrap_or_default(),
            }),
            "oauth2" => Some(self.oauth2(spot)),
            _ => self.unknown_scheme(spot, &kind),
        }
    }

    /// The client credentials of an OAuth 2 scheme; where there are none, a token is a setting, and
    /// the scopes of all flows say what it must allow.
    fn oauth2(&mut self, spot: &Spot<'a>) -> SchemeKind {
        let mut scopes: IndexSet<String> = IndexSet::new();
        let Some(flows) = self.object(spot, "flows") else {
            return SchemeKind::OAuth2 { client_credentials: None, scopes: Vec::new() };
        };
        self.known_fields(&flows, Known::Flows);
        for (name, flow) in flows.members() {
            let own = self.object(&flow, "scopes").map(|s| s.members()).unwrap_or_default();
            let own = own.into_iter().map(|(scope, _)| scope.to_owned());
            if name == "clientCredentials"
                && let Some(url) = self.text(&flow, "tokenUrl")
            {
                return SchemeKind::OAuth2 { client_credentials: Some(url), scopes: own.collect() };
            }
            scopes.extend(own);
        }
        SchemeKind::OAuth2 { client_credentials: None, scopes: scopes.into_iter().collect() }
    }

    fn swagger_scheme(&mut self, spot: &Spot<'a>) -> Option<SchemeKind> {
        let kind = self.text(spot, "type").unwrap_or_default();
        match kind.as_str() {
            "basic" => Some(SchemeKind::Basic),
            "apiKey" => self.api_key(spot),
            "oauth2" => {
                let flow = self.text(spot, "flow");
                let known = ["implicit", "password", "application", "accessCode"];
                if !flow.as_deref().is_some_and(|flow| known.contains(&flow)) {
                    let place = spot.get("flow").unwrap_or_else(|| spot.clone());
                    let message = match &flow {
                        Some(word) => {
                            format!("`{word}` is no flow of Swagger 2.0; a token is asked for")
                        }
                        None => "an `oauth2` scheme needs `flow`; a token is asked for".to_owned(),
                    };
                    self.report(&reading::ODD_DECLARATION, &place, message)
                        .help("flows are `implicit`, `password`, `application` and `accessCode`");
                }
                let scopes = self
                    .object(spot, "scopes")
                    .map(|s| s.members().into_iter().map(|(k, _)| k.to_owned()).collect())
                    .unwrap_or_default();
                let token = self.text(spot, "tokenUrl");
                let client_credentials = token.filter(|_| flow.as_deref() == Some("application"));
                Some(SchemeKind::OAuth2 { client_credentials, scopes })
            }
            _ => self.unknown_scheme(spot, &kind),
        }
    }

    fn api_key(&mut self, spot: &Spot<'a>) -> Option<SchemeKind> {
        let name = self.text(spot, "name");
        let place = match self.text(spot, "in").unwrap_or_default().to_ascii_lowercase().as_str() {
            "header" => Some(ApiKeyPlace::Header),
            "query" => Some(ApiKeyPlace::Query),
            "cookie" => Some(ApiKeyPlace::Cookie),
            _ => None,
        };
        if self.version == Version::V2 && place == Some(ApiKeyPlace::Cookie) {
            let message = "Swagger 2.0 has no keys in cookies; the key is sent in one";
            self.report(&reading::ODD_DECLARATION, spot, message);
        }
        let (Some(name), Some(place)) = (name, place) else {
            self.report(
                &reading::UNKNOWN_SECURITY_SCHEME,
                spot,
                "an `apiKey` scheme needs `name`, and `in` with `header`, `query` or `cookie`; it is left out",
            );
            return None;
        };
        Some(SchemeKind::ApiKey { place, name })
    }

    fn unknown_scheme(&mut self, spot: &Spot<'a>, kind: &str) -> Option<SchemeKind> {
        let message = format!("`{kind}` is no type of security scheme; it is left out");
        self.report(&reading::UNKNOWN_SECURITY_SCHEME, spot, message);
        None
    }

    /// The declared name that a key of a requirement means: itself, or since OpenAPI 3.2 the one that
    /// a URI leads to ("Security Requirement Object").
    fn scheme_name(
        &self,
        item: &Spot<'a>,
        written: &str,
        schemes: &IndexMap<String, SecurityScheme>,
    ) -> Option<String> {
        if schemes.contains_key(written) {
            return Some(written.to_owned());
        }
        if !written.contains(['#', '/']) {
            return None;
        }
        let target = self.follow(item, written, 0).ok()?;
        let declared = |node: &Node| {
            let all = self.root().get("components")?.get("securitySchemes")?;
            let found = all.members().into_iter().find(|(_, spot)| {
                std::ptr::eq(spot.node, node)
                    || self.try_resolve(spot).is_ok_and(|spot| std::ptr::eq(spot.node, node))
            });
            found.map(|(name, _)| name.to_owned())
        };
        declared(target.node).filter(|name| schemes.contains_key(name))
    }

    /// The `security` of `spot`; `None` when it does not say.
    pub(super) fn requirements(
        &mut self,
        spot: &Spot<'a>,
        schemes: &IndexMap<String, SecurityScheme>,
    ) -> Option<Vec<Requirement>> {
        self.secured |= spot.get("security").is_some();
        let list = self.list(spot, "security")?;
        let mut out = Vec::new();
        for item in list.items() {
            if !self.is_object(&item, "security requirement") {
                continue;
            }
            let mut requirement = Requirement::default();
            let mut usable = true;
            for (written, scopes) in item.members() {
                self.parts += 1;
                let name = self.scheme_name(&item, written, schemes);
                let Some(name) = name else {
                    self.report(
                        &reading::UNDECLARED_SECURITY_SCHEME,
                        &scopes,
                        format!(
                            "security scheme `{written}` is not declared; this alternative is left out"
                        ),
                    )
                    .help("declare it under `components.securitySchemes`");
                    usable = false;
                    continue;
                };
                let own = self.texts(&item, written);
                requirement.schemes.insert(name, own);
            }
            if usable {
                out.push(requirement);
            }
        }
        Some(out)
    }
}

/// All of the schemes, where few can be sent together; then each; then none.
fn alternatives<'n>(
    names: &'n [String],
    schemes: &IndexMap<String, SecurityScheme>,
) -> Vec<Requirement> {
    let one = |names: &[&String]| Requirement {
        schemes: names.iter().map(|name| ((*name).clone(), Vec::new())).collect(),
    };
    let in_header = |name: &String| {
        schemes.get(name).is_some_and(|s| s.kind.sends(Location::Header, "Authorization"))
    };
    let mut out: Vec<Requirement> = Vec::new();
    if names.len() <= TOGETHER {
        // The more there are, the earlier.
        let mut sets: Vec<Vec<&'n String>> = vec![Vec::new()];
        for name in names {
            let with = |set: &Vec<&'n String>| set.iter().copied().chain([name]).collect();
            sets.extend(sets.iter().map(with).collect::<Vec<_>>());
        }
        sets.retain(|set| set.len() > 1 && set.iter().filter(|n| in_header(n)).count() < 2);
        sets.sort_by_key(|set| std::cmp::Reverse(set.len()));
        out.extend(sets.iter().map(|set| one(set)));
    }
    out.extend(names.iter().map(|name| one(&[name])));
    out.push(Requirement::default());
    out
}

fn http(scheme: &str) -> SchemeKind {
    match scheme.to_ascii_lowercase().as_str() {
        "basic" => SchemeKind::Basic,
        "bearer" => SchemeKind::Bearer,
        _ => SchemeKind::OtherHttp { scheme: scheme.to_owned() },
    }
}
