//! The numbers in a text, and whether others vouch for them. Understands no words but those for numbers.
//!
//! Read from scratch and not with the daemon's own reader of numbers, which is judged here.

use text2num::{Language, replace_numbers_in_text};

/// A smaller number in words counts what is talked of: "the two cities".
const COUNTING: f64 = 4.0;

/// In words or not, this is no figure that a tool has to give.
const TRIVIAL: f64 = 1.0;

/// Half a day, by which two clocks name the same hour differently.
const HALF_A_DAY: f64 = 12.0;

/// A number as it stands in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// As it is written, in digits.
    pub written: String,
    /// All that it may be worth, each with its number of decimals: `1.250` is two numbers.
    readings: Vec<(f64, i32)>,
}

impl Figure {
    /// Whether one of these numbers is this one, perhaps rounded.
    fn is_among(&self, known: &[f64]) -> bool {
        let same = |(value, decimals): &(f64, i32)| {
            let unit = 10_f64.powi(*decimals);
            let told = value * unit;
            let close = |known: &f64| {
                let known = known * unit;
                [known.round(), known.trunc()]
                    .iter()
                    .any(|known| (known - told).abs() < 0.01)
            };
            known.iter().any(close)
        };
        self.readings.iter().any(same)
    }

    fn is_trivial(&self) -> bool {
        self.readings.iter().all(|(value, _)| *value <= TRIVIAL)
    }
}

/// The numbers of a text in a language, such as `de-DE`, in order.
pub fn figures(text: &str, lang: &str) -> Vec<Figure> {
    let text = in_digits(text, lang, COUNTING);
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while let Some(begin) = rest.find(|c: char| c.is_ascii_digit()) {
        rest = rest.get(begin..).unwrap_or_default();
        let end = end_of_number(rest);
        let (written, behind) = rest.split_at(end);
        found.push(Figure {
            written: written.to_owned(),
            readings: readings(written),
        });
        rest = behind;
    }
    found
}

/// The numbers of an answer that stand in none of the sources.
pub fn without_source(answer: &str, lang: &str, sources: &[String]) -> Vec<String> {
    let known = sources.iter().flat_map(|source| figures(source, lang));
    let mut known: Vec<f64> = known
        .flat_map(|figure| figure.readings)
        .map(|(value, _)| value)
        .collect();
    let hours = |value: &f64| [value - HALF_A_DAY, value + HALF_A_DAY].map(f64::abs);
    let halves: Vec<f64> = known
        .iter()
        .filter(|value| is_hour(**value))
        .flat_map(hours)
        .collect();
    known.extend(halves);
    let told = figures(answer, lang).into_iter();
    let strange = told.filter(|figure| !figure.is_trivial() && !figure.is_among(&known));
    strange.map(|figure| figure.written).collect()
}

/// A text with its numbers in digits, but for those in words that are smaller than `least`.
pub(crate) fn in_digits(text: &str, lang: &str, least: f64) -> String {
    let language = match lang.split('-').next().unwrap_or_default() {
        "de" => Language::german(),
        "fr" => Language::french(),
        "es" => Language::spanish(),
        "it" => Language::italian(),
        _ => Language::english(),
    };
    replace_numbers_in_text(text, &language, least)
}

fn is_hour(value: f64) -> bool {
    (0.0..=24.0).contains(&value) && value.fract() == 0.0
}

/// Where a number ends at the beginning of a text: digits, and single points and commas between two of them.
fn end_of_number(text: &str) -> usize {
    let mut end = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let goes_on = characters.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        if !(c.is_ascii_digit() || matches!(c, '.' | ',') && goes_on) {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

/// With the marks as they separate thousands, and with the last one before decimals.
fn readings(written: &str) -> Vec<(f64, i32)> {
    let plain = |text: &str| text.replace(['.', ','], "");
    let whole = plain(written).parse().ok().map(|value| (value, 0));
    let split = written.rsplit_once(['.', ',']);
    let decimal = split.and_then(|(head, tail)| {
        let value = format!("{}.{tail}", plain(head)).parse().ok()?;
        Some((value, i32::try_from(tail.len()).ok()?))
    });
    let grouped = split.is_none() || written.split(['.', ',']).skip(1).all(|group| group.len() == 3);
    whole.filter(|_| grouped).into_iter().chain(decimal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answer: &str, lang: &str, sources: &[&str], expected: &[&str]) {
        let sources: Vec<String> = sources.iter().map(|source| (*source).to_owned()).collect();
        assert_eq!(without_source(answer, lang, &sources), expected, "{answer}");
    }

    #[test]
    fn what_a_tool_gave_may_be_said() {
        let sum = r#"{"result": 1204, "expression": "86*14"}"#;
        check("86 times 14 is 1,204.", "en-US", &[sum], &[]);
        check("It is twelve hundred and four.", "en-US", &["1204"], &[]);
        check("Das sind 1.204.", "de-DE", &[sum], &[]);
        check("Es sind elf Komma drei.", "de-DE", &["11.2654"], &[]);
        check("About 177 degrees.", "en-US", &["176.66666"], &[]);
        check("It is 3:45 PM.", "en-US", &[r#"{"time": "15:45:10"}"#], &[]);
        check("The two cities are one hour apart.", "en-US", &[], &[]);
    }

    #[test]
    fn what_none_gave_is_named() {
        check("That makes 1,205.", "en-US", &["1204"], &["1,205"]);
        check("It is 178 degrees.", "en-US", &["176.66666"], &["178"]);
        check("Es sind zwölf Tage.", "de-DE", &["11 Tage"], &["12"]);
        check("It is 11.4.", "en-US", &["11.2654"], &["11.4"]);
    }

    #[test]
    fn a_number_is_read_in_every_way_that_makes_sense() {
        let values = |written: &str| {
            readings(written)
                .into_iter()
                .map(|(value, _)| value)
                .collect::<Vec<_>>()
        };
        assert_eq!(values("1.250"), [1250.0, 1.25]);
        assert_eq!(values("1,234.5"), [1234.5]);
        assert_eq!(values("17"), [17.0]);
        assert_eq!(end_of_number("3.5. And"), 3);
    }
}
