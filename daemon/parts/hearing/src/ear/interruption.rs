//! What is made of words that were said unasked while the device spoke. Nothing of them was told until it is known that they
//! were meant for the device: a cough, an "mhm" and a television are none of its business.

use loquat_phrases::Phrases;
use loquat_phrases::assent::Reply;
use loquat_speech::Transcript;

use super::own_words::OwnWords;

/// What says less is an interjection, unless it is an order or an answer.
const FEWEST_WORDS: usize = 3;

/// How sure whisper must be of what it heard behind a voice.
const SURE: f32 = 0.6;

/// What the words are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Interruption {
    /// A word that stops, perhaps among words of ours: what is to be heard of it.
    Stop(String),
    /// Words to the device like any others.
    Utterance,
    /// Words of ours, or none that mean anything.
    Nothing,
}

/// Finds the word that stops, perhaps among words of ours.
pub(super) fn order(text: &str, lang: &str, own: &OwnWords) -> Option<String> {
    let phrases = Phrases::of(lang);
    own.order_among(text, |order| phrases.orders.stops(order))
}

/// Looks at what was heard while those words of ours were spoken. Where a wake word is needed for anything else, nothing but a
/// word that stops counts.
pub(super) fn read(heard: &Transcript, own: &OwnWords, needs_word: bool) -> Interruption {
    let phrases = Phrases::of(&heard.lang);
    let text = heard.text.as_str();
    if let Some(order) = order(text, &heard.lang, own) {
        return Interruption::Stop(order);
    }
    if needs_word || own.are_in(text) {
        return Interruption::Nothing;
    }
    let is_answer = own.is_question() && matches!(phrases.reply(text, &[]), Reply::Yes | Reply::No);
    let is_sentence = text.split_whitespace().count() >= FEWEST_WORDS && heard.confidence >= SURE;
    if is_answer || is_sentence {
        Interruption::Utterance
    } else {
        Interruption::Nothing
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn heard(text: &str, confidence: f32) -> Transcript {
        Transcript {
            text: text.to_owned(),
            alternatives: Vec::new(),
            lang: "en".to_owned(),
            confidence,
            open_end: 0.0,
            elapsed: Duration::ZERO,
        }
    }

    fn spoken(text: &str, is_question: bool) -> OwnWords {
        let mut own = OwnWords::default();
        own.says(text, is_question);
        own.begins(true);
        own.capture_began();
        own
    }

    #[tokio::test(start_paused = true)]
    async fn words_that_stop_do_so_in_six_languages() {
        let own = spoken("The kitchen lights are on.", false);
        for (lang, word) in [
            ("en-US", "Stop!"),
            ("de-DE", "Stopp."),
            ("es-ES", "Para."),
            ("fr-FR", "Arrête."),
            ("it-IT", "Basta."),
            ("pt-PT", "Para."),
        ] {
            let said = Transcript {
                lang: lang.to_owned(),
                ..heard(word, 0.3)
            };
            for needs_word in [false, true] {
                let found = read(&said, &own, needs_word);
                assert!(matches!(found, Interruption::Stop(_)), "{lang}: {found:?}");
            }
        }
        assert_eq!(
            read(&heard("kitchen lights are on stop", 0.8), &own, false),
            Interruption::Stop("stop".to_owned())
        );
    }

    #[tokio::test(start_paused = true)]
    async fn an_interjection_is_nothing_and_a_sentence_is_one() {
        let own = spoken("The kitchen lights are on.", false);
        for (text, confidence) in [
            ("Mm-hmm.", 0.9),
            ("Oh really", 0.9),
            ("Yes.", 0.9),
            ("I think she will not", 0.4),
        ] {
            assert_eq!(
                read(&heard(text, confidence), &own, false),
                Interruption::Nothing,
                "{text}"
            );
        }
        let sentence = heard("What time is it?", 0.8);
        assert_eq!(read(&sentence, &own, false), Interruption::Utterance);
        let ours = heard("Kitchen lights are on.", 0.9);
        assert_eq!(read(&ours, &own, false), Interruption::Nothing);
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_need_not_wait_for_the_end_of_the_question() {
        let own = spoken("Shall I unlock the front door?", true);
        assert_eq!(read(&heard("Yes.", 0.5), &own, false), Interruption::Utterance);
        assert_eq!(read(&heard("No!", 0.5), &own, false), Interruption::Utterance);
        assert_eq!(read(&heard("Mm-hmm.", 0.9), &own, false), Interruption::Nothing);
    }

    #[tokio::test(start_paused = true)]
    async fn where_a_wake_word_is_needed_nothing_but_a_word_that_stops_counts() {
        let own = spoken("Shall I unlock the front door?", true);
        for text in ["What time is it in Tokyo?", "Yes.", "Unlock the front door."] {
            assert_eq!(
                read(&heard(text, 0.9), &own, true),
                Interruption::Nothing,
                "{text}"
            );
        }
        assert_eq!(
            read(&heard("Stop!", 0.5), &own, true),
            Interruption::Stop("stop".to_owned())
        );
    }
}
