//! Has the media players give way while the device listens or speaks, and come back afterwards.
//!
//! What the device does it learns from the bus, whichever program hears and speaks there. Players are the skill's;
//! nothing here knows one.

use std::sync::Arc;
use std::time::Duration;

use loquat_bus::{Bus, Topics};
use loquat_skills::Players;
use loquat_wire::topic;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Between what was heard and what is said there is thinking, for which a small board takes a while.
const LONGEST_THOUGHT: Duration = Duration::from_secs(60);

/// A program that says that it speaks may end without a word.
const LONGEST_SPEECH: Duration = Duration::from_secs(300);

/// An answer may come in several sentences; between them the players stay silent.
const PAUSE: Duration = Duration::from_millis(1_500);

/// Has players give way.
#[derive(Debug)]
pub struct GivingWay {
    bus: Bus,
    players: Arc<Players>,
    attention: Attention,
}

/// Whether the device is busy with a person, by what is told of it.
#[derive(Debug, Default)]
struct Attention {
    /// When it is over at the latest; absent while there is none.
    until: Option<Instant>,
    /// Whether the device speaks.
    speaks: bool,
}

impl Attention {
    /// Whether it begins with this.
    fn hears(&mut self, topic: &str, now: Instant) -> bool {
        let wait = match topic {
            topic::AUDIO_OUTPUT_STARTED => LONGEST_SPEECH,
            topic::AUDIO_OUTPUT_ENDED => PAUSE,
            // The end of an utterance is told while its answer is still being spoken.
            _ if self.speaks && is_end(topic) => return false,
            _ if is_end(topic) => PAUSE,
            _ => LONGEST_THOUGHT,
        };
        let begins = self.until.is_none();
        if begins && wait == PAUSE {
            return false;
        }
        match topic {
            topic::AUDIO_OUTPUT_STARTED => self.speaks = true,
            topic::AUDIO_OUTPUT_ENDED => self.speaks = false,
            _ => {}
        }
        self.until = Some(now + wait);
        begins
    }
}

impl GivingWay {
    /// Of these players, by what this bus tells.
    pub fn new(bus: Bus, players: Arc<Players>) -> Self {
        let attention = Attention::default();
        Self {
            bus,
            players,
            attention,
        }
    }

    /// Until cancelled; then they come back at once.
    pub async fn run(mut self, cancel: CancellationToken) {
        let topics = [
            topic::WAKEWORD,
            topic::LEGACY_WAKEWORD,
            topic::RECORD_STARTED,
            topic::AUDIO_OUTPUT_STARTED,
            topic::AUDIO_OUTPUT_ENDED,
            topic::STT_FAILED,
            topic::LEGACY_STT_FAILED,
            topic::UTTERANCE_HANDLED,
        ];
        let mut frames = self.bus.subscribe(Topics::of(topics).including_own());
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => break,
                frame = frames.recv() => match frame {
                    Some(frame) if frame.message.context.session().is_default() => self.heard(&frame.canonical).await,
                    Some(_) => {}
                    None => break,
                },
                () = until(self.attention.until) => self.back().await,
            }
        }
        self.back().await;
    }

    async fn heard(&mut self, topic: &str) {
        if self.attention.hears(topic, Instant::now()) {
            self.players.give_way().await;
        }
    }

    async fn back(&mut self) {
        let was_busy = std::mem::take(&mut self.attention).until.is_some();
        if was_busy {
            self.players.come_back().await;
        }
    }
}

/// Whether nothing more is to be heard of an utterance.
fn is_end(topic: &str) -> bool {
    matches!(
        topic,
        topic::STT_FAILED | topic::LEGACY_STT_FAILED | topic::UTTERANCE_HANDLED
    )
}

/// For ever where nothing is waited for.
async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attention_lasts_from_the_wake_word_to_the_end_of_the_answer() {
        let now = Instant::now();
        let mut attention = Attention::default();
        assert!(attention.hears(topic::WAKEWORD, now));
        assert!(!attention.hears(topic::RECORD_STARTED, now));
        assert_eq!(attention.until, Some(now + LONGEST_THOUGHT));
        assert!(!attention.hears(topic::AUDIO_OUTPUT_STARTED, now));
        assert!(!attention.hears(topic::UTTERANCE_HANDLED, now));
        assert_eq!(attention.until, Some(now + LONGEST_SPEECH), "it still speaks");
        assert!(!attention.hears(topic::AUDIO_OUTPUT_ENDED, now));
        assert_eq!(attention.until, Some(now + PAUSE));
    }

    #[test]
    fn what_is_not_understood_or_not_answered_ends_it() {
        let now = Instant::now();
        for end in [
            topic::STT_FAILED,
            topic::LEGACY_STT_FAILED,
            topic::UTTERANCE_HANDLED,
        ] {
            let mut attention = Attention::default();
            assert!(attention.hears(topic::RECORD_STARTED, now));
            assert!(!attention.hears(end, now));
            assert_eq!(attention.until, Some(now + PAUSE), "{end}");
        }
    }

    #[test]
    fn an_end_alone_begins_nothing() {
        let now = Instant::now();
        for end in [topic::AUDIO_OUTPUT_ENDED, topic::UTTERANCE_HANDLED] {
            let mut attention = Attention::default();
            assert!(!attention.hears(end, now));
            assert_eq!(attention.until, None, "{end}");
        }
    }
}
