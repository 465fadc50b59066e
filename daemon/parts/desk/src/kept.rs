//! What is known of words that were kept for later: what the person has agreed to, by which channel they were set, and whether
//! they may be those of strangers. The ringer writes it into the frame with which it says them, and the desk reads it there.
//!
//! A frame of another program never holds any: who reads it has to know that this process has emitted the frame.

use loquat_agent::consent::AgreedCall;
use loquat_part::heard::LATER;
use loquat_skills::alerts::{Alert, Event, WRITTEN};
use loquat_wire::Message;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What is known of them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// The calls that the person has agreed to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) agreed: Vec<AgreedCall>,
    /// By which channel they were set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) set_by: Option<String>,
    /// Whether they may be words of strangers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_foreign: bool,
    /// Whether a persona does it of its own accord.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_own_turn: bool,
    /// Whether something that has happened brings them, and no clock.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_event: bool,
}

impl Kept {
    /// Of a deed that is due.
    pub(crate) fn of_deed(alert: &Alert) -> Self {
        let deed = alert.deed.as_ref();
        let is_brought_about = alert.on.as_ref().is_some_and(Event::is_foreign);
        Self {
            // What another than the owner was asked about is asked again, and so is what strangers may have brought about.
            agreed: deed
                .filter(|_| alert.is_of_owner() && !is_brought_about)
                .map(|deed| deed.agreed.clone())
                .unwrap_or_default(),
            set_by: match deed {
                Some(deed) => deed.channel.clone(),
                None => Some(WRITTEN.to_owned()),
            },
            is_foreign: alert.may_be_of_strangers() || is_brought_about,
            is_event: alert.on.is_some(),
            is_own_turn: alert.is_own_turn(),
        }
    }

    /// Writes it into a frame.
    pub(crate) fn write(&self, message: &mut Message) {
        message.context.insert(LATER, json!(self));
    }

    /// Reads it from a frame of this process. A frame that was made of an utterance of others may hold what these wrote.
    pub(crate) fn read(entry: &Message, emitted_here: bool) -> Option<Self> {
        let written = entry.context.get(LATER).filter(|kept| kept.is_object())?;
        let is_ours = emitted_here && entry.context.utterance_id().is_none();
        is_ours.then(|| serde_json::from_value(written.clone()).unwrap_or_default())
    }
}
