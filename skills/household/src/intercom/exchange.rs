//! All rooms in which something can be said, by whichever way, and what was said where last. Chooses the rooms that are meant
//! and keeps to their rest; the ways themselves speak.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use loquat_agent::speakable;
use loquat_agent::toolbox::Circumstances;
use loquat_kit::dialog::Telling;
use loquat_kit::hours::Hours;
use loquat_kit::people::{Named, People, Whereabouts};
use loquat_kit::stations::{Announcement, Station, Stations, Unspoken};
use loquat_kit::{Locales, folded};
use parking_lot::{Mutex, RwLock};
use tokio::time::{Instant, timeout};

use super::caller::Caller;
use super::pace::Pace;
use super::which::{self, Meant};
use super::{DEVICE, FOLDER};
use crate::people::Residents;

/// Characters of what is announced.
pub const LONGEST: usize = 300;

/// Rooms in which something is said at once.
const MOST: usize = 32;

/// One room has this long. A home answers when it has spoken, and a long announcement is still being spoken then.
const SPEAKING: Duration = Duration::from_secs(12);

/// So long what was said in a room can be answered.
const ANSWERABLE: Duration = Duration::from_secs(30 * 60);

/// Rooms of which is known what was said there last; of more, the oldest is forgotten.
const HEARD: usize = 256;

/// Where something is to be said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Aim {
    /// In all rooms but the one where it was said.
    Everywhere,
    /// In the room of this name, or where the person of this name is.
    Room(String),
    /// In another room, of which was not said which.
    Elsewhere,
    /// Where that comes from which was said here last.
    Back,
}

/// Why nothing was said anywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// There is no other room with a voice.
    NoRooms,
    /// Nothing can be said in this one; these are those in which something can.
    NoVoice(String, Vec<String>),
    /// It is the room in which it was said.
    Here,
    /// Any of these may be meant.
    Which(Vec<String>),
    /// Nothing was said here lately that could be answered.
    NothingSaid,
    /// Too much is being said.
    TooMany,
}

/// What became of it, by what the rooms are called; the device itself may have no name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// It was said there.
    pub heard: Vec<String>,
    /// They are not to be disturbed.
    pub resting: Vec<String>,
    /// They cannot be reached.
    pub gone: Vec<String>,
    /// Why it was not said anywhere.
    pub trouble: Option<Trouble>,
}

/// What was said in a room last.
#[derive(Debug)]
struct Heard {
    from: String,
    at: Instant,
}

/// All rooms in which something can be said.
#[derive(Debug)]
pub struct Intercom {
    locales: Arc<Locales>,
    residents: Arc<Residents>,
    /// The quiet hours of the house.
    hours: Option<(Hours, TimeZone)>,
    ways: RwLock<Vec<Arc<dyn Stations>>>,
    /// Those that are taken only where no other way leads to a room.
    behind: RwLock<Vec<Arc<dyn Stations>>>,
    heard: Mutex<HashMap<String, Heard>>,
    pace: Mutex<Pace>,
}

impl Intercom {
    /// One without any rooms yet.
    pub fn new(locales: Arc<Locales>, residents: Arc<Residents>) -> Self {
        Self {
            locales,
            residents,
            hours: None,
            ways: RwLock::default(),
            behind: RwLock::default(),
            heard: Mutex::default(),
            pace: Mutex::default(),
        }
    }

    /// With quiet hours of the house, in the zone of this name; in the machine's own where none of that name is known.
    #[must_use]
    pub fn with_hours(self, hours: Option<Hours>, zone: Option<&str>) -> Self {
        let zone = zone.and_then(|name| TimeZone::get(name).ok());
        let zone = zone.unwrap_or_else(TimeZone::system);
        let hours = hours.map(|hours| (hours, zone));
        Self { hours, ..self }
    }

    /// From now on something can be said in these rooms, too. A room that an earlier way reaches is not told twice.
    pub fn add(&self, way: Arc<dyn Stations>) {
        self.ways.write().push(way);
    }

    /// The same for rooms that are taken only where no other way leads to them, whenever that is added.
    pub fn add_behind(&self, way: Arc<dyn Stations>) {
        self.behind.write().push(way);
    }

    /// Who has been named.
    pub fn residents(&self) -> &Arc<Residents> {
        &self.residents
    }

    /// All rooms, each with the way to it.
    pub(super) fn all(&self) -> Vec<(Station, Arc<dyn Stations>)> {
        let mut ways = self.ways.read().clone();
        ways.extend(self.behind.read().iter().map(Arc::clone));
        let mut all: Vec<(Station, Arc<dyn Stations>)> = Vec::new();
        for way in ways {
            let reached: Vec<String> = all.iter().filter_map(|(station, _)| called(station)).collect();
            let is_new = |station: &Station| !called(station).is_some_and(|name| reached.contains(&name));
            let new = way.stations().into_iter().filter(is_new);
            let new: Vec<_> = new.map(|station| (station, Arc::clone(&way))).collect();
            all.extend(new);
        }
        all
    }

