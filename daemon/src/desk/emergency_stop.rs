//! The emergency stop: nothing is thought and no tool is run for anybody until it is cleared, or the daemon restarts.
//!
//! A person sets and clears it by words, a program by `loquat.emergency_stop`. It never touches what skills of others do.

use loquat_agent::record::Reason;
use loquat_orchestrator::words::words;
use loquat_orchestrator::{commands, frames};
use loquat_wire::{Message, topic, utterance_lang};
use serde_json::{Value, json};

use super::{Desk, utterances};
use crate::mind::Reply;
use crate::phrases::Phrases;

impl Desk {
    /// A program sets it, clears it, or asks how it stands.
    pub(super) async fn emergency_stop_order(&mut self, order: &Message) {
        if let Some(set) = order.data.get("active").and_then(Value::as_bool) {
            self.set_emergency_stop(set).await;
        }
        let answer = order.response(json!({"active": self.mind.is_emergency_stopped()}));
        self.emit(frames::ours(answer)).await;
    }

    /// Obeys the words that set or clear it as soon as they are said; what is said in return takes the usual way.
    pub(super) async fn heed_emergency_stop(&mut self, entry: &Message) {
        let lang = utterance_lang(entry, &self.languages);
        let said = utterances(entry).into_iter().next().unwrap_or_default();
        let orders = &Phrases::of(&lang).orders;
        let found = commands::emergency_stop(&self.commands, &words(&said), (&lang, orders));
        let set = found.and_then(|found| commands::sets_emergency_stop(&found.intent_name));
        if let Some(set) = set {
            self.set_emergency_stop(set).await;
        }
    }

    /// Ends every turn of ours when it is set; also lets sessions try again in which too much had failed when it is cleared.
    pub(super) async fn set_emergency_stop(&mut self, set: bool) {
        self.mind.set_emergency_stop(set);
        tracing::warn!(set, "the emergency stop was set or cleared");
        if !set {
            return;
        }
        self.stop_reflecting();
        self.questions.withdraw_all();
        let silence = frames::originated(topic::AUDIO_STOP, json!({}));
        self.emit(silence).await;
        for job in self.conversations.stop_all(Reason::Stopped) {
            self.close(&job, Reply::silence(Reason::Stopped), true).await;
        }
    }
}
