//! Stop, wake word, emergency stop: who gives the order, and what is told of it (STOP-1).
//!
//! What an order does to an utterance is up to its state ([`Utterances::obey`](super::utterances::Utterances::obey)). What
//! skills of others do is theirs.

use loquat_agent::Speaker;
use loquat_mind::Reply;
use loquat_orchestrator::frames::{self, SKILL_ID};
use loquat_orchestrator::pipeline::Stage;
use loquat_orchestrator::{commands, handlers};
use loquat_phrases::Phrases;
use loquat_sentences::words::words;
use loquat_wire::session::DEFAULT_SESSION_ID;
use loquat_wire::{Message, topic, utterance_lang, with};
use serde_json::{Value, json};

use super::utterances::Order;
use super::{Desk, Mode, utterances};

/// Where we answer a core that asks under the older name.
const STOP_PONG_LEGACY: &str = "skill.stop.pong";

const STOP_DONE: &str = "loquat.stop.response";

/// Why a program does not clear the emergency stop.
const ONLY_THE_OWNER: &str = "only the owner clears the emergency stop: by voice at the device, on its page, or with: loquat emergency-stop clear";

impl Desk {
    /// The general stop of a session, unless it is the echo of the one that we have sent ourselves and have obeyed.
    pub(super) async fn stop_frame(&mut self, message: &Message, own: bool) {
        if own && message.context.skill_id() == Some(Stage::Stop.id()) {
            return;
        }
        let session_id = message.context.session_id();
        self.utterances.skill_was_stopped(session_id, None);
        self.stop(session_id).await;
    }

    /// A core or another program wants us to stop; the newer core wants the life of a handler too (HD-4).
    pub(super) async fn stop_us(&mut self, order: &Message) {
        self.stop(order.context.session_id()).await;
        let done = order.reply(STOP_DONE, json!({"skill_id": SKILL_ID, "result": true}));
        self.emit(frames::ours(done)).await;
        if *self.orchestration.mode.borrow() == Mode::Guest && order.context.utterance_id().is_some() {
            for frame in frames::guest_end(order, None) {
                self.emit(frame).await;
            }
        }
    }

    /// A core has chosen whom to stop. Where its session does not list us it has not seen that we are at work, since a client
    /// that keeps a session itself learns that only at the end of a turn: then we are meant too, if we are at work for
    /// a person there. An older core that has chosen us leaves the end of the word to us (HD-5).
    pub(super) async fn core_chooses(&mut self, order: &Message) {
        if *self.orchestration.mode.borrow() != Mode::Guest {
            return;
        }
        let session = order.context.session();
        let chosen = order.data.get("skill_id").and_then(Value::as_str) == Some(SKILL_ID);
        let is_unknown = || !handlers::lists_us(&session) && self.utterances.running(session.id()).is_some();
        if chosen || is_unknown() {
            self.stop(session.id()).await;
        }
        if chosen && order.context.utterance_id().is_none() {
            self.emit(frames::ours(frames::handled(order))).await;
        }
    }

    /// Ends what runs and what waits in this session; others go on.
    pub(super) async fn stop(&mut self, session_id: &str) {
        self.mind.stopped(session_id);
        self.dialogue.talks.close(session_id);
        self.obey(Order::Stop, session_id).await;
    }

    pub(super) async fn obey(&mut self, order: Order, session_id: &str) {
        if session_id == DEFAULT_SESSION_ID {
            self.silence.ends();
            self.early.stops();
        }
        for job in self.utterances.obey(order, session_id) {
            self.close(&job, Reply::silence(order.reason()), true).await;
        }
    }

    pub(super) async fn obey_everywhere(&mut self, order: Order) {
        self.silence.ends();
        self.early.stops();
        for job in self.utterances.obey_everywhere(order) {
            self.close(&job, Reply::silence(order.reason()), true).await;
        }
    }

    /// Ends what is being spoken. An answer is heard long after its turn has ended, and then nothing else of it is left
    /// to stop. Shipped audio services ask for no session, so the word of a person elsewhere silences this device only
    /// if that session says that it is being spoken to.
    pub(super) async fn silence(&self, order: &Message) {
        let session = order.context.session();
        let is_spoken_to = session.get("is_speaking") == Some(&Value::Bool(true));
        if session.is_default() || is_spoken_to {
            let silence = order.forward(topic::AUDIO_STOP, json!({}));
            self.emit(frames::ours(silence)).await;
        }
    }

