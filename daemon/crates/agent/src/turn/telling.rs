//! Tells the answer while it is being written, to an observer that wants to hear it.
//!
//! The pieces, joined, are the final answer as it is spoken. What is told is what the decoder makes of the reply so far,
//! by whole sentences that nothing behind them is likely to change and that the review of answers lets pass; should it change
//! all the same, because a stream breaks, a call follows or a later sentence may not be said, all pieces so far are taken back.
//! Nothing is parsed here, and nothing at all is done where no observer listens.

use parking_lot::{Mutex, MutexGuard};
use std::sync::Arc;

use super::review::Evidence;
use loquat_conversation::brain::{Capabilities, ChatReply};
use loquat_conversation::catalogue::Catalogue;
use loquat_conversation::dialect::phase::step::Steps;
use loquat_conversation::dialect::{Dialect, Manner};
use loquat_conversation::event::{Event, Observer};
use loquat_decoder::{Verdict, speakable};

/// Of a reply with more bytes the rest is told at the end.
const LONGEST: usize = 1 << 16;

/// What a brain says beside a native call has fewer characters.
const LONGEST_ASIDE: usize = 160;

/// A reply is looked at again when it has grown by this part of its length, so that the time for all looks is linear.
const GROWTH: usize = 8;

/// These end a sentence before a blank.
const STOPS: [char; 4] = ['.', '!', '?', '…'];

/// These end a sentence without any blank.
const FULL_STOPS: [char; 3] = ['。', '！', '？'];

/// Emphasis, a list, a link, an element or an object may begin here. What follows decides.
const OPEN: [char; 11] = ['*', '_', '`', '#', '|', '<', '[', '{', '~', '\\', '$'];

/// Says when words without an answer's mark are taken for the answer, while they are being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unmarked {
    /// They are at once: there is nothing else that they could be.
    Always,
    /// They are when they are too many to accompany a call.
    WhenLong,
    /// They are only when the reply is complete.
    Never,
}

impl Unmarked {
    /// Words in a conversation of these steps, with a brain that can do this. `closes` tells that only an answer is asked
    /// for.
    pub(super) fn among(steps: &Steps, capabilities: Capabilities, closes: bool) -> Self {
        match steps.manner().dialect(capabilities) {
            _ if steps.manner() == Manner::Chat => Self::Always,
            Dialect::Native if closes => Self::Always,
            Dialect::Native => Self::WhenLong,
            Dialect::Text | Dialect::Schema => Self::Never,
        }
    }
}

/// Counts what has been told of the answer of a turn.
#[derive(Clone)]
pub(super) struct Telling {
    observer: Arc<dyn Observer>,
    /// Never held across an await.
    told: Arc<Mutex<String>>,
}

impl Telling {
    /// Begins with nothing told. There is no telling where no observer listens.
    pub(super) fn to(observer: &Arc<dyn Observer>) -> Option<Self> {
        observer.hears_answers().then(|| Self {
            observer: Arc::clone(observer),
            told: Arc::default(),
        })
    }

    fn told(&self) -> MutexGuard<'_, String> {
        self.told.lock()
    }

    /// Tells what these words have more than was told. Nothing when they begin otherwise.
    fn go_on(&self, step: u32, words: &str, is_whole: bool) {
        let mut told = self.told();
        let more = words.strip_prefix(told.as_str()).unwrap_or_default();
        if !more.is_empty() {
            self.observer.event(&Event::AnswerDelta {
                step,
                text: more.to_owned(),
                is_whole,
            });
            told.push_str(more);
        }
    }

    /// Takes back what was told, which is not the answer.
    pub(super) fn take_back(&self, step: u32) {
        let mut told = self.told();
        if !told.is_empty() {
            told.clear();
            self.observer.event(&Event::AnswerVoided { step });
        }
    }

    /// Gives what listens to a tool whose result is the answer.
    pub(super) fn tool_listener(&self) -> ToolListener {
        ToolListener {
            telling: self.clone(),
            heard: Mutex::default(),
        }
    }

    /// Tells what was not told yet of the final answer.
    pub(super) fn settle(&self, step: u32, answer: &str) {
        let goes_on = answer.starts_with(self.told().as_str());
        if !goes_on {
            self.take_back(step);
        }
        self.go_on(step, answer, true);
    }
}

/// Listens to one reply for the answer in it.
pub(super) struct Listener {
    telling: Telling,
    steps: Steps,
    catalogue: Arc<Catalogue>,
    evidence: Evidence,
    unmarked: Unmarked,
    heard: Mutex<Heard>,
}

#[derive(Debug, Default)]
struct Heard {
    text: String,
    /// A sentence may have ended since the last look.
    pending: bool,
    /// The length from which on it is worth another look.
    next: usize,
    /// A piece did not fit any more: what follows it would be told without it.
    full: bool,
}

