//! The time zone that a place, an offset or an abbreviation stands for.
//!
//! Uses the system's time zone database, whose rules are newer on a kept machine, and the bundled one where the system
//! has none or lacks a zone.

use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone, TimeZoneDatabase};
use loquat_agent::toolbox::Circumstances;

use super::place::{self, Place};
use crate::reading::folded;

static BUNDLED: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// No place has a longer name.
const LONGEST_NAME: usize = 100;

/// Words around a place that say nothing more.
const FILLERS: &[&str] = &[
    "in",
    "the",
    "city",
    "of",
    "time",
    "time zone",
    "timezone",
    "standard time",
    "daylight time",
    "local time",
];

/// A zone, and what there is to say about how it was found.
#[derive(Debug, Clone)]
pub struct Found {
    /// The clock there goes by this zone.
    pub zone: TimeZone,
    /// Its IANA name, or its offset.
    pub name: String,
    /// That the place has other zones as well.
    pub note: Option<String>,
}

/// Why no zone was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no place or time zone '{name}' is known; {}", mend(.near))]
pub struct UnknownPlace {
    name: String,
    near: Vec<String>,
}

fn mend(near: &[String]) -> String {
    if near.is_empty() {
        "name a big city in the same zone or an IANA zone such as Asia/Tokyo".to_owned()
    } else {
        format!("did you mean {}?", near.join(" or "))
    }
}

impl Found {
    /// A zone about which there is nothing to say.
    pub fn plain(zone: TimeZone) -> Self {
        let name = zone.iana_name().unwrap_or("UTC").to_owned();
        Self {
            zone,
            name,
            note: None,
        }
    }
}

/// Whether the text stands for where the person is.
pub fn is_here(place: &str) -> bool {
    let plain = folded(place);
    matches!(
        plain.as_str(),
        "" | "local"
            | "here"
            | "current"
            | "current location"
            | "default"
            | "home"
            | "none"
            | "null"
            | "system"
            | "where the person is"
            | "where you are"
            | "wherever you are"
    )
}

/// The person's zone, or the system's; UTC where neither is known.
pub fn of_person(person: &Circumstances) -> TimeZone {
    let named = person.time_zone.as_deref().and_then(by_iana_name);
    named.unwrap_or_else(|| {
        let system = TimeZone::system();
        if system.is_unknown() {
            TimeZone::UTC
        } else {
            system
        }
    })
}

/// The zone that the text stands for.
pub fn find(text: &str, now: Timestamp) -> Result<Found, UnknownPlace> {
    let text = text.trim();
    if text.chars().count() > LONGEST_NAME {
        let name = text.chars().take(LONGEST_NAME).collect();
        return Err(UnknownPlace {
            name,
            near: Vec::new(),
        });
    }
    let found = by_offset(text)
        .or_else(|| by_iana_name(&text.replace(' ', "_")).map(Found::plain))
        .or_else(|| by_place(text, now));
    found.ok_or_else(|| UnknownPlace {
        name: text.to_owned(),
        near: place::near(&without_fillers(text)),
    })
}

/// The IANA name of the zone of a place; nothing for what is no place that is known here.
pub fn name_of(place: &str) -> Option<String> {
    let found = find(place, Timestamp::now()).ok()?;
    let is_certain = found.note.is_none();
    let name = found.zone.iana_name().map(str::to_owned);
    name.filter(|_| is_certain)
}

fn by_iana_name(name: &str) -> Option<TimeZone> {
    jiff::tz::db().get(name).or_else(|_| BUNDLED.get(name)).ok()
}

/// `UTC+2`, `GMT-03:30`, `+0530`.
fn by_offset(text: &str) -> Option<Found> {
    let upper = text.to_uppercase();
    let bare = upper
        .strip_prefix("UTC")
        .or_else(|| upper.strip_prefix("GMT"))
        .unwrap_or(&upper)
        .trim();
    let (sign, figures) = match bare.strip_prefix('+') {
        Some(figures) => (1, figures),
        None => (-1, bare.strip_prefix(['-', '\u{2212}'])?),
    };
    let figures = figures.trim();
    let (hours, minutes) = match figures.split_once(':') {
        Some(parts) => parts,
        None if figures.len() == 4 => figures.split_at_checked(2)?,
        None => (figures, "0"),
    };
    let (hours, minutes) = (hours.parse::<i32>().ok()?, minutes.parse::<i32>().ok()?);
    if !(0..=14).contains(&hours) || !(0..60).contains(&minutes) {
        return None;
    }
    let offset = Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok()?;
    let name = format!("UTC{}{hours:02}:{minutes:02}", if sign > 0 { '+' } else { '-' });
    Some(Found {
        zone: TimeZone::fixed(offset),
        name,
        note: None,
    })
}

/// A city, country or abbreviation; of `Portland, Maine` the part that decides.
fn by_place(text: &str, now: Timestamp) -> Option<Found> {
    let known = |part: &str| place::find(&folded(part)).or_else(|| place::find(&without_fillers(part)));
    if let Some(place) = known(text) {
        return found(place, now);
    }
    let Some((first, rest)) = text.split_once(',').or_else(|| text.split_once('(')) else {
        return city_and_region(text, now, known);
    };
    let region = known(rest.trim_end_matches(')')).or_else(|| rest.rsplit(',').find_map(known));
    match (known(first), region) {
        (Some(city), Some(region)) if !lies_in(city, region, now) => found(region, now),
        (Some(city), _) => found(city, now),
        (None, region) => found(region?, now),
    }
}

/// A city with its region behind it: `Portland Maine`. Both have to be known, since nothing parts them.
fn city_and_region(
    text: &str,
    now: Timestamp,
    known: impl Fn(&str) -> Option<&'static Place>,
) -> Option<Found> {
    let spaces = text.match_indices(' ').map(|(at, _)| at);
    let mut pairs = spaces.filter_map(|at| {
        let (city, region) = text.split_at_checked(at)?;
        Some((known(city)?, known(region)?))
    });
    let (city, region) = pairs.next()?;
    let deciding = if lies_in(city, region, now) { city } else { region };
    found(deciding, now)
}

/// Whether the clocks of the city go like some clocks of the region: London, Ontario is not in England.
fn lies_in(city: &Place, region: &Place, now: Timestamp) -> bool {
    let offset = |name: &str| by_iana_name(name).map(|zone| zone.to_offset(now));
    let city = city.zones.first().and_then(|name| offset(name));
    region.zones.iter().any(|name| offset(name) == city)
}

fn found(place: &Place, now: Timestamp) -> Option<Found> {
    let zones: Vec<TimeZone> = place.zones.iter().filter_map(|name| by_iana_name(name)).collect();
    let zone = zones.first()?.clone();
    let name = place.zones.first()?.clone();
    let here = zone.to_offset(now);
    let several = zones.iter().any(|other| other.to_offset(now) != here);
    let note = several.then(|| format!("{} has several time zones; this is {name}", place.name));
    Some(Found { zone, name, note })
}

fn without_fillers(text: &str) -> String {
    let mut plain = folded(text);
    for filler in FILLERS {
        // The longer ones come after their parts, so each is tried at both ends of what is left.
        let shorter = plain.strip_prefix(&format!("{filler} ")).map(str::to_owned);
        plain = shorter.unwrap_or(plain);
        let shorter = plain.strip_suffix(&format!(" {filler}")).map(str::to_owned);
        plain = shorter.unwrap_or(plain);
    }
    plain
}

#[cfg(test)]
mod tests;
