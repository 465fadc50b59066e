//! What was said beside a core and may still come to us, so that a stop reaches it on the way.
//!
//! A core that is asked to stop does so at once, and may only then bring us what was said before. Both are seen on the bus
//! in the order in which they were said. Never decides whose an utterance is.

use std::collections::VecDeque;
use std::time::Duration;

use loquat_orchestrator::handlers::lists_us;
use loquat_orchestrator::words::words;
use loquat_wire::{Message, Session, utterance_lang};
use tokio::time::Instant;

use super::job::{Job, Speaker};
use super::solo::says_stop;
use super::{Desk, utterances};

/// Utterances remembered at once; the oldest are forgotten first.
const HEARD: usize = 64;

/// A core gives each of its stages ten seconds; nothing that was said longer ago is on its way to us.
const LIFE: Duration = Duration::from_secs(15);

/// A core that polls skills who do not answer first takes up to a second to pass on that somebody said stop.
const PASSED_ON: Duration = Duration::from_secs(2);

/// Bytes of an utterance that a person can say before they can say stop.
const LONGEST: usize = 1000;

#[derive(Debug)]
struct Heard {
    session_id: String,
    speaker: Speaker,
    /// Every hypothesis, as it is compared.
    said: Vec<String>,
    since: Instant,
    /// Whether it is the word that stops.
    stops: bool,
    is_stopped: bool,
}

/// What is known of an utterance that a core brings us.
#[derive(Debug, Default)]
pub(super) struct Brought {
    /// Whether it was stopped on the way.
    pub(super) is_stopped: bool,
    /// Who said it, if somebody was heard saying it.
    pub(super) speaker: Option<Speaker>,
}

/// Utterances in the hands of a core.
#[derive(Debug, Default)]
pub(super) struct Overheard(VecDeque<Heard>);

impl Overheard {
    fn hear(&mut self, entry: &Message, speaker: Speaker, stops: bool) {
        self.0.retain(|heard| heard.since.elapsed() < LIFE);
        if self.0.len() >= HEARD {
            self.0.pop_front();
        }
        self.0.push_back(Heard {
            session_id: entry.context.session_id().to_owned(),
            speaker,
            said: compared(entry),
            since: Instant::now(),
            stops,
            is_stopped: false,
        });
    }

    /// A stop reaches a session. One that only passes on the word which somebody has just said is not for what was said
    /// after that word.
    pub(super) fn call_off(&mut self, session_id: &str) {
        let meant = self.word(session_id).unwrap_or(self.0.len());
        self.call_first_off(meant, session_id);
    }

    /// Whatever was said in a session so far is not wanted any more.
    pub(super) fn call_all_off(&mut self, session_id: &str) {
        self.call_first_off(self.0.len(), session_id);
    }

    fn call_first_off(&mut self, count: usize, session_id: &str) {
        let first = self.0.iter_mut().take(count);
        for heard in first.filter(|heard| heard.session_id == session_id) {
            heard.is_stopped = true;
        }
    }

    /// Whether the word that stops was said in a session and a core may just be passing it on.
    pub(super) fn says_stop(&self, session_id: &str) -> bool {
        self.word(session_id).is_some()
    }

    /// The place of that word.
    fn word(&self, session_id: &str) -> Option<usize> {
        self.0.iter().rposition(|heard| {
            heard.stops && heard.session_id == session_id && heard.since.elapsed() < PASSED_ON
        })
    }

    /// What was said has come to us.
    ///
    /// Frames of an utterance do not name its entry, and a core may add hypotheses, so it is known by its session and its
    /// words. Of several with the same words it is the last: what is said again after a stop is meant.
    pub(super) fn arrived(&mut self, dispatch: &Message) -> Brought {
        let said = compared(dispatch);
        let is_it = |heard: &Heard| {
            heard.session_id == dispatch.context.session_id()
                && heard.since.elapsed() < LIFE
                && heard.said.iter().any(|text| said.contains(text))
        };
        let place = self.0.iter().rposition(is_it);
        let heard = place.and_then(|place| self.0.remove(place));
        heard.map_or_else(Brought::default, |heard| Brought {
            is_stopped: heard.is_stopped,
            speaker: Some(heard.speaker),
        })
    }
}

/// Whether a core that hears somebody say stop does not know that we are at work, and would stop somebody else. Whoever
/// keeps a session itself learns of us only at the end of a turn, and an older core never.
fn is_unknown_to_core(job: &Job, session: &Session) -> bool {
    let unstamped = job.cause.context.utterance_id().is_none();
    job.origin.is_from_core() && (unstamped || (!session.is_default() && !lists_us(session)))
}

fn compared(message: &Message) -> Vec<String> {
    let texts = utterances(message).into_iter();
    let short = texts.filter(|text| text.len() <= LONGEST);
    let plain = short.map(|text| {
        let words: Vec<String> = words(&text).into_iter().map(|word| word.plain).collect();
        words.join(" ")
    });
    // What has no words in it would be the same as everything else that has none.
    plain.filter(|text| !text.is_empty()).collect()
}

