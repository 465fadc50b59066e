//! What is remembered, in the records: kept, searched and forgotten for one owner at a time.
//!
//! No fact is held in memory, so that what another program takes out of the state file is gone at once; only the words are by
//! which a question is known to be about one. Knows no language but the plain words of all of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use loquat_agent::origin::Origin;
use loquat_agent::toolbox::Circumstances;
use parking_lot::{Mutex, RwLock};
use serde::{Deserialize, Serialize};

use super::words;
use loquat_kit::locale::Locales;
use loquat_kit::people::People;
use loquat_kit::records::{Change, MEMORY, Records, Unkept};

/// Of one owner. A person says fewer in years; a model that runs wild must not fill the disk.
const MOST: usize = 1_000;

/// In characters.
pub(super) const LONGEST: usize = 500;

/// Of those that share a word with what was said, so many are looked at.
const LOOKED_AT: usize = 20;

/// Brought into a turn without having been asked for.
const MOST_BROUGHT: usize = 6;

/// Of the words of a fact that the device notes itself, this share at least is the person's.
const OWN_WORDS: f64 = 0.6;

/// A source below this is not brought into a turn that did not ask for it.
const ENOUGH_TRUST: f64 = 0.5;

/// Who had it remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The owner, in a turn.
    Told,
    /// The device noted it when it looked back on a conversation.
    Noted,
    /// A program, a guest, or a turn that had read what strangers wrote.
    Program,
}

impl Source {
    /// Between none (0) and full (1).
    fn trust(self) -> f64 {
        match self {
            Self::Told => 1.0,
            Self::Noted => 0.6,
            Self::Program => 0.3,
        }
    }
}

/// Something remembered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// The session for which it is remembered.
    pub owner: String,
    /// In the words in which it was said.
    pub text: String,
    /// It was kept then, in seconds of Unix time.
    pub since: i64,
    /// Who had it remembered.
    pub source: Source,
    /// Whose words it is. Of what was kept before this was written down, the source alone tells.
    #[serde(default)]
    pub by: Origin,
}

impl Memory {
    /// Whether it may be words of a stranger to who is told it.
    pub(super) fn is_foreign_to(&self, person: &Circumstances) -> bool {
        self.source == Source::Program && self.by.is_foreign_to(person)
    }
}

/// Why it is not remembered.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refused {
    #[error("nothing was remembered, since {0}")]
    Unkept(#[from] Unkept),
    #[error("fact: {MOST} things are remembered already, and no more can be; forget some first")]
    Full,
}

/// All that is remembered.
#[derive(Debug)]
pub struct Memories {
    records: Arc<dyn Records>,
    locales: Arc<Locales>,
    /// Held by who looks for a place and takes it.
    keeping: tokio::sync::Mutex<()>,
    /// Owners of whom all, or what was said, was forgotten since this was asked last.
    emptied: Mutex<BTreeSet<String>>,
    /// The words of each thing that is remembered, as they were last read.
    told: RwLock<Vec<Vec<String>>>,
    /// Who has been named in which conversation.
    people: Option<Arc<dyn People>>,
}

impl Memories {
    /// In these records.
    pub fn new(records: Arc<dyn Records>, locales: Arc<Locales>) -> Self {
        Self {
            records,
            locales,
            keeping: tokio::sync::Mutex::default(),
            emptied: Mutex::default(),
            told: RwLock::default(),
            people: None,
        }
    }

    /// Keeps apart what those have said whom this knows by their names.
    #[must_use]
    pub fn knowing(self, people: Arc<dyn People>) -> Self {
        let people = Some(people);
        Self { people, ..self }
    }

    /// Whose what is said in a session is: that of who has been named there, or else of the session.
    pub(super) fn owner_in(&self, session_id: &str) -> String {
        let named = self
            .people
            .as_ref()
            .and_then(|people| people.in_session(session_id));
        named.map_or_else(|| session_id.to_owned(), |named| named.key)
    }

    /// What who speaks in a session is called, where that was said.
    pub fn name_in(&self, session_id: &str) -> Option<String> {
        let named = self.people.as_ref()?.in_session(session_id)?;
        Some(named.name)
    }

