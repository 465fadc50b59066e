//! How the moon looks today, and when it is full or new next.
//!
//! Asks no service; the moments are right to an hour or two. Tells nothing of where in the sky it stands.

use std::ops::Range;

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan};
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use loquat_kit::calendar::Calendar;
use loquat_kit::dialog::{Tell, Telling};

/// The midday of the first of January 2000, from which centuries are counted.
const EPOCH_SECONDS: f64 = 946_728_000.0;
const CENTURY: f64 = 36_525.0 * 86_400.0;

/// So far from a phase, in degrees, people still say that it is: a bit more than half a day.
const NEAR: f64 = 7.0;

/// A moment is looked for in steps of so many hours, within which the moon moves three degrees.
const STEP: i64 = 6;

/// So many steps are longer than any month of the moon.
const MOST_STEPS: i64 = 31 * 24 / STEP;

/// Which moment is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Phase {
    Full,
    New,
}

/// What is asked.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
pub(super) struct Asked {
    /// When the moon is so next; without it how it looks today.
    #[serde(default)]
    phase: Option<Phase>,
}

/// The moon.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Moon {
    /// How it looks today, as in "waxing crescent".
    phase: String,
    /// How much of it is lit today, in percent.
    lit: u8,
    /// The day of the next full moon.
    full: String,
    /// The day of the next new moon.
    new: String,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Moon {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

pub(super) fn tell_moon(asked: Asked, person: &Circumstances, now: Timestamp) -> Result<Moon, ToolError> {
    let calendar = Calendar::of(person, now);
    let today = calendar.now().date();
    let beyond = || ToolError::reply("ValueError", "the calendar has no such day");
    let begin = calendar.now().start_of_day().map_err(|_| beyond())?.timestamp();
    let zone = calendar.now().time_zone();
    let next = |phase: Phase| {
        let moment = next(phase, begin)?;
        Some(moment.to_zoned(zone.clone()).date())
    };
    let full = next(Phase::Full).ok_or_else(beyond)?;
    let new = next(Phase::New).ok_or_else(beyond)?;
    let (dialog, lit) = (dialog(elongation(now)), lit(elongation(now)));
    let told = match asked.phase {
        None => Telling::new(dialog).words("percent", lit.to_string()),
        Some(Phase::Full) => dated("full_moon", "full_moon_today", full, today, &calendar),
        Some(Phase::New) => dated("new_moon", "new_moon_today", new, today, &calendar),
    };
    Ok(Moon {
        phase: dialog.trim_start_matches("moon_").replace('_', " "),
        lit,
        full: full.to_string(),
        new: new.to_string(),
        told,
    })
}

fn dated(
    dialog: &'static str,
    of_today: &'static str,
    date: Date,
    today: Date,
    calendar: &Calendar,
) -> Telling {
    if date == today {
        Telling::new(of_today)
    } else {
        Telling::new(dialog).words("date", calendar.told_date(date))
    }
}

/// How far the moon is ahead of the sun, in degrees from 0 to 360: new at 0, full at 180. After Meeus, Astronomical Algorithms,
/// chapter 48, with the terms that make more than a tenth of a degree.
fn elongation(moment: Timestamp) -> f64 {
    let century = (moment.as_second() as f64 - EPOCH_SECONDS) / CENTURY;
    let mean = 297.850_192_1 + 445_267.111_403_4 * century;
    let [distance, sun, moon] = [
        mean,
        357.529_109_2 + 35_999.050_290_9 * century,
        134.963_396_4 + 477_198.867_505_5 * century,
    ]
    .map(f64::to_radians);
    let unevenness = 6.289 * moon.sin() - 2.100 * sun.sin()
        + 1.274 * (2.0 * distance - moon).sin()
        + 0.658 * (2.0 * distance).sin()
        + 0.214 * (2.0 * moon).sin()
        + 0.110 * distance.sin();
    (mean + unevenness).rem_euclid(360.0)
}

/// How much of the moon is lit, in percent.
fn lit(elongation: f64) -> u8 {
    let share = (1.0 - elongation.to_radians().cos()) / 2.0;
    (share * 100.0).round() as u8
}

/// The dialog for a moon so far ahead of the sun.
fn dialog(elongation: f64) -> &'static str {
    let around = |middle: f64| -> Range<f64> { middle - NEAR..middle + NEAR };
    match elongation {
        angle if !(NEAR..=360.0 - NEAR).contains(&angle) => "moon_new",
        angle if around(90.0).contains(&angle) => "moon_first_quarter",
        angle if around(180.0).contains(&angle) => "moon_full",
        angle if around(270.0).contains(&angle) => "moon_last_quarter",
        angle if angle < 90.0 => "moon_waxing_crescent",
        angle if angle < 180.0 => "moon_waxing_gibbous",
        angle if angle < 270.0 => "moon_waning_gibbous",
        _ => "moon_waning_crescent",
    }
}

