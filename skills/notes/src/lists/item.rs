//! One thing on a list, with whose words it is.

use loquat_agent::origin::Origin;
use loquat_agent::toolbox::Circumstances;
use serde::{Deserialize, Serialize};

/// A thing on a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub(super) struct Item {
    pub(super) text: String,
    /// Whose words these are.
    pub(super) by: Origin,
}

/// As it is kept. What is the owner's is a text alone, as all items were before their origin was written down: what programs
/// put on a list marked the whole of it then.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Own(String),
    Marked { text: String, by: Origin },
}

impl Item {
    pub(super) fn new(text: impl Into<String>, by: Origin) -> Self {
        let text = text.into();
        Self { text, by }
    }

    /// Whether it may be words of a stranger to who reads it.
    pub(super) fn is_foreign_to(&self, person: &Circumstances) -> bool {
        self.by.is_foreign_to(person)
    }
}

/// The words alone.
pub(super) fn texts(items: &[Item]) -> Vec<String> {
    items.iter().map(|item| item.text.clone()).collect()
}

impl AsRef<str> for Item {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl From<Written> for Item {
    fn from(written: Written) -> Self {
        match written {
            Written::Own(text) => Self::new(text, Origin::Own),
            Written::Marked { text, by } => Self::new(text, by),
        }
    }
}

impl From<Item> for Written {
    fn from(item: Item) -> Self {
        match item.by {
            Origin::Own => Self::Own(item.text),
            by => Self::Marked { text: item.text, by },
        }
    }
}
