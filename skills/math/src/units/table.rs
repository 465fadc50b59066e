//! The units of `units.txt`, read once.
//!
//! A line that cannot be read is left out; a test reads every line.

use std::sync::LazyLock;

use super::{Category, Unit};

/// Customary units and the metric ones that people use in their place; the first match counts either way.
pub(super) const COUNTERPARTS: &[(&str, &str)] = &[
    ("mile", "kilometer"),
    ("foot", "meter"),
    ("inch", "centimeter"),
    ("inch", "millimeter"),
    ("inch", "decimeter"),
    ("yard", "meter"),
    ("nautical mile", "kilometer"),
    ("pound", "kilogram"),
    ("ounce", "gram"),
    ("stone", "kilogram"),
    ("ton", "tonne"),
    ("long ton", "tonne"),
    ("gallon", "liter"),
    ("fluid ounce", "milliliter"),
    ("fluid ounce", "centiliter"),
    ("cup", "deciliter"),
    ("cup", "milliliter"),
    ("pint", "liter"),
    ("quart", "liter"),
    ("imperial gallon", "liter"),
    ("imperial pint", "liter"),
    ("imperial fluid ounce", "milliliter"),
    ("teaspoon", "milliliter"),
    ("tablespoon", "milliliter"),
    ("cubic foot", "cubic meter"),
    ("cubic inch", "cubic centimeter"),
    ("mile per hour", "kilometer per hour"),
    ("foot per second", "meter per second"),
    ("knot", "kilometer per hour"),
    ("acre", "hectare"),
    ("square foot", "square meter"),
    ("square mile", "square kilometer"),
    ("square inch", "square centimeter"),
    ("square yard", "square meter"),
    ("degree Fahrenheit", "degree Celsius"),
    ("degree Fahrenheit", "kelvin"),
];

const TEXT: &str = include_str!("units.txt");

/// All units, in the order of the text.
pub(super) static UNITS: LazyLock<Vec<Unit>> = LazyLock::new(|| {
    let mut category = None;
    let mut units = Vec::new();
    for line in TEXT
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with(';'))
    {
        if let Some(name) = line.strip_prefix("# ") {
            category = Category::named(name);
        } else {
            units.extend(category.and_then(|category| unit(category, line)));
        }
    }
    units
});

fn unit(category: Category, line: &'static str) -> Option<Unit> {
    let mut columns = line.split(" |").map(str::trim);
    let (name, plural) = columns.next()?.split_once(", ")?;
    let scale = columns.next()?;
    let (factor, zero) = scale.split_once(" from ").unwrap_or((scale, "0"));
    let mut names = || {
        columns
            .next()
            .unwrap_or_default()
            .split(", ")
            .filter(|name| !name.is_empty())
            .collect()
    };
    Some(Unit {
        category,
        name,
        plural,
        factor: number(factor)?,
        zero: number(zero)?,
        symbols: names(),
        words: names(),
    })
}

/// A decimal, or a quotient, a product or a power of such.
fn number(text: &str) -> Option<f64> {
    let parts = |sign| {
        text.split_once(sign)
            .map(|(left, right)| (number(left), number(right)))
    };
    if let Some((left, right)) = parts('/') {
        Some(left? / right?)
    } else if let Some((left, right)) = parts('*') {
        Some(left? * right?)
    } else if let Some((left, right)) = parts('^') {
        Some(left?.powf(right?))
    } else {
        text.trim().parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::{COUNTERPARTS, TEXT, UNITS};
    use loquat_kit::folded;

    #[test]
    fn every_line_is_a_unit_and_every_name_means_one() {
        let lines = TEXT
            .lines()
            .filter(|line| line.contains('|') && !line.starts_with(';'))
            .count();
        assert_eq!(UNITS.len(), lines);
        let mut taken = HashMap::new();
        for unit in UNITS.iter() {
            let words = unit.words.iter().map(|word| folded(word));
            for name in [unit.name, unit.plural].map(folded).into_iter().chain(words) {
                let before = taken.insert(name.clone(), unit.name);
                assert!(
                    before.is_none_or(|before| before == unit.name),
                    "{name} means {before:?} and {}",
                    unit.name
                );
            }
            for word in &unit.words {
                assert_eq!(*word, folded(word), "words are compared folded");
            }
        }
    }

    #[test]
    fn counterparts_exist_and_measure_the_same() {
        let find = |name: &str| UNITS.iter().find(|unit| unit.name == name).expect(name);
        for (imperial, metric) in COUNTERPARTS {
            assert_eq!(
                find(imperial).category,
                find(metric).category,
                "{imperial} and {metric}"
            );
        }
    }
}
