//! "Tomorrow", said after midnight by one who has not slept yet: it may be today. Asks nothing itself and sets nothing.

use loquat_agent::toolbox::{Circumstances, ToolError};

use super::AlertTools;
use super::due::{Due, Said, by_the_clock, on_day, said_day};
use crate::clock::calendar::Calendar;
use crate::clock::words::Words;
use crate::home::words::{Choice, Words as Answers};

/// Before this hour a night is not over for who is awake.
const MORNING: i8 = 4;

/// When something is due.
pub(super) enum Moment {
    At(Due),
    /// On one of these days, as they are told.
    OnOneOf([String; 2]),
    /// It is to be repeated otherwise than on days of the week, which is not kept.
    Unkept,
}

impl Moment {
    fn of(due: Option<Due>) -> Self {
        due.map_or(Self::Unkept, Self::At)
    }
}

/// When what was said is due; after midnight "tomorrow" is asked about, unless the answer was given.
pub(super) fn due(
    tools: &AlertTools,
    said: Said,
    (choice, person): (&str, &Circumstances),
) -> Result<Moment, ToolError> {
    let calendar = Calendar::of(person, tools.alerts.now().wall);
    let today = calendar.now().date();
    let is_night = calendar.now().hour() < MORNING;
    let tomorrow = said_day(&said, &calendar).filter(|day| is_night && today.tomorrow().ok() == Some(*day));
    let Some(tomorrow) = tomorrow.filter(|_| is_relative(tools, &said, person)) else {
        return by_the_clock(tools, said, person).map(Moment::of);
    };
    let answers = Answers::of(&tools.locales, person.lang.as_deref().unwrap_or("en"));
    let plain = answers.plain(choice);
    let day = match answers.choice(&plain) {
        Ok(Choice::Nth(0)) => Some(today),
        Ok(Choice::Nth(1) | Choice::Last) => Some(tomorrow),
        _ => calendar
            .day(choice)
            .map(|day| day.date)
            .filter(|day| [today, tomorrow].contains(day)),
    };
    match day {
        Some(day) => on_day(tools, said, (day, person)).map(Moment::At),
        // Where it is past for today nothing is unclear.
        None if on_day(tools, said.clone(), (today, person)).is_err() => {
            by_the_clock(tools, said, person).map(Moment::of)
        }
        None => {
            let words = Words::of(person);
            Ok(Moment::OnOneOf([words.weekday(today), words.weekday(tomorrow)]))
        }
    }
}

/// Whether the day was said as seen from today: a day later the same words mean a day later.
fn is_relative(tools: &AlertTools, said: &Said, person: &Circumstances) -> bool {
    let day = |hours: i64| {
        let moment = tools.alerts.now().wall + jiff::SignedDuration::from_hours(hours);
        said_day(said, &Calendar::of(person, moment))
    };
    day(0).and_then(|day| day.tomorrow().ok()) == day(24)
}

#[cfg(test)]
mod tests;