    /// A newer core asks twice in one round, once under each name; the older name is answered only by older cores'
    /// topic (SP-4).
    pub(super) async fn stop_ping(&mut self, ping: &Message, older: bool) {
        let session = ping.context.session();
        let busy = self.utterances.is_busy(session.id());
        let data = json!({"skill_id": SKILL_ID, "can_handle": busy});
        // Where the utterance is stamped, the canonical question comes too and is the one that is answered.
        if older && ping.context.utterance_id().is_some() {
            return;
        }
        let pong = if older { STOP_PONG_LEGACY } else { topic::STOP_PONG };
        self.emit(frames::ours(ping.reply(pong, data))).await;
        // The newest that is busy is chosen (SP-8). A core that waits for a skill which does not answer says so half a
        // second later, and a person who says stop should not have to wait for that. Where no person did, a program only
        // wants to know what could be stopped.
        let is_meant =
            self.utterances.says_stop(session.id()) && self.utterances.running(session.id()).is_some();
        let chosen = is_meant && !older && handlers::is_newest(&session);
        if chosen && *self.orchestration.mode.borrow() == Mode::Guest {
            self.stop(session.id()).await;
        }
    }

    /// The person says the wake word, and wants to be heard instead of what was asked before. Also what is being spoken
    /// ends, since an answer may be on its way to a loudspeaker when nothing of it is left here.
    pub(super) async fn barge_in(&mut self, wake_word: &Message) {
        if self.settings.barge_in {
            self.silence(wake_word).await;
            self.obey(Order::BargeIn, wake_word.context.session_id()).await;
        }
    }

    /// A program sets the emergency stop or asks how it stands. It is cleared for a program that has given the owner's word
    /// for it, as the command line does.
    pub(super) async fn emergency_stop_order(&mut self, order: &Message) {
        let wish = order.data.get("active").and_then(Value::as_bool);
        let is_lifted = wish == Some(false) && self.mind.is_emergency_stopped();
        let is_refused = is_lifted
            && !self
                .settings
                .owners_word
                .is_given(topic::LOQUAT_EMERGENCY_STOP)
                .await;
        if let Some(set) = wish.filter(|_| !is_refused) {
            self.set_emergency_stop(set).await;
        }
        let mut data = json!({"active": self.mind.is_emergency_stopped()});
        if is_refused {
            tracing::warn!(
                session = order.context.session_id(),
                source = order.context.source(),
                "a program may not clear the emergency stop"
            );
            data = with(data, "error", ONLY_THE_OWNER);
        }
        self.emit(frames::ours(order.response(data))).await;
    }

    /// Obeys the words that set or clear it as soon as they are said; what is said in return takes the usual way. Anybody may
    /// set it, and only the owner clears it.
    pub(super) async fn heed_emergency_stop(&mut self, entry: &Message, speaker: &Speaker) {
        let lang = utterance_lang(entry, &self.settings.languages);
        let said = utterances(entry).into_iter().next().unwrap_or_default();
        let orders = &Phrases::of(&lang).orders;
        let found = commands::emergency_stop(&self.repertoire.commands, &words(&said), &lang, orders);
        let set = found.and_then(|found| commands::sets_emergency_stop(&found.intent_name));
        if let Some(set) = set.filter(|set| *set || speaker.is_owner()) {
            self.set_emergency_stop(set).await;
        }
    }

    /// When it is set, ends every turn of ours, and nothing is thought and no tool is run until it is cleared or the daemon
    /// restarts. When it is cleared, sessions may try again in which too much had failed.
    pub(super) async fn set_emergency_stop(&mut self, set: bool) {
        self.mind.set_emergency_stop(set);
        tracing::warn!(set, "the emergency stop was set or cleared");
        if !set {
            return;
        }
        self.stop_reflecting();
        if let Some(background) = &self.unasked.background {
            background.cancel_all();
        }
        let silence = frames::originated(topic::AUDIO_STOP, json!({}));
        self.emit(silence).await;
        self.obey_everywhere(Order::EmergencyStop).await;
    }
}
