//! How promising a thought is, from 0 to 10; and which of several thoughts is the best.

use serde_json::{Value, json};

use super::{Form, Heard, head, object};
use crate::decoder::Flaw;

/// Asks for a number from 0 to 10.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Score;

/// What a reply without any number counts.
const UNKNOWN: f64 = 5.0;

impl Form for Score {
    type Meaning = f64;

    fn schema(&self) -> Option<Value> {
        Some(object(&[(
            "score",
            json!({"enum": (0..=10).collect::<Vec<u32>>()}),
        )]))
    }

    fn read(&self, heard: &Heard<'_>) -> Result<f64, Flaw> {
        let json = heard.json();
        let member = json
            .as_ref()
            .and_then(|value| value.get("score").or_else(|| value.get("rating")))
            .and_then(Value::as_f64);
        Ok(member
            .or_else(|| of_text(&heard.text))
            .unwrap_or(UNKNOWN)
            .clamp(0.0, 10.0))
    }

    fn shape(&self) -> &'static str {
        "Reply with one number from 0 to 10."
    }
}

/// Asks which of so many candidates is the best.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vote {
    /// How many there are.
    pub(crate) candidates: usize,
}

impl Form for Vote {
    type Meaning = Option<usize>;

    fn schema(&self) -> Option<Value> {
        let best = json!({"enum": (1..=self.candidates).collect::<Vec<usize>>()});
        Some(object(&[("best", best)]))
    }

    /// The index of the best; nothing when the reply names none.
    fn read(&self, heard: &Heard<'_>) -> Result<Option<usize>, Flaw> {
        let json = heard.json();
        let member = json
            .as_ref()
            .and_then(|value| value.get("best"))
            .and_then(Value::as_f64);
        let named = member.or_else(|| numbers(&heard.text).last().map(|number| number.value));
        let index = named.filter(|number| *number >= 1.0 && *number <= self.candidates as f64);
        Ok(index.map(|number| number as usize - 1))
    }

    fn shape(&self) -> &'static str {
        "Reply with the number of the best one."
    }
}

/// A number in a text; positions are bytes.
#[derive(Debug, Clone, Copy)]
struct Number {
    value: f64,
    start: usize,
    end: usize,
}

/// A score is told early; what comes after so many characters is not looked at.
const LONGEST_READ: usize = 4_000;

/// Words after which a score comes.
const CUES: &[&str] = &[
    "score",
    "rate",
    "rated",
    "rating",
    "give",
    "grade",
    "value",
    "assign",
    "deserves",
    "evaluation",
];

/// The score that a text tells: what follows a word such as "score", else a share such as 8/10, else the number with
/// which a line begins, else the last that stands alone, else the first that describes no scale.
fn of_text(text: &str) -> Option<f64> {
    let text = head(text, LONGEST_READ);
    let plain = ascii_digits(text);
    let text = plain.as_str();
    let found = numbers(text);
    let shares = shares(text, &found);
    let own: Vec<&Number> = found
        .iter()
        .filter(|number| {
            !of_a_scale(text, number) && !numbers_something(text, number) && !of_a_date(text, &found, number)
        })
        .collect();
    let cued = own.iter().find(|number| is_cued(text, number));
    let share = own
        .iter()
        .rev()
        .find(|number| shares.iter().any(|share| share.0 == number.start));
    let heading = own.iter().find(|number| {
        let before = text.get(..number.start).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        !line.chars().any(char::is_alphanumeric)
    });
    let closing = own.iter().rev().find(|number| closes(text, number));
    let chosen = cued.or(share).or(heading).or(closing).or(own.first());
    let value = |number: &&Number| {
        let share = shares.iter().find(|share| share.0 == number.start);
        share.map_or_else(|| percent(text, number), |share| share.1)
    };
    chosen.map(value).or_else(|| of_words(text))
}

/// Where a number begins that is told as a share of another, and how much of ten that is: `4 out of 5` is 8.
fn shares(text: &str, found: &[Number]) -> Vec<(usize, f64)> {
    let share = |pair: &[Number]| {
        let [one, whole] = pair else { return None };
        let between = text.get(one.end..whole.start)?.trim().to_lowercase();
        let is_share = ["/", "out of", "of", "von", "aus"].contains(&between.as_str());
        (is_share && whole.value > 0.0).then(|| (one.start, one.value * 10.0 / whole.value))
    };
    found.windows(2).filter_map(share).collect()
}