    /// The names of the rooms other than this one that can be reached.
    pub fn rooms(&self, station: &str, lang: &str) -> Vec<String> {
        let others = self.all().into_iter();
        let others = others.filter(|(other, _)| other.is_there && other.id != station);
        let mut names: Vec<String> = others.map(|(other, _)| self.told(&other, lang)).collect();
        names.dedup();
        names
    }

    /// Why nothing could be said there, without saying anything.
    pub(super) fn trouble(&self, caller: &Caller, aim: &Aim) -> Option<Said> {
        self.meant(caller, aim).err().map(Said::not)
    }

    /// Says it where it is to be said. Done when it is on its way.
    pub async fn say(&self, caller: &Caller, message: &str, aim: &Aim) -> Said {
        let chosen = match self.meant(caller, aim) {
            Ok(chosen) => chosen,
            Err(trouble) => return Said::not(trouble),
        };
        if !self.pace.lock().takes(&caller.station) {
            return Said::not(Trouble::TooMany);
        }
        let announcement = self.announcement(caller, message, *aim == Aim::Back);
        let spoken = chosen.iter().take(MOST).map(|(station, way)| {
            let announcement = &announcement;
            async move { (station, self.speak(station, &**way, announcement).await) }
        });
        let mut said = Said::default();
        for (station, outcome) in join_all(spoken).await {
            let name = self.told(station, &caller.lang);
            match outcome {
                Ok(()) => {
                    self.note(&station.id, &caller.station);
                    said.heard.push(name);
                }
                Err(Unspoken::Rests) => said.resting.push(name),
                Err(Unspoken::Gone) => said.gone.push(name),
            }
        }
        said
    }

    /// Says at the device itself what another device of the hive has said already from whom it comes. An answer goes back to that
    /// station.
    ///
    /// # Errors
    /// Where the room is not to be disturbed, or too much is being said.
    pub async fn say_here(&self, from: &str, words: &str, lang: &str) -> Result<(), Unspoken> {
        if !self.pace.lock().takes(from) {
            return Err(Unspoken::Gone);
        }
        let own = self.all().into_iter().find(|(station, _)| station.id == DEVICE);
        let (station, way) = own.ok_or(Unspoken::Gone)?;
        let words = shortened(&speakable(words), LONGEST + LONGEST);
        let announcement = Announcement {
            message: words.clone(),
            words,
            from: String::new(),
            lang: lang.to_owned(),
            is_reply: false,
        };
        self.speak(&station, &*way, &announcement).await?;
        self.note(DEVICE, from);
        Ok(())
    }

    async fn speak(
        &self,
        station: &Station,
        way: &dyn Stations,
        announcement: &Announcement,
    ) -> Result<(), Unspoken> {
        if self.is_quiet(station.hours) {
            return Err(Unspoken::Rests);
        }
        // What is still being spoken is on its way.
        let spoken = timeout(SPEAKING, way.speak(&station.id, announcement)).await;
        spoken.unwrap_or(Ok(()))
    }

    /// Whether it is quiet now in a room with these hours of its own, or else in those of the house.
    pub fn is_quiet(&self, own: Option<Hours>) -> bool {
        let zone = self.hours.as_ref().map(|(_, zone)| zone.clone());
        let zone = zone.unwrap_or_else(TimeZone::system);
        let hours = own.or_else(|| self.hours.as_ref().map(|(hours, _)| *hours));
        hours.is_some_and(|hours| hours.hold(Timestamp::now(), &zone))
    }

    fn meant(&self, caller: &Caller, aim: &Aim) -> Result<Vec<(Station, Arc<dyn Stations>)>, Trouble> {
        let all = self.all();
        let is_other = |(station, _): &(Station, Arc<dyn Stations>)| station.id != caller.station;
        let others: Vec<_> = all.iter().filter(|one| is_other(one)).cloned().collect();
        let there: Vec<_> = others.iter().filter(|(station, _)| station.is_there).cloned().collect();
        let meant = match aim {
            Aim::Everywhere => there,
            Aim::Room(room) => return self.called(room, &all, caller),
            Aim::Elsewhere if there.len() > 1 => return Err(Trouble::Which(self.names(&there, caller))),
            Aim::Elsewhere => there,
            Aim::Back => {
                let from = self.answerable(&caller.station).ok_or(Trouble::NothingSaid)?;
                others.into_iter().filter(|(station, _)| station.id == from).collect()
            }
        };
        if !meant.is_empty() {
            return Ok(meant);
        }
        Err(if *aim == Aim::Back { Trouble::NothingSaid } else { Trouble::NoRooms })
    }

