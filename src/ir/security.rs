//! Credentials.

use indexmap::IndexMap;

use super::Location;

/// OpenAPI "Security Scheme Object".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecurityScheme {
    /// What it is.
    pub description: Option<String>,
    /// Its kind.
    pub kind: SchemeKind,
}

/// The kinds of credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemeKind {
    /// `apiKey`
    ApiKey {
        /// Where it goes.
        place: ApiKeyPlace,
        /// Name of the header, query parameter or cookie.
        name: String,
    },
    /// `http` with scheme `basic`
    Basic,
    /// `http` with scheme `bearer`
    Bearer,
    /// `http` with another scheme: the whole value of the header is a setting.
    OtherHttp {
        /// The scheme as written.
        scheme: String,
    },
    /// `oauth2`
    OAuth2 {
        /// Token URL of the client-credentials flow, as written, where there is one.
        client_credentials: Option<String>,
        /// All scopes of that flow, or of the others when there is none.
        scopes: Vec<String>,
    },
    /// `openIdConnect`
    OpenIdConnect {
        /// Its discovery URL.
        url: String,
    },
    /// `mutualTLS`
    MutualTls,
}

impl SchemeKind {
    /// Whether it sends what a parameter of this place and name would send.
    #[must_use]
    pub fn sends(&self, location: Location, parameter: &str) -> bool {
        match self {
            Self::ApiKey { place: ApiKeyPlace::Header, name } => {
                location == Location::Header && name.eq_ignore_ascii_case(parameter)
            }
            Self::ApiKey { place: ApiKeyPlace::Query, name } => {
                location == Location::Query && name == parameter
            }
            Self::ApiKey { place: ApiKeyPlace::Cookie, name } => {
                location == Location::Cookie && name == parameter || is_cookies(location, parameter)
            }
            Self::Basic | Self::OtherHttp { .. } => is_authorization(location, parameter),
            // The query parameter is another way for the same token (RFC 6750 section 2.3).
            Self::Bearer | Self::OAuth2 { .. } | Self::OpenIdConnect { .. } => {
                is_authorization(location, parameter)
                    || location == Location::Query && parameter == "access_token"
            }
            Self::MutualTls => false,
        }
    }
}

/// Whether a parameter would be the header that credentials are sent in (RFC 9110 section 11.6.2).
#[must_use]
pub fn is_authorization(location: Location, parameter: &str) -> bool {
    location == Location::Header && parameter.eq_ignore_ascii_case("authorization")
}

/// Whether a parameter would be the header that all cookies are sent in (RFC 6265 section 4.2).
#[must_use]
pub fn is_cookies(location: Location, parameter: &str) -> bool {
    location == Location::Header && parameter.eq_ignore_ascii_case("cookie")
}

/// Where an API key goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApiKeyPlace {
    /// In a header.
    Header,
    /// In the query.
    Query,
    /// In a cookie.
    Cookie,
}

/// Schemes that are needed together, each with the scopes it must have. Empty: none is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirement {
    /// Scheme name (a key of [`super::Api::schemes`]) → scopes.
    pub schemes: IndexMap<String, Vec<String>>,
}
