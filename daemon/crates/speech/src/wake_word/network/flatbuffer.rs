//! Reads the `FlatBuffers` format, every offset checked: a file that lies about itself reads as one that lacks parts.
//!
//! Knows tables, vectors and scalars (flatbuffers.dev, "Internals"), and nothing of what they mean.

/// A table: fields by number, each of which may be absent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Table<'a> {
    bytes: &'a [u8],
    at: usize,
    layout: usize,
    layout_bytes: usize,
}

/// A vector of tables, of numbers or of bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vector<'a> {
    bytes: &'a [u8],
    at: usize,
    len: usize,
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

fn offset(bytes: &[u8], at: usize) -> Option<usize> {
    at.checked_add(u32::from_le_bytes(array(bytes, at)?) as usize)
}

impl<'a> Table<'a> {
    /// Finds the outermost table of a file.
    pub(super) fn root(bytes: &'a [u8]) -> Option<Self> {
        Self::at(bytes, offset(bytes, 0)?)
    }

    fn at(bytes: &'a [u8], at: usize) -> Option<Self> {
        let back = i32::from_le_bytes(array(bytes, at)?);
        let layout = at.checked_add_signed(isize::try_from(back).ok()?.checked_neg()?)?;
        let layout_bytes = u16::from_le_bytes(array(bytes, layout)?).into();
        Some(Self {
            bytes,
            at,
            layout,
            layout_bytes,
        })
    }

    fn field(&self, number: usize) -> Option<usize> {
        let slot = 4 + 2 * number;
        if slot + 2 > self.layout_bytes {
            return None;
        }
        let distance = u16::from_le_bytes(array(self.bytes, self.layout.checked_add(slot)?)?);
        (distance > 0).then(|| self.at.checked_add(distance.into()))?
    }

    /// Reads a byte. It is 0 where it is absent, as the format has it for all scalars here.
    pub(super) fn byte(&self, number: usize) -> u8 {
        let found = self.field(number).and_then(|at| array(self.bytes, at));
        found.map_or(0, |[byte]| byte)
    }

    /// Reads a number of 32 bits. It is `absent` where the field is absent.
    pub(super) fn number(&self, number: usize, absent: i32) -> i32 {
        let found = self.field(number).and_then(|at| array(self.bytes, at));
        found.map_or(absent, i32::from_le_bytes)
    }

    /// Reads an index, which is a number that is not negative.
    pub(super) fn index(&self, number: usize) -> Option<usize> {
        usize::try_from(self.number(number, 0)).ok()
    }

    pub(super) fn table(&self, number: usize) -> Option<Self> {
        Self::at(self.bytes, offset(self.bytes, self.field(number)?)?)
    }

    pub(super) fn vector(&self, number: usize) -> Option<Vector<'a>> {
        let start = offset(self.bytes, self.field(number)?)?;
        Some(Vector {
            bytes: self.bytes,
            at: start.checked_add(4)?,
            len: u32::from_le_bytes(array(self.bytes, start)?) as usize,
        })
    }
}

impl<'a> Vector<'a> {
    /// Gives the number of its elements, as the file has it.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn table(&self, index: usize) -> Option<Table<'a>> {
        let at = self.at.checked_add(index.checked_mul(4)?)?;
        (index < self.len).then(|| Table::at(self.bytes, offset(self.bytes, at)?))?
    }

    /// Gives all elements as bytes; text is read so too.
    pub(super) fn as_bytes(&self) -> Option<&'a [u8]> {
        self.bytes.get(self.at..self.at.checked_add(self.len)?)
    }

    /// Reads all of them as whole numbers of 32 bits, unless there are more than `most`.
    pub(super) fn numbers(&self, most: usize) -> Option<Vec<i32>> {
        self.each(most, i32::from_le_bytes)
    }

    /// Reads a list of fractions of 32 bits.
    pub(super) fn fractions(&self, most: usize) -> Option<Vec<f32>> {
        self.each(most, f32::from_le_bytes)
    }

    /// Reads a list of whole numbers of 64 bits.
    pub(super) fn long_numbers(&self, most: usize) -> Option<Vec<i64>> {
        self.each(most, i64::from_le_bytes)
    }

    /// Many places of a file may share one vector, so that its size bounds nothing.
    fn each<const N: usize, T>(&self, most: usize, read: fn([u8; N]) -> T) -> Option<Vec<T>> {
        if self.len > most {
            return None;
        }
        let end = self.at.checked_add(self.len.checked_mul(N)?)?;
        let (pieces, _) = self.bytes.get(self.at..end)?.as_chunks();
        Some(pieces.iter().copied().map(read).collect())
    }
}
