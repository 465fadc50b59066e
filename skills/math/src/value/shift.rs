//! Days, times of day and moments moved by durations, and the durations between them.
//!
//! Months and years are those of the calendar; hours of a moment are those of the person's zone.

use jiff::civil::{Date, Time};
use jiff::{Span, ToSpan, Zoned};

use super::Value;
use crate::error::ExpressionError;
use crate::number::Number;
use crate::quantity::Quantity;
use crate::units::{self, Category};

const SECONDS_OF_DAY: i64 = 86_400;

/// A sum or difference with a day, a time of day or a moment in it; `None` where there is none.
pub(super) fn sum(is_minus: bool, left: &Value, right: &Value) -> Option<Result<Value, ExpressionError>> {
    let result = match (left, right) {
        (moment, Value::Measured(by)) if is_of_time(by) => moved(moment, by, is_minus)?,
        (Value::Measured(by), moment) if is_of_time(by) && !is_minus => moved(moment, by, false)?,
        _ if is_minus => between(left, right)?,
        _ => return None,
    };
    Some(result)
}

/// Two of a kind as numbers in their order.
pub(super) fn ordinals(left: &Value, right: &Value) -> Option<(Number, Number)> {
    let ordinal = |value: &Value| match value {
        Value::Day(date) => Some((0, days(*date)?)),
        Value::Time(time, days_later) => Some((1, seconds(*time) + days_later * SECONDS_OF_DAY)),
        Value::Moment(moment) => Some((2, moment.timestamp().as_second())),
        _ => None,
    };
    let (left, right) = (ordinal(left)?, ordinal(right)?);
    let whole = |(_, ordinal)| Number::Whole(i128::from(ordinal));
    (left.0 == right.0).then(|| (whole(left), whole(right)))
}

fn is_of_time(quantity: &Quantity) -> bool {
    quantity.unit.category == Category::Time
}

fn moved(moment: &Value, by: &Quantity, is_minus: bool) -> Option<Result<Value, ExpressionError>> {
    let number = if is_minus { by.number.negated() } else { by.number };
    let by = by.with(number);
    Some(match moment {
        Value::Day(date) => day_moved(*date, &by).map(Value::Day),
        Value::Time(time, days_later) => time_moved(*time, *days_later, &by),
        Value::Moment(moment) => moment_moved(moment, &by).map(Value::Moment),
        _ => return None,
    })
}

fn day_moved(date: Date, by: &Quantity) -> Result<Date, ExpressionError> {
    let Some(span) = calendar_span(by) else {
        let complaint = format!(
            "a date cannot be moved by {}; write now or a time of day for that",
            by.unit.plural
        );
        return Err(ExpressionError::Undefined(complaint));
    };
    date.checked_add(span?).map_err(|_| too_far())
}

/// Whole days, weeks, months and years.
fn calendar_span(by: &Quantity) -> Option<Result<Span, ExpressionError>> {
    let months = match by.unit.name {
        "month" => Some(1),
        "year" => Some(12),
        "decade" => Some(120),
        "century" => Some(1200),
        _ => None,
    };
    let whole = |number: Number| number.to_whole().and_then(|whole| i64::try_from(whole).ok());
    if let Some(months) = months.and_then(|months| whole(by.number.times(Number::Whole(months)))) {
        return Some(Span::new().try_months(months).map_err(|_| too_far()));
    }
    let seconds = by.number.to_f64() * by.unit.factor();
    let days = seconds / SECONDS_OF_DAY as f64;
    if !days.is_finite() || days.abs() > 1e8 {
        return Some(Err(too_far()));
    }
    whole(Number::Real(days)).map(|days| Span::new().try_days(days).map_err(|_| too_far()))
}

fn time_moved(time: Time, days_later: i64, by: &Quantity) -> Result<Value, ExpressionError> {
    let moved = seconds(time) + whole_seconds(by)?;
    let days_later = days_later + moved.div_euclid(SECONDS_OF_DAY);
    let time = Time::midnight().wrapping_add(moved.rem_euclid(SECONDS_OF_DAY).seconds());
    Ok(Value::Time(time, days_later))
}

fn moment_moved(moment: &Zoned, by: &Quantity) -> Result<Zoned, ExpressionError> {
    let is_of_days = by.unit.factor() >= SECONDS_OF_DAY as f64;
    let span = match calendar_span(by).filter(|_| is_of_days) {
        Some(span) => span?,
        None => Span::new()
            .try_seconds(whole_seconds(by)?)
            .map_err(|_| too_far())?,
    };
    moment.checked_add(span).map_err(|_| too_far())
}

/// At most about three million years.
fn whole_seconds(by: &Quantity) -> Result<i64, ExpressionError> {
    let seconds = by.number.to_f64() * by.unit.factor();
    if seconds.is_finite() && seconds.abs() < 1e14 {
        Ok(seconds.round() as i64)
    } else {
        Err(too_far())
    }
}

/// The time from the second to the first.
fn between(later: &Value, earlier: &Value) -> Option<Result<Value, ExpressionError>> {
    let (later_number, earlier_number) = ordinals(later, earlier)?;
    let (unit, factor) = match later {
        Value::Day(_) => ("day", 1),
        _ => ("hour", 3600),
    };
    let number = later_number
        .minus(earlier_number)
        .divided_by(Number::Whole(factor));
    let unit = units::find(unit).ok()?;
    Some(Ok(Value::Measured(Quantity::new(number, unit))))
}

fn days(date: Date) -> Option<i64> {
    let span = Date::constant(1970, 1, 1).until(date).ok()?;
    Some(i64::from(span.get_days()))
}

fn seconds(time: Time) -> i64 {
    i64::from(time.hour()) * 3600 + i64::from(time.minute()) * 60 + i64::from(time.second())
}

fn too_far() -> ExpressionError {
    ExpressionError::Undefined("that is beyond the years that the calendar knows".to_owned())
}
