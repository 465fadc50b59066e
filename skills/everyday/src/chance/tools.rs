//! The throws. What is drawn is the port's to say.

use std::ops::RangeInclusive;

use loquat_agent::toolbox::ToolError;
use loquat_kit::dialog::{Amount, Gap, Tell, Telling};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Draw;

/// So many dice are told one by one.
pub(super) const DICE: RangeInclusive<i64> = 1..=20;

/// A die has so many sides.
pub(super) const FACES: RangeInclusive<i64> = 2..=1_000;

/// A number is picked between these.
pub(super) const BOUNDS: RangeInclusive<i64> = -1_000_000_000_000..=1_000_000_000_000;

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Coin {
    /// "heads" or "tails".
    side: &'static str,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Throw {
    /// How many dice; default 1.
    #[serde(default = "one")]
    count: i64,
    /// Of each die; default 6.
    #[serde(default = "six")]
    sides: i64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Thrown {
    /// What each die shows.
    rolled: Vec<i64>,
    total: i64,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Between {
    /// Default 1.
    #[serde(default = "one")]
    from: i64,
    /// Default 100.
    #[serde(default = "hundred")]
    to: i64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Picked {
    number: i64,
}

fn one() -> i64 {
    1
}

fn six() -> i64 {
    6
}

fn hundred() -> i64 {
    100
}

impl Tell for Coin {
    fn tell(&self) -> Option<Telling> {
        Some(Telling::new(self.side))
    }
}

impl Tell for Thrown {
    fn tell(&self) -> Option<Telling> {
        let told = match self.rolled.as_slice() {
            [_] => Telling::new("rolled"),
            several => {
                let shown = several.iter().map(|number| Amount::plain(float(*number)));
                Telling::new("rolled_several").with("numbers", Gap::Amounts(shown.collect()))
            }
        };
        Some(told.with("total", Gap::Number(float(self.total))))
    }
}

impl Tell for Picked {
    fn tell(&self) -> Option<Telling> {
        Some(Telling::new("picked").with("number", Gap::Number(float(self.number))))
    }
}

pub(super) fn flip(draw: &Draw) -> Coin {
    let side = if draw(0..=1) == 0 { "heads" } else { "tails" };
    Coin { side }
}

pub(super) fn roll(draw: &Draw, throw: &Throw) -> Result<Thrown, ToolError> {
    within("count", throw.count, DICE)?;
    within("sides", throw.sides, FACES)?;
    let rolled: Vec<i64> = (0..throw.count).map(|_| draw(1..=throw.sides)).collect();
    let total = rolled.iter().sum();
    Ok(Thrown { rolled, total })
}

/// The two may be said in either order.
pub(super) fn pick(draw: &Draw, between: &Between) -> Result<Picked, ToolError> {
    within("from", between.from, BOUNDS)?;
    within("to", between.to, BOUNDS)?;
    let (least, most) = (between.from.min(between.to), between.from.max(between.to));
    let number = draw(least..=most);
    Ok(Picked { number })
}

fn within(argument: &str, number: i64, range: RangeInclusive<i64>) -> Result<(), ToolError> {
    if range.contains(&number) {
        return Ok(());
    }
    let rule = format!(
        "{argument}: write a number from {} to {}",
        range.start(),
        range.end()
    );
    Err(ToolError::reply("ValueError", rule))
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the numbers are far below those that a float cannot hold"
)]
fn float(number: i64) -> f64 {
    number as f64
}
