//! What goes between a request's task and the model's thread. Never blocks either for ever.

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::refusal::Refusal;
use crate::request::ChatRequest;

#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) request: ChatRequest,
    /// Takes the reply; dropped by a client that is gone.
    pub(crate) events: mpsc::Sender<Event>,
    /// Cancelled when the client has gone.
    pub(crate) cancel: CancellationToken,
}

/// An event of a job. They come in this order: started, pieces, then finished; or refused instead of anything that
/// follows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The request can be answered and the model is at work.
    Started,
    /// The reply goes on with this text, which is never empty.
    Piece(String),
    /// The reply is whole.
    Finished(Finish, Usage),
    /// There is no reply, or no more of it.
    Refused(Refusal),
}

/// Says why the reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finish {
    /// The model was done, or a stop text was reached.
    Stop,
    /// The request's limit or the window was reached.
    Length,
}

/// Counts the tokens that a reply cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) prompt: usize,
    /// The tokens of the prompt that were still in the cache, and so cost nothing.
    pub(crate) cached: usize,
    pub(crate) written: Written,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Written {
    /// All tokens, however they came.
    pub(crate) all: usize,
    /// The tokens of the client's guess that were read with the prompt.
    pub(crate) guessed: usize,
    /// The guessed tokens that were said.
    pub(crate) accepted: usize,
    /// The grammar forced so many tokens.
    pub(crate) forced: usize,
}
