//! An expression as one fraction of two polynomials, where it is one.
//!
//! Gives up rather than approximates: what is no fraction is left to the search.

use super::Polynomial;
use super::polynomial::HIGHEST_DEGREE;
use crate::expression::Node;
use crate::operator::Operator;

/// Numerator over denominator.
#[derive(Debug, Clone)]
pub(super) struct Ratio {
    pub(super) numerator: Polynomial,
    pub(super) denominator: Polynomial,
}

impl Ratio {
    /// The fraction that the tree stands for; `None` when it is none, or too large for one.
    pub(super) fn of(node: &Node) -> Option<Self> {
        if !node.is_unknown() {
            return Self::whole(Polynomial::constant(node.value(None).ok()?.to_f64())?);
        }
        match node {
            Node::Unknown => Self::whole(Polynomial::unknown()),
            Node::Negated(inner) => Self::of(inner)?.scaled(-1.0),
            Node::Percent(inner) => Self::of(inner)?.scaled(0.01),
            Node::Binary(operator, left, right) => Self::joined(*operator, left, right),
            Node::Number(_) | Node::Known(_) | Node::Labelled(..) | Node::Converted(..) | Node::Call(..) => {
                None
            }
        }
    }

    fn whole(numerator: Polynomial) -> Option<Self> {
        Some(Self {
            numerator,
            denominator: Polynomial::constant(1.0)?,
        })
    }

    fn joined(operator: Operator, left: &Node, right: &Node) -> Option<Self> {
        match operator {
            Operator::Plus => Self::of(left)?.plus(&Self::of(right)?),
            Operator::Minus => Self::of(left)?.plus(&Self::of(right)?.scaled(-1.0)?),
            Operator::Times => Self::of(left)?.times(&Self::of(right)?),
            Operator::Divide => Self::of(left)?.times(&Self::of(right)?.inverted()?),
            Operator::Power => Self::of(left)?.raised_to(exponent(right)?),
            Operator::FloorDivide | Operator::Modulo | Operator::Is(_) | Operator::And | Operator::Or => None,
        }
    }

    fn plus(&self, other: &Self) -> Option<Self> {
        if self.denominator == other.denominator {
            let numerator = self.numerator.plus(&other.numerator)?;
            return Some(Self {
                numerator,
                denominator: self.denominator.clone(),
            });
        }
        let left = self.numerator.times(&other.denominator)?;
        let right = other.numerator.times(&self.denominator)?;
        let denominator = self.denominator.times(&other.denominator)?;
        Some(Self {
            numerator: left.plus(&right)?,
            denominator,
        })
    }

    fn times(&self, other: &Self) -> Option<Self> {
        let numerator = self.numerator.times(&other.numerator)?;
        Some(Self {
            numerator,
            denominator: self.denominator.times(&other.denominator)?,
        })
    }

    fn scaled(self, factor: f64) -> Option<Self> {
        let numerator = self.numerator.times(&Polynomial::constant(factor)?)?;
        Some(Self { numerator, ..self })
    }

    /// `None` for zero.
    fn inverted(self) -> Option<Self> {
        self.numerator.degree()?;
        Some(Self {
            numerator: self.denominator,
            denominator: self.numerator,
        })
    }

    fn raised_to(self, exponent: i128) -> Option<Self> {
        let base = if exponent < 0 { self.inverted()? } else { self };
        let one = Self::whole(Polynomial::constant(1.0)?)?;
        (0..exponent.unsigned_abs()).try_fold(one, |power, _| power.times(&base))
    }
}

/// A constant whole exponent of a size that a polynomial can have.
fn exponent(node: &Node) -> Option<i128> {
    if node.is_unknown() {
        return None;
    }
    let whole = node.value(None).ok()?.to_whole()?;
    (whole.unsigned_abs() <= HIGHEST_DEGREE as u128).then_some(whole)
}
