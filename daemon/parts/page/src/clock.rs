//! Moments as people of this machine read them.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Writes hours, minutes and seconds.
pub(super) fn time_of_day(at: Timestamp) -> String {
    local(at, "%H:%M:%S")
}

/// Writes hours and minutes.
pub(super) fn hour_and_minute(at: Timestamp) -> String {
    local(at, "%H:%M")
}

pub(super) fn day_and_time(at: Timestamp) -> String {
    local(at, "%a %d %b %Y, %H:%M")
}

fn local(at: Timestamp, form: &str) -> String {
    at.to_zoned(TimeZone::system()).strftime(form).to_string()
}

/// Writes a moment that is to come as people say it: the day only where that is neither today nor tomorrow.
pub(super) fn soon(at: Timestamp) -> String {
    let zone = TimeZone::system();
    let (now, at) = (Timestamp::now().to_zoned(zone.clone()), at.to_zoned(zone));
    let time = at.strftime("%H:%M");
    if at.date() == now.date() {
        format!("today, {time}")
    } else if now.date().tomorrow().is_ok_and(|tomorrow| tomorrow == at.date()) {
        format!("tomorrow, {time}")
    } else {
        at.strftime("%a %d %b %Y, %H:%M").to_string()
    }
}

/// Writes on which weekdays something is due, Monday being 1; nothing where there is none.
pub(super) fn weekdays(days: &[i8]) -> Option<String> {
    const NAMES: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    let mut days = days.to_vec();
    days.sort_unstable();
    Some(match days.as_slice() {
        [] => return None,
        [1, 2, 3, 4, 5, 6, 7] => "every day".to_owned(),
        [1, 2, 3, 4, 5] => "on weekdays".to_owned(),
        [6, 7] => "at weekends".to_owned(),
        some => {
            let names = NAMES.iter().zip(1..).filter(|(_, day)| some.contains(day));
            let names: Vec<&str> = names.map(|(name, _)| *name).collect();
            format!("on {}", names.join(", "))
        }
    })
}

/// Writes what is left of a span as a clock shows it.
pub(super) fn left(span: std::time::Duration) -> String {
    let seconds = span.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// Writes a span in the unit that suits it.
pub(super) fn span(span: std::time::Duration) -> String {
    match span.as_secs_f64() {
        seconds @ ..1.0 => format!("{:.0} ms", seconds * 1000.0),
        seconds @ ..60.0 => format!("{seconds:.1} s"),
        seconds => format!("{:.0} min {:02.0} s", (seconds / 60.0).floor(), seconds % 60.0),
    }
}
