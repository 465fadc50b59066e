//! What the functions do.
//!
//! Infinite and not-a-number results are handed on; the caller words them.

use crate::error::ExpressionError;
use crate::number::{Number, shown};

/// Argument counts are checked while parsing, so a missing one cannot be.
pub(super) fn first(arguments: &[Number]) -> Number {
    arguments.first().copied().unwrap_or(Number::Whole(0))
}

pub(super) fn second(arguments: &[Number]) -> Number {
    arguments.get(1).copied().unwrap_or(Number::Whole(0))
}

/// Rounds in one direction; 114.99999999999999 counts as the 115 that it shows as.
pub(super) fn step(number: Number, direction: fn(f64) -> f64) -> Number {
    match number.to_whole() {
        Some(whole) => Number::Whole(whole),
        None => Number::Real(direction(number.to_f64())),
    }
}

/// To so many decimals, a half away from zero as people do it by hand: 2.675 to 2.68.
pub(super) fn round(arguments: &[Number]) -> Result<Number, ExpressionError> {
    let number = first(arguments);
    let decimals = second(arguments)
        .to_whole()
        .filter(|decimals| (-300..=300).contains(decimals));
    let Some(decimals) = decimals else {
        let complaint = "round: the number of decimals has to be a whole number".to_owned();
        return Err(ExpressionError::Undefined(complaint));
    };
    if decimals >= 0 && matches!(number, Number::Whole(_)) {
        return Ok(number);
    }
    let scale = 10_f64.powi(decimals.abs() as i32);
    let real = number.to_f64();
    let rounded = if decimals >= 0 {
        shown(real * scale).round() / scale
    } else {
        shown(real / scale).round() * scale
    };
    Ok(if rounded.is_finite() {
        Number::Real(rounded)
    } else {
        number
    })
}

/// Above it a division by every smaller number would be felt.
const LARGEST_PRIME: u64 = 10_000_000_000;

pub(super) fn is_prime(number: Number) -> Result<bool, ExpressionError> {
    let undefined = |complaint: String| Err(ExpressionError::Undefined(complaint));
    let Some(whole) = number.to_whole() else {
        return undefined("isprime needs a whole number".to_owned());
    };
    if whole > i128::from(LARGEST_PRIME) {
        return undefined(format!("isprime is limited to {LARGEST_PRIME}"));
    }
    // Numbers below zero are no primes either; those of 128 bits are divided ten times more slowly.
    let whole = u64::try_from(whole).unwrap_or_default();
    Ok(whole > 1 && !(2..=whole.isqrt()).any(|divisor| whole % divisor == 0))
}

/// Whether a year has a 29 February in the Gregorian calendar.
pub(super) fn is_leap(year: Number) -> Result<bool, ExpressionError> {
    let Some(year) = year.to_whole() else {
        return Err(ExpressionError::Undefined("isleap needs a whole year".to_owned()));
    };
    Ok(year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))
}

/// Natural, or to the base of the second argument.
pub(super) fn logarithm(arguments: &[Number]) -> Number {
    let number = first(arguments).to_f64();
    let result = match arguments.get(1).map(|base| base.to_f64()) {
        None => number.ln(),
        Some(10.0) => number.log10(),
        Some(2.0) => number.log2(),
        Some(1.0) => f64::NAN,
        Some(base) => number.ln() / base.ln(),
    };
    Number::Real(result)
}

/// Zero where only the rounding of the argument is left, as in sin(pi).
pub(super) fn without_noise(argument: f64, result: f64) -> f64 {
    let noise = f64::EPSILON * argument.abs().max(1.0);
    if argument.abs() > 1.0 && result.abs() <= noise {
        0.0
    } else {
        result
    }
}

pub(super) fn tangent(x: f64) -> f64 {
    if without_noise(x, x.cos()) == 0.0 {
        f64::NAN
    } else {
        without_noise(x, x.tan())
    }
}

/// The largest whose factorial fits a double.
const LARGEST_FACTORIAL: i128 = 170;

pub(super) fn factorial(number: Number) -> Result<Number, ExpressionError> {
    let whole = number.to_whole().filter(|whole| *whole >= 0);
    let Some(whole) = whole else {
        let complaint = "factorial needs a whole number that is not negative".to_owned();
        return Err(ExpressionError::Undefined(complaint));
    };
    if whole > LARGEST_FACTORIAL {
        let complaint = format!("factorial is limited to {LARGEST_FACTORIAL}; factorial({whole})");
        return Err(ExpressionError::TooLarge(complaint));
    }
    Ok((2..=whole).fold(Number::Whole(1), |product, factor| {
        product.times(Number::Whole(factor))
    }))
}

pub(super) fn fold_whole(
    name: &str,
    arguments: &[Number],
    combine: fn(i128, i128) -> Option<i128>,
) -> Result<Number, ExpressionError> {
    let mut folded: Option<i128> = None;
    for argument in arguments {
        let Some(next) = argument.to_whole() else {
            return Err(ExpressionError::Undefined(format!("{name} needs whole numbers")));
        };
        folded = match folded {
            None => Some(next),
            Some(so_far) => combine(so_far, next),
        };
        if folded.is_none() {
            return Err(ExpressionError::TooLarge(name.to_owned()));
        }
    }
    Ok(Number::Whole(folded.and_then(i128::checked_abs).unwrap_or(0)))
}

pub(super) fn greatest_common_divisor(mut left: i128, mut right: i128) -> i128 {
    while right != 0 {
        (left, right) = (right, left.checked_rem(right).unwrap_or(0));
    }
    left.checked_abs().unwrap_or(i128::MAX)
}

pub(super) fn least_common_multiple(left: i128, right: i128) -> Option<i128> {
    if left == 0 || right == 0 {
        return Some(0);
    }
    left.checked_div(greatest_common_divisor(left, right))?
        .checked_mul(right)
}

pub(super) fn extreme(arguments: &[Number], better: fn(f64, f64) -> bool) -> Number {
    arguments
        .iter()
        .copied()
        .fold(first(arguments), |best, candidate| {
            if better(candidate.to_f64(), best.to_f64()) {
                candidate
            } else {
                best
            }
        })
}

pub(super) fn total(arguments: &[Number]) -> Number {
    arguments
        .iter()
        .fold(Number::Whole(0), |total, next| total.plus(*next))
}

/// The number in the middle, or the mean of the two there.
pub(super) fn median(arguments: &[Number]) -> Number {
    let mut sorted = arguments.to_vec();
    sorted.sort_by(|left, right| left.to_f64().total_cmp(&right.to_f64()));
    let at = |place: usize| sorted.get(place).copied().unwrap_or(Number::Whole(0));
    let upper = at(sorted.len() / 2);
    if sorted.len() % 2 == 1 {
        return upper;
    }
    let both = at((sorted.len() / 2).saturating_sub(1)).plus(upper);
    both.divided_by(Number::Whole(2))
}

/// How far two numbers are apart.
pub(super) fn difference(arguments: &[Number]) -> Number {
    let difference = first(arguments).minus(second(arguments));
    if difference.to_f64() < 0.0 {
        difference.negated()
    } else {
        difference
    }
}
