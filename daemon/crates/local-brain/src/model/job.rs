//! What goes between a request's task and the model's thread. Never blocks either for ever.

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::refusal::Refusal;
use crate::request::ChatRequest;

/// A request on its way to the model's thread.
#[derive(Debug)]
pub(crate) struct Job {
    /// What is asked.
    pub(crate) request: ChatRequest,
    /// Takes the reply; dropped by a client that is gone.
    pub(crate) events: mpsc::Sender<Event>,
    /// Cancelled when the client has gone.
    pub(crate) cancel: CancellationToken,
}

/// What becomes of a job, in this order: started, pieces, then finished; or refused instead of anything that follows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The request can be answered and the model is at work.
    Started,
    /// More of the reply; never empty.
    Piece(String),
    /// The reply is whole.
    Finished(Finish, Usage),
    /// There is no reply, or no more of it.
    Refused(Refusal),
}

/// Why the reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finish {
    /// The model was done, or a stop text was reached.
    Stop,
    /// The request's limit or the window was reached.
    Length,
}

/// Tokens that a reply cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// The prompt's.
    pub(crate) prompt: usize,
    /// Those of the prompt that were still in the cache, and so cost nothing.
    pub(crate) cached: usize,
    /// The reply's.
    pub(crate) written: Written,
}

/// Tokens of a reply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Written {
    /// However they came.
    pub(crate) all: usize,
    /// Those of the client's guess that were read with the prompt.
    pub(crate) guessed: usize,
    /// Those of them that were said.
    pub(crate) accepted: usize,
    /// Those that the grammar forced.
    pub(crate) forced: usize,
}
