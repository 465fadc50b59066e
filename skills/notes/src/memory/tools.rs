//! What the tools take and do. Searching and keeping are the work of the store.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::origin::Origin;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::results::{Emptied, Forgotten, Recalled, Remembered, quoted};
use super::store::{LONGEST, Memories, Memory, Refused, Source};
use super::undo;
use super::words::holds_all;
use loquat_kit::calendar::Now;
use loquat_kit::dialog::Telling;
use loquat_kit::records::Unkept;

/// A person who hears more has forgotten the first.
const MOST_READ: usize = 5;

/// More are not forgotten by one wish.
const MOST_FORGOTTEN: usize = 3;

/// What all tools work on.
#[derive(Clone)]
pub(super) struct Keeper {
    pub(super) memories: Arc<Memories>,
    pub(super) now: Now,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Fact {
    /// In the person's words, as in "my sister is called Anna".
    fact: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Topic {
    /// A few words; default: everything.
    #[serde(default)]
    about: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Unwanted {
    /// A few words that it holds.
    about: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Nothing {}

pub(super) fn remember(
    keeper: Keeper,
    asked: Fact,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Remembered, ToolError>> {
    async move {
        let text = asked.fact.trim().to_owned();
        if keeper.memories.words(&text).is_empty() {
            return Err(complaint("fact: it says nothing; write what is to be remembered"));
        }
        if text.chars().nth(LONGEST).is_some() {
            return Err(complaint("fact: it is too long; write it in one short sentence"));
        }
        let now = (keeper.now)();
        let memory = Memory {
            owner: keeper.memories.owner_in(&person.session_id),
            text: text.clone(),
            since: now.as_second(),
            source: source(person),
            by: Origin::of(person),
        };
        let (id, before) = keeper.memories.keep(memory, now).await?;
        Ok(Remembered {
            undo: undo::of_remembered(&id, before.as_ref(), &text),
            remembered: text,
        })
    }
    .boxed()
}

pub(super) fn recall(
    keeper: Keeper,
    asked: Topic,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Recalled, ToolError>> {
    async move {
        let owner = keeper.memories.owner_in(&person.session_id);
        let about = asked.about.filter(|about| !about.trim().is_empty());
        let (facts, is_of_nobody) = if let Some(about) = &about {
            let (found, is_of_nobody) = found(&keeper.memories, about, person).await?;
            (nearest(found, about, &keeper.memories), is_of_nobody)
        } else {
            let all = keeper.memories.all(&owner).await.map_err(unread)?;
            (newest_first(all), false)
        };
        if let (Some(about), true) = (&about, facts.is_empty()) {
            let message = format!("nothing is remembered about {about}");
            return Err(ToolError::reply("LookupError", message));
        }
        let is_foreign = facts.iter().any(|(_, memory)| memory.is_foreign_to(person));
        let texts = facts.into_iter().map(|(_, memory)| memory.text);
        let recalled = recalled(texts.collect(), about.is_some(), is_foreign || is_of_nobody);
        Ok(Recalled {
            told: recalled.told.of_strangers(is_foreign),
            ..recalled
        })
    }
    .boxed()
}

/// What shares a word with this: of who has been named, or else what was said there before a name was, which comes with a
/// yes.
async fn found(
    memories: &Memories,
    about: &str,
    person: &Circumstances,
) -> Result<(Vec<(String, Memory)>, bool), ToolError> {
    let owner = memories.owner_in(&person.session_id);
    let own = memories.about(&owner, about).await.map_err(unread)?;
    if !own.is_empty() || owner == person.session_id {
        return Ok((own, false));
    }
    let said_there = memories.about(&person.session_id, about).await.map_err(unread)?;
    Ok((said_there, true))
}

/// What may be the words of others is not told as what the person has said.
fn recalled(all: Vec<String>, about: bool, is_foreign: bool) -> Recalled {
    let count = all.len();
    let facts: Vec<String> = all.into_iter().take(MOST_READ).collect();
    let is_more = count > facts.len() && !about;
    let dialog = match (facts.is_empty(), is_more, is_foreign) {
        (true, ..) => "nothing",
        (false, true, false) => "recalled_more",
        (false, false, false) => "recalled",
        (false, true, true) => "noted_more",
        (false, false, true) => "noted",
    };
    let told = Telling::new(dialog)
        .words("facts", quoted(&facts))
        .words("more", (count - facts.len()).to_string());
    Recalled { facts, count, told }
}

/// Those that say all that was asked for; where none does, all that say a part of it.
fn nearest(found: Vec<(String, Memory)>, about: &str, memories: &Memories) -> Vec<(String, Memory)> {
    let wanted = memories.words(about);
    let says_all = |(_, memory): &&(String, Memory)| holds_all(&memories.words(&memory.text), &wanted);
    let whole: Vec<_> = found.iter().filter(says_all).cloned().collect();
    if whole.is_empty() { found } else { whole }
}

fn newest_first(mut all: Vec<(String, Memory)>) -> Vec<(String, Memory)> {
    all.reverse();
    all
}

pub(super) fn forget(
    keeper: Keeper,
    asked: Unwanted,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Forgotten, ToolError>> {
    async move {
        let memories = &keeper.memories;
        let (found, _) = found(memories, &asked.about, person).await?;
        let wanted = memories.words(&asked.about);
        let holds_all = |memory: &Memory| holds_all(&memories.words(&memory.text), &wanted);
        let unwanted: Vec<_> = found
            .into_iter()
            .filter(|(_, memory)| holds_all(memory))
            .collect();
        match unwanted.len() {
            0 => Ok(Forgotten::default()),
            1..=MOST_FORGOTTEN => {
                let undo = undo::of_forgotten(&unwanted);
                let (ids, memories): (Vec<_>, Vec<_>) = unwanted.into_iter().unzip();
                keeper.memories.forget(ids).await.map_err(unread)?;
                Ok(Forgotten {
                    is_foreign: memories.iter().any(|memory| memory.is_foreign_to(person)),
                    forgotten: memories.into_iter().map(|memory| memory.text).collect(),
                    undo,
                })
            }
            count => Err(complaint(&format!(
                "about: {count} things are remembered about that; say more words of the one that is meant"
            ))),
        }
    }
    .boxed()
}

pub(super) fn forget_everything(
    keeper: Keeper,
    _: Nothing,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Emptied, ToolError>> {
    async move {
        let owner = keeper.memories.owner_in(&person.session_id);
        let count = keeper.memories.forget_all(&owner).await;
        let forgotten = count.map_err(unread)?;
        keeper.memories.forget_conversation(&person.session_id);
        Ok(Emptied { forgotten })
    }
    .boxed()
}

fn source(person: &Circumstances) -> Source {
    if Origin::of(person).is_own() {
        Source::Told
    } else {
        Source::Program
    }
}

fn complaint(message: &str) -> ToolError {
    ToolError::reply("ValueError", message)
}

pub(super) fn unread(error: Unkept) -> ToolError {
    ToolError::reply(
        "OSError",
        format!("what is remembered is not known, since {error}"),
    )
}

impl From<Refused> for ToolError {
    fn from(refused: Refused) -> Self {
        let class = match refused {
            Refused::Unkept(_) => "OSError",
            Refused::Full => "ValueError",
        };
        Self::reply(class, refused.to_string())
    }
}
