//! What the device says itself, so that its own words are not taken for a person's when the microphone hears them. Compares
//! texts; hears nothing and silences nothing.

use std::collections::VecDeque;
use std::time::Duration;

use loquat_sentences::words::words;
use tokio::time::Instant;

/// Sentences that are kept; an answer is one.
const KEPT: usize = 8;

/// What nothing has spoken for so long is spoken no more.
const LONGEST: Duration = Duration::from_secs(300);

/// How long our own voice may still be heard after its end: what a loudspeaker has not played yet, and the echo of a room.
const FADING: Duration = Duration::from_millis(800);

/// How long another program's may still be heard, which may send it over a network.
const FADING_ELSEWHERE: Duration = Duration::from_millis(2_500);

/// A capture is told so much later than it begins.
pub(super) const TOLD_LATE: Duration = Duration::from_millis(300);

/// How alike two words are, of which whisper has written one: `kitchens` and `kitchen` are.
const ALIKE: f64 = 0.7;

/// What words of ours count, and what those do that are not: a text of which three words in four are ours, in our order, is
/// ours, and one that shares a name and an article is not.
const SHARED: f64 = 2.0;
const NOT_SHARED: f64 = -1.0;
const ENOUGH: f64 = 0.6;

/// The last words of a text that are looked at for a word that stops.
const ORDER: usize = 3;

/// What was said last, and whether it is still heard.
#[derive(Debug, Default)]
pub(super) struct OwnWords {
    said: VecDeque<(Vec<String>, Instant)>,
    /// Since when it is spoken.
    speaking_since: Option<Instant>,
    /// Whether our own voice speaks it, or did so last.
    here: bool,
    /// When that ended, and how long it fades.
    ended: Option<(Instant, Duration)>,
    /// Whether what is said is a question.
    is_question: bool,
    /// Whether the last capture may have heard us.
    overlaps: bool,
}

impl OwnWords {
    /// The device is to say this. It may go on with what was said last, of which only the beginning was known.
    pub(super) fn says(&mut self, text: &str, is_question: bool) {
        let words = plain(text);
        let goes_on = |(last, _): &mut (Vec<String>, Instant)| words.starts_with(last);
        if self.said.back_mut().is_some_and(goes_on) {
            self.said.pop_back();
        }
        if self.said.len() == KEPT {
            self.said.pop_front();
        }
        self.said.push_back((words, Instant::now()));
        self.is_question = is_question;
    }

    /// It is spoken from now on; `here` tells whether our own voice speaks it.
    pub(super) fn begins(&mut self, here: bool) {
        self.speaking_since = Some(Instant::now());
        self.here = here;
    }

    /// It is spoken no more; `here` tells whether our own voice has spoken it.
    pub(super) fn ends(&mut self, here: bool) {
        if self.speaking_since.take().is_some() {
            let fading = if here { FADING } else { FADING_ELSEWHERE };
            self.ended = Some((Instant::now(), fading));
        }
    }

    /// Tells whether it is spoken at present.
    pub(super) fn is_speaking(&self) -> bool {
        self.speaking_since.is_some_and(|since| since.elapsed() < LONGEST)
    }

    /// Tells whether our own voice speaks it, or did so last.
    pub(super) fn are_ours(&self) -> bool {
        self.here
    }

    /// Tells whether what is said, or was said last, is a question.
    pub(super) fn is_question(&self) -> bool {
        self.is_question
    }

    /// A capture has begun a moment ago.
    pub(super) fn capture_began(&mut self) {
        let fades = self
            .ended
            .is_some_and(|(at, fading)| at.elapsed() < fading + TOLD_LATE);
        self.overlaps = self.is_speaking() || fades;
    }

    /// Tells whether what was heard in that capture are words of ours, as whisper may have written them.
    pub(super) fn are_in(&self, heard: &str) -> bool {
        self.overlaps && self.repeats(&plain(heard))
    }

    /// Finds the order that the text is, with nothing but words of ours before or behind it. What we have
    /// said ourselves is none among them.
    pub(super) fn order_among(&self, heard: &str, is_order: impl Fn(&str) -> bool) -> Option<String> {
        let heard = plain(heard);
        let alone = heard.join(" ");
        if is_order(&alone) {
            return Some(alone);
        }
        let longest = ORDER.min(heard.len().saturating_sub(1));
        let mut lengths = (1..=longest).filter(|_| self.overlaps);
        lengths.find_map(|length| {
            let (before, last) = heard.split_at(heard.len() - length);
            let (first, behind) = heard.split_at(length);
            let mut parted = [(last, before), (first, behind)].into_iter();
            let found = parted.find(|(order, ours)| {
                is_order(&order.join(" ")) && self.repeats(ours) && !self.repeats(order)
            });
            found.map(|(order, _)| order.join(" "))
        })
    }

