//! What an expression can come to: a number, a measured amount, money, a day, a time of day or a moment.
//!
//! Never joins what people would not: a sum of a length and a mass is a complaint that names both units.

use jiff::Zoned;
use jiff::civil::{Date, Time};

use super::currency::Currency;
use super::number::Number;
use super::quantity::Quantity;
use super::units;
use crate::error::ExpressionError;
use crate::operator::{Operator, Relation};

mod shift;

/// A value with all that is known of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// A number, or 1 and 0 for what is true and false.
    Plain(Number),
    /// It is an amount of a unit.
    Measured(Quantity),
    /// It is an amount of a currency.
    Money(Number, &'static Currency),
    /// It is a day of the calendar.
    Day(Date),
    /// It is a time of day, so many days later or earlier.
    Time(Time, i64),
    /// A date and a time of day where the person is.
    Moment(Zoned),
}

impl Value {
    /// The number, where there is nothing to it.
    pub(super) fn plain(&self) -> Result<Number, ExpressionError> {
        match self {
            Self::Plain(number) => Ok(*number),
            other => Err(ExpressionError::Undefined(format!(
                "a plain number is needed, not {}",
                other.kind()
            ))),
        }
    }

    /// What it is, for complaints.
    pub(super) fn kind(&self) -> String {
        match self {
            Self::Plain(_) => "a plain number".to_owned(),
            Self::Measured(quantity) => format!("{} ({})", quantity.unit.plural, quantity.unit.category),
            Self::Money(_, currency) => format!("{} (money)", currency.plural),
            Self::Day(_) => "a date".to_owned(),
            Self::Time(..) => "a time of day".to_owned(),
            Self::Moment(_) => "a moment".to_owned(),
        }
    }

    /// Another number of what this value counts; days and times have none.
    pub(super) fn with_number(&self, number: Number) -> Result<Self, ExpressionError> {
        match self {
            Self::Plain(_) => Ok(Self::Plain(number)),
            Self::Measured(quantity) => Ok(Self::Measured(quantity.with(number))),
            Self::Money(_, currency) => Ok(Self::Money(number, currency)),
            other => Err(needs_number(other)),
        }
    }

    /// Its number, with or without a unit.
    pub(super) fn number(&self) -> Result<Number, ExpressionError> {
        match self {
            Self::Plain(number) | Self::Money(number, _) => Ok(*number),
            Self::Measured(quantity) => Ok(quantity.number),
            other => Err(needs_number(other)),
        }
    }

    /// Both values as numbers that can be compared, in the unit of the first one.
    pub(super) fn aligned(
        &self,
        other: &Self,
        sign: &'static str,
    ) -> Result<(Number, Number), ExpressionError> {
        match (self, other) {
            (Self::Plain(left), Self::Plain(right)) => Ok((*left, *right)),
            (Self::Measured(left), Self::Measured(right)) if left.is_akin(right) => Ok((
                left.number,
                right.in_unit(left.unit).map_err(|error| wrong_unit(&error))?,
            )),
            (Self::Measured(count), Self::Plain(number)) if count.is_count() => Ok((count.number, *number)),
            (Self::Plain(number), Self::Measured(count)) if count.is_count() => Ok((*number, count.number)),
            (Self::Money(left, one), Self::Money(right, other)) if one == other => Ok((*left, *right)),
            (Self::Money(left, _), Self::Plain(right)) | (Self::Plain(left), Self::Money(right, _)) => {
                Ok((*left, *right))
            }
            _ => shift::ordinals(self, other).ok_or_else(|| apart(sign, self, other)),
        }
    }

    /// Two values with an operator between them.
    pub(super) fn joined(operator: Operator, left: &Self, right: &Self) -> Result<Self, ExpressionError> {
        if let (Self::Plain(left), Self::Plain(right)) = (left, right) {
            return operator.apply(*left, *right).map(Self::Plain);
        }
        match operator {
            Operator::Plus | Operator::Minus => sum(operator, left, right),
            Operator::Times => product(left, right),
            Operator::Divide => quotient(left, right),
            Operator::FloorDivide => whole_quotient(left, right),
            Operator::Modulo => remainder(left, right),
            Operator::Power => power(left, right),
            Operator::Is(relation) => compared(relation, left, right),
            Operator::And | Operator::Or => Ok(Self::Plain(operator.apply(left.plain()?, right.plain()?)?)),
        }
    }
}

fn needs_number(value: &Value) -> ExpressionError {
    ExpressionError::Undefined(format!("a number is needed, not {}", value.kind()))
}

fn apart(sign: &'static str, left: &Value, right: &Value) -> ExpressionError {
    let [left, right] = [left.kind(), right.kind()];
    ExpressionError::Apart { sign, left, right }
}

