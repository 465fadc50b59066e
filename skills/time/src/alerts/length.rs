//! How long something lasts, in numbers of hours, minutes and seconds or in words: sentences that are read elsewhere bring
//! numbers, and need no words for them.
//!
//! Sets nothing.

use loquat_agent::toolbox::{Circumstances, ToolError};

use super::AlertTools;
use super::due::{LONGEST_SPAN, read_span};
use super::setting::{complaint, said};

/// The numbers that were said; what was not said is nothing.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Numbers {
    pub(super) hours: Option<f64>,
    pub(super) minutes: Option<f64>,
    pub(super) seconds: Option<f64>,
}

impl Numbers {
    /// Whether any was said.
    pub(super) fn is_said(self) -> bool {
        self.hours.is_some() || self.minutes.is_some() || self.seconds.is_some()
    }

    /// All of them in seconds; `None` where none was said.
    pub(super) fn total(self) -> Result<Option<f64>, ToolError> {
        let parts = [
            ("hours", self.hours, 3600.0),
            ("minutes", self.minutes, 60.0),
            ("seconds", self.seconds, 1.0),
        ];
        let said = parts
            .iter()
            .filter_map(|(name, number, unit)| Some((name, (*number)?, unit)));
        let mut total = None;
        for (name, number, unit) in said {
            if !(0.0..=LONGEST_SPAN).contains(&number) {
                let rule = "write a number that is not below 0 and makes no more than half a year";
                return Err(complaint(&format!("{name}: {rule}")));
            }
            total = Some(total.unwrap_or(0.0) + number * unit);
        }
        match total {
            Some(total) if total <= 0.0 => Err(complaint("hours, minutes, seconds: all of them are 0")),
            Some(total) if total > LONGEST_SPAN => {
                Err(complaint("hours, minutes, seconds: are longer than half a year"))
            }
            total => Ok(total),
        }
    }
}

/// The span that was said in numbers, in words, or in both where they agree; `None` where none was said.
pub(super) fn span(
    tools: &AlertTools,
    numbers: Numbers,
    words: Option<String>,
    person: &Circumstances,
) -> Result<Option<f64>, ToolError> {
    let words = said(words);
    let language = tools.language(person);
    let words = words
        .map(|words| read_span("duration", &words, &language))
        .transpose()?;
    match (numbers.total()?, words) {
        (Some(number), Some(words)) if !are_equal(number, words) => Err(complaint(
            "duration: is not what hours, minutes and seconds say; write one of the two",
        )),
        (number, words) => Ok(number.or(words)),
    }
}

/// Whether two spans are the same, in seconds.
pub(super) fn are_equal(one: f64, other: f64) -> bool {
    (one - other).abs() < 0.5
}
