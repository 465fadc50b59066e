//! Spans of time as people say them: `an hour and a half`, `90 Sekunden`, `2 h 30 min`.
//!
//! Reads whole texts or nothing. Words that stand for an amount are in `amount.value`, the names of units in
//! `unit.value`.

use super::FOLDER;
use crate::dialog::Amount;
use crate::intent::InLanguage;
use crate::numbers::with_figures;

/// The list of the units' names.
pub(super) const UNITS: &str = "unit";

/// The list of words that stand for an amount.
const AMOUNTS: &str = "amount.value";

/// The units by their names in the lists, the largest first.
const SECONDS: [(&str, f64); 5] = [
    ("weeks", 604_800.0),
    ("days", 86_400.0),
    ("hours", 3600.0),
    ("minutes", 60.0),
    ("seconds", 1.0),
];

/// What is written in every language.
const SIGNS: [(&str, f64); 7] = [
    ("h", 3600.0),
    ("hr", 3600.0),
    ("hrs", 3600.0),
    ("min", 60.0),
    ("mins", 60.0),
    ("s", 1.0),
    ("sec", 1.0),
];

/// A text with more words is no span.
const MOST_WORDS: usize = 10;

/// The span in seconds, in the person's language or, as models write it, in English.
pub(super) fn seconds(said: &str, spoken: &InLanguage<'_>) -> Option<f64> {
    let english = InLanguage {
        lang: "en-us",
        locales: spoken.locales,
        said,
    };
    read(said, spoken).or_else(|| read(said, &english))
}

fn read(said: &str, spoken: &InLanguage<'_>) -> Option<f64> {
    let text = apart(&said.to_lowercase());
    if text.split(' ').count() > MOST_WORDS {
        return None;
    }
    let text = with_figures(&with_amounts(&text, spoken), spoken.lang);
    let and = spoken.locales.values(FOLDER, spoken.lang, "joint.value").next();
    let and = and.map_or("and", |(_, word)| word.trim());
    let words = text.split_whitespace().filter(|word| *word != and);
    total(&words.collect::<Vec<_>>(), spoken)
}

/// `90s` and `10-minute` as two words each.
fn apart(text: &str) -> String {
    let mut spaced = String::new();
    for letter in text.chars() {
        let after_figure = spaced.ends_with(|c: char| c.is_ascii_digit());
        if after_figure && letter.is_alphabetic() {
            spaced.push(' ');
        }
        let is_joint = letter == '-' || letter == '\'' || letter == '\u{2019}';
        spaced.push(if is_joint { ' ' } else { letter });
    }
    spaced
}

/// Puts figures in the place of words that stand for an amount, the longer ones first.
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

/// Numbers, each with its unit and perhaps a half between them.
fn total(words: &[&str], spoken: &InLanguage<'_>) -> Option<f64> {
    let mut seconds = 0.0;
    let mut rest = words.iter().copied().peekable();
    rest.peek()?;
    while let Some(word) = rest.next() {
        let mut number: f64 = word.parse().ok().filter(|number: &f64| number.is_finite())?;
        if rest.next_if_eq(&HALF).is_some() {
            number += 0.5;
        }
        let unit = unit(rest.next()?, spoken)?;
        if rest.next_if_eq(&HALF).is_some() {
            number += 0.5;
        }
        seconds += number * unit;
    }
    (seconds > 0.0).then_some(seconds)
}

/// What `amount.value` puts in the place of "and a half".
const HALF: &str = "+half";

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
