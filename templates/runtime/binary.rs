//! Replies of bytes that are no text: shown, given along, saved for `resources/read`, or summed up.

use super::hooks::Reply;
use super::log;
use super::reply::{Context, Outcome};
use super::request::uuid;
use super::settings::Settings;
use super::text;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The largest image or sound that is shown.
const LARGEST: usize = 1024 * 1024;

/// A saved reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// What `resources/read` takes. It cannot be guessed.
    pub uri: String,
    /// The name of the file.
    pub name: String,
    /// Its media type.
    pub media_type: String,
    /// Its size in bytes.
    pub size: usize,
}

/// What becomes of bytes.
#[derive(Debug, Default)]
pub struct Downloads {
    folder: Option<PathBuf>,
    embedded: usize,
    saved: Mutex<BTreeMap<String, (Link, PathBuf)>>,
}

impl Downloads {
    /// As the settings say.
    pub fn new(settings: &Settings) -> Self {
        Self {
            folder: settings.downloads.clone(),
            embedded: settings.embedded,
            saved: Mutex::default(),
        }
    }

    /// Whether there can ever be a resource to read.
    pub fn are_saved(&self) -> bool {
        self.folder.is_some()
    }

    /// A saved reply, and its bytes.
    ///
    /// # Errors
    /// A sentence, when the file cannot be read any more.
    pub fn read(&self, uri: &str) -> Result<Option<(Link, Vec<u8>)>, String> {
        let saved = self.saved.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((link, path)) = saved.get(uri).cloned() else { return Ok(None) };
        drop(saved);
        match std::fs::read(path) {
            Ok(bytes) => Ok(Some((link, bytes))),
            Err(error) => Err(format!("the file cannot be read any more: {}", error.kind())),
        }
    }

    fn save(&self, service: &str, name: &str, media_type: &str, bytes: &[u8]) -> Option<Link> {
        let folder = self.folder.as_ref()?;
        let id = uuid()?;
        let name = plain_name(name);
        let path = folder.join(format!("{id}-{name}"));
        // Never over a file that is there, nor through a link.
        let written = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)
            .and_then(|mut file| file.write_all(bytes));
        if let Err(error) = written {
            log::warn(&format!("a reply cannot be saved: {error}"));
            return None;
        }
        let uri = format!("{service}://downloads/{id}/{name}");
        let link =
            Link { uri: uri.clone(), name, media_type: media_type.to_owned(), size: bytes.len() };
        let mut saved = self.saved.lock().unwrap_or_else(PoisonError::into_inner);
        saved.insert(uri, (link.clone(), path));
        Some(link)
    }
}

/// A name of letters, digits, `.`, `-` and `_` that hides nothing.
fn plain_name(name: &str) -> String {
    let legal = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let name: String = name.trim_start_matches('.').chars().take(80).map(legal).collect();
    if name.is_empty() { "reply".to_owned() } else { name }
}

/// Shapes a reply of bytes.
pub fn outcome(context: Context, reply: &Reply, plain: &str) -> Outcome {
    let size = reply.body.len();
    let shown = if plain.is_empty() { "data of unknown type" } else { plain };
    let mut summary =
        format!("HTTP {}: {}, {size} bytes", reply.status, text::cut(&text::clean(shown), 100));
    let name = reply.header("content-disposition").and_then(file_name);
    if let Some(name) = &name {
        let _ = write!(summary, ", `{}`", text::cut(&text::clean(name), 100));
    }
    summary.push('.');
    let media = matches!(plain, "image/png" | "image/jpeg" | "image/gif" | "image/webp")
        || matches!(plain, "audio/mpeg" | "audio/wav" | "audio/ogg" | "audio/mp4" | "audio/x-wav");
    let kind = if plain.is_empty() { "application/octet-stream" } else { plain };
    if (media && size <= LARGEST) || size <= context.downloads.embedded {
        let mut outcome = Outcome::text(summary);
        outcome.media = Some((text::clean(kind), STANDARD.encode(&reply.body)));
        return outcome;
    }
    let digest = sha256(&reply.body).map_or_else(String::new, |hex| format!(" SHA-256 {hex}."));
    let name = name.unwrap_or_default();
    let saved =
        context.downloads.save(context.service.name, &name, &text::clean(kind), &reply.body);
    if let Some(link) = saved {
        let mut outcome =
            Outcome::text(format!("{summary}{digest} Saved; read it as {}", link.uri));
        outcome.link = Some(link);
        return outcome;
    }
    Outcome::text(format!("{summary}{digest} Binary content is not shown."))
}

/// The name of a file that is sent, without its folders.
fn file_name(disposition: &str) -> Option<String> {
    let (_, rest) = disposition.split_once("filename")?;
    let value = rest.trim_start_matches('*').trim_start().strip_prefix('=')?.trim_start();
    let name = if let Some(quoted) = value.strip_prefix('"') {
        quoted.split('"').next()?.to_owned()
    } else {
        let bare = value.split(';').next()?.trim();
        super::encode::decode(bare.rsplit("''").next()?)?
    };
    let name = name.rsplit(['/', '\\']).next()?.trim().to_owned();
    (!name.is_empty()).then_some(name)
}

/// The digest of the bytes, from the code that TLS needs anyway.
fn sha256(bytes: &[u8]) -> Option<String> {
    use rustls::crypto::ring::cipher_suite::TLS13_AES_128_GCM_SHA256;
    let suite = TLS13_AES_128_GCM_SHA256.tls13()?;
    let digest = suite.common.hash_provider.hash(bytes);
    let mut out = String::new();
    for byte in digest.as_ref() {
        // Writing to a string cannot fail.
        let _ = write!(out, "{byte:02x}");
    }
    Some(out)
}
