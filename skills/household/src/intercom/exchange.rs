//! All rooms in which something can be said, by whichever way, and what was said where last. Chooses the rooms that are meant
//! and keeps to their rest; the ways themselves speak.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use loquat_kit::hours::Hours;
use loquat_kit::people::{Named, People, Whereabouts};
use loquat_kit::stations::{Announcement, Station, Stations, Unspoken};
use loquat_kit::{Locales, folded};
use parking_lot::{Mutex, RwLock};
use tokio::time::timeout;

use super::DEVICE;
use super::answers::Answers;
use super::caller::{Caller, HUB};
use super::pace::Pace;
use super::phrasing::fit_to_say;
use super::said::{Aim, Said, Trouble};
use super::which::{self, Meant};
use crate::people::Residents;

/// Characters of what is announced.
pub const LONGEST: usize = 300;

/// Rooms in which something is said at once.
const MOST: usize = 32;

/// One room has this long. A home answers when it has spoken, and a long announcement is still being spoken then.
const SPEAKING: Duration = Duration::from_secs(12);

/// A room with the way to it.
type Reached = (Station, Arc<dyn Stations>);

/// All rooms in which something can be said.
#[derive(Debug)]
pub struct Intercom {
    pub(super) locales: Arc<Locales>,
    residents: Arc<Residents>,
    /// The quiet hours of the house.
    hours: Option<Hours>,
    /// All hours are of its clocks.
    zone: TimeZone,
    ways: RwLock<Vec<Arc<dyn Stations>>>,
    /// Those that are taken only where no other way leads to a room.
    behind: RwLock<Vec<Arc<dyn Stations>>>,
    pub(super) answers: Answers,
    pace: Mutex<Pace>,
}

impl Intercom {
    /// One without any rooms yet.
    pub fn new(locales: Arc<Locales>, residents: Arc<Residents>) -> Self {
        Self {
            locales,
            residents,
            hours: None,
            zone: TimeZone::system(),
            ways: RwLock::default(),
            behind: RwLock::default(),
            answers: Answers::default(),
            pace: Mutex::default(),
        }
    }

    /// With quiet hours of the house, in the zone of this name; in the machine's own where none of that name is known.
    #[must_use]
    pub fn with_hours(self, hours: Option<Hours>, zone: Option<&str>) -> Self {
        let zone = zone.and_then(|name| TimeZone::get(name).ok());
        let zone = zone.unwrap_or_else(TimeZone::system);
        Self { hours, zone, ..self }
    }

    /// From now on something can be said in these rooms, too. A room that an earlier way reaches is not told twice.
    pub fn add(&self, way: Arc<dyn Stations>) {
        self.ways.write().push(way);
    }

    /// Adds rooms that are taken only where no other way leads to them, whenever that is added.
    pub fn add_behind(&self, way: Arc<dyn Stations>) {
        self.behind.write().push(way);
    }

    /// Who has been named.
    pub fn residents(&self) -> &Arc<Residents> {
        &self.residents
    }

    /// All rooms, each with the way to it.
    pub(super) fn all(&self) -> Vec<Reached> {
        let mut ways = self.ways.read().clone();
        ways.extend(self.behind.read().iter().map(Arc::clone));
        by(ways)
    }

    /// Those in which this caller may have something said.
    fn all_for(&self, caller: &Caller) -> Vec<Reached> {
        if caller.is_kept_from_homes {
            by(self.ways.read().clone())
        } else {
            self.all()
        }
    }

