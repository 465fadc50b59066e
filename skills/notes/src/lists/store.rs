//! All lists, in memory and in the records: read once, when one is first asked for, and changed one at a time.
//!
//! Memory never holds what is not kept. Knows no language and no tool.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::lock::{Mutex, MutexGuard};
use loquat_agent::origin::Origin;
use loquat_agent::toolbox::Circumstances;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::item::{Item, texts};
use super::names::SHOPPING;
use loquat_kit::records::{Change, Records, Unkept};

/// What the records are called.
const KIND: &str = "list";

/// A person has fewer; a model that runs wild must not fill the disk.
const MOST_LISTS: usize = 100;

/// On one list.
const MOST_ITEMS: usize = 500;

/// In characters; a note of three sentences has room.
const LONGEST_ITEM: usize = 200;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct List {
    /// What it is called, for lists that a person has named.
    pub(super) name: String,
    /// Whose words its name is.
    #[serde(default = "owners", skip_serializing_if = "Origin::is_own")]
    pub(super) named_by: Origin,
    /// In the order in which they were added.
    pub(super) items: Vec<Item>,
    /// How many things were put on it since it was begun.
    #[serde(default, skip_serializing_if = "is_none")]
    pub(super) additions: u64,
    /// Whether something on it was not the owner's, in what was kept before each item had its origin.
    #[serde(default, skip_serializing)]
    is_foreign: bool,
    /// Whether it was made by itself, and so is there before anything is on it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_made: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives references")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// Of lists that were kept before this was written down. What strangers named is marked as a whole there.
fn owners() -> Origin {
    Origin::Own
}

impl List {
    /// As it is kept now: a mark of the whole list is one of its name and of each of its items.
    fn settled(mut self) -> Self {
        if std::mem::take(&mut self.is_foreign) {
            self.named_by = Origin::Elsewhere;
            for item in &mut self.items {
                item.by = Origin::Elsewhere;
            }
        }
        self
    }

    /// Whether there is something to keep.
    fn is_there(&self) -> bool {
        self.is_made || !self.items.is_empty()
    }

    /// Whether anything on it may be words of a stranger to who reads it.
    pub(super) fn is_foreign_to(&self, person: &Circumstances) -> bool {
        self.items.iter().any(|item| item.is_foreign_to(person))
    }
}

/// A list as a person sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overview {
    /// By which it is changed.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// What is on it.
    pub items: Vec<String>,
}

/// Why a list stays as it is.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refused {
    #[error("nothing was changed, since {0}")]
    Unkept(#[from] Unkept),
    #[error("list: there are {MOST_LISTS} lists, and no more can be kept; clear one first")]
    ManyLists,
    #[error("items: a list holds at most {MOST_ITEMS} items; remove some first or name another list")]
    ManyItems,
    #[error("items: an item has at most {LONGEST_ITEM} characters; write it shorter")]
    LongItem,
}

type Kept = BTreeMap<String, List>;

/// All lists of the device, by their ids.
#[derive(Debug)]
pub struct Lists {
    records: Arc<dyn Records>,
    /// Nothing before the first use. A change takes them out until it is written: when it is given up in between, what
    /// the records hold is read again.
    kept: Mutex<Option<Kept>>,
    /// What the lists and the items on them are called, since they were last read or changed.
    named: watch::Sender<Arc<[String]>>,
    /// The ids of those that there are, likewise.
    ids: parking_lot::Mutex<Vec<String>>,
    /// What is on the shopping list, likewise. What is not the owner's is not among it.
    to_buy: parking_lot::Mutex<Vec<String>>,
    /// Whose doing it was that a list is empty, where it was not the owner's. It is not known over a restart, nor of more lists than
    /// there may be.
    emptied: parking_lot::Mutex<BTreeMap<String, Origin>>,
}

impl Lists {
    /// Those of these records, which are read later.
    pub fn new(records: Arc<dyn Records>) -> Self {
        Self {
            records,
            kept: Mutex::new(None),
            named: watch::Sender::new(Arc::default()),
            ids: parking_lot::Mutex::default(),
            to_buy: parking_lot::Mutex::default(),
            emptied: parking_lot::Mutex::default(),
        }
    }

    /// A list; an empty one where there is none.
    pub(super) async fn list(&self, id: &str) -> Result<List, Unkept> {
        let all = self.all().await?;
        let list = all.into_iter().find(|(known, _)| known == id);
        Ok(list.map(|(_, list)| list).unwrap_or_default())
    }

