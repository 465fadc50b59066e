//! What the tools take and give; the work is done by the modules beside.

use jiff::civil::{Date, Time};
use jiff::{Timestamp, Zoned};
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use loquat_kit::calendar::{self, Calendar, Found, Words, find_zone, is_here};
use loquat_kit::dialog::{Amount, Gap, Tell, Telling};
use loquat_kit::intent::InLanguage;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Where {
    /// City, country or IANA name; default: where the person is.
    #[serde(default)]
    timezone: Option<String>,
    /// How long from now, as sentences say it; a brain counts by itself.
    #[serde(default)]
    #[schemars(skip)]
    after: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Moment {
    /// Date and time as the person says them.
    spoken: String,
    iso: String,
    date: String,
    time: String,
    weekday: String,
    timezone: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Moment {
    fn tell(&self) -> Option<Telling> {
        // What was found under a name is not always what was meant.
        self.note.is_none().then(|| self.told.clone())
    }
}

pub(super) fn get_current_datetime(
    arguments: Where,
    person: &Circumstances,
    now: Timestamp,
) -> Result<Moment, ToolError> {
    let place = named(arguments.timezone.as_ref());
    let found = zone_of("timezone", arguments.timezone, person, now)?;
    let moment = now.to_zoned(found.zone);
    let moment = match arguments.after {
        Some(length) => later(&moment, &length, &Calendar::of(person, now))?,
        None => moment,
    };
    let words = Words::of(person);
    let dialog = match &place {
        Some(_) => "get_current_datetime_there",
        None => "get_current_datetime",
    };
    let told = Telling::new(dialog)
        .words("time", words.time(moment.time()))
        .words("date", words.date(moment.date()))
        .words("weekday", words.weekday(moment.date()))
        .words("month", words.month(moment.date()))
        .words("year", moment.year().to_string())
        .words("week", week_of(moment.date()))
        .words("moment", words.moment(&moment));
    let told = match place {
        Some(place) => told.words("place", place),
        None => told,
    };
    Ok(Moment {
        told,
        iso: moment.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        date: moment.date().to_string(),
        time: moment.strftime("%H:%M:%S").to_string(),
        weekday: words.weekday(moment.date()),
        timezone: found.name,
        spoken: words.moment(&moment),
        note: found.note,
    })
}

/// So long behind a moment.
fn later(moment: &Zoned, length: &str, calendar: &Calendar) -> Result<Zoned, ToolError> {
    let later = calendar.length(length).and_then(|length| length.after(moment));
    later.ok_or_else(|| {
        let complaint = format!(
            "after: '{}' is no length of time that can be counted",
            short(length)
        );
        ToolError::reply("ValueError", complaint)
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Conversion {
    /// As the person said it, as in "3 pm".
    time: String,
    /// City or country where it is that time; default: here.
    #[serde(default)]
    from: Option<String>,
    /// City or country; default: here.
    #[serde(default)]
    to: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Converted {
    time: String,
    /// -1 is the day before, 1 the day after.
    day_shift: i32,
    from: String,
    to: String,
    /// The time as the person says it.
    spoken: String,
    /// Where it is that time, as the person calls it; nowhere when it is here.
    #[serde(skip)]
    place: Option<String>,
}

impl Tell for Converted {
    fn tell(&self) -> Option<Telling> {
        let dialog = match (self.day_shift, &self.place) {
            (0, Some(_)) => "convert_time",
            (0, None) => "convert_time_here",
            (..0, Some(_)) => "convert_time_before",
            (_, Some(_)) => "convert_time_after",
            (_, None) => return None,
        };
        let place = self.place.clone().unwrap_or_default();
        Some(
            Telling::new(dialog)
                .words("time", &self.spoken)
                .words("place", place),
        )
    }
}

pub(super) fn convert_time(
    arguments: Conversion,
    person: &Circumstances,
    now: Timestamp,
) -> Result<Converted, ToolError> {
    let words = Words::of(person);
    let time = said_time(&arguments.time, &Calendar::of(person, now))?;
    let is_unsaid = |place: &Option<String>| place.as_deref().is_none_or(is_here);
    // A small model that is to wake a person at seven asks for this, and takes what it gets for the alarm.
    if is_unsaid(&arguments.from) && is_unsaid(&arguments.to) {
        let complaint = "from and to are both here; this tool converts between places and sets no alarms";
        return Err(ToolError::reply("ValueError", complaint));
    }
    let place = named(arguments.to.as_ref());
    let from = zone_of("from", arguments.from, person, now)?;
    let to = zone_of("to", arguments.to, person, now)?;
    let present = now.to_zoned(from.zone.clone());
    let before = match time {
        Some(time) => present.date().to_datetime(time).to_zoned(from.zone),
        None => Ok(present),
    };
    let before = before.map_err(|error| ToolError::reply("ValueError", format!("time: {error}")))?;
    let after = before.with_time_zone(to.zone);
    Ok(Converted {
        time: after.strftime("%H:%M").to_string(),
        day_shift: days_between(before.date(), after.date()),
        from: from.name,
        to: to.name,
        spoken: words.time(after.time()),
        place,
    })
}

/// The time of day that is to be converted; nothing where it is the present one.
fn said_time(said: &str, calendar: &Calendar) -> Result<Option<Time>, ToolError> {
    let said = said.trim();
    if said.eq_ignore_ascii_case("now") {
        return Ok(None);
    }
    calendar.hour(said).map(|hour| Some(hour.time)).ok_or_else(|| {
        let complaint = format!(
            "time: '{}' is no time of day, such as 15:30 or 3:30 pm; quantities are for unit_convert",
            short(said)
        );
        ToolError::reply("ValueError", complaint)
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Comparison {
    /// City or country.
    place: String,
    /// The city or country that it is compared with; default: here.
    #[serde(default)]
    other: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Difference {
    /// How far the clocks of `place` are ahead of those of `other`; negative when they are behind.
    hours: f64,
    place: String,
    other: String,
    #[serde(skip)]
    told: Option<Telling>,
}

impl Tell for Difference {
    fn tell(&self) -> Option<Telling> {
        self.told.clone()
    }
}

pub(super) fn time_difference(
    arguments: Comparison,
    person: &Circumstances,
    now: Timestamp,
) -> Result<Difference, ToolError> {
    let names = [Some(&arguments.place), arguments.other.as_ref()].map(named);
    let place = zone_of("place", Some(arguments.place), person, now)?;
    let other = zone_of("other", arguments.other, person, now)?;
    let offset = |found: &Found| now.to_zoned(found.zone.clone()).offset().seconds();
    let seconds = offset(&place) - offset(&other);
    // What was found under a name is not always what was meant.
    let is_certain = place.note.is_none() && other.note.is_none();
    Ok(Difference {
        hours: f64::from(seconds) / 3600.0,
        told: is_certain.then(|| ahead(seconds, names)).flatten(),
        place: place.name,
        other: other.name,
    })
}

/// How far one place is ahead of the other; nothing where both are here.
fn ahead(seconds: i32, names: [Option<String>; 2]) -> Option<Telling> {
    let dialog = match (seconds, &names) {
        (_, [None, None]) => return None,
        (0, [Some(_), Some(_)]) => "time_difference_none",
        (0, _) => "time_difference_none_here",
        (1.., [Some(_), Some(_)]) => "time_difference_ahead",
        (_, [Some(_), Some(_)]) => "time_difference_behind",
        (1.., [Some(_), None]) | (..0, [None, Some(_)]) => "time_difference_ahead_of_here",
        (_, [Some(_), None] | [None, Some(_)]) => "time_difference_behind_here",
    };
    let [place, other] = match names {
        [None, Some(other)] => [other, String::new()],
        [place, other] => [place, other].map(Option::unwrap_or_default),
    };
    let minutes = f64::from(seconds.unsigned_abs() / 60);
    let span = [("hours", (minutes / 60.0).floor()), ("minutes", minutes % 60.0)];
    let amounts = span.into_iter().filter(|(_, number)| *number > 0.0);
    let amounts = amounts.map(|(unit, number)| Amount::of(number, "unit", unit));
    Some(
        Telling::new(dialog)
            .with("span", Gap::Amounts(amounts.collect()))
            .words("place", place)
            .words("other", other),
    )
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Span {
    /// As the person said it, as in "tomorrow", "christmas", "25 December" or "in 90 days".
    date: String,
    /// Count from this date; default: today.
    #[serde(default)]
    from: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Counted {
    /// Negative when the date is past.
    days: i32,
    /// Whole weeks in it.
    weeks: i32,
    /// The days beyond these weeks.
    and_days: i32,
    date: String,
    weekday: String,
    from: String,
    /// The date as the person says it.
    spoken: String,
    #[serde(skip)]
    week: String,
    /// Whether it is counted from today.
    #[serde(skip)]
    from_today: bool,
}

impl Tell for Counted {
    fn tell(&self) -> Option<Telling> {
        let dialog = match self.days {
            0 => "days_until_today",
            1 => "days_until_one",
            -1 => "days_until_yesterday",
            ..0 => "days_until_past",
            _ => "days_until",
        };
        let told = Telling::new(dialog)
            .words("date", &self.spoken)
            .words("week", &self.week)
            .with("days", Gap::Number(f64::from(self.days.abs())));
        self.from_today.then_some(told)
    }
}

pub(super) fn days_until(span: Span, person: &Circumstances, now: Timestamp) -> Result<Counted, ToolError> {
    let Span { date, from } = span;
    let calendar = Calendar::of(person, now);
    let today = calendar.now().date();
    let read = |field: &str, text: &str, calendar: &Calendar| {
        let complaint = || {
            let said = short(text);
            if find_zone(text, now).is_ok_and(|found| found.note.is_none()) {
                format!("{field}: '{said}' is a place; get_current_datetime tells what time it is there")
            } else {
                format!("{field}: cannot read '{said}'; write it as YYYY-MM-DD, or as in 'in 2 weeks'")
            }
        };
        day(text, calendar).ok_or_else(|| ToolError::reply("ValueError", complaint()))
    };
    let from = match from.as_deref().filter(|from| !from.trim().is_empty()) {
        Some(from) => read("from", from, &calendar)?,
        None => today,
    };
    let calendar = calendar.seen_from(from);
    let date = read("date", &date, &calendar)?;
    let days = days_between(from, date);
    Ok(Counted {
        days,
        weeks: days / 7,
        and_days: days % 7,
        date: date.to_string(),
        weekday: calendar.told_weekday(date),
        from: from.to_string(),
        spoken: calendar.told_date(date),
        week: week_of(date),
        from_today: from == today,
    })
}

/// The day of a moment or of a length from now.
fn day(text: &str, calendar: &Calendar) -> Option<Date> {
    let is_one = |when: &loquat_kit::When| when.repeat.is_none() && when.stretch.is_none();
    let moment = calendar.moment(text).ok().filter(is_one);
    let day = moment.and_then(|when| when.day).map(|day| day.date);
    let length = || calendar.length(text)?.after(calendar.now());
    day.or_else(|| Some(length()?.date()))
}

/// A date that a sentence names.
pub(super) fn read_date(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let day = Calendar::spoken(spoken.lang).day(said);
    day.map(|_| Value::from(said))
}

/// The place that an argument names, as a sentence tells it behind "in"; nothing for where the person is.
fn named(place: Option<&String>) -> Option<String> {
    let place = place.filter(|place| !is_here(place))?;
    Some(place.strip_prefix("in ").unwrap_or(place).to_owned())
}

/// The zone that an argument names, or the person's.
fn zone_of(
    argument: &str,
    place: Option<String>,
    person: &Circumstances,
    now: Timestamp,
) -> Result<Found, ToolError> {
    match place.filter(|place| !is_here(place)) {
        Some(place) => find_zone(&place, now)
            .map_err(|error| ToolError::reply("LookupError", format!("{argument}: {error}"))),
        None => Ok(Found::plain(calendar::zone_of(person))),
    }
}

/// The number of the week by ISO 8601: it begins on Monday, and the first one has the year's first Thursday.
fn week_of(date: Date) -> String {
    date.iso_week_date().week().to_string()
}

fn days_between(from: Date, to: Date) -> i32 {
    from.until(to).map_or(0, |span| span.get_days())
}

/// What a complaint repeats of an argument.
fn short(text: &str) -> String {
    text.chars().take(60).collect()
}