/// The digits that East Asian keyboards write, as everybody else's.
fn ascii_digits(text: &str) -> String {
    let plain = |c: char| match c {
        '０'..='９' => char::from_u32(u32::from(c) - u32::from('０') + u32::from('0')).unwrap_or(c),
        other => other,
    };
    text.chars().map(plain).collect()
}

/// Whether a number is a year, or one of three or more that are written as one: a date or a time.
fn of_a_date(text: &str, found: &[Number], number: &Number) -> bool {
    let joined = |one: &Number, other: &Number| {
        let between = text.get(one.end..other.start.max(one.end)).unwrap_or_default();
        let after = text.get(one.end..).unwrap_or_default();
        let signed = between.is_empty() && after.starts_with('-');
        signed || matches!(between, "-" | "." | "/" | ":")
    };
    let place = found
        .iter()
        .position(|other| other.start == number.start)
        .unwrap_or_default();
    let ahead = found.get(..=place).unwrap_or_default();
    let behind = found.get(place..).unwrap_or_default();
    let back = ahead
        .windows(2)
        .rev()
        .take(3)
        .take_while(|pair| matches!(pair, [one, other] if joined(one, other)));
    let on = behind
        .windows(2)
        .take(3)
        .take_while(|pair| matches!(pair, [one, other] if joined(one, other)));
    number.value >= 1_000.0 || back.count() + on.count() >= 2
}

/// Whether a number is only the name of something: `step 2`.
fn numbers_something(text: &str, number: &Number) -> bool {
    let before = text
        .get(..number.start)
        .unwrap_or_default()
        .trim_end_matches([' ', '#']);
    let word = before
        .rsplit(|c: char| !c.is_alphabetic())
        .next()
        .unwrap_or_default();
    let things = [
        "step", "thought", "option", "branch", "idea", "line", "schritt", "paso", "passo", "étape",
    ];
    things.contains(&word.to_lowercase().as_str())
}

/// Whether a number stands alone between the end of one sentence and the next, or at the end behind a colon.
fn closes(text: &str, number: &Number) -> bool {
    let decoration = [' ', '\t', '*', '_', '`', '(', ')', '[', ']', '"'];
    let before = text
        .get(..number.start)
        .unwrap_or_default()
        .trim_end_matches(decoration);
    let after = text
        .get(number.end..)
        .unwrap_or_default()
        .trim_start_matches(decoration);
    let begins = before.ends_with(['.', '!', '?', ';', '\n', ':', '=', '>', '→']);
    begins && (after.is_empty() || after.starts_with(['.', '!', ';', '\n']))
}

fn percent(text: &str, number: &Number) -> f64 {
    let share = text
        .get(number.end..)
        .is_some_and(|after| after.trim_start().starts_with('%'));
    if share { number.value / 10.0 } else { number.value }
}

/// All numbers with their signs. A hyphen between two numbers is no sign.
fn numbers(text: &str) -> Vec<Number> {
    let mut found: Vec<Number> = Vec::new();
    let mut position = 0;
    while let Some(offset) = text
        .get(position..)
        .and_then(|rest| rest.find(|c: char| c.is_ascii_digit()))
    {
        let digits = position + offset;
        let rest = text.get(digits..).unwrap_or_default();
        let mut length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let fraction = rest
            .get(length..)
            .and_then(|after| after.strip_prefix(['.', ',']));
        if let Some(fraction) = fraction {
            let more = fraction
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(fraction.len());
            length += if more > 0 { more + 1 } else { 0 };
        }
        position = digits + length;
        let before = text.get(..digits).unwrap_or_default();
        let signed = before.ends_with(['-', '−', '–']);
        let sign_start = before.char_indices().next_back().map_or(0, |(at, _)| at);
        let ahead = text.get(..sign_start).unwrap_or_default();
        let negative = signed && !ahead.ends_with(|c: char| c.is_alphanumeric());
        let in_word = !signed && before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let written = text.get(digits..position).unwrap_or_default().replace(',', ".");
        if let (Ok(value), false) = (written.parse::<f64>(), in_word) {
            found.push(Number {
                value: if negative { -value } else { value },
                start: if negative { sign_start } else { digits },
                end: position,
            });
        }
    }
    found
}

