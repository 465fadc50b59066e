//! The moment in which something was asked, in words for a brain. Reads no clock.

use jiff::Zoned;
use jiff::tz::TimeZone;
use loquat_agent::toolbox::Circumstances;

/// Weekday, date and time of the person's zone, in their formats; in the zone of `now` where theirs is not known, which
/// for the system's is what the clock tells too.
pub(super) fn told(who: &Circumstances, now: &Zoned) -> String {
    let zone = who.time_zone.as_deref().and_then(|name| TimeZone::get(name).ok());
    let date = match who.date_format.as_deref() {
        Some("MDY") => "%A, %B %-d, %Y",
        _ => "%A, %-d %B %Y",
    };
    let time = match who.time_format.as_deref() {
        Some("half") => "%-I:%M %p",
        _ => "%H:%M",
    };
    let here = zone.map_or_else(|| now.clone(), |zone| now.with_time_zone(zone));
    here.strftime(&format!("{date}, {time}")).to_string()
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn it_is_told_in_the_persons_zone_and_formats() {
        let now = Timestamp::from_second(1_795_303_800)
            .unwrap()
            .to_zoned(TimeZone::UTC);
        let who = |zone: Option<&str>, date: Option<&str>, time: Option<&str>| Circumstances {
            time_zone: zone.map(str::to_owned),
            date_format: date.map(str::to_owned),
            time_format: time.map(str::to_owned),
            ..Circumstances::default()
        };
        for (who, expected) in [
            (who(None, None, None), "Saturday, 21 November 2026, 23:30"),
            (
                who(Some("Asia/Tokyo"), Some("DMY"), Some("full")),
                "Sunday, 22 November 2026, 08:30",
            ),
            (
                who(Some("America/Chicago"), Some("MDY"), Some("half")),
                "Saturday, November 21, 2026, 5:30 PM",
            ),
        ] {
            assert_eq!(told(&who, &now), expected);
        }
    }
}
