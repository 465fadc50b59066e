//! Messages in the plaintexts of Noise: each begins with a mark, and a long one is several in a row. Keeps no more of one
//! than a message may have.

use std::borrow::Cow;

/// A message has at most this many bytes, however many pieces it comes in. A recording of two minutes fits.
pub const MAX_MESSAGE_BYTES: usize = 4 << 20;

/// A piece has at most this many bytes, as the stock peers cut them.
const PIECE: usize = 65_000;

const JSON: u8 = 0;
const BINARY: u8 = 1;
const FIRST_JSON: u8 = 2;
const FIRST_BINARY: u8 = 3;
const MORE: u8 = 4;
const LAST: u8 = 5;

/// Says why a plaintext is no piece of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AssembleError {
    #[error("it has no mark that is known")]
    Mark,
    #[error("a piece came where none was open, or a message within another")]
    Order,
    #[error("the message is larger than {} MiB", MAX_MESSAGE_BYTES >> 20)]
    TooLarge,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Whole {
    Json(Vec<u8>),
    Binary(Vec<u8>),
}

/// The message that is being received in pieces.
#[derive(Debug, Default)]
pub(crate) struct Assembly(Option<Whole>);

impl Assembly {
    /// Takes a plaintext; the message where it is whole with it.
    pub(crate) fn take(&mut self, plaintext: &[u8]) -> Result<Option<Whole>, AssembleError> {
        let (mark, body) = plaintext.split_first().ok_or(AssembleError::Mark)?;
        match (*mark, self.0.take()) {
            (JSON, None) => Ok(Some(Whole::Json(body.to_vec()))),
            (BINARY, None) => Ok(Some(Whole::Binary(body.to_vec()))),
            (FIRST_JSON, None) => Ok(self.open(Whole::Json(body.to_vec()))),
            (FIRST_BINARY, None) => Ok(self.open(Whole::Binary(body.to_vec()))),
            (MORE, Some(open)) => {
                let longer = longer(open, body)?;
                Ok(self.open(longer))
            }
            (LAST, Some(open)) => longer(open, body).map(Some),
            (JSON..=LAST, _) => Err(AssembleError::Order),
            _ => Err(AssembleError::Mark),
        }
    }

    fn open(&mut self, whole: Whole) -> Option<Whole> {
        self.0 = Some(whole);
        None
    }
}

fn longer(mut open: Whole, body: &[u8]) -> Result<Whole, AssembleError> {
    let (Whole::Json(bytes) | Whole::Binary(bytes)) = &mut open;
    if bytes.len() + body.len() > MAX_MESSAGE_BYTES {
        return Err(AssembleError::TooLarge);
    }
    bytes.extend_from_slice(body);
    Ok(open)
}

/// Cuts a message into plaintexts.
pub(crate) fn pieces(whole: &Whole) -> impl Iterator<Item = Cow<'_, [u8]>> {
    let (bytes, single, first) = match whole {
        Whole::Json(bytes) => (bytes, JSON, FIRST_JSON),
        Whole::Binary(bytes) => (bytes, BINARY, FIRST_BINARY),
    };
    let count = bytes.len().div_ceil(PIECE).max(1);
    (0..count).map(move |number| {
        let mark = match number {
            0 if count == 1 => single,
            0 => first,
            last if last + 1 == count => LAST,
            _ => MORE,
        };
        let rest = bytes.get(number * PIECE..).unwrap_or_default();
        let piece = rest.get(..PIECE).unwrap_or(rest);
        let mut plaintext = Vec::with_capacity(piece.len() + 1);
        plaintext.push(mark);
        plaintext.extend_from_slice(piece);
        Cow::Owned(plaintext)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through(whole: &Whole) -> Option<Whole> {
        let mut assembly = Assembly::default();
        let mut last = None;
        for piece in pieces(whole) {
            assert_eq!(last, None);
            last = assembly.take(&piece).unwrap();
        }
        last
    }

    #[test]
    fn messages_of_every_length_come_through() {
        for length in [0, 1, PIECE, PIECE + 1, PIECE * 2, PIECE * 3 + 7] {
            for whole in [Whole::Json(vec![b'x'; length]), Whole::Binary(vec![7; length])] {
                assert_eq!(through(&whole).as_ref(), Some(&whole), "{length}");
            }
        }
    }

    #[test]
    fn pieces_out_of_order_are_refused() {
        for wrong in [
            vec![vec![MORE]],
            vec![vec![LAST]],
            vec![vec![FIRST_JSON], vec![JSON]],
            vec![vec![FIRST_JSON], vec![FIRST_BINARY]],
        ] {
            let mut assembly = Assembly::default();
            let outcomes: Vec<_> = wrong.iter().map(|piece| assembly.take(piece)).collect();
            assert_eq!(outcomes.last(), Some(&Err(AssembleError::Order)), "{wrong:?}");
        }
        for wrong in [vec![], vec![6], vec![255, 1]] {
            assert_eq!(Assembly::default().take(&wrong), Err(AssembleError::Mark));
        }
    }

    #[test]
    fn a_message_without_an_end_is_given_up() {
        let mut assembly = Assembly::default();
        assembly.take(&[FIRST_BINARY]).unwrap();
        let more = [vec![MORE], vec![0; PIECE]].concat();
        let outcome = (0..=MAX_MESSAGE_BYTES / PIECE).try_for_each(|_| assembly.take(&more).map(drop));
        assert_eq!(outcome, Err(AssembleError::TooLarge));
    }
}
