//! Solutions of equations that are no fractions of polynomials, found by looking at fixed places.
//!
//! Looks between -1e9 and 1e9, most closely near zero. The number of evaluations has a bound whatever the equation.

use super::polynomial::bisected;
use super::tidied;

/// More solutions than this are a pattern, and no person wants to hear them.
const MOST_ROOTS: usize = 8;

/// Promising places that are looked into, nearest to zero first.
const MOST_CANDIDATES: usize = 48;

#[derive(Debug, Default)]
pub(super) struct Found {
    /// They are in ascending order.
    pub(super) roots: Vec<f64>,
    /// Whether there are more than are listed.
    pub(super) more: bool,
    /// Says whether neighbouring places all solve the equation.
    pub(super) ranges: bool,
}

/// Where a root may be.
#[derive(Debug, Clone, Copy)]
enum Candidate {
    /// The root is just there.
    Exact(f64),
    /// Where the sign changes between these two.
    Crossing(f64, f64),
    /// Where the value comes nearest to zero between these two.
    Touching(f64, f64),
}

/// The roots of a function that gives `None` where it is undefined.
pub(super) fn roots(value: &dyn Fn(f64) -> Option<f64>) -> Found {
    let samples: Vec<(f64, Option<f64>)> = places().into_iter().map(|x| (x, value(x))).collect();
    let (mut candidates, ranges) = candidates(&samples);
    candidates.sort_by(|left, right| left.distance().total_cmp(&right.distance()));
    let mut found = Found {
        more: candidates.len() > MOST_CANDIDATES,
        ranges,
        ..Found::default()
    };
    for candidate in candidates.into_iter().take(MOST_CANDIDATES) {
        let Some(root) = candidate.root(value) else {
            continue;
        };
        if found
            .roots
            .iter()
            .any(|known| (known - root).abs() <= 1e-7 * root.abs().max(1e-3))
        {
            continue;
        }
        if found.roots.len() == MOST_ROOTS {
            found.more = true;
            break;
        }
        found.roots.push(root);
    }
    found.more &= !found.roots.is_empty();
    found.roots.sort_unstable_by(f64::total_cmp);
    found
}

/// In ascending order: every 0.02 up to 20, every half up to 1000, then by factors.
fn places() -> Vec<f64> {
    let fine = (1..1000).map(|step| f64::from(step) * 0.02);
    let coarse = (40..2000).map(|step| f64::from(step) * 0.5);
    let far = (0..=120).map(|step| 1000.0 * 10_f64.powf(f64::from(step) / 20.0));
    let positive: Vec<f64> = fine.chain(coarse).chain(far).collect();
    let negative = positive.iter().rev().map(|x| -x);
    negative.chain([0.0]).chain(positive.iter().copied()).collect()
}

/// Places worth a closer look, and whether whole ranges are zero.
fn candidates(samples: &[(f64, Option<f64>)]) -> (Vec<Candidate>, bool) {
    let mut candidates = Vec::new();
    let mut ranges = false;
    for triple in samples.windows(3) {
        let [(before, left), (here, middle), (after, right)] = triple else {
            continue;
        };
        let Some(middle) = *middle else { continue };
        if middle == 0.0 {
            let isolated = *left != Some(0.0) && *right != Some(0.0);
            ranges |= !isolated;
            candidates.extend(isolated.then_some(Candidate::Exact(*here)));
            continue;
        }
        if right.is_some_and(|right| right != 0.0 && right.signum() != middle.signum()) {
            candidates.push(Candidate::Crossing(*here, *after));
        }
        if is_dip(*left, middle, *right) {
            candidates.push(Candidate::Touching(*before, *after));
        }
    }
    (candidates, ranges)
}

/// Whether the middle is nearer to zero than both sides, or than the one side that is defined.
fn is_dip(left: Option<f64>, middle: f64, right: Option<f64>) -> bool {
    let above = |side: Option<f64>| {
        side.is_none_or(|side| side.signum() == middle.signum() && side.abs() > middle.abs())
    };
    (left.is_some() || right.is_some()) && above(left) && above(right)
}

impl Candidate {
    fn distance(self) -> f64 {
        match self {
            Self::Exact(x) => x.abs(),
            Self::Crossing(low, high) | Self::Touching(low, high) => low.abs().min(high.abs()),
        }
    }

    /// The root, if it is one: a pole changes its sign too, and a dip need not reach zero.
    fn root(self, value: &dyn Fn(f64) -> Option<f64>) -> Option<f64> {
        let error_at = |x: f64| value(x).map_or(f64::INFINITY, f64::abs);
        let (root, scale) = match self {
            Self::Exact(x) => return Some(x),
            Self::Crossing(low, high) => {
                let root = bisected(low, high, |x| value(x).unwrap_or(f64::NAN));
                (root, error_at(low).min(error_at(high)))
            }
            Self::Touching(low, high) => (lowest(low, high, error_at), 1e-4),
        };
        let root = tidied(root, error_at);
        (error_at(root) <= 1e-9 * scale.max(1e-3)).then_some(root)
    }
}

/// Where the error is least between two places, by golden section.
fn lowest(low: f64, high: f64, error_at: impl Fn(f64) -> f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_8;
    let (mut low, mut high) = (low, high);
    for _ in 0..80 {
        let left = high - (high - low) * GOLDEN;
        let right = low + (high - low) * GOLDEN;
        if error_at(left) <= error_at(right) {
            high = right;
        } else {
            low = left;
        }
    }
    low / 2.0 + high / 2.0
}
