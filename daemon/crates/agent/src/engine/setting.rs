//! A setting of an engine, declared once: the engine's default and range, the check of persona files and the table in
//! `personas/README.md` all come from the declaration.

use serde_json::{Map, Value};

use crate::budget::whole;

/// A key of an engine in a persona file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// The key.
    pub key: &'static str,
    /// What its value may be, and what it is unless set.
    pub form: Form,
    /// What it does, as the end of a sentence that begins with the engine's name.
    pub about: &'static str,
}

/// What a value may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A whole number. A smaller one counts as the smallest, since OVOS takes zero for each of its limits.
    Count {
        /// Unless set.
        default: u32,
        /// The smallest.
        least: u32,
        /// The largest.
        most: u32,
    },
    /// The steps of a loop, from 1 to 100; unless set what the budget allows, at most so many.
    Steps(u32),
    /// One of these words; the first one unless set.
    Word(&'static [&'static str]),
    /// `true` unless set.
    Switch,
    /// The id of an engine; this one unless set.
    Engine(&'static str),
    /// What no other form describes.
    Other,
}

/// The most steps that a persona file may ask for.
pub const MOST_STEPS: u32 = 100;

impl Setting {
    pub(crate) const fn new(key: &'static str, form: Form, about: &'static str) -> Self {
        Self { key, form, about }
    }

    pub(crate) const fn count(
        key: &'static str,
        default: u32,
        (least, most): (u32, u32),
        about: &'static str,
    ) -> Self {
        Self::new(key, Form::Count { default, least, most }, about)
    }

    /// The number of these settings, brought into its range.
    pub(crate) fn count_in(&self, settings: &Map<String, Value>) -> u32 {
        let set = settings.get(self.key).and_then(whole);
        match self.form {
            Form::Count { default, least, most } => set.unwrap_or(default).clamp(least, most),
            _ => 0,
        }
    }
}

/// How many brain calls an engine makes at once.
pub(crate) const fn concurrency(default: u32) -> Setting {
    let about = "brain calls at once; 1 is a strict order";
    Setting::count("concurrency", default, (1, 100), about)
}

/// How many steps a loop takes, for engines that are one.
pub(crate) const MAX_ITERATIONS: Setting = Setting::new(
    "max_iterations",
    Form::Steps(u32::MAX),
    "brain calls of a loop that may ask for tools; goes before the budget",
);
