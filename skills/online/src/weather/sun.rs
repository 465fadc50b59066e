//! When the sun rises and sets, computed for a place and a day to about a minute.
//!
//! Asks no service. The equation is that of the sun's mean anomaly and declination, as almanacs give it.

use jiff::Timestamp;
use jiff::civil::{Date, date};

/// When the days are counted from: noon of this day in Greenwich.
const EPOCH: Date = date(2000, 1, 1);

/// Seconds from the beginning of 1970 to that noon.
const EPOCH_SECONDS: f64 = 946_728_000.0;

const SECONDS_IN_A_DAY: f64 = 86_400.0;

/// The tilt of the earth's axis, and how far its orbit is turned, in degrees.
const TILT: f64 = 23.4397;
const PERIHELION: f64 = 102.9372;

/// The sun's upper rim is on the horizon when its middle is so far from it, in degrees; the air bends its light.
const HORIZON: f64 = -0.833;

/// What the sun does twice a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Rise,
    Set,
}

/// When it happens on a day at a latitude and longitude; nothing where the sun stays up or down all day.
pub(super) fn turns(turn: Turn, day: Date, latitude: f64, longitude: f64) -> Option<Timestamp> {
    let days = f64::from(EPOCH.until(day).ok()?.get_days()) - longitude / 360.0;
    let anomaly = (357.5291 + 0.985_600_28 * days).rem_euclid(360.0).to_radians();
    let centre = 1.9148 * anomaly.sin() + 0.02 * (2.0 * anomaly).sin() + 0.0003 * (3.0 * anomaly).sin();
    let ecliptic = (anomaly.to_degrees() + centre + 180.0 + PERIHELION)
        .rem_euclid(360.0)
        .to_radians();
    let noon = days + 0.0053 * anomaly.sin() - 0.0069 * (2.0 * ecliptic).sin();
    let declination = (ecliptic.sin() * TILT.to_radians().sin()).asin();
    let half_day = half_day(latitude.to_radians(), declination)?;
    let at = match turn {
        Turn::Rise => noon - half_day,
        Turn::Set => noon + half_day,
    };
    Timestamp::from_second((EPOCH_SECONDS + at * SECONDS_IN_A_DAY).round() as i64).ok()
}

/// From noon to the sun's setting, in days.
fn half_day(latitude: f64, declination: f64) -> Option<f64> {
    let height = HORIZON.to_radians().sin() - latitude.sin() * declination.sin();
    let angle = height / (latitude.cos() * declination.cos());
    (-1.0..=1.0)
        .contains(&angle)
        .then(|| angle.acos().to_degrees() / 360.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// To the minute, as almanacs have them.
    fn is_near(turn: Turn, day: Date, [latitude, longitude]: [f64; 2], expected: &str) {
        let found = turns(turn, day, latitude, longitude).expect("the sun turns there");
        let expected: Timestamp = expected.parse().expect("a moment");
        let apart = (found.as_second() - expected.as_second()).abs();
        assert!(apart <= 180, "{turn:?} on {day}: {found}, expected {expected}");
    }

    #[test]
    fn the_sun_rises_and_sets_as_in_an_almanac() {
        let berlin = [52.52, 13.41];
        is_near(Turn::Rise, date(2026, 6, 21), berlin, "2026-06-21T02:43:00Z");
        is_near(Turn::Set, date(2026, 6, 21), berlin, "2026-06-21T19:33:00Z");
        is_near(Turn::Rise, date(2026, 12, 21), berlin, "2026-12-21T07:15:00Z");
        is_near(Turn::Set, date(2026, 12, 21), berlin, "2026-12-21T14:54:00Z");
        let sydney = [-33.87, 151.21];
        is_near(Turn::Rise, date(2026, 3, 20), sydney, "2026-03-19T19:59:00Z");
        is_near(Turn::Set, date(2026, 3, 20), sydney, "2026-03-20T08:07:00Z");
    }

    /// In Tromsø.
    #[test]
    fn it_does_neither_in_polar_days_and_nights() {
        for day in [date(2026, 6, 21), date(2026, 12, 21)] {
            assert_eq!(turns(Turn::Rise, day, 69.65, 18.96), None);
            assert_eq!(turns(Turn::Set, day, 69.65, 18.96), None);
        }
    }
}
