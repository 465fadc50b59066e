//! Whether a call leaves out what the person said, a percentage, a sign, a number or a date, has a number of the tool's
//! examples instead, or calculates nothing.
//!
//! Only of tools that calculate with what was said, which their descriptor tells. What the person said is compared with the
//! arguments as texts of numbers; nothing is calculated.

use serde_json::{Map, Value};

use crate::figure::{Figure, Known, figures};
use loquat_decoder::language::Language;
use loquat_wire::text::words;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Said<'t> {
    pub(crate) words: &'t str,
    pub(crate) language: &'t Language,
    /// The arguments of earlier calls, as texts.
    pub(crate) earlier: &'t [String],
    /// The brain was told this of the tool, with its examples.
    pub(crate) examples: &'t str,
    /// Says whether the call is to bring the whole answer.
    pub(crate) is_whole: bool,
}

/// Smaller numbers of an example may be meant: two for a half, twelve for a dozen.
const PLAIN: f64 = 12.0;

/// Says what is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Omission {
    /// The number is there as if it were none of percent.
    Percent(String),
    /// A number that is less than nothing is not.
    Sign(String),
    Numbers(Vec<String>),
    /// A day is missing, such as "15 August".
    Date(String),
    /// Nothing is missing, but a number that was said once is taken from itself, or divided by itself. A small model does
    /// so with wishes that no tool fulfils.
    Needless,
    /// A small model copied these out of the tool's examples.
    Copied(Vec<String>),
}

impl Omission {
    /// Tells the brain what it has to put right. Small models copy an expression better than they follow a rule, so
    /// they are shown the call as it should be where one number of it has to become something else.
    pub(crate) fn told(&self, arguments: &Map<String, Value>) -> String {
        let what = match self {
            Self::Percent(number) => {
                format!("the person said {number} percent, and the call says {number} alone")
            }
            Self::Sign(number) => {
                format!("the person said minus {number}, and the call leaves the minus out")
            }
            Self::Numbers(numbers) => {
                let numbers = numbers.join(" and ");
                format!("the call leaves out {numbers}, which the person said")
            }
            Self::Date(day) => format!("the call leaves out {day}, which the person said"),
            Self::Needless => "a number less itself, or divided by itself, tells nothing".to_owned(),
            Self::Copied(numbers) => {
                let numbers = numbers.join(" and ");
                format!("the call has {numbers}, which the person did not say")
            }
        };
        let how = self.mend(arguments);
        format!("{what}. The tool was not run. {how}.")
    }

    fn mend(&self, arguments: &Map<String, Value>) -> String {
        match (self.replaced(), self.mended(arguments)) {
            (_, Some(mended)) => format!("Call it with \"{}\"", texts(&mended)),
            (Some((_, right)), None) => format!("Where the number belongs, write {right}"),
            (None, None) if *self == Self::Needless => {
                "Calculate what was asked; if it is a wish that no tool fulfils, say so".to_owned()
            }
            (None, None) => "Call it with all that was said and nothing else".to_owned(),
        }
    }

    /// The number that has to become something else, and that.
    fn replaced(&self) -> Option<(&str, String)> {
        match self {
            Self::Percent(number) => Some((number, format!("{number}%"))),
            Self::Sign(number) => Some((number, format!("-{number}"))),
            Self::Date(day) => Some((day.split(' ').next()?, format!("(days until {day})"))),
            Self::Numbers(_) | Self::Needless | Self::Copied(_) => None,
        }
    }

    /// The call with what was said, where one number of its one text has to become something else.
    pub(crate) fn mended(&self, arguments: &Map<String, Value>) -> Option<Map<String, Value>> {
        let (number, right) = self.replaced()?;
        let mut arguments = arguments.clone();
        let mut texts = arguments.values_mut().filter_map(|value| match value {
            Value::String(text) => Some(text),
            _ => None,
        });
        let (Some(text), None) = (texts.next(), texts.next()) else {
            return None;
        };
        *text = once_replaced(text, number, &right)?;
        Some(arguments)
    }
}

/// The text with something else in the place of a number that it has once.
fn once_replaced(text: &str, number: &str, right: &str) -> Option<String> {
    let is_joined = |letter: char| letter.is_alphanumeric() || ".,%".contains(letter);
    let is_apart = |(at, _): &(usize, &str)| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        let behind = text
            .get(at + number.len()..)
            .and_then(|behind| behind.chars().next());
        !before.is_some_and(is_joined) && !behind.is_some_and(is_joined)
    };
    let mut places = text.match_indices(number).filter(is_apart);
    let (Some((at, _)), None) = (places.next(), places.next()) else {
        return None;
    };
    let mut replaced = text.to_owned();
    replaced.replace_range(at..at + number.len(), right);
    Some(replaced)
}

