//! Legacy twins: the second frame by which newer peers reach older ones, and how a receiver tells it from a new event.
//!
//! Who emits on a canonical topic that replaced a legacy one also sends the same frame on the legacy topic, marked in
//! its context. A receiver that knows both vocabularies must act on the two once. The marker alone proves nothing,
//! because old peers copy it into their answers.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use serde_json::Value;

use crate::context::{Context, INTENT_TWIN, NAMESPACE_TWIN};
use crate::message::Message;
use crate::reshape;
use crate::topic::{self, TwinKind};

/// A frame is a witness for its twin for this long. Twins are sent back to back, so this only has to outlast queues.
const WINDOW: Duration = Duration::from_secs(1);

/// This many witnesses are kept. A flood of them shortens the window instead of growing the memory.
const WITNESSES: usize = 2048;

/// The vocabulary of topics that is spoken. Both are always understood.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Vocabulary {
    /// Sends the canonical topic, and the marked legacy twin behind it.
    #[default]
    Both,
    /// The legacy topic where there is one: all that OVOS releases before 2026 hear.
    Legacy,
    /// The canonical topic only, which those releases do not hear.
    Canonical,
}

/// Makes the message as it is to be emitted, and what is to be sent right after it: its marked twin, if the
/// topic has one and both vocabularies are spoken.
///
/// A message on a legacy topic has no twin: newer peers understand it as it is. A dispatch goes out under both its
/// names unless only the canonical one is spoken, since a legacy skill may listen to either.
pub fn with_twin(mut message: Message, vocabulary: Vocabulary) -> (Message, Option<Message>) {
    message.context.strip_markers();
    if vocabulary == Vocabulary::Canonical {
        return (message, None);
    }
    let Some((topic, kind)) = topic::twin_of(&message.topic) else {
        return (message, None);
    };
    let mut twin = Message {
        data: reshape::to_legacy(&message.topic, &message.data),
        topic,
        context: message.context.clone(),
    };
    let marker = match kind {
        TwinKind::Namespace if vocabulary == Vocabulary::Legacy => return (twin, None),
        TwinKind::Namespace => NAMESPACE_TWIN,
        TwinKind::Intent => INTENT_TWIN,
    };
    twin.context.insert(marker, true);
    (message, Some(twin))
}

/// Brings a message's payload into the canonical shape. The topic stays as it was received, for answers to it.
#[must_use]
pub fn modernised(mut message: Message) -> Message {
    if let Some(data) = reshape::to_canonical(&message.topic, &message.data) {
        message.data = data;
    }
    message
}

/// Recognises the second frame of a pair among all that a bus delivers.
///
/// Every frame has to pass through [`is_duplicate`](Self::is_duplicate), in the order of arrival. Memory is bounded.
#[derive(Debug, Default)]
pub struct TwinFilter {
    witnesses: VecDeque<Witness>,
}

/// A frame that was let through and whose twin may follow.
#[derive(Debug)]
struct Witness {
    event: Event,
    canonical: bool,
    at: Duration,
}

/// Hashes what two twins have in common: a witness of 25 MiB costs no more than a small one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Event {
    /// Legacy name, payload, session id and utterance id: what a marked twin shares with its witness.
    loose: u64,
    /// The digest with the whole context, which an unmarked twin has to share as well.
    exact: u64,
}

impl TwinFilter {
    /// Makes a filter that has seen no frame.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells whether the frame tells again what its twin already told, and is to be dropped.
    ///
    /// `now` is the time of arrival on a clock that never goes back, counted from any fixed point.
    ///
    /// A marked frame is a duplicate when its canonical twin with the same payload, session and utterance came in the
    /// last second. An unmarked one, from a sender that mirrors by hand, is one only if its whole context is equal.
    /// One frame is a witness against one twin, so that the same event sent twice is two events.
    pub fn is_duplicate(&mut self, message: &Message, now: Duration) -> bool {
        let Some((event, canonical)) = Event::of(message) else {
            return false;
        };
        self.forget_before(now);
        let marked = message.context.is_twin();
        let twin = self.witnesses.iter().position(|witness| {
            witness.canonical != canonical
                && if marked {
                    witness.event.loose == event.loose
                } else {
                    witness.event.exact == event.exact
                }
        });
        if let Some(index) = twin {
            self.witnesses.remove(index);
            return true;
        }
        if self.witnesses.len() == WITNESSES {
            self.witnesses.pop_front();
        }
        self.witnesses.push_back(Witness {
            event,
            canonical,
            at: now,
        });
        false
    }

    fn forget_before(&mut self, now: Duration) {
        while self
            .witnesses
            .front()
            .is_some_and(|witness| now.saturating_sub(witness.at) > WINDOW)
        {
            self.witnesses.pop_front();
        }
    }
}

impl Event {
    /// Takes the event of a frame that can be half of a pair, and tells whether it is the canonical half.
    fn of(message: &Message) -> Option<(Self, bool)> {
        if let Some((legacy, _)) = topic::twin_of(&message.topic) {
            let data = reshape::to_legacy(&message.topic, &message.data);
            return Some((Self::hash(&legacy, &data, &message.context), true));
        }
        topic::may_be_twin(&message.topic)
            .then(|| (Self::hash(&message.topic, &message.data, &message.context), false))
    }

    fn hash(legacy: &str, data: &serde_json::Map<String, Value>, context: &Context) -> Self {
        let mut loose = DefaultHasher::new();
        (legacy, data).hash(&mut loose);
        let mut exact = loose.clone();
        (context.session_id(), context.utterance_id()).hash(&mut loose);
        // The order of keys means nothing (MSG-1 §6), so the hashes of the entries are summed.
        let entries = context.as_map().iter();
        entries
            .filter(|(key, _)| *key != NAMESPACE_TWIN && *key != INTENT_TWIN)
            .map(|entry| {
                let mut hasher = DefaultHasher::new();
                entry.hash(&mut hasher);
                hasher.finish()
            })
            .fold(0, u64::wrapping_add)
            .hash(&mut exact);
        Self {
            loose: loose.finish(),
            exact: exact.finish(),
        }
    }
}

#[cfg(test)]
mod tests;
