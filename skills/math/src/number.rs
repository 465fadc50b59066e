//! Numbers as people expect them from a calculator: whole ones exact, others with 15 significant digits.
//!
//! No operation here panics or overflows: whole numbers that outgrow 128 bits go on as floating point.

use serde_json::Number as JsonNumber;

/// A whole number, or one of double precision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    /// It is exact.
    Whole(i128),
    /// IEEE 754; infinite and not-a-number values occur in between and are refused as results.
    Real(f64),
}

/// Beyond this a double no longer tells neighbouring whole numbers apart (2^53).
const LARGEST_EXACT_REAL: f64 = 9_007_199_254_740_992.0;

impl Number {
    pub(super) fn to_f64(self) -> f64 {
        match self {
            Self::Whole(whole) => whole as f64,
            Self::Real(real) => real,
        }
    }

    /// The whole number that this is, up to what shows in 15 digits: 114.99999999999999 is 115.
    pub(super) fn to_whole(self) -> Option<i128> {
        match self {
            Self::Whole(whole) => Some(whole),
            Self::Real(real) => {
                let shown = shown(real);
                let exact = shown.fract() == 0.0 && shown.abs() <= LARGEST_EXACT_REAL;
                exact.then_some(shown as i128)
            }
        }
    }

    pub(super) fn is_finite(self) -> bool {
        self.to_f64().is_finite()
    }

    pub(super) fn is_zero(self) -> bool {
        self.to_f64() == 0.0
    }

    pub(super) fn plus(self, other: Self) -> Self {
        self.combine(other, i128::checked_add, sum)
    }

    pub(super) fn minus(self, other: Self) -> Self {
        self.combine(other, i128::checked_sub, |left, right| sum(left, -right))
    }

    pub(super) fn times(self, other: Self) -> Self {
        self.combine(other, i128::checked_mul, |left, right| left * right)
    }

    pub(super) fn negated(self) -> Self {
        Self::Whole(0).minus(self)
    }

    /// The quotient, whole where it comes out even. The divisor is not zero.
    pub(super) fn divided_by(self, other: Self) -> Self {
        let even = |left: i128, right: i128| match left.checked_rem(right) {
            Some(0) => left.checked_div(right),
            _ => None,
        };
        self.combine(other, even, |left, right| left / right)
    }

    /// The quotient rounded down. The divisor is not zero.
    pub(super) fn floor_divided_by(self, other: Self) -> Self {
        let floor = |left: i128, right: i128| {
            let quotient = left.checked_div(right)?;
            let below = left.checked_rem(right)? != 0 && (left < 0) != (right < 0);
            Some(quotient - i128::from(below))
        };
        self.combine(other, floor, |left, right| shown(left / right).floor())
    }

    /// What is left after [`Number::floor_divided_by`]; it has the sign of the divisor.
    pub(super) fn modulo(self, other: Self) -> Self {
        self.minus(other.times(self.floor_divided_by(other)))
    }

    /// May be infinite or not a number.
    pub(super) fn to_the(self, exponent: Self) -> Self {
        let whole = |base: i128, exponent: i128| base.checked_pow(u32::try_from(exponent).ok()?);
        self.combine(exponent, whole, f64::powf)
    }

    /// The number as JSON, whole where it is whole; `None` when it is not finite.
    pub(super) fn to_json(self) -> Option<JsonNumber> {
        if let Some(whole) = self.to_whole() {
            if let Some(json) = JsonNumber::from_i128(whole) {
                return Some(json);
            }
        }
        JsonNumber::from_f64(shown(self.to_f64()))
    }

    fn combine(
        self,
        other: Self,
        whole: impl Fn(i128, i128) -> Option<i128>,
        real: impl Fn(f64, f64) -> f64,
    ) -> Self {
        if let (Self::Whole(left), Self::Whole(right)) = (self, other) {
            if let Some(result) = whole(left, right) {
                return Self::Whole(result);
            }
        }
        Self::Real(real(self.to_f64(), other.to_f64()))
    }
}

impl From<f64> for Number {
    fn from(real: f64) -> Self {
        Self::Real(real)
    }
}

/// The number with 15 significant digits, the most that a double always carries from decimal and back.
pub(super) fn shown(real: f64) -> f64 {
    significant(real, 15)
}

pub(super) fn significant(real: f64, digits: usize) -> f64 {
    if !real.is_finite() {
        return real;
    }
    let decimals = digits.saturating_sub(1);
    format!("{real:.decimals$e}").parse().unwrap_or(real)
}

/// The sum, zero where only rounding is left of it: 0.1 + 0.2 - 0.3 is 0, not 5.6e-17.
pub(super) fn sum(left: f64, right: f64) -> f64 {
    let result = left + right;
    let noise = 4.0 * f64::EPSILON * left.abs().max(right.abs());
    if result.abs() <= noise && result.is_finite() {
        0.0
    } else {
        result
    }
}