fn wrong_unit(error: &units::UnitError) -> ExpressionError {
    ExpressionError::Undefined(error.to_string())
}

fn sum(operator: Operator, left: &Value, right: &Value) -> Result<Value, ExpressionError> {
    let is_minus = operator == Operator::Minus;
    if let Some(shifted) = shift::sum(is_minus, left, right) {
        return shifted;
    }
    if let (Value::Measured(quantity), Value::Measured(_)) = (left, right) {
        if quantity.is_temperature() {
            let complaint = "temperatures can be converted and compared, and have no sum or difference";
            return Err(ExpressionError::Undefined(complaint.to_owned()));
        }
    }
    let (first, second) = left.aligned(right, if is_minus { "-" } else { "+" })?;
    let number = operator.apply(first, second)?;
    match (left, right) {
        (Value::Plain(_), labelled) => labelled.with_number(number),
        (Value::Measured(quantity), Value::Measured(_)) => {
            Ok(Value::Measured(Quantity::new(number, quantity.unit)))
        }
        (labelled, _) => labelled.with_number(number),
    }
}

fn product(left: &Value, right: &Value) -> Result<Value, ExpressionError> {
    let apart = || apart("*", left, right);
    match (left, right) {
        (Value::Measured(count), Value::Plain(number)) | (Value::Plain(number), Value::Measured(count))
            if count.is_count() =>
        {
            Ok(Value::Plain(count.number.times(*number)))
        }
        (labelled, Value::Plain(factor)) | (Value::Plain(factor), labelled) => {
            scaled(labelled, |number| number.times(*factor))
        }
        (Value::Measured(one), Value::Measured(other)) => {
            let product = units::product(one.amount(), other.amount()).ok_or_else(apart)?;
            Ok(Value::Measured(product.into()))
        }
        _ => Err(apart()),
    }
}

/// A value so many times; there is no warmth twice as warm.
fn scaled(value: &Value, by: impl Fn(Number) -> Number) -> Result<Value, ExpressionError> {
    match value {
        Value::Measured(quantity) if quantity.is_temperature() => {
            let complaint = "temperatures can be converted and compared, and not multiplied or divided";
            Err(ExpressionError::Undefined(complaint.to_owned()))
        }
        other => other.with_number(by(other.number()?)),
    }
}

fn quotient(left: &Value, right: &Value) -> Result<Value, ExpressionError> {
    let is_zero = right.number().is_ok_and(Number::is_zero);
    if is_zero {
        return Err(ExpressionError::Undefined("division by zero".to_owned()));
    }
    match (left, right) {
        (Value::Measured(count), Value::Plain(number)) if count.is_count() => {
            Ok(Value::Plain(count.number.divided_by(*number)))
        }
        (labelled, Value::Plain(divisor)) => scaled(labelled, |number| number.divided_by(*divisor)),
        (Value::Measured(one), Value::Measured(other)) if !one.is_akin(other) => {
            let quotient = units::quotient(one.amount(), other.amount());
            let quotient = quotient.ok_or_else(|| apart("/", left, right))?;
            Ok(Value::Measured(quotient.into()))
        }
        (Value::Plain(_), _) => Err(apart("/", left, right)),
        _ => {
            let (one, other) = left.aligned(right, "/")?;
            Operator::Divide.apply(one, other).map(Value::Plain)
        }
    }
}

fn whole_quotient(left: &Value, right: &Value) -> Result<Value, ExpressionError> {
    if let Value::Plain(divisor) = right {
        let number = Operator::FloorDivide.apply(left.number()?, *divisor)?;
        return left.with_number(number);
    }
    let (one, other) = left.aligned(right, "//")?;
    Operator::FloorDivide.apply(one, other).map(Value::Plain)
}

fn remainder(left: &Value, right: &Value) -> Result<Value, ExpressionError> {
    let (one, other) = left.aligned(right, "%")?;
    left.with_number(Operator::Modulo.apply(one, other)?)
}

/// Squares and cubes are products.
fn power(base: &Value, exponent: &Value) -> Result<Value, ExpressionError> {
    match exponent.plain()?.to_whole() {
        Some(1) => Ok(base.clone()),
        Some(2) => product(base, base),
        Some(3) => product(&product(base, base)?, base),
        _ => Err(apart("**", base, exponent)),
    }
}

fn compared(relation: Relation, left: &Value, right: &Value) -> Result<Value, ExpressionError> {
    let (one, other) = left.aligned(right, relation.sign())?;
    Operator::Is(relation).apply(one, other).map(Value::Plain)
}
