//! Who has been named at which door, kept in the records; and who is bound to a door by the owner's settings.
//!
//! Knows no door by itself: it is told which sessions belong to one.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use loquat_agent::Speaker;
use loquat_agent::toolbox::Circumstances;
use loquat_kit::folded;
use loquat_kit::people::{Named, People};
use loquat_kit::records::{Change, Records, Unkept};
use loquat_kit::stations::DEVICE;
use parking_lot::RwLock;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What its records are called.
const RECORD: &str = "person";

/// The device's own conversation.
const OWN_SESSIONS: [&str; 2] = ["", "default"];

/// What the doors of programs begin with, so that none is a station's, whatever a program calls its conversation.
pub(crate) const PROGRAM: &str = "program:";

/// Doors at which a person was named; of more, the name goes that was said first and not by the owner.
const MOST: usize = 200;

/// Finds the door of a guest's session; there is none for other sessions.
pub type Doors = fn(&str) -> Option<String>;

/// A name at a door.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    name: String,
    /// Whether the owner said so.
    #[serde(default)]
    by_owner: bool,
    /// When it was said, in seconds since 1970.
    #[serde(default)]
    at: i64,
}

/// Who has been named.
pub struct Residents {
    records: Arc<dyn Records>,
    doors: Doors,
    /// What was said, by door.
    said: RwLock<BTreeMap<String, Entry>>,
    /// What the settings say, by door.
    bound: RwLock<HashMap<String, String>>,
}

impl fmt::Debug for Residents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Residents").field(&self.said.read().len()).finish()
    }
}

impl Residents {
    /// In these records, of which nothing is read yet.
    pub fn new(records: Arc<dyn Records>, doors: Doors) -> Self {
        Self {
            records,
            doors,
            said: RwLock::default(),
            bound: RwLock::default(),
        }
    }

    /// Reads who was named before. What cannot be read is told, and no person is named then.
    ///
    /// # Errors
    /// Where the records cannot be read.
    pub async fn look_over(&self) -> Result<(), Unkept> {
        let kept = self.records.all(RECORD).await?;
        let read = kept.into_iter().filter_map(|(door, value)| {
            let entry: Entry = serde_json::from_value(value).ok()?;
            // At the device itself the owner alone says who speaks.
            (entry.by_owner || door != DEVICE).then_some((door, entry))
        });
        let mut said = self.said.write();
        for (door, entry) in read {
            said.entry(door).or_insert(entry);
        }
        Ok(())
    }

    /// These persons and no others are bound to a door by the owner's settings from now on.
    pub fn bind(&self, bound: HashMap<String, String>) {
        *self.bound.write() = bound;
    }

    /// The door of a session: that of a guest, the device itself, or the conversation of a program.
    pub fn door(&self, session_id: &str) -> String {
        if OWN_SESSIONS.contains(&session_id) {
            return DEVICE.to_owned();
        }
        (self.doors)(session_id).unwrap_or_else(|| format!("{PROGRAM}{session_id}"))
    }

    /// Who speaks in a session, as far as that was said or set.
    pub fn in_session(&self, session_id: &str) -> Option<Named> {
        let door = self.door(session_id);
        if let Some(name) = self.bound.read().get(&door) {
            return Some(everywhere(name));
        }
        let said = self.said.read();
        let entry = said.get(&door)?;
        Some(if entry.by_owner {
            everywhere(&entry.name)
        } else {
            Named {
                name: entry.name.clone(),
                key: format!("{door}#{}", folded(&entry.name)),
                by_owner: false,
            }
        })
    }

    /// The doors at which a person of this name speaks, those first that the owner has set.
    pub fn doors_of(&self, name: &str) -> Vec<String> {
        let (mut doors, claimed) = self.doors_by(name);
        doors.extend(claimed);
        doors
    }

    /// The doors at which a person of this name is told what is theirs alone: those that the owner has set, and only where there are
    /// none those at which the person has said so.
    pub(crate) fn own_doors_of(&self, name: &str) -> Vec<String> {
        let (set, claimed) = self.doors_by(name);
        if set.is_empty() { claimed } else { set }
    }

    /// The doors of this name that the owner has set, and those at which it was only said.
    fn doors_by(&self, name: &str) -> (Vec<String>, Vec<String>) {
        let name = folded(name);
        let bound = self.bound.read();
        let set = bound.iter().filter(|(_, bound)| folded(bound) == name);
        let mut set: Vec<String> = set.map(|(door, _)| door.clone()).collect();
        set.sort();
        let said = self.said.read();
        let named = said
            .iter()
            .filter(|(door, entry)| folded(&entry.name) == name && !bound.contains_key(*door));
        let (by_owner, claimed): (Vec<_>, Vec<_>) = named.partition(|(_, entry)| entry.by_owner);
        set.extend(by_owner.into_iter().map(|(door, _)| door.clone()));
        (set, claimed.into_iter().map(|(door, _)| door.clone()).collect())
    }

    /// Whether a person may say who speaks where they do: at the device itself the owner alone.
    pub(super) fn may_name(&self, person: &Circumstances) -> bool {
        person.speaker.is_owner() || self.door(&person.session_id) != DEVICE
    }

    /// Keeps the name of who speaks in a conversation. What the settings say stays.
    pub(super) async fn name(&self, name: &str, person: &Circumstances) -> Result<bool, Unkept> {
        let door = self.door(&person.session_id);
        if self.bound.read().contains_key(&door) {
            return Ok(false);
        }
        let entry = Entry {
            name: name.to_owned(),
            by_owner: door == DEVICE && person.speaker == Speaker::Owner,
            at: Timestamp::now().as_second(),
        };
        let mut changes = vec![Change::write(RECORD, door.clone(), json!(entry))];
        {
            let mut said = self.said.write();
            let oldest = oldest_claim(&said).filter(|_| said.len() >= MOST && !said.contains_key(&door));
            if let Some(oldest) = oldest {
                said.remove(&oldest);
                changes.push(Change::remove(RECORD, oldest));
            }
            said.insert(door, entry);
        }
        self.records.change(changes).await?;
        Ok(true)
    }

    /// Forgets the name of who speaks in a conversation; whether there was one that could be forgotten.
    pub(super) async fn forget(&self, session_id: &str) -> Result<bool, Unkept> {
        let door = self.door(session_id);
        if self.said.write().remove(&door).is_none() {
            return Ok(false);
        }
        self.records.change(vec![Change::remove(RECORD, door)]).await?;
        Ok(true)
    }
}

/// The door of the name that was said first, of those that the owner has not said.
fn oldest_claim(said: &BTreeMap<String, Entry>) -> Option<String> {
    let claims = said.iter().filter(|(_, entry)| !entry.by_owner);
    let oldest = claims.min_by_key(|(_, entry)| entry.at)?;
    Some(oldest.0.clone())
}

impl People for Residents {
    fn in_session(&self, session_id: &str) -> Option<Named> {
        Self::in_session(self, session_id)
    }
}

/// A person who is the same at every door.
fn everywhere(name: &str) -> Named {
    Named {
        name: name.to_owned(),
        key: format!("person:{}", folded(name)),
        by_owner: true,
    }
}