    /// The names of the rooms other than the caller's own that can be reached.
    pub fn rooms(&self, caller: &Caller) -> Vec<String> {
        let others = self.all_for(caller).into_iter();
        let others = others.filter(|(other, _)| other.is_there && other.id != caller.station);
        let names = others.map(|(other, _)| self.told(&other, &caller.lang));
        let mut names: Vec<String> = names.collect();
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
        if !self.pace.lock().takes(caller.party()) {
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
                    self.answers.note(&station.id, &caller.station);
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
        if !self.pace.lock().takes(HUB) {
            return Err(Unspoken::Gone);
        }
        let own = self.all().into_iter().find(|(station, _)| station.id == DEVICE);
        let (station, way) = own.ok_or(Unspoken::Gone)?;
        let words = fit_to_say(words, LONGEST + LONGEST);
        let announcement = Announcement {
            message: words.clone(),
            words,
            from: String::new(),
            lang: lang.to_owned(),
            is_reply: false,
        };
        self.speak(&station, &*way, &announcement).await?;
        self.answers.note(DEVICE, from);
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
        let hours = own.or(self.hours);
        hours.is_some_and(|hours| hours.hold(Timestamp::now(), &self.zone))
    }

    fn meant(&self, caller: &Caller, aim: &Aim) -> Result<Vec<Reached>, Trouble> {
        let all = self.all_for(caller);
        let is_other = |(station, _): &Reached| station.id != caller.station;
        let others: Vec<_> = all.iter().filter(|one| is_other(one)).cloned().collect();
        let there: Vec<_> = others
            .iter()
            .filter(|(station, _)| station.is_there)
            .cloned()
            .collect();
        let meant = match aim {
            Aim::Everywhere => there,
            Aim::Room(room) => return self.called(room, &all, caller),
            Aim::Elsewhere if there.len() > 1 => return Err(Trouble::Which(self.names(&there, caller))),
            Aim::Elsewhere => there,
            Aim::Back => {
                let from = self.answered(caller, &all).ok_or(Trouble::NothingSaid)?;
                others
                    .into_iter()
                    .filter(|(station, _)| station.id == from)
                    .collect()
            }
        };
        if !meant.is_empty() {
            return Ok(meant);
        }
        Err(if *aim == Aim::Back {
            Trouble::NothingSaid
        } else {
            Trouble::NoRooms
        })
    }

    /// Where that comes from which a caller answers. A guest who is at none of the rooms speaks by way of a home: what any room of
    /// that has heard last is meant.
    fn answered(&self, caller: &Caller, all: &[Reached]) -> Option<String> {
        let is_at_a_room = all.iter().any(|(station, _)| station.id == caller.station);
        if is_at_a_room || !caller.is_guest {
            return self.answers.of(&caller.station);
        }
        let behind = self.behind.read().clone();
        let rooms = behind
            .iter()
            .flat_map(|way| way.stations())
            .map(|station| station.id);
        self.answers.newest(rooms)
    }

    /// The rooms of this name, or where a person of this name is.
    fn called(&self, room: &str, all: &[Reached], caller: &Caller) -> Result<Vec<Reached>, Trouble> {
        let words = which::Words::of(&self.locales, &caller.lang);
        let stations: Vec<&Station> = all.iter().map(|(station, _)| station).collect();
        let doors = self.residents.doors_of(room);
        let ids = match which::called(room, &stations, &doors, &caller.station, &words) {
            Meant::These(ids) => ids,
            Meant::Here => return Err(Trouble::Here),
            Meant::Everywhere => return self.meant(caller, &Aim::Everywhere),
            Meant::Nowhere => {
                let is_there = |one: &&Reached| one.0.is_there && one.0.id != caller.station;
                let others: Vec<_> = all.iter().filter(is_there).cloned().collect();
                return Err(if others.is_empty() {
                    Trouble::NoRooms
                } else {
                    Trouble::NoVoice(room.to_owned(), self.names(&others, caller))
                });
            }
        };
        let mut found: Vec<_> = all
            .iter()
            .filter(|(station, _)| ids.contains(&station.id))
            .cloned()
            .collect();
        // Of two ways to a room the one counts that leads there now.
        if found.iter().any(|(station, _)| station.is_there) {
            found.retain(|(station, _)| station.is_there);
        }
        Ok(found)
    }

    fn names(&self, stations: &[Reached], caller: &Caller) -> Vec<String> {
        stations
            .iter()
            .map(|(station, _)| self.told(station, &caller.lang))
            .collect()
    }
}

impl Intercom {
    /// The station at which a person of this name was named and can be reached. Where the owner has set one, no other is taken: what
    /// is for that person is not said to who only claims the name.
    fn station_of(&self, name: &str) -> Option<Station> {
        let all = self.all();
        let doors = self.residents.own_doors_of(name);
        doors.iter().find_map(|door| {
            let (station, _) = all
                .iter()
                .find(|(station, _)| station.id == *door && station.is_there)?;
            Some(station.clone())
        })
    }
}

impl People for Intercom {
    fn in_session(&self, session_id: &str) -> Option<Named> {
        self.residents.in_session(session_id)
    }

    fn whereabouts(&self, name: &str) -> Option<Whereabouts> {
        self.station_of(name)?.conversation
    }

    fn is_resting(&self, name: &str) -> bool {
        let station = self.station_of(name);
        station.is_some_and(|station| self.is_quiet(station.hours))
    }
}

/// The rooms of these ways. One that an earlier way reaches is left out of the later ones.
fn by(ways: Vec<Arc<dyn Stations>>) -> Vec<Reached> {
    let mut all: Vec<Reached> = Vec::new();
    for way in ways {
        let there = all.iter().filter(|(station, _)| station.is_there);
        let reached: Vec<String> = there.filter_map(|(station, _)| called(station)).collect();
        let is_new = |station: &Station| !called(station).is_some_and(|name| reached.contains(&name));
        let new = way.stations().into_iter().filter(is_new);
        let new: Vec<_> = new.map(|station| (station, Arc::clone(&way))).collect();
        all.extend(new);
    }
    all
}

/// The name of a room, for comparing.
fn called(station: &Station) -> Option<String> {
    station.names.first().map(|name| folded(name))
}
