//! What is said to the ears, as `sentences.toml` has it.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;

const FILE: &str = include_str!("../../ears/sentences.toml");

/// All of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sentences {
    /// What is said to a device, in English.
    pub commands: Vec<String>,
    /// Commands that take a second.
    pub short: Vec<String>,
    /// Commands with a pause in them.
    pub paused: Vec<Paused>,
    /// Talk without a wake word.
    pub talk: Vec<String>,
    /// What the device says.
    pub own_voice: String,
    /// By language, as a tag.
    pub languages: BTreeMap<String, Vec<String>>,
}

/// A command with a pause between its pieces.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paused {
    /// What is said before and after the pause.
    pub pieces: [String; 2],
    /// Whether more has to come after the first one.
    pub open: bool,
}

impl Sentences {
    /// Reads them.
    ///
    /// # Errors
    /// When the file is not what is said above.
    pub fn read() -> Result<Self> {
        toml::from_str(FILE).context("sentences.toml")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn there_is_something_of_each_kind_and_nothing_twice() {
        let sentences = Sentences::read().unwrap();
        assert!(sentences.paused.iter().any(|paused| paused.open));
        assert!(sentences.paused.iter().any(|paused| !paused.open));
        assert_eq!(sentences.languages.len(), 4);
        let said = [&sentences.commands, &sentences.short, &sentences.talk];
        let all: Vec<&String> = said.into_iter().flatten().collect();
        let different: HashSet<&&String> = all.iter().collect();
        assert_eq!(all.len(), different.len());
    }
}
