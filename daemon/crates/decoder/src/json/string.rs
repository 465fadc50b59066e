//! Strings in any quotes, with the inner quotes, raw line breaks and odd escapes that models leave in them. The triple quotes
//! are those of Python, in which Llama 4, LFM2 and Gemma call.

use super::{JsonError, Reader};

/// The look-ahead that tells a closing quote from one inside the string goes this far.
const LOOK_AHEAD: usize = 80;

pub(crate) fn is_quote(c: char) -> bool {
    closers(c).is_some()
}

/// Lists the quotes that may close a string which `opener` opened.
fn closers(opener: char) -> Option<&'static [char]> {
    match opener {
        '"' => Some(&['"']),
        '\'' => Some(&['\'']),
        '`' => Some(&['`']),
        '“' | '”' | '„' => Some(&['“', '”', '"']),
        '‘' | '’' | '‚' => Some(&['‘', '’', '\'']),
        _ => None,
    }
}

impl Reader<'_> {
    /// Reads a string whose opening quote comes next.
    pub(crate) fn string(&mut self) -> Result<String, JsonError> {
        let opener = self.peek().unwrap_or_default();
        let Some(closers) = closers(opener) else {
            return Err(self.broken("no string"));
        };
        if matches!(opener, '"' | '\'') && self.rest().starts_with(&opener.to_string().repeat(3)) {
            return self.triple_quoted(opener);
        }
        self.position += opener.len_utf8();
        let mut text = String::new();
        loop {
            let Some(c) = self.peek() else {
                return Err(JsonError::CutOff("a string"));
            };
            self.position += c.len_utf8();
            if c == '\\' {
                self.escape(&mut text)?;
            } else if closers.contains(&c) && self.closes_here() {
                return Ok(text);
            } else {
                text.push(c);
            }
        }
    }

    /// Reads Python's `"""…"""`.
    fn triple_quoted(&mut self, quote: char) -> Result<String, JsonError> {
        let fence = quote.to_string().repeat(3);
        let inside = self.rest().get(fence.len()..).unwrap_or_default();
        let Some(length) = inside.find(&fence) else {
            return Err(JsonError::CutOff("a string"));
        };
        self.position += length + 2 * fence.len();
        Ok(inside.get(..length).unwrap_or_default().to_owned())
    }

    /// Tells whether the quote just read closes the string: what follows must be able to follow a string.
    fn closes_here(&self) -> bool {
        let after = self.rest().trim_start();
        match after.chars().next() {
            None => true,
            Some(',' | '}' | ']' | ')' | ':' | '=' | '#' | ';') => true,
            Some('/') => after.starts_with("//") || after.starts_with("/*"),
            Some(c) if is_quote(c) => begins_with_key(after),
            Some(_) => false,
        }
    }

    fn escape(&mut self, text: &mut String) -> Result<(), JsonError> {
        let Some(c) = self.peek() else {
            return Err(JsonError::CutOff("a string"));
        };
        self.position += c.len_utf8();
        match c {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            '"' | '\'' | '\\' | '/' | '`' => text.push(c),
            'u' => text.push(self.unicode_escape()),
            'x' => text.push(self.hexadecimal(2).and_then(char::from_u32).unwrap_or('\u{fffd}')),
            // A regular expression or a Windows path: the backslash was meant.
            _ => text.extend(['\\', c]),
        }
        Ok(())
    }

    fn unicode_escape(&mut self) -> char {
        let Some(first) = self.hexadecimal(4) else {
            return '\u{fffd}';
        };
        if (0xd800..0xdc00).contains(&first) && self.rest().starts_with("\\u") {
            let before = self.position;
            self.position += 2;
            match self.hexadecimal(4) {
                Some(second) if (0xdc00..0xe000).contains(&second) => {
                    let joined = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                    return char::from_u32(joined).unwrap_or('\u{fffd}');
                }
                _ => self.position = before,
            }
        }
        char::from_u32(first).unwrap_or('\u{fffd}')
    }

    /// Reads exactly `digits` hexadecimal digits; reads nothing when they are not there.
    fn hexadecimal(&mut self, digits: usize) -> Option<u32> {
        let word = self.rest().get(..digits)?;
        let code = u32::from_str_radix(word, 16).ok()?;
        self.position += digits;
        Some(code)
    }
}

/// Tells whether a text begins like `"key":`, so that only a comma is missing before it.
fn begins_with_key(text: &str) -> bool {
    let mut characters = text.chars().take(LOOK_AHEAD);
    let Some(closers) = characters.next().and_then(closers) else {
        return false;
    };
    let mut after_quote = characters.skip_while(|c| !closers.contains(c)).skip(1);
    matches!(after_quote.find(|c| !c.is_whitespace()), Some(':'))
}