/// Finds what a call with these arguments leaves out.
pub(crate) fn omission(arguments: &Map<String, Value>, said: &Said<'_>) -> Option<Omission> {
    let called = texts(arguments);
    let here = Known::of([called.as_str()], said.language);
    let earlier = said.earlier.iter().map(String::as_str);
    let anywhere = Known::of(earlier.chain([called.as_str()]), said.language);
    let figures = figures(said.words, said.language);
    if is_needless(&called, (&figures, said.language)) {
        return Some(Omission::Needless);
    }
    let plain = |figure: &&Figure| is_in(&here, figure);
    let written = |figure: &Figure| figure.written.clone();
    let percent = figures.iter().filter(|figure| figure.is_percent);
    let mut bare = percent.filter(plain).filter(|_| !says_percent(&called, &here));
    if let Some(figure) = bare.next() {
        return Some(Omission::Percent(written(figure)));
    }
    let mut negative = figures.iter().filter(|figure| figure.is_negative).filter(plain);
    if let Some(figure) = negative.next().filter(|_| !called.contains(['-', '−'])) {
        return Some(Omission::Sign(written(figure)));
    }
    let is_named = |month: &str| {
        said.earlier
            .iter()
            .chain([&called])
            .any(|call| names(call, month))
    };
    let day = said.day().filter(|_| said.is_whole);
    if let Some((day, month)) = day.filter(|(_, month)| !is_named(month)) {
        return Some(Omission::Date(format!("{day} {month}")));
    }
    let missing = if said.is_whole {
        missing(&figures, &anywhere)
    } else {
        Vec::new()
    };
    if !missing.is_empty() {
        return Some(Omission::Numbers(missing));
    }
    let copied = copied(&called, said);
    (!copied.is_empty()).then_some(Omission::Copied(copied))
}

/// The numbers that a person said and that are not known, also not as a part of a hundred.
pub(crate) fn missing(said: &[Figure], known: &Known) -> Vec<String> {
    let missing = said
        .iter()
        .filter(|figure| !figure.is_trivial() && !is_in(known, figure) && !is_part(figure, known));
    missing.map(|figure| figure.written.clone()).collect()
}

fn is_in(known: &Known, figure: &Figure) -> bool {
    figure.values().any(|value| known.has(value))
}

impl Said<'_> {
    /// The number of a day that was said, and the name of the month beside it.
    fn day(&self) -> Option<(String, &str)> {
        let words: Vec<String> = words(self.words).collect();
        let day = |at: usize| {
            let word = words.get(at)?.trim_end_matches(char::is_alphabetic);
            word.parse().ok().filter(|day| (1..=31_u8).contains(day))
        };
        let months = self.language.dates.months.iter();
        let mut said = months.filter_map(|month| {
            let at = words.iter().position(|word| *word == month.to_lowercase())?;
            let near = [at.checked_sub(1), at.checked_sub(2), Some(at + 1)];
            let day = near.into_iter().flatten().find_map(day)?;
            Some((day.to_string(), month.as_str()))
        });
        said.next()
    }
}

/// Tells whether an expression is a number and the number once more, with a minus or a division between them, and the
/// person has not said it twice.
fn is_needless(called: &str, (said, language): (&[Figure], &Language)) -> bool {
    let sides = called.split_once(['-', '/', '−', '÷']);
    sides.is_some_and(|(one, other)| {
        let [one, other] = [one.trim(), other.trim()];
        let known = Known::of([one], language);
        let times = said.iter().filter(|figure| is_in(&known, figure)).count();
        one == other && one.starts_with(|c: char| c.is_ascii_digit()) && times < 2
    })
}

/// Tells whether a call names a month, in full, by its beginning or by its number.
fn names(call: &str, month: &str) -> bool {
    let month = month.to_lowercase();
    let mut words = words(call);
    words.any(|word| word.chars().count() >= 3 && (month.starts_with(&word) || word.starts_with(&month)))
        || call.matches(['-', '/', '.']).count() >= 2
}

/// The numbers of a call that stand in the tool's examples and that the person did not say.
fn copied(called: &str, said: &Said<'_>) -> Vec<String> {
    let examples = Known::of([said.examples], said.language);
    let earlier = said.earlier.iter().map(String::as_str);
    let known = Known::of(earlier.chain([said.words]), said.language);
    let is_copied = |figure: &Figure| {
        let mut values = figure.values();
        said.is_whole && values.all(|value| value > PLAIN && examples.has(value) && !known.has(value))
    };
    let called = figures(called, said.language).into_iter();
    called.filter(is_copied).map(|figure| figure.written).collect()
}

/// Joins the arguments to one text.
pub(crate) fn texts(arguments: &Map<String, Value>) -> String {
    arguments.values().map(text).collect::<Vec<_>>().join(" ")
}

/// Joins the texts and numbers of a value, with a blank between two of them.
pub(crate) fn text(value: &Value) -> String {
    let joined = |texts: Vec<String>| texts.join(" ");
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => joined(items.iter().map(text).collect()),
        Value::Object(members) => texts(members),
        other => other.to_string(),
    }
}

