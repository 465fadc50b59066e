//! `evaluate_expression`: what it takes, what came of it, and how that is told.
//!
//! Calculates nothing itself.

use jiff::Timestamp;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number as JsonNumber;

use super::error::complaint;
use super::expression::{self, Outcome};
use super::spoken::{CURRENCIES, UNITS};
use super::tools::{LARGEST_SPOKEN, finite, in_words, json, speakable};
use super::value::Value;
use super::{duration, equation};
use crate::error::ExpressionError;
use crate::operator::Relation;
use loquat_kit::calendar::Calendar;
use loquat_kit::dialog::{Amount, Gap, Tell, Telling};
use loquat_kit::numbers::with_figures;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Expression {
    /// For example "15% of 320", "3 yards - 20 cm in m", "weeks until 1 June" or "isprime(91)".
    expression: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Evaluated {
    /// In words: the solution of an equation, a date or a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    spoken: Option<String>,
    result: Found,
    /// What the result counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    /// Both values that were compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<String>,
    expression: String,
    #[serde(skip)]
    told: Option<Telling>,
}

/// A number, whether what was asked is true, a date or time, or a sorted list.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum Found {
    Number(JsonNumber),
    Truth(bool),
    Text(String),
    List(Vec<Item>),
}

/// A number, or text with a unit.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum Item {
    Number(JsonNumber),
    Text(String),
}

impl Tell for Evaluated {
    fn tell(&self) -> Option<Telling> {
        self.told.clone()
    }
}

pub(super) fn evaluate_expression(
    arguments: Expression,
    person: &Circumstances,
    now: Timestamp,
) -> Result<Evaluated, ToolError> {
    let text = arguments.expression;
    let calendar = Calendar::of(person, now);
    match outcome(&text, person, &calendar) {
        Ok(outcome) => evaluated(text, &outcome, &calendar),
        Err(error) => match only_solution(&text) {
            Some(solution) => Ok(solved(text, solution)),
            None => Err(complaint("expression", &error)),
        },
    }
}

/// Numbers in words are read where the text says nothing without.
fn outcome(text: &str, person: &Circumstances, calendar: &Calendar) -> Result<Outcome, ExpressionError> {
    let of = |text: &str| expression::parse_wish(text, calendar)?.outcome();
    let lang = person.lang.as_deref().unwrap_or("en");
    of(text).or_else(|error| match error {
        ExpressionError::TooLong | ExpressionError::TooMany => Err(error),
        _ => of(&with_figures(text, lang)).map_err(|_| error),
    })
}

/// An equation is the business of another tool, but a small model that chose the wrong one is served where the result is
/// one number. What was found by searching may not be all there is.
fn only_solution(text: &str) -> Option<JsonNumber> {
    if !text.contains('=') {
        return None;
    }
    let solved = equation::solve(text).ok().filter(|solved| solved.symbolic)?;
    match solved.solutions.as_slice() {
        [only] => finite(*only).ok(),
        _ => None,
    }
}

fn solved(expression: String, solution: JsonNumber) -> Evaluated {
    Evaluated {
        spoken: in_words(&expression, std::slice::from_ref(&solution)),
        told: solution.as_f64().and_then(told_number),
        result: Found::Number(solution),
        unit: None,
        comparison: None,
        expression,
    }
}

fn evaluated(expression: String, outcome: &Outcome, calendar: &Calendar) -> Result<Evaluated, ToolError> {
    let (spoken, unit) = match outcome {
        Outcome::One(value) | Outcome::Compared(value, ..) => {
            (in_words_of_clock(value, calendar), unit(value))
        }
        Outcome::Truth(_) | Outcome::Several(_) => (None, None),
    };
    let comparison = match outcome {
        Outcome::Compared(left, relation, right) => {
            Some(format!("{} {} {}", shown(left)?, relation.sign(), shown(right)?))
        }
        _ => None,
    };
    Ok(Evaluated {
        result: found(outcome)?,
        told: told(outcome, spoken.as_deref()),
        spoken,
        unit,
        comparison,
        expression,
    })
}

fn found(outcome: &Outcome) -> Result<Found, ToolError> {
    Ok(match outcome {
        Outcome::Truth(truth) => Found::Truth(*truth),
        Outcome::One(value) | Outcome::Compared(value, ..) => found_value(value)?,
        Outcome::Several(values) => Found::List(values.iter().map(item).collect::<Result<_, _>>()?),
    })
}

fn item(value: &Value) -> Result<Item, ToolError> {
    match value {
        Value::Plain(number) => json(*number).map(Item::Number),
        other => shown(other).map(Item::Text),
    }
}

fn found_value(value: &Value) -> Result<Found, ToolError> {
    Ok(match value {
        Value::Plain(number) | Value::Money(number, _) => Found::Number(json(*number)?),
        Value::Measured(quantity) => Found::Number(json(quantity.number)?),
        Value::Day(date) => Found::Text(date.to_string()),
        Value::Time(time, _) => Found::Text(time.strftime("%H:%M").to_string()),
        Value::Moment(moment) => Found::Text(moment.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()),
    })
}

