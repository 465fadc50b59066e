//! Minutes whose hour was not said, as in "wake me at ten past": which hour is meant is asked, and the answer tells it.
//! Asks nothing itself and sets nothing.

use jiff::ToSpan;
use jiff::civil::Time;
use loquat_agent::toolbox::Circumstances;
use loquat_agent::turn::IntendedCall;
use loquat_kit::Hour;
use loquat_kit::answers::{Choice, Words as Answers};
use loquat_kit::calendar::Calendar;
use loquat_kit::intent::InLanguage;
use serde_json::Value;

use super::AlertTools;
use super::due::Said;

/// The arguments that may hold such minutes.
const ARGUMENTS: [&str; 2] = ["time", "date"];

/// Hours of a clock with two halves of the day.
const HALF_DAY: i8 = 12;

/// What was said, with the hour that was answered.
pub(super) enum Told {
    /// All that it takes.
    Whole(Said),
    /// The hour is not known: the minutes as they were said, and the next moments that they may be.
    Lacking(String, Vec<String>),
}

/// Puts the hour that was answered to what was said.
pub(super) fn told(tools: &AlertTools, said: Said, choice: &mut String, person: &Circumstances) -> Told {
    let calendar = Calendar::of(person, tools.alerts.now().wall);
    let minutes = |said: &Option<String>| calendar.minutes_of_hour(said.as_deref()?);
    let (minutes, words) = match (minutes(&said.time), minutes(&said.date)) {
        (Some(minutes), _) => (minutes, said.time.clone()),
        (None, Some(minutes)) => (minutes, said.date.clone()),
        (None, None) => return Told::Whole(said),
    };
    let answer = answered(choice, minutes, &calendar, &tools.language(person));
    let Some(hour) = answer else {
        let words = bare(&words.unwrap_or_default(), minutes, &calendar);
        let next = [0, 1].map(|place| calendar.told_time(nth(place, minutes, &calendar).time));
        return Told::Lacking(words, next.to_vec());
    };
    // It has answered this question and no other one.
    choice.clear();
    let date = said.date.filter(|_| said.time.is_some());
    Told::Whole(Said {
        time: None,
        date,
        hour: Some(hour),
        ..said
    })
}

/// Whether a call has minutes of an hour that was not said; if so, whether these words tell it.
pub(super) fn answers(call: &IntendedCall, said: &str, spoken: &InLanguage<'_>) -> Option<bool> {
    let calendar = Calendar::spoken(spoken.lang);
    let argument = |name: &&str| call.arguments.get(*name)?.as_str();
    let mut minutes = ARGUMENTS
        .iter()
        .filter_map(|name| calendar.minutes_of_hour(argument(name)?));
    let minutes = minutes.next()?;
    Some(answered(said, minutes, &calendar, spoken).is_some())
}

/// Whether a call has minutes of an hour that was not said, so that the person is asked for it.
#[must_use]
pub fn lacks_hour(call: &IntendedCall, lang: &str) -> bool {
    let calendar = Calendar::spoken(lang);
    let argument = |name: &&str| call.arguments.get(*name)?.as_str();
    let mut said = ARGUMENTS.iter().filter_map(argument);
    call.toolbox_id == super::ID && said.any(|said| calendar.minutes_of_hour(said).is_some())
}

/// The time that an answer makes of the minutes: their hour, a whole time, or "the next one".
fn answered(said: &str, minutes: i32, calendar: &Calendar, spoken: &InLanguage<'_>) -> Option<Hour> {
    let whole = |text: &str| calendar.moment(text).ok().filter(|when| when.has_clock)?.hour;
    if let Some(hour) = whole(said).or_else(|| calendar.hour(said)) {
        return Some(if hour.time.minute() == 0 {
            of(hour, minutes)
        } else {
            hour
        });
    }
    let answers = Answers::of(spoken.locales, spoken.lang);
    match answers.choice(&answers.plain(said)) {
        Ok(Choice::Nth(place)) => Some(nth(place, minutes, calendar)),
        _ => None,
    }
}

/// The minutes of an hour: a bare seven may be that of the morning or of the evening.
fn of(hour: Hour, minutes: i32) -> Hour {
    let is_bare = (1..=HALF_DAY).contains(&hour.time.hour());
    Hour {
        time: hour.time.wrapping_add(i64::from(minutes).minutes()),
        may_be_later: !hour.has_half && is_bare,
        is_clear: true,
        has_half: hour.has_half,
    }
}

/// One of the next moments with these minutes, counted from nought.
fn nth(place: usize, minutes: i32, calendar: &Calendar) -> Hour {
    let now = calendar.now().time();
    let minute = i8::try_from(minutes.rem_euclid(60)).unwrap_or_default();
    let first = i64::from(minute <= now.minute());
    let hours = first + i64::try_from(place).unwrap_or_default();
    let of_this_hour = Time::new(now.hour(), minute, 0, 0).unwrap_or_default();
    Hour {
        time: of_this_hour.wrapping_add(hours.hours()),
        may_be_later: false,
        is_clear: true,
        has_half: true,
    }
}

/// The words of the minutes without those in front of a time.
fn bare(said: &str, minutes: i32, calendar: &Calendar) -> String {
    let mut words: &str = said.trim();
    while let Some((_, rest)) = words.split_once(' ') {
        if calendar.minutes_of_hour(rest) != Some(minutes) {
            break;
        }
        words = rest;
    }
    words.to_owned()
}

/// Whether words are minutes of an hour that they do not say.
pub(super) fn lack_hour(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let minutes = Calendar::spoken(spoken.lang).minutes_of_hour(said);
    minutes.map(|_| Value::from(said))
}

#[cfg(test)]
mod tests;