    /// All that have something on them or were made by themselves.
    pub(super) async fn all(&self) -> Result<Vec<(String, List)>, Unkept> {
        let mut slot = self.kept.lock().await;
        let kept = self.take(&mut slot).await?;
        self.tell_names(&kept);
        let all = kept.iter().map(|(id, list)| (id.clone(), list.clone())).collect();
        *slot = Some(kept);
        Ok(all)
    }

    /// What the lists and the items on them are called, for an ear that has nearly understood one; nothing before the lists were
    /// first read. What is not the owner's is not among it.
    pub fn named(&self) -> Arc<[String]> {
        Arc::clone(&self.named.borrow())
    }

    /// Whether there is a list with this id; not before the lists were first read.
    pub(crate) fn has(&self, id: &str) -> bool {
        self.ids.lock().iter().any(|known| known == id)
    }

    /// What is on the shopping list; nothing before the lists were first read.
    pub(super) fn to_buy(&self) -> Vec<String> {
        self.to_buy.lock().clone()
    }

    /// Whether a list is empty since a stranger to this person has emptied it.
    pub(super) fn was_emptied_by_stranger(&self, id: &str, person: &Circumstances) -> bool {
        let emptied = self.emptied.lock();
        emptied.get(id).is_some_and(|by| by.is_foreign_to(person))
    }

    fn note_emptied(&self, id: &str, is_empty: bool, by: Origin) {
        let mut emptied = self.emptied.lock();
        emptied.remove(id);
        if is_empty && !by.is_own() && emptied.len() < MOST_LISTS {
            emptied.insert(id.to_owned(), by);
        }
    }

    /// Tells the names of these lists, if they are others than before.
    fn tell_names(&self, kept: &Kept) {
        *self.ids.lock() = kept.keys().cloned().collect();
        let to_buy = kept.get(SHOPPING).into_iter().flat_map(|list| &list.items);
        let to_buy = to_buy.filter(|item| item.by.is_own());
        *self.to_buy.lock() = to_buy.map(|item| item.text.clone()).collect();
        let names = kept.values().flat_map(|list| {
            let items = list.items.iter().map(|item| (&item.text, &item.by));
            std::iter::once((&list.name, &list.named_by)).chain(items)
        });
        let names = names.filter_map(|(text, by)| by.is_own().then_some(text));
        let names: Vec<&String> = names.filter(|name| !name.is_empty()).collect();
        self.named.send_if_modified(|told| {
            let is_new = told.iter().ne(names.iter().copied());
            if is_new {
                *told = names.into_iter().cloned().collect();
            }
            is_new
        });
    }

    /// All that there are, for a person who sees them all: id, name and items.
    pub async fn overview(&self) -> Result<Vec<Overview>, Unkept> {
        let all = self.all().await?.into_iter();
        Ok(all
            .map(|(id, list)| Overview {
                name: if list.name.is_empty() {
                    id.clone()
                } else {
                    list.name
                },
                id,
                items: texts(&list.items),
            })
            .collect())
    }

    /// Takes one item off a list, or everything where none is named; how many went.
    pub async fn take_off(&self, id: &str, item: Option<&str>) -> Result<usize, Unkept> {
        let edit = |items: &mut Vec<Item>| {
            let before = items.len();
            items.retain(|one| item.is_some_and(|item| one.text != item));
            before - items.len()
        };
        match self.change(id, id, Origin::Own, edit).await {
            Ok(gone) => Ok(gone),
            Err(Refused::Unkept(unkept)) => Err(unkept),
            // A list that grows shorter breaks no bound.
            Err(_) => Ok(0),
        }
    }

    /// Has an item read otherwise, at its place; false where it is gone or the words are too long or too few.
    pub async fn reword(&self, id: &str, item: &str, to: &str) -> Result<bool, Unkept> {
        let to = to.trim();
        let edit = |items: &mut Vec<Item>| {
            let known = items.iter_mut().find(|one| one.text == item && !to.is_empty());
            let changed = known.map(|one| *one = Item::new(to, Origin::Own));
            changed.is_some()
        };
        match self.change(id, id, Origin::Own, edit).await {
            Err(Refused::Unkept(unkept)) => Err(unkept),
            changed => Ok(changed.unwrap_or_default()),
        }
    }

    /// Takes a list away with all that is on it; whether it was there.
    pub async fn delete(&self, id: &str) -> Result<bool, Unkept> {
        let gone = self.take_off(id, None).await?;
        Ok(self.end(id).await? || gone > 0)
    }

