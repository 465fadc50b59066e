//! Figures that sum up a list of numbers.
//!
//! Never gives a figure for an empty list: there is no mean of nothing.

use super::number::Number;

/// More is no question but a data set.
pub(super) const MOST_NUMBERS: usize = 10_000;

/// What is said of a list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Summary {
    pub(super) mean: f64,
    pub(super) median: f64,
    /// It is that of a sample (n - 1), and zero for a single number.
    pub(super) stdev: f64,
    pub(super) minimum: f64,
    pub(super) maximum: f64,
    pub(super) total: Number,
}

/// Why a list has no summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum SummaryError {
    /// There is nothing to sum up.
    #[error("at least one number is needed")]
    Empty,
    /// There are more than [`MOST_NUMBERS`].
    #[error("at most {MOST_NUMBERS} numbers, {0} given")]
    TooMany(usize),
    /// A sum has no room in a number.
    #[error("the numbers are too large to sum up")]
    TooLarge,
}

/// Sums up; the order of the numbers does not matter.
pub(super) fn summary(numbers: &[f64]) -> Result<Summary, SummaryError> {
    if numbers.len() > MOST_NUMBERS {
        return Err(SummaryError::TooMany(numbers.len()));
    }
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let (Some(&minimum), Some(&maximum)) = (sorted.first(), sorted.last()) else {
        return Err(SummaryError::Empty);
    };
    let total = sorted
        .iter()
        .fold(Number::Whole(0), |total, &next| total.plus(whole_if_whole(next)));
    let mean = total.to_f64() / sorted.len() as f64;
    let stdev = deviation(&sorted, mean);
    if !(total.is_finite() && stdev.is_finite()) {
        return Err(SummaryError::TooLarge);
    }
    Ok(Summary {
        mean,
        median: median(&sorted),
        stdev,
        minimum,
        maximum,
        total,
    })
}

fn whole_if_whole(number: f64) -> Number {
    Number::Real(number)
        .to_whole()
        .map_or(Number::Real(number), Number::Whole)
}

fn deviation(numbers: &[f64], mean: f64) -> f64 {
    if numbers.len() < 2 {
        return 0.0;
    }
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    (squares / (numbers.len() - 1) as f64).sqrt()
}

fn median(sorted: &[f64]) -> f64 {
    let upper = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
    if sorted.len() % 2 == 1 {
        return upper;
    }
    let lower = sorted.get(sorted.len() / 2 - 1).copied().unwrap_or_default();
    // Halved first: the sum of two large numbers may have no room.
    lower / 2.0 + upper / 2.0
}

#[cfg(test)]
mod tests {
    use super::{MOST_NUMBERS, Summary, SummaryError, summary};
    use crate::number::Number;

    #[test]
    fn figures_do_not_depend_on_the_order() {
        let expected = Summary {
            mean: 5.0,
            median: 4.5,
            stdev: (32.0_f64 / 7.0).sqrt(),
            minimum: 2.0,
            maximum: 9.0,
            total: Number::Whole(40),
        };
        assert_eq!(summary(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]), Ok(expected));
        assert_eq!(summary(&[9.0, 4.0, 5.0, 2.0, 4.0, 7.0, 4.0, 5.0]), Ok(expected));
    }

    #[test]
    fn a_single_number_does_not_deviate() {
        let summary = summary(&[3.5]).expect("one number is enough");
        assert_eq!((summary.mean, summary.median, summary.stdev), (3.5, 3.5, 0.0));
    }

    #[test]
    fn what_cannot_be_summed_up_is_refused() {
        assert_eq!(summary(&[]), Err(SummaryError::Empty));
        assert_eq!(
            summary(&vec![1.0; MOST_NUMBERS + 1]),
            Err(SummaryError::TooMany(MOST_NUMBERS + 1))
        );
        assert_eq!(summary(&[1e308, 1e308]), Err(SummaryError::TooLarge));
    }
}
