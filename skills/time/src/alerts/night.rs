//! "Tomorrow", said after midnight by one who has not slept yet: it may be today. Asks nothing itself and sets nothing.

use jiff::ToSpan;
use jiff::civil::Date;
use loquat_agent::toolbox::{Circumstances, ToolError};

use super::AlertTools;
use super::due::{Due, Said, Unkept, by_the_clock, on_day, said_day};
use loquat_kit::answers::{Choice, Words as Answers};
use loquat_kit::calendar::Calendar;
use loquat_kit::intent::InLanguage;

/// Before this hour a night is not over for who is awake.
const MORNING: i8 = 4;

/// When something is due.
pub(super) enum Moment {
    At(Due),
    /// On one of these days, today or tomorrow.
    OnOneOf([Date; 2]),
    /// It is understood and not kept.
    Unkept(Unkept),
}

impl Moment {
    fn of(due: Result<Due, Unkept>) -> Self {
        due.map_or_else(Self::Unkept, Self::At)
    }
}

/// When what was said is due; after midnight "tomorrow" is asked about, unless the answer was given.
pub(super) fn due(
    tools: &AlertTools,
    said: Said,
    choice: &str,
    person: &Circumstances,
) -> Result<Moment, ToolError> {
    let calendar = Calendar::of(person, tools.alerts.now().wall);
    // An answer counts also when the night is over by then.
    let is_asked = calendar.now().hour() < MORNING || !choice.trim().is_empty();
    let days = said_tomorrow(&said, &calendar, person).filter(|_| is_asked);
    let Some(days @ [today, _]) = days else {
        return by_the_clock(tools, said, person).map(Moment::of);
    };
    match meant(choice, days, &calendar, &tools.language(person)) {
        Some(day) => on_day(tools, said, day, person).map(Moment::At),
        // Where it is past for today nothing is unclear.
        None if on_day(tools, said.clone(), today, person).is_err() => {
            by_the_clock(tools, said, person).map(Moment::of)
        }
        None => Ok(Moment::OnOneOf(days)),
    }
}

/// Today and tomorrow, where tomorrow was said as seen from today: a day later the same words mean a day later.
fn said_tomorrow(said: &Said, calendar: &Calendar, person: &Circumstances) -> Option<[Date; 2]> {
    let today = calendar.now().date();
    let tomorrow = today.tomorrow().ok()?;
    said_day(said, calendar).filter(|day| *day == tomorrow)?;
    // A day of the calendar, which is not always one of 24 hours.
    let later = calendar.now().checked_add(1.day()).ok()?.timestamp();
    let then = said_day(said, &Calendar::of(person, later))?;
    (then == tomorrow.tomorrow().ok()?).then_some([today, tomorrow])
}

/// Which of today and tomorrow an answer means; numbers and spans mean neither, and both days are not one.
fn meant(said: &str, days: [Date; 2], calendar: &Calendar, spoken: &InLanguage<'_>) -> Option<Date> {
    // "Two" may be an hour, and "the second" is no span here.
    if loquat_kit::numbers::number(said, spoken.lang).is_some() {
        return None;
    }
    let answers = Answers::of(spoken.locales, spoken.lang);
    let plain = answers.plain(said);
    match answers.choice(&plain) {
        Ok(Choice::Nth(place)) => days.get(place).copied(),
        Ok(Choice::Last) => days.last().copied(),
        Ok(Choice::All) => None,
        Err(_) if calendar.length(said).is_some() => None,
        Err(bare) => {
            let bare = answers.telling(bare).collect::<Vec<_>>().join(" ");
            let day = calendar.day(said).or_else(|| calendar.day(&bare));
            day.map(|day| day.date).filter(|day| days.contains(day))
        }
    }
}

/// Whether these words answer the question which of two days is meant; nothing where another question was asked.
///
/// Only the weekdays were told, so they are looked for around the day that it is here.
pub(super) fn answers(choices: &[String], said: &str, spoken: &InLanguage<'_>) -> Option<bool> {
    let [first, second] = choices else { return None };
    let calendar = Calendar::spoken(spoken.lang);
    let here = calendar.now().date();
    let mut near = (-1_i64..6).filter_map(|days| here.checked_add(days.days()).ok());
    let today = near.find(|day| calendar.told_weekday(*day) == *first)?;
    let tomorrow = today.tomorrow().ok()?;
    if calendar.told_weekday(tomorrow) != *second {
        return None;
    }
    let calendar = calendar.seen_from(today);
    Some(meant(said, [today, tomorrow], &calendar, spoken).is_some())
}

#[cfg(test)]
mod tests;
