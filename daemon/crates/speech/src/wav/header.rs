//! The header of a WAV file (Microsoft's RIFF WAVE, `mmreg.h`), read without trusting any length in it.

use std::io::{self, Read};

use crate::resample::RATES;

/// Data chunks of at least this length were announced by a program that did not know the end in advance; 0 is another
/// way to say so.
const UNKNOWN_LENGTH: u64 = 0x7fff_0000;

const PCM: u16 = 1;
const IEEE_FLOAT: u16 = 3;
const EXTENSIBLE: u16 = 0xfffe;

/// Says why a header was not accepted.
#[derive(Debug)]
pub(super) enum Fault {
    /// The system could not read.
    Io(io::Error),
    /// The file is broken or something else.
    Damaged(String),
    /// The file is in order and of a kind that is not read.
    Unsupported(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Unsigned, as only 8 bit samples are.
    Unsigned8,
    /// A signed number of this many bytes (2, 3 or 4).
    Signed(usize),
    /// A number of IEEE 754 of this many bytes (4 or 8).
    Float(usize),
}

/// The format of the sound, as the header says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Format {
    pub(crate) encoding: Encoding,
    pub(crate) channels: usize,
    pub(crate) rate: u32,
}

impl Encoding {
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::Unsigned8 => 1,
            Self::Signed(bytes) | Self::Float(bytes) => bytes,
        }
    }
}

/// Reads up to the first byte of sound; returns the format and how many bytes of sound follow.
pub(super) fn read(reader: &mut impl Read, length: u64) -> Result<(Format, u64), Fault> {
    let [riff, _, wave] = [array(reader)?, array(reader)?, array(reader)?];
    if &riff != b"RIFF" || &wave != b"WAVE" {
        return Err(Fault::Damaged("it does not begin like one".into()));
    }
    let mut position = 12;
    let mut format = None;
    loop {
        let name: [u8; 4] = array(reader)?;
        let size = u64::from(u32::from_le_bytes(array(reader)?));
        position += 8;
        let left = length.saturating_sub(position);
        match (&name, format) {
            (b"data", Some(format)) => return sound(format, size, left),
            (b"data", None) => return Err(Fault::Damaged("its sound comes before its format".into())),
            (b"fmt ", _) => format = Some(parse_format(&chunk(reader, size.min(left).min(64))?)?),
            _ => {}
        }
        // Chunks begin at even positions.
        let end = position + size + size % 2;
        if end > length {
            return Err(cut_short());
        }
        let read = if &name == b"fmt " { size.min(64) } else { 0 };
        skip(reader, end - position - read)?;
        position = end;
    }
}

/// Checks the length of the sound against what the file has.
fn sound(format: Format, size: u64, left: u64) -> Result<(Format, u64), Fault> {
    let frame = (format.encoding.bytes() * format.channels) as u64;
    let length = if size == 0 || size >= UNKNOWN_LENGTH {
        left
    } else {
        size
    };
    if length > left {
        return Err(Fault::Damaged(format!(
            "it promises {length} bytes of sound and has {left}, so it is cut short"
        )));
    }
    if length < frame {
        return Err(Fault::Damaged("there is no sound in it".into()));
    }
    Ok((format, length - length % frame))
}

fn parse_format(chunk: &[u8]) -> Result<Format, Fault> {
    let number = |at: usize| -> Result<u16, Fault> {
        let bytes = chunk.get(at..at + 2).ok_or_else(cut_short)?;
        Ok(bytes
            .iter()
            .rev()
            .fold(0, |number, byte| number << 8 | u16::from(*byte)))
    };
    let (channels, block, bits) = (usize::from(number(2)?), usize::from(number(12)?), number(14)?);
    let rate = u32::from(number(4)?) | u32::from(number(6)?) << 16;
    // The real kind of an extensible format is the beginning of its sub-format.
    let tag = if number(0)? == EXTENSIBLE {
        number(24)?
    } else {
        number(0)?
    };
    if !RATES.contains(&rate) {
        return Err(Fault::Unsupported(format!("its sample rate is {rate} Hz")));
    }
    if channels == 0 || block % channels != 0 {
        return Err(Fault::Damaged(format!(
            "its frames of {block} bytes do not fit {channels} channels"
        )));
    }
    let encoding = match (tag, block / channels) {
        (PCM, 1) => Encoding::Unsigned8,
        (PCM, bytes @ 2..=4) => Encoding::Signed(bytes),
        (IEEE_FLOAT, bytes @ (4 | 8)) => Encoding::Float(bytes),
        _ => {
            return Err(Fault::Unsupported(format!(
                "its samples have encoding {tag} with {bits} bits"
            )));
        }
    };
    Ok(Format {
        encoding,
        channels,
        rate,
    })
}

fn chunk(reader: &mut impl Read, size: u64) -> Result<Vec<u8>, Fault> {
    let mut bytes = vec![0; size as usize];
    reader.read_exact(&mut bytes).map_err(io_fault)?;
    Ok(bytes)
}

fn array<const LENGTH: usize>(reader: &mut impl Read) -> Result<[u8; LENGTH], Fault> {
    let mut bytes = [0; LENGTH];
    reader.read_exact(&mut bytes).map_err(io_fault)?;
    Ok(bytes)
}

fn skip(reader: &mut impl Read, bytes: u64) -> Result<(), Fault> {
    let skipped = io::copy(&mut reader.take(bytes), &mut io::sink()).map_err(Fault::Io)?;
    if skipped < bytes {
        return Err(cut_short());
    }
    Ok(())
}

/// A read that finds the end is a broken file, all else is the system's.
pub(super) fn io_fault(error: io::Error) -> Fault {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        cut_short()
    } else {
        Fault::Io(error)
    }
}

fn cut_short() -> Fault {
    Fault::Damaged("it is cut short".into())
}