/// With its unit, for a model.
fn shown(value: &Value) -> Result<String, ToolError> {
    let text = match found_value(value)? {
        Found::Number(number) => number.to_string(),
        Found::Text(text) => text,
        Found::Truth(_) | Found::List(_) => String::new(),
    };
    Ok(unit(value).map_or_else(|| text.clone(), |unit| format!("{text} {unit}")))
}

fn unit(value: &Value) -> Option<&'static str> {
    match value {
        Value::Measured(quantity) => Some(quantity.unit.plural),
        Value::Money(_, currency) => Some(currency.plural),
        _ => None,
    }
}

fn in_words_of_clock(value: &Value, calendar: &Calendar) -> Option<String> {
    match value {
        Value::Day(date) => Some(calendar.told_date(*date)),
        Value::Time(time, _) => Some(calendar.told_time(*time)),
        Value::Moment(moment) => Some(calendar.told_moment(moment)),
        _ => None,
    }
}

fn told(outcome: &Outcome, clock: Option<&str>) -> Option<Telling> {
    match outcome {
        Outcome::Truth(true) => Some(Telling::new("evaluate_expression_true")),
        Outcome::Truth(false) => Some(Telling::new("evaluate_expression_false")),
        Outcome::One(Value::Plain(number)) => told_number(number.to_f64()),
        Outcome::One(value @ (Value::Measured(_) | Value::Money(..))) => told_amount(value),
        Outcome::One(Value::Day(_)) => Some(Telling::new("evaluate_expression_date").words("result", clock?)),
        Outcome::One(Value::Time(_, 0..=1) | Value::Moment(_)) => {
            Some(Telling::new("evaluate_expression_time").words("result", clock?))
        }
        Outcome::One(Value::Time(..)) => None,
        Outcome::Several(values) => {
            let amounts: Option<Vec<Amount>> = values
                .iter()
                .map(|value| amount(value).map(|(amount, _)| amount))
                .collect();
            Some(Telling::new("evaluate_expression_list").with("result", Gap::Amounts(amounts?)))
        }
        Outcome::Compared(left, relation, right) => told_comparison(left, *relation, right),
    }
}

fn told_number(number: f64) -> Option<Telling> {
    let number = Some(number).filter(|number| number.abs() < LARGEST_SPOKEN)?;
    let rounded = speakable(number);
    let dialog = if is_close(rounded, number) {
        "evaluate_expression"
    } else {
        "evaluate_expression_about"
    };
    Some(Telling::new(dialog).with("result", Gap::Number(rounded)))
}

fn told_amount(value: &Value) -> Option<Telling> {
    let duration = if let Value::Measured(quantity) = value {
        duration::told(quantity)
    } else {
        None
    };
    let (amounts, is_exact): (Vec<Amount>, bool) = if let Some(told) = duration {
        let parts = told.parts.into_iter();
        let amounts = parts.map(|(number, unit)| Amount::of(number, UNITS, unit));
        (amounts.collect(), told.is_exact)
    } else {
        let (amount, is_exact) = amount(value)?;
        (vec![amount], is_exact)
    };
    let is_one = matches!(amounts.as_slice(), [only] if only.is_one());
    let dialog = match (is_exact, is_one) {
        (true, true) => "evaluate_expression_amount_one",
        (true, false) => "evaluate_expression_amount",
        (false, _) => "evaluate_expression_amount_about",
    };
    Some(Telling::new(dialog).with("result", Gap::Amounts(amounts)))
}

/// A value with a number as it is spoken, and whether that is exact.
fn amount(value: &Value) -> Option<(Amount, bool)> {
    let exact = value.number().ok()?.to_f64();
    if exact.abs() >= LARGEST_SPOKEN {
        return None;
    }
    let rounded = match value {
        Value::Money(..) => (exact * 100.0).round() / 100.0,
        _ => speakable(exact),
    };
    let amount = match value {
        Value::Measured(quantity) => Amount::of(rounded, UNITS, quantity.unit.plural),
        Value::Money(_, currency) => Amount::of(rounded, CURRENCIES, currency.plural).with_cents(),
        _ => Amount::plain(rounded),
    };
    Some((amount, is_close(rounded, exact)))
}

fn told_comparison(left: &Value, relation: Relation, right: &Value) -> Option<Telling> {
    let dialog = match relation {
        Relation::Greater => "evaluate_expression_more",
        Relation::Less => "evaluate_expression_less",
        _ => "evaluate_expression_same",
    };
    let gap = |value: &Value| Some(Gap::Amounts(vec![amount(value)?.0]));
    Some(
        Telling::new(dialog)
            .with("first", gap(left)?)
            .with("second", gap(right)?),
    )
}

fn is_close(rounded: f64, number: f64) -> bool {
    (rounded - number).abs() <= number.abs() * 1e-12
}
