//! Taking back what was done to a list: what was put on it is taken off, and what was taken off is put back in its place.
//! What was done to the list since then stays.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::names;
use super::names::ListName;
use super::results::Restored;
use super::tools::{Shelf, about, is_program};
use crate::dialog::Gap;

/// What makes a list what it was before.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub(super) struct Undo {
    list_id: String,
    list: String,
    take_off: Vec<String>,
    put_back: Vec<String>,
    // Where on the list each of these stood.
    places: Vec<usize>,
    // Whether a program on the bus had put something on the list.
    #[serde(default)]
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
        removed: impl IntoIterator<Item = (usize, String)>,
        is_foreign: bool,
    ) -> Self {
        let (places, put_back) = removed.into_iter().unzip();
        Self {
            put_back,
            places,
            is_foreign,
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
        if self.take_off.is_empty() && self.put_back.is_empty() {
            return Map::new();
        }
        match serde_json::to_value(self) {
            Ok(Value::Object(arguments)) => arguments,
            _ => Map::new(),
        }
    }

    /// Makes the list what it was, as far as nothing else was done to it: what is off, and what is on again.
    fn apply(&self, items: &mut Vec<String>) -> (Vec<String>, Vec<String>) {
        let (mut off, mut on) = (Vec::new(), Vec::new());
        for item in &self.take_off {
            if let Some(at) = items.iter().rposition(|known| known == item) {
                off.push(items.remove(at));
            }
        }
        // The last one that was taken off goes first, so that each finds its place as it was.
        for (item, at) in self.put_back.iter().zip(&self.places).rev() {
            if !items.contains(item) {
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
        let words = shelf.words(person);
        let list = names::kept(undo.list_id.clone(), undo.list.clone(), &words);
        let change = |items: &mut Vec<String>| undo.apply(items);
        let is_foreign = undo.is_foreign || is_program(person);
        let (off, on) = shelf
            .lists
            .change((&list.id, &list.name), is_foreign, change)
            .await?;
        let told = match (off.is_empty(), on.is_empty()) {
            (true, true) => {
                let complaint = "the list is not as it was left, so nothing was taken back";
                return Err(ToolError::reply("LookupError", complaint));
            }
            (true, false) => about("added", &list, &words).with("added", Gap::Several(on)),
            (false, _) => about("removed", &list, &words).with("removed", Gap::Several(off)),
        };
        Ok(Restored {
            list: list.name,
            told,
        })
    }
    .boxed()
}
