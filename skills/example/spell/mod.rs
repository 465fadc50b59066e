//! `example-spell-tools`: spells words. A skill as small as one can be, which `skills/README.md` explains line by line.

use include_dir::include_dir;
use loquat_agent::toolbox::{Circumstances, ToolError};
use loquat_kit::Skill;
use loquat_kit::dialog::{Tell, Telling};
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Intent, slot};
use loquat_kit::wording::Wording;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

const ID: &str = "example-spell-tools";
const FOLDER: &str = "spell";

pub(crate) const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/example/spell/sentences"),
    intents: &[
        Intent::new("spell", "spell_word").slots(&[slot("word", |said, _| {
            (!said.contains(' ')).then(|| Value::from(said))
        })]),
    ],
    ..Skill::PLAIN
};

pub(crate) fn toolbox(wording: &Wording) -> FunctionToolbox {
    let functions = vec![Function::new("spell_word", "Spell a word.", spell)];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}

#[derive(Deserialize, JsonSchema)]
struct Wish {
    /// One word.
    word: String,
}

#[derive(Serialize, JsonSchema)]
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

fn spell(Wish { word }: Wish, _: &Circumstances) -> Result<Spelled, ToolError> {
    let letters: Vec<String> = word
        .chars()
        .map(|letter| letter.to_uppercase().collect())
        .collect();
    if !(1..=40).contains(&letters.len()) {
        return Err(ToolError::reply(
            "ValueError",
            "word: write one word of up to 40 letters",
        ));
    }
    Ok(Spelled {
        word,
        letters: letters.join(", "),
    })
}
