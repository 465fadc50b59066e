//! The numbers in a text, in digits or in small words, and whether others vouch for them.
//!
//! What a number is a number of is not understood here. A text that can be read in two ways, such as `1.250`, is read in both.

use loquat_decoder::language::Language;

/// A number as it stands in a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Figure {
    pub(crate) written: String,
    readings: Vec<Reading>,
    /// Says whether it stands in front of a sign or word for percent.
    pub(crate) is_percent: bool,
    form: Form,
}

/// Says how a number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Digits,
    Words,
    /// It is part of a time of day with a colon, or stands in front of a half of the day.
    Time,
}

/// One way to read a number.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Reading {
    value: f64,
    decimals: i32,
}

/// Up to this a number in words mostly counts what is talked of: "the two numbers".
const COUNTING: f64 = 3.0;

impl Figure {
    /// Tells whether it is part of a time of day.
    pub(crate) fn is_time(&self) -> bool {
        self.form == Form::Time
    }

    /// Tells whether it says nothing: a "one" or a nought, or a small number in words.
    pub(crate) fn is_trivial(&self) -> bool {
        let most = if self.form == Form::Words { COUNTING } else { 1.0 };
        self.readings.iter().all(|reading| reading.value <= most)
    }

    /// All that it may be worth.
    pub(crate) fn values(&self) -> impl Iterator<Item = f64> {
        self.readings.iter().map(|reading| reading.value)
    }

    fn of(written: &str, readings: Vec<Reading>) -> Self {
        Self {
            written: written.to_owned(),
            readings,
            is_percent: false,
            form: Form::Digits,
        }
    }
}

/// A number may be told as it is, in millions, or in thousands of millions.
const SCALES: [f64; 3] = [1.0, 1e6, 1e9];

/// Numbers that others can be checked against.
#[derive(Debug, Default)]
pub(crate) struct Known {
    numbers: Vec<f64>,
    /// The numbers against which only times of day are checked.
    clock: Vec<f64>,
}

impl Known {
    /// Collects the numbers of these texts. The hours of a clock count in both of its halves.
    pub(crate) fn of<'t>(texts: impl IntoIterator<Item = &'t str>, language: &Language) -> Self {
        let mut known = Vec::new();
        for text in texts {
            known.extend(figures(text, language).iter().flat_map(Figure::values));
            known.extend(hours(text));
        }
        Self {
            numbers: known,
            clock: Vec::new(),
        }
    }

    /// Adds those of the moment, of which the time of day says nothing about other numbers.
    pub(crate) fn and_moment(mut self, text: &str, language: &Language) -> Self {
        for figure in figures(text, language) {
            let own = if figure.form == Form::Time {
                &mut self.clock
            } else {
                &mut self.numbers
            };
            own.extend(figure.values());
        }
        self.clock.extend(hours(text));
        self
    }

    /// Tells whether one of them is this number, perhaps rounded.
    pub(crate) fn hold(&self, figure: &Figure) -> bool {
        let scaled = |reading: &Reading| SCALES.map(|scale| (*reading, scale));
        figure.readings.iter().flat_map(scaled).any(|(reading, scale)| {
            let unit = 10_f64.powi(reading.decimals) / scale;
            let clock = self.clock.iter().filter(|_| figure.form != Form::Digits);
            let is_it = |known: &f64| {
                let known = known * unit;
                let told = reading.value * unit * scale;
                [known.round(), known.trunc()]
                    .iter()
                    .any(|known| (known - told).abs() < 0.01)
            };
            self.numbers.iter().chain(clock).any(is_it)
        })
    }
}

pub(crate) fn figures(text: &str, language: &Language) -> Vec<Figure> {
    let text = text.to_lowercase();
    let mut found: Vec<Figure> = Vec::new();
    let mut words = Words::default();
    for (at, token) in tokens(&text) {
        let behind = text.get(at + token.len()..).unwrap_or_default();
        let is_percent = begins_with_percent(behind, language);
        if let Some(value) = language.numbers.words.get(token) {
            words.take(token, f64::from(*value), is_percent, &mut found);
            continue;
        }
        words.end(&mut found);
        let form = if token.contains(':') || begins_with_half_of_day(behind) {
            Form::Time
        } else {
            Form::Digits
        };
        let own = in_digits(token, is_percent).into_iter();
        found.extend(own.map(|figure| Figure { form, ..figure }));
    }
    words.end(&mut found);
    found
}

