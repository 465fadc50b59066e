//! Equations in one unknown: real solutions, by algebra where the equation is rational, else by search.
//!
//! No state is shared between calls, and every search has a fixed number of steps.

use super::expression::{Node, parse_equation};
use super::number::significant;
use crate::error::ExpressionError;
use crate::operator::Operator;

mod polynomial;
mod ratio;
mod search;
#[cfg(test)]
mod tests;

use polynomial::Polynomial;
use ratio::Ratio;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Solved {
    /// These real numbers solve it, in ascending order and each once.
    pub(super) solutions: Vec<f64>,
    /// Whether they follow from the coefficients (up to the third degree) or were searched for.
    pub(super) symbolic: bool,
    /// What else there is to say.
    pub(super) note: Option<&'static str>,
}

/// Why an equation was not even tried.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum EquationError {
    /// It cannot be read.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// There is nothing to solve for.
    #[error("there is no unknown such as x in it; use evaluate_expression to calculate")]
    NoUnknown,
}

/// Solves `left = right`, or `left = 0`.
pub(super) fn solve(text: &str) -> Result<Solved, EquationError> {
    let (left, right) = parse_equation(text)?;
    if !(left.is_unknown() || right.is_unknown()) {
        return Err(EquationError::NoUnknown);
    }
    let difference = Node::Binary(Operator::Minus, Box::new(left), Box::new(right));
    Ok(match Ratio::of(&difference) {
        Some(ratio) => by_algebra(&ratio),
        None => by_search(&difference),
    })
}

fn by_algebra(ratio: &Ratio) -> Solved {
    let Some(degree) = ratio.numerator.degree() else {
        let note = Some("every number is a solution");
        return Solved {
            solutions: Vec::new(),
            symbolic: true,
            note,
        };
    };
    let mut solutions = ratio.numerator.real_roots();
    solutions.retain(|root| !ratio.denominator.vanishes_at(*root));
    let note = if !solutions.is_empty() {
        None
    } else if degree == 0 {
        Some("no number is a solution")
    } else {
        Some("there is no real solution")
    };
    Solved {
        solutions,
        symbolic: degree <= 3,
        note,
    }
}

fn by_search(difference: &Node) -> Solved {
    let value = |x: f64| {
        let value = difference.value(Some(x)).ok()?.to_f64();
        value.is_finite().then_some(value)
    };
    let found = search::roots(&value);
    let note = if found.ranges {
        Some("it holds, or nearly holds, over whole ranges; only single solutions are listed")
    } else if found.more {
        Some("there are more solutions; these are the nearest to zero")
    } else if found.roots.is_empty() {
        Some("no solution was found between -1e9 and 1e9")
    } else {
        None
    };
    Solved {
        solutions: found.roots,
        symbolic: false,
        note,
    }
}

/// The root, or the short number beside it that solves the equation at least as well: 3 for 2.9999999999999996.
fn tidied(root: f64, error_at: impl Fn(f64) -> f64) -> f64 {
    let allowed = error_at(root);
    let candidates = [
        root.round(),
        significant(root, 6),
        significant(root, 9),
        significant(root, 12),
    ];
    let near = |candidate: &f64| (candidate - root).abs() <= 1e-7 * root.abs().max(1e-3);
    let better = candidates
        .into_iter()
        .filter(near)
        .find(|candidate| error_at(*candidate) <= allowed);
    // The last two digits of a double carry the rounding of all steps; and a negative zero means nothing to a person.
    significant(better.unwrap_or(root), 14) + 0.0
}
