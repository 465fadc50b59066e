//! The tree of an expression and its value.
//!
//! Every operation is checked; nothing here loops longer than the tree is large.

use super::ExpressionError;
use super::function::Function;
use crate::math::number::Number;

/// One operation, number or unknown.
#[derive(Debug, Clone)]
pub(in crate::math) enum Node {
    /// A number or constant.
    Number(Number),
    /// The unknown of an equation.
    Unknown,
    /// A sign in front.
    Negated(Box<Self>),
    /// A hundredth, as in `17%`.
    Percent(Box<Self>),
    /// Two operands.
    Binary(Operator, Box<Self>, Box<Self>),
    /// A function of its arguments.
    Call(&'static Function, Vec<Self>),
}

/// What is done with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::math) enum Operator {
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
pub(in crate::math) enum Relation {
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
    /// Numbers that differ by no more than a calculation may be off are equal.
    fn holds(self, left: Number, right: Number) -> bool {
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

impl Node {
    pub(super) fn binary(operator: Operator, left: Self, right: Self) -> Self {
        Self::Binary(operator, Box::new(left), Box::new(right)).with_relative_percent()
    }

    /// Whether the value tells what is true: 1, or 0 where it is not.
    pub(in crate::math) fn is_truth(&self) -> bool {
        match self {
            Self::Binary(operator, ..) => {
                matches!(operator, Operator::Is(_) | Operator::And | Operator::Or)
            }
            Self::Call(function, _) => function.tells_truth(),
            _ => false,
        }
    }

    /// Two operands compared; `1 < x < 3` compares the one in the middle twice.
    pub(super) fn compared(relation: Relation, left: Self, right: Self) -> Self {
        match left.last_compared().cloned() {
            Some(middle) => Self::binary(
                Operator::And,
                left,
                Self::binary(Operator::Is(relation), middle, right),
            ),
            None => Self::binary(Operator::Is(relation), left, right),
        }
    }

    /// The right operand of a comparison, or of the last one of a chain.
    fn last_compared(&self) -> Option<&Self> {
        match self {
            Self::Binary(Operator::Is(_), _, right) => Some(right),
            Self::Binary(Operator::And, _, last) => last.last_compared(),
            _ => None,
        }
    }

    /// Whether the value depends on the unknown.
    pub(in crate::math) fn is_unknown(&self) -> bool {
        match self {
            Self::Number(_) => false,
            Self::Unknown => true,
            Self::Negated(inner) | Self::Percent(inner) => inner.is_unknown(),
            Self::Binary(_, left, right) => left.is_unknown() || right.is_unknown(),
            Self::Call(_, arguments) => arguments.iter().any(Self::is_unknown),
        }
    }

    /// The value; the unknown, where there is one, has the given value.
    pub(in crate::math) fn value(&self, unknown: Option<f64>) -> Result<Number, ExpressionError> {
        match self {
            Self::Number(number) => Ok(*number),
            Self::Unknown => unknown
                .map(Number::Real)
                .ok_or_else(|| ExpressionError::Undefined("the unknown has no value".to_owned())),
            Self::Negated(inner) => Ok(inner.value(unknown)?.negated()),
            Self::Percent(inner) => Ok(inner.value(unknown)?.divided_by(Number::Whole(100))),
            Self::Binary(Operator::And | Operator::Or, left, right)
                if !(left.is_truth() && right.is_truth()) =>
            {
                let complaint = "'and' and 'or' join comparisons, not numbers";
                Err(ExpressionError::Undefined(complaint.to_owned()))
            }
            Self::Binary(operator, left, right) => {
                operator.apply(left.value(unknown)?, right.value(unknown)?)
            }
            Self::Call(function, arguments) => function.value(&values(arguments, unknown)?),
        }
    }

    /// `2450 + 10%` adds ten percent of 2450, as on every pocket calculator; `5% + 10%` is plainly 15%.
    fn with_relative_percent(self) -> Self {
        let Self::Binary(operator @ (Operator::Plus | Operator::Minus), left, right) = self else {
            return self;
        };
        match *right {
            Self::Percent(_) if !matches!(*left, Self::Percent(_)) => {
                let whole = Box::new(Self::Number(Number::Whole(1)));
                let factor = Self::Binary(operator, whole, right);
                Self::Binary(Operator::Times, left, Box::new(factor))
            }
            _ => Self::Binary(operator, left, right),
        }
    }
}

fn values(arguments: &[Node], unknown: Option<f64>) -> Result<Vec<Number>, ExpressionError> {
    arguments.iter().map(|argument| argument.value(unknown)).collect()
}

impl Operator {
    fn apply(self, left: Number, right: Number) -> Result<Number, ExpressionError> {
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