impl Desk {
    /// Somebody speaks to the core.
    pub(super) async fn overhear(&mut self, entry: &Message, speaker: &Speaker) {
        let lang = utterance_lang(entry, &self.languages);
        self.questions.overhear(entry, &lang, speaker);
        let stops = says_stop(entry, &lang);
        self.overheard.hear(entry, speaker.clone(), stops);
        if stops {
            let session_id = entry.context.session_id();
            self.overheard.call_off(session_id);
            let running = self.conversations.running(session_id);
            if running.is_some_and(|job| is_unknown_to_core(job, &entry.context.session())) {
                self.stop(session_id).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(texts: &[&str], session_id: &str) -> Message {
        let mut message = Message::new("x", json!({"utterances": texts}));
        message.context.set_session(&Session::named(session_id));
        message
    }

    fn hear(overheard: &mut Overheard, entry: &Message, stops: bool) {
        overheard.hear(entry, Speaker::of(entry, false), stops);
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_stopped_on_the_way_is_known_when_it_comes() {
        let mut overheard = Overheard::default();
        hear(&mut overheard, &said(&["What's the time?"], "kitchen"), false);
        hear(&mut overheard, &said(&["What's the time?"], "garage"), false);
        overheard.call_off("kitchen");
        let arrives = said(&["what is the time", "what's the time"], "kitchen");
        assert!(overheard.arrived(&arrives).is_stopped);
        assert!(!overheard.arrived(&arrives).is_stopped, "it comes once");
        assert!(
            !overheard
                .arrived(&said(&["What's the time?"], "garage"))
                .is_stopped
        );

        hear(&mut overheard, &said(&["And now?"], "kitchen"), false);
        overheard.call_off("kitchen");
        hear(&mut overheard, &said(&["And now?"], "kitchen"), false);
        assert!(
            !overheard.arrived(&said(&["And now?"], "kitchen")).is_stopped,
            "said again after the stop"
        );
        assert!(
            !overheard
                .arrived(&said(&["something else"], "kitchen"))
                .is_stopped,
            "nobody said that"
        );

        hear(&mut overheard, &said(&["stop"], "kitchen"), true);
        hear(&mut overheard, &said(&["Go on"], "kitchen"), false);
        overheard.call_off("kitchen");
        assert!(
            !overheard.arrived(&said(&["Go on"], "kitchen")).is_stopped,
            "said after the word that is passed on"
        );
        hear(&mut overheard, &said(&["And now?"], "kitchen"), false);
        tokio::time::advance(PASSED_ON).await;
        overheard.call_off("kitchen");
        assert!(
            overheard.arrived(&said(&["And now?"], "kitchen")).is_stopped,
            "a stop of its own"
        );
        hear(&mut overheard, &said(&["And now?"], "kitchen"), false);
        overheard.call_off("kitchen");
        tokio::time::advance(LIFE).await;
        assert!(
            !overheard.arrived(&said(&["And now?"], "kitchen")).is_stopped,
            "long ago"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn what_has_no_words_is_not_taken_for_something_else() {
        let mut overheard = Overheard::default();
        hear(&mut overheard, &said(&["?!"], "kitchen"), false);
        overheard.call_off("kitchen");
        assert!(!overheard.arrived(&said(&["..."], "kitchen")).is_stopped);
    }

    #[tokio::test(start_paused = true)]
    async fn all_that_was_said_so_far_can_be_called_off() {
        let mut overheard = Overheard::default();
        hear(&mut overheard, &said(&["stop"], "kitchen"), true);
        hear(&mut overheard, &said(&["Go on"], "kitchen"), false);
        hear(&mut overheard, &said(&["Go on"], "garage"), false);
        overheard.call_all_off("kitchen");
        assert!(overheard.arrived(&said(&["Go on"], "kitchen")).is_stopped);
        assert!(!overheard.arrived(&said(&["Go on"], "garage")).is_stopped);
        hear(&mut overheard, &said(&["Go on"], "kitchen"), false);
        assert!(
            !overheard.arrived(&said(&["Go on"], "kitchen")).is_stopped,
            "said after it"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn the_word_that_stops_is_known_for_as_long_as_a_core_passes_it_on() {
        let mut overheard = Overheard::default();
        hear(&mut overheard, &said(&["Go on"], "kitchen"), false);
        assert!(!overheard.says_stop("kitchen"));
        hear(&mut overheard, &said(&["stop"], "kitchen"), true);
        assert!(overheard.says_stop("kitchen") && !overheard.says_stop("garage"));
        tokio::time::advance(PASSED_ON).await;
        assert!(!overheard.says_stop("kitchen"));
    }
}
