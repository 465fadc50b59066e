//! The functions and constants an expression may name.
//!
//! The set is closed: a name that is not in these tables is refused, never looked up elsewhere.

use std::f64::consts;

use crate::error::ExpressionError;
use crate::number::{Number, shown};
use crate::operator::{power, truth};
use crate::value::Value;

mod amounts;
mod arithmetic;

use arithmetic::{
    difference, extreme, factorial, first, fold_whole, greatest_common_divisor, is_leap, is_prime,
    least_common_multiple, logarithm, median, round, second, step, tangent, total, without_noise,
};

/// A function by name.
#[derive(Debug)]
pub(crate) struct Function {
    /// As it is written.
    pub(super) name: &'static str,
    fewest: usize,
    most: usize,
    apply: Apply,
}

#[derive(Debug)]
enum Apply {
    /// From one real number to another; not-a-number means that there is no value.
    Real(fn(f64) -> f64),
    /// Everything else is calculated from all arguments.
    Any(fn(&[Number]) -> Result<Number, ExpressionError>),
}

/// No limit of its own; the length of the text limits it.
const ANY_NUMBER: usize = usize::MAX;

const FUNCTIONS: &[Function] = &[
    any("abs", 1, 1, |n| {
        Ok(if first(n).to_f64() < 0.0 {
            first(n).negated()
        } else {
            first(n)
        })
    }),
    any("round", 1, 2, round),
    any("ceil", 1, 1, |n| Ok(step(first(n), f64::ceil))),
    any("floor", 1, 1, |n| Ok(step(first(n), f64::floor))),
    real("sqrt", f64::sqrt),
    real("cbrt", f64::cbrt),
    any("log", 1, 2, |n| Ok(logarithm(n))),
    real("ln", f64::ln),
    real("log10", f64::log10),
    real("log2", f64::log2),
    real("exp", f64::exp),
    real("sin", |x| without_noise(x, x.sin())),
    real("cos", |x| without_noise(x, x.cos())),
    real("tan", tangent),
    real("asin", f64::asin),
    real("acos", f64::acos),
    real("atan", f64::atan),
    any("atan2", 2, 2, |n| {
        Ok(Number::Real(first(n).to_f64().atan2(second(n).to_f64())))
    }),
    real("degrees", f64::to_degrees),
    RADIANS,
    FACTORIAL,
    any("gcd", 1, ANY_NUMBER, |n| {
        fold_whole("gcd", n, |a, b| Some(greatest_common_divisor(a, b)))
    }),
    any("lcm", 1, ANY_NUMBER, |n| {
        fold_whole("lcm", n, least_common_multiple)
    }),
    IS_PRIME,
    IS_LEAP,
    any("pow", 2, 2, |n| power(first(n), second(n))),
    any("min", 1, ANY_NUMBER, |n| {
        Ok(extreme(n, |candidate, best| candidate < best))
    }),
    any("max", 1, ANY_NUMBER, |n| {
        Ok(extreme(n, |candidate, best| candidate > best))
    }),
    any("sum", 1, ANY_NUMBER, |n| Ok(total(n))),
    any("mean", 1, ANY_NUMBER, |n| {
        Ok(total(n).divided_by(Number::Whole(n.len() as i128)))
    }),
    any("median", 1, ANY_NUMBER, |n| Ok(median(n))),
    any("difference", 2, 2, |n| Ok(difference(n))),
];

/// Functions of amounts that keep their unit.
const OF_AMOUNTS: &[&str] = &[
    "abs",
    "round",
    "ceil",
    "floor",
    "min",
    "max",
    "sum",
    "mean",
    "median",
    "difference",
];

/// Also written as a postfix `!`.
pub(super) const FACTORIAL: Function = any("factorial", 1, 1, |n| factorial(first(n)));

/// Also written as a degree sign.
pub(super) const RADIANS: Function = real("radians", f64::to_radians);

/// Also asked as `is 91 prime`.
pub(super) const IS_PRIME: Function = any("isprime", 1, 1, |n| is_prime(first(n)).map(truth));

/// Also asked as `is 2028 a leap year`.
pub(super) const IS_LEAP: Function = any("isleap", 1, 1, |n| is_leap(first(n)).map(truth));

const CONSTANTS: &[(&str, f64)] = &[
    ("pi", consts::PI),
    ("\u{3c0}", consts::PI),
    ("e", consts::E),
    ("tau", consts::TAU),
    ("\u{3c4}", consts::TAU),
    ("inf", f64::INFINITY),
];

const fn any(
    name: &'static str,
    fewest: usize,
    most: usize,
    apply: fn(&[Number]) -> Result<Number, ExpressionError>,
) -> Function {
    Function {
        name,
        fewest,
        most,
        apply: Apply::Any(apply),
    }
}

