//! `example-spell-tools`: spells words. A skill as small as one can be, which `skills/README.md` explains line by line.

use std::sync::Arc;

use include_dir::include_dir;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::dialog::{Tell, Telling};
use crate::function::{Function, FunctionToolbox};
use crate::intent::{Intent, Slot};
use crate::skill::Skill;

pub(crate) const SKILL: Skill = Skill {
    id: "example-spell-tools",
    folder: "spell",
    sentences: include_dir!("$CARGO_MANIFEST_DIR/example/spell/sentences"),
    intents: &[Intent::new("spell", "spell_word").slots(&[Slot {
        name: "word",
        argument: "word",
        read: |said, _| (!said.contains(' ')).then(|| Value::from(said)),
    }])],
    settings: &[],
    make: |_, resources| {
        let functions = vec![Function::new("spell_word", "Spell a word.", spell)];
        Ok(Arc::new(
            FunctionToolbox::new("example-spell-tools", functions).telling("spell", resources),
        ))
    },
};

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