/// Tells whether an expression takes parts of a hundred.
fn says_percent(called: &str, known: &Known) -> bool {
    called.contains('%') || called.to_lowercase().contains("percent") || known.has(100.0) || known.has(0.01)
}

/// Tells whether a number of percent is there as the part that it takes, leaves or adds.
fn is_part(figure: &Figure, known: &Known) -> bool {
    let parts = figure.values().flat_map(|value| {
        let part = value / 100.0;
        [part, 1.0 - part, 1.0 + part, 100.0 - value]
    });
    figure.is_percent && parts.into_iter().any(|part| known.has(part))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use loquat_decoder::language::spoken;

    fn told(words: &str, arguments: &Value, is_whole: bool) -> Option<Omission> {
        let said = Said {
            words,
            language: spoken(None),
            earlier: &[],
            examples: "For example \"15% of 320\" or \"3 yards - 20 cm\"",
            is_whole,
        };
        omission(arguments.as_object().unwrap(), &said)
    }

    #[test]
    fn the_call_is_shown_as_it_should_be() {
        for (words, call, expected) in [
            (
                "what is 17 percent of 2,450",
                "17 * 2450",
                "Call it with \"17% * 2450\".",
            ),
            ("what is minus 5 plus 3", "5 + 3", "Call it with \"-5 + 3\"."),
            (
                "what is sixty percent of 90",
                "60 * 90",
                "Where the number belongs, write sixty%.",
            ),
            (
                "12 euros a day until the 15th of August",
                "12 * 15",
                "Call it with \"12 * (days until 15 August)\".",
            ),
            (
                "12 euros a day until the 15th of August",
                "12 * 150",
                "Where the number belongs, write (days until 15 August).",
            ),
        ] {
            let omission = told(words, &json!({"expression": call}), true).unwrap();
            let arguments = json!({"expression": call});
            let shown = omission.told(arguments.as_object().unwrap());
            assert!(shown.ends_with(expected), "{shown}");
        }
    }

    #[test]
    fn what_was_said_has_to_be_in_the_call() {
        let percent = |number: &str| Some(Omission::Percent(number.to_owned()));
        let numbers = |number: &str| Some(Omission::Numbers(vec![number.to_owned()]));
        let date = |day: &str| Some(Omission::Date(day.to_owned()));
        for (words, call, expected) in [
            ("what is 17 percent of 2,450", "17 * 2450", percent("17")),
            ("what's sixty percent of 1,250", "60 * 1250", percent("sixty")),
            ("what is 17 percent of 2,450", "17% * 2450", None),
            ("what is 17 percent of 2,450", "17 / 100 * 2450", None),
            ("what is 17 percent of 2,450", "0.17 * 2450", None),
            ("20 percent off 60 dollars", "60 * 0.8", None),
            ("12 dollars and an 18 percent tip", "12 * 1.18", None),
            (
                "what is minus 5 plus 3",
                "5 + 3",
                Some(Omission::Sign("5".to_owned())),
            ),
            ("what is minus 5 plus 3", "-5 + 3", None),
            ("add 3.75 and 4.8", "3.75", numbers("4.8")),
            ("what's twelve times thirteen", "12 * 13", None),
            ("what's twelve times thirteen", "12 * 12", numbers("thirteen")),
            ("split 87 euros between one or two people", "87 / 2", None),
            ("how many minutes are in 5 percent of a day", "5% of 1440", None),
            (
                "how many minutes are in 5 percent of a day",
                "5% of 320",
                Some(Omission::Copied(vec!["320".to_owned()])),
            ),
            ("what is 5 percent of 320", "5% of 320", None),
            (
                "12 euros a day until the 15th of August",
                "12 * 15",
                date("15 August"),
            ),
            (
                "12 euros a day until the 15th of August",
                "12 * days until 15 Aug",
                None,
            ),
            ("3 euros a day until May 5", "3 * 5", date("5 May")),
            ("turn it down by two degrees", "2 - 2", Some(Omission::Needless)),
            (
                "which number times itself is 1369",
                "1369/1369",
                Some(Omission::Needless),
            ),
            ("what is 20 minus 2", "20 - 2", None),
            ("what is ten minus ten", "10 - 10", None),
            ("what is 5 divided by 5", "5 / 5", None),
            ("what is 10 percent", "10 - 10", Some(Omission::Needless)),
            ("how many feet are three yards", "3 yards in feet", None),
        ] {
            assert_eq!(
                told(words, &json!({"expression": call}), true),
                expected,
                "{call} for {words}"
            );
        }
        assert_eq!(
            told("add 3.75 and 4.8", &json!({"expression": "3.75"}), false),
            None
        );
        let listed = json!({"values": [12, 15.0, 20, 37]});
        assert_eq!(told("the average of 12, 15, 20 and 37", &listed, true), None);
    }
}
