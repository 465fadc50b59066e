//! Stop: what runs in one session ends at once, what runs in others goes on (STOP-1).

use loquat_agent::record::Reason;
use loquat_orchestrator::frames::{self, SKILL_ID};
use loquat_orchestrator::handlers;
use loquat_orchestrator::pipeline::Stage;
use loquat_wire::{Message, topic};
use serde_json::{Value, json};

use super::{Desk, Mode};
use crate::mind::Reply;

/// Where we answer a core that asks under the older name.
const STOP_PONG_LEGACY: &str = "skill.stop.pong";

const STOP_DONE: &str = "loquat.stop.response";

impl Desk {
    /// The general stop of a session, unless it is the echo of the one that we have sent ourselves and have obeyed.
    pub(super) async fn stop_frame(&mut self, message: &Message, own: bool) {
        if own && message.context.skill_id() == Some(Stage::Stop.id()) {
            return;
        }
        let session_id = message.context.session_id();
        self.searching.stop(session_id, None);
        self.stop(session_id).await;
    }

    /// A core or another program wants us to stop; the newer core wants the life of a handler too (HD-4).
    pub(super) async fn stop_us(&mut self, order: &Message) {
        self.stop(order.context.session_id()).await;
        let done = order.reply(STOP_DONE, json!({"skill_id": SKILL_ID, "result": true}));
        self.emit(frames::ours(done)).await;
        if *self.mode.borrow() == Mode::Guest && order.context.utterance_id().is_some() {
            for frame in frames::guest_end(order, None) {
                self.emit(frame).await;
            }
        }
    }

    /// A core has chosen whom to stop. Where its session does not list us it has not seen that we are at work, since
    /// whoever keeps a session itself learns that only at the end of a turn: then we are meant too, if we are at work for
    /// a person there. An older core that has chosen us leaves the end of the word to us (HD-5).
    pub(super) async fn core_chooses(&mut self, order: &Message) {
        if *self.mode.borrow() != Mode::Guest {
            return;
        }
        let session = order.context.session();
        let chosen = order.data.get("skill_id").and_then(Value::as_str) == Some(SKILL_ID);
        let is_unknown =
            || !handlers::lists_us(&session) && self.conversations.running(session.id()).is_some();
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
        self.overheard.call_off(session_id);
        self.searching.call_off(session_id);
        for job in self.conversations.stop(session_id, Reason::Stopped) {
            self.close(&job, Reply::silence(Reason::Stopped), true).await;
        }
    }

    /// Ends what is being spoken. An answer is heard long after its turn has ended, and then nothing else of it is left
    /// to stop. Shipped audio services ask for no session, so the word of somebody elsewhere silences this device only
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
        let busy = self.conversations.is_busy(session.id());
        let data = json!({"skill_id": SKILL_ID, "can_handle": busy});
        // Where the utterance is stamped, the canonical question comes too and is the one that is answered.
        if older && ping.context.utterance_id().is_some() {
            return;
        }
        let pong = if older { STOP_PONG_LEGACY } else { topic::STOP_PONG };
        self.emit(frames::ours(ping.reply(pong, data))).await;
        // The newest that is busy is chosen (SP-8). A core that waits for a skill which does not answer says so half a
        // second later, and whoever said stop should not have to wait for that. Where nobody did, somebody only wants
        // to know what could be stopped.
        let is_meant =
            self.overheard.says_stop(session.id()) && self.conversations.running(session.id()).is_some();
        let chosen = is_meant && !older && handlers::is_newest(&session);
        if chosen && *self.mode.borrow() == Mode::Guest {
            self.stop(session.id()).await;
        }
    }
}
