//! How many units lie between two moments.
//!
//! Days, weeks, months and years are counted on the calendar where both ends are days; all else to the second, or to the
//! minute from now on.

use jiff::civil::{Date, Time};
use jiff::{ToSpan, Unit as Largest, Zoned};

use super::parser::When;
use crate::error::ExpressionError;
use crate::number::Number;
use crate::quantity::{Origin, Parts, Quantity};
use crate::units::{self, Unit};
use loquat_kit::calendar::Calendar;
use loquat_kit::{Day, Hour};

const SECONDS_OF_DAY: f64 = 86_400.0;

/// From now, or from today, until then.
pub(super) fn until(
    unit: Option<&'static Unit>,
    then: &When,
    calendar: &Calendar,
) -> Result<Quantity, ExpressionError> {
    match then {
        When::Day(day) if is_of_days(unit) => on_calendar(unit, calendar.now().date(), day.date),
        _ => exact(unit, &from_now(unit, calendar), &ahead(then, calendar)?),
    }
}

/// From then until now, or until today.
pub(super) fn since(
    unit: Option<&'static Unit>,
    then: &When,
    calendar: &Calendar,
) -> Result<Quantity, ExpressionError> {
    let today = calendar.now().date();
    match then {
        When::Day(day) if is_of_days(unit) => on_calendar(unit, last(*day, today), today),
        When::Day(day) => exact(
            unit,
            &start_of(last(*day, today), calendar)?,
            &from_now(unit, calendar),
        ),
        _ => exact(unit, &behind(then, calendar)?, &from_now(unit, calendar)),
    }
}

/// Between two moments, in whichever order.
pub(super) fn between(
    unit: Option<&'static Unit>,
    from: When,
    to: When,
    calendar: &Calendar,
) -> Result<Quantity, ExpressionError> {
    let [from, to] = [from, to].map(|when| as_day(when, unit));
    let counted = match (from, to) {
        (When::Day(from), When::Day(to)) => {
            let (from, to) = in_order(from, to);
            if is_of_days(unit) {
                on_calendar(unit, from, to)?
            } else {
                exact(unit, &start_of(from, calendar)?, &start_of(to, calendar)?)?
            }
        }
        (When::Hour(from), When::Hour(to)) => {
            let hours = seconds_between(from, to);
            of_seconds(unit, hours)?
        }
        (from, to) => exact(unit, &start(&from, calendar)?, &start(&to, calendar)?)?,
    };
    let is_negative = counted.number.to_f64() < 0.0;
    let number = if is_negative {
        counted.number.negated()
    } else {
        counted.number
    };
    Ok(Quantity { number, ..counted })
}

/// Where days are counted, a moment counts as its day.
fn as_day(when: When, unit: Option<&'static Unit>) -> When {
    match when {
        When::Moment(moment) if is_of_days(unit) && unit.is_some() => When::Day(Day {
            date: moment.date(),
            has_year: true,
        }),
        other => other,
    }
}

/// What is left of a day's period, which ends with this day.
pub(super) fn left(
    unit: Option<&'static Unit>,
    last: Date,
    calendar: &Calendar,
) -> Result<Quantity, ExpressionError> {
    let is_today = last == calendar.now().date();
    if is_of_days(unit) && !(is_today && unit.is_none()) {
        return on_calendar(unit, calendar.now().date(), last);
    }
    let end = last.checked_add(1.day()).map_err(|_| beyond())?;
    exact(unit, &from_now(unit, calendar), &start_of(end, calendar)?)
}

/// The first day of a year that stands alone, as in `years since 1976`.
pub(super) fn start_of_year(year: i16) -> Option<Day> {
    let date = Date::new(year, 1, 1).ok().filter(|_| year >= 1000)?;
    Some(Day { date, has_year: true })
}

/// The last day of a year.
pub(super) fn end_of_year(year: i16) -> Option<Date> {
    Date::new(year, 12, 31).ok().filter(|_| year > 31)
}

/// The last day of the period in which a day lies.
pub(super) fn end_of(period: &Unit, today: Date) -> Option<Date> {
    match period.name {
        "year" => end_of_year(today.year()),
        "month" => Some(today.last_of_month()),
        "week" => {
            let days = 6 - today.weekday().to_monday_zero_offset();
            today.checked_add(i64::from(days).days()).ok()
        }
        "day" => Some(today),
        _ => None,
    }
}

fn is_of_days(unit: Option<&'static Unit>) -> bool {
    unit.is_none_or(|unit| unit.factor() >= SECONDS_OF_DAY)
}

/// Without a year such a day lies behind.
fn last(day: Day, today: Date) -> Date {
    let earlier = || day.date.checked_sub(1.year()).ok();
    if day.has_year || day.date <= today {
        return day.date;
    }
    earlier().unwrap_or(day.date)
}

/// Two days, of which one without a year is near the other.
fn in_order(from: Day, to: Day) -> (Date, Date) {
    let later = |date: Date| date.checked_add(1.year()).unwrap_or(date);
    let of_year = |date: Date, year: i16| date.with().year(year).build().unwrap_or(date);
    match (from.has_year, to.has_year) {
        (_, false) => {
            let mut end = to.date;
            if from.has_year {
                end = of_year(end, from.date.year());
            }
            (from.date, if end < from.date { later(end) } else { end })
        }
        (false, true) => {
            let start = of_year(from.date, to.date.year());
            let earlier = start.checked_sub(1.year()).unwrap_or(start);
            (if start > to.date { earlier } else { start }, to.date)
        }
        (true, true) => (from.date, to.date),
    }
}

