//! Polynomials in one unknown and all their real roots.
//!
//! Bounded in degree, so that neither products nor roots can take long.

use super::tidied;
use crate::number::sum;

/// Beyond this the coefficients of a double say little about the roots.
pub(super) const HIGHEST_DEGREE: usize = 16;

/// Coefficients from the constant term upwards; the last one is not zero.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Polynomial(Vec<f64>);

impl Polynomial {
    /// A polynomial from its coefficients; `None` when one of them is not finite or the degree is too high.
    fn new(mut coefficients: Vec<f64>) -> Option<Self> {
        while coefficients.last() == Some(&0.0) {
            coefficients.pop();
        }
        let fits = coefficients.len() <= HIGHEST_DEGREE + 1 && coefficients.iter().all(|c| c.is_finite());
        fits.then_some(Self(coefficients))
    }

    pub(super) fn constant(value: f64) -> Option<Self> {
        Self::new(vec![value])
    }

    pub(super) fn unknown() -> Self {
        Self(vec![0.0, 1.0])
    }

    /// `None` for zero, which has no degree.
    pub(super) fn degree(&self) -> Option<usize> {
        self.0.len().checked_sub(1)
    }

    pub(super) fn plus(&self, other: &Self) -> Option<Self> {
        let length = self.0.len().max(other.0.len());
        let at = |polynomial: &Self, index| polynomial.0.get(index).copied().unwrap_or(0.0);
        Self::new(
            (0..length)
                .map(|index| sum(at(self, index), at(other, index)))
                .collect(),
        )
    }

    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        let mut product = vec![0.0; (self.0.len() + other.0.len()).saturating_sub(1)];
        for (shift, factor) in other.0.iter().enumerate() {
            for (slot, coefficient) in product.iter_mut().skip(shift).zip(&self.0) {
                *slot = sum(*slot, coefficient * factor);
            }
        }
        Self::new(product)
    }

    fn value(&self, x: f64) -> f64 {
        self.0
            .iter()
            .rev()
            .fold(0.0, |value, coefficient| value.mul_add(x, *coefficient))
    }

    /// The sum of the magnitudes of all terms: what an error of rounding is measured by.
    fn magnitude(&self, x: f64) -> f64 {
        self.0.iter().rev().fold(0.0, |value, coefficient| {
            value.mul_add(x.abs(), coefficient.abs())
        })
    }

    /// Whether the value is zero up to rounding.
    pub(super) fn vanishes_at(&self, x: f64) -> bool {
        self.value(x).abs() <= 1e-12 * self.magnitude(x)
    }

    fn derivative(&self) -> Self {
        let terms = self.0.iter().enumerate().skip(1);
        Self(
            terms
                .map(|(power, coefficient)| coefficient * power as f64)
                .collect(),
        )
    }

    /// All real roots in ascending order, each once however often it counts.
    pub(super) fn real_roots(&self) -> Vec<f64> {
        let zeros = self
            .0
            .iter()
            .take_while(|coefficient| **coefficient == 0.0)
            .count();
        let rest = Self(self.0.iter().skip(zeros).copied().collect());
        let mut roots = rest.roots_beside_zero();
        if zeros > 0 {
            roots.push(0.0);
        }
        let mut roots: Vec<f64> = roots
            .into_iter()
            .map(|root| tidied(root, |x| self.value(x).abs()))
            .collect();
        roots.sort_unstable_by(f64::total_cmp);
        roots.dedup_by(|right, left| (*right - *left).abs() <= 1e-7 * left.abs().max(1e-3));
        roots
    }

    fn roots_beside_zero(&self) -> Vec<f64> {
        match self.0.as_slice() {
            [] | [_] => Vec::new(),
            [constant, slope] => vec![-constant / slope],
            [c, b, a] => quadratic(*a, *b, *c),
            _ => self.roots_between_turning_points(),
        }
    }

    /// Between two neighbouring turning points there is one root or none; a turning point may be a root itself.
    fn roots_between_turning_points(&self) -> Vec<f64> {
        let Some(bound) = self.bound() else {
            return Vec::new();
        };
        let mut limits = vec![-bound];
        limits.extend(self.derivative().real_roots());
        limits.push(bound);
        let mut roots: Vec<f64> = limits
            .iter()
            .copied()
            .filter(|limit| self.vanishes_at(*limit))
            .collect();
        for pair in limits.windows(2) {
            let [low, high] = pair else { continue };
            let ends_are_roots = self.vanishes_at(*low) || self.vanishes_at(*high);
            if !ends_are_roots && self.value(*low).signum() != self.value(*high).signum() {
                roots.push(bisected(*low, *high, |x| self.value(x)));
            }
        }
        roots
    }

    /// All roots are nearer to zero than this (Cauchy's bound).
    fn bound(&self) -> Option<f64> {
        let (leading, others) = self.0.split_last()?;
        let largest = others
            .iter()
            .fold(0.0_f64, |largest, coefficient| largest.max(coefficient.abs()));
        let bound = 1.0 + largest / leading.abs();
        bound.is_finite().then_some(bound)
    }
}

/// Both roots without cancellation; one where they coincide up to rounding.
fn quadratic(a: f64, b: f64, c: f64) -> Vec<f64> {
    let discriminant = b.mul_add(b, -4.0 * a * c);
    let noise = 8.0 * f64::EPSILON * b.mul_add(b, (4.0 * a * c).abs());
    if discriminant.abs() <= noise {
        return vec![-b / (2.0 * a)];
    }
    if discriminant < 0.0 {
        return Vec::new();
    }
    let larger = -0.5 * (b + discriminant.sqrt().copysign(b));
    vec![larger / a, c / larger]
}

/// The place between two values of different sign where the sign changes, to the last bit.
pub(super) fn bisected(low: f64, high: f64, value: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (low, high);
    let rises = value(low) < 0.0;
    // A double has 64 bits, and halving its range once more for each of them decides it.
    for _ in 0..128 {
        let middle = low / 2.0 + high / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if (value(middle) < 0.0) == rises {
            low = middle;
        } else {
            high = middle;
        }
    }
    if value(low).abs() <= value(high).abs() {
        low
    } else {
        high
    }
}
