//! Names of places and their time zones: the cities of the time zone database, and those of `places.txt`.
//!
//! Knows names only; rules and offsets are the database's.

use std::collections::HashMap;
use std::sync::LazyLock;

use jiff::tz::TimeZoneDatabase;

use crate::reading::folded;
use crate::spelling::nearest;

/// A place or region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// As it is shown.
    pub(super) name: String,
    /// IANA names; that of the capital or of most people first.
    pub(super) zones: Vec<String>,
}

const TEXT: &str = include_str!("places.txt");

/// Areas of the database that are not named after a place in them.
const OTHER_AREAS: &[&str] = &[
    "Etc", "US", "Canada", "Mexico", "Brazil", "Chile", "SystemV", "posix", "right",
];

/// Places by folded name.
static PLACES: LazyLock<HashMap<String, Place>> = LazyLock::new(|| {
    let mut places = HashMap::new();
    let database = TimeZoneDatabase::bundled();
    let mut zones: Vec<_> = database.available().collect();
    // America/Buenos_Aires is an old name of America/Argentina/Buenos_Aires, which comes later and wins.
    zones.sort_by_key(|zone| zone.as_str().matches('/').count());
    for zone in zones {
        places.extend(city(zone.as_str()));
    }
    for line in TEXT.lines().filter(|line| !line.starts_with(';')) {
        places.extend(listed(line));
    }
    places
});

/// The place of this folded name.
pub(super) fn find(name: &str) -> Option<&'static Place> {
    // Dots in `U.S.A.` fold to spaces.
    PLACES.get(name).or_else(|| PLACES.get(&initials(name)?))
}

/// Names of places that look like this folded one, as they are shown.
pub(super) fn near(name: &str) -> Vec<String> {
    let mut near: Vec<&Place> = Vec::new();
    for name in nearest(name, PLACES.keys().map(String::as_str), 8) {
        // Spellings of one place are one suggestion.
        near.extend(
            PLACES
                .get(name)
                .filter(|place| near.iter().all(|known| known.zones != place.zones)),
        );
    }
    near.into_iter().take(3).map(|place| place.name.clone()).collect()
}

fn initials(name: &str) -> Option<String> {
    let single = name.split(' ').all(|part| part.chars().count() == 1);
    single.then(|| name.replace(' ', ""))
}

/// The city that a zone is named after.
fn city(zone: &str) -> Option<(String, Place)> {
    let (area, _) = zone.split_once('/')?;
    if OTHER_AREAS.contains(&area) {
        return None;
    }
    let name = zone.rsplit('/').next()?.replace('_', " ");
    Some((
        folded(&name),
        Place {
            name,
            zones: vec![zone.to_owned()],
        },
    ))
}

fn listed(line: &str) -> Vec<(String, Place)> {
    let Some((zones, names)) = line.split_once('|') else {
        return Vec::new();
    };
    let zones: Vec<String> = zones.split_whitespace().map(str::to_owned).collect();
    let place = |name: &str| {
        let name = name.trim().to_owned();
        (
            folded(&name),
            Place {
                name,
                zones: zones.clone(),
            },
        )
    };
    names.split(',').map(place).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use jiff::tz::TimeZoneDatabase;

    use super::{TEXT, listed};

    #[test]
    fn every_listed_zone_exists_and_every_name_is_listed_once() {
        let bundled = TimeZoneDatabase::bundled();
        let mut lines = HashMap::new();
        for line in TEXT
            .lines()
            .filter(|line| !line.starts_with(';') && !line.is_empty())
        {
            let places = listed(line);
            assert!(!places.is_empty(), "{line}");
            for (name, place) in places {
                assert!(!name.is_empty(), "an empty name in {line}");
                for zone in &place.zones {
                    assert!(bundled.get(zone).is_ok(), "{zone} of {name}");
                }
                let before = lines.insert(name.clone(), line);
                assert!(
                    before.is_none_or(|before| before == line),
                    "{name} stands in {before:?} and {line}"
                );
            }
        }
    }
}
