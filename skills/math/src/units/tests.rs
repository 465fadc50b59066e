//! Units by all their names, and conversions between them.

use super::{UnitError, convert, pair};
use crate::number::Number;

fn converted(value: f64, from: &str, to: Option<&str>, imperial: bool) -> Result<String, UnitError> {
    let (from, to) = pair(from, to, imperial)?;
    let result = Number::Real(convert(value, from, to)?)
        .to_json()
        .expect("a finite number");
    Ok(format!("{result} {}", to.plural))
}

#[test]
fn units_go_by_many_names() {
    let cases = [
        (5.0, "miles", "km", "8.04672 kilometers"),
        (5.0, "Mile", "Kilometres", "8.04672 kilometers"),
        (5.0, "Meilen", "Kilometer", "8.04672 kilometers"),
        (5.0, "millas", "kil\u{f3}metros", "8.04672 kilometers"),
        (5.0, "miglia", "chilometri", "8.04672 kilometers"),
        (5.0, "milhas", "quil\u{f4}metros", "8.04672 kilometers"),
        (6.0, "ft", "in", "72 inches"),
        (1.0, "foot", "Fu\u{df}", "1 feet"),
        (180.0, "cm", "inches", "70.8661417322835 inches"),
        (150.0, "lbs", "kg", "68.0388555 kilograms"),
        (1.0, "Pfund", "g", "500 grams"),
        (1.0, "st.", "pounds", "14 pounds"),
        (1.0, "ton", "kg", "907.18474 kilograms"),
        (1.0, "tonne", "kg", "1000 kilograms"),
        (2.0, "cups", "ml", "473.176473 milliliters"),
        (1.0, "fl. oz.", "tbsp", "2 tablespoons"),
        (1.0, "gallon", "L", "3.785411784 liters"),
        (1.0, "m\u{b3}", "l", "1000 liters"),
        (90.0, "minutes", "hours", "1.5 hours"),
        (1.0, "year", "days", "365.2425 days"),
        (100.0, "km/h", "mph", "62.1371192237334 miles per hour"),
        (
            36.0,
            "kilometers per hour",
            "meters / second",
            "10 meters per second",
        ),
        (10.0, "knots", "kph", "18.52 kilometers per hour"),
        (1.0, "acre", "square feet", "43560 square feet"),
        (1.0, "sq. mi", "hectares", "258.9988110336 hectares"),
        (100.0, "m^2", "sq ft", "1076.39104167097 square feet"),
    ];
    for (value, from, to, expected) in cases {
        assert_eq!(
            converted(value, from, Some(to), false).as_deref(),
            Ok(expected),
            "{value} {from}"
        );
    }
}

#[test]
fn temperatures_have_their_zeros() {
    let cases = [
        (72.0, "F", "C", "22.2222222222222 degrees Celsius"),
        (100.0, "\u{b0}C", "\u{b0}F", "212 degrees Fahrenheit"),
        (-40.0, "celsius", "fahrenheit", "-40 degrees Fahrenheit"),
        (0.0, "kelvin", "degrees Celsius", "-273.15 degrees Celsius"),
        (20.0, "Grad Celsius", "K", "293.15 kelvins"),
        (-459.67, "Fahrenheit", "kelvin", "0 kelvins"),
    ];
    for (value, from, to, expected) in cases {
        assert_eq!(
            converted(value, from, Some(to), false).as_deref(),
            Ok(expected),
            "{value} {from}"
        );
    }
    let too_cold = converted(-1.0, "K", Some("C"), false).map_err(|error| error.to_string());
    assert_eq!(too_cold, Err("-1 kelvins is below absolute zero".to_owned()));
}

#[test]
fn bits_are_not_bytes() {
    assert_eq!(
        converted(100.0, "Mb", Some("MB"), false).as_deref(),
        Ok("12.5 megabytes")
    );
    assert_eq!(
        converted(1.0, "GB", Some("MiB"), false).as_deref(),
        Ok("953.67431640625 mebibytes")
    );
    assert_eq!(
        converted(1.0, "kilobytes", Some("bits"), false).as_deref(),
        Ok("8000 bits")
    );
    assert_eq!(
        converted(5.0, "gb", Some("mb"), false).as_deref(),
        Ok("5000 megabytes")
    );
    let unclear = converted(5.0, "mb", Some("bytes"), false).map_err(|error| error.to_string());
    assert_eq!(
        unclear,
        Err("'mb' can mean megabits or megabytes; write one of them".to_owned())
    );
}

#[test]
fn without_a_target_the_person_s_units_are_used() {
    let cases = [
        ("miles", false, "1.609344 kilometers"),
        ("km", true, "0.621371192237334 miles"),
        ("miles", true, "1.609344 kilometers"),
        ("km", false, "0.621371192237334 miles"),
        ("F", false, "-17.2222222222222 degrees Celsius"),
        ("C", true, "33.8 degrees Fahrenheit"),
        ("cup", false, "2.365882365 deciliters"),
    ];
    for (from, imperial, expected) in cases {
        assert_eq!(
            converted(1.0, from, None, imperial).as_deref(),
            Ok(expected),
            "{from}"
        );
    }
    let unclear = converted(1.0, "hours", None, false).map_err(|error| error.to_string());
    assert_eq!(unclear, Err("say which unit of time to convert to".to_owned()));
}

#[test]
fn what_cannot_be_converted_is_named() {
    let cases = [
        ("mils", "km", "unknown unit 'mils'; did you mean mile or miles?"),
        (
            "wobbles",
            "km",
            "unknown unit 'wobbles'; write it out, for example kilometers",
        ),
        ("", "km", "unknown unit ''; write it out, for example kilometers"),
        ("km", "kg", "kilometers measures length, kilograms measures mass"),
    ];
    for (from, to, expected) in cases {
        let complaint = converted(1.0, from, Some(to), false).map_err(|error| error.to_string());
        assert_eq!(complaint, Err(expected.to_owned()));
    }
    assert_eq!(
        converted(f64::MAX, "km", Some("mm"), false),
        Err(UnitError::TooLarge)
    );
}
