//! How promising a thought is, from 0 to 10; and which of several thoughts is the best.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::{Value, json};

use super::{Heard, Phase, head, object};
use loquat_decoder::Flaw;
use loquat_decoder::language::{Language, in_all};

/// Asks for a number from 0 to 10.
#[derive(Debug, Clone, Copy)]
pub struct Score;

/// A reply without any number counts so much.
const UNKNOWN: f64 = 5.0;

impl Phase for Score {
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
pub struct Vote {
    /// So many candidates are judged.
    pub candidates: usize,
}

impl Phase for Vote {
    type Meaning = Option<usize>;

    fn schema(&self) -> Option<Value> {
        let best = json!({"enum": (1..=self.candidates).collect::<Vec<usize>>()});
        Some(object(&[("best", best)]))
    }

    /// Reads the index of the best. Nothing when the reply names none.
    fn read(&self, heard: &Heard<'_>) -> Result<Option<usize>, Flaw> {
        let json = heard.json();
        let member = json
            .as_ref()
            .and_then(|value| value.get("best"))
            .and_then(Value::as_f64);
        let named = member.or_else(|| last_number(&heard.text));
        let index = named.filter(|number| *number >= 1.0 && *number <= self.candidates as f64);
        Ok(index.map(|number| number as usize - 1))
    }

    fn shape(&self) -> &'static str {
        "Reply with the number of the best one."
    }
}

/// The last number of a text, whatever it belongs to.
fn last_number(text: &str) -> Option<f64> {
    let (number, _) = PLACES.last()?;
    let found = number.captures_iter(text).last()?;
    found.get(1)?.as_str().parse().ok()
}

/// A score is told early; what comes after so many characters is not looked at.
const LONGEST_READ: usize = 4_000;

/// Numbers that are no score: the names of things, years and dates, and what a scale ends with.
static NOISE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let step = any_of(|language| &language.words.step);
    let up_to = any_of(|language| &language.words.up_to);
    let scale = any_of(|language| &language.words.scale);
    pattern(&[
        r"\b(?:thought|option|branch|idea|line|",
        &step,
        r")\s*#?\d+(?:\s*of\s*\d+)?",
        r"|\d+(?:[-./:]\d+){2,}|\b\d{4,}\b|\b[01]\s*(?:-|–|",
        &up_to,
        r")\s*10\b",
        r"|(?:where|",
        &scale,
        r")\P{Nd}{0,20}10\b|\d+\s*(?:is (?:the )?(?:best|worst|perfect)|being|means|\(?best)",
    ])
});

/// Finds a score, the surest place first: behind a word that announces it, as a share, at the beginning of a line,
/// alone behind the end of a sentence, anywhere. Of several the first counts, or the last where that is said.
static PLACES: LazyLock<Vec<(Regex, bool)>> = LazyLock::new(|| {
    let cue = r"\b(?:score|rated?|rating|give|grade|value|assign|deserves|evaluation)\b(?:[^\w.;,\n]+\pL+){0,4}[^\w.;,\n]*?";
    let out_of = any_of(|language| &language.words.out_of);
    // A number, and what makes it a share: `80 %`, `8/10`, `4 out of 5`.
    let share = format!(r"([-−–]?\b\d+(?:[.,]\d+)?)(?:\s*(%)|\s*(?:/|{out_of})\s*(\d+(?:[.,]\d+)?))");
    let number = format!("{share}?");
    let alone = r"[\s*_`()\[\]\x22]*(?:$|[.!;\n])";
    let places = [
        (pattern(&[cue, &number]), false),
        (pattern(&[&share]), true),
        (pattern(&[r"(?m:^)[^\w\n]*?", &number]), false),
        (
            pattern(&[r"[.!?;:=>→\n][\s*_`()\[\]\x22]*", &number, alone]),
            true,
        ),
        (pattern(&[&number]), false),
    ];
    places
        .into_iter()
        .filter_map(|(place, last)| Some((place?, last)))
        .collect()
});

/// Joins the words of one kind in every language, for a group of a pattern.
fn any_of(kind: fn(&Language) -> &[String]) -> String {
    in_all(kind).map(regex::escape).collect::<Vec<_>>().join("|")
}

fn pattern(parts: &[&str]) -> Option<Regex> {
    Regex::new(&parts.concat()).ok()
}

fn of_text(text: &str) -> Option<f64> {
    let text = plain(text);
    let text = NOISE.as_ref()?.replace_all(&text, " ");
    let told = PLACES.iter().find_map(|(place, last)| {
        let mut found = place.captures_iter(&text);
        value(&if *last { found.last() } else { found.next() }?)
    });
    told.or_else(|| of_words(&text))
}

/// Writes a text in lower case, with the digits of East Asian keyboards as all others.
fn plain(text: &str) -> String {
    let digit = |c: char| match c {
        '０'..='９' => char::from_u32(u32::from(c) - u32::from('０') + u32::from('0')).unwrap_or(c),
        other => other,
    };
    head(text, LONGEST_READ)
        .to_lowercase()
        .chars()
        .map(digit)
        .collect()
}

fn value(found: &Captures<'_>) -> Option<f64> {
    let number = |place: usize| {
        let written = found
            .get(place)?
            .as_str()
            .replace(',', ".")
            .replace(['−', '–'], "-");
        written.parse::<f64>().ok()
    };
    let share = match (found.get(2), number(3)) {
        (Some(_), _) => 0.1,
        (None, Some(whole)) if whole > 0.0 => 10.0 / whole,
        _ => 1.0,
    };
    Some(number(1)? * share)
}

/// The words of the tree search paper, or a number in letters in a reply that says little else: "one" is a common word.
fn of_words(text: &str) -> Option<f64> {
    const SURE: [(&str, f64); 6] = [
        ("impossible", 0.0),
        ("unlikely", 2.0),
        ("maybe", 5.0),
        ("likely", 7.0),
        ("sure", 10.0),
        ("certain", 10.0),
    ];
    const DIGITS: [&str; 11] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty())
        .collect();
    let sure = words
        .iter()
        .find_map(|word| SURE.iter().find(|(known, _)| known == word));
    let digit = || {
        words
            .iter()
            .find_map(|word| DIGITS.iter().position(|digit| digit == word))
    };
    sure.map(|(_, score)| *score)
        .or_else(|| digit().filter(|_| words.len() <= 3).map(|place| place as f64))
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
            ("Étape 1 : bien, 8 sur 10", Some(8.0)),
            ("En una escala de 0 a 10: 4 de 5", Some(8.0)),
            ("Von 0 bis 10: 4", Some(4.0)),
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
