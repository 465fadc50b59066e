//! The moment at which a reminder or a deed is due, by all that was said of it, and what is asked where that is not clear.
//!
//! Sets nothing.

use jiff::civil::Date;
use loquat_agent::toolbox::{Circumstances, ToolError};
use loquat_kit::calendar::Calendar;

use super::alert::{Kind, Repetition, at};
use super::due::{self, Due, Said, Unkept};
use super::hours;
use super::night::{self, Moment};
use super::setting::{self, Set, complaint, unsaid};
use super::sun::{Said as SunSaid, Sun};
use super::{AlertTools, spoken};

/// Days that are looked through for one on which the sun rises or sets.
const DAYS: i64 = 400;

/// What was said of it, but for a length.
#[derive(Debug, Clone, Default)]
pub(super) struct Told {
    pub(super) time: Option<String>,
    pub(super) date: Option<String>,
    pub(super) repeat: Option<String>,
    pub(super) until: Option<String>,
    pub(super) choice: String,
    /// Whether the person is awake then, as [`Said`] has it.
    pub(super) is_by_day: bool,
}

/// What is asked, or refused, before anything is set.
pub(super) enum Asking {
    /// When it is, in the words of this dialog.
    When(&'static str),
    /// Which of two days.
    Day([Date; 2], [String; 2]),
    /// Which hour these minutes are of, and the next moments that they may be.
    Hour(String, Vec<String>),
    /// It is understood and not kept.
    Unkept(Unkept),
    /// It goes by the sun, and where the device stands is not known.
    NoPlace,
}

impl Asking {
    /// Nothing of this kind is set.
    pub(super) fn set(self, kind: Kind) -> Set {
        match self {
            Self::When(dialog) => unsaid(kind, dialog, "when?"),
            Self::Day(days, names) => Set::asking(kind, days, names),
            Self::Hour(minutes, next) => Set::asking_hour(kind, &minutes, next),
            Self::Unkept(why) => setting::unkept(kind, why),
            Self::NoPlace => setting::no_place(kind),
        }
    }
}

impl Told {
    /// Whether nothing was said.
    pub(super) fn is_nothing(&self) -> bool {
        self.time.is_none() && self.date.is_none() && self.repeat.is_none()
    }
}

/// The moment was said in two ways.
pub(super) fn said_twice() -> ToolError {
    complaint("duration: it says when already; leave out time, date and repeat, or leave out duration")
}

/// When it is due.
pub(super) fn due(
    tools: &AlertTools,
    mut told: Told,
    person: &Circumstances,
) -> Result<Result<Due, Asking>, ToolError> {
    let language = tools.language(person);
    if let Some(sun) = told
        .time
        .as_deref()
        .and_then(|time| SunSaid::read(time, &language))
    {
        let Some(place) = tools.neighbours.place else {
            return Ok(Err(Asking::NoPlace));
        };
        return by_the_sun(tools, sun.at(place), &told, person);
    }
    let said = Said {
        time: told.time,
        date: told.date,
        repeat: told.repeat,
        until: told.until,
        hour: None,
        is_by_day: told.is_by_day,
    };
    let said = match hours::told(tools, said, &mut told.choice, person) {
        hours::Told::Whole(said) => said,
        hours::Told::Lacking(minutes, next) => return Ok(Err(Asking::Hour(minutes, next))),
    };
    Ok(match night::due(tools, said, &told.choice, person)? {
        Moment::At(due) => Ok(due),
        Moment::OnOneOf(days) => {
            let calendar = Calendar::of(person, tools.alerts.now().wall);
            Err(Asking::Day(days, days.map(|day| calendar.told_weekday(day))))
        }
        Moment::Unkept(why) => Err(Asking::Unkept(why)),
    })
}

/// The next such moment of the sun, on the day or the days that were said.
fn by_the_sun(
    tools: &AlertTools,
    sun: Sun,
    told: &Told,
    person: &Circumstances,
) -> Result<Result<Due, Asking>, ToolError> {
    let never = || complaint("time: the sun neither rises nor sets then");
    if told.repeat.is_none() {
        let next = match &told.date {
            Some(date) => {
                let calendar = Calendar::of(person, tools.alerts.now().wall);
                sun.on(due::read_date(&calendar, date)?)
            }
            None => next(tools, sun, person),
        };
        let next = next.filter(|moment| *moment > tools.alerts.now().wall);
        return next.map(|moment| Ok(Due::at(moment))).ok_or_else(never);
    }
    let said = Said {
        date: told.date.clone(),
        repeat: told.repeat.clone(),
        until: told.until.clone(),
        ..Said::default()
    };
    let days = match due::by_the_clock(tools, said, person)? {
        Ok(days) => days,
        Err(why) => return Ok(Err(Asking::Unkept(why))),
    };
    let repetition = days.repetition.map(|repetition| Repetition {
        sun: Some(sun),
        ..repetition
    });
    let zone = spoken::zone(person);
    let first = repetition
        .as_ref()
        .and_then(|each| each.next(tools.alerts.now().wall, &zone));
    let first = first.ok_or_else(never)?;
    Ok(Ok(Due {
        repetition,
        ..Due::at(first)
    }))
}

/// The next day on which the sun does.
fn next(tools: &AlertTools, sun: Sun, person: &Circumstances) -> Option<jiff::Timestamp> {
    let (now, zone) = (tools.alerts.now().wall, spoken::zone(person));
    let today = now.to_zoned(zone).date();
    (0..DAYS).find_map(|days| {
        let date = today.checked_add(jiff::Span::new().try_days(days).ok()?).ok()?;
        sun.on(date).filter(|moment| *moment > now)
    })
}

/// The moment of a date by the sun, or by the clock where it does not go by the sun.
pub(super) fn of_day(
    repetition: &Repetition,
    date: Date,
    zone: &jiff::tz::TimeZone,
) -> Option<jiff::Timestamp> {
    match &repetition.sun {
        Some(sun) => sun.on(date),
        None => at(date, repetition.time, zone),
    }
}
