//! What the tools take and give; the work is done by the modules beside.

use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number as JsonNumber;

use super::error::complaint;
use super::number::{Number, significant};
use super::spoken::UNITS;
use super::{equation, statistics, units};
use loquat_kit::dialog::{Gap, Tell, Telling};

/// Whole numbers beyond it are not told digit by digit.
pub(super) const LARGEST_SPOKEN: f64 = 1e13;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Conversion {
    value: f64,
    /// For example "miles", "kg" or "celsius".
    from_unit: String,
    /// Default: the usual unit where the person lives.
    #[serde(default)]
    to_unit: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Converted {
    result: JsonNumber,
    /// The result as it is best spoken.
    rounded: JsonNumber,
    from_unit: &'static str,
    to_unit: &'static str,
    category: String,
}

impl Tell for Converted {
    fn tell(&self) -> Option<Telling> {
        let rounded = self
            .rounded
            .as_f64()
            .filter(|number| number.abs() < LARGEST_SPOKEN)?;
        let one = (rounded - 1.0).abs() < f64::EPSILON;
        let dialog = if one { "unit_convert_one" } else { "unit_convert" };
        let unit = Gap::Listed {
            list: UNITS,
            name: self.to_unit,
            one,
        };
        let told = Telling::new(dialog).with("result", Gap::Number(rounded));
        Some(told.with("unit", unit))
    }
}

pub(super) fn unit_convert(conversion: Conversion, person: &Circumstances) -> Result<Converted, ToolError> {
    let Conversion {
        value,
        from_unit,
        to_unit,
    } = conversion;
    let imperial = person
        .units
        .as_deref()
        .is_some_and(|units| units.eq_ignore_ascii_case("imperial"));
    let to_unit = to_unit.as_deref().filter(|unit| !unit.trim().is_empty());
    let complain = |error| complaint("unit_convert", &error);
    let (from, to) = units::pair(&from_unit, to_unit, imperial).map_err(complain)?;
    let result = units::convert(value, from, to).map_err(complain)?;
    Ok(Converted {
        result: finite(result)?,
        rounded: finite(speakable(result))?,
        from_unit: from.plural,
        to_unit: to.plural,
        category: from.category.to_string(),
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Numbers {
    numbers: Vec<f64>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Summarised {
    count: usize,
    mean: JsonNumber,
    median: JsonNumber,
    /// Of a sample.
    stdev: JsonNumber,
    minimum: JsonNumber,
    maximum: JsonNumber,
    total: JsonNumber,
}

/// Several values of which one was asked for are no sentence.
impl Tell for Summarised {}

pub(super) fn statistics_summary(arguments: Numbers, _: &Circumstances) -> Result<Summarised, ToolError> {
    let numbers = arguments.numbers;
    let summary = statistics::summary(&numbers).map_err(|error| complaint("numbers", &error))?;
    Ok(Summarised {
        count: numbers.len(),
        mean: finite(summary.mean)?,
        median: finite(summary.median)?,
        stdev: finite(summary.stdev)?,
        minimum: finite(summary.minimum)?,
        maximum: finite(summary.maximum)?,
        total: json(summary.total)?,
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Equation {
    /// Both sides; a missing right side is 0.
    equation: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Solved {
    /// The solutions in words, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    spoken: Option<String>,
    /// Real solutions in ascending order.
    solutions: Vec<JsonNumber>,
    equation: String,
    method: Method,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
}

impl Tell for Solved {
    fn tell(&self) -> Option<Telling> {
        let [only] = self.solutions.as_slice() else {
            return None;
        };
        let solution = only.as_f64().map(speakable)?;
        let all = self.note.is_none();
        all.then(|| Telling::new("solve_equation").with("solution", Gap::Number(solution)))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Method {
    Symbolic,
    Numeric,
}

pub(super) fn solve_equation(arguments: Equation, _: &Circumstances) -> Result<Solved, ToolError> {
    let equation = arguments.equation;
    let solved = equation::solve(&equation).map_err(|error| complaint("equation", &error))?;
    let solutions: Result<Vec<JsonNumber>, ToolError> = solved.solutions.into_iter().map(finite).collect();
    let method = if solved.symbolic {
        Method::Symbolic
    } else {
        Method::Numeric
    };
    let solutions = solutions?;
    Ok(Solved {
        spoken: in_words(&equation, &solutions),
        solutions,
        equation,
        method,
        note: solved.note,
    })
}

pub(super) fn in_words(equation: &str, solutions: &[JsonNumber]) -> Option<String> {
    let each: Vec<String> = solutions.iter().map(ToString::to_string).collect();
    match each.as_slice() {
        [] => None,
        [only] => Some(format!("the solution of {equation} is {only}")),
        several => Some(format!(
            "the solutions of {equation} are {}",
            several.join(" and ")
        )),
    }
}

/// Two decimals, or three digits of a small number.
pub(super) fn speakable(value: f64) -> f64 {
    if value.abs() >= 1.0 && value.abs() < 1e13 {
        (value * 100.0).round() / 100.0
    } else {
        significant(value, 3)
    }
}

pub(super) fn finite(value: f64) -> Result<JsonNumber, ToolError> {
    json(Number::Real(value))
}

pub(super) fn json(value: Number) -> Result<JsonNumber, ToolError> {
    value
        .to_json()
        .ok_or_else(|| ToolError::reply("ValueError", "the result is not a finite number"))
}
