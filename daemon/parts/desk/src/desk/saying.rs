//! How and when an utterance was said: what a person says counts for a question from the moment at which they began.

use std::time::Duration;

use loquat_part::heard::BEGAN;
use loquat_part::satellite::SATELLITES;
use loquat_wire::Message;
use loquat_wire::speech::MICROPHONE;
use serde_json::Value;
use tokio::time::Instant;

/// No capture is older than this.
const OLDEST: Duration = Duration::from_secs(120);

/// The saying of one utterance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Saying {
    /// When its sound began, where our own ear has heard it; else when it came.
    pub(super) began: Instant,
    pub(super) is_typed: bool,
}

impl Saying {
    /// Of an utterance that comes now; `own` tells whether our own ear or terminal put it on the bus. What other clients say
    /// of a beginning is not believed.
    pub(super) fn of(entry: &Message, own: bool) -> Self {
        let context = &entry.context;
        let source = context.source();
        let is_of_ear = source == Some(MICROPHONE);
        let age = context.get(BEGAN).and_then(Value::as_u64);
        let age = age.filter(|_| own && is_of_ear).map(Duration::from_millis);
        let now = Instant::now();
        // At the device a person listens, whichever program hears the answer.
        let may_be_typed = own || !context.session().is_default() && source != Some(SATELLITES);
        Self {
            began: now
                .checked_sub(age.unwrap_or_default().min(OLDEST))
                .unwrap_or(now),
            is_typed: may_be_typed && !is_of_ear && context.get("stt_lang").is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use loquat_wire::{Session, topic};
    use serde_json::json;

    use super::*;

    fn entry(source: &str, session: &str) -> Message {
        let mut entry = Message::new(topic::UTTERANCE_HANDLE, json!({"utterances": ["yes"]}));
        entry.context.set_source(source);
        entry.context.set_session(&Session::named(session));
        entry.context.insert(BEGAN, json!(1500));
        entry
    }

    #[tokio::test(start_paused = true)]
    async fn only_our_own_ear_tells_when_an_utterance_began() {
        tokio::time::advance(Duration::from_secs(10)).await;
        let ago = |source: &str, own: bool| {
            let began = Saying::of(&entry(source, "default"), own).began;
            Instant::now().duration_since(began)
        };
        assert_eq!(ago(MICROPHONE, true), Duration::from_millis(1500));
        assert_eq!(ago(MICROPHONE, false), Duration::ZERO);
        assert_eq!(ago("loquat-terminal", true), Duration::ZERO);
    }

    #[tokio::test]
    async fn what_is_written_here_or_in_a_conversation_of_its_own_is_typed() {
        for (source, session, own, is_typed) in [
            ("loquat-terminal", "default", true, true),
            (MICROPHONE, "default", true, false),
            ("chat", "default", false, false),
            ("chat", "kitchen", false, true),
            (MICROPHONE, "kitchen", false, false),
            (SATELLITES, "kitchen", false, false),
        ] {
            let saying = Saying::of(&entry(source, session), own);
            assert_eq!(saying.is_typed, is_typed, "{source} {session}");
        }
    }
}
