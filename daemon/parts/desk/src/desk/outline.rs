//! Frames of which only the outline is read: they, their session or what they say is larger than what is taken, or they
//! gave way to others in a flood.
//!
//! An utterance still gets a sentence and its end, and an order to stop is obeyed. Everything else is
//! counted. Answering a flood must not become one: all together hear 64 sentences in ten seconds, and the end without a
//! sentence after that. Who waits for words still hears them: what our own ear or terminal heard always, and the owner and
//! guests elsewhere once in each session, until something of it is taken again.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use loquat_agent::Speaker;
use loquat_orchestrator::frames::{self, SKILL_ID};
use loquat_phrases::Phrases;
use loquat_wire::{Message, answer_lang, topic, utterance_lang};
use serde_json::json;
use tokio::time::Instant;

use super::door::Excess;
use super::job::Origin;
use super::routes::Handler;
use super::{Arrival, Desk, Mode, new_id, spoken};

/// How many sentences are said within [`WINDOW`].
const SENTENCES: u32 = 64;

/// Sessions of which it is known that they were told.
const MOST_TOLD: usize = 1000;

const WINDOW: Duration = Duration::from_secs(10);

/// What was said and counted of outlines.
#[derive(Debug, Default)]
pub(super) struct Outlines {
    /// Since when sentences are counted, and how many there were.
    said: Option<(Instant, u32)>,
    /// The sessions that were told beyond that, since something of them was taken last.
    told: BTreeSet<String>,
    /// Frames that needed no answer, since the last line in the log.
    ignored: u64,
    told_at: Option<Instant>,
}

impl Outlines {
    /// Whether a sentence is said in a session, where a person may wait for words.
    fn may_say(&mut self, now: Instant, session_id: &str, waits: bool) -> bool {
        self.is_within_window(now)
            || waits && self.told.len() < MOST_TOLD && self.told.insert(session_id.to_owned())
    }

    /// Something of a session is taken.
    pub(super) fn taken(&mut self, session_id: &str) {
        self.told.remove(session_id);
    }

    fn is_within_window(&mut self, now: Instant) -> bool {
        let current = self.said.filter(|(since, _)| now.duration_since(*since) < WINDOW);
        let (since, said) = current.unwrap_or((now, 0));
        self.said = Some((since, said.saturating_add(1)));
        said < SENTENCES
    }

    /// How many frames a line in the log is to tell of, at most one line in a window.
    fn ignore(&mut self, now: Instant) -> Option<u64> {
        self.ignored += 1;
        if self.told_at.is_some_and(|at| now.duration_since(at) < WINDOW) {
            return None;
        }
        self.told_at = Some(now);
        Some(std::mem::take(&mut self.ignored))
    }
}

impl Desk {
    /// A frame came without its contents, or with some that are not read.
    pub(super) async fn outline(&mut self, handler: Handler, message: Message, own: bool, excess: Excess) {
        match handler {
            Handler::Utterance if *self.orchestration.mode.borrow() == Mode::Solo => {
                let arrival = self.entrance.ways.arrival(&message, own);
                self.refuse_outline(message, &arrival, excess).await;
            }
            // Where the core turns out to be gone it is ended by us, as one in which nothing was said.
            Handler::Utterance => {
                let arrival = self.entrance.ways.arrival(&message, own);
                self.utterances.hold(unsaid(message), arrival, false);
            }
            Handler::Stop => self.stop_frame(&message, own).await,
            Handler::Query => {
                self.emit(frames::refused_query(&message, excess.reason())).await;
            }
            Handler::CoreStage => {
                let data = json!({"round": message.data.get("round"), "match": null});
                self.emit(message.response(data)).await;
            }
            Handler::Brought(origin) => self.guest_refuses(origin, unsaid(message), excess).await,
            Handler::Intent(_) => self.guest_refuses(Origin::Intent, unsaid(message), excess).await,
            _ => {
                if let Some(count) = self.entrance.outlines.ignore(Instant::now()) {
                    tracing::warn!(
                        topic = message.topic,
                        count,
                        reason = excess.reason(),
                        "ignored frames without contents"
                    );
                }
            }
        }
    }

    /// Whether a sentence tells why nothing comes of an utterance, beside its end.
    pub(super) fn may_say(&mut self, session_id: &str, speaker: &Speaker, is_heard_here: bool) -> bool {
        let waits = !speaker.is_program();
        self.entrance.outlines.may_say(Instant::now(), session_id, waits) || is_heard_here
    }

    /// Says why an utterance is not answered, and ends it.
    pub(super) async fn refuse_outline(&mut self, entry: Message, arrival: &Arrival, excess: Excess) {
        let lang = utterance_lang(&entry, &self.settings.languages);
        let mut entry = unsaid(entry);
        entry.context.set_utterance_id(&new_id());
        let mind = Arc::clone(&self.mind);
        self.sessions
            .merge(&mut entry, arrival, |id| mind.find(id).is_some());
        let lang = answer_lang(&entry.context.session(), &lang);
        let cause = entry.reply(topic::UTTERANCE_HANDLE, json!({}));
        let session_id = entry.context.session_id().to_owned();
        if self.may_say(&session_id, &arrival.speaker, arrival.is_heard_here()) {
            let sentence = excess.sentence(Phrases::of(&lang));
            self.emit(spoken::speak(&cause, &sentence, &lang)).await;
        }
        let cancelled = json!({"cancel_reason": excess.reason(), "cancel_by": SKILL_ID});
        self.emit(cause.forward(topic::UTTERANCE_CANCELLED, cancelled))
            .await;
        self.emit(frames::handled(&cause)).await;
    }
}

/// A frame without what was said in it.
fn unsaid(mut message: Message) -> Message {
    message.data.clear();
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_hear_few_sentences_and_the_log_few_lines() {
        let (mut outlines, start) = (Outlines::default(), Instant::now());
        let said = (0..1000).filter(|_| outlines.may_say(start, "s", false)).count();
        assert_eq!(said, SENTENCES as usize);
        let told: Vec<bool> = (0..3).map(|_| outlines.may_say(start, "kitchen", true)).collect();
        assert_eq!(told, [true, false, false], "who waits for words hears them once");
        outlines.taken("kitchen");
        assert!(outlines.may_say(start, "kitchen", true));
        let many = (0..2 * MOST_TOLD).filter(|number| outlines.may_say(start, &number.to_string(), true));
        assert_eq!(many.count(), MOST_TOLD - 1);
        assert!(outlines.may_say(start + WINDOW, "s", false));
        let told: Vec<u64> = (0..1000).filter_map(|_| outlines.ignore(start)).collect();
        assert_eq!(told, [1]);
        assert_eq!(outlines.ignore(start + WINDOW), Some(1000));
    }
}
