//! Times and numbers of a sentence in which another says again what a person said: put back as the person said them. Reads both
//! texts and understands neither.

use std::ops::Range;

use super::Calendar;
use crate::reading::{Reading, When};

/// A time or number of a text.
struct Quoted<'t> {
    reading: Reading,
    range: Range<usize>,
    text: &'t str,
}

/// A sentence with the times and numbers that were said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AsSaid {
    /// The sentence.
    pub sentence: String,
    /// The sentence with the time from now that was said and that it lacks. A fan that is to stop in half an hour does not stop now.
    pub delayed: Option<String>,
    /// Whether a day was added that may belong to something else, or a time from now is lost that may belong to it.
    pub is_doubtful: bool,
}

impl Calendar {
    /// The sentence with each time and number whole that it has only a part of: "change it to eight" for "twenty past eight will do", and
    /// with the day of its time where the person named one. What was said in other words, or not at all, is left as it is.
    pub fn as_said(&self, sentence: &str, said: &str) -> AsSaid {
        let said = self.quoted(said);
        let mut whole = sentence.to_owned();
        for own in self.quoted(sentence).iter().rev() {
            if let Some(wanted) = whole_of(own, &said) {
                whole.replace_range(own.range.clone(), self.beginning_like(own, wanted));
            }
        }
        let with_day = self.with_day(&whole, &said);
        let lost = self.lost_delays(&whole, &said);
        AsSaid {
            is_doubtful: with_day.is_some() || !lost.is_empty(),
            delayed: only(lost.into_iter()).map(|delay| format!("{whole} {}", delay.text)),
            sentence: with_day.unwrap_or(whole),
        }
    }

    /// The times from now that were said, where the sentence has no time at all.
    fn lost_delays<'q, 't>(&self, sentence: &str, said: &'q [Quoted<'t>]) -> Vec<&'q Quoted<'t>> {
        let has_time = !self.quoted(sentence).iter().all(Quoted::is_number);
        let delays = said.iter().filter(|quoted| quoted.is_delay() && !has_time);
        delays.collect()
    }

    /// The words of a time or number, without a first one that means nothing there and that the other does not have: "at".
    fn beginning_like<'t>(&self, own: &Quoted<'_>, wanted: &Quoted<'t>) -> &'t str {
        let Some((first, rest)) = wanted.text.split_once(' ') else {
            return wanted.text;
        };
        let is_shared = words(own.text).first() == words(first).first();
        let is_same = self
            .quoted(rest)
            .first()
            .is_some_and(|bare| bare.text.len() == rest.len() && bare.reading == wanted.reading);
        if is_same && !is_shared { rest } else { wanted.text }
    }

    fn quoted<'t>(&self, text: &'t str) -> Vec<Quoted<'t>> {
        let found = self.reader(&self.lang).find_in(text).into_iter();
        let quoted = found.filter_map(|(reading, range)| {
            Some(Quoted {
                reading,
                text: text.get(range.clone())?,
                range,
            })
        });
        quoted.collect()
    }

    /// With the only day that was said and is still to come, where the sentence has one time of day and no day.
    fn with_day(&self, sentence: &str, said: &[Quoted<'_>]) -> Option<String> {
        let own = self.quoted(sentence);
        let time = only(own.iter().filter(|quoted| quoted.has_clock()))?;
        let day = only(said.iter().filter(|quoted| quoted.is_day()))?;
        let is_one_time = said.iter().filter(|quoted| quoted.has_clock()).count() <= 1;
        if !is_one_time || own.iter().any(Quoted::tells_days) || self.is_past(day) {
            return None;
        }
        let (before, behind) = sentence.split_at_checked(time.range.end)?;
        Some(format!("{before} {}{behind}", day.text))
    }

    fn is_past(&self, quoted: &Quoted<'_>) -> bool {
        let day = quoted.when().and_then(|when| when.day);
        day.is_some_and(|day| day.date <= self.now.date())
    }
}

/// The only one of these.
fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let one = all.next()?;
    all.next().is_none().then_some(one)
}

impl Quoted<'_> {
    fn when(&self) -> Option<&When> {
        match &self.reading {
            Reading::When(when) => Some(when),
            _ => None,
        }
    }

    fn has_clock(&self) -> bool {
        self.when().is_some_and(|when| when.has_clock)
    }

    fn is_day(&self) -> bool {
        self.when().is_some_and(|when| when.is_day() || when.is_repeat())
    }

    fn tells_days(&self) -> bool {
        self.when()
            .is_some_and(|when| when.day.is_some() || when.repeat.is_some() || when.ahead.is_some())
    }

    fn is_delay(&self) -> bool {
        let ahead = self.when().and_then(|when| when.ahead);
        ahead.is_some_and(|ahead| !ahead.is_of_days())
    }

    fn is_number(&self) -> bool {
        matches!(self.reading, Reading::Number(_))
    }

    /// Whether the other is this and more: all of its words in a row, perhaps but for the first ("at"), or its time of day and a day.
    fn is_part_of(&self, other: &Self) -> bool {
        let kinds = (self.has_clock() || self.is_number()) && (other.has_clock() || other.is_number());
        let [own, others] = [self.text, other.text].map(words);
        let is_within = is_run(&own, &others) || own.get(1..).is_some_and(|bare| is_run(bare, &others));
        kinds && (is_within || self.is_time_of(other))
    }

    fn is_time_of(&self, other: &Self) -> bool {
        let (Some(own), Some(other)) = (self.when(), other.when()) else {
            return false;
        };
        let time = |when: &When| when.hour.map(|hour| hour.time);
        own.is_time() && other.day.is_some() && own.hour.is_some() && time(own) == time(other)
    }

    fn is_same(&self, other: &Self) -> bool {
        self.reading == other.reading || words(self.text) == words(other.text)
    }
}