    /// Reads of what something is remembered, for `tells_of`. What changes here is known without it.
    ///
    /// # Errors
    /// Where the records cannot be read.
    pub async fn look_over(&self) -> Result<(), Unkept> {
        let all = self.of_all_owners().await?;
        let words = all.iter().map(|(_, memory)| self.words(&memory.text)).collect();
        *self.told.write() = words;
        Ok(())
    }

    /// Whether something is remembered that says all that a text is about. Whose it is is not looked at.
    pub(super) fn tells_of(&self, text: &str) -> bool {
        let wanted = self.words(text);
        let told = self.told.read();
        !wanted.is_empty() && told.iter().any(|held| words::holds_all(held, &wanted))
    }

    /// Keeps it, under the id that comes back; one of the same words, which comes back too, loses its place. What one has said
    /// who is trusted more stays theirs, no matter who says it again.
    pub(super) async fn keep(
        &self,
        mut memory: Memory,
        now: Timestamp,
    ) -> Result<(String, Option<Memory>), Refused> {
        let _alone = self.keeping.lock().await;
        let known = self.all(&memory.owner).await?;
        let said = loquat_kit::folded(&memory.text);
        let count = known.len();
        let again = known
            .into_iter()
            .find(|(_, old)| loquat_kit::folded(&old.text) == said);
        let (id, before) = match again {
            Some((id, old)) => (id, Some(old)),
            None if count >= MOST => return Err(Refused::Full),
            None => (self.free_id(now).await?, None),
        };
        if let Some(old) = before
            .as_ref()
            .filter(|old| old.source.trust() > memory.source.trust())
        {
            (memory.source, memory.by, memory.text) = (old.source, old.by.clone(), old.text.clone());
        }
        self.change(vec![Change::write(MEMORY, id.clone(), json(&memory))])
            .await?;
        Ok((id, before))
    }

    /// Has what is remembered of an owner under these ids be this again, or nothing. What another owner has stays.
    pub(super) async fn restore(
        &self,
        owner: &str,
        before: Vec<(String, Option<Memory>)>,
    ) -> Result<(), Unkept> {
        let known = self.records.all(MEMORY).await?;
        let is_foreign = |id: &str| {
            let known = known.iter().find(|(known, _)| known == id).cloned();
            known
                .and_then(read)
                .is_some_and(|(_, memory)| memory.owner != owner)
        };
        let own = before.into_iter().filter(|(id, _)| !is_foreign(id));
        let changes = own.map(|(id, memory)| match memory {
            Some(memory) => Change::write(MEMORY, id, json(&memory)),
            None => Change::remove(MEMORY, id),
        });
        self.change(changes.collect()).await
    }

    /// Keeps what the device noted of what a person said, as far as it is theirs and not known yet. What does not fit is
    /// left out: the person did not ask for it.
    pub async fn note(
        &self,
        owner: &str,
        facts: Vec<String>,
        said: &str,
        now: Timestamp,
    ) -> Result<(), Unkept> {
        let said: BTreeSet<String> = self.words(said).into_iter().collect();
        for text in facts {
            if !self.is_of(&text, &said) || self.is_known(owner, &text).await? {
                continue;
            }
            let memory = Memory {
                owner: owner.to_owned(),
                text: text.chars().take(LONGEST).collect(),
                since: now.as_second(),
                source: Source::Noted,
                by: Origin::Own,
            };
            if let Err(Refused::Unkept(unkept)) = self.keep(memory, now).await {
                return Err(unkept);
            }
        }
        Ok(())
    }

    /// Whether most words of a fact are among these: a small model makes up the rest.
    fn is_of(&self, fact: &str, said: &BTreeSet<String>) -> bool {
        let words = self.words(fact);
        let own = words.iter().filter(|word| said.contains(*word)).count();
        own as f64 >= OWN_WORDS * words.len() as f64
    }

    /// Whether something that is remembered says all that this says.
    async fn is_known(&self, owner: &str, text: &str) -> Result<bool, Unkept> {
        let words: BTreeSet<String> = self.words(text).into_iter().collect();
        let found = self.holding(owner, words.iter().cloned().collect()).await?;
        let says_all = |known: &Memory| {
            let held: BTreeSet<String> = self.words(&known.text).into_iter().collect();
            words.is_subset(&held)
        };
        Ok(words.is_empty() || found.iter().any(|(_, known)| says_all(known)))
    }

