//! Frames of which only the outline is read: they, their session or what they say is larger than what is taken, or they
//! gave way to others in a flood.
//!
//! An utterance still gets a sentence and its end, and an order to stop is obeyed. Everything else is
//! counted. Answering a flood must not become one: strangers hear 64 sentences in ten seconds, all of them together,
//! and the end without a sentence after that. The owner always hears one.

use std::sync::Arc;
use std::time::Duration;

use loquat_agent::Speaker;
use loquat_orchestrator::frames::{self, SKILL_ID};
use loquat_wire::{Message, answer_lang, topic, utterance_lang};
use serde_json::json;
use tokio::time::Instant;

use super::door::Excess;
use super::job::Origin;
use super::routes::Handler;
use super::{Arrival, Desk, Mode, new_id, spoken};
use crate::phrases::Phrases;

/// How many sentences strangers hear within [`WINDOW`].
const SENTENCES: u32 = 64;

const WINDOW: Duration = Duration::from_secs(10);

/// What was said and counted of outlines.
#[derive(Debug, Default)]
pub(super) struct Outlines {
    /// Since when sentences are counted, and how many there were.
    said: Option<(Instant, u32)>,
    /// Frames that needed no answer, since the last line in the log.
    ignored: u64,
    told_at: Option<Instant>,
}

impl Outlines {
    fn may_say(&mut self, now: Instant) -> bool {
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
            Handler::Utterance if *self.mode.borrow() == Mode::Solo => {
                let arrival = self.ways.arrival(&message, own);
                self.refuse_outline(message, &arrival, excess).await;
            }
            // Where the core turns out to be gone it is ended by us, as one in which nothing was said.
            Handler::Utterance => {
                let arrival = self.ways.arrival(&message, own);
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
                if let Some(count) = self.outlines.ignore(Instant::now()) {
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
    pub(super) fn may_say(&mut self, speaker: &Speaker) -> bool {
        self.outlines.may_say(Instant::now()) || speaker.is_owner()
    }

    /// Says why an utterance is not answered, and ends it.
    pub(super) async fn refuse_outline(&mut self, entry: Message, arrival: &Arrival, excess: Excess) {
        let lang = utterance_lang(&entry, &self.languages);
        let mut entry = unsaid(entry);
        entry.context.set_utterance_id(&new_id());
        let mind = Arc::clone(&self.mind);
        self.sessions.merge(&mut entry, |id| mind.find(id).is_some());
        let lang = answer_lang(&entry.context.session(), &lang);
        let cause = entry.reply(topic::UTTERANCE_HANDLE, json!({}));
        if self.may_say(&arrival.speaker) {
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
        let said = (0..1000).filter(|_| outlines.may_say(start)).count();
        assert_eq!(said, SENTENCES as usize);
        assert!(outlines.may_say(start + WINDOW));
        let told: Vec<u64> = (0..1000).filter_map(|_| outlines.ignore(start)).collect();
        assert_eq!(told, [1]);
        assert_eq!(outlines.ignore(start + WINDOW), Some(1000));
    }
}
