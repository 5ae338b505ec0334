//! Files that a call sends: base64, a `data:` URI, or a file below the folder of the operator.
//!
//! The three cannot be mistaken for each other, because base64 has no colon; text that is none of
//! them is refused. An argument stays one plain string, also in lists and inside objects.

use super::encode;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use base64::engine::{DecodePaddingMode, Engine as _};
use std::path::Path;

/// The largest file that is read from the folder.
const LARGEST: u64 = 25 * 1024 * 1024;

/// The forms, as they are told to the model.
const FORMS: &str = "must be base64, or `data:TYPE;name=NAME;base64,DATA` with base64 as DATA, or `data:TYPE;name=NAME,TEXT` with text that is percent-encoded";

/// A file as it is sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// Its content.
    pub bytes: Vec<u8>,
    /// Its name, where one was given.
    pub name: Option<String>,
    /// Its media type, where one was given or the name tells.
    pub media_type: Option<String>,
}

/// Reads what was given for a file.
///
/// # Errors
/// What it must be, without the content.
pub fn read(given: &str, folder: Option<&Path>) -> Result<File, String> {
    let given = given.trim();
    match given.split_once(':') {
        Some((word, rest)) if word.eq_ignore_ascii_case("data") => data(rest),
        Some((word, rest)) if word.eq_ignore_ascii_case("file") => match folder {
            Some(folder) => from_folder(rest, folder),
            None => Err(format!("files of this machine are not sent; {FORMS}")),
        },
        _ => base64(given)
            .map(|bytes| File { bytes, ..File::default() })
            .ok_or_else(|| words(folder)),
    }
}

/// Whether a text is a `data:` URI or names a file, and is not the content itself.
pub fn is_named(text: &str) -> bool {
    let word = text.trim_start().split(':').next().unwrap_or_default();
    text.contains(':') && ["data", "file"].iter().any(|own| word.eq_ignore_ascii_case(own))
}

fn words(folder: Option<&Path>) -> String {
    let more = folder.map_or("", |_| ", or `file:PATH` with the path of a file that may be sent");
    format!("{FORMS}{more}")
}

/// Base64 of either alphabet, padded or not, white space aside.
pub fn base64(text: &str) -> Option<Vec<u8>> {
    const LENIENT: GeneralPurposeConfig =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let text: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    let read = |alphabet| GeneralPurpose::new(alphabet, LENIENT).decode(&text).ok();
    read(&alphabet::STANDARD).or_else(|| read(&alphabet::URL_SAFE))
}

/// RFC 2397, with the file's name as the parameter `name`.
fn data(rest: &str) -> Result<File, String> {
    let (head, content) = rest.split_once(',').ok_or_else(|| words(None))?;
    let mut file = File::default();
    let mut encoded = false;
    for (at, part) in head.split(';').map(str::trim).enumerate() {
        match part.split_once('=') {
            Some((key, value))
                if matches!(key.to_ascii_lowercase().as_str(), "name" | "filename") =>
            {
                let name = encode::decode(value).unwrap_or_else(|| value.to_owned());
                file.name = Some(name).filter(|name| !name.is_empty());
            }
            None if part.eq_ignore_ascii_case("base64") => encoded = true,
            None if at == 0 && is_media_type(part) => {
                file.media_type = Some(part.to_ascii_lowercase());
            }
            Some(_) | None => {}
        }
    }
    if encoded {
        file.bytes = base64(content).ok_or_else(|| words(None))?;
    } else {
        file.bytes = encode::decode_bytes(content);
        // What the scheme says of a URI without a type.
        let plain = || file.name.is_none().then(|| "text/plain; charset=utf-8".to_owned());
        file.media_type = file.media_type.take().or_else(plain);
    }
    if file.media_type.is_none() {
        file.media_type = file.name.as_deref().and_then(type_of).map(str::to_owned);
    }
    Ok(file)
}

/// A file below the folder: neither `..` nor a link leads out of it.
fn from_folder(path: &str, folder: &Path) -> Result<File, String> {
    let path = path.strip_prefix("//").unwrap_or(path);
    let path = encode::decode(path).unwrap_or_else(|| path.to_owned());
    // One answer to all that is not there or not allowed: it tells nothing about other files.
    let refused = || "there is no such file that may be sent".to_owned();
    let home = folder.canonicalize().map_err(|_| refused())?;
    let found = home.join(&path).canonicalize().map_err(|_| refused())?;
    if !found.starts_with(&home) || !found.is_file() {
        return Err(refused());
    }
    let length = found.metadata().map_err(|_| refused())?.len();
    if length > LARGEST {
        return Err(format!("the file has {length} bytes; at most {LARGEST} are sent"));
    }
    let bytes = std::fs::read(&found).map_err(|_| refused())?;
    let name = found.file_name().map(|name| name.to_string_lossy().into_owned());
    let media_type = name.as_deref().and_then(type_of).map(str::to_owned);
    Ok(File { bytes, name, media_type })
}

/// The content alone, as base64: how a file stands inside JSON.
pub fn as_base64(file: &File) -> String {
    STANDARD.encode(&file.bytes)
}

/// Whether a text names a media type and nothing more.
pub fn is_media_type(text: &str) -> bool {
    let token = |part: &str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "!#$&-^_.+".contains(c))
    };
    text.split_once('/').is_some_and(|(kind, rest)| token(kind) && token(rest))
}

/// Endings and media types that services look at.
const ENDINGS: &[(&str, &str)] = &[
    ("csv", "text/csv"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("gif", "image/gif"),
    ("gz", "application/gzip"),
    ("html", "text/html"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("json", "application/json"),
    ("md", "text/markdown"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain"),
    ("wav", "audio/wav"),
    ("webp", "image/webp"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("zip", "application/zip"),
];

fn type_of(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    let same = |(known, _): &&(&str, &str)| known.eq_ignore_ascii_case(ending);
    ENDINGS.iter().find(same).map(|(_, media_type)| *media_type)
}

/// A name for a file that came without one: services judge files by their ending.
pub fn named(stem: &str, media_type: Option<&str>) -> String {
    let plain = media_type.and_then(|text| text.split(';').next()).unwrap_or_default().trim();
    match ENDINGS.iter().find(|(_, known)| known.eq_ignore_ascii_case(plain)) {
        Some((ending, _)) => format!("{stem}.{ending}"),
        None => stem.to_owned(),
    }
}
