//! Whether the device is busy with a person, from the wake word to the end of the answer, by what the bus tells of it,
//! whichever program hears and speaks there.
//!
//! Knows nothing of what follows from it.

use std::time::Duration;

use loquat_bus::{Bus, Topics};
use loquat_wire::topic;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// What tells that the device listens and speaks.
pub(crate) const TOPICS: [&str; 9] = [
    topic::WAKEWORD,
    topic::LEGACY_WAKEWORD,
    topic::RECORD_STARTED,
    topic::SPEAK,
    topic::AUDIO_OUTPUT_STARTED,
    topic::AUDIO_OUTPUT_ENDED,
    topic::STT_FAILED,
    topic::LEGACY_STT_FAILED,
    topic::UTTERANCE_HANDLED,
];

/// What changes with the attention of the device.
pub(crate) trait Follower: Send + Sync {
    /// The device is busy from now on.
    fn begin(&self) -> impl Future<Output = ()> + Send;
    /// It is busy no more.
    fn end(&self) -> impl Future<Output = ()> + Send;
}

/// Tells a follower, until cancelled; what has begun then ends at once.
pub(crate) async fn follow(
    bus: Bus,
    topics: impl IntoIterator<Item = &'static str>,
    follower: impl Follower,
    cancel: CancellationToken,
) {
    let mut frames = bus.subscribe(Topics::of(topics).including_own());
    let mut attention = Attention::default();
    loop {
        tokio::select! {
            biased;
            () = cancel.cancelled() => break,
            frame = frames.recv() => match frame {
                Some(frame) if frame.message.context.session().is_default() => {
                    if attention.hears(&frame.canonical, Instant::now()) {
                        follower.begin().await;
                    }
                }
                Some(_) => {}
                None => break,
            },
            () = until(attention.until) => {
                attention = Attention::default();
                follower.end().await;
            }
        }
    }
    if attention.until.is_some() {
        follower.end().await;
    }
}

/// Between what was heard and what is said there is thinking, for which a small board takes a while.
const LONGEST_THOUGHT: Duration = Duration::from_secs(60);

/// A program that says that it speaks may end without a word.
const LONGEST_SPEECH: Duration = Duration::from_secs(300);

/// From an answer to its first sound: a small board makes speech slowly, and without a voice none comes.
const LONGEST_SILENCE: Duration = Duration::from_secs(6);

/// An answer may come in several sentences; between them the players stay silent.
const PAUSE: Duration = Duration::from_millis(1_500);

/// Whether the device is busy with a person, by what is told of it.
#[derive(Debug, Default)]
struct Attention {
    /// When it is over at the latest; absent while there is none.
    until: Option<Instant>,
    /// Whether the device speaks, or is about to.
    speaks: bool,
    /// Whether it is heard.
    is_sounding: bool,
}

impl Attention {
    /// Tells whether it begins with this.
    fn hears(&mut self, topic: &str, now: Instant) -> bool {
        let wait = match topic {
            topic::AUDIO_OUTPUT_STARTED => LONGEST_SPEECH,
            topic::SPEAK if self.is_sounding => return false,
            topic::SPEAK => LONGEST_SILENCE,
            topic::AUDIO_OUTPUT_ENDED => PAUSE,
            // The end of an utterance is told while its answer is still being spoken, or made speech of.
            _ if self.speaks && is_end(topic) => return false,
            _ if is_end(topic) => PAUSE,
            _ => LONGEST_THOUGHT,
        };
        let begins = self.until.is_none();
        // Whether an answer is heard at all is known by its first sound alone.
        if begins && (wait == PAUSE || wait == LONGEST_SILENCE) {
            return false;
        }
        match topic {
            topic::AUDIO_OUTPUT_STARTED => (self.speaks, self.is_sounding) = (true, true),
            topic::SPEAK => self.speaks = true,
            topic::AUDIO_OUTPUT_ENDED => (self.speaks, self.is_sounding) = (false, false),
            _ => {}
        }
        self.until = Some(now + wait);
        begins
    }
}

/// Tells whether nothing more is to be heard of an utterance.
fn is_end(topic: &str) -> bool {
    matches!(
        topic,
        topic::STT_FAILED | topic::LEGACY_STT_FAILED | topic::UTTERANCE_HANDLED
    )
}

/// Waits until a moment, and for ever where nothing is waited for.
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
    fn an_answer_is_waited_for_until_it_sounds_and_not_for_ever() {
        let now = Instant::now();
        let mut attention = Attention::default();
        assert!(!attention.hears(topic::SPEAK, now));
        assert_eq!(attention.until, None, "it may never be heard");
        assert!(attention.hears(topic::WAKEWORD, now));
        attention.hears(topic::SPEAK, now);
        attention.hears(topic::UTTERANCE_HANDLED, now);
        assert_eq!(attention.until, Some(now + LONGEST_SILENCE));
        attention.hears(topic::AUDIO_OUTPUT_STARTED, now);
        attention.hears(topic::SPEAK, now);
        assert_eq!(attention.until, Some(now + LONGEST_SPEECH), "the next one waits");
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
