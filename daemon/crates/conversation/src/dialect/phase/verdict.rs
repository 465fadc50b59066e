//! Whether an answer will do, and why not.

use serde_json::{Value, json};

use super::{Heard, Phase, object, text};
use loquat_decoder::Flaw;

/// Asks for `SATISFACTORY` or `UNSATISFACTORY` and a reason.
#[derive(Debug, Clone, Copy)]
pub struct Verdict;

/// The word of an evaluator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// Says whether the answer will do.
    pub good: bool,
    /// The reason; empty when none was given.
    pub why: String,
}

/// A verdict in JSON may stand under these keys.
const KEYS: &[&str] = &[
    "satisfactory",
    "satisfied",
    "verdict",
    "ok",
    "passed",
    "pass",
    "valid",
    "correct",
    "success",
    "good",
];

/// Its reason may stand under these keys.
const REASONS: &[&str] = &[
    "reason",
    "feedback",
    "why",
    "message",
    "error",
    "explanation",
    "text",
    "result",
];

impl Phase for Verdict {
    type Meaning = Judgement;

    fn schema(&self) -> Option<Value> {
        Some(object(&[
            ("reason", text(240)),
            ("verdict", json!({"enum": ["SATISFACTORY", "UNSATISFACTORY"]})),
        ]))
    }

    /// A reply that holds no verdict is none in favour: a doubt costs another try, a wrong answer costs trust.
    fn read(&self, heard: &Heard<'_>) -> Result<Judgement, Flaw> {
        let spoken = heard.spoken()?;
        if let Some(judgement) = heard.json().as_ref().and_then(of_json) {
            return Ok(judgement);
        }
        Ok(Judgement {
            good: of_text(spoken).unwrap_or(false),
            why: spoken.to_owned(),
        })
    }

    fn shape(&self) -> &'static str {
        "Reply with SATISFACTORY or UNSATISFACTORY and the reason."
    }
}

/// Reads a verdict that a tool or a constrained brain gave as JSON.
pub fn of_json(value: &Value) -> Option<Judgement> {
    let members = value.as_object()?;
    let verdict = KEYS
        .iter()
        .find_map(|key| members.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)));
    let good = match verdict.map(|(_, value)| value) {
        Some(Value::Bool(good)) => *good,
        Some(Value::String(word)) => of_text(word)?,
        Some(Value::Number(number)) => number.as_f64()? > 0.0,
        _ => members.values().filter_map(Value::as_str).find_map(of_text)?,
    };
    let why = REASONS
        .iter()
        .find_map(|key| members.get(*key).and_then(Value::as_str));
    Some(Judgement {
        good,
        why: why.unwrap_or_default().trim().to_owned(),
    })
}

/// The verdict of a text. The reply's first words count most, then the last line that begins with a verdict, then one in
/// capitals anywhere, then a line that begins with a yes or a no, then any other.
fn of_text(text: &str) -> Option<bool> {
    let first = || text.lines().find_map(head_word);
    let plain_head = first().and_then(plain);
    let plain_head = plain_head.or_else(|| text.lines().rev().filter_map(head_word).find_map(plain));
    plain_head
        .or_else(|| mentioned(text, true))
        .or_else(|| first().and_then(short))
        .or_else(|| {
            let brief = text.lines().rev().filter(|line| line.len() < 200);
            brief.filter_map(head_word).find_map(short)
        })
        .or_else(|| mentioned(text, false))
}

/// The word with which a line begins, a label before it aside.
fn head_word(line: &str) -> Option<&str> {
    let mut words = verdict_words(line);
    let first = words.next()?;
    let label = [
        "verdict",
        "evaluation",
        "result",
        "judgement",
        "judgment",
        "rating",
    ];
    if label.iter().any(|known| first.eq_ignore_ascii_case(known)) {
        return words.next();
    }
    Some(first)
}

