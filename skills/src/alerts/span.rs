//! Spans of time as people say them: `an hour and a half`, `90 Sekunden`, `2 h 30 min`.
//!
//! Reads whole texts or nothing. Words that stand for an amount are in `amount.value`, the names of units in
//! `unit.value`.

use super::FOLDER;
use crate::dialog::Amount;
use crate::intent::InLanguage;
use crate::numbers::number;

/// The list of the units' names.
pub(super) const UNITS: &str = "unit";

/// The list of words that stand for an amount.
const AMOUNTS: &str = "amount.value";

/// The units by their names in the lists, the largest first.
const SECONDS: [(&str, f64); 5] = [
    ("weeks", 604_800.0),
    ("days", 86_400.0),
    ("hours", HOUR),
    ("minutes", MINUTE),
    ("seconds", 1.0),
];

/// What is written in every language.
const SIGNS: [(&str, f64); 7] = [
    ("h", HOUR),
    ("hr", HOUR),
    ("hrs", HOUR),
    ("min", MINUTE),
    ("mins", MINUTE),
    ("s", 1.0),
    ("sec", 1.0),
];

/// A text with more words is no span.
const MOST_WORDS: usize = 14;

/// A text with more bytes is none either, and is not looked at.
const MOST_BYTES: usize = 400;

const HOUR: f64 = 3600.0;

const MINUTE: f64 = 60.0;

/// The span in seconds, in the person's language or, as models write it, in English.
pub(crate) fn seconds(said: &str, spoken: &InLanguage<'_>) -> Option<f64> {
    let english = InLanguage {
        lang: "en-us",
        locales: spoken.locales,
        said,
        home: None,
    };
    read(said, spoken).or_else(|| read(said, &english))
}

fn read(said: &str, spoken: &InLanguage<'_>) -> Option<f64> {
    if said.len() > MOST_BYTES {
        return None;
    }
    let text = with_amounts(&apart(&said.to_lowercase()), spoken);
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() > MOST_WORDS {
        return None;
    }
    let mut sum = Sum::default();
    for (place, word) in words.iter().enumerate() {
        sum.add(word, words.get(place + 1).copied(), spoken)?;
    }
    sum.total(spoken)
}

/// What has been read of a span.
#[derive(Debug, Default)]
struct Sum<'a> {
    seconds: f64,
    /// The seconds of the last unit.
    unit: Option<f64>,
    /// The words of a number whose unit is still to come.
    number: Vec<&'a str>,
    /// What was said after these words: a half of the same unit.
    fraction: f64,
}

impl<'a> Sum<'a> {
    fn add(&mut self, word: &'a str, next: Option<&str>, spoken: &InLanguage<'_>) -> Option<()> {
        if let Some(seconds) = unit(word, spoken) {
            // "hora y media" is one and a half.
            let is_one = self.number.is_empty() && next.is_some_and(|next| next.starts_with('+'));
            let number = if is_one { 1.0 } else { self.number(spoken)? };
            self.seconds += (number + self.fraction) * seconds;
            self.unit = Some(seconds);
            self.number.clear();
            self.fraction = 0.0;
            return Some(());
        }
        let Some(part) = word.strip_prefix('+') else {
            self.number.push(word);
            return Some(());
        };
        let part: f64 = part.parse().ok()?;
        let is_before_unit = next.is_some_and(|next| unit(next, spoken).is_some());
        match self.unit {
            // "an hour and a half", and not "an hour and half a minute".
            Some(seconds) if self.number.is_empty() && !is_before_unit => self.seconds += part * seconds,
            _ => self.fraction += part,
        }
        Some(())
    }

    /// The number that was said before a unit.
    fn number(&self, spoken: &InLanguage<'_>) -> Option<f64> {
        let is_and = |word: &&str| joint(spoken).any(|and| and == *word) || *word == "and";
        let words = self.number.split_first().filter(|(first, _)| is_and(first));
        let words = words.map_or(self.number.as_slice(), |(_, others)| others);
        match words {
            [] if self.fraction > 0.0 => Some(0.0),
            [figures] if figures.parse::<f64>().is_ok_and(f64::is_finite) => figures.parse().ok(),
            // The article of "a hundred".
            ["1", others @ ..] => number(&others.join(" "), spoken.lang),
            others => number(&others.join(" "), spoken.lang),
        }
    }

    /// A number that is left at the end counts the next smaller unit: "an hour thirty".
    fn total(self, spoken: &InLanguage<'_>) -> Option<f64> {
        let rest = match (self.number.is_empty(), self.unit) {
            (true, _) => 0.0,
            (false, Some(unit)) if unit == HOUR || unit == MINUTE => {
                self.number(spoken).filter(|number| *number < 60.0)? * unit / 60.0
            }
            (false, _) => return None,
        };
        let seconds = self.seconds + rest;
        (self.fraction == 0.0 && seconds > 0.0).then_some(seconds)
    }
}

/// The word between the last two of several.
fn joint<'a>(spoken: &InLanguage<'a>) -> impl Iterator<Item = &'a str> + use<'a> {
    let words = spoken.locales.values(FOLDER, spoken.lang, "joint.value");
    words.map(|(_, word)| word.trim())
}

/// `90s`, `2h30` and `10-minute` with their figures and words apart.
fn apart(text: &str) -> String {
    let mut spaced = String::new();
    for letter in text.chars() {
        let after_figure = spaced.ends_with(|c: char| c.is_ascii_digit());
        let after_letter = spaced.ends_with(char::is_alphabetic);
        if after_figure && letter.is_alphabetic() || after_letter && letter.is_ascii_digit() {
            spaced.push(' ');
        }
        let is_joint = letter == '-' || letter == '\'' || letter == '\u{2019}';
        spaced.push(if is_joint { ' ' } else { letter });
    }
    spaced
}

/// Puts figures in the place of words that stand for an amount, the longer ones first; `+0.5` stands for "and a half".
fn with_amounts(text: &str, spoken: &InLanguage<'_>) -> String {
    let listed = spoken.locales.values(FOLDER, spoken.lang, AMOUNTS);
    let mut amounts: Vec<(&str, &str)> = listed.collect();
    amounts.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
    let padded = format!(" {} ", text.trim());
    let replaced = amounts.iter().fold(padded, |text, (words, amount)| {
        text.replace(&format!(" {} ", words.trim()), &format!(" {} ", amount.trim()))
    });
    replaced.trim().to_owned()
}

fn unit(word: &str, spoken: &InLanguage<'_>) -> Option<f64> {
    if let Some((_, seconds)) = SIGNS.iter().find(|(sign, _)| *sign == word) {
        return Some(*seconds);
    }
    let folded = crate::folded(word);
    let mut units = spoken.locales.values(FOLDER, spoken.lang, "unit.value");
    let (name, _) = units.find(|(_, forms)| forms.split('|').any(|form| crate::folded(form) == folded))?;
    let (_, seconds) = SECONDS.iter().find(|(known, _)| *known == name.trim())?;
    Some(*seconds)
}

/// The span as it is told, in at most two units.
pub(super) fn told(seconds: f64) -> Vec<Amount> {
    let mut rest = seconds.round();
    let mut amounts = Vec::new();
    for (name, length) in SECONDS {
        let count = (rest / length).floor();
        if count >= 1.0 && amounts.len() < 2 {
            amounts.push(Amount::of(count, UNITS, name));
            rest -= count * length;
        } else if !amounts.is_empty() {
            break;
        }
    }
    if amounts.is_empty() {
        amounts.push(Amount::of(0.0, UNITS, "seconds"));
    }
    amounts
}

#[cfg(test)]
mod tests;
