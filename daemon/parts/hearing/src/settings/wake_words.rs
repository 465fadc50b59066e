//! `[speech.wake_words]`: words that are listened for beside the usual one, each with what it is said for.

use std::collections::BTreeMap;

use loquat_settings::choice;
use loquat_settings::form::Form;
use serde::{Deserialize, Serialize};

/// So long a name is, at most.
const LONGEST_NAME: usize = 48;

/// So many words are listened for beside the usual one: each costs the processor as much as the first.
const MOST: usize = 8;

choice! {
    /// What a wake word is said for.
    WordEffect {
        /// What is said behind it is heard.
        Listen = "listen",
        /// The device is silent and ends what it is at.
        Stop = "stop",
        /// A sleep ends.
        Wake = "wake",
    }
}

/// A word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FurtherWord {
    /// A name of the catalogue, or the path of a manifest; absent is the word's own name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What it is said for.
    #[serde(default = "listen")]
    pub effect: WordEffect,
    /// The persona that is meant, by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
    /// How sure the model must be; absent is as its authors found it best.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cutoff: Option<f64>,
    /// The sound that is played when it was heard; absent is that of mycroft.conf.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sound: Option<String>,
}

fn listen() -> WordEffect {
    WordEffect::Listen
}

/// All of them by their names.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, FurtherWord>")]
pub struct FurtherWords(pub BTreeMap<String, FurtherWord>);

impl TryFrom<BTreeMap<String, FurtherWord>> for FurtherWords {
    type Error = String;

    fn try_from(words: BTreeMap<String, FurtherWord>) -> Result<Self, String> {
        if words.len() > MOST {
            return Err(format!(
                "no more than {MOST} words are listened for beside the usual one"
            ));
        }
        for (name, word) in &words {
            if let Some(wrong) = wrong(name, word) {
                return Err(format!("{name}: {wrong}"));
            }
        }
        Ok(Self(words))
    }
}

/// Says what is wrong with a word whose keys and types are right.
fn wrong(name: &str, word: &FurtherWord) -> Option<String> {
    let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    let is_empty = |text: &Option<String>| text.as_ref().is_some_and(|text| text.trim().is_empty());
    if name.is_empty() || name.chars().count() > LONGEST_NAME || !name.chars().all(is_plain) {
        return Some(format!(
            "a name has up to {LONGEST_NAME} letters, digits, _ and -"
        ));
    }
    if [&word.model, &word.persona, &word.sound]
        .into_iter()
        .any(is_empty)
    {
        return Some("model, persona and sound must not be empty".to_owned());
    }
    if word.persona.is_some() && word.effect != WordEffect::Listen {
        return Some("a persona is for a word with the effect \"listen\"".to_owned());
    }
    let is_odd = |cutoff: f64| !(0.05..=1.0).contains(&cutoff);
    word.cutoff
        .is_some_and(is_odd)
        .then(|| "cutoff must be a number from 0.05 to 1".to_owned())
}

impl Form for FurtherWords {
    fn expected() -> String {
        "a table for each word, as in [speech.wake_words.hey_jarvis]".to_owned()
    }
}