fn on_calendar(unit: Option<&'static Unit>, from: Date, to: Date) -> Result<Quantity, ExpressionError> {
    let days = from.until(to).map_err(|_| beyond())?.get_days();
    let Some(unit) = unit else {
        let day = units::find("day").map_err(|_| beyond())?;
        return Ok(Quantity::new(Number::Whole(i128::from(days)), day));
    };
    let parts = parts(unit, from, to)?;
    let number = match unit.name {
        "year" => Number::Whole(i128::from(parts.years)),
        "month" => Number::Whole(i128::from(parts.months)),
        _ => {
            let per_unit = Number::Real(unit.factor() / SECONDS_OF_DAY);
            let per_unit = per_unit.to_whole().map_or(per_unit, Number::Whole);
            Number::Whole(i128::from(days)).divided_by(per_unit)
        }
    };
    let origin = Origin::Counted(parts);
    Ok(Quantity { number, unit, origin })
}

fn parts(unit: &Unit, from: Date, to: Date) -> Result<Parts, ExpressionError> {
    let largest = match unit.name {
        "year" => Largest::Year,
        "month" => Largest::Month,
        _ => return Ok(Parts::default()),
    };
    let span = from.until((largest, to)).map_err(|_| beyond())?;
    Ok(Parts {
        years: i64::from(span.get_years()),
        months: i64::from(span.get_months()),
        days: i64::from(span.get_days()),
    })
}

fn exact(unit: Option<&'static Unit>, from: &Zoned, to: &Zoned) -> Result<Quantity, ExpressionError> {
    of_seconds(unit, from.duration_until(to).as_secs())
}

fn of_seconds(unit: Option<&'static Unit>, seconds: i64) -> Result<Quantity, ExpressionError> {
    let hour = units::find("hour").map_err(|_| beyond())?;
    let per_unit = Number::Real(unit.unwrap_or(hour).factor());
    let per_unit = per_unit.to_whole().map_or(per_unit, Number::Whole);
    let number = Number::Whole(i128::from(seconds)).divided_by(per_unit);
    Ok(match unit {
        Some(unit) => Quantity {
            number,
            unit,
            origin: Origin::Counted(Parts::default()),
        },
        None => Quantity::new(number, hour),
    })
}

/// The moment, without its seconds unless these are counted.
fn from_now(unit: Option<&'static Unit>, calendar: &Calendar) -> Zoned {
    let now = calendar.now();
    let counts_seconds = unit.is_some_and(|unit| unit.factor() < 60.0);
    if counts_seconds {
        return now.clone();
    }
    let minute = now.with().second(0).subsec_nanosecond(0).build();
    minute.unwrap_or_else(|_| now.clone())
}

/// When it will be, seen from now.
fn ahead(then: &When, calendar: &Calendar) -> Result<Zoned, ExpressionError> {
    let When::Hour(hour) = then else {
        return start(then, calendar);
    };
    nearest(*hour, calendar, 1, |moment, now| moment > now)
}

/// When it was, seen from now.
fn behind(then: &When, calendar: &Calendar) -> Result<Zoned, ExpressionError> {
    let When::Hour(hour) = then else {
        return start(then, calendar);
    };
    nearest(*hour, calendar, -1, |moment, now| moment <= now)
}

/// The nearest such hour ahead or behind, of yesterday, today or tomorrow.
fn nearest(
    hour: Hour,
    calendar: &Calendar,
    direction: i64,
    fits: impl Fn(&Zoned, &Zoned) -> bool,
) -> Result<Zoned, ExpressionError> {
    let now = calendar.now();
    let mut hours = vec![hour.time];
    if hour.may_be_later {
        hours.push(twelve_later(hour.time));
    }
    let days = [0, direction]
        .into_iter()
        .filter_map(|days| now.date().checked_add(days.days()).ok());
    let moments = days.flat_map(|date| hours.iter().filter_map(move |time| at(date, *time, calendar)));
    let fitting = moments.filter(|moment| fits(moment, now));
    let nearest = fitting.min_by_key(|moment| now.duration_until(moment).abs());
    nearest.ok_or_else(beyond)
}

fn at(date: Date, time: Time, calendar: &Calendar) -> Option<Zoned> {
    let zone = calendar.now().time_zone().clone();
    date.to_datetime(time).to_zoned(zone).ok()
}

fn start_of(date: Date, calendar: &Calendar) -> Result<Zoned, ExpressionError> {
    at(date, Time::midnight(), calendar).ok_or_else(beyond)
}

/// Of an hour that of today.
fn start(when: &When, calendar: &Calendar) -> Result<Zoned, ExpressionError> {
    match when {
        When::Day(day) => start_of(day.date, calendar),
        When::Hour(hour) => at(calendar.now().date(), hour.time, calendar).ok_or_else(beyond),
        When::Moment(moment) => Ok(moment.clone()),
    }
}

/// From one time of day to the next such time, perhaps past midnight.
fn seconds_between(from: Hour, to: Hour) -> i64 {
    let seconds = from.time.duration_until(to.time).as_secs();
    let half = i64::from(12 * 3600);
    match seconds {
        0.. => seconds,
        _ if to.may_be_later && seconds + half >= 0 => seconds + half,
        _ => seconds + 2 * half,
    }
}

fn twelve_later(time: Time) -> Time {
    time.wrapping_add(12.hours())
}

fn beyond() -> ExpressionError {
    ExpressionError::Undefined("that is beyond the years that the calendar knows".to_owned())
}
