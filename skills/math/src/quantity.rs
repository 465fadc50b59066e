//! Measured amounts: a number with its unit, and how it came about.
//!
//! Converts and never guesses: amounts of different kinds have no sum and no order.

use super::number::Number;
use super::units::{self, Amount, Category, Unit, UnitError};

/// So much of a unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Quantity {
    pub(super) number: Number,
    pub(super) unit: &'static Unit,
    /// Where it comes from.
    pub(super) origin: Origin,
}

/// What decides how an amount is told, and whether it may stand for a plain number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// The amount was written or calculated in this unit.
    Calculated,
    /// Its unit was asked for.
    Asked,
    /// The count of units between two moments: `days until christmas`.
    Counted(Parts),
}

/// A count of months or years, to the day; empty for others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Parts {
    pub(super) years: i64,
    pub(super) months: i64,
    pub(super) days: i64,
}

impl From<Amount> for Quantity {
    fn from(amount: Amount) -> Self {
        Self::new(Number::Real(amount.number), amount.unit)
    }
}

impl Quantity {
    /// An amount that was written or calculated.
    pub(super) fn new(number: Number, unit: &'static Unit) -> Self {
        Self {
            number,
            unit,
            origin: Origin::Calculated,
        }
    }

    /// So many of its unit, as a real number.
    pub(super) fn amount(&self) -> Amount {
        Amount {
            number: self.number.to_f64(),
            unit: self.unit,
        }
    }

    /// Whether it measures the same as another.
    pub(super) fn is_akin(&self, other: &Self) -> bool {
        self.unit.category == other.unit.category
    }

    /// Whether it tells how warm something is: such amounts have no sums.
    pub(super) fn is_temperature(&self) -> bool {
        self.unit.category == Category::Temperature
    }

    /// Whether it is a count that may stand for a plain number.
    pub(super) fn is_count(&self) -> bool {
        matches!(self.origin, Origin::Counted(_))
    }

    /// Another number of the same unit. What was asked for stays asked for.
    pub(super) fn with(&self, number: Number) -> Self {
        let origin = match self.origin {
            Origin::Counted(_) => Origin::Counted(Parts::default()),
            other => other,
        };
        Self {
            number,
            unit: self.unit,
            origin,
        }
    }

    /// The amount in another unit of its kind.
    pub(super) fn in_unit(&self, unit: &'static Unit) -> Result<Number, UnitError> {
        if std::ptr::eq(self.unit, unit) {
            return Ok(self.number);
        }
        units::convert(self.number.to_f64(), self.unit, unit).map(Number::Real)
    }
}