    fn repeats(&self, heard: &[String]) -> bool {
        let fresh = self.said.iter().filter(|(_, at)| at.elapsed() < LONGEST);
        let said: Vec<&str> = fresh.flat_map(|(text, _)| text).map(String::as_str).collect();
        !heard.is_empty() && share_of(heard, &said) >= ENOUGH
    }
}

fn plain(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| word.plain).collect()
}

/// Measures how much of what was heard is a piece of what was said, at most 1. All that was heard counts, wherever
/// in what was said it begins and ends.
fn share_of(heard: &[String], said: &[&str]) -> f64 {
    // The best that the words heard until now count, if the last of them stands where that word of what was said does.
    let mut best = vec![0.0_f64; said.len() + 1];
    for word in heard {
        let mut diagonal = best.first().copied().unwrap_or_default();
        let mut left = diagonal + NOT_SHARED;
        if let Some(first) = best.first_mut() {
            *first = left;
        }
        for (cell, ours) in best.iter_mut().skip(1).zip(said) {
            let is_alike = word == ours || strsim::normalized_levenshtein(word, ours) >= ALIKE;
            let step = diagonal + if is_alike { SHARED } else { NOT_SHARED };
            diagonal = *cell;
            *cell = step.max(diagonal + NOT_SHARED).max(left + NOT_SHARED);
            left = *cell;
        }
    }
    let most = best.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most / (SHARED * heard.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = "The kitchen lights are on, and the radio in the living room plays quietly. \
                          It will rain in Berlin until the evening.";

    fn speaking(text: &str) -> OwnWords {
        let mut own = OwnWords::default();
        own.says(text, false);
        own.begins(true);
        own.capture_began();
        own
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_is_told_as_it_is_written_is_one() {
        let mut own = OwnWords::default();
        own.says("One moment.", false);
        own.says("The kitchen lights are on,", false);
        own.says(ANSWER, false);
        assert_eq!(own.said.len(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn what_we_say_is_known_as_whisper_writes_it() {
        let own = speaking(ANSWER);
        for heard in [
            "The kitchen lights are on, and the radio in the living room plays quietly.",
            "and the radio in the living room",
            "the kitchen light are on and the radio",
            "It will rain in Berlin until evening",
            "radio and a living room plays quietly it will rain",
            "lights are",
            "Berlin.",
        ] {
            assert!(own.are_in(heard), "{heard}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_command_that_shares_words_with_it_is_a_command() {
        let own = speaking(ANSWER);
        for heard in [
            "turn off the kitchen lights",
            "turn off the radio in the kitchen",
            "what is the weather in Berlin",
            "will it rain tomorrow in Paris",
            "louder",
            "set a timer for ten minutes",
            "what time is it",
            "the kitchen lights are too bright turn them down",
        ] {
            assert!(!own.are_in(heard), "{heard}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_order_is_found_among_our_words() {
        let own = speaking(ANSWER);
        let is_order = |text: &str| ["stop", "be quiet"].contains(&text);
        for heard in [
            "Stop!",
            "Be quiet.",
            "the kitchen lights are on stop",
            "stop the radio in the living room plays quietly",
            "and the radio in the be quiet",
        ] {
            assert!(own.order_among(heard, is_order).is_some(), "{heard}");
        }
        let own_order = speaking("Say stop to end the alarm.");
        assert_eq!(own_order.order_among("say stop", is_order), None);
        for heard in [
            "the kitchen lights are on",
            "where does the bus stop",
            "stop the music in the bathroom",
            "do not stop",
        ] {
            assert_eq!(own.order_among(heard, is_order), None, "{heard}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn who_repeats_us_later_is_a_person() {
        let question = "Shall I turn off the kitchen lights?";
        let mut own = speaking(question);
        own.ends(true);
        own.capture_began();
        assert!(own.are_in("turn off the kitchen lights"), "it fades");
        tokio::time::advance(FADING + TOLD_LATE).await;
        own.capture_began();
        assert!(!own.are_in("turn off the kitchen lights"));
        let mut elsewhere = speaking(question);
        elsewhere.ends(false);
        tokio::time::advance(FADING + TOLD_LATE).await;
        elsewhere.capture_began();
        assert!(elsewhere.are_in("turn off the kitchen lights"), "over a network");
    }

    #[tokio::test(start_paused = true)]
    async fn a_voice_whose_end_was_not_told_is_over_some_day() {
        let mut own = speaking("Hello there.");
        assert!(own.is_speaking());
        tokio::time::advance(LONGEST).await;
        assert!(!own.is_speaking());
        own.capture_began();
        assert!(!own.are_in("hello there"));
    }
}
