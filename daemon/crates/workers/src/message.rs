//! What a worker asks a device about a turn, what it is told, and what it tells meanwhile.

use async_nats::HeaderMap;
use loquat_agent::brain::Delta;
use loquat_agent::consent::Consent;
use loquat_agent::journal::Offer;
use loquat_agent::toolbox::{Outcome, ToolError};
use serde::{Deserialize, Serialize};

use crate::seal::SealKey;

/// The header with the run that wrote a message.
pub(crate) const RUN: &str = "Loquat-Run";

/// The name of the header that holds the seal.
pub(crate) const SEAL: &str = "Loquat-Seal";

/// The header of an order whose turn some run may have begun.
pub(crate) const BEGUN: &str = "Loquat-Begun";

/// Stands in the place of a run where a device says something of its own accord.
pub(crate) const DEVICE: &str = "device";

/// A worker that is offered a turn says this when it begins the turn.
pub(crate) const BEGINS: &[u8] = b"begins";

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) placement: String,
    /// Counts the requests of a run; each is good once.
    pub(crate) serial: u64,
    pub(crate) asked: Asked,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Asked {
    /// Says whether this run, of this worker, may have the turn.
    Claim { worker: String },
    /// Asks what came of the call with this key. Of calls with equal keys, `place` tells which.
    Outcome { key: String, place: usize },
    /// Asks what the person said to the question with this key. Of equal questions, `place` tells which.
    Consent { key: String, place: usize },
    /// Asks which tools had come when the turn looked for the time with this number.
    Arrivals { look: usize },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Told {
    /// The turn is this run's.
    Go,
    /// It is not known yet; the worker asks again.
    Pending,
    /// This came of the call.
    Outcome(Box<Result<Outcome, ToolError>>),
    Consent(Consent),
    /// These tools had come.
    Arrived(Offer),
    /// The turn is another run's, which is at work.
    Taken,
    /// The turn is over.
    Over,
}

/// Tells what a worker's brain writes. Without pieces it tells only that the worker is at work.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Telling {
    pub(crate) pieces: Vec<Piece>,
}

/// A piece of a reply while it is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Piece {
    /// The key of the request that is answered.
    pub(crate) request: String,
    /// The number of the request within the run.
    pub(crate) asking: u32,
    /// Counts the pieces of an asking.
    pub(crate) place: u32,
    pub(crate) what: What,
}

/// A [`Delta`] as it is sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum What {
    Content(String),
    Reasoning(String),
    Restart,
}

impl From<Delta> for What {
    fn from(delta: Delta) -> Self {
        match delta {
            Delta::Content(text) => Self::Content(text),
            Delta::Reasoning(text) => Self::Reasoning(text),
            Delta::Restart => Self::Restart,
        }
    }
}

impl From<What> for Delta {
    fn from(what: What) -> Self {
        match what {
            What::Content(text) => Self::Content(text),
            What::Reasoning(text) => Self::Reasoning(text),
            What::Restart => Self::Restart,
        }
    }
}

pub(crate) fn sealed(key: &SealKey, subject: &str, run: &str, payload: &[u8]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(RUN, run);
    headers.insert(SEAL, key.seal(subject, run, payload).as_str());
    headers
}

/// Tells which run sealed a message on this subject; it is none where the seal is not that of the turn.
pub(crate) fn run_of<'h>(
    headers: Option<&'h HeaderMap>,
    key: &SealKey,
    subject: &str,
    payload: &[u8],
) -> Option<&'h str> {
    let headers = headers?;
    let (run, seal) = (headers.get(RUN)?.as_str(), headers.get(SEAL)?.as_str());
    key.is_seal(seal, subject, run, payload).then_some(run)
}
