//! What of an answer has really been heard: which sentences, and how far. For those who have to know where a person
//! interrupted; it stays known until the next answer is spoken.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use loquat_speech::playback::Hearing;
use loquat_wire::Message;
use parking_lot::Mutex;

use super::script::Script;

/// How much was heard of the answer that is being spoken, or was spoken last. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct HeardSoFar(Arc<Mutex<Option<Delivery>>>);

/// Says how much of an answer a person has heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    /// The whole answer, as it was to be spoken.
    pub utterance: String,
    /// The utterance that it answers, where a frame named it.
    pub utterance_id: Option<String>,
    /// The number of its sentences that were heard whole.
    pub sentences: usize,
    /// It has so many sentences.
    pub of: usize,
    /// The number of bytes of `utterance` that were heard; it ends behind a word. Within a sentence it is estimated
    /// by time.
    pub bytes: usize,
    /// Says whether no sentence is added any more.
    pub is_whole: bool,
}

impl Heard {
    /// Gives the words that were heard.
    pub fn text(&self) -> &str {
        self.utterance.get(..self.bytes).unwrap_or_default()
    }

    /// Tells whether all of it was.
    pub fn is_all(&self) -> bool {
        self.is_whole && self.sentences == self.of
    }
}

#[derive(Debug)]
struct Delivery {
    utterance: String,
    utterance_id: Option<String>,
    sentences: Vec<Sentence>,
    is_whole: bool,
    /// Follows what the loudspeaker has played, from the first sound on.
    hearing: Option<Hearing>,
}

#[derive(Debug)]
struct Sentence {
    /// The bytes of the answer that this sentence covers.
    bytes: Range<usize>,
    /// The part of the sound that it is, as far as it was made.
    sound: Range<Duration>,
    is_made: bool,
}

impl HeardSoFar {
    /// Gives the state at this moment; absent where nothing was spoken yet.
    pub fn now(&self) -> Option<Heard> {
        self.0.lock().as_ref().map(Delivery::heard)
    }

    /// Another answer is spoken.
    pub(super) fn begin(&self, cause: &Message) {
        *self.0.lock() = Some(Delivery {
            utterance: String::new(),
            utterance_id: cause.context.utterance_id().map(str::to_owned),
            sentences: Vec::new(),
            is_whole: false,
            hearing: None,
        });
    }

    /// It is written so far, and has these sentences more.
    pub(super) fn goes_on(&self, script: &Script, sentences: &[&str]) {
        let begin = script.text.as_ptr() as usize;
        let sentence = |text: &&str| {
            let from = text.as_ptr() as usize - begin;
            Sentence {
                bytes: from..from + text.len(),
                sound: Duration::ZERO..Duration::ZERO,
                is_made: false,
            }
        };
        if let Some(delivery) = &mut *self.0.lock() {
            delivery.utterance.clone_from(&script.text);
            delivery.is_whole = script.is_whole;
            delivery.sentences.extend(sentences.iter().map(sentence));
        }
    }

    pub(super) fn sounds(&self, hearing: Hearing) {
        if let Some(delivery) = &mut *self.0.lock() {
            delivery.hearing = Some(hearing);
        }
    }

    /// This much sound of the sentence was given to the loudspeaker.
    pub(super) fn made(&self, at: usize, sound: Range<Duration>, is_made: bool) {
        let mut delivery = self.0.lock();
        let sentences = delivery.as_mut().map(|delivery| &mut delivery.sentences);
        if let Some(sentence) = sentences.and_then(|sentences| sentences.get_mut(at)) {
            (sentence.sound, sentence.is_made) = (sound, is_made);
        }
    }
}

impl Delivery {
    fn heard(&self) -> Heard {
        let heard = self.hearing.as_ref().map(Hearing::so_far).unwrap_or_default();
        let is_whole = |sentence: &&Sentence| sentence.is_made && sentence.sound.end <= heard;
        let whole = self.sentences.iter().take_while(is_whole).count();
        let before = whole
            .checked_sub(1)
            .and_then(|last| self.sentences.get(last))
            .map_or(0, |sentence| sentence.bytes.end);
        let bytes = self
            .sentences
            .get(whole)
            .and_then(|sentence| sentence.heard(&self.utterance, heard))
            .unwrap_or(before);
        Heard {
            utterance: self.utterance.clone(),
            utterance_id: self.utterance_id.clone(),
            sentences: whole,
            of: self.sentences.len(),
            bytes,
            is_whole: self.is_whole,
        }
    }
}

impl Sentence {
    /// Finds the end of its last word that was heard, if one was.
    fn heard(&self, utterance: &str, heard: Duration) -> Option<usize> {
        let part = heard.checked_sub(self.sound.start)?.as_secs_f64();
        let all = self.sound.end.saturating_sub(self.sound.start).as_secs_f64();
        let length = (part / all.max(f64::EPSILON)).min(1.0) * self.bytes.len() as f64;
        let text = utterance.get(self.bytes.clone())?;
        let reached = super::sentences::beginning(text, length as usize);
        let words = reached.rfind(char::is_whitespace)?;
        Some(self.bytes.start + reached.get(..words)?.trim_end().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = "One two three. Four five six.";

    fn delivery(made: &[(u64, u64)]) -> Delivery {
        let sentence = |bytes: Range<usize>, made: Option<&(u64, u64)>| Sentence {
            bytes,
            sound: made.map_or(Duration::ZERO..Duration::ZERO, |(from, to)| {
                Duration::from_secs(*from)..Duration::from_secs(*to)
            }),
            is_made: made.is_some(),
        };
        Delivery {
            utterance: ANSWER.into(),
            utterance_id: None,
            sentences: vec![sentence(0..14, made.first()), sentence(15..29, made.get(1))],
            is_whole: true,
            hearing: None,
        }
    }

    #[test]
    fn within_a_sentence_words_are_counted_by_time() {
        let delivery = delivery(&[(0, 2), (2, 4)]);
        let second = &delivery.sentences[1];
        let at = |seconds: f64| {
            let end = second.heard(ANSWER, Duration::from_secs_f64(seconds));
            end.map(|end| &ANSWER[..end])
        };
        assert_eq!(at(1.0), None);
        assert_eq!(at(2.5), None, "a word that was cut is none");
        assert_eq!(at(3.0), Some("One two three. Four"));
        assert_eq!(at(3.9), Some("One two three. Four five"));
    }

    #[test]
    fn nothing_was_heard_before_the_first_sound() {
        let heard = delivery(&[]).heard();
        assert_eq!((heard.text(), heard.sentences, heard.of), ("", 0, 2));
        assert!(!heard.is_all());
    }

    #[test]
    fn sentences_are_found_again_in_their_answer() {
        let so_far = HeardSoFar::default();
        assert_eq!(so_far.now(), None);
        let cause = Message::new("speak", serde_json::json!({}));
        so_far.begin(&cause);
        let script = Script::whole(ANSWER.to_owned());
        let sentences = crate::sentences::sentences(&script.text, "en");
        so_far.goes_on(&script, &sentences);
        let delivery = so_far.0.lock();
        let places: Vec<_> = delivery
            .as_ref()
            .unwrap()
            .sentences
            .iter()
            .map(|s| s.bytes.clone())
            .collect();
        assert_eq!(places, [0..14, 15..29]);
    }
}
