//! Spaces put into YAML text where indentation is too small, and the way back to written places.

/// Spaces that were put into the text.
pub(super) struct Mended {
    /// Bytes of the mark that the text begins with.
    pub skipped: usize,
    /// Offsets in the text as it is now, sorted, at which [`PAD`] spaces begin.
    pub puts: Vec<usize>,
}

const PAD: usize = 64;

impl Mended {
    /// Puts spaces before each of `places`, which are sorted.
    pub(super) fn put(&mut self, body: &str, places: &[usize]) -> String {
        let mut out = String::with_capacity(body.len() + PAD * places.len());
        let mut done = 0;
        for &place in places {
            out.push_str(&body[done..place]);
            out.extend(std::iter::repeat_n(' ', PAD));
            done = place;
        }
        out.push_str(&body[done..]);
        let mut puts: Vec<usize> = Vec::with_capacity(self.puts.len() + places.len());
        for old in &self.puts {
            puts.push(old + PAD * places.partition_point(|place| place <= old));
        }
        puts.extend(places.iter().enumerate().map(|(i, place)| place + PAD * i));
        puts.sort_unstable();
        self.puts = puts;
        out
    }

    /// The offset in the text as written.
    pub(super) fn written(&self, offset: usize) -> usize {
        let before = self.puts.partition_point(|put| *put < offset);
        let mut removed = PAD * before;
        if let Some(last) = before.checked_sub(1).map(|i| self.puts[i]) {
            removed -= PAD.saturating_sub(offset - last);
        }
        offset - removed + self.skipped
    }
}

/// Where spaces may help.
pub(super) enum Mend {
    /// Before this offset.
    Here(usize),
    /// In each line of the quoted text that begins at this offset.
    Quoted(usize),
}

impl Mend {
    pub(super) fn places(&self, body: &str) -> Vec<usize> {
        match *self {
            Self::Here(offset) => vec![offset],
            Self::Quoted(start) => {
                let bytes = body.as_bytes();
                let Some(&quote) = bytes.get(start) else { return Vec::new() };
                let mut places = Vec::new();
                let mut i = start + 1;
                while i < bytes.len() {
                    match bytes[i] {
                        b'\\' if quote == b'"' => i += 1,
                        b'\n' => places.push(i + 1),
                        b if b == quote && bytes.get(i + 1) == Some(&quote) && quote == b'\'' => {
                            i += 1;
                        }
                        b if b == quote => break,
                        _ => {}
                    }
                    i += 1;
                }
                places.retain(|place| body.is_char_boundary(*place));
                places
            }
        }
    }
}