    /// The rooms of this name, or where a person of this name is.
    fn called(
        &self,
        room: &str,
        all: &[(Station, Arc<dyn Stations>)],
        caller: &Caller,
    ) -> Result<Vec<(Station, Arc<dyn Stations>)>, Trouble> {
        let words = which::Words::of(&self.locales, &caller.lang);
        let stations: Vec<&Station> = all.iter().map(|(station, _)| station).collect();
        let doors = self.residents.doors_of(room);
        let ids = match which::called(room, &stations, &doors, &caller.station, &words) {
            Meant::These(ids) => ids,
            Meant::Here => return Err(Trouble::Here),
            Meant::Everywhere => return self.meant(caller, &Aim::Everywhere),
            Meant::Nowhere => {
                let is_there = |one: &&(Station, Arc<dyn Stations>)| one.0.is_there && one.0.id != caller.station;
                let others: Vec<_> = all.iter().filter(is_there).cloned().collect();
                return Err(if others.is_empty() {
                    Trouble::NoRooms
                } else {
                    Trouble::NoVoice(room.to_owned(), self.names(&others, caller))
                });
            }
        };
        Ok(all.iter().filter(|(station, _)| ids.contains(&station.id)).cloned().collect())
    }

    fn names(&self, stations: &[(Station, Arc<dyn Stations>)], caller: &Caller) -> Vec<String> {
        stations.iter().map(|(station, _)| self.told(station, &caller.lang)).collect()
    }

    /// What a room is called when it is told; the device itself, where it has no name, by the word for that.
    fn told(&self, station: &Station, lang: &str) -> String {
        let own = || which::Words::of(&self.locales, lang).own_room();
        speakable(&station.names.first().cloned().unwrap_or_else(own))
    }

    fn announcement(&self, caller: &Caller, message: &str, is_reply: bool) -> Announcement {
        let message = shortened(&speakable(message), LONGEST);
        Announcement {
            words: self.words(caller, &message, is_reply),
            message,
            from: self.room_of(caller),
            lang: caller.lang.clone(),
            is_reply,
        }
    }

    /// The room of who has something said, as it is told.
    fn room_of(&self, caller: &Caller) -> String {
        let all = self.all();
        let own = all.iter().find(|(station, _)| station.id == caller.station);
        own.map(|(station, _)| self.told(station, &caller.lang)).unwrap_or_default()
    }

    /// The message with from whom it comes.
    fn words(&self, caller: &Caller, message: &str, is_reply: bool) -> String {
        let all = self.all();
        let own = all.iter().find(|(station, _)| station.id == caller.station);
        let room = own.and_then(|(station, _)| station.names.first().cloned());
        let told = Telling::new(if is_reply { "answered_from" } else { "from" }).words("message", message);
        let told = match room {
            Some(room) => told.words("room", speakable(&room)),
            None => told,
        };
        let told = match &caller.name {
            Some(name) => told.words("name", speakable(name)),
            None => told,
        };
        let person = Circumstances {
            lang: Some(caller.lang.clone()),
            ..Circumstances::default()
        };
        let told = told.sentence(&self.locales, FOLDER, &person);
        told.unwrap_or_else(|| message.to_owned())
    }

    /// Whether something was said in any room lately.
    pub(super) fn is_answerable(&self) -> bool {
        let heard = self.heard.lock();
        heard.values().any(|last| last.at.elapsed() < ANSWERABLE)
    }

    /// Where that comes from which was said in a room last, if that is not long ago.
    fn answerable(&self, station: &str) -> Option<String> {
        let heard = self.heard.lock();
        let last = heard.get(station)?;
        (last.at.elapsed() < ANSWERABLE).then(|| last.from.clone())
    }

    fn note(&self, station: &str, from: &str) {
        let mut heard = self.heard.lock();
        if heard.len() >= HEARD
            && !heard.contains_key(station)
            && let Some(oldest) = heard.iter().min_by_key(|(_, heard)| heard.at).map(|(id, _)| id.clone())
        {
            heard.remove(&oldest);
        }
        let (from, at) = (from.to_owned(), Instant::now());
        heard.insert(station.to_owned(), Heard { from, at });
    }
}

impl People for Intercom {
    fn in_session(&self, session_id: &str) -> Option<Named> {
        self.residents.in_session(session_id)
    }

    fn whereabouts(&self, name: &str) -> Option<Whereabouts> {
        let all = self.all();
        let doors = self.residents.doors_of(name);
        doors.iter().find_map(|door| {
            if door == DEVICE {
                return Some(Whereabouts::default());
            }
            let (station, _) = all.iter().find(|(station, _)| station.id == *door && station.is_there)?;
            station.conversation.clone()
        })
    }
}

impl Said {
    fn not(trouble: Trouble) -> Self {
        Self {
            trouble: Some(trouble),
            ..Self::default()
        }
    }
}

/// The name of a room, for comparing.
fn called(station: &Station) -> Option<String> {
    station.names.first().map(|name| folded(name))
}

fn shortened(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}