/// The only one of these that this is a part of; nothing where it was said as it is.
fn whole_of<'q, 't>(own: &Quoted<'_>, said: &'q [Quoted<'t>]) -> Option<&'q Quoted<'t>> {
    if said.iter().any(|said| own.is_same(said)) {
        return None;
    }
    only(said.iter().filter(|said| own.is_part_of(said)))
}

fn is_run(words: &[String], whole: &[String]) -> bool {
    let is_shorter = !words.is_empty() && words.len() < whole.len();
    is_shorter && whole.windows(words.len()).any(|run| run == words)
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lang: &str, cases: &[(&str, &str, &str)]) {
        let calendar = Calendar::spoken(lang);
        for (said, sentence, expected) in cases {
            assert_eq!(calendar.as_said(sentence, said).sentence, *expected, "{said}");
        }
    }

    #[test]
    fn a_part_of_a_time_or_number_becomes_the_whole() {
        check(
            "en-US",
            &[
                (
                    "the doctor can see me at ten to four instead",
                    "change the reminder to four",
                    "change the reminder to ten to four",
                ),
                (
                    "let it ring at a quarter past nine then",
                    "change the alarm to nine",
                    "change the alarm to a quarter past nine",
                ),
                (
                    "let it ring at a quarter past nine then",
                    "wake me at nine",
                    "wake me at a quarter past nine",
                ),
                (
                    "I want two hundred and fifty of it in ounces",
                    "what is fifty grams in ounces",
                    "what is two hundred and fifty grams in ounces",
                ),
                (
                    "nudge me about the bins tomorrow at six in the evening",
                    "remind me to do the bins at six in the evening",
                    "remind me to do the bins tomorrow at six in the evening",
                ),
                (
                    "nudge me about the bins tomorrow at six in the evening",
                    "remind me to do the bins at 6 pm",
                    "remind me to do the bins tomorrow at six in the evening",
                ),
            ],
        );
    }

    #[test]
    fn the_day_that_was_said_goes_with_the_time() {
        check(
            "en-US",
            &[
                (
                    "on Friday the ferry leaves early, get me up at 4:30",
                    "wake me at 4:30",
                    "wake me at 4:30 on Friday",
                ),
                (
                    "on Friday at five or on Saturday at seven",
                    "wake me at 5",
                    "wake me Friday at five",
                ),
                (
                    "every Monday it is my turn, poke me at 6 pm",
                    "remind me to do it at 6 pm",
                    "remind me to do it at 6 pm every Monday",
                ),
            ],
        );
    }

    #[test]
    fn a_day_that_was_added_and_a_delay_that_is_lost_are_doubtful() {
        let calendar = Calendar::spoken("en-US");
        for (said, sentence, is_doubtful) in [
            (
                "on Friday the ferry leaves early, get me up at 4:30",
                "wake me at 4:30",
                true,
            ),
            (
                "yesterday I overslept, get me up at 4:30",
                "wake me at 4:30",
                false,
            ),
            ("today was long, get me up at 4:30", "wake me at 4:30", false),
            (
                "the heater may go off in ten minutes",
                "turn off the heater",
                true,
            ),
            (
                "the heater may go off in ten minutes",
                "turn off the heater in ten minutes",
                false,
            ),
            (
                "I waited ten minutes, now turn it off",
                "turn off the heater",
                false,
            ),
        ] {
            assert_eq!(
                calendar.as_said(sentence, said).is_doubtful,
                is_doubtful,
                "{said}"
            );
        }
    }

    #[test]
    fn a_delay_that_is_lost_may_stand_behind_the_sentence() {
        let calendar = Calendar::spoken("en-US");
        let delayed = |sentence, said| calendar.as_said(sentence, said).delayed;
        let heater = "turn off the heater";
        assert_eq!(
            delayed(heater, "in ten minutes the heater may go off").as_deref(),
            Some("turn off the heater in ten minutes")
        );
        let none = [
            "the heater may go off",
            "it may go off in ten minutes, or in twenty minutes",
            "I waited ten minutes, now turn it off",
        ];
        assert!(none.iter().all(|said| delayed(heater, said).is_none()));
    }

    #[test]
    fn what_was_said_so_is_left() {
        let unchanged = [
            (
                "I get up at six, the bus goes at twenty past seven",
                "wake me at six",
            ),
            ("on Friday or on Saturday I get up at seven", "wake me at seven"),
            (
                "seven will do, not twenty past seven",
                "change the alarm to seven",
            ),
            ("the pie needs twenty", "set a pie timer for 20 minutes"),
            ("dim it to 20 for 20 minutes", "dim the lamp to 20 percent"),
            ("make that half an hour", "set a timer for half an hour"),
            ("nothing of the kind", "wake me at 8"),
        ];
        let cases = unchanged.map(|(said, sentence)| (said, sentence, sentence));
        check("en-US", &cases);
    }
}