/// Whether a number belongs to the description of a scale: `0-10`, `0 to 10`, `scale where 10 is best`.
fn of_a_scale(text: &str, number: &Number) -> bool {
    let before = text.get(..number.start).unwrap_or_default().to_lowercase();
    let after = text.get(number.end..).unwrap_or_default().to_lowercase();
    let next = after.trim_start();
    let ends_range = [
        "0 to", "0-", "0–", "0 -", "1 to", "1-", "1–", "0 bis", "1 bis", "0 and", "1 and",
    ]
    .iter()
    .any(|range| before.trim_end().ends_with(range));
    let begins_range = (0.0..=1.0).contains(&number.value)
        && ["to 10", "-10", "–10", "- 10", "bis 10", "and 10"]
            .iter()
            .any(|range| next.starts_with(range));
    let clause = before.rsplit(['.', ',', ';', '\n']).next().unwrap_or_default();
    let described = clause.contains("scale") || clause.contains("where") || clause.contains("skala");
    let extreme = [
        "is best",
        "is the best",
        "being",
        "is worst",
        "means",
        "is perfect",
        "(best",
        "best",
    ]
    .iter()
    .any(|word| next.starts_with(word));
    ends_range || begins_range || (described && number.value >= 10.0) || extreme
}

/// Whether one of the last few words before a number announces a score.
fn is_cued(text: &str, number: &Number) -> bool {
    let before = text.get(..number.start).unwrap_or_default();
    let clause = before.rsplit(['.', ';', '\n', ',']).next().unwrap_or_default();
    let words = clause
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty());
    words
        .rev()
        .take(5)
        .any(|word| CUES.iter().any(|cue| cue.eq_ignore_ascii_case(word)))
}

/// The words of the tree search paper, where no number is told.
fn of_words(text: &str) -> Option<f64> {
    let words = [
        ("impossible", 0.0),
        ("unlikely", 2.0),
        ("maybe", 5.0),
        ("likely", 7.0),
        ("sure", 10.0),
        ("certain", 10.0),
    ];
    let text = text.to_lowercase();
    let mut spoken = text.split(|c: char| !c.is_alphabetic());
    let found = spoken.find_map(|word| {
        words
            .iter()
            .find(|(known, _)| *known == word)
            .map(|(_, score)| *score)
    });
    found.or_else(|| of_spelled(&text))
}

/// A number in letters, in a reply that says little else: "one" is a common word.
fn of_spelled(text: &str) -> Option<f64> {
    let digits = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let spoken = || {
        text.split(|c: char| !c.is_alphabetic())
            .filter(|word| !word.is_empty())
    };
    let brief = spoken().count() <= 3;
    let place = spoken()
        .filter(|_| brief)
        .find_map(|word| digits.iter().position(|digit| *digit == word));
    place.map(|place| place as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_what_the_reply_means() {
        for (text, expected) in [
            ("7", Some(7.0)),
            ("8/10 fine", Some(8.0)),
            ("I'd say 4 out of 5.", Some(8.0)),
            ("-9", Some(-9.0)),
            ("Score: 6", Some(6.0)),
            ("**Score:** 6.5", Some(6.5)),
            ("7,5", Some(7.5)),
            ("On the scale where 10 is best, I give this 2.", Some(2.0)),
            ("On a scale of 0-10 this is a 3.", Some(3.0)),
            ("From 0 to 10: 4", Some(4.0)),
            ("Step 2 is wrong, so I rate it 3", Some(3.0)),
            ("8 - step 2 is right", Some(8.0)),
            ("80 %", Some(8.0)),
            ("likely", Some(7.0)),
            ("Step 1 is good: 3", Some(3.0)),
            ("Step 2", None),
            ("This has 10 words. 3", Some(3.0)),
            ("It uses 2 facts and needs 1 more: **8**.", Some(8.0)),
            ("eight", Some(8.0)),
            ("８", Some(8.0)),
            ("Step 1 of 3 is good. Score: 8", Some(8.0)),
            ("Score: 3 (1 of 2 facts)", Some(3.0)),
            ("On 2024-05-01 I say 3", Some(3.0)),
            ("It opened in 1889: 7 points", Some(7.0)),
            ("7-8", Some(7.0)),
            ("Score: three.", Some(3.0)),
            ("This one leads nowhere at all.", None),
            ("fine", None),
        ] {
            assert_eq!(of_text(text), expected, "for {text:?}");
        }
    }
}
