//! Server-sent events: bytes in, the data of whole events out.
//!
//! After the HTML standard's "Server-sent events" §9.2.6, for the one field that model servers use. Bytes may be split
//! anywhere; a line is kept until it is whole and has a cap, so that no stream can grow memory.

use std::borrow::Cow;

/// No event of an honest model server comes near this size: a token is a few bytes, a whole tool call a few thousand.
pub(crate) const MAX_LINE_BYTES: usize = 1024 * 1024;

/// A line, or the lines of one event together, grew past [`MAX_LINE_BYTES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LineTooLong;

/// The decoder of one stream.
#[derive(Debug, Default)]
pub(crate) struct SseDecoder {
    line: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    /// The line before ended in a carriage return; a line feed right after it belongs to the same line end.
    after_return: bool,
}

impl SseDecoder {
    /// Takes the next bytes and hands the data of each event that is now whole to `event`, until one asks to stop.
    pub(crate) fn feed<E: From<LineTooLong>>(
        &mut self,
        bytes: &[u8],
        mut event: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rest = bytes;
        while let Some((&first, after)) = rest.split_first() {
            let closes_pair = first == b'\n' && self.after_return;
            self.after_return = false;
            if closes_pair {
                rest = after;
                continue;
            }
            let end = memchr::memchr2(b'\n', b'\r', rest);
            let (part, tail) = rest.split_at(end.unwrap_or(rest.len()));
            let Some((&line_end, tail)) = tail.split_first() else {
                self.lengthen(part)?;
                break;
            };
            self.after_return = line_end == b'\r';
            rest = tail;
            if self.end_line(part)? {
                event(&text(&self.data))?;
                self.data.clear();
            }
        }
        Ok(())
    }

    fn lengthen(&mut self, part: &[u8]) -> Result<(), LineTooLong> {
        if self.line.len() + part.len() > MAX_LINE_BYTES {
            return Err(LineTooLong);
        }
        self.line.extend_from_slice(part);
        Ok(())
    }

    /// The stream ended. The standard drops an event without its empty line; servers that close right after their last
    /// event exist, so it is handed out, and what was cut in the middle shows by its JSON.
    pub(crate) fn finish(&mut self) -> Result<Option<String>, LineTooLong> {
        if !self.line.is_empty() {
            self.end_line(b"")?;
        }
        let has_data = std::mem::take(&mut self.has_data);
        Ok(has_data.then(|| text(&self.data).into_owned()))
    }

    /// A line ends with `part`, and is mostly just that. Says whether the data are those of a whole event.
    fn end_line(&mut self, part: &[u8]) -> Result<bool, LineTooLong> {
        if self.line.is_empty() {
            return self.take_line(part);
        }
        self.lengthen(part)?;
        let line = std::mem::take(&mut self.line);
        self.take_line(&line)
    }

    fn take_line(&mut self, line: &[u8]) -> Result<bool, LineTooLong> {
        if line.is_empty() {
            return Ok(std::mem::take(&mut self.has_data));
        }
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        if let Some(value) = line.strip_prefix(b"data:") {
            self.add(value.strip_prefix(b" ").unwrap_or(value))?;
        } else if line == b"data" {
            self.add(b"")?;
        }
        Ok(false)
    }

    fn add(&mut self, value: &[u8]) -> Result<(), LineTooLong> {
        if self.data.len() + value.len() >= MAX_LINE_BYTES {
            return Err(LineTooLong);
        }
        if self.has_data {
            self.data.push(b'\n');
        }
        self.has_data = true;
        self.data.extend_from_slice(value);
        Ok(())
    }
}

/// Replaces what is no UTF-8. Most text is UTF-8, and is copied only where something has to be replaced.
fn text(data: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(data).map_or_else(|_| String::from_utf8_lossy(data), Cow::Borrowed)
}

#[cfg(test)]
mod tests;
