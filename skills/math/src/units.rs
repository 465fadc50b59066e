//! Units of measurement and the conversion between them.
//!
//! Symbols keep their case, since Mb and MB differ by a factor of eight; what could be either is refused.

use std::fmt;

use crate::number::sum;
pub(super) use dimension::{Amount, product, quotient};
use loquat_kit::folded;
use loquat_kit::spelling::nearest;
use table::{COUNTERPARTS, UNITS};

mod dimension;
mod table;
#[cfg(test)]
mod tests;

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Category {
    Length,
    Mass,
    Volume,
    Time,
    Speed,
    Area,
    Data,
    Temperature,
}

/// A unit of measurement.
#[derive(Debug, PartialEq)]
pub(super) struct Unit {
    /// It measures this.
    pub(super) category: Category,
    /// One of it is called so.
    pub(super) name: &'static str,
    /// Several of it are called so.
    pub(super) plural: &'static str,
    /// How many base units it has.
    factor: f64,
    /// It shows this value at the zero of the base unit.
    zero: f64,
    /// It is written so where it is short, in its own case.
    symbols: Vec<&'static str>,
    /// Names in other spellings and languages, folded.
    words: Vec<&'static str>,
}

/// In degrees Celsius; there is nothing colder.
const ABSOLUTE_ZERO: f64 = -273.15;

/// The categories as people call them.
const CATEGORIES: &[(&str, Category)] = &[
    ("length", Category::Length),
    ("mass", Category::Mass),
    ("volume", Category::Volume),
    ("time", Category::Time),
    ("speed", Category::Speed),
    ("area", Category::Area),
    ("data", Category::Data),
    ("temperature", Category::Temperature),
];

impl Category {
    fn named(name: &str) -> Option<Self> {
        CATEGORIES
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, category)| *category)
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = CATEGORIES.iter().find(|(_, category)| category == self);
        f.write_str(name.map_or("unknown", |(name, _)| name))
    }
}

/// Why a value is not converted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(super) enum UnitError {
    /// The unit is not known.
    #[error("unknown unit '{name}'{}", Near(near))]
    Unknown {
        /// As it was written.
        name: String,
        /// Names that look alike.
        near: Vec<&'static str>,
    },
    /// The sign means bits or bytes.
    #[error("'{name}' can mean {} or {}; write one of them", .bits.plural, .bytes.plural)]
    BitsOrBytes {
        /// As it was written.
        name: String,
        /// A small b means this one.
        bits: &'static Unit,
        /// A capital B means this one.
        bytes: &'static Unit,
    },
    /// Lengths are no masses.
    #[error("{} measures {}, {} measures {}", .from.plural, .from.category, .to.plural, .to.category)]
    OtherCategory {
        /// The value was given in this unit.
        from: &'static Unit,
        /// The unit that was asked for.
        to: &'static Unit,
    },
    /// There is no customary unit in the other system of measurement.
    #[error("say which unit of {} to convert to", .0.category)]
    NoCounterpart(&'static Unit),
    /// There is no such temperature.
    #[error("{value} {} is below absolute zero", .unit.plural)]
    BelowAbsoluteZero { value: f64, unit: &'static Unit },
    /// The result has no room in a number.
    #[error("the result is too large")]
    TooLarge,
}

struct Near<'a>(&'a [&'static str]);

impl fmt::Display for Near<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("; write it out, for example kilometers"),
            near => write!(f, "; did you mean {}?", near.join(" or ")),
        }
    }
}

/// Both units of a conversion. Without a target it is the customary one of the person's system of measurement, or
/// of the other system if the value is in the person's already.
pub(super) fn pair(
    from: &str,
    to: Option<&str>,
    imperial: bool,
) -> Result<(&'static Unit, &'static Unit), UnitError> {
    let Some(to) = to else {
        let from = find(from)?;
        return Ok((
            from,
            from.counterpart(imperial).ok_or(UnitError::NoCounterpart(from))?,
        ));
    };
    match (find(from), find(to)) {
        // Between `gb` and `mb` it makes no difference which of the two was meant.
        (Err(UnitError::BitsOrBytes { bytes: from, .. }), Err(UnitError::BitsOrBytes { bytes: to, .. })) => {
            Ok((from, to))
        }
        (from, to) => Ok((from?, to?)),
    }
}

pub(super) fn convert(value: f64, from: &'static Unit, to: &'static Unit) -> Result<f64, UnitError> {
    let (from, to) = (fluid(from, to), fluid(to, from));
    if from.category != to.category {
        return Err(UnitError::OtherCategory { from, to });
    }
    if from.category == Category::Temperature && from.in_base(value) < ABSOLUTE_ZERO - 1e-9 {
        return Err(UnitError::BelowAbsoluteZero { value, unit: from });
    }
    let result = to.out_of_base(from.in_base(value));
    if result.is_finite() {
        Ok(result)
    } else {
        Err(UnitError::TooLarge)
    }
}

