//! What is understood of a capture while it is open, for those in this process who show it. The newest counts, older words
//! are lost. It is never put on the bus and never logged.

use loquat_speech::EarEvent;
use tokio::sync::watch;

/// The way on which it is told. Clones lead to one place.
#[derive(Debug, Clone)]
pub struct HalfHeard(watch::Sender<String>);

impl Default for HalfHeard {
    fn default() -> Self {
        Self(watch::Sender::new(String::new()))
    }
}

impl HalfHeard {
    /// Follows it; empty where no capture is open, or nothing is understood of it yet.
    pub fn subscribe(&self) -> watch::Receiver<String> {
        self.0.subscribe()
    }

    /// Takes what the ear tells of a capture that is meant for the device.
    pub(super) fn take(&self, event: &EarEvent) {
        match event {
            EarEvent::SoFar { text } => self.becomes(text),
            EarEvent::WakeWord { .. }
            | EarEvent::RecordStarted { .. }
            | EarEvent::Heard(_)
            | EarEvent::NothingHeard => self.becomes(""),
            _ => {}
        }
    }

    fn becomes(&self, text: &str) {
        self.0.send_if_modified(|now| {
            let is_news = now != text;
            if is_news {
                text.clone_into(now);
            }
            is_news
        });
    }
}

#[cfg(test)]
mod tests {
    use loquat_speech::Trigger;

    use super::*;

    #[test]
    fn the_newest_words_of_an_open_capture_are_told_until_it_is_over() {
        let half_heard = HalfHeard::default();
        let mut told = half_heard.subscribe();
        let so_far = |text: &str| EarEvent::SoFar {
            text: text.to_owned(),
        };
        for (event, words) in [
            (so_far("what time"), Some("what time")),
            (so_far("what time is it"), Some("what time is it")),
            (so_far("what time is it"), None),
            (EarEvent::RecordEnded, None),
            (EarEvent::NothingHeard, Some("")),
            (EarEvent::NothingHeard, None),
            (so_far("a late look"), Some("a late look")),
            (
                EarEvent::RecordStarted {
                    trigger: Trigger::Asked,
                },
                Some(""),
            ),
        ] {
            half_heard.take(&event);
            let is_told = told.has_changed().unwrap();
            let now = told.borrow_and_update().clone();
            assert_eq!(is_told.then_some(now.as_str()), words, "{event:?}");
        }
    }
}
