//! Bits in their order, most significant first. Nothing here knows what they mean.

/// Bits that are written one field after the other.
#[derive(Debug, Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    used: usize,
}

impl BitWriter {
    /// Adds the lowest bits of a number.
    pub(crate) fn number(&mut self, value: u8, width: usize) {
        for place in (0..width).rev() {
            self.bit(value >> place & 1 == 1);
        }
    }

    /// Adds whole bytes, wherever the last bit ended.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        if self.used.is_multiple_of(8) {
            self.bytes.extend_from_slice(bytes);
            self.used += bytes.len() * 8;
            return;
        }
        for byte in bytes {
            self.number(*byte, 8);
        }
    }

    /// Gives the bytes. Where the last is not full, the bits are moved to its end, with zeros in front of the
    /// first.
    pub(crate) fn padded(self) -> Vec<u8> {
        let missing = (8 - self.used % 8) % 8;
        if missing == 0 {
            return self.bytes;
        }
        let mut carried = 0_u8;
        let moved = self.bytes.iter().map(|byte| {
            let out = carried << (8 - missing) | byte >> missing;
            carried = *byte;
            out
        });
        moved.collect()
    }

    fn bit(&mut self, bit: bool) {
        if self.used.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut().filter(|_| bit) {
            *last |= 0x80 >> (self.used % 8);
        }
        self.used += 1;
    }
}

/// Bits that are read one field after the other.
#[derive(Debug)]
pub(crate) struct BitReader<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl<'a> BitReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, place: 0 }
    }

    /// Reads the next bits as a number. There is none where too few bits are left.
    pub(crate) fn number(&mut self, width: usize) -> Option<u8> {
        let mut value = 0;
        for _ in 0..width {
            let byte = self.bytes.get(self.place / 8)?;
            value = value << 1 | (byte >> (7 - self.place % 8) & 1);
            self.place += 1;
        }
        Some(value)
    }

    /// Counts the whole bytes that are left.
    pub(crate) fn left(&self) -> usize {
        (self.bytes.len() * 8).saturating_sub(self.place) / 8
    }

    pub(crate) fn take(&mut self, count: usize) -> Option<Vec<u8>> {
        if count > self.left() {
            return None;
        }
        let (from, shift) = (self.place / 8, self.place % 8);
        let bytes = self.bytes.get(from..)?;
        self.place += count * 8;
        if shift == 0 {
            return bytes.get(..count).map(<[u8]>::to_vec);
        }
        let pairs = bytes.windows(2).take(count);
        Some(
            pairs
                .filter_map(|pair| match pair {
                    [high, low] => Some(high << shift | low >> (8 - shift)),
                    _ => None,
                })
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lie_where_they_were_written() {
        let mut writer = BitWriter::default();
        writer.number(1, 1);
        writer.number(0b10110, 5);
        writer.bytes(&[0xab, 0xcd]);
        writer.number(3, 2);
        writer.bytes(&[0xff]);
        let bytes = writer.padded();
        assert_eq!(bytes.len(), 4);
        let mut reader = BitReader::new(&bytes);
        assert_eq!(reader.number(1), Some(1));
        assert_eq!(reader.number(5), Some(0b10110));
        assert_eq!(reader.take(2), Some(vec![0xab, 0xcd]));
        assert_eq!(reader.number(2), Some(3));
        assert_eq!((reader.left(), reader.take(1)), (1, Some(vec![0xff])));
        assert_eq!((reader.take(1), reader.number(1)), (None, None));
    }

    #[test]
    fn zeros_stand_in_front_of_what_fills_no_byte() {
        let mut writer = BitWriter::default();
        writer.number(1, 1);
        writer.bytes(&[0xff]);
        assert_eq!(writer.padded(), [0x01, 0xff]);
    }
}
