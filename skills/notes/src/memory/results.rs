//! What the tools give, each with the sentence that tells all of it.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use loquat_kit::dialog::{Tell, Telling};

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Remembered {
    pub(super) remembered: String,
    #[serde(skip)]
    pub(super) undo: Map<String, Value>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Recalled {
    /// The best first, in the person's own words.
    pub(super) facts: Vec<String>,
    /// How many there are in all.
    pub(super) count: usize,
    #[serde(skip)]
    pub(super) told: Telling,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
#[expect(clippy::struct_field_names, reason = "callers read it by this name")]
pub(super) struct Forgotten {
    pub(super) forgotten: Vec<String>,
    #[serde(skip)]
    pub(super) is_foreign: bool,
    #[serde(skip)]
    pub(super) undo: Map<String, Value>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Emptied {
    /// How many facts there were.
    pub(super) forgotten: usize,
}

impl Tell for Remembered {
    fn tell(&self) -> Option<Telling> {
        Some(Telling::new("remembered"))
    }

    fn undo(&self) -> Map<String, Value> {
        self.undo.clone()
    }
}

impl Tell for Recalled {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

impl Tell for Forgotten {
    fn tell(&self) -> Option<Telling> {
        if self.forgotten.is_empty() {
            return Some(Telling::new("forgot_nothing"));
        }
        let told = Telling::new("forgotten").words("facts", quoted(&self.forgotten));
        Some(told.of_strangers(self.is_foreign))
    }

    fn undo(&self) -> Map<String, Value> {
        self.undo.clone()
    }
}

impl Tell for Emptied {
    fn tell(&self) -> Option<Telling> {
        Some(Telling::new("emptied"))
    }
}

/// As they were said, so that "my" stays the person's.
pub(super) fn quoted(facts: &[String]) -> String {
    let facts = facts.iter().map(|fact| fact.trim_end_matches(['.', '!', ' ']));
    facts.collect::<Vec<_>>().join("; ")
}
