//! Reads the head of a GGUF file value by value: <https://github.com/ggml-org/ggml/blob/master/docs/gguf.md>.
//!
//! Nothing that a file says of its own sizes is relied on: all is read from a bounded stream, and what is not wanted is
//! passed over and never held.

use std::io::{self, Read};

/// The head of a model with a vocabulary of a quarter of a million words has some 20 MB.
const LONGEST_HEAD: u64 = 128 << 20;

/// The longest text that is kept; chat templates of 2026 have up to 20 kB.
const LONGEST_TEXT: u64 = 1 << 20;

/// Arrays within arrays; no model has any.
const DEEPEST: usize = 4;

const MAGIC: [u8; 4] = *b"GGUF";

/// What comes first in a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counts {
    pub(super) tensors: u64,
    pub(super) entries: u64,
}

/// A value of the head, as far as it is wanted.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Number(u64),
    Text(String),
    /// A number with a fraction, a truth, a list, or a text that is too long.
    Other,
}

pub(super) struct Reader<R> {
    from: io::Take<R>,
}

impl<R: Read> Reader<R> {
    pub(super) fn new(from: R) -> Self {
        Self {
            from: from.take(LONGEST_HEAD),
        }
    }

    /// The counts that the file begins with; `None` where it is no GGUF file that can be read here.
    pub(super) fn counts(&mut self) -> io::Result<Option<Counts>> {
        if self.bytes::<4>()? != MAGIC {
            return Ok(None);
        }
        // The first version counted in 32 bits; files of other byte order have their version the other way round.
        if !matches!(self.number32()?, 2 | 3) {
            return Ok(None);
        }
        let (tensors, entries) = (self.number64()?, self.number64()?);
        Ok(Some(Counts { tensors, entries }))
    }

    /// The next key and its value.
    pub(super) fn entry(&mut self) -> io::Result<(String, Value)> {
        let key = self.text()?.unwrap_or_default();
        let kind = self.number32()?;
        Ok((key, self.value(kind, 0)?))
    }

    /// The number of weights of the next tensor.
    pub(super) fn tensor(&mut self) -> io::Result<u64> {
        self.text()?;
        let dimensions = self.number32()?;
        let mut weights: u64 = 1;
        for _ in 0..dimensions {
            weights = weights.saturating_mul(self.number64()?);
        }
        // The kind of its weights, and where they are.
        self.skip(12)?;
        Ok(weights)
    }

    fn value(&mut self, kind: u32, depth: usize) -> io::Result<Value> {
        match kind {
            0 => Ok(Value::Number(u64::from(u8::from_le_bytes(self.bytes()?)))),
            2 => Ok(Value::Number(u64::from(u16::from_le_bytes(self.bytes()?)))),
            4 | 5 => Ok(Value::Number(u64::from(self.number32()?))),
            10 | 11 => Ok(Value::Number(self.number64()?)),
            8 => Ok(self.text()?.map_or(Value::Other, Value::Text)),
            9 => self.pass_over_list(depth),
            _ => {
                self.skip(size_of(kind).ok_or_else(damaged)?)?;
                Ok(Value::Other)
            }
        }
    }

    fn pass_over_list(&mut self, depth: usize) -> io::Result<Value> {
        let kind = self.number32()?;
        let count = self.number64()?;
        if let Some(size) = size_of(kind) {
            self.skip(count.checked_mul(size).ok_or_else(damaged)?)?;
            return Ok(Value::Other);
        }
        if depth == DEEPEST {
            return Err(damaged());
        }
        for _ in 0..count {
            match kind {
                8 => {
                    let length = self.number64()?;
                    self.skip(length)?;
                }
                9 => drop(self.pass_over_list(depth + 1)?),
                _ => return Err(damaged()),
            }
        }
        Ok(Value::Other)
    }

    /// A text; nothing where it is longer than any that is wanted, or no text.
    fn text(&mut self) -> io::Result<Option<String>> {
        let length = self.number64()?;
        if length > LONGEST_TEXT {
            self.skip(length)?;
            return Ok(None);
        }
        let mut bytes = Vec::new();
        self.from.by_ref().take(length).read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(String::from_utf8(bytes).ok())
    }

    fn skip(&mut self, count: u64) -> io::Result<()> {
        let passed = io::copy(&mut self.from.by_ref().take(count), &mut io::sink())?;
        if passed < count {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }

    fn number32(&mut self) -> io::Result<u32> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn number64(&mut self) -> io::Result<u64> {
        self.bytes().map(u64::from_le_bytes)
    }

    fn bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.from.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

/// The length of a value of this kind; none for texts, lists and what is unknown.
fn size_of(kind: u32) -> Option<u64> {
    match kind {
        0 | 1 | 7 => Some(1),
        2 | 3 => Some(2),
        4..=6 => Some(4),
        10..=12 => Some(8),
        _ => None,
    }
}

fn damaged() -> io::Error {
    io::ErrorKind::InvalidData.into()
}
