//! `ovos-math-tools`: expressions with units, money, dates and times, conversions, statistics and equations.
//!
//! Everything here is computed by parsers of our own: no text of a model is ever evaluated as a program, and size
//! and time of every call have a bound.

use include_dir::include_dir;
use loquat_agent::toolbox::Example;
use serde_json::json;

use loquat_kit::Skill;
use loquat_kit::calendar::Now;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{self, Intent, Slot, Unsaid};
use loquat_kit::wording::Wording;

mod currency;
mod duration;
mod equation;
mod error;
mod evaluation;
mod expression;
mod number;
mod operator;
mod quantity;
mod spoken;
mod statistics;
#[cfg(test)]
mod tests;
mod tools;

use spoken::FOLDER;
mod units;
mod value;

/// The toolbox's id.
pub const ID: &str = "ovos-math-tools";

const EVALUATION: &str = "evaluate_expression";
const CONVERSION: &str = "unit_convert";

const EXPRESSION: &[Slot] = &[Slot {
    name: "expression",
    argument: "expression",
    read: spoken::read_expression,
}];
const UNITS: &[Slot] = &[
    Slot {
        name: "value",
        argument: "value",
        read: loquat_kit::slots::number,
    },
    Slot {
        name: "negative",
        argument: "value",
        read: loquat_kit::slots::negative,
    },
    Slot {
        name: "hundreds",
        argument: "value",
        read: spoken::read_hundreds,
    },
    Slot {
        name: "from_unit",
        argument: "from_unit",
        read: spoken::read_unit,
    },
    Slot {
        name: "to_unit",
        argument: "to_unit",
        read: spoken::read_unit,
    },
];

const SUMS: &[Slot] = &[
    counted("amounts", spoken::read_amounts),
    counted("to_unit", spoken::read_unit),
];
const COUNTS: &[Slot] = &[
    counted("unit", spoken::read_unit_of_time),
    counted("period", spoken::read_unit_of_time),
    counted("moment", spoken::read_moment),
    counted("from", spoken::read_moment),
    counted("to", spoken::read_moment),
    counted("hour", spoken::read_hour),
];
/// What is calculated with by the verb of a sentence.
const FIGURES: &[Slot] = &[
    counted("whole", spoken::read_amount),
    counted("bill", spoken::read_bill).becoming("whole"),
    counted("part", spoken::read_amount),
    counted("count", spoken::read_count),
    counted("fraction", spoken::read_fraction),
    counted("figures", spoken::read_figures),
];

const fn counted(name: &'static str, read: intent::Reader) -> Slot {
    Slot {
        name,
        argument: name,
        read,
    }
}

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    Intent::new("calculate", EVALUATION).slots(EXPRESSION),
    Intent::new("convert", CONVERSION).slots(UNITS),
    between("fahrenheit_in_celsius", FAHRENHEIT_IN_CELSIUS),
    between("celsius_in_fahrenheit", CELSIUS_IN_FAHRENHEIT),
    Intent::new("convert_one", CONVERSION)
        .slots(UNITS)
        .unsaid(&[("value", Unsaid::Number(1.0))]),
    counting("convert_sum", "{amounts} in {to_unit}").slots(SUMS),
    counting("count_until", "{unit} until {moment}"),
    counting("count_since", "{unit} since {moment}"),
    counting("count_between", "{unit} between {from} and {to}"),
    counting("count_left", "{unit} left in this {period}"),
    counting("time_until", "time until {hour}"),
    figuring("add_up", "{whole} + {part}"),
    figuring("average", "mean({figures})"),
    figuring("divide", "{whole} / {count}"),
    figuring("double", "2 * {whole}"),
    figuring("fits_in", "{whole} / {part}"),
    figuring("halve", "{whole} / 2"),
    figuring("largest", "max({figures})"),
    figuring("multiply", "{whole} * {count}"),
    figuring("part_of", "{fraction} * {whole}"),
    figuring("part_off", "{whole} * (1 - {fraction})"),
    figuring("percent_more", "{whole} * (1 + {count} / 100)"),
    figuring("percent_of", "{count} % of {whole}"),
    figuring("percent_off", "{count} % off {whole}"),
    figuring("smallest", "min({figures})"),
    figuring("take_away", "{whole} - {part}"),
    figuring("total", "sum({figures})"),
];

/// A conversion between two units of which one is meant without a word: who asks what 350 is in Celsius has it in Fahrenheit.
const fn between(name: &'static str, units: &'static [(&'static str, Unsaid)]) -> Intent {
    Intent::new(name, CONVERSION).slots(UNITS).unsaid(units)
}

const FAHRENHEIT_IN_CELSIUS: &[(&str, Unsaid)] = &[
    ("from_unit", Unsaid::Words("degrees Fahrenheit")),
    ("to_unit", Unsaid::Words("degrees Celsius")),
];
const CELSIUS_IN_FAHRENHEIT: &[(&str, Unsaid)] = &[
    ("from_unit", Unsaid::Words("degrees Celsius")),
    ("to_unit", Unsaid::Words("degrees Fahrenheit")),
];

const fn figuring(name: &'static str, pattern: &'static str) -> Intent {
    Intent::new(name, EVALUATION)
        .slots(FIGURES)
        .composed("expression", pattern)
}

const fn counting(name: &'static str, pattern: &'static str) -> Intent {
    Intent::new(name, EVALUATION)
        .slots(COUNTS)
        .composed("expression", pattern)
}

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/sentences"),
    intents: INTENTS,
    ..Skill::PLAIN
};

/// The toolbox, which reads this clock. Zone, language and units are the person's and come with each call.
pub fn toolbox(now: Now, wording: &Wording) -> FunctionToolbox {
    let functions = vec![
        Function::new(
            EVALUATION,
            "Calculate with numbers, units, money, dates and times: + - * / // % **, percent, sqrt, max, sort, isprime and more.",
            move |arguments, person| evaluation::evaluate_expression(arguments, person, now()),
        )
        .with(|tool| {
            tool.calculates = true;
            tool.example = Some(worked_calculation());
        }),
        Function::new(
            CONVERSION,
            "Convert length, mass, volume, time, speed, area, data or temperature to another unit.",
            tools::unit_convert,
        )
        .with(|tool| {
            tool.calculates = true;
            tool.example = Some(worked_conversion());
        }),
        Function::new(
            "statistics_summary",
            "Mean, median, standard deviation, minimum, maximum and total of numbers.",
            tools::statistics_summary,
        )
        .with(|tool| tool.calculates = true),
        Function::new(
            "solve_equation",
            "Solve an equation in x, for example \"2x + 3 = 7\".",
            tools::solve_equation,
        ),
    ];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}

/// Of the worked calls of these tools that were tried on models of half a billion and of one and a half billion
/// parameters, this one led to the most right calls of all tools.
fn worked_conversion() -> Example {
    Example {
        question: "How many litres are 3 gallons?".to_owned(),
        thought: "This converts a measure.".to_owned(),
        arguments: json!({"value": 3, "from_unit": "gallons", "to_unit": "litres"}),
        result: json!({"result": 11.36}),
        answer: "3 gallons are 11.36 litres.".to_owned(),
    }
}

/// Shown without its result behind all other examples, it keeps a model of half a billion parameters from declining what
/// it could calculate.
fn worked_calculation() -> Example {
    Example {
        question: "What is 9 times 8.5?".to_owned(),
        thought: "This asks for a calculation.".to_owned(),
        arguments: json!({"expression": "9 * 8.5"}),
        result: json!({"result": 76.5}),
        answer: "9 times 8.5 is 76.5.".to_owned(),
    }
}
