//! The tree of an expression and its value.
//!
//! Every operation is checked; nothing here loops longer than the tree is large.

use super::function::Function;
use crate::currency::Currency;
use crate::error::ExpressionError;
use crate::number::Number;
use crate::operator::{Operator, Relation};
use crate::quantity::{Origin, Quantity};
use crate::units::Unit;
use crate::value::Value;

/// One operation, number or unknown.
#[derive(Debug, Clone)]
pub(crate) enum Node {
    /// It is a number or a constant.
    Number(Number),
    Unknown,
    /// A day, a time of day, a moment, or the count between two of them.
    Known(Box<Value>),
    /// It is so much of a unit or a currency.
    Labelled(Box<Self>, Label),
    /// The amount is told in another unit.
    Converted(Box<Self>, &'static Unit),
    /// A sign stands in front of it.
    Negated(Box<Self>),
    /// It is a hundredth, as in `17%`.
    Percent(Box<Self>),
    /// An operator stands between two operands.
    Binary(Operator, Box<Self>, Box<Self>),
    /// A function is called with these arguments.
    Call(&'static Function, Vec<Self>),
}

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Label {
    Unit(&'static Unit),
    Currency(&'static Currency),
}

impl Node {
    pub(super) fn binary(operator: Operator, left: Self, right: Self) -> Self {
        Self::Binary(operator, Box::new(left), Box::new(right)).with_relative_percent()
    }

    /// Whether the value tells what is true: 1, or 0 where it is not.
    pub(crate) fn is_truth(&self) -> bool {
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
    pub(crate) fn is_unknown(&self) -> bool {
        match self {
            Self::Number(_) | Self::Known(_) => false,
            Self::Unknown => true,
            Self::Negated(inner)
            | Self::Percent(inner)
            | Self::Labelled(inner, _)
            | Self::Converted(inner, _) => inner.is_unknown(),
            Self::Binary(_, left, right) => left.is_unknown() || right.is_unknown(),
            Self::Call(_, arguments) => arguments.iter().any(Self::is_unknown),
        }
    }

    /// The number; the unknown, where there is one, has the given value. What is more than a number is a complaint.
    pub(crate) fn value(&self, unknown: Option<f64>) -> Result<Number, ExpressionError> {
        self.result(unknown)?.plain()
    }

    /// The value with its unit; the unknown, where there is one, has the given value.
    pub(crate) fn result(&self, unknown: Option<f64>) -> Result<Value, ExpressionError> {
        // Each arm has a function of its own, so that the frames of a deep tree stay small.
        match self {
            Self::Number(number) => Ok(Value::Plain(*number)),
            Self::Known(value) => Ok(Value::clone(value)),
            Self::Unknown => known(unknown),
            Self::Negated(inner) => changed(inner, unknown, Number::negated),
            Self::Percent(inner) => changed(inner, unknown, |number| number.divided_by(Number::Whole(100))),
            Self::Labelled(inner, label) => labelled(inner, unknown, *label),
            Self::Converted(inner, unit) => converted(inner, unknown, unit),
            Self::Binary(operator, left, right) => joined(*operator, left, right, unknown),
            Self::Call(function, arguments) => called(function, arguments, unknown),
        }
    }

    /// Whether there is nothing but numbers in it.
    pub(super) fn is_bare(&self) -> bool {
        match self {
            Self::Number(_) | Self::Unknown => true,
            Self::Known(_) | Self::Labelled(..) | Self::Converted(..) => false,
            Self::Negated(inner) | Self::Percent(inner) => inner.is_bare(),
            Self::Binary(_, left, right) => left.is_bare() && right.is_bare(),
            Self::Call(_, arguments) => arguments.iter().all(Self::is_bare),
        }
    }

    /// The unit of an amount as it is written: of `2 hours 5 minutes` hours.
    pub(super) fn written_unit(&self) -> Option<&'static Unit> {
        match self {
            Self::Labelled(_, Label::Unit(unit)) => Some(unit),
            Self::Binary(Operator::Plus, left, _) => left.written_unit(),
            _ => None,
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

impl Label {
    fn of(self, number: Number) -> Value {
        match self {
            Self::Unit(unit) => Value::Measured(Quantity::new(number, unit)),
            Self::Currency(currency) => Value::Money(number, currency),
        }
    }
}

fn known(unknown: Option<f64>) -> Result<Value, ExpressionError> {
    unknown
        .map(|unknown| Value::Plain(Number::Real(unknown)))
        .ok_or_else(|| ExpressionError::Undefined("the unknown has no value".to_owned()))
}

fn changed(
    inner: &Node,
    unknown: Option<f64>,
    change: impl Fn(Number) -> Number,
) -> Result<Value, ExpressionError> {
    let value = inner.result(unknown)?;
    value.with_number(change(value.number()?))
}

fn labelled(inner: &Node, unknown: Option<f64>, label: Label) -> Result<Value, ExpressionError> {
    inner.value(unknown).map(|number| label.of(number))
}

fn converted(inner: &Node, unknown: Option<f64>, unit: &'static Unit) -> Result<Value, ExpressionError> {
    let value = inner.result(unknown)?;
    let Value::Measured(quantity) = value else {
        let complaint = format!("{} cannot be converted to {}", value.kind(), unit.plural);
        return Err(ExpressionError::Undefined(complaint));
    };
    let number = quantity.in_unit(unit);
    let number = number.map_err(|error| ExpressionError::Undefined(error.to_string()))?;
    Ok(Value::Measured(Quantity {
        number,
        unit,
        origin: Origin::Asked,
    }))
}

fn joined(
    operator: Operator,
    left: &Node,
    right: &Node,
    unknown: Option<f64>,
) -> Result<Value, ExpressionError> {
    let is_of_truths = matches!(operator, Operator::And | Operator::Or);
    if is_of_truths && !(left.is_truth() && right.is_truth()) {
        let complaint = "'and' and 'or' join comparisons, not numbers";
        return Err(ExpressionError::Undefined(complaint.to_owned()));
    }
    Value::joined(operator, &left.result(unknown)?, &right.result(unknown)?)
}

fn called(
    function: &'static Function,
    arguments: &[Node],
    unknown: Option<f64>,
) -> Result<Value, ExpressionError> {
    let values = arguments.iter().map(|argument| argument.result(unknown));
    function.result(&values.collect::<Result<Vec<Value>, ExpressionError>>()?)
}
