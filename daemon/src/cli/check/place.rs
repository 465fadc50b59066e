//! Whether the device knows its place, which weather, sun and time zone need. Asks no service.

use loquat_part::{Finding, Verdict};

use crate::settings::Settings;

/// Says whether the device knows where it stands.
pub(in crate::cli) fn finding(settings: &Settings) -> Finding {
    let part = "place";
    let location = &settings.mycroft.location;
    let Some((latitude, longitude)) = location.latitude.zip(location.longitude) else {
        let detail = "it is not set, so the weather and the sun are told only of a town that you name";
        return Finding::bad(part, Verdict::Missing, detail, "run `loquat setup`");
    };
    let name = location
        .city
        .as_ref()
        .map_or_else(String::new, |city| format!("{city}, "));
    Finding::ok(part, format!("{name}latitude {latitude}, longitude {longitude}"))
}
