//! A setting of an engine, declared once: the engine's default and range, the check of persona files and the table in
//! `personas/README.md` all come from the declaration.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

/// A key of an engine in a persona file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// Persona files write it so.
    pub key: &'static str,
    /// Says what its value may be, and what it is unless set.
    pub form: Form,
    /// Says what it does, as the end of a sentence that begins with the engine's name.
    pub about: &'static str,
}

/// Says what a value may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A whole number. A smaller one counts as the smallest, since OVOS takes zero for each of its limits.
    Count {
        /// The number unless one is set.
        default: u32,
        /// It is the smallest number.
        least: u32,
        /// It is the largest number.
        most: u32,
    },
    /// The steps of a loop, from 1 to 100. Unless set they are what the budget allows, and at most this many.
    Steps(u32),
    /// One of these words; the first one unless set.
    Word(&'static [&'static str]),
    /// A switch, which is `true` unless set.
    Switch,
    /// The id of an engine; this one unless set.
    Engine(&'static str),
    /// No other form describes the value.
    Other,
}

/// The most steps that a persona file may ask for.
pub const MOST_STEPS: u32 = 100;

impl Setting {
    /// Declares a setting.
    pub const fn new(key: &'static str, form: Form, about: &'static str) -> Self {
        Self { key, form, about }
    }

    /// Declares a whole number with its range.
    pub const fn count(
        key: &'static str,
        default: u32,
        range: RangeInclusive<u32>,
        about: &'static str,
    ) -> Self {
        let (least, most) = (*range.start(), *range.end());
        Self::new(key, Form::Count { default, least, most }, about)
    }

    /// The number of these settings, brought into its range.
    pub fn count_in(&self, settings: &Map<String, Value>) -> u32 {
        let set = settings.get(self.key).and_then(whole);
        match self.form {
            Form::Count { default, least, most } => set.unwrap_or(default).clamp(least, most),
            _ => 0,
        }
    }
}

/// This many brain calls of an engine may run at once.
pub const fn concurrency(default: u32) -> Setting {
    let about = "brain calls at once; 1 is a strict order";
    Setting::count("concurrency", default, 1..=100, about)
}

/// This many steps are in a loop, for engines that are one.
pub const MAX_ITERATIONS: Setting = Setting::new(
    "max_iterations",
    Form::Steps(u32::MAX),
    "brain calls of a loop that may ask for tools; goes before the budget",
);

/// A whole number as people and other programs write it; negative numbers count as zero.
pub fn whole(value: &Value) -> Option<u32> {
    let number = match value {
        Value::String(text) => text.trim().parse::<f64>().ok()?,
        other => other.as_f64()?,
    };
    Some(number.clamp(0.0, f64::from(u32::MAX)) as u32)
}
