//! JSON text to [`Node`]s.

use crate::source::{At, Fault, Limits, Map, Node, Number, Parsed, Value};

/// Parses `text`, which is document `file`.
pub(super) fn parse(file: u32, text: &str, limits: &Limits) -> Result<Parsed, Fault> {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut parser = Parser {
        text,
        bytes: text.as_bytes(),
        place: start,
        file,
        depth: 0,
        limit: limits.depth,
        duplicates: Vec::new(),
    };
    parser.space();
    let root = parser.value(None)?;
    parser.space();
    if parser.place < parser.bytes.len() {
        return Err(parser.fault("expected the end of the document"));
    }
    Ok(Parsed { root, duplicates: parser.duplicates, lost: Vec::new() })
}

struct Parser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    place: usize,
    file: u32,
    depth: usize,
    limit: usize,
    duplicates: Vec<At>,
}

impl Parser<'_> {
    fn fault(&self, message: &str) -> Fault {
        let found = match self.text.get(self.place..).and_then(|rest| rest.chars().next()) {
            Some(c) => format!("{message}, found `{}`", c.escape_debug()),
            None => format!("{message}, found the end of the text"),
        };
        Fault { offset: self.place, message: found, limit: false }
    }

    fn at(&self, offset: usize) -> At {
        // The size limit keeps offsets below 2³².
        At { file: self.file, offset: u32::try_from(offset).unwrap_or(u32::MAX) }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.place).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.place += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        if there {
            self.place += 1;
        }
        there
    }

    fn value(&mut self, key: Option<At>) -> Result<Node, Fault> {
        let at = self.at(self.place);
        let value = match self.peek() {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(b'"') => Value::String(self.string()?),
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            _ => return Err(self.fault("expected a JSON value")),
        };
        Ok(Node { at, key: key.unwrap_or(at), value })
    }

    fn nested(&mut self, inside: fn(&mut Self) -> Result<Value, Fault>) -> Result<Value, Fault> {
        if self.depth == self.limit {
            return Err(Fault::too_deep(self.place, self.limit));
        }
        self.depth += 1;
        self.place += 1;
        let value = inside(self);
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Result<Value, Fault> {
        let mut map = Map::default();
        self.space();
        if self.eat(b'}') {
            return Ok(Value::Object(map));
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return Err(self.fault("expected a key in double quotes"));
            }
            let key_at = self.at(self.place);
            let key = self.string()?;
            self.space();
            if !self.eat(b':') {
                return Err(self.fault("expected `:`"));
            }
            self.space();
            let node = self.value(Some(key_at))?;
            if map.insert(key, node).is_some() {
                self.duplicates.push(key_at);
            }
            self.space();
            if self.eat(b'}') {
                return Ok(Value::Object(map));
            }
            if !self.eat(b',') {
                return Err(self.fault("expected `,` or `}`"));
            }
        }
    }

    fn array(&mut self) -> Result<Value, Fault> {
        let mut items = Vec::new();
        self.space();
        if self.eat(b']') {
            return Ok(Value::Array(items));
        }
        loop {
            self.space();
            items.push(self.value(None)?);
            self.space();
            if self.eat(b']') {
                return Ok(Value::Array(items));
            }
            if !self.eat(b',') {
                return Err(self.fault("expected `,` or `]`"));
            }
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, Fault> {
        if self.bytes[self.place..].starts_with(word.as_bytes()) {
            self.place += word.len();
            Ok(value)
        } else {
            Err(self.fault("expected a JSON value"))
        }
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let start = self.place;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.place += 1;
        }
        if self.place == start { Err(self.fault("expected a digit")) } else { Ok(()) }
    }

    fn number(&mut self) -> Result<Number, Fault> {
        let start = self.place;
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.place += 1;
            if !self.eat(b'+') {
                self.eat(b'-');
            }
            self.digits()?;
        }
        Ok(Number(self.text[start..self.place].to_owned()))
    }

    fn string(&mut self) -> Result<String, Fault> {
        let open = self.place;
        self.place += 1;
        let mut start = self.place;
        let mut out = String::new();
        loop {
            match self.peek() {
                None => {
                    self.place = open;
                    return Err(self.fault("a string does not end"));
                }
                Some(b'"') => {
                    let tail = &self.text[start..self.place];
                    self.place += 1;
                    if out.is_empty() {
                        return Ok(tail.to_owned());
                    }
                    out.push_str(tail);
                    return Ok(out);
                }
                Some(b'\\') => {
                    out.push_str(&self.text[start..self.place]);
                    self.place += 1;
                    out.push(self.escape()?);
                    start = self.place;
                }
                Some(0..=0x1f) => return Err(self.fault("expected no control character")),
                Some(_) => self.place += 1,
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let c = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.place += 1;
                return self.unicode();
            }
            _ => return Err(self.fault("expected an escape")),
        };
        self.place += 1;
        Ok(c)
    }

    fn unicode(&mut self) -> Result<char, Fault> {
        let high = self.four()?;
        if (0xd800..0xdc00).contains(&high) && self.bytes[self.place..].starts_with(b"\\u") {
            let back = self.place;
            self.place += 2;
            let low = self.four()?;
            if (0xdc00..0xe000).contains(&low) {
                let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or('\u{fffd}'));
            }
            self.place = back;
        }
        // Half a pair stands for nothing; text must be text.
        Ok(char::from_u32(high).unwrap_or('\u{fffd}'))
    }

    fn four(&mut self) -> Result<u32, Fault> {
        let digits = self.text.get(self.place..self.place + 4);
        let code = digits
            .filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|d| u32::from_str_radix(d, 16).ok());
        let Some(code) = code else {
            return Err(self.fault("expected four hexadecimal digits"));
        };
        self.place += 4;
        Ok(code)
    }
}
