//! Numbers that no machine number holds, digit for digit.
//!
//! `serde_json` reads 18446744073709551617 as a double and would address another record. Such a
//! number travels inside the server as text behind a mark, and is written as a number again.

use serde_json::Value;
use std::cmp::Ordering;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, ReadBuf};

/// Unicode guarantees that this is no character, so that no text starts with it.
const MARK: char = '\u{fdd0}';

/// The longest number that is kept.
const LONGEST: usize = 1_000;

/// The digits of a marked number.
pub fn digits(value: &Value) -> Option<&str> {
    value.as_str()?.strip_prefix(MARK).filter(|text| is_number(text))
}

/// A text as an integer, exactly.
pub fn integer(text: &str) -> Option<Value> {
    let plain = text.strip_prefix('-').unwrap_or(text);
    let whole = is_number(text) && plain.bytes().all(|byte| byte.is_ascii_digit());
    whole.then(|| number(text)).flatten()
}

/// A text as a number, exactly.
pub fn number(text: &str) -> Option<Value> {
    if !is_number(text) {
        return None;
    }
    if is_lossy(text) {
        return Some(Value::String(format!("{MARK}{text}")));
    }
    serde_json::from_str(text).ok()
}

/// Whether a text is a number as JSON writes it.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    text.len() <= LONGEST
        && digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && digits(fraction)
        && digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent))
}

/// Whether a machine number would not hold this number.
fn is_lossy(text: &str) -> bool {
    if text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok() || text == "-0" {
        return false;
    }
    let Ok(float) = text.parse::<f64>() else { return true };
    if text.contains(['e', 'E']) {
        return !float.is_finite();
    }
    let plain = text.trim_end_matches('0').trim_end_matches('.');
    let plain = plain.strip_prefix('-').unwrap_or(plain);
    !text.contains('.') || plain != format!("{}", float.abs())
}

/// The order of two numbers; `None` where one is none.
pub fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (whole(left), whole(right)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => match (long(left), long(right)) {
            (Some(a), Some(b)) => Some(by_length(&a, &b)),
            _ => float(left)?.partial_cmp(&float(right)?),
        },
    }
}

/// The digits of an integer of any length.
fn long(value: &Value) -> Option<String> {
    if let Some(number) = whole(value) {
        return Some(number.to_string());
    }
    digits(value)
        .filter(|text| text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()))
        .map(str::to_owned)
}

/// The order of two integers by their digits.
fn by_length(left: &str, right: &str) -> Ordering {
    let plain = |text: &str| (text.trim_start_matches('-').len(), text.to_owned());
    match (left.starts_with('-'), right.starts_with('-')) {
        (false, true) => Ordering::Greater,
        (true, false) => Ordering::Less,
        (false, false) => plain(left).cmp(&plain(right)),
        (true, true) => plain(right).cmp(&plain(left)),
    }
}

/// An integer of up to 38 digits.
pub fn whole(value: &Value) -> Option<i128> {
    let marked = || digits(value)?.parse().ok();
    value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from)).or_else(marked)
}

/// A number as a double, as near as it gets.
pub fn float(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| digits(value)?.parse().ok())
}

/// Reads JSON; numbers keep their digits.
///
/// # Errors
/// It is no JSON.
pub fn parse(json: &str) -> serde_json::Result<Value> {
    serde_json::from_slice(&mark(json.as_bytes()))
}

/// JSON text in which every number can be read without a loss.
pub fn mark(json: &[u8]) -> Vec<u8> {
    let mut filter = Filter::default();
    filter.push(json);
    filter.end();
    filter.out
}

/// Compact JSON; marked numbers are numbers again.
pub fn json(value: &Value) -> String {
    let text = value.to_string();
    let start = format!("\"{MARK}");
    if !text.contains(&start) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(&start) {
        let inside = &rest[at + start.len()..];
        let end = inside.find('"').unwrap_or(inside.len());
        // A quote inside a text has a backslash before it, and a key has a colon behind it.
        let value = !rest[..at].ends_with('\\') && !inside[end..].starts_with("\":");
        let digits = &inside[..end];
        let taken = if value && is_number(digits) {
            out.push_str(&rest[..at]);
            out.push_str(digits);
            at + start.len() + end + 1
        } else {
            out.push_str(&rest[..at + start.len()]);
            at + start.len()
        };
        rest = &rest[taken..];
    }
    out.push_str(rest);
    out
}

/// Marks the numbers of a stream of JSON.
#[derive(Debug, Default)]
struct Filter {
    out: Vec<u8>,
    number: Vec<u8>,
    in_text: bool,
    escaped: bool,
}

impl Filter {
    fn push(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            let part = byte.is_ascii_digit() || b"+-.eE".contains(&byte);
            if !self.number.is_empty() && part && self.number.len() <= LONGEST {
                self.number.push(byte);
                continue;
            }
            self.end();
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_text => self.escaped = true,
                b'"' => self.in_text = !self.in_text,
                // A line ends every message, however broken it is.
                b'\n' => self.in_text = false,
                b'-' | b'0'..=b'9' if !self.in_text => {
                    self.number.push(byte);
                    continue;
                }
                _ => {}
            }
            self.out.push(byte);
        }
    }

    fn end(&mut self) {
        let number = std::mem::take(&mut self.number);
        let text = std::str::from_utf8(&number).unwrap_or_default();
        if is_number(text) && is_lossy(text) {
            self.out.extend_from_slice(format!("\"{MARK}{text}\"").as_bytes());
        } else {
            self.out.extend_from_slice(&number);
        }
    }
}

/// A stream of JSON whose numbers are marked. It ends when the other ends, or when it is told to.
pub struct Reader<R> {
    inner: R,
    stop: Pin<Box<dyn Future<Output = ()> + Send>>,
    stopped: bool,
    /// What the end waits for.
    last: Pin<Box<dyn Future<Output = ()> + Send>>,
    ended: bool,
    filter: Filter,
    given: usize,
}

impl<R> Reader<R> {
    /// Reads from another stream until `stop` is done; the end is told when `last` is done too.
    pub fn new(
        inner: R,
        stop: impl Future<Output = ()> + Send + 'static,
        last: impl Future<Output = ()> + Send + 'static,
    ) -> Self {
        let (stop, last) = (Box::pin(stop), Box::pin(last));
        let filter = Filter::default();
        Self { inner, stop, stopped: false, last, ended: false, filter, given: 0 }
    }

    fn end(&mut self, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        if !self.ended {
            std::task::ready!(self.last.as_mut().poll(context));
            self.ended = true;
        }
        Poll::Ready(Ok(()))
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Reader<R> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let this = self.get_mut();
        loop {
            let ready = &this.filter.out[this.given..];
            if !ready.is_empty() {
                let count = ready.len().min(into.remaining());
                into.put_slice(&ready[..count]);
                this.given += count;
                return Poll::Ready(Ok(()));
            }
            this.filter.out.clear();
            this.given = 0;
            if this.stopped || this.stop.as_mut().poll(context).is_ready() {
                this.stopped = true;
                return this.end(context);
            }
            let mut space = [0; 8192];
            let mut buffer = ReadBuf::new(&mut space);
            match Pin::new(&mut this.inner).poll_read(context, &mut buffer) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Ready(Ok(())) if buffer.filled().is_empty() => {
                    this.filter.end();
                    if this.filter.out.is_empty() {
                        this.stopped = true;
                        return this.end(context);
                    }
                }
                Poll::Ready(Ok(())) => this.filter.push(buffer.filled()),
            }
        }
    }
}
