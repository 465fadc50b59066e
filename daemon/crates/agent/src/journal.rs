//! Everything that reaches a turn from outside, in order: what it began with, each reply, each result, each word of the
//! person, and its end.
//!
//! A program with these entries can run the turn again, with no brain and no tool, and get the same record; or, when the
//! process died in the middle, can go on where it stopped, and run nothing again that may already have had its effect.
//! Nothing here knows where entries are kept.
//!
//! A call that may have an effect is written durably before and after it runs. One that was begun and not ended is not
//! made again, and the brain is told so. Where that cannot be written the call is not made. A yes whose call had not
//! begun is void after a crash. The turn of a persona that another persona asks has no journal of its own: the call
//! that began it is an entry, and is not made again either.

mod arrivals;
mod brain;
mod comparison;
mod grammar;
mod offer;
mod person;
mod recorder;
mod recording;
mod run;
mod toolbox;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::engine::Engine;
use loquat_conversation::brain::{BrainError, Capabilities, ChatReply};
use loquat_conversation::budget::Budget;
use loquat_conversation::consent::Consent;
use loquat_conversation::intended::IntendedCall;
use loquat_conversation::means::Means;
use loquat_conversation::question::Question;
use loquat_conversation::record::{Reason, Record};
use loquat_conversation::toolbox::{Outcome, Tool, ToolError};

pub use brain::request_key;
pub use loquat_conversation::turn_cache::Snapshot;
pub use offer::Offer;
pub use person::question_key;
pub use run::{ReplayError, Replayed, answer_on_record, may_go_on, replay, resume};
pub use toolbox::call_key;

/// A thing that happened, and when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Since the turn began. After a crash it goes on from the last entry before.
    pub at: Duration,
    /// Says what happened.
    #[serde(flatten)]
    pub happened: Happened,
}

/// Says what can happen to a turn from outside. Numbers join an end to its beginning and are unique within the turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Happened {
    /// The turn began.
    Opened {
        /// All that the turn began with.
        opening: Box<Opening>,
    },
    /// The brain was asked.
    BrainAsked {
        /// The request has this number.
        number: u32,
        /// It is a checksum of the request.
        request: String,
    },
    /// The brain replied, or failed to.
    BrainReplied {
        /// It answers the request of this number.
        number: u32,
        /// It is the reply, or the error.
        reply: Result<ChatReply, BrainError>,
    },
    /// A tool was called.
    ToolCalled {
        /// The number of the call. Every try of a call has one of its own.
        number: u32,
        /// It is a key of toolbox, tool and arguments.
        call: String,
    },
    /// The tool returned.
    ToolReturned {
        /// The number of the call.
        number: u32,
        /// It is the result, or the error.
        outcome: Box<Result<Outcome, ToolError>>,
    },
    /// Toolboxes came while the turn ran.
    ToolsCame {
        /// The number of the look for them, counted from 0.
        look: u32,
        /// They came with these tools.
        toolboxes: Offer,
    },
    /// The person was asked for a yes.
    PersonAsked {
        /// The question has this number.
        number: u32,
        /// It is a key of tool and arguments.
        call: String,
    },
    /// The person answered, or did not.
    PersonAnswered {
        /// It answers the question of this number.
        number: u32,
        /// The person's answer.
        consent: Consent,
    },
    /// A sentence in which the brain said again what was wanted was compared with the grammar.
    Understood {
        /// The brain's sentence.
        sentence: String,
        /// The call that it asks for, where it is a sentence of the device.
        call: Option<Box<IntendedCall>>,
    },
    /// The brain's client or the tool crashed.
    Crashed {
        /// The number of the request or call.
        number: u32,
    },
    /// A crash cut the turn off here, and it was gone on with.
    Resumed,
    /// The turn was stopped from outside.
    Stopped {
        /// The reason of the stop.
        reason: Reason,
    },
    /// The turn ended; always the last entry.
    Ended {
        /// The record of the turn.
        record: Box<Record>,
    },
}

/// All that a turn begins with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opening {
    /// The engine has this id.
    pub engine: String,
    /// The question: what was asked, by whom, after what.
    pub question: Question,
    /// The limits of the turn.
    pub budget: Budget,
    /// The persona file gives the engine these settings.
    pub settings: Map<String, Value>,
    /// The brain's name.
    pub brain: String,
    /// Says what the brain could be asked for.
    pub capabilities: Capabilities,
    /// These tools were on offer.
    pub toolboxes: Offer,
    /// Says whether a person could be asked.
    pub attended: bool,
    /// The state that lasted from earlier turns.
    pub turn_cache: Snapshot,
}

impl Opening {
    /// Makes the opening of a turn for which this brain is asked, and not the one of the means.
    pub fn for_brain(
        engine: &Engine,
        question: &Question,
        means: &Means,
        brain: &str,
        capabilities: Capabilities,
    ) -> Self {
        Self {
            engine: engine.id.to_owned(),
            question: question.clone(),
            budget: means.budget,
            settings: means.settings.clone(),
            brain: brain.to_owned(),
            capabilities,
            toolboxes: Offer::of(&means.toolboxes),
            attended: means.person.is_some(),
            turn_cache: means.turn_cache.snapshot(&question.session_id, brain),
        }
    }
}

/// The lists of tools that a turn was offered, so that they can be prepared before it is gone on with.
pub fn offered(entries: &[Entry]) -> Vec<Arc<[Tool]>> {
    let offers = entries.iter().filter_map(|entry| match &entry.happened {
        Happened::Opened { opening } => Some(&opening.toolboxes),
        Happened::ToolsCame { toolboxes, .. } => Some(toolboxes),
        _ => None,
    });
    offers
        .flat_map(|Offer(toolboxes)| toolboxes.iter().map(|(_, tools)| Arc::clone(tools)))
        .collect()
}

/// Says how long the writer of an entry waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Care {
    /// The writer waits until the entry is on its way.
    Usual,
    /// The writer waits until the entry is on the disk: an effect in the world must not happen before the journal
    /// knows of it.
    Durable,
}

/// An entry that had to be on the disk is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("failed to write an entry of the journal to the disk")]
pub struct Unwritten;

/// Keeps the entries of one turn.
pub trait Journal: Send + Sync {
    /// Takes the next entry. Fails only with [`Care::Durable`], when the entry is not on the disk. A journal that cannot
    /// write complains to the log; the person gets an answer all the same.
    fn write(&self, entry: Entry, care: Care) -> BoxFuture<'_, Result<(), Unwritten>>;
}

/// Keeps nothing.
impl Journal for () {
    fn write(&self, _: Entry, _: Care) -> BoxFuture<'_, Result<(), Unwritten>> {
        Box::pin(std::future::ready(Ok(())))
    }
}
