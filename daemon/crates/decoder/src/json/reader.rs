//! The lenient reader: comments, any quotes, bare keys, Python literals, commas too many or too few, closers missing.

use serde_json::{Map, Number, Value};

use super::{JsonError, MAX_DEPTH};

/// A value without quotes that is longer than this many characters is prose. Keeps the reader linear, too.
const LONGEST_BARE: usize = 200;

/// Walks over a text from left to right and never goes back further than a bounded look-ahead.
#[derive(Debug)]
pub(crate) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) position: usize,
    depth: usize,
    unclosed: bool,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            position: 0,
            depth: 0,
            unclosed: false,
        }
    }

    /// Gives the place up to which it has read, in bytes.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Tells whether closers were missing at the end of the text.
    pub(crate) fn unclosed(&self) -> bool {
        self.unclosed
    }

    /// Gives the text that has not been read yet.
    pub(crate) fn rest(&self) -> &'t str {
        self.text.get(self.position..).unwrap_or_default()
    }

    /// Looks at the next character, which stays unread.
    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Reads `expected` if it comes next.
    pub(crate) fn take(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.position += expected.len_utf8();
        }
        found
    }

    /// Reads over `length` bytes that the caller has looked at.
    pub(crate) fn advance(&mut self, length: usize) {
        self.position += length;
    }

    pub(crate) fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.position += rest.len() - trimmed.len();
            let comment = if trimmed.starts_with("//") || trimmed.starts_with('#') {
                trimmed.find('\n').unwrap_or(trimmed.len())
            } else if trimmed.starts_with("/*") {
                trimmed.find("*/").map_or(trimmed.len(), |end| end + 2)
            } else {
                return;
            };
            self.position += comment;
        }
    }

    /// Makes an error about what comes next.
    pub(crate) fn broken(&self, what: &'static str) -> JsonError {
        let at = self.text.get(..self.position).unwrap_or_default().chars().count() + 1;
        JsonError::Broken { what, at }
    }

    pub(crate) fn value(&mut self) -> Result<Value, JsonError> {
        self.skip_space();
        match self.peek() {
            None => Err(JsonError::CutOff("a value")),
            Some('{') => self.nested(Self::object),
            Some('[') => self.nested(|reader| reader.array(']')),
            Some('(') => self.nested(|reader| reader.array(')')),
            Some(c) if super::string::is_quote(c) => self.string().map(Value::String),
            Some(_) => self.bare(),
        }
    }

    fn nested(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Value, JsonError>,
    ) -> Result<Value, JsonError> {
        if self.depth >= MAX_DEPTH {
            return Err(self.broken("too many nested brackets"));
        }
        self.depth += 1;
        self.position += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Result<Value, JsonError> {
        let mut members = Map::new();
        loop {
            self.skip_space();
            match self.peek() {
                None => return Err(JsonError::CutOff("an object")),
                Some('}') => {
                    self.position += 1;
                    return Ok(Value::Object(members));
                }
                Some(',') => self.position += 1,
                Some('{') if members.is_empty() => return self.doubled_object(),
                Some(']' | ')') if !members.is_empty() => return Ok(Value::Object(members)),
                Some(_) => {
                    let (key, value) = self.member()?;
                    members.insert(key, value);
                    if self.ends_unclosed() {
                        return Ok(Value::Object(members));
                    }
                }
            }
        }
    }

    /// Templates leave `{{…}}` behind, which means `{…}`.
    fn doubled_object(&mut self) -> Result<Value, JsonError> {
        let inner = self.nested(Self::object)?;
        self.skip_space();
        self.take('}');
        Ok(inner)
    }

    fn member(&mut self) -> Result<(String, Value), JsonError> {
        let key = self.key()?;
        self.skip_space();
        if !(self.take(':') || self.take('=')) {
            return Err(match self.peek() {
                None => JsonError::CutOff("a key"),
                Some(_) => self.broken("no colon after a key"),
            });
        }
        self.take('>'); // Ruby's and PHP's `=>`.
        Ok((key, self.value()?))
    }

    fn key(&mut self) -> Result<String, JsonError> {
        if self.peek().is_some_and(super::string::is_quote) {
            return self.string();
        }
        let rest = self.rest();
        let length = rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '.')))
            .unwrap_or(rest.len());
        match rest.get(..length) {
            Some(key) if !key.is_empty() => {
                self.position += length;
                Ok(key.to_owned())
            }
            _ => Err(self.broken("no key")),
        }
    }

    fn array(&mut self, closer: char) -> Result<Value, JsonError> {
        let mut items = Vec::new();
        loop {
            self.skip_space();
            match self.peek() {
                None => return Err(JsonError::CutOff("a list")),
                Some(c) if c == closer => {
                    self.position += c.len_utf8();
                    return Ok(Value::Array(items));
                }
                Some(',') => self.position += 1,
                Some('}' | ']' | ')') => return Ok(Value::Array(items)),
                Some(_) => {
                    items.push(self.value()?);
                    if self.ends_unclosed() {
                        return Ok(Value::Array(items));
                    }
                }
            }
        }
    }

    /// Stands after a whole member or item: the text may end here, and then only closers are missing.
    fn ends_unclosed(&mut self) -> bool {
        self.skip_space();
        let ends = self.rest().is_empty();
        self.unclosed |= ends;
        ends
    }

    /// Reads a number, a literal, or a word that lacks its quotes.
    fn bare(&mut self) -> Result<Value, JsonError> {
        let rest = self.rest();
        let length = rest
            .char_indices()
            .take(LONGEST_BARE)
            .find(|(_, c)| matches!(c, ',' | '}' | ']' | ')' | '\n' | '\r'))
            .map_or_else(
                || {
                    rest.char_indices()
                        .nth(LONGEST_BARE)
                        .map_or(rest.len(), |(at, _)| at)
                },
                |(at, _)| at,
            );
        let whole = rest.get(..length).unwrap_or_default();
        let word = whole.split(['#', '"', '\'']).next().unwrap_or_default();
        let word = word.split("//").next().unwrap_or_default();
        let word = word.split("/*").next().unwrap_or_default().trim_end();
        // Before another value only the comma may be missing.
        let first = word.split_whitespace().next().unwrap_or_default();
        let joined = word
            .get(first.len()..)
            .is_some_and(|after| after.trim_start().starts_with(['{', '[', '“']));
        for word in [
            word,
            if joined || word.len() < whole.trim_end().len() {
                first
            } else {
                ""
            },
        ] {
            if let Some(value) = literal(word).or_else(|| number(word)) {
                self.position += word.len();
                return Ok(value);
            }
        }
        let words = whole.trim_end();
        if words.is_empty() || words.starts_with([':', '=', '{', '[', '(']) {
            return Err(self.broken("no value"));
        }
        if length == rest.len() {
            return Err(JsonError::CutOff("a word"));
        }
        if length >= LONGEST_BARE || words.contains([':', '{', '[', '(', '"']) {
            return Err(self.broken("a value without quotes"));
        }
        self.position += words.len();
        Ok(Value::String(words.to_owned()))
    }
}

