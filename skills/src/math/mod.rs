//! `ovos-math-tools`: expressions, units, statistics and equations.
//!
//! Everything here is computed by parsers of our own: no text of a model is ever evaluated as a program, and size
//! and time of every call have a bound.

use loquat_agent::toolbox::ToolError;

use crate::function::{Function, FunctionToolbox};

mod equation;
mod expression;
mod number;
mod statistics;
#[cfg(test)]
mod tests;
mod tools;
mod units;

/// The toolbox's id.
pub const ID: &str = "ovos-math-tools";

/// The toolbox.
pub fn toolbox() -> FunctionToolbox {
    let functions = vec![
        Function::new(
            "evaluate_expression",
            "Calculate: + - * / // % **, percent (\"17% of 2450\"), sqrt, round, sin, log, min, max, sum and more.",
            tools::evaluate_expression,
        ),
        Function::new(
            "unit_convert",
            "Convert length, mass, volume, time, speed, area, data or temperature to another unit.",
            tools::unit_convert,
        ),
        Function::new(
            "statistics_summary",
            "Mean, median, standard deviation, minimum, maximum and total of numbers.",
            tools::statistics_summary,
        ),
        Function::new(
            "solve_equation",
            "Solve an equation in x, for example \"2x + 3 = 7\".",
            tools::solve_equation,
        ),
    ];
    FunctionToolbox::new(ID, functions)
}

/// The complaint about an argument, as the brain reads it.
fn complaint(argument: &str, error: &dyn std::error::Error) -> ToolError {
    ToolError::reply("ValueError", format!("{argument}: {error}"))
}
