//! A message as bits: a mark, its type, whether it is packed, what is told of it, and the rest its payload. Never unpacks
//! more than a message may hold.

use std::io::Read;

use flate2::Compression;
use flate2::bufread::{ZlibDecoder, ZlibEncoder};
use serde_json::{Map, Value};

use super::{HiveMessage, Payload};
use crate::assembly::MAX_MESSAGE_BYTES;
use crate::bits::{BitReader, BitWriter};
use crate::kind::{Kind, Sound};

/// The metadata of a payload have at most this many bytes, since their length is one byte.
const MAX_METADATA: usize = 255;

/// The only layout there is.
const LAYOUT: u8 = 1;

/// Says why bytes are no message.
#[derive(Debug, thiserror::Error)]
pub enum ReadBinaryError {
    /// They end too early.
    #[error("failed to read a binary message of HiveMind: it ends within a field")]
    Short,
    /// The layout is newer.
    #[error("failed to read a binary message of HiveMind: its layout is {0}, and {LAYOUT} is known")]
    Layout(u8),
    /// No type has this number.
    #[error("failed to read a binary message of HiveMind: {0} is the number of no type")]
    Kind(u8),
    /// The packed payload cannot be unpacked, or is too large.
    #[error("failed to unpack a binary message of HiveMind: it is damaged, or more than {} MiB", MAX_MESSAGE_BYTES >> 20)]
    Packed,
    /// Payload or metadata is no object.
    #[error("failed to read a binary message of HiveMind: {0} is no JSON object")]
    NoObject(&'static str),
}

/// Writes a message as bits. There are none where its type has no number or its metadata are too large.
pub(crate) fn encode(message: &HiveMessage) -> Option<Vec<u8>> {
    encoded(message, false).or_else(|| encoded(message, true))
}

fn encoded(message: &HiveMessage, packed: bool) -> Option<Vec<u8>> {
    let metadata = Value::Object(message.metadata.clone()).to_string().into_bytes();
    let metadata = if packed { pack(&metadata)? } else { metadata };
    let length = u8::try_from(metadata.len())
        .ok()
        .filter(|_| metadata.len() <= MAX_METADATA)?;
    let mut bits = BitWriter::default();
    bits.number(1, 1);
    bits.number(0, 1);
    bits.number(message.kind.code()?, 5);
    bits.number(packed.into(), 1);
    bits.number(length, 8);
    bits.bytes(&metadata);
    match &message.payload {
        Payload::Bytes(sound, bytes) => {
            bits.number(sound.code(), 4);
            bits.bytes(bytes);
        }
        Payload::Object(object) => {
            let object = serde_json::to_vec(object).ok()?;
            let object = if packed { pack(&object)? } else { object };
            bits.bytes(&object);
        }
    }
    Some(bits.padded())
}

pub(crate) fn decode(bytes: &[u8]) -> Result<HiveMessage, ReadBinaryError> {
    let mut bits = BitReader::new(bytes);
    let short = || ReadBinaryError::Short;
    while bits.number(1).ok_or_else(short)? == 0 {}
    if bits.number(1).ok_or_else(short)? == 1 {
        let layout = bits.number(8).ok_or_else(short)?;
        if layout > LAYOUT {
            return Err(ReadBinaryError::Layout(layout));
        }
    }
    let code = bits.number(5).ok_or_else(short)?;
    let kind = Kind::coded(code).ok_or(ReadBinaryError::Kind(code))?;
    let packed = bits.number(1).ok_or_else(short)? == 1;
    let length = bits.number(8).ok_or_else(short)?;
    let metadata = bits.take(length.into()).ok_or_else(short)?;
    let metadata = if metadata.is_empty() {
        Map::new()
    } else {
        object(&unpacked(metadata, packed)?, "the metadata")?
    };
    let payload = if kind == Kind::Binary {
        let sound = Sound::coded(bits.number(4).ok_or_else(short)?);
        Payload::Bytes(sound, bits.take(bits.left()).ok_or_else(short)?)
    } else {
        let rest = bits.take(bits.left()).ok_or_else(short)?;
        Payload::Object(object(&unpacked(rest, packed)?, "the payload")?)
    };
    Ok(HiveMessage {
        kind,
        payload,
        metadata,
    })
}

fn object(bytes: &[u8], what: &'static str) -> Result<Map<String, Value>, ReadBinaryError> {
    serde_json::from_slice(bytes).map_err(|_| ReadBinaryError::NoObject(what))
}

/// Times that a message may be larger than it came.
const MOST_PACKED: usize = 32;

/// Even the smallest payload may be unpacked to this many bytes.
const ALWAYS_UNPACKED: usize = 64 << 10;

fn pack(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut packed = Vec::new();
    let mut encoder = ZlibEncoder::new(bytes, Compression::default());
    encoder.read_to_end(&mut packed).ok()?;
    Some(packed)
}

fn unpacked(bytes: Vec<u8>, packed: bool) -> Result<Vec<u8>, ReadBinaryError> {
    if !packed {
        return Ok(bytes);
    }
    let mut out = Vec::new();
    // The pace counts what comes over the wire, so little of it may not become much.
    let most = (bytes.len() * MOST_PACKED).clamp(ALWAYS_UNPACKED, MAX_MESSAGE_BYTES) as u64;
    let decoder = ZlibDecoder::new(bytes.as_slice());
    let read = decoder.take(most + 1).read_to_end(&mut out);
    match read {
        Ok(_) if out.len() as u64 <= most => Ok(out),
        _ => Err(ReadBinaryError::Packed),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(map) => map,
            _ => Map::new(),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let sound = HiveMessage::bytes(Sound::Speech, vec![1, 2, 255], map(json!({"lang": "de"})));
        let bus = HiveMessage::new(
            Kind::Bus,
            map(json!({"type": "speak", "data": {}, "context": {}})),
        );
        for message in [sound, bus] {
            for packed in [true, false] {
                let bytes = encoded(&message, packed).unwrap();
                assert_eq!(decode(&bytes).unwrap(), message);
            }
        }
    }

    /// The stock client writes an empty message of the bus so: `get_bitstring(BUS, {}, compressed=False)`.
    #[test]
    fn the_layout_is_that_of_the_stock_client() {
        let message = HiveMessage::new(Kind::Bus, Map::new());
        assert_eq!(encode(&message).unwrap(), [0x82, 0x02, 0x7b, 0x7d, 0x7b, 0x7d]);
    }

    #[test]
    fn what_is_told_of_a_payload_is_packed_where_it_is_long() {
        let long = map(json!({"utterance": "a".repeat(400)}));
        let message = HiveMessage::bytes(Sound::Speech, vec![0], long);
        assert_eq!(decode(&encode(&message).unwrap()).unwrap(), message);
    }

    #[test]
    fn a_bomb_is_not_unpacked() {
        let zeros = vec![b' '; MAX_MESSAGE_BYTES + 1];
        let mut bits = BitWriter::default();
        bits.number(0b1000_0011, 8);
        bits.number(0, 8);
        bits.bytes(&pack(&zeros).unwrap());
        assert!(matches!(decode(&bits.padded()), Err(ReadBinaryError::Packed)));
    }

    proptest! {
        #[test]
        fn nothing_breaks_it(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            drop(decode(&bytes));
        }
    }
}
