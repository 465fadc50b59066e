//! Durations as people say them: 2.75 hours are 2 hours and 45 minutes.
//!
//! Knows no words; says only how many of which unit.

use super::quantity::{Origin, Parts, Quantity};
use super::units::Category;

/// Units that people count on with, each in so many of the next one.
const CHAIN: &[(&str, &str, f64)] = &[
    ("week", "weeks", 7.0),
    ("day", "days", 24.0),
    ("hour", "hours", 60.0),
    ("minute", "minutes", 60.0),
    ("second", "seconds", 1.0),
];

/// A duration in more units than these is hard to follow by ear.
const MOST_UNITS: usize = 3;

/// Beyond this a duration is told as a number.
const LONGEST: f64 = 1e9;

/// A duration in several units.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Told {
    /// It counts each unit, the largest first, and leaves out those that are zero.
    pub(super) parts: Vec<(f64, &'static str)>,
    /// Whether nothing was rounded.
    pub(super) is_exact: bool,
}

/// The amount in several units; `None` where one number tells it better.
pub(super) fn told(quantity: &Quantity) -> Option<Told> {
    let number = quantity.number.to_f64();
    if quantity.unit.category != Category::Time || !(0.0..LONGEST).contains(&number) {
        return None;
    }
    match quantity.origin {
        Origin::Asked => None,
        Origin::Counted(parts) if parts != Parts::default() => Some(on_calendar(parts)),
        Origin::Counted(_) => in_units(quantity, quantity.unit.name),
        Origin::Calculated => in_units(quantity, largest(quantity)),
    }
}

fn on_calendar(parts: Parts) -> Told {
    let all = [
        (parts.years, "years"),
        (parts.months, "months"),
        (parts.days, "days"),
    ];
    let said = all.into_iter().filter(|(number, _)| *number != 0);
    Told {
        parts: said.map(|(number, unit)| (number as f64, unit)).collect(),
        is_exact: true,
    }
}

/// Minutes and seconds are told in hours where there are so many.
fn largest(quantity: &Quantity) -> &'static str {
    let seconds = quantity.number.to_f64() * quantity.unit.factor();
    match quantity.unit.name {
        "minute" | "second" if seconds >= 3600.0 => "hour",
        "second" if seconds >= 60.0 => "minute",
        name => name,
    }
}

fn in_units(quantity: &Quantity, largest: &str) -> Option<Told> {
    let place = CHAIN.iter().position(|(name, ..)| *name == largest)?;
    let units: Vec<_> = CHAIN.iter().skip(place).take(MOST_UNITS).collect();
    if units.len() < 2 {
        return None;
    }
    let (smallest, ..) = units.last()?;
    let per_smallest = super::units::find(smallest).ok()?.factor();
    let exact = quantity.number.to_f64() * quantity.unit.factor() / per_smallest;
    let whole = exact.round();
    let mut rest = whole;
    let mut parts = Vec::new();
    for (at, (_, plural, _)) in units.iter().enumerate() {
        let below = units.get(at..units.len() - 1).unwrap_or_default();
        let size: f64 = below.iter().map(|(_, _, count)| count).product();
        let number = (rest / size).floor();
        rest -= number * size;
        parts.extend((number > 0.0).then_some((number, *plural)));
    }
    (!parts.is_empty()).then_some(Told {
        parts,
        is_exact: (exact - whole).abs() <= 1e-6 * exact.abs().max(1.0),
    })
}

#[cfg(test)]
mod tests {
    use super::super::number::Number;
    use super::super::quantity::{Origin, Parts, Quantity};
    use super::super::units::find;
    use super::told;

    fn shown(number: f64, unit: &str, origin: Origin) -> String {
        let quantity = Quantity {
            number: Number::Real(number),
            unit: find(unit).expect(unit),
            origin,
        };
        told(&quantity).map_or_else(
            || "a number".to_owned(),
            |told| {
                let parts: Vec<String> = told
                    .parts
                    .iter()
                    .map(|(number, unit)| format!("{number} {unit}"))
                    .collect();
                format!(
                    "{}{}",
                    if told.is_exact { "" } else { "about " },
                    parts.join(", ")
                )
            },
        )
    }

    #[test]
    fn durations_are_told_in_the_units_that_people_use() {
        let counted = Origin::Counted(Parts::default());
        for (number, unit, origin, expected) in [
            (2.75, "hours", Origin::Calculated, "2 hours, 45 minutes"),
            (165.0, "minutes", Origin::Calculated, "2 hours, 45 minutes"),
            (165.0, "minutes", Origin::Asked, "a number"),
            (139.0, "minutes", counted, "139 minutes"),
            (40.0 / 7.0, "weeks", counted, "5 weeks, 5 days"),
            (34.0, "days", counted, "34 days"),
            (30.0, "hours", Origin::Calculated, "30 hours"),
            (
                10.0 / 7.0,
                "hours",
                Origin::Calculated,
                "about 1 hours, 25 minutes, 43 seconds",
            ),
            (59.999_999_9, "minutes", Origin::Calculated, "60 minutes"),
            (2.5, "seconds", Origin::Calculated, "a number"),
            (0.0, "minutes", counted, "a number"),
            (-3.0, "days", counted, "a number"),
            (1.5, "years", Origin::Calculated, "a number"),
            (3.0, "km", Origin::Calculated, "a number"),
            (1e300, "weeks", Origin::Calculated, "a number"),
        ] {
            assert_eq!(shown(number, unit, origin), expected, "{number} {unit}");
        }
        let parts = Parts {
            years: 50,
            months: 0,
            days: 17,
        };
        assert_eq!(shown(50.0, "years", Origin::Counted(parts)), "50 years, 17 days");
    }
}