/// The verdict that stands anywhere: the last one in capitals, or the first one.
fn mentioned(text: &str, shouted: bool) -> Option<bool> {
    let all: Vec<&str> = verdict_words(text).collect();
    let verdict = |at: usize| {
        let good = plain(all.get(at)?)?;
        Some(good != is_negated(all.get(at.saturating_sub(2)..at).unwrap_or_default()))
    };
    if shouted {
        let loud = |at: &usize| {
            all.get(*at)
                .is_some_and(|word| !word.chars().any(char::is_lowercase))
        };
        return (0..all.len()).rev().filter(loud).find_map(verdict);
    }
    (0..all.len()).find_map(verdict)
}

/// Tells whether the words before a verdict turn it into its opposite: `not satisfactory`, `far from satisfactory`.
fn is_negated(before: &[&str]) -> bool {
    let is = |word: &&str, known: &str| word.eq_ignore_ascii_case(known);
    let negates = |word: &&str| {
        ["not", "un", "non", "hardly"].iter().any(|known| is(word, known))
            || word.to_lowercase().ends_with("n't")
    };
    before.iter().any(negates)
        || matches!(before, [far, from] if is(far, "far") && is(from, "from"))
        || matches!(before, [less, than] if is(less, "less") && is(than, "than"))
}

fn verdict_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphabetic() || c == '\''))
        .filter(|word| !word.is_empty())
}

fn plain(word: &str) -> Option<bool> {
    match word.to_lowercase().as_str() {
        "satisfactory" | "satisfied" => Some(true),
        "unsatisfactory" | "unsatisfied" | "insatisfactory" => Some(false),
        _ => None,
    }
}

/// Shorter verdicts count only where a line begins with them.
fn short(word: &str) -> Option<bool> {
    match word.to_lowercase().as_str() {
        "yes" | "pass" | "passed" | "correct" | "ok" | "true" => Some(true),
        "no" | "fail" | "failed" | "incorrect" | "wrong" | "false" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_read_however_they_are_dressed() {
        for (text, expected) in [
            ("SATISFACTORY\nComplete.", Some(true)),
            (
                "SATISFACTORY\nNo errors were found.\nCorrect in all parts.",
                Some(true),
            ),
            ("UNSATISFACTORY\nYes, the year is missing.", Some(false)),
            ("No. It would be satisfactory with a source.", Some(false)),
            ("The answer names the capital.\nYes", Some(true)),
            ("**SATISFACTORY** - fine.", Some(true)),
            ("Satisfactory: fine.", Some(true)),
            ("> Verdict: `SATISFACTORY`", Some(true)),
            ("The answer is complete.\nSATISFACTORY", Some(true)),
            ("The answer is satisfactory.", Some(true)),
            ("The answer is not satisfactory.", Some(false)),
            ("It isn't quite satisfactory.", Some(false)),
            ("UNSATISFACTORY\nno", Some(false)),
            ("NOT SATISFACTORY", Some(false)),
            ("UN-SATISFACTORY", Some(false)),
            ("It is far from satisfactory.", Some(false)),
            ("**Unsatisfactory**: it is not satisfactory", Some(false)),
            (
                "It would be satisfactory with a source. UNSATISFACTORY",
                Some(false),
            ),
            ("Yes, it is right.", Some(true)),
            ("Incorrect", Some(false)),
            ("I am unsure", None),
            ("", None),
        ] {
            assert_eq!(of_text(text), expected, "for {text:?}");
        }
    }

    #[test]
    fn a_tools_verdict_is_read() {
        let read = |value: Value| of_json(&value).map(|judgement| (judgement.good, judgement.why));
        assert_eq!(
            read(json!({"ok": false, "message": "no city"})),
            Some((false, "no city".into()))
        );
        assert_eq!(
            read(json!({"reason": "x", "verdict": "SATISFACTORY"})),
            Some((true, "x".into()))
        );
        assert_eq!(
            read(json!({"result": "UNSATISFACTORY: no"})).map(|read| read.0),
            Some(false)
        );
        assert_eq!(read(json!({"sum": 5})), None);
    }
}
