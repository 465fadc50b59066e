//! Replies that did not come over our own connection: recorded ones, and those of another transport.

use loquat_conversation::brain::{ChatReply, DeltaSink};

use super::{Intake, ReplyFault};

/// Says why a reply cannot be read; holds nothing of its text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadReplyError {
    /// It makes no sense.
    #[error("failed to read a reply: {0}")]
    Garbled(String),
    /// It ends in the middle.
    #[error("failed to read a reply: it ends in the middle")]
    CutOff,
    /// The reply outgrew this cap, which is in bytes.
    #[error("failed to read a reply: a part of it is larger than {0} bytes")]
    TooLarge(usize),
    /// The server complains instead of replying.
    #[error("failed to read a reply: it is a complaint of the server")]
    Complaint,
}

impl From<ReplyFault> for ReadReplyError {
    fn from(fault: ReplyFault) -> Self {
        match fault {
            ReplyFault::Garbled(what) => Self::Garbled(what),
            ReplyFault::CutOff => Self::CutOff,
            ReplyFault::TooLarge(cap) => Self::TooLarge(cap),
            ReplyFault::Complaint(_) => Self::Complaint,
        }
    }
}

/// Reads the body of a reply as [`OpenAiBrain`](crate::OpenAiBrain) does, a stream of events or one document, cut into
/// pieces anywhere. `sink` is told as much as it would be there.
///
/// # Errors
/// As soon as a piece shows that the body is no reply, or when its end is missing.
pub fn read_reply<'a>(
    pieces: impl IntoIterator<Item = &'a [u8]>,
    sink: &dyn DeltaSink,
) -> Result<ChatReply, ReadReplyError> {
    let mut intake = Intake::new();
    for piece in pieces {
        intake.feed(piece, sink)?;
        if intake.is_done() {
            return Ok(intake.into_streamed_reply()?);
        }
    }
    Ok(intake.finish(sink)?)
}
