//! Tolerant JSON: reads what models write where JSON was asked for.
//!
//! Strictly valid JSON goes through `serde_json` and is never changed. Only what that refuses is read by the lenient
//! [`Reader`]. Nothing is ever invented: a text that ends inside a string or before a value is an error, a text that
//! merely lacks its closers is not. Time is linear in the input, depth is bounded, and no input panics.

mod reader;
mod string;
#[cfg(test)]
mod suite;
#[cfg(test)]
mod tests;

use serde::de::IgnoredAny;
use serde_json::Value;

pub(crate) use reader::Reader;
pub use reader::number;
pub(crate) use string::is_quote;

/// Deeper nesting than this is refused, as `serde_json` does.
const MAX_DEPTH: usize = 128;

/// A value read from the beginning of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The value, whole as far as the text goes.
    pub value: Value,
    /// The place at which it ends, in bytes.
    pub end: usize,
    /// Says whether closers were missing at the end of the text.
    pub unclosed: bool,
}

/// Says why a text is no JSON, however kindly it is read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JsonError {
    /// The text ends in the middle of something whose rest cannot be known.
    #[error("it ends in the middle of {0}")]
    CutOff(&'static str),
    /// It makes no sense at this place.
    #[error("{what} at character {at}")]
    Broken {
        /// Says what was found or missed.
        what: &'static str,
        /// The place, counted in characters from 1.
        at: usize,
    },
}

/// Reads one value from the beginning of `text`, white space aside; what follows it is left alone.
pub fn parse_prefix(text: &str) -> Result<Parsed, JsonError> {
    let mut strict = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    if let Some(Ok(value)) = strict.next() {
        return Ok(Parsed {
            value,
            end: strict.byte_offset(),
            unclosed: false,
        });
    }
    parse_leniently(text)
}

/// Finds where the value at the beginning of `text` ends, in bytes. Nothing when it makes no sense or lacks its
/// closers.
pub(crate) fn end_of_value(text: &str) -> Option<usize> {
    let mut strict = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    if let Some(Ok(_)) = strict.next() {
        return Some(strict.byte_offset());
    }
    let parsed = parse_leniently(text).ok();
    parsed.filter(|parsed| !parsed.unclosed).map(|parsed| parsed.end)
}

/// Reads `text` as one value with nothing but white space, stray closers and a semicolon after it.
pub fn parse_whole(text: &str) -> Result<Parsed, JsonError> {
    let parsed = parse_prefix(text)?;
    let rest = text.get(parsed.end..).unwrap_or_default();
    match rest
        .char_indices()
        .find(|(_, c)| !(c.is_whitespace() || matches!(c, '}' | ']' | ')' | ';' | ',')))
    {
        None => Ok(parsed),
        Some((offset, _)) => {
            let at = text
                .get(..parsed.end + offset)
                .unwrap_or_default()
                .chars()
                .count()
                + 1;
            Err(JsonError::Broken {
                what: "unexpected text after the value",
                at,
            })
        }
    }
}

fn parse_leniently(text: &str) -> Result<Parsed, JsonError> {
    let mut reader = Reader::new(text);
    let value = reader.value()?;
    Ok(Parsed {
        value,
        end: reader.position(),
        unclosed: reader.unclosed(),
    })
}
