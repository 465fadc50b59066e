//! Spans of time in seconds, and as they are told.
//!
//! The names of units that are told are in `unit.value`.

use loquat_kit::dialog::Amount;

/// The list of the units' names.
pub(super) const UNITS: &str = "unit";

/// The units by their names in the lists, the largest first.
const SECONDS: [(&str, f64); 5] = [
    ("weeks", 604_800.0),
    ("days", 86_400.0),
    ("hours", HOUR),
    ("minutes", MINUTE),
    ("seconds", 1.0),
];

const HOUR: f64 = 3600.0;

const MINUTE: f64 = 60.0;

/// The number and the unit of a span that is told in one unit.
pub(super) fn single(told: &[Amount]) -> Option<(f64, &'static str)> {
    match told {
        [only] => only.counted(),
        _ => None,
    }
}

/// The span as it is told, in at most two units.
pub(super) fn told(seconds: f64) -> Vec<Amount> {
    let mut rest = seconds.round();
    let mut amounts = Vec::new();
    for (name, length) in SECONDS {
        let count = (rest / length).floor();
        if count >= 1.0 && amounts.len() < 2 {
            amounts.push(Amount::of(count, UNITS, name));
            rest -= count * length;
        } else if !amounts.is_empty() {
            break;
        }
    }
    if amounts.is_empty() {
        amounts.push(Amount::of(0.0, UNITS, "seconds"));
    }
    amounts
}