fn literal(word: &str) -> Option<Value> {
    match word {
        "true" | "True" | "TRUE" => Some(Value::Bool(true)),
        "false" | "False" | "FALSE" => Some(Value::Bool(false)),
        "null" | "None" | "Null" | "NULL" | "nil" | "undefined" => Some(Value::Null),
        _ => None,
    }
}

/// Reads a number as JSON, Python or JavaScript write it.
pub fn number(word: &str) -> Option<Value> {
    let first = word.chars().next()?;
    if !(first.is_ascii_digit() || matches!(first, '-' | '+' | '.')) {
        return None;
    }
    if let Some(hexadecimal) = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        return u64::from_str_radix(hexadecimal, 16)
            .ok()
            .map(|n| Value::Number(n.into()));
    }
    let plain = word.strip_prefix('+').unwrap_or(word).replace('_', "");
    let (sign, digits) = plain
        .strip_prefix('-')
        .map_or(("", plain.as_str()), |digits| ("-", digits));
    let digits = if digits.starts_with('.') {
        format!("0{digits}")
    } else {
        digits.to_owned()
    };
    let digits = digits.strip_suffix('.').unwrap_or(&digits);
    serde_json::from_str::<Number>(&format!("{sign}{digits}"))
        .ok()
        .map(Value::Number)
}
