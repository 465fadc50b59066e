//! Taking back what was done to a list: what was put on it is taken off, and what was taken off is put back in its place.
//! What was done to the list since then stays.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::origin::Origin;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::item::{Item, texts};
use super::names;
use super::names::ListName;
use super::results::Restored;
use super::tools::{Shelf, about, unread};
use loquat_kit::dialog::Gap;

/// What makes a list what it was before.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub(super) struct Undo {
    list_id: String,
    list: String,
    take_off: Vec<String>,
    #[schemars(with = "Vec<Value>")]
    put_back: Vec<Item>,
    // Where on the list each of these stood.
    places: Vec<usize>,
    // Whether the list was made with nothing on it, and ends.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    ends: bool,
    // Whose words the list's name is.
    #[serde(default)]
    #[schemars(with = "Value")]
    named_by: Origin,
    // Whether what was taken off was not the owner's, in what was kept before each item had its origin.
    #[serde(default, skip_serializing)]
    is_foreign: bool,
}

impl Undo {
    /// Of what was added to a list.
    pub(super) fn of_added(list: &ListName, added: &[String]) -> Self {
        Self {
            take_off: added.to_vec(),
            ..Self::of(list)
        }
    }

    /// Of what was taken off a list one after the other, each with the place where it stood then.
    pub(super) fn of_removed(
        list: &ListName,
        removed: impl IntoIterator<Item = (usize, Item)>,
        named_by: Origin,
    ) -> Self {
        let (places, put_back) = removed.into_iter().unzip();
        Self {
            put_back,
            places,
            named_by,
            ..Self::of(list)
        }
    }

    /// Of a list that was made with nothing on it.
    pub(super) fn of_made(list: &ListName) -> Self {
        Self {
            ends: true,
            ..Self::of(list)
        }
    }

    fn of(list: &ListName) -> Self {
        Self {
            list_id: list.id.clone(),
            list: list.name.clone(),
            ..Self::default()
        }
    }

    /// What the tool is called with; nothing where the list stayed as it was.
    pub(super) fn arguments(&self) -> Map<String, Value> {
        if self.take_off.is_empty() && self.put_back.is_empty() && !self.ends {
            return Map::new();
        }
        match serde_json::to_value(self) {
            Ok(Value::Object(arguments)) => arguments,
            _ => Map::new(),
        }
    }

    /// As it is kept now.
    fn settled(mut self) -> Self {
        if self.is_foreign {
            for item in &mut self.put_back {
                item.by = Origin::Elsewhere;
            }
        }
        self
    }

    /// Makes the list what it was, as far as nothing else was done to it: what is off, and what is on again.
    fn apply(&self, items: &mut Vec<Item>) -> (Vec<Item>, Vec<Item>) {
        let (mut off, mut on) = (Vec::new(), Vec::new());
        for item in &self.take_off {
            if let Some(at) = items.iter().rposition(|known| known.text == *item) {
                off.push(items.remove(at));
            }
        }
        // The last one that was taken off goes first, so that each finds its place as it was.
        for (item, at) in self.put_back.iter().zip(&self.places).rev() {
            if items.iter().all(|known| known.text != item.text) {
                items.insert((*at).min(items.len()), item.clone());
                on.insert(0, item.clone());
            }
        }
        (off, on)
    }
}

pub(super) fn restore(
    shelf: Shelf,
    undo: Undo,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Restored, ToolError>> {
    async move {
        let (undo, words) = (undo.settled(), shelf.words(person));
        let list = names::kept(undo.list_id.clone(), undo.list.clone(), &words);
        if undo.ends && shelf.lists.end(&list.id).await.map_err(unread)? {
            let told = about("ended", &list, &words);
            return Ok(Restored {
                list: list.name,
                told,
            });
        }
        let change = |items: &mut Vec<Item>| undo.apply(items);
        let (off, on) = shelf
            .lists
            .change(&list.id, &list.name, undo.named_by.clone(), change)
            .await?;
        // What is taken off was said in the call that is taken back.
        let is_foreign = on.iter().any(|item| item.is_foreign_to(person));
        let told = match (off.is_empty(), on.is_empty()) {
            (true, true) => {
                let complaint = "the list is not as it was left, so nothing was taken back";
                return Err(ToolError::reply("LookupError", complaint));
            }
            (true, false) => about("added", &list, &words).with("added", Gap::Several(texts(&on))),
            (false, _) => about("removed", &list, &words).with("removed", Gap::Several(texts(&off))),
        };
        Ok(Restored {
            list: list.name,
            told: told.of_strangers(is_foreign),
        })
    }
    .boxed()
}
