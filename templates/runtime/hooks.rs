//! Where the owner of a server steps in: before a request leaves and after its reply came.

/// A request about to be sent. Credentials are added after the hooks and are not in it.
#[derive(Clone, Debug)]
pub struct Request {
    /// `METHOD /path` of the operation, as in the document.
    pub operation: &'static str,
    /// The HTTP method.
    pub method: &'static str,
    /// Where it goes. Sent to another origin, it carries no credentials.
    pub url: reqwest::Url,
    /// Its headers, cookies not among them.
    pub headers: Vec<(String, String)>,
    /// Its cookies, as `name=value`, written as they are sent.
    pub cookies: Vec<String>,
    /// Its body.
    pub body: Option<Vec<u8>>,
}

/// A reply as it came, before it is shaped for the model.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, decompressed.
    pub body: Vec<u8>,
    /// Whether the body was cut off because it did not end in time.
    pub unfinished: bool,
    /// How many times the request was sent.
    pub attempts: u32,
}

impl Reply {
    /// The first header of this name (lower case).
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// Changes to what is sent and received. Every method may be left out.
pub trait Hooks: Send + Sync + 'static {
    /// Change a request before it is sent. An error is told to the model and nothing is sent.
    ///
    /// # Errors
    /// A sentence that says why the request must not be sent.
    fn request(&self, request: &mut Request) -> Result<(), String> {
        let _ = request;
        Ok(())
    }

    /// Change a reply before it is shaped.
    fn reply(&self, operation: &str, reply: &mut Reply) {
        let _ = (operation, reply);
    }
}