/// The first moment of a phase from this one on; nothing beyond the calendar.
fn next(phase: Phase, begin: Timestamp) -> Option<Timestamp> {
    let target = match phase {
        Phase::Full => 180.0,
        Phase::New => 0.0,
    };
    // How far the moon is behind the phase, from -180 to 180: below zero in front of it.
    let beyond = |moment: Timestamp| (elongation(moment) - target + 180.0).rem_euclid(360.0) - 180.0;
    let at = |step: i64| begin.checked_add((step * STEP).hours()).ok();
    let crossing = (0..MOST_STEPS).find_map(|step| {
        let (before, after) = (at(step)?, at(step + 1)?);
        let is_crossed = beyond(before) < 0.0 && (0.0..90.0).contains(&beyond(after));
        is_crossed.then_some((before, after))
    });
    let (mut before, mut after) = crossing?;
    while after.as_second() - before.as_second() > 60 {
        let middle = Timestamp::from_second(i64::midpoint(before.as_second(), after.as_second())).ok()?;
        if beyond(middle) < 0.0 {
            before = middle;
        } else {
            after = middle;
        }
    }
    Some(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moments of eclipses, which happen at full and at new moon alone, and others out of almanacs.
    const KNOWN: &[(Phase, &str)] = &[
        (Phase::New, "2017-08-21T18:30:00Z"),
        (Phase::Full, "2019-01-21T05:16:00Z"),
        (Phase::New, "2024-04-08T18:21:00Z"),
        (Phase::Full, "2025-03-14T06:55:00Z"),
        (Phase::New, "2026-08-12T17:37:00Z"),
        (Phase::Full, "2026-08-28T04:18:00Z"),
        (Phase::New, "2027-08-02T10:05:00Z"),
    ];

    #[test]
    fn full_and_new_moons_are_found_to_two_hours() {
        for (phase, known) in KNOWN {
            let known: Timestamp = known.parse().unwrap();
            let found = next(*phase, known - (20 * 24).hours()).unwrap();
            let off = (found.as_second() - known.as_second()).abs();
            assert!(off < 2 * 3600, "{known}: {found}");
        }
    }

    #[test]
    fn the_moon_waxes_between_new_and_full_and_wanes_behind() {
        let full: Timestamp = "2026-08-28T04:18:00Z".parse().unwrap();
        for (days, expected, percent) in [
            (-15, "moon_new", 0..4),
            (-12, "moon_waxing_crescent", 5..25),
            (-8, "moon_first_quarter", 40..62),
            (-4, "moon_waxing_gibbous", 75..95),
            (0, "moon_full", 99..101),
            (4, "moon_waning_gibbous", 70..95),
            (7, "moon_last_quarter", 38..62),
            (11, "moon_waning_crescent", 2..25),
        ] {
            let moment = full + (days * 24_i64).hours();
            let angle = elongation(moment);
            assert_eq!(dialog(angle), expected, "{days} days: {angle}");
            assert!(percent.contains(&lit(angle)), "{days} days: {}", lit(angle));
        }
    }
}
