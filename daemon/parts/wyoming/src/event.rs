//! An event of the Wyoming protocol: one line of JSON, then as many bytes of further JSON and of sound as the line names.
//!
//! Everything has a bound that is looked at before a byte is kept, and of the JSON only the fields that are used are kept,
//! so that no peer decides what its words cost. Nothing here knows what an event is good for.

use std::io;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::field::{Number, Part, Text};

pub(super) const LONGEST_LINE: u64 = 64 * 1024;

pub(super) const LARGEST_DATA: u64 = 1024 * 1024;

/// The sound behind that has at most this many bytes. Voice devices send one or two thousand; what a program posts to
/// Home Assistant comes in whatever pieces its HTTP server reads, which are larger than 64 KiB.
pub(super) const LARGEST_PAYLOAD: u64 = 256 * 1024;

/// The version of the protocol that is spoken, as the package of this version speaks it.
const VERSION: &str = "1.10.2";

/// Says why an event could not be read. The peer is told, and its connection ends: where the next event begins is not
/// known.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReadEventError {
    /// The connection broke.
    #[error("failed to read an event")]
    Connection(#[from] io::Error),
    /// The connection ended in the middle of an event.
    #[error("failed to read an event: the connection ended in the middle of it")]
    Cut,
    /// A part of it is too large.
    #[error("failed to read an event: its {part} has more than {most} bytes")]
    TooLarge { part: &'static str, most: u64 },
    /// It is no JSON, or not an event's.
    #[error(
        "failed to read an event: its {part} is no JSON of the Wyoming protocol (line {line}, column {column})"
    )]
    Json {
        part: &'static str,
        /// The line at which it goes wrong. What stands there may be what a person has said, so it is not told.
        line: usize,
        column: usize,
    },
}

#[derive(Deserialize)]
struct Header {
    r#type: String,
    #[serde(default)]
    data: Part<Data>,
    #[serde(default)]
    data_length: Number,
    #[serde(default)]
    payload_length: Number,
}

/// The fields of events that are understood here. A field of another type counts as absent.
#[derive(Debug, Default, Clone, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Data {
    pub(super) text: Text,
    pub(super) language: Text,
    pub(super) name: Text,
    pub(super) context: Part<Context>,
    pub(super) rate: Number,
    pub(super) width: Number,
    pub(super) channels: Number,
}

/// Names the conversation and the device of a sentence.
#[derive(Debug, Default, Clone, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Context {
    #[serde(rename = "conversation_id")]
    pub(super) conversation: Text,
    #[serde(rename = "device_id")]
    pub(super) device: Text,
    #[serde(rename = "satellite_id")]
    pub(super) satellite: Text,
}

impl Data {
    /// Joins two contexts; the later one counts before the earlier one.
    fn or(self, earlier: Self) -> Self {
        let Part(context) = self.context;
        Self {
            text: self.text.or(earlier.text),
            language: self.language.or(earlier.language),
            name: self.name.or(earlier.name),
            context: if context == Context::default() {
                earlier.context
            } else {
                Part(context)
            },
            rate: self.rate.or(earlier.rate),
            width: self.width.or(earlier.width),
            channels: self.channels.or(earlier.channels),
        }
    }
}

/// An event that was received.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Event {
    pub(super) kind: String,
    pub(super) data: Data,
    pub(super) payload: Vec<u8>,
}

/// Reads the next event; there is none where the connection has ended between two events.
pub(super) async fn read(
    from: &mut (impl AsyncBufRead + Unpin + Send),
) -> Result<Option<Event>, ReadEventError> {
    let mut line = Vec::new();
    // One byte more tells a line that is too long from one that is as long as it may be.
    (&mut *from)
        .take(LONGEST_LINE + 1)
        .read_until(b'\n', &mut line)
        .await?;
    match line.last() {
        None => return Ok(None),
        Some(_) if line.len() as u64 > LONGEST_LINE => return Err(too_large("line", LONGEST_LINE)),
        Some(b'\n') => {}
        Some(_) => return Err(ReadEventError::Cut),
    }
    let header: Header = parsed("line", &line)?;
    let data = bytes(from, "data", header.data_length, LARGEST_DATA).await?;
    let payload = bytes(from, "payload", header.payload_length, LARGEST_PAYLOAD).await?;
    let Part(inline) = header.data;
    let data = if data.is_empty() {
        inline
    } else {
        parsed::<Part<Data>>("data", &data)?.0.or(inline)
    };
    Ok(Some(Event {
        kind: header.r#type,
        data,
        payload,
    }))
}

fn parsed<'a, Parsed: Deserialize<'a>>(
    part: &'static str,
    bytes: &'a [u8],
) -> Result<Parsed, ReadEventError> {
    serde_json::from_slice(bytes).map_err(|error| ReadEventError::Json {
        part,
        line: error.line(),
        column: error.column(),
    })
}

/// Reads as many bytes as the line has named. They are taken as they come: a peer that only names them costs nothing.
async fn bytes(
    from: &mut (impl AsyncBufRead + Unpin + Send),
    part: &'static str,
    Number(length): Number,
    most: u64,
) -> Result<Vec<u8>, ReadEventError> {
    let length = length.unwrap_or_default();
    if length > most {
        return Err(too_large(part, most));
    }
    let mut bytes = Vec::new();
    (&mut *from).take(length).read_to_end(&mut bytes).await?;
    if (bytes.len() as u64) < length {
        return Err(ReadEventError::Cut);
    }
    Ok(bytes)
}

fn too_large(part: &'static str, most: u64) -> ReadEventError {
    ReadEventError::TooLarge { part, most }
}

pub(super) fn written(kind: &str, data: &Value) -> Vec<u8> {
    let data = data.to_string();
    let header = json!({"type": kind, "version": VERSION, "data_length": data.len()});
    format!("{header}\n{data}").into_bytes()
}

pub(super) async fn write(
    to: &mut (impl AsyncWrite + Unpin + Send),
    kind: &str,
    data: &Value,
) -> io::Result<()> {
    to.write_all(&written(kind, data)).await?;
    to.flush().await
}

#[cfg(test)]
mod tests;
