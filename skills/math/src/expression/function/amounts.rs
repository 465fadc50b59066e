//! Functions of amounts with units, of money, days and times: the largest of two lengths, the mean of three durations.
//!
//! The result has the unit of the first argument, or is one of the arguments.

use super::Function;
use crate::error::ExpressionError;
use crate::number::Number;
use crate::operator::Relation;
use crate::value::Value;

/// The value of arguments of one kind.
pub(super) fn value(function: &Function, arguments: &[Value]) -> Result<Value, ExpressionError> {
    match (function.name, arguments) {
        ("min", _) => extreme(arguments, Relation::Less),
        ("max", _) => extreme(arguments, Relation::Greater),
        ("difference", [left, right]) => difference(left, right),
        ("round", [amount, decimals]) => of_numbers(function, amount, &[amount.number()?, decimals.plain()?]),
        (name, [first, ..]) => {
            if name == "sum" && matches!(first, Value::Measured(quantity) if quantity.is_temperature()) {
                let complaint = "temperatures have no sum".to_owned();
                return Err(ExpressionError::Undefined(complaint));
            }
            let aligned = |argument: &Value| first.aligned(argument, function.name).map(|(_, number)| number);
            let numbers: Result<Vec<Number>, ExpressionError> = arguments.iter().map(aligned).collect();
            of_numbers(function, first, &numbers?)
        }
        _ => Err(ExpressionError::Undefined(format!(
            "{} of nothing",
            function.name
        ))),
    }
}

fn of_numbers(function: &Function, like: &Value, numbers: &[Number]) -> Result<Value, ExpressionError> {
    like.with_number(function.value(numbers)?)
}

fn extreme(arguments: &[Value], relation: Relation) -> Result<Value, ExpressionError> {
    let mut best = arguments.first();
    for candidate in arguments {
        if let Some(so_far) = best {
            let (candidate_number, number) = candidate.aligned(so_far, "and")?;
            if relation.holds(candidate_number, number) {
                best = Some(candidate);
            }
        }
    }
    best.cloned()
        .ok_or_else(|| ExpressionError::Undefined("the largest of nothing".to_owned()))
}

/// Between days and times what lies between them; of others the number without its sign.
fn difference(left: &Value, right: &Value) -> Result<Value, ExpressionError> {
    use crate::operator::Operator::Minus;
    let (one, other) = left.aligned(right, "-")?;
    let is_less = Relation::Less.holds(one, other);
    let amount = match left {
        Value::Measured(_) | Value::Money(..) | Value::Plain(_) => left.with_number(one.minus(other))?,
        _ => Value::joined(Minus, left, right)?,
    };
    let number = amount.number()?;
    amount.with_number(if is_less { number.negated() } else { number })
}
