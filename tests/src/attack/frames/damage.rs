//! Damaged frames: bits that flip, JSON that breaks off, bytes that are no text, fragments, and frames of no kind.

use super::field;
use crate::attack::attacker::{BINARY, CONTINUATION, TEXT, append, begin};
use crate::dice::Dice;

/// Once in so many batches stands something for which a bus closes the connection.
const FATAL: usize = 12;

/// Adds so many damaged frames; whether the last of them makes a bus close the connection.
pub(super) fn batch(dice: &mut Dice, count: usize, bytes: &mut Vec<u8>) -> bool {
    for _ in 1..count {
        damaged(dice, bytes);
    }
    let closes = dice.one_in(FATAL);
    if closes {
        fatal(dice, bytes);
    } else {
        damaged(dice, bytes);
    }
    closes
}

fn damaged(dice: &mut Dice, bytes: &mut Vec<u8>) {
    let mut frame = field::frame(dice).into_bytes();
    match dice.index(8) {
        0..=2 => flip(dice, &mut frame),
        3 => frame.truncate(dice.index(frame.len())),
        4 => frame = vec![*dice.pick(b"[{\"0 ,:-x"); 1 + dice.index(3000)],
        5 => frame.extend_from_within(..dice.index(200).min(frame.len())),
        6 => return fragments(dice, &frame, bytes),
        _ => frame.clear(),
    }
    let opcode = if std::str::from_utf8(&frame).is_ok() && !dice.one_in(6) {
        TEXT
    } else {
        BINARY
    };
    append(bytes, opcode, true, &frame);
}

fn flip(dice: &mut Dice, frame: &mut [u8]) {
    for _ in 0..=dice.index(6) {
        let place = dice.index(frame.len());
        frame[place] ^= 1 << dice.index(8);
    }
}

/// Writes a frame in pieces, which is a frame none the less.
fn fragments(dice: &mut Dice, frame: &[u8], bytes: &mut Vec<u8>) {
    let pieces: Vec<&[u8]> = frame.chunks(1 + frame.len() / (1 + dice.index(8))).collect();
    for (number, piece) in pieces.iter().enumerate() {
        let opcode = if number == 0 { TEXT } else { CONTINUATION };
        append(bytes, opcode, number + 1 == pieces.len(), piece);
    }
}

/// Writes what no peer may send.
fn fatal(dice: &mut Dice, bytes: &mut Vec<u8>) {
    match dice.index(5) {
        0 => append(bytes, TEXT, true, b"{\"type\":\"\xff\xfe\xc0\x80\"}"),
        1 => begin(bytes, TEXT, true, 1 << 62),
        2 => append(bytes, 11, true, b"no opcode"),
        3 => append(bytes, CONTINUATION, true, b"of nothing"),
        _ => bytes.extend((0..400).map(|_| dice.index(256) as u8)),
    }
}
