//! Questions with answers that can be checked, for a real model: most need the clock or the calculator, two need no
//! tool.
//!
//! What depends on the moment is computed from it when the answer is judged, in zones without summer time.

use std::ops::RangeInclusive;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Japan is this far ahead of UTC, all the year.
const JAPAN: Duration = Duration::from_secs(9 * 3600);

/// Western Europe, where the daemon of a test lives, is this far ahead of UTC at most.
const SUMMER: Duration = Duration::from_secs(3600);

/// 1 January 2030, in days since 1970.
const NEW_YEAR_2030: u64 = 21_915;

const SECONDS_A_DAY: u64 = 86_400;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A question and what a right answer holds.
#[derive(Debug, Clone, Copy)]
pub struct Task {
    /// What is asked.
    pub question: &'static str,
    wanted: Wanted,
}

#[derive(Debug, Clone, Copy)]
enum Wanted {
    /// A number that begins so and has no other digit in front of the decimal point.
    Number(&'static str),
    /// A word, in any case.
    Word(&'static str),
    /// The time of day in Japan.
    TimeInJapan,
    /// The date in Japan.
    DateInJapan,
    /// How many days are left until [`NEW_YEAR_2030`].
    DaysLeft,
}

/// All tasks; the first four hold one of each kind.
pub const TASKS: [Task; 10] = [
    task("What is 17 percent of 2,450?", Wanted::Number("416.5")),
    task("What time is it in Tokyo?", Wanted::TimeInJapan),
    task("What is the capital of France?", Wanted::Word("Paris")),
    task("How many kilometers are 26 miles?", Wanted::Number("41.8")),
    task("What is the square root of 7,056?", Wanted::Number("84")),
    task("How many days are there until 1 January 2030?", Wanted::DaysLeft),
    task("What is the average of 12, 15, 20 and 37?", Wanted::Number("21")),
    task("What is today's date in Tokyo?", Wanted::DateInJapan),
    task(
        "Which color do you get when you mix blue and yellow paint?",
        Wanted::Word("green"),
    ),
    task("Solve the equation 3x + 7 = 40.", Wanted::Number("11")),
];

const fn task(question: &'static str, wanted: Wanted) -> Task {
    Task { question, wanted }
}

impl Task {
    /// Whether an answer that was asked for at `asked` and has come by `now` is right.
    pub fn is_right(&self, answer: &str, asked: SystemTime, now: SystemTime) -> bool {
        let since = |ahead: Duration| (seconds(asked + ahead), seconds(now + ahead));
        match self.wanted {
            Wanted::Number(number) => has_number(answer, number),
            Wanted::Word(word) => answer.to_lowercase().contains(&word.to_lowercase()),
            Wanted::TimeInJapan => {
                let (from, to) = since(JAPAN);
                // Where seconds are rounded away, they may be rounded up.
                (from / 60..=to / 60 + 1).any(|minute| has_time(answer, minute))
            }
            Wanted::DateInJapan => days(since(JAPAN)).any(|day| has_date(answer, day)),
            Wanted::DaysLeft => days((seconds(asked), seconds(now + SUMMER)))
                .any(|day| has_number(answer, &NEW_YEAR_2030.saturating_sub(day).to_string())),
        }
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

fn days((from, to): (u64, u64)) -> RangeInclusive<u64> {
    from / SECONDS_A_DAY..=to / SECONDS_A_DAY
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

/// Whether the text names this minute of the day, counted from midnight of any day.
fn has_time(text: &str, minute: u64) -> bool {
    let (hour, minute) = (minute / 60 % 24, minute % 60);
    let half = if hour % 12 == 0 { 12 } else { hour % 12 };
    [hour, half]
        .iter()
        .any(|hour| text.contains(&format!("{hour}:{minute:02}")))
}

/// Whether the text names this day, as a date of ISO 8601 or with the month's name.
fn has_date(text: &str, day: u64) -> bool {
    let (year, month, day) = civil(day);
    let name = month.checked_sub(1).and_then(|month| MONTHS.get(month as usize));
    let named = name.is_some_and(|name| text.contains(name)) && has_number(text, &day.to_string());
    named || text.contains(&format!("{year}-{month:02}-{day:02}"))
}

/// Year, month and day of a day since 1970 in the Gregorian calendar (Hinnant, "chrono-compatible low-level date
/// algorithms", `civil_from_days`).
fn civil(day: u64) -> (u64, u64, u64) {
    let day = day + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    (year, month, of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 21 November 2026, 23:30 UTC, when it is the 22nd in Japan.
    const EVENING: u64 = 1_795_303_800;

    fn judge(question: &str, answer: &str) -> bool {
        let at = UNIX_EPOCH + Duration::from_secs(EVENING);
        let task = TASKS
            .iter()
            .find(|task| task.question.contains(question))
            .unwrap();
        task.is_right(answer, at, at + Duration::from_secs(2))
    }

    #[test]
    fn right_answers_are_right() {
        assert!(judge("percent", "17 percent of 2,450 is 416.50."));
        assert!(judge("Tokyo?", "It is 8:30 AM in Tokyo."));
        assert!(judge("date in", "Sunday, November 22, 2026."));
        assert!(judge("date in", "2026-11-22"));
        assert!(judge("days", "There are 1,137 days left."));
        assert!(judge("square root", "The square root is 84."));
        assert!(judge("square root", "The square root is 84.0"));
        assert!(judge("miles", "That is 41.84 km."));
        assert!(judge("color", "You get Green."));
    }

    #[test]
    fn wrong_answers_are_wrong() {
        assert!(!judge("percent", "17 percent of 2,450 is 4165."));
        assert!(!judge("Tokyo?", "It is 9:40 AM in Tokyo."));
        assert!(!judge("date in", "Saturday, November 21, 2026."));
        assert!(!judge("days", "There are 1,139 days left."));
        assert!(!judge("square root", "The square root is 184."));
        assert!(!judge("average", "The numbers are 12, 15, 20 and 37."));
        assert!(!judge("average", "It is 21.5."));
        assert!(!judge("miles", "That is 41.08 km."));
    }
}