/// Words, and numbers in digits with the marks within them. Digits that a letter stands in front of are no number.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let begin = at + rest.find(char::is_alphanumeric)?;
        let rest = text.get(begin..)?;
        let length = if rest.starts_with(|c: char| c.is_ascii_digit()) {
            digits(rest)
        } else {
            rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())
        };
        at = begin + length;
        Some((begin, rest.get(..length)?))
    })
}

/// Measures how much of a text is a number, in bytes: digits, and the marks between two of them.
fn digits(text: &str) -> usize {
    let mut end = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let goes_on = characters.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        let is_mark = matches!(c, '.' | ',' | ':' | '\'') && goes_on;
        if !c.is_ascii_digit() && !is_mark {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

/// The numbers of a token that begins with a digit; none of another.
fn in_digits(token: &str, is_percent: bool) -> Vec<Figure> {
    if !token.starts_with(|c: char| c.is_ascii_digit()) {
        return Vec::new();
    }
    let parts = parts(token);
    let mut figures: Vec<Figure> = parts
        .into_iter()
        .filter_map(|part| Some(Figure::of(part, readings(part)?)))
        .collect();
    if let Some(last) = figures.last_mut() {
        last.is_percent = is_percent;
    }
    figures
}

/// A time of day, a date or a list without blanks is several numbers.
fn parts(token: &str) -> Vec<&str> {
    if !token.contains(':') && readings(token).is_some() {
        return vec![token];
    }
    let listed = token.split([',', ':', '\'']);
    let dated = |part| {
        if readings(part).is_some() {
            vec![part]
        } else {
            part.split('.').collect()
        }
    };
    listed.flat_map(dated).collect()
}

/// Tells what one number may be. Nothing where its marks make no sense in one.
fn readings(token: &str) -> Option<Vec<Reading>> {
    let marks: Vec<char> = token.chars().filter(|c| !c.is_ascii_digit()).collect();
    let last = token.rfind(|c: char| !c.is_ascii_digit());
    let (head, tail) = last.map_or((token, ""), |at| {
        (
            token.get(..at).unwrap_or_default(),
            token.get(at + 1..).unwrap_or_default(),
        )
    });
    let grouped = |text: &str| {
        let mut groups = text.split(|c: char| !c.is_ascii_digit());
        groups.next().is_some_and(|first| first.len() <= 3) && groups.all(|group| group.len() == 3)
    };
    let mut readings = Vec::new();
    let alike = marks.iter().all(|mark| Some(mark) == marks.first());
    if alike && (marks.is_empty() || grouped(token)) {
        readings.extend(reading(&bare(token), ""));
    }
    let fraction =
        marks.len() == 1 && marks.first() != Some(&'\'') || marks.len() > 1 && !alike && grouped(head);
    if fraction {
        readings.extend(reading(&bare(head), tail));
    }
    (!readings.is_empty()).then_some(readings)
}

fn bare(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

fn reading(whole: &str, decimals: &str) -> Option<Reading> {
    let value = format!("{whole}.{decimals}0").parse().ok()?;
    let decimals = i32::try_from(decimals.len()).ok()?;
    Some(Reading { value, decimals })
}

/// The hours of the times of day in a text, as the other half of the day and other clocks have them.
fn hours(text: &str) -> Vec<f64> {
    let times = tokens(text).filter(|(_, token)| token.contains(':'));
    let hours = times.filter_map(|(_, token)| token.split(':').next()?.parse::<u32>().ok());
    hours
        .flat_map(|hour| {
            [
                hour % 12,
                hour % 12 + 12,
                if hour % 12 == 0 { 12 } else { hour % 12 },
            ]
        })
        .map(f64::from)
        .collect()
}

fn begins_with_half_of_day(text: &str) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || c == ',');
    let next = words.find(|word| !word.is_empty()).unwrap_or_default();
    matches!(next.replace('.', "").as_str(), "am" | "pm" | "uhr" | "h")
}

fn begins_with_percent(text: &str, language: &Language) -> bool {
    let text = text.trim_start();
    text.starts_with('%')
        || language
            .numbers
            .percent
            .iter()
            .any(|word| text.starts_with(word.as_str()))
}

/// A number in words, as far as it was read.
#[derive(Debug, Default)]
struct Words {
    written: Vec<String>,
    value: f64,
    is_percent: bool,
}

impl Words {
    fn take(&mut self, word: &str, value: f64, is_percent: bool, found: &mut Vec<Figure>) {
        let multiplies = value >= 100.0 && self.value >= 1.0;
        let adds = self.value >= 20.0 && value < 10.0 || self.value >= 100.0 && value < 100.0;
        if !multiplies && !adds {
            self.end(found);
        }
        self.is_percent = is_percent;
        self.value = if multiplies {
            self.value * value
        } else {
            self.value + value
        };
        self.written.push(word.to_owned());
    }

    fn end(&mut self, found: &mut Vec<Figure>) {
        let words = std::mem::take(self);
        if !words.written.is_empty() {
            found.push(words.figure());
        }
    }

    fn figure(self) -> Figure {
        let value = Reading {
            value: self.value,
            decimals: 0,
        };
        Figure {
            is_percent: self.is_percent,
            form: Form::Words,
            ..Figure::of(&self.written.join(" "), vec![value])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loquat_decoder::language::spoken;

    fn read(text: &str, lang: &str) -> Vec<Vec<f64>> {
        let found = figures(text, spoken(Some(lang)));
        found.iter().map(|figure| figure.values().collect()).collect()
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, lang, expected) in [
            ("17 percent of 2,450", "en", vec![vec![17.0], vec![2450.0, 2.45]]),
            ("416.50 and 41.8.", "en", vec![vec![416.5], vec![41.8]]),
            ("1.234.567,89", "de", vec![vec![1_234_567.89]]),
            ("25.12.2026", "de", vec![vec![25.0], vec![12.0], vec![2026.0]]),
            ("15:24:05", "en", vec![vec![15.0], vec![24.0], vec![5.0]]),
            ("H2O, the 23rd, 3x", "en", vec![vec![23.0], vec![3.0]]),
            ("twenty-five times twelve", "en", vec![vec![25.0], vec![12.0]]),
            ("two hundred and fifty", "en", vec![vec![200.0], vec![50.0]]),
            ("five six", "en", vec![vec![5.0], vec![6.0]]),
            ("zwölf mal dreizehn", "de-DE", vec![vec![12.0], vec![13.0]]),
            ("once upon a time", "en", vec![]),
        ] {
            assert_eq!(read(text, lang), expected, "{text}");
        }
    }

    #[test]
    fn a_percent_sign_belongs_to_its_number() {
        let language = spoken(Some("en-US"));
        let of = |text: &str| {
            let found = figures(text, language);
            found.iter().map(|figure| figure.is_percent).collect::<Vec<_>>()
        };
        for text in ["17 percent of 5", "17% of 5", "sixty percent of 5"] {
            assert_eq!(of(text), [true, false], "{text}");
        }
    }

    #[test]
    fn what_is_known_vouches_for_what_is_rounded_or_told_by_another_clock() {
        let language = spoken(None);
        let known = Known::of(
            ["{\"result\":41.8430, \"time\":\"15:24\", \"days\": 1137, \"people\": 2102650}"],
            language,
        );
        let holds = |text: &str| figures(text, language).iter().all(|figure| known.hold(figure));
        assert!(holds(
            "41.84, 41.8, 42, 41, 3:24 PM, 15 Uhr 24, 1,137, 2.1 million"
        ));
        let at = Known::default().and_moment("Monday, 23 November 2026, 5:58 PM", language);
        let is_given = |text: &str| figures(text, language).iter().all(|figure| at.hold(figure));
        assert!(is_given("17:58, 5:58 pm, 5 pm, November 23"));
        assert!(!is_given("That is 5.") && !is_given("58 apples"));
        for wrong in ["41.9", "43", "4:24", "3:25", "1,138", "418"] {
            assert!(!holds(wrong), "{wrong}");
        }
    }
}
