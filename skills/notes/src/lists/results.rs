//! What the tools give, each with the sentence that tells all of it.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::undo::Undo;
use loquat_kit::dialog::{Tell, Telling};
use loquat_kit::report::YesOrNo;

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Addition {
    pub(super) list: String,
    pub(super) added: Vec<String>,
    /// Not added again.
    pub(super) already_there: Vec<String>,
    #[serde(skip)]
    pub(super) told: Telling,
    #[serde(skip)]
    pub(super) undo: Undo,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Removal {
    pub(super) list: String,
    pub(super) removed: Vec<String>,
    pub(super) not_there: Vec<String>,
    #[serde(skip)]
    pub(super) told: Telling,
    #[serde(skip)]
    pub(super) undo: Undo,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Contents {
    pub(super) list: String,
    pub(super) count: usize,
    pub(super) items: Vec<String>,
    #[serde(skip)]
    pub(super) told: Telling,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Sought {
    pub(super) list: String,
    pub(super) found: Vec<String>,
    pub(super) missing: Vec<String>,
    #[serde(skip)]
    pub(super) told: Telling,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Checked {
    pub(super) list: String,
    /// Whether it is so, or how often something was put on it.
    pub(super) answer: Checks,
    #[serde(skip)]
    pub(super) told: Telling,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Checks {
    IsSo(YesOrNo),
    Times(u64),
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Created {
    pub(super) list: String,
    /// Whether it was not there before.
    pub(super) is_new: bool,
    #[serde(skip)]
    pub(super) told: Telling,
    #[serde(skip)]
    pub(super) undo: Undo,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Cleared {
    pub(super) list: String,
    /// How many items there were.
    pub(super) removed: usize,
    #[serde(skip)]
    pub(super) told: Telling,
    #[serde(skip)]
    pub(super) undo: Undo,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Restored {
    pub(super) list: String,
    #[serde(skip)]
    pub(super) told: Telling,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Overview {
    pub(super) lists: Vec<Size>,
    #[serde(skip)]
    pub(super) told: Telling,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Size {
    pub(super) name: String,
    pub(super) count: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Exported {
    pub(super) list: String,
    pub(super) text: String,
    #[serde(skip)]
    pub(super) told: Telling,
}

macro_rules! tells {
    ($($result:ty),*) => { $(impl Tell for $result {
        fn tell(&self) -> Option<Telling> {
            Some(self.told.clone())
        }
    })* };
}

macro_rules! tells_and_is_taken_back {
    ($($result:ty),*) => { $(impl Tell for $result {
        fn tell(&self) -> Option<Telling> {
            Some(self.told.clone())
        }

        fn undo(&self) -> Map<String, Value> {
            self.undo.arguments()
        }
    })* };
}

tells!(Contents, Sought, Checked, Overview, Exported, Restored);
tells_and_is_taken_back!(Addition, Removal, Created, Cleared);