/// Listens to a tool whose pieces are the answer. They are few and bounded, so that it looks at each.
pub(super) struct ToolListener {
    telling: Telling,
    heard: Mutex<String>,
}

impl ToolListener {
    /// Takes the next piece of its result.
    pub(super) fn hear(&self, step: u32, piece: &str) {
        let mut heard = self.heard.lock();
        heard.push_str(piece);
        if heard.ends_with(STOPS) {
            return;
        }
        let mut words = speakable(&heard);
        // A blank behind a sentence ends it, though it is not spoken.
        words.extend(heard.ends_with(char::is_whitespace).then_some(' '));
        self.telling.go_on(step, whole_sentences(&words), false);
    }
}

impl Listener {
    /// Listens to a reply in a conversation of these steps. Nothing is told that the evidence speaks against.
    pub(super) fn new(
        telling: Telling,
        steps: &Steps,
        catalogue: &Arc<Catalogue>,
        evidence: Evidence,
        unmarked: Unmarked,
    ) -> Self {
        Self {
            telling,
            steps: steps.clone(),
            catalogue: Arc::clone(catalogue),
            evidence,
            unmarked,
            heard: Mutex::default(),
        }
    }

    /// Takes the next piece of the reply.
    pub(super) fn hear(&self, step: u32, piece: &str) {
        let mut heard = self.heard.lock();
        heard.full |= heard.text.len() + piece.len() > LONGEST;
        if heard.full {
            return;
        }
        heard.text.push_str(piece);
        heard.pending |= piece.contains(STOPS) || piece.contains(FULL_STOPS);
        // Whether a sentence has ended is seen by the next word, since blanks at an end are not spoken.
        let is_open = heard.text.trim_end().ends_with(STOPS);
        if !heard.pending || heard.text.len() < heard.next || is_open {
            return;
        }
        heard.next = heard.text.len() + heard.text.len() / GROWTH;
        heard.pending = false;
        if let Some(words) = self.answer_in(&heard.text) {
            self.tell(step, whole_sentences(&words));
        }
    }

    fn tell(&self, step: u32, sentences: &str) {
        if !sentences.is_empty() && !self.evidence.doubts(sentences) {
            self.telling
                .go_on(step, &self.evidence.unsurely(sentences), false);
        }
    }

    /// The reply begins anew.
    pub(super) fn restart(&self, step: u32) {
        *self.heard.lock() = Heard::default();
        self.telling.take_back(step);
    }

    /// The answer that the reply has begun, as it would be spoken. It may be the text of a JSON object that is still open.
    fn answer_in(&self, text: &str) -> Option<String> {
        let closed = || text.contains('{').then(|| format!("{text}\"}}"));
        self.decoded(text.to_owned()).or_else(|| self.decoded(closed()?))
    }

    fn decoded(&self, content: String) -> Option<String> {
        let reply = ChatReply::of_words(content);
        let decoded = self.steps.decode(&reply, self.catalogue.known());
        let Verdict::Answer { text, .. } = decoded.verdict else {
            return None;
        };
        let words = speakable(&text);
        let counts = decoded.marked
            || match self.unmarked {
                Unmarked::Always => true,
                Unmarked::WhenLong => words.chars().nth(LONGEST_ASIDE).is_some(),
                Unmarked::Never => false,
            };
        counts.then_some(words)
    }
}

/// The beginning of a text up to its last whole sentence before anything that what follows may change.
fn whole_sentences(text: &str) -> &str {
    let plain = text.find(OPEN).unwrap_or(text.len());
    let is_end = |(at, c): &(usize, char)| {
        let after = text.get(at + c.len_utf8()..).unwrap_or_default();
        let next = after.trim_start();
        let parts = next.len() < after.len() && !next.starts_with(char::is_lowercase);
        FULL_STOPS.contains(c) || STOPS.contains(c) && parts
    };
    let ends = text.char_indices().take_while(|(at, _)| *at < plain);
    let last = ends.filter(is_end).last();
    last.and_then(|(at, c)| text.get(..at + c.len_utf8()))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::whole_sentences;

    #[test]
    fn only_sentences_that_stay_are_told() {
        for (text, expected) in [
            ("It is 3.14 metres. And", "It is 3.14 metres."),
            ("It is 3.", ""),
            ("Well… no! Yes", "Well… no!"),
            ("It is approx. five. And", "It is approx. five."),
            ("It is approx. five", ""),
            ("Ja. Das ist **sehr. wichtig.** Ja.", "Ja."),
            ("はい。そう", "はい。"),
            ("Straße. İyi. Ende", "Straße. İyi."),
            ("One.\n\nTwo", "One."),
            ("", ""),
        ] {
            assert_eq!(whole_sentences(text), expected, "for {text:?}");
        }
    }
}
