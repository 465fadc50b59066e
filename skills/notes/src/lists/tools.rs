//! What the tools take, give and tell; names, items and what is kept are the work of the modules beside.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::origin::Origin;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::item::{Item, texts};
use super::items;
use super::names::{self, ListName};
use super::results::{
    Addition, Checked, Checks, Cleared, Contents, Created, Exported, Overview, Removal, Size, Sought,
};
use super::store::{Lists, Refused};
use super::undo::Undo;
use super::words::Words;
use loquat_kit::asked;
use loquat_kit::dialog::{Gap, Telling};
use loquat_kit::locale::Locales;
use loquat_kit::records::Unkept;

/// A person who hears more has forgotten the first.
const MOST_READ: usize = 10;

/// In one call; each is compared with all that are there.
const MOST_THINGS: usize = 50;

/// In bytes; what a person names in one sentence is shorter.
const LONGEST_TEXT: usize = 5_000;

/// What all tools work on.
#[derive(Debug, Clone)]
pub(super) struct Shelf {
    pub(super) lists: Arc<Lists>,
    pub(super) locales: Arc<Locales>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Things {
    /// All in one text, as in "milk, eggs and bread".
    items: String,
    /// Name of the list; default: the shopping list.
    #[serde(default)]
    list: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Which {
    /// Name of the list; default: the shopping list.
    #[serde(default)]
    list: Option<String>,
}

/// What is looked for on a list.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum LookedFor {
    Empty,
    Filled,
    Additions,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Check {
    /// Whether it is empty or filled, or how often something was put on it.
    #[serde(rename = "for")]
    looked_for: LookedFor,
    /// Name of the list; default: the shopping list.
    #[serde(default)]
    list: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Nothing {}

impl Shelf {
    pub(super) fn words<'a>(&'a self, person: &'a Circumstances) -> Words<'a> {
        Words::of(&self.locales, person.lang.as_deref())
    }
}

pub(super) fn add(
    shelf: Shelf,
    asked: Things,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Addition, ToolError>> {
    async move {
        let words = shelf.words(person);
        let list = list_of(asked.list.as_deref(), &words)?;
        let wanted = things(&asked.items, &list, &words)?;
        let by = Origin::of(person);
        let change = |items: &mut Vec<Item>| taken_up(items, wanted, &by, &words);
        let named_by = by.clone();
        let (added, present) = shelf.lists.change(&list.id, &list.name, named_by, change).await?;
        let dialog = match (added.is_empty(), present.is_empty()) {
            (true, _) => "already_there",
            (false, true) if list.takes_notes() => "noted",
            (false, true) => "added",
            (false, false) => "added_some",
        };
        let told = about(dialog, &list, &words)
            .with("added", Gap::Several(added.clone()))
            .with("present", Gap::Several(present.clone()));
        Ok(Addition {
            undo: Undo::of_added(&list, &added),
            list: list.name,
            added,
            already_there: present,
            told,
        })
    }
    .boxed()
}

pub(super) fn remove(
    shelf: Shelf,
    asked: Things,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Removal, ToolError>> {
    async move {
        let words = shelf.words(person);
        let list = list_of(asked.list.as_deref(), &words)?;
        let unwanted = things(&asked.items, &list, &words)?;
        let named_by = shelf.lists.list(&list.id).await.map_err(unread)?.named_by;
        let change = |items: &mut Vec<Item>| taken_off(items, unwanted, &words);
        let by = Origin::of(person);
        let (removed, missing) = shelf.lists.change(&list.id, &list.name, by, change).await?;
        let dialog = match (removed.is_empty(), missing.is_empty()) {
            (true, _) => "not_there",
            (false, true) => "removed",
            (false, false) => "removed_some",
        };
        let undo = Undo::of_removed(&list, removed.iter().cloned(), named_by);
        let removed: Vec<String> = removed.into_iter().map(|(_, item)| item.text).collect();
        let told = about(dialog, &list, &words)
            .with("removed", Gap::Several(removed.clone()))
            .with("missing", Gap::Several(missing.clone()));
        Ok(Removal {
            undo,
            list: list.name,
            removed,
            not_there: missing,
            told,
        })
    }
    .boxed()
}

pub(super) fn read(
    shelf: Shelf,
    asked: Which,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Contents, ToolError>> {
    async move {
        let words = shelf.words(person);
        let list = list_of(asked.list.as_deref(), &words)?;
        let kept = shelf.lists.list(&list.id).await.map_err(unread)?;
        let items = texts(&kept.items);
        let told = contents(&list, &items, &words).of_strangers(kept.is_foreign_to(person));
        Ok(Contents {
            list: list.name,
            count: items.len(),
            items,
            told,
        })
    }
    .boxed()
}

pub(super) fn find(
    shelf: Shelf,
    asked: Things,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Sought, ToolError>> {
    async move {
        let words = shelf.words(person);
        let list = list_of(asked.list.as_deref(), &words)?;
        let sought = things(&asked.items, &list, &words)?;
        let kept = shelf.lists.list(&list.id).await.map_err(unread)?;
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for item in sought {
            match items::sought(&kept.items, &item, &words) {
                Some(known) => found.push(known.to_owned()),
                None => missing.push(item),
            }
        }
        let dialog = match (found.is_empty(), missing.is_empty()) {
            (true, _) => "find_none",
            (false, true) => "find_all",
            (false, false) => "find_some",
        };
        let told = about(dialog, &list, &words)
            .with("found", Gap::Several(found.clone()))
            .with("missing", Gap::Several(missing.clone()));
        Ok(Sought {
            list: list.name,
            found,
            missing,
            told,
        })
    }
    .boxed()
}

pub(super) fn check(
    shelf: Shelf,
    asked: Check,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Checked, ToolError>> {
    async move {
        let words = shelf.words(person);
        let list = list_of(asked.list.as_deref(), &words)?;
        let kept = shelf.lists.list(&list.id).await.map_err(unread)?;
        let is_empty = kept.items.is_empty();
        let answer = match asked.looked_for {
            LookedFor::Empty => Checks::IsSo(is_empty.into()),
            LookedFor::Filled => Checks::IsSo((!is_empty).into()),
            LookedFor::Additions => Checks::Times(kept.additions),
        };
        // That a list is empty is as little the owner's word, where another has emptied it.
        let is_foreign = kept.is_foreign_to(person) || shelf.lists.was_emptied_by_stranger(&list.id, person);
        let told = contents(&list, &texts(&kept.items), &words).of_strangers(is_foreign);
        Ok(Checked {
            list: list.name,
            answer,
            told,
        })
    }
    .boxed()
}

/// The question whether to clear a list. Its name comes first, with the marks that [`particulars`] leaves, so that it leads away
/// from nothing.
pub(super) fn asked_to_clear(arguments: &Map<String, Value>) -> Option<Telling> {
    if arguments.is_empty() {
        return Some(Telling::new("ask_clear_shopping"));
    }
    let list = asked::named(arguments, "list", &[])?;
    if names::is_shopping(&list) {
        return Some(Telling::new("ask_clear_shopping"));
    }
    Some(Telling::new("ask_clear").words("list", list))
}

pub(super) fn create(
    shelf: Shelf,
    asked: Which,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Created, ToolError>> {
    async move {
        let words = shelf.words(person);
        let list = list_of(asked.list.as_deref(), &words)?;
        let by = Origin::of(person);
        let is_new = shelf.lists.make(&list.id, &list.name, by).await?;
        let dialog = if is_new { "created" } else { "there_already" };
        let told = about(dialog, &list, &words);
        Ok(Created {
            undo: if is_new {
                Undo::of_made(&list)
            } else {
                Undo::default()
            },
            list: list.name,
            is_new,
            told,
        })
    }
    .boxed()
}

pub(super) fn clear(
    shelf: Shelf,
    asked: Which,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Cleared, ToolError>> {
    async move {
        let words = shelf.words(person);
        let list = list_of(asked.list.as_deref(), &words)?;
        let named_by = shelf.lists.list(&list.id).await.map_err(unread)?.named_by;
        let by = Origin::of(person);
        let removed = shelf
            .lists
            .change(&list.id, &list.name, by, std::mem::take)
            .await?;
        let is_done = !removed.is_empty() || shelf.lists.end(&list.id).await.map_err(unread)?;
        let dialog = if is_done { "cleared" } else { "empty" };
        let told = about(dialog, &list, &words);
        Ok(Cleared {
            removed: removed.len(),
            undo: Undo::of_removed(&list, removed.into_iter().map(|item| (0, item)), named_by),
            list: list.name,
            told,
        })
    }
    .boxed()
}

pub(super) fn all(
    shelf: Shelf,
    _: Nothing,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Overview, ToolError>> {
    async move {
        let words = shelf.words(person);
        let kept = shelf.lists.all().await.map_err(unread)?;
        let (mut lists, mut said) = (Vec::new(), Vec::new());
        let is_foreign = kept
            .iter()
            .any(|(id, list)| list.named_by.is_foreign_to(person) && !names::is_standard(id));
        for (id, list) in kept {
            let name = names::kept(id, list.name, &words);
            said.push(size(&name, list.items.len(), &words));
            lists.push(Size {
                name: name.name,
                count: list.items.len(),
            });
        }
        let dialog = if said.is_empty() { "no_lists" } else { "lists" };
        let told = Telling::new(dialog).with("lists", Gap::Several(said));
        let told = told.of_strangers(is_foreign);
        Ok(Overview { lists, told })
    }
    .boxed()
}

pub(super) fn export(
    shelf: Shelf,
    asked: Which,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Exported, ToolError>> {
    async move {
        let words = shelf.words(person);
        let list = list_of(asked.list.as_deref(), &words)?;
        let kept = shelf.lists.list(&list.id).await.map_err(unread)?;
        let items = texts(&kept.items);
        let told = contents(&list, &items, &words).of_strangers(kept.is_foreign_to(person));
        Ok(Exported {
            list: list.name,
            text: items.join("\n"),
            told,
        })
    }
    .boxed()
}

fn list_of(said: Option<&str>, words: &Words<'_>) -> Result<ListName, ToolError> {
    ListName::of(said, words).ok_or_else(|| {
        let complaint = "list: this is no name of a list; write a short one, such as shopping list";
        ToolError::reply("ValueError", complaint)
    })
}

/// The items that a text names; a note is one.
fn things(text: &str, list: &ListName, words: &Words<'_>) -> Result<Vec<String>, ToolError> {
    if text.len() > LONGEST_TEXT {
        let complaint = "items: the text is too long; name fewer things at once";
        return Err(ToolError::reply("ValueError", complaint));
    }
    let things = if list.takes_notes() {
        let note = items::trimmed(text);
        Some(note).filter(|note| !note.is_empty()).into_iter().collect()
    } else {
        items::split(text, words)
    };
    if things.is_empty() {
        let complaint = "items: nothing is named; write what the person said, such as milk and eggs";
        return Err(ToolError::reply("ValueError", complaint));
    }
    if things.len() > MOST_THINGS {
        let complaint = format!(
            "items: there are {} things; name at most {MOST_THINGS} at once",
            things.len()
        );
        return Err(ToolError::reply("ValueError", complaint));
    }
    Ok(things)
}

/// What was added, and what was there before.
fn taken_up(
    items: &mut Vec<Item>,
    wanted: Vec<String>,
    by: &Origin,
    words: &Words<'_>,
) -> (Vec<String>, Vec<String>) {
    let (mut added, mut present) = (Vec::new(), Vec::new());
    for item in wanted {
        // What a sentence names twice is no news.
        if items::position(&added, &item, words).is_some() {
            continue;
        }
        if items::position(items, &item, words).is_some() {
            present.push(item);
        } else {
            items.push(Item::new(item.as_str(), by.clone()));
            added.push(item);
        }
    }
    (added, present)
}

/// What was removed, as it stood there and at which place, and what was not there.
fn taken_off(
    items: &mut Vec<Item>,
    unwanted: Vec<String>,
    words: &Words<'_>,
) -> (Vec<(usize, Item)>, Vec<String>) {
    let (mut removed, mut missing) = (Vec::new(), Vec::new());
    for item in unwanted {
        match items::position(items, &item, words) {
            Some(at) => removed.push((at, items.remove(at))),
            None => missing.push(item),
        }
    }
    (removed, missing)
}

/// A sentence about a list.
pub(super) fn about(dialog: &'static str, list: &ListName, words: &Words<'_>) -> Telling {
    let phrases = list.phrases(words);
    Telling::new(dialog)
        .words("to_list", phrases.to)
        .words("on_list", phrases.on)
        .words("from_list", phrases.from)
        .words("list", phrases.plain)
}

/// What is on a list, as far as a person remembers it.
fn contents(list: &ListName, items: &[String], words: &Words<'_>) -> Telling {
    let first: Vec<String> = items.iter().take(MOST_READ).cloned().collect();
    let more = items.len() - first.len();
    let dialog = match (first.is_empty(), more) {
        (true, _) => "empty",
        (false, 0) => "contents",
        (false, _) => "contents_more",
    };
    let told = about(dialog, list, words)
        .with("items", Gap::Several(first.clone()))
        .words("more", more.to_string());
    match items.len() {
        0 => told,
        1 => told.with("only", Gap::Several(first)),
        count => told.words("count", count.to_string()),
    }
}

/// `your shopping list with 3 items`
fn size(list: &ListName, count: usize, words: &Words<'_>) -> String {
    let pattern = if count == 1 { "one" } else { "several" };
    let pattern = words.forms("size.value", pattern).next().unwrap_or("{list}");
    pattern
        .replace("{count}", &count.to_string())
        .replace("{list}", &list.phrases(words).plain)
}

impl From<Refused> for ToolError {
    fn from(refused: Refused) -> Self {
        let class = match refused {
            Refused::Unkept(_) => "OSError",
            _ => "ValueError",
        };
        Self::reply(class, refused.to_string())
    }
}

pub(super) fn unread(error: Unkept) -> ToolError {
    ToolError::reply("OSError", format!("the lists are not known, since {error}"))
}
