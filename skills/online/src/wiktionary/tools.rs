//! The tool that tells what a word means.

use jiff::Timestamp;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::MEANING;
use super::service::Wiktionary;
use crate::reference::{soon, source};
use loquat_kit::dialog::{Tell, Telling};

/// The licence of the text asks for it.
const CREDIT: &str = "Wiktionary, CC BY-SA 4.0";

/// In letters; no word is longer.
const LONGEST: usize = 60;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Word {
    /// One word.
    word: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Definition {
    word: String,
    /// The most usual first.
    meanings: Vec<String>,
    source: &'static str,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Definition {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

pub(super) async fn define_word(
    Word { word }: Word,
    person: &Circumstances,
    wiktionary: &Wiktionary,
    now: Timestamp,
) -> Result<Definition, ToolError> {
    let word = word.trim();
    let is_word = |letter: char| letter.is_alphabetic() || " -'\u{2019}.".contains(letter);
    if word.is_empty() || word.chars().count() > LONGEST || !word.chars().all(is_word) {
        let complaint = "word: is no word; write one word";
        return Err(ToolError::reply("ValueError", complaint));
    }
    let lang = source::language_of(person);
    let found = soon(wiktionary.look_up(word, &lang, now)).await;
    let found = found.map_err(|fault| fault.of("Wiktionary"))?;
    let complaint = || format!("word: Wiktionary does not know '{word}'; write it in its basic form");
    // Who asks for the dialog of the person's own language has no use for another one.
    let found = found.filter(|found| person.dialog.as_deref() != Some(MEANING) || found.lang == lang);
    let found = found.ok_or_else(|| ToolError::reply("LookupError", complaint()))?;
    let dialog = if found.lang == lang {
        MEANING
    } else {
        "meaning_english"
    };
    Ok(Definition {
        told: Telling::new(dialog)
            .words("word", &found.word)
            .words("meaning", found.meanings.join(" ")),
        word: found.word.clone(),
        meanings: found.meanings.clone(),
        source: CREDIT,
    })
}
