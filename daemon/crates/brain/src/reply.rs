//! Takes in one reply: as a stream or as one document, within its caps.

mod assembly;
mod calls;
mod recorded;
mod shape;
#[cfg(test)]
mod tests;

use loquat_conversation::brain::{ChatReply, DeltaSink};

use self::assembly::Assembly;
pub(crate) use self::assembly::Progress;
pub use self::recorded::{ReadReplyError, read_reply};
use crate::server_words::ServerWords;
use crate::sse::{LineTooLong, MAX_LINE_BYTES, SseDecoder};

/// A reply of a thousand tokens is some 4 KiB of text and 300 KiB of events.
pub(crate) const MAX_REPLY_BYTES: usize = 8 * 1024 * 1024;

/// Says what is wrong with a reply, and holds nothing of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ReplyFault {
    /// It makes no sense.
    Garbled(String),
    CutOff,
    /// The reply outgrew this cap, which is in bytes.
    TooLarge(usize),
    Complaint(ServerWords),
}

impl ReplyFault {
    /// Keeps the place only: serde's own text quotes what it found there.
    fn json(error: &serde_json::Error) -> Self {
        if error.is_eof() {
            return Self::CutOff;
        }
        let (line, column) = (error.line(), error.column());
        Self::Garbled(format!(
            "it is no chat reply in JSON (line {line}, column {column})"
        ))
    }
}

impl From<LineTooLong> for ReplyFault {
    fn from(_: LineTooLong) -> Self {
        Self::TooLarge(MAX_LINE_BYTES)
    }
}

#[derive(Debug)]
enum Form {
    /// There was nothing but white space so far.
    Unknown,
    Stream(SseDecoder),
    Document(Vec<u8>),
}

/// The reply as far as it has come in.
#[derive(Debug)]
pub(crate) struct Intake {
    form: Form,
    assembly: Assembly,
    taken: usize,
    done: bool,
}

impl Intake {
    pub(crate) fn new() -> Self {
        Self {
            form: Form::Unknown,
            assembly: Assembly::default(),
            taken: 0,
            done: false,
        }
    }

    /// Tells whether the server said that nothing follows.
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// Tells whether nothing of the reply itself is missing; figures may be.
    pub(crate) fn is_whole(&self) -> bool {
        self.done || self.assembly.is_finished()
    }

    /// Takes the next bytes; they may be too few to bring anything.
    pub(crate) fn feed(
        &mut self,
        bytes: &[u8],
        sink: &dyn DeltaSink,
    ) -> Result<Option<Progress>, ReplyFault> {
        self.taken = self.taken.saturating_add(bytes.len());
        if self.taken > MAX_REPLY_BYTES {
            return Err(ReplyFault::TooLarge(MAX_REPLY_BYTES));
        }
        if matches!(self.form, Form::Unknown)
            && let Some(form) = form_of(bytes)?
        {
            self.form = form;
        }
        match &mut self.form {
            Form::Unknown => Ok(None),
            Form::Document(document) => {
                document.extend_from_slice(bytes);
                Ok(None)
            }
            Form::Stream(decoder) => {
                let (assembly, done) = (&mut self.assembly, &mut self.done);
                let mut progress = None;
                decoder.feed(bytes, |data| {
                    progress = progress.max(Some(take(data, assembly, done, sink)?));
                    Ok::<(), ReplyFault>(())
                })?;
                Ok(progress)
            }
        }
    }

    pub(crate) fn finish(mut self, sink: &dyn DeltaSink) -> Result<ChatReply, ReplyFault> {
        match &mut self.form {
            Form::Unknown => return Err(ReplyFault::Garbled("it is empty".to_owned())),
            Form::Document(document) => {
                let document = String::from_utf8_lossy(document);
                let document = document.trim_start_matches('\u{feff}');
                if self.assembly.piece(document, sink)? == Progress::Alive && !self.assembly.is_finished() {
                    return Err(ReplyFault::Garbled("it holds no reply".to_owned()));
                }
                return Ok(self.assembly.into_reply());
            }
            Form::Stream(decoder) => {
                if let Some(data) = decoder.finish()? {
                    match take(&data, &mut self.assembly, &mut self.done, sink) {
                        // An event that was cut in the middle is no JSON; whether it is missed shows below.
                        Err(ReplyFault::Garbled(_) | ReplyFault::CutOff) | Ok(_) => {}
                        Err(fault) => return Err(fault),
                    }
                }
            }
        }
        self.into_streamed_reply()
    }

    /// The reply of a stream that nothing is awaited from any more.
    pub(crate) fn into_streamed_reply(self) -> Result<ChatReply, ReplyFault> {
        if self.is_whole() {
            Ok(self.assembly.into_reply())
        } else {
            Err(ReplyFault::CutOff)
        }
    }
}

fn take(
    data: &str,
    assembly: &mut Assembly,
    done: &mut bool,
    sink: &dyn DeltaSink,
) -> Result<Progress, ReplyFault> {
    if *done {
        return Ok(Progress::Alive);
    }
    if data.trim() == "[DONE]" {
        *done = true;
        return Ok(Progress::Alive);
    }
    assembly.event(data, sink)
}

/// The first character tells more than the content type, which servers and proxies get wrong both ways.
fn form_of(bytes: &[u8]) -> Result<Option<Form>, ReplyFault> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let Some(first) = text.iter().find(|byte| !byte.is_ascii_whitespace()) else {
        return Ok(None);
    };
    match first {
        b'{' => Ok(Some(Form::Document(Vec::new()))),
        // `data`, `event`, `id`, `retry` and comments.
        b'd' | b'e' | b'i' | b'r' | b':' => Ok(Some(Form::Stream(SseDecoder::default()))),
        b'<' => Err(ReplyFault::Garbled(
            "it is an HTML page; check api_url".to_owned(),
        )),
        _ => Err(ReplyFault::Garbled(
            "it is neither JSON nor a stream of events".to_owned(),
        )),
    }
}
