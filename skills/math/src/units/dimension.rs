//! What products and quotients of measured amounts measure: speed times time is a length.
//!
//! Only what people say is known: lengths, areas, volumes, times and speeds.

use super::table::UNITS;
use super::{Category, Unit};

/// Kinds whose product is a third kind, and how many of its base units that of their base units has.
const PRODUCTS: &[(Category, Category, Category, f64)] = &[
    (Category::Speed, Category::Time, Category::Length, 1.0),
    (Category::Length, Category::Length, Category::Area, 1.0),
    // The base unit of volume is the liter.
    (Category::Area, Category::Length, Category::Volume, 1000.0),
];

/// So many of a unit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Amount {
    pub(crate) number: f64,
    pub(crate) unit: &'static Unit,
}

impl Amount {
    fn in_base(self) -> f64 {
        self.unit.in_base(self.number)
    }

    fn of_base(base: f64, unit: &'static Unit) -> Self {
        let number = unit.out_of_base(base);
        Self { number, unit }
    }
}

/// The product of two amounts.
pub(crate) fn product(left: Amount, right: Amount) -> Option<Amount> {
    let kinds = (left.unit.category, right.unit.category);
    let (_, _, kind, scale) = PRODUCTS
        .iter()
        .find(|(a, b, ..)| kinds == (*a, *b) || kinds == (*b, *a))?;
    let unit = customary(*kind, left.unit, right.unit)?;
    Some(Amount::of_base(left.in_base() * right.in_base() * scale, unit))
}

/// The quotient of two amounts of different kinds.
pub(crate) fn quotient(left: Amount, right: Amount) -> Option<Amount> {
    // What a car drinks is a volume by a length, and no area.
    if left.unit.category == Category::Volume && !left.unit.name.starts_with("cubic") {
        return None;
    }
    let (kind, scale) = PRODUCTS.iter().find_map(|(a, b, product, scale)| {
        let other = [(a, b), (b, a)]
            .into_iter()
            .find(|(_, by)| **by == right.unit.category);
        let (other, _) = other.filter(|_| *product == left.unit.category)?;
        Some((*other, scale))
    })?;
    let unit = customary(kind, left.unit, right.unit)?;
    Some(Amount::of_base(left.in_base() / (right.in_base() * scale), unit))
}

/// The unit that people use beside these two.
fn customary(kind: Category, left: &Unit, right: &Unit) -> Option<&'static Unit> {
    let units = [left, right];
    let of = |kind: Category| units.into_iter().find(|unit| unit.category == kind);
    let length = of(Category::Length).map(|unit| unit.name);
    let speed = of(Category::Speed).map(|unit| unit.name);
    let (wanted, otherwise) = match kind {
        Category::Length => (length_of(speed, length), "meter"),
        Category::Area => (length.map(|length| format!("square {length}")), "square meter"),
        Category::Volume => (length.map(|length| format!("cubic {length}")), "cubic meter"),
        Category::Time => (speed.map(|speed| parts_of_speed(speed).1.to_owned()), "second"),
        Category::Speed => (
            length
                .zip(of(Category::Time))
                .map(|(length, time)| speed_of(length, time.name)),
            "meter per second",
        ),
        _ => return None,
    };
    let named = |name: &str| UNITS.iter().find(|unit| unit.name == name);
    wanted.as_deref().and_then(named).or_else(|| named(otherwise))
}

fn length_of(speed: Option<&str>, length: Option<&str>) -> Option<String> {
    let of_speed = speed.map(|speed| parts_of_speed(speed).0);
    of_speed.or(length).map(str::to_owned)
}

fn parts_of_speed(speed: &str) -> (&str, &str) {
    speed.split_once(" per ").unwrap_or(("nautical mile", "hour"))
}

/// Times longer than a second make speeds by the hour.
fn speed_of(length: &str, time: &str) -> String {
    let is_imperial = matches!(length, "mile" | "yard" | "foot" | "inch");
    match (length, time) {
        ("foot", "second") => "foot per second",
        (_, "second" | "millisecond" | "microsecond" | "nanosecond") => "meter per second",
        ("nautical mile", _) => "knot",
        _ if is_imperial => "mile per hour",
        _ => "kilometer per hour",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::{Amount, product, quotient};

    fn shown(result: Option<Amount>) -> String {
        result.map_or_else(
            || "none".to_owned(),
            |amount| format!("{:.4} {}", amount.number, amount.unit.plural),
        )
    }

    #[test]
    fn products_and_quotients_have_the_units_that_people_use() {
        let of = |number: f64, name: &str| Amount {
            number,
            unit: find(name).expect(name),
        };
        let cases = [
            (product(of(60.0, "mph"), of(2.5, "h")), "150.0000 miles"),
            (product(of(2.0, "h"), of(80.0, "km/h")), "160.0000 kilometers"),
            (product(of(10.0, "m/s"), of(1.0, "min")), "600.0000 meters"),
            (product(of(10.0, "knots"), of(2.0, "h")), "20.0000 nautical miles"),
            (product(of(3.0, "m"), of(4.0, "m")), "12.0000 square meters"),
            (product(of(3.0, "ft"), of(12.0, "in")), "3.0000 square feet"),
            (
                product(of(2.0, "m2"), of(50.0, "cm")),
                "1000000.0000 cubic centimeters",
            ),
            (
                quotient(of(100.0, "km"), of(2.0, "h")),
                "50.0000 kilometers per hour",
            ),
            (
                quotient(of(100.0, "m"), of(10.0, "s")),
                "10.0000 meters per second",
            ),
            (quotient(of(26.0, "miles"), of(4.0, "h")), "6.5000 miles per hour"),
            (quotient(of(100.0, "km"), of(50.0, "km/h")), "2.0000 hours"),
            (quotient(of(12.0, "m2"), of(4.0, "m")), "3.0000 meters"),
            (quotient(of(1.0, "m3"), of(2.0, "m2")), "0.5000 meters"),
            (quotient(of(10.0, "l"), of(100.0, "km")), "none"),
            (product(of(1.0, "kg"), of(2.0, "m")), "none"),
            (quotient(of(1.0, "kg"), of(2.0, "m")), "none"),
        ];
        for (found, expected) in cases {
            assert_eq!(shown(found), expected);
        }
    }
}
