//! A whole wish: an expression, a list to be sorted, or values to be compared.
//!
//! What has been read has no doubts left; only values can still be missing.

use super::Node;
use crate::error::ExpressionError;
use crate::operator::Relation;
use crate::value::Value;

/// What is to be calculated.
#[derive(Debug, Clone)]
pub(crate) enum Wish {
    /// One value, or whether something is true.
    Expression(Node),
    /// A list in its order, or in descending order.
    Sorted(Vec<Node>, bool),
    /// The one of a list that is more, or less, than the others.
    Compared(Vec<Node>, Relation),
}

/// What came of a wish.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    /// Whether it is true.
    Truth(bool),
    One(Value),
    /// A list.
    Several(Vec<Value>),
    /// One value that is more or less than another, or the same.
    Compared(Value, Relation, Value),
}

impl Wish {
    /// Calculates.
    pub(crate) fn outcome(&self) -> Result<Outcome, ExpressionError> {
        match self {
            Self::Expression(node) if node.is_truth() => {
                node.value(None).map(|truth| Outcome::Truth(!truth.is_zero()))
            }
            Self::Expression(node) => node.result(None).map(Outcome::One),
            Self::Sorted(list, is_descending) => {
                let mut sorted = ordered(list, Relation::Less)?;
                if *is_descending {
                    sorted.reverse();
                }
                Ok(Outcome::Several(sorted))
            }
            Self::Compared(list, relation) => compared(list, *relation),
        }
    }
}

/// The values, each before those to which it has the relation.
fn ordered(list: &[Node], relation: Relation) -> Result<Vec<Value>, ExpressionError> {
    let mut sorted: Vec<Value> = Vec::with_capacity(list.len());
    for node in list {
        let value = node.result(None)?;
        let mut place = sorted.len();
        for (at, known) in sorted.iter().enumerate().rev() {
            let (one, other) = value.aligned(known, ",")?;
            if relation.holds(one, other) {
                place = at;
            }
        }
        sorted.insert(place, value);
    }
    Ok(sorted)
}

fn compared(list: &[Node], relation: Relation) -> Result<Outcome, ExpressionError> {
    let mut sorted = ordered(list, relation)?.into_iter();
    match (sorted.next(), sorted.next(), sorted.next()) {
        (Some(first), Some(second), None) => {
            let (one, other) = first.aligned(&second, ",")?;
            let is_same = Relation::Equal.holds(one, other);
            let relation = if is_same { Relation::Equal } else { relation };
            Ok(Outcome::Compared(first, relation, second))
        }
        (Some(first), Some(_), Some(_)) => Ok(Outcome::One(first)),
        _ => {
            let complaint = "at least two values are needed, with a comma or 'and' between them";
            Err(ExpressionError::Undefined(complaint.to_owned()))
        }
    }
}
