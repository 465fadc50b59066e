//! The weather codes of the World Meteorological Organization (table 4677, the part that the service uses), by the
//! names that `condition.value` has words for.
//!
//! Knows codes alone.

/// What a code is called in the lists.
pub(super) fn name(code: u8) -> &'static str {
    match code {
        0 => "clear",
        1 => "mostly clear",
        2 => "partly cloudy",
        3 => "overcast",
        45 | 48 => "fog",
        51 | 53 | 55 => "drizzle",
        56 | 57 | 66 | 67 => "freezing rain",
        61 => "light rain",
        63 => "rain",
        65 => "heavy rain",
        71 | 77 => "light snow",
        73 => "snow",
        75 => "heavy snow",
        80 | 81 => "showers",
        82 => "heavy showers",
        85 | 86 => "snow showers",
        95 => "thunderstorm",
        96 | 99 => "thunderstorm with hail",
        _ => "changeable",
    }
}

/// All of these names, for those who check the lists.
#[cfg(test)]
pub(super) fn names() -> std::collections::BTreeSet<&'static str> {
    (0..=u8::MAX).map(name).collect()
}

/// Whether one cannot see far.
pub(super) fn is_fog(code: u8) -> bool {
    matches!(code, 45 | 48)
}

/// Whether there is thunder.
pub(super) fn is_storm(code: u8) -> bool {
    (95..=99).contains(&code)
}

pub(super) fn is_snow(code: u8) -> bool {
    matches!(code, 71..=77 | 85 | 86)
}

/// Whether anything falls that wets.
pub(super) fn is_wet(code: u8) -> bool {
    code >= 51 && !is_snow(code)
}
