//! When the sun rises and sets, and how people name these moments: "at sunset", "half an hour before sunrise".
//!
//! Asks no service; the moments are right to a minute or two between the polar circles. Tells nothing.

use jiff::Timestamp;
use jiff::civil::Date;
use loquat_kit::folded;
use loquat_kit::intent::InLanguage;
use loquat_kit::slots;
use serde::{Deserialize, Serialize};

use super::FOLDER;

/// The lists of what the two moments are called, and of the words that stand between a span and them.
pub(super) const LIST: &str = "sun.value";
const BESIDE: &str = "beside.value";

/// The midday of the first of January 2000, from which days are counted.
const EPOCH: Date = Date::constant(2000, 1, 1);
const EPOCH_SECONDS: f64 = 946_728_000.0;

/// How far below the horizon its middle is when its edge is seen there, in degrees.
const HORIZON: f64 = -0.833;

/// How far the axis of the earth is tilted, in degrees.
const TILT: f64 = 23.4397;

const DAY: f64 = 86_400.0;

/// Which of the two moments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Event {
    Sunrise,
    Sunset,
}

impl Event {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Sunrise => "sunrise",
            Self::Sunset => "sunset",
        }
    }
}

/// A moment of every day by the sun.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Sun {
    event: Event,
    /// So many seconds behind it; before it they are negative.
    #[serde(default)]
    seconds: f64,
    latitude: f64,
    longitude: f64,
}

/// A moment by the sun as it was said, wherever that is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Said {
    event: Event,
    seconds: f64,
}

impl Said {
    /// Reads a whole text; nothing where it is no such moment.
    pub(super) fn read(text: &str, spoken: &InLanguage<'_>) -> Option<Self> {
        let text = folded(text.trim().trim_matches(','));
        let mut events = spoken.locales.values(FOLDER, spoken.lang, LIST);
        events.find_map(|(name, forms)| {
            let event = event_named(name)?;
            forms.split('|').find_map(|form| {
                Some(Self {
                    event,
                    seconds: before(&text, form, spoken)?,
                })
            })
        })
    }

    /// There.
    pub(super) fn at(self, (latitude, longitude): (f64, f64)) -> Sun {
        Sun {
            event: self.event,
            seconds: self.seconds,
            latitude,
            longitude,
        }
    }
}

fn event_named(name: &str) -> Option<Event> {
    [Event::Sunrise, Event::Sunset]
        .into_iter()
        .find(|event| event.name() == name.trim())
}

/// By how many seconds a text is beside the moment that ends it.
fn before(text: &str, form: &str, spoken: &InLanguage<'_>) -> Option<f64> {
    let rest = text.strip_suffix(&folded(form.trim()))?;
    if rest.is_empty() {
        return Some(0.0);
    }
    let rest = rest.strip_suffix(' ')?;
    let mut words = spoken.locales.values(FOLDER, spoken.lang, BESIDE);
    words.find_map(|(side, forms)| {
        let sign = if side.trim() == "before" { -1.0 } else { 1.0 };
        forms.split('|').find_map(|word| {
            let span = rest.strip_suffix(&folded(word.trim()))?.strip_suffix(' ')?;
            slots::seconds(span, spoken.lang).map(|seconds| sign * seconds)
        })
    })
}

impl Sun {
    /// What it is called.
    pub(super) fn event(&self) -> Event {
        self.event
    }

    /// Whether it is beside the moment that it is called by.
    pub(super) fn is_beside(&self) -> bool {
        self.seconds != 0.0
    }

    /// So many seconds later.
    #[must_use]
    pub(super) fn later_by(self, seconds: f64) -> Self {
        Self {
            seconds: self.seconds + seconds,
            ..self
        }
    }

    /// The moment of this day; none where the sun neither rises nor sets then.
    pub(super) fn on(&self, date: Date) -> Option<Timestamp> {
        let days = f64::from(date.since(EPOCH).ok()?.get_days());
        let (transit, angle) = self.transit(days)?;
        let half = angle.to_degrees() / 360.0;
        let day = match self.event {
            Event::Sunrise => transit - half,
            Event::Sunset => transit + half,
        };
        let seconds = (EPOCH_SECONDS + day * DAY + self.seconds).round();
        let span = jiff::SignedDuration::try_from_secs_f64(seconds).ok()?;
        Timestamp::UNIX_EPOCH.checked_add(span).ok()
    }

    /// When it stands highest, in days, and the angle from there to the horizon.
    fn transit(&self, days: f64) -> Option<(f64, f64)> {
        let noon = days + 0.0008 - self.longitude / 360.0;
        let anomaly = (357.5291 + 0.985_600_28 * noon).to_radians();
        let centre = 1.9148 * anomaly.sin() + 0.02 * (2.0 * anomaly).sin() + 0.0003 * (3.0 * anomaly).sin();
        let longitude = (anomaly.to_degrees() + centre + 180.0 + 102.9372).to_radians();
        let transit = noon + 0.0053 * anomaly.sin() - 0.0069 * (2.0 * longitude).sin();
        let declination = (longitude.sin() * TILT.to_radians().sin()).asin();
        let latitude = self.latitude.to_radians();
        let cosine = (HORIZON.to_radians().sin() - latitude.sin() * declination.sin())
            / (latitude.cos() * declination.cos());
        (-1.0..=1.0).contains(&cosine).then(|| (transit, cosine.acos()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(event: Event, place: (f64, f64), date: Date) -> Option<Timestamp> {
        Said { event, seconds: 0.0 }.at(place).on(date)
    }

    /// Figures of almanacs, to three minutes.
    #[test]
    fn the_sun_rises_and_sets_when_almanacs_say() {
        let (berlin, quito) = ((52.52, 13.405), (-0.18, -78.47));
        for (event, place, date, expected) in [
            (Event::Sunrise, berlin, "2026-06-21", "2026-06-21T02:43:00Z"),
            (Event::Sunset, berlin, "2026-06-21", "2026-06-21T19:33:00Z"),
            (Event::Sunrise, berlin, "2026-12-21", "2026-12-21T07:15:00Z"),
            (Event::Sunset, berlin, "2026-12-21", "2026-12-21T14:54:00Z"),
            (Event::Sunrise, quito, "2026-03-20", "2026-03-20T11:18:00Z"),
            (Event::Sunset, quito, "2026-03-20", "2026-03-20T23:24:00Z"),
        ] {
            let date: Date = date.parse().expect("a date");
            let expected: Timestamp = expected.parse().expect("a moment");
            let found = at(event, place, date).expect("a moment");
            let apart = found.duration_since(expected).as_secs().abs();
            assert!(apart <= 180, "{event:?} {date}: {found}");
        }
    }

    #[test]
    fn behind_the_polar_circle_there_may_be_none() {
        let date = Date::constant(2026, 12, 21);
        assert_eq!(at(Event::Sunrise, (78.2, 15.6), date), None);
    }
}