    /// All of an owner, the oldest first.
    pub async fn all(&self, owner: &str) -> Result<Vec<(String, Memory)>, Unkept> {
        let records = self.records.all(MEMORY).await?;
        let own = records.into_iter().filter_map(read);
        Ok(own.filter(|(_, memory)| memory.owner == owner).collect())
    }

    /// All of everybody, the oldest first.
    pub async fn of_all_owners(&self) -> Result<Vec<(String, Memory)>, Unkept> {
        Ok(self
            .records
            .all(MEMORY)
            .await?
            .into_iter()
            .filter_map(read)
            .collect())
    }

    /// Of an owner, what shares a word with this, the best first.
    pub(super) async fn about(&self, owner: &str, text: &str) -> Result<Vec<(String, Memory)>, Unkept> {
        self.holding(owner, self.words(text)).await
    }

    async fn holding(&self, owner: &str, words: Vec<String>) -> Result<Vec<(String, Memory)>, Unkept> {
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let found = self.records.search(owner, words, LOOKED_AT).await?;
        Ok(found.into_iter().filter_map(read).collect())
    }

    /// What may help to answer this, in no more than about so many characters, the best first. Nothing where the records
    /// cannot be read: an answer without it is better than none.
    pub async fn relevant(&self, session_id: &str, utterance: &str, characters: usize) -> Vec<String> {
        let owner = self.owner_in(session_id);
        let found = self.about(&owner, utterance).await.unwrap_or_default();
        let trusted = found
            .into_iter()
            .filter(|(_, memory)| memory.source.trust() >= ENOUGH_TRUST);
        let mut room = characters;
        let fits = |text: &String| {
            let rest = room.checked_sub(text.chars().count());
            room = rest.unwrap_or_default();
            rest.is_some()
        };
        let texts = trusted.map(|(_, memory)| memory.text);
        texts.take_while(fits).take(MOST_BROUGHT).collect()
    }

    /// Forgets these.
    pub async fn forget(&self, ids: impl IntoIterator<Item = String>) -> Result<(), Unkept> {
        let gone = ids.into_iter().map(|id| Change::remove(MEMORY, id));
        self.change(gone.collect()).await
    }

    /// Forgets all of an owner; how many there were.
    pub(super) async fn forget_all(&self, owner: &str) -> Result<usize, Unkept> {
        let all = self.all(owner).await?;
        let count = all.len();
        self.forget(all.into_iter().map(|(id, _)| id)).await?;
        Ok(count)
    }

    /// Has what was said in a session forgotten when its turn ends. What is remembered of it stays.
    pub fn forget_conversation(&self, owner: &str) {
        self.emptied.lock().insert(owner.to_owned());
    }

    /// Whether all of an owner was forgotten since this was asked last: what was said in the session goes with it.
    pub fn was_emptied(&self, owner: &str) -> bool {
        self.emptied.lock().remove(owner)
    }

    /// The words by which a text is found.
    pub(super) fn words(&self, text: &str) -> Vec<String> {
        words::telling(&self.locales, text)
    }

    async fn change(&self, changes: Vec<Change>) -> Result<(), Unkept> {
        self.records.change(changes).await?;
        self.look_over().await
    }

    /// In the order in which they are made.
    async fn free_id(&self, now: Timestamp) -> Result<String, Unkept> {
        let taken: BTreeSet<String> = self
            .records
            .all(MEMORY)
            .await?
            .into_iter()
            .map(|(id, _)| id)
            .collect();
        let milliseconds = now.as_millisecond().max(0);
        let mut ids = (milliseconds..).map(|number| format!("{number:015}"));
        Ok(ids.find(|id| !taken.contains(id)).unwrap_or_default())
    }
}

fn json(memory: &Memory) -> serde_json::Value {
    serde_json::to_value(memory).unwrap_or_default()
}

fn read((id, value): (String, serde_json::Value)) -> Option<(String, Memory)> {
    Some((id, serde_json::from_value(value).ok()?))
}
