//! Questions with answers that can be checked, for a real model.
//!
//! They are for development: rules are looked for with them, so no figure that is published comes from them.
//! Every answer is judged by what it holds, never by its wording; what depends on the moment is computed from it when the
//! answer is judged.

mod calendar;
mod tasks;

use std::time::SystemTime;

use calendar::{date, has_date, has_time, time, weekday};

pub(crate) use calendar::Span;

pub(crate) use tasks::{DAY, GERMAN, HOUR, TIME_HERE, foreign, task};
pub use tasks::{EVERYDAY, HOPS, LANGUAGES, USUAL};

/// A question and what a right answer holds.
#[derive(Debug, Clone, Copy)]
pub struct Task {
    /// What is asked.
    pub question: &'static str,
    /// The language it is asked in, and has to be answered in.
    pub lang: &'static str,
    wanted: Wanted,
}

/// What a right answer holds.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wanted {
    /// A number that begins so and has no other digit in front of the decimal point.
    Number(&'static str),
    /// A word, in any case.
    Word(&'static str),
    /// The time of day so many seconds after now in UTC.
    Time(u64),
    /// The date so many seconds after now in UTC.
    Date(u64),
    /// The name of that day.
    Weekday(u64),
    /// How many days are left until this one, counted since 1970.
    DaysLeft(u64),
    /// How many days are left until the next day with this month and day.
    DaysToNext(u64, u64),
    /// So many for each of these days.
    ForEachDayToNext(u64, u64, u64),
    /// How many whole hours are left until the next day with this month and day begins.
    HoursToNext(u64, u64),
    /// Words that say that it cannot be done.
    Decline,
    /// Words that say anything but that.
    Talk,
    /// One of these.
    One(&'static [Self]),
    /// All of these.
    All(&'static [Self]),
}

/// With these an assistant says that it cannot do something, in the languages of the exam.
const DECLINES: &[&str] = &[
    "cannot",
    "can't",
    "can not",
    "unable",
    "not able",
    "no tool",
    "don't have access",
    "don't have the",
    "sorry",
    "kann ich nicht",
    "kann nicht",
    "kann keine",
    "kann leider",
    "leider",
    "nicht möglich",
    "désolé",
    "ne peux pas",
    "no puedo",
    "lo siento",
    "non posso",
    "mi dispiace",
];

impl Task {
    /// Whether an answer that was asked for at `asked` and has come by `now` is right.
    pub fn is_right(&self, answer: &str, asked: SystemTime, now: SystemTime) -> bool {
        let answer = answer.to_lowercase().replace('’', "'");
        self.wanted.is_in(&answer, Span::new(asked, now))
    }

    /// The numbers, words, times and dates that right answers hold. A number may be longer in an answer.
    pub(crate) fn facts(&self, asked: SystemTime, now: SystemTime) -> Vec<String> {
        self.wanted.facts(Span::new(asked, now))
    }
}

impl Wanted {
    fn is_in(self, answer: &str, span: Span) -> bool {
        let declines = || DECLINES.iter().any(|words| answer.contains(words));
        match self {
            Self::Number(number) => has_number(answer, number),
            Self::Word(word) => answer.contains(&word.to_lowercase()),
            Self::Time(ahead) => span.minutes(ahead).any(|minute| has_time(answer, minute)),
            Self::Date(ahead) => span.days(ahead).any(|day| has_date(answer, day)),
            Self::Weekday(ahead) => span.days(ahead).any(|day| answer.contains(weekday(day))),
            Self::DaysLeft(then) => span
                .days(0)
                .any(|day| has_number(answer, &then.saturating_sub(day).to_string())),
            Self::DaysToNext(month, day) => span
                .days_to_next(month, day)
                .any(|days| has_number(answer, &days.to_string())),
            Self::ForEachDayToNext(month, day, each) => span
                .days_to_next(month, day)
                .any(|days| has_number(answer, &(each * days).to_string())),
            Self::HoursToNext(month, day) => span
                .hours_to_next(month, day)
                .any(|hours| has_number(answer, &hours.to_string())),
            Self::Decline => declines(),
            Self::Talk => !answer.trim().is_empty() && !declines(),
            Self::One(several) => several.iter().any(|wanted| wanted.is_in(answer, span)),
            Self::All(several) => several.iter().all(|wanted| wanted.is_in(answer, span)),
        }
    }

    pub(crate) fn facts(self, span: Span) -> Vec<String> {
        match self {
            Self::Number(number) | Self::Word(number) => vec![number.to_owned()],
            Self::Time(ahead) => span.minutes(ahead).map(time).collect(),
            Self::Date(ahead) => span.days(ahead).map(date).collect(),
            Self::DaysLeft(then) => span
                .days(0)
                .map(|day| then.saturating_sub(day).to_string())
                .collect(),
            Self::DaysToNext(month, day) => Self::ForEachDayToNext(month, day, 1).facts(span),
            Self::ForEachDayToNext(month, day, each) => span
                .days_to_next(month, day)
                .map(|days| (each * days).to_string())
                .collect(),
            Self::HoursToNext(month, day) => span
                .hours_to_next(month, day)
                .map(|hours| hours.to_string())
                .collect(),
            Self::Weekday(_) | Self::Decline | Self::Talk => Vec::new(),
            Self::One(several) | Self::All(several) => {
                several.iter().flat_map(|wanted| wanted.facts(span)).collect()
            }
        }
    }
}

/// Whether one of the numbers in the text is this one. A wanted number with decimals may have more of them.
fn has_number(text: &str, wanted: &str) -> bool {
    let mut numbers = text
        .split(|character: char| !character.is_ascii_digit() && character != '.' && character != ',')
        .map(|number| number.replace(',', ""));
    let parts = |number: &str| match number.split_once('.') {
        Some((whole, decimals)) => (whole.to_owned(), decimals.trim_end_matches(['0', '.']).to_owned()),
        None => (number.to_owned(), String::new()),
    };
    let (whole, decimals) = parts(wanted);
    numbers.any(|number| {
        let given = parts(&number);
        let rest = given.1.strip_prefix(decimals.as_str());
        given.0 == whole && rest.is_some_and(|rest| rest.is_empty() || !decimals.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    /// Saturday, 21 November 2026, 23:30 UTC, when it is the 22nd in Japan.
    const EVENING: u64 = 1_795_303_800;

    fn judge(question: &str, answer: &str) -> bool {
        let at = UNIX_EPOCH + Duration::from_secs(EVENING);
        let mut all = USUAL.iter().chain(EVERYDAY).chain(LANGUAGES).chain(HOPS);
        let task = all.find(|task| task.question.contains(question)).unwrap();
        task.is_right(answer, at, at + Duration::from_secs(2))
    }

    #[test]
    fn right_answers_are_right() {
        for (question, answer) in [
            ("17 percent", "17 percent of 2,450 is 416.50."),
            ("Tokyo?", "It is 8:30 AM in Tokyo."),
            ("date in Tokyo", "Sunday, November 22, 2026."),
            ("date in Tokyo", "2026-11-22"),
            ("days are there", "There are 1,137 days left."),
            ("square root", "The square root is 84."),
            ("square root", "The square root is 84.0"),
            ("miles", "That is 41.84 km."),
            ("color", "You get Green."),
            ("day is tomorrow", "Tomorrow is Sunday."),
            ("until christmas", "34 days until Christmas."),
            ("play some music", "I can’t do that."),
            ("tell me a joke", "Why did the chicken cross the road?"),
            ("17 Prozent", "17 Prozent von 2450 sind 416,5."),
            ("Wie spät", "Es ist 23:30 Uhr."),
        ] {
            assert!(judge(question, answer), "{question}: {answer}");
        }
    }

    #[test]
    fn wrong_answers_are_wrong() {
        for (question, answer) in [
            ("17 percent", "17 percent of 2,450 is 4165."),
            ("Tokyo?", "It is 9:40 AM in Tokyo."),
            ("date in Tokyo", "Saturday, November 21, 2026."),
            ("days are there", "There are 1,139 days left."),
            ("square root", "The square root is 184."),
            ("average", "The numbers are 12, 15, 20 and 37."),
            ("average", "It is 21.5."),
            ("miles", "That is 41.08 km."),
            ("day is tomorrow", "Tomorrow is Saturday."),
            ("which is longer", "3 miles is longer than 5 kilometers."),
            ("until christmas", "There are 35 days until Christmas."),
            ("play some music", "I am playing some music."),
            ("tell me a joke", "I'm sorry, I cannot do that."),
            ("17 Prozent", "17 percent of 2450 is 416.5."),
            ("Wie spät", "It is 23:30."),
        ] {
            assert!(!judge(question, answer), "{question}: {answer}");
        }
    }
}