/// An ounce beside a volume is a fluid one.
fn fluid(unit: &'static Unit, other: &'static Unit) -> &'static Unit {
    let is_of_volume = unit.name == "ounce" && other.category == Category::Volume;
    let fluid = is_of_volume
        .then(|| known("fluid ounce").ok().flatten())
        .flatten();
    fluid.unwrap_or(unit)
}

/// The unit of this name or symbol, singular or plural.
pub(super) fn find(name: &str) -> Result<&'static Unit, UnitError> {
    known(name)?.ok_or_else(|| UnitError::Unknown {
        name: name.trim().trim_end_matches('.').chars().take(60).collect(),
        near: nearest(
            &plain_name(name),
            UNITS.iter().flat_map(|unit| [unit.name, unit.plural]),
            2,
        ),
    })
}

/// The unit of this name or symbol, where there is one; a complaint where it can be two.
pub(super) fn known(name: &str) -> Result<Option<&'static Unit>, UnitError> {
    let name = name
        .replace('\u{b2}', "2")
        .replace('\u{b3}', "3")
        .replace('^', "");
    let name = name.trim().trim_end_matches('.');
    if let Some((bits, bytes)) = bits_or_bytes(name) {
        return Err(UnitError::BitsOrBytes {
            name: name.to_owned(),
            bits,
            bytes,
        });
    }
    if let Some(unit) = UNITS.iter().find(|unit| unit.has_symbol(name)) {
        return Ok(Some(unit));
    }
    let plain = plain_name(name);
    let by_name = UNITS.iter().find(|unit| unit.is_called(&plain));
    let by_symbol = || {
        let mut units = UNITS.iter().filter(|unit| unit.has_symbol_without_case(name));
        units.next().filter(|_| units.next().is_none())
    };
    Ok(by_name.or_else(by_symbol))
}

/// In small letters `mb` is written for both; `Mb` and `MB` are clear.
fn bits_or_bytes(name: &str) -> Option<(&'static Unit, &'static Unit)> {
    let prefix = name
        .strip_suffix('b')
        .filter(|prefix| matches!(*prefix, "k" | "m" | "g" | "t"))?;
    let prefix = if prefix == "k" {
        prefix.to_owned()
    } else {
        prefix.to_uppercase()
    };
    let find = |symbol: String| UNITS.iter().find(|unit| unit.symbols.contains(&symbol.as_str()));
    Some((find(format!("{prefix}b"))?, find(format!("{prefix}B"))?))
}

/// `Meters / second`, `sq. ft` and `\u{b0}C` in the one spelling that the table has.
fn plain_name(name: &str) -> String {
    let name = folded(&name.replace('\u{b0}', " ").replace('/', " per "));
    let words = name.split(' ').map(|word| match word {
        "sq" => "square",
        "cu" => "cubic",
        "degree" | "degrees" | "grad" | "grados" | "graus" | "gradi" | "degres" => "",
        word => word,
    });
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

impl Unit {
    /// Whether it is smaller than another unit of its kind.
    pub(super) fn is_less_than(&self, other: &Self) -> bool {
        self.category == other.category && self.factor < other.factor
    }

    /// How many base units it has.
    pub(super) fn factor(&self) -> f64 {
        self.factor
    }

    fn in_base(&self, value: f64) -> f64 {
        sum(value, -self.zero) * self.factor
    }

    fn out_of_base(&self, base: f64) -> f64 {
        sum(base / self.factor, self.zero)
    }

    fn is_called(&self, plain: &str) -> bool {
        let singular = plain.strip_suffix('s').unwrap_or(plain);
        let names = [self.name, self.plural];
        names
            .iter()
            .chain(&self.words)
            .any(|known| *known == plain || *known == singular)
    }

    /// Whether this is one of its symbols, in its own case.
    pub(super) fn has_symbol(&self, name: &str) -> bool {
        self.symbols.contains(&name)
    }

    fn has_symbol_without_case(&self, name: &str) -> bool {
        self.symbols
            .iter()
            .any(|symbol| symbol.eq_ignore_ascii_case(name))
    }

    fn counterpart(&self, imperial: bool) -> Option<&'static Self> {
        let to_imperial = || {
            COUNTERPARTS
                .iter()
                .find(|(_, metric)| *metric == self.name)
                .map(|(name, _)| *name)
        };
        let to_metric = || {
            COUNTERPARTS
                .iter()
                .find(|(name, _)| *name == self.name)
                .map(|(_, metric)| *metric)
        };
        let name = if imperial {
            to_imperial().or_else(to_metric)
        } else {
            to_metric().or_else(to_imperial)
        };
        UNITS.iter().find(|unit| Some(unit.name) == name)
    }
}
