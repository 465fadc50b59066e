//! What is done with two operands, and the numbers that come of it.
//!
//! Every operation is checked; what has no value is a complaint.

use super::error::ExpressionError;
use crate::number::Number;

/// What is done with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    Divide,
    /// `//`
    FloorDivide,
    /// `%` between two operands
    Modulo,
    /// `**`
    Power,
    /// `==` and the like
    Is(Relation),
    /// Both are true.
    And,
    /// One of them is true.
    Or,
}

/// How two numbers compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Relation {
    /// As it is written.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::Unequal => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
        }
    }

    /// Numbers that differ by no more than a calculation may be off are equal.
    pub(crate) fn holds(self, left: Number, right: Number) -> bool {
        let (a, b) = (left.to_f64(), right.to_f64());
        let equal = match (left, right) {
            (Number::Whole(left), Number::Whole(right)) => left == right,
            _ if a.is_finite() && b.is_finite() => (a - b).abs() <= f64::EPSILON * 8.0 * a.abs().max(b.abs()),
            _ => a.total_cmp(&b).is_eq(),
        };
        match self {
            Self::Equal => equal,
            Self::Unequal => !equal,
            Self::Less => !equal && a < b,
            Self::AtMost => equal || a < b,
            Self::Greater => !equal && a > b,
            Self::AtLeast => equal || a > b,
        }
    }
}

impl Operator {
    /// The value of two plain numbers with the operator between them.
    pub(crate) fn apply(self, left: Number, right: Number) -> Result<Number, ExpressionError> {
        let divides = matches!(self, Self::Divide | Self::FloorDivide | Self::Modulo);
        if divides && right.is_zero() {
            return Err(ExpressionError::Undefined("division by zero".to_owned()));
        }
        let result = match self {
            Self::Plus => left.plus(right),
            Self::Minus => left.minus(right),
            Self::Times => left.times(right),
            Self::Divide => left.divided_by(right),
            Self::FloorDivide => left.floor_divided_by(right),
            Self::Modulo => left.modulo(right),
            Self::Power => return power(left, right),
            Self::Is(relation) => truth(relation.holds(left, right)),
            Self::And => truth(!left.is_zero() && !right.is_zero()),
            Self::Or => truth(!left.is_zero() || !right.is_zero()),
        };
        Ok(result)
    }
}

/// 1 for what is true, 0 for what is not.
pub(super) fn truth(holds: bool) -> Number {
    Number::Whole(i128::from(holds))
}

/// A power, with a complaint where it has no value.
pub(super) fn power(base: Number, exponent: Number) -> Result<Number, ExpressionError> {
    if base.is_zero() && exponent.to_f64() < 0.0 {
        return Err(ExpressionError::Undefined("division by zero".to_owned()));
    }
    let result = base.to_the(exponent);
    let (base, exponent) = (base.to_f64(), exponent.to_f64());
    if result.to_f64().is_nan() {
        return Err(ExpressionError::Undefined(format!(
            "{base} to the power of {exponent} is not a real number"
        )));
    }
    if !result.is_finite() && base.is_finite() && exponent.is_finite() {
        return Err(ExpressionError::TooLarge(format!(
            "{base} to the power of {exponent}"
        )));
    }
    Ok(result)
}
