//! Hours of every day, in which a room is left in peace.
//!
//! Reads no clock.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::Time;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

/// The end of a day, as it is written.
const END: &str = "24:00";

/// Hours of a day, such as `22:00-07:00`; they may reach into the next one. The whole day is `00:00-24:00`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hours {
    from: Time,
    until: Time,
}

/// Why a text tells no hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("failed to read quiet hours: write two different times of day, as in 22:00-07:00")]
pub struct HoursError;

impl FromStr for Hours {
    type Err = HoursError;

    fn from_str(text: &str) -> Result<Self, HoursError> {
        let (from, until) = text.split_once('-').ok_or(HoursError)?;
        let is_to_the_end = until.trim() == END;
        let from = time(from)?;
        let until = if is_to_the_end {
            Time::midnight()
        } else {
            time(until)?
        };
        if from == until && !is_to_the_end {
            return Err(HoursError);
        }
        Ok(Self { from, until })
    }
}

impl TryFrom<String> for Hours {
    type Error = HoursError;

    fn try_from(text: String) -> Result<Self, HoursError> {
        text.parse()
    }
}

impl From<Hours> for String {
    fn from(hours: Hours) -> Self {
        hours.to_string()
    }
}

impl fmt::Display for Hours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = |time: Time| time.strftime("%H:%M").to_string();
        let until = if self.until == Time::midnight() {
            END.to_owned()
        } else {
            told(self.until)
        };
        write!(f, "{}-{until}", told(self.from))
    }
}

impl Hours {
    /// Whether a moment lies in them, by the clocks of this zone.
    pub fn hold(&self, moment: Timestamp, zone: &TimeZone) -> bool {
        let time = moment.to_zoned(zone.clone()).time();
        if self.from < self.until {
            (self.from..self.until).contains(&time)
        } else {
            time >= self.from || time < self.until
        }
    }
}

/// Two figures, a colon, two figures.
fn time(text: &str) -> Result<Time, HoursError> {
    let (hour, minute) = text.trim().split_once(':').ok_or(HoursError)?;
    let is_clock = |part: &str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_clock(hour) || !is_clock(minute) {
        return Err(HoursError);
    }
    let number = |part: &str| part.parse().map_err(|_| HoursError);
    Time::new(number(hour)?, number(minute)?, 0, 0).map_err(|_| HoursError)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_reach_over_midnight_and_follow_the_zone() {
        let hours: Hours = "22:00-07:00".parse().expect("hours");
        assert_eq!(hours.to_string(), "22:00-07:00");
        let berlin = TimeZone::get("Europe/Berlin").expect("a zone");
        for (moment, is_quiet) in [
            ("2026-11-24T20:59:59Z", false),
            ("2026-11-24T21:00:00Z", true),
            ("2026-11-25T05:59:59Z", true),
            ("2026-11-25T06:00:00Z", false),
            // The night in which summer ends has an hour more.
            ("2026-10-25T05:59:59Z", true),
            ("2026-10-25T06:00:00Z", false),
        ] {
            let moment = moment.parse().expect("a timestamp");
            assert_eq!(hours.hold(moment, &berlin), is_quiet, "{moment}");
        }
        let noon: Hours = "12:00-14:00".parse().expect("hours");
        let moment = "2026-11-24T13:00:00Z".parse().expect("a timestamp");
        assert!(noon.hold(moment, &TimeZone::UTC) && !hours.hold(moment, &TimeZone::UTC));
        for (text, holds_at_noon) in [("00:00-24:00", true), ("18:00-24:00", false)] {
            let hours: Hours = text.parse().expect("hours");
            assert_eq!(hours.to_string(), text);
            for (moment, is_quiet) in [
                ("2026-11-24T00:00:00Z", holds_at_noon),
                ("2026-11-24T12:00:00Z", holds_at_noon),
                ("2026-11-24T23:59:59Z", true),
            ] {
                let moment = moment.parse().expect("a timestamp");
                assert_eq!(hours.hold(moment, &TimeZone::UTC), is_quiet, "{text} {moment}");
            }
        }
    }

    #[test]
    fn what_is_no_two_times_of_day_is_refused() {
        for text in [
            "",
            "22:00",
            "22-7",
            "22:00-25:00",
            "24:00-07:00",
            "24:00-24:00",
            "7:00-8:00",
            "07:00-07:00",
            "22:00-07:00-08:00",
        ] {
            assert_eq!(text.parse::<Hours>(), Err(HoursError), "{text}");
        }
    }
}