const fn real(name: &'static str, apply: fn(f64) -> f64) -> Function {
    Function {
        name,
        fewest: 1,
        most: 1,
        apply: Apply::Real(apply),
    }
}

/// Other names that small models have for them, without underscores.
const ALIASES: &[(&str, &str)] = &[
    ("isleapyear", "isleap"),
    ("leapyear", "isleap"),
    ("average", "mean"),
    ("avg", "mean"),
    ("total", "sum"),
    ("largest", "max"),
    ("biggest", "max"),
    ("greatest", "max"),
    ("highest", "max"),
    ("longest", "max"),
    ("heaviest", "max"),
    ("maximum", "max"),
    ("smallest", "min"),
    ("lowest", "min"),
    ("shortest", "min"),
    ("lightest", "min"),
    ("minimum", "min"),
];

/// The function of this name, which is in lower case.
pub(super) fn find(name: &str) -> Option<&'static Function> {
    let plain = name.replace('_', "");
    let alias = ALIASES.iter().find(|(alias, _)| *alias == plain);
    let name = alias.map_or(plain.as_str(), |(_, name)| name);
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// The constant of this name, which is in lower case.
pub(super) fn constant(name: &str) -> Option<Number> {
    let (_, value) = CONSTANTS.iter().find(|(known, _)| *known == name)?;
    Some(Number::Real(*value))
}

/// Whether a function or constant has this name, so that a word can begin an operand.
pub(super) fn names_a_value(word: &str) -> bool {
    find(word).is_some() || constant(word).is_some() || matches!(word, "square" | "cube")
}

/// Known names that look like this one, the nearest first.
pub(super) fn near(name: &str) -> Vec<&'static str> {
    let known = FUNCTIONS
        .iter()
        .map(|function| function.name)
        .chain(["pi", "tau"]);
    let mut near: Vec<(usize, &'static str)> = known
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .filter(|(distance, known)| *distance <= 2 && *distance < known.len())
        .collect();
    near.sort_unstable();
    near.into_iter().take(2).map(|(_, known)| known).collect()
}

impl Function {
    /// Whether commas between its arguments can be meant at all.
    pub(super) fn takes_one(&self) -> bool {
        self.most == 1
    }

    /// Whether the value is 1 for what is true, and 0 for what is not.
    pub(super) fn tells_truth(&self) -> bool {
        matches!(self.name, "isprime" | "isleap")
    }

    /// Complains about a wrong number of arguments.
    pub(super) fn check_count(&'static self, given: usize, position: usize) -> Result<(), ExpressionError> {
        if (self.fewest..=self.most).contains(&given) {
            return Ok(());
        }
        let takes = match (self.fewest, self.most) {
            (1, 1) => "one argument".to_owned(),
            (fewest, ANY_NUMBER) => format!("at least {fewest}"),
            (fewest, most) if fewest == most => format!("{fewest} arguments"),
            (fewest, most) => format!("{fewest} or {most} arguments"),
        };
        Err(ExpressionError::ArgumentCount {
            position,
            function: self.name,
            takes,
            given,
        })
    }

    /// The value of arguments that may have units, of so many as [`Function::check_count`] has allowed.
    pub(super) fn result(&self, arguments: &[Value]) -> Result<Value, ExpressionError> {
        let plain: Result<Vec<Number>, ExpressionError> = arguments.iter().map(Value::plain).collect();
        match plain {
            Ok(numbers) => self.value(&numbers).map(Value::Plain),
            Err(_) if OF_AMOUNTS.contains(&self.name) => amounts::value(self, arguments),
            Err(ExpressionError::Undefined(complaint)) => {
                Err(ExpressionError::Undefined(format!("{}: {complaint}", self.name)))
            }
            Err(error) => Err(error),
        }
    }

    /// The value for so many arguments as [`Function::check_count`] has allowed.
    pub(super) fn value(&self, arguments: &[Number]) -> Result<Number, ExpressionError> {
        let result = match self.apply {
            Apply::Real(apply) => Number::Real(apply(first(arguments).to_f64())),
            Apply::Any(apply) => apply(arguments)?,
        };
        let of_finite = arguments.iter().all(|argument| argument.is_finite());
        let given = || shown(first(arguments).to_f64());
        match result.to_f64() {
            value if value.is_nan() || (value == f64::NEG_INFINITY && of_finite) => Err(
                ExpressionError::Undefined(format!("{}({}) is undefined", self.name, given())),
            ),
            value if value.is_infinite() && of_finite => {
                Err(ExpressionError::TooLarge(format!("{}({})", self.name, given())))
            }
            _ => Ok(result),
        }
    }
}
