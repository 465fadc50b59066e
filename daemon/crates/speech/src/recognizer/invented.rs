//! Tells what was said from what whisper makes up when there is silence, noise or music. Pure text work.
//!
//! Whisper learnt from subtitles. Where there is no speech it writes what subtitles have there: a remark in brackets,
//! thanks to the viewers, the names of those who made them, or one word over and over.

mod phrases;
mod template;
#[cfg(test)]
mod tests;

use crate::completeness;
use crate::names;

/// Below this confidence a text is a guess, and no guess is put on the bus.
const FLOOR: f32 = 0.3;

/// From this confidence on, a phrase that whisper likes to invent is taken as said.
const CERTAIN: f32 = 0.75;

/// No person speaks more words than this in a second.
const QUICKEST: f32 = 8.0;

/// This many words always have the time to be said.
const FEW_WORDS: usize = 5;

/// Words that come this often in a row are a loop; a person counts or insists less than that.
const LOOP: usize = 5;

/// A person says one word twice in a row, and seldom as many as these.
const FEW_DOUBLED: usize = 2;

/// Words of the longest phrase that is looked at as the body of a loop.
const LONGEST_LOOPED: usize = 12;

/// The decoder's word about its own text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Evidence {
    /// Geometric mean of the tokens' probabilities.
    pub(super) confidence: f32,
    /// Whisper's own probability that there was no speech. It is next to nothing with the cut window, so only a high
    /// one says something.
    pub(super) no_speech: f32,
    /// The duration of the sound.
    pub(super) seconds: f32,
}

/// Gives what was really said, trimmed, without remarks in brackets. `None` when nothing was.
pub(super) fn spoken(text: &str, evidence: Evidence) -> Option<String> {
    let whole = without_remarks(text);
    let text = phrases::without_videos(&whole);
    let words = words(text);
    let doubtful = evidence.confidence < CERTAIN || evidence.no_speech > 0.5;
    let invented = words.is_empty()
        || evidence.confidence < FLOOR
        || too_quick(words.len(), evidence.seconds)
        || loops(&words)
        || phrases::is_made_up(&whole)
        || phrases::is_made_up(text)
        || (doubtful && phrases::is_polite(text));
    (!invented).then(|| text.to_owned())
}

/// Tells whether this text that a recogniser elsewhere heard is one that recognisers make up, so that no person has
/// said anything.
pub(super) fn is_made_up(text: &str) -> bool {
    let text = without_remarks(text);
    words(&text).is_empty() || loops(&words(&text)) || phrases::is_made_up(&text)
}

/// Tells whether the text says the same over and over, as whisper does when its window is too short.
pub(super) fn repeats(text: &str) -> bool {
    let signs: String = text.chars().filter(|sign| !sign.is_whitespace()).collect();
    // Words may be none at all: one bracket a hundred times.
    loops(&words(text)) || longest_run(&signs) > 10
}

/// Tells whether the text ends in several words that it says twice in a row, as whisper does when its window ends in silence.
pub(super) fn doubles(text: &str) -> bool {
    let words = words(text);
    let ends_doubled = |length: &usize| {
        let mut backwards = words.rchunks_exact(*length);
        backwards.next() == backwards.next()
    };
    (FEW_DOUBLED..=words.len() / 2).any(|length| ends_doubled(&length))
}

/// Gives a text that says its end over and over with that end once, as whisper writes it in a window that is wide enough. `None`
/// where it says nothing over, and where a person may have done so: numbers are dictated like that.
pub(super) fn once(text: &str, lang: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let kept = (1..=words.len() / 2).filter_map(|length| said_first(&words, length, lang));
    let kept = words.get(..kept.min()?)?;
    Some(kept.join(" "))
}

/// Counts the words up to the end of the first one of the phrases of this length that are said until the text ends.
fn said_first(words: &[&str], length: usize, lang: &str) -> Option<usize> {
    let letters: Vec<String> = words.iter().map(|word| names::letters(word)).collect();
    let pairs = letters.iter().rev().zip(letters.iter().rev().skip(length));
    // Whisper is stopped wherever it is, be it within a word.
    let is_over = |(back, (word, before)): &(usize, (&String, &String))| {
        word == before || (*back == 0 && before.starts_with(word.as_str()))
    };
    let over = pairs.enumerate().take_while(is_over).count();
    let least = if length < FEW_DOUBLED { LOOP - 1 } else { length };
    let kept = words.len() - over;
    let phrase = words.get(kept.checked_sub(length)?..kept)?;
    // A person says a name twice within a sentence: "New York, New York." Whisper says over what it has ended.
    let last = phrase.last()?;
    let is_loop = over >= length * (LOOP - 1) && (over.is_multiple_of(length) || last.ends_with(','));
    let is_phrase = is_loop || last.ends_with(['.', '?', '!']);
    (over >= least && is_phrase && !completeness::is_number(&phrase.join(" "), lang)).then_some(kept)
}

fn too_quick(words: usize, seconds: f32) -> bool {
    words > FEW_WORDS && words as f32 > seconds * QUICKEST
}

/// Cuts a text into lower-case words of letters and digits. Everything else is between words.
fn words(text: &str) -> Vec<String> {
    text.split(|sign: char| !sign.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn loops(words: &[String]) -> bool {
    (1..=LONGEST_LOOPED.min(words.len() / LOOP)).any(|length| {
        // A run of equal words at this distance is so many repetitions of one phrase.
        let same = words
            .iter()
            .zip(words.iter().skip(length))
            .map(|(word, next)| word == next);
        let mut run = 0;
        same.into_iter().any(|equal| {
            run = if equal { run + 1 } else { 0 };
            run >= length * (LOOP - 1)
        })
    })
}

fn longest_run(text: &str) -> usize {
    let (mut longest, mut run, mut last) = (0, 0, None);
    for sign in text.chars() {
        run = if last == Some(sign) { run + 1 } else { 1 };
        (longest, last) = (longest.max(run), Some(sign));
    }
    longest
}

/// Takes out what is in brackets, between asterisks or between notes, also when it is not closed.
fn without_remarks(text: &str) -> String {
    let mut kept = String::new();
    let mut closing: Option<char> = None;
    for sign in text.chars() {
        match closing {
            Some(closed_by) if sign == closed_by => closing = None,
            Some(_) => {}
            None => match sign {
                '(' => closing = Some(')'),
                '[' => closing = Some(']'),
                '{' => closing = Some('}'),
                '（' => closing = Some('）'),
                '【' => closing = Some('】'),
                '*' | '♪' | '♫' => closing = Some(sign),
                _ => kept.push(sign),
            },
        }
    }
    let kept = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    // Marks of a change of speaker.
    kept.trim_start_matches([' ', '-', '–', '>']).to_owned()
}