    /// Begins a list with nothing on it; whether it was not there.
    pub(super) async fn make(&self, id: &str, name: &str, by: Origin) -> Result<bool, Refused> {
        let mut slot = self.kept.lock().await;
        let mut kept = self.take(&mut slot).await?;
        let is_new = !kept.contains_key(id);
        if is_new {
            let list = List {
                name: name.to_owned(),
                named_by: by,
                is_made: true,
                ..List::default()
            };
            let written = match judged(&kept, id, &list) {
                Ok(()) => self.write(id, &list).await.map_err(Refused::from),
                Err(refused) => Err(refused),
            };
            if let Err(refused) = written {
                *slot = Some(kept);
                return Err(refused);
            }
            put(&mut kept, id, list);
        }
        self.tell_names(&kept);
        *slot = Some(kept);
        Ok(is_new)
    }

    /// Ends a list with nothing on it; whether it was there.
    pub(super) async fn end(&self, id: &str) -> Result<bool, Unkept> {
        let mut slot = self.kept.lock().await;
        let mut kept = self.take(&mut slot).await?;
        let is_there = kept.get(id).is_some_and(|list| list.items.is_empty());
        let ended = if is_there {
            self.records.change(vec![Change::remove(KIND, id)]).await
        } else {
            Ok(())
        };
        if is_there && ended.is_ok() {
            kept.remove(id);
        }
        self.tell_names(&kept);
        *slot = Some(kept);
        ended.map(|()| is_there)
    }

    /// Changes what is on a list and writes it; one that was not there is begun under this name, by whom that is.
    pub(super) async fn change<T>(
        &self,
        id: &str,
        name: &str,
        by: Origin,
        edit: impl FnOnce(&mut Vec<Item>) -> T,
    ) -> Result<T, Refused> {
        let mut slot = self.kept.lock().await;
        let mut kept = self.take(&mut slot).await?;
        let before = kept.get(id).cloned().unwrap_or_else(|| List {
            name: name.to_owned(),
            named_by: by.clone(),
            ..List::default()
        });
        let mut after = before.clone();
        let outcome = edit(&mut after.items);
        let more = after.items.len().saturating_sub(before.items.len());
        after.additions += u64::try_from(more).unwrap_or_default();
        // What a person empties is done with.
        after.is_made &= before.items.is_empty() || !after.items.is_empty();
        if after != before {
            let written = match judged(&kept, id, &after) {
                Ok(()) => self.write(id, &after).await.map_err(Refused::from),
                Err(refused) => Err(refused),
            };
            if let Err(refused) = written {
                *slot = Some(kept);
                return Err(refused);
            }
            self.note_emptied(id, after.items.is_empty(), by);
            put(&mut kept, id, after);
        }
        self.tell_names(&kept);
        *slot = Some(kept);
        Ok(outcome)
    }

    async fn take(&self, slot: &mut MutexGuard<'_, Option<Kept>>) -> Result<Kept, Unkept> {
        if let Some(kept) = slot.take() {
            return Ok(kept);
        }
        let records = self.records.all(KIND).await?;
        let read = |(id, value)| {
            let list: List = serde_json::from_value(value).ok()?;
            Some((id, list.settled()))
        };
        Ok(records.into_iter().filter_map(read).collect())
    }

    async fn write(&self, id: &str, list: &List) -> Result<(), Unkept> {
        let change = match serde_json::to_value(list) {
            Ok(value) if list.is_there() => Change::write(KIND, id, value),
            _ => Change::remove(KIND, id),
        };
        self.records.change(vec![change]).await
    }
}

fn judged(kept: &Kept, id: &str, list: &List) -> Result<(), Refused> {
    let is_long = |item: &Item| item.text.chars().nth(LONGEST_ITEM).is_some();
    if !kept.contains_key(id) && kept.len() >= MOST_LISTS {
        return Err(Refused::ManyLists);
    }
    if list.items.len() > MOST_ITEMS {
        return Err(Refused::ManyItems);
    }
    if list.items.iter().any(is_long) {
        return Err(Refused::LongItem);
    }
    Ok(())
}

fn put(kept: &mut Kept, id: &str, list: List) {
    if list.is_there() {
        kept.insert(id.to_owned(), list);
    } else {
        kept.remove(id);
    }
}

#[cfg(test)]
mod tests;
