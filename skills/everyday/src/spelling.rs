//! `loquat-spelling-tools`: spells words letter by letter.
//!
//! Knows no word: what is to be spelled is taken as it was written or heard.

use include_dir::include_dir;
use loquat_agent::toolbox::{Circumstances, ToolError};
use loquat_kit::Skill;
use loquat_kit::dialog::{Tell, Telling};
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{InLanguage, Intent, slot};
use loquat_kit::wording::Wording;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[cfg(test)]
mod tests;

/// The toolbox's id.
const ID: &str = "loquat-spelling-tools";

/// The folder of its sentences.
const FOLDER: &str = "spelling";

const SPELL: &str = "spell_word";

/// Who hears more letters at once has forgotten the first.
const MOST_LETTERS: usize = 40;

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/spelling/sentences"),
    intents: &[Intent::new("spell", SPELL).slots(&[slot("word", read)])],
    ..Skill::PLAIN
};

/// The toolbox.
pub fn toolbox(wording: &Wording) -> FunctionToolbox {
    let functions = vec![Function::new(SPELL, "Spell a word letter by letter.", spell)];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Wish {
    /// A word or a name.
    word: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Spelled {
    word: String,
    letters: String,
}

impl Tell for Spelled {
    fn tell(&self) -> Option<Telling> {
        let told = Telling::new("spelled").words("word", &self.word);
        Some(told.words("letters", &self.letters))
    }
}

/// A word, or a name of several words, which is heard with capitals: other words that follow each other ask for something else.
fn read(said: &str, _: &InLanguage<'_>) -> Option<Value> {
    let mut words = said.split_whitespace();
    let is_name = || {
        said.split_whitespace()
            .all(|word| word.starts_with(char::is_uppercase))
    };
    let is_one = words.next().is_some() && words.next().is_none();
    let word = said.trim_matches(|c: char| !c.is_alphanumeric());
    let is_meant = (is_one || is_name()) && letters_of(word).is_some();
    is_meant.then(|| Value::from(word))
}

fn spell(Wish { word }: Wish, _: &Circumstances) -> Result<Spelled, ToolError> {
    let Some(letters) = letters_of(&word) else {
        let rule = format!("word: write a word or a name of up to {MOST_LETTERS} letters");
        return Err(ToolError::reply("ValueError", rule));
    };
    Ok(Spelled { word, letters })
}

/// The letters and digits of each word, with a pause between words; nothing where there are none or too many.
fn letters_of(text: &str) -> Option<String> {
    let words: Vec<Vec<String>> = text
        .split_whitespace()
        .map(|word| {
            word.chars()
                .filter(|c| c.is_alphanumeric())
                .map(capital)
                .collect()
        })
        .collect();
    let count: usize = words.iter().map(Vec::len).sum();
    let spelled: Vec<String> = words.iter().map(|letters| letters.join(", ")).collect();
    (1..=MOST_LETTERS).contains(&count).then(|| spelled.join("; "))
}

/// A voice names a capital by its letter. What has no single capital, such as ß, stays.
fn capital(letter: char) -> String {
    let mut capitals = letter.to_uppercase();
    match (capitals.next(), capitals.next()) {
        (Some(capital), None) => capital.to_string(),
        _ => letter.to_string(),
    }
}
