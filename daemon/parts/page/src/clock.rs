//! Moments as people of this machine read them.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Writes hours, minutes and seconds.
pub(super) fn time_of_day(at: Timestamp) -> String {
    local(at, "%H:%M:%S")
}

pub(super) fn day_and_time(at: Timestamp) -> String {
    local(at, "%a %d %b %Y, %H:%M")
}

fn local(at: Timestamp, form: &str) -> String {
    at.to_zoned(TimeZone::system()).strftime(form).to_string()
}

/// Writes a span in the unit that suits it.
pub(super) fn span(span: std::time::Duration) -> String {
    match span.as_secs_f64() {
        seconds @ ..1.0 => format!("{:.0} ms", seconds * 1000.0),
        seconds @ ..60.0 => format!("{seconds:.1} s"),
        seconds => format!("{:.0} min {:02.0} s", (seconds / 60.0).floor(), seconds % 60.0),
    }
}
