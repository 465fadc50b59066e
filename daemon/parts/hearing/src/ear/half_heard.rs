//! What is understood of a capture while it is open, for those in this process who show it. The newest counts, older words
//! are lost. It is never put on the bus and never logged.

use loquat_speech::EarEvent;
use tokio::sync::watch;

/// The way on which it is told. Clones lead to one place.
#[derive(Debug, Clone)]
pub struct HalfHeard {
    so_far: watch::Sender<String>,
    whole: watch::Sender<String>,
}

impl Default for HalfHeard {
    fn default() -> Self {
        let nothing = || watch::Sender::new(String::new());
        Self {
            so_far: nothing(),
            whole: nothing(),
        }
    }
}

impl HalfHeard {
    /// Follows it; empty where no capture is open, or nothing is understood of it yet.
    pub fn subscribe(&self) -> watch::Receiver<String> {
        self.so_far.subscribe()
    }

    /// Follows it where it may be all that is said; empty while a person speaks on, and where no capture is open.
    pub fn whole(&self) -> watch::Receiver<String> {
        self.whole.subscribe()
    }

    /// Takes what the ear tells of a capture that is meant for the device.
    pub(super) fn take(&self, event: &EarEvent) {
        match event {
            EarEvent::SoFar { text, may_be_all } => {
                becomes(&self.so_far, text);
                becomes(&self.whole, if *may_be_all { text } else { "" });
            }
            EarEvent::WentOn => becomes(&self.whole, ""),
            EarEvent::WakeWord { .. }
            | EarEvent::RecordStarted { .. }
            | EarEvent::Heard(_)
            | EarEvent::NothingHeard => {
                becomes(&self.so_far, "");
                becomes(&self.whole, "");
            }
            _ => {}
        }
    }
}

fn becomes(words: &watch::Sender<String>, text: &str) {
    words.send_if_modified(|now| {
        let is_news = now != text;
        if is_news {
            text.clone_into(now);
        }
        is_news
    });
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
            may_be_all: false,
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
