//! A cursor over whisper.cpp's own file format that never trusts a length. It does not read weights.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::RangeInclusive;
use std::path::Path;

/// The first four bytes of every file of this format, read as a little-endian number.
const MAGIC: u32 = 0x6767_6d6c;

#[derive(Debug)]
pub(super) enum Fault {
    /// The system could not read.
    Io(io::Error),
    /// The content is wrong, in words that follow "failed to use …:".
    Broken(String),
}

#[derive(Debug)]
pub(super) struct GgmlFile {
    reader: BufReader<File>,
    left: u64,
    length: u64,
}

impl GgmlFile {
    /// Opens it and checks the magic number.
    pub(super) fn open(path: &Path) -> Result<Self, Fault> {
        // Asked before opening, because opening a pipe would wait for a writer.
        let metadata = std::fs::metadata(path).map_err(Fault::Io)?;
        if !metadata.is_file() {
            return Err(Fault::Broken("it is not a file".into()));
        }
        let file = File::open(path).map_err(Fault::Io)?;
        let length = metadata.len();
        let mut this = Self {
            reader: BufReader::new(file),
            left: length,
            length,
        };
        if this.number("magic number")? != MAGIC {
            return Err(Fault::Broken(
                "it does not begin like a model of whisper.cpp".into(),
            ));
        }
        Ok(this)
    }

    /// Reads the next number, which must lie in a plausible range.
    pub(super) fn size(&mut self, what: &str, range: RangeInclusive<u32>) -> Result<u32, Fault> {
        let number = self.number(what)?;
        if range.contains(&number) {
            return Ok(number);
        }
        Err(Fault::Broken(format!("its {what} cannot be {number}")))
    }

    /// Reads the next bytes as text.
    pub(super) fn text(&mut self, length: u32, what: &str) -> Result<String, Fault> {
        self.reserve(u64::from(length), what)?;
        let mut bytes = vec![0; length as usize];
        self.reader.read_exact(&mut bytes).map_err(Fault::Io)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Passes over bytes that must be there.
    pub(super) fn skip(&mut self, bytes: u64, what: &str) -> Result<(), Fault> {
        self.reserve(bytes, what)?;
        let offset = i64::try_from(bytes).map_err(|_| self.truncated(what))?;
        self.reader.seek_relative(offset).map_err(Fault::Io)
    }

    /// Passes over exactly this many tensors, after which the file must end.
    pub(super) fn tensors(&mut self, expected: u32) -> Result<(), Fault> {
        for done in 0..expected {
            if self.left == 0 {
                return Err(Fault::Broken(format!("it has {done} of {expected} tensors")));
            }
            self.tensor()?;
        }
        if self.left > 0 {
            return Err(Fault::Broken(format!(
                "{} bytes follow its last tensor",
                self.left
            )));
        }
        Ok(())
    }

    fn tensor(&mut self) -> Result<(), Fault> {
        let dimensions = self.size("tensor dimensions", 0..=4)?;
        let name_length = self.size("tensor name", 1..=256)?;
        let weight_type = self.number("tensor type")?;
        let mut elements = 1_u64;
        for _ in 0..dimensions {
            let extent = self.size("tensor shape", 1..=1_000_000)?;
            elements = elements.saturating_mul(u64::from(extent));
        }
        let (block_bytes, block_elements) = block(weight_type)?;
        self.skip(u64::from(name_length), "tensor names")?;
        self.skip((elements / block_elements).saturating_mul(block_bytes), "tensors")
    }

    fn number(&mut self, what: &str) -> Result<u32, Fault> {
        self.reserve(4, what)?;
        let mut bytes = [0; 4];
        self.reader.read_exact(&mut bytes).map_err(Fault::Io)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn reserve(&mut self, bytes: u64, what: &str) -> Result<(), Fault> {
        self.left = self.left.checked_sub(bytes).ok_or_else(|| self.truncated(what))?;
        Ok(())
    }

    fn truncated(&self, what: &str) -> Fault {
        Fault::Broken(format!(
            "it ends after {} bytes, in the middle of its {what}",
            self.length
        ))
    }
}

/// Gives the bytes and elements of one block of each weight type that whisper.cpp's tools write (`ggml.h`, `enum
/// ggml_type`).
fn block(weight_type: u32) -> Result<(u64, u64), Fault> {
    Ok(match weight_type {
        0 => (4, 1),
        1 => (2, 1),
        2 => (18, 32),
        3 => (20, 32),
        6 => (22, 32),
        7 => (24, 32),
        8 => (34, 32),
        9 => (36, 32),
        10 => (84, 256),
        11 => (110, 256),
        12 => (144, 256),
        13 => (176, 256),
        14 => (210, 256),
        other => return Err(Fault::Broken(format!("its weight type {other} is unknown"))),
    })
}
